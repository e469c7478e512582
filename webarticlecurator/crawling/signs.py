"""What the pages of one walk say of where the archive goes on, and how long it is: collected page by page, asked when the walk ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from webarticlecurator.corpus.events import ArchivePlace
from webarticlecurator.model.links import IN_HEAD, WITHOUT_WORDS, ArchivePage, ArticleLink, PagerLink, Stated, turned_in_words

REFUSED_IN_A_ROW = 3
"""Pages with nothing but refused links before they count as empty: such links may be the page's furniture."""
MOST = 2_000
"""Links of pagers that are kept in mind at a time."""
_AT_ONCE = timedelta(minutes=10)
"""Copies of pages that came this close to each other show one list: some crawlers read them side by side."""
_INDEX, _EXTENSION = re.compile(r"/index\.\w{2,5}$"), re.compile(r"\.\w{2,5}$|/$")
_JOINTS = re.compile(r"[/?&;._-]")


@dataclass(slots=True)
class Signs:
    """Those of one walk."""

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
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Pages on the way that could not be read, and why: what lay on them is missing."""
    gap: str | None = None
    """Between which two stored pages articles may be missing."""

    _copy_above: tuple[int, datetime, str] | None = None
    """Of the last stored page, if what lies below it is unknown: its index, when it came, and its last article."""
    _sections: set[int] = field(default_factory=set)
    """Hashes of those that the pages lead to."""
    _refused: set[int] = field(default_factory=set)
    _only_refused: int = 0
    _links: dict[str, tuple[PagerLink, str]] = field(default_factory=dict)
    """URL -> the link, and the page that showed it."""
    _head: str = ""
    """The first page."""
    _goes_back: bool = False
    """The rules follow links that say "previous"."""
    _top: int | None = None
    """The number of the first page, where pages count downwards."""
    _begins_at_one: bool = False
    """No pager link of the first page leads to a page before it."""
    _first: tuple[Stated, ...] = ()
    _last: tuple[Stated, ...] = ()
    _turned_by_script: int = 0
    """Pages of which a pager tells that leads to none."""
    _furthest: int = -1
    _read: int = 0
    _listed: set[int] | None = None
    """Hashes of the links of all pages, refused ones included, where the first page says how many there are: pages that slide list some
    twice."""

    # -- page by page -------------------------------------------------------------------------------------------------

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
        gives_links = self._has_articles(page) or self.leads_on
        self.ask_password |= gives_links and page.asks_password
        return gives_links

    def _has_articles(self, page: ArchivePage) -> bool:
        """A page of nothing but refused articles is no end; a page of nothing but furniture that the rules refuse is one."""
        refused = {hash(link.url) for link in page.refused if link.is_web}
        is_new = not refused <= self._refused
        self._refused |= refused
        self._only_refused = 0 if page.articles else self._only_refused + 1
        return bool(page.articles) or (is_new and self._only_refused <= REFUSED_IN_A_ROW)

    def take_copy(self, place: ArchivePlace, links: tuple[ArticleLink, ...], stored: datetime, *, on_proved_ground: bool) -> None:
        """Of a list with the newest first: a page that was stored before the page above adjoins it only if it begins within that one,
        or if what lies below that one is known."""
        urls = [link.url for link in links]
        if self._copy_above is not None and self.gap is None:
            index, newer, last = self._copy_above
            if place.index == index + 1 and stored + _AT_ONCE < newer and last not in urls[:-1]:
                self.gap = (
                    f"the stored copy of {place.url} is of {stored:%Y-%m-%d %H:%M}, that of the page above it of {newer:%Y-%m-%d %H:%M}:"
                    " articles that moved down between the two may stand on neither; `curator crawl --full` asks the portal for all pages"
                )
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
            and (link.url not in listed or (link.continues and not _is_wordless(link)))
            and not any(link.url[: joint.start()] in stems for joint in _JOINTS.finditer(link.url))
        ]
        if index == 1 and url in self._links:
            self._goes_back = self._links[url][0].leads_back
        if index > 0:  # what leads to the page before was come from
            pager = [link for link in pager if link.number is not None or self._may_lead_on(link)]
        elif len(pager) > 1:  # the page itself by another address, where pages count upwards
            pager = [link for link in pager if not (link.leads_back and link.numbers == (1, 1))]
        if index == 0:
            self._head = url
            self._begins_at_one = all(link.number != 1 for link in pager)
            self._first = page.stated
            self._listed = set() if any(stated.guessed or _is_total_of_items(stated) for stated in page.stated) else None
        if index == 2 and url in self._links and (numbers := self._links[url][0].numbers) is not None and numbers[1] < numbers[0]:
            self._top = numbers[0] + 1
        if self._listed is not None:
            self._listed.update(map(hash, listed))
        if index > self._furthest:
            self._furthest, self._last, self._turned_by_script = index, page.stated, page.turned_by_script
            self._read += 1
        if len(self._links) > MOST:
            self._links = {address: link for address, link in self._links.items() if address not in asked}
        for link in pager:
            if link.url not in asked and len(self._links) <= MOST and self._is_wanted(link):
                self._links.setdefault(link.url, (link, url))

    def _may_lead_on(self, link: PagerLink) -> bool:
        return link.leads_back if self._goes_back else link.continues or not link.leads_back

    def _is_wanted(self, link: PagerLink) -> bool:
        fits = self.is_page(link.url)
        if self.counted:
            return fits is True or (fits is None and link.number == 1)
        return fits is not False

    # -- at the end ---------------------------------------------------------------------------------------------------

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

    def contradiction(self, was_asked: Callable[[str], bool], *, from_head: bool, by_word: bool) -> str | None:
        """What speaks against the end; `from_head`: this walk alone read every page, so that counts can be compared.

        `by_word`: a person says that there is one page.
        """
        surely = self._unasked(was_asked, sure=True)
        # of a single page a weak sign is enough: it costs a line to say that this is all
        weakly = self._unasked(was_asked, sure=False) if self._read == 1 and not by_word else None
        return surely or weakly or self.beyond(from_head=from_head)

    def doubt(self, was_asked: Callable[[str], bool]) -> str | None:
        """A single sign, which may mean something else."""
        return self._unasked(was_asked, sure=False)

    def _unasked(self, was_asked: Callable[[str], bool], *, sure: bool) -> str | None:
        shown = [(link, page) for link, page in self._links.values() if link.is_sure == sure and not self._is_passed(link)]
        left = [(link, page) for link, page in shown if not was_asked(link.url)]
        numbered = [link.url for link, _ in self._links.values() if (link.number or 0) > 1]
        if left and self._read > 1 and not any(map(was_asked, numbered)):
            # The pager writes addresses in another way than the walk does: then only its numbers can be compared.
            left = [(link, page) for link, page in left if link.number in (None, 1) or (link.number or 0) > self._read]
        if not left:
            return None
        link, page = left[0]
        more = f" (and {len(left) - 1:,} more like it)" if len(left) > 1 else ""
        what = "an archive page that no rule led to" if sure else "which may be an archive page (if it is none, say `pages: none`)"
        return f"the link {link.text!r} on {page} leads to {link.url}, {what}{more}"

    def _is_passed(self, link: PagerLink) -> bool:
        """The first page by another address; or what the head says although a walk that followed its links found none any more."""
        is_head = (link.number == 1 and self._begins_at_one) or (link.numbers is not None and link.numbers[1] == self._top)
        return is_head or _without_index(link.url) == _without_index(self._head) or (link.text == IN_HEAD and self._read > 1)

    def beyond(self, *, from_head: bool) -> str | None:
        """What the pages say of the length of the listing, and was not reached."""
        links = len(self._listed) if self._listed is not None else 0
        for stated in self._first:
            # what is published while the walk goes on is the next crawl's; so the total of the first page counts
            if (stated.guessed or _is_total_of_items(stated)) and from_head and links < stated.total:
                return f"the first page says {stated.text!r}, and the walk saw {links:,} links"
            if stated.guessed and self._read == 1 and stated.here == 1 < stated.total:
                return f"the first page says {stated.text!r}"
            counts_pages = not (stated.items or stated.guessed or self.grows or self._counts_down)
            if counts_pages and stated.here is not None and stated.here > 1 and (self._read == 1 or stated not in self._last):
                return f"the first page says {stated.text!r}"
        for stated in self._last:
            if stated.guessed or self._counts_down:
                continue
            if stated.here is not None and stated.here < stated.total and self._moves(stated):
                return f"the last page says {stated.text!r}"
            if stated.here is None and not (stated.items or self.grows) and from_head and self._read < stated.total:
                return f"the last page says {stated.text!r}, and the walk saw {self._read:,} pages"
        if self._read == 1 and self._turned_by_script > 1 and not self.grows:
            return turned_in_words(self._turned_by_script)
        return None

    @property
    def _counts_down(self) -> bool:
        """The first page says "10 / 10", and the last one "1 / 10"."""
        ends = {stated.total for stated in self._last if stated.here == 1 and not stated.items}
        return self._read > 1 and any(stated.here == stated.total in ends for stated in self._first if not stated.items)

    def _moves(self, stated: Stated) -> bool:
        """What stays the same from the first page to the last is no count of pages."""
        return self._read == 1 or all((first.here, first.total) != (stated.here, stated.total) for first in self._first)


def _is_wordless(link: PagerLink) -> bool:
    return link.text == WITHOUT_WORDS or not any(map(str.isalnum, link.text))


def _without_index(url: str) -> str:
    """`/index.html` is `/`."""
    return _INDEX.sub("/", url)


def _is_total_of_items(stated: Stated) -> bool:
    return stated.items and stated.here is None
