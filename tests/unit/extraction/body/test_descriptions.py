"""What a picture shows is said once: in its caption, else beside it, else in its alternative text."""

from __future__ import annotations

import pytest
from rewriting import rewritten, sketch
from working_time import at_most

from webarticlecurator import extract
from webarticlecurator.model.article import Block, Fate

SENTENCE = "Minden mondatnak a helyén kell maradnia, bárhogyan is írták. "


def figures_of(html: str) -> list[Block]:
    article = extract(f"<article><p>{SENTENCE * 20}</p>{html}<p>{SENTENCE * 3}</p></article>", "https://pelda.example/1")
    return [
        figure for block in article.blocks for figure in (block, *block.children) if isinstance(figure, Block) and figure.type == "figure"
    ]


@pytest.mark.parametrize(
    ("html", "alt"),
    [
        ("<figure><img src=/k.jpg alt='A híd'><figcaption>A híd.</figcaption></figure>", None),
        ("<figure><img src=/k.jpg alt='a_híd'><figcaption>A híd</figcaption></figure>", None),
        ("<figure><img src=/k.jpg alt='A híd'><figcaption>A híd a Dunán. Fotó: MTI</figcaption></figure>", None),
        ("<figure><img src=/k.jpg alt='A régi híd a Dunán (MTI)'><figcaption>A régi híd a Dunán</figcaption></figure>", None),
        ("<figure><img src=/k.jpg alt='Két ember egy hídon áll'><figcaption>A híd</figcaption></figure>", "Két ember egy hídon áll"),
        ("<p>A híd</p><img src=/k.jpg alt='A híd'>", None),
        ("<img src=/k.jpg alt='A híd'><p>A híd</p>", None),
        ("<img src=/k.jpg alt='A híd'><p>A híd régi.</p>", "A híd"),
        ("<blockquote><p>A híd</p><img src=/k.jpg alt='A híd'></blockquote>", None),
    ],
)
def test_an_alternative_text_that_says_no_more_is_left_out(html: str, alt: str | None) -> None:
    (figure,) = figures_of(html)
    assert figure.attributes.get("alt") == alt


def test_a_paragraph_that_repeats_the_caption_before_it_is_left_out_by_a_rule() -> None:
    html = "<figure><img src=/k.jpg><figcaption>A híd.</figcaption></figure><p>A híd</p><p>A híd régi.</p>"
    assert sketch(html) == "figure@/k.jpg(caption(A híd.)) paragraph(A híd régi.)"
    assert [(one.text, one.rule) for one in rewritten(html).pieces if one.fate is Fate.DROPPED] == [
        ("A híd", "caption: it stands with the picture")
    ]


def test_repeating_the_beginning_of_a_long_caption_costs_no_more_than_reading_it() -> None:
    caption, repeated = "abcdefghijklmnopqrst " * 50_000, "<p>abcdefghijklmnopqrst abc</p>"
    with at_most(10):
        assert len(rewritten(f"<figure><img src=/k.jpg><figcaption>{caption}</figcaption></figure>{repeated * 5_000}").blocks) == 1
