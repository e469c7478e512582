"""An article's text as a flat list in reading order, for all formats that show running text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from webarticlecurator.exporting.options import Part

Node = Mapping[str, Any]
"""A block, an inline or a post as in the line of JSON that a build keeps."""
PassageKind = Literal["title", "head", "p", "li", "cell", "caption"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostHead:
    """What is told of a post beside its text."""

    kind: str
    """liveblog, forum, comments or blog; `post` where the rules found one in the body."""
    id: str | None = None
    who: str | None = None
    when: str | None = None
    """ISO 8601."""
    title: str | None = None
    reply_to: str | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of running text that stands by itself; never empty."""

    kind: PassageKind
    """`p` also for leads, lines of quotes, verses, code."""
    text: str
    """A line break in it is a line feed."""
    language: str | None = None
    """BCP 47, only where it differs from the article's."""
    block: int = -1
    """Number of the top-level block that it came from, in the order of `blocks` and then `comments` of the JSON line; -1: the headline."""
    level: int | None = None
    """Of a heading, 1 to 6."""
    post: PostHead | None = None
    """The post that it stands in."""


@dataclass(frozen=True, slots=True)
class Passages:
    """Those that are shown, and how much was left out."""

    shown: tuple[Passage, ...]
    left_out: Mapping[Part, int] = field(default_factory=dict)
    """How many comments, posts, boxes, captions."""


_INLINES = frozenset({"paragraph", "source", "code", "verse", "time", "author"})
_HEADS = frozenset({"heading", "subheading", "table-heading"})
_PARTS = {"box": Part.BOXES, "caption": Part.CAPTIONS, "post": Part.POSTS}
_INSIDE: Mapping[str, PassageKind] = {"item": "li", "cell": "cell"}
"""What paragraphs are in these."""
_WORD = re.compile(r"[^\W\d_]{2}")
_SUBHEADING, _TABLE_HEADING = 2, 6
"""Levels of headings that the page gives none."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block stands."""

    block: int
    inside: PassageKind = "p"
    language: str | None = None
    post: PostHead | None = None


def passages_of(
    record: Node,
    *,
    parts: frozenset[Part],
    headline: bool,
    language: str | None = None,
    languages: Mapping[int, str] | None = None,
) -> Passages:
    """The passages of an article by its JSON.

    `parts` are shown beside the running text. Of an article that has nothing but posts, they are the text. `language` is the
    article's, `languages` those that were identified in single top-level blocks of it.
    """
    return _Reader(record, parts, language, languages or {}).read(headline)


def has_only_posts(record: Node) -> bool:
    """Whether its posts are its text: nothing else has any, or it is a forum thread, whatever stands above it."""
    blocks = record.get("blocks", ())
    return any(one.get("kind") == "forum" for one in blocks) or not any(one["text"] for one in blocks if one["type"] != "post")


class _Reader:
    def __init__(self, record: Node, parts: frozenset[Part], language: str | None, languages: Mapping[int, str]) -> None:
        self._record = record
        self._language = language
        self._languages = languages
        self._shown = parts | {Part.POSTS} if has_only_posts(record) else parts
        self._left_out: Counter[Part] = Counter()

    def read(self, headline: bool) -> Passages:
        title = self._title() if headline else ()
        blocks: Sequence[Node] = self._record.get("blocks", ())
        comments: Sequence[Node] = self._record.get("comments", ())
        shown = [*title]
        for number, node in enumerate(blocks):
            shown += self._block(node, _Place(number, language=self._languages.get(number)))
        if Part.COMMENTS in self._shown:
            for number, node in enumerate(comments, start=len(blocks)):
                shown += self._post(node, _Place(number, language=self._languages.get(number)))
        elif comments:
            self._left_out[Part.COMMENTS] = len(comments)
        return Passages(tuple(shown), dict(self._left_out))

    def _title(self) -> tuple[Passage, ...]:
        found = self._record.get("metadata", {}).get("headline")
        return (Passage("title", found[0]["value"], level=1),) if found and found[0]["value"].strip() else ()

    def _block(self, node: Node, place: _Place) -> Iterator[Passage]:
        type_ = node["type"]
        if type_ in _INLINES:  # most of them
            yield from self._passage(place.inside, node, place)
            return
        part = _PARTS.get(type_)
        if part is not None and part not in self._shown:
            self._left_out[part] += 1
        elif type_ in _HEADS:
            yield from self._passage("head", node, place, level=_level(node))
        elif type_ == "caption":
            yield from self._passage("caption", node, place)
        elif type_ == "post":
            yield from self._post(node, place)
        else:
            inner = place
            if type_ in _INSIDE or "language" in node:
                inner = replace(place, inside=_INSIDE.get(type_, place.inside), language=node.get("language", place.language))
            yield from self._blocks(node, inner)

    def _blocks(self, node: Node, place: _Place) -> Iterator[Passage]:
        """The blocks in a block; its own text, where it holds none."""
        children = node["children"]
        if not children and node["text"]:
            yield from self._passage(place.inside, node, place)
        for child in children:
            yield from self._block(child, place)

    def _post(self, node: Node, place: _Place) -> Iterator[Passage]:
        told = {name: node.get(name) for name in ("id", "who", "when", "title", "reply_to")}
        head = PostHead(kind=node.get("kind", "post"), **told)
        inner = replace(place, post=head, language=node.get("language", place.language))
        if head.title:
            yield Passage("head", head.title, None, place.block, _SUBHEADING, head)
        yield from self._blocks(node, inner)

    def _passage(self, kind: PassageKind, node: Node, place: _Place, level: int | None = None) -> Iterator[Passage]:
        text = _without_marks(node)
        if not text or text.isspace():
            return
        language = node.get("language", place.language)
        yield Passage(kind, text, language if language != self._language else None, place.block, level, place.post)


def _without_marks(node: Node) -> str:
    """Its text but for the numbers that lead to notes: they are no words, and would be glued to one."""
    if "note" in node and not _WORD.search(node["text"]):
        return ""
    children = node["children"]
    return "".join(map(_without_marks, children)) if children else node["text"]


def _level(node: Node) -> int:
    if node["type"] != "heading":
        return _TABLE_HEADING if node["type"] == "table-heading" else _SUBHEADING
    level = str(node.get("level", ""))
    return int(level) if level in ("1", "2", "3", "4", "5", "6") else _SUBHEADING
