"""The headline: without the name of the site, and as readers see it."""

from __future__ import annotations

import pytest
from case_files import cases
from hypothesis import given
from hypothesis import strategies as st
from seams import portal_of
from told import GAT, ld, meta, values

from webarticlecurator import extract


def page(**titles: str) -> str:
    """A page with these titles, and perhaps the site's name and a description."""
    html = ld({"@type": titles.get("kind", "NewsArticle"), "headline": titles["data"]}) if "data" in titles else ""
    named = {"og": "og__title", "site": "og__site_name", "about": "description"}
    html += meta(**{name: titles[key] for key, name in named.items() if key in titles})
    tags = {"title": "title", "h1": "h1", "heading": "h2", "microdata": "p itemprop=headline"}
    html += "".join(f"<{tag}>{titles[key]}</{tag.split()[0]}>" for key, tag in tags.items() if key in titles)
    return f"{html}<p>The river came over the meadow in the morning.</p>"


def headline(**titles: str) -> str:
    return " / ".join(values(page(**titles), "headline", titles.get("url", GAT), language="en"))


@cases("titles, expected", "reading/cases/the-headline")
def test_the_headline(titles: dict[str, str], expected: str) -> None:
    assert headline(**titles) == expected


def test_headings_of_the_first_level_in_the_text_are_no_headline() -> None:
    html = meta(og__title="What people love about dams | Dams") + "<h2>What people love about dams</h2><p>It is water.</p>"
    assert values(f"{html}<h1>But what people love is the water of dams</h1>", "headline", GAT) == ["What people love about dams"]


@pytest.mark.parametrize(
    ("data", "og", "shown"),
    [
        (
            {"headline": "The water came in the night"},
            "The water came in the night - and now?",
            "The dam: The water came in the night - and now?",
        ),
        ({"headline": "Water at the dam of Pelda: all of it"}, "The night at the dam", "The night at the dam"),
    ],
    ids=["more", "other words"],
)
def test_a_heading_that_ends_the_way_to_the_page_is_not_what_readers_see(data: dict[str, str], og: str, shown: str) -> None:
    way = f"<title>{data['headline']}</title><ol><li><a href=/>Home</a></li><li><h1>{data['headline']}</h1></li></ol>"
    html = f"{meta(og__title=og)}{ld({'@type': 'NewsArticle', **data})}{way}<article><h2>{shown}</h2><p>It rained.</p></article>"
    assert values(html, "headline", GAT) == [shown]


def test_the_headline_in_other_words_is_kept() -> None:
    other = page(data="Dam at Pelda has broken", og="Dam at Pelda has broken | Photo", h1="Dam at the town of Pelda broke")
    assert values(other, "alternativeHeadline", GAT) == ["Dam at the town of Pelda broke"]
    seen = page(og="The dam: why did it break and when?", h1="Why the dam broke in the night")
    assert values(seen, "alternativeHeadline", GAT) == ["The dam: why did it break and when?"]
    same = page(title="The dam has broken | Politics", h1="The dam has broken")
    assert values(same, "alternativeHeadline", GAT) == []
    another = page(data="The dam has broken", og="The dam has broken", h1="Contact us")
    assert values(another, "alternativeHeadline", GAT) == []


@given(st.text(st.characters(exclude_characters="<&", exclude_categories=["C", "Z"]), min_size=1, max_size=200))
def test_what_is_left_of_a_title_is_part_of_it(text: str) -> None:
    left = extract(f"<title>{text} | Példa Hírek</title>", GAT, portal_of(title="Példa Hírek")).title
    assert left is None or left in text
