"""Addresses of links: whether they look like those of articles, or of lists, periods and files.

It is asked of the links of archive pages (`anchors.py`) as of those of a home page (`placed_links.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl

from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.forums import is_of_forum
from webarticlecurator.labelling.element_names import link_kind, link_target
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import split_path

_FILE = linear(
    r"\.(?:avif|css|docx?|exe|gif|gz|ico|jpe?g|js|json|mp[34]|pdf|png|pptx?|rss|svg|webp|xlsx?|xml|zip)$",
    re.IGNORECASE,
)
_DATE_AT_END = linear(
    r"/(?:19|20)\d\d(?:[-/._](?:0?[1-9]|1[0-2])(?:[-/._]\d\d?)?|0[1-9]|1[0-2])?(?:\.html?|\.php|/)?$"
)
"""A year, a month or a day at the end of a path."""
_YEAR = linear_at(r"(?:19|20)\d\d")
_UP_TO_FOUR_DIGITS = linear_at(r"\d{1,4}")
_SORTING = linear_at(r"(?:sort|order)(?:[_-]?\w+)?", re.IGNORECASE)
_BESIDE_SORTING = linear_at(r"dir|direction|asc|desc|page", re.IGNORECASE)
_BETWEEN_WORDS = linear(r"[-_+]|%20")
_TITLE = 3
"""Hyphens and the like in the last part of a path that is a title."""
_NUMBER = linear(r"\d{3}")
_DATED_FOLDER = linear(r"/(?:19|20)\d\d(?:[/-]?[01]\d)?(?:[/-]|$)")


def is_file(url: str) -> bool:
    """Say whether an address is that of a picture, a paper or a packed file."""
    return _FILE.search(split_path(url)[0]) is not None


def is_of_list(url: str) -> bool:
    """Say whether an address is that of the list of an author's, a topic's or a section's articles.

    A topic of a forum with a number is a thread.
    """
    return link_kind(url) is not None and not (is_of_forum(url) and any(map(str.isdigit, link_target(url))))


def is_of_period(url: str) -> bool:
    """Say whether a path says nothing but a year, a month or a day at its end: that of the list of what came
    out then.

    Behind a title there is the date of an event.
    """
    path, query = split_path(url)
    at_end = _DATE_AT_END.search(path)
    return at_end is not None and not query and _hyphens(path[: at_end.start()]) < _TITLE


def asks_for_period(url: str) -> bool:
    """Say whether a query asks for a year, perhaps with a month and a day; it may be the number of an
    article, too."""
    values = [value for _, value in parse_qsl(split_path(url)[1])]
    return any(map(_YEAR.fullmatch, values)) and all(map(_UP_TO_FOUR_DIGITS.fullmatch, values))


def _hyphens(path: str) -> int:
    """Return how many hyphens and the like stand between the words of the last part of a path."""
    return len(_BETWEEN_WORDS.findall(path.rstrip("/").rpartition("/")[2]))


_NO_ARTICLES: tuple[Check[str], ...] = (
    Check("it is a file", is_file),
    Check("it is a list of an author, a topic or a section", is_of_list),
    Check("it is the list of what came out in a year, a month or on a day", is_of_period),
)


def is_of_no_article(url: str) -> bool:
    """Say whether an address speaks against an article: it is that of a file or of a list."""
    return bool(first_reason(_NO_ARTICLES, url))


def only_sorts(url: str, page: Page) -> bool:
    """Say whether an address is the page's own list in another order."""
    (path, query), (own, own_query) = split_path(url), split_path(page.url)
    if path != own or "=" not in query:
        return False
    of_page = parse_qsl(own_query, keep_blank_values=True)
    added = {name for name, _ in set(parse_qsl(query, keep_blank_values=True)).difference(of_page)}
    beside = {name for name in added if not _SORTING.fullmatch(name)}
    return added != beside and all(map(_BESIDE_SORTING.fullmatch, beside))


_SIGNS_OF_ARTICLES: tuple[tuple[float, Callable[[str, str], float]], ...] = (
    (0.5, lambda path, _: min(_hyphens(path), 4) / 4),
    (0.2, lambda path, query: _NUMBER.search(f"{path} {query}") is not None),
    (0.15, lambda path, _: _DATED_FOLDER.search(path) is not None),
    (0.15, lambda path, _: min(len(path), 60) / 60),
)
"""Weights of the words of a title, of a number, of a date, and of the length of an address."""


def looks_like_article(url: str) -> float:
    """Return what an address says of itself, 0 to 1: articles have titles, numbers and dates in it."""
    path, query = split_path(url)
    return sum(weight * share(path, query) for weight, share in _SIGNS_OF_ARTICLES)
