"""What an undecided tag may be: signs and names that speak for an operation are added up, and the heaviest side wins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from webarticlecurator.survey.inventory.name_words import Hint, hints
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider, Suggestion
from webarticlecurator.survey.inventory.tag_facts import TagFacts

_ENOUGH_TO_DOUBT = 4.0
"""Weight from which on a decision of the general table is doubted."""
_LITTLE_BUT_LINKS, _SOME_LINKS = 0.5, 0.1
"""Of its words."""
BY_NO_PERSON = frozenset((Decider.NOBODY, Decider.GENERAL, Decider.FINDER))
"""Whose decisions may be doubted."""
_LONGEST_CAPTION = 40
_LONGEST_DATE = 6


@dataclass(frozen=True, slots=True)
class Sign:
    """One kind of evidence."""

    operation: str
    weight: float
    seen: Callable[[TagFacts], bool]
    sentence: str
    """With `f` for the facts."""


SIGNS: tuple[Sign, ...] = (
    Sign(
        "decompose",
        5.0,
        lambda f: f.is_repeated,
        "{f.most_repeated:,} of its {f.pages:,} pages have the same text in it: “{f.repeated_text}”",
    ),
    Sign(
        "decompose",
        2.0,
        lambda f: f.repeated_on >= 5 and f.repeated_on > 0.5 * f.pages and not f.is_repeated,
        "{f.repeated_on:,} of its {f.pages:,} pages have a text in it that others have, too, such as “{f.repeated_text}”",
    ),
    Sign(
        "decompose",
        3.0,
        lambda f: f.link_share > 0.7 and f.mean_words >= 3 and f.is_block and f.in_lines < 0.5,
        "{f.link_share:.0%} of its words are links",
    ),
    Sign(
        "decompose",
        1.2,
        lambda f: f.comes_last and f.is_once_a_page and f.mean_words < 60,
        "it is the last text of the article in every example",
    ),
    Sign(
        "lead",
        2.0,
        lambda f: f.comes_first and f.is_once_a_page and f.is_block and 8 <= f.mean_words <= 120 and f.texts <= 1 and not f.holds_title,
        "it is the first text of the article in every example, with {f.mean_words:.0f} words",
    ),
    Sign(
        "time",
        3.0,
        lambda f: 0 < f.dated_examples == len(f.examples) and f.mean_words <= _LONGEST_DATE,
        "it is short, and a date (“{f.examples[0].text}”)",
    ),
    Sign(
        "paragraph",
        2.5,
        lambda f: f.has_running_text and f.is_block and f.in_lines < 0.5,
        "{f.mean_own_words:.0f} words stand immediately in it, with nothing but inline elements among them",
    ),
    Sign(
        "paragraph",
        1.0,
        lambda f: f.mean_own_words >= 1 and f.beside_paragraphs > 0.6 and f.texts < 0.2 and f.is_block,
        "{f.beside_paragraphs:.0%} of what stands beside it is paragraphs",
    ),
    Sign(
        "figure",
        2.5,
        lambda f: 0 < f.mean_words <= _LONGEST_CAPTION and 0.5 < f.figures < 1.5 and f.texts <= 1 and not f.holds("code"),
        "it holds {f.figures:.1f} pictures on average, and {f.mean_words:.0f} words",
    ),
    Sign("unwrap", 2.0, lambda f: not f.mean_words and bool(f.mean_descendants), "it has no words; what is in it is decided by itself"),
    Sign("unwrap", 3.0, lambda f: f.is_empty and not f.tag.attributes, "nothing is in it"),
    Sign(
        "unwrap",
        2.2,
        lambda f: f.mean_words > 0 and f.mean_own_words < 1 and f.texts >= 1,
        "it only wraps: {f.texts:.1f} blocks of text on average, {f.mean_own_words:.1f} words of its own",
    ),
    Sign(
        "unwrap",
        2.5,
        lambda f: f.in_lines > 0.5,
        "{f.in_lines:.0%} stand inside a line of text, where an element without a meaning only goes",
    ),
    Sign("unwrap", 0.1, lambda f: f.frequency > 0, "a <{f.tag.name}> has no meaning of its own, and little says that this one has"),
)

PLAUSIBLE: Mapping[str, Callable[[TagFacts], bool]] = {
    "paragraph": lambda f: f.mean_own_words >= 1,
    "heading": lambda f: 0 < f.mean_words <= 20 and f.texts < 1,
    "lead": lambda f: 5 <= f.mean_words <= 120 and not f.holds_title,
    "figure": lambda f: f.mean_words <= _LONGEST_CAPTION and (f.figures > 0.5 or f.shows_itself) and not f.holds("code"),
    "gallery": lambda f: f.figures >= 2 or bool(f.tag.attributes),
    "caption": lambda f: 0 < f.mean_words <= _LONGEST_CAPTION,
    "source": lambda f: 0 < f.mean_words <= 12,
    "quote": lambda f: f.mean_words >= 4,
    "box": lambda f: f.mean_words >= 8,
    "embed": lambda f: f.holds("embed") > 0.5 or f.shows_itself,
    "question": lambda f: f.mean_words >= 2,
    "answer": lambda f: f.mean_words >= 2,
    "note": lambda f: f.mean_words >= 2,
    "quiz": lambda f: f.mean_words >= 2,
    "verse": lambda f: f.mean_words >= 4,
    "time": lambda f: 0 < f.mean_words <= _LONGEST_DATE,
    "author": lambda f: 0 < f.mean_words <= _LONGEST_DATE,
    "bold": lambda f: not f.is_block,
    "italic": lambda f: not f.is_block,
    "underline": lambda f: not f.is_block,
    "divider": lambda f: f.is_empty,
    "decompose": lambda f: not f.is_empty and f.holds("paragraph") < 5,
}
"""What must hold for a name to be believed; for operations that are not here, nothing."""

_LABELS = frozenset(("caption", "cell", "code", "heading", "row", "table-heading"))
"""What a tag says that comes again in honest articles: "Background", "Share in %", a command."""
_OWN_MEANING = _LABELS | {"figure", "item", "list", "paragraph", "quote", "table"}
"""Of these, too, what recurs says nothing where they have no name: a rule would take all of the portal's lists, or paragraphs."""
_CONTRADICTS: Mapping[str, Callable[[str, TagFacts], bool]] = {
    "code": lambda operation, f: operation not in ("decompose", "unwrap", "verse"),  # noqa: ARG005
    "cell": lambda operation, f: operation not in ("decompose", "unwrap") and (f.tag.name == "th" or not f.texts),
    "figure": lambda operation, f: f.figures > 0.5 and operation in ("lead", "heading", "paragraph", "caption", "source"),
    "item": lambda operation, f: operation in ("lead", "heading", "paragraph"),  # noqa: ARG005
}
"""What a tag says itself, and what it can then not be, whatever it is called: a `figure.lead` is the first picture, a `th.title` the head
of a column of titles. A cell that holds blocks of text is one of a table that only lays out the page."""


_IN_CODE = frozenset(("pre span", "code span"))
"""There a `comment` is one of the program."""


def suggested(facts: TagFacts, decided: DecidedOperation) -> Suggestion | None:
    """For what nobody decides, the likeliest operation; for what no person decided, one that has very much for it; else None."""
    if decided.decider is Decider.NOBODY:
        return _likeliest(facts, _evidence(facts))[0]
    if decided.decider not in BY_NO_PERSON or decided.condition in _IN_CODE:
        return None
    found, weight = _likeliest(facts, _doubts(facts, decided))
    return found if weight >= _ENOUGH_TO_DOUBT and found.operation not in ("unwrap", decided.operation) else None


def _likeliest(facts: TagFacts, found: Iterable[Hint]) -> tuple[Suggestion, float]:
    """With the weight of all that speaks for it."""
    sides: dict[str, list[Hint]] = defaultdict(list)
    for hint in sorted(found, key=lambda hint: hint.weight, reverse=True):
        if not (facts.of_posts and hint.operation == "decompose"):
            sides[hint.operation].append(hint)
    weights = {operation: sum(hint.weight for hint in side) for operation, side in sides.items()}
    best = max(weights, key=weights.__getitem__)
    evidence = tuple(dict.fromkeys(hint.sentence for hint in sides[best]))
    return Suggestion(operation=best, evidence=evidence, weight=weights[best]), weights[best]


def _evidence(facts: TagFacts) -> Iterator[Hint]:
    """Of several names that say the same only the clearest counts: they are no independent witnesses."""
    yield from (Hint(sign.operation, sign.weight, sign.sentence.format(f=facts)) for sign in SIGNS if sign.seen(facts))
    clearest: dict[str, Hint] = {}
    for hint in hints(facts.tag):
        if _is_plausible(hint, facts) and (hint.operation not in clearest or hint.weight > clearest[hint.operation].weight):
            clearest[hint.operation] = hint
    yield from clearest.values()


def _doubts(facts: TagFacts, decided: DecidedOperation) -> Iterator[Hint]:
    """Evidence against what no person decided; by the general table a tag says much itself."""
    if decided.decider is not Decider.GENERAL:
        yield from _evidence(facts)
        return
    if decided.operation in _LABELS or (decided.operation in _OWN_MEANING and not (facts.tag.classes or facts.tag.id)):
        facts = replace(facts, most_repeated=0, repeated_on=0)
    contradicts = _CONTRADICTS.get(decided.operation)
    yield from (hint for hint in _evidence(facts) if contradicts is None or not contradicts(hint.operation, facts))


def _is_plausible(hint: Hint, facts: TagFacts) -> bool:
    plausible = PLAUSIBLE.get(hint.operation)
    fewest = _LITTLE_BUT_LINKS if hint.of_links_only else _SOME_LINKS if hint.needs_links else None
    return (plausible is None or plausible(facts)) and (fewest is None or not facts.mean_words or facts.link_share > fewest)
