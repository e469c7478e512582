"""An article whose texts carry what a layer says of them: sentences, names and words become inlines.

The marks of the page stay as they are. What one of them holds whole, or is held whole by, is one element;
what it crosses is parted there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from itertools import groupby, pairwise
from typing import NamedTuple
from unicodedata import combining

from msgspec.structs import replace

from webarticlecurator.annotations.layer import Sentence, Token
from webarticlecurator.exporting.annotated import Span, spans_of
from webarticlecurator.exporting.articles import leads_to_a_note
from webarticlecurator.exporting.passage_tokens import composed, one_line
from webarticlecurator.exporting.token_lines import LONGEST_TOKEN
from webarticlecurator.model.article import HOLDS, Article, Block, Content, ContentNode, Inline, plain_text
from webarticlecurator.own_patterns import linear
from webarticlecurator.tei.body import HIGHLIGHTS, MARKED, Marked, Titles, named
from webarticlecurator.tei.markup import name, xml_id

Contents = tuple[ContentNode, ...]
Annotations = Callable[[str], tuple[Sentence, ...]]
_WHOLE = frozenset({"code-inline", "formula", "emoji", "line-break"})
"""Inlines in which nothing is marked: they are more than their text."""
_BEGIN = frozenset("BSU")
"""Letters of labels with which a name begins, whatever stands before it."""
_NO_NAME = "O"
_LONGEST = 200_000
"""Characters of a text in which words are marked: of a longer one they would take too much memory."""
_PIECES = linear(r"\s+|\S+")


class _Stretch(NamedTuple):
    """What is to become an element, as far as it can be one."""

    start: int
    end: int
    tag: str
    values: dict[str, str | None]
    words: Sequence[Marked] = ()
    """The words of a multiword token, which stand in it behind its text."""
    whole: tuple[int, int] | None = None
    """Where it begins and ends, if it had to be parted before any mark of the page was looked at."""


@dataclass(slots=True)
class _Node:
    """A text, or an inline that is looked into where it has children here, at its place in the whole text."""

    start: int
    end: int
    content: Inline | str
    children: list[_Node] = field(default_factory=list)


def with_annotations(article: Article, annotations: Annotations) -> tuple[Article, Titles]:
    """Return the article with its annotations, and its titles, and those of its posts, with theirs."""
    marker = _Marker(xml_id(article.id), annotations)
    headlines = (headline.value for headline in article.metadata.get("headline", ()))
    titles = dict.fromkeys((*headlines, *(post.title for post in article.posts if post.title)))
    marked = {title: marker.content((title,)) for title in titles}
    posts = tuple(replaced(post, blocks=marker.blocks(post.blocks)) for post in article.posts)
    return replaced(article, blocks=marker.blocks(article.blocks), posts=posts), marked


class _Marker:
    def __init__(self, document: str, annotations: Annotations) -> None:
        self._document = document
        self._annotations = annotations
        self._parted_names = 0

    def blocks(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        return tuple(self._block(block, block) for block in blocks)

    def _block(self, block: Block, parent: Block) -> Block:
        if HOLDS[block.type] is Content.INLINES:
            return replace(block, children=self._inlines(block, parent))
        children = (self._block(child, block) for child in block.children if isinstance(child, Block))
        return replace(block, children=tuple(children))

    def _inlines(self, block: Block, parent: Block) -> Contents:
        """Return the content of a block; `parent` is the block that it stands in."""
        content = block.children
        if block.type == "verse":
            return self.content(content, _line_breaks(content))
        if block.type == "caption":
            return self.content(content, _before_credit(content, parent.attributes.get("credit", "")))
        who = parent.attributes.get("who") if parent.type == "quote" else None
        if block.type == "source" and who:  # in such a source the writer marks the name
            return self.content(named(content, who))
        return self.content(content)

    def content(self, content: Contents, gaps: Sequence[tuple[int, int]] = ()) -> Contents:
        """Return a content with what is said of it. Nothing goes over any of the gaps, where it will be
        parted."""
        text = "".join(map(_text_of, content))
        if not text.strip() or len(text) > _LONGEST:
            return content
        whole = composed(text)
        places = _places(text, whole)
        sentences = list(spans_of(whole, self._annotations(whole)))
        if not sentences or places is None:
            return content
        kinds = [list(_parted(stretches, gaps)) for stretches in _stretches(sentences, places, whole)]
        ends = {place for stretches in kinds for stretch in stretches for place in stretch[:2]}
        nodes, _ = _tree(content, 0, sorted(ends))
        for stretches in kinds:
            nodes = self._wrapped(nodes, stretches, text)
        return _content(nodes)

    def _wrapped(self, nodes: list[_Node], stretches: Sequence[_Stretch], text: str) -> list[_Node]:
        """Return nodes with an element around those that a stretch holds. Where it crosses one, what is in
        that is looked at."""
        wrapped: list[_Node] = []
        for stretch, group in groupby(nodes, key=lambda node: _holding(node, stretches)):
            together = list(group)
            start, end = together[0].start, together[-1].end
            if stretch is not None and text[start:end].strip():
                wrapped.append(_Node(start, end, self._element(stretch, start, end), together))
                continue
            for node in together:
                node.children = self._wrapped(node.children, stretches, text)
            wrapped += together
        return wrapped

    def _element(self, stretch: _Stretch, start: int, end: int) -> Marked:
        begin, finish = stretch.whole or stretch[:2]
        part = {(True, True): None, (True, False): "I", (False, True): "F"}.get(
            (start == begin, end == finish), "M"
        )
        own = self._part_of_name(part) if stretch.tag == "name" else {"part": part}
        words = stretch.words if end == finish else ()
        return Marked(type=MARKED, tag=stretch.tag, values={**stretch.values, **own}, children=tuple(words))

    def _part_of_name(self, part: str | None) -> dict[str, str | None]:
        """Return what joins the parts of a name, which have no other way to say that they are any."""
        if part is None:
            return {}
        self._parted_names += 1
        before = None if part == "I" else f"#{self._document}.name-{self._parted_names - 1}"
        return {"xml_id": f"{self._document}.name-{self._parted_names}", "prev": before}


# --- what is to be marked ---


def _stretches(
    sentences: Sequence[Sequence[Span]], places: Sequence[int], text: str
) -> tuple[list[_Stretch], list[_Stretch], list[_Stretch]]:
    """Return the words, the names, and the sentences: those that stand in others first."""
    words: list[_Stretch] = []
    names: list[_Stretch] = []
    wholes: list[_Stretch] = []
    for spans in sentences:
        words += [_word(span, places, text) for span in spans if span.words]
        names += _names(spans, places)
        wholes.append(_Stretch(places[spans[0].start], places[spans[-1].end], "s", {}))
    return words, names, wholes


def _word(span: Span, places: Sequence[int], text: str) -> _Stretch:
    start, end = places[span.start], places[span.end]
    first = span.words[0]
    has_letters = any(map(str.isalnum, text[span.start : span.end]))
    is_mark = first.upos == "PUNCT" if first.upos else not has_letters
    if len(span.words) == 1:
        return _Stretch(start, end, "pc" if is_mark else "w", _values(first))
    words = [
        Marked(type=MARKED, tag="w", values={"norm": _short(word.form), **_values(word)})
        for word in span.words
    ]
    return _Stretch(start, end, "w", {}, words)


def _values(word: Token) -> dict[str, str | None]:
    """Return lemma, part of speech and features; the part of speech of the language stands for what is not
    known of the last two."""
    msd = word.feats or (word.xpos if word.upos else "")
    return {"lemma": _short(word.lemma), "pos": _short(word.upos or word.xpos), "msd": _short(msd)}


def _short(value: str) -> str:
    return one_line(value)[:LONGEST_TOKEN]


def _names(spans: Sequence[Span], places: Sequence[int]) -> list[_Stretch]:
    """Return the names in a sentence, by the labels of its words."""
    names: list[_Stretch] = []
    before = ""
    for span in spans:
        begin, _, kind = (span.words[0].entity if span.words else _NO_NAME).rpartition("-")
        kind = "" if kind == _NO_NAME else name(kind, "")
        if kind and kind == before and begin not in _BEGIN:
            names[-1] = names[-1]._replace(end=places[span.end])
        elif kind:
            names.append(_Stretch(places[span.start], places[span.end], "name", {"type": kind}))
        before = kind
    return names


def _parted(stretches: Sequence[_Stretch], gaps: Sequence[tuple[int, int]]) -> Iterator[_Stretch]:
    """Give stretches that go over no gap."""
    beginnings = [gap[0] for gap in gaps]
    for stretch in stretches:
        inside = gaps[bisect_left(beginnings, stretch.start) : bisect_left(beginnings, stretch.end)]
        places = [stretch.start, *(place for gap in inside for place in gap), stretch.end]
        for start, end in zip(places[::2], places[1::2], strict=True):
            if start < end:
                yield stretch._replace(start=start, end=end, whole=stretch[:2])


def _line_breaks(content: Contents) -> list[tuple[int, int]]:
    """Return where the lines of a verse are parted."""
    gaps, place = [], 0
    for node in content:
        length = len(_text_of(node))
        if isinstance(node, Inline) and node.type == "line-break":
            gaps.append((place, place + length))
        place += length
    return gaps


def _before_credit(content: Contents, credit: str) -> list[tuple[int, int]]:
    """Return where a caption is parted that ends in who made the picture."""
    text = "".join(map(_text_of, content)).rstrip()
    if not credit or not text.endswith(credit):
        return []
    begin = len(text) - len(credit)
    return [(len(text[:begin].rstrip()), begin)]


# --- the text and its places ---


def _text_of(node: ContentNode) -> str:
    """Return the text of a node as passages have it: without the marks of notes."""
    if isinstance(node, str):
        return node
    if isinstance(node, Inline) and node.note and leads_to_a_note(plain_text(node)):
        return ""
    return "".join(map(_text_of, node.children)) if node.children else plain_text(node)


def _places(text: str, whole: str) -> Sequence[int] | None:
    """Return the place in a text of each character of the text when it is composed, and its end; None where
    nobody can tell."""
    if text == whole:
        return range(len(text) + 1)
    places: list[int] = []
    written: list[str] = []
    for match in _PIECES.finditer(text):
        for start, end in _clusters(text, *match.span()):
            piece = composed(text[start:end])
            written.append(piece)
            places += range(start, end) if len(piece) == end - start else [start] * len(piece)
    return [*places, len(text)] if "".join(written) == whole else None


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the places of characters with the accents behind them; of a piece that is composed, its own."""
    if composed(text[start:end]) == text[start:end]:
        yield start, end
        return
    beginnings = [place for place in range(start, end) if place == start or not combining(text[place])]
    yield from pairwise([*beginnings, end])


# --- the tree ---


def _tree(content: Contents, place: int, ends: Sequence[int]) -> tuple[list[_Node], int]:
    """Return a content as nodes, its texts cut at all of these places, and where it ends."""
    nodes: list[_Node] = []
    for child in content:
        end = place + len(_text_of(child))
        if isinstance(child, str):
            inside = ends[bisect_right(ends, place) : bisect_left(ends, end)]
            nodes += [
                _Node(before, behind, child[before - place : behind - place])
                for before, behind in pairwise([place, *inside, end])
            ]
        elif isinstance(child, Inline):
            is_whole = child.type in _WHOLE or end == place
            children = [] if is_whole else _tree(child.children, place, ends)[0]
            nodes.append(_Node(place, end, child, children))
        place = end
    return nodes, place


def _holding(node: _Node, stretches: Sequence[_Stretch]) -> _Stretch | None:
    """Return the stretch that holds a node; None if none does."""
    at = bisect_right(stretches, node.start, key=lambda stretch: stretch.start) - 1
    if at < 0 or node.end > stretches[at].end:
        return None
    return stretches[at] if stretches[at].tag not in _TAKES or _fits(node, stretches[at]) else None


def _fits(node: _Node, stretch: _Stretch) -> bool:
    """True if a word may hold it: text, or a mark for the eye around a part of it, without further marks."""
    if isinstance(node.content, str):
        return True
    is_part = node.start > stretch.start or node.end < stretch.end
    is_mark = node.content.type in _TAKES[stretch.tag]
    return is_part and is_mark and all(isinstance(child.content, str) for child in node.children)


_TAKES = {"w": HIGHLIGHTS, "pc": frozenset[str]()}
"""The types of inlines that may stand in these elements; in others all may."""


def _content(nodes: Sequence[_Node]) -> Contents:
    """Return nodes as a content again."""
    content: list[ContentNode] = []
    for node in nodes:
        if isinstance(node.content, Marked):
            content.append(replace(node.content, children=(*_content(node.children), *node.content.children)))
        elif isinstance(node.content, Inline) and node.children:
            content.append(replace(node.content, children=_content(node.children)))
        else:
            content.append(node.content)
    return tuple(content)
