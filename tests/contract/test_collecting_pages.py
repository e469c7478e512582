"""The pages of docs/ on collecting sites of a kind, typed as they are written, in an empty folder."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from examples.sites import RunningSite
from examples.sites.variations import variations

PAGES = sorted((Path(__file__).resolve().parents[2] / "docs").glob("collect-*.md"))
FINDS = ("audit", "tags")
"""Commands whose findings are no failure."""


def typed(text: str) -> Iterator[list[str]]:
    """Every command of a page."""
    for line in re.findall(r"(?m)^ *\$ (.*)$", text):
        yield shlex.split(line, comments=True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_step_does_what_it_says(curator, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    sites = {one.name: one for one in variations()}
    with ExitStack() as running:
        for name, *arguments in list(typed(text)):
            if name == "python":
                module, site = arguments[1:3]
                assert module == "examples.sites"
                home = running.enter_context(RunningSite(sites[site])).root
                rules = text.partition("```yaml\n")[2].partition("```")[0].replace("delay: 0.01s", "delay: 0s")
                Path("portal.yaml").write_text(rules.replace("http://127.0.0.1:8766", home), encoding="utf-8")
                continue
            assert name == "curator", name
            ended = curator(*(one.replace("http://127.0.0.1:8766", home) for one in arguments))
            assert ended.code in ({0, 1} if arguments[0] in FINDS else {0}), (arguments, ended)
    assert list(Path("corpora").glob("*/tei/*/*/*/*.xml"))
