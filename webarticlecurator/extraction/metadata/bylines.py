"""Places where a page shows the names of its authors: elements and links that say so, bylines, and lines that
begin as bylines do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from webarticlecurator.extraction.metadata.names import LABELS_OF_OTHERS, names_in, starts_with_by, words_of
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.extraction.metadata.visible import LONGEST_LABEL, LONGEST_NAME, VisibleParts
from webarticlecurator.labelling.element_names import ClassHint, LinkKind
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import squeeze

_LONGEST_BYLINE = 200
"""Characters of an element that is called a byline."""
_LONGEST_SENTENCE = 120
"""Characters of a byline that nothing marks."""
_MOST_RUNS = 40
_DATE_BEFORE = linear(
    r"^(?:(?:[^·•|]{0,30}(?:\d{4}|\d\d:\d\d)\.?[^·•|]{0,15})?\s*[·•∙⋅|–—-]\s*"
    r"|[^·•|]{0,30}\d{4}\.?\s+)",
)
"""Text before "By ...": a day, or the point behind one."""
_CONNECTS = linear_at(r"(?:[,،、]|&|\+|/|\||(?:, )?[^\W\d_]{1,3})")
"""A stretch of text between two names."""
_POINT = linear(r"(?:^|\s)[·•∙⋅]|[·•∙⋅](?:\s|$)")


# --- elements and links that hold a name ---


def _names(parts: VisibleParts, rows: Iterable[int]) -> Iterator[Clue]:
    """Yield the names of the first of these elements, and of those beside it."""
    return (Clue(_name_alone(parts, row)) for row in _together(parts, rows))


def _name_alone(parts: VisibleParts, row: int) -> str:
    """Return the name in an element that holds a name and nothing else; empty where that is none."""
    text = parts.text(row, LONGEST_NAME)
    return text and (name_in_line(_runs(parts, row), None) or text)


def _author_links(parts: VisibleParts) -> Iterator[Clue]:
    """Yield the names in links to the pages of authors, near the headline or about who the link names."""
    links = parts.linked[LinkKind.AUTHOR]
    return _names(parts, (row for row in links if row in parts.near or parts.leads_to_its_words(row)))


def _person_links(parts: VisibleParts) -> Iterator[Clue]:
    """Yield the names in links to the pages of people, near the headline and in no sentence."""
    near = sorted(parts.near.keys() & parts.linked[LinkKind.PERSON])
    alone = filter(parts.stands_alone, near)
    return _names(parts, filter(parts.leads_to_its_words, alone))


def _together(parts: VisibleParts, rows: Iterable[int]) -> list[int]:
    """Return the first element, and those that stand beside it: others sign other articles."""
    inside = [row for row in parts.inside(rows) if "figure" not in parts.tags_around(row)]
    return parts.beside_first([row for row in inside if not _is_of_other_hands(parts, row)])


def _is_of_other_hands(parts: VisibleParts, row: int) -> bool:
    """Return True for a sample of code, and for the name of somebody who, as the label says, checked or
    illustrated the article, and is no author."""
    label = parts.label_of(row)
    is_labelled = len(label) <= LONGEST_LABEL and LABELS_OF_OTHERS.search(label) is not None
    return is_labelled or parts.holds_sample(row)


# --- bylines ---


def _bylines(parts: VisibleParts) -> Iterator[Clue]:
    """Yield the names in the first element that is called a byline, and in those beside it."""
    for row in _together(parts, (*parts.hinted[ClassHint.BYLINE], *parts.outline.rows("address"))):
        if row not in parts.around and parts.text(row, _LONGEST_BYLINE):
            yield Clue(name_in_line(_runs(parts, row), parts.language))


def _runs(parts: VisibleParts, row: int) -> list[str]:
    """Return the stretches of text in an element, each as far as the next tag or point between."""
    outline = parts.outline
    first = islice(outline.strings_in(row), _MOST_RUNS)
    places = (place for place in first if not parts.leads_to_list(outline.owners[place]))
    pieces = (piece for place in places for piece in _POINT.split(outline.strings[place]))
    return list(filter(None, map(squeeze, pieces)))


def name_in_line(runs: Sequence[str], language: str | None) -> str:
    """Return the first stretches that are a name, with the words before it and the names that it is connected
    with."""
    for start in range(len(runs)):
        name = _names_together(runs[start:], language)
        if name:
            return name
    return ""


def _names_together(runs: Sequence[str], language: str | None, *, alone: bool = False) -> str:
    """Return the first of these stretches, if it is a name or such a word as "by" before one, with all that
    follow and are connected with it."""
    end = 2 if _is_by_alone(runs[0], language) else 1
    if not names_in([Clue(" ".join(runs[:end]))], language, visible=True, alone=alone):
        return ""
    while end < len(runs):
        more = _connected_at(runs, end, language)
        if not more:
            break
        end += more
    return " ".join(runs[:end])


def _connected_at(runs: Sequence[str], end: int, language: str | None) -> int:
    """Return how many of the stretches from here on are connected with the name before: at most one, and a
    sign before it."""
    before, run, behind = runs[end - 1], runs[end], "".join(runs[end + 1 : end + 2])
    if behind and _CONNECTS.fullmatch(run):
        return 2
    # a comma may part a name from a place, but not where a word behind it connects what it parts with others
    is_listed = (before.endswith(",") or run.startswith(",")) and _connected(run, behind, language)
    goes_on = is_listed or _connected(before, run, language)
    return int(goes_on and bool(names_in([Clue(run)], language, visible=True)))


def _connected(text: str, behind: str, language: str | None) -> bool:
    """Return True if a word that connects names stands at the end of a text, or at the beginning of the one
    behind it."""
    joins = words_of(language).between
    stands_at_end = any(match.end() > len(text) for match in joins.finditer(f"{text} "))
    return stands_at_end or joins.match(f" {behind} ") is not None


def _is_by_alone(text: str, language: str | None) -> bool:
    """Return True for a text that is such a word as "by" and nothing else."""
    return starts_with_by(f"{text} x", language) and not starts_with_by(text, language)


# --- bylines that nothing marks ---


def _text_byline(parts: VisibleParts) -> list[tuple[str, bool]]:
    """Return the first text behind the headline, else the last before it, that begins with "By ..." and a
    name; with True if it is near."""
    before: list[tuple[str, bool]] = []
    for number, at, text in _beginnings(parts):
        line = parts.lines[number]
        following = [] if at + 1 < len(line) else next(iter(parts.lines[number + 1 : number + 2]), [])
        # each place has a character at least
        reach = line[at : at + _LONGEST_SENTENCE + 1]
        name = _name_behind(parts, text, reach, following[:_LONGEST_SENTENCE])
        if name:
            before.append((name, parts.outline.owners[line[at]] in parts.near))
            if line[at] >= parts.begin:
                break
    return before[-1:]


def _beginnings(parts: VisibleParts) -> Iterator[tuple[int, int, str]]:
    """Yield the texts that begin as bylines do, without a date before; each with its line, and its place in
    the line."""
    may_be, outline, near = words_of(parts.language).start.match, parts.outline, parts.near
    for number, line in enumerate(parts.lines):
        for at, place in enumerate(line):
            row, text = outline.owners[place], outline.strings[place]
            if row in near:
                text = _without_date(text)
            if may_be(text) and not parts.leads_to_list(row) and parts.is_of_article(row):
                yield number, at, squeeze(text)


def _without_date(text: str) -> str:
    return _DATE_BEFORE.sub("", text) if len(text) <= _LONGEST_SENTENCE else text


def _name_behind(parts: VisibleParts, first: str, places: Sequence[int], following: Sequence[int]) -> str:
    """Return the byline that begins with this text of the first place of a line.

    A "By" alone may stand before the name in the line behind it.
    """
    outline, language = parts.outline, parts.language
    is_near = outline.owners[places[0]] in parts.near
    count = 1
    if not starts_with_by(first, language):
        places, count = (*places, *following), 2
        if not _is_by_alone(first, language) or not (first[0].isupper() or is_near):
            return ""
    runs = [first, *(squeeze(outline.strings[place]) for place in places[1:])]
    if sum(map(len, runs)) > _LONGEST_SENTENCE:
        runs = runs[:count]
    is_all = len(places) <= count or outline.tags[outline.owners[places[count]]] == "time"
    if len(" ".join(runs)) > _LONGEST_SENTENCE:
        return ""
    return _names_together(runs, language, alone=is_near and is_all)


def _text_byline_near(parts: VisibleParts) -> list[Clue]:
    """Return the byline that nothing marks, if it is near, and has capitals."""
    return [Clue(text) for text, is_near in _text_byline(parts) if is_near and not text.islower()]


VISIBLE_NAMES = {
    "html:rel-author": lambda parts: _names(parts, parts.linked["rel-author"]),
    "html:author-link": _author_links,
    "html:author": lambda parts: _names(parts, parts.hinted[ClassHint.AUTHOR]),
    "html:byline": _bylines,
    "html:person-link": _person_links,
    "html:near-by": _text_byline_near,
    "html:by": lambda parts: [Clue(text) for text, _ in _text_byline(parts)],
}
"""Places where the page shows names, with how they are read there."""
