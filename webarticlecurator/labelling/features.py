"""Features of a text block, in numbers: its size, its links, where it stands, what is around it. No words,
and no language's letters.

All of it is made of whole numbers, comparisons and divisions, so that it is the same on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from lxml.etree import _Element as Element
from numpy.typing import NDArray

from webarticlecurator.labelling.element_names import PagePart, role_of
from webarticlecurator.labelling.text_blocks import TextBlock

Matrix: TypeAlias = NDArray[np.float32]
Counts: TypeAlias = NDArray[Any]

# fmt: off
_OWN_TAGS = (
    ("p",), ("h1",), ("h2", "h3"), ("h4", "h5", "h6"), ("li", "dd", "dt"), ("td", "th"), ("blockquote",), ("pre",),
    ("figcaption", "caption"), ("button", "label", "legend", "option"), ("div", "section", "article"),
)
_TAGS_AROUND = (
    ("article",), ("main",), ("section",), ("header",), ("footer",), ("nav",), ("aside",), ("form", "fieldset"), ("ul", "ol", "dl"),
    ("table",), ("figure",), ("blockquote",), ("details", "dialog"), ("a",),
)
# fmt: on
_PARTS = tuple(PagePart)
_OWN_BIT = {tag: 1 << bit for bit, tags in enumerate(_OWN_TAGS) for tag in tags}
_AROUND_BIT = {tag: 1 << bit for bit, tags in enumerate(_TAGS_AROUND) for tag in tags}
_PART_BIT = {part: 1 << bit for bit, part in enumerate(_PARTS)}
_HIDDEN, _BODY = 1 << len(_TAGS_AROUND), _PART_BIT[PagePart.BODY]
_STOPS = ".!?…。！？؟।"
_COMMAS = ",;、，،"
_QUOTES = "\"'”’»)]"
_HIDING = frozenset(("hidden", "aria-hidden", "style"))
_STOP, _COMMA, _QUOTE, _DIGIT, _CAPITAL, _BLANK = (1 << bit for bit in range(6))
_LAST_CODE = 0x1FFFF
"""The last character that may be a capital: there are none behind it."""
_SIZES = np.array([2**step for step in range(1, 15)] + [3 * 2**step for step in range(1, 14)])
_SIZES.sort()
_LEVELS = 4
"""Elements around a block of which it is known how much running text they hold."""
_NEAR = (1, 2)
"""Number of blocks before and behind one that are told of."""
_OWN = (
    *(
        "characters", "words", "share of links", "links", "share of bold", "letters a word", "stops a word",
        "commas a word",
    ),
    *(
        "ends a sentence",
        "begins large",
        "share of digits",
        "share of capitals",
        "is all link",
        "is there again",
        "first of its element",
    ),
)  # fmt: skip
_PLACE = (
    *(
        "depth",
        "from the beginning",
        "from the end",
        "place",
        "place in the text",
        "behind the h1",
        "blocks since the h1",
    ),
    *("blocks of its path", "share of its path", "size in its path", "links in its path"),
)
_NEIGHBOUR = ("size", "links", "same element around", "same path")
NAMES: tuple[str, ...] = (
    *_OWN,
    *(f"is {tags[0]}" for tags in _OWN_TAGS),
    *_PLACE,
    *("blocks of the page", "running text of the page", "links of the page"),
    *(f"in {tags[0]}" for tags in _TAGS_AROUND),
    "hidden",
    *(f"named {part.value}" for part in _PARTS),
    "named as what is next to it",
    *(
        f"{what} {level} up"
        for level in range(1, _LEVELS + 1)
        for what in ("share of running text", "share of links")
    ),
    *(f"{side} {near}: {what}" for near in _NEAR for side in ("before", "behind") for what in _NEIGHBOUR),
)
"""The names of the columns."""


def features(blocks: Sequence[TextBlock]) -> Matrix:
    """Return one row a block, one column for each of `NAMES`, nearly all between 0 and 1."""
    if not blocks:
        return np.zeros((0, len(NAMES)), np.float32)
    page, count = _Page(blocks), len(blocks)
    running = max(int(page.running.sum()), 1)
    length, words, linked, links, strong, stops, commas, ends, begins, looked_at, digits, capitals, seen = (
        page.texts.T
    )
    own = (
        *(
            _size(length),
            _size(words),
            linked / length,
            _size(links),
            strong / length,
            np.minimum(length / words / 20, 1),
        ),
        *(
            np.minimum(stops / words, 1),
            np.minimum(commas / words, 1),
            ends,
            begins,
            digits / looked_at,
            capitals / looked_at,
        ),
        *(linked == length, seen > 1, page.rows != _shifted(page.rows, 1, -1)),
        *_bits(page.own_tags[page.rows], len(_OWN_TAGS)),
    )
    index = np.arange(count)
    before = np.cumsum(page.running) - page.running
    h1 = np.flatnonzero(page.own_tags[page.rows] & _OWN_BIT["h1"])
    headline = int(h1[np.argmax(length[h1])]) if len(h1) else count
    of_path = [
        np.bincount(page.path, values)[page.path] for values in (np.ones(count), page.running, length, linked)
    ]
    place = (
        *(np.minimum(page.depths[page.rows] / 32, 1), _size(index), _size(count - 1 - index), index / count),
        *(before / running, index > headline, _size(np.maximum(index - headline, 0))),
        *(_size(of_path[0]), of_path[1] / running, _size(of_path[2] // of_path[0]), of_path[3] / of_path[2]),
    )
    whole = (*_size(np.array((count, int(page.running.sum())))), int(linked.sum()) / int(length.sum()))
    columns = (*own, *place, *(np.full(count, value) for value in whole), *_around(page, running))
    return np.stack(columns, axis=1).astype(np.float32)


def _around(page: _Page, running: int) -> Iterator[Counts]:
    """Return what stands around a block: the elements, how much running text they hold, and the blocks before
    and behind it."""
    parts = page.parts[page.rows]
    yield from (
        *_bits(page.tags[page.rows], len(_TAGS_AROUND) + 1),
        *_bits(parts, len(_PARTS)),
        parts != _shifted(parts, 1, 0),
    )
    of_running, of_length, of_linked = (
        page.below(values) for values in (page.running, page.length, page.linked)
    )
    rows = page.rows
    for _ in range(_LEVELS):
        rows = np.maximum(page.parents[rows], 0)
        yield from (of_running[rows] / running, of_linked[rows] / np.maximum(of_length[rows], 1))
    size, links = _size(page.length), page.linked / page.length
    for shift in (shift for near in _NEAR for shift in (near, -near)):
        yield from (_shifted(size, shift, 0), _shifted(links, shift, 0))
        yield from (
            page.parent == _shifted(page.parent, shift, -2),
            page.path == _shifted(page.path, shift, -2),
        )


class _Page:
    """Counts that are made once for all columns: a row a block, and a row an element that has blocks below
    it."""

    def __init__(self, blocks: Sequence[TextBlock]) -> None:
        self._known: dict[Element, int] = {}
        self._paths: dict[tuple[int, str, str | None], int] = {}
        self._elements: list[tuple[int, int, int, int, int, int]] = []
        """The elements, parents first: parent, depth, path, bits of the own tag, bits of the tags around,
        bits of what the names around say."""
        self.rows = np.array([self._row_of(block.element) for block in blocks])
        """The row of each block's element."""
        self.parents, self.depths, self.paths, self.own_tags, self.tags, self.parts = (
            np.array(list(chain.from_iterable(self._elements)), np.int64).reshape(-1, 6).T
        )
        self.texts = _of_texts(blocks)
        self.length, self.linked = self.texts[:, 0], self.texts[:, 2]
        plain = self.length - self.linked
        self.running = np.where(
            (plain >= 80) & (2 * plain >= self.length),
            plain,
            0,
        )  # characters without links
        self.path = self.paths[self.rows]
        self.parent = self.parents[self.rows]

    def below(self, values: Counts) -> Counts:
        """Return for each element the sum over all blocks below it."""
        sums: list[int] = np.bincount(self.rows, values, len(self.parents)).astype(np.int64).tolist()
        parents = self.parents.tolist()
        for row in range(len(sums) - 1, 0, -1):
            if parents[row] >= 0:
                sums[parents[row]] += sums[row]
        return np.array(sums)

    def _row_of(self, element: Element) -> int:
        """Return the row of an element, which is added with all around it."""
        above: list[Element] = []
        inner: Element | None = element
        while inner is not None and inner not in self._known:
            above.append(inner)
            inner = inner.getparent()
        row = -1 if inner is None else self._known[inner]
        _, depth, path, _, tags, parts = self._elements[row] if row >= 0 else (-1, -1, -1, 0, 0, 0)
        for around in reversed(above):
            tag, parent = around.tag, row
            attributes: dict[Any, Any] = dict(around.items())
            depth, row = depth + 1, len(self._elements)
            tags |= _AROUND_BIT.get(tag, 0)
            classes = None
            if attributes:
                classes = attributes.get("class")
                tags |= _HIDDEN if not _HIDING.isdisjoint(attributes) and _is_hidden(attributes) else 0
                parts |= _part_named_by(attributes)
            path = self._paths.setdefault((path, tag, classes), len(self._paths))
            self._elements.append((parent, depth, path, _OWN_BIT.get(tag, 0), tags, parts))
            self._known[around] = row
        return row


def _part_named_by(attributes: Mapping[str, str]) -> int:
    """Return the bit of the part of the page that the names of an element say it is; 0 for none."""
    if "articleBody" in attributes.get("itemprop", ""):
        return _BODY
    role = role_of(attributes.get("class"), attributes.get("id"))
    return _PART_BIT[role.part] if role is not None else 0


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return style is not None and "display:none" in "".join(style.split())


def _of_texts(blocks: Sequence[TextBlock]) -> Counts:
    """Return what is counted in each text: all texts in a row are looked at together."""
    _, texts, linked, links, strong = zip(*blocks, strict=True)
    seen = Counter(texts)
    lengths = np.array(list(map(len, texts)))
    ends = np.cumsum(lengths)
    begins = ends - lengths
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4")
    kinds = _kinds()[np.minimum(codes, _LAST_CODE)]

    def counted(kind: int, to: Counts) -> Counts:
        until = np.concatenate(([0], np.cumsum((kinds & kind) != 0, dtype=np.int32)))
        sums: Counts = until[to] - until[begins]
        return sums

    last, looked_at = kinds[ends - 1], np.minimum(lengths, 64)  # of which digits and capitals are counted
    before_last = np.where(last & _QUOTE, kinds[np.maximum(ends - 2, begins)], 0)
    columns = (
        *(
            lengths,
            counted(_BLANK, ends) + 1,
            linked,
            links,
            strong,
            counted(_STOP, ends),
            counted(_COMMA, ends),
        ),
        *(((last | before_last) & _STOP) != 0, (kinds[begins] & _CAPITAL) != 0),
        *(
            looked_at,
            counted(_DIGIT, begins + looked_at),
            counted(_CAPITAL, begins + looked_at),
            [seen[text] for text in texts],
        ),
    )
    return np.array(columns, np.int64).T


@cache
def _kinds() -> Counts:
    """Return what each character is, as bits; of those behind the last there is nothing to tell."""
    kinds = np.array(list(map(str.isupper, map(chr, range(_LAST_CODE + 1)))), np.uint8) * _CAPITAL
    for kind, characters in (
        (_STOP, _STOPS),
        (_COMMA, _COMMAS),
        (_QUOTE, _QUOTES),
        (_DIGIT, "0123456789"),
        (_BLANK, " "),
    ):
        kinds[list(map(ord, characters))] |= kind
    return kinds


def _shifted(values: Counts, by: int, fill: int) -> Counts:
    """Return those of the blocks so many before; `fill` where there is none."""
    moved = np.full_like(values, fill)
    if by > 0:
        moved[by:] = values[:-by]
    else:
        moved[:by] = values[-by:]
    return moved


def _size(counts: Counts) -> Counts:
    """Return a count on a scale that grows like its logarithm: by comparison, since logarithms differ between
    machines."""
    return np.searchsorted(_SIZES, counts, side="right") / len(_SIZES)


def _bits(masks: Counts, count: int) -> Counts:
    """Return a row for each bit."""
    return (masks >> np.arange(count)[:, None]) & 1
