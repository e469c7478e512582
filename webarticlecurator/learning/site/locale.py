"""In which language a site is written, and by which clock its dates are meant: what its pages and its address say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from webarticlecurator.extraction.languages import identify
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.text import element_text
from webarticlecurator.urls import bare_host

_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_MOMENT = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?[+-]\d\d:?\d\d\b")
_LONGEST_SCRIPT = 100_000
_MOST_MOMENTS = 200
_MOST_READ = 5
"""Pages whose words tell the language: those that say most."""
_AGREE = 2
"""Pages whose words show one language are likelier right than a template that says another; a person is asked still."""
_MOST_CHOICES = 3
_ONE_COUNTRY = frozenset(re.split(" ", "bg cs da el et fi he hr hu is it ja ka ko lt lv mk nb no pl ro sk sl sq sv tr uk vi"))
"""Languages by which a country is known, though not for certain."""
_TERRITORIES = {"uk": "GB", "eu": None, "tv": None, "io": None, "me": None, "co": None, "ai": None, "fm": None, "ly": None, "to": None}
"""Endings of host names that are not the country's code, or that all the world uses."""

_WHERE_MOST_LIVE = frozenset(
    (
        *("America/Guayaquil", "America/Santiago", "Asia/Kuala_Lumpur", "Asia/Shanghai", "Asia/Tashkent", "Europe/Berlin", "Europe/Kiev"),
        *("Europe/Kyiv", "Europe/Lisbon", "Europe/Madrid", "Pacific/Auckland", "Pacific/Majuro"),
    )
)
"""Of countries with other zones, too: the primary zones of the Unicode CLDR."""


def language_proposal(home: Page, pages: Sequence[Page]) -> Proposal | None:
    """By what the pages say; by their words where they say something else, or where they say nothing and most have the same."""
    said = Counter(tag for page in pages if (tag := _stated(page)) is not None)
    read = sorted(map(_text, pages), key=len, reverse=True)[:_MOST_READ]
    found = Counter(one.language for text in read if (one := identify(text)) is not None and one.certainty != "low")
    shown = [(tag, count) for tag, count in found.most_common() if said or 2 * count > len(read)]
    choices = [
        *(Choice(value=tag, reason=f"`<html lang>` of {count} of {len(pages)} pages") for tag, count in said.most_common()),
        *(Choice(value=tag, reason=f"the words of {count} of {len(read)} pages show it") for tag, count in shown),
    ]
    unsaid = bool(said) and len(shown) == 1 and shown[0][1] >= _AGREE and shown[0][0] not in map(_primary, said)
    likeliest = shown[0][0] if unsaid else _stated(home)
    first = sorted(choices, key=lambda one: one.value != likeliest)
    kept = list({str(one.value).lower(): one for one in reversed(first)}.values())[::-1][:_MOST_CHOICES]
    if not kept:
        return None
    sure = not shown or (not unsaid and _primary(str(kept[0].value)) == shown[0][0])
    return Proposal(
        name="language", path=("language",), choices=tuple(kept), sure=sure, question=None if sure else "In which language is the portal?"
    )


def _primary(tag: str) -> str:
    return tag.lower().partition("-")[0]


def timezone_proposal(home: str, language: str | None, pages: Sequence[Page]) -> Proposal | None:
    """The zones of the country that the address or the language tells, if the offsets of dates fit; None: nothing tells."""
    moments = list(islice((moment for page in pages for moment in _moments(page)), _MOST_MOMENTS))
    territory, why, is_certain = _territory(home, language, of_many=bool(moments))
    zones = [zone for zone in _zones(territory) if all(_fits(zone, moment) for moment in moments)] if territory else []
    offsets = sorted({moment.strftime("%z") for moment in moments})
    dates = (
        f"; the offsets of {len(moments)} dates on the pages ({', '.join(offsets)}) fit"
        if moments
        else "; no date on the pages has an offset other than that of UTC"
    )
    choices = tuple(Choice(value=zone, reason=f"{why}{dates}") for zone in zones[:_MOST_CHOICES])
    if not choices:
        return None
    sure = len(zones) == 1 and (bool(moments) or is_certain)
    return Proposal(
        name="timezone", path=("timezone",), choices=choices, sure=sure, question=None if sure else "By which clock are its dates meant?"
    )


def _stated(page: Page) -> str | None:
    tag = (page.tree.get("lang") or "").strip() if page.tree is not None else ""
    return tag if _TAG.fullmatch(tag) else None


def _text(page: Page) -> str:
    body = page.tree.find("body") if page.tree is not None else None
    return element_text(body) if body is not None else ""


def _territory(home: str, language: str | None, *, of_many: bool) -> tuple[str | None, str, bool]:
    """The country, and what tells it; a language `of_many` countries tells the likeliest, where dates can speak against it."""
    from babel.core import get_global

    ending = bare_host(home).rpartition(".")[2]
    country = _TERRITORIES.get(ending, ending.upper())
    if country in get_global("territory_zones"):
        return country, f"the address ends in .{ending}", True
    tag = (language or "").lower().replace("_", "-").split("-")
    region = tag[-1].upper()
    if len(tag) > 1 and region in get_global("territory_zones"):
        return region, f"the language is {language}", True
    if tag[0] in _ONE_COUNTRY or of_many:
        likely = str(get_global("likely_subtags").get(tag[0], ""))
        return likely.rpartition("_")[2] or None, f"the language is {language}", False
    return None, "", False


def _zones(territory: str) -> list[str]:
    from babel.core import get_global

    known = available_timezones()
    zones = [zone for zone in get_global("territory_zones").get(territory, ()) if zone in known]
    return sorted(zones, key=lambda zone: zone not in _WHERE_MOST_LIVE)


def _fits(zone: str, moment: datetime) -> bool:
    try:
        return not moment.utcoffset() or moment.astimezone(ZoneInfo(zone)).utcoffset() == moment.utcoffset()
    except OverflowError:
        return True


def _moments(page: Page) -> Iterator[datetime]:
    """The dates with an offset that a page writes for programs; those of UTC tell nothing."""
    for element in page.tree.iter("meta", "time", "script") if page.tree is not None else ():
        if element.tag == "script":
            text = (element.text or "")[:_LONGEST_SCRIPT] if element.get("type") == "application/ld+json" else ""
        else:
            text = element.get("content" if element.tag == "meta" else "datetime") or ""
        for found in _MOMENT.findall(text[:_LONGEST_SCRIPT]):
            try:
                moment = datetime.fromisoformat(found)
            except ValueError:
                continue
            if moment.utcoffset():
                yield moment
