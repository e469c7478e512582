"""Parameters of addresses that change nothing: `archive.urls.drop_params`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from urllib.parse import parse_qsl

from webarticlecurator.extraction.site_entrances import only_related
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import PAGE_WORD, bare_host, normalise, split

_OF_TRACKING = (
    *(
        "utm_*", "fbclid", "gclid", "dclid", "msclkid", "yclid", "srsltid", "mc_cid", "mc_eid", "igshid",
        "igsh", "_gl", "wt_mc", "xtor",
    ),
)  # fmt: skip
"""Made up by programs that count visits; elsewhere they mean nothing."""
_COUNTS_PAGES = linear(rf"{PAGE_WORD}$|^(?:p|pg|paged|start|offset)$", re.IGNORECASE)
"""Names of parameters; `cpage` counts pages of comments."""


def find_url_cleaning(
    archive: Sequence[Page], articles: Sequence[Page], *, links_of: Callable[[Page], frozenset[str]]
) -> tuple[Proposal, ...]:
    """Return what `archive.urls` should drop; `links_of`: the articles that an archive page lists."""
    reasons: dict[str, str] = {}
    samples: dict[str, str] = {}
    linked = Counter[str]()
    for url in (url for page in archive for url in sorted(links_of(page))):
        for name in _parameters(url).intersection(_OF_TRACKING):
            linked[name] += 1
            samples.setdefault(name, url)
    reasons |= {name: f"{count} links have it, and it only counts visits" for name, count in linked.items()}
    hosts = {bare_host(page.requested_url) for page in archive}
    of_hosts = (
        page for page in articles if bare_host(page.requested_url) in hosts
    )  # a WARC file may hold other sites, too
    for name, urls in _left_out(of_hosts).items():
        if len(urls) > 1:
            reasons.setdefault(name, f"{len(urls)} stored pages name the address without it as theirs")
            samples.setdefault(name, urls[0])
    if not reasons:
        return ()
    names = sorted(reasons)
    shown = tuple(islice(dict.fromkeys(map(samples.__getitem__, names)), 3))
    choice = Choice(
        value=[*names], reason="; ".join(f"{name}: {reasons[name]}" for name in names), samples=shown
    )
    return (Proposal.at(("archive", "urls", "drop_params"), [choice]),)


def _left_out(pages: Iterable[Page]) -> dict[str, list[str]]:
    """Return the parameters that no page has in the address which it names as its own, with the addresses
    that had them."""
    left_out: defaultdict[str, list[str]] = defaultdict(list)
    kept = set[str]()
    for page in pages:
        url, own = normalise(page.requested_url), _canonical(page)
        if _place(own) == _place(url):
            kept |= _parameters(own)
            for name in _parameters(url) - _parameters(own):
                left_out[name].append(url)
    return {name: urls for name, urls in left_out.items() if name not in kept}


def _canonical(page: Page) -> str:
    """Return the address that a page names as its own; empty where it names none."""
    return next(map(normalise, page.joined(only_related(page, "canonical", "link"))), "")


def _parameters(url: str) -> set[str]:
    """Names of those that may be dropped, not of what counts pages; `utm_source` and all like it are
    `utm_*`."""
    names = (name for name, _ in islice(parse_qsl(split(url).query or "", keep_blank_values=True), 8))
    plain = (
        name
        for name in names
        if linear_at(r"[^\s*?\[\]&=#]{1,60}").fullmatch(name) and not _COUNTS_PAGES.search(name)
    )
    return {next((pattern for pattern in _OF_TRACKING if fnmatchcase(name, pattern)), name) for name in plain}


def _place(url: str) -> tuple[str, str]:
    parts = split(url)
    return (parts.authority or "").removeprefix("www."), parts.path
