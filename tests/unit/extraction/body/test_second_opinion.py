"""With `body.labeller` the general labeller has a say in what the general finder takes for the body, and never decides alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.article import extract
from webarticlecurator.extraction.body.locate import Hints, Located, locate
from webarticlecurator.labelling import general
from webarticlecurator.labelling.text_blocks import TextBlock

SENTENCE = "The ferry to the island was late again this morning, and nobody at the pier could say when the next one would leave."
PLAIN = "Our readers know this paper as one that is written here, printed here and sold here, by people who live nowhere else."
PAGE = f"<div><article><p>{SENTENCE}</p><p>{SENTENCE[::-1]}</p><p>{SENTENCE}</p><div class=x><p>{PLAIN}</p></div></article></div>"


Says = Callable[[Callable[[TextBlock], float] | None], None]


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Says:
    """What the labeller says of each block."""

    def say(share_of: Callable[[TextBlock], float] | None) -> None:
        def shares(blocks: Sequence[TextBlock]) -> list[float] | None:
            return None if share_of is None else [share_of(block) for block in blocks]

        monkeypatch.setattr(general, "content_shares", shares)

    return say


def located(html: str = PAGE, *, labeller: bool = True, hints: Hints | None = None) -> Located:
    tree = parse_html(html)
    assert tree is not None
    found = locate(tree, hints=hints or Hints(), labeller=labeller)
    assert found is not None
    return found


def furniture(found: Located) -> list[tuple[str, str]]:
    return [(element.get("class", ""), why) for element, why in found.furniture.items()]


def test_what_the_labeller_is_sure_of_being_no_main_text_is_furniture(says: Says) -> None:
    says(lambda block: 0.02 if block.text == PLAIN else 0.99)
    assert furniture(located()) == [("x", "no main text, says the labeller")]


def test_what_it_is_not_sure_of_stays(says: Says) -> None:
    says(lambda block: 0.2 if block.text == PLAIN else 0.99)
    assert furniture(located()) == []


def test_without_the_key_it_is_not_asked(says: Says) -> None:
    says(lambda block: 0.02 if block.text == PLAIN else 0.99)
    assert furniture(located(labeller=False)) == []


def test_where_it_takes_most_of_the_body_for_something_else_it_is_not_believed(says: Says) -> None:
    says(lambda _: 0.02)
    assert furniture(located()) == []


def test_what_json_ld_has_of_the_article_stays_whatever_it_says(says: Says) -> None:
    says(lambda block: 0.02 if block.text == PLAIN else 0.99)
    assert furniture(located(hints=Hints(article_body=f"{SENTENCE} {SENTENCE[::-1]} {SENTENCE} {PLAIN}"))) == []


def test_of_two_bodies_of_about_the_same_size_it_chooses(says: Says) -> None:
    def box(name: str, text: str) -> str:
        return f"<div id={name}><p>{text}</p><p>{text} Again.</p></div>"

    html = f"<body>{box('one', SENTENCE)}{box('two', SENTENCE.replace('ferry', 'old ferry'))}</body>"
    says(lambda block: 0.99 if "old ferry" not in block.text else 0.01)
    assert [element.get("id") for element in located(html).elements] == ["one"]
    says(lambda block: 0.99 if "old ferry" in block.text else 0.01)
    assert [element.get("id") for element in located(html).elements] == ["two"]


def test_a_page_of_too_many_blocks_is_read_without_it(says: Says) -> None:
    says(None)
    assert located().elements[0].tag == "article"


def test_the_portal_file_says_whether_it_is_asked(says: Says, tmp_path: Path) -> None:
    says(lambda block: 0.02 if block.text == PLAIN else 0.99)
    file = tmp_path / "portal.yaml"
    for key, kept in (("", True), ("body: {labeller: true}\n", False)):
        file.write_text(f"portal: pelda\nhome: https://pelda.example/\n{key}", encoding="utf-8")
        article = extract(f"<h1>The ferry</h1>{PAGE}", "https://pelda.example/1", load_portal(file))
        assert SENTENCE in article.text
        assert (PLAIN in article.text) is kept
