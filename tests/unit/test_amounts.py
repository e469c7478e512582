"""Numbers of things in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import webarticlecurator
from webarticlecurator.amounts import amount


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (1, ("article",), "1 article"),
        (0, ("article",), "0 articles"),
        (12_345, ("article",), "12,345 articles"),
        (1, ("page was", "pages were"), "1 page was"),
        (2, ("page was", "pages were"), "2 pages were"),
    ],
)
def test_one_thing_is_said_as_one(number: int, words: tuple[str, ...], said: str) -> None:
    assert amount(number, *words) == said


STORED = ("sitemap_tree.py", "contradictions.py", "growing_pages.py", "store.py", "words.py", "telling.py")
"""What they say is kept in ledgers, databases and WARC records, and stays as it is."""
NEVER_ONE = r"[A-Z_]+|f\.pages"
"""Limits, and the pages of which several say the same."""


def test_sentences_of_the_program_leave_the_plural_to_it() -> None:
    root = Path(webarticlecurator.__file__).parent
    files = (file for file in root.rglob("*.py") if file.name not in STORED)
    plural = re.compile(
        rf"\{{(?!(?:{NEVER_ONE}):)([^{{}}]+):,\}} (?:more |archive |article )?(?:articles|pages|links|files|problems|words|documents)\b"
    )
    assert {file.name: found for file in files if (found := plural.findall(file.read_text(encoding="utf-8")))} == {}
