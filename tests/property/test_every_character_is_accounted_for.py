"""Whatever a page is like: blanks are single and never at an edge; and on real pages every character is kept or dropped by a rule."""

from __future__ import annotations

import gzip
import re

import pytest
from accounting import assert_nothing_is_lost
from any_html import HTML
from hypothesis import given
from real_pages import DATA, needs
from seams import page_of

from webarticlecurator import extract, load_portal

PAGES = DATA / "extraction" / "data"
PORTAL = load_portal("portal.yaml", content=b"portal: x\nhome: https://x.example/\nbody: {root: main}\n")


@given(html=HTML)
def test_blanks_are_single_and_never_at_an_edge(html: str) -> None:
    text = extract(f"<main>{html.replace('<pre', '<div').replace('</pre', '</div')}</main>", "https://x.example/1", PORTAL).text
    for line in text.split("\n"):
        assert line == line.strip()
        assert not re.search(r"\s\s|\t", line)


@needs(PAGES)
@pytest.mark.parametrize("every", [80, pytest.param(8, marks=pytest.mark.nightly)])
def test_nothing_is_lost_on_real_pages(every: int) -> None:
    for path in sorted(PAGES.glob("*/pages/*.html.gz"))[::every]:
        tree = page_of(gzip.decompress(path.read_bytes())).tree
        assert tree is not None
        assert_nothing_is_lost(tree)
