"""The headline: without the name of the site, and as readers see it."""

from __future__ import annotations

from case_files import cases
from hypothesis import given
from hypothesis import strategies as st
from seams import portal_of
from told import GAT, ld, meta, values

from webarticlecurator import extract


def headline(*, data: str = "", og: str = "", h1: str = "", heading: str = "", title: str = "") -> str:
    html = ld({"@type": "NewsArticle", "headline": data}) * bool(data) + meta(og__title=og) * bool(og)
    html += f"<title>{title}</title>" * bool(title) + f"<h1>{h1}</h1>" * bool(h1) + f"<h2>{heading}</h2>" * bool(heading)
    return " / ".join(values(f"{html}<p>The river came over the meadow in the morning.</p>", "headline", GAT, language="en"))


@cases("titles, expected", "reading/cases/the-headline")
def test_the_headline(titles: dict[str, str], expected: str) -> None:
    assert headline(**titles) == expected


def test_headings_of_the_first_level_in_the_text_are_no_headline() -> None:
    html = meta(og__title="What people love about dams | Dams") + "<h2>What people love about dams</h2><p>It is water.</p>"
    assert values(f"{html}<h1>But what people love is the water of dams</h1>", "headline", GAT) == ["What people love about dams"]


@given(st.text(st.characters(exclude_characters="<&", exclude_categories=["C", "Z"]), min_size=1, max_size=200))
def test_what_is_left_of_a_title_is_part_of_it(text: str) -> None:
    left = extract(f"<title>{text} | Példa Hírek</title>", GAT, portal_of(title="Példa Hírek")).title
    assert left is None or left in text
