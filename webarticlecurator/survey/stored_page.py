"""A stored article page before it is read, and its year: by the listing, the URL, the portal's rule, then what the page says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.dates import day_in_url, month_in_url
from webarticlecurator.model.capture import Location
from webarticlecurator.model.json_ld import json_ld_scripts
from webarticlecurator.model.links import Fields

Year = int | None
"""None: no date was found."""
_EARLIEST, _LATEST = 1980, 2100
_YEAR = re.compile(r"\s*(\d{4})(?!\d)")
_IN_JSON_LD = re.compile(r'"datePublished"\s*:\s*"(\d{4})(?!\d)')
_META = frozenset(("article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "pubdate", "parsely-pub-date"))
_MOST_META, _MOST_TIMES = 200, 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """The first page of an article, where it lies, and what is known of it before it is read."""

    url: str
    path: Path
    """The WARC file."""
    offset: int
    skip: int = 0
    """Records before it in the same gzip member, in files of other programs."""
    length: int = 0
    """Of its gzip member; 0: unknown."""
    listing: Fields = field(default_factory=dict)
    year: Year = None
    """By the listing, else by the URL; None: only the page may tell."""

    @property
    def location(self) -> Location:
        """Where it lies, by the name that its file has or will have."""
        return Location(file=self.path.name.removesuffix(".open"), offset=self.offset, length=self.length)


def year_before_reading(url: str, listing: Fields) -> Year:
    """By the listing, else by the URL."""
    return year_of((*listing.get("datePublished", ()), day_in_url(url) or month_in_url(url) or ""))


def year_of(dates: Iterable[str]) -> Year:
    """Of the first date that tells one."""
    return next((year for text in dates if (year := _year(text)) is not None), None)


def dates_in(tree: Element) -> Iterator[str]:
    """A cheap look at the metadata, the JSON-LD, the dated `time` elements."""
    for meta in islice(tree.iter("meta"), _MOST_META):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or ""
        if name.lower() in _META:
            yield meta.get("content") or ""
    for script in json_ld_scripts(tree.iter("script")):
        if found := _IN_JSON_LD.search(script.text or ""):
            yield found[1]
    yield from (time.get("datetime") or "" for time in islice(tree.iter("time"), _MOST_TIMES))


def _year(text: str) -> Year:
    found = _YEAR.match(text)
    year = int(found[1]) if found else None
    return year if year is not None and _EARLIEST <= year <= _LATEST else None
