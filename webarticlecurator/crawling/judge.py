"""What the end of a walk is worth, and why a column is not proved: here what seemed to be an end is believed or not.

What is said, by whom, and where its facts are made:

    "...; but the link '3' on ..."          `Signs.unasked`         which links may be a pager's: `extraction/pager_signs.py`
    "...; but the first page says ..."      `Signs.beyond`          which texts are counts: `extraction/stated_counts.py`
    "...; but it has 'Load more': ..."      `Signs.beyond`          what only scripts bring: `extraction/more_by_script.py`
    "...; but URL, which comes before ..."  `walk.py`               the place above the first, asked for before the first proof
    "..., and the walk went on with ..."    `Signs.take`            which addresses differ by a number alone: `urls.py`
    "...; but URL has N of what `item` ..." `walk.py`               pages of which the rule for links takes nothing
    "...; but the stored copy of ..."       `Signs.take_copy`       two stored pages that need not adjoin
    "... could not be read, nor ..."        `judge`                 pages that `walk.py` has stepped over
    "no page on the way had a link ..."     `judge`                 spans of earlier walks: `corpus/ledger_walks.py`
    what is said of sitemaps                `judge_sitemaps`        files and bounds: `sitemap_tree.py`
    what is said of dates                   `alike_dates`           first pages of walks: `corpus/ledger_walks.py`
    "... dates in a row ..."                `column_walks.py`       links of walks: the same
    what is said of whole columns           `column_contradictions` all walks of a column: the same
    what articles lead to, and no list      `crawler.py`            ten articles of the column, as they are stored

What stands before "; but" is the end that the way of paging found (`paging.py`), and is believed where nothing follows. A link that was
not asked for goes before a count. Ends that prove nothing by themselves (a page that failed, a bound that was reached, a page without
links where there must be some) are told by `walk.py` and `paging.py`, and stay what they are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Column, PagingMode
from webarticlecurator.corpus.events import PROVED_ENDS, ArchivePlace, EndKind, ProofGround
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_walks import EarlierWalks, first_pages, links_by_interval, listed_anything, same_first_pages
from webarticlecurator.databases import Row
from webarticlecurator.model.links import (
    IN_HEAD,
    WITHOUT_WORDS,
    ArchivePage,
    ArticleLink,
    PagerLink,
    Stated,
    by_script_in_words,
    would_take,
)
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import normalise, pages_apart

if TYPE_CHECKING:
    from webarticlecurator.crawling.sitemap_tree import SitemapTree
    from webarticlecurator.crawling.walk import Walk

ENOUGH_INTERVALS = 3
"""Successive date intervals that list the same before the part of the address that should part them is thought to do nothing."""
_NOT_MEANT_TO_GO_ON = (ProofGround.STOP_RULE, ProofGround.KNOWN)
"""What the pages cannot contradict."""
_NAMED = 10
_ENOUGH_ALIKE, _NOTABLY_FEWER = 8, 0.7
"""Pages of one size; share of its links that a page has which may be a part."""
_MOST_LINKS = 2_000
"""Links of pagers that are kept in mind at a time."""
_INDEX = linear(r"/index\.\w{2,5}$")
"""Stands for `/`."""
_EXTENSION = linear(r"\.\w{2,5}$|/$")
_AS_MANY = linear(r"[?&][^=&?]*(?:limit|size|count|rows|per_?page|take|top|results|hits|num)=(\d+)(?=&|$)", re.IGNORECASE)
"""How many an address asks for; and how many servers give at most, whatever that is."""
_OFTEN_A_BOUND = (10, 20, 25, 50, 100, 200, 250, 500, 1000)
_JOINTS = linear(r"[/?&;._-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkEnd:
    """How a walk ended, in the fields of its event."""

    end: EndKind
    reason: str
    proves: int | None = None
    """The span that is proved by this end."""
    ground: ProofGround | None = None
    """Of ends that are proved, or would be."""
    last: str | None = None
    """The page that the end was found on."""
    last_links: int = 0
    """Article links there."""
    whole: bool = False
    """It reaches from the head of the archive to its end: nothing of this column or interval stays open."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to be walked, by what the walk knows itself."""
        return self.end in PROVED_ENDS


def judge(walk: Walk, end: WalkEnd) -> WalkEnd:
    """What the end proves, with all that the walk has seen."""
    if not end.complete:
        return end
    signs = walk.signs
    if _ends_above_known_ground(walk, end):
        if end.ground is ProofGround.FEED_ALONE:
            missed = "between the two there may be articles that it lists no more; crawl more often"
            return replace(end, end=EndKind.LIMIT, reason=f"the feed lists nothing that the crawl before knew: {missed}")
        return replace(end, end=EndKind.DRIFT, reason=f"{end.reason}, but no page on the way had a link that earlier walks knew")
    if signs.overfull is not None:
        return replace(end, end=EndKind.LIMIT, reason=signs.overfull)
    if (reason := signs.broken or signs.cut) is not None:
        return replace(end, end=EndKind.FAILED, reason=reason)
    if signs.stepped_over:
        (page, why), more = signs.stepped_over[0], len(signs.stepped_over) - 1
        others = f", nor {more:,} more archive page{'' if more == 1 else 's'} on the way" if more else ""
        return replace(end, end=EndKind.FAILED, reason=f"{page} could not be read ({why}){others}", proves=walk.span)
    against = signs.gap or _lists_more_beside(walk) or _said_against(walk, end)
    if against is None:
        return replace(end, proves=walk.span, whole=True)
    if walk.by_word and signs.gap is None:
        reason = f"proved by your word, `pages: none`; but {against}"
        return replace(end, proves=walk.span, whole=True, reason=reason, ground=ProofGround.BY_WORD)
    return replace(end, end=EndKind.UNPROVED, reason=f"{end.reason}; but {against}")


def _ends_above_known_ground(walk: Walk, end: WalkEnd) -> bool:
    """Whether the archive seems to end before anything that earlier walks proved, and nothing explains that."""
    if end.end is not EndKind.PROVED or walk.met or end.ground is ProofGround.STOP_RULE:
        return False
    if walk.interval or walk.full or walk.mode is PagingMode.NONE or (walk.signs.stepped_over and not walk.covered):
        return False
    return walk.earlier.have_proved_spans()


def _lists_more_beside(walk: Walk) -> str | None:
    """The link of a single page to a list of more; what other columns list is no more."""
    if walk.beside is None:
        return None
    reason, unknown = walk.beside
    return None if all(walk.earlier.ledger.is_listed_besides(walk.column.name, url) for url in unknown) else reason


def _said_against(walk: Walk, end: WalkEnd) -> str | None:
    """What the pages of the walk say against its end."""
    signs, from_head = walk.signs, not walk.joined
    if end.ground in _NOT_MEANT_TO_GO_ON:
        return None
    is_short = end.ground is ProofGround.SECOND_REPEATS_FIRST or signs.pages == 1
    elsewhere = signs.goes_on_elsewhere(walk.was_read) if is_short else None
    if elsewhere is not None:
        return elsewhere
    if walk.mode.in_steps and walk.grown and end.ground in (ProofGround.GROWN, ProofGround.GROWN_TO_TOTAL):
        return signs.beyond(from_head=from_head)  # links of a pager on a page that grew are for who has no scripts
    # of a single page a weak sign is enough: it costs a line to say that this is all
    weakly = signs.unasked(walk.was_read, sure=False) if signs.pages == 1 and not walk.by_word else None
    at_bound = signs.at_bound if not walk.column.format.tells_links else None  # a feed has the newest by its nature
    return signs.unasked(walk.was_read, sure=True) or weakly or signs.beyond(from_head=from_head) or at_bound


def doubt(walk: Walk, end: WalkEnd) -> str | None:
    """A single sign against a proved end that may mean something else: a person may want to look at it."""
    if not end.whole or walk.by_word:
        return None
    linkless = f"in {amount(walk.linkless, 'entry', 'entries')} of its pages `link` finds nothing" if walk.linkless else None
    fewer = walk.signs.fewer_than_said(from_head=not walk.joined)
    return fewer or walk.signs.smaller or linkless


def may_be_of_another(walk: Walk) -> bool:
    """Whether what speaks against an end is a link that another column may follow yet."""
    if walk.ended is None or walk.interval or not walk.ended.complete or walk.ended.ground in _NOT_MEANT_TO_GO_ON:
        return False
    return any(walk.signs.unasked(walk.was_read, sure=sure) is not None for sure in (True, False)) or walk.beside is not None


def judge_sitemaps(tree: SitemapTree, span: int, last: ArchivePlace, links: int) -> WalkEnd:
    """What it proves that no file of the tree is left: that all were read, and no more. `links`: those of the last file."""
    unread, limits = tree.unread, tree.limits
    if unread:
        more = f", nor {len(unread) - 1:,} more sitemaps" if len(unread) > 1 else ""
        left_out = "; `urls.exclude` leaves out a file that is gone for good" if last.index else ""
        return WalkEnd(end=EndKind.FAILED, reason=f"{unread[0]} could not be read{more}{left_out}", last=last.url)
    if limits:
        more = f"; and {len(limits) - 1:,} more limits" if len(limits) > 1 else ""
        return WalkEnd(end=EndKind.LIMIT, reason=f"{limits[0]}{more}", last=last.url)
    if not tree.links and not tree.unchanged and tree.interval is None:
        end = EndKind.DRIFT if tree.earlier.gave_links() else EndKind.UNPROVED
        nothing = "no sitemap lists an article" if last.index else f"{last.url} leads to no sitemap and lists no article"
        return WalkEnd(end=end, reason=nothing, last=last.url)
    known = f"; {tree.unchanged:,} sitemaps were not asked for: they have not changed since they were read" if tree.unchanged else ""
    empty = f"; {len(tree.empty):,} sitemaps list nothing (such as {tree.empty[0]})" if tree.empty else ""
    reason, ground = f"{ProofGround.SITEMAP}{known}{empty}", ProofGround.SITEMAP
    return WalkEnd(end=EndKind.PROVED, reason=reason, proves=span, ground=ground, last=last.url, last_links=links, whole=True)


def alike_dates(ledger: Ledger, column: Column, run: int, interval: str, url: str) -> str | None:
    """Why no date interval of a column is proved: successive ones list the same articles; `url` is where this one begins."""
    same = same_first_pages(ledger, column.name, run, interval)
    nothing = f"what should part their addresses does nothing (such as {url})"
    return f"the pages of {', '.join(same)} list the same articles, so {nothing}" if len(same) >= ENOUGH_INTERVALS else None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why nothing is proved of these columns, without their names."""

    columns: tuple[str, ...]
    reason: str

    def in_words(self) -> str:
        """With the names of the columns, of many the first ones."""
        named, more = ", ".join(self.columns[:_NAMED]), len(self.columns) - _NAMED
        return f"column{'s' if len(self.columns) > 1 else ''} {named}{f' and {more} more' if more > 0 else ''}: {self.reason}"


def column_contradictions(ledger: Ledger, columns: Sequence[Column], run: int, *, limited: bool) -> Iterator[Contradiction]:
    """Rules that never found anything, pages that are the same again, links that no rule took. The ledger may be told of each at once.

    `limited`: the crawl was to look at a part of the archive only, so that other articles are rightly unknown.
    """
    contradicted = set[str]()
    for contradiction in chain(
        _without_links(ledger, columns),
        _never_turned(ledger, columns),
        _numbers_without_zero(ledger, columns),
        _alike_columns(ledger, columns, run),
    ):
        contradicted.update(contradiction.columns)
        yield contradiction
    for column in columns:
        is_proved = column.name not in contradicted and column.rules in ledger.proved(column.name)
        if is_proved and (unpicked := EarlierWalks.of(ledger, column).unpicked()):
            yield from _of_unpicked(ledger, column, unpicked, limited=limited)


def _without_links(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    for column in columns:
        earlier = EarlierWalks.of(ledger, column)
        if column.section_of is not None or not earlier.never_gave("links"):
            continue  # a board may be empty; what its column found as a whole is looked at below
        reason = "no archive page ever gave an article link; look at `item` and `link`"
        if (unread := earlier.unread_page()) is not None:  # rules can only be wrong where there was a page
            reason = f"nothing was found at {unread}"
        elif column.format.tells_links:
            reason = f"this {column.format} never listed an article of this site; look at its address, and where its links lead"
        yield Contradiction((column.name,), reason)
    # one section may be empty, which a remark tells; all of them are not
    for name in dict.fromkeys(column.section_of for column in columns if column.section_of is not None):
        together = [column.name for column in columns if name in (column.section_of, column.name)]
        if not any(listed_anything(ledger, section) for section in together):
            nothing = f"no page of its {sum(section != name for section in together):,} sections ever gave an article link"
            yield Contradiction(tuple(together), f"{nothing}; look at `item` and `link`")


def _never_turned(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    """Rules for the next page that never found one, or always the same."""
    unpaged = {column.name for column in columns if EarlierWalks.of(ledger, column).never_gave("more")}
    # the `next` of a preset says nothing of this site: where there is a pager, its links are the sign
    by_link = tuple(column.name for column in columns if column.next is not None and not column.next_of_preset)
    # dates may fit a page each: what speaks against that stands on their pages, and keeps each from being proved
    without_dates = tuple(column.name for column in columns if column.name in by_link and column.dates is None)
    if without_dates and unpaged.issuperset(by_link):
        yield Contradiction(without_dates, "`next` never matched on any archive page; look at it")
    # one page that grows may be short; where none ever grew that way, and none says that this is all, it is the rule that does nothing
    by_how = defaultdict[tuple[PagingMode, str | None], list[Column]](list)
    for column in columns:
        if column.paging.mode.in_steps:
            by_how[column.paging.mode, column.rendering.button if column.rendering is not None else None].append(column)
    for (mode, button), growing in by_how.items():
        names = tuple(column.name for column in growing)
        ended_on_total = (EarlierWalks.of(ledger, column).ended_on(ProofGround.GROWN_TO_TOTAL) for column in growing)
        if unpaged.issuperset(names) and not any(ended_on_total):
            how = "scrolling" if mode is PagingMode.SCROLL else f'the button "{button}"'
            reason = f"`pages: {mode}` never brought a new article: {how} seems to do nothing; if there is nothing more, say `pages: none`"
            yield Contradiction(names, reason)
    for column in columns:
        if column.name in unpaged and isinstance(column.paging.last, Picks):
            yield Contradiction((column.name,), "`pages.last` never found a number; look at it")
    for column in columns:
        if EarlierWalks.of(ledger, column).second_repeats_first():
            how = "the link that `next` takes" if column.paging.mode is PagingMode.NEXT_LINK else "`{page}`"
            reason = f"the second page always lists what the first one lists, so {how} seems to do nothing"
            yield Contradiction((column.name,), f"{reason}; if there is only one page, say `pages: none`")


def _alike_columns(ledger: Ledger, columns: Sequence[Column], run: int) -> Iterator[Contradiction]:
    """Columns whose walks of this run began with the same articles, interval by interval; a section may have but one subsection."""
    starts: dict[str, set[tuple[str | None, int]]] = {column.name: set() for column in columns if column.section_of is None}
    for name, interval, links in first_pages(ledger, run):
        if name in starts:
            starts[name].add((interval, links))
    # a feed and the pages rightly list the same
    formats = {column.name: column.format for column in columns}
    alike: dict[tuple[str, frozenset[tuple[str | None, int]]], list[str]] = defaultdict(list)
    for name, pages in starts.items():
        if len(pages) >= ENOUGH_INTERVALS or any(interval is None for interval, _ in pages):
            alike[formats[name], frozenset(pages)].append(name)
    addresses = {column.name: column.template.text.rstrip("/") for column in columns}
    for together in alike.values():
        # the articles of a section's address may be all that the address above it has
        above = tuple(f"{addresses[name]}/" for name in together if not set("?{") & set(addresses[name]))
        names = [name for name in together if not addresses[name].startswith(above)]
        if len(names) > 1:
            reason = f"the pages of {', '.join(names)} list the same articles, so what should part their addresses does nothing"
            yield Contradiction(tuple(names), reason)


def _numbers_without_zero(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    """Dates whose months or days have two digits by nature, and those alone: the site writes the others without a zero, or with one."""
    for column in columns:
        written = "".join(template.text for template in column.templates)
        for name, letter, digits, fewest in (("month", "M", slice(5, 7), 2), ("day", "d", slice(8, 10), 8)):  # of days there are more
            if f"{{{name}}}" in written:
                otherwise = f"no zero, use `{{date:{letter}}}`"
            elif linear(rf"{{date:[^}}]*(?<!{letter}){letter}(?!{letter})").search(written):
                otherwise = f"a zero, use `{{{name}}}`"
            else:
                continue
            walked = [(int(interval[digits]), links) for interval, links in links_by_interval(ledger, column) if interval[digits]]
            single, others = ([links for number, links in walked if (number < 10) is is_single] for is_single in (True, False))
            if len(single) >= 5 and not any(single) and sum(map(bool, others)) >= fewest:
                reason = f"no {name} below 10 ever gave an article, and others did: where a site writes {otherwise}"
                yield Contradiction((column.name,), reason)


def _of_unpicked(ledger: Ledger, column: Column, unpicked: Sequence[Row], *, limited: bool) -> Iterator[Contradiction]:
    """Links that no rule took contradict where they are many or stand in the list itself; of others it is asked what they are."""
    pages, picked = EarlierWalks.of(ledger, column).pages_and_links()
    listed = [link for link in unpicked if link.in_list and not link.in_box]  # both: `Lookalike.in_item`
    # on fewer pages nobody can tell a box that stands on every page from a list
    alone = [link for link in unpicked if not link.in_box and (link.pages == 1 or (pages < 3 and not limited))]
    nearly_all = max(2, picked // max(1, 2 * pages))
    of_page = Counter(link.via for link in alone)
    of_empty = [link for link in alone if link.on_empty and of_page[link.via] >= nearly_all]
    many = alone if 3 * len(alone) >= picked else []
    places = {"in the list of the picked ones": listed, "on pages that count as empty": of_empty, "on its pages": many}
    where, links = next(((where, links) for where, links in places.items() if links), ("", []))
    if not links:
        return
    one = "link that looks like an article's and that no rule took stands"
    several = "links that look like articles and that no rule took stand"
    taking = would_take([link.selector for link in links])
    shown = sorted(links, key=lambda link: not taking.startswith(f"`{link.selector}`"))
    reason = (
        f"{amount(len(links), one, several)} {where} (such as {', '.join(link.url for link in shown[:3])}; on {shown[0].via});"
        f" if these are articles, {taking}; else `exclude` under `archive: urls` says that they are none"
    )
    yield Contradiction((column.name,), reason)


@dataclass(slots=True)
class Signs:
    """What the pages of one walk say."""

    counted: bool
    """The pages of the walk have numbers."""
    is_page: Callable[[str], bool | None]
    """Whether a URL is an archive page of this walk; None: of no column's shape; False: another interval's."""
    grows: bool = False
    """It is one page in a browser: "5 / 14" counts its articles."""

    last_number: int | None = None
    """Of the pager."""
    feed_at: int = 0
    """The index of the page that a feed begins with: 1, where the first one only names it."""
    leads_on: bool = False
    """The last page leads to sections that none before it did, or is the first and names a feed."""
    ask_password: bool = False
    """One with links has a form for a password, too."""
    overfull: str | None = None
    """Why not all links of a page are taken in."""
    broken: str | None = None
    """Why a part of a page is missing."""
    stepped_over: list[tuple[str, str]] = field(default_factory=list)
    """Pages on the way that could not be read, and why: what lay on them is missing."""
    counts_as_labelled: bool = False
    """The links of a pager say the numbers in their addresses."""
    gap: str | None = None
    """Between which two pages articles may be missing."""
    began: tuple[str, str] = ("", "")
    """The addresses of the first two pages."""

    _copy_above: tuple[int, datetime, str] | None = None
    """Of the last stored page, if what lies below it is unknown: its index, when it came, and its last article."""
    _sections: set[int] = field(default_factory=set)
    """Hashes of those that the pages lead to."""
    _refused: set[int] = field(default_factory=set)
    _only_refused: int = 0
    _links: dict[str, tuple[PagerLink, str]] = field(default_factory=dict)
    """URL -> the link, and the page that showed it."""
    _elsewhere: tuple[PagerLink, str] | None = None
    """A link of the first page to a further one, at an address that `{page}` does not make; and the page."""
    _head: str = ""
    """The first page."""
    _ahead: tuple[PagerLink, ...] = ()
    """What it leads to."""
    _goes_back: bool = False
    """The rules follow links that say "previous"."""
    _second: tuple[PagerLink, ...] = ()
    """What the second page leads to."""
    _top: int | None = None
    """The number of the first page, where pages count downwards."""
    _begins_at_one: bool = False
    """No pager link of the first page leads to a page before it."""
    _counts_from_one: bool = False
    """The address of the second page has a 2."""
    _first: tuple[Stated, ...] = ()
    _last: tuple[Stated, ...] = ()
    _counted_on: tuple[int, int, str] | None = None
    """Which of how many pages the last one that says so is, if it counted on from the page above it."""
    _by_script: int | str = 0
    """What the page shows of more that only scripts bring."""
    _furthest: int = -1
    pages: int = 0
    """Pages with links."""
    _whole: int = 0
    """Those of them that have an end."""
    _cut: str | None = None
    """The last of them, if it has none."""
    _leading_back: int = 0
    """Those of them that have a link to a page before them."""
    _without_pager: str | None = None
    """The last of them, if it has none."""
    _page: tuple[int, str] = (0, "")
    """How many links the last of them lists, and where it is; of those between the first and it, by how many, the same:"""
    _between: dict[int, tuple[int, str]] = field(default_factory=dict)
    _listed: set[int] | None = None
    """Hashes of the links of all pages, refused ones included, where the first page says how many there are: pages that slide list some
    twice."""

    def gives_links(self, place: ArchivePlace, page: ArchivePage) -> bool:
        """Whether a page has articles, or leads on to some."""
        if page.overfull:
            self.overfull = f"{place.url} has more article links than are taken in from one page"
        if page.broken:
            self.broken = f"of {place.url} a part could not be read: {page.broken}"
        if page.last_page is not None:
            self.last_number = max(page.last_page, self.last_number or 0)
        names_feed = place.index == 0 and page.names_feed
        self.feed_at += names_feed
        sections = set(map(hash, page.sections))
        self.leads_on = names_feed or not sections <= self._sections
        self._sections |= sections
        # a page of nothing but refused articles is no end; a page of nothing but furniture that the rules refuse is one
        refused = {hash(link.url) for link in page.refused if link.is_web}
        is_new = not refused <= self._refused
        self._refused |= refused
        self._only_refused = 0 if page.articles else self._only_refused + 1
        gives_links = bool(page.articles) or (is_new and self._only_refused <= 3) or self.leads_on
        self.ask_password |= gives_links and page.asks_password
        return gives_links

    def take_copy(self, place: ArchivePlace, links: tuple[ArticleLink, ...], stored: datetime, *, on_proved_ground: bool) -> None:
        """Of a list with the newest first: a page that was stored before the page above adjoins it only if it begins within that one,
        or if what lies below that one is known."""
        urls = [link.url for link in links]
        if self._copy_above is not None and self.gap is None:
            index, newer, last = self._copy_above
            # some crawlers read them side by side: ten minutes apart they show one list
            if place.index == index + 1 and stored + timedelta(minutes=10) < newer and last not in urls[:-1]:
                moments = f"the stored copy of {place.url} is of {stored:%Y-%m-%d %H:%M}, that above it of {newer:%Y-%m-%d %H:%M}"
                self.gap = f"{moments}: articles may stand on neither; a full crawl asks the portal for all pages"
        self._copy_above = None if on_proved_ground else (place.index, stored, urls[-1])

    def take(self, place: ArchivePlace, page: ArchivePage, asked: Collection[str]) -> None:
        """What a page with links says; `asked` are the pages of the walk so far."""
        index, url = place.index - self.feed_at, place.url
        listed = {*(link.url for link in page.articles), *(link.url for link in page.refused)}
        stems = {stem for article in listed if not url.startswith(stem := _EXTENSION.sub("", article))}
        # not the picture of a teaser, the sign that ends it, or the further pages of a thread; sections have walks of their own
        pager = [
            link
            for link in page.pager
            if link.url not in page.sections
            and (link.url not in listed or (link.continues and link.text != WITHOUT_WORDS and any(map(str.isalnum, link.text))))
            and not any(link.url[: joint.start()] in stems for joint in _JOINTS.finditer(link.url))
        ]
        self.counts_as_labelled |= any(link.numbers is not None and link.number == link.numbers[1] > 1 for link in page.pager)
        if index == 1 and self.counted:
            went_on = normalise(url)
            first, second = pages_apart(normalise(self._head), went_on) or (0, 0)
            between = (link.url for link in self._ahead if first < (pages_apart(link.url, went_on) or (0, 0))[0] < second)
            if (passed := next(between, None)) is not None:
                self.gap = f"{self._head} leads to {passed}, and the walk went on with {url}: what lies between was not asked for"
        if index == 1:
            self.began = self._head, url
            self._goes_back, self._second = url in self._links and self._links[url][0].leads_back, page.pager
            self._counts_from_one = any(link.numbers is not None and link.numbers[0] == 2 for link in page.pager)
        if index > 0:  # what leads to the page before was come from
            pager = [
                link
                for link in pager
                if link.number is not None or (link.leads_back if self._goes_back else link.continues or not link.leads_back)
            ]
        elif len(pager) > 1:  # the page itself by another address, where pages count upwards
            pager = [link for link in pager if not (link.leads_back and link.numbers == (1, 1))]
        if index == 0:
            self._head, self._ahead = url, page.pager
            self._begins_at_one = all(link.number != 1 for link in pager)
            self._first = page.stated
            self._listed = set() if any(stated.guessed or _is_total_of_items(stated) for stated in page.stated) else None
        if index == 2:
            here, below = next((link.numbers for link in self._second if link.url == url and link.numbers), (0, 0))
            self._top = here + 1 if below < here else None
        if self._listed is not None:
            self._listed.update(map(hash, listed))
        above, now = _page_said(self._last), _page_said(page.stated)
        if index == self._furthest + 1 and above and now and now[1] == above[1]:
            if self.gap is None and abs(now[0] - above[0]) > 1:
                self.gap = f"{url} says {now[2]!r}, and the page above it {above[2]!r}: what lies between was not asked for"
            self._counted_on = now if now[0] - above[0] == 1 else None
        if index > self._furthest:
            if self.pages > 1:
                links, before = self._page
                self._between[links] = self._between.get(links, (0, ""))[0] + 1, before
            self._page = len(listed), url
            self._furthest, self._last, self._by_script = index, page.stated, page.by_script
            self.pages += 1
            self._whole, self._cut = self._whole + page.has_end, None if page.has_end else url
            self._leading_back += any(link.url in asked for link in page.pager)
            self._without_pager = None if page.pager else url
        if len(self._links) > _MOST_LINKS:
            self._links = {address: link for address, link in self._links.items() if address not in asked}
        for link in pager:
            if link.url not in asked and len(self._links) <= _MOST_LINKS:
                fits = self.is_page(link.url)
                if fits or (fits is None and (link.number == 1 or not self.counted)):
                    self._links.setdefault(link.url, (link, url))
                elif fits is None and index == 0 and link.is_sure and self._elsewhere is None:
                    self._elsewhere = link, url

    @property
    def cut(self) -> str | None:
        """That the last page seems to be a part of what it was, as where a program gave up; what leads on may stand on the rest."""
        if self._cut is not None and self._whole == self.pages - 1 >= 3:
            return f"{self._cut} breaks off: it lacks the </html> at its end that the {self._whole:,} pages above it have"
        if self._without_pager is not None and not self.counted and self._leading_back == self.pages - 2 >= 2:
            back = f"though the {self._leading_back:,} pages above it lead back to those before them"
            return f"{self._without_pager} has no link to a page of the list, {back}"
        return None

    @property
    def smaller(self) -> str | None:
        """One page amid others that all list the same number of links, and it notably fewer, as where a program gave up."""
        (usual, (pages, _)), *others = sorted(self._between.items(), key=lambda size: -size[1][0]) or [(0, (0, ""))]
        if len(others) == 1 and pages >= _ENOUGH_ALIKE:
            fewer, (odd, url) = others[0]
            if odd == 1 and fewer <= _NOTABLY_FEWER * usual:
                again = "if it was sent in part, a full crawl asks for it again"
                return f"{url} lists {fewer}, and each of the {pages:,} other pages between the first and the last {usual}; {again}"
        return None

    @property
    def states_total(self) -> bool:
        """The first page says how many articles there are, and not fewer than were seen."""
        return self._listed is not None and all(stated.total >= len(self._listed) for stated in self._first if _is_total_of_items(stated))

    @property
    def total_reached(self) -> bool:
        """As many articles were seen as the pages say that there are."""
        if self.grows and any(stated.here == stated.total and self._moves(stated) for stated in self._last):
            return True
        return self._listed is not None and any(stated.total == len(self._listed) for stated in self._first if _is_total_of_items(stated))

    def unasked(self, was_asked: Callable[[str], bool], *, sure: bool) -> str | None:
        """A link to what is surely (or perhaps) an archive page, that the walk did not ask for."""
        left = self._unasked(was_asked, sure=sure)
        if not left:
            return None
        link, page = left[0]
        more = f" (and {len(left) - 1:,} more like it)" if len(left) > 1 else ""
        kind = "an archive page that no rule led to" if sure else "which may be an archive page (if it is none, say `pages: none`)"
        return f"the link {link.text!r} on {page} leads to {link.url}, {kind}{more}"

    def unasked_links(self, was_asked: Callable[[str], bool]) -> list[PagerLink]:
        """Links that may lead to archive pages and that the walk did not ask for, the surest first."""
        links = [link for link, _ in self._links.values() if not (was_asked(link.url) or self._is_passed(link))]
        links += [self._elsewhere[0]] if self._elsewhere is not None else []
        return sorted(links, key=lambda link: -link.signs)

    def goes_on_elsewhere(self, was_asked: Callable[[str], bool]) -> str | None:
        """A link that the walk did not ask for, to a further page at an address that `{page}` does not make."""
        if self._elsewhere is None or was_asked(self._elsewhere[0].url):
            return None
        link, page = self._elsewhere
        leads = f"the link {link.text!r} on {page} leads to {link.url}"
        return f"{leads}; copy the way in which that address counts the pages into `url`"

    def _unasked(self, was_asked: Callable[[str], bool], *, sure: bool) -> list[tuple[PagerLink, str]]:
        links = [(link, page) for link, page in self._links.values() if link.signs or self.pages == 1]
        shown = [(link, page) for link, page in links if link.is_sure == sure and not self._is_passed(link)]
        left = [(link, page) for link, page in shown if not was_asked(link.url)]
        numbered = [link.url for link, _ in self._links.values() if (link.number or 0) > 1]
        if left and self.pages > 1 and not any(map(was_asked, numbered)):
            # The pager writes addresses in another way than the walk does: then only its numbers can be compared.
            left = [(link, page) for link, page in left if link.number in (None, 1) or (link.number or 0) > self.pages]
        return left

    def _is_passed(self, link: PagerLink) -> bool:
        """The first page by another address; or what the head says although a walk that followed its links found none any more."""
        if self.counted and self._counts_from_one and link.numbers is not None and link.numbers[1] == 0:
            return False  # the pages are counted from zero
        is_head = (link.number == 1 and self._begins_at_one) or (link.numbers is not None and link.numbers[1] == self._top)
        is_head = is_head or _INDEX.sub("/", link.url) == _INDEX.sub("/", self._head)
        return is_head or (link.text == IN_HEAD and self.pages > 1)

    def beyond(self, *, from_head: bool) -> str | None:
        """What the pages say of the length of the listing, and was not reached."""
        fewer = self.fewer_than_said(from_head=from_head, surely=self.pages > 1)
        if fewer is not None:
            return fewer
        for stated in self._first:
            if stated.guessed and self.pages == 1 and stated.here == 1 < stated.total:
                return f"the first page says {stated.text!r}"
            counts_pages = not (stated.items or stated.guessed or self.grows or self._counts_down)
            if counts_pages and stated.here is not None and stated.here > 1 and (self.pages == 1 or stated not in self._last):
                return f"the first page says {stated.text!r}"
        for stated in self._last:
            if stated.guessed or self._counts_down:
                continue
            if stated.here is not None and stated.here < stated.total and self._moves(stated):
                return f"the {'last ' if self.pages > 1 else ''}page says {stated.text!r}"
            if stated.here is None and not (stated.items or self.grows) and from_head and self.pages < stated.total:
                return f"the last page says {stated.text!r}, and the walk saw {self.pages:,} pages"
        if self._counted_on is not None and not self._last and from_head and self.pages < self._counted_on[1]:
            return f"a page above the last one says {self._counted_on[2]!r}, and the walk saw {self.pages:,} pages"
        if self.pages == 1 and self._by_script and not self.grows:
            return by_script_in_words(self._by_script)
        return None

    @property
    def at_bound(self) -> str | None:
        """A single page that may be as long as its address lets it be."""
        listed, most = self._page[0], _AS_MANY.search(self._head) if self.pages == 1 else None
        if most is not None and (listed == int(most[1]) or (listed in _OFTEN_A_BOUND and listed < int(most[1]))):
            return f"it lists {listed:,}, and its address says {most[0][1:]}: there may be more"
        return None

    def fewer_than_said(self, *, from_head: bool, surely: bool = False) -> str | None:
        """What the first page says of all articles, if the walk saw fewer; `surely`: not what may be said of another list.

        What is published while the walk goes on is the next crawl's; so the total of the first page counts.
        """
        links = len(self._listed) if self._listed is not None else 0
        for stated in self._first if from_head else ():
            is_much_less = stated.for_programs and links < 0.9 * stated.total  # what else an answer in JSON may count is little
            is_of_this = _is_total_of_items(stated) or (stated.guessed and not (surely and stated.items and not is_much_less))
            if is_of_this and links < stated.total:
                return f"the first page says {stated.text!r}, and the walk saw {links:,} links"
        return None

    @property
    def _counts_down(self) -> bool:
        """The first page says "10 / 10", and the last one "1 / 10"."""
        ends = {stated.total for stated in self._last if stated.here == 1 and not stated.items}
        return self.pages > 1 and any(stated.here == stated.total in ends for stated in self._first if not stated.items)

    def _moves(self, stated: Stated) -> bool:
        """What stays the same from the first page to the last is no count of pages."""
        return self.pages == 1 or all((first.here, first.total) != (stated.here, stated.total) for first in self._first)


def _page_said(stated: Sequence[Stated]) -> tuple[int, int, str] | None:
    """Of a page that says which of how many it is: both numbers, and how that is written."""
    said = {(count.here, count.total, count.text) for count in stated if count.here is not None and not (count.items or count.guessed)}
    return said.pop() if len(said) == 1 else None


def _is_total_of_items(stated: Stated) -> bool:
    return stated.items and not stated.guessed
