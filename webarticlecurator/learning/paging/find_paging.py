"""The ways from page to page that stored pages show, ranked: by a link, by counting, or none.

Before that, the templates of their addresses: where the date stands in them, and where the page's number;
pages that share one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from itertools import islice
from operator import attrgetter

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.template import UrlTemplate, literal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.more_by_script import pages_by_script
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.learning.paging.next_links import WORTH_ASKING, Leads, NextLink, next_links
from webarticlecurator.learning.paging.next_picks import NextPick, best_picks
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import PAGE_WORD, normalise, pages_apart, split

_MONTH_NAMES = (
    r"(?:month(?:num)?|mm?|honap|ho|monat|mois|mes|mese|maand|mesiac|mesic|miesiac|kuukausi|manad|maned)"
)
_DAY_NAMES = r"(?:day|dd?|nap|tag|jour|dia|giorno|dag|den|dzien|paiva)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_MONTH, _DAY = r"(?P<month>0[1-9]|1[0-2])", r"(?P<day>0[1-9]|[12]\d|3[01])"
_SHORT_MONTH, _SHORT_DAY = r"(?P<short_month>1[0-2]|[1-9])", r"(?P<short_day>[12]\d|3[01]|[1-9])"
_NO_DAY = r"(?!(?P=between)\d{1,2}(?!\d))"
_DATES = tuple(
    linear(rf"(?:(?<!\d)|(?<=%[0-9a-f][0-9a-f])){pattern}(?!\d|T(?!00)\d)", re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}(?P<between>[-/._]){_MONTH}(?P<between_days>(?P=between)){_DAY}",
        rf"{_YEAR}(?P<between>[-/._]){_SHORT_MONTH}(?P<between_days>(?P=between)){_SHORT_DAY}",
        rf"{_YEAR}(?P<between>&{_MONTH_NAMES}=){_MONTH}(?P<between_days>&{_DAY_NAMES}=){_DAY}",
        rf"{_YEAR}(?P<between>&{_MONTH_NAMES}=){_SHORT_MONTH}(?P<between_days>&{_DAY_NAMES}=){_SHORT_DAY}",
        rf"{_YEAR}{_MONTH}{_DAY}",
        rf"{_YEAR}(?P<between>[-/._]|&{_MONTH_NAMES}=){_MONTH}{_NO_DAY}",
        rf"{_YEAR}(?P<between>[-/._]|&{_MONTH_NAMES}=){_SHORT_MONTH}{_NO_DAY}",
        r"(?<=[/=])" + _YEAR + r"(?=[/&]|\.html?$|$)",
    )
)
"""From the finest to the coarsest."""
_WRITTEN = {
    "year": "{year}",
    "month": "{month}",
    "day": "{day}",
    "short_month": "{date:M}",
    "short_day": "{date:d}",
}
_OF_PAGE = linear(
    rf"(?:(?<![^\W\d_]){PAGE_WORD}[=/_-]|[?&](?:p|pg|paged|pn|seite)=)(?P<page>\d{{1,6}})(?!\d)",
    re.IGNORECASE,
)


def dated(url: str, until: date) -> tuple[str, date | None]:
    """The address as a template, where it holds a date of the years before `until`; and the first day that it
    is about."""
    parts = split(normalise(url))
    offset = len(f"{parts.scheme}://{parts.authority or ''}")
    head, tail = url[:offset], url[offset:]
    for match in (match for pattern in _DATES for match in pattern.finditer(tail)):
        groups = {name: text for name, text in match.groupdict().items() if text is not None}
        start = _first_day(groups)
        if start is not None and start.year >= 1990 and start <= until + timedelta(days=1):
            return _template_with_date(head, tail, match, groups, start), start
    return literal(url), None


def _first_day(groups: Mapping[str, str]) -> date | None:
    """Return the day, or the first of the month or the year, that an address has; None where its numbers are
    none."""
    month, day = (groups.get(name) or groups.get(f"short_{name}") or "1" for name in ("month", "day"))
    try:
        return date(int(groups["year"]), int(month), int(day))
    except ValueError:
        return None


def _template_with_date(
    head: str, tail: str, match: re.Match[str], groups: Mapping[str, str], start: date
) -> str:
    before, behind = tail[: match.start()], tail[match.end() :]
    # of an interval from one day to the next its end stands there, too; further times the day itself
    for of_day, name in ((start + timedelta(days=1), "next_date"), (start, "date")):
        behind = behind.replace(of_day.isoformat(), f"\0{name}\1")
    written = "".join(_WRITTEN.get(name) or literal(groups[name]) for name in sorted(groups, key=match.span))
    if "between" not in groups and "month" in groups:
        written = "{date:yyyyMMdd}"
    return literal(head + before) + written + literal(behind).replace("\0", "{").replace("\1", "}")


def _numbered(own: str, others: Iterable[str], until: date) -> tuple[str, int] | None:
    """The place of the page's number in an address, by others of the same listing: a template with `{page}`,
    and the number there."""
    for other in others:
        numbers = pages_apart(own, other)
        if numbers is None or numbers[0] == numbers[1]:
            continue
        # the number stands in both addresses, or only in the other, where the first page has none
        for url, number, opposite in ((own, numbers[0], other), (other, numbers[1], own)):
            for template in _with_placeholder(dated(url, until)[0], number):
                if UrlTemplate.parse(template).match(opposite) is not None:
                    return template, numbers[0]
        first = next(_with_placeholder(dated(other, until)[0], numbers[1]), None)
        if first is not None and numbers[0] <= 1:
            return first, numbers[0]
    return None


def _with_placeholder(template: str, number: int) -> Iterator[str]:
    """The last place first: a page's number stands at the end."""
    for match in reversed(list(linear(r"(?<![\d%])\d{1,7}(?!\d)").finditer(template))):
        if int(match[0]) == number:
            yield f"{template[: match.start()]}{{page}}{template[match.end() :]}"


@dataclass(frozen=True)
class Listing:
    """The pages of one listing."""

    template: str
    """With the placeholders of dates and `{page}`, as far as there are any."""
    pages: list[Page] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    """Requested URL -> the page's number."""
    sure: list[bool] = field(default_factory=list)
    """Page by page, whether the number is told by a link to the next page, or by a name before it."""

    @property
    def counted(self) -> bool:
        """Say whether a page's number stands in its address."""
        return "page" in self._parsed.names

    @property
    def dated(self) -> bool:
        return self._parsed.finest_step is not None

    @cached_property
    def _parsed(self) -> UrlTemplate:
        return UrlTemplate.parse(self.template)

    def _links_like(self, template: UrlTemplate) -> Iterator[tuple[str, dict[str, str]]]:
        """Addresses that the pages lead to and that a template makes, with its values."""
        urls = (url for page in self.pages for _, url in islice(page_links(page), 2_000))
        return ((url, values) for url in dict.fromkeys(urls) if (values := template.match(url)) is not None)

    @cached_property
    def first_number(self) -> int:
        """With which counting begins: 0 where such a page is known, else 1."""
        if not self.counted:
            return 1
        linked = {values["page"] for _, values in self._links_like(self._parsed)}
        return 0 if 0 in self.numbers.values() or "0" in linked else 1

    @cached_property
    def first_url(self) -> str:
        """The template of the first page of each date."""
        if not self.counted:
            return self.template
        for page in self.pages:
            url = normalise(page.requested_url)
            if self.numbers.get(page.requested_url, 2) <= 1 and self._parsed.match(url) is None:
                return dated(url, page.date.date())[0]
        return self.template.replace("{page}", str(self.first_number))

    @property
    def earliest(self) -> date | None:
        """The earliest date in the addresses of its pages, and of those that they lead to."""
        if not self.dated:
            return None
        until = max(page.date.date() for page in self.pages)
        linked = (url for url, _ in self._links_like(UrlTemplate.parse(self.first_url)))
        starts = (
            dated(normalise(url), until)[1] for url in (*(page.requested_url for page in self.pages), *linked)
        )
        return min(filter(None, starts), default=None)

    def following(self, page: Page) -> str | None:
        """The address with the next number."""
        number = self.numbers.get(page.requested_url)
        return (
            None if number is None else self._parsed.with_page(normalise(page.requested_url), str(number + 1))
        )


def listings_of(pages: Sequence[Page], following: Mapping[str, str | None]) -> list[Listing]:
    """`following`: where pages lead, as far as that is known; their order is that of the pages."""
    by_template: dict[str, Listing] = {}
    urls = [normalise(page.requested_url) for page in pages[:60]]
    for page in pages:
        url, until = normalise(page.requested_url), page.date.date()
        template, numbered, is_sure = dated(url, until)[0], None, False
        if (next_url := following.get(page.requested_url)) is not None:
            numbers = pages_apart(url, next_url)
            if (
                numbers is not None and numbers[1] == numbers[0] + 1
            ):  # else offsets, or a cursor: nothing that could be counted
                numbered, is_sure = _numbered(url, [next_url], until), True
        else:
            named = None
            if matches := list(
                _OF_PAGE.finditer(template)
            ):  # by what stands before the number alone: `page=3`, `/oldal/3`
                begin, end = matches[-1].span("page")
                named = f"{template[:begin]}{{page}}{template[end:]}", int(matches[-1]["page"])
            same_date = [
                other for other in urls if other != url and dated(other, until)[1] == dated(url, until)[1]
            ]
            numbered, is_sure = _numbered(url, same_date, until) or named, named is not None
        template = numbered[0] if numbered is not None else template
        listing = by_template.setdefault(template, Listing(template))
        listing.pages.append(page)
        listing.sure.append(is_sure)
        if numbered is not None:
            listing.numbers[page.requested_url] = numbered[1]
    return list(by_template.values())


LinksOf = Callable[[Page], frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PagingRule:
    """One way from page to page."""

    mode: PagingMode
    settings: Mapping[str, Plain]
    """Keys that stand side by side in `archive` or a column: `url`, `dates`, `pages`, `next`; null: that key
    goes."""
    reason: str
    score: float
    following: Mapping[str, str | None]
    """Requested URL of each page that was read -> the next page; None: there is none."""
    sure: bool = False
    """It may be written without asking."""

    @property
    def samples(self) -> tuple[str, ...]:
        return _samples(self.following)


def paging_proposal(rules: Sequence[PagingRule], path: tuple[str, ...]) -> Proposal:
    """`archive.paging`: the value of a choice is a mapping, whose keys are set beside what stands at `path`
    already."""
    best, choices = rules[0].following, list[Choice]()
    for rule in rules:  # each with where it leads to other pages than the best one
        pairs = [(page, url) for page, url in rule.following.items() if url != best.get(page)][:6]
        differs = tuple(
            f"+ {page} -> {url}" if url is not None else f"- {page} -> {best.get(page)}"
            for page, url in pairs
        )
        choices.append(
            Choice(
                value=rule.settings,
                reason=rule.reason,
                samples=rule.samples,
                differs=differs,
                score=rule.score,
            )
        )
    question = (
        None if rules[0].sure else "By which of these ways do the pages of the archive follow one another?"
    )
    return Proposal(
        name=".".join((*path, "paging")),
        path=path,
        choices=tuple(choices),
        sure=rules[0].sure,
        question=question,
    )


def find_paging(pages: Sequence[Page], links_of: LinksOf | None = None) -> tuple[list[PagingRule], str]:
    """How these archive pages follow one another, the best way first; else why no way is known. `links_of`:
    the articles on a page."""
    if len({page.requested_url for page in pages}) == 1 and len({page.outline.text(0) for page in pages}) > 1:
        why = (
            f"{len(pages)} different pages have the address {pages[0].requested_url}: what is sent for them "
            "tells them apart, and"
        )
        return [], f"{why} no page shows that; give `request` with {{page}} in the portal file"
    read = first_of_each(pages, attrgetter("requested_url"))
    if not read:
        return [], ""
    asked = _asked(read, links_of)
    best = max(best_picks(asked), key=lambda pick: pick.score, default=None)
    listings = listings_of(read, {page.page.requested_url: page.url for page in asked})
    rules = _counted_rules(listings, asked, links_of)
    if best is not None:
        rules.append(_next_link_rule(best, read, listings))
    elif address := _address(listings, counted=False):
        rules.append(_only_page_rule(read, listings, address))
    if rules:
        return sorted(rules, key=lambda rule: -rule.score), ""
    forms = (
        f"{len(read)} pages have {len(listings)} forms of addresses and no link on, so that no way from one "
        "to the next is seen"
    )
    return [], f"{forms}; if there is one, give `next` or `pages` in the portal file"


def find_article_paging(
    pages: Sequence[Page], listed: Collection[str] = ()
) -> tuple[tuple[Proposal, ...], Mapping[str, str | None]]:
    """How the further pages of these articles follow one another: `articles.next`, and where it leads from
    each page.

    `listed`: articles of the archive, to which such pages do not belong.
    """
    read = first_of_each(pages, attrgetter("requested_url"))
    articles = frozenset(map(normalise, listed))
    asked = _asked(read, lambda _: articles, of_article=True)
    right = [pick for pick in best_picks(asked) if pick.wrong <= pick.agreed]
    distinct = first_of_each(right[:3], lambda pick: tuple(pick.following.items()))
    if not distinct:
        return (), {page.requested_url: None for page in read}
    choices: list[Choice] = []
    for pick in distinct:
        reason = (
            f"it leads to a further page of {pick.agreed} of the {len(read)} articles and pages of articles "
            "that were read"
        )
        choices.append(
            Choice(value=pick.value, reason=reason, samples=_samples(pick.following), score=pick.score)
        )
    is_sure = right[0].wrong == 0 and right[0].is_plain
    question = "Which link leads to the next page of an article?"
    return (Proposal.at(("articles", "next"), choices, question, sure=is_sure),), right[0].following


def _samples(following: Mapping[str, str | None]) -> tuple[str, ...]:
    """A few pages with what they lead to, those first that lead on."""
    ordered = sorted(following.items(), key=lambda pair: pair[1] is None)
    return tuple(f"{page} -> {url or 'no next page'}" for page, url in ordered[:3])


def _asked(pages: Sequence[Page], links_of: LinksOf | None, *, of_article: bool = False) -> list[Row]:
    """Each page with the link that seems to lead on."""
    above = defaultdict[str, set[str]](set)
    leading: list[tuple[Page, list[NextLink]]] = []
    for page in pages:
        url = normalise(page.requested_url)
        links = _leading_on(page, next_links(page, of_article=of_article), links_of, above[url])
        leading.append((page, links))
        for link in links[:1]:
            if link.kind is Leads.ON:  # what may lead back tells nothing of what is above
                above[link.url].add(url)
    counts = _counting(leading)
    asked = []
    for page, links in leading:
        counting = list(filter(counts, links))
        next_url = counting[0].url if counting else None
        asked.append(
            Row(page=page, links=[link for link in counting if link.url == next_url][:4], url=next_url)
        )
    return asked


def _leading_on(
    page: Page, links: Sequence[NextLink], links_of: LinksOf | None, above: Collection[str]
) -> list[NextLink]:
    """Return the links that lead neither to an article, nor to the page `above`, nor to another date of the
    archive.

    Where a page above led to this one, a date in the address says where the list goes on.
    """
    articles = links_of(page) if links_of is not None and links else frozenset()
    until = page.date.date()
    own = None if above else dated(normalise(page.requested_url), until)[1]
    others = (link for link in links if link.url not in articles and link.url not in above)
    return [link for link in others if own in (None, dated(link.url, until)[1])]


def _counting(leading: Sequence[tuple[Page, Sequence[NextLink]]]) -> Callable[[NextLink], bool]:
    """Return which links count.

    Those do that say by themselves that they lead on, and what is written as one that leads to another of the
    pages, unless some link says it otherwise. What no reader sees counts only where readers see nothing.
    """
    known = {normalise(page.requested_url) for page, _ in leading}
    links = [link for _, of_page in leading for link in of_page]
    said = {link.text for link in links if link.kind is Leads.ON}
    shown = {link.text for link in links if link.kind in WORTH_ASKING and link.url in known}
    if shown and said <= shown:
        return lambda link: link.kind is Leads.ON or (link.kind in WORTH_ASKING and link.text in shown)
    kind = Leads.ON if said else Leads.UNSEEN
    return lambda link: link.kind is kind


def _next_link_rule(pick: NextPick, pages: Sequence[Page], listings: Sequence[Listing]) -> PagingRule:
    followed = set(pick.following.values())
    heads = [
        listing
        for listing in listings
        if any(normalise(page.requested_url) not in followed for page in listing.pages)
    ]
    last = sum(url is None for url in pick.following.values())
    is_right = pick.wrong == pick.missed == 0
    parts = (
        f"the link leads on from {pick.agreed} of {len(pages)} archive pages",
        f"{last} have none and are the last" if last else "",
        f"{pick.missed} seem to lead on by another link" if pick.missed else "",
    )
    return PagingRule(
        mode=PagingMode.NEXT_LINK,
        settings={**_address(heads or listings, counted=False), "pages": "next-link", "next": pick.value},
        reason="; ".join(filter(None, parts)),
        score=1.0 if is_right else 0.75,
        following=pick.following,
        sure=is_right and pick.is_plain,
    )


def _only_page_rule(
    pages: Sequence[Page], listings: Sequence[Listing], address: Mapping[str, Plain]
) -> PagingRule:
    only = (
        f"each seems to be the only one{' of a date' if any(listing.dated for listing in listings) else ''}"
    )
    if any(pages_by_script(page) > 1 for page in pages):
        only = "only a script turns the pages"
    return PagingRule(
        mode=PagingMode.NONE,
        # `pages: none` is the word of a person: what had one page when somebody looked may have more
        # tomorrow, and a crawl says so
        settings={**address, "pages": None, "next": None},
        reason=f"no link to a next page on {amount(len(pages), 'archive page')}: {only}",
        score=0.3,
        following={page.requested_url: None for page in pages},
        sure=len(pages) > 1 and not any(listing.counted for listing in listings),
    )


def _counted_rules(
    listings: Sequence[Listing], asked: Sequence[Row], links_of: LinksOf | None
) -> list[PagingRule]:
    """Count the page's number in the address, up to an empty page; where all pages are of one listing that
    can be counted."""
    address = _address(listings, counted=True)
    if not address or not _can_be_counted(listings, asked):
        return []
    by_name = all(any(listing.sure) for listing in listings)
    # where the first page has an address that no number makes, nobody knows whether there is one of number 1,
    # too
    elsewhere = any(
        UrlTemplate.parse(listing.template).match(listing.first_url) is None for listing in listings
    )
    mode, ends = _mode_and_end(asked)
    what = (
        "a number in the addresses grows by one from page to page"
        if by_name
        else "the addresses differ in a number"
    )
    from_zero = any(listing.first_number == 0 for listing in listings)
    score = 0.8 if by_name else 0.4
    return [
        PagingRule(
            mode=mode,
            settings={
                **address,
                "pages": {"mode": mode.value, "start": 0} if from_zero else mode.value,
                "next": None,
            },
            reason=f"{what}; {ends}",
            score=0.9 * score if elsewhere else score,  # rather a link is followed than an address guessed
            following=_counted_on(listings, links_of),
            sure=by_name and len(asked) > 1 and not elsewhere,
        )
    ]


def _counted_on(listings: Sequence[Listing], links_of: LinksOf | None) -> dict[str, str | None]:
    """The page behind each page, by its number; none behind one without articles."""
    pairs = ((listing, page) for listing in listings for page in listing.pages)
    return {
        page.requested_url: listing.following(page) if links_of is None or links_of(page) else None
        for listing, page in pairs
    }


def _can_be_counted(listings: Sequence[Listing], asked: Sequence[Row]) -> bool:
    """Return whether each listing has a number in its addresses, and each page that leads on has one of its
    own."""
    numbers = {url for listing in listings for url in listing.numbers}
    leading_on = (page.page.requested_url for page in asked if page.url is not None)
    return all(listing.counted for listing in listings) and numbers.issuperset(leading_on)


def _mode_and_end(asked: Sequence[Row]) -> tuple[PagingMode, str]:
    of_whole_pages = ("head", "title", "meta", "header", "footer", "nav", "h1", "form", "script")
    if any(
        not page.page.outline.rows(*of_whole_pages) for page in asked
    ):  # a piece, which a script puts into another page
        return PagingMode.EXPANDING, "they are what a button fetches, and new articles push the others down"
    return PagingMode.INFINITE, "counting ends at a page without articles"


def _address(listings: Sequence[Listing], *, counted: bool) -> dict[str, Plain]:
    """`url` and `dates`, where one template makes the addresses of all pages."""
    templates = {listing.template if counted else listing.first_url for listing in listings}
    if len(templates) != 1:
        return {}
    earliest = min((day for listing in listings if (day := listing.earliest) is not None), default=None)
    return {
        "url": templates.pop(),
        **({"dates": {"from": earliest.isoformat()}} if earliest is not None else {}),
    }
