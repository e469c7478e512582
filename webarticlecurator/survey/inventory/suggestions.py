"""What an undecided tag may be: all signs and names that speak for an operation are added up, and the heaviest side wins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from webarticlecurator.survey.inventory.facts import TagFacts
from webarticlecurator.survey.inventory.name_words import Hint, hints
from webarticlecurator.survey.inventory.results import Decider, Ruling, Suggestion
from webarticlecurator.survey.inventory.signs import PLAUSIBLE, SIGNS

_ENOUGH_TO_DOUBT = 4.0
"""Weight from which on a decision of the general table is doubted."""
_LITTLE_BUT_LINKS = 0.5
BY_NO_PERSON = frozenset((Decider.NOBODY, Decider.GENERAL, Decider.FINDER))
"""Whose decisions may be doubted."""


def suggested(facts: TagFacts, ruling: Ruling) -> Suggestion | None:
    """For what nobody decides, the likeliest operation; for what no person decided, one that has very much for it; else None."""
    if ruling.decider is Decider.NOBODY:
        return _likeliest(facts)[0]
    if ruling.decider not in BY_NO_PERSON:
        return None
    found, weight = _likeliest(facts)
    return found if weight >= _ENOUGH_TO_DOUBT and found.operation not in ("unwrap", ruling.operation) else None


def _likeliest(facts: TagFacts) -> tuple[Suggestion, float]:
    """With the weight of all that speaks for it."""
    sides: dict[str, list[Hint]] = defaultdict(list)
    for hint in sorted(_evidence(facts), key=lambda hint: hint.weight, reverse=True):
        sides[hint.operation].append(hint)
    weights = {operation: sum(hint.weight for hint in side) for operation, side in sides.items()}
    best = max(weights, key=weights.__getitem__)
    return Suggestion(operation=best, evidence=tuple(dict.fromkeys(hint.sentence for hint in sides[best]))), weights[best]


def _evidence(facts: TagFacts) -> Iterator[Hint]:
    """Of several names that say the same only the clearest counts: they are no independent witnesses."""
    yield from (Hint(sign.operation, sign.weight, sign.sentence.format(f=facts)) for sign in SIGNS if sign.seen(facts))
    clearest: dict[str, Hint] = {}
    for hint in hints(facts.tag):
        if _is_plausible(hint, facts) and (hint.operation not in clearest or hint.weight > clearest[hint.operation].weight):
            clearest[hint.operation] = hint
    yield from clearest.values()


def _is_plausible(hint: Hint, facts: TagFacts) -> bool:
    plausible = PLAUSIBLE.get(hint.operation)
    return (plausible is None or plausible(facts)) and (
        not hint.of_links_only or not facts.mean_words or facts.link_share > _LITTLE_BUT_LINKS
    )
