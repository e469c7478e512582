"""By which clock the dates of a site are meant: by the country that its address or its language tells, if the
offsets of dates fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from webarticlecurator.dates import in_reach
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.own_patterns import linear
from webarticlecurator.resources import read_word_lists
from webarticlecurator.urls import bare_host

_MOST_CHOICES = 3
_MOMENT = linear(r"\b(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?[+-]\d\d:?\d\d\b")
_ONE_COUNTRY = frozenset(
    linear(" ").split("bg cs da el et fi he hr hu is it ja ka ko lt lv mk nb no pl ro sk sl sq sv tr uk vi")
)
"""Languages by which a country is known, though not for certain."""
_TERRITORIES = {
    "uk": "GB",
    "eu": None,
    "tv": None,
    "io": None,
    "me": None,
    "co": None,
    "ai": None,
    "fm": None,
    "ly": None,
    "to": None,
}
"""Endings of host names that are not the country's code, or that all the world uses."""
_WHERE_MOST_LIVE = read_word_lists(__file__, "zones.txt")["where most live"]
"""Zones that go first: of countries with several ones that where most people live, and of other clocks of
many people the zone that most of them have."""


@dataclass(frozen=True, slots=True)
class _Country:
    """The country whose clocks may be meant."""

    code: str | None
    told_by: str
    is_certain: bool = False


def time_zone_proposal(home: str, language: Proposal | None, pages: Sequence[Page]) -> Proposal | None:
    """Return the zones of the country that the address or the language tells, if the offsets of dates fit;
    None: nothing tells."""
    from babel.core import get_global

    moments = list(islice((moment for page in pages for moment in _moments(page)), 200))
    country = _country(
        home, str(language.choices[0].value) if language is not None else "", of_many=bool(moments)
    )
    known = available_timezones()
    zones = [
        zone
        for zone in get_global("territory_zones").get(country.code or "", ())
        if zone in known and _fits(zone, moments)
    ]
    zones = _of_different_clocks(sorted(zones, key=[*_WHERE_MOST_LIVE, *zones].index))
    if not zones:
        return None
    offsets = ", ".join(sorted({moment.strftime("%z") for moment in moments}))
    fit = f"the offsets of {len(moments)} dates on the pages ({offsets}) fit"
    reason = (
        f"{country.told_by}; "
        f"{fit if moments else 'no date on the pages has an offset other than that of UTC'}"
    )
    sure = len(zones) == 1 and (bool(moments) or country.is_certain)
    choices = [Choice(value=zone, reason=reason) for zone in zones[:_MOST_CHOICES]]
    return Proposal.at(("timezone",), choices, "By which clock are its dates meant?", sure=sure)


def _fits(zone: str, moments: Sequence[datetime]) -> bool:
    return all(moment.astimezone(ZoneInfo(zone)).utcoffset() == moment.utcoffset() for moment in moments)


def _of_different_clocks(zones: Sequence[str]) -> list[str]:
    """Return one zone of those that have shown the same time since there were portals, and will for some
    years."""
    weeks = [datetime(1990, 1, 1, tzinfo=UTC) + timedelta(weeks=week) for week in range(2_500)]
    return first_of_each(
        zones, lambda zone: tuple(week.astimezone(ZoneInfo(zone)).utcoffset() for week in weeks)
    )


def _country(home: str, language: str, *, of_many: bool) -> _Country:
    """Return the country, and what tells it; a language `of_many` countries tells the likeliest, where dates
    can speak against it."""
    from babel.core import get_global

    countries = get_global("territory_zones")
    ending = bare_host(home).rpartition(".")[2]
    code = _TERRITORIES.get(ending, ending.upper())
    if code in countries:
        return _Country(code, f"the address ends in .{ending}", is_certain=True)
    tag, told_by = language.lower().replace("_", "-").split("-"), f"the language is {language}"
    region = tag[-1].upper() if len(tag) > 1 else ""
    if region in countries:
        return _Country(region, told_by, is_certain=True)
    likely = str(get_global("likely_subtags").get(tag[0], "")) if tag[0] in _ONE_COUNTRY or of_many else ""
    return _Country(likely.rpartition("_")[2] or None, told_by)


def _moments(page: Page) -> Iterator[datetime]:
    """The dates with an offset that a page writes for programs; those of UTC tell nothing."""
    for element in page.outline.named("meta", "time", "script"):
        if element.tag == "script":
            text = (element.text or "") if element.get("type") == "application/ld+json" else ""
        else:
            text = element.get("content" if element.tag == "meta" else "datetime") or ""
        for written in _MOMENT.findall(text[:100_000]):
            try:
                moment = datetime.fromisoformat(written)
            except ValueError:
                continue
            if moment.utcoffset() and in_reach(moment):
                yield moment
