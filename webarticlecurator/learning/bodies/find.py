"""From pages of articles to rules for their bodies: where the general finder does as well, no rule is proposed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.labelling.truth import words_of
from webarticlecurator.learning.bodies.known_texts import Truth, known_text
from webarticlecurator.learning.bodies.page_words import agreement
from webarticlecurator.learning.bodies.reading import Draft, Reader, Reading, without_place
from webarticlecurator.learning.bodies.teaching import MOST_TAUGHT, Lesson, Teacher, taught
from webarticlecurator.learning.element_selectors import named_selectors, selected
from webarticlecurator.learning.page_sizes import MOST_PAGES
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
    chosen = sorted(pages, key=lambda page: page.requested_url not in corrected)[:MOST_PAGES]
    reader = Reader(portal, listings or {})
    read = [_read(page, reader) for page in chosen]
    base = [one for one in read if one.layout is None]
    articles = [one for one in base if one.is_article and not one.is_lost]
    texts = [(each, known_text(corrected[each.url], each)) for each in base if each.url in corrected]
    known = [taught(each, text) for each, text in texts if text]
    urls = {each.reading.url for each in known}
    lesson = Teacher(reader, known, [each for each in articles if each.url not in urls]).lesson() if known else Lesson()
    lost = _by_root([one for one in base if one.is_article and one.is_lost])
    proposals = (*_place(lesson), *_tags(lesson, len(known)), *_lost(lost, articles, reader))
    finds_as_well = bool(articles) and not lesson.draft.within and portal.body.root is None
    left, others = len(pages) - len(chosen), len(read) - len(base)
    told = {
        "The general finder finds the text as well as a rule would: none is proposed for where it stands.": finds_as_well,
        f"{amount(left, 'more page was', 'more pages were')} not looked at: {MOST_PAGES} are enough to learn from.": left > 0,
        f"{amount(others, 'page falls', 'pages fall')} under layouts of the portal file; nothing is learned of them.": others > 0,
        f"Of {len(known):,} corrected pages only {MOST_TAUGHT} were learned from.": len(known) > MOST_TAUGHT,
        "Nothing of what the file of expectations says could be found on its pages.": bool(truths) and not known,
    }
    remarks = [*_where(_by_root(articles)), *(sentence for sentence, holds in told.items() if holds)]
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


def _place(lesson: Lesson) -> Iterator[Proposal]:
    """`body.within`."""
    if css := lesson.draft.within:
        choice = Choice(value=css, reason=lesson.reasons[css], score=lesson.after)
        yield Proposal(name="body.within", path=("body", "within"), choices=(choice,), sure=True)


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
        condition = _condition_of(root, readings, [*articles, *(one for one in every if one not in readings)])
        if not condition:
            continue
        name = _name_of(root, names)
        entry: Plain = {"name": name, **condition, "body": _body_for(root, readings, articles, reader)}
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


def _by_root(readings: Sequence[Reading]) -> dict[str, list[Reading]]:
    """The selector of the element that holds the text -> the pages, most pages first; "": it has no name that others have."""
    rest = [one for one in readings if one.root is not None]
    names = {id(one): named_selectors(one.root) for one in rest if one.root is not None}
    found: dict[str, list[Reading]] = {}
    while len(found) < _MOST_LAYOUTS and (counts := Counter(name for one in rest for name in names[id(one)])):
        likeliest = [name for name, count in counts.items() if count == max(counts.values())]
        root = min(likeliest, key=lambda name: (_others(name, rest), "[" not in name, " " in name, len(name), name))
        found[root] = [one for one in rest if root in names[id(one)]]
        rest = [one for one in rest if root not in names[id(one)]]
    return {**found, "": rest} if rest else found


def _body_for(root: str, lost: Sequence[Reading], others: Sequence[Reading], reader: Reader) -> dict[str, Plain]:
    """The root for pages without the portal's; none where no element tells it, or where it gives another text than the general finder."""
    if not root or any(selected(root, one.page.tree) for one in others):
        return {"root": None}
    portal = Draft(root=root).applied(without_place(reader.portal))
    same = [agreement(words_of(reader.read(one.page, portal).article.text), words_of(one.article.text)) for one in lost]
    return {"root": root} if min(same) >= _AS_GOOD else {"root": None, "within": root}


def _condition_of(root: str, pages: Sequence[Reading], others: Sequence[Reading]) -> Mapping[str, Plain]:
    """By which an entry of `layouts` holds for these pages: the element where no other page has it, else their days; none: nothing does."""
    if root and not any(selected(root, one.page.tree) for one in others):
        return {"when": root}
    days = sorted(day for one in pages if (day := one.day) is not None)
    return {"from": days[0].isoformat(), "until": days[-1].isoformat()} if days else {}


def _others(selector: str, readings: Sequence[Reading]) -> int:
    """Elements that it matches beside one on each page."""
    return sum(max(0, len(selected(selector, one.page.tree)) - 1) for one in readings)
