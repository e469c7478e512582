"""What a site is made with, and where it offers its articles: for an address, a saved page or a WARC file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from webarticlecurator.corpus.saved_pages import saved_page
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction import site_entrances
from webarticlecurator.extraction.site_entrances import USUAL_PLACE, Entrance, named_entrances, sitemaps_in, usual_entrances
from webarticlecurator.extraction.site_software import Detected, detect_software, generators
from webarticlecurator.extraction.sitemaps import is_sitemap
from webarticlecurator.learning.site.scripts_needed import InBrowser, in_browser, needs_scripts
from webarticlecurator.learning.site.seen import SURE_ENOUGH, probable_articles
from webarticlecurator.model.capture import Capture, PageSource, Rendering, Request, Resource, capture_of
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.urls import bare_host, join
from webarticlecurator.warc.exchanges import read_warc
from webarticlecurator.warc.records import Damage

_RECORDS = 2_000
"""Of a WARC file, that the site is looked for in."""
_PAGES = 30
"""Of the site, that are looked at."""
_ROBOTS = "/robots.txt"
_BLOCKED: tuple[Resource, ...] = ("image", "font", "media", "stylesheet")
"""Nothing of what is counted needs them, and they would be asked for at the pace of their hosts."""


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
    generators: tuple[str, ...] = ()
    """What the page itself says that made it."""
    entrances: tuple[Entrance, ...] = ()
    preset: str | None = None
    """That a portal file may extend: that of the software, or else one of what any site may have; None: there is none for this."""
    in_browser: tuple[InBrowser, ...] = ()
    """The page, and an article that it leads to, as a browser shows them; none: no browser was asked."""
    without_browser: str | None = None
    """Why none was, where the page seems to need one, or could not be shown."""

    @property
    def browser_rule(self) -> str | None:
        """The line of a portal file that has a browser show what needs one; None: nothing does."""
        if not any(shown.is_needed for shown in self.in_browser):
            return None
        archive, articles = self.in_browser[0].is_needed, self.in_browser[-1].is_needed
        return "fetch: {via: browser}" if archive and articles else f"{'archive' if archive else 'articles'}: {{fetch: {{via: browser}}}}"

    @property
    def system(self) -> Detected | None:
        """The one that the site is made with: the likeliest, if it is sure enough to be named."""
        return self.systems[0] if self.systems and self.systems[0].certainty >= SURE_ENOUGH else None


def look_at_site(
    url: str, source: PageSource, *, no_browser: str | None = "none was asked for", say: Callable[[str], None] = lambda _: None
) -> SiteReport:
    """Ask for a page, and for little more. Raises UsageError where it cannot be read. `no_browser`: why none can show it."""
    fetched = source.fetch(Request(url=url))
    page = read_page(fetched.capture, classified=True) if fetched.capture is not None else None
    if not isinstance(page, Page):
        reason = page.reason if page is not None else fetched.verdict.reason
        moved = f", which leads to {fetched.final_url}" if fetched.final_url != url else ""
        raise UsageError(f"{url}{moved} cannot be read: {reason}.")
    rights = (answer for answer in fetched.rights if answer.request.url.endswith(_ROBOTS) and answer.status == 200)
    robots = "".join(_text(capture_of(answer)) for answer in rights)
    report = _report(url, [page], robots, source)
    if not page.outline.rows("script"):
        return report
    if no_browser is not None:
        remark = f"{no_browser}; without its scripts it shows hardly anything outside of menus"
        return replace(report, without_browser=remark) if needs_scripts(page) else report
    say("It has scripts: a browser shows what they make of it, and asks for what they need at the same pace ...")
    rendering = Rendering(block=_BLOCKED)
    fetched = source.fetch(Request(url=url, rendering=rendering))
    listing = in_browser(fetched)
    page = read_page(fetched.capture, classified=True) if fetched.capture is not None else None
    if listing is None or not isinstance(page, Page):
        return replace(report, without_browser=f"a browser could not show it: {fetched.verdict.reason}")
    # and the first article that a browser shows on it
    articles = (source.fetch(Request(url=article, rendering=rendering)) for article in probable_articles(page)[:1])
    return replace(report, in_browser=(listing, *filter(None, map(in_browser, articles))))


def look_at_file(path: Path, on_damage: Callable[[Damage], None]) -> SiteReport:
    """The same of what is stored; nothing is asked. Raises UsageError where there is no page in it."""
    if not path.is_file():
        raise UsageError(f"{path} is neither a file nor an address with http:// or https://.")
    if path.suffix in (".yaml", ".yml"):
        raise UsageError(f"{path} is a portal file: name the address of the site, a saved page, or a WARC file.")
    if not path.name.lower().removesuffix(".gz").endswith((".warc", ".arc")):
        return _report(str(path), [saved_page(path)], "")
    often, robots, captures = Counter[str](), defaultdict[str, str](str), defaultdict[str, list[Capture]](list)
    stored = (record.capture for record in read_warc(path, on_damage=on_damage) if not isinstance(record, str))
    had = (capture for capture in stored if capture.status == 200)
    of_site = (each for each in had if "html" in (each.header("Content-Type") or "text/html").lower() or each.url.endswith(_ROBOTS))
    for capture in islice(of_site, _RECORDS):
        host = bare_host(capture.url)
        if capture.url.endswith(_ROBOTS):
            robots[host] += _text(capture)
        else:
            often[host] += 1
            captures[host] += [capture] if often[host] <= _PAGES else []
    host = max(often, key=often.__getitem__, default="")
    pages = [page for page in (read_page(capture, classified=True) for capture in captures[host]) if isinstance(page, Page)]
    if not pages:
        raise UsageError(f"{path} holds no page that can be read.")
    return _report(str(path), pages, robots[host])


def _report(source: str, pages: Sequence[Page], robots: str, asked: PageSource | None = None) -> SiteReport:
    # below the root of the host only where a page says so
    roots = [join(page.url, "/") or page.url for page in pages]
    home = next((home for page, root in zip(pages, roots, strict=True) if (home := site_entrances.home_of(page)) != root), roots[0])
    report = SiteReport(source=source, home=home, pages=len(pages), systems=detect_software(pages))
    system = report.system
    named = [entrance for page in pages for entrance in named_entrances(page)]
    entrances = site_entrances.united([*sitemaps_in(robots), *named, *usual_entrances(system.software if system else None, home)])
    entrances = _asked(entrances, asked) if asked is not None else entrances
    # that somebody names, or that were looked at
    there = (entrance.kind for entrance in entrances if entrance.told_by != USUAL_PLACE or entrance.state == "is there")
    return replace(
        report,
        generators=tuple(dict.fromkeys(text for page in pages for text in generators(page))),
        entrances=tuple(entrances),
        preset=system.preset if system else next((kind for kind in there if kind in ("sitemap", "feed")), None),
    )


def _asked(entrances: list[Entrance], source: PageSource) -> list[Entrance]:
    """One interface, and a few usual places of sitemaps until one is there; a usual place where nothing is, is none."""
    kept: list[Entrance] = []
    is_api_asked, left, has_sitemap = False, 2, False
    for entrance in entrances:
        is_guess = entrance.told_by == USUAL_PLACE
        if entrance.kind == "api" and not is_api_asked:
            url = entrance.url
            if url.endswith("wp/v2/posts"):  # a short answer is enough
                url = f"{url}{'&' if '?' in url else '?'}per_page=1"
            is_api_asked, fetched = True, source.fetch(Request(url=url))
            state = f"closed: {fetched.verdict.reason}"
            if fetched.capture is not None:
                total = fetched.capture.header("X-WP-Total")
                state = "open" if total is None else f"open, {total} articles"
            if not (is_guess and fetched.verdict.outcome is FetchOutcome.GONE):
                kept.append(replace(entrance, state=state))
        elif entrance.kind == "sitemap" and is_guess:
            capture = source.fetch(Request(url=entrance.url, is_sitemap=True)).capture if left and not has_sitemap else None
            left -= 1 if left else 0
            if capture is not None and is_sitemap(_text(capture)):
                has_sitemap = True
                kept.append(replace(entrance, state="is there"))
        else:
            kept.append(entrance)
    return kept


def _text(capture: Capture) -> str:
    page = read_page(capture, format="urls", classified=True)
    return page.text if isinstance(page, Page) else ""
