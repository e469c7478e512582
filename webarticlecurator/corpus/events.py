"""Events of a crawl, and their words: each is stored in the WARC first and then applied to the ledger. The
ledger is nothing but these events applied in the order of `seq`; that is why it can be made again from the
WARCs without the portal's rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert

from webarticlecurator.corpus.intervals import interval_start
from webarticlecurator.dates import in_reach
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import RequisiteKind, url_of_key
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.warc.stored import LOADED, REQUISITE, StoredExchange

Number = Annotated[int, Meta(ge=0, le=2**53)]
"""Whole numbers beyond it are not the same in every program that reads JSON."""
NO_SPAN = 0
"""The span of a page that belongs to none; spans are numbered from 1."""


class PageResult(StrEnum):
    """The result of an archive page for its walk."""

    LINKS = "links"
    EMPTY = "empty"
    REPEATED = "repeated"
    FAILED = "failed"
    LISTS_MORE = "lists more"
    """It stands beside the list, no rule names it, and it lists what the list has not."""
    BESIDE = "beside"
    """It stands beside the list, and lists nothing that the list has not."""


class EndKind(StrEnum):
    """The worth of a walk's end."""

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


PROVED_ENDS = (EndKind.PROVED, EndKind.KNOWN)
"""By which nothing is left to be walked."""


class FormState(StrEnum):
    """State what the addresses of one form are: articles that no list names, other pages, not asked for yet,
    or left to the next crawl."""

    ARTICLES = "articles"
    """One that was asked for is an article: a gap."""
    OTHERS = "others"
    """No address that was asked for is an article."""
    UNASKED = "unasked"
    """Nobody has asked yet."""
    LEFT = "left"
    """Nobody has asked yet, since the crawl had asked for as much as it may: the next one asks."""


class ProofGround(StrEnum):
    """The ground that a proof stands on."""

    ONLY_PAGE = "the only page"
    BY_WORD = "your word, `pages: none`, though the page links further ones"
    NO_NEXT = "a page without a next link"
    EMPTY = "an empty page"
    REPEATED = "a repeated page"
    SECOND_REPEATS_FIRST = "a second page that repeats the first"
    LAST_NUMBER = "the last page of the pager"
    LAST_VALUE = "the last of the named pages, which is empty"
    LAST_NAME = "the last of the pages that have names"
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
        """True if it proves only that all was read that somebody chose to list."""
        return self in (
            ProofGround.BY_WORD,
            ProofGround.FEED_PAGES,
            ProofGround.FEED_ALONE,
            ProofGround.SITEMAP,
        )


@dataclass(frozen=True, slots=True)
class ArchivePlace:
    """An archive page's place in its walk."""

    index: int
    """Counts the pages from 0; between two runs only a first guess, since new articles push everything
    down."""
    page: str
    """The value of `{page}`; empty in mode next-link."""
    url: str


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """An event of a crawl, as WARC files keep it and the ledger adds it up."""

    seq: Number
    """Counts all events of a corpus: their order over all files."""
    run: Number
    """Counts the crawls of a corpus."""
    at: str
    """UTC, ISO 8601."""

    def __post_init__(self) -> None:
        for name, check in _CHECKS.items():
            value = getattr(self, name, None)
            if value is not None:
                try:
                    check(value)
                except (ValueError, LookupError) as error:
                    raise ValueError(f"`{name}`: {error}") from error


def _moment(text: str) -> None:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("no time zone")
    if not in_reach(moment):
        raise ValueError(f"no clock reckons with the year {moment.year}")


_CHECKS: Mapping[str, Callable[[str], object]] = {
    "at": _moment,
    "interval": interval_start,
    "request": url_of_key,
}
"""Field of an event -> the check of its value beyond its type: the events of a file may have been written by
anybody."""


class PageEvent(Event, frozen=True, kw_only=True, tag="archive-page"):
    """An archive page was read, or could not be."""

    walk: Number
    column: str
    interval: str | None
    mode: str
    index: Number
    page: str
    url: str
    request: str
    """Its key: method, URL, digest of the body."""
    outcome: FetchOutcome
    result: PageResult
    reason: str
    span: Number
    covers: bool
    bottom: tuple[Number, str, str] | None = None
    """Index, page and URL of the place that the span now reaches down to."""
    bottom_links: tuple[str, ...] = ()
    joined: tuple[Number, ...] = ()
    more: bool = False
    """The page told of a following one: a next link, or the last page's number."""
    links: tuple[tuple[str, str | None, Fields], ...] = ()
    """URL, identity (None: the URL itself), listing fields."""
    sections: tuple[str, ...] = ()
    """Further parts of the archive that it leads to."""
    before: Number = 0
    """Links of the same page that stand in events before this one."""
    refused: tuple[tuple[str, str], ...] = ()
    """URL, reason."""
    whole: bool = False
    """A sitemap that lists articles, and all of them were taken in."""
    via: str | None = None
    """The archive page that led here."""
    rules: str = ""
    """Digest of the column's archive rules."""
    field_rules: str | None = None
    """The rules by which listing fields are read, each with a digest; None: those of the event of the column
    before this one."""
    lookalikes: tuple[tuple[str, str, bool, bool], ...] = ()
    """Links like the picked ones that no rule took and that nobody knew yet: URL, selector, whether in their
    list, whether in a box."""


class LinksEvent(Event, frozen=True, kw_only=True, tag="archive-links"):
    """Some of the links of a sitemap that is told of when all of it is read: a long one is taken in by
    parts."""

    walk: Number
    column: str
    interval: str | None
    url: str
    rules: str
    links: tuple[tuple[str, str | None, Fields], ...]
    """As in `PageEvent`, and so are these:"""
    refused: tuple[tuple[str, str], ...] = ()
    via: str | None = None
    field_rules: str | None = None


class WalkEndEvent(Event, frozen=True, kw_only=True, tag="walk-end"):
    """A walk ended, with what that is worth."""

    walk: Number
    column: str
    interval: str | None
    end: EndKind
    reason: str
    proves: Number | None = None
    whole: bool = False
    ground: ProofGround | None = None
    last: str | None = None
    """The page that the end was found on."""
    last_links: Number = 0
    """Article links there."""


class UnprovedEvent(Event, frozen=True, kw_only=True, tag="unproved"):
    """Walks ended as if at an end, but the rules never found what they look for: nothing is proved."""

    columns: tuple[str, ...]
    reason: str


class DriftEvent(Event, frozen=True, kw_only=True, tag="drift"):
    """Successive dates gave nothing where there must be something: none of their walks proves anything."""

    walks: tuple[Number, ...]
    reason: str


class ArticleEvent(Event, frozen=True, kw_only=True, tag="article"):
    """A page of an article was asked for, or a verdict was reached without asking."""

    url: str
    """The article's."""
    identity: str | None = None
    """Given where no archive page listed it (imported); None: see the listing, else the URL itself."""
    asked: str
    """The URL of the page of the article that was asked for."""
    request: str
    part: Number
    """1 for the first page of the article."""
    again: bool = False
    """The article had been fetched before and was asked for once more (--recheck): its outcome stays."""
    outcome: FetchOutcome
    reason: str
    next: str | None = None
    """The article's next page."""
    whole_post: bool = False
    """Nobody was asked: all of it stands on the index page `via`."""
    saw: PageOutcome | None = None
    """The outcome of a page that the crawl saw to be no readable article; `page` says why."""
    page: str | None = None
    another: bool = False
    """The page that `articles.next` led to is of another article: it is stored, and no page of this one."""
    unfollowed: str | None = None
    """Why the article ends here, though `articles.next` leads on, or its page shows further ones: in
    words."""
    goes_on: str | None = None
    """The sign of further pages that no rule follows."""
    no_page: str | None = None
    """The address that `articles.next` leads to, and that is no page of the article."""
    led_by: str | None = None
    """The rule by which it was led there, as it was then."""
    rights: Mapping[str, str] | None = None
    """Rights of use, as robots.txt, headers and meta tags state them."""
    via: str | None = None
    """The archive page that listed it first."""
    source: str | None = None
    """The address at which a web archive gave it, in place of the portal."""


class JoinedEvent(Event, frozen=True, kw_only=True, tag="joined"):
    """Imported pages that had counted as articles turned out to be pages of one."""

    url: str
    """The article's: that of its first page which is there."""
    pages: tuple[str, ...]
    """The pages that are there, in their order, the first one too."""
    whole: Number
    """How many of them there are up to the first gap."""
    next: str | None = None
    """The address that the page before that gap leads to, or the last one: it is not there."""


class HopEvent(Event, frozen=True, kw_only=True, tag="hop"):
    """A redirect or a failed attempt on the way to an answer."""

    of: str
    """The URL that was asked for first."""
    reason: str


class LoadedEvent(Event, frozen=True, kw_only=True, tag=LOADED):
    """An answer that a page loaded in the browser that showed it."""

    of: str
    """The page's URL, as it was asked for."""
    request: str
    reason: str


class RightsEvent(Event, frozen=True, kw_only=True, tag="rights"):
    """robots.txt or tdmrep.json of a host, as of the day."""

    url: str


class NamedEvent(Event, frozen=True, kw_only=True, tag="requisites-named"):
    """Stored pages of articles, or stored style sheets, were looked through for the files that they need to
    look as they did."""

    records: tuple[str, ...]
    """The records that were read."""
    kinds: tuple[str, ...]
    """The kinds of files that were looked for."""
    depth: Number = 0
    """0 for pages; of style sheets, how many steps lie between a page and them."""
    names: tuple[tuple[str, RequisiteKind], ...] = ()
    """URL and kind of those that nothing had named before."""


class RequisiteEvent(Event, frozen=True, kw_only=True, tag=REQUISITE):
    """A style sheet, a picture or a font of pages was asked for."""

    url: str
    request: str
    needed_as: RequisiteKind
    depth: Number
    outcome: FetchOutcome
    reason: str


class LookedAtEvent(Event, frozen=True, kw_only=True, tag="looked-at"):
    """A page was looked at before there were rules: what it is nobody says, and no walk and no article counts
    it."""

    url: str
    request: str
    outcome: FetchOutcome
    reason: str


StoredForm = tuple[str, Number, FormState, tuple[tuple[str, str, Number], ...]]
"""Form, how many addresses have it, what they are; and of some the URL, where it was seen first, and on how
many pages of articles."""


class SeenEvent(Event, frozen=True, kw_only=True, tag="seen"):
    """Addresses are written like those of articles, and no list names them: all that are known at the end of
    a crawl."""

    pages: Number
    """Pages of articles so far of which the links were looked at."""
    forms: tuple[StoredForm, ...] = ()


class BlockedEvent(Event, frozen=True, kw_only=True, tag="blocked"):
    """A streak of refusals was recognised: these URLs are not failed but blocked."""

    urls: tuple[str, ...]
    reason: str
    again: bool = False
    """They had been fetched before and were asked for once more (--recheck): what is stored of them stays."""


class LostEvent(Event, frozen=True, kw_only=True, tag="lost"):
    """Events that were stored are there no more: their file is missing, cut short or damaged."""

    file: str | None
    """The file of the store that held them, where that is known."""
    first: Number
    last: Number
    """The lost ones are among those with these numbers."""
    known: Number = 0
    """Bytes that the file had."""
    size: Number = 0
    """Bytes that are left of it."""
    kept: Number = 0
    """Bytes of `size` up to the end of the last whole exchange."""
    articles: tuple[tuple[Any, ...], ...] = ()
    """Articles to be asked for again: URL, identity (None: the URL itself), archive page that listed it."""
    archive_pages: Number = 0
    archive: bool = True
    """Archive pages may be among them: nothing is proved any more."""


KINDS = {str(kind.__struct_config__.tag): kind for kind in Event.__subclasses__()}


def decode(stored: StoredExchange) -> Event:
    """Back from JSON. A kind that this program does not know is an error, not a gap; so is a field that is
    not what it must be."""
    kind = stored.event.get("kind")
    reason = f"this version of curator does not know events of kind {kind!r:.40}; use a newer one"
    if isinstance(kind, str) and kind in KINDS:
        try:
            return convert(stored.event, KINDS[kind])
        except ValidationError as error:
            reason = f"the {kind} event cannot be right ({error!s:.160})"
    where = f"{stored.location.file}: byte {stored.location.offset}"
    raise CorpusError(f"{where}: {reason}. If the file is not one of this corpus, move it out of its folder.")
