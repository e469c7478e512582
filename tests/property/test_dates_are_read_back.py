"""A day that is written in a language is read back, in whichever letters it stands."""

from __future__ import annotations

from datetime import date

import pytest
from babel.dates import format_date

from webarticlecurator import extract, load_portal

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
