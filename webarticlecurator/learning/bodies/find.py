"""From pages of articles to rules for their bodies: where the general finder does as well, no rule is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.learning.bodies.drafts import Draft, without_place
from webarticlecurator.learning.bodies.known_texts import Truth, known_text, layouts_of_one_page
from webarticlecurator.learning.bodies.lost_layouts import body_for, by_root, condition_of
from webarticlecurator.learning.bodies.reading import Reader, Reading
from webarticlecurator.learning.bodies.teaching import MOST_TAUGHT, Lesson, Taught, Teacher, taught
from webarticlecurator.learning.page_sizes import MOST_PAGES
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Plain, Proposal

_FEWEST_LOST = 3
"""Pages of a layout that no rule fits, from which one is written without asking."""
_MOST_SAMPLES = 5


def find_bodies(
    pages: Sequence[Page], truths: Sequence[Truth] = (), *, portal: Portal, listings: Mapping[str, Fields] | None = None
) -> Learned:
    """The rules for the bodies of some first pages of articles that are better than none, and where the text of these pages stands.

    `truths`: what a person said of some of these pages; a layout of the portal for one page alone says it, too. `listings`: what
    archive pages said of them, by URL.
    """
    alone = layouts_of_one_page(portal, pages)
    corrected = {truth.url: truth for truth in truths}
    chosen = sorted(pages, key=lambda page: page.requested_url not in {*corrected, *alone})[:MOST_PAGES]
    reader = Reader(replace(portal, layouts=tuple(one for one in portal.layouts if one not in alone.values())), listings or {})
    read = [_read(page, reader) for page in chosen]
    base = [one for one in read if one.layout is None]
    articles = [one for one in base if one.is_article and not one.is_lost]
    known: list[Taught] = []
    for one in base:
        text = known_text(corrected[one.url], one) if one.url in corrected else None
        if one.url in alone and text is None:
            text = reader.read(one.page, portal).article.text
        known += [taught(one, text)] if text else []
    lesson = Lesson()
    if known:
        urls = {each.reading.url for each in known}
        teacher = Teacher(reader, known, [one for one in articles if one.url not in urls])
        lesson = teacher.lesson([Draft.of(layout) for url, layout in sorted(alone.items()) if url in urls])

    lost = by_root([one for one in base if one.is_article and one.is_lost])
    proposals = (*_place(lesson, articles, reader), *_tags(lesson, len(known)), *_lost(lost, articles, reader))
    finds_as_well = bool(articles) and not lesson.draft.has_place and portal.body.root is None
    left, others = len(pages) - len(chosen), len(read) - len(base)
    told = {
        "The general finder finds the text as well as a rule would: none is proposed for where it stands.": finds_as_well,
        f"{amount(left, 'more page was', 'more pages were')} not looked at: {MOST_PAGES} are enough to learn from.": left > 0,
        f"{amount(others, 'page falls', 'pages fall')} under layouts of the portal file; nothing is learned of them.": others > 0,
        f"Of {len(known):,} corrected pages only {MOST_TAUGHT} were learned from.": len(known) > MOST_TAUGHT,
        "Nothing of what the file of expectations says could be found on its pages.": bool(truths) and not known,
    }
    remarks = [*_where(by_root(articles)), *(sentence for sentence, holds in told.items() if holds)]
    return Learned(proposals=proposals, remarks=tuple(remarks))


def _read(page: Page, reader: Reader) -> Reading:
    """By the rules; where these find no place of the text, as if none said where it is."""
    read = reader.read(page)
    if reader.portal.body.root is None or read.container is not None or read.layout is not None:
        return read
    return replace(reader.read(page, without_place(reader.portal)), is_lost=True)


def _where(roots: Mapping[str, Sequence[Reading]]) -> Iterator[str]:
    for root, readings in roots.items():
        days = sorted(day for one in readings if (day := one.day) is not None)
        place = f"in {root}" if root else "in elements without a name that they have in common"
        yield f"On {amount(len(readings), 'page')}{f', of {days[0]} to {days[-1]}' if days else ''}, the text stands {place}."


# --- lines of the portal file, each with its evidence ---


def _place(lesson: Lesson, articles: Sequence[Reading], reader: Reader) -> Iterator[Proposal]:
    """`body.root` or `body.within`; a layout, where the element is not on all pages."""
    draft = lesson.draft
    body = {name: value for name, value in draft.plain.items() if name != "tags"}
    reason = next((lesson.reasons[css] for css in draft.place if css in lesson.reasons), "")
    portal = draft.applied(reader.portal)
    if body and (draft.within or all(reader.read(one.page, portal).container is not None for one in articles)):
        name, value = next(iter(body.items()))
        choice = Choice(value=value, reason=reason, score=lesson.after)
        yield Proposal(name=f"body.{name}", path=("body", name), choices=(choice,), sure=True)
    elif body:
        entry: Plain = {"name": "corrected", "when": draft.place[-1], "body": body}
        choice = Choice(value=[entry], reason=reason, score=lesson.after)
        yield Proposal(name="layouts.corrected", path=("layouts",), choices=(choice,), sure=True)


def _tags(lesson: Lesson, known: int) -> Iterator[Proposal]:
    """One for each operation."""
    for operation in dict.fromkeys(name for name, _ in lesson.draft.tags):
        selectors = [css for name, css in lesson.draft.tags if name == operation]
        reason = f"{amount(known, 'corrected page')} taught these: now {lesson.after:.1%} of the text is as it should be"
        samples = tuple(f"{css}: {lesson.reasons[css]}" for css in selectors[:_MOST_SAMPLES])
        choice = Choice(value=selectors, reason=reason, samples=samples, score=1.0)
        yield Proposal(name=f"body.tags.{operation}", path=("body", "tags", operation), choices=(choice,), sure=True)


def _lost(lost: Mapping[str, Sequence[Reading]], articles: Sequence[Reading], reader: Reader) -> Iterator[Proposal]:
    """An entry of `layouts` for pages on which no root of the portal matches anything."""
    names: set[str] = set()
    every = [one for readings in lost.values() for one in readings]
    for root, readings in lost.items():
        condition = condition_of(root, readings, [*articles, *(one for one in every if one not in readings)])
        if not condition:
            continue
        name = _name_of(root, names)
        entry: Plain = {"name": name, **condition, "body": body_for(root, readings, articles, reader)}
        where = f"the general finder has their text in {root or 'elements without a name'}"
        reason = f"on {amount(len(readings), 'page')} no root of the portal file matches anything; {where}"
        choice = Choice(value=[entry], reason=reason, samples=tuple(one.url for one in readings[:_MOST_SAMPLES]), score=1.0)
        sure = len(readings) >= _FEWEST_LOST and "when" in condition
        yield Proposal(name=f"layouts.{name}", path=("layouts",), choices=(choice,), sure=sure)


def _name_of(root: str, taken: set[str]) -> str:
    """Of a selector its last name."""
    words = "".join(letter if letter.isalnum() or letter in "-_" else " " for letter in root).split()
    name = words[-1] if words else "other-pages"
    numbered = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    chosen = next(one for one in numbered if one not in taken)
    taken.add(chosen)
    return chosen
