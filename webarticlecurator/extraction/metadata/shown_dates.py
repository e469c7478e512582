"""Places where a page shows dates, and what they are of: the publication, or a change."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import chain, compress, islice, takewhile

from webarticlecurator.extraction.metadata.sources import AGES, WORDS, Clue
from webarticlecurator.extraction.metadata.visible import LONGEST_LABEL, VisibleParts
from webarticlecurator.extraction.stated_dates import attributes_for_dates, is_moment
from webarticlecurator.labelling.element_names import ClassHint
from webarticlecurator.model.page import LINE, Outline
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import SAMPLES, label_of, squeeze

MARKED = "html:date"
"""The places where pages show what the clock said at the publisher."""
UNMARKED = "html:text-date"
"""The places where pages show a day, and nothing marks it as one."""

CHANGED = "|".join((*WORDS["changed"], *WORDS["updated"]))
"""Words that say before a date that it is not that of the publication; regular expressions."""
_CHANGE = linear(rf"\b(?:{CHANGED})", re.IGNORECASE)
_CHANGED_ON = linear(
    rf"{_CHANGE.pattern}[^\w|·•]{{0,3}}(?:[^\s\d|·•]{{1,15}}[\s:：]+){{0,3}}\d",
    re.IGNORECASE,
)
"""A word for a change with few words between it and the date: "Last updated on Thursday, May 9"."""
_LONGEST_DATE = 120
_OF_NO_CHANGE = frozenset({"", "reviewed"})
"""Words before a date that say of no article when it changed: reviewers change nothing."""
_MOST_TEXTS = 12
_MOST_DATED = 1_000
_NEAR_BEGIN = 60
"""Characters at the beginning of a line in which a date must stand to be the article's and not a part of its
story."""
_STORY = linear_at(
    r"(?=.{100}).*?\w\s+[a-zà-ÿ]+\s+[a-zà-ÿ]+\s+(?:[^\W\d_]+\s+)?"
    r"\d\d?\W{1,3}(?:[^\W\d_]+\W{1,3})?(?:19[89]|20[0-4])\d",
    re.DOTALL,
)
"""A text that is longer than what says when something was published, and tells in a sentence of a day."""
_ANY_LINE = linear_at(r"(?!\d+$).*")
"""Numbers alone are no dates."""
_NO_STORY = linear_at(r"(?!\d+$)\W*(?:[^\W\d_]+\s*:\s*)?(?:[^\W\d_]+\W+)?\d.{0,60}")
"""A short line with a label and one word at most before its number, with which a story that tells of days
does not go on."""
_YEAR = linear(
    r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)"
    r"|\d[./]\d\d?[./]\d\d(?!\d)"
    r"|[\u0600-\u0eff]\W{0,3}\d{4}(?!\d)",
)
"""Scripts that have digits of their own are those of languages with calendars of their own."""
_DIGIT = linear(r"\d")
_TWO_DIGITS = linear(r"\d\d")


# --- elements that hold a date ---


def _dated(parts: VisibleParts) -> Iterator[int]:
    """Yield the elements that hold a date of the article: those that say it is of the publication, what
    stands close to the headline, then all others."""
    outline, near = parts.outline, parts.near.keys()
    published = [next(iter(outline.rows_in(row, "time")), row) for row in parts.hinted[ClassHint.PUBLISHED]]
    others = {*outline.rows("time", "relative-time", "time-ago", "local-time")}
    others |= near & {*parts.hinted[ClassHint.DATE]}
    may_have_title = near & {*outline.rows("a", "abbr", "span")}
    others.update(row for row in may_have_title if is_moment(outline.elements[row].get("title", "")))
    ordered = dict.fromkeys((*parts.inside(published), *parts.nearest_first(sorted(others))))
    return (row for row in islice(ordered, _MOST_DATED) if not _is_of_others(parts, row))


def _is_of_others(parts: VisibleParts, row: int) -> bool:
    """Return True if a date is not the article's."""
    return parts.is_outside(row) or _is_of_another(parts, row)


def _is_of_another(parts: VisibleParts, row: int) -> bool:
    """Return True if a date stands in an item of a list beside a longer link, as that of another article."""
    outline = parts.outline
    items = [above for above in islice(outline.around(row), 4) if _is_one_of_several(parts, above)]
    links = chain.from_iterable(outline.rows_in(item, "a") for item in items)
    return any(outline.length(link) > outline.length(row) for link in links)


def _is_one_of_several(parts: VisibleParts, item: int) -> bool:
    """Return True for an item of a list of several that does not hold the headline."""
    outline = parts.outline
    if outline.tags[item] != "li" or item in parts.around:
        return False
    return len(outline.rows_in(outline.parents[item], "li")) > 1


def _is_update(parts: VisibleParts, row: int) -> bool:
    """Return True if the classes of a date say that it is that of an update."""
    hints = parts.classes(row)
    around = parts.classes(max(parts.outline.parents[row], 0))
    return ClassHint.UPDATED in hints | around and ClassHint.PUBLISHED not in hints


def _moment(parts: VisibleParts, row: int) -> str:
    """Return a date as it stands there for machines, else for readers, behind the word that says it to be
    that of a change. A title that tells the year counts where the text tells none, such as an age."""
    element = parts.outline.elements[row]
    shown = _shown_text(parts, row)
    values = attributes_for_dates(element)
    text = next(filter(is_moment, values), element.get("datetime")) or _first_with_year(shown, *values)
    words = (_word_in_label(label) for label in (shown, parts.label_before(row)))
    word = next(filter(None, words), "")
    return text if word in text else f"{word} {text}"


def _first_with_year(shown: str, *values: str) -> str:
    return next(filter(_YEAR.search, (shown, *values)), shown)


def _shown_text(parts: VisibleParts, row: int) -> str:
    """Return the text of a date that readers see, without samples of code."""
    outline = parts.outline
    if not parts.holds_sample(row):
        return parts.text(row, _LONGEST_DATE)
    samples = [outline.elements[sample] for sample in outline.rows_in(row, *SAMPLES)]
    return label_of(outline.elements[row], _LONGEST_DATE, samples)


def word_of_change(label: str) -> str:
    """Return the word in the label of a date that says it to be that of a change or an update, if there is
    one."""
    match = _CHANGE.search(label)
    return match[0] if match else ""


def _word_in_label(label: str) -> str:
    return word_of_change(label) if len(label) <= LONGEST_LABEL else ""


def _tells_change(text: str) -> bool:
    """Return True for a text with a word that says when the article changed."""
    return word_of_change(text).casefold() not in _OF_NO_CHANGE


def _shown(parts: VisibleParts) -> list[Clue]:
    """Return the dates that are of no update."""
    rows = (row for row in _dated(parts) if not _is_update(parts, row))
    return [Clue(_moment(parts, row)) for row in islice(rows, _MOST_TEXTS)]


# --- dates of changes ---


def _updates(parts: VisibleParts) -> Iterator[Clue]:
    """Yield the dates of changes: of elements that say so, then of lines."""
    for row in dict.fromkeys((*parts.inside(parts.hinted[ClassHint.UPDATED]), *_dated(parts))):
        text = _moment(parts, row)
        if _is_update(parts, row) or _tells_change(_DIGIT.split(text, maxsplit=1)[0]):
            yield Clue(text)
    for place in _places_near(parts):
        if not _is_of_others(parts, parts.outline.owners[place]):
            yield Clue(_change_in_line(parts.outline, place))


def _places_near(parts: VisibleParts) -> Iterator[int]:
    """Yield the places of the strings with a year that stand close to the headline."""
    outline, near = parts.outline, parts.near
    if not near:
        return iter(())
    places = range(outline.strings_in(min(near)).start, outline.strings_in(max(near)).stop)
    return compress(places, map(_YEAR.search, islice(outline.strings, places.start, places.stop)))


def _change_in_line(outline: Outline, place: int) -> str:
    """Return what the line of a string says of a change, from the word for it on; empty where it says
    nothing."""
    line = squeeze(_line(outline, place))
    match = _CHANGED_ON.search(line) if len(line) <= _LONGEST_DATE else None
    return line[match.start() :][:_NEAR_BEGIN] if match and _tells_change(match[0]) else ""


def _line(outline: Outline, place: int) -> str:
    """Return the line that a string stands in."""
    strings, begin = outline.strings, place
    while begin and strings[begin - 1] != LINE:
        begin -= 1
    return "".join(takewhile(LINE.__ne__, islice(strings, begin, None)))


# --- dates that nothing marks ---


def _text_dates(parts: VisibleParts) -> list[Clue]:
    """Return the lines that begin with a date: behind the headline first, then before it, then outside of the
    article.

    Those outside do not count where the date of a change was met before, such as "Last change:" in an element
    of its own.
    """
    by_side, words = defaultdict[str, list[Clue]](list), defaultdict[str, str](str)
    line = _ANY_LINE
    for place in _beginnings(parts):
        row = parts.outline.owners[place]
        text = parts.outline.strings[place]
        line = _NO_STORY if _STORY.match(text[: 4 * _NEAR_BEGIN]) else line
        beginning = _begins_with_date(text, _ANY_LINE if _is_called_date(parts, row) else line)
        if not beginning or any(is_other(parts, row) for is_other in _OTHER_DATES):
            continue
        side, word = _side(parts, place), _word_in_label(parts.label_before(row))
        words[side] += word
        by_side[side].append(Clue(f"{word} {beginning}".strip()))
        if len(by_side["behind"]) >= _MOST_TEXTS:
            break
    outside = [] if words["behind"] + words["before"] else by_side["outside"]
    return [*by_side["behind"], *reversed(by_side["before"]), *outside][:_MOST_TEXTS]


def _is_called_date(parts: VisibleParts, row: int) -> bool:
    """Return True if the classes of an element, or of the one around it, say that it holds a date."""
    around = parts.classes(max(parts.outline.parents[row], 0))
    return ClassHint.DATE in parts.classes(row) | around


def _is_said_update(parts: VisibleParts, row: int) -> bool:
    """Return True for an update by class and by words: some software has the class for any date."""
    return _is_update(parts, row) and word_of_change(parts.text(row, _LONGEST_DATE)) != ""


_OTHER_DATES: tuple[Callable[[VisibleParts, int], bool], ...] = (
    lambda parts, row: row in parts.samples,
    VisibleParts.is_in_teaser,
    _is_of_another,
    _is_said_update,
)
"""Reasons why a day in a line is none of publication."""


def _side(parts: VisibleParts, place: int) -> str:
    """Return where a string stands: behind the headline, before it, or outside of the article."""
    if parts.is_outside(parts.outline.owners[place]):
        return "outside"
    return "behind" if place >= parts.begin else "before"


def _beginnings(parts: VisibleParts) -> Iterator[int]:
    """Yield the places of the strings with which the lines of the page begin, and that have digits: by far
    most have none."""
    strings, lengths = parts.outline.strings, parts.outline.lengths
    for line in parts.lines:
        length = 0
        for place in line:
            if _TWO_DIGITS.search(strings[place][: 4 * _NEAR_BEGIN]):
                yield place
            length += lengths[place]
            if length > _NEAR_BEGIN:
                break


def _begins_with_date(text: str, line: re.Pattern[str]) -> str:
    """Return the beginning of a text that may be a date; empty where it holds none."""
    beginning = squeeze(text[: 4 * _NEAR_BEGIN])
    if not line.fullmatch(beginning):
        return ""
    if len(beginning) > _NEAR_BEGIN:  # half of a number is no day
        beginning = beginning[:_NEAR_BEGIN].rpartition(" ")[0]
    return beginning if _YEAR.search(beginning) else ""


VISIBLE_DATES = {
    **dict.fromkeys((MARKED, AGES), _shown),
    "html:updated": _updates,
    UNMARKED: _text_dates,
}
"""Places where the page shows dates, with how they are read there."""
