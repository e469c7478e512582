"""A site whose pages show nothing without a browser, and a page source that answers as such a browser would: all in memory."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Lock

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.crawler import crawl_portal
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.run import CrawlEnvironment
from webarticlecurator.model.capture import Capture, Exchange, Fetched, PageSource, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.progress import Silent
from webarticlecurator.model.rendering import Rendered
from webarticlecurator.warc.records import refuse
from webarticlecurator.warc.source import WarcSource
from webarticlecurator.warc.warcinfo import WarcInfo

HOME = "https://pelda.example"
PORTAL = f"""\
portal: pelda
home: {HOME}/
language: hu
fetch: {{via: browser, delay: 0}}
archive: {{item: article, link: h2 a, stop: {{known_pages: 1}}}}
columns:
  friss: {{url: "{HOME}/friss", pages: scroll}}
  regi: {{url: "{HOME}/regi", next: a.tovabb}}
body: {{root: div.cikk}}
"""
SHELL = b"<!doctype html><meta charset=iso-8859-2><title>P\xe9lda</title><div id=app></div><script src=/app.js></script>"
SCRIPT = b"fetch('/api' + location.pathname)"
STEP = 5
WHEN = datetime(2024, 6, 1, 12, tzinfo=UTC)


class KilledError(BaseException):
    """The machine is switched off."""


@dataclass(slots=True)
class SiteInBrowser:
    """`/friss` grows by scrolling, `/regi` has two pages, `/cikk/N` are the articles."""

    fresh: int = 12
    """Articles that `/friss` lists."""
    kill_after: int | None = None
    """Answers."""
    asked: list[str] = field(default_factory=list)
    limits: dict[str, str] = field(default_factory=dict)
    """URL -> which bound ends it."""
    lacking: set[str] = field(default_factory=set)
    """URLs of which some data cannot be had."""
    unshown: set[str] = field(default_factory=set)
    """URLs whose page never comes to show what is waited for."""
    _open: set[str] = field(default_factory=set)
    _clock: datetime = WHEN
    _lock: Lock = field(default_factory=Lock)

    @property
    def articles(self) -> set[str]:
        return {f"{HOME}/cikk/{number}" for number in (*range(self.fresh), *range(100, 108))}

    def fetch(self, request: Request) -> Fetched:
        with self._lock:
            if self.kill_after is not None and len(self.asked) >= self.kill_after:
                raise KilledError
            self.asked.append(request.key)
            self._clock += timedelta(seconds=2)
            return self._shown(request) if request.rendering is not None else self._received(request, SHELL)

    def _received(self, request: Request, body: bytes, kind: str = "text/html") -> Fetched:
        headers = (("Content-Type", kind), ("X-Robots-Tag", "noai"))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers).encode()
        exchange = Exchange(
            request=Request(url=request.url),
            request_bytes=f"GET {request.url} HTTP/1.1\r\n\r\n".encode(),
            response_bytes=b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s\r\n%s" % (len(body), head, body),
            status=200,
            headers=headers,
            entity=body,
            started=self._clock,
            duration_ms=1,
        )
        capture = Capture(url=request.url, requested_url=request.url, status=200, headers=headers, entity=body, date=self._clock)
        return Fetched(request=request, verdict=Verdict(FetchOutcome.FETCHED, "HTTP 200"), exchanges=(exchange,), capture=capture)

    def _shown(self, request: Request) -> Fetched:
        received = self._received(request, SHELL)
        assert received.capture is not None
        kept_open = request.step > 0 and request.url in self._open
        self._open.add(request.url)
        html, end = self._page(request, everything=request.step > 0 and not kept_open)
        html = _html("Betöltés...") if request.url in self.unshown else html
        rendered = Rendered(
            html=html.encode(),
            date=self._clock + timedelta(seconds=1),
            browser="Chromium 1.2.3",
            step=request.step,
            end=end,
            limit=self.limits.get(request.url),
            lack="/api/text could not be had: HTTP 503" if request.url in self.lacking else None,
        )
        loaded = [self._received(Request(url=f"{HOME}{path}"), body, kind).exchanges[0] for path, body, kind in self._data(request, html)]
        fetched = replace(received, rendered=rendered, loaded=tuple(loaded), exchanges=() if kept_open else received.exchanges)
        if request.url in self.unshown:
            verdict = Verdict(FetchOutcome.ERROR, "what the page is waited for (article) has not come within 30 seconds")
            return replace(fetched, verdict=verdict, capture=None)
        headers = (("Content-Type", "text/html; charset=utf-8"), ("X-Robots-Tag", "noai"))
        return replace(fetched, capture=replace(received.capture, headers=headers, entity=rendered.html, is_rendered=True))

    def _data(self, request: Request, html: str) -> list[tuple[str, bytes, str]]:
        path = request.url.removeprefix(HOME)
        api = (f"/api{path}?step={request.step}", html.encode(), "application/json")
        return [api] if request.step else [("/app.js", SCRIPT, "text/javascript"), api]

    def _page(self, request: Request, *, everything: bool) -> tuple[str, str | None]:
        path = request.url.removeprefix(HOME)
        if path.startswith("/cikk/"):
            number = path.rsplit("/", 1)[1]
            text = f"<h1>Cikk {number}: őszi történet</h1><p>A {number}. cikk szövege csak böngészőben látszik, ékezetekkel: árvíztűrő.</p>"
            return _html(f"<div class=cikk>{text}{'<p>Egy hosszabb bekezdés, amely elég szót tartalmaz.</p>' * 5}</div>"), None
        if path.startswith("/regi"):
            first = 104 if path.endswith("2") else 100
            more = "" if path.endswith("2") else f"<a class=tovabb href='{HOME}/regi?oldal=2'>tovább</a>"
            return _html(_items(range(first, first + 4)) + more), None
        first, last = request.step * STEP, (request.step + 1) * STEP
        items = _items(range(self.fresh - 1, -1, -1)[0 if everything else first : last])
        nothing_new = first >= self.fresh
        return ("" if nothing_new and not everything else _html(items)), "nothing new after 3 attempts" if nothing_new else None


def _html(body: str) -> str:
    return f"<!doctype html><html><head><meta charset=iso-8859-2><title>Példa</title></head><body>{body}</body></html>"


def _items(numbers: range) -> str:
    return "".join(f"<article><h2><a href='{HOME}/cikk/{number}'>Cikk {number}: őszi történet</a></h2></article>" for number in numbers)


@dataclass(slots=True)
class RenderedCorpus:
    """A corpus of such a site."""

    site: SiteInBrowser
    folder: Path
    file: str = PORTAL

    @property
    def portal(self) -> Portal:
        path = self.folder / "portal.yaml"
        path.write_text(self.file, encoding="utf-8")
        return load_portal(path)

    @property
    def corpus(self) -> Corpus:
        return Corpus(self.folder / "corpus")

    def crawl(self, **options: object) -> CrawlSummary:
        return self._crawl(self.site, self.corpus, CrawlOptions(**options))  # type: ignore[arg-type]

    def replay(self, folder: Path) -> CrawlSummary:
        """A crawl of what is stored, into another corpus."""
        with closing(WarcSource(self.corpus.warc_files(), on_damage=refuse)) as stored:
            return self._crawl(stored, Corpus(folder), CrawlOptions(offline=True))

    def _crawl(self, source: PageSource, corpus: Corpus, options: CrawlOptions) -> CrawlSummary:
        info = WarcInfo(portal="pelda", software="test")
        world = CrawlEnvironment(source=source, info=info, now=lambda: WHEN, stop=Event(), progress=Silent())
        return crawl_portal(self.portal, corpus, options, world)

    def found(self) -> set[str]:
        with closing(Ledger.open(self.corpus.ledger, read_only=True)) as ledger:
            return {url for (url,) in ledger.rows("SELECT url FROM urls WHERE outcome = 'fetched'")}

    def ends(self) -> dict[str, tuple[str, str | None]]:
        """Column -> how its last walk ended, and what the proof leans on."""
        with closing(Ledger.open(self.corpus.ledger, read_only=True)) as ledger:
            return {column: (end, ground) for column, end, ground in ledger.rows("SELECT column, end, ground FROM last_walks")}
