"""What holds of whatever is read: blanks are single, months are read back, no cut listing is taken for whole."""

from __future__ import annotations

import re
from datetime import date

import pytest
from any_html import HTML
from babel.dates import format_date
from feeds_and_sitemaps import DOCUMENTS, read
from hypothesis import given

from webarticlecurator import extract, load_portal

PORTAL = load_portal("portal.yaml", content=b"portal: x\nhome: https://x.example/\nbody: {root: main}\n")


@given(html=HTML)
def test_blanks_are_single_and_never_at_an_edge(html: str) -> None:
    text = extract(f"<main>{html.replace('<pre', '<div').replace('</pre', '</div')}</main>", "https://x.example/1", PORTAL).text
    for line in text.split("\n"):
        assert line == line.strip()
        assert not re.search(r"\s\s|\t", line)


@pytest.mark.parametrize(("name", "document"), [("sitemap", "sitemap"), ("feed", "rss"), ("feed", "atom"), ("feed", "json")])
def test_a_listing_that_is_cut_off_is_broken(name: str, document: str) -> None:
    text = DOCUMENTS[document]
    whole = read(text, name)
    assert whole is not None and len(whole.articles) in (1, 2)
    for length in range(len(text)):
        page = read(text[:length], name)
        assert page is None or page.broken, text[:length]


LANGUAGES = ("hu", "en", "de", "fr", "cs", "ru", "pl", "tr", "el", "fi", "lt", "vi", "ar", "ja", "hi", "az", "ka", "hy")
NO_CAPITALS = ("el", "ar", "ja", "hi", "fi")


@pytest.mark.parametrize("pattern", ["auto", "d MMMM yyyy"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_month_is_read_back(language: str, pattern: str) -> None:
    if pattern == "auto" and language in NO_CAPITALS:
        pattern = "d MMMM yyyy"
    days = [date(year, month, (year + month) % 28 + 1) for year in (1900, 1999, 2024) for month in range(1, 13)]
    written = [format_date(day, "d MMMM yyyy", language) for day in days]
    if language not in NO_CAPITALS:
        written += [text.upper() for text in written]
    content = f"portal: x\nhome: https://x.example/\nlanguage: {language}\nmetadata: {{keywords: {{css: i, date: '{pattern}'}}}}\n"
    portal = load_portal("portal.yaml", content=content.encode())
    html = "".join(f"<i>{text}</i>" for text in written)
    assert [found.value for found in extract(html, "https://x.example/", portal).metadata["keywords"]] == [day.isoformat() for day in days]
