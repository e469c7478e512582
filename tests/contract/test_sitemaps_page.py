"""The page about sitemaps, typed as it is written."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from webarticlecurator.example_portal import ExamplePortal

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sitemaps.md"


def test_every_command_does_what_the_page_says(curator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with ExamplePortal() as portal:
        page = PAGE.read_text("utf-8").replace("8765", portal.home.rpartition(":")[2])
        rules = page.partition("```yaml\n")[2].partition("```")[0]
        Path("portal.yaml").write_text(rules.replace("0.01s", "0s"), "utf-8")
        shown, said = re.findall(r"```text\n(.*?)```", page, re.DOTALL), ""
        for typed in re.findall(r"(?m)^\$ curator (.*)$", page):
            command, *arguments = shlex.split(typed)
            if command != "demo":
                ended = curator(command, *arguments)
                assert ended.code == (command == "audit"), (typed, ended)
                said += ended.out + ended.err
    assert len(shown) == 2
    assert [text for text in shown if text.strip() not in said] == []
