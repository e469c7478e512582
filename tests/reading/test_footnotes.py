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
WORD_IN_BOXES = f"""
    <p>Egy állítás.<a href="#_edn1" name="_ednref1"><span class=MsoEndnoteReference>[i]</span></a></p>
    <div style="mso-element:endnote-list"><br><hr><div style="mso-element:endnote" id=edn1>
    <p><a href="#_ednref1" name="_edn1"><span class=MsoEndnoteReference>[i]</span></a> {TEXT}</p></div></div>"""
ORG = f"""
    <p>Egy állítás.<sup><a id="fnr.1" class="footref" href="#fn.1">1</a></sup></p>
    <div id="footnotes"><h2>Jegyzetek</h2><div class="footdef"><sup><a id="fn.1" class="footnum" href="#fnr.1">1</a></sup>
    <div class="footpara"><p>{TEXT}</p></div></div></div>"""
DOKUWIKI = f"""
    <p>Egy állítás.<sup><a href="#fn__1" id="fnt__1" class="fn_top">1)</a></sup></p>
    <div class="footnotes"><div class="fn"><sup><a href="#fnt__1" id="fn__1">1)</a></sup>
    <div class="content">{TEXT}</div></div></div>"""
IN_A_GROUP = f"""
    <p>Egy állítás.<sup id="cite_ref-3"><a href="#cite_note-3">[megj. 1]</a></sup></p><ol class="references"><li id="cite_note-3">
    <span>↑ <sup><a href="#cite_ref-3">a</a></sup> <sup><a href="#cite_ref-9">b</a></sup></span> <span>{TEXT}</span></li></ol>"""
WITH_ITS_NUMBER = f'<p>Egy állítás [<span><a href="#n1">1</a></span>].</p><p>Egy másik.</p><div id=n1><p><sup>1</sup>&nbsp;{TEXT}</p></div>'
OPENED = f"<p>Egy állítás.<button aria-controls=n1>1</button></p><p>Egy másik.</p><aside id=n1 hidden><p>{TEXT}</p></aside>"
HIDDEN = f'<p>Egy állítás.<sup><a href="#n1">1</a></sup></p><p>Egy másik.</p><aside id=n1 hidden><p>{TEXT}</p></aside>'
WITHOUT_LINKS = f"<p>Egy állítás.<sup>1</sup></p><hr><p><sup>1</sup> {TEXT}</p>"
WITH_A_SIGN = f"<p>Egy állítás.<sup>*</sup></p><p>Egy másik.</p><p><sup>*</sup><i>{TEXT}</i></p>"
WITHOUT_WAY_BACK = f'<p>Egy állítás.<sup><a href="#footnote-1">*</a></sup></p><p id="footnote-1">{TEXT}</p>'

LATEXML = """<span class=ltx_note><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer><span class=ltx_note_content>
    <sup class=ltx_note_mark>1</sup><span class=ltx_tag>1</span>{}</span></span></span>"""
TOOLTIP = '<sup><a href="javascript:void(0)" aria-describedby=n1>1</a></sup><span id=n1 role=tooltip>{}</span>'
TUFTE = "<label for=sn1 class=margin-toggle></label><input type=checkbox id=sn1 class=margin-toggle><span class=sidenote>{}</span>"
MARGIN = TUFTE.replace("></label>", ">&#8853;</label>")


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


EVERYWHERE = [MARKDOWN, WORD, WORD_IN_BOXES, MEDIAWIKI, IN_A_GROUP, WHOLE_ADDRESS, ORG, DOKUWIKI, WITHOUT_WAY_BACK]


@pytest.mark.parametrize("html", [*EVERYWHERE, WITH_ITS_NUMBER, OPENED, HIDDEN, WITHOUT_LINKS, WITH_A_SIGN])
def test_a_note_is_a_note_and_the_text_refers_to_it(html: str) -> None:
    blocks = body_of(html).blocks
    (note,) = (block for block in blocks if block.type == "note")
    (reference,) = (node for node in nodes(blocks) if node.type == "link")
    assert text_of(note) == TEXT
    assert reference.note == note.attributes["id"]
    assert note.attributes["label"] == text_of(reference).strip("[])")


@pytest.mark.parametrize("html", [MARKDOWN, WORD, MEDIAWIKI, DOKUWIKI, WITHOUT_WAY_BACK, WITHOUT_LINKS])
def test_a_note_may_be_short_and_a_label_is_none(html: str) -> None:
    assert notes_in(html.replace(TEXT, "Uo. 12.")) == ["Uo. 12."]
    assert notes_in(html.replace(TEXT, "").replace("vissza", "")) == []


@pytest.mark.parametrize(
    ("html", "back"),
    [
        (MARKDOWN, "↩︎"),
        (IN_A_GROUP, "↑ a b"),
        (DOKUWIKI.replace("1)</a></sup>\n", '1)</a></sup>, <sup><a href="#fnt__1">2)</a></sup>\n'), "1) , 2)"),
        (WITH_ITS_NUMBER, "1"),
        (MARGIN.format(TEXT).join(("<p>Egy", "állítás.</p>")), "⊕"),
    ],
)
def test_the_way_back_is_left_out_and_accounted_for(html: str, back: str) -> None:
    assert left_out(body_of(html)) == {"footnotes: the way back to the text": back}
    assert notes_in(html) == [TEXT]


@pytest.mark.parametrize(
    ("in_line", "label"), [(LATEXML, "1"), (TOOLTIP, "1"), ("<sup>*</sup><small>* {}</small>", "*"), (TUFTE, None), (MARGIN, None)]
)
def test_a_note_in_a_line_stands_behind_the_sentence_that_it_would_cut(in_line: str, label: str | None) -> None:
    article = body_of(f"<p>A híd {in_line.format('Egy <i>jegyzet</i>.')} elkészült.</p><p>Az út is.</p>")
    text, note, _ = article.blocks
    assert text_of(text).replace(" ", "") == f"Ahíd{label or ''}elkészült."
    assert (note.type, text_of(note).removeprefix("* "), note.attributes.get("label")) == ("note", "Egy jegyzet.", label)
    references = [node.note for node in nodes([text]) if not is_block(node) and node.note]
    assert references == ([note.attributes["id"]] if label else [])
    kept = "".join(piece.text for piece in article.pieces if piece.fate == "kept")
    shown = "".join(map(text_of, article.blocks))
    assert sorted("".join(kept.split())) == sorted("".join(shown.split())), "all of it is accounted for"


def test_notes_without_links_in_two_posts_of_a_page_are_two() -> None:
    posts = "".join(f"<li>Egy állítás, a {name}.<sup>1</sup><hr><p><sup>1</sup> {TEXT}</p></li>" for name in ("b", "c"))
    article = read(f"<div><p>{TEXT}</p><ul>{posts}</ul></div>", body={"root": "div"}, posts={"comments": {"item": "li"}})
    notes = [node for post in article.posts for node in nodes(post.blocks) if node.type == "note"]
    assert len({note.attributes["id"] for note in notes}) == 2


def test_further_paragraphs_of_a_note_belong_to_it() -> None:
    article = body_of(WORD_IN_BOXES.replace("</p></div></div>", "</p><p>Egy második bekezdés.</p></div></div>"))
    assert text_of(article.blocks[-1]) == f"{TEXT}Egy második bekezdés."


@pytest.mark.parametrize("end", ["<div>{}</div></article>", "</article><p>Kövess minket!</p><div class=jegyzetek>{}</div>"])
def test_notes_are_no_furniture_though_they_stand_outside(end: str) -> None:
    notes = "".join(f"<p id=fn{n}><i>[<a href=#h{n}>{n}</a>]</i> <a href=/f{n}>Egy forrás címe, a {n}.</a></p>" for n in (1, 2, 3))
    text = "".join(f"<p>{'Egy állítás, amelyet forrás is alátámaszt. ' * 4}<a href=#fn{n} id=h{n}>{n}</a></p>" for n in (1, 2, 3))
    blocks = read(f"<article>{text}{end.format(notes)}").blocks[3:]
    assert [(block.type, text_of(block)) for block in blocks] == [("note", f"Egy forrás címe, a {n}.") for n in (1, 2, 3)]
    behind = f"<div><div class=texte>{text}</div><div class=ps><p>Köszönet a könyvtárnak.</p></div><div class=notes>{notes}</div></div>"
    assert [block.type for block in read(behind).blocks[3:]] == ["paragraph", "note", "note", "note"], "a postscript between"


BACK = '<a href="#_ftnref1" name="_ftn1">[1]</a>'
LISTED = "<li>Az első lépés.<li>A második."
CHOICES = "<label for=a{0}>{0}</label> <span>A {0} híd kőből épült.</span> <input type={1} id=b{0}>"
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
        f"<p>Egy {'szó ' * 9}12 m<sup>2</sup> és 3 m<sup>3</sup>.</p><h3>Ki jött el</h3><p>2 ember jött el.</p><p>3 ember nem.</p>",
        f"<p>A <sup>14</sup>C régi.</p><p>Egy 10<sup>14</sup> nagyságú szám.</p><p><sup>14</sup>C {TEXT}</p>",
        f'<p>{TEXT} <a href="#abra1">[Ábra 1]</a></p><figure id=abra1><img src=/a.jpg><figcaption>Ábra 1. A híd.</figcaption></figure>',
        f"<p><input type=checkbox id=q1><label for=q1></label><span>{TEXT}</span></p>",
        f"<p>{TEXT}</p><button aria-controls=kep1>1</button><div id=kep1><p>{TEXT}</p></div>",
        f"<p>A H<sup>1</sup> és az L<sup>2</sup> nem ugyanaz.</p><ol>{LISTED}</ol>",
        f"<h3>Lépések</h3><ol>{LISTED}<li>A harmadik.</ol><p>Itt 10<sup>1</sup>, 10<sup>2</sup> és 10<sup>3</sup> áll.</p>",
        f"<p>Itt 10<sup>1</sup> áll.</p><p><sup>1</sup>H {TEXT}</p>",
        f"<p>Egy x<sup>*</sup> jelű elem.</p><p><sup>*</sup> {TEXT}</p>",
        *(
            f"<p>Miből van? {''.join(f'<input type={kind} id=a{name}>' + CHOICES.format(name, kind) for name in 'AB')}</p>"
            for kind in ("radio", "checkbox")
        ),
        f"<p>A válasz: <label>a)</label> <span>{TEXT}</span> <label for=b>b)</label> <span>{TEXT}</span></p>",
        f"<p>Lásd a második <label for=b>2</label> pontot.</p><div><input type=checkbox id=b> {TEXT}</div>",
        f'<p>Lásd a második részt: <a href="#s2">2</a>.</p><p>Egy.</p><p id=s2>2. {TEXT}</p>',
        f'<p>Lásd a részt: <a href="#s1">[1]</a>.</p><p>Egy.</p><div id=s1><p>{TEXT}</p><p>{TEXT}</p></div>',
        "<p>Egy.<sup>1</sup> Két.<sup>2</sup></p><hr><p><sup>1</sup> Az első.<br><sup>2</sup> A második.</p>",
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
