"""What the end of a walk is worth, and why a column is not proved: here what seemed to be an end is believed or not.

`judge` weighs the end of one walk with all that its pages said; `alike_dates` compares successive date intervals of a column while they
are walked; `column_contradictions` asks at the end of a crawl what the ledger says against whole columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Column, PagingMode
from webarticlecurator.corpus.events import EndKind, ProofGround
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_walks import EarlierWalks, Unpicked, first_pages, listed_anything, same_first_pages

if TYPE_CHECKING:
    from webarticlecurator.crawling.walk import Walk, WalkEnd

ENOUGH_INTERVALS = 3
"""Successive date intervals that list the same before the part of the address that should part them is thought to do nothing."""
_ALL_NEW = (
    "the feed lists nothing that the crawl before knew: between the two there may be articles that it lists no more; crawl more often,"
    " or let a sitemap or the archive's pages tell of them"
)
_NOT_MEANT_TO_GO_ON = (ProofGround.STOP_RULE, ProofGround.KNOWN)
"""What the pages cannot contradict."""
_FEW_PAGES = 3
"""On fewer archive pages nobody can tell a box that stands on every page from a list."""
_EXAMPLES = 3
_NAMED = 10


# -- one walk ---------------------------------------------------------------------------------------------------------


def judge(walk: Walk, end: WalkEnd) -> WalkEnd:
    """What the end proves, with all that the walk has seen."""
    if not end.complete:
        return end
    signs, by_word = walk.signs, walk.way.single and walk.column.paging.stated
    if _ends_above_known_ground(walk, end):
        if end.ground is ProofGround.FEED_ALONE:
            return replace(end, kind=EndKind.LIMIT, reason=_ALL_NEW)
        return replace(end, kind=EndKind.DRIFT, reason=f"{end.reason}, but no page on the way had a link that earlier walks knew")
    if signs.overfull is not None:
        return replace(end, kind=EndKind.LIMIT, reason=signs.overfull)
    if signs.broken is not None:
        return replace(end, kind=EndKind.FAILED, reason=signs.broken, proves=None)
    if signs.unread:
        (page, why), more = signs.unread[0], len(signs.unread) - 1
        others = f", nor {more:,} more archive page{'' if more == 1 else 's'} on the way" if more else ""
        return replace(end, kind=EndKind.FAILED, reason=f"{page} could not be read ({why}){others}", proves=walk.span)
    if signs.gap is not None:
        return replace(end, kind=EndKind.UNPROVED, reason=f"{end.reason}; but {signs.gap}")
    against = _said_against(walk, end, by_word=by_word)
    if against is None:
        doubt = None if by_word else signs.doubt(walk.was_asked)
        return replace(end, proves=walk.span, whole=True, doubt=doubt or "")
    if by_word:
        reason = f"proved by your word, `pages: none`; but {against}"
        return replace(end, proves=walk.span, whole=True, reason=reason, ground=ProofGround.BY_WORD)
    return replace(end, kind=EndKind.UNPROVED, reason=f"{end.reason}; but {against}")


def _ends_above_known_ground(walk: Walk, end: WalkEnd) -> bool:
    """Whether the archive seems to end before anything that earlier walks proved, and nothing explains that."""
    if end.kind is not EndKind.PROVED or walk.met or end.ground is ProofGround.STOP_RULE:
        return False
    if walk.interval or walk.full or walk.way.single or (walk.signs.unread and not walk.covered):
        return False
    return any(span.proved for span in walk.earlier.spans())


def _said_against(walk: Walk, end: WalkEnd, *, by_word: bool) -> str | None:
    """What the pages of the walk say against its end."""
    if end.ground in _NOT_MEANT_TO_GO_ON:
        return None
    if walk.way.grows and walk.grown and end.ground in (ProofGround.GROWN, ProofGround.GROWN_TO_TOTAL):
        # links of a pager on a page that grew are for who has no scripts
        return walk.signs.beyond(from_head=not walk.joined)
    return walk.signs.contradiction(walk.was_asked, from_head=not walk.joined, by_word=by_word)


# -- the dates of a column ---------------------------------------------------------------------------------------------


def alike_dates(ledger: Ledger, column: Column, run: int, interval: str, url: str) -> str | None:
    """Why no date interval of a column is proved: successive ones list the same articles; `url` is where this one begins."""
    same = same_first_pages(ledger, column.name, run, interval)
    if len(same) < ENOUGH_INTERVALS:
        return None
    return (
        f"the pages of {', '.join(same)} list the same articles, so the part of the address"
        f" that should part them does nothing (such as {url})"
    )


# -- whole columns -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why nothing is proved of these columns, without their names; or only something to look at."""

    columns: tuple[str, ...]
    reason: str
    tells_end: bool = False
    """It says by what the walk ended."""
    unproves: bool = True
    """It speaks against what is proved of them."""

    def in_words(self) -> str:
        """With the names of the columns, of many the first ones."""
        named, more = ", ".join(self.columns[:_NAMED]), len(self.columns) - _NAMED
        return f"column{'s' if len(self.columns) > 1 else ''} {named}{f' and {more} more' if more > 0 else ''}: {self.reason}"


def column_contradictions(ledger: Ledger, columns: Sequence[Column], run: int, *, limited: bool) -> Iterator[Contradiction]:
    """Rules that never found anything, pages that are the same again, links that no rule took. The ledger may be told of each at once.

    `limited`: the crawl was to look at a part of the archive only, so that other articles are rightly unknown.
    """
    contradicted: set[str] = set()
    for contradiction in chain(
        _without_links(ledger, columns),
        _empty_sections(ledger, columns),
        _never_turned(ledger, columns),
        _second_repeats_first(ledger, columns),
        _alike_columns(ledger, columns, run),
    ):
        contradicted.update(contradiction.columns)
        yield contradiction
    for column in columns:
        if column.name not in contradicted and column.rules in ledger.proved(column.name):
            unpicked = EarlierWalks.of(ledger, column).unpicked()
            if unpicked:
                yield _of_unpicked(ledger, column, unpicked, limited=limited)


def _without_links(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    for column in columns:
        earlier = EarlierWalks.of(ledger, column)
        if column.section_of is not None or not earlier.never_gave("links"):
            continue  # a board may be empty; what its column found as a whole is looked at below
        unread = earlier.unread_page()
        if unread is not None and column.is_guess:  # whoever wrote the portal file knows nothing of this address
            yield Contradiction((column.name,), f"nothing was found at {unread}", tells_end=True)
            continue
        what = f"this {column.format} never listed" if column.format.tells_links else "no archive page ever gave"
        where = f"look at {'its address' if column.format.tells_links else '`item` and `link`'} with `curator try`"
        if unread is not None:  # rules can only be wrong where there was a page
            where = f"none could be read: {unread}; look at this address in a browser, and at `url` under `archive`"
        yield Contradiction((column.name,), f"{what} an article link; {where}")


def _empty_sections(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    """One section may be empty, which a remark tells; all of them are not."""
    for name in dict.fromkeys(column.section_of for column in columns if column.section_of is not None):
        together = [column.name for column in columns if name in (column.section_of, column.name)]
        if not any(listed_anything(ledger, section) for section in together):
            nothing = f"no page of its {sum(section != name for section in together):,} sections ever gave an article link"
            yield Contradiction(tuple(together), f"{nothing}; look at `item` and `link` with `curator try`")


def _never_turned(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
    """Rules for the next page that never found one."""
    unpaged = {column.name for column in columns if EarlierWalks.of(ledger, column).never_gave("more")}
    # the `next` of a preset says nothing of this site: where there is a pager, its links are the sign
    by_link = tuple(column.name for column in columns if column.next is not None and not column.next_of_preset)
    if by_link and unpaged.issuperset(by_link):
        yield Contradiction(by_link, "`next` never matched on any archive page; look at it with `curator try`")
    # one page that grows may be short; where none ever grew that way, and none says that this is all, it is the rule that does nothing
    by_how = defaultdict[tuple[PagingMode, str | None], list[Column]](list)
    for column in columns:
        if column.paging.mode in (PagingMode.SCROLL, PagingMode.LOAD_MORE):
            by_how[column.paging.mode, column.rendering.button if column.rendering is not None else None].append(column)
    for (mode, button), growing in by_how.items():
        names = tuple(column.name for column in growing)
        if unpaged.issuperset(names) and not any(EarlierWalks.of(ledger, column).grew_to_total() for column in growing):
            how = "scrolling" if mode is PagingMode.SCROLL else f'the button "{button}"'
            reason = f"`pages: {mode}` never brought a new article: {how} seems to do nothing; if there is nothing more, say `pages: none`"
            yield Contradiction(names, reason)
    for column in columns:
        if column.name in unpaged and isinstance(column.paging.last, Picks):
            yield Contradiction((column.name,), "`pages.last` never found a number; look at it with `curator try`")


def _second_repeats_first(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Contradiction]:
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
        names = [name for name in together if not any(_is_below(addresses[name], addresses[other]) for other in together)]
        if len(names) > 1:
            reason = f"the pages of {', '.join(names)} list the same articles, so what should part their addresses does nothing"
            yield Contradiction(tuple(names), reason)


def _is_below(address: str, other: str) -> bool:
    """Whether it is that of a section of the other's, whose articles may be all that the other has."""
    return "?" not in other and "{" not in other and address.startswith(f"{other}/")


def _of_unpicked(ledger: Ledger, column: Column, unpicked: Sequence[Unpicked], *, limited: bool) -> Contradiction:
    """Links that no rule took contradict where they are many or stand in the list itself; others are something to look at."""
    pages, picked = EarlierWalks.of(ledger, column).pages_and_links()
    listed = [link for link in unpicked if link.in_list]
    alone = [link for link in unpicked if not link.in_box and (link.pages == 1 or (pages < _FEW_PAGES and not limited))]
    nearly_all = max(2, picked // max(1, 2 * pages))
    of_empty = [link for link in alone if link.on_empty and sum(other.via == link.via for other in alone) >= nearly_all]
    many = alone if 3 * len(alone) >= picked else []
    for links, where in ((listed, "in the list of the picked ones"), (of_empty, "on pages that count as empty"), (many, "on its pages")):
        if links:
            return Contradiction((column.name,), _unpicked_in_words(links, where))
    return Contradiction((column.name,), _unpicked_in_words(unpicked, "in boxes beside"), unproves=False)


def _unpicked_in_words(links: Collection[Unpicked], where: str) -> str:
    first, examples = next(iter(links)), ", ".join([link.url for link in links][:_EXAMPLES])
    number = amount(
        len(links),
        "link that looks like an article's and that no rule took stands",
        "links that look like articles and that no rule took stand",
    )
    return (
        f"{number} {where} (such as {examples}; on {first.via});"
        f" if these are articles, `{first.selector}` would take them; else `exclude` under `archive: urls` says that they are none"
    )
