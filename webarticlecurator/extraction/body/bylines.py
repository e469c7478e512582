"""The line that says who wrote an article, and when."""

from __future__ import annotations

from datetime import UTC
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.dates import DateFormat, find_date
from webarticlecurator.extraction.body.signs import all_hold
from webarticlecurator.model.article import first_value
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import HEADINGS, label_of, squeeze

LONGEST_BYLINE = 200
"""Characters of a line of author and date."""
_MOST_OTHER_WORDS = 6
"""Words in small letters that stand in a byline beside name and date: `Posted on April 4 by ... in ...`."""
_AUTO = (DateFormat.parse("auto"),)
_NO_BYLINES = frozenset((*HEADINGS, "li", "td", "th", "tr"))
_WORD = linear(r"[^\W_]+")
_PERSON = linear_at(r"(\S{4,}) \S+(?: \S+)?")
"""The name of a person, and its first word: one word or many are a company, and a short first one may be an
article."""
_SENTENCE_END = linear(r"""[?!…？！]["'”’»“]?$|\b[^\W\d_]{3,}\.["'”’»“]?$""")
YEAR = linear(r"(?:19|20)\d\d|(?![0-9])\d{4}")
"""A year, in the digits of any script."""


class Bylines:
    """Knows what a line of author and date of one article says."""

    def __init__(self, metadata: Metadata) -> None:
        authors = [author.value for author in metadata.get("author", ())]
        names = (" ".join(_WORD.findall(author.casefold())) for author in authors)
        self._names = list(filter(None, names))
        """The names of the authors in small letters, without marks."""
        persons = filter(None, map(_PERSON.fullmatch, authors))
        self._called = tuple(f"{person[1]} " for person in persons)
        """What a text begins with that says who an author is."""
        days = (*metadata.get("datePublished", ()), *metadata.get("dateModified", ()))
        self._days = list(filter(None, [squeeze(day.written) for day in days]))
        """The days of the article as the page writes them; others count where they are marked as times."""
        self._dates = {day.value[:10] for day in days}
        self._language = first_value(metadata, "inLanguage")

    def is_byline(self, element: Element, text: str) -> bool:
        """Return True if a line with this text holds an author's name or a day, and hardly another word; a
        sentence is none."""
        return all_hold(_SIGNS_OF_BYLINE, _Line(self, element, text))

    def is_about_author(self, element: Element, text: str) -> bool:
        """Return True for a line of author and date, and for a text that begins with an author's first name:
        "Jane Roe is ...", "Jane has ..."."""
        line = squeeze(text)
        return line.startswith(self._called) or self.is_byline(element, line)

    def said_in(self, element: Element, text: str) -> list[str]:
        """Return an author's name in a line, and its days as they are written there."""
        days = [*(day for day in self._days if day in text), *_times_in(element)] or self._day_read(text)
        return [*self._names_in(text)[:1], *days]

    def _names_in(self, text: str) -> list[str]:
        """Return the names of authors in a text."""
        words = f" {' '.join(_WORD.findall(text)).casefold()} "
        return [name for name in self._names if f" {name} " in words]

    def _day_read(self, text: str) -> list[str]:
        """Return how a line writes a day of the article."""
        if YEAR.search(text) is None:
            return []
        day = find_date(_AUTO, text, language=self._language, timezone=UTC, now=None)
        return [day.written] if day is not None and day.value[:10] in self._dates else []


class _Line(NamedTuple):
    """A line that may say who wrote an article, and when."""

    bylines: Bylines
    element: Element
    text: str

    def is_short(self) -> bool:
        return len(self.text) <= LONGEST_BYLINE

    def is_no_heading(self) -> bool:
        """Return False for headings, items and cells."""
        return self.element.tag not in _NO_BYLINES

    def is_no_sentence(self) -> bool:
        return not _is_sentence(self.text)

    def says_author_or_day(self) -> bool:
        return bool(self.bylines.said_in(self.element, self.text))

    def says_hardly_more(self) -> bool:
        return _others(self.text, *self.bylines.said_in(self.element, self.text)) <= _MOST_OTHER_WORDS


_SIGNS_OF_BYLINE = (
    _Line.is_short,
    _Line.is_no_heading,
    _Line.is_no_sentence,
    _Line.says_author_or_day,
    _Line.says_hardly_more,
)


def _others(line: str, *parts: str) -> int:
    """Return the number of words in small letters that a line has beside these parts of it."""
    known = set(_WORD.findall(" ".join(parts)))
    return sum(word.islower() for word in _WORD.findall(line) if word not in known)


def _times_in(element: Element) -> list[str]:
    """Return the texts of what is marked as a time, though it be empty."""
    return [label_of(time, LONGEST_BYLINE) for time in element.iter("time")]


def _is_sentence(text: str) -> bool:
    """Return True if a text ends as a sentence does, with a word in small letters."""
    end = _SENTENCE_END.search(text)
    return end is not None and end[0] == end[0].lower()
