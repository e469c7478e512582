"""The ways from page to page that stored pages show, ranked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.learning.page_sizes import evenly
from webarticlecurator.learning.paging.addresses import dated
from webarticlecurator.learning.paging.findings import ArticlePagingFindings, PagingFindings, PagingRule, differences, samples
from webarticlecurator.learning.paging.json_next import json_next
from webarticlecurator.learning.paging.next_links import NextLink, agreed, next_links, shows_way_back
from webarticlecurator.learning.paging.next_picks import NextPick, PageToAsk, best_picks, candidates, json_candidates, picks_to_try
from webarticlecurator.learning.paging.rules import counted_rules, next_link_rule, only_page_rule
from webarticlecurator.learning.paging.series import series_of
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice
from webarticlecurator.text import element_text
from webarticlecurator.urls import normalise

LinksOf = Callable[[Page], frozenset[str]]
MOST_PAGES = 60
"""That are read; of more, every so manieth."""
_MOST_CHOICES = 3
_ONE_IS_ENOUGH = 0.9
"""Picks of kinds below this are named by what they are for: one page shows them as well as many."""


def find_paging(pages: Sequence[Page], links_of: LinksOf | None = None) -> PagingFindings:
    """How these archive pages follow one another. `links_of`: the articles that a page lists, where that is known."""
    if len(pages) > 1 and len({page.requested_url for page in pages}) == 1 and len({_content(page) for page in pages}) > 1:
        told = f"{len(pages)} different pages have the address {pages[0].requested_url}: what is sent for them tells them apart, and"
        return PagingFindings(following={}, remarks=(f"{told} no page shows that; give `request` with {{page}} in the portal file",))
    read = _sampled(pages)
    asked = _asked(read, links_of)
    possible = {**candidates(asked), **json_candidates(asked)}
    remarks: tuple[str, ...] = _left_out(pages, read, asked, len(possible))
    best = max(best_picks(asked, possible), key=lambda one: one.score, default=None)
    series = series_of(read, {one.page.requested_url: one.url for one in asked})
    rules = [next_link_rule(best, series, len(read))] if best is not None else []
    rules += counted_rules(series, asked, best, links_of)
    rules += [only_page_rule(series, len(read))] if best is None and read else []
    rules = [rule for rule in rules if rule.mode is PagingMode.NEXT_LINK or "url" in rule.settings]
    remarks += () if rules or not read else (_no_way_on(len(read), len(series)),)
    ranked = sorted(rules, key=lambda rule: -rule.score)[:_MOST_CHOICES]
    return PagingFindings(
        rules=tuple(differences(rule, ranked[0]) for rule in ranked),
        sure=bool(ranked) and _is_sure(ranked, best, len(read)),
        following=ranked[0].following if ranked else {},
        remarks=remarks,
    )


def find_article_paging(pages: Sequence[Page], listed: Collection[str] = ()) -> ArticlePagingFindings:
    """How the further pages of these articles follow one another. `listed`: articles of the archive, to which such pages do not belong."""
    read = _sampled(pages)
    articles = frozenset(map(normalise, listed))
    asked = _asked(read, lambda _: articles, of_article=True)
    picks = best_picks(asked, candidates(asked))
    right = [one for one in picks if one.wrong <= one.agreed][:_MOST_CHOICES]
    choices = tuple(
        Choice(
            value=one.value,
            reason=f"it leads to a further page of {one.agreed} of the {len(read)} articles and pages of articles that were read",
            samples=samples(one.following),
            score=one.score,
        )
        for one in _distinct(right)
    )
    sure = bool(right) and right[0].wrong == 0 and (right[0].agreed > 1 or right[0].kind < _ONE_IS_ENOUGH)
    following: Mapping[str, str | None] = right[0].following if right else {page.requested_url: None for page in read}
    return ArticlePagingFindings(choices=choices, sure=sure, following=following)


def _no_way_on(pages: int, forms: int) -> str:
    told = f"{pages} pages have {forms} forms of addresses and no link on, so that no way from one to the next is seen"
    return f"{told}; if there is one, give `next` or `pages` in the portal file"


def _sampled(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Each address once, and so many of them."""
    return tuple(evenly(list({page.requested_url: page for page in pages}.values()), MOST_PAGES))


def _left_out(pages: Sequence[Page], read: Sequence[Page], asked: Sequence[PageToAsk], possible: int) -> tuple[str, ...]:
    tried = picks_to_try(asked)
    rows = (
        (len(pages) - len(read), f"{len(pages) - len(read)} of {len(pages)} archive pages were not read for this"),
        (possible - tried, f"{tried} of {possible} picks for the next page were tried, as the pages have very many links"),
    )
    return tuple(told for left, told in rows if left > 0)


def _asked(pages: Sequence[Page], links_of: LinksOf | None, *, of_article: bool = False) -> list[PageToAsk]:
    seen = [(page, next_links(page, of_article=of_article)) for page in pages]
    if any(link.row is not None and link.row.descending for _, links in seen for link in links):
        seen = [(page, next_links(page, of_article=of_article, descending=True)) for page in pages]
    found = {page.requested_url: _without_articles(links, page, links_of) for page, links in seen}
    # what no reader sees counts only where readers see nothing: some software writes it on the last page, too
    in_head = all(link.in_head for links in found.values() for link in links)
    if in_head and sum(bool(links) for links in found.values()) == 1:
        in_head = not any(found[page.requested_url] and shows_way_back(page) for page in pages)
    return [_page_to_ask(page, found[page.requested_url], with_head=in_head) for page in pages]


def _without_articles(links: tuple[NextLink, ...], page: Page, links_of: LinksOf | None) -> tuple[NextLink, ...]:
    """Nor what leads to another date of the archive."""
    articles = links_of(page) if links_of is not None and links else frozenset()
    until = page.date.date()
    own = dated(normalise(page.requested_url), until).start
    return tuple(link for link in links if link.url not in articles and (own is None or dated(link.url, until).start == own))


def _page_to_ask(page: Page, links: tuple[NextLink, ...], *, with_head: bool) -> PageToAsk:
    link = agreed(links, with_head=with_head)
    if link is None:
        said = json_next(page) if page.json is not None else None
        return PageToAsk(page, None, url=said[1] if said is not None else None, json=said[0] if said is not None else None)
    others = (one for one in links if one.url == link.url and one is not link and (with_head or not one.in_head))
    return PageToAsk(page, link, tuple(islice(others, 3)), link.url)


def _distinct(picks: Sequence[NextPick]) -> list[NextPick]:
    """Of picks that lead to the same pages the first."""
    found: dict[tuple[tuple[str, str | None], ...], NextPick] = {}
    for one in picks:
        found.setdefault(tuple(one.following.items()), one)
    return list(found.values())


def _content(page: Page) -> str:
    return repr(page.json) if page.tree is None else element_text(page.tree)


def _is_sure(ranked: Sequence[PagingRule], best: NextPick | None, pages: int) -> bool:
    if ranked[0].mode is PagingMode.NEXT_LINK:
        return best is not None and best.wrong == 0 and best.missed == 0 and (best.agreed > 1 or best.kind < _ONE_IS_ENOUGH)
    if ranked[0].mode is PagingMode.NONE:
        return pages > 1 and len(ranked) == 1
    return ranked[0].sure
