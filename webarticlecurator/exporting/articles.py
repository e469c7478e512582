"""An article on its way into an export: what was built of it, as far as this export shows it, and its text as
a flat list of passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from webarticlecurator.exporting.export_options import ExportOptions, Part
from webarticlecurator.exporting.grid import grid_of
from webarticlecurator.model.article import Extent, extent_of
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import squeeze

if TYPE_CHECKING:
    from webarticlecurator.annotations.layer import Sentence
    from webarticlecurator.building.database import BuiltArticle
    from webarticlecurator.databases import Row


@dataclass(frozen=True, kw_only=True)
class ExportArticle:
    """An article of an export. All that costs time is made when it is asked for, and once."""

    portal: str
    """Name of its portal."""
    built: BuiltArticle
    """The article as it is in the corpus: names in it are the real ones, whatever the export replaces.
    `record` is what may be shown."""
    options: ExportOptions
    analysis: Row | None = None
    """The findings of the analysis, as `Analyses.of` tells of them."""
    listed_by: Callable[[], tuple[str, ...]] = tuple
    rights: str | None = None
    """The portal file's statement on rights."""
    gone: str | None = None
    """The time when the site said first that it has it no more."""
    change: Callable[[Node], Node] | None = None
    """Replaces names in the data of the line."""
    pseudonyms: Mapping[str, str] = field(default_factory=dict)
    """The pseudonyms by the names for which they stand; of whoever is named in this article and is not to be
    known."""
    annotations: Callable[[str], tuple[Sentence, ...]] | None = None
    """Returns what the layer of the export says of a passage, given its composed text; None: no layer is
    shown."""
    left_out: dict[Part, int] = field(default_factory=dict)
    """The number of parts of each kind that this export does not show; told by what makes its text or its
    line."""

    @property
    def id(self) -> str:
        return self.built.id

    @cached_property
    def record(self) -> Node:
        """The line of JSON as data, with comments; names are replaced where the export wants that."""
        record = self.change(self.built.kept_record) if self.change is not None else self.built.kept_record
        return record if self.gone is None else {**record, "gone": self.gone}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the archive columns that listed it."""
        return self.listed_by()

    @cached_property
    def parts(self) -> frozenset[Part]:
        """The parts that are shown of it; the posts of a thread are its text."""
        parts = self.options.shown
        if Part.POSTS in parts or Part.BODY not in parts or not _has_only_posts(self.record):
            return parts
        return parts | {Part.POSTS}

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The running text of the article in reading order."""
        return tuple(self.each_passage())

    def each_passage(self) -> Iterator[Passage]:
        """Give the passages one after the other."""
        record, parts = self.record, self.parts
        reader = _PassageReader(self.built.language, parts)
        blocks, comments = record.get("blocks", ()), record.get("comments", ())
        if Part.HEADLINE in parts and (title := title_of(record)):
            yield Passage("title", title, level=1, part="headline")
        for number, node in enumerate(blocks):
            yield from reader.block(node, Passage("p", "", block=number))
        if Part.COMMENTS in parts:
            for number, node in enumerate(comments, start=len(blocks)):
                yield from reader.post(node, Passage("p", "", block=number))
        elif comments:
            reader.left_out[Part.COMMENTS] = len(comments)
        self.left_out.update(reader.left_out)

    @cached_property
    def extent(self) -> Extent:
        """Return how much there is of `text`, which is not held for that: an article may be long."""
        texts = (squeeze(passage.text) for passage in self.each_passage() if passage.kind != "title")
        return extent_of(texts, self.built.language)

    @cached_property
    def text(self) -> str:
        """The passages without the headline, a line each; a row of a table is a line."""
        return "\n".join(lines_of(passage for passage in self.passages if passage.kind != "title"))


# --- its text as a flat list in reading order, for all formats that show running text ---

Node = Mapping[str, Any]
"""A block, an inline or a post as in the line of JSON that a build keeps."""
PassageKind = Literal["title", "head", "p", "li", "cell", "caption", "quote", "code"]


class Passage(NamedTuple):
    """A stretch of running text that stands by itself; never empty."""

    kind: PassageKind
    """The kind of passage: `p` also for leads and verses; `quote` for the paragraphs of one."""
    text: str
    """A line break in it is a line feed."""
    language: str | None = None
    """The language as BCP 47 tag, only where it differs from the article's."""
    block: int = -1
    """Number of the top-level block that it came from, in the order of `blocks` and then `comments` of the
    JSON line; -1: the headline."""
    level: int | None = None
    """The level of a heading, 1 to 6."""
    post: Node | None = None
    """The post that it stands in. Two that tell the same are two posts."""
    table: Node | None = None
    """The table that it stands in; of one in another, that."""
    cell: Node | None = None
    """The cell of that."""
    part: str = "body"
    """The part of the article: headline, lead, body, quote, caption, list, table, box, entry (of a live
    blog), post, comment; of several in one another, the outermost."""


_INLINES = frozenset({"paragraph", "source", "verse", "time", "author"})
_HEADS = frozenset({"heading", "subheading", "table-heading"})
PARTS = {
    "box": Part.BOXES,
    "caption": Part.CAPTIONS,
    "lead": Part.LEAD,
    "list": Part.LISTS,
    "post": Part.POSTS,
    "quote": Part.QUOTES,
    "table": Part.TABLES,
}
"""The part that a block is, by its type."""
_OF_POSTS = {"liveblog": "entry", "comments": "comment"}
"""The part that a post of this kind is; all others are just posts."""
_INSIDE: Mapping[str, PassageKind] = {"item": "li", "cell": "cell", "quote": "quote"}
"""The kind of the paragraphs in a block of these types."""
_ENTERED: Mapping[str, Callable[[Passage, Node], Passage]] = {
    "table": lambda place, node: place._replace(table=place.table or node),
    "cell": lambda place, node: place._replace(cell=place.cell or node),
}
"""The place of what is in these."""
_WORD = linear(r"[^\W\d_]{2}")
_SUBHEADING, _TABLE_HEADING = 2, 6
"""Levels of headings that the page gives none."""


def title_of(record: Node) -> str:
    """Return the headline; empty where the article has none."""
    title = next((headline["value"] for headline in record.get("metadata", {}).get("headline", ())), "")
    return str(title) if title.strip() else ""


def _has_only_posts(record: Node) -> bool:
    """True if its posts are its text: nothing else has any, or it is a forum thread, whatever stands above
    it."""
    blocks = record.get("blocks", ())
    return any(block.get("kind") == "forum" for block in blocks) or not any(
        block["text"] for block in blocks if block["type"] != "post"
    )


class _PassageReader:
    """Reads the passages of a block, given a passage without text that stands where the block does: each
    passage is that one with its text."""

    def __init__(self, language: str | None, parts: frozenset[Part]) -> None:
        self._language = language
        self._parts = parts
        self.left_out: Counter[Part] = Counter()

    def block(self, node: Node, place: Passage) -> Iterator[Passage]:
        type_ = node["type"]
        if type_ in _INLINES:  # most of them
            yield from self._passage(place.kind, node, place)
            return
        part = PARTS.get(type_)
        if part is not None and part not in self._parts:
            self.left_out[part] += 1
            return
        if type_ == "post":
            yield from self.post(node, place)
            return
        if part is not None:
            place = _in_part(place, type_)
        if type_ in _HEADS:
            yield from self._passage("head", node, place, level=level_of(node))
        elif type_ in ("caption", "code"):
            yield from self._passage(type_, node, place)
        else:
            kind, language = _INSIDE.get(type_, place.kind), node.get("language", place.language)
            inner = place._replace(kind=kind, language=language)
            enter = _ENTERED.get(type_)
            yield from self._blocks(node, enter(inner, node) if enter is not None else inner)

    def _blocks(self, node: Node, place: Passage) -> Iterator[Passage]:
        """The blocks in a block; its own text, where it holds none."""
        children = node["children"]
        if not children and node["text"]:
            yield from self._passage(place.kind, node, place)
        for child in children:
            yield from self.block(child, place)

    def post(self, node: Node, place: Passage) -> Iterator[Passage]:
        place = _in_part(place, _OF_POSTS.get(node.get("kind", ""), "post"))
        if node.get("title"):
            yield Passage("head", node["title"], None, place.block, _SUBHEADING, node, part=place.part)
        yield from self._blocks(
            node, place._replace(post=node, language=node.get("language", place.language))
        )

    def _passage(
        self, kind: PassageKind, node: Node, place: Passage, level: int | None = None
    ) -> Iterator[Passage]:
        text = _without_marks(node)
        is_hidden = place.part == "body" and Part.BODY not in self._parts
        if is_hidden or not text or text.isspace():
            return
        language = node.get("language", place.language)
        yield Passage(
            kind,
            text,
            language if language != self._language else None,
            place.block,
            level,
            place.post,
            place.table,
            place.cell,
            place.part,
        )


def _in_part(place: Passage, part: str) -> Passage:
    """Return a place in a part of the article; what stands in another already stays there."""
    return place._replace(part=part) if place.part == "body" else place


def lines_of(passages: Iterable[Passage]) -> Iterator[str]:
    """Give the text of each passage; of those in cells the rows of their table, with a tab between two
    columns."""
    for _, together in groupby(
        passages, key=lambda passage: id(passage.table) if passage.cell is not None else None
    ):
        first, *others = together
        if first.cell is None:
            yield from (passage.text for passage in (first, *others))
        elif first.table is not None:
            yield from _rows_of(first.table, [first, *others])


def _rows_of(table: Node, passages: Iterable[Passage]) -> Iterator[str]:
    """Give the rows of a table in which anything is shown."""
    texts: dict[int, str] = {}
    for passage in passages:
        place = id(passage.cell)
        texts[place] = squeeze(f"{texts.get(place, '')} {passage.text}")
    lines = ("\t".join(texts.get(id(cell), "") for cell in row).rstrip("\t") for row in grid_of(table))
    yield from filter(None, lines)


def _without_marks(node: Node) -> str:
    """Return the text of a node but for the numbers that lead to notes: they are no words, and would be glued
    to one."""
    if "note" in node and leads_to_a_note(node["text"]):
        return ""
    children = node["children"]
    return "".join(map(_without_marks, children)) if children else node["text"]


def leads_to_a_note(text: str) -> bool:
    """True if the text of a link to a note is nothing but its mark."""
    return _WORD.search(text) is None


def level_of(node: Node) -> int:
    """Return the level of a heading; the page may give none."""
    if node["type"] != "heading":
        return _TABLE_HEADING if node["type"] == "table-heading" else _SUBHEADING
    level = str(node.get("level", ""))
    return int(level) if level in ("1", "2", "3", "4", "5", "6") else _SUBHEADING
