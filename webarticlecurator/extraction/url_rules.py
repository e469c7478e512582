"""What URLs are to a portal: cleaned by its `urls` rules, articles or none, of one identity, of one shape."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from urllib.parse import parse_qsl

from webarticlecurator.budget import allowed
from webarticlecurator.config.fetch_rules import UrlRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.model.links import BEHIND_HASH, OTHER_HOST, SKIPPED, RefusedLink
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import drop_params, host_allowed, normalise, split_path, without_fragment

_NUMBER = linear(r"\d+", re.ASCII)
_WORD = linear(r"[^\W\d_]+")
_FEWEST_LEFT_OUT = 3
"""Links that one rule leaves out; fewer may be named one by one."""
ROUTE = linear_at(r"/?#!?/")
"""Behind the portal's home: what an application shows there by itself. All such addresses are the home page to everybody else."""
_TITLE = linear(r"[-_,+]|%20|\d")


def cleaned(url: str, rules: UrlRules) -> str:
    """`replace`, `drop_fragment`, `drop_params`: what is done to every joined URL, to the next link, too."""
    allowed("urls")
    for pattern, replacement in rules.replace:
        url = pattern.sub(replacement, url)
    if rules.drop_fragment:
        url = without_fragment(url)
    return drop_params(url, rules.drop_params)


def article_url(joined: str, rules: UrlRules, portal: Portal) -> str | RefusedLink:
    """The URL of an article as the `urls` rules leave it, not normalised, or which rule refuses it."""
    url = cleaned(joined, rules)
    url = rules.map.get(url) or rules.map.get(normalise(url)) or url
    normal = normalise(url)
    if (reason := left_out_by(url, rules)) is not None:
        return RefusedLink(url=normal, reason=reason)
    if ROUTE.match(url.removeprefix(portal.home.rstrip("/"))):
        return RefusedLink(url=url, reason=BEHIND_HASH)
    if not host_allowed(url, portal.hosts, rules.hosts):
        return RefusedLink(url=normal, reason=OTHER_HOST)
    if any(pattern.in_address(normal) for pattern in portal.articles.skip.url):
        return RefusedLink(url=normal, reason=SKIPPED)
    return url


def left_out_by(url: str, rules: UrlRules) -> str | None:
    """Return the rule by which a person leaves an address out; None where none does."""
    if rules.only and not any(pattern.in_address(url) for pattern in rules.only):
        return "urls.only"
    if any(pattern.in_address(url) for pattern in rules.exclude):
        return "urls.exclude"
    return "urls.exclude_file" if normalise(url) in rules.exclude_urls else None


def left_out_by_digits(reason: str, refused: Iterable[str], known: Iterable[str], portal: Portal) -> list[str]:
    """Of the links that a rule of a person leaves out: those of the make of articles that are taken, where the rule parts the two by no
    word but by digits. Who leaves out a kind of article names it by a word."""
    columns = [column.urls for column in portal.columns]

    def is_taken(url: str) -> bool:
        return any(isinstance(article_url(url, rules, portal), str) for rules in columns)

    taken = list(filter(is_taken, known))
    makes = set(map(_make, taken))
    alike = [url for url in refused if _make(url) in makes and not is_taken(url)]
    if reason == "urls.only":
        of_all = set.intersection(*(set(_WORD.findall(url)) for url in taken)) if taken else set[str]()
        groups = [[url for url in alike if of_all <= set(_WORD.findall(url))]]
    else:
        without_digits = "\n".join(_NUMBER.sub("", url) for url in taken)
        exclude = {pattern for rules in columns for pattern in rules.exclude}
        patterns = {"urls.exclude": exclude, SKIPPED: portal.articles.skip.url}.get(reason, ())
        matches = ([(url, match[0]) for url in alike if (match := pattern.in_address(url)) is not None] for pattern in patterns)
        groups = [[url for url, text in of_pattern if _NUMBER.sub("", text) in without_digits] for of_pattern in matches]
    return list(dict.fromkeys(url for group in groups if len(group) >= _FEWEST_LEFT_OUT for url in group))


def _make(url: str) -> tuple[str, str]:
    """Its shape, and where digits stand in it."""
    return url_shape(url, sections=True), linear(r"[^9/]+").sub("a", _NUMBER.sub("9", url))


def identity_of(url: str, portal: Portal) -> str:
    """What makes two URLs one article: the groups of the portal's `identity`, else the normalised URL."""
    normal = normalise(url)
    pattern = portal.articles.identity
    match = pattern.search(normal) if pattern is not None else None
    if match is None:
        return normal
    groups = [group for group in match.groups() if group is not None]
    return "/".join(groups) if groups else str(match[0])


def article_id(identity: str, portal: Portal) -> str:
    """The id that an article keeps, whatever the rules are."""
    return f"{portal.name}-{sha256(identity.encode()).hexdigest()[:16]}"


def url_shape(url: str, *, sections: bool) -> str:
    """What the addresses of one kind of page have in common: numbers are as good as any other, and so are titles; `/index.html` is `/`.

    `/hirek/2021/06/a-bridge.html` is `/hirek/9/9/s.html`; where `sections` do not matter, `/w/9/9/s.html`.

    Before a query the path is a program's, which stays as it is. The last of several words may be a title.
    """
    path, query = split_path(url)
    path = linear(r"/index\.[a-z]{3,5}$").sub("/", path)
    if query:
        pairs = sorted(parse_qsl(query, keep_blank_values=True))
        values = (f"{name}={_kind(value, word='w')}" if value else _NUMBER.sub("9", name) for name, value in pairs)  # "?article12"
        return f"{path}?{'&'.join(values)}"
    stem, dot, ending = path.rpartition(".")
    if not dot or not ending.isalpha():
        stem, dot, ending = path, "", ""
    segments = stem.split("/")
    last = len(stem.rstrip("/").split("/")) - 1
    kinds = [
        _kind(segment, word=(None if last < 2 or number < last else "s") if sections else "w") for number, segment in enumerate(segments)
    ]
    return "/".join(kinds) + dot + ending.lower()


def _kind(segment: str, *, word: str | None) -> str:
    """`word`: what stands for a word; None: the word itself."""
    if not segment or _NUMBER.fullmatch(segment):
        return segment and "9"
    return "s" if _TITLE.search(segment) else word or segment.lower()
