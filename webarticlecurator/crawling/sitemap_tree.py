"""The walk over a tree of sitemaps: the root, then what it leads to, each file once, down to the last.

Its end proves that every file was read, and nothing more: nobody knows whether a sitemap lists all that a
portal has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from webarticlecurator.config.portal import Column
from webarticlecurator.corpus.events import ArchivePlace, PageResult
from webarticlecurator.corpus.intervals import Interval
from webarticlecurator.corpus.ledger_walks import EarlierWalks
from webarticlecurator.crawling.judge import judge_sitemaps
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.walk_reading import ArchiveAnswer, Reading, Steps
from webarticlecurator.dates import latest_moment
from webarticlecurator.model.links import ArchivePage, SitemapFile
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import normalise

MAX_FILES = 50_000
"""Files of one tree at most; a server that invents sitemaps for ever must not hold us for ever."""
MAX_DEPTH = 5
"""Sitemaps below one another; the standard knows one index with its sitemaps."""
SURE = timedelta(days=1)
"""By so much a file's `lastmod` must be older than our reading, where neither its time zone nor the index's
age is sure."""


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
    unread: list[str] = field(init=False, default_factory=list)
    """Files that could not be read, with the reasons."""
    limits: list[str] = field(init=False, default_factory=list)
    unchanged: int = field(init=False, default=0)
    """Files that an earlier walk has read, and that need not be read again."""
    links: int = field(init=False, default=0)
    empty: list[str] = field(init=False, default_factory=list)
    """Files that list nothing."""
    refused: Counter[str] = field(init=False, default_factory=Counter)
    """Rules that refuse what files list -> how many addresses."""

    def run(self) -> Steps[None]:
        """Walk."""
        span, reading = self.new_span(), None
        url, depth, links, index = place_at(self.column, self.interval).url, 0, 0, 0
        self._seen.add(normalise(url))
        for index in range(MAX_FILES):
            place = ArchivePlace(index, "", url)
            reading, links = self._read(place, (yield reading, place), depth, span)
            while self._waiting:
                file, depth = self._waiting.pop()
                if self.full or not self._is_known(file):
                    url = file.url
                    break
                self.unchanged += 1
            else:
                break
        else:
            self.limits.append(f"there are more than {MAX_FILES:,} files")
        yield reading, judge_sitemaps(self, span, place, links)

    def _read(self, place: ArchivePlace, answer: ArchiveAnswer, depth: int, span: int) -> tuple[Reading, int]:
        """Return what to write down of a file, and how many links it gave; what it leads to waits from here
        on."""
        self._seen.add(normalise(answer.final_url))
        page = answer.page
        if page is None:
            result, reason = self._result_without_page(place, answer)
        else:
            self._note_files(place, page, depth)
            result, reason = self._result(place, page)
        if result is PageResult.FAILED:
            self.unread.append(f"{place.url} ({reason})")
        links = answer.read.before + len(answer.read.articles)
        self.links += links
        self.refused.update(link.reason for link in answer.read.refused)
        whole = result is PageResult.LINKS and not (answer.read.sitemaps or answer.read.overfull)
        return Reading(place=place, result=result, reason=reason, whole=whole, span=span), links

    def _result_without_page(self, place: ArchivePlace, answer: ArchiveAnswer) -> tuple[PageResult, str]:
        is_gone = answer.verdict.outcome is FetchOutcome.GONE
        is_empty_interval = is_gone and self.interval is not None and place.index == 0
        return PageResult.EMPTY if is_empty_interval else PageResult.FAILED, answer.verdict.reason

    def _note_files(self, place: ArchivePlace, page: ArchivePage, depth: int) -> None:
        """Keep what a file leads to, as far as the bounds allow."""
        files = [file for file in page.sitemaps if file.url not in self._seen]
        self._seen.update(file.url for file in files)
        if files and depth >= MAX_DEPTH:
            self.limits.append(f"{place.url} leads to sitemaps more than {MAX_DEPTH} levels deep")
            return
        taken = files[: MAX_FILES - len(self._waiting)]
        self._waiting += [(file, depth + 1) for file in reversed(taken)]
        if len(taken) < len(files):
            self.limits.append(f"there are more than {MAX_FILES:,} files")

    def _result(self, place: ArchivePlace, page: ArchivePage) -> tuple[PageResult, str]:
        if page.overfull:
            self.limits.append(f"{place.url} is larger than a sitemap that is read whole")
        if page.broken:
            return PageResult.FAILED, page.broken
        if page.sitemaps:
            return PageResult.LINKS, f"it leads to {len(page.sitemaps):,} sitemaps"
        if not (page.before or page.articles):
            self.empty.append(place.url)
            return PageResult.EMPTY, "it lists nothing"
        return PageResult.LINKS, "only its beginning is read" if page.overfull else "read to its end"

    def _is_known(self, file: SitemapFile) -> bool:
        """Say whether an earlier walk has read it, and it has not changed since; or a walk that broke off has
        read it just before."""
        read = self.earlier.sitemap_read(file.url)
        changed = latest_moment(file.lastmod) if file.lastmod is not None else None
        if read is None:
            return False
        if changed is None:
            return read[1]
        # for a month it may say that nothing has changed: some never move, whatever is published
        return read[0] > max(changed + SURE, datetime.fromisoformat(self.earlier.since) - timedelta(days=30))
