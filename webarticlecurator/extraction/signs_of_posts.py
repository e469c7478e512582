"""Authors and times around the text of a post, by general signs: data, names of classes and links."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from operator import attrgetter
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.shown_dates import word_of_change
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import UNSEEN, label_of, squeeze

LONGEST_NAME, LONGEST_TIME = 60, 80
"""Characters of the name of an author, and of a time."""
_USER_NAME = linear(r"(?:user|nick|author|member|display|screen)-?name|(?:^|\s)fn(?:$|\s)", re.IGNORECASE)
_AUTHOR_NAME = linear(r"(?:^|[\s_-])(?:author|creator|poster|nick|handle|user)(?:$|[\s_-])", re.IGNORECASE)
_PROFILE = linear(
    r"/~\w|(?:^|[/?&;=])(?:users?|u|members?|memberlist|profile?s?|viewprofile|showuser|people|author)(?:[/.?=&;]|-\d)",
    re.IGNORECASE,
)
EDITED = linear(r"last-?edit|post_?edit|edited|(?:^|\s)modified(?:$|\s)", re.IGNORECASE)
"""Names of elements with the time of a later change, and of notes that there was one."""
_YEAR = linear(r"(?:19|20)\d\d")
_DIGIT = linear(r"\d")
_LONGEST_NOTE = 200
"""Characters of a note that a post was changed."""
_HOUR = linear(r"\d[:.h]\d\d")
_MILLISECONDS = linear(r"=(1\d{12})(?!\d)")
"""A moment in the address of a post, as scripts count."""
TIMES = (
    "datetime", "data-datetime", "data-timestamp", "data-time", "data-created", "created-timestamp",
    "data-tippy-content", "title",
)  # fmt: skip
"""Attributes that may hold a time, the likeliest first."""
DAY_ALONE = 4
"""The rank of a text with a year and no time: whoever wrote it may have joined then."""
_AUTHORS = ("data-author", "data-username", "author")
"""Attributes that hold a name."""


class SignOfPost(NamedTuple):
    """A name or a time around the text of a post."""

    rank: int
    """The lower, the surer."""
    is_behind: bool
    """True if it stands behind the text, where those stand who liked that, too."""
    value: str
    place: int = 0
    """The number of signs that were met before."""


class Change(NamedTuple):
    """A note in or around the text of a post that says when it was changed."""

    time: str
    editor: str | None


_by_rank = attrgetter("rank", "is_behind")
_by_place = attrgetter("place")


@dataclass(frozen=True, slots=True)
class SignsOfPost:
    """Texts that may be the author and the time of one post."""

    authors: list[SignOfPost] = field(default_factory=list)
    times: list[SignOfPost] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @property
    def author(self) -> tuple[int | None, str | None]:
        """Return the surest author, with how sure it is."""
        sign = min(self.authors, default=None, key=_by_rank)
        return (sign.rank, sign.value) if sign is not None else (None, None)

    def behind(self, times: Container[str]) -> SignsOfPost:
        """Return the signs that stand behind all of these times."""
        gone = [sign for sign in self.times if sign.value in times]
        begin = max(map(_by_place, gone), default=-1)
        return SignsOfPost(authors=_behind(begin, self.authors), times=_behind(begin, self.times))

    @property
    def times_in_order(self) -> list[str]:
        """Return the surest first."""
        return [sign.value for sign in sorted(self.times, key=_by_rank)]

    def take_in(self, within: Element, known: Element | None = None) -> None:
        """Add what is said in an element, in all of it but what is known."""
        walker = etree.iterwalk(within, events=("start",))
        is_behind = False
        for _, element in walker:
            is_behind |= element is known
            if element is known or element.tag in UNSEEN:
                walker.skip_subtree()
                continue
            place = len(self.authors) + len(self.times)
            self.authors.extend(SignOfPost(rank, is_behind, name, place) for rank, name in _names_of(element))
            times = [SignOfPost(rank, is_behind, time, place) for rank, time in _times_of(element)]
            note = _note_of_change(element) if times else None
            if note is None:
                self.times.extend(times)
            else:
                self.changes.extend(Change(time.value, _editor_in(note)) for time in times)


def _behind(begin: int, signs: Iterable[SignOfPost]) -> list[SignOfPost]:
    """Return the signs that were met behind a place."""
    return [sign for sign in signs if sign.place > begin]


def _note_of_change(timed: Element) -> Element | None:
    """Return the element that says that a time in it is that of a change, if there is one."""
    return next(filter(_tells_change, islice(chain((timed,), timed.iterancestors()), 2)), None)


def _tells_change(note: Element) -> bool:
    if note.get("itemprop") == "dateModified" or EDITED.search(note.get("class", "")):
        return True
    return word_of_change(_DIGIT.split(label_of(note, _LONGEST_NOTE), maxsplit=1)[0]) != ""


def _editor_in(note: Element) -> str | None:
    """Return whom a note of a change names."""
    names = chain.from_iterable(map(_names_of, note.iter(etree.Element)))
    return next((name for _, name in names), None)


def _names_of(element: Element) -> Iterator[tuple[int, str]]:
    """Return what an element may say of the author, each with its rank."""
    written = [(0, element.get(attribute, "")) for attribute in _AUTHORS]
    ranks = (rank for rank, holds in _RANKS_OF_NAMES if holds(element))
    written += [(rank, element.get("content") or label_of(element, LONGEST_NAME)) for rank in ranks]
    for rank, text in written:
        name = squeeze(text)
        if 0 < len(name) <= LONGEST_NAME and not name.isdigit():
            yield rank, name


def _is_author_in_data(element: Element) -> bool:
    return element.get("itemprop") == "author" and "content" in element.attrib


def _is_name_in_data(element: Element) -> bool:
    return element.get("itemprop") == "name" and (_is_profile(element) or _is_in_author(element))


def _is_profile_of_author(element: Element) -> bool:
    return _is_profile(element) and _is_in_author(element)


def _is_profile(element: Element) -> bool:
    """Return True for a link to the page of a user."""
    return element.tag == "a" and _PROFILE.search(element.get("href", "")) is not None


def _is_in_author(element: Element) -> bool:
    """Return True for what stands in an author of microdata, or in a person whose part nothing tells."""
    return any(map(_is_author, islice(element.iterancestors(), 5)))


def _is_author(around: Element) -> bool:
    role = around.get("itemprop")
    return role == "author" or (not role and around.get("itemtype", "").endswith("/Person"))


_RANKS_OF_NAMES: tuple[tuple[int, Callable[[Element], object]], ...] = (
    (1, _is_author_in_data),
    (1, _is_name_in_data),
    (2, _is_profile_of_author),
    (3, lambda element: _USER_NAME.search(element.get("class", ""))),
    (5, _is_profile),
    (6, lambda element: element.get("itemprop") == "author"),
    (7, lambda element: _AUTHOR_NAME.search(element.get("class", ""))),
)
"""Signs that the text of an element names the author, each with its rank; the surest counts."""


def _times_of(element: Element) -> Iterator[tuple[int, str]]:
    """Return what an element may say of the time, each with its rank."""
    if element.get("itemprop") in ("dateCreated", "datePublished", "dateModified"):
        stated = (element.get("content"), element.get("datetime"), label_of(element, LONGEST_TIME))
        for time in filter(None, stated):
            yield 0, time
    for value in filter(None, map(element.get, TIMES)):
        if _has_year(value, LONGEST_TIME):
            yield 1 if element.tag == "time" else 2, value
    for text in filter(None, (element.text, element.tail)):
        if _has_year(text, 2 * LONGEST_TIME):
            yield from ((2, moment) for moment in _MILLISECONDS.findall(element.get("href", "")))
            yield 3 if _HOUR.search(text) else DAY_ALONE, squeeze(text)


def _has_year(text: str, longest: int) -> bool:
    return len(text) <= longest and _YEAR.search(text) is not None
