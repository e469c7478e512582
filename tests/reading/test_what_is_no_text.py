"""What pages show in the place of something else, how words are read, and what shows nothing: no text, but accounted for."""

from __future__ import annotations

from pathlib import Path

import pytest
from read_bodies import body_of, left_out, portal_by, sketch
from seams import document_of


def rules_of(html: str) -> set[str]:
    return {rule.partition(":")[0] for rule in left_out(body_of(html))}


# --- placeholders ---


@pytest.mark.parametrize(
    "placeholder",
    [
        "<h2>External content is not available</h2>",
        "<p><b>Back</b> to video</p>",
        "<div>This video has failed to load.</div>",
        "<p>Mit dem Laden des Videos akzeptieren Sie die Bestimmungen von Pelda.</p>",
        "<p>Ez a videó nem érhető el.</p>",
    ],
)
def test_what_stands_in_the_place_of_a_player_is_no_text(placeholder: str) -> None:
    html = f"<p>egy</p>{placeholder}<p>kettő</p>"
    assert sketch(html) == "paragraph(egy) paragraph(kettő)"
    assert rules_of(html) == {"placeholder"}


@pytest.mark.parametrize(
    "html",
    [
        "<p>Back to video games: what a year it was for those who play them.</p>",
        f"<p>Video unavailable, said the page. {'It had been there a day before. ' * 20}</p>",
        "<pre>Video unavailable</pre>",
    ],
)
def test_a_text_about_such_things_stays(html: str) -> None:
    assert left_out(body_of(html)) == {}
    assert body_of(html).text


def test_the_list_of_placeholders_has_each_line_once(repo_root: Path) -> None:
    lines = (repo_root / "webarticlecurator" / "extraction" / "embed_placeholders.txt").read_text(encoding="utf-8").splitlines()
    said = ["".join(filter(str.isalnum, line.casefold())) for line in lines if line and not line.startswith("#")]
    assert sorted(said) == sorted(set(said))


# --- how words are read ---


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>の橋", "paragraph(ruby[東京]の橋)"),
        ("<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>", "paragraph(ruby[東]ruby[京])"),
        ("<ruby><rb>東</rb><rb>京</rb><rt>とう</rt><rt>きょう</rt></ruby>", "paragraph(ruby[東京])"),
        ("a <ruby>橋</ruby>", "paragraph(a 橋)"),
    ],
)
def test_how_words_are_read_is_no_text(html: str, expected: str) -> None:
    assert sketch(html) == expected


def test_a_document_has_it_beside_them() -> None:
    article = body_of(
        "<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>の<b><ruby>橋<rt>はし</rt></ruby></b></p><blockquote>a<cite>橋</cite></blockquote>"
    )
    assert article.text.split("\n")[0] == "東京の橋"
    document = document_of(article, portal_by()).decode()
    assert "<ruby><rb>東</rb><rt>とう</rt></ruby><ruby><rb>京</rb><rt>きょう</rt></ruby>の" in document
    assert '<hi rend="bold"><ruby><rb>橋</rb><rt>はし</rt></ruby></hi>' in document


# --- characters ---


def test_control_characters_within_words_go() -> None:
    html = "<p>be\x03tű \x02 kar\x7fika</p>"
    assert sketch(html) == "paragraph(betű karika)"
    assert rules_of(html) == {"invisible"}


def test_words_of_elements_that_begin_a_line_do_not_grow_together_where_they_are_left_out() -> None:
    html = "<p>a</p><div class=x><summary>One</summary>Two<center>Three</center><menu>Four</menu></div>"
    assert set(left_out(body_of(html, {"decompose": [".x"]})).values()) == {"One Two Three Four"}


# --- pictures ---


@pytest.mark.parametrize(
    "picture",
    [
        "<img class='site-logo' src=/k.png>",
        "<img class=avatar src=/anna.jpg>",
        "<img src=/img/spinner.gif>",
        "<img src=/icons/icon-mail.png width=32>",
        "<img src=/blank.gif>",
    ],
)
def test_icons_and_the_like_are_no_pictures_of_the_text(picture: str) -> None:
    assert sketch(f"<p>a</p>{picture}<p>b</p>") == "paragraph(a) paragraph(b)"


@pytest.mark.parametrize(
    "picture",
    [
        "<img src=/logo-history.png width=640>",
        "<img src=/the-dark-gray-sofa.jpg>",
        "<img src=/header-icon-review.jpg>",
        "<figure><img src=/logo.png></figure>",
    ],
)
def test_a_large_picture_and_one_in_a_figure_stay_whatever_their_names(picture: str) -> None:
    assert "figure@/" in sketch(f"<p>a</p>{picture}<p>b</p>")


def test_a_heading_with_nothing_below_it_is_no_section() -> None:
    document = document_of(body_of("<h2>A</h2><h3>B</h3><p>c</p><h3>D</h3><h2>E</h2>"), portal_by()).decode()
    assert [line for line in document.split("\n") if line.startswith("<head>")] == ["<head>A</head>", "<head>B</head>"]
    assert [line.partition(">")[2] for line in document.split("\n") if 'type="heading"' in line] == ["D</label>", "E</label>"]
