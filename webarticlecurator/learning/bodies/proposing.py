"""What was learned of bodies as lines of the portal file, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from webarticlecurator.amounts import amount
from webarticlecurator.learning.bodies.drafts import Draft, one_or_all
from webarticlecurator.learning.bodies.findings import FoundLayout, layout_entry
from webarticlecurator.learning.bodies.places import Strays
from webarticlecurator.learning.bodies.repeated import Repeated
from webarticlecurator.learning.bodies.teaching import Lesson
from webarticlecurator.learning.bodies.undecided import tag_name
from webarticlecurator.model.proposals import Choice, Plain, Proposal

_FEWEST_LOST = 3
"""Pages of a layout that no rule fits, from which one is written without asking."""
_MOST_SAMPLES, _MOST_ASKED = 5, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """All that there is to propose."""

    pages: int
    known: int
    lesson: Lesson
    repeated: Sequence[Repeated]
    strays: Strays | None
    entries: Sequence[Mapping[str, Plain]]
    everywhere: bool
    """The root that was learned is on all pages."""

    @property
    def draft(self) -> Draft:
        """The rules that are sure, tried together."""
        within = self.strays.within if self.strays is not None else self.lesson.draft.within
        return Draft(within=within, root=self.lesson.draft.root, parts=self.lesson.draft.parts, tags=self.lesson.draft.tags)


def proposals_of(learnt: Learnt, layouts: Sequence[FoundLayout]) -> tuple[Proposal, ...]:
    """Sure ones first."""
    return (*_places(learnt), *_tags(learnt), *_lost(layouts), *_perhaps(learnt))


def _places(learnt: Learnt) -> Iterator[Proposal]:
    if learnt.strays is not None:
        strays = learnt.strays
        reason = (
            f"on {amount(strays.of, 'page')} the text stands there,"
            f" and on {len(strays.urls):,} that have it, too, the general finder took another"
            " element; what in it is none is found as before"
        )
        choice = Choice(value=one_or_all(strays.within), reason=reason, samples=strays.urls[:_MOST_SAMPLES], score=1.0)
        yield Proposal(name="body.within", path=("body", "within"), choices=(choice,), sure=True)
    draft = learnt.lesson.draft
    body = {name: value for name, value in draft.plain.items() if name != "tags"}
    reason = next((learnt.lesson.reasons[css] for css in draft.place if css in learnt.lesson.reasons), "")
    if body and (draft.within or learnt.everywhere):
        name, value = next(iter(body.items()))
        choice = Choice(value=value, reason=reason, score=learnt.lesson.after)
        yield Proposal(name=f"body.{name}", path=("body", name), choices=(choice,), sure=True)
    elif body:
        entry: Plain = {"name": "corrected", "when": draft.place[-1], "body": body}
        yield Proposal(
            name="layouts.corrected",
            path=("layouts",),
            choices=(Choice(value=[entry], reason=reason, score=learnt.lesson.after),),
            sure=True,
        )


def _tags(learnt: Learnt) -> Iterator[Proposal]:
    """One for each operation."""
    said = {one.selector: one for one in learnt.repeated}
    tags = learnt.lesson.draft.tags
    for operation in dict.fromkeys(name for name, _ in tags):
        selectors = [css for name, css in tags if name == operation]
        taught = [css for css in selectors if css in learnt.lesson.reasons]
        again = [said[css] for css in selectors if css in said and css not in taught]
        sentences = []
        if again:
            most = max(one.pages for one in again)
            sentences.append(f"{len(again):,} of these said the same on up to {most:,} of {amount(learnt.pages, 'page')}")
        if taught:
            corrected = amount(learnt.known, "corrected page")
            sentences.append(f"{corrected} taught {len(taught):,} of these: now {learnt.lesson.after:.1%} of the text is as it should be")
        samples = [*(f"{one.selector}: “{one.text}”" for one in again), *(f"{css}: {learnt.lesson.reasons[css]}" for css in taught)]
        choice = Choice(value=list(selectors), reason="; ".join(sentences), samples=tuple(samples[:_MOST_SAMPLES]), score=1.0)
        yield Proposal(name=f"body.tags.{operation}", path=("body", "tags", operation), choices=(choice,), sure=True)


def _lost(layouts: Sequence[FoundLayout]) -> Iterator[Proposal]:
    for layout in layouts:
        if not layout.body:
            continue
        entry = layout_entry(layout)
        if len(entry) < 3:  # nothing tells these pages from others
            continue
        reason = (
            f"on {amount(len(layout.urls), 'page')} no root of the portal file matches anything;"
            f" the general finder has their text in {layout.root}"
        )
        choice = Choice(value=[entry], reason=reason, samples=layout.urls[:_MOST_SAMPLES], score=1.0)
        sure = len(layout.urls) >= _FEWEST_LOST and "when" in entry
        yield Proposal(name=tag_name(layout.name).replace("body.tags", "layouts"), path=("layouts",), choices=(choice,), sure=sure)


def _repeated_on(one: Repeated, pages: int) -> str:
    said = "the same" if one.texts == 1 else f"one of {one.texts:,} texts that several pages have"
    return f"it says {said} on {one.pages:,} of {amount(pages, 'page')}"


def _perhaps(learnt: Learnt) -> Iterator[Proposal]:
    """What is repeated, but too short or too rare to be surely the site's."""
    for one in [one for one in learnt.repeated if not one.sure][:_MOST_ASKED]:
        yield Proposal(
            name=tag_name(one.selector),
            path=("body", "tags"),
            choices=(
                Choice(
                    value={"decompose": [one.selector]},
                    reason=_repeated_on(one, learnt.pages),
                    samples=(one.text,),
                ),
                Choice(value={one.kept_as: [one.selector]}, reason="it is of the article, and its text stays", score=-1.0),
            ),
            sure=False,
            question=f"Is “{one.text}” in {one.selector} the site's, and not the article's?",
        )
