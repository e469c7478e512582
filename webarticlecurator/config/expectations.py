"""Read and check the file tests.yaml beside a portal file: it holds what must come out of named pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.keys import Key, Shape, check_shape, key, keys_of, one_of
from webarticlecurator.config.yaml_edits import CannotEdit, YamlStyle, edited
from webarticlecurator.config.yaml_reading import (
    FilePlace,
    ListNode,
    MapNode,
    content_of,
    is_null,
    mapping,
    plain,
    read_document,
)
from webarticlecurator.errors import Mistake, PortalFileError, UsageError
from webarticlecurator.model.capture import PageKind
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import normalised, squeeze

FILE_NAME = "tests.yaml"
_ASKED_OF: dict[str, PageKind] = {
    **dict.fromkeys(("metadata", "paragraphs", "links", "posts", "first_post", "last_post"), "article"),
    **dict.fromkeys(("articles", "first_article", "last_article"), "archive"),
}
"""The kind of page that each of these is asked of; of the other kind it makes no sense."""
HASH = "sha256:"


def normal(text: str) -> str:
    """A text as it is compared."""
    return squeeze(normalised("NFC", text))


def fingerprint(text: str) -> str:
    """A text as it is expected without being told: the hash of it, normalised."""
    return HASH + sha256(normal(text).encode()).hexdigest()


TEXT = Shape(kinds=("string",), title="a text", null=False, shortest=1, name="text")
_TEXTS = Shape(
    kinds=("string", "array"),
    title="a text or a list of them",
    null=False,
    shortest=1,
    items=TEXT,
    name="texts",
)
VALUES = replace(_TEXTS, title="a text, a list of them, or null for none", null=True, name="values")
_VALUE = Shape(kinds=("string",))
_COUNT = Shape(kinds=("integer",), title="a number of them", null=False, least=0, name="count")
_METADATA = Shape(
    kinds=("object",),
    title="a mapping of fields",
    null=False,
    known={
        name: Key(VALUES, f"All values of `{name}` in order, or null for none.", (None,)) for name in FIELDS
    },
    fewest=1,
)

POST_KEYS = {
    "id": Key(_VALUE, "Its id in the page.", ("p4711",)),
    "when": Key(
        _VALUE,
        "Its time, as ISO 8601; the same instant with another offset is right, too.",
        ("2024-05-01T10:00:00+02:00",),
    ),
    "who": Key(_VALUE, "Its author.", ("Gipsz Jakab",)),
    "title": Key(_VALUE, "Its title.", ("Megnyílt a híd",)),
    "reply_to": Key(_VALUE, "The id of the post that it answers.", ("p4710",)),
    "url": Key(_VALUE, "Its address.", ("https://pelda.example/elo#p4711",)),
}
_POST = Shape(kinds=("object",), title="a post", null=False, known=POST_KEYS, fewest=1, name="post")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """All that must come out of one page; of what is not named anything may come."""

    url: str
    kind: PageKind = "article"
    outcome: str = key(
        one_of("article", "listing", "not-article", "consent", "paywall", "empty", "unreadable").given,
        "paywall",
        default="article",
    )
    """Outcome of reading the page."""
    # Of an archive page only that it can be read.
    metadata: Mapping[str, tuple[str, ...]] = key(
        _METADATA,
        {"headline": "Megnyílt a híd", "author": ["Gipsz Jakab"], "articleSection": None},
        default={},
    )
    """Schema.org's field names: all values of each in order, or null for none. Dates are right if they are
    the same instant; a day is right only as a day."""
    paragraphs: int | None = key(_COUNT, 12)
    """Number of paragraphs that the article has, without its posts and comments."""
    links: int | None = key(_COUNT, 3)
    """Number of links that the article's text has, those in posts too, but not those in comments."""
    posts: int | None = key(_COUNT, 40)
    """Number of posts that the article has, comments too."""
    first_post: Mapping[str, str | None] | None = key(_POST, {"who": "Gipsz Jakab"})
    """Values of the first post on the page by their names; a value is null where the post has none."""
    last_post: Mapping[str, str | None] | None = key(_POST, {"when": "2024-05-01T10:00:00+02:00"})
    """Values of the last post on the page by their names; a value is null where the post has none."""
    contains: tuple[str, ...] = key(_TEXTS, ["Az új híd ma nyílt meg."], default=())
    """Texts that must stand in the article; for an archive page, addresses of articles that it must list.
    Each as it is, or as sha256: and the hash of it in UTF-8, Unicode NFC and white-space normalised: then the
    file holds nothing of the page. A hash is that of a whole block (a paragraph, a heading, a caption) or of
    the title of a post."""
    lacks: tuple[str, ...] = key(_TEXTS, ["Iratkozzon fel hírlevelünkre!"], default=())
    """Texts that must not stand in the article, or addresses that an archive page must not list; hashes as in
    `contains`."""
    articles: int | None = key(_COUNT, 20)
    """Number of articles that an archive page lists."""
    first_article: str | None = key(_VALUE, "https://pelda.example/2024/05/01/hid")
    """The address of the first article that an archive page lists; null: it lists none."""
    last_article: str | None = key(_VALUE, "https://pelda.example/2024/04/30/iskola")
    """The address of the last article that an archive page lists; null: it lists none."""
    next: str | None = key(_VALUE, "https://pelda.example/2024/05/01/hid?oldal=2")
    """The next page of the article, or of the archive; null: there is none."""
    asked: Mapping[str, Any]
    """All the expectations that the file names, as they stand there: null is something to expect, too."""


_ADDRESS = Shape(
    kinds=("string",), title="a web address with http or https", null=False, pattern=r"^https?://[^\s]+$"
)
_EXPECTED = Shape(
    kinds=("object",), title="what is expected", null=False, known=keys_of(Expectation), fewest=1
)
_PAGE_KEYS = {
    "url": Key(_ADDRESS, "The page.", ("https://pelda.example/2024/05/01/hid",)),
    "as": Key(
        one_of("article", "archive").given, "By which rules it is read.", ("archive",), default="article"
    ),
    "expect": Key(
        _EXPECTED,
        "What must come out of the page; of what is not named anything may come.",
        ({"metadata": {"datePublished": "2024-05-01T10:00:00+02:00"}, "paragraphs": 12},),
    ),
}
_PAGE = Shape(
    kinds=("object",),
    title="a page with what is expected of it",
    null=False,
    known=_PAGE_KEYS,
    needed=("url", "expect"),
)
PAGES = Shape(kinds=("array",), null=False, items=_PAGE)


def load_expectations(path: Path, content: bytes | None = None) -> tuple[Expectation, ...]:
    """Read a tests.yaml; `content` as if the file at that path held it.

    Raises PortalFileError with all mistakes, and UsageError where the file cannot be read.
    """
    pages = []
    for page in _entries(content_of(path) if content is None else content, path):
        expect = dict(page["expect"])
        expect |= {name: texts_in(expect[name]) for name in ("contains", "lacks") if name in expect}
        expect["metadata"] = {name: texts_in(values) for name, values in expect.get("metadata", {}).items()}
        pages.append(
            Expectation(url=page["url"], kind=page.get("as", "article"), asked=page["expect"], **expect)
        )
    return tuple(pages)


def _entries(content: bytes, path: Path) -> list[dict[str, Any]]:
    """Return the pages, each as it stands in the file, if nothing is wrong with any. Raises PortalFileError
    with all mistakes."""
    root, mistakes = read_document(content, path)
    if not isinstance(root, ListNode):
        place = root.place if root is not None else FilePlace(path, 1, 1)
        raise PortalFileError(
            tuple(mistakes) or (place.mistake("expected a list of pages: `- url: ...` with `expect: ...`"),)
        )
    sound, mistakes_of_shape, _ = check_shape(root, PAGES)
    mistakes += mistakes_of_shape
    first_lines: dict[tuple[str, str], int] = {}
    for page in map(mapping, sound.items):
        url, kind = _word(page, "url"), _word(page, "as") or "article"
        line = first_lines.setdefault((url, kind), page.place.line)
        if url and line != page.place.line:
            mistakes.append(
                page.place.mistake(f"this page was already told of in line {line}; say all about it there")
            )
        mistakes += _asked_of_others(mapping(page.get("expect")), kind)
    if mistakes:
        raise PortalFileError(tuple(dict.fromkeys(mistakes)))
    entries: list[dict[str, Any]] = plain(root)
    return entries


def _word(page: MapNode, key: str) -> str:
    """Return what a page has under a key, as text; empty if it has nothing."""
    node = page.get(key)
    return str(plain(node)) if node is not None else ""


def _asked_of_others(expect: MapNode, kind: str) -> Iterator[Mistake]:
    """Tell of what is asked of a page that is read as another kind of page."""
    for name in expect.entries:
        if _ASKED_OF.get(name, kind) != kind:
            yield expect.keys[name].mistake(
                f"`{name}` is asked of an {_ASKED_OF[name]}, and this page is read as an {kind}"
            )


def texts_in(written: str | Iterable[str] | None) -> tuple[str, ...]:
    """A text, a list of them, or null for none."""
    if isinstance(written, str):
        return (written,)
    return tuple(written or ())


_OPENING = "# What must come out of named pages of this portal; `curator test` checks it.\n"
_STYLE = YamlStyle(in_quotes=linear(r"\?|^:|:(\W|$)|^\d{4}-\d\d?-\d\d?(\D|$)"))
"""The style of the file: in quotes stands what a person may take for a key, URLs too, and what another
program may take for a date instead of a text."""


def entry_of(text: str, path: Path, url: str, kind: PageKind | None) -> Mapping[str, Any] | None:
    """Return what the file says of a page, the first entry unless a kind is given. Raises PortalFileError
    with all mistakes in the file."""
    return next(
        (
            entry
            for entry in _written(text, path)
            if entry["url"] == url and kind in (None, entry.get("as", "article"))
        ),
        None,
    )


def with_entry(text: str, path: Path, page: Mapping[str, Any]) -> str:
    """The text with this entry (`url`, `as`, `expect`) in the place of the one of the same page, else at the
    end.

    Raises UsageError where the file is written in a way that only a person can change.
    """
    entries = _written(text, path)
    kind = page.get("as", "article")
    same = [entry for entry in entries if (entry["url"], entry.get("as", "article")) == (page["url"], kind)]
    wanted = [{**entry, "expect": page["expect"]} if entry in same else entry for entry in entries] + (
        [] if same else [page]
    )
    try:
        return edited(text or _OPENING, wanted, _STYLE)
    except CannotEdit as problem:
        raise UsageError(
            f"{path} is written in a way that a program cannot change without harm ({problem}), so nothing "
            "was written."
            f" Write each page on lines of its own, `- url: ...`, or enter what you expect of {page['url']} "
            "by hand."
        ) from None


def _written(text: str, path: Path) -> list[dict[str, Any]]:
    """The entries of a file that may hold nothing but comments."""
    root, mistakes = read_document(text.encode(), path)
    return [] if not mistakes and (root is None or is_null(root)) else _entries(text.encode(), path)
