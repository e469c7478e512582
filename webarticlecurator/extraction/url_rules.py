"""What URLs are to a portal: cleaned by its `urls` rules, articles or none, of one identity, of one shape."""

from __future__ import annotations

import re
from hashlib import sha256
from urllib.parse import parse_qsl

from webarticlecurator.budget import allowed
from webarticlecurator.config.fetch_rules import UrlRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.model.links import BEHIND_HASH, OTHER_HOST, RefusedLink
from webarticlecurator.urls import drop_params, host_allowed, normalise, split_path, without_fragment

_NUMBER = re.compile(r"\d+", re.ASCII)
_ROUTE = re.compile(r"/?#!?/")
"""Behind the portal's home: what an application shows there by itself. All such addresses are the home page to everybody else."""
_TITLE = re.compile(r"[-_,+]|%20|\d")


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
    if rules.only and not any(pattern.search(url) for pattern in rules.only):
        return RefusedLink(url=normal, reason="urls.only")
    if any(pattern.search(url) for pattern in rules.exclude):
        return RefusedLink(url=normal, reason="urls.exclude")
    if normal in rules.exclude_urls:
        return RefusedLink(url=normal, reason="urls.exclude_file")
    if _ROUTE.match(url.removeprefix(portal.home.rstrip("/"))):
        return RefusedLink(url=url, reason=BEHIND_HASH)
    if not host_allowed(url, portal.hosts, rules.hosts):
        return RefusedLink(url=normal, reason=OTHER_HOST)
    if any(pattern.search(normal) for pattern in portal.articles.skip.url):
        return RefusedLink(url=normal, reason="articles.skip.url")
    return url


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
    path = re.sub(r"/index\.[a-z]{3,5}$", "/", path)
    if query:
        values = (f"{name}={_kind(value, word='w')}" for name, value in sorted(parse_qsl(query, keep_blank_values=True)))
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
