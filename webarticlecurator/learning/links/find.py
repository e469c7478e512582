"""From archive pages to the rules that find their articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from webarticlecurator.config.portal import ArchiveFormat, Portal
from webarticlecurator.learning.links.anchors import links_of_pages
from webarticlecurator.learning.links.archive_reading import ArchiveReading
from webarticlecurator.learning.links.candidates import candidates
from webarticlecurator.learning.links.findings import LinkFindings, LinkRule
from webarticlecurator.learning.links.json_links import address_candidates, address_picks, html_in
from webarticlecurator.learning.links.ranking import Ranked, Ranking, varied
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.urls import normalise

MOST_PAGES = 12
"""Of those given; more say little more, and each costs."""
BEST = 3
_TRIED = 6
"""Rules that are read by the archive's own reader, until so many of them differ as are shown."""


@dataclass(frozen=True, slots=True)
class _Proposed:
    """Picks, and how they were ranked."""

    picks: dict[str, Plain]
    ranked: Ranked


def find_links(pages: Sequence[Page], *, examples: Sequence[str] = (), portal: Portal | None = None) -> LinkFindings:
    """The rules that find the articles of these archive pages, best first. The pages are of one portal, best of several sections and dates.

    `examples`: addresses that are known to be articles'; a rule must find one of those that the pages link to.
    """
    reading = ArchiveReading.of(portal, pages)
    of_html = [page for page in pages if page.tree is not None]
    format = ArchiveFormat.HTML if of_html else ArchiveFormat.JSON
    read = tuple(of_html or [page for page in pages if page.json is not None])[:MOST_PAGES]
    if not read:
        return LinkFindings(reading=reading, remarks=("none of the pages is HTML or JSON",) if pages else ())
    wanted = [normalise(url) for url in examples]
    found, remarks = _proposed_html(read, reading, wanted) if of_html else _proposed_json(read, reading, wanted)
    if len(read) < len(pages):
        remarks = (f"of {len(pages)} archive pages {len(read)} were read", *remarks)
    rules = _read(found, read, format, reading)
    return LinkFindings(rules=rules, pages=read, format=format, reading=reading, remarks=remarks, sure=_is_sure(rules))


def _proposed_html(pages: Sequence[Page], reading: ArchiveReading, wanted: Sequence[str]) -> tuple[list[_Proposed], tuple[str, ...]]:
    links = links_of_pages(pages, reading.article_at)
    remarks = [f"no page links to the example {url}" for url in wanted if all(one.url != url for one in links.addresses)]
    if links.cut:
        remarks.append(f"{links.cut} pages have so many links that rules were made from the first of them alone")
    ranking = Ranking(links, candidates(links.anchors), wanted)
    return [_Proposed(_picks(one), one) for one in varied(ranking.best)[:_TRIED]], tuple(remarks)


def _proposed_json(pages: Sequence[Page], reading: ArchiveReading, wanted: Sequence[str]) -> tuple[list[_Proposed], tuple[str, ...]]:
    """Addresses, or HTML with links, whichever has the likelier articles."""
    links, found = address_candidates(pages, reading.article_at)
    proposed = [_Proposed(address_picks(one.css), one) for one in Ranking(links, found, wanted).best[:_TRIED]]
    for path, as_html in html_in(pages).items():
        links = links_of_pages(as_html, reading.article_at)
        best = Ranking(links, candidates(links.anchors), wanted).best[:_TRIED]
        proposed += [_Proposed(_picks(one, path), one) for one in best]
    return sorted(proposed, key=lambda one: (*one.ranked.order, str(one.picks)))[:_TRIED], ()


def _picks(ranked: Ranked, path: str | None = None) -> dict[str, Plain]:
    """`path`: in JSON, to the HTML in which the selectors look."""
    pick: Plain = ranked.css if path is None else {"html_in": path, "css": ranked.css}
    return {"item": pick, "link": "a"} if ranked.is_item else {"link": pick}


def _read(proposed: Sequence[_Proposed], pages: Sequence[Page], format: ArchiveFormat, reading: ArchiveReading) -> tuple[LinkRule, ...]:
    """The best that differ, with what the archive's reader finds by them."""
    rules: dict[tuple[frozenset[str], ...], LinkRule] = {}
    for one in proposed:
        found = tuple(reading.links(one.picks, page, format) for page in pages)
        if any(found):
            rule = LinkRule(**one.picks, found=found, precision=one.ranked.precision, score=one.ranked.score, reason=_reason(found))
            rules.setdefault(tuple(map(frozenset, found)), rule)
        if len(rules) == BEST:
            break
    return tuple(rules.values())


def _reason(found: Sequence[Sequence[str]]) -> str:
    counts = [len(urls) for urls in found if urls]
    several = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])
    listed = Counter(url for urls in found for url in urls)
    alone = sum(count == 1 for count in listed.values())
    on = f"{several} links a page on {len(counts)} of {len(found)} pages"
    return on if len(found) == 1 else f"{on}; {alone} of {len(listed)} stand on one page alone"


def _is_sure(rules: Sequence[LinkRule]) -> bool:
    return bool(rules) and len(rules[0].found) > 1 and (len(rules) == 1 or rules[1].score < 0.8 * rules[0].score)
