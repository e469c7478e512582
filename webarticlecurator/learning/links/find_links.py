"""From archive pages to the rules that find their articles, the best first, each tried by the archive's own
reader; and what stands beside the links: items that hold one article each, and the date that most of them
tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product, takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import ArchiveFormat, Column, Paging, PagingMode, Portal, fitting_column
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.archive_page import article_urls, read_archive_page
from webarticlecurator.extraction.forums import is_of_forum
from webarticlecurator.extraction.url_rules import article_url
from webarticlecurator.labelling.element_names import ClassHint, hints_of
from webarticlecurator.labelling.simplified_tags import MACHINE_MADE
from webarticlecurator.learning.element_selectors import names_of, picks_of, selected
from webarticlecurator.learning.links.anchors import MOST_LINKS, links_of_pages
from webarticlecurator.learning.links.candidates import OTHER, Ranking, varied
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import bare_host, host_allowed, normalise

Picks = Mapping[str, Plain]
_DIFFERENCES = 6
_MOST_RULES = 3
"""Rules for the links of some pages that are proposed."""
_PAGES_OF_ITEMS, _MOST_ITEMS = 4, 60
"""Pages, and items of each that are looked at."""
_OF_ITEMS = 0.8
"""Share of the items that must tell a field."""


_NO_COLUMN = Column(name="", template=UrlTemplate.parse(""), paging=Paging(mode=PagingMode.NONE))
"""The column of pages of which no portal file speaks."""


class ArchiveReading:
    """How a portal reads its archive pages, whatever its `item` and `link` are."""

    def __init__(self, portal: Portal | None, pages: Sequence[Page]) -> None:
        """Without a portal the pages' own hosts are those of the articles, and nothing cleans their
        addresses."""
        if portal is None:
            hosts = frozenset(bare_host(url) for page in pages for url in (page.url, page.requested_url))
            portal = Portal(name="portal", title="", home=pages[0].url if pages else "", hosts=hosts)
        self.portal = portal
        self._columns: dict[str, Column] = {}
        """By the addresses of pages."""

    def article_at(self, url: str, page: Page) -> str | None:
        """The address as the crawl asks for it; None where the portal's rules refuse it."""
        try:
            with Budget():
                listed = article_url(url, self._column(page).urls, self.portal)
        except PatternTimeout:
            return None
        return normalise(listed) if isinstance(listed, str) else None

    def links(self, picks: Picks, page: Page) -> tuple[str, ...]:
        """The addresses that a page lists by these picks, in its order; none where they need too long for
        it."""
        try:
            return article_urls(replace(page, budget=Budget()), self._by(picks, page), self.portal)
        except PatternTimeout:
            return ()

    def dates(self, picks: Picks, pick: Plain, page: Page) -> list[tuple[str, ...]]:
        """Return what it tells of each of them by a pick for their dates."""
        compiled, name = picks_of(pick, "archive.fields.datePublished"), "datePublished"
        column = replace(self._by(picks, page), fields={} if compiled is None else {name: compiled})
        try:
            return [
                link.fields.get(name, ())
                for link in read_archive_page(replace(page, budget=Budget()), column, self.portal).articles
            ]
        except PatternTimeout:
            return []

    def _by(self, picks: Picks, page: Page) -> Column:
        item, link = (picks_of(picks.get(name), f"archive.{name}") for name in ("item", "link"))
        return replace(self._column(page), item=item, link=link, fields={}, format=ArchiveFormat.HTML)

    def _column(self, page: Page) -> Column:
        """As it is, and with the hosts below those of the portal: `sport.pelda.example` is of
        `pelda.example`."""
        if page.requested_url not in self._columns:
            own = self.own_column(page)
            below = (f"*.{host}" for host in sorted(self.portal.hosts))
            self._columns[page.requested_url] = replace(
                own, urls=replace(own.urls, hosts=(*own.urls.hosts, *below))
            )
        return self._columns[page.requested_url]

    def own_column(self, page: Page) -> Column:
        """Return the column that a page is of; where none has its address, the first that there is."""
        fitting = (fitting_column(self.portal, url) for url in (page.requested_url, page.url))
        others = (self.portal.archive, *self.portal.columns, _NO_COLUMN)
        return next(filter(None, chain(fitting, others)))


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """Picks, and what they find: what the portal file with them gives, no more and no less."""

    picks: Picks
    """`link`, and `item`."""
    fields: Picks = field(default_factory=dict)
    hosts: tuple[str, ...] = ()
    """Hosts that `urls.hosts` must list, for some of the links lead there."""
    found: tuple[tuple[str, ...], ...]
    """The links on each of the pages, in their order."""
    score: float
    reason: str

    @property
    def keys(self) -> dict[str, Plain]:
        """The keys that it sets in `archive`, or in a column."""
        return {**self.picks, **({"fields": self.fields} if self.fields else {})}

    @property
    def urls(self) -> tuple[str, ...]:
        """All of them, each once, in the order of the pages."""
        return tuple(dict.fromkeys(url for urls in self.found for url in urls))


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFindings:
    """The best rules for the links of some archive pages."""

    reading: ArchiveReading = field(repr=False)
    rules: tuple[LinkRule, ...] = ()
    """The best first; no two of them find the same."""
    pages: tuple[Page, ...] = field(default=(), repr=False)
    sure: bool = False
    """The first may be written without asking."""
    remarks: tuple[str, ...] = ()

    def links_of(self, page: Page, rule: int = 0) -> frozenset[str]:
        """The links that a rule finds on any archive page of this portal; nothing where there is no rule."""
        return (
            frozenset(self.reading.links(self.rules[rule].picks, page))
            if rule < len(self.rules)
            else frozenset()
        )

    def begun_with(self, best: int) -> LinkFindings:
        """Return the findings with that rule first."""
        return replace(
            self,
            rules=(self.rules[best], *self.rules[:best], *self.rules[best + 1 :]),
            sure=self.sure and best == 0,
        )


def find_links(
    pages: Sequence[Page], *, examples: Sequence[str] = (), portal: Portal | None = None
) -> LinkFindings:
    """The rules that find the articles of these archive pages, best first. The pages are of one portal, best
    of several sections and dates.

    `examples`: addresses that are known to be articles'; a rule must find one of those that the pages link
    to.
    """
    reading = ArchiveReading(portal, pages)
    by_links: dict[tuple[str, ...], Page] = {}
    """Two pages with the same links would say of each link that it is on both."""
    for page in pages:
        if page.tree is not None:
            by_links.setdefault(
                tuple(str(link.get("href")) for link in islice(page.tree.iter("a"), MOST_LINKS)), page
            )
    read = tuple(by_links.values())[:12]  # more say little more, and each costs
    if not read:
        return LinkFindings(reading=reading, remarks=("none of the pages is HTML",) if pages else ())
    wanted = [normalise(url) for url in examples]
    anchors, addresses = links_of_pages(read, reading.article_at)
    linked = {address.url for address in addresses}
    remarks = [f"no page links to the example {url}" for url in wanted if url not in linked]
    ranking = varied(Ranking(len(read), anchors, addresses, wanted).best)[
        :6
    ]  # to be read by the archive's own reader
    picks = (
        ({"item": ranked.css, "link": "a"} if ranked.is_item else {"link": ranked.css}, ranked.score)
        for ranked in ranking
    )
    rules = _different(_rule(own, score, read, reading) for own, score in picks)
    sure = _is_sure(rules)
    if rules:
        rules = (_with_fields(rules[0], read, reading), *rules[1:])
    return LinkFindings(rules=rules, pages=read, reading=reading, remarks=tuple(remarks), sure=sure)


def _rule(picks: Picks, score: float, pages: Sequence[Page], reading: ArchiveReading) -> LinkRule:
    """With what the archive's reader finds by these picks."""
    found = tuple(reading.links(picks, page) for page in pages)
    allowed = reading.own_column(pages[0]).urls.hosts
    # those that the portal file does not let in yet
    hosts = {bare_host(url) for urls in found for url in urls}
    further = (host for host in hosts if not host_allowed(host, reading.portal.hosts, allowed))
    return LinkRule(
        picks=picks, hosts=tuple(sorted(further)), found=found, score=score, reason=_reason(picks, found)
    )


def _reason(picks: Picks, found: Sequence[Sequence[str]]) -> str:
    """Say how many links a rule finds, and whether its names will last; nothing, if it finds none."""
    counts = [len(urls) for urls in found if urls]
    if not counts:
        return ""
    several = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])
    reason = f"{several} links a page on {len(counts)} of {amount(len(found), 'page')}"
    if len(found) > 1:
        listed = Counter(chain.from_iterable(found))
        reason += f"; {[*listed.values()].count(1)} of {len(listed)} stand on no other page, unlike menus"
    written = " ".join(pick for pick in picks.values() if isinstance(pick, str))
    made = [name for name in linear(r"[.#]([\w-]+)").findall(written) if MACHINE_MADE.search(name)]
    if made:
        reason += f"; a program made the name {made[0]}, and makes another one when the site's styles change"
    return reason


def _with_fields(rule: LinkRule, pages: Sequence[Page], reading: ArchiveReading) -> LinkRule:
    """With what stands beside the links, where they stand in items; beside a thread it may be the time of its
    last post."""
    if any(map(is_of_forum, rule.urls)):
        return rule
    picks = rule.picks if "item" in rule.picks else _with_items(rule, pages, reading)
    if picks is None or (date := _listing_date(picks, pages, reading)) is None:
        return rule
    pick, count = date
    reason = f"{rule.reason}; beside {sum(map(len, rule.found))} of them datePublished of {count}"
    return replace(rule, picks=picks, fields={"datePublished": pick}, reason=reason)


def _with_items(rule: LinkRule, pages: Sequence[Page], reading: ArchiveReading) -> Picks | None:
    """The links as `item` and `link`, by a name of the outermost elements that hold one article each; None
    where there is none."""
    css = str(rule.picks["link"])
    named = [
        names
        for page in pages[:_PAGES_OF_ITEMS]
        for names in _names_around_links(selected(css, page.tree)[:MOST_LINKS])
    ]
    counts, fewest = (
        Counter(name for names in named for name in names),
        max(0.9 * len(named), 3),
    )  # links that stand in such an element
    likely = [name for names in named[len(named) // 2 :][:1] for name in names if counts[name] >= fewest][:6]
    pairs = (pair for pair in _items_with_links(css, likely) if not pair[1].startswith(f"{pair[0]} "))
    tried: Iterator[Picks] = ({"item": item, "link": inner} for item, inner in pairs)
    return next((picks for picks in tried if _finds_the_same(picks, rule, pages, reading)), None)


def _items_with_links(css: str, likely: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Selectors of items, each with what a selector of links may be in them."""
    steps = [] if {",", "("}.intersection(css) else css.split(" ")
    links = [" ".join(steps[start:]) for start in range(len(steps)) if steps[start] != ">"] or [css]
    yield from product((*likely, *(f"{steps[0]} {name}" for name in likely if len(steps) > 1)), links)


def _finds_the_same(picks: Picks, rule: LinkRule, pages: Sequence[Page], reading: ArchiveReading) -> bool:
    return all(
        set(reading.links(picks, page)) == set(urls) for page, urls in zip(pages, rule.found, strict=True)
    )


def _names_around_links(links: Sequence[Element]) -> Iterator[dict[str, None]]:
    """Give for each link on a page the names of the elements around it that hold no link to another article,
    the outermost first."""
    address_in = dict[Element, str]()
    for link in links:
        href = link.get("href") or ""
        address_in.update(
            {around: href if address_in.get(around, href) == href else "" for around in link.iterancestors()}
        )
    for link in links[:_MOST_ITEMS]:
        holders = list(takewhile(address_in.__getitem__, link.iterancestors()))
        yield dict.fromkeys(name for holder in reversed(holders) for name in names_of(holder))


def _listing_date(picks: Picks, pages: Sequence[Page], reading: ArchiveReading) -> tuple[Plain, int] | None:
    """The pick of the date, and of how many articles it is told by the reader of archives. What all have
    alike is nothing of an article.

    Authors are left to the pages of the articles: lists like to name only the first of several.
    """
    counts, number = Counter[str](), 0
    for item in (
        item
        for page in pages[:_PAGES_OF_ITEMS]
        for item in selected(str(picks["item"]), page.tree)[:_MOST_ITEMS]
    ):
        if selected(str(picks["link"]), item):  # else it is an item of another list
            counts.update(set(_dates_in(item)))
            number += 1
    likely = sorted(
        (css for css, count in counts.items() if count >= _OF_ITEMS * number),
        key=lambda css: (-counts[css], len(css), css),
    )
    best, found = 0, None
    for css in likely[:3]:
        pick: Plain = {"css": "time", "attr": "datetime"} if css == "time[datetime]" else css
        values = _days_by([texts for page in pages for texts in reading.dates(picks, pick, page)])
        length = sum(map(len, values))  # a moment says more than its day
        if length > best:
            best, found = length, (pick, len(values))
    return found


def _days_by(listed: Sequence[Sequence[str]]) -> list[str]:
    """Return the dates of items by one pick; nothing where some are none, most items have none, or all have
    the same."""
    values = [text for texts in listed for text in texts[:1]]
    are_dates = all(linear_at(r"\d{4}-\d\d-\d\d").match(text) for text in chain.from_iterable(listed))
    return values if are_dates and len(values) >= _OF_ITEMS * len(listed) and len(set(values)) > 1 else []


def _dates_in(item: Element) -> Iterator[str]:
    """Selectors of elements that are dates by their tag or class."""
    for element in islice(item.iterdescendants(etree.Element), 80):
        if element.tag == "time":
            yield "time[datetime]" if element.get("datetime") else "time"
        hints = hints_of(element.get("class") or "")
        if hints & {ClassHint.DATE, ClassHint.PUBLISHED} and ClassHint.UPDATED not in hints:
            yield from (name for name in names_of(element) if name != element.tag)


def _different(rules: Iterable[LinkRule]) -> tuple[LinkRule, ...]:
    """Return the first few rules that find something, and no two that find the same."""
    finding = (rule for rule in rules if any(rule.found))
    return tuple(first_of_each(finding, lambda rule: tuple(map(frozenset, rule.found))))[:_MOST_RULES]


def narrowed(findings: LinkFindings, pages: Sequence[Page]) -> LinkFindings:
    """Rules that were found on many lists, for these pages alone: those that find something there."""
    of_pages = (_rule(rule.picks, rule.score, pages, findings.reading) for rule in findings.rules)
    rules = _different(
        replace(found, hosts=rule.hosts, fields=rule.fields)
        for rule, found in zip(findings.rules, of_pages, strict=True)
    )
    sure = findings.sure and _is_sure(rules)
    if rules and not rules[0].fields:  # what is left may stand in items
        rules = (_with_fields(rules[0], pages, findings.reading), *rules[1:])
    return replace(findings, rules=rules, pages=tuple(pages), sure=sure) if rules else findings


def _is_sure(rules: Sequence[LinkRule]) -> bool:
    """Never by one page alone: nothing shows there which of its lists changes. Nor by tags alone: other lists
    of a page have the same.

    That a variant of the same list comes near is no doubt of the list.
    """
    if (
        not rules or len(rules[0].found) < 2 or not linear(r"[.#\[]").search(str(rules[0].picks))
    ):  # a class, an id, an attribute
        return False
    first = set(rules[0].urls)
    of_other_lists = (
        rule for rule in rules[1:] if len(first.intersection(rule.urls)) < OTHER * len(first.union(rule.urls))
    )
    return all(rule.score < 0.9 * rules[0].score for rule in of_other_lists)


def proposals(findings: LinkFindings, path: tuple[str, ...] = ("archive",)) -> tuple[Proposal, ...]:
    """The keys of `path` (the archive, or one of its columns): one proposal, since what finds the links
    belongs together."""
    if not findings.rules:
        return ()
    which = "Which of these finds" if len(findings.rules) > 1 else "Does this find"
    question = (
        None if findings.sure else f"{which} the articles of the archive pages, all of them and nothing else?"
    )
    portal, first, choices = findings.reading.portal, findings.rules[0].urls, list[Choice]()
    # a link that needs no `item` has to do without one that the portal file has; `archive` may get one, too
    has_items = any(
        column.item is not None
        for column in (*portal.columns, *([portal.archive] if portal.archive is not None else []))
    )
    for rule in findings.rules:
        value: dict[str, Plain] = {}
        if "item" not in rule.picks and (has_items or path[0] == "columns"):
            value["item"] = None
        value |= rule.keys
        if rule.hosts:
            value["urls"] = {"hosts": list(rule.hosts)}
        differs = (*_first("+", rule.urls, first), *_first("-", first, rule.urls))
        choices.append(
            Choice(value=value, reason=rule.reason, samples=rule.urls[:3], differs=differs, score=rule.score)
        )
    return (
        Proposal(
            name=".".join((*path, "link")),
            path=path,
            choices=tuple(choices),
            sure=findings.sure,
            question=question,
        ),
    )


def _first(sign: str, urls: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    """The first few that are not among the others, and how many there are."""
    known = frozenset(others)
    lines = [f"{sign} {url}" for url in urls if url not in known]
    yield from lines[:_DIFFERENCES]
    if len(lines) > _DIFFERENCES:
        yield f"{sign} ... ({len(lines)} in all)"
