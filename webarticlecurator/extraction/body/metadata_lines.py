"""Lines of an article that say what its metadata say: who wrote it and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from lxml.etree import _Element as Element

from webarticlecurator.text import short_text

LONGEST_LINE = 200
_OTHER_WORDS = 6
"""Words that stand in a byline beside name, date and section: `Posted on April 4 by ... in ...`."""
_MOST_OF_NAMES = 15
_LONGEST_BETWEEN_NAMES = 3
"""Letters of a word that joins names, or parts of one: and, und, van."""
_NO_LINE = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "tr"))
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"""[?!…？！]["'”’»“]?$|\b[^\W\d_]{3,}\.["'”’»“]?$""")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20)\d\d")


def words_of(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def is_byline(element: Element, authors: Sequence[Sequence[str]], filed: AbstractSet[str]) -> bool:
    """Whether a line holds an author's name or a day marked as a time, and hardly another word; `filed` are those of section and topics."""
    text = short_text(element, LONGEST_LINE) or ""
    words = words_of(text)
    told = any(map(_YEAR.fullmatch, words)) and next(element.iter("time"), None) is not None
    for author in authors:
        place = next((place for place in range(len(words)) if words[place : place + len(author)] == tuple(author)), None)
        if author and place is not None:
            words, told = words[:place] + words[place + len(author) :], True
    names = _names_before_day(text)
    few = sum(not word.isdigit() and word not in filed and word not in names for word in words) <= _OTHER_WORDS
    return told and few and element.tag not in _NO_LINE and not _is_sentence(text, words)


def _names_before_day(text: str) -> AbstractSet[str]:
    """The words before a line's first number, if they can be the names of some people."""
    head = _DIGIT.split(text, maxsplit=1)[0].split()
    are_names = len(head) <= _MOST_OF_NAMES and all(word[0].isupper() or len(word) <= _LONGEST_BETWEEN_NAMES for word in head)
    return set(words_of(" ".join(head))) if are_names else set()


def _is_sentence(text: str, others: Sequence[str]) -> bool:
    """Of a line with an author's name and `others`: the author may ask, or be spoken of."""
    end = _SENTENCE_END.search(text)
    last = words_of(end[0]) if end is not None else ()
    return end is not None and (not last or (end[0].islower() and last == tuple(others[-1:])))
