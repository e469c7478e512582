"""Footnotes: links that lead to notes of the same text, whatever software wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from read_bodies import body_of, is_block, left_out, read, sketch

TEXT = "A jegyzet szövege egy mondat."
MARKDOWN = f"""
    <p>Egy állítás.<sup id="fnref:1"><a href="#fn:1" role="doc-noteref">1</a></sup></p>
    <div class="footnotes"><hr><ol><li id="fn:1"><p>{TEXT} <a href="#fnref:1" class="footnote-backref">↩︎</a></p></li></ol></div>"""
WORD = f"""
    <p>Egy állítás.<a href="#_ftn1" name="_ftnref1">[1]</a></p>
    <p><a href="#_ftnref1" name="_ftn1">[1]</a> {TEXT}</p>"""
MEDIAWIKI = f"""
    <p>Egy állítás.<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup></p>
    <ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink">↑ <a href="#cite_ref-1">vissza</a></span> {TEXT}</li></ol>"""
WHOLE_ADDRESS = f"""
    <p>Egy állítás.<span><a id="anchor-7" href="https://pelda.example/cikk/1#note-7">7</a></span></p>
    <div><a id="note-7" href="https://pelda.example/cikk/1#anchor-7">7</a><div><p>{TEXT}</p></div></div>"""
WITHOUT_WAY_BACK = f'<p>Egy állítás.<sup><a href="#footnote-1">*</a></sup></p><p id="footnote-1">{TEXT}</p>'


def nodes(parts: Iterable[Any]) -> Iterator[Any]:
    for node in parts:
        if not isinstance(node, str):
            yield node
            yield from nodes(node.children)


def notes_in(html: str) -> list[str]:
    """The text of each note, wherever it stands."""
    return [text_of(node) for node in nodes(body_of(html).blocks) if node.type == "note"]


def text_of(node: Any) -> str:
    return node if isinstance(node, str) else "".join(map(text_of, node.children))


@pytest.mark.parametrize("html", [MARKDOWN, WORD, MEDIAWIKI, WHOLE_ADDRESS, WITHOUT_WAY_BACK])
def test_a_note_is_a_note_and_the_text_refers_to_it(html: str) -> None:
    blocks = body_of(html).blocks
    (note,) = (block for block in blocks if block.type == "note")
    (reference,) = (node for node in nodes(blocks) if node.type == "link")
    assert text_of(note) == TEXT
    assert reference.note == note.attributes["id"]
    assert note.attributes["label"] == text_of(reference).strip("[]")


@pytest.mark.parametrize("html", [MARKDOWN, WORD, MEDIAWIKI, WITHOUT_WAY_BACK])
def test_a_note_may_be_short_and_a_label_is_none(html: str) -> None:
    assert notes_in(html.replace(TEXT, "Uo. 12.")) == ["Uo. 12."]
    assert notes_in(html.replace(TEXT, "").replace("vissza", "")) == []


def test_the_way_back_is_left_out_and_accounted_for() -> None:
    assert left_out(body_of(MARKDOWN)) == {"footnotes: the way back to the text": "↩︎"}


@pytest.mark.parametrize("end", ["<div>{}</div></article>", "</article><p>Kövess minket!</p><div class=jegyzetek>{}</div>"])
def test_notes_are_no_furniture_though_they_stand_outside(end: str) -> None:
    notes = "".join(f"<p id=fn{n}><i>[<a href=#h{n}>{n}</a>]</i> <a href=/f{n}>Egy forrás címe, a {n}.</a></p>" for n in (1, 2, 3))
    text = "".join(f"<p>{'Egy állítás, amelyet forrás is alátámaszt. ' * 4}<a href=#fn{n} id=h{n}>{n}</a></p>" for n in (1, 2, 3))
    blocks = read(f"<article>{text}{end.format(notes)}").blocks[3:]
    assert [(block.type, text_of(block)) for block in blocks] == [("note", f"Egy forrás címe, a {n}.") for n in (1, 2, 3)]
    behind = f"<div><div class=texte>{text}</div><div class=ps><p>Köszönet a könyvtárnak.</p></div><div class=notes>{notes}</div></div>"
    assert [block.type for block in read(behind).blocks[3:]] == ["paragraph", "note", "note", "note"], "a postscript between"


BACK = '<a href="#_ftnref1" name="_ftn1">[1]</a>'
PAGER = "".join(f'<li><a href="#kep{n}">{n}</a></li>' for n in (1, 2, 3))


@pytest.mark.parametrize(
    "html",
    [
        '<p><a href="#resz1">1</a></p><h2 id=resz1>Az első rész címe</h2>',
        '<ul><li id=toc1><a href="#resz1">Az első rész</a></li></ul><h2 id=resz1><a href="#toc1">Az első rész</a></h2>',
        f'<p><a href="#resz1">1</a> <a href="#resz2">2</a></p><div id=resz1><p>{TEXT}</p></div><div id=resz2><p>{TEXT}</p></div>',
        f'<p id=note1>{TEXT} <a href="#note2">2</a></p><div id=note2><h3>A második rész</h3><p>{TEXT}</p></div>',
        f'<p id=note>Egy <a href="#note">1</a> {TEXT}</p>',
        '<p><a href="#fn9">9</a></p>',
        f"<ul>{PAGER}</ul>{''.join(f'<div id=kep{n}>{TEXT}</div>' for n in (1, 2, 3))}",
        *(
            f'<p>{TEXT}<a href="#_ftn1" name="_ftnref1">[1]</a></p>{text}'
            for text in (
                f"<table><tr><td>{BACK}</td><td>{TEXT}</td></tr></table>",
                f"<p>{BACK}</p><p>{TEXT}</p>",
                f"<div><p>{BACK}</p></div>",
            )
        ),
    ],
)
def test_other_links_in_the_page_are_links(html: str) -> None:
    assert notes_in(html) == []
    assert not [node for node in nodes(body_of(html).blocks) if not is_block(node) and node.note]


def test_a_rule_that_says_so_makes_the_same_notes() -> None:
    assert sketch(MARKDOWN, {"note": [".footnotes li"]}) == sketch(MARKDOWN)


def test_what_a_rule_decides_is_no_note() -> None:
    assert "list(item(" in sketch(MARKDOWN, {"item": [".footnotes li"]})
