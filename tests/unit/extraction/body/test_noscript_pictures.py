"""Pictures that stand in `noscript`, for browsers in which no script fills in the others, are shown once and never counted as text."""

from __future__ import annotations

from typing import Any

import pytest
from accounting import accounted, reference
from rewriting import blocks_of, body_of, rewritten, sketch
from working_time import at_most

from webarticlecurator.extraction.body.noscript_pictures import noscript_pictures_in

SPARE = "<noscript><img src=/gat.jpg alt='A gát'></noscript>"
CASES: list[tuple[str, str]] = [
    (f"<p>a</p>{SPARE}<p>b</p>", "paragraph(a) figure@/gat.jpg() paragraph(b)"),
    (f"<p>a {SPARE} b</p>", "paragraph(a b) figure@/gat.jpg()"),
    (f"<figure>{SPARE}<figcaption>c</figcaption></figure>", "figure@/gat.jpg(caption(c))"),
    ("<figure><noscript><img src=/kep?id=1></noscript><figcaption>c</figcaption></figure>", "figure@/kep?id=1(caption(c))"),
    # beside a picture that waits for a script
    (f"<img src=/blank.gif>{SPARE}", "figure@/gat.jpg()"),
    (f"<img src=/p.gif width=1 height=1>{SPARE}", "figure@/gat.jpg()"),
    (f"<img src='data:image/gif;base64,R0lGOD'>{SPARE}", "figure@/gat.jpg()"),
    (f"<img class=lazy>{SPARE}", "figure@/gat.jpg()"),
    (f"{SPARE}<img class=lazy>", "figure@/gat.jpg()"),
    ("<img class=lazy><noscript><img src=/kep?id=1></noscript>", "figure@/kep?id=1()"),
    (f"<picture><source srcset='/blank.gif 1x'><img src=/blank.gif></picture>{SPARE}", "figure@/gat.jpg()"),
    (f"<figure><div><img src=/blank.gif></div><div>{SPARE}</div>c</figure>", "figure@/gat.jpg(caption(c))"),
    (f"<img class=lazy>{SPARE}<img class=lazy><noscript><img src=/to.jpg></noscript>", "figure@/gat.jpg() figure@/to.jpg()"),
    (f"{SPARE}<img class=lazy><noscript><img src=/to.jpg></noscript><img class=lazy>", "figure@/gat.jpg() figure@/to.jpg()"),
    # beside a picture that is shown anyway
    (f"<img data-src=/gat.jpg>{SPARE}", "figure@/gat.jpg()"),
    (f"<img src=/blank.gif data-src=/nagy/gat.jpg>{SPARE}", "figure@/nagy/gat.jpg()"),
    (f"<img src=/blank.gif data-srcset='/gat-2.jpg 2x'>{SPARE}", "figure@/gat-2.jpg()"),
    (f"<picture><source data-srcset='/gat-2.jpg 2x'><img></picture>{SPARE}", "figure@/gat-2.jpg()"),
    ("<p><img data-src=/x/duna-part.jpg></p><p>a</p><noscript><img src=/y/duna-part.jpg?w=9></noscript>",
     "figure@/x/duna-part.jpg() paragraph(a)"),
    # what counts visits
    ("<noscript><img src=/gat.jpg width=1 height=1></noscript>", ""),
    ("<noscript><img src=/gat.jpg style='display: none'></noscript>", ""),
    ("<noscript><img src='https://stat.example/hit?id=1'></noscript>", ""),
    ("<img src=/p.gif width=1 height=1><noscript><img src='https://stat.example/hit?id=1'></noscript>", ""),
    # other things in noscript
    ("<noscript>a <p>b</p><iframe src=/v></iframe></noscript>", ""),
]  # fmt: skip


@pytest.mark.parametrize(("html", "expected"), CASES)
def test_a_picture_in_noscript_is_shown_where_nothing_else_shows_it(html: str, expected: str) -> None:
    assert sketch(html) == expected


@pytest.mark.parametrize("html", [html for html, _ in CASES])
def test_noscript_is_never_text(html: str) -> None:
    body = body_of(html.replace("</noscript>", "no scripts?</noscript>"))
    assert accounted(rewritten(html.replace("</noscript>", "no scripts?</noscript>")).pieces) == reference([body])


def test_the_figure_says_what_the_spare_picture_says() -> None:
    (figure,) = blocks_of(f"<img src=/blank.gif class=lazy>{SPARE}")
    assert figure.attributes == {"alt": "A gát"}


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"decompose": ["noscript"]}, ""),
        ({"decompose": ["noscript img"]}, ""),
        ({"decompose": [".doboz"]}, ""),
        ({"unwrap": ["noscript > img"]}, ""),
        ({"gallery": [".doboz"]}, "figure@/gat.jpg()"),
    ],
)
def test_rules_decide_about_pictures_in_noscript_as_about_others(tags: dict[str, Any], expected: str) -> None:
    assert sketch(f"<div class=doboz>{SPARE}</div>", tags) == expected


def test_the_address_that_a_rule_names_goes_before_the_spare_picture() -> None:
    html = f"<img class=lazy src=/blank.gif data-eredeti=/e.jpg>{SPARE}<img class=lazy>{SPARE.replace('gat', 'to')}"
    assert sketch(html, {"figure": [{"css": "img.lazy", "url": "data-eredeti"}]}) == "figure@/e.jpg() figure@/to.jpg()"


@pytest.mark.parametrize(
    "html",
    [
        "<noscript>" * 1_900 + "<b></b>" * 100_000,
        (SPARE + "<div><img class=lazy></div>") * 30_000,
        "<div>" * 1_900 + SPARE * 20_000,
        "".join(f"<div>{SPARE}" for _ in range(1_900)) + "<i></i>" * 100_000,
    ],
    ids=["noscript in noscript", "many pairs", "many deep ones", "one on each level"],
)
def test_a_hostile_page_takes_time_in_proportion_to_its_size(html: str) -> None:
    body = body_of(html)
    with at_most(3):
        noscript_pictures_in(body)
