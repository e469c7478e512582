"""Addresses that look like those of lists of articles, or like those of articles."""

from __future__ import annotations

import re
from urllib.parse import unquote

from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.urls import split

_WORDS = {name: frozenset(words) for name, words in read_word_lists(__file__, "listing_words.txt").items()}
LISTS = _WORDS["lists"]
"""Words in the addresses of listings before a name or a number."""
_SECTIONS = _WORDS["sections"]
"""Words at the end of the addresses of sections."""
PAGING = _WORDS["paging"]
"""Parameters with a page's number."""
FURTHER_PAGE = r"/(?:index|lap|oldal|page|pagina|seite|sida|side|strana)[/-]?\d+(?:\.html?|/)?$"
"""The address of a list's next page, in a regular expression."""
_OF_DAYS = r"/(?:19|20)\d\d(?:/\d\d?){1,2}/?(?:index\.[a-z]{3,5})?$"
"""The address of a day or a month, in a regular expression."""
OF_LIST = linear(rf"{FURTHER_PAGE}|{_OF_DAYS}|/(?:{'|'.join(LISTS)})/[^/?]+/?$")
"""The address of a list for certain, if nothing on the page is its own: a further page, a month, a topic."""
_TRACKING = ("utm_", "srsltid", "gclid", "fbclid")
"""Parameters of an address that say where a visitor came from."""
_DAYS = linear_at(r"(?:19|20)\d\d(?:/\d\d?){0,2}")
_NUMBER = linear(r"\d{3}")
_FILE_OR_NUMBER = linear(r"\.[a-z]{2,5}(?:;|$)|\d{3}", re.IGNORECASE)
_BETWEEN_WORDS = linear(r"[\W_]+")
_WORDS_OF_ARTICLE = 4
"""Words in the end of an address that is a headline; sections have fewer."""


def segments_of(url: str) -> list[str]:
    """Return the parts of the path of an address, in small letters."""
    return [unquote(segment).strip().lower() for segment in split(url).path.split("/") if segment]


def names_article(url: str, segments: list[str]) -> bool:
    """Say whether an address ends like an article's: with a file, a number, or the words of a headline."""
    parameters = (split(url).query or "").split("&")
    return any(map(_has_number, parameters)) or (bool(segments) and _is_title(segments))


def _has_number(parameter: str) -> bool:
    """Say whether a parameter has the number of an article; that of a page, or of a visitor, is none."""
    name, _, value = parameter.lower().partition("=")
    is_of_article = name not in PAGING and not name.startswith(_TRACKING)
    return is_of_article and _NUMBER.search(value) is not None


def _is_title(segments: list[str]) -> bool:
    if _DAYS.fullmatch("/".join(segments[-3:])) or not LISTS.isdisjoint(segments[:-1]):
        return False
    words = max(len(_BETWEEN_WORDS.split(segment)) for segment in segments[-2:])
    return words >= _WORDS_OF_ARTICLE or _FILE_OR_NUMBER.search(segments[-1]) is not None


def names_section(segments: list[str]) -> bool:
    """Say whether an address has the words of lists and sections."""
    return not (LISTS.isdisjoint(segments) and _SECTIONS.isdisjoint(segments[-1:]))
