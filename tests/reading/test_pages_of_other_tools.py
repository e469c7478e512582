"""What wget collected becomes a corpus, from a file as that program writes it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from written_pages import reading

RULES = """\
portal: kilenchid
home: {url}
timezone: Europe/Budapest
fetch: {{delay: 0.01s}}
archive: {{url: "{url}belfold/", next: a.kovetkezo, item: "article.teaser:not(.kituzott)", link: h2 a}}
articles: {{next: a.kovetkezo-oldal}}
"""
WGET = "wget --quiet --recursive --level=inf --no-parent --no-directories --delete-after --warc-file=belfold"


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("wget") is None, reason="there is no wget here")
def test_what_wget_fetched_becomes_a_corpus(tmp_path: Path) -> None:
    with reading(tmp_path) as reader:
        reader.serve([])
        assert reader.portal is not None
        reader.run(f"{WGET} {reader.portal.url}belfold/")
        Path("portal.yaml").write_text(RULES.format(url=reader.portal.url), encoding="utf-8")
        code, told = reader.curator(["warc", "import", "portal.yaml", "belfold.warc.gz"])
        assert (code, "124 pages of articles and 11 archive pages" in told) == (0, True), told
        code, outcomes = reader.curator(["build", "portal.yaml"])
        assert (code, "Outcomes: 101 article" in outcomes) == (0, True), outcomes
