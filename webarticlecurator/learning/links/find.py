"""From archive pages to the rules that find their articles."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.config.portal import ArchiveFormat, Portal
from webarticlecurator.learning.links.anchors import MOST_ANCHORS, LinksOfPages, links_of_pages
from webarticlecurator.learning.links.archive_reading import ArchiveReading
from webarticlecurator.learning.links.candidates import candidates
from webarticlecurator.learning.links.findings import LinkFindings, LinkRule
from webarticlecurator.learning.links.ranking import Ranked, Ranking
from webarticlecurator.model.page import Page
from webarticlecurator.urls import normalise

MOST_PAGES = 12
"""Of those given; more say little more, and each costs."""
BEST = 3
_TRIED = 6
"""Rules that are read by the archive's own reader, until so many of them differ as are shown."""


def find_links(pages: Sequence[Page], *, examples: Sequence[str] = (), portal: Portal | None = None) -> LinkFindings:
    """The rules that find the articles of these archive pages, best first. The pages are of one portal, best of several sections and dates.

    `examples`: addresses that are known to be articles'; a rule must find one of those that the pages link to.
    """
    reading = ArchiveReading.of(portal, pages)
    html = tuple(page for page in pages if page.tree is not None)[:MOST_PAGES]
    remarks = [f"of {len(pages)} archive pages {MOST_PAGES} were read"] if len(pages) > MOST_PAGES else []
    if not html:
        return LinkFindings(reading=reading, remarks=("none of the pages is HTML or JSON with addresses in it",))
    links = links_of_pages(html, reading.article_at)
    if links.cut:
        remarks.append(f"{links.cut} pages have more than {MOST_ANCHORS:,} links; rules were made from the first of them")
    wanted = [normalise(url) for url in examples]
    missing = [url for url in wanted if all(one.url != url for one in links.addresses)]
    remarks += [f"no page links to the example {url}" for url in missing]
    ranking = Ranking(links, candidates(links.anchors), wanted)
    rules = _read(ranking.best, html, links, reading)
    return LinkFindings(rules=rules, pages=html, reading=reading, remarks=tuple(remarks), sure=_is_sure(rules))


def _read(ranked: Sequence[Ranked], pages: Sequence[Page], links: LinksOfPages, reading: ArchiveReading) -> tuple[LinkRule, ...]:
    """The best that differ, with what the archive's reader finds by them."""
    rules: dict[tuple[tuple[str, ...], ...], LinkRule] = {}
    for one in ranked[:_TRIED]:
        found = tuple(reading.links({"link": one.css}, page, ArchiveFormat.HTML) for page in pages)
        if any(found) and found not in rules:
            rules[found] = LinkRule(link=one.css, found=found, precision=one.precision, score=one.score, reason=_reason(found, links))
        if len(rules) == BEST:
            break
    return tuple(rules.values())


def _reason(found: Sequence[Sequence[str]], links: LinksOfPages) -> str:
    counts = [len(urls) for urls in found if urls]
    several = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])
    seen = [url for urls in found for url in urls]
    alone = sum(seen.count(url) == 1 for url in seen)
    on = f"{several} links a page on {len(counts)} of {len(found)} pages"
    return on if links.pages == 1 else f"{on}; {alone} of {len(seen)} stand on one page alone"


def _is_sure(rules: Sequence[LinkRule]) -> bool:
    return bool(rules) and len(rules[0].found) > 1 and (len(rules) == 1 or rules[1].score < 0.8 * rules[0].score)
