from __future__ import annotations

from lxml import etree, html

from webarticlecurator.document.marked_texts import TextMark, mark_texts


def test_texts_are_marked_in_elements_of_their_own() -> None:
    tree = html.fromstring("<div><p>One <b>two</b> three</p></div>")
    paragraph, bold = tree[0], tree[0][0]
    mark_texts(tree, [TextMark(paragraph, False, "kept", "a"), TextMark(bold, False, "kept", "a"), TextMark(bold, True, "dropped", "b")])
    assert etree.tostring(tree, encoding="unicode") == (
        '<div><p><span class="curator-mark curator-kept curator-first" title="a">One </span>'
        '<b><span class="curator-mark curator-kept" title="a">two</span></b>'
        '<span class="curator-mark curator-dropped curator-first" title="b"> three</span></p></div>'
    )
    assert tree.text_content() == "One two three"


def test_classes_of_the_page_cannot_pass_for_marks() -> None:
    tree = html.fromstring('<p class="curator-mark curator-kept own">x</p>')
    mark_texts(tree, [])
    assert tree.get("class") == "own"
