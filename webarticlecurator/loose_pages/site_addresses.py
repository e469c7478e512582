"""Addresses that a site names: its sitemaps and feeds and the links of its home page, or one of these lists
alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from webarticlecurator.document.decode import Decoded, decode
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.document.xml import has_root
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.site_entrances import Entrance
from webarticlecurator.learning.links.placed_links import probable_articles
from webarticlecurator.learning.site import entrances
from webarticlecurator.learning.site.seen import read_list
from webarticlecurator.model.capture import Capture, PageSource, Request
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.page import Page
from webarticlecurator.protocol.message import mime_of

_MOST_LISTS = 1_000
_OF_PAGES = frozenset({"", "text/html", "application/xhtml+xml"})


def named_addresses(source: PageSource, place: str, complain: Callable[[str], None]) -> Iterator[str]:
    """Yield what a home page and the lists of its site name, or a sitemap or feed alone; an address perhaps
    twice. Raises UsageError."""
    fetched = source.fetch(Request(url=place, is_sitemap=True))
    if fetched.capture is None:
        raise UsageError(f"{place} cannot be read: {fetched.verdict.reason}.")
    lists = _Lists(source, place, complain)
    if not _is_page(fetched.capture):
        listed = read_list(fetched.capture, "sitemap", place)
        if listed is None:
            raise UsageError(f"{place} cannot be read: it is no page, no sitemap and no feed.")
        yield from (link.url for link in listed.articles)
        yield from lists.addresses(_sitemaps_of(listed, place))
        return
    page = read_page(fetched.capture, classified=True)
    if not isinstance(page, Page):
        raise UsageError(f"{place} cannot be read: {page.reason}.")
    yield from lists.addresses(entrances.entrances_of(page, fetched.rights, None))
    yield from probable_articles(page)


def _is_page(capture: Capture) -> bool:
    """Say whether an answer is a page of HTML, and no list for programs."""
    decoded = decode(capture)
    is_list = isinstance(decoded, Decoded) and has_root(decoded.text)
    return not is_list and mime_of(capture.headers) in _OF_PAGES


def _sitemaps_of(listed: ArchivePage, url: str) -> list[Entrance]:
    return [Entrance("sitemap", entry.url, url) for entry in listed.sitemaps]


@dataclass(frozen=True, slots=True)
class _Lists:
    """Reads sitemaps and feeds, each once."""

    source: PageSource
    home: str
    complain: Callable[[str], None]

    def addresses(self, lists: Iterable[Entrance]) -> Iterator[str]:
        """Yield what lists name, and the sitemaps that they lead to."""
        known = {each.url: each for each in lists if each.kind != "api"}
        waiting = deque(known.values())
        while waiting:
            entrance = waiting.popleft()
            listed = self._read(entrance)
            if listed is None:
                continue
            yield from (link.url for link in listed.articles)
            further = [each for each in _sitemaps_of(listed, entrance.url) if each.url not in known]
            further = further[: _MOST_LISTS - len(known)]
            known.update((each.url, each) for each in further)
            waiting.extend(further)

    def _read(self, entrance: Entrance) -> ArchivePage | None:
        """Return a list; one that a site names, and that cannot be read, is told."""
        capture = self.source.fetch(Request(url=entrance.url, is_sitemap=entrance.kind == "sitemap")).capture
        listed = read_list(capture, entrance.kind, self.home) if capture is not None else None
        if listed is None and entrance.told_by != entrances.USUAL_PLACE:
            self.complain(f"{entrance.url}: this {entrance.kind} cannot be read")
        return listed
