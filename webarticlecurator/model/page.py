"""Pages: a response that was parsed once, with its elements, strings and JSON-LD for all who read it; or the
reason why it is none."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from itertools import accumulate, chain, islice
from typing import Any

import orjson
from jstyleson import dispose
from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.model.capture import Headers
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import BREAKS, SAMPLES, UNSEEN, element_text, short_text, squeeze
from webarticlecurator.urls import join, same_page


class Evidence(StrEnum):
    """The sources that say which encoding a page has, the most trustworthy first."""

    BOM = "byte order mark"
    PORTAL = "portal file"
    HEADER = "HTTP header"
    META = "meta charset"
    DETECTION = "detection"


@dataclass(frozen=True, kw_only=True, eq=False)
class Page:
    """A page, parsed once."""

    url: str
    """The address after redirects."""
    requested_url: str
    date: datetime
    """The time of the capture."""
    is_dated: bool = True
    """False where the time of its capture is not known: then the date is the last that it may be."""
    tree: Element | None = None
    """The root of an HTML page."""
    xml: Element | None = None
    """The root of a feed; or that of a page of HTML that was read as one, and names one."""
    broken: str = ""
    """The reason why a part of the feed could not be read."""
    json: Any = None
    """The document of a JSON response."""
    text: str = ""
    """The text of a plain list of URLs."""
    base: str
    """The address that its links are joined with: the page's URL, or its `<base href>`."""
    encoding: str
    evidence: Evidence
    """The source that named this encoding."""
    headers: Headers = ()
    """The headers of the response."""
    has_end: bool = True
    """True if `</body>` or `</html>` stands in it, where it is HTML."""
    budget: Budget = field(default_factory=Budget, repr=False)
    """The budget that the portal's rules still have for it."""
    parts: list[Element] = field(default_factory=list, repr=False)
    """Trees of HTML that stood in values of it and was parsed while it was read."""
    asked: set[str] = field(default_factory=set, repr=False)
    """Texts that would be a name of the portal if the portal file had it as `title`, folded."""

    @cached_property
    def outline(self) -> Outline:
        """Return the outline of its tree; empty where it has none."""
        return Outline(self.tree)

    def outline_of(self, element: Element) -> Outline:
        """Return the outline that an element is in: HTML that stood in JSON has one of its own."""
        return self.outline if element in self.outline.row_of else Outline(element)

    @cached_property
    def json_ld(self) -> list[Any]:
        """The values in its JSON-LD, in page order, each script read by itself: a broken one costs the page
        no other."""
        scripts = self.outline.named("script")
        typed = (
            script
            for script in scripts
            if (script.get("type") or "").strip().lower().startswith("application/ld+json")
        )
        outside_samples = (script for script in typed if next(script.iterancestors(*SAMPLES), None) is None)
        values: list[Any] = []
        for script in islice(outside_samples, 50):
            try:
                values.append(orjson.loads(script.text or ""))
            except orjson.JSONDecodeError:
                values += _with_comments(script) or read_json(script.text or "")
        return values

    @cached_property
    def json_ld_objects(self) -> list[dict[str, Any]]:
        """Return what is at the top of its JSON-LD, or in a list or `@graph` there; what is about the page at
        its address first."""
        objects: list[dict[str, Any]] = []
        waiting = self.json_ld[::-1]
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting.extend(reversed(value))
            elif isinstance(value, dict):
                objects.append(value)
                waiting.append(value.get("@graph"))
        return sorted(
            objects, key=lambda thing: not any(same_page(address, self.url) for address in addresses(thing))
        )

    def joined(self, written: Iterable[str | None]) -> Iterator[str]:
        """Give the whole addresses of those that are written on it; what is none is left out."""
        return filter(None, (join(self.base, address) for address in filter(None, written)))

    def is_at(self, url: str) -> bool:
        """True if a URL is its own, before redirects or after."""
        return same_page(url, self.url) or same_page(url, self.requested_url)


class Wall(StrEnum):
    """The kinds of walls that stand in the way of a page."""

    BLOCK = "block"
    """The site keeps us out."""
    CAPTCHA = "captcha"
    """A person is asked to prove to be one."""
    CONSENT = "consent"
    """The page comes only after consent to cookies."""


@dataclass(frozen=True, slots=True)
class NoPage:
    """A response that is no page, and the reason."""

    reason: str
    """The reason in words; for a wall that by which it was recognised: "Cloudflare challenge", "consent
    page"."""
    outcome: PageOutcome = PageOutcome.UNREADABLE
    wall: Wall | None = None


LINE = "\n"


class Outline:
    """The elements of a page in order, and all its texts in order, taken in one pass: what stands in an
    element is a range of both.

    The lists run in parallel, one row an element. A text that a reader sees is a slice of the strings, and
    its length a difference.
    """

    def __init__(self, root: Element | None) -> None:
        self.elements: list[Element] = list(root.iter("*")) if root is not None else []
        self.tags: list[str] = [element.tag for element in self.elements]
        self.row_of: dict[Element, int] = dict(zip(self.elements, range(len(self.elements)), strict=True))
        self.parents: list[int] = [self.row_of.get(element.getparent(), -1) for element in self.elements]  # type: ignore[arg-type]
        """The row of the element around it; -1 above the first."""
        self.ends = list(range(1, len(self.tags) + 1))
        """The row behind all that is in it."""
        for row in range(len(self.tags) - 1, 0, -1):
            if self.ends[row] > self.ends[self.parents[row]]:
                self.ends[self.parents[row]] = self.ends[row]
        self._by_tag: dict[str, list[int]] = {}
        for row, tag in enumerate(self.tags):
            self._by_tag.setdefault(tag, []).append(row)
        self.strings: list[str] = []
        """The strings that a reader sees, as written; between them `LINE` where a block or a line begins or
        ends, and a blank where one stands."""
        self.owners: list[int] = []
        """The row in which each string stands immediately."""
        self._begins = [0] * len(self.tags)
        """The places where the strings of each row begin, and where they end."""
        self._stops = [0] * len(self.tags)
        self._unseen: set[int] = set()
        """The rows of scripts, styles and the like, and of what stands in them."""
        self._take_strings()
        self.lengths = list(map(len, map(str.strip, self.strings)))
        """Characters of each string, without the white space around it."""
        self._lengths = list(accumulate(self.lengths, initial=0))
        """The number of characters of all strings before each, without the white space around them."""
        self._written: dict[str, list[str | None]] = {}
        self._rows: dict[tuple[str, ...], list[int]] = {}
        """The rows that were asked for, by the names of their elements."""

    def _take_strings(self) -> None:
        """The one loop that sees every text of a page: calls are few in it."""
        tags, parents, strings = self.tags, self.parents, self.strings
        texts = [element.text for element in self.elements]
        tails = [element.tail for element in self.elements]
        inner, between, behind = -1, "", 0
        for row, (tag, parent, text) in enumerate(
            zip((*tags, ""), (*parents, -1), (*texts, None), strict=True)
        ):
            if row < behind:  # in what nobody sees
                self._begins[row] = self._stops[row] = len(strings)
                continue
            while inner != parent:  # what ends before this one begins
                self._stops[inner] = len(strings)
                if tags[inner] in BREAKS:
                    between = LINE
                tail, inner = tails[inner], parents[inner]
                if tail and inner >= 0:
                    is_blank = tail.isspace()  # most are
                    between = (between or " ") if is_blank else self._take(inner, tail, between)
            if row == len(tags):
                break
            inner = row
            self._begins[row] = len(strings)
            if tag in UNSEEN:
                behind = self.ends[row]
                self._unseen.update(range(row, behind))
                continue
            if tag in BREAKS:
                between = LINE
            if text:
                between = self._take(row, text, between)

    def _take(self, owner: int, text: str, between: str) -> str:
        """Take a text, with what parts it from the one before; return what parts it from the next one."""
        if text.isspace():
            return between or " "
        if between:
            self.strings.append(between)
            self.owners.append(owner)
        self.strings.append(text)
        self.owners.append(owner)
        return ""

    def rows(self, *tags: str) -> list[int]:
        """Return the rows of all elements of these names, in order."""
        if tags not in self._rows:
            self._rows[tags] = sorted(chain.from_iterable(self._by_tag.get(tag, ()) for tag in tags))
        return self._rows[tags]

    @property
    def custom_tags(self) -> list[str]:
        """The names of elements that only scripts know: they have a hyphen."""
        return [tag for tag in self._by_tag if "-" in tag]

    def named(self, *tags: str) -> Iterator[Element]:
        """Give all elements of these names, in order."""
        return (self.elements[row] for row in self.rows(*tags))

    def rows_in(self, row: int, *tags: str) -> list[int]:
        """Return the rows of the elements of these names that are in an element."""
        rows = self.rows(*tags)
        return rows[bisect_right(rows, row) : bisect_left(rows, self.ends[row])]

    def seen_in(self, row: int) -> list[int]:
        """The rows of all elements in an element that a reader may see."""
        return [inner for inner in range(row + 1, self.ends[row]) if inner not in self._unseen]

    def linked_in(self, row: int) -> set[int]:
        """The rows of the links in an element, itself too, and of all in them."""
        linked = set[int]()
        for inner in range(row, self.ends[row]):
            if self.tags[inner] == "a" or self.parents[inner] in linked:
                linked.add(inner)
        return linked

    def attribute(self, name: str) -> list[str | None]:
        """Return what each element has written in it, by rows."""
        if name not in self._written:
            self._written[name] = [element.get(name) for element in self.elements]
        return self._written[name]

    def around(self, row: int) -> Iterator[int]:
        """The rows of the elements around it, the nearest first."""
        row = self.parents[row]
        while row >= 0:
            yield row
            row = self.parents[row]

    def length(self, row: int) -> int:
        """Characters of its text, without the white space around each string."""
        return self._lengths[self._stops[row]] - self._lengths[self._begins[row]]

    def strings_in(self, row: int) -> range:
        """Return where its strings stand."""
        return range(self._begins[row], self._stops[row])

    def begins_at(self, row: int) -> int:
        """Characters of the text before it."""
        return self._lengths[self._begins[row]]

    def text(self, row: int) -> str:
        """Return the text of an element, as `element_text` has it."""
        if row in self._unseen:  # seen only by those who ask for it
            return element_text(self.elements[row])
        return "".join(self.strings[self._begins[row] : self._stops[row]])

    def short_text(self, row: int, longest: int) -> str | None:
        """Return the text of an element, white space normalised; None where it is longer than that."""
        if row in self._unseen:
            return short_text(self.elements[row], longest)
        if self.length(row) > longest:
            return None
        text = squeeze(self.text(row))
        return text if len(text) <= longest else None

    def label(self, row: int, longest: int) -> str:
        """Return the text of an element, with white space normalised; empty where it is longer than that."""
        return self.short_text(row, longest) or ""


def relations(link: Element) -> list[str]:
    """Return what a link says in its `rel`."""
    return (link.get("rel") or "").lower().split()


# --- JSON-LD, and other JSON in pages, read as leniently as it is written ---

Object = Mapping[str, Any]

_LENIENT = json.JSONDecoder(strict=False)
"""Takes raw line breaks and tabs inside texts."""
_HALF_A_CHARACTER = linear(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
"""One surrogate of a pair without the other: the rest where a text was cut within an emoji."""
_OPENING_MARKS = linear(r"[\s\ufeff]*(?:(?://|/\*)?\s*(?:<!\[CDATA\[|<!--)\s*(?:\*/)?\s*)?")
"""The marks that hide a script from readers of XML, or from old ones of HTML."""


_COMMENT_OR_COMMA = linear(r"/\*|(?<![:/])//|<!--|,\s*[\]}]")
"""Comments, and a comma behind the last value."""
_COMMENT_BEFORE = linear(r"^\s*(?://.*|<!--.*-->)")
"""A line of comment before the data."""


def _with_comments(script: Element) -> list[Any]:
    """Read JSON that has raw line breaks, comments or a comma too many; return nothing where that does not
    help."""
    text = script.text or ""
    if len(text) > 200_000 or _HALF_A_CHARACTER.search(text):
        return []
    with suppress(ValueError, RecursionError):
        return _values_of(_LENIENT.decode(text.strip()))
    if _COMMENT_OR_COMMA.search(text) is None:
        return []
    try:
        return _values_of(_LENIENT.decode(dispose(_COMMENT_BEFORE.sub("", text)).strip()))
    except (
        ValueError,
        RecursionError,
        IndexError,
    ):  # the last of these where a bracket is closed before any text
        return []


def _values_of(value: Any) -> list[Any]:
    """Return the values of a list, or the one object."""
    return list(filter(None, value if isinstance(value, list) else [value]))


def addresses(thing: Object) -> list[str]:
    """Return the addresses of the page that an object is about, as the object says."""
    page = thing.get("mainEntityOfPage")
    about = (page.get("@id"), page.get("url")) if isinstance(page, dict) else (page,)
    return [value for value in (thing.get("url"), thing.get("@id"), *about) if isinstance(value, str)]


def type_names(thing: Object) -> tuple[str, ...]:
    """The types of an object, without the vocabulary's address."""
    types = thing.get("@type")
    return tuple(
        local_name(name) for name in (types if isinstance(types, list) else [types]) if isinstance(name, str)
    )


def local_name(name: str) -> str:
    """Return a name without its vocabulary: `https://schema.org/NewsArticle`, `schema:NewsArticle` ->
    `NewsArticle`."""
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2].strip()


def whole_json(text: str) -> Any:
    """The value that a text is, with what servers write all the same: NaN, control characters, half an emoji.
    Raises ValueError."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as problem:
        try:
            return _LENIENT.decode(_HALF_A_CHARACTER.sub(r"\\ufffd", text))
        except (ValueError, RecursionError):
            raise problem from None


def read_json(text: str) -> list[Any]:
    """The JSON values at the start of a text, whatever stands behind them; none where the first one is
    broken."""
    text = _OPENING_MARKS.sub("", text, count=1).rstrip("\ufeff \t\r\n")
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError:
        text = _HALF_A_CHARACTER.sub(r"\\ufffd", text)
    values: list[Any] = []
    position = 0
    while position < len(text):
        try:
            value, position = _LENIENT.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        values.append(value)
        while position < len(text) and text[position] in " \t\r\n,;":
            position += 1
    return values
