"""The columns of the archive, one for each way of paging, and what each shows on a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from types import MappingProxyType

from .articles import Article
from .sections import ZONE
from .shelves import Shelves


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: where its pages are, and how they follow one another."""

    name: str
    path: str
    """Of a page, with {page}, and {year}, {month}, {day} where the column has dates."""
    first: str = ""
    """Path of the first page, where it is not `path` with page 1."""
    sections: tuple[str, ...] = ()
    """Whose articles it lists; none: the section of its name."""
    style: str = "teasers"
    """Which listing page it has: a key of `listing_pages.STYLES`."""
    paged: bool = True
    dated: bool = False
    ends_with: int = 200
    """Status of the pages behind the last one."""
    method: str = "GET"
    """With POST the parameters of `path` are the fields of a form."""

    @property
    def shelves(self) -> tuple[str, ...]:
        return self.sections or (self.name,)

    def page_path(self, page: int, **dates: str) -> str:
        template = self.first if page == 1 and self.first else self.path
        return template.format(page=page, **dates)

    def match(self, path: str, parameters: Mapping[str, str]) -> dict[str, str] | None:
        """The placeholders' values in a request for a page of this column; None when it is not one."""
        shape, names = _inverse(self.path)
        found = shape.fullmatch(path)
        if found is None:
            return None
        return found.groupdict() | {names[name]: value for name, value in parameters.items() if name in names}


@cache
def _inverse(template: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern for the template's path, and which query parameter holds which placeholder."""
    path, _, query = template.partition("?")
    shape = "".join(f"(?P<{part[1:-1]}>[0-9]+)" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", path))
    return re.compile(shape), {name: value.strip("{}") for name, value in (pair.split("=") for pair in query.split("&") if pair)}


COLUMNS: Mapping[str, Column] = MappingProxyType(
    {
        column.name: column
        for column in (
            Column(name="belfold", path="/belfold/?oldal={page}", first="/belfold/"),
            Column(name="kultura", path="/kultura/?oldal={page}", style="numbered", ends_with=404),
            Column(name="naptar", path="/archivum/{year}/{month}/{day}/", sections=("belfold", "kultura", "sport"), paged=False, dated=True,
                   style="day"),
            Column(name="english", path="/en/latest?page={page}"),
            Column(name="deutsch", path="/de/mehr/{page}", style="fragment"),
            Column(name="francais", path="/fr/", paged=False),
            Column(name="regi", path="/regi/index.php?ev={year}&ho={month}&lap={page}", first="/regi/index.php?ev={year}&ho={month}",
                   dated=True, style="old"),
            Column(name="gyorshirek", path="/api/gyorshirek?lap={page}", style="html-in-json", method="POST"),
            Column(name="podcast", path="/api/podcast?kurzor={page}", first="/api/podcast", style="cursor"),
            Column(name="forum", path="/forum/?lap={page}", style="forum"),
            Column(name="blog", path="/blog/page/{page}/", style="blog", ends_with=404),
        )
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What one archive page has to show."""

    column: Column
    page: int
    last: int
    """The number of the last page with articles; 0: there are none."""
    articles: tuple[Article, ...]
    dates: Mapping[str, str]

    @property
    def next_path(self) -> str | None:
        return self.column.page_path(self.page + 1, **self.dates) if self.page < self.last else None


def column_at(path: str) -> Column | None:
    """The column that has a page under this path, whatever its parameters."""
    return next((column for column in COLUMNS.values() if column.match(path, {}) is not None), None)


def listing(shelves: Shelves, column: Column, size: int, values: Mapping[str, str]) -> Listing | None:
    """That page of the column with `size` articles a page; None when the values make no page."""
    if column.style == "cursor":
        return _after_cursor(shelves, column, size, _number(values.get("page", str(10**8))))
    dates = {name: value for name, value in values.items() if name != "page"}
    page = _number(values.get("page", "1"))
    interval = _interval(dates) if column.dated else None
    if page < 1 or (column.dated and interval is None):
        return None
    if interval is None:
        count = shelves.count(column.shelves[0])
        size = size if column.paged else max(count, 1)
        articles = shelves.slice(column.shelves[0], (page - 1) * size, page * size)
    else:
        found = _of_interval(shelves, column, interval)
        count = len(found)
        articles = found[(page - 1) * size : page * size] if column.paged else found
    return Listing(column=column, page=page, last=-(-count // size), articles=articles, dates=dates)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _after_cursor(shelves: Shelves, column: Column, size: int, cursor: int) -> Listing:
    """The cursor is the number of the last article seen: new ones never shift what is behind it."""
    articles = shelves.older_than(column.name, cursor, size)
    return Listing(column=column, page=cursor, last=-(-shelves.count(column.name) // size), articles=articles, dates={})


def _of_interval(shelves: Shelves, column: Column, interval: tuple[datetime, datetime]) -> tuple[Article, ...]:
    found = [article for shelf in column.shelves for article in shelves.between(shelf, *interval)]
    return tuple(sorted(found, key=lambda article: article.published, reverse=True))


def _interval(dates: Mapping[str, str]) -> tuple[datetime, datetime] | None:
    """A day, or a month where no day is given; None for a date that is none."""
    year, month, day = (_number(dates.get(name, default)) for name, default in (("year", ""), ("month", ""), ("day", "1")))
    try:
        start = datetime(year, month, day, tzinfo=ZONE)
        # Past the end of the month, whatever its length, and back to the first.
        end = start + timedelta(days=1) if "day" in dates else (start + timedelta(days=32)).replace(day=1)
    except (ValueError, OverflowError):
        return None
    return start, end
