"""From what was counted to findings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.audit import limits
from webarticlecurator.survey.audit.counting import MOST_EXAMPLES, Text, Variety, Year
from webarticlecurator.survey.audit.counts import Counts, in_order
from webarticlecurator.survey.audit.neglect import neglected
from webarticlecurator.survey.audit.results import SMALL, Finding, Kind, Passage
from webarticlecurator.survey.audit.root import ROOT
from webarticlecurator.survey.audit.rules import root_places
from webarticlecurator.survey.audit.sentences import advice_of, message_of
from webarticlecurator.survey.audit.text import sentences

_LABELS = frozenset({"heading", "subheading", "question", "caption", "cell", "source", "table-heading"})
"""Blocks whose texts come again in honest articles: "Background"."""
_ALSO_FURNITURE = frozenset({Kind.LINKS, Kind.NAMED, Kind.BYLINE})
"""Said only of what does not recur, which is the stronger reason."""
_RANK = {kind: number for number, kind in enumerate(Kind)}


def findings_of(counts: Counts, portal: Portal) -> list[Finding]:
    """All of them, the most costly kind first, then the most words."""
    recurring = list(_recurring_texts(counts))
    told = {(one.tag, one.layout) for one in recurring}
    signs = (one for one in _signs(counts, portal) if one.kind not in _ALSO_FURNITURE or (one.tag, one.layout) not in told)
    found = [*signs, *_same_bodies(counts), *recurring, *neglected(counts, portal)]
    return sorted(found, key=lambda one: (_RANK[one.kind], -one.words, -one.pages, one.tag, one.rule))


def _signs(counts: Counts, portal: Portal) -> Iterator[Finding]:
    roots = root_places(portal)
    for (kind, rule, tag, layout), evidence in counts.evidence.items():
        limit, whole = limits.LIMITS[kind], counts.pages_of(layout)
        years = limits.striking(evidence.pages, whole, limit.share, limit.pages)
        if years is None or evidence.words < limit.words * evidence.times or not _varies(evidence.variety, limit.variety):
            continue
        rule = roots.get(layout, rule) if rule == ROOT else rule
        yield Finding(
            kind=kind,
            message=message_of(kind, rule=rule, tag=tag, words=evidence.words),
            advice=advice_of(kind),
            rule=rule,
            tag=tag,
            layout=layout,
            pages=evidence.pages.total(),
            of_pages=whole.total(),
            words=evidence.words,
            years=in_order(years),
            examples=tuple(evidence.examples),
        )


def _varies(variety: Variety, least: float) -> bool:
    return not least or (variety.different >= limits.FEWEST_TEXTS and variety.share >= least)


# --- texts that recur ---


def _same_bodies(counts: Counts) -> Iterator[Finding]:
    """Articles that have all of their text in common: a notice stands in their place."""
    for (layout, _), text in counts.bodies.texts.items():
        whole = counts.pages_of(layout)
        years = _of_body(text, whole)
        if years is not None:
            yield Finding(
                kind=Kind.SAME_BODY,
                message=message_of(Kind.SAME_BODY, tag=text.tag, note=f"{text.count:,}"),
                advice=advice_of(Kind.SAME_BODY),
                tag=text.tag,
                layout=layout,
                pages=text.count,
                of_pages=whole.total(),
                words=text.words * text.count,
                years=in_order(years),
                examples=tuple(Passage(url, text.text if url == text.urls[0] else "") for url in text.urls),
            )


def _of_body(text: Text, whole: Counter[Year]) -> list[Year] | None:
    return limits.striking(Counter(text.pages), whole, limits.SAME_BODY) if text.count >= limits.RECURS_PAGES else None


def _recurring_texts(counts: Counts) -> Iterator[Finding]:
    """Furniture that was kept, one finding a tag."""
    wholes = {layout: counts.pages_of(layout) for layout, _ in counts.pages}
    # what stands on just the pages that have one body is a part of that
    bodies = {(layout, text.count, *text.urls) for (layout, _), text in counts.bodies.texts.items() if _of_body(text, wholes[layout])}
    texts = [(layout, text) for (layout, _), text in counts.recurring.texts.items() if (layout, text.count, *text.urls) not in bodies]
    furniture = {(text.tag, layout) for layout, text in texts if _recurs(text, wholes[layout]) is not None}
    by_tag: dict[tuple[str, str], list[Text]] = defaultdict(list)
    for layout, text in texts:
        # where one text with that class is furniture, so are those that are rarer: in another language, of another year
        rarer = "." in text.tag and text.count >= limits.FEWEST_PAGES
        if (text.tag, layout) in furniture and (rarer or _recurs(text, wholes[layout]) is not None):
            by_tag[(text.tag, layout)].append(text)
    for (tag, layout), same in by_tag.items():
        same.sort(key=lambda text: -text.count)
        whole = wholes[layout].total()
        yield Finding(
            kind=Kind.FURNITURE,
            message=message_of(Kind.FURNITURE, tag=tag),
            advice=advice_of(Kind.FURNITURE),
            tag=tag,
            layout=layout,
            pages=min(sum(text.count for text in same), whole),
            of_pages=whole,
            words=sum(text.words * text.count for text in same),
            years=in_order(year for text in same for year in _recurs(text, wholes[layout]) or ()),
            examples=tuple(Passage(text.urls[0], text.text) for text in same[:MOST_EXAMPLES]),
        )


def _recurs(text: Text, whole: Counter[Year]) -> list[Year] | None:
    if text.count < limits.RECURS_PAGES:
        return None
    if text.words >= limits.LONG:
        return limits.striking(Counter(text.pages), whole, limits.RECURS_LONG)
    is_label = text.type in _LABELS or (text.words < limits.SHORT and not sentences(text.text)) or whole.total() < SMALL
    return limits.striking(Counter(text.pages), whole, limits.RECURS_LABEL if is_label else limits.RECURS)
