"""The sections of the example portal: which language, which years, which shapes of article, and how many of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/Budapest")
TODAY = datetime(2024, 5, 15, 12, 0, tzinfo=ZONE)
"""The portal's day never changes, so neither does a page."""
LAYOUT_CHANGE = datetime(2015, 1, 1, tzinfo=ZONE)
"""Articles before this day keep the old layout."""


class Form(StrEnum):
    """The shape of an article."""

    REPORT = "report"
    BRIEF = "brief"
    INTERVIEW = "interview"
    GALLERY = "gallery"
    LIVE = "live"
    LONG = "long"
    """Several pages, each with a link to the next page and a trap that leads to the next article."""
    FIGURES = "figures"
    """Tables and lists."""
    THREAD = "thread"
    POST = "post"


_NEWS = (Form.REPORT, Form.BRIEF, Form.INTERVIEW, Form.REPORT, Form.LONG, Form.GALLERY, Form.FIGURES, Form.REPORT, Form.LIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the portal; its articles are numbered from 1, the oldest."""

    name: str
    title: str
    language: str = "hu"
    path: str
    """Of an article, with {number} and {slug}."""
    since: datetime
    until: datetime = TODAY
    share: int
    """Weight in the number of all articles."""
    forms: tuple[Form, ...] = _NEWS
    encoding: str = "utf-8"

    def form(self, number: int) -> Form:
        return self.forms[number % len(self.forms)]

    def published(self, number: int, total: int) -> datetime:
        """Evenly spread over the section's time; what comes after the first `total` articles is of today, a second apart."""
        if number > total:
            return TODAY + timedelta(seconds=number - total)
        span = self.until - timedelta(hours=1) - self.since
        seconds = int(span.total_seconds() * number / total)
        return (self.since.astimezone(ZoneInfo("UTC")) + timedelta(seconds=seconds)).astimezone(ZONE)


def _day(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=ZONE)


_SECTIONS = (
    Section(name="belfold", title="Belföld", path="/belfold/cikk/{number}/{slug}", since=_day(2022, 1, 1), share=16),
    Section(name="kultura", title="Kultúra", path="/kultura/cikk/{number}/{slug}", since=_day(2012, 6, 1), share=14),
    Section(name="sport", title="Sport", path="/sport/cikk/{number}/{slug}", since=_day(2024, 3, 20), share=14),
    Section(name="english", title="English", language="en", path="/en/story/{number}/{slug}", since=_day(2020, 2, 1), share=11),
    Section(name="deutsch", title="Deutsch", language="de", path="/de/artikel/{number}/{slug}", since=_day(2021, 4, 1), share=10),
    Section(
        name="francais",
        title="Français",
        language="fr",
        path="/fr/article/{number}/{slug}",
        since=_day(2024, 1, 1),
        share=2,
        forms=(Form.REPORT, Form.BRIEF),
    ),
    Section(
        name="regi",
        title="Régi lapok",
        path="/regi/cikk.php?id={number}",
        since=_day(2010, 9, 1),
        until=_day(2011, 3, 1),
        share=12,
        forms=(Form.REPORT, Form.BRIEF, Form.REPORT),
        encoding="iso-8859-2",
    ),
    Section(name="gyorshirek", title="Gyorshírek", path="/gyorshirek/hir/{number}", since=_day(2024, 4, 1), share=7, forms=(Form.BRIEF,)),
    Section(
        name="podcast",
        title="Podcast",
        path="/podcast/adas/{number}/{slug}",
        since=_day(2022, 9, 1),
        share=6,
        forms=(Form.INTERVIEW, Form.REPORT),
    ),
    Section(name="forum", title="Fórum", path="/forum/tema/{number}", since=_day(2016, 1, 1), share=4, forms=(Form.THREAD,)),
    Section(name="blog", title="Révészblog", path="/blog/{number}/{slug}", since=_day(2018, 1, 1), share=4, forms=(Form.POST,)),
)
SECTIONS: Mapping[str, Section] = MappingProxyType({section.name: section for section in _SECTIONS})


def share_out(articles: int) -> dict[str, int]:
    """How many of so many articles each section has: by weight, at least one each, together exactly that many."""
    if articles < len(_SECTIONS):
        raise ValueError(f"the example portal needs at least {len(_SECTIONS)} articles, one for each section; {articles} were asked for")
    weights = sum(section.share for section in _SECTIONS)
    spare = articles - len(_SECTIONS)
    counts = {section.name: 1 + spare * section.share // weights for section in _SECTIONS}
    counts[_SECTIONS[0].name] += articles - sum(counts.values())
    return counts
