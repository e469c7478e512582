"""Templates of the addresses of archive pages: where the date stands in them, and where the page's number; pages that share one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from itertools import islice

from webarticlecurator.config.template import UrlTemplate, literal
from webarticlecurator.extraction.pager_signs import page_links, pages_apart
from webarticlecurator.model.page import Page
from webarticlecurator.urls import PAGE_WORD, normalise, split

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
_NUMBER = re.compile(r"(?<![\d%])\d{1,7}(?!\d)")
_OF_PAGE = re.compile(rf"(?:(?<![^\W\d_]){PAGE_WORD}[=/_-]|[?&](?:p|pg|paged|pn|seite)=)(?P<page>\d{{1,6}})(?!\d)", re.IGNORECASE)


_MOST_COMPARED = 60
"""Pages whose addresses are compared with one another."""
_MOST_LINKS = 2_000


def dated(url: str, until: date) -> tuple[str, date | None]:
    """The address as a template, where it holds a date of the years before `until`; and the first day that it is about."""
    parts = split(normalise(url))
    offset = len(f"{parts.scheme}://{parts.authority or ''}")
    head, tail = url[:offset], url[offset:]
    for pattern in _DATES:
        for match in pattern.finditer(tail):
            start = _start(match.groupdict())
            if start is not None and start.year >= _FIRST_YEAR and start <= until + timedelta(days=1):
                before, behind = tail[: match.start()], tail[match.end() :]
                # of an interval from one day to the next its end stands there, too; further times the day itself
                for day, name in ((start + timedelta(days=1), "next_date"), (start, "date")):
                    behind = behind.replace(day.isoformat(), f"\0{name}\1")
                return literal(head + before) + _placeholders(match) + literal(behind).replace("\0", "{").replace("\1", "}"), start
    return literal(url), None


def _start(groups: Mapping[str, str | None]) -> date | None:
    try:
        month, day = (groups.get(name) or groups.get(f"short_{name}") or "1" for name in ("month", "day"))
        return date(int(groups["year"] or 0), int(month), int(day))
    except ValueError:
        return None


def _placeholders(match: re.Match[str]) -> str:
    groups = {name: place for name in match.groupdict() if (place := match.span(name))[0] >= 0}
    if not any(name.startswith("between") for name in groups) and "month" in groups:
        return "{date:yyyyMMdd}"
    written = sorted((place, name) for name, place in groups.items())
    return "".join(_WRITTEN.get(name) or literal(match[name]) for _, name in written)


Numbered = tuple[str, int]
"""A template with `{page}`, and the number that an address has there."""


def _numbered(own: str, others: Iterable[str], until: date) -> Numbered | None:
    """The place of the page's number in an address, by others of the same listing."""
    for other in others:
        numbers = pages_apart(own, other)
        if numbers is None or numbers[0] == numbers[1]:
            continue
        # the number stands in both addresses, or only in the other, where the first page has none
        for url, number, opposite in ((own, numbers[0], other), (other, numbers[1], own)):
            for template in _with_placeholder(dated(url, until)[0], number):
                if UrlTemplate.parse(template).match(opposite) is not None:
                    return template, numbers[0]
        first = next(_with_placeholder(dated(other, until)[0], numbers[1]), None)
        if first is not None and numbers[0] <= 1:
            return first, numbers[0]
    return None


def _with_placeholder(template: str, number: int) -> Iterator[str]:
    """The last place first: a page's number stands at the end."""
    for match in reversed(list(_NUMBER.finditer(template))):
        if int(match[0]) == number:
            yield f"{template[: match.start()]}{{page}}{template[match.end() :]}"


@dataclass(frozen=True)
class Listing:
    """The pages of one listing."""

    template: str
    """With the placeholders of dates and `{page}`, as far as there are any."""
    pages: list[Page] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    """Requested URL -> the page's number."""
    sure: list[bool] = field(default_factory=list)
    """Of each page: the number is said by a link to the next page, or by a name before it."""

    @property
    def counted(self) -> bool:
        """Whether a page's number stands in its address."""
        return "page" in self._parsed.names

    @property
    def dated(self) -> bool:
        return self._parsed.finest_step is not None

    @cached_property
    def _parsed(self) -> UrlTemplate:
        return UrlTemplate.parse(self.template)

    def _links_like(self, template: UrlTemplate) -> Iterator[tuple[str, dict[str, str]]]:
        """Addresses that the pages lead to and that a template makes, with its values."""
        urls = (url for page in self.pages for _, url in islice(page_links(page), _MOST_LINKS))
        return ((url, values) for url in dict.fromkeys(urls) if (values := template.match(url)) is not None)

    @cached_property
    def first_number(self) -> int:
        """With which counting begins: 0 where such a page is known, else 1."""
        linked = (values["page"] for _, values in self._links_like(self._parsed)) if self.counted else ()
        return 0 if self.counted and (0 in self.numbers.values() or "0" in linked) else 1

    @cached_property
    def first_url(self) -> str:
        """The template of the first page of each date."""
        if not self.counted:
            return self.template
        for page in self.pages:
            url = normalise(page.requested_url)
            if self.numbers.get(page.requested_url, 2) <= 1 and self._parsed.match(url) is None:
                return dated(url, page.date.date())[0]
        return self.template.replace("{page}", str(self.first_number))

    @property
    def earliest(self) -> date | None:
        """Of the dates in the addresses of its pages, and of those that they lead to."""
        if not self.dated:
            return None
        until = max(page.date.date() for page in self.pages)
        linked = (url for url, _ in self._links_like(UrlTemplate.parse(self.first_url)))
        starts = (dated(normalise(url), until)[1] for url in (*(page.requested_url for page in self.pages), *linked))
        return min(filter(None, starts), default=None)

    def following(self, page: Page) -> str | None:
        """The address with the next number."""
        number = self.numbers.get(page.requested_url)
        return None if number is None else self._parsed.with_page(normalise(page.requested_url), str(number + 1))


def listings_of(pages: Sequence[Page], following: Mapping[str, str | None]) -> list[Listing]:
    """`following`: where pages lead, as far as that is known; their order is that of the pages."""
    by_template: dict[str, Listing] = {}
    urls = [normalise(page.requested_url) for page in pages[:_MOST_COMPARED]]
    for page in pages:
        numbered, is_sure = _address(page, urls, following.get(page.requested_url))
        template = numbered[0] if numbered is not None else dated(normalise(page.requested_url), page.date.date())[0]
        listing = by_template.setdefault(template, Listing(template))
        listing.pages.append(page)
        listing.sure.append(is_sure)
        if numbered is not None:
            listing.numbers[page.requested_url] = numbered[1]
    return list(by_template.values())


def _address(page: Page, urls: Sequence[str], following: str | None) -> tuple[Numbered | None, bool]:
    url, until = normalise(page.requested_url), page.date.date()
    if following is not None:
        numbers = pages_apart(url, following)
        if numbers is None or numbers[1] != numbers[0] + 1:
            return None, False  # offsets, or a cursor: nothing that could be counted
        return _numbered(url, [following], until), True
    template, named = dated(url, until)[0], None
    if matches := list(_OF_PAGE.finditer(template)):  # by what stands before the number alone: `page=3`, `/oldal/3`
        begin, end = matches[-1].span("page")
        named = f"{template[:begin]}{{page}}{template[end:]}", int(matches[-1]["page"])
    same_date = [other for other in urls if other != url and dated(other, until)[1] == dated(url, until)[1]]
    compared = _numbered(url, same_date, until)
    return (named, True) if named is not None and (compared is None or compared == named) else (compared or named, named is not None)
