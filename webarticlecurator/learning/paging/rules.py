"""Rules of an archive's paging, as they stand in a portal file: by a link, by counting, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from webarticlecurator.amounts import amount
from webarticlecurator.config.fields import Field
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.pager_signs import pages_by_script
from webarticlecurator.extraction.picks import pick_values
from webarticlecurator.learning.links.candidates import names_of
from webarticlecurator.learning.paging.findings import PagingRule, samples
from webarticlecurator.learning.paging.next_picks import NextPick, PageToAsk, context_of
from webarticlecurator.learning.paging.pager_numbers import NumberRow, number_rows
from webarticlecurator.learning.paging.series import Series
from webarticlecurator.learning.plain_picks import picks_of
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.urls import normalise

LinksOf = Callable[[Page], frozenset[str]]
_LINK_SCORE, _DOUBTFUL_SCORE = 1.0, 0.75
_NUMBERED_SCORE, _COUNTED_SCORE, _NAMELESS_SCORE = 1.1, 0.8, 0.3
_ONLY_SCORE = 0.4
_FIRST_ELSEWHERE = 0.9
_OF_WHOLE_PAGES = ("head", "title", "meta", "header", "footer", "nav", "h1", "form", "script")
_ENDS = {
    PagingMode.EXPANDING: "they are what a button fetches, or share articles: new ones push the others down",
    PagingMode.INFINITE: "counting ends at a page without articles",
}


def next_link_rule(pick: NextPick, series: Sequence[Series], pages: int) -> PagingRule:
    """Follow a link."""
    followed = set(pick.following.values())
    heads = [one for one in series if any(normalise(page.requested_url) not in followed for page in one.pages)]
    settings = {**_address(heads or series, counted=False), "pages": "next-link", "next": pick.value}
    last = sum(url is None for url in pick.following.values())
    reason = f"the link leads on from {pick.agreed} of {pages} archive pages" + (f"; {last} have none and are the last" if last else "")
    reason += f"; {pick.missed} seem to lead on by another link" if pick.missed else ""
    return PagingRule(
        mode=PagingMode.NEXT_LINK,
        settings=settings,
        reason=reason,
        samples=samples(pick.following),
        score=_LINK_SCORE if pick.wrong == pick.missed == 0 else _DOUBTFUL_SCORE,
        following=pick.following,
        sure=pick.wrong == 0,
    )


def only_page_rule(series: Sequence[Series], pages: int) -> PagingRule:
    """Nothing to go on to."""
    dates = " of a date" if any(one.dated for one in series) else ""
    only = f"each seems to be the only one{dates}"
    if any(pages_by_script(page) > 1 for one in series for page in one.pages):
        only = "only a script turns the pages"
    return PagingRule(
        mode=PagingMode.NONE,
        # `pages: none` is the word of a person: what had one page when somebody looked may have more tomorrow, and a crawl says so
        settings={**_address(series, counted=False), "pages": None, "next": None},
        reason=f"no link to a next page on {amount(pages, 'archive page')}: {only}",
        score=_ONLY_SCORE,
        following={page.requested_url: None for one in series for page in one.pages},
    )


def counted_rules(
    series: Sequence[Series], asked: Sequence[PageToAsk], best: NextPick | None, links_of: LinksOf | None
) -> Iterator[PagingRule]:
    """Count the page's number in the address, up to the last that the pager names, or to an empty page."""
    counting = [one for one in series if one.counted]
    numbers = {url for one in counting for url in one.numbers}
    if not counting or len(counting) < len(series) or any(one.url is not None and one.page.requested_url not in numbers for one in asked):
        return  # some addresses hold no number that could be counted
    if not _address(counting, counted=True):
        return  # several listings: no one address counts them all
    pages = [page for one in counting for page in one.pages]
    fails = best is not None and bool(best.missed or best.wrong)
    if best is None or best.counts_pages or fails:
        # where no link can be followed, it is enough that the pager shows what is left: counting ends where that ends
        last = _last_of_row(pages, whole=best is not None and not fails)
        if last is not None:
            yield _numbered_rule(counting, pages, last, links_of)
            if last.names_it:
                return
    yield _endless_rule(counting, pages, links_of)


def _numbered_rule(series: Sequence[Series], pages: Sequence[Page], last: LastNumber, links_of: LinksOf | None) -> PagingRule:
    following = {page.requested_url: _counted(page, series, last.highest[page.requested_url], links_of) for page in pages}
    shown = ", ".join(map(str, sorted(filter(None, set(last.highest.values())))[:3]))
    if last.names_it:
        reason = f"the pager names the last page on all {len(pages)} pages: {shown}"
    else:
        reason = f"no link to follow, but the links of each page are numbered, up to {shown}: where no higher one is shown, that is the end"
    return PagingRule(
        mode=PagingMode.NUMBERED,
        settings={**_address(series, counted=True), "pages": {"mode": "numbered", **_start(series), "last": last.value}, "next": None},
        reason=reason,
        samples=samples(following),
        score=(_NUMBERED_SCORE if last.names_it and len(pages) > 1 else _COUNTED_SCORE + 0.05) * _certainty_of_first(series),
        following=following,
        sure=last.names_it and len(pages) > 1 and _certainty_of_first(series) == 1,
    )


def _endless_rule(series: Sequence[Series], pages: Sequence[Page], links_of: LinksOf | None) -> PagingRule:
    by_name = all(one.sure for one in series)
    grows = any(map(_is_fragment, pages)) or _overlap(series, links_of)
    mode = PagingMode.EXPANDING if grows else PagingMode.INFINITE
    what = "a number in the addresses grows by one from page to page" if by_name else "the addresses differ in a number"
    start = _start(series)
    following = {page.requested_url: _counted(page, series, None, links_of) for page in pages}
    return PagingRule(
        mode=mode,
        settings={**_address(series, counted=True), "pages": {"mode": mode.value, **start} if start else mode.value, "next": None},
        reason=f"{what}; {_ENDS[mode]}",
        samples=samples(following),
        score=(_COUNTED_SCORE if by_name else _NAMELESS_SCORE + 0.2 * (len(pages) > 2)) * _certainty_of_first(series),
        following=following,
        sure=by_name and len(pages) > 1 and _certainty_of_first(series) == 1,
    )


def _certainty_of_first(series: Sequence[Series]) -> float:
    """Less than 1 where the first page has an address of its own: rather a link is followed than counted from what may not be there."""
    return _FIRST_ELSEWHERE if any(one.begins_elsewhere for one in series) else 1


def _start(series: Sequence[Series]) -> dict[str, Plain]:
    return {"start": 0} if min(one.first_number for one in series) == 0 else {}


# --- addresses ---


def _address(series: Sequence[Series], *, counted: bool) -> dict[str, Plain]:
    """`url` and `dates`, where one template makes the addresses of all pages."""
    templates = list(dict.fromkeys(one.template if counted else one.first_url for one in series))
    if len(templates) != 1:
        return {}
    return {"url": templates[0], **_dates(series)}


def _dates(series: Sequence[Series]) -> dict[str, Plain]:
    earliest = min((one.earliest for one in series if one.earliest is not None), default=None)
    return {"dates": {"from": earliest.isoformat()}} if earliest is not None else {}


# --- counting ---


def _counted(page: Page, series: Sequence[Series], last: int | None, links_of: LinksOf | None) -> str | None:
    if links_of is not None and not links_of(page):
        return None
    own = next((one for one in series if page.requested_url in one.numbers), None)
    if own is None:
        return None
    following = own.numbers[page.requested_url] + 1
    template, url = UrlTemplate.parse(own.template), normalise(page.requested_url)
    filled = template.with_page(url, str(following))
    return None if last is not None and following > last else filled


@dataclass(frozen=True, slots=True)
class LastNumber:
    """A pick for the highest number of the pager."""

    value: Plain
    highest: Mapping[str, int | None]
    """Requested URL -> what it gives."""
    names_it: bool
    """The pager names the last page; else its highest number only says whether there is more."""


def _last_of_row(pages: Sequence[Page], *, whole: bool) -> LastNumber | None:
    """On all pages; `whole`: the same on all of them, or apart from the numbers around the page's own."""
    rows = {page.requested_url: _longest(number_rows(page)) for page in pages}
    known = {url: row for url, row in rows.items() if row is not None}
    names_it = _names_the_last(known.values())
    if len(known) < len(rows) or (whole and not names_it) or any(row.own is None or row.highest < row.own - 1 for row in known.values()):
        return None
    below = all(one.element.getparent() is row.container for row in known.values() for one in row.entries)
    for name in dict.fromkeys(name for row in known.values() for name in names_of(row.container)):
        value = f"{name} > *" if below else f"{name} *"
        highest = _highest(value, pages)
        if all(highest[url] == row.highest for url, row in known.items()):
            return LastNumber(value, highest, names_it=names_it)
    return None


def _longest(rows: Sequence[NumberRow]) -> NumberRow | None:
    return max((row for row in rows if row.own is not None), key=lambda row: len(row.entries), default=None)


def _names_the_last(rows: Iterable[NumberRow]) -> bool:
    """Not just the next few: what is highest stays the same from page to page, or stands apart from the others."""
    rows = tuple(rows)
    highest = {row.highest for row in rows}
    own = {row.own for row in rows}
    return (len(highest) == 1 and len(own) > 1) or all(_has_gap_before_last(row) for row in rows)


def _has_gap_before_last(row: NumberRow) -> bool:
    numbers = sorted({one.number for one in row.entries})
    return row.own == numbers[-1] or (len(numbers) > 2 and numbers[-1] - numbers[-2] > 1)


def _highest(value: Plain, pages: Sequence[Page]) -> dict[str, int | None]:
    picks = picks_of(value, "archive.pages.last")
    return {page.requested_url: _highest_on(page, picks) if picks is not None else None for page in pages}


def _highest_on(page: Page, picks: Picks) -> int | None:
    try:
        values = pick_values(picks, context_of(page), Field(many=True)).values
    except PatternTimeout:
        return None
    return max((int(one.text) for one in values if one.text.isascii() and one.text.isdigit() and len(one.text) < 10), default=None)


# --- what grows while it is read ---


def _is_fragment(page: Page) -> bool:
    """A piece of a page, which a script puts into another."""
    return page.tree is not None and next(page.tree.iter(*_OF_WHOLE_PAGES), None) is None


def _overlap(series: Sequence[Series], links_of: LinksOf | None) -> bool:
    """Some articles of a page stand on the next one, too."""
    if links_of is None:
        return False
    for one in series:
        ordered = sorted(one.pages, key=lambda page: one.numbers.get(page.requested_url, 0))
        for page, other in pairwise(ordered):
            first, second = links_of(page), links_of(other)
            if first & second and first != second and one.numbers.get(other.requested_url, 0) == one.numbers.get(page.requested_url, 0) + 1:
                return True
    return False
