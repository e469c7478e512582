"""A labeller is kept in one file of numbers, and what ships says what is known of an invented page."""

from __future__ import annotations

import pickle
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from webarticlecurator.document.page import parse_html
from webarticlecurator.errors import UsageError
from webarticlecurator.labelling.general import FILE, content_shares, general_labeller
from webarticlecurator.labelling.labeller import MOST_BLOCKS, chosen, read, written
from webarticlecurator.labelling.text_blocks import TextBlock, text_blocks

SENTENCE = "The ferry to the island was late again this morning, and nobody at the pier could say when the next one would leave."
MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("News", "Sports", "Culture", "Weather"))
PAGE = f"""
<html><body><header><nav><ul>{MENU}</ul></nav>
</header><main><article><h1>The ferry is late again</h1><div class=share><a href=/f>Share</a></div>
<p>{SENTENCE}</p><p>{SENTENCE[::-1].capitalize()}.</p><p>It was, {SENTENCE.lower()}</p><p>Later, {SENTENCE.lower()}</p>
<div class=related><h3>Related</h3><ul><li><a href=/1>The bridge is closed</a></li><li><a href=/2>A new pier is built</a></li></ul></div>
</article></main><footer><p>All rights reserved.</p><a href=/imprint>Imprint</a></footer></body></html>"""


def page_blocks(html: str = PAGE) -> list[TextBlock]:
    tree = parse_html(html)
    assert tree is not None
    return text_blocks(tree)


def test_what_ships_finds_the_article_of_an_invented_page() -> None:
    blocks = page_blocks()
    shares = content_shares(blocks)
    assert shares is not None
    kept = [block.element.tag for block, keep in zip(blocks, chosen(shares), strict=True) if keep]
    assert [tag for tag in kept if tag != "h1"] == ["p"] * 4


def test_what_ships_is_small_and_says_what_it_is_made_of() -> None:
    assert FILE.stat().st_size < 200_000
    about = general_labeller().about
    assert "WCXB" in about["trained on"]
    assert "CC BY 4.0" in about["trained on"]


def test_what_ships_holds_no_words() -> None:
    assert general_labeller().vocabulary is None


def test_a_page_of_too_many_blocks_is_left_to_others() -> None:
    block = page_blocks()[0]
    assert content_shares([block] * (MOST_BLOCKS + 1)) is None
    assert content_shares([]) == []


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "labeller.npz"
    path.write_bytes(written(general_labeller()))
    assert path.read_bytes() == FILE.read_bytes()
    assert read(path).shares(page_blocks()) == content_shares(page_blocks())


def test_where_nothing_is_sure_the_surest_are_chosen() -> None:
    assert chosen([0.9, 0.5, 0.4]) == [True, True, False]
    assert chosen([0.3, 0.16, 0.1]) == [True, True, False]
    assert chosen([0.0, 0.0]) == [False, False]


def changed(**arrays: object) -> bytes:
    with np.load(FILE) as known:
        kept = {name: known[name] for name in known.files}
    file = BytesIO()
    np.savez(file, **{**kept, **arrays})
    return bytes(file.getvalue())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no zip at all",
        pickle.dumps({"weights": 1}),
        changed(weights0=np.array([{"a": 1}], dtype=object)),
        changed(weights0=np.zeros((3, 3), np.int8)),
        changed(bias1=np.full(48, 2**24, np.int32)),
        changed(factors=np.full(96, np.nan, np.float32)),
        changed(told=np.frombuffer(b'{"form": 99}', np.uint8)),
        changed(told=np.frombuffer(b"[]", np.uint8)),
        changed(more=np.zeros(30_000_000, np.int8)),
    ],
    ids=["empty", "text", "pickle", "objects", "other shape", "too large", "no numbers", "other version", "no mapping", "much"],
)
def test_what_is_no_labeller_is_refused_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "labeller.npz"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="is no labeller that this version of curator can read"):
        read(path)


def test_a_file_that_is_not_there_says_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="curator label train"):
        read(tmp_path / "none.npz")
