"""BoilerNet's features: the most frequent tags around blocks, and words in them, counted."""

from __future__ import annotations

from webarticlecurator.document.page import parse_html
from webarticlecurator.labelling.text_blocks import TextBlock, text_blocks
from webarticlecurator.labelling.words_and_tags import Vocabulary, vocabulary_of


def blocks(body: str) -> list[TextBlock]:
    tree = parse_html(body)
    assert tree is not None
    return text_blocks(tree)


def test_tags_around_and_words_within_are_counted() -> None:
    rows = Vocabulary(tags=("div", "p"), words=("bridge", "the")).counts(
        blocks("<div><div><p>The bridge, the Bridge</p></div></div><p>Other</p>")
    )
    assert rows.tolist() == [[2, 1, 2, 2], [0, 1, 0, 0]]


def test_the_vocabulary_is_of_the_most_frequent_the_first_in_the_alphabet_first() -> None:
    vocabulary = vocabulary_of([blocks("<p>b a</p><p>b c</p>")])
    assert vocabulary.words == ("b", "a", "c")
    assert vocabulary.tags == ("body", "html", "p")
