"""The features of a block say what it is like and where it stands, and no words."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from webarticlecurator.document.page import parse_html
from webarticlecurator.labelling.features import _LAST_CODE, NAMES, features
from webarticlecurator.labelling.text_blocks import text_blocks

TEXT = "A sentence that is long enough to be taken for running text, with a comma and a full stop at its end."


def columns(body: str) -> dict[str, list[float]]:
    tree = parse_html(body)
    assert tree is not None
    rows = features(text_blocks(tree))
    assert rows.shape[1] == len(NAMES)
    return {name: rows[:, column].tolist() for column, name in enumerate(NAMES)}


def test_a_page_without_text_has_no_rows() -> None:
    assert features([]).shape == (0, len(NAMES))


def test_no_two_columns_have_one_name() -> None:
    assert len(set(NAMES)) == len(NAMES)


def test_size_and_links_are_told() -> None:
    told = columns(f"<p>{TEXT}</p><p>a short line</p><p><a href=x>link</a></p>")
    assert told["characters"][0] > told["characters"][1] > told["characters"][2]
    assert told["share of links"] == [0, 0, 1]
    assert told["ends a sentence"] == [1, 0, 0]


def test_what_is_around_a_block_is_told() -> None:
    told = columns(f"<nav>Home</nav><article><div class=share-buttons>Share</div><p>{TEXT}</p></article><p hidden>{TEXT}</p>")
    assert told["in nav"] == [1, 0, 0, 0]
    assert told["in article"] == [0, 1, 1, 0]
    assert told["named share bar"] == [0, 1, 0, 0]
    assert told["hidden"] == [0, 0, 0, 1]
    assert told["is p"] == [0, 0, 1, 1]


def test_where_the_running_text_stands_is_told() -> None:
    told = columns(f"<div><div><p>{TEXT}</p><p>{TEXT} Again.</p></div><div><p>short</p></div></div>")
    assert [round(share, 2) for share in told["share of running text 1 up"]] == [1, 1, 0]
    assert [round(share, 2) for share in told["share of running text 2 up"]] == [1, 1, 1]


def test_neighbours_are_told() -> None:
    told = columns(f"<p>{TEXT}</p><p>short</p><h2>Heading</h2>")
    assert told["before 1: size"] == [0, told["characters"][0], told["characters"][1]]
    assert told["before 1: same path"] == [0, 1, 0]


def test_words_make_no_difference() -> None:
    body = "<h1>Abcde fghi</h1><p>Abc defgh, ijklm nopq.</p>"
    other = body.replace("bcde", "xyzx").replace("nopq", "wwww")
    assert columns(body) == columns(other)


def test_a_page_of_many_blocks_is_bounded() -> None:
    tree = parse_html("<div><p>x</p></div>" * 20_000)
    assert tree is not None
    rows = features(text_blocks(tree))
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()


def test_characters_of_a_text_are_counted_as_they_are_defined() -> None:
    texts = ["A", "”", "?”", "Said: „No.”", "x" * 63 + "9A", "𝐀bc 𠀀，𐐀!", "Zwei, drei; vier. Fünf…", "ǅ Ⅷ Ⓐ 4५"]
    told = columns("".join(f"<p>{text}</p>" for text in texts))
    words = [text.count(" ") + 1 for text in texts]

    def shares(of: Sequence[int], whole: Sequence[int]) -> list[float]:
        return [float(np.float32(min(some / all_, 1))) for some, all_ in zip(of, whole, strict=True)]

    assert told["stops a word"] == shares([sum(one in ".!?…。！？؟।" for one in text) for text in texts], words)
    assert told["commas a word"] == shares([sum(one in ",;、，،" for one in text) for text in texts], words)
    assert told["ends a sentence"] == [0, 0, 1, 1, 0, 1, 1, 0]
    assert told["begins large"] == [text[0].isupper() for text in texts]
    looked_at = [text[:64] for text in texts]
    assert told["share of digits"] == shares([sum(one in "0123456789" for one in text) for text in looked_at], list(map(len, looked_at)))
    assert told["share of capitals"] == shares([sum(map(str.isupper, text)) for text in looked_at], list(map(len, looked_at)))


def test_no_capitals_stand_behind_the_last_character_that_is_looked_up() -> None:
    assert not any(chr(code).isupper() for code in range(_LAST_CODE, sys.maxunicode + 1))
