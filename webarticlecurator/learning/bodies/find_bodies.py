"""From pages of articles to rules for their bodies: where the general finder does as well, no rule is proposed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.labelling.truth import words_of
from webarticlecurator.learning.bodies.reading import BodyReading, Draft, Reader, Truth, known_text, without_place
from webarticlecurator.learning.bodies.teaching import MOST_TAUGHT, KnownPage, Lesson, Teacher, agreement
from webarticlecurator.learning.element_selectors import named_selectors, selected
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Plain, Proposal

_MOST_LAYOUTS = 12
_AS_GOOD = 0.95
"""How near what a root gives has to come to what the general finder reads in it."""
_FEWEST_LOST = 3
"""Pages of a layout that no rule fits, from which one is written without asking."""
_MOST_SAMPLES = 5


def find_bodies(
    pages: Sequence[Page], truths: Sequence[Truth] = (), *, portal: Portal, listings: Mapping[str, Fields] | None = None
) -> Learned:
    """The rules for the bodies of some first pages of articles that are better than none, and where the text of these pages stands.

    `truths`: what a person said of some of these pages; `listings`: what archive pages said of them, by URL.
    """
    corrected = {truth.url: truth for truth in truths}
    reader = Reader(portal, listings or {})
    read = [_read(page, reader) for page in sorted(pages, key=lambda page: page.requested_url not in corrected)]
    base = [reading for reading in read if reading.article.layout is None]
    articles = [reading for reading in base if reading.is_article and not reading.is_lost]
    texts = [(each, known_text(corrected[each.url], each)) for each in base if each.url in corrected]
    known = [KnownPage(each, words_of(text)) for each, text in texts if text]
    urls = {each.reading.url for each in known}
    lesson = Teacher(reader, known, [each for each in articles if each.url not in urls]).lesson() if known else Lesson()
    lost = _by_root([reading for reading in base if reading.is_article and reading.is_lost])
    proposals = (*_taught(lesson, len(known)), *_lost(lost, articles, reader))
    finds_as_well = bool(articles) and not lesson.draft.within and portal.body.root is None
    others = len(read) - len(base)
    remarks = {
        "The general finder finds the text as well as a rule would: none is proposed for where it stands.": finds_as_well,
        f"{amount(others, 'page falls', 'pages fall')} under layouts of the portal file; nothing is learned of them.": others > 0,
        f"Of {len(known):,} corrected pages only {MOST_TAUGHT} were learned from.": len(known) > MOST_TAUGHT,
        "Nothing of what the file of expectations says could be found on its pages.": bool(truths) and not known,
    }
    said = (sentence for sentence, holds in remarks.items() if holds)
    return Learned(proposals=proposals, remarks=(*_where(_by_root(articles)), *said))


def _read(page: Page, reader: Reader) -> BodyReading:
    """By the rules; where these find no place of the text, as if none said where it is."""
    read = reader.read(page)
    if reader.portal.body.root is None or read.container is not None or read.article.layout is not None:
        return read
    return replace(reader.read(page, without_place(reader.portal)), is_lost=True)


def _where(roots: Mapping[str, Sequence[BodyReading]]) -> Iterator[str]:
    for root, readings in roots.items():
        days = sorted(day for reading in readings if (day := reading.day) is not None)
        place = f"in {root}" if root else "in elements without a name that they have in common"
        yield f"On {amount(len(readings), 'page')}{f', of {days[0]} to {days[-1]}' if days else ''}, the text stands {place}."


# --- lines of the portal file, each with its evidence ---


def _taught(lesson: Lesson, known: int) -> Iterator[Proposal]:
    """`body.within`, and one proposal for each operation of `body.tags`."""
    if css := lesson.draft.within:
        choice = Choice(value=css, reason=lesson.reasons[css], score=lesson.after)
        yield Proposal(name="body.within", path=("body", "within"), choices=(choice,), sure=True)
    for operation in dict.fromkeys(name for name, _ in lesson.draft.tags):
        selectors = [css for name, css in lesson.draft.tags if name == operation]
        reason = f"{amount(known, 'corrected page')} taught these: now {lesson.after:.1%} of the text is as it should be"
        samples = tuple(f"{css}: {lesson.reasons[css]}" for css in selectors[:_MOST_SAMPLES])
        choice = Choice(value=selectors, reason=reason, samples=samples, score=1.0)
        yield Proposal(name=f"body.tags.{operation}", path=("body", "tags", operation), choices=(choice,), sure=True)


def _lost(lost: Mapping[str, Sequence[BodyReading]], articles: Sequence[BodyReading], reader: Reader) -> Iterator[Proposal]:
    """An entry of `layouts` for pages on which no root of the portal matches anything."""
    entries: dict[str, Plain] = {}
    every = [reading for readings in lost.values() for reading in readings]
    for root, readings in lost.items():
        condition = _condition_of(root, readings, [*articles, *(reading for reading in every if reading not in readings)])
        if not condition:
            continue
        words = re.findall(r"[\w-]+", root) or ["other-pages"]
        name = words[-1] if words[-1] not in entries else f"{words[-1]}-{len(entries) + 1}"
        entries[name] = {"name": name, **condition, "body": _body_for(root, readings, articles, reader)}
        where = f"the general finder has their text in {root or 'elements without a name'}"
        reason = f"on {amount(len(readings), 'page')} no root of the portal file matches anything; {where}"
        choice = Choice(value=[entries[name]], reason=reason, samples=tuple(reading.url for reading in readings[:_MOST_SAMPLES]), score=1.0)
        sure = len(readings) >= _FEWEST_LOST and "when" in condition
        yield Proposal(name=f"layouts.{name}", path=("layouts",), choices=(choice,), sure=sure)


def _by_root(readings: Sequence[BodyReading]) -> dict[str, list[BodyReading]]:
    """The selector of the element that holds the text -> the pages, most pages first; "": it has no name that others have."""
    rest = [reading for reading in readings if reading.root is not None]
    names = {id(reading): named_selectors(reading.root) for reading in rest if reading.root is not None}
    found: dict[str, list[BodyReading]] = {}
    while len(found) < _MOST_LAYOUTS and (counts := Counter(name for reading in rest for name in names[id(reading)])):
        likeliest = [name for name, count in counts.items() if count == max(counts.values())]
        matched = {name: sum(max(1, len(selected(name, reading.page.tree))) for reading in rest) for name in likeliest}
        root = min(likeliest, key=lambda name: (matched[name], "[" not in name, " " in name, len(name), name))
        found[root] = [reading for reading in rest if root in names[id(reading)]]
        rest = [reading for reading in rest if root not in names[id(reading)]]
    return {**found, "": rest} if rest else found


def _body_for(root: str, lost: Sequence[BodyReading], others: Sequence[BodyReading], reader: Reader) -> dict[str, Plain]:
    """The root for pages without the portal's; none where no element tells it, or where it gives another text than the general finder."""
    if not root or any(selected(root, reading.page.tree) for reading in others):
        return {"root": None}
    portal = Draft(root=root).applied(without_place(reader.portal))
    same = [agreement(words_of(reader.read(reading.page, portal).article.text), words_of(reading.article.text)) for reading in lost]
    return {"root": root} if min(same) >= _AS_GOOD else {"root": None, "within": root}


def _condition_of(root: str, pages: Sequence[BodyReading], others: Sequence[BodyReading]) -> Mapping[str, Plain]:
    """By which an entry of `layouts` holds for these pages: the element where no other page has it, else their days; none: nothing does."""
    if root and not any(selected(root, reading.page.tree) for reading in others):
        return {"when": root}
    days = sorted(day for reading in pages if (day := reading.day) is not None)
    return {"from": days[0].isoformat(), "until": days[-1].isoformat()} if days else {}
