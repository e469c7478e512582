"""From archive pages to the rules that find their articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat, Portal
from webarticlecurator.extraction.body.tag_names import ends_in_hash
from webarticlecurator.learning.links.anchors import links_of_pages
from webarticlecurator.learning.links.archive_reading import ArchiveReading
from webarticlecurator.learning.links.candidates import candidates
from webarticlecurator.learning.links.findings import LinkFindings, LinkRule
from webarticlecurator.learning.links.json_links import address_candidates, address_picks, html_in
from webarticlecurator.learning.links.listing_fields import listing_fields
from webarticlecurator.learning.links.listing_items import with_items
from webarticlecurator.learning.links.page_sizes import usable
from webarticlecurator.learning.links.ranking import OTHER, Ranked, Ranking, varied
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
    read, left_out = usable(pages)
    if not read:
        return LinkFindings(reading=reading, remarks=left_out or (("none of the pages is HTML or JSON",) if pages else ()))
    format = ArchiveFormat.HTML if read[0].tree is not None else ArchiveFormat.JSON
    wanted = [normalise(url) for url in examples]
    found, remarks = (_proposed_json if format is ArchiveFormat.JSON else _proposed_html)(read, reading, wanted)
    rules = _read(found, read, format, reading)
    rules = (*(_with_fields(rule, read, format, reading) for rule in rules[:1]), *rules[1:])
    return LinkFindings(rules=rules, pages=read, format=format, reading=reading, remarks=(*left_out, *remarks), sure=_is_sure(rules))


def _proposed_html(pages: Sequence[Page], reading: ArchiveReading, wanted: Sequence[str]) -> tuple[list[_Proposed], tuple[str, ...]]:
    links = links_of_pages(pages, reading.article_at)
    remarks = [f"no page links to the example {url}" for url in wanted if all(one.url != url for one in links.addresses)]
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
            rule = LinkRule(
                link=one.picks["link"],
                item=one.picks.get("item"),
                hosts=reading.further_hosts((url for urls in found for url in urls), pages[0]),
                found=found,
                score=one.ranked.score,
                reason=_reason(found, one.picks),
            )
            rules.setdefault(tuple(map(frozenset, found)), rule)
        if len(rules) == BEST:
            break
    return tuple(rules.values())


def _with_fields(rule: LinkRule, pages: Sequence[Page], format: ArchiveFormat, reading: ArchiveReading) -> LinkRule:
    """With what stands beside the links, where they stand in items of their own."""
    is_css = isinstance(rule.link, str) and not isinstance(rule.item, Mapping)
    picks = with_items(str(rule.link), pages, rule.found, reading) if is_css and rule.item is None else rule.picks
    has_fields = picks is not None and "item" in picks and "html_in" not in str(picks["item"])
    fields = listing_fields(picks, pages, reading, format) if picks is not None and has_fields else ()
    if picks is None or not fields:
        return rule
    told = ", ".join(f"{one.name} of {one.told} of {one.of}" for one in fields)
    named = {one.name: one.pick for one in fields}
    return replace(rule, item=picks["item"], link=picks["link"], fields=named, reason=f"{rule.reason}; beside them {told}")


def _reason(found: Sequence[Sequence[str]], picks: Mapping[str, Plain]) -> str:
    counts = [len(urls) for urls in found if urls]
    several = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])
    listed = Counter(url for urls in found for url in urls)
    alone = sum(count == 1 for count in listed.values())
    on = f"{several} links a page on {len(counts)} of {amount(len(found), 'page')}"
    said = on if len(found) == 1 else f"{on}; {alone} of {len(listed)} stand on one page alone"
    made = [name for pick in picks.values() if isinstance(pick, str) for name in _NAME.findall(pick) if ends_in_hash(name)]
    return f"{said}; a program made the name {made[0]}, and makes another one when the site's styles change" if made else said


def narrowed(findings: LinkFindings, pages: Sequence[Page]) -> LinkFindings:
    """Rules that were found on many lists, for these pages alone: what finds nothing there, or nothing more, is left out."""
    rules: dict[tuple[frozenset[str], ...], LinkRule] = {}
    for rule in findings.rules:
        one = _narrowed(rule, findings, pages)
        if any(one.found):
            rules.setdefault(tuple(map(frozenset, one.found)), one)
    kept = tuple(rules.values())
    return replace(findings, rules=kept, pages=tuple(pages), sure=findings.sure and _is_sure(kept)) if kept else findings


def _narrowed(rule: LinkRule, findings: LinkFindings, pages: Sequence[Page]) -> LinkRule:
    """With as few of its selectors as find the same, the first ones before others."""

    def found_by(picks: Mapping[str, Plain]) -> tuple[tuple[str, ...], ...]:
        return tuple(findings.reading.links(picks, page, findings.format) for page in pages)

    name = "link" if rule.item is None else "item"
    picks = {key: pick for key, pick in rule.picks.items() if key != "fields"}
    found = found_by(picks)
    for part in reversed(str(picks[name]).split(", ") if isinstance(picks[name], str) else []):
        fewer = {**picks, name: ", ".join(one for one in str(picks[name]).split(", ") if one != part)}
        if fewer[name] and all(map(_same, found_by(fewer), found)):
            picks = fewer
    reason = _reason(found, picks) if any(found) else rule.reason
    return replace(rule, link=picks["link"], item=picks.get("item"), found=found, reason=reason)


def _same(some: Sequence[str], others: Sequence[str]) -> bool:
    return set(some) == set(others)


def _is_sure(rules: Sequence[LinkRule]) -> bool:
    """Never by one page alone: nothing shows there which of its lists changes. Nor by tags alone: other lists of a page have the same.

    That a variant of the same list comes near is no doubt of the list.
    """
    if not rules or len(rules[0].found) < 2 or not _SAYS_WHICH.search(f"{rules[0].item} {rules[0].link}"):
        return False
    first = set(rules[0].urls)
    of_other_lists = (one for one in rules[1:] if len(first.intersection(one.urls)) < OTHER * len(first.union(one.urls)))
    return all(one.score < _NEARLY * rules[0].score for one in of_other_lists)
