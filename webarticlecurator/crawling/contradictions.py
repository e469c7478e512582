"""What speaks against a proof: the pages of one walk, and what the ledger says of a whole column when the crawl has come to its end."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from webarticlecurator.amounts import amount
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Column, PagingMode
from webarticlecurator.corpus.events import ProofGround
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.fingerprints import Fingerprints
from webarticlecurator.model.links import IN_HEAD, WITHOUT_WORDS, ArchivePage, PagerLink, Stated, turned_in_words

_INDEX, _EXTENSION = re.compile(r"/index\.\w{2,5}$"), re.compile(r"\.\w{2,5}$|/$")
_JOINTS = re.compile(r"[/?&;._-]")
MOST = 2_000
"""Links of pagers that are kept in mind at a time."""


@dataclass(slots=True)
class PagerSigns:
    """Collected page by page, and asked once, when the walk seems to be at an end."""

    counted: bool
    """The pages of the walk have numbers."""
    is_page: Callable[[str], bool | None]
    """Whether a URL is an archive page of this walk; None: of no column's shape; False: another interval's."""
    grows: bool = False
    """It is one page in a browser: "5 / 14" counts its articles."""
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
    _listed: Fingerprints | None = None
    """Links of all pages, refused ones included, where the first page says how many there are: pages that slide list some twice."""

    def take(self, index: int, url: str, page: ArchivePage, asked: Collection[str]) -> None:
        """Take in a page with links."""
        listed = {*(link.url for link in page.articles), *(link.url for link in page.refused)}
        stems = {stem for article in listed if not url.startswith(stem := _EXTENSION.sub("", article))}
        # not the picture of a teaser, the sign that ends it, or the further pages of a thread; sections have walks of their own
        pager = [
            link
            for link in page.pager
            if link.url not in page.sections
            and (link.url not in listed or (link.continues and not _is_wordless(link)))
            and not _begins_with(link.url, stems)
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
            self._listed = Fingerprints() if any(one.guessed or _is_total_of_items(one) for one in page.stated) else None
        if index == 2 and url in self._links and (numbers := self._links[url][0].numbers) is not None and numbers[1] < numbers[0]:
            self._top = numbers[0] + 1
        if self._listed is not None:
            for article in listed:
                self._listed.add(article)
        if index > self._furthest:
            self._furthest, self._last, self._turned_by_script = index, page.stated, page.turned_by_script
            self._read += 1
        if len(self._links) > MOST:
            self._links = {one: link for one, link in self._links.items() if one not in asked}
        for link in pager:
            if link.url not in asked and len(self._links) <= MOST and self._is_wanted(link):
                self._links.setdefault(link.url, (link, url))

    @property
    def states_total(self) -> bool:
        """The first page says how many articles there are, and not fewer than were seen."""
        return self._listed is not None and all(one.total >= len(self._listed) for one in self._first if _is_total_of_items(one))

    @property
    def total_reached(self) -> bool:
        """As many articles were seen as the pages say that there are."""
        if self.grows and any(one.here == one.total and self._moves(one) for one in self._last):
            return True
        return self._listed is not None and any(one.total == len(self._listed) for one in self._first if _is_total_of_items(one))

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

    def _may_lead_on(self, link: PagerLink) -> bool:
        return link.leads_back if self._goes_back else link.continues or not link.leads_back

    def _is_wanted(self, link: PagerLink) -> bool:
        fits = self.is_page(link.url)
        if self.counted:
            return fits is True or (fits is None and link.number == 1)
        return fits is not False

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
        ends = {one.total for one in self._last if one.here == 1 and not one.items}
        return self._read > 1 and any(one.here == one.total and one.total in ends for one in self._first if not one.items)

    def _moves(self, stated: Stated) -> bool:
        """What stays the same from the first page to the last is no count of pages."""
        return self._read == 1 or all((one.here, one.total) != (stated.here, stated.total) for one in self._first)


def _is_wordless(link: PagerLink) -> bool:
    return link.text == WITHOUT_WORDS or not any(map(str.isalnum, link.text))


def _begins_with(url: str, stems: Collection[str]) -> bool:
    return any(url[: joint.start()] in stems for joint in _JOINTS.finditer(url))


def _without_index(url: str) -> str:
    """`/index.html` is `/`."""
    return _INDEX.sub("/", url)


def _is_total_of_items(stated: Stated) -> bool:
    return stated.items and stated.here is None


ENOUGH_INTERVALS = 3
"""Successive date intervals that list the same before the part of the address that should part them is thought to do nothing."""
_FEW_PAGES = 3
"""On fewer archive pages nobody can tell a box that stands on every page from a list."""
_EXAMPLES = 3

_NEVER = "SELECT sum({what}) = 0 AND sum(end IN ('proved', 'unproved')) > 0 FROM walks WHERE column = ? AND rules = ?"
_UNREAD = """
    SELECT p.url, p.reason, max(p.outcome = 'fetched') OVER () FROM pages p JOIN walks w ON w.id = p.walk
    WHERE w.column = ? AND w.rules = ? ORDER BY p.id DESC LIMIT 1
"""
"""The newest page of a column, and whether any could be read."""
_GROWN_TO_TOTAL = "SELECT max(ground = ?) FROM walks WHERE column = ? AND rules = ?"
_SECOND_REPEATS_FIRST = "SELECT max(ground = ? AND end = 'proved') = 1 AND max(covered) < 2 FROM walks WHERE column = ? AND rules = ?"
_FIRST_PAGES = """
    SELECT column, interval, first_links FROM walks WHERE run = ? AND first_links IS NOT NULL AND links > 1 AND end IS NOT 'imported'
"""
_NEIGHBOURS = """
    SELECT interval, first_links FROM walks WHERE column = ? AND run = ? AND interval {} ? ORDER BY interval {} LIMIT 3
"""
_UNPICKED = """
    SELECT run, url, via, pages, selector, in_list, in_box, on_empty FROM lookalikes l
    WHERE column = ? AND rules = ? AND NOT EXISTS (SELECT 1 FROM refused r WHERE r.url = l.url) ORDER BY via, url
"""
_LISTS = "SELECT EXISTS (SELECT 1 FROM listings l JOIN columns c ON c.id = l.column_id WHERE c.name = ?)"
_PAGES = """
    SELECT count(*), coalesce(sum(most), 0) FROM (
        SELECT max(p.links) AS most FROM pages p JOIN walks w ON w.id = p.walk
        WHERE w.column = ? AND w.rules = ? AND p.result = 'links' GROUP BY p.key
    )
"""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why nothing is proved of these columns; where it names none, it is only something to look at."""

    columns: tuple[str, ...]
    reason: str
    tells_end: bool = False
    """It says by what the walk ended."""


@dataclass(frozen=True, slots=True)
class _Unpicked:
    """A link like the picked ones that no rule took, and that nobody knows of at the end of the crawl."""

    url: str
    via: str
    pages: int
    selector: str
    in_list: bool
    in_box: bool
    on_empty: bool


def column_contradictions(ledger: Ledger, columns: Sequence[Column], run: int, *, limited: bool) -> Iterator[Contradiction]:
    """Rules that never found anything, pages that are the same again, links that no rule took. The ledger may be told of each at once.

    `limited`: the crawl was to look at a part of the archive only, so that other articles are rightly unknown.
    """
    contradicted: set[str] = set()
    for found in chain(_never_matched(ledger, columns), _second_pages(ledger, columns), _same_columns(ledger, columns, run)):
        contradicted.update(found.columns)
        yield found
    for column in columns:
        unpicked = _unpicked(ledger, column) if column.name not in contradicted and column.rules in ledger.proved(column.name) else []
        if unpicked:
            yield _of_unpicked(ledger, column, unpicked, limited=limited)


def same_first_pages(ledger: Ledger, column: Column, run: int, interval: str) -> list[str]:
    """The successive intervals of a run, this one among them, whose first pages list the same articles."""
    before = list(ledger.rows(_NEIGHBOURS.format("<=", "DESC"), (column.name, run, interval)))
    after = list(ledger.rows(_NEIGHBOURS.format(">", "ASC"), (column.name, run, interval)))
    if not before or before[0][0] != interval or before[0][1] is None:
        return []
    same: list[str] = []
    for side in (before, after):
        for name, links in side:
            if links != before[0][1]:
                break
            same.append(name)
    return sorted(same)


def _never_matched(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    def never(what: str) -> list[Column]:
        return [column for column in columns if _one(ledger, _NEVER.format(what=what), column.name, column.rules)]

    for column in never("links"):
        if column.section_of is not None:
            continue  # a board may be empty; what its column found as a whole is looked at below
        unread = _unread(ledger, column)
        if unread is not None and column.is_guess:  # whoever wrote the portal file knows nothing of this address
            yield Contradiction((column.name,), f"column {column.name}: nothing was found at {unread}", tells_end=True)
            continue
        what = f"this {column.format} never listed" if column.format.tells_links else "no archive page ever gave"
        yield Contradiction((column.name,), f"column {column.name}: {what} an article link; {_where_to_look(column, unread)}")
    yield from _empty_sections(ledger, columns)
    unpaged = never("more")
    # the `next` of a preset says nothing of this site: where there is a pager, its links are the sign
    by_link = tuple(column.name for column in columns if column.next is not None and not column.next_of_preset)
    if by_link and set(by_link) <= {column.name for column in unpaged}:
        yield Contradiction(by_link, "`next` never matched on any archive page; look at it with `curator try`")
    yield from _never_grew(ledger, columns, {column.name for column in unpaged})
    for column in unpaged:
        if isinstance(column.paging.last, Picks):
            yield Contradiction((column.name,), f"column {column.name}: `pages.last` never found a number; look at it with `curator try`")


def _unread(ledger: Ledger, column: Column) -> str | None:
    """The newest page of a column, and what came of it, where none could ever be read."""
    rows = ledger.rows(_UNREAD, (column.name, column.rules))
    return next((f"{url} ({reason})" for url, reason, is_read in rows if is_read == 0), None)


def _where_to_look(column: Column, unread: str | None) -> str:
    """Rules can only be wrong where there was a page."""
    if unread is not None:
        return f"none could be read: {unread}; look at this address in a browser, and at `url` under `archive`"
    return f"look at {'its address' if column.format.tells_links else '`item` and `link`'} with `curator try`"


def _never_grew(ledger: Ledger, columns: Sequence[Column], unpaged: Collection[str]) -> Iterator[Contradiction]:
    """One page that grows may be short; where none ever grew that way, and none says that this is all, it is the rule that does nothing."""
    by_how = defaultdict[tuple[PagingMode, str | None], list[Column]](list)
    for column in columns:
        if column.paging.mode in (PagingMode.SCROLL, PagingMode.LOAD_MORE):
            by_how[column.paging.mode, column.rendering.button if column.rendering is not None else None].append(column)
    for (mode, button), growing in by_how.items():
        counted = [column for column in growing if _one(ledger, _GROWN_TO_TOTAL, ProofGround.GROWN_TO_TOTAL, column.name, column.rules)]
        if not counted and {column.name for column in growing} <= set(unpaged):
            how = "scrolling" if mode is PagingMode.SCROLL else f'the button "{button}"'
            reason = f"`pages: {mode}` never brought a new article: {how} seems to do nothing; if there is nothing more, say `pages: none`"
            yield Contradiction(tuple(column.name for column in growing), reason)


def _empty_sections(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    """One section may be empty, which `crawling/sections.py` tells; all of them are not."""
    for name in dict.fromkeys(column.section_of for column in columns if column.section_of is not None):
        together = [column.name for column in columns if name in (column.section_of, column.name)]
        if not any(_one(ledger, _LISTS, one) for one in together):
            told = f"no page of its {sum(one != name for one in together):,} sections ever gave an article link"
            yield Contradiction(tuple(together), f"column {name}: {told}; look at `item` and `link` with `curator try`")


def _second_pages(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    for column in columns:
        if _one(ledger, _SECOND_REPEATS_FIRST, ProofGround.SECOND_REPEATS_FIRST, column.name, column.rules):
            how = "the link that `next` takes" if column.paging.mode is PagingMode.NEXT_LINK else "`{page}`"
            yield Contradiction(
                (column.name,),
                f"column {column.name}: the second page always lists what the first one lists, so {how} seems to do nothing;"
                " if there is only one page, say `pages: none`",
            )


def _same_columns(ledger: Ledger, columns: Sequence[Column], run: int) -> Iterator[Contradiction]:
    """Columns whose walks of this run began with the same articles, interval by interval; a section may have but one subsection."""
    starts: dict[str, set[tuple[str | None, int]]] = {column.name: set() for column in columns if column.section_of is None}
    for name, interval, links in ledger.rows(_FIRST_PAGES, (run,)):
        if name in starts:
            starts[name].add((interval, links))
    # a feed and the pages rightly list the same
    formats = {column.name: column.format for column in columns}
    alike: dict[tuple[str, frozenset[tuple[str | None, int]]], list[str]] = defaultdict(list)
    for name, found in starts.items():
        if len(found) >= ENOUGH_INTERVALS or any(interval is None for interval, _ in found):
            alike[formats[name], frozenset(found)].append(name)
    addresses = {column.name: column.template.text.rstrip("/") for column in columns}
    for together in alike.values():
        names = [one for one in together if not any(_is_below(addresses[one], addresses[other]) for other in together)]
        if len(names) > 1:
            reason = f"columns {', '.join(names)}: their pages list the same articles, so what should part their addresses does nothing"
            yield Contradiction(tuple(names), reason)


def _is_below(address: str, other: str) -> bool:
    """Whether it is that of a section of the other's, whose articles may be all that the other has."""
    return "?" not in other and "{" not in other and address.startswith(f"{other}/")


def _of_unpicked(ledger: Ledger, column: Column, unpicked: Sequence[_Unpicked], *, limited: bool) -> Contradiction:
    """Links that no rule took contradict where they are many or stand in the list itself; others are something to look at."""
    pages, picked = next(ledger.rows(_PAGES, (column.name, column.rules)))
    listed = [one for one in unpicked if one.in_list]
    alone = [one for one in unpicked if not one.in_box and (one.pages == 1 or (pages < _FEW_PAGES and not limited))]
    nearly_all = max(2, picked // max(1, 2 * pages))
    of_empty = [one for one in alone if one.on_empty and sum(other.via == one.via for other in alone) >= nearly_all]
    many = alone if 3 * len(alone) >= picked else []
    for found, where in ((listed, "in the list of the picked ones"), (of_empty, "on pages that count as empty"), (many, "on its pages")):
        if found:
            return Contradiction((column.name,), _unpicked_in_words(column, found, where))
    return Contradiction((), _unpicked_in_words(column, unpicked, "in boxes beside"))


def _unpicked(ledger: Ledger, column: Column) -> list[_Unpicked]:
    rows = list(ledger.rows(_UNPICKED, (column.name, column.rules)))
    found = [(run, _Unpicked(*row)) for run, *row in rows if ledger.url_id(row[0]) is None]
    # what was read as an archive page is none; and what a later look at the same page does not show has gone
    return [one for run, one in found if ledger.column_of_page(one.url) is None and ledger.last_asked(one.via) <= run]


def _unpicked_in_words(column: Column, found: Sequence[_Unpicked], where: str) -> str:
    examples = ", ".join(one.url for one in found[:_EXAMPLES])
    one, many = (
        "link that looks like an article's and that no rule took stands",
        "links that look like articles and that no rule took stand",
    )
    return (
        f"column {column.name}: {amount(len(found), one, many)} {where} (such as {examples}; on {found[0].via});"
        f" if these are articles, `{found[0].selector}` would take them; else `exclude` under `archive: urls` says that they are none"
    )


def _one(ledger: Ledger, sql: str, *values: object) -> int:
    return int(next(ledger.rows(sql, values))[0] or 0)
