"""Ask whether a portal still answers as its file describes it: its home page, robots.txt, a sitemap, a feed
and a page of a list are asked for, and not kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from protego import Protego

from webarticlecurator.amounts import amount, part
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal
from webarticlecurator.document.parsed_page import fetched_page
from webarticlecurator.model.capture import Fetched, PageSource, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import NoPage
from webarticlecurator.protocol.message import joined
from webarticlecurator.protocol.robots_text import robots_text
from webarticlecurator.stages.trial import Line, look_at_heads
from webarticlecurator.urls import bare_host, join

_MOST_LISTS = 3
"""Pages of lists that are asked for: with the home page and robots.txt five requests, and a robots.txt more
of each further host."""
_NOT_YET = FetchOutcome.QUEUED.value
"""Outcome of a list whose first date has not come."""


class Answer(NamedTuple):
    """The answer to one of the requests, and whether it is as described."""

    kind: str
    """A word for what was asked for: home, robots.txt, sitemap, feed, list."""
    url: str
    well: bool
    says: str
    column: str = ""
    """The column whose list was asked for."""
    reached: bool = True
    """False where nothing answered at all: then the portal may be as described, and this machine without a
    network."""


class _NotingAnswers:
    """A source of pages that notes where something answered."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self.answered: set[str] = set()

    def fetch(self, request: Request) -> Fetched:
        fetched = self._source.fetch(request)
        if any(exchange.status is not None for exchange in (*fetched.exchanges, *fetched.rights)):
            self.answered.add(request.url)
        return fetched


def ask_portal(portal: Portal, source: PageSource, now: datetime) -> Iterator[Answer]:
    """Yield the answers as they come; of robots.txt only where there is something to say."""
    noted = _NotingAnswers(source)
    for answer in _answers(portal, noted, now):
        yield answer._replace(reached=answer.well or answer.url in noted.answered)


def _answers(portal: Portal, source: PageSource, now: datetime) -> Iterator[Answer]:
    """Yield the answers, as if all of them had been reached."""
    home = source.fetch(Request(url=portal.home))
    yield _home(portal, home)
    answers, sitemaps = _robots(home)
    yield from answers
    lists = replace(portal, columns=tuple(asked_columns(portal)))
    lines = [line for line in look_at_heads(lists, source, now, dates=1) if line.get("outcome") != _NOT_YET]
    yield from _of_ways(portal, [_list(portal, line, sitemaps) for line in lines])


def _of_ways(portal: Portal, answers: Sequence[Answer]) -> Sequence[Answer]:
    """Return the answers that count: of several ways to the same articles one is enough."""
    well = [answer for answer in answers if answer.well]
    has_ways = any(column.ways for column in portal.columns)
    return well if well and has_ways else answers


def _home(portal: Portal, home: Fetched) -> Answer:
    """Return whether the home page is one, and where the file says that it is."""
    target = _target(home)
    if bare_host(target) != bare_host(portal.home):
        return Answer("home", portal.home, False, f"has moved: write {target} as `home`")
    page = fetched_page(home)
    if isinstance(page, NoPage):
        return Answer("home", portal.home, False, page.reason)
    return Answer("home", portal.home, True, "answers")


def _target(home: Fetched) -> str:
    """Return where redirects lead, also where they were not followed to."""
    location = joined(home.last.headers, "location") if home.last is not None else None
    return (join(home.final_url, location) if location else None) or home.final_url


def _robots(home: Fetched) -> tuple[list[Answer], Sequence[str]]:
    """Return the answer to robots.txt, none where nothing answered; and the sitemaps that it names."""
    asked = [exchange for exchange in home.rights if exchange.request.url.endswith("/robots.txt")]
    if not asked or asked[-1].status is None:
        return [], ()
    last = asked[-1]
    if last.status != 200:
        return [Answer("robots.txt", last.request.url, True, f"there is none (HTTP {last.status})")], ()
    sitemaps = tuple(Protego.parse(robots_text(last.entity)).sitemaps)
    says = "forbids the home page" if home.disallowed else f"names {amount(len(sitemaps), 'sitemap')}"
    return [Answer("robots.txt", last.request.url, not home.disallowed, says)], sitemaps


def asked_columns(portal: Portal) -> Sequence[Column]:
    """Return the last column of each kind; of ways to the same articles the best, since not all need be
    there."""
    if any(column.ways for column in portal.columns):
        return portal.columns[:_MOST_LISTS]
    return [*{_word_for(column): column for column in portal.columns}.values()]


def _word_for(column: Column) -> str:
    return column.format.value if column.format in (ArchiveFormat.FEED, ArchiveFormat.SITEMAP) else "list"


def _list(portal: Portal, line: Line, sitemaps: Sequence[str]) -> Answer:
    """Return whether a page of a list gives something; of a sitemap that does not, which ones there are by
    robots.txt."""
    name = line["column"]
    kind = next(_word_for(column) for column in portal.columns if column.name == name)
    counts = {word: len(line.get(f"{word}s", ())) for word in ("article", "section", "sitemap")}
    given = ", ".join(amount(number, word) for word, number in counts.items() if number)
    if given:
        return Answer(kind, line["url"], True, f"gives {given}", name)
    says = line.get("reason") or _gives_nothing(line)
    if kind == "sitemap" and sitemaps:
        says += f"; robots.txt names {', '.join(sitemaps[:_MOST_LISTS])}"
    return Answer(kind, line["url"], False, says, name)


def _gives_nothing(line: Line) -> str:
    refused = ", ".join(dict.fromkeys(links.reason for links in line["refused"]))
    return f"gives no articles{part(' (refused: {})', refused)}"
