"""Sites made at random, with pagers of any kind, in memory; and portal files for them: right ones, and ones with a natural mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import yaml

from webarticlecurator.cli.exit_codes import ExitCode, of_crawl
from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.crawler import crawl_portal
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.run import CrawlEnvironment
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.progress import Silent
from webarticlecurator.warc.warcinfo import WarcInfo

HOME = "https://pelda.example"
WHEN = datetime(2024, 6, 1, 12, tzinfo=UTC)

_FRONT = "<h1>Címlap</h1>"
ADDRESSES = {
    "path": ("/hirek/", "/hirek/page/{page}/"),
    "short path": ("/hirek", "/hirek/{page}"),
    "root": ("/", "/page/{page}/"),
    "query": ("/hirek", "/hirek?oldal={page}"),
    "more query": ("/lista.php?rovat=bel", "/lista.php?rovat=bel&p={page}"),
    "file": ("/hirek.html", "/hirek-{page}.html"),
}
"""First page, and the pages from the second on."""
NEXT_LABELS = ("next", "Older posts", "következő »", "»", "Ältere Beiträge")
USUAL, BY_CLASS, BY_ADDRESS, DOWNWARDS = "usual", "by class", "by address", "downwards"
KINDS: dict[str, tuple[dict[str, tuple[str, str]], tuple[str, ...]]] = {
    USUAL: (ADDRESSES, NEXT_LABELS),
    BY_CLASS: ({"opaque": ("/hirek", "/m/zr{page}x")}, ("Blorp", "")),
    BY_ADDRESS: ({name: ADDRESSES[name] for name in ("path", "root", "query")}, ("Blorp",)),
    DOWNWARDS: (
        {"file": ("/", "/archives/P{page}.html"), "below": ("/hirek/", "/hirek/archive/page/{page}/")},
        ("« előző oldal", "previous page"),
    ),
}
"""What tells that a pager is one: its addresses, and what is written on the link that leads on. "Blorp" is a word of no language."""


@dataclass(slots=True)
class Site:
    """One blog: its articles on pages of a size, a pager, perhaps a box and a count."""

    articles: int
    size: int
    address: str
    order: tuple[str, ...]
    """What the pager holds, in this order: first, prev, numbers, next, last."""
    window: int
    """Numbers beside the current one; 99: all of them."""
    self_link: bool
    label: str
    rel: bool
    boxed: int
    """Articles in the box beside."""
    featured: frozenset[int]
    counted: bool
    kind: str
    """By what its pager is known; where pages count downwards, the first is the last number."""
    end: str
    """What is behind the last page: missing, empty, clamped, redirect, home."""
    asked: list[str] = field(default_factory=list)

    @property
    def pages(self) -> int:
        return -(-self.articles // self.size)

    @property
    def urls(self) -> set[str]:
        return {HOME + self.article(number) for number in range(self.articles)}

    @property
    def looks_back(self) -> bool:
        """Whether a later page shows in any way that it is not the first."""
        return self.counted or bool({"first", "prev", "numbers"} & set(self.order))

    def article(self, number: int) -> str:
        return f"/2024/{1 + number % 12:02d}/egy-cikk-a-hidrol-{number}"

    def page_url(self, number: int) -> str:
        first, others = KINDS[self.kind][0][self.address]
        return first if number == 1 else others.format(page=self.written(number))

    def written(self, number: int) -> int:
        return self.pages + 1 - number if self.kind == DOWNWARDS else number

    @property
    def wrapper(self) -> str:
        return {BY_CLASS: "pagination", BY_ADDRESS: "w"}.get(self.kind, "lapozo")

    @property
    def back_label(self) -> str:
        return {BY_CLASS: self.label, BY_ADDRESS: self.label, DOWNWARDS: "következő oldal »"}.get(self.kind, "")

    @property
    def next_class(self) -> str:
        return {BY_CLASS: "pagination-next", BY_ADDRESS: "x1"}.get(self.kind, "next")

    def fetch(self, request: Request) -> Fetched:
        """The answer of the site."""
        self.asked.append(request.url)
        path = request.url.removeprefix(HOME)
        if path.startswith("/2024/"):
            return _fetched(request, "<h1>Cikk</h1><p>Szöveg.")
        others = KINDS[self.kind][0][self.address][1]
        numbers = range(1, self.pages + (60 if self.kind == USUAL else 1))
        number = next((n for n in numbers if path in (self.page_url(n), others.format(page=self.written(n)))), None)
        if number is None and path == "/":
            return _fetched(request, _FRONT)
        if number is None or (number > self.pages and self.end == "missing"):
            return _gone(request)
        if number > self.pages and self.end == "home":
            return _fetched(request, _FRONT, at=f"{HOME}/")
        if number > self.pages and self.end == "empty":
            return _fetched(request, self.html(number, []))
        at = HOME + self.page_url(self.pages) if number > self.pages and self.end == "redirect" else None
        number = min(number, self.pages)
        return _fetched(request, self.html(number, range((number - 1) * self.size, min(number * self.size, self.articles))), at=at)

    def html(self, number: int, listed: Any) -> str:
        items = "".join(
            f"<article class='teaser{' kiemelt' if one in self.featured else ''}'><h2><a href='{self.article(one)}'>Cikk {one}</a></h2>"
            f"<p>Miről szól. <a href='{self.article(one)}#hozzaszolasok'>3</a></p></article>"
            for one in listed
        )
        box = "".join(f"<li><a href='{self.article(one)}'>Népszerű {one}</a></li>" for one in range(self.boxed))
        count = f"<p class=allas>{self.written(number)} / {self.pages}</p>" if self.counted and listed else ""
        return (
            "<html><body><nav><a href='/'>Címlap</a> <a href='/hirek'>Hírek</a> <a href='/rolunk'>Rólunk</a></nav>"
            f"<main>{items}{count}<div class={self.wrapper}>{''.join(self.pager(number))}</div></main>"
            f"<aside class=nepszeru><ul>{box}</ul></aside><footer><a href='/impresszum'>Impresszum</a></footer></body></html>"
        )

    def pager(self, number: int) -> Iterator[str]:
        if self.pages == 1:
            return
        for part in self.order:
            if part == "numbers":
                yield from self._numbers(number)
            elif part in ("first", "prev") and number > 1:
                # software that counts downwards gives its first page a number here
                numbered = KINDS[self.kind][0][self.address][1].format(page=self.written(number - 1))
                url = self.page_url(1) if part == "first" else numbered if self.kind == DOWNWARDS else self.page_url(number - 1)
                yield f"<a class={part} href='{url}'>{self.back_label or part}</a> "
            elif part == "next" and number < self.pages:
                rel = " rel=next" if self.rel else ""
                yield f"<a class={self.next_class}{rel} href='{self.page_url(number + 1)}'>{self.label}</a> "
            elif part == "last" and number < self.pages:
                yield f"<a class=last href='{self.page_url(self.pages)}'>last »»</a> "

    def _numbers(self, number: int) -> Iterator[str]:
        for one in range(1, self.pages + 1):
            if one == number and not self.self_link:
                yield f"<b class=current>{one}</b> "
            elif one == number:
                yield f"<a class='page current' href='{self.page_url(one)}'>{one}</a> "
            elif abs(one - number) <= self.window or one == self.pages:
                yield f"<a class=page href='{self.page_url(one)}'>{one}</a> "


def any_site(choice: Random) -> Site:
    """A site that a portal file can describe: with a pager as soon as there is more than one page."""
    size, pages = choice.randint(2, 8), choice.randint(1, 9)
    articles = size * (pages - 1) + choice.randint(1, size)
    kind = choice.choice((USUAL, USUAL, BY_CLASS, BY_ADDRESS, DOWNWARDS))
    parts = [part for part in ("first", "prev", "last") if choice.random() < 0.5] if kind == USUAL else ["prev"]
    forms = choice.choice((["next"], ["numbers"], ["next", "numbers"])) if kind == USUAL else ["next"]
    addresses, labels = KINDS[kind]
    order = tuple(choice.sample([*parts, *forms], len(parts) + len(forms)))
    return Site(
        articles=articles,
        size=size,
        address=choice.choice(sorted(addresses)),
        order=order,
        window=choice.choice((1, 2, 99)),
        self_link=choice.random() < 0.3,
        label=choice.choice(labels),
        rel=choice.random() < 0.4 and kind == USUAL,
        boxed=min(articles // 3, choice.choice((0, 0, 3, 5))),
        featured=frozenset(choice.sample(range(articles), max(1, articles // choice.randint(2, 6)))),
        counted=choice.random() < 0.3 and kind in (USUAL, DOWNWARDS),
        kind=kind,
        end=choice.choice(("missing", "empty", "clamped", "redirect", "home")),
    )


Rules = dict[str, Any]


def right_rules(site: Site) -> dict[str, Rules]:
    """Name -> the `archive` of a portal file that finds every article; there are several ways."""
    first, others = KINDS[site.kind][0][site.address]
    common = {"item": "article.teaser", "link": "h2 a"}
    rules: dict[str, Rules] = {}
    if site.pages == 1:
        return {"one page": {**common, "url": HOME + first, "pages": "none"}}
    if "next" in site.order:
        rules["next"] = {**common, "url": HOME + first, "next": f"a.{site.next_class}"}
    if "numbers" in site.order:
        rules["number"] = {**common, "url": HOME + first, "next": {"css": ".lapozo a.page", "page_number": {"step": 1}}}
        rules["numbered"] = {**common, "url": HOME + others, "pages": {"mode": "numbered", "last": ".lapozo .page, .lapozo .current"}}
    if site.kind in (BY_CLASS, DOWNWARDS):
        return rules  # their pages cannot be counted
    rules["infinite"] = {**common, "url": HOME + others, "pages": {"mode": "infinite", "start": 1}}
    rules["expanding"] = {**common, "url": HOME + others, "pages": {"mode": "expanding", "start": 1}}
    return rules


def wrong_rules(site: Site) -> dict[str, Rules]:
    """The same with one natural mistake each; some of them happen to do no harm."""
    first = KINDS[site.kind][0][site.address][0]
    wrong: dict[str, Rules] = {}
    for name, rules in right_rules(site).items():
        wrong |= {
            f"{name}: first item only": {**rules, "item": "article:first-of-type"},
            f"{name}: one class too many": {**rules, "item": "article.teaser.kiemelt"},
            f"{name}: links of the box": {key: value for key, value in rules.items() if key != "item"} | {"link": "aside a"},
            f"{name}: a box for an item": {**rules, "item": "aside", "link": "a"},
        }
        if "next" in rules:
            wrong |= {
                f"{name}: next {selector}": {**rules, "next": selector}
                for selector in (".lapozo a", ".lapozo a:last-child", "a.prev", "a.first", "a.last", "a.page", "a.nincs")
            }
            wrong[f"{name}: no next"] = {key: value for key, value in rules.items() if key != "next"}
            wrong[f"{name}: every other page"] = {**rules, "next": {"css": ".lapozo a.page", "page_number": {"step": 2}}}
            if site.looks_back:
                wrong[f"{name}: begins at page 2"] = {**rules, "url": HOME + site.page_url(2)}
        elif rules.get("pages") != "none":
            wrong |= {
                f"{name}: goes from 1 to 3": {**rules, "pages": {**rules["pages"], "first": "1", "start": 3}},
                f"{name}: last page fixed": {**rules, "pages": {"mode": "numbered", "last": 2}},
                f"{name}: pages named": {**rules, "pages": {"mode": "numbered", "values": "1-2"}},
                f"{name}: first page only": {**rules, "url": HOME + first, "pages": None},
            }
            if site.looks_back:
                wrong |= {f"{name}: begins at page {page}": {**rules, "pages": {**rules["pages"], "start": page}} for page in (2, 3)}
    return wrong


@dataclass(slots=True)
class Crawled:
    """What a crawl came to."""

    summary: CrawlSummary
    found: set[str]
    proved: bool

    @property
    def code(self) -> ExitCode:
        return of_crawl([self.summary])


def crawl_site(site: Site, archive: Rules, folder: Path, **options: Any) -> Crawled:
    """Walk the archive (the articles would only take time) and look into the ledger."""
    file = folder / "portal.yaml"
    file.write_text(yaml.safe_dump({"portal": "pelda", "home": f"{HOME}/", "archive": archive}), encoding="utf-8")
    portal, corpus = load_portal(file), Corpus(folder / "corpus")
    info = WarcInfo(portal=portal.name, software="test")
    world = CrawlEnvironment(source=site, info=info, now=lambda: WHEN, stop=Event(), progress=Silent())
    summary = crawl_portal(portal, corpus, CrawlOptions(articles=False, **options), world)
    ledger = Ledger.open(corpus.ledger, read_only=True)
    found = {url for (url,) in ledger.rows("SELECT url FROM urls")}
    ends = {end for (end,) in ledger.rows("SELECT end FROM walks WHERE id IN (SELECT max(id) FROM walks GROUP BY column, interval)")}
    ledger.close()
    return Crawled(summary, found, ends <= {"proved", "known"})


def _fetched(request: Request, html: str, *, at: str | None = None) -> Fetched:
    url, body = at or request.url, html.encode()
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    exchange = Exchange(
        request=Request(url=url),
        request_bytes=f"GET {url} HTTP/1.1\r\n\r\n".encode(),
        response_bytes=b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body,
        status=200,
        headers=headers,
        entity=body,
        started=WHEN,
        duration_ms=1,
    )
    capture = Capture(url=url, requested_url=request.url, status=200, headers=headers, entity=body, date=WHEN)
    return Fetched(request=request, verdict=Verdict(FetchOutcome.FETCHED, "HTTP 200"), exchanges=(exchange,), capture=capture)


def _gone(request: Request) -> Fetched:
    exchange = Exchange(
        request=request,
        request_bytes=b"GET / HTTP/1.1\r\n\r\n",
        response_bytes=b"HTTP/1.1 404 Not Found\r\n\r\n",
        status=404,
        started=WHEN,
        duration_ms=1,
    )
    return Fetched(request=request, verdict=Verdict(FetchOutcome.GONE, "HTTP 404"), exchanges=(exchange,))
