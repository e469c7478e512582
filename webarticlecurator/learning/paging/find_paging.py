"""The ways from page to page that stored pages show, ranked: by a link, by counting, or none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.extraction.more_by_script import pages_by_script
from webarticlecurator.extraction.next_links import next_links, shows_way_back
from webarticlecurator.learning.paging.addresses import Listing, dated, listings_of
from webarticlecurator.learning.paging.next_picks import NextPick, PageToAsk, best_picks, json_next
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.text import element_text
from webarticlecurator.urls import normalise

LinksOf = Callable[[Page], frozenset[str]]
_MOST_CHOICES, _MOST_SAMPLES, _MOST_DIFFERENCES = 3, 3, 6
_OF_WHOLE_PAGES = ("head", "title", "meta", "header", "footer", "nav", "h1", "form", "script")


@dataclass(frozen=True, slots=True, kw_only=True)
class PagingRule:
    """One way from page to page."""

    mode: PagingMode
    settings: Mapping[str, Plain]
    """Keys that stand side by side in `archive` or a column: `url`, `dates`, `pages`, `next`; null: that key goes."""
    reason: str
    score: float
    following: Mapping[str, str | None]
    """Requested URL of each page that was read -> the next page; None: there is none."""
    sure: bool = False

    @property
    def samples(self) -> tuple[str, ...]:
        return _samples(self.following)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagingFindings:
    """How the pages of an archive follow one another."""

    rules: tuple[PagingRule, ...] = ()
    """The best first."""
    remarks: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """The first may be written without asking."""
        return bool(self.rules) and self.rules[0].sure

    def next_of(self, page: Page) -> str | None:
        """Where a page that was read leads to, by the best rule."""
        return self.rules[0].following.get(page.requested_url) if self.rules else None

    def proposals(self, path: tuple[str, ...] = ("archive",)) -> tuple[Proposal, ...]:
        """One proposal, `archive.paging`: the value of a choice is a mapping, whose keys are set beside what stands at `path` already."""
        if not self.rules:
            return ()
        best, choices = self.rules[0].following, list[Choice]()
        for rule in self.rules:  # each with where it leads to other pages than the best one
            pairs = [(page, url) for page, url in rule.following.items() if url != best.get(page)][:_MOST_DIFFERENCES]
            differs = tuple(f"+ {page} -> {url}" if url is not None else f"- {page} -> {best.get(page)}" for page, url in pairs)
            choices.append(Choice(value=rule.settings, reason=rule.reason, samples=rule.samples, differs=differs, score=rule.score))
        question = None if self.sure else "By which of these ways do the pages of the archive follow one another?"
        return (Proposal(name=".".join((*path, "paging")), path=path, choices=tuple(choices), sure=self.sure, question=question),)


def find_paging(pages: Sequence[Page], links_of: LinksOf | None = None) -> PagingFindings:
    """How these archive pages follow one another. `links_of`: the articles that a page lists, where that is known."""
    texts = (repr(page.json) if page.tree is None else element_text(page.tree) for page in pages)
    if len({page.requested_url for page in pages}) == 1 and len(set(texts)) > 1:
        why = f"{len(pages)} different pages have the address {pages[0].requested_url}: what is sent for them tells them apart, and"
        return PagingFindings(remarks=(f"{why} no page shows that; give `request` with {{page}} in the portal file",))
    read = list({page.requested_url: page for page in pages}.values())
    asked = _asked(read, links_of)
    best = max(best_picks(asked), key=lambda pick: pick.score, default=None)
    listings = listings_of(read, {page.page.requested_url: page.url for page in asked})
    rules = [rule for rule in (_only_page_rule(read, listings) if best is None else _next_link_rule(best, read, listings),) if read]
    rules += _counted_rules(listings, asked, links_of)
    rules = [rule for rule in rules if rule.mode is PagingMode.NEXT_LINK or "url" in rule.settings]
    forms = f"{len(read)} pages have {len(listings)} forms of addresses and no link on, so that no way from one to the next is seen"
    remarks = (f"{forms}; if there is one, give `next` or `pages` in the portal file",) if read and not rules else ()
    return PagingFindings(rules=tuple(sorted(rules, key=lambda rule: -rule.score)[:_MOST_CHOICES]), remarks=remarks)


def find_article_paging(pages: Sequence[Page], listed: Collection[str] = ()) -> tuple[tuple[Proposal, ...], Mapping[str, str | None]]:
    """How the further pages of these articles follow one another: `articles.next`, and where it leads from each page.

    `listed`: articles of the archive, to which such pages do not belong.
    """
    read = list({page.requested_url: page for page in pages}.values())
    articles = frozenset(map(normalise, listed))
    asked = _asked(read, lambda _: articles, of_article=True)
    right = [pick for pick in best_picks(asked) if pick.wrong <= pick.agreed]
    distinct = list({tuple(pick.following.items()): pick for pick in reversed(right[:_MOST_CHOICES])}.values())[::-1]
    if not distinct:
        return (), {page.requested_url: None for page in read}
    choices: list[Choice] = []
    for pick in distinct:
        reason = f"it leads to a further page of {pick.agreed} of the {len(read)} articles and pages of articles that were read"
        choices.append(Choice(value=pick.value, reason=reason, samples=_samples(pick.following), score=pick.score))
    sure = right[0].wrong == 0 and right[0].is_plain
    question = None if sure else "Which link leads to the next page of an article?"
    proposal = Proposal(name="articles.next", path=("articles", "next"), choices=tuple(choices), sure=sure, question=question)
    return (proposal,), right[0].following


def _samples(following: Mapping[str, str | None]) -> tuple[str, ...]:
    """A few pages with what they lead to, those first that lead on."""
    ordered = sorted(following.items(), key=lambda pair: pair[1] is None)
    return tuple(f"{page} -> {url or 'no next page'}" for page, url in ordered[:_MOST_SAMPLES])


def _asked(pages: Sequence[Page], links_of: LinksOf | None, *, of_article: bool = False) -> list[PageToAsk]:
    """Each page with the link that seems to lead on."""
    links = {page: next_links(page, of_article=of_article) for page in pages}
    if any(link.row is not None and link.row.descending for of_page in links.values() for link in of_page):
        links = {page: next_links(page, of_article=of_article, descending=True) for page in pages}
    for page, of_page in links.items():  # neither an article nor another date of the archive is the next page
        articles = links_of(page) if links_of is not None and of_page else frozenset()
        until = page.date.date()
        own = dated(normalise(page.requested_url), until)[1]
        leading_on = (link for link in of_page if own is None or dated(link.url, until)[1] == own)
        links[page] = tuple(link for link in leading_on if link.url not in articles)
    # what no reader sees counts only where readers see nothing: some software writes it on the last page, too
    with_head = all(link.in_head for of_page in links.values() for link in of_page)
    if with_head and sum(map(bool, links.values())) == 1:
        with_head = not any(of_page and shows_way_back(page) for page, of_page in links.items())
    asked = []
    for page, of_page in links.items():
        seen = [link for link in of_page if with_head or not link.in_head]
        url, path = json_next(page) if page.json is not None and not seen else (seen[0].url if seen else None, None)
        asked.append(PageToAsk(page, [link for link in seen if link.url == url][:4], url, path))
    return asked


def _next_link_rule(pick: NextPick, pages: Sequence[Page], listings: Sequence[Listing]) -> PagingRule:
    followed = set(pick.following.values())
    heads = [listing for listing in listings if any(normalise(page.requested_url) not in followed for page in listing.pages)]
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


def _only_page_rule(pages: Sequence[Page], listings: Sequence[Listing]) -> PagingRule:
    only = f"each seems to be the only one{' of a date' if any(listing.dated for listing in listings) else ''}"
    if any(pages_by_script(page) > 1 for page in pages):
        only = "only a script turns the pages"
    return PagingRule(
        mode=PagingMode.NONE,
        # `pages: none` is the word of a person: what had one page when somebody looked may have more tomorrow, and a crawl says so
        settings={**_address(listings, counted=False), "pages": None, "next": None},
        reason=f"no link to a next page on {amount(len(pages), 'archive page')}: {only}",
        score=0.3,
        following={page.requested_url: None for page in pages},
        sure=len(pages) > 1 and not any(listing.counted for listing in listings),
    )


def _counted_rules(listings: Sequence[Listing], asked: Sequence[PageToAsk], links_of: LinksOf | None) -> list[PagingRule]:
    """Count the page's number in the address, up to an empty page; where all pages are of one listing that can be counted."""
    numbers = {url for listing in listings for url in listing.numbers}
    if not listings or not all(listing.counted for listing in listings) or not (address := _address(listings, counted=True)):
        return []
    if any(page.url is not None and page.page.requested_url not in numbers for page in asked):
        return []
    by_name = all(any(listing.sure) for listing in listings)
    # where the first page has an address that no number makes, nobody knows whether there is one of number 1, too
    elsewhere = any(UrlTemplate.parse(listing.template).match(listing.first_url) is None for listing in listings)
    trees = [page.page.tree for page in asked if page.page.tree is not None]
    is_piece = any(next(tree.iter(*_OF_WHOLE_PAGES), None) is None for tree in trees)  # which a script puts into another page
    if is_piece or any(_overlap(listing, links_of) for listing in listings):
        mode, ends = PagingMode.EXPANDING, "they are what a button fetches, or share articles: new ones push the others down"
    else:
        mode, ends = PagingMode.INFINITE, "counting ends at a page without articles"
    what = "a number in the addresses grows by one from page to page" if by_name else "the addresses differ in a number"
    from_zero = any(listing.first_number == 0 for listing in listings)
    pairs = [(listing, page) for listing in listings for page in listing.pages]
    return [
        PagingRule(
            mode=mode,
            settings={**address, "pages": {"mode": mode.value, "start": 0} if from_zero else mode.value, "next": None},
            reason=f"{what}; {ends}",
            score=(0.8 if by_name else 0.4) * (0.9 if elsewhere else 1),  # rather a link is followed than an address guessed
            following={
                page.requested_url: listing.following(page) if links_of is None or links_of(page) else None for listing, page in pairs
            },
            sure=by_name and len(asked) > 1 and not elsewhere,
        )
    ]


def _address(listings: Sequence[Listing], *, counted: bool) -> dict[str, Plain]:
    """`url` and `dates`, where one template makes the addresses of all pages."""
    templates = {listing.template if counted else listing.first_url for listing in listings}
    if len(templates) != 1:
        return {}
    earliest = min((day for listing in listings if (day := listing.earliest) is not None), default=None)
    return {"url": templates.pop(), **({"dates": {"from": earliest.isoformat()}} if earliest is not None else {})}


def _overlap(listing: Listing, links_of: LinksOf | None) -> bool:
    """Some articles of a page stand on the next one, too."""
    if links_of is None:
        return False
    numbered = sorted((listing.numbers.get(page.requested_url, 0), at) for at, page in enumerate(listing.pages))
    for (number, at), (following, other) in pairwise(numbered):
        first, second = links_of(listing.pages[at]), links_of(listing.pages[other])
        if following == number + 1 and first & second and first != second:
            return True
    return False
