"""A crawled and built corpus of as many invented articles as wanted, in a minute or two: what other benchmarks read.

  python benchmarks/large_corpus.py FOLDER [--articles 100000] [--only-stored]

FOLDER gets `portal.yaml` and `corpora/large/`: ledger and WARC files as a crawl over twenty years of a daily archive with four columns
leaves them, and the build.sqlite that `curator build` makes; the articles are the same each time. The pages in the WARC files hold headline
and first paragraph alone, so that they stay small: building them again gives shorter articles.

Among the articles are three languages (some declared wrongly), three layouts, a Zipf's law of authors and keywords, exact and near
duplicates, sections given as authors, live blogs, comments, teasers behind a wall, disagreeing sources, dropped text, undecided tags,
dates on 1 January, fortnights without any article; and URLs that failed, are gone, forbidden, waiting, or no articles.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from results import script_parser

from webarticlecurator.building.article_row import ArticleRow, Contents, row_of
from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_store import FOLDER
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.events import ArticleEvent, Event, PageEvent, ProofGround, WalkEndEvent
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.problems import write_problems
from webarticlecurator.corpus.stored_articles import StoredArticle, StoredArticles
from webarticlecurator.model.article import Article, Block, Fate, Inline, Piece, Post, UnknownTag
from webarticlecurator.model.capture import Exchange, Request
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outcome import DOCUMENTED, FetchOutcome, PageOutcome
from webarticlecurator.tei.document import load_template
from webarticlecurator.warc.store import Series, WarcStore
from webarticlecurator.warc.writer import StoreEntry, WarcInfo

NAME, HOME = "large", "https://large.example"
COLUMNS = ("home", "world", "culture", "sport")
FIRST, LAST = date(2004, 1, 1), date(2023, 12, 31)
CRAWLED = datetime(2024, 1, 20, 8, tzinfo=UTC)
FORTNIGHTS_OFF = (date(2009, 8, 3), date(2015, 2, 9), date(2020, 3, 16))
PORTAL = f"""\
portal: {NAME}
title: The Large Invented
home: {HOME}/
language: en
timezone: Europe/Budapest
publisher: {{name: Invented Ltd, place: Budapest}}
archive:
  url: "{HOME}/{{column}}/{{year}}/{{month}}/{{day}}/"
  dates: {{from: {FIRST}, until: {LAST}}}
  pages: none
  item: article
columns: [{", ".join(COLUMNS)}]
body: {{root: div.text, tags: {{decompose: [div.related, p.advert]}}}}
layouts:
  - {{name: tables, until: 2009-12-31, body: {{root: td.text}}}}
  - {{name: blocks, from: 2018-01-01, body: {{root: main}}}}
"""
BATCH = 250
SEED = 1
WORDS = {
    "en": """the a of and to in was for on with by that from at after before city council bridge river market winter school library
        teacher driver harbour orchestra garden museum letter answer morning evening opened closed repaired painted counted promised
        remembered visited found lost new old quiet narrow wooden friendly careful several many few slowly again together never often""",
    "hu": """a az egy és is nem volt hogy mint csak már még után előtt város tanács híd folyó piac tél iskola könyvtár tanár sofőr
        kikötő zenekar kert múzeum levél válasz reggel este megnyitott bezárt javított festett számolt ígért emlékezett látogatott
        talált elveszett új régi csendes szűk fából barátságos gondos több sok kevés lassan ismét együtt soha gyakran között""",
    "de": """der die das ein eine und nicht war dass wie nur schon noch nach vor Stadt Rat Brücke Fluss Markt Winter Schule Bücherei
        Lehrer Fahrer Hafen Orchester Garten Museum Brief Antwort Morgen Abend öffnete schloss malte zählte versprach erinnerte
        besuchte fand verlor neu alt still schmal hölzern freundlich sorgfältig mehrere viele wenige langsam wieder zusammen oft""",
}
SECTIONS = {"home": ("Home", "Town hall", "Schools"), "world": ("World",), "culture": ("Culture", "Books"), "sport": ("Sport", "Rowing")}
AGENCIES = ("INV", "NewsWire", "Press Office")
OUTCOMES: tuple[tuple[float, FetchOutcome, str], ...] = (
    (0.970, FetchOutcome.FETCHED, "HTTP 200"),
    (0.978, FetchOutcome.GONE, "HTTP 404"),
    (0.986, FetchOutcome.ERROR, "HTTP 503 after 5 attempts"),
    (0.990, FetchOutcome.QUEUED, "not asked for yet"),
    (0.993, FetchOutcome.ROBOTS, "robots.txt disallows it"),
    (0.996, FetchOutcome.TOO_BIG, "more than 50 MB"),
    (1.000, FetchOutcome.ERROR, "the connection was reset"),
)
PAGES: tuple[tuple[float, PageOutcome, str], ...] = (
    (0.96, PageOutcome.ARTICLE, ""),
    (0.98, PageOutcome.PAYWALL, "declared not free; observed 400 characters of text, and there is a gate (div.paywall)"),
    (0.985, PageOutcome.LISTING, "most of it are links"),
    (0.99, PageOutcome.NOT_ARTICLE, "articles.skip: body.gallery"),
    (0.996, PageOutcome.EMPTY, "no container of an article's text was found on the page"),
    (1.00, PageOutcome.UNREADABLE, "the page is no HTML"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invented:
    """What is decided of one article before it has a text."""

    number: int
    column: str
    day: date
    outcome: FetchOutcome
    reason: str

    @property
    def url(self) -> str:
        return f"{HOME}/{self.column}/{self.day:%Y/%m/%d}/{self.number}-{self.number * 7919 % 100_003:x}.html"


def invented(number_of_articles: int) -> dict[tuple[date, str], list[Invented]]:
    """All articles by day and column: more of them from year to year, few on Sundays."""
    chance = random.Random(SEED)
    days = [FIRST + timedelta(days=number) for number in range((LAST - FIRST).days + 1)]
    off = {first + timedelta(days=number) for first in FORTNIGHTS_OFF for number in range(14)}
    weights = [0 if day in off else (1 + (day.year - FIRST.year) / 6) * (0.3 if day.weekday() == 6 else 1) for day in days]
    found: dict[tuple[date, str], list[Invented]] = defaultdict(list)
    for number, day in enumerate(chance.choices(days, weights, k=number_of_articles), start=1):
        column = chance.choices(COLUMNS, (5, 3, 2, 2))[0]
        outcome, reason = _drawn(OUTCOMES, chance)
        found[day, column].append(Invented(number=number, column=column, day=day, outcome=outcome, reason=reason))
    return found


def _drawn(table: Sequence[tuple[float, Any, str]], chance: random.Random) -> tuple[Any, str]:
    draw = chance.random()
    return next((outcome, reason) for bound, outcome, reason in table if draw < bound)


# --- the crawl ---


class Crawl:
    """Writes events with their pages, many at a time."""

    def __init__(self, corpus: Corpus, portal: Portal) -> None:
        self._clock, self._seq = CRAWLED, 0
        info = WarcInfo(portal, "mailto:nobody@large.example", online=True)
        self._store = WarcStore(corpus.warc, info, now=lambda: self._clock)
        self._ledger = Ledger.open(corpus.ledger)
        self._waiting: dict[Series, list[tuple[Event, StoreEntry]]] = {series: [] for series in Series}

    def note(self, series: Series, target: str, event: type[Event], body: bytes | None, status: int = 200, /, **told: Any) -> None:
        self._seq += 1
        self._clock += timedelta(seconds=1)
        happened = event(seq=self._seq, run=1, at=self._clock.isoformat(), **told)
        exchange = _exchange(target, body, status, self._clock) if body is not None else None
        self._waiting[series].append((happened, StoreEntry(event=to_builtins(happened), target=target, exchange=exchange)))
        if len(self._waiting[series]) >= BATCH:
            self.flush(series)

    def flush(self, series: Series) -> None:
        events, entries = zip(*self._waiting[series], strict=True) if self._waiting[series] else ((), ())
        stored = self._store.append(series, entries)
        with self._ledger.transaction():
            for event, where in zip(events, stored, strict=True):
                self._ledger.apply(event, where)
        self._waiting[series].clear()

    def close(self) -> None:
        for series in Series:
            self.flush(series)
        self._store.close()
        self._ledger.close()


def _exchange(url: str, page: bytes, status: int, at: datetime) -> Exchange:
    headers = (("Content-Type", "text/html; charset=utf-8"), ("X-Robots-Tag", "noai"), ("Content-Length", str(len(page))))
    head = f"HTTP/1.1 {status} OK\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
    return Exchange(
        request=Request(url=url),
        request_bytes=f"GET {url.removeprefix(HOME)} HTTP/1.1\r\nHost: large.example\r\n\r\n".encode(),
        response_bytes=head.encode() + page,
        status=status,
        headers=headers,
        entity=page,
        started=at,
        duration_ms=80,
    )


def crawl(corpus: Corpus, portal: Portal, articles: dict[tuple[date, str], list[Invented]]) -> None:
    """The whole archive, then every article that was not to wait."""
    run, rules, walk = Crawl(corpus, portal), {column.name: column.rules for column in portal.columns}, 0
    for column in COLUMNS:
        for number in range((LAST - FIRST).days, -1, -1):
            day, walk = FIRST + timedelta(days=number), walk + 1
            url, listed = f"{HOME}/{column}/{day:%Y/%m/%d}/", articles.get((day, column), [])
            told = {"walk": walk, "column": column, "interval": day.isoformat()}
            links = tuple((planned.url, None, {"headline": (f"Headline {planned.number}",)}) for planned in listed)
            page = "".join(f'<article><a href="{url}">.</a></article>' for url, _, _ in links).encode() or b"<p>Nothing.</p>"
            run.note(
                Series.ARCHIVE, url, PageEvent, page, **told, mode="none", index=0, page="", url=url, request=f"GET {url}",
                outcome="fetched", result="links" if links else "empty", reason="", span=walk, covers=True, links=links,
                rules=rules[column],
            )  # fmt: skip
            broken_off = number % 911 == 0
            proof = {
                "end": "proved",
                "reason": "the only page",
                "ground": ProofGround.ONLY_PAGE,
                "last": url,
                "proves": walk,
                "whole": True,
            }
            end = {"end": "interrupted", "reason": "interrupted"} if broken_off else proof
            run.note(Series.ARCHIVE, url, WalkEndEvent, None, **told, last_links=len(links), **end)
    run.flush(Series.ARCHIVE)  # articles follow archive pages
    for planned in sorted((planned for listed in articles.values() for planned in listed), key=lambda planned: planned.number):
        if planned.outcome is FetchOutcome.QUEUED:
            continue
        status = {FetchOutcome.FETCHED: 200, FetchOutcome.GONE: 404}.get(planned.outcome, 503)
        page = _page(planned) if status != 503 or "503" in planned.reason else None
        reserved = {"meta tdm-reservation": "1"} if planned.day.year > 2021 else {}
        rights = {"header x-robots-tag": "noai", **reserved} if status == 200 else None
        url, request = planned.url, f"GET {planned.url}"
        told = {"url": url, "asked": url, "request": request, "part": 1, "outcome": planned.outcome, "reason": planned.reason}
        run.note(Series.ARTICLES, url, ArticleEvent, page, status, **told, rights=rights)
    run.close()


def _page(planned: Invented) -> bytes:
    first = " ".join(_sentences("en")[(planned.number * 31 + step) % 5_000] for step in range(3))
    headline = f"Headline {planned.number}"
    return f"<html lang=en><title>{headline}</title><h1>{headline}</h1><main><p>{first}</p></main></html>".encode()


# --- the articles ---


@cache
def _sentences(language: str) -> list[str]:
    chance, words = random.Random(language), WORDS[language].split()
    made = [" ".join(chance.choices(words, k=chance.randint(6, 24))) for _ in range(5_000)]
    return [f"{sentence[0].upper()}{sentence[1:]}." for sentence in made]


@cache
def _people() -> list[str]:
    chance = random.Random("people")
    first, last = (
        ("Anna", "Béla", "Clara", "David", "Emese", "Frank", "Greta", "Hugo"),
        ("Kovács", "Smith", "Weber", "Nagy", "Brown", "Klein"),
    )
    return [f"{chance.choice(first)} {chance.choice(last)} {number:03d}" for number in range(400)]


def _often_the_first(chance: random.Random, number: int) -> int:
    """Zipf's law, nearly."""
    return int(number ** chance.random()) - 1


def article_of(planned: Invented, source: StoredArticle) -> Article:
    """The whole article; every fiftieth repeats an earlier one, every fortieth but for a sentence."""
    chance = random.Random(f"{SEED} {planned.number}")
    outcome, reason = _drawn(PAGES, chance)
    twin = planned.number - 7 if (planned.number % 50 == 0 or planned.number % 40 == 1) and planned.number > 7 else planned.number
    words = random.Random(f"{SEED} text {twin}")
    language = words.choices(("en", "hu", "de"), (85, 10, 5))[0]
    declared = language if chance.random() > 0.01 else "en"
    layout = "tables" if planned.day.year < 2010 else "blocks" if planned.day.year > 2017 else None
    sentences = words.choices(
        _sentences(language), k=3 if outcome is PageOutcome.PAYWALL else min(400, int(words.lognormvariate(3.1, 0.6)) + 2)
    )
    if planned.number % 40 == 1:
        sentences[-1] = chance.choice(_sentences(language))
    base = Article(id=source.id, url=planned.url, identity=source.identity, outcome=outcome, reason=reason)
    if outcome not in DOCUMENTED:
        return base
    metadata, disagreements = _metadata(planned, declared, sentences[0], chance, outcome)
    has_posts = "comments" if chance.random() < 0.1 else "liveblog" if chance.random() < 0.01 else None
    return replace(
        base,
        type="LiveBlogPosting" if has_posts == "liveblog" else "NewsArticle",
        language=declared,
        layout=layout,
        metadata=metadata,
        disagreements=disagreements,
        flags=("datePublished lies after the capture: 2031-01-01",) if planned.number % 4_999 == 0 else (),
        blocks=tuple(_blocks(sentences, twin)),
        posts=tuple(_posts(has_posts, planned, language, chance)) if has_posts else (),
        pieces=tuple(_dropped(layout, sentences, chance)),
        unknown_tags=(UnknownTag("div.sidebar-2012", 1, 12),) if planned.day.year == 2012 and chance.random() < 0.3 else (),
        captures=tuple(stored.capture for stored in source.stored),
    )


def _metadata(planned: Invented, language: str, sentence: str, chance: random.Random, outcome: PageOutcome) -> tuple[Metadata, Metadata]:
    structured = "json-ld" if planned.day.year > 2013 else "meta:article"
    section = chance.choice(SECTIONS[planned.column])
    person = _people()[_often_the_first(chance, 400)]
    author = "The Large Invented" if planned.day.year == 2006 else section if chance.random() < 0.02 else person
    moment = f"{planned.day}T{chance.randint(5, 22):02d}:{chance.randint(0, 59):02d}:00+01:00"
    if planned.number % 997 == 0:
        moment = f"{planned.day.year}-01-01"
    keywords = {f"keyword {_often_the_first(chance, 5_000)}" for _ in range(chance.randint(0, 6))} | {"large"}
    found: dict[str, tuple[Found, ...]] = {
        "headline": (_found(f"{sentence[:-1]} ({planned.number})", f"{structured}:headline"),),
        "datePublished": (_found(moment, f"{structured}:datePublished"),),
        "articleSection": (_found(section, "html:breadcrumb"),),
        "keywords": tuple(_found(word, "meta:news_keywords") for word in sorted(keywords)),
        "url": (_found(planned.url, "link:canonical"),),
        "publisher": (_found("Invented Ltd", "publisher.name"),),
        "inLanguage": (_found(language, "html:lang"),),
    }
    if planned.day.year > 2004 and chance.random() > 0.1:
        found["author"] = (_found(author, "a.author" if planned.day.year > 2017 else "html:byline"),)
    if chance.random() < 0.3:
        found["source"] = (_found(chance.choice(AGENCIES), "portal.yaml:source"),)
    if planned.day.year > 2013:
        found["dateModified"] = (_found(moment, "json-ld:dateModified"),)
        found["description"] = (_found(sentence, "meta:og:description"),)
        found["isAccessibleForFree"] = (_found("false" if outcome is PageOutcome.PAYWALL else "true", "json-ld:isAccessibleForFree"),)
    day_before = (planned.day - timedelta(days=1)).isoformat()
    return found, {"datePublished": (_found(day_before, "html:time"),)} if chance.random() < 0.05 else {}


def _found(value: str, source: str) -> Found:
    return Found(value=value, raw=value, source=source)


def _blocks(sentences: Sequence[str], number: int) -> Iterator[Block]:
    yield Block(type="lead", children=(Block(type="paragraph", children=(sentences[0],)),))
    for start in range(1, len(sentences), 4):
        if start % 12 == 9:
            yield Block(type="heading", children=(sentences[start][:40],), attributes={"level": "2"})
        text = " ".join(sentences[start : start + 4])
        half = text.rfind(" ", 0, len(text) // 2) + 1
        yield Block(type="paragraph", children=(text[:half], Inline(type="link", children=(text[half:],), url=f"{HOME}/tag/{start}")))
    if number % 3 == 0:
        caption = Block(type="caption", children=(f"Picture {number}.",))
        yield Block(type="figure", children=(caption,), url=f"{HOME}/p/{number}.jpg", attributes={"alt": "A bridge"})


def _posts(kind: str, planned: Invented, language: str, chance: random.Random) -> Iterator[Post]:
    for number in range(1, chance.randint(2, 9)):
        text = Block(type="paragraph", children=(chance.choice(_sentences(language)),))
        reply = f"c{number - 1}" if kind == "comments" and number > 1 and chance.random() < 0.4 else None
        yield Post(
            kind=kind,
            id=f"c{number}",
            when=f"{planned.day}T{10 + number}:00:00+01:00",
            author=chance.choice(_people()),
            reply_to=reply,
            blocks=(text,),
        )


def _dropped(layout: str | None, sentences: Sequence[str], chance: random.Random) -> Iterator[Piece]:
    if chance.random() < 0.5:
        yield Piece(Fate.DROPPED, f"Read this, too: {sentences[0]}", "portal.yaml div.related", "div.related")
    if chance.random() < 0.2:
        yield Piece(Fate.DROPPED, "Advertisement", "portal.yaml p.advert", "p.advert")
    if layout == "tables":
        yield Piece(Fate.DROPPED, f"{sentences[-1]} Print this page", "general table: td.tools", "td.tools")


# --- the build ---


def build(corpus: Corpus, portal: Portal, articles: dict[str, Invented]) -> None:
    """What `curator build` leaves, without reading a page."""
    rules = rules_digest(portal, load_template("default").digest)
    old = sha256(b"the rules before").hexdigest()
    with BuildDatabase(corpus.build_database) as database, closing(StoredArticles(corpus.ledger, portal)) as sources:
        built: list[tuple[ArticleRow, Contents | None]] = []
        for source in sources:
            planned = articles[source.url]
            built.append(_built(article_of(planned, source), source))
            if len(built) == BATCH:
                _put(database, built, old if planned.number % 7 == 0 else rules)
                built.clear()
        _put(database, built, rules)


def _built(article: Article, source: StoredArticle) -> tuple[ArticleRow, Contents | None]:
    row = row_of(article, source)
    if article.outcome not in DOCUMENTED:
        return row, None
    row.path, row.part = f"{FOLDER}/{article.folder}/{article.id}.xml", sha256(article.text.encode()).hexdigest()
    return row, Contents.of(article)


def _put(database: BuildDatabase, built: Sequence[tuple[ArticleRow, Contents | None]], rules: str) -> None:
    with database.transaction():
        for row, contents in built:
            row.rules, row.made_by, row.since = rules, rules if row.path else None, CRAWLED.isoformat(timespec="seconds")
            database.put(row, contents)


def make(folder: Path, number_of_articles: int, *, only_stored: bool) -> Path:
    """Make the corpus in a new folder; gives the portal file."""
    portal_file, corpus = folder / "portal.yaml", Corpus(folder / "corpora" / NAME)
    if portal_file.exists():
        raise SystemExit(f"{portal_file} is there already: name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    corpus.folder.mkdir(parents=True)
    portal_file.write_text(PORTAL.partition("body:")[0] if only_stored else PORTAL, "utf-8")
    portal, articles = load_portal(portal_file), invented(number_of_articles)
    crawl(corpus, portal, articles)
    if only_stored:
        return portal_file
    build(corpus, portal, {planned.url: planned for listed in articles.values() for planned in listed})
    with Ledger.reading(corpus.ledger) as ledger:
        write_problems(ledger, corpus, portal)
    return portal_file


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--only-stored", action="store_true", help="crawled and not built, with a portal file that has no rules for bodies")
    asked = parser.parse_args()
    begin = time.monotonic()
    portal_file = make(asked.folder, asked.articles, only_stored=asked.only_stored)
    print(f"{portal_file}: {asked.articles:,} articles in {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
