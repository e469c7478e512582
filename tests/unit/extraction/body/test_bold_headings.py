"""Bold lines: headings where they stand as such, paragraphs where they are something else."""

from __future__ import annotations

import pytest
from rewriting import blocks_of, written

from webarticlecurator.extraction.body.bold_headings import with_bold_headings

FIRST = "<p>A város tegnap átadta az új hidat a folyó fölött.</p>"
NEXT = "<p>A munka három évig tartott, és sokba került a városnak.</p>"


def kinds(html: str) -> list[str]:
    return [block.type for block in with_bold_headings(blocks_of(html))]


@pytest.mark.parametrize(
    "line",
    [
        "<p><strong>Három év munka</strong></p>",
        "<p><b><em>Three years of work</em></b></p>",
        "<p><strong>Was geschah danach?</strong></p>",
        "<p><b>橋の完成</b></p>",
        "<div><b>1. Az első szakasz</b></div>",
    ],
)
def test_a_bold_line_before_text_is_a_heading(line: str) -> None:
    assert kinds(FIRST + line + NEXT) == ["paragraph", "heading", "paragraph"]


def test_a_heading_is_not_bold_as_well() -> None:
    blocks = with_bold_headings(blocks_of(FIRST + "<p><strong>Három év</strong></p>" + NEXT))
    assert written(blocks[1:2]) == "heading(Három év)"


def test_below_the_headings_of_a_text_it_is_a_subheading() -> None:
    assert kinds(f"<h2>Az átadás</h2>{FIRST}<p><b>A munka</b></p>{NEXT}") == ["heading", "paragraph", "subheading", "paragraph"]


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<p><b>Kovács Anna</b></p>" + FIRST, "nothing stands before it: a byline or a lead"),
        ("<p>Egy alcím</p><p><b>Kovács Anna</b></p>" + NEXT, "no sentence stands before it"),
        (FIRST + "<p><b>Ez egy kiemelt mondat a szövegben.</b></p>" + NEXT, "a sentence"),
        (FIRST + "<p><b>A polgármester ezt mondta:</b></p>" + NEXT, "what follows is announced"),
        (FIRST + "<p><b><a href=/x>Az új híd képekben</a></b></p>" + NEXT, "a link to another article"),
        (FIRST + "<p><b>Fontos</b> adat</p>" + NEXT, "not all of it is bold"),
        (FIRST + "<p><b>Egy</b></p><p><b>Kettő</b></p>" + NEXT, "one after the other"),
        (FIRST + "<p><b>A végén</b></p>", "nothing follows"),
        (FIRST + "<p><b>Felirat</b></p><img src=/k.jpg>", "a picture follows"),
        (FIRST + "<img src=/k.jpg><p><b>Felirat</b></p>" + NEXT, "under a picture"),
        (FIRST + "<p><b>Cím: Fő utca 1.<br>Nyitva: hétfőn</b></p>" + NEXT, "two lines"),
        (FIRST + "<p><b>www.pelda.example</b></p>" + NEXT, "an address"),
        (FIRST + "<p><b>ANNA</b></p>" + NEXT + "<p><b>ANNA</b></p>" + FIRST, "the name of who speaks comes again"),
        (FIRST + "<p><b>Mi ez?</b></p>" + NEXT + "<p><b>És ez?</b></p>" + FIRST, "questions of an interview"),
    ],
)
def test_other_bold_lines_are_paragraphs(html: str, why: str) -> None:
    assert not {"heading", "subheading"} & set(kinds(html)), why


def test_what_is_bold_in_an_interview_is_said_by_who_asks() -> None:
    long_question = f"<p><b>Mit gondol arról, hogy {'a híd és az út, ' * 8}mind elkészült?</b></p>"
    asked = "<p><b>Miért épült?</b></p>" + NEXT + long_question + NEXT + "<p><b>Beszéljünk a jövőről</b></p>" + NEXT
    assert "heading" not in kinds(FIRST + asked)
    assert "heading" not in kinds(FIRST + asked.replace("<b>Miért épült?", "<b>»Miért épült?«"))


def test_headings_that_do_not_ask_stay_headings_beside_questions() -> None:
    lines = ("A terv", "Miért épült?", "A munka", "Mi lesz ezután?", "Az átadás")
    found = kinds(FIRST + "".join(f"<p><b>{line}</b></p>{NEXT}" for line in lines))
    assert found.count("heading") == 3
