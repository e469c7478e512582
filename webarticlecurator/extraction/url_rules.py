"""The `urls` rules of a portal: cleaning joined URLs, and deciding which links are articles of this portal."""

from __future__ import annotations

from hashlib import sha256

from webarticlecurator.budget import allowed
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.request_rules import UrlRules
from webarticlecurator.model.links import OTHER_HOST, RefusedLink
from webarticlecurator.urls import drop_params, host_allowed, normalise, without_fragment


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
        return RefusedLink(url=normal, reason="urls.only", filtered=True)
    if any(pattern.search(url) for pattern in rules.exclude):
        return RefusedLink(url=normal, reason="urls.exclude", filtered=True)
    if normal in rules.exclude_urls:
        return RefusedLink(url=normal, reason="urls.exclude_file", filtered=True)
    if not host_allowed(url, portal.hosts, rules.hosts):
        return RefusedLink(url=normal, reason=OTHER_HOST)
    if any(pattern.search(normal) for pattern in portal.articles.skip_url):
        return RefusedLink(url=normal, reason="articles.skip.url")
    return url


def identity_of(url: str, portal: Portal) -> str:
    """What makes two URLs one article: the groups of the portal's `identity`, else the normalised URL."""
    normal = normalise(url)
    pattern = portal.articles.identity
    found = pattern.search(normal) if pattern is not None else None
    if found is None:
        return normal
    groups = [group for group in found.groups() if group is not None]
    return "/".join(groups) if groups else str(found[0])


def article_id(identity: str, portal: Portal) -> str:
    """The id that an article keeps, whatever the rules are."""
    return f"{portal.name}-{sha256(identity.encode()).hexdigest()[:16]}"
