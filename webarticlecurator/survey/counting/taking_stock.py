"""Observations of all pages to what whoever shows an inventory is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.counting.deciding import decided
from webarticlecurator.survey.counting.observations import Observations
from webarticlecurator.survey.counting.observed import DecidedNode, Observed, RecurringText, SeenTag
from webarticlecurator.survey.inventory.results import Example

_FEWEST_PAGES = 2
_MOST_TEXTS = 5_000


def observed_of(
    observations: Observations,
    portal: Portal,
    *,
    of_pages: int,
    complete: bool = True,
    read_now: int = 0,
    first: bool = True,
    new_tags: frozenset[str] = frozenset(),
    notes: tuple[str, ...] = (),
) -> Observed:
    """With every node decided by the rules as they are now."""
    nodes = tuple(decided(observations.tree, portal))
    return Observed(
        portal=portal.name,
        pages=observations.years.total(),
        of_pages=of_pages,
        years=dict(observations.years),
        passed_over=_by_outcome(observations),
        passed_over_reasons=dict(observations.passed_over),
        nodes=nodes,
        tags=_tags(observations, new_tags),
        examples=_examples(observations),
        recurring=_recurring(observations),
        start_tags=observations.start_tags.count,
        start_tags_with_text=observations.start_tags_with_text.count,
        complete=complete,
        read_now=read_now,
        first=first,
        notes=(*notes, *_folded(nodes)),
    )


def _by_outcome(observations: Observations) -> dict[str, int]:
    outcomes: Counter[str] = Counter()
    for (outcome, _), pages in observations.passed_over.items():
        outcomes[outcome] += pages
    return dict(outcomes)


def _tags(observations: Observations, new_tags: frozenset[str]) -> dict[str, SeenTag]:
    parents, spots = observations.tree.parents, observations.tree.spots
    seen = {spot.text: spot.tag for parent, spot in zip(parents, spots, strict=True) if parent >= 0}
    return {
        text: SeenTag(
            tag=tag,
            pages=observations.tag_pages[text],
            examples=tuple(observations.examples.get(text, ())),
            new=text in new_tags,
        )
        for text, tag in seen.items()
    }


def _examples(observations: Observations) -> dict[int, tuple[Example, ...]]:
    """Of each node the first place, then those that were chosen for its tag."""
    examples: dict[int, tuple[Example, ...]] = {node: (example,) for node, example in observations.first_examples.items()}
    for shown in observations.examples.values():
        for one in shown:
            known = examples.get(one.node, ())
            if one.example.url not in {other.url for other in known}:
                examples[one.node] = (*known, one.example)
    return examples


def _recurring(observations: Observations) -> tuple[RecurringText, ...]:
    often = ((-pages, tag, text) for (tag, text), pages in observations.texts.items() if pages >= _FEWEST_PAGES)
    return tuple(RecurringText(tag=tag, text=text, pages=-less) for less, tag, text in nsmallest(_MOST_TEXTS, often))


def _folded(nodes: Iterable[DecidedNode]) -> tuple[str, ...]:
    rare = [one.node for one in nodes if one.node.is_more]
    if not rare:
        return ()
    elements, words = sum(node.frequency for node in rare), sum(node.own_words for node in rare)
    return (
        "The portal has more different paths of tags, or deeper ones, than can be kept apart: what stands on rare paths is counted "
        f"together ({elements:,} elements with {words:,} words), and no rule is shown for it.",
    )
