"""What happens in a crawl, as events: each is stored in the WARC first and then applied to the ledger.

The ledger is nothing but these events applied in the order of `seq`; that is why it can be made again from the WARCs
without the portal's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypedDict

from webarticlecurator.errors import CorpusError
from webarticlecurator.model.links import Fields


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
    at: str
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvent(Event):
    """An archive page was read, or could not be."""

    kind: ClassVar[str] = "archive-page"
    walk: int
    column: str
    interval: str | None
    mode: str
    index: int
    page: str
    url: str
    request: str
    """Key of the request: method, URL, digest of the body."""
    outcome: str
    result: str
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
    refused: tuple[tuple[str, str], ...] = ()
    """URL, reason."""
    via: str | None = None
    """The archive page that led here."""
    rules: str = ""
    """Digest of the column's archive rules."""
    lookalikes: tuple[tuple[str, str, bool, bool], ...] = ()
    """Links like the picked ones that no rule took and that nobody knew yet: URL, selector, whether in their list, whether in a box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkEndEvent(Event):
    kind: ClassVar[str] = "walk-end"
    walk: int
    column: str
    interval: str | None
    end: str
    reason: str
    proves: int | None = None
    whole: bool = False
    ground: str | None = None
    """What a proof leans on."""
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
    request: str
    part: int
    """1 for the first page of the article."""
    again: bool = False
    """The article had been fetched before and was asked for once more (--recheck): its outcome stays."""
    outcome: str
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
class HopEvent(Event):
    """A redirect or a failed attempt on the way to an answer."""

    kind: ClassVar[str] = "hop"
    of: str
    """The URL that was asked for first."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsEvent(Event):
    """robots.txt or tdmrep.json of a host, as of the day."""

    kind: ClassVar[str] = "rights"
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedEvent(Event):
    """A streak of refusals was recognised: these URLs are not failed but blocked."""

    kind: ClassVar[str] = "blocked"
    urls: tuple[str, ...]
    reason: str


_KINDS: dict[str, type[Event]] = {
    one.kind: one for one in (PageEvent, WalkEndEvent, UnprovedEvent, DriftEvent, ArticleEvent, HopEvent, RightsEvent, BlockedEvent)
}

_DEFAULTS = {kind: tuple((one.name, one.default) for one in fields(event)) for kind, event in _KINDS.items()}


def encode(event: Event) -> dict[str, Any]:
    """As JSON for the store; what has its default is left out."""
    values = ((name, getattr(event, name), default) for name, default in _DEFAULTS[event.kind])
    return {"kind": event.kind, **{name: value for name, value, default in values if value != default}}


def decode(stored: Mapping[str, Any]) -> Event:
    """Back from JSON; a kind that this program does not know is an error, not a gap."""
    kind = _KINDS.get(str(stored.get("kind")))
    if kind is None:
        raise CorpusError(
            f"The WARC holds an event of kind {stored.get('kind')!r}, which this version of curator does not know; use a newer one."
        )
    names = {one.name for one in fields(kind)}
    try:
        return kind(**{name: _tuples(value) for name, value in stored.items() if name in names})
    except TypeError as error:
        raise CorpusError(f"An event of kind {kind.kind} in the WARC is not complete: {error}.") from error


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_tuples(one) for one in value)
    if isinstance(value, dict):
        return {name: _tuples(one) for name, one in value.items()}
    return value
