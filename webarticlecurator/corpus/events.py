"""What happens in a crawl, as events, and their words: each is stored in the WARC first and then applied to the ledger.

The ledger is nothing but these events applied in the order of `seq`; that is why it can be made again from the WARCs
without the portal's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, ClassVar, TypedDict, Union, get_args, get_origin, get_type_hints

from webarticlecurator.corpus.intervals import interval_start
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import url_of_key
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.warc.stored import LOADED, Stored


def _moment(text: str) -> None:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("no time zone")


# What a field holds beyond its type, for whoever reads the events of a file that somebody else may have written.
Moment = Annotated[str, _moment]
"""UTC, ISO 8601."""
IntervalName = Annotated[str, interval_start]
"""As `Interval.name`."""
Outcome = Annotated[str, FetchOutcome]
RequestKey = Annotated[str, url_of_key]
"""Of the request: method, URL, digest of the body."""


NO_SPAN = 0
"""The span of a page that belongs to none; spans are numbered from 1."""


SITEMAP_READ = "read to its end"
"""The reason beside the result of a sitemap that lists articles, and all of them were taken in."""


class PageResult(StrEnum):
    """What an archive page was to its walk."""

    LINKS = "links"
    EMPTY = "empty"
    REPEATED = "repeated"
    FAILED = "failed"


class EndKind(StrEnum):
    """What the end of a walk is worth."""

    PROVED = "proved"
    """The archive ends here."""
    KNOWN = "known"
    """Here begins what is proved already."""
    LIMIT = "limit"
    """A rule or a bound said stop."""
    FAILED = "failed"
    """Archive pages could not be read: the walk is open there."""
    DRIFT = "drift"
    """A page has no links where there must be some: the layout seems to have changed."""
    UNPROVED = "unproved"
    """It looks like an end, and something on the pages speaks against it."""
    INTERRUPTED = "interrupted"
    IMPORTED = "imported"
    """Pages out of other programs' files: no walk of ours."""


class ProofGround(StrEnum):
    """What a proof leans on."""

    ONLY_PAGE = "the only page"
    BY_WORD = "your word, `pages: none`, though the page links further ones"
    NO_NEXT = "a page without a next link"
    EMPTY = "an empty page"
    REPEATED = "a repeated page"
    SECOND_REPEATS_FIRST = "a second page that repeats the first"
    LAST_NUMBER = "the last page of the pager"
    LAST_VALUE = "the last of the named pages, which is empty"
    NO_PAGER = "a page without a pager"
    STOP_RULE = "a stop rule"
    KNOWN = "ground that was proved before"
    GROWN = "a page in a browser that grows no more"
    GROWN_TO_TOTAL = "a page in a browser that grew to as many articles as it states"
    FEED_TOTAL = "a feed that gave as many entries as it states"
    FEED_COMPLETE = "a feed that says that it is complete"
    FEED_PAGES = "the last page of a feed: read to its end, which need not be the portal's"
    FEED_ALONE = "a feed without further pages: read, and it may list only the newest articles"
    SITEMAP = "a sitemap read to its end, which need not list all that the portal has"

    @property
    def says_only_read(self) -> bool:
        """Whether it proves only that all was read that somebody chose to list."""
        return self in (ProofGround.BY_WORD, ProofGround.FEED_PAGES, ProofGround.FEED_ALONE, ProofGround.SITEMAP)


@dataclass(frozen=True, slots=True)
class ArchivePlace:
    """An archive page's place in its walk."""

    index: int
    """Counts the pages from 0; between two runs only a first guess, since new articles push everything down."""
    page: str
    """The value of `{page}`; empty in mode next-link."""
    url: str


class Stamp(TypedDict):
    """What every event begins with."""

    seq: int
    run: int
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    kind: ClassVar[str]
    seq: int
    """Counts all events of a corpus: their order over all files."""
    run: int
    """Counts the crawls of a corpus."""
    at: Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvent(Event):
    """An archive page was read, or could not be."""

    kind: ClassVar[str] = "archive-page"
    walk: int
    column: str
    interval: IntervalName | None
    mode: str
    index: int
    page: str
    url: str
    request: RequestKey
    outcome: Outcome
    result: str
    """A `PageResult`."""
    reason: str
    span: int
    covers: bool
    bottom: tuple[int, str, str] | None = None
    """Index, page and URL of the place that the span now reaches down to."""
    bottom_links: tuple[str, ...] = ()
    joined: tuple[int, ...] = ()
    more: bool = False
    """The page told of a following one: a next link, or the last page's number."""
    links: tuple[tuple[str, str | None, Fields], ...] = ()
    """URL, identity (None: the URL itself), listing fields."""
    sections: tuple[str, ...] = ()
    """Further parts of the archive that it leads to."""
    before: int = 0
    """Links of the same page that stand in events before this one."""
    refused: tuple[tuple[str, str], ...] = ()
    """URL, reason."""
    via: str | None = None
    """The archive page that led here."""
    rules: str = ""
    """Digest of the column's archive rules."""
    field_rules: str | None = None
    """The rules by which listing fields are read, each with a digest; None: those of the event of the column before this one."""
    lookalikes: tuple[tuple[str, str, bool, bool], ...] = ()
    """Links like the picked ones that no rule took and that nobody knew yet: URL, selector, whether in their list, whether in a box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksEvent(Event):
    """Some of the links of a sitemap that is told of when all of it is read: a long one is taken in by parts."""

    kind: ClassVar[str] = "archive-links"
    walk: int
    column: str
    interval: IntervalName | None
    url: str
    rules: str
    links: tuple[tuple[str, str | None, Fields], ...]
    """As in `PageEvent`, and so are these:"""
    refused: tuple[tuple[str, str], ...] = ()
    via: str | None = None
    field_rules: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkEndEvent(Event):
    kind: ClassVar[str] = "walk-end"
    walk: int
    column: str
    interval: IntervalName | None
    end: str
    """An `EndKind`."""
    reason: str
    proves: int | None = None
    whole: bool = False
    ground: str | None = None
    """A `ProofGround`."""
    last: str | None = None
    """The page that the end was found on."""
    last_links: int = 0
    """Article links there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnprovedEvent(Event):
    """Walks ended as if at an end, but the rules never found what they look for: nothing is proved."""

    kind: ClassVar[str] = "unproved"
    columns: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftEvent(Event):
    """Successive dates gave nothing where there must be something: none of their walks proves anything."""

    kind: ClassVar[str] = "drift"
    walks: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleEvent(Event):
    """A page of an article was asked for, or a verdict was reached without asking."""

    kind: ClassVar[str] = "article"
    url: str
    """The article's."""
    identity: str | None = None
    """Given where no archive page listed it (imported); None: see the listing, else the URL itself."""
    asked: str
    """The URL of the page of the article that was asked for."""
    request: RequestKey
    part: int
    """1 for the first page of the article."""
    again: bool = False
    """The article had been fetched before and was asked for once more (--recheck): its outcome stays."""
    outcome: Outcome
    reason: str
    next: str | None = None
    """The article's next page."""
    page: str | None = None
    """What the crawl saw the page to be, where it is no article."""
    another: bool = False
    """The page that `articles.next` led to is of another article: it is stored, and no page of this one."""
    unfollowed: str | None = None
    """Why the article ends here, though `articles.next` leads on: for a person to look at."""
    rights: Mapping[str, str] | None = None
    """What robots.txt, headers and meta tags say of use."""
    via: str | None = None
    """The archive page that listed it first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedEvent(Event):
    """Imported pages that had counted as articles turned out to be pages of one."""

    kind: ClassVar[str] = "joined"
    url: str
    """The article's: that of its first page which is there."""
    pages: tuple[str, ...]
    """All that are there, in their order, the first one too."""
    whole: int
    """How many of them there are up to the first gap."""
    next: str | None = None
    """Where the page before that gap leads, or the last one: it is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HopEvent(Event):
    """A redirect or a failed attempt on the way to an answer."""

    kind: ClassVar[str] = "hop"
    of: str
    """The URL that was asked for first."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedEvent(Event):
    """What a page loaded in the browser that showed it."""

    kind: ClassVar[str] = LOADED
    of: str
    """The page's URL, as it was asked for."""
    request: RequestKey
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsEvent(Event):
    """robots.txt or tdmrep.json of a host, as of the day."""

    kind: ClassVar[str] = "rights"
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAtEvent(Event):
    """A page was looked at before there were rules: what it is nobody says, and no walk and no article counts it."""

    kind: ClassVar[str] = "looked-at"
    url: str
    request: RequestKey
    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedEvent(Event):
    """A streak of refusals was recognised: these URLs are not failed but blocked."""

    kind: ClassVar[str] = "blocked"
    urls: tuple[str, ...]
    reason: str
    again: bool = False
    """They had been fetched before and were asked for once more (--recheck): what is stored of them stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostEvent(Event):
    """Events that were stored are there no more: their file is missing, cut short or damaged."""

    kind: ClassVar[str] = "lost"
    file: str | None
    """The file of the store that held them, where that is known."""
    first: int
    last: int
    """The lost ones are among those with these numbers."""
    known: int = 0
    """Bytes that the file had."""
    size: int = 0
    """Bytes that are left of it."""
    kept: int = 0
    """Of these, up to the end of its last whole exchange."""
    articles: tuple[tuple[str, str | None, str | None, int, str | None], ...] = ()
    """Those to be asked for again: URL, identity (None: the URL itself), archive page that listed it, how many pages from the first on
    are still there, URL of the page after these (None: the first)."""
    archive_pages: int = 0
    stretches: tuple[tuple[str, IntervalName | None], ...] = ()
    """Column and interval that archive pages are lost of: to be walked again."""
    more: bool = False
    """The next event goes on with the same file."""


_KINDS: dict[str, type[Event]] = {
    one.kind: one
    for one in (
        PageEvent,
        LinksEvent,
        WalkEndEvent,
        UnprovedEvent,
        DriftEvent,
        ArticleEvent,
        JoinedEvent,
        HopEvent,
        LoadedEvent,
        RightsEvent,
        LookedAtEvent,
        BlockedEvent,
        LostEvent,
    )
}


MOST = 2**53
"""Whole numbers beyond it are not the same in every program that reads JSON."""
_WANTED = {int: "no whole number from 0 on", str: "no text", bool: "neither true nor false"}


def _taken_apart(hint: Any) -> Any:
    """A type with parameters as (type, parameters), once for all values that are read; another type, a check or `...` as it is."""
    origin = get_origin(hint)
    return hint if origin is None else (origin, tuple(map(_taken_apart, get_args(hint))))


def _read(hint: Any, value: Any) -> Any:
    """JSON as the type that a field declares (taken apart), with tuples for lists; a file may have been written by anybody.

    For `int`, `str`, `bool`, tuples and mappings of such, `X | None`, and `Annotated[X, check]`. Raises ValueError, TypeError or
    LookupError where the value does not fit; a check may do so too.
    """
    if type(hint) is not tuple:
        if type(value) is not hint or (hint is int and not 0 <= value <= MOST):  # a bool is an int to isinstance
            raise ValueError(_WANTED[hint])
        return value
    origin, inner = hint
    if origin is Annotated:
        inner[1](_read(inner[0], value))
        return value
    if origin is UnionType or origin is Union:
        return None if value is None else _read(inner[0], value)
    if origin is Mapping:
        if type(value) is not dict:
            raise ValueError("no object")
        return {name: _read(inner[1], one) for name, one in value.items()}
    if type(value) is not list:
        raise ValueError("no list")
    hints = [inner[0]] * len(value) if inner[1] is Ellipsis else inner
    if len(value) != len(hints):
        raise ValueError(f"no list of {len(hints)}")
    return tuple(map(_read, hints, value))


def _fields_of(kind: type[Event]) -> tuple[tuple[str, Any, bool], ...]:
    """Of each field: its name, its type, and whether it must be there."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((one.name, _taken_apart(hints[one.name]), one.default is MISSING) for one in fields(kind))


_FIELDS = {kind: _fields_of(kind) for kind in _KINDS.values()}
_DEFAULTS = {kind: tuple((one.name, one.default) for one in fields(event)) for kind, event in _KINDS.items()}


def encode(event: Event) -> dict[str, Any]:
    """As JSON for the store; what has its default is left out."""
    values = ((name, getattr(event, name), default) for name, default in _DEFAULTS[event.kind])
    return {"kind": event.kind, **{name: value for name, value, default in values if value != default}}


def decode(stored: Stored) -> Event:
    """Back from JSON. A kind that this program does not know is an error, not a gap; so is a field that is not what it must be."""
    name = stored.event.get("kind")
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise _refusal(stored, f"this version of curator does not know events of kind {name!r:.40}; use a newer one")
    values: dict[str, Any] = {}
    for name, hint, required in _FIELDS[kind]:
        if name in stored.event:
            try:
                values[name] = _read(hint, stored.event[name])
            except (ValueError, TypeError, LookupError) as error:
                raise _refusal(stored, f"the {kind.kind} event has a `{name}` that cannot be right ({error!s:.80})") from error
        elif required:
            raise _refusal(stored, f"the {kind.kind} event lacks its `{name}`")
    return kind(**values)


def _refusal(stored: Stored, what: str) -> CorpusError:
    where = f"{stored.location.file}: byte {stored.location.offset}"
    return CorpusError(f"{where}: {what}. If the file is not one of this corpus, move it out of its folder.")
