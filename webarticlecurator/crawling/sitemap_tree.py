"""The walk over a tree of sitemaps: the root, then what it leads to, each file once, down to the last.

Its end proves that every file was read, and nothing more: nobody knows whether a sitemap lists all that a portal has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from webarticlecurator.config.portal import Column
from webarticlecurator.corpus.events import ArchivePlace, EndKind, PageResult, ProofGround
from webarticlecurator.corpus.intervals import Interval
from webarticlecurator.corpus.ledger_walks import EarlierWalks
from webarticlecurator.crawling.requests import first_url
from webarticlecurator.crawling.walk import ArchiveAnswer, Reading, Steps, WalkEnd
from webarticlecurator.dates import latest_moment
from webarticlecurator.model.links import ArchivePage, SitemapFile
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import normalise

MAX_FILES = 50_000
"""Of one tree; a server that invents sitemaps for ever must not hold us for ever."""
MAX_DEPTH = 5
"""Sitemaps below one another; the standard knows one index with its sitemaps."""
SURE = timedelta(days=1)
"""By so much a file's `lastmod` must be older than our reading, where neither its time zone nor the index's age is sure."""


BELIEVED = timedelta(days=30)
"""So long a file's `lastmod` may say that nothing has changed: some never move, whatever is published."""


@dataclass(kw_only=True)
class SitemapTree:
    """One walk; `run()` is a generator like that of `crawling/walk.py`."""

    column: Column
    interval: Interval | None = None
    earlier: EarlierWalks
    new_span: Callable[[], int]
    full: bool = False
    """--full: files that have not changed are read, too."""

    _waiting: list[tuple[SitemapFile, int]] = field(init=False, default_factory=list)
    """Files that are still to be read, the next one last, and how deep they lie."""
    _seen: set[str] = field(init=False, default_factory=set)
    _unread: list[str] = field(init=False, default_factory=list)
    """Files that could not be read, with the reasons."""
    _limits: list[str] = field(init=False, default_factory=list)
    _unchanged: int = field(init=False, default=0)
    """Files that an earlier walk has read, and that need not be read again."""
    _links: int = field(init=False, default=0)
    _empty: list[str] = field(init=False, default_factory=list)
    """Files that list nothing."""

    def run(self) -> Steps[None]:
        """Walk."""
        span, reading = self.new_span(), None
        url, depth, links, index = first_url(self.column, self.interval), 0, 0, 0
        self._seen.add(normalise(url))
        for index in range(MAX_FILES):
            place = ArchivePlace(index, "", url)
            answer = yield reading, place
            reading, links = self._read(place, answer, depth, span)
            self._links += links
            following = self._next()
            if following is None:
                break
            url, depth = following[0].url, following[1]
        else:
            self._limits.append(f"there are more than {MAX_FILES:,} files")
        yield reading, self._end(place, links, span)

    def _read(self, place: ArchivePlace, answer: ArchiveAnswer, depth: int, span: int) -> tuple[Reading, int]:
        """What to write down of a file, and how many links it gave; what it leads to waits from here on."""
        self._seen.add(normalise(answer.final_url))
        page = answer.page
        if page is None:
            result, reason = PageResult.FAILED, answer.verdict.reason
            if answer.verdict.outcome is FetchOutcome.GONE and self.interval is not None and place.index == 0:
                result = PageResult.EMPTY
        else:
            result, reason = self._take(place, page, depth)
        if result is PageResult.FAILED:
            self._unread.append(f"{place.url} ({reason})")
        links = page.before + len(page.articles) if page is not None else 0
        whole = page is not None and result is PageResult.LINKS and not (page.sitemaps or page.overfull)
        return Reading(place=place, result=result, reason=reason, whole=whole, span=span), links

    def _take(self, place: ArchivePlace, page: ArchivePage, depth: int) -> tuple[PageResult, str]:
        files = [file for file in page.sitemaps if file.url not in self._seen]
        self._seen.update(file.url for file in files)
        if files and depth >= MAX_DEPTH:
            self._limits.append(f"{place.url} leads to sitemaps more than {MAX_DEPTH} levels deep")
        else:
            taken = files[: MAX_FILES - len(self._waiting)]
            self._waiting += [(file, depth + 1) for file in reversed(taken)]
            if len(taken) < len(files):
                self._limits.append(f"there are more than {MAX_FILES:,} files")
        if page.overfull:
            self._limits.append(f"{place.url} is larger than a sitemap that is read whole")
        if page.broken:
            return PageResult.FAILED, page.broken
        if page.sitemaps:
            return PageResult.LINKS, f"it leads to {len(page.sitemaps):,} sitemaps"
        links = page.before + len(page.articles)
        if not links:
            self._empty.append(place.url)
            return PageResult.EMPTY, "it lists nothing"
        return PageResult.LINKS, "only its beginning is read" if page.overfull else "read to its end"

    def _next(self) -> tuple[SitemapFile, int] | None:
        while self._waiting:
            file, depth = self._waiting.pop()
            if self.full or not self._is_known(file):
                return file, depth
            self._unchanged += 1
        return None

    def _is_known(self, file: SitemapFile) -> bool:
        """Whether an earlier walk has read it, and it has not changed since; or a walk that broke off has read it just before."""
        read = self.earlier.sitemap_read(file.url)
        if read is None:
            return False
        changed = latest_moment(file.lastmod) if file.lastmod is not None else None
        if changed is not None:
            return read.at > max(changed + SURE, datetime.fromisoformat(self.earlier.since) - BELIEVED)
        return read.goes_on

    def _end(self, last: ArchivePlace, links: int, span: int) -> WalkEnd:
        if self._unread:
            more = f", nor {len(self._unread) - 1:,} more sitemaps" if len(self._unread) > 1 else ""
            left_out = "; `urls.exclude` leaves out a file that is gone for good" if last.index else ""
            return WalkEnd(kind=EndKind.FAILED, reason=f"{self._unread[0]} could not be read{more}{left_out}", last=last.url)
        if self._limits:
            more = f"; and {len(self._limits) - 1:,} more limits" if len(self._limits) > 1 else ""
            return WalkEnd(kind=EndKind.LIMIT, reason=f"{self._limits[0]}{more}", last=last.url)
        if not self._links and not self._unchanged and self.interval is None:
            kind = EndKind.DRIFT if self.earlier.gave_links() else EndKind.UNPROVED
            nothing = "no sitemap lists an article" if last.index else f"{last.url} leads to no sitemap and lists no article"
            return WalkEnd(kind=kind, reason=nothing, last=last.url)
        known = f"; {self._unchanged:,} sitemaps were not asked for: they have not changed since they were read" if self._unchanged else ""
        empty = f"; {len(self._empty):,} sitemaps list nothing (such as {self._empty[0]})" if self._empty else ""
        ground = ProofGround.SITEMAP
        return WalkEnd(
            kind=EndKind.PROVED, reason=f"{ground}{known}{empty}", proves=span, ground=ground, last=last.url, last_links=links, whole=True
        )
