"""What a person is shown of a field: the places that may hold it, with their texts on the same pages side by side."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.amounts import amount
from webarticlecurator.learning.metadata.candidates import LISTED
from webarticlecurator.learning.metadata.comparison import Candidate, agreements, contradictions, same
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Proposal

_SHOWN = 3
_LONGEST_SHOWN = 160
_NOTHING = "(nothing)"
_CALLED = {
    "headline": "the headline",
    "author": "who wrote the article",
    "datePublished": "when the article was published",
    "dateModified": "when the article was changed",
    "articleSection": "the section of the article",
    "keywords": "the list of the article's keywords",
}


def filling(name: str, own: Candidate, place: Candidate, pages: Sequence[Page], confirmed: int = 0) -> Proposal:
    """The rule for a field that is not found everywhere without one, or that a person has found to be another."""
    added = sum(bool(told) and not read for read, told in zip(own.values, place.values, strict=True))
    if confirmed:
        reason = f"says what was confirmed on {amount(confirmed, 'page')}; says something on {place.pages} of {amount(len(pages), 'page')}"
    else:
        reason = f"says the same as {own.source} on {amount(agreements(name, own, place), 'page')}, and {added} more that it does not find"
    shown = _most_different(name, (own, place), len(pages))
    choices = (_choice(name, place, own, shown, pages, reason), _choice(name, own, place, shown, pages, _without_rule(own, len(pages))))
    return Proposal(name=name, path=("metadata", name), choices=choices, sure=True)


def asked(name: str, own: Candidate, rivals: Sequence[Candidate], pages: Sequence[Page]) -> Proposal:
    """The question between what is read without a rule and what other places say.

    What archive pages say comes last: that places of the article's own page say otherwise speaks against it.
    """
    shown = _most_different(name, (own, *rivals), len(pages))
    others = [_choice(name, one, own, shown, pages, _of_rival(name, own, one, len(pages))) for one in rivals]
    unruled = _choice(name, own, own, shown, pages, _without_rule(own, len(pages)))
    choices = [*others, unruled] if own.source == LISTED else [unruled, *others]
    number = {2: "two", 3: "three"}.get(len(choices), str(len(choices)))
    question = f"Which of these {number} is {_CALLED.get(name, name)}? Their texts are of {amount(len(shown), 'page')}: " + ", ".join(
        pages[at].requested_url[:_LONGEST_SHOWN] for at in shown
    )
    return Proposal(name=name, path=("metadata", name), choices=tuple(choices), sure=False, question=question)


def _of_rival(name: str, own: Candidate, rival: Candidate, pages: int) -> str:
    against, agreeing = contradictions(name, own, rival), agreements(name, own, rival)
    both = against + agreeing
    against = against or sum(one != other for one, other in zip(own.values, rival.values, strict=True))  # less exactly
    than = own.source if own.source == LISTED else "the first"
    return f"{rival.source}: on {rival.pages} of {amount(pages, 'page')}; on {against} of {both} it says otherwise than {than}"


def _without_rule(own: Candidate, pages: int) -> str:
    return f"no rule here: {own.source}, which {'tells' if own.source == LISTED else 'finds'} it on {own.pages} of {amount(pages, 'page')}"


def _most_different(name: str, places: Sequence[Candidate], pages: int) -> list[int]:
    """The pages on which most of them differ, in their order."""
    first = places[0]
    differ = {at: sum(not same(name, one.values[at], first.values[at]) for one in places) for at in range(pages)}
    unlike = {at: sum(one.values[at] != first.values[at] for one in places) for at in range(pages)}
    return sorted(sorted(differ, key=lambda at: (-differ[at], -unlike[at], at))[:_SHOWN])


def _choice(name: str, one: Candidate, other: Candidate, shown: Sequence[int], pages: Sequence[Page], reason: str) -> Choice:
    differs = [at for at in shown if one is not other and not same(name, one.values[at], other.values[at])]
    return Choice(
        value=one.pick,
        reason=reason,
        samples=tuple(_text(one, at) for at in shown),
        differs=tuple(
            line
            for at in differs
            for line in (f"- {pages[at].requested_url}: {_text(other, at)}", f"+ {pages[at].requested_url}: {_text(one, at)}")
        ),
        score=round(one.pages / len(pages), 4) if pages else 0.0,
    )


def _text(one: Candidate, at: int) -> str:
    text = "; ".join(one.values[at]) or _NOTHING
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
