"""Templates of the addresses of archive pages: where the date stands in them, and where the page's number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from webarticlecurator.config.template import UrlTemplate, literal
from webarticlecurator.extraction.pager_signs import PAGE_WORD, pages_apart
from webarticlecurator.urls import drop_params, normalise, split

_FIRST_YEAR = 1990
_MONTH_NAMES = r"(?:month(?:num)?|mm?|honap|ho|monat|mois|mes|mese|maand|mesiac|mesic|miesiac|kuukausi|manad|maned)"
_DAY_NAMES = r"(?:day|dd?|nap|tag|jour|dia|giorno|dag|den|dzien|paiva)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_MONTH, _DAY = r"(?P<month>0[1-9]|1[0-2])", r"(?P<day>0[1-9]|[12]\d|3[01])"
_SHORT_MONTH, _SHORT_DAY = r"(?P<short_month>1[0-2]|[1-9])", r"(?P<short_day>[12]\d|3[01]|[1-9])"
_NO_DAY = r"(?!(?P=between)\d{1,2}(?!\d))"
_DATES = tuple(
    re.compile(rf"(?:(?<!\d)|(?<=%[0-9a-f][0-9a-f])){pattern}(?!\d|T(?!00)\d)", re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}(?P<between>[-/._]){_MONTH}(?P<between_days>(?P=between)){_DAY}",
        rf"{_YEAR}(?P<between>[-/._]){_SHORT_MONTH}(?P<between_days>(?P=between)){_SHORT_DAY}",
        rf"{_YEAR}(?P<between>&{_MONTH_NAMES}=){_MONTH}(?P<between_days>&{_DAY_NAMES}=){_DAY}",
        rf"{_YEAR}(?P<between>&{_MONTH_NAMES}=){_SHORT_MONTH}(?P<between_days>&{_DAY_NAMES}=){_SHORT_DAY}",
        rf"{_YEAR}{_MONTH}{_DAY}",
        rf"{_YEAR}(?P<between>[-/._]|&{_MONTH_NAMES}=){_MONTH}{_NO_DAY}",
        rf"{_YEAR}(?P<between>[-/._]|&{_MONTH_NAMES}=){_SHORT_MONTH}{_NO_DAY}",
        r"(?<=[/=])" + _YEAR + r"(?=[/&]|\.html?$|$)",
    )
)
"""From the finest to the coarsest."""
_WRITTEN = {"year": "{year}", "month": "{month}", "day": "{day}", "short_month": "{date:M}", "short_day": "{date:d}"}
_OF_PAGE = re.compile(rf"(?:(?<![^\W\d_]){PAGE_WORD}[=/_-]|[?&](?:p|pg|paged|pn|seite)=)(?P<page>\d{{1,6}})(?!\d)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\d%])\d{1,7}(?!\d)")


@dataclass(frozen=True, slots=True)
class DatedAddress:
    """An address, and the dates in it."""

    template: str
    """With placeholders in place of the date; braces in the address itself are written twice."""
    start: date | None
    """The first day that it is about."""


def dated(url: str, until: date) -> DatedAddress:
    """The address as a template, where it holds a date of the years before `until`."""
    parts = split(normalise(url))
    offset = len(f"{parts.scheme}://{parts.authority or ''}")
    head, tail = url[:offset], url[offset:]
    for pattern in _DATES:
        for found in pattern.finditer(tail):
            start = _start(found.groupdict())
            if start is not None and start.year >= _FIRST_YEAR and start <= until + timedelta(days=1):
                before, behind = tail[: found.start()], tail[found.end() :]
                return DatedAddress(literal(head + before) + _placeholders(found) + _following_day(behind, start), start)
    return DatedAddress(literal(url), None)


def _start(groups: Mapping[str, str | None]) -> date | None:
    try:
        month, day = (groups.get(name) or groups.get(f"short_{name}") or "1" for name in ("month", "day"))
        return date(int(groups["year"] or 0), int(month), int(day))
    except ValueError:
        return None


def _placeholders(found: re.Match[str]) -> str:
    groups = {name: place for name in found.groupdict() if (place := found.span(name))[0] >= 0}
    if not any(name.startswith("between") for name in groups) and "month" in groups:
        return "{date:yyyyMMdd}"
    written = sorted((place, name) for name, place in groups.items())
    return "".join(_WRITTEN.get(name) or literal(found[name]) for _, name in written)


def _following_day(text: str, start: date) -> str:
    """Of an interval from one day to the next its end stands there, too; further times the day itself."""
    for day, name in ((start + timedelta(days=1), "next_date"), (start, "date")):
        text = text.replace(day.isoformat(), f"\0{name}\1")
    return literal(text).replace("\0", "{").replace("\1", "}")


# --- numbers of pages ---

_OF_VISIT = ("*[Hh]ash*", "*[Tt]oken*", "[Ss][Ii][Dd]", "*[Ss]ession*")
"""Parameters that are another one for each address or each visitor."""


def apart(own: str, other: str) -> tuple[int, int] | None:
    """The two numbers, where two normalised addresses are one but for a page's number, and for what is made up for each of them."""
    found = pages_apart(own, other)
    if found is None and "?" in own + other:
        return pages_apart(drop_params(own, _OF_VISIT), drop_params(other, _OF_VISIT))
    return found


def says_page(url: str) -> bool:
    """Whether an address calls a number in it that of a page."""
    return page_number(url) is not None


def page_number(url: str) -> int | None:
    """The number that an address calls that of a page."""
    found = _OF_PAGE.search(url)
    return int(found["page"]) if found is not None else None


@dataclass(frozen=True, slots=True)
class NumberedAddress:
    """Where the page's number stands in an address."""

    template: str
    """With `{page}`."""
    number: int


def numbered(own: str, others: Iterable[str], template_of: Callable[[str], str]) -> NumberedAddress | None:
    """The place of the page's number in an address, by others of the same listing; `template_of` gives the dates in them."""
    for other in others:
        apart = pages_apart(own, other)
        if apart is not None and apart[0] != apart[1] and (found := _with_page(own, other, apart, template_of)):
            return found
    return None


def by_name(template: str) -> NumberedAddress | None:
    """By what stands before the number alone: `page=3`, `/oldal/3`."""
    found = list(_OF_PAGE.finditer(template))
    if not found:
        return None
    begin, end = found[-1].span("page")
    return NumberedAddress(f"{template[:begin]}{{page}}{template[end:]}", int(found[-1]["page"]))


def _with_page(own: str, other: str, apart: tuple[int, int], template_of: Callable[[str], str]) -> NumberedAddress | None:
    """The number stands in both addresses; or only in the other, where the first page has none."""
    for url, number, opposite in ((own, apart[0], other), (other, apart[1], own)):
        for template in _with_placeholder(template_of(url), number):
            if UrlTemplate.parse(template).match(opposite) is not None:
                return NumberedAddress(template, apart[0])
    first = next(_with_placeholder(template_of(other), apart[1]), None)
    return NumberedAddress(first, apart[0]) if first is not None and apart[0] <= 1 else None


def _with_placeholder(template: str, number: int) -> Iterator[str]:
    """The last place first: a page's number stands at the end."""
    for found in reversed(list(_NUMBER.finditer(template))):
        if int(found[0]) == number:
            yield f"{template[: found.start()]}{{page}}{template[found.end() :]}"
