"""A picture with its line is a figure, though it is called a comment; what readers wrote with their pictures is none."""

from __future__ import annotations

import pytest

from webarticlecurator import Article, extract

PARAGRAPH = "<p>The council met on Tuesday and talked for hours about the bridge, the school and the money that both need, point {}.</p>"
LINE = "The harbour at dawn, as Ada saw it."
NAMES = ("imageComment", "photo-comment", "comment-image", "comment_photo", "fotoKommentar", "article__img-comment")
FORMS = {
    "a class": '<div class="{name}"><img src="/h.jpg"><p>{line}</p></div>',
    "an id": '<div id="{name}"><picture><img src="/h.jpg"></picture><span>{line}</span></div>',
    "a figure": '<figure class="{name}"><img src="/h.jpg"><figcaption>{line}</figcaption></figure>',
    "the line alone": '<div class="box"><img src="/h.jpg"><div class="{name}">{line}</div></div>',
}
READER = '<div class="{name}"><img src="/face-{n}.jpg"><b>Ada {n}</b><p>I saw the harbour at dawn, too, on day {n}.</p></div>'


def read(inside: str, below: str = "") -> Article:
    text = PARAGRAPH.format(1) + PARAGRAPH.format(2) + inside + PARAGRAPH.format(3) + PARAGRAPH.format(4)
    return extract(
        f"<html lang=en><body><article><h1>Bridge</h1><div>{text}</div></article>{below}</body></html>", "https://pelda.example/a"
    )


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_picture_and_a_line_called_the_comment_on_a_picture_are_a_figure_with_its_caption(name: str, form: str) -> None:
    article = read(form.format(name=name, line=LINE))
    (figure,) = (block for block in article.blocks if block.type == "figure")
    assert [child.type for child in figure.children] == ["caption"]  # type: ignore[union-attr]
    assert LINE in article.text
    assert article.unread_comments == ()


def test_what_readers_wrote_beside_their_pictures_is_no_figure() -> None:
    written = "".join(READER.format(name="comment", n=n) for n in range(4))
    article = read(written)
    assert not any(block.type == "figure" for block in article.blocks)
    assert "I saw the harbour" not in article.text
    assert "I saw the harbour" in " ".join(piece.text for piece in article.unread_comments)
