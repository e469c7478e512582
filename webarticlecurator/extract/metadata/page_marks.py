"""How pages mark up what a reader sees of their metadata: class names, found in any language they are written in."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache


class Mark(Enum):
    """What an element's class or id says it holds."""

    BYLINE = "byline"
    DATE = "date"
    TAGS = "tags"
    CRUMBS = "crumbs"
    OUTSIDE = "outside"
    """Not of the article: what surrounds it, and other articles."""


_WORDS = {
    Mark.OUTSIDE: (
        r"comment|komment|hozzaszol|related|recommend|sidebar|side-bar|teaser|widget|foot(?:er)?\b|navbar|\bnav\b|\bmenu|most-?(?:read|viewed)|"
        r"popular|promo|newsletter|subscri|trending|latest|ticker|advert|sponsor|carousel|slider|latest|read-?more|more-|"
        r"share|social|respond|\bcard\b|_card|-card|card-|outbrain|taboola|cookie|modal|login|search|signature|also"
    ),
    Mark.BYLINE: (
        r"by-?line|author(?!i[sz])|\bautor(?!i[sz])|autor(?:e[ns]?|in|a)?\b|auteur|verfasser|szerz[oő]|redaktor|writer|reporter|journalist|"
        r"forfatt|f[oö]rfatt|skribent|kirjoittaja|yazar|penulis|vcard|written-?by|posted-?by|contributor"
    ),
    Mark.DATE: (
        r"date(?!d?base|line|picker|-?range)|time(?!line|out|r)|publi(?:sh|cad|kac|ée|e\b)|datum|fecha|\bdata\b|posted|tarih|d[aá]tum|"
        r"entry-meta|post-meta|article-?meta|meta-?data|meta-?info|article-?info|post-?info|byline|dato\b|pubdate|postinfo"
    ),
    Mark.TAGS: r"\btags?\b|tags?[-_]|[-_]tags?|tag-?list|taglist|tag-?links|keyword|topics?\b|schlagw|themen|c[ií]mke|etiqueta|hashtag|post-?tags|articletags",
    Mark.CRUMBS: r"breadcrumb|crumb",
}
_PATTERNS = {mark: re.compile(words) for mark, words in _WORDS.items()}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_LENGTH = 300


@lru_cache(maxsize=20_000)
def marks_of(written: str) -> frozenset[Mark]:
    """The marks in a class or id as written."""
    words = _CAMEL.sub("-", written[:_MAX_LENGTH]).lower().replace("_", "-")
    return frozenset(mark for mark, pattern in _PATTERNS.items() if pattern.search(words))
