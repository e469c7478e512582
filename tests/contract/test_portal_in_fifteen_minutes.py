"""The page "A portal in fifteen minutes", typed as it is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from written_pages import DOCS, Typed, reading, steps

from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus.folder import corpus_of
from webarticlecurator.corpus.ledger import Ledger

PAGE = DOCS / "tutorials" / "portal-in-fifteen-minutes.md"


@pytest.mark.slow
def test_every_step_does_what_it_says(tmp_path: Path) -> None:
    with reading(tmp_path) as reader:
        for step in steps(PAGE):
            reader.do(step)
            if isinstance(step, Typed) and step.command.startswith("curator new"):
                edit(Path("portal.yaml"), PAGE.read_text(encoding="utf-8"))
                for told in ("`archive.link` is not sure", "gyorshirek", "archivum: `dates.from` (2023-10-03) is a guess"):
                    assert told in reader.outputs[-1]
        with Ledger.reading(corpus_of(load_portal("portal.yaml"), None).ledger) as ledger:
            fetched = {url for (url,) in ledger.rows("SELECT url FROM urls WHERE outcome = 'fetched'")}
        assert reader.portal is not None
        unseen = reader.portal.article_urls - fetched
        assert all("/gyorshirek/" in url or "/podcast/" in url for url in unseen), "what only scripts ask for"
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
