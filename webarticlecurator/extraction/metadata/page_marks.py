"""How pages mark up what a reader sees of their metadata: class names, in the languages they are written in."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache


class Mark(Enum):
    """What an element's class or id says it holds."""

    AUTHOR = "author"
    """A name, and nothing else."""
    BYLINE = "byline"
    """A name among other words."""
    DATE = "date"
    TAGS = "tags"
    CRUMBS = "crumbs"
    HEADING = "heading"
    OUTSIDE = "outside"
    """Not of the article: what surrounds it, and other articles."""

    # Marks are looked up for every element of a page, and the hash of an Enum is computed from its name each time.
    __hash__ = object.__hash__


_AUTHOR = (
    r"author(?!i[sz])|autor(?!i[sz])|auteur|verfasser|szerz[oő]|redaktor|writer|reporter|journalist|f[oö]rfatt|skribent|"
    r"kirjoittaja|yazar|penulis|contributor|signature"
)
_WORDS = {
    Mark.OUTSIDE: (
        r"comment|komment|hozzaszol|related|recommend|side-?bar|teaser|widget|footer|navbar|\bnav\b|\bmenu|most-?(?:read|viewed)|"
        r"popular|promo|newsletter|subscri|trending|\blatest|ticker|advert|sponsor|carousel|slider|read-?more|more-from|see-also|"
        r"outbrain|taboola|cookie|modal|login|search"
    ),
    Mark.AUTHOR: rf"(?:{_AUTHOR})s?(?:-?(?:name|link|url|title|inner|text|item|full-?name))?$|\bfn$|^fn\b|vcard|by-?line-?(?:name|author)",
    Mark.BYLINE: rf"by-?line|{_AUTHOR}|written-?by|posted-?by|entry-meta|post-?meta|article-?meta|credits|postdata|post-?info",
    Mark.DATE: (
        r"date(?!d?base|line|picker|-?range)|time(?!line|out|r)|publi(?:sh|cad|kac|ée|e\b)|datum|fecha|\bdata\b|posted|tarih|"
        r"d[aá]tum|entry-meta|post-?meta|article-?meta|meta-?data|meta-?info|article-?info|post-?info|by-?line|dato\b|postdata"
    ),
    Mark.TAGS: (
        r"^(?:[a-z]+-){0,2}(?:tags|tag-?lists?|tag-?links|tag-?items?|keywords?|topics|schlagworte?|schlagwörter|themen|c[ií]mk[eé]k|etiquetas|hashtags?)"
        r"(?:-(?:list|links|item|link|container|wrapper|box|names?|inner|area|content|[a-z0-9]{5}))*$|^tag$|^tags-"
    ),
    Mark.CRUMBS: r"crumb",
    Mark.HEADING: r"(?:article|entry|post|page|news|content|story)-?(?:title|headline|heading|name)|^(?:headline|title)$",
}
_PATTERNS = {mark: re.compile(words) for mark, words in _WORDS.items()}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_LENGTH = 300


@lru_cache(maxsize=20_000)
def marks_of(written: str) -> frozenset[Mark]:
    """The marks in a class or id as written."""
    words = [re.sub(r"[_-]+", "-", _CAMEL.sub("-", word)).lower() for word in written[:_MAX_LENGTH].split()]
    return frozenset(mark for mark, pattern in _PATTERNS.items() if any(pattern.search(word) for word in words))
