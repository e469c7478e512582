"""Parameters of addresses that change nothing: `archive.urls.drop_params`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from urllib.parse import parse_qsl

from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.text import short_text
from webarticlecurator.urls import PAGE_WORD, bare_host, drop_params, join, normalise, split

LinksOf = Callable[[Page], frozenset[str]]
_OF_TRACKING = (
    *("utm_*", "fbclid", "gclid", "dclid", "msclkid", "yclid", "srsltid", "mc_cid", "mc_eid", "igshid", "igsh", "_gl", "wt_mc", "xtor"),
)
"""Made up by programs that count visits; elsewhere they mean nothing."""
_COUNTS_PAGES = re.compile(rf"{PAGE_WORD}$|^(?:p|pg|paged|start|offset)$", re.IGNORECASE)
"""Names of parameters; `cpage` counts pages of comments."""
_PLAIN_NAME = re.compile(r"[^\s*?\[\]&=#]{1,60}")
_COUNTS_VISITS = "{} links have it, and it only counts visits"
_SAME_WORDS = "{} addresses are linked with and without it, or with other values, by the same words"
_NOT_CANONICAL = "{} stored pages name the address without it as theirs"


@dataclass(slots=True)
class _Parameter:
    """What speaks for it that one parameter changes nothing."""

    says: Counter[str] = field(default_factory=Counter)
    """Sentences, with how often each is so."""
    sample: str = ""
    tells_apart: bool = False
    """Other words lead to other values of it, or a page has it in its own address."""


def find_url_cleaning(archive: Sequence[Page], articles: Sequence[Page], *, links_of: LinksOf) -> tuple[Proposal, ...]:
    """What `archive.urls` should drop; `links_of`: the articles that an archive page lists."""
    hosts = {bare_host(page.requested_url) for page in archive}
    parameters: defaultdict[str, _Parameter] = defaultdict(_Parameter)
    _weigh_links(archive, links_of, parameters)
    for page in articles:
        if hosts and bare_host(page.requested_url) not in hosts:  # a WARC file may hold other sites, too
            continue
        links = page.tree.iter("link") if page.tree is not None else ()
        links = (link for link in links if "canonical" in (link.get("rel") or "").lower().split())
        canonical = join(page.base, next((link.get("href") or "" for link in links), ""))
        url, own = normalise(page.requested_url), normalise(canonical) if canonical is not None else ""
        for name in _parameters(url) if _place(own) == _place(url) else ():
            parameters[name].sample = parameters[name].sample or url
            is_kept = name in _parameters(own)
            parameters[name].tells_apart |= is_kept
            parameters[name].says[_NOT_CANONICAL] += not is_kept
    idle: dict[str, _Parameter] = {}
    for name, parameter in sorted(parameters.items()):
        weight = parameter.says[_SAME_WORDS] + parameter.says[_NOT_CANONICAL]
        if not parameter.tells_apart and (parameter.says[_COUNTS_VISITS] > 0 or weight >= 2):
            idle[_group(name)] = parameter
    if not idle:
        return ()
    reasons = (f"{name}: {', '.join(said.format(count) for said, count in each.says.items() if count)}" for name, each in idle.items())
    samples = dict.fromkeys(parameter.sample for parameter in idle.values())
    choice = Choice(value=list(idle), reason="; ".join(reasons), samples=tuple(islice(samples, 3)))
    path = ("archive", "urls", "drop_params")
    return (Proposal(name=".".join(path), path=path, choices=(choice,), sure=True),)


def _group(name: str) -> str:
    """`utm_source` and all like it are `utm_*`."""
    return next((pattern for pattern in _OF_TRACKING if fnmatchcase(name, pattern)), name)


def _parameters(url: str) -> dict[str, str]:
    """Those that may be dropped: not what counts pages."""
    query = split(url).query
    pairs = dict(parse_qsl(query, keep_blank_values=True)) if query else {}
    several = islice(pairs.items(), 8)
    return {name: value for name, value in several if _PLAIN_NAME.fullmatch(name) and not _COUNTS_PAGES.search(name)}


def _weigh_links(pages: Iterable[Page], links_of: LinksOf, parameters: Mapping[str, _Parameter]) -> None:
    """Addresses that differ in one parameter, with the words that lead there."""
    words: defaultdict[tuple[str, str], defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    """Parameter and address without it -> value -> texts of links."""
    plain: defaultdict[str, set[str]] = defaultdict(set)
    """Address -> texts of links."""
    for page in pages:
        articles = links_of(page)
        for element, url in islice(page_links(page, page.outline.rows("a")), 3_000):
            text = short_text(element, 200) or ""
            own = _parameters(url) if "?" in url else {}
            rests = {name: drop_params(url, (name,)) for name in own}
            if url not in articles and articles.isdisjoint(rests.values()):
                continue
            for name, rest in rests.items():
                parameters[name].sample = parameters[name].sample or url
                parameters[name].says[_COUNTS_VISITS] += _group(name) in _OF_TRACKING
                words[name, rest][own[name]].add(text)
            plain[url].add(text)
    for (name, rest), by_value in words.items():
        variants = [{text for text in texts if len(text.split()) >= 3} for texts in (*by_value.values(), plain.get(rest, ()))]
        first, *others = [texts for texts in variants if texts] or [set[str]()]
        parameters[name].says[_SAME_WORDS] += any(first & other for other in others)
        parameters[name].tells_apart |= any(not first & other for other in others)


def _place(url: str) -> tuple[str, str]:
    parts = split(url)
    return (parts.authority or "").removeprefix("www."), parts.path
