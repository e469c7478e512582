"""The page "A portal in fifteen minutes", typed as it is written."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import corpus_of
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.new_portal import begin

PAGE = Path(__file__).resolve().parents[2] / "docs" / "portal-in-fifteen-minutes.md"
FINDS = ("learn", "test", "build")
"""Commands whose questions and findings are no failure of the page: `learn` may not have seen a thread of the forum."""


@pytest.mark.slow
def test_every_step_does_what_it_says(curator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(url: str, output: Path) -> Portal:
        portal = polite(url, output)
        return replace(portal, fetch=replace(portal.fetch, delay=timedelta(0)))

    polite = begin.portal_to_be
    monkeypatch.setattr(begin, "portal_to_be", at_once)
    monkeypatch.chdir(tmp_path)
    with ExamplePortal() as served:
        text = PAGE.read_text(encoding="utf-8").replace("http://127.0.0.1:8765/", served.url)
        for line in re.findall(r"(?m)^\$ curator (.*)$", text):
            command, *arguments = shlex.split(line)
            if command == "demo":
                continue
            ended = curator(command, *arguments)
            assert ended.code in ({0, 1} if command in FINDS else {0, 4} if "--limit" in arguments else {0}), (line, ended)
            if command == "new":
                said = ended.err
                edit(Path("portal.yaml"), text)
        for told in ("`archive.link` is not sure", "gyorshirek", "archivum: `dates.from` (2023-10-03) is a guess"):
            assert told in said
        with Ledger.reading(corpus_of(load_portal("portal.yaml"), None).ledger) as ledger:
            fetched = {url for (url,) in ledger.rows("SELECT url FROM urls WHERE outcome = 'fetched'")}
        assert all("/gyorshirek/" in url or "/podcast/" in url for url in served.article_urls - fetched), "what only scripts ask for"
        assert Path("tests.yaml").exists()


def edit(file: Path, text: str) -> None:
    """Type what the page says in its step 2."""
    said = yaml.safe_load(text.partition("```yaml\n")[2].partition("```")[0])
    lines = file.read_text(encoding="utf-8")
    for name, column in said["columns"].items():
        dates = f"{{from: {column['dates']['from']}, until: {column['dates']['until']}}}"
        lines, count = re.subn(rf"(?ms)(^  {name}:.*?^    dates: )\{{[^}}]*\}}", rf"\g<1>{dates}", lines)
        assert count == 1, f"{name} has a line `dates`"
    file.write_text(f"{lines}\nfetch:\n  delay: 0s\n", encoding="utf-8")
