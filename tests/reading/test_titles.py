"""The headline: without the name of the site, and as readers see it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seams import portal_of
from told import GAT, ld, meta, values

from webarticlecurator import extract


def headline(*, data: str = "", og: str = "", h1: str = "", heading: str = "", title: str = "") -> str:
    html = ld({"@type": "NewsArticle", "headline": data}) * bool(data) + meta(og__title=og) * bool(og)
    html += f"<title>{title}</title>" * bool(title) + f"<h1>{h1}</h1>" * bool(h1) + f"<h2>{heading}</h2>" * bool(heading)
    return " / ".join(values(f"{html}<p>The river came over the meadow in the morning.</p>", "headline", GAT, language="en"))


CASES: dict[str, list[tuple[dict[str, str], str]]] = {
    "only the site's name falls away": [
        ({"og": "The dam has broken | Példa Hírek"}, "The dam has broken"),
        ({"og": "Példa Hírek – The dam has broken"}, "The dam has broken"),
        ({"og": "The dam has broken - World - Példa Hírek"}, "The dam has broken - World"),
        ({"title": "The dam has broken | Példa Hírek"}, "The dam has broken"),
        ({"og": "Flood: the dam has broken"}, "Flood: the dam has broken"),
        ({"og": "A « great » day"}, "A « great » day"),
        ({"og": "Példa Hírek: our new design"}, "Példa Hírek: our new design"),
    ],
    "what all other titles lack is the site's too": [
        ({"title": "The dam has broken - Politics", "h1": "The dam has broken"}, "The dam has broken")
    ],
    "the title wins that most sources agree on": [
        ({"data": "Dam news today", "h1": "The dam has broken", "og": "The dam has broken | Példa Hírek"}, "The dam has broken")
    ],
    "two lines that grew together are no title that was cut off": [
        ({"og": "A national vote / Now it begins", "h1": "A national voteNow it begins"}, "A national vote / Now it begins")
    ],
    "what was taken for markup stands in the heading": [({"og": "The dam Today", "h1": "The dam | Today"}, "The dam | Today")],
    "a cut-off title speaks for the whole one": [
        (
            {"data": "The dam has broken and...", "og": "The dam has broken and the town is flooded"},
            "The dam has broken and the town is flooded",
        )
    ],
    "neither the site's name nor a label is a headline": [
        *(({"h1": text}, "") for text in ("Példa Hírek", "Page", "Untitled")),
        *(({"data": text, "title": "A dam"}, "A dam") for text in ("Példa Hírek", "Page", "Untitled")),
    ],
}


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES)
def test_the_headline(cases: list[tuple[dict[str, str], str]]) -> None:
    assert [headline(**titles) for titles, _ in cases] == [expected for _, expected in cases]


@given(st.text(st.characters(exclude_characters="<&", exclude_categories=["C", "Z"]), min_size=1, max_size=200))
def test_what_is_left_of_a_title_is_part_of_it(text: str) -> None:
    left = extract(f"<title>{text} | Példa Hírek</title>", GAT, portal_of(title="Példa Hírek")).title
    assert left is None or left in text
