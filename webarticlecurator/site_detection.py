"""What a site is made with, and where it offers its articles: for an address, a saved page or a WARC file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from webarticlecurator import resources
from webarticlecurator.corpus.saved_pages import saved_page
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.site_entrances import (
    USUAL_PLACE,
    Entrance,
    home_of,
    named_entrances,
    portal_file,
    sitemaps_in,
    united,
    usual_entrances,
)
from webarticlecurator.extraction.site_software import Detected, detect_software, generators
from webarticlecurator.extraction.sitemaps import is_sitemap
from webarticlecurator.model.capture import Capture, Exchange, Fetched, PageSource, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.urls import bare_host, join
from webarticlecurator.warc.exchanges import read_warc
from webarticlecurator.warc.records import Damage

_SURE_ENOUGH = 0.5
"""From there on a software is named, and its preset."""
_RECORDS = 2_000
"""Of a WARC file, that the site is looked for in."""
_PAGES = 30
"""Of the site, that are looked at."""
_SITEMAPS_ASKED = 2


@dataclass(frozen=True, slots=True)
class SiteReport:
    """What was found out."""

    source: str
    """The address or file that was asked about."""
    home: str
    pages: int
    """That were looked at."""
    systems: tuple[Detected, ...]
    """The likeliest first."""
    generators: tuple[str, ...]
    """What the page itself says that made it."""
    entrances: tuple[Entrance, ...]
    portal_file: str | None
    """To begin with; None: there is no preset for what was found."""
    preset: str | None
    """That the file extends."""
    is_own: bool
    """It is the preset of that software; else one of what any site may have."""

    @property
    def system(self) -> Detected | None:
        """The one that the site is made with."""
        return _likeliest(self.systems)


def look_at_site(url: str, source: PageSource) -> SiteReport:
    """Ask for a page, and for little more. Raises UsageError where it cannot be read."""
    fetched = source.fetch(Request(url=url))
    page = _page_of(fetched.capture) if fetched.capture is not None else None
    if not isinstance(page, Page):
        reason = page.reason if page is not None else fetched.verdict.reason
        moved = f", which leads to {fetched.final_url}" if fetched.final_url != url else ""
        raise UsageError(f"{url}{moved} cannot be read: {reason}.")
    robots = "".join(_text(_answer(one)) for one in fetched.rights if one.request.url.endswith("/robots.txt") and one.status == 200)
    return _report(url, [page], robots, lambda entrances: _asked(entrances, source))


def look_at_file(path: Path, on_damage: Callable[[Damage], None]) -> SiteReport:
    """The same of what is stored; nothing is asked. Raises UsageError where there is no page in it."""
    if not path.is_file():
        raise UsageError(f"{path} is neither a file nor an address with http:// or https://.")
    name = path.name.lower().removesuffix(".gz")
    if not name.endswith((".warc", ".arc")):
        return _report(str(path), [saved_page(path)], "", lambda entrances: entrances)
    hosts = Counter(bare_host(one.url) for one in islice(_pages_in(path, on_damage), _RECORDS) if not _is_robots(one))
    if not hosts:
        raise UsageError(f"{path} holds no page that can be read.")
    ((host, _),) = hosts.most_common(1)
    robots, pages = "", list[Page]()
    for one in islice(_pages_in(path, lambda _: None), _RECORDS):
        if bare_host(one.url) == host and _is_robots(one):
            robots += _text(one)
        elif bare_host(one.url) == host and len(pages) < _PAGES and isinstance(page := _page_of(one), Page):
            pages.append(page)
    if not pages:
        raise UsageError(f"{path} holds no page of {host} that can be read.")
    return _report(str(path), pages, robots, lambda entrances: entrances)


def _report(source: str, pages: Sequence[Page], robots: str, ask: Callable[[list[Entrance]], list[Entrance]]) -> SiteReport:
    systems, first = detect_software(pages), pages[0]
    home = next((home for page in pages if (home := home_of(page)) != _root(page)), _root(first))
    system = _likeliest(systems)
    named = [one for page in pages for one in named_entrances(page)]
    entrances = united([*sitemaps_in(robots), *named, *usual_entrances(system.software if system else None, home)])
    entrances = ask(entrances)
    own = system.preset if system is not None and system.preset in presets() else None
    preset = own or next((one.kind for one in entrances if one.kind in ("sitemap", "feed") and _is_there(one)), None)
    return SiteReport(
        source=source,
        home=home,
        pages=len(pages),
        systems=systems,
        generators=tuple(dict.fromkeys(text for page in pages for text in generators(page))),
        entrances=tuple(entrances),
        preset=preset,
        is_own=own is not None,
        portal_file=portal_file(first, home, preset) if preset is not None else None,
    )


def _likeliest(systems: Sequence[Detected]) -> Detected | None:
    """The software that is sure enough to be named; the likeliest comes first."""
    return systems[0] if systems and systems[0].certainty >= _SURE_ENOUGH else None


def _is_there(entrance: Entrance) -> bool:
    """Whether somebody names it, or it was looked at."""
    return entrance.told_by != USUAL_PLACE or entrance.state == "is there"


def presets() -> frozenset[str]:
    """That came with the program."""
    return frozenset(path.stem for path in resources.presets().glob("*.yaml"))


def _root(page: Page) -> str:
    return join(page.url, "/") or page.url


# --- what is asked ---


def _asked(entrances: list[Entrance], source: PageSource) -> list[Entrance]:
    """One interface, and a few usual places of sitemaps until one is there; a usual place where nothing is, is none."""
    api = next((one for one in entrances if one.kind == "api"), None)
    guessed = [one for one in entrances if one.kind == "sitemap" and one.told_by == USUAL_PLACE]
    told: dict[Entrance, Entrance | None] = {}
    found_one = False
    if api is not None:
        fetched = source.fetch(Request(url=_small(api.url)))
        guess = api.told_by == USUAL_PLACE and fetched.verdict.outcome is FetchOutcome.GONE
        told[api] = None if guess else replace(api, state=_state(fetched))
    for number, one in enumerate(guessed):
        capture = source.fetch(Request(url=one.url, is_sitemap=True)).capture if number < _SITEMAPS_ASKED and not found_one else None
        found_one |= (there := capture is not None and is_sitemap(_text(capture)))
        told[one] = replace(one, state="is there") if there else None
    return [found for one in entrances if (found := told.get(one, one)) is not None]


def _small(api: str) -> str:
    """A short answer is enough."""
    return f"{api}{'&' if '?' in api else '?'}per_page=1" if api.endswith("wp/v2/posts") else api


def _state(fetched: Fetched) -> str:
    if fetched.capture is None:
        return f"closed: {fetched.verdict.reason}"
    total = fetched.capture.header("X-WP-Total")
    return "open" if total is None else f"open, {total} articles"


# --- what is stored ---


def _pages_in(path: Path, on_damage: Callable[[Damage], None]) -> Iterator[Capture]:
    for found in read_warc(path, on_damage=on_damage):
        if not isinstance(found, str) and found.capture.status == 200:
            kind = (found.capture.header("Content-Type") or "text/html").lower()
            if "html" in kind or _is_robots(found.capture):
                yield found.capture


def _is_robots(capture: Capture) -> bool:
    return capture.url.endswith("/robots.txt")


def _page_of(capture: Capture) -> Page | NoPage:
    return read_page(capture, classified=True)


def _answer(exchange: Exchange) -> Capture:
    url = exchange.request.url
    return Capture(
        url=url, requested_url=url, status=exchange.status or 0, headers=exchange.headers, entity=exchange.entity, date=exchange.started
    )


def _text(capture: Capture) -> str:
    page = read_page(capture, format="urls", classified=True)
    return page.text if isinstance(page, Page) else ""
