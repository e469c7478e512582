"""Text blocks are what a person sees as one piece of text."""

from __future__ import annotations

import pytest

from webarticlecurator.document.page import parse_html
from webarticlecurator.labelling.text_blocks import TextBlock, text_blocks


def blocks_of(body: str) -> list[TextBlock]:
    tree = parse_html(f"<html><head><title>Not this</title></head><body>{body}</body></html>")
    assert tree is not None
    return text_blocks(tree)


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("<p>One <b>bold</b> <a href=x>link</a>.</p><p>Two</p>", ["One bold link.", "Two"]),
        ("<div>Before<p>Inside</p>behind</div>", ["Before", "Inside", "behind"]),
        ("<td>One line<br>and its second<br> <br>Another<br><br>A third", ["One line and its second", "Another", "A third"]),
        ("<script>var a</script><p>Seen<style>p{}</style>, too</p><noscript>Not</noscript>", ["Seen, too"]),
        ("<p> </p><div><br></div>", []),
    ],
)
def test_a_run_of_text_and_inline_elements_is_one_block(body: str, texts: list[str]) -> None:
    assert [block.text for block in blocks_of(body)] == texts


def test_a_block_knows_the_element_that_it_stands_in() -> None:
    assert [block.element.tag for block in blocks_of("<div>Before<p>Inside <i>it</i></p>behind</div>")] == ["div", "p", "div"]


def test_links_and_bold_text_are_counted() -> None:
    plain, card, behind = blocks_of("<p>1234 <a href=x>678</a> <b>12345</b></p><a href=y><h3>1234567</h3></a><p>no link</p>")
    assert (plain.linked, plain.links, plain.strong) == (3, 1, 5)
    assert (card.linked, card.links) == (7, 1)
    assert (behind.linked, behind.links) == (0, 0)


def test_links_without_text_are_of_no_other_block() -> None:
    assert [block.links for block in blocks_of("<div><a href=x><img src=y></a></div><p>text</p>")] == [0]


def test_deep_nesting_is_no_trouble() -> None:
    assert [block.text for block in blocks_of("<div>" * 1_500 + "down here")] == ["down here"]
