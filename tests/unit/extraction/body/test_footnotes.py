"""Footnotes: links that lead to notes of the same text, whatever software wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from rewriting import BASE, blocks_of, body_of, rewritten, sketch

from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.model.article import Block, ContentNode, Inline, plain_text

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
DOCUTILS = f"""
    <p>Egy állítás. <a class="citation-reference" href="#szabo" id="r1" role="doc-biblioref">[Szabo2019a]</a></p>
    <div role="list"><div class="citation" id="szabo" role="doc-biblioentry"><span class="label">[<a role="doc-backlink" href="#r1"
    >Szabo2019a</a>]</span> <p>{TEXT}</p></div></div>"""
DOCUTILS_TABLE = f"""
    <p>Egy állítás. <a class="citation-reference" href="#szabo" id="r1">[Szabo2019a]</a></p>
    <table class="docutils citation" id="szabo"><colgroup><col class="label"><col></colgroup>
    <tbody><tr><td class="label"><a class="fn-backref" href="#r1">[Szabo2019a]</a></td><td>{TEXT}</td></tr></tbody></table>"""
WITHOUT_WAY_BACK = f'<p>Egy állítás.<sup><a href="#footnote-1">*</a></sup></p><p id="footnote-1">{TEXT}</p>'


def inlines(nodes: Iterable[ContentNode]) -> Iterator[Inline]:
    for node in nodes:
        if isinstance(node, Inline):
            yield node
        if not isinstance(node, str):
            yield from inlines(node.children)


@pytest.mark.parametrize("html", [MARKDOWN, WORD, MEDIAWIKI, WHOLE_ADDRESS, DOCUTILS, DOCUTILS_TABLE, WITHOUT_WAY_BACK])
def test_a_note_is_a_note_and_the_text_refers_to_it(html: str) -> None:
    blocks = blocks_of(html)
    (note,) = (block for block in blocks if block.type == "note")
    (reference,) = (inline for inline in inlines(blocks) if inline.type == "link")
    assert plain_text(note) == TEXT
    assert reference.note == note.attributes["id"]
    assert note.attributes["label"] == plain_text(reference).strip("[]")


@pytest.mark.parametrize("html", [MARKDOWN, WORD, MEDIAWIKI, WITHOUT_WAY_BACK])
def test_a_note_may_be_short_and_a_label_is_none(html: str) -> None:
    blocks = blocks_of(html.replace(TEXT, "Uo. 12."))
    assert [plain_text(block) for block in blocks if block.type == "note"] == ["Uo. 12."]
    assert "note" not in {block.type for block in blocks_of(html.replace(TEXT, "").replace("vissza", ""))}


@pytest.mark.parametrize("note", ["<table><tr><td>{}</td><td>{}</td></tr></table>", "<p>{}</p><p>{}</p>", "<div><p>{}</p></div>"])
def test_the_text_is_no_note_of_a_label_that_leads_back_to_it(note: str) -> None:
    html = f'<p>{TEXT}<a href="#_ftn1" name="_ftnref1">[1]</a></p>' + note.format('<a href="#_ftnref1" name="_ftn1">[1]</a>', TEXT)
    assert "note" not in {block.type for block in blocks_of(html)}


def test_the_way_back_is_left_out_and_accounted_for() -> None:
    dropped = [(piece.text, piece.rule) for piece in rewritten(MARKDOWN).pieces if piece.rule]
    assert dropped == [("↩︎", "footnotes: the way back to the text")]


def test_numbers_that_lead_to_places_of_the_same_numbers_are_notes() -> None:
    text = "Egy hosszabb állítás, amelyet több forrás is alátámaszt"
    html = "".join(f'<p>{text}.<a href="#b{n}-lap">{n}</a></p>' for n in (1, 2, 3))
    notes = "".join(f'<li id="b{n}-lap">{TEXT}</li>' for n in (1, 2, 3))
    assert [block.type for block in blocks_of(f"{html}<ol>{notes}</ol>")] == ["paragraph"] * 3 + ["note"] * 3
    pager = "".join(f'<li><a href="#kep{n}">{n}</a></li>' for n in (1, 2, 3))
    slides = "".join(f"<div id=kep{n}>{TEXT}</div>" for n in (1, 2, 3))
    assert "note" not in {block.type for block in blocks_of(f"<ul>{pager}</ul>{slides}")}


def test_notes_are_no_furniture() -> None:
    html = '<p>Egy állítás.<a href="#fn1">1</a></p><div><ol><li id=fn1><a href=/forras>Egy forrás címe</a></li></ol></div>'
    body = body_of(html)
    context = RewriteContext(base=BASE, furniture={body[1]: "nothing but links", body[1][0]: "nothing but links"})
    assert [block.type for block in rewrite([body], Lookup(()), context).blocks] == ["paragraph", "note"]


@pytest.mark.parametrize(
    "html",
    [
        '<p><a href="#resz1">1</a></p><h2 id=resz1>Az első rész címe</h2>',
        '<ul><li id=toc1><a href="#resz1">Az első rész</a></li></ul><h2 id=resz1><a href="#toc1">Az első rész</a></h2>',
        f'<p><a href="#resz1">1</a> <a href="#resz2">2</a></p><div id=resz1><p>{TEXT}</p></div><div id=resz2><p>{TEXT}</p></div>',
        f'<p id=note1>{TEXT} <a href="#note2">2</a></p><div id=note2><h3>A második rész</h3><p>{TEXT}</p></div>',
        f'<p id=note>Egy <a href="#note">1</a> {TEXT}</p>',
        '<p><a href="#fn9">9</a></p>',
    ],
)
def test_other_links_in_the_page_are_links(html: str) -> None:
    assert not [block for block in _all(blocks_of(html)) if block.type == "note"]
    assert not [inline for inline in inlines(blocks_of(html)) if inline.note]


def _all(blocks: Iterable[ContentNode]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Block):
            yield block
            yield from _all(block.children)


def test_what_holds_the_notes_is_no_note_itself_and_nobody_has_to_decide_it() -> None:
    html = MARKDOWN.replace('<div class="footnotes">', '<section class="footnotes"><h2>Jegyzetek</h2>').replace("</div>", "</section>")
    assert rewritten(html).unknown_tags == ()
    assert sketch(html, {"note": ["section.footnotes"]}) == sketch(html)
    assert sketch(html, {"decompose": ["section.footnotes"]}) != sketch(html)


def test_styles_beside_notes_are_nothing() -> None:
    styled = MARKDOWN.replace("<hr>", "<style>.a{color:red}</style>" * 4)
    assert rewritten(styled).unknown_tags == ()
    assert sketch(styled, {"note": ["div.footnotes"]}) == sketch(styled)


def test_a_rule_that_says_so_makes_the_same_notes() -> None:
    assert blocks_of(MARKDOWN, {"note": [".footnotes li"]}) == blocks_of(MARKDOWN)


def test_what_a_rule_decides_is_no_note() -> None:
    assert "list(item(" in sketch(MARKDOWN, {"item": [".footnotes li"]})
