"""Parameters of addresses that change nothing, by what stored pages show: values of `archive.urls`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from urllib.parse import parse_qsl

from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.extraction.pager_signs import PAGE_WORD, page_links
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.text import element_text, short_text
from webarticlecurator.urls import bare_host, drop_params, join, normalise, split, without_fragment

LinksOf = Callable[[Page], frozenset[str]]
MOST_PAGES = 120
"""Of archive pages and of articles each."""
MOST_LINKS = 3_000
"""Of a page."""
MOST_DROPPED = 20_000
"""How often one parameter is taken out of an address, to see what is left; addresses that come after that are not weighed."""
_MOST_PARAMETERS = 200
_MOST_IN_ADDRESS = 8
_MOST_COMPARED = 20
"""Stored pages that differ in one parameter."""
_OF_TRACKING = (
    "utm_*",
    "fbclid",
    "gclid",
    "dclid",
    "msclkid",
    "yclid",
    "srsltid",
    "mc_cid",
    "mc_eid",
    "igshid",
    "igsh",
    "_gl",
    "wt_mc",
    "xtor",
)
"""Made up by programs that count visits; elsewhere they mean nothing."""
_TOKEN = re.compile(r"(?=[^/]*\d)(?=[^/]*[A-Za-z])[A-Za-z0-9_-]{16,}")
_FEWEST_WITH_TOKEN = 5
_FEWEST_WORDS = 3
_LONGEST_TEXT = 200
_NEARLY_ALL = 0.95
_ENOUGH_EVIDENCE = 2
_MOST_SAMPLES = 3
_COUNTS_PAGES = re.compile(rf"{PAGE_WORD}$|^(?:p|pg|paged|start|offset)$", re.IGNORECASE)
"""Names of parameters; `cpage` counts pages of comments."""
_PLAIN_NAME = re.compile(r"[^\s*?\[\]&=#]{1,60}")


@dataclass(slots=True)
class _Evidence:
    """What speaks for it that one parameter changes nothing, and what against."""

    links: int = 0
    """That have it."""
    same_words: int = 0
    """Addresses that are linked with different values of it, or without it, by the same words."""
    other_words: int = 0
    same_article: int = 0
    """Pairs of stored pages that differ in nothing else, with the same headline and text."""
    other_article: int = 0
    not_canonical: int = 0
    """Stored pages that name the address without it as their own."""
    canonical: int = 0
    tokens: int = 0
    """Pages of which all links carry the same long value."""
    samples: dict[str, None] = field(default_factory=dict)

    def changes_nothing(self, name: str) -> bool | None:
        """None: perhaps."""
        speaks_for = self.same_words + 2 * self.same_article + self.not_canonical + 2 * self.tokens
        if self.other_words or self.other_article or self.canonical:
            return False
        if self.links and _is_tracking(name):
            return True
        return None if 0 < speaks_for < _ENOUGH_EVIDENCE else speaks_for >= _ENOUGH_EVIDENCE

    def told(self, name: str) -> str:
        rows = (
            (self.same_article, "{} pairs of stored pages that differ in it alone are the same article"),
            (self.not_canonical, "{} stored pages name the address without it as theirs"),
            (self.same_words, "{} addresses are linked with and without it, or with other values, by the same words"),
            (self.tokens, "on {} pages all links carry the same long value"),
            (self.links if _is_tracking(name) else 0, "{} links have it, and it only counts visits"),
        )
        return f"{name}: " + ", ".join(words.format(count) for count, words in rows if count)


def find_url_cleaning(archive: Sequence[Page], articles: Sequence[Page] = (), *, links_of: LinksOf | None = None) -> tuple[Proposal, ...]:
    """What `archive.urls` should drop; `links_of`: the articles that an archive page lists."""
    hosts = {bare_host(page.requested_url) for page in archive}
    own = (page for page in articles if not hosts or bare_host(page.requested_url) in hosts)  # a WARC file may hold other sites, too
    archive, articles = archive[:MOST_PAGES], tuple(islice(own, MOST_PAGES))
    found: dict[str, _Evidence] = {}
    _weigh_links(archive, links_of, found)
    _weigh_articles(articles, found)
    judged = {_group(name): one for name, one in sorted(found.items()) if one.changes_nothing(name)}
    perhaps = {name: one for name, one in sorted(found.items()) if one.changes_nothing(name) is None}
    return (*_of_params(judged, perhaps), *_of_fragments(archive, links_of))


def _of_params(sure: Mapping[str, _Evidence], perhaps: Mapping[str, _Evidence]) -> Iterator[Proposal]:
    choices = [_choice(sure)] if sure else []
    if perhaps:
        choices.append(_choice({**sure, **perhaps}))
    if choices:
        question = None if sure else "Do these parameters of addresses change nothing?"
        yield Proposal(
            name="archive.urls.drop_params",
            path=("archive", "urls", "drop_params"),
            choices=tuple(choices),
            sure=bool(sure),
            question=question,
        )


def _choice(names: Mapping[str, _Evidence]) -> Choice:
    samples = dict.fromkeys(url for one in names.values() for url in islice(one.samples, 1))
    return Choice(
        value=list(names),
        reason="; ".join(one.told(name) for name, one in names.items()),
        samples=tuple(islice(samples, _MOST_SAMPLES)),
        score=float(len(names)),
    )


def _is_tracking(name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in _OF_TRACKING)


def _group(name: str) -> str:
    """`utm_source` and all like it are `utm_*`."""
    return next((pattern for pattern in _OF_TRACKING if "*" in pattern and fnmatchcase(name, pattern)), name)


def _parameters(url: str) -> dict[str, str]:
    """Those that may be dropped: not what counts pages."""
    query = split(url).query
    pairs = dict(parse_qsl(query, keep_blank_values=True)) if query else {}
    several = islice(pairs.items(), _MOST_IN_ADDRESS)
    return {name: value for name, value in several if _PLAIN_NAME.fullmatch(name) and not _COUNTS_PAGES.search(name)}


def _of(found: dict[str, _Evidence], name: str) -> _Evidence:
    return found.setdefault(name, _Evidence()) if name in found or len(found) < _MOST_PARAMETERS else _Evidence()


# --- links ---


def _weigh_links(pages: Iterable[Page], links_of: LinksOf | None, found: dict[str, _Evidence]) -> None:
    """Addresses that differ in one parameter, with the words that lead there."""
    words: dict[tuple[str, str], dict[str | None, set[str]]] = {}
    bare: dict[str, set[str]] = {}
    left = MOST_DROPPED
    for page in pages:
        articles = links_of(page) if links_of is not None else None
        tokens: Counter[tuple[str, str]] = Counter()
        for element, url in islice(page_links(page, of=_is_anchor), MOST_LINKS):
            text = short_text(element, _LONGEST_TEXT) or ""
            parameters = _parameters(url) if "?" in url and left > 0 else {}
            left -= len(parameters)
            tokens.update(parameters.items())
            rests = {name: drop_params(url, (name,)) for name in parameters}
            if articles is not None and url not in articles and articles.isdisjoint(rests.values()):
                continue
            bare.setdefault(url, set()).add(text)
            for name, rest in rests.items():
                one = _of(found, name)
                one.links += 1
                one.samples.setdefault(url)
                words.setdefault((name, rest), {}).setdefault(parameters[name], set()).add(text)
        for (name, value), count in tokens.items():
            _of(found, name).tokens += count >= _FEWEST_WITH_TOKEN and _TOKEN.fullmatch(value) is not None
    for (name, rest), by_value in words.items():
        variants = [*by_value.values(), *([bare[rest]] if rest in bare else [])]
        if len(variants) > 1:
            _of(found, name).same_words += _share_words(variants)
            _of(found, name).other_words += _have_other_words(variants)


def _is_anchor(element: Element) -> bool:
    return element.tag == "a"


def _long(texts: Iterable[str]) -> set[str]:
    return {text for text in texts if len(text.split()) >= _FEWEST_WORDS}


def _share_words(variants: Sequence[set[str]]) -> bool:
    first, *others = map(_long, variants)
    return any(first & other for other in others)


def _have_other_words(variants: Sequence[set[str]]) -> bool:
    first, *others = map(_long, variants)
    return any(first and other and not first & other for other in others)


def _of_fragments(pages: Sequence[Page], links_of: LinksOf | None) -> Iterator[Proposal]:
    """Parts of a page are no articles of their own."""
    seen: dict[str, None] = {}
    links = 0
    for page in pages:
        articles = links_of(page) if links_of is not None else frozenset()
        anchors = page.tree.iter("a") if page.tree is not None else ()
        for href in islice((one.get("href") or "" for one in anchors), MOST_LINKS):
            url = join(page.base, href) if "#" in href[1:] else None
            if url is not None and normalise(without_fragment(url)) in articles:
                links += 1
                seen.setdefault(url)
    if links:
        reason = f"{amount(links, 'link to an article leads', 'links to articles lead')} to a part of the page, which is the same article"
        choice = Choice(value=True, reason=reason, samples=tuple(islice(seen, _MOST_SAMPLES)), score=1.0)
        yield Proposal(name="archive.urls.drop_fragment", path=("archive", "urls", "drop_fragment"), choices=(choice,), sure=True)


# --- stored pages ---


def _weigh_articles(pages: Sequence[Page], found: dict[str, _Evidence]) -> None:
    by_url = {normalise(page.requested_url): page for page in pages}
    groups: dict[tuple[str, str], list[Page]] = {}
    for url, page in by_url.items():
        own = _canonical(page)
        for name in _parameters(url):
            one = _of(found, name)
            one.samples.setdefault(url)
            rest = drop_params(url, (name,))
            group = groups.setdefault((name, rest), [by_url[rest]] if rest in by_url else [])
            group.append(page)
            if own is not None and _path(own) == _path(url):
                one.canonical += name in _parameters(own)
                one.not_canonical += name not in _parameters(own)
    for (name, _), group in groups.items():
        first, *others = group
        for other in others[:_MOST_COMPARED]:
            is_same = _is_same_article(first, other)
            _of(found, name).same_article += is_same is True
            _of(found, name).other_article += is_same is False


def _path(url: str) -> tuple[str, str]:
    parts = split(url)
    return (parts.authority or "").removeprefix("www."), parts.path


def _canonical(page: Page) -> str | None:
    for link in page.tree.iter("link") if page.tree is not None else ():
        if "canonical" in (link.get("rel") or "").lower().split():
            url = join(page.base, link.get("href") or "")
            return normalise(url) if url is not None else None
    return None


def _is_same_article(one: Page, other: Page) -> bool | None:
    """By headline and text; None: not to be told."""
    if one.tree is None or other.tree is None:
        return None
    if _headline(one.tree) != _headline(other.tree):
        return False
    first, second = (Counter(element_text(tree).split()) for tree in (one.tree, other.tree))
    shared = (first & second).total()
    return True if 2 * shared >= _NEARLY_ALL * (first.total() + second.total()) > 0 else None


def _headline(tree: Element) -> tuple[str, ...]:
    return tuple(short_text(one, 1_000) or "" for name in ("title", "h1") for one in islice(tree.iter(name), 1))
