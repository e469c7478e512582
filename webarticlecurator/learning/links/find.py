"""From archive pages to the rules that find their articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat, Portal
from webarticlecurator.extraction.body.tag_names import ends_in_hash
from webarticlecurator.learning.links.anchors import links_of_pages
from webarticlecurator.learning.links.candidates import candidates
from webarticlecurator.learning.links.findings import ArchiveReading, LinkFindings, LinkRule
from webarticlecurator.learning.links.json_links import address_candidates, address_picks, html_in
from webarticlecurator.learning.links.listing_fields import listing_fields, with_items
from webarticlecurator.learning.links.ranking import OTHER, Ranked, Ranking, varied
from webarticlecurator.learning.page_sizes import usable_archive_pages
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.urls import normalise

BEST = 3
_NEARLY = 0.9
"""Of the best score: a rule for another list with as much makes a question of it."""
_SAYS_WHICH = re.compile(r"[.#\[]|'json'")
"""A class, an id, an attribute, or a path into JSON."""
_NAME = re.compile(r"[.#]([\w-]+)")
_TRIED = 6
"""Rules that are read by the archive's own reader, until so many of them differ as are shown."""

Proposed = tuple[dict[str, Plain], Ranked]
"""Picks, and how they were ranked."""


def find_links(pages: Sequence[Page], *, examples: Sequence[str] = (), portal: Portal | None = None) -> LinkFindings:
    """The rules that find the articles of these archive pages, best first. The pages are of one portal, best of several sections and dates.

    `examples`: addresses that are known to be articles'; a rule must find one of those that the pages link to.
    """
    reading = ArchiveReading.of(portal, pages)
    read, left_out = usable_archive_pages(pages)
    if not read:
        return LinkFindings(reading=reading, remarks=left_out or (("none of the pages is HTML or JSON",) if pages else ()))
    wanted = [normalise(url) for url in examples]
    if reading.format is ArchiveFormat.JSON:
        proposed, unknown = _in_json(read, reading, wanted), []
    else:
        links = links_of_pages(read, reading.article_at)
        unknown = [f"no page links to the example {url}" for url in wanted if all(address.url != url for address in links.addresses)]
        best = varied(Ranking(links, candidates(links.anchors), wanted).best)
        proposed = [(_picks(ranked), ranked) for ranked in best[:_TRIED]]
    rules = _different(_rule(picks, ranked.score, read, reading) for picks, ranked in proposed)[:BEST]
    if rules:
        rules[0] = _with_fields(rules[0], read, reading)
    return LinkFindings(rules=tuple(rules), pages=read, reading=reading, remarks=(*left_out, *unknown), sure=_is_sure(rules))


def _in_json(pages: Sequence[Page], reading: ArchiveReading, wanted: Sequence[str]) -> list[Proposed]:
    """Addresses, or HTML with links, whichever has the likelier articles."""
    links, paths = address_candidates(pages, reading.article_at)
    proposed = [(address_picks(ranked.css), ranked) for ranked in Ranking(links, paths, wanted).best[:_TRIED]]
    for path, as_html in html_in(pages).items():
        links = links_of_pages(as_html, reading.article_at)
        best = Ranking(links, candidates(links.anchors), wanted).best[:_TRIED]
        proposed += [(_picks(ranked, path), ranked) for ranked in best]
    return sorted(proposed, key=lambda each: (*each[1].order, str(each[0])))[:_TRIED]


def _picks(ranked: Ranked, path: str | None = None) -> dict[str, Plain]:
    """`path`: in JSON, to the HTML in which the selectors look."""
    pick: Plain = ranked.css if path is None else {"html_in": path, "css": ranked.css}
    return {"item": pick, "link": "a"} if ranked.is_item else {"link": pick}


def _rule(picks: Mapping[str, Plain], score: float, pages: Sequence[Page], reading: ArchiveReading) -> LinkRule:
    """With what the archive's reader finds by these picks."""
    found = tuple(reading.links(picks, page) for page in pages)
    hosts = reading.further_hosts((url for urls in found for url in urls), pages[0])
    return LinkRule(picks=picks, hosts=hosts, found=found, score=score, reason=_reason(found, picks))


def _different(rules: Iterable[LinkRule]) -> list[LinkRule]:
    """Of those that find the same the first; none that finds nothing."""
    by_links: dict[tuple[frozenset[str], ...], LinkRule] = {}
    for rule in rules:
        if any(rule.found):
            by_links.setdefault(tuple(map(frozenset, rule.found)), rule)
        if len(by_links) == BEST:
            break
    return list(by_links.values())


def _with_fields(rule: LinkRule, pages: Sequence[Page], reading: ArchiveReading) -> LinkRule:
    """With what stands beside the links, where they stand in items of their own."""
    if reading.format is ArchiveFormat.JSON:
        return rule
    picks = rule.picks if "item" in rule.picks else with_items(str(rule.picks["link"]), pages, rule.found, reading)
    fields = listing_fields(picks, pages, reading) if picks is not None else {}
    if picks is None or not fields:
        return rule
    picks = {**picks, "fields": {name: pick for name, (pick, _) in fields.items()}}
    beside = ", ".join(f"{name} of {told} of {sum(map(len, rule.found))}" for name, (_, told) in fields.items())
    return replace(rule, picks=picks, reason=f"{rule.reason}; beside them {beside}")


def _reason(found: Sequence[Sequence[str]], picks: Mapping[str, Plain]) -> str:
    counts = [len(urls) for urls in found if urls]
    if not counts:
        return ""
    several = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])
    listed = Counter(url for urls in found for url in urls)
    alone = sum(count == 1 for count in listed.values())
    on = f"{several} links a page on {len(counts)} of {amount(len(found), 'page')}"
    reason = on if len(found) == 1 else f"{on}; {alone} of {len(listed)} stand on one page alone"
    made = [name for pick in picks.values() if isinstance(pick, str) for name in _NAME.findall(pick) if ends_in_hash(name)]
    return f"{reason}; a program made the name {made[0]}, and makes another one when the site's styles change" if made else reason


def narrowed(findings: LinkFindings, pages: Sequence[Page]) -> LinkFindings:
    """Rules that were found on many lists, for these pages alone: what finds nothing there, or nothing more, is left out."""
    rules = _different(_narrowed(rule, findings.reading, pages) for rule in findings.rules)
    sure = findings.sure and _is_sure(rules)
    return replace(findings, rules=tuple(rules), pages=tuple(pages), sure=sure) if rules else findings


def _narrowed(rule: LinkRule, reading: ArchiveReading, pages: Sequence[Page]) -> LinkRule:
    """With as few of its selectors as find the same, the first ones before others."""
    name = "item" if "item" in rule.picks else "link"
    picks = rule.finding
    found = [frozenset(reading.links(picks, page)) for page in pages]
    for selector in reversed(str(picks[name]).split(", ") if isinstance(picks[name], str) else []):
        fewer = {**picks, name: ", ".join(other for other in str(picks[name]).split(", ") if other != selector)}
        if fewer[name] and [frozenset(reading.links(fewer, page)) for page in pages] == found:
            picks = fewer
    narrow = _rule(picks, rule.score, pages, reading)
    fields = {"fields": rule.picks["fields"]} if "fields" in rule.picks else {}
    return replace(narrow, picks={**picks, **fields}, hosts=rule.hosts)


def _is_sure(rules: Sequence[LinkRule]) -> bool:
    """Never by one page alone: nothing shows there which of its lists changes. Nor by tags alone: other lists of a page have the same.

    That a variant of the same list comes near is no doubt of the list.
    """
    if not rules or len(rules[0].found) < 2 or not _SAYS_WHICH.search(str(rules[0].finding)):
        return False
    first = set(rules[0].urls)
    of_other_lists = (rule for rule in rules[1:] if len(first.intersection(rule.urls)) < OTHER * len(first.union(rule.urls)))
    return all(rule.score < _NEARLY * rules[0].score for rule in of_other_lists)
