"""The commands of docs/export.md run, on the corpus of which the page speaks."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from webarticlecurator import build, crawl
from webarticlecurator.example_portal import ExamplePortal

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "export.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ curator (.+)$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("demo")
    with ExamplePortal() as served:
        portal = served.portal_file(place, delay="0s")
        crawl(portal)
    build(portal)
    return place


@pytest.mark.slow
def test_every_command_gives_articles(folder: Path, curator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    assert len(COMMANDS) > 10
    assert [(command, ended.err) for command in COMMANDS if (ended := curator(*shlex.split(command))).code != 0] == []


@pytest.mark.slow
def test_what_no_article_has_is_told_as_the_page_says(folder: Path, curator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    ended = curator("export", "portal.yaml", "--to", "csv", "--section", "Kultura", "-o", "nothing.csv")
    assert ended.code == 1
    assert "--section Kultura: no article has it; near to it: 'Kultúra'" in ended.err
