"""An article as we understood it: metadata with sources, a tree of typed blocks, posts, and an account of
every word; the same as JSON.

Extraction knows nothing of the formats that are written from it, and no writer knows of HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from typing import Any, Literal

from msgspec import Struct, convert

from webarticlecurator.model.capture import NotedRecord
from webarticlecurator.model.metadata import Correction, Found, Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.text import primary, squeeze

INDEX_SIGN = "index page: "
"""The beginning of flags that say what an index page of a blog had to do with an article."""
UNCONFIRMED_SIGN = "author is told by the rule alone, beside others that the page itself tells: "
"""The beginning of the flag that names the first author whom the rule tells and the page itself does not."""
OLDER_SIGN = "older capture: "
"""The beginning of the flag that says why the newest capture does not count."""
AMID_SIGN = "reads like a list: "
"""The beginning of the flag of an article that alone would be taken for a list."""
DAMAGED_SIGN = "damaged capture: "
"""The beginning of the flag that says that the newest capture cannot be read any more."""


class Content(StrEnum):
    """The kinds of contents that a block may hold."""

    INLINES = "inlines"
    """Text and inlines, no blocks."""
    BLOCKS = "blocks"
    """Blocks that stand by themselves, at least one; no text of its own."""
    NOTHING = "nothing"
    ITEMS = "items"
    ROWS = "rows"
    """Rows, and at most one `table-heading` before or behind them, where the page has it."""
    CELLS = "cells"
    FIGURES = "figures"
    """Figures and embeds, then at most one caption."""
    CAPTION = "caption"
    """At most one caption, and nothing else."""

    __hash__ = str.__hash__  # asked for every block, and that of an Enum is computed from its name each time


_INLINES = (
    "paragraph", "heading", "subheading", "caption", "table-heading", "source", "code", "verse", "time",
    "author",
)  # fmt: skip
_BLOCKS = ("lead", "quote", "box", "note", "question", "answer", "quiz", "item", "cell", "post", "social")

HOLDS: Mapping[str, Content] = {
    **dict.fromkeys(_INLINES, Content.INLINES),
    **dict.fromkeys(_BLOCKS, Content.BLOCKS),
    **dict.fromkeys(("divider", "page-break"), Content.NOTHING),
    **dict.fromkeys(("figure", "embed"), Content.CAPTION),
    "list": Content.ITEMS,
    "table": Content.ROWS,
    "row": Content.CELLS,
    "gallery": Content.FIGURES,
}
"""The content model that structure repair always establishes. Of what holds blocks only a `cell` may be
empty. `page-break` comes from joining the pages of an article."""

Certainty = Literal["high", "medium", "low"]
_WITHOUT_BLANKS = frozenset({"bo", "dz", "ja", "km", "lo", "my", "shn", "th", "wuu", "yue", "zh"})
"""Languages whose words nobody counts by blanks."""

COMMENTS = "comments"
"""The kind of posts that are no text of the article."""

STANDS_ALONE = frozenset(HOLDS) - {"item", "row", "cell", "table-heading", "caption", "time", "author"}
"""Blocks that may stand at the top of an article, or wherever BLOCKS may."""

ATTRIBUTES: Mapping[str, str] = {
    "level": "heading: 1 to 6, as in the page",
    "ordered": "list: 'yes' where items are numbered",
    "term": "item: 'yes' for a term of a list of definitions; the items behind it say what it is",
    "rows": "cell: rowspan above 1",
    "columns": "cell: colspan above 1",
    "header": "cell: 'yes' for a heading cell",
    "alt": "figure: alternative text",
    "credit": "figure: who made it",
    "kind": "embed: video, audio, document, frame; social, and what shows nothing of it: the network's name; "
    "code: its language",
    "title": "embed, social, box: its title in the page",
    "page": "page-break: number of the page that begins",
    "id": "post, note: its id in the page",
    "label": "note: how the text refers to it",
    "reply_to": "post: the id of the post it answers",
    "post": "quote: the id of the post it quotes",
    "when": "post, time, social: ISO 8601",
    "who": "post, social: its author; quote: whose words they are; question, answer: the speaker",
    "language": "any block: BCP 47, where it is another than the article's",
    "direction": "any block: 'rtl' or 'ltr', where it is another than that of what is around it",
}
"""All names that `Block.attributes` may hold, and on which blocks."""


# Of these two an article has hundreds: structs are made several times faster than data classes, and hold no
# cycles to be looked for.


class Inline(Struct, frozen=True, kw_only=True, gc=False):
    """A stretch of text with a meaning."""

    type: str
    """The inline's type: `bold`, `link`, ..., as `body.tags` of portal files has them; by no rule `ruby`, and
    `emoji`, which holds nothing."""
    children: tuple[Inline | str, ...] = ()
    """The content of the inline. White space is exact: none is lost, none invented."""
    url: str | None = None
    """The address that a link leads to: absolute, and valid as anyURI."""
    original_url: str | None = None
    """The address as it stood in the page, where it had to be repaired; it stands alone where it was beyond
    repair."""
    language: str | None = None
    """The language as BCP 47 tag."""
    note: str | None = None
    """The id of the note in this article that a link leads to."""
    alt: str | None = None
    """The words for a picture (emoji), where no character is it; for ruby, how it is read."""


class Block(Struct, frozen=True, kw_only=True, gc=False):
    """A block of an article's body, by the same names for every portal: those of `body.tags` of portal files,
    and `page-break`."""

    type: str
    """The block's type: `paragraph`, `heading`, `list`, ..."""
    children: tuple[Block | Inline | str, ...] = ()
    """The blocks, inlines and texts that the block is made of, in page order."""
    url: str | None = None
    """The address of a figure, embed or social post."""
    original_url: str | None = None
    """The address as it stood in the page, where it had to be repaired."""
    attributes: Mapping[str, str] = {}
    """The attributes of the block, by the names in the table of attributes."""


ContentNode = Block | Inline | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """An entry of a live blog, a forum post, a comment, a blog post on an index page."""

    kind: str
    """The kind of post: liveblog, forum, comments or blog."""
    id: str | None = None
    """The post's id, as in the page."""
    when: str | None = None
    """The post's time in ISO 8601."""
    time: str | None = None
    """The post's time as readers see it."""
    day_counted: bool = False
    """True if the page shows a time without its day, so that the day was counted from the article's."""
    author: str | None = None
    """The post's author, as the page names them."""
    title: str | None = None
    """The post's own heading."""
    reply_to: str | None = None
    """The id of the post that it answers."""
    number: str | None = None
    """The post's number in the thread, as readers see it."""
    edited: str | None = None
    """The time when the post was last changed, in ISO 8601; as the page says it, where no date can be made of
    that."""
    editor: str | None = None
    """The person who changed the post last."""
    deleted: str | None = None
    """The words of the page in the place of a post that was deleted."""
    likes: str | None = None
    """The number of people who like the post, as the page counts them."""
    url: str | None = None
    """The post's own address."""
    blocks: tuple[Block, ...] = ()
    """The post's text, in blocks."""

    @property
    def fingerprint(self) -> str:
        """Return what names it by what it says, and when, where it has no id: it stays when others come
        before it."""
        said = (self.when, self.author, self.title, plain_text(self.blocks))
        return sha256("\n".join(filter(None, said)).encode("utf-8", "replace")).hexdigest()[:12]


class Fate(StrEnum):
    """The words for what may become of a text of the page."""

    KEPT = "kept"
    DROPPED = "dropped"
    ADDED = "added"
    """The text is none of the page: the character that a picture stands for."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the root's text, in page order, and what became of it."""

    fate: Fate
    """The word for what became of it: kept, dropped, or added."""
    text: str
    """The text, white space normalised."""
    rule: str = ""
    """The rule that dropped it, by its source and selector; for what was added, the reason."""
    tag: str = ""
    """The simplified tag that was dropped with it."""


@dataclass(frozen=True, slots=True)
class UnknownTag:
    """A simplified tag that no rule decides."""

    tag: str
    """The element, without what differs by page."""
    count: int
    """The number of times that the tag is on the page."""
    words: int
    """The number of words immediately in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureRef:
    """A stored response that an article was read from, or what a browser made of one."""

    record_id: str
    """The WARC-Record-ID of the record."""
    digest: str
    """The WARC-Payload-Digest of the record."""
    file: str
    """The name of the WARC file."""
    offset: int
    """The place in the file where the record begins, in bytes."""
    length: int
    """The length of the record as it is stored, in bytes."""
    url: str
    """The address of the page."""
    date: str
    """The time of the capture: UTC, ISO 8601 with Z."""
    made_of: CaptureRef | None = None
    """The response that a browser made this page of; None if no browser showed it."""

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "made_of" or value is not None}

    @property
    def location(self) -> NotedRecord:
        """Return where it lies."""
        return NotedRecord.of_row(self.file, self.offset, self.length, self.record_id, self.url, self.digest)


@dataclass(frozen=True, slots=True)
class MissingPage:
    """A page of an article that is not stored: its number, or where a page before it leads, or both."""

    number: int | None
    """The number of the page, as far as it is known."""
    url: str | None
    """The address of the page, as far as it is known."""

    def __str__(self) -> str:
        """Return a sentence about the missing page."""
        name = f"page {self.number}" if self.number is not None else "a page"
        return f"{name} is not stored" + (f" ({self.url})" if self.url else "")


def first_value(metadata: Metadata, name: str) -> str:
    """Return the first value of a field; empty where there is none."""
    return metadata[name][0].value if metadata.get(name) else ""


@dataclass(frozen=True, slots=True)
class Extent:
    """The length of a text."""

    words: int | None
    """The number of words; None in languages whose words no blank parts."""
    characters: int
    """The number of characters, with one between two words, however they are set apart."""


def extent_of(texts: Iterable[str], language: str | None) -> Extent:
    """Return how much text that is, joined by blanks, in this language; there is one blank between two words
    of each."""
    words = characters = 0
    for text in filter(None, texts):
        words += text.count(" ") + 1
        characters += len(text) + 1
    are_parted = primary(language or "") not in _WITHOUT_BLANKS
    return Extent(words if are_parted else None, max(0, characters - 1))


@dataclass(frozen=True, kw_only=True)
class Article:
    """An article, from all its pages.

    >>> from webarticlecurator import extract
    >>> html = "<h1>The bridge is open</h1><article>" + "<p>Every sentence of a long article.</p>" * 20 + "</article>"
    >>> article = extract(html, "https://pelda.example/2024/05/01/bridge")
    >>> article.title, article.date
    ('The bridge is open', '2024-05-01')
    >>> [found.source for found in article.metadata["datePublished"]]
    ['url:date']
    >>> article.blocks[0].type
    'paragraph'
    """

    id: str
    """The article's name everywhere: the portal, and 16 hexadecimal digits of `identity`."""
    url: str
    """The URL it was asked for by."""
    identity: str
    """The name that makes two addresses one article: the groups of `articles.identity`, else the normalised
    address."""
    outcome: PageOutcome
    """The outcome: an article, or the reason why the page is none."""
    reason: str = ""
    """The reason for that outcome, in words."""
    type: str = "NewsArticle"
    """The type of Schema.org."""
    language: str | None = None
    """The language as BCP 47 tag."""
    language_certainty: Certainty | None = None
    """The certainty of the language, where nobody says it and the words show it."""
    direction: str | None = None
    """The direction of its text: "rtl" where the page says that it runs from right to left."""
    metadata: Metadata = field(default_factory=dict)
    """Name of Schema.org -> the values that were chosen."""
    disagreements: Metadata = field(default_factory=dict)
    """The values of other sources, where they say otherwise."""
    flags: tuple[str, ...] = ()
    """The flags: all that the sanity checks think odd, as "datePublished lies after the capture"."""
    blocks: tuple[Block, ...] = ()
    """The blocks of the body, without headline, posts and comments."""
    posts: tuple[Post, ...] = ()
    """Entries of a live blog, posts of a thread, comments."""
    pieces: tuple[Piece, ...] = ()
    """Every character in the element that the article stands in, with what became of it; nothing is told of
    what stands beside that element."""
    unknown_tags: tuple[UnknownTag, ...] = ()
    """Elements for which neither the portal file nor the general rules have a decision."""
    layout: str | None = None
    """The layout of the portal file by which it was read."""
    next_page: str | None = None
    """The address that the last page's `articles.next` leads to, if that page is not at hand."""
    goes_on: str | None = None
    """The sign that the article has further pages all the same, where the rule for them leads nowhere."""
    captures: tuple[CaptureRef, ...] = ()
    """The pages that it was read from, in order."""
    versions: tuple[CaptureRef, ...] = ()
    """Other captures of the same article, newest first."""
    text_changed: str | None = None
    """The time of the capture that brought the present text of a built article, whose first capture has
    another one."""
    corrections: tuple[Correction, ...] = ()
    """The values of a built article that a person mended by hand."""
    missing_pages: tuple[MissingPage, ...] = ()
    """Pages of it that are not among the captures, in their order."""
    above: tuple[str, ...] = ()
    """The beginnings of texts that stand between headline and body and are not read, each with the elements
    that hold it and the body; nothing says of them that they are none of the article."""
    breaks_off: bool = False
    """True if a page of it ends amid the text, and without the end that HTML has: it may be cut, or written
    like this."""

    @property
    def title(self) -> str | None:
        """The headline."""
        return first_value(self.metadata, "headline") or None

    @property
    def date(self) -> str | None:
        """Return when it was published, in ISO 8601; without the time where nobody says it."""
        return first_value(self.metadata, "datePublished") or None

    @property
    def authors(self) -> tuple[str, ...]:
        """The names of the authors."""
        return tuple(author.value for author in self.metadata.get("author", ()))

    @property
    def section(self) -> str | None:
        """The part of the portal that it stands in: the first, where there are several."""
        return first_value(self.metadata, "articleSection") or None

    @property
    def text(self) -> str:
        """Return what is to be read in it, a block a line: with the entries of a live blog, without headline
        and comments."""
        parts: list[ContentNode | tuple[Block, ...]] = [
            *self.blocks,
            *(post.blocks for post in self.posts if post.kind != COMMENTS),
        ]
        return "\n".join(filter(None, map(plain_text, parts)))

    def markdown(
        self,
        *,
        links: bool = False,
        images: bool = False,
        tables: bool = True,
        comments: bool = False,
        front_matter: bool = False,
    ) -> str:
        """Return headline and text in Markdown; `front_matter` begins it with its data, in YAML."""
        parts = {
            "links": links,
            "images": images,
            "tables": tables,
            "comments": comments,
            "front_matter": front_matter,
        }
        markdown: bytes = _form(self, "markdown_of", **parts)
        return markdown.decode()

    def html(
        self, *, links: bool = False, images: bool = False, tables: bool = True, comments: bool = False
    ) -> str:
        """Return headline and text as a page of HTML without anything else."""
        html: bytes = _form(self, "html_of", links=links, images=images, tables=tables, comments=comments)
        return html.decode()

    def tei(self) -> bytes:
        """Return a whole document in TEI, as XML in UTF-8."""
        document: bytes = _form(self, "tei_of")
        return document

    def flat(self, *, tables: bool = True, comments: bool = False) -> dict[str, Any]:
        """Return the usual values, a value a name: `url`, `title`, `authors`, `date`, `text`, ..., for tables
        of data.

        Days and times are those of Python: `json.dumps(article.flat(), default=str)` writes them.
        """
        values: dict[str, Any] = _form(self, "flat_object", tables=tables, comments=comments)
        return values

    @property
    def folder(self) -> str:
        """Return where its document lies among those of a corpus: by the day of its publication."""
        try:
            return date.fromisoformat((self.date or "")[:10]).isoformat().replace("-", "/")
        except ValueError:
            return "undated"

    @cached_property
    def words(self) -> str:
        """The text of blocks and posts with one blank between two words, but not what readers said about
        them."""
        return squeeze(self.text)

    @property
    def extent(self) -> Extent:
        """Return how much there is of `words`."""
        return extent_of([self.words], self.language)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON: what `curator try` prints, and a line of the JSON Lines export.

        Only what is there: attributes without a value are left out, and so are comments where there are none.
        A page that cannot be read has nothing to tell but why.
        """
        head = {"url": self.url, "kind": "article", "outcome": self.outcome.value, "reason": self.reason}
        if self.outcome is PageOutcome.UNREADABLE:
            return head
        blocks = [*map(_node, self.blocks), *(_post(post) for post in self.posts if post.kind != COMMENTS)]
        comments = [_post(post) for post in self.posts if post.kind == COMMENTS]
        made: dict[str, Any] = {
            **head,
            "direction": self.direction,
            "metadata": _metadata(self.metadata),
            "next_page": self.next_page,
            "goes_on": self.goes_on,
            "missing_pages": [str(page) for page in self.missing_pages],
            "text_changed": self.text_changed,
            "corrections": list(map(_correction, self.corrections)),
            "text": "\n".join(block["text"] for block in blocks if block["text"]),
            "blocks": blocks,
            "comments": comments,
            "unknown_tags": [
                {"tag": unknown.tag, "count": unknown.count, "words": unknown.words}
                for unknown in self.unknown_tags
            ],
            "dropped": [
                {"text": piece.text, "rule": piece.rule, "tag": piece.tag}
                for piece in self.pieces
                if piece.fate is Fate.DROPPED
            ],
            "disagreements": _metadata(self.disagreements),
        }
        return {name: value for name, value in made.items() if value or name not in _ONLY_WHERE_THERE}


def _form(article: Article, name: str, **parts: bool) -> Any:
    """Ask the writers for a form of an article: they know of articles, and an article is to know of none
    until somebody asks."""
    forms = import_module("webarticlecurator.loose_pages.forms")
    return getattr(forms, name)(article, None, forms.options_of(**parts))


_SIGNS = {"line-break": "\n", "emoji": " "}
"""The text that stands for inlines that hold none: a picture, too, parts the words beside it."""


def blocks_in(block: Block) -> list[Block]:
    """Return those that stand immediately in a block."""
    return [child for child in block.children if isinstance(child, Block)]


def plain_text(node: ContentNode | tuple[ContentNode, ...]) -> str:
    """Return all text of a node; blocks are set apart by a line feed, a line break is one, and the picture of
    a smiley a blank."""
    if isinstance(node, str):
        return node
    children = node if isinstance(node, tuple) else node.children
    if len(children) == 1:  # most of them
        return children[0] if isinstance(children[0], str) else plain_text(children[0])
    if not children:
        return _SIGNS.get(node.type, "") if isinstance(node, Inline) else ""
    texts = [child if isinstance(child, str) else plain_text(child) for child in children]
    between = "\n" if any(isinstance(child, Block) for child in children) else ""
    return between.join(filter(None, texts))


Json = Mapping[str, Any]
_POST_NAMES = {"author": "who"}
_POST_FIELDS = tuple(of_post.name for of_post in fields(Post) if of_post.name != "blocks")
_ONLY_WHERE_THERE = frozenset(
    {"direction", "goes_on", "missing_pages", "text_changed", "corrections", "comments"}
)
"""The keys that a line has only where the article has them."""
_BESIDE = ("identity", "type", "language", "language_certainty", "layout")
"""The fields of an article that its line does not hold, and that are in JSON as they are here."""


def stored_line(article: Article) -> dict[str, Any]:
    """Return what `to_dict` gives, with what names the article and the captures that it was read from: a line
    of the JSON Lines export."""
    return {
        "id": article.id,
        "captures": [capture.to_json() for capture in article.captures],
        **article.to_dict(),
    }


def beside_line(article: Article) -> dict[str, Any]:
    """Return what a document tells of an article and its line does not, ready for JSON."""
    agents = {
        name: [
            [value.value, value.written, value.kind, value.url]
            for value in values
            if value.written or value.kind or value.url
        ]
        for name, values in article.metadata.items()
    }
    return {
        **{name: getattr(article, name) for name in _BESIDE},
        "flags": list(article.flags),
        "versions": [capture.to_json() for capture in article.versions],
        "missing_pages": list(map(asdict, article.missing_pages)),
        "values": {name: values for name, values in agents.items() if values},
    }


def _metadata(metadata: Metadata) -> dict[str, list[dict[str, str]]]:
    return {
        name: [{"value": value.value, "raw": value.raw, "source": value.source} for value in values]
        for name, values in metadata.items()
    }


def _correction(correction: Correction) -> dict[str, Any]:
    return {name: value for name, value in asdict(correction).items() if name != "article"}


def _post(post: Post) -> dict[str, Any]:
    children = list(map(_node, post.blocks))
    given = {_POST_NAMES.get(name, name): value for name in _POST_FIELDS if (value := getattr(post, name))}
    return {
        "type": "post",
        "text": "\n".join(block["text"] for block in children if block["text"]),
        "children": children,
        **given,
    }


def _node(node: Inline | Block) -> dict[str, Any]:
    """Return a node as data. Text alone is the parent's `text`; beside inlines it is a child like them. A
    text is put together of those of the children."""
    if all(isinstance(child, str) for child in node.children):
        text, children = plain_text(node), list[dict[str, Any]]()
    else:
        children = [
            {"type": "text", "text": child, "children": []} if isinstance(child, str) else _node(child)
            for child in node.children
        ]
        between = "\n" if any(isinstance(child, Block) for child in node.children) else ""
        text = between.join(child["text"] for child in children if child["text"])
    beside = {"url": node.url, "original_url": node.original_url}
    beside |= (
        node.attributes
        if isinstance(node, Block)
        else {"language": node.language, "note": node.note, "alt": node.alt}
    )
    return {
        "type": node.type,
        "text": text,
        "children": children,
        **{name: value for name, value in beside.items() if value},
    }


def from_json(line: Json, beside: Json) -> Article:
    """The article of a stored line, with what stands beside it; of what became of its characters, only what
    was dropped."""
    posts = []
    for node in (*filter(_is_post, line.get("blocks", ())), *line.get("comments", ())):
        values = {name: node[said] for name in _POST_FIELDS if (said := _POST_NAMES.get(name, name)) in node}
        posts.append(Post(**values, blocks=_blocks_again(node["children"])))
    return Article(
        id=line["id"],
        url=line["url"],
        outcome=PageOutcome(line["outcome"]),
        reason=line["reason"],
        direction=line.get("direction"),
        metadata=_metadata_again(line.get("metadata", {}), beside["values"]),
        disagreements=_metadata_again(line.get("disagreements", {}), {}),
        blocks=_blocks_again(node for node in line.get("blocks", ()) if not _is_post(node)),
        posts=tuple(posts),
        pieces=tuple(
            Piece(Fate.DROPPED, piece["text"], piece["rule"], piece["tag"])
            for piece in line.get("dropped", ())
        ),
        unknown_tags=convert(line.get("unknown_tags", ()), tuple[UnknownTag, ...]),
        next_page=line.get("next_page"),
        goes_on=line.get("goes_on"),
        captures=convert(line["captures"], tuple[CaptureRef, ...]),
        text_changed=line.get("text_changed"),
        corrections=tuple(
            convert({"article": line["url"], **told}, Correction)
            for told in line.get("corrections", ())
            if "by" in told  # where people have pseudonyms, only the field is told
        ),
        **{name: beside[name] for name in _BESIDE},
        flags=tuple(beside["flags"]),
        versions=convert(beside["versions"], tuple[CaptureRef, ...]),
        missing_pages=convert(beside["missing_pages"], tuple[MissingPage, ...]),
    )


def _metadata_again(metadata: Json, more: Json) -> Metadata:
    """Return metadata as they were. `more` holds only for a value that is still the one of the page: what
    stands for a name has no page about it."""
    known = {(name, value): beside for name, values in more.items() for value, *beside in values}
    return {
        name: tuple(
            Found(
                **value,
                **dict(zip(("written", "kind", "url"), known.get((name, value["value"]), ()), strict=False)),
            )
            for value in values
        )
        for name, values in metadata.items()
    }


def _is_post(node: Json) -> bool:
    """True if it is one of the article's posts, and not the block of that name in its body."""
    return node["type"] == "post" and "kind" in node


def _blocks_again(nodes: Iterable[Json]) -> tuple[Block, ...]:
    return tuple(block for block in map(_node_again, nodes) if isinstance(block, Block))


def _node_again(node: Json) -> ContentNode:
    if node["type"] == "text":
        return str(node["text"])
    children = tuple(map(_node_again, node["children"]))
    if not children and node["text"] and node["type"] not in _SIGNS:
        children = (node["text"],)
    beside = {name: value for name, value in node.items() if name not in ("type", "text", "children")}
    if node["type"] not in HOLDS:
        inlines = tuple(
            child for child in children if not isinstance(child, Block)
        )  # which an inline never holds
        return Inline(type=node["type"], children=inlines, **beside)
    url, original_url = beside.pop("url", None), beside.pop("original_url", None)
    return Block(type=node["type"], children=children, url=url, original_url=original_url, attributes=beside)
