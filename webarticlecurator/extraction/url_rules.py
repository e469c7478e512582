"""The meaning of URLs to a portal: cleaned by its `urls` rules, articles or not, of one identity, of one
shape."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from webarticlecurator.budget import allowed
from webarticlecurator.config.fetch_rules import UrlRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.model.links import BEHIND_HASH, OTHER_HOST, SKIPPED, RefusedLink
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.patterns import Pattern
from webarticlecurator.urls import drop_params, host_allowed, normalise, split_path, without_fragment

_NUMBER = linear(r"\d+", re.ASCII)
ROUTE = linear_at(r"/?#!?/")
"""Stands behind the portal's home where an application shows something by itself.

To everybody else all such addresses are the home page.
"""
_TITLE = linear(r"[-_,+]|%20|\d")


def cleaned(url: str, rules: UrlRules) -> str:
    """Return a joined URL as `replace`, `drop_fragment` and `drop_params` leave it; the next link, too, is
    cleaned."""
    allowed("urls")
    for pattern, replacement in rules.replace:
        url = pattern.sub(replacement, url)
    if rules.drop_fragment:
        url = without_fragment(url)
    return drop_params(url, rules.drop_params)


def article_url(joined: str, rules: UrlRules, portal: Portal) -> str | RefusedLink:
    """Return the URL of an article as the `urls` rules leave it, not normalised, or the rule that refuses
    it."""
    url = cleaned(joined, rules)
    url = rules.map.get(normalise(url), url) if rules.map else url
    reason = first_reason(_REFUSALS, _AskedAddress(url, rules, portal))
    if not reason:
        return url
    return RefusedLink(url=url if reason == BEHIND_HASH else normalise(url), reason=reason)


class _RuledAddress(NamedTuple):
    """An address, with the rules of its list."""

    url: str
    rules: UrlRules


def fits_any(patterns: Iterable[Pattern], url: str) -> bool:
    """Return True if one of these patterns finds something in an address."""
    return any(pattern.in_address(url) for pattern in patterns)


_LEFT_OUT: tuple[Check[Any], ...] = (
    Check("urls.only", lambda ruled: bool(ruled.rules.only) and not fits_any(ruled.rules.only, ruled.url)),
    Check("urls.exclude", lambda ruled: fits_any(ruled.rules.exclude, ruled.url)),
)
"""Rules by which a person leaves addresses out."""


class _AskedAddress(NamedTuple):
    """An address on a page of a portal, with the rules of its list."""

    url: str
    rules: UrlRules
    portal: Portal

    @property
    def is_route(self) -> bool:
        """Say whether it is a place of an application, behind a `#` of the home page."""
        return ROUTE.match(self.url.removeprefix(self.portal.home.rstrip("/"))) is not None


_REFUSALS: tuple[Check[_AskedAddress], ...] = (
    *_LEFT_OUT,
    Check(BEHIND_HASH, lambda asked: asked.is_route),
    Check(OTHER_HOST, lambda asked: not host_allowed(asked.url, asked.portal.hosts, asked.rules.hosts)),
    Check(SKIPPED, lambda asked: fits_any(asked.portal.articles.skip.url, normalise(asked.url))),
)
"""Reasons why an address is that of no article."""


def left_out_by(url: str, rules: UrlRules) -> str:
    """Return the rule by which a person leaves an address out; empty where none does."""
    return first_reason(_LEFT_OUT, _RuledAddress(url, rules))


def identity_of(url: str, portal: Portal) -> str:
    """Return by what two URLs are one article: the groups of the portal's `identity`, else the normalised
    URL."""
    normal = normalise(url)
    pattern = portal.articles.identity
    match = pattern.search(normal) if pattern is not None else None
    if match is None:
        return normal
    groups = [group for group in match.groups() if group is not None]
    return "/".join(groups) if groups else str(match[0])


def article_id(identity: str, portal: Portal) -> str:
    """Return the id that an article keeps, whatever the rules are."""
    return f"{portal.name}-{sha256(identity.encode()).hexdigest()[:16]}"


def url_shape(url: str, *, sections: bool) -> str:
    """Return the form that addresses of one kind of page have in common.

    Numbers are as good as any other, and so are titles; `/index.html` is `/`.

    `/hirek/2021/06/a-bridge.html` is `/hirek/9/9/s.html`; where `sections` do not matter, `/w/9/9/s.html`.

    Before a query the path is a program's, which stays as it is. The last of several words may be a title.
    """
    path, query = split_path(url)
    path = linear(r"/index\.[a-z]{3,5}$").sub("/", path)
    if query:
        pairs = sorted(parse_qsl(query, keep_blank_values=True))
        return f"{path}?{'&'.join(_parameter(name, value) for name, value in pairs)}"
    stem, dot, ending = path.rpartition(".")
    if not dot or not ending.isalpha():
        stem, dot, ending = path, "", ""
    segments = stem.split("/")
    last = len(stem.rstrip("/").split("/")) - 1
    words: list[str | None] = ["w"] * len(segments)
    if sections:
        words = [*[None] * max(last, 2), *["s"] * len(segments)][: len(segments)]
    return "/".join(map(_kind, segments, words)) + dot + ending.lower()


def _parameter(name: str, value: str) -> str:
    """Return the form of a parameter; one without a value is a name with a number: "?article12"."""
    return f"{name}={_kind(value, 'w')}" if value else _NUMBER.sub("9", name)


@lru_cache(maxsize=2048)
def _kind(segment: str, word: str | None) -> str:
    """Return what stands for a part of an address; `word` stands for a word, None for the word itself."""
    if not segment or _NUMBER.fullmatch(segment):
        return segment and "9"
    return "s" if _TITLE.search(segment) else word or segment.lower()
