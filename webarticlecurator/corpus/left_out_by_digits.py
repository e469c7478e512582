"""Links that a rule of a person leaves out by nothing but digits, though articles of their make are taken."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.url_rules import article_url, url_shape
from webarticlecurator.model.links import SKIPPED
from webarticlecurator.own_patterns import linear
from webarticlecurator.patterns import Pattern

_NUMBER = linear(r"\d+", re.ASCII)
_WORD = linear(r"[^\W\d_]+")
_FEWEST_LEFT_OUT = 3
"""Links that one rule leaves out; fewer may be named one by one."""


def left_out_by_digits(
    reason: str,
    refused: Iterable[str],
    known: Iterable[str],
    portal: Portal,
) -> list[str]:
    """Return links that a rule of a person leaves out, though articles of their make are taken.

    That is so where the rule parts the two by no word but by digits.
    Who leaves out a kind of article names it by a word.
    """
    taken = [url for url in known if _is_taken(url, portal)]
    makes = set(map(_make, taken))
    alike = [url for url in refused if _make(url) in makes and not _is_taken(url, portal)]
    if reason == "urls.only":
        groups = [_with_common_words(alike, taken)]
    else:
        groups = [_by_digits_of(pattern, alike, taken) for pattern in _leaving_out(reason, portal)]
    enough = [group for group in groups if len(group) >= _FEWEST_LEFT_OUT]
    return list(dict.fromkeys(chain.from_iterable(enough)))


def _is_taken(url: str, portal: Portal) -> bool:
    """Say whether a column takes an address for that of an article."""
    return any(isinstance(article_url(url, column.urls, portal), str) for column in portal.columns)


def _leaving_out(reason: str, portal: Portal) -> Iterable[Pattern]:
    """Return the patterns that leave links out for this reason."""
    if reason == SKIPPED:
        return portal.articles.skip.url
    exclude = chain.from_iterable(column.urls.exclude for column in portal.columns)
    return dict.fromkeys(exclude) if reason == "urls.exclude" else ()


def _with_common_words(urls: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Return the addresses with all words that all taken ones have."""
    words = [set(_WORD.findall(url)) for url in taken]
    common = set[str]().union(*words).intersection(*words)
    return [url for url in urls if common.issubset(_WORD.findall(url))]


def _by_digits_of(pattern: Pattern, urls: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Return the addresses in which a pattern finds nothing, beside digits, that taken ones lack."""
    without_digits = "\n".join(_NUMBER.sub("", url) for url in taken)
    matches = [(url, pattern.in_address(url)) for url in urls]
    found = [(url, _NUMBER.sub("", match[0])) for url, match in matches if match is not None]
    return [url for url, words in found if words in without_digits]


def _make(url: str) -> tuple[str, str]:
    """Return the shape of an address, and where digits stand in it."""
    return url_shape(url, sections=True), linear(r"[^9/]+").sub("a", _NUMBER.sub("9", url))
