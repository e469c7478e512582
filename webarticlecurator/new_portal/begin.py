"""The three ways to begin: an address, which costs a few requests, each of them stored; WARC files; saved pages. And what a look has seen,
as the text of a portal file, tried on the pages that were seen."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from threading import Event as Flag

from webarticlecurator.amounts import amount
from webarticlecurator.config import scalars
from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.events import LookedAtEvent
from webarticlecurator.corpus.folder import corpus_to_fill
from webarticlecurator.corpus.saved_pages import SavedPages
from webarticlecurator.crawling.crawl_options import CrawlOptions
from webarticlecurator.crawling.crawler import opened
from webarticlecurator.crawling.run import CrawlEnvironment, Run, repeated, wall_in
from webarticlecurator.document.decode import beginning_of
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.metadata.read import read_metadata
from webarticlecurator.extraction.site_entrances import home_of, name_of, site_title
from webarticlecurator.fetch.web import Web
from webarticlecurator.learning.answers import first_portal_file
from webarticlecurator.learning.site import about
from webarticlecurator.learning.site.archive_proposals import propose_archives
from webarticlecurator.learning.site.scripts_needed import needs_scripts, shown_on
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.capture import Fetched, PageSource, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import Wall
from webarticlecurator.model.progress import Progress
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.new_portal.look import INTERRUPTED, Look, LookedAt
from webarticlecurator.pipeline import warc_info
from webarticlecurator.trial import look_at_heads
from webarticlecurator.urls import bare_host
from webarticlecurator.warc.exchanges import read_warc
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.source import WarcSource
from webarticlecurator.warc.store import Series, utc_now

MOST_REQUESTS = 30
"""To a site that nobody has described yet: robots.txt, redirects and second attempts included."""
LONGEST = timedelta(minutes=10)
MOST_BYTES = 24_000_000
"""Of pages that are kept in memory, whatever a site answers."""
_RESERVED = 2
"""Requests that one more step may cost: the second is its second attempt."""
_MOST_STORED = 200
"""Pages of files that are looked at."""


def new_from_web(url: str, output: Path, *, corpus: Path | None, contact: str | None, progress: Progress, stop: Flag) -> NewPortal:
    """Look at a site, politely, and store what it answers in the corpus that `curator crawl` goes on with. Raises UsageError."""
    portal = portal_to_be(url, output)
    folder = corpus_to_fill(portal, corpus)
    rules, say = replace(portal.fetch, retries=1), partial(progress.say, portal.name)
    with closing(Web(rules, hosts=portal.hosts, contact=contact, stop=stop, say=say, now=utc_now)) as web:
        warcinfo, pace = warc_info(portal, contact, online=True), lambda: web.permitted_rate
        environment = CrawlEnvironment(source=web, warcinfo=warcinfo, now=utc_now, stop=stop, progress=progress, pace=pace)
        with opened(portal, folder, CrawlOptions(), environment, ()) as run:
            return look_and_write(url, portal, PoliteLook(web, run, bare_host(portal.home)), utc_now())


def portal_to_be(url: str, output: Path) -> Portal:
    """What is known of a portal before it is looked at: its name and its address. Raises UsageError."""
    try:
        home = scalars.web_address(url)
    except ValueError as error:
        raise UsageError(f"{error}. An address begins with http:// or https://, such as https://pelda.example/") from None
    content = f"portal: {name_of(home)}\nhome: {json.dumps(home)}\n"
    return load_portal(output, content=content.encode())


def new_from_warcs(files: Sequence[Path], output: Path, on_damage: Callable[[Damage], None]) -> NewPortal:
    """The same from WARC files of any program: nothing is asked. Raises UsageError where there is no page in them."""
    urls: list[str] = []
    for path in files:
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file.")
        for record in islice(read_warc(path, on_damage=on_damage), 20_000):
            if isinstance(record, str) or record.capture.status != HTTPStatus.OK:
                continue
            if "html" in (record.capture.header("Content-Type") or "text/html").lower():
                urls.append(record.capture.url)
    home = _home_among(urls)
    if home is None:
        raise UsageError(f"{', '.join(map(str, files))}: there is no page in it that can be read.")
    with closing(WarcSource(files, on_damage=lambda _: None)) as source:
        return look_and_write(home, portal_to_be(home, output), StoredLook(source), datetime.now(UTC))


def new_from_saved(files: Sequence[Path], output: Path) -> NewPortal:
    """The same from pages that a browser saved. Raises UsageError where one cannot be read, or none tells its address."""
    saved = SavedPages(files)
    home = _home_among(saved.addresses)
    if home is None:
        raise UsageError("None of these pages tells its address (`<link rel=canonical>` or `og:url`): save them as WARC, or give the URL.")
    return look_and_write(home, portal_to_be(home, output), StoredLook(saved), datetime.now(UTC))


def _home_among(urls: Sequence[str]) -> str | None:
    """The shortest address of the host that most pages are of."""
    hosts = Counter(map(bare_host, urls))
    best = min(hosts, key=lambda host: (-hosts[host], host), default=None)
    return min((url for url in urls if bare_host(url) == best), key=lambda url: (len(url), url), default=None)


@dataclass(slots=True)
class PoliteLook:
    """The web, for so many requests and no more; every answer is stored."""

    web: Web
    run: Run
    host: str
    requests: int = 0
    bytes: int = 0
    _began: float = field(default_factory=time.monotonic)
    _answers: dict[str, Fetched] = field(default_factory=dict)

    @property
    def blocked(self) -> str | None:
        return self.run.tally.blocked

    @property
    def spent(self) -> str | None:
        if self.run.stopped:
            return INTERRUPTED
        if self.blocked is not None:
            return f"the site keeps us out: {self.blocked}"
        if self.requests + _RESERVED > MOST_REQUESTS:
            return f"a look makes at most {MOST_REQUESTS} requests"
        if time.monotonic() - self._began > LONGEST.total_seconds():
            return f"a look takes at most {LONGEST.total_seconds() / 60:.0f} minutes"
        return f"a look reads at most {MOST_BYTES // 1_000_000} MB" if self.bytes > MOST_BYTES else None

    def known(self, request: Request) -> Fetched | None:
        return self._answers.get(request.key)

    def fetch(self, request: Request) -> Fetched:
        """Each address once; what is asked for again is known."""
        if (known := self.known(request)) is not None:
            return known
        if (why := self.spent) is not None:
            return Fetched(request=request, verdict=Verdict(FetchOutcome.QUEUED, why))
        run = self.run
        run.doing = f"request {self.requests + 1}: {request.url}"
        run.show(at_once=True)
        hops = 0

        def may_follow(url: str) -> str | None:
            nonlocal hops
            hops += 1
            if bare_host(url) != self.host:
                return "other host"
            return None if self.requests + _RESERVED * (hops + 1) <= MOST_REQUESTS else "it would be one request too many"

        fetched = self.web.fetch(request, may_follow=may_follow)
        run.verdict_of(fetched, article=False)  # which sees a streak of refusals
        run.tally.archive_pages += 1
        self.requests += len(fetched.exchanges) + len(fetched.rights)
        self.bytes += len(beginning_of(fetched.capture, MOST_BYTES)) if fetched.capture is not None else 0  # unpacked
        verdict = fetched.verdict
        if verdict.outcome is not FetchOutcome.QUEUED:
            event = LookedAtEvent(
                **run.recorder.stamp(), url=request.url, request=request.key, outcome=verdict.outcome, reason=verdict.reason
            )
            older = run.ledger.latest_response(request.key)
            run.recorder.write_fetched(Series.ARCHIVE, fetched, event, revisit_of=repeated(older, fetched.capture))
        self._answers[request.key] = replace(fetched, exchanges=(), rights=())
        return fetched


@dataclass(slots=True)
class StoredLook:
    """Stored pages; asking for them costs nothing."""

    source: PageSource
    requests: int = 0
    blocked: str | None = None
    _asked: int = 0

    @property
    def spent(self) -> str | None:
        return f"{_MOST_STORED} stored pages were looked at" if self._asked >= _MOST_STORED else None

    def known(self, request: Request) -> Fetched | None:
        return self.source.fetch(request)

    def fetch(self, request: Request) -> Fetched:
        self._asked += 1
        return self.source.fetch(request)


# --- what was seen, as a portal file ---

_HARDLY_ANY_TEXT, _HARDLY_ANY_LINKS = 300, 5
_WANTS = {Wall.CONSENT: "it asks for consent to cookies first", Wall.CAPTCHA: "it asks to prove to be a person"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSeen:
    """What the rules that were written find on the page that a column begins with."""

    name: str
    url: str
    articles: int
    what: str
    """They are: links, or sitemaps."""
    next: str | None
    remarks: tuple[str, ...]
    asked: bool
    """It was looked at; else a crawl will show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPortal:
    """What came of a look."""

    source: str
    name: str
    requests: int = 0
    seconds: float = 0.0
    text: str | None = None
    """The portal file; None: there is nothing to write."""
    system: str | None = None
    preset: str | None = None
    columns: tuple[ColumnSeen, ...] = ()
    unsure: tuple[Proposal, ...] = ()
    remarks: tuple[str, ...] = ()
    blocked: str | None = None
    """Why the site keeps us out, or what it wants first."""
    failed: str | None = None
    """Why the site could not be read, though nobody keeps us out."""
    interrupted: bool = False


def look_and_write(named: str, portal: Portal, source: LookedAt, now: datetime) -> NewPortal:
    """Look at the site of a portal, as far as the source goes, and make a portal file of what is there. `named`: what was asked about."""
    began, look, made = time.monotonic(), Look(portal, source, now), NewPortal(source=named, name=portal.name)
    look.go()
    interrupted = look.stopped == INTERRUPTED
    if look.seen is None:
        made = _nothing(made, look)
    elif not interrupted:
        made = _written(made, look, look.seen)
    return replace(made, requests=source.requests, seconds=time.monotonic() - began, interrupted=interrupted)


def _nothing(made: NewPortal, look: Look) -> NewPortal:
    """Why the home page could not be read: kept out, or something else."""
    fetched, page = look.first, look.no_home
    if fetched is None:
        return replace(made, failed=look.stopped or "nothing was asked")
    if page is not None and page.wall is not None:
        return replace(made, blocked=f"{_WANTS.get(page.wall, 'it keeps us out')} ({page.reason})")
    if (wall := wall_in(fetched)) is not None:
        return replace(made, blocked=f"it keeps us out ({wall})")
    if fetched.verdict.outcome is FetchOutcome.ROBOTS:
        return replace(made, blocked="its robots.txt forbids programs to read it")
    last = fetched.exchanges[-1] if fetched.exchanges else None
    if last is not None and last.status in (401, 403, 407, 429, 451):
        asks = "which asks for a login" if last.status in (401, 407) else "a refusal"
        return replace(made, blocked=f"it answers HTTP {last.status}, {asks}")
    if last is not None and "other host" in fetched.verdict.reason:
        target = next((value for name, value in last.headers if name.lower() == "location"), "")
        return replace(made, failed=f"{made.source} leads to another site ({target}): if that is meant, give its address")
    return replace(made, failed=page.reason if page is not None else fetched.verdict.reason)


def _what_it_wants(seen: SiteSeen) -> str | None:
    """What a home page that can be read tells of what cannot; a page of greetings says nothing of articles that have text."""
    tree = seen.home.tree
    assert tree is not None
    text, shown = len(about.body_text(seen.home)), shown_on(seen.home)
    if text < _HARDLY_ANY_TEXT and len(shown.links) < _HARDLY_ANY_LINKS and tree.find(".//input[@type='password']") is not None:
        return f"it asks for a login: its home page has {text} characters of text and a field for a password"
    if all(map(needs_scripts, (seen.home, *seen.articles))):
        without = f"without its scripts the home page has {shown.words} words and {len(shown.links)} links outside of menus"
        then = "`fetch: {via: browser}` crawls with one (docs/how-to/kinds-of-portals.md)"
        return f"it seems to need a browser: {without}; {then}"
    return None


def _written(made: NewPortal, look: Look, seen: SiteSeen) -> NewPortal:
    """The portal file, what is to be said of it, and what its rules find on the pages that were looked at."""
    language = about.language_proposal(seen.home, seen.pages)
    zone = about.timezone_proposal(seen.home.url, language, seen.pages)
    kind = about.kind_proposal(seen.home, seen.pages, seen.system)
    archives, remarks, listed = propose_archives(seen) if look.preset is None else ([_extends(look, seen)], [], {})
    proposals = [*filter(None, (kind, language, zone)), *archives]
    home = home_of(seen.home) if look.preset else seen.home.url
    facts = {"portal": made.name, "title": site_title(seen.home, seen.pages), "home": home}
    requests, columns = look.source.requests, list[ColumnSeen]()
    looked = f"with {amount(requests, 'request')}" if requests else "at stored pages, without a request"
    opening = (
        f"Made by `curator new` on {look.now:%Y-%m-%d}, which looked {looked}. Lines that it is not sure of say so: look at them.",
        "What each key means: `curator check --schema`, and docs/reference/portal-file.md.",
        "`portal` names the corpus folder and begins the ids of the documents: rename it before the first crawl, if you like, and with it"
        " the folder in `corpora`, which has the pages that were looked at.",
    )
    text = first_portal_file(facts, proposals, opening=opening)
    portal = load_portal(Path(FILE_NAME), content=text.encode())
    for line in look_at_heads(portal, _Again(look.source), look.now):
        what = next((kind for kind in ("articles", "sitemaps", "sections") if line.get(kind)), "articles")
        is_known = "articles" in line or line.get("outcome") not in (FetchOutcome.QUEUED.value, None)
        column = ColumnSeen(
            name=line["column"],
            url=line.get("url") or "",
            # else what was listed on pages of the column where its walk begins at another one
            articles=len(line.get(what, ())) if is_known else listed.get(line["column"], 0),
            what=what,
            next=line.get("next"),
            remarks=tuple(map(str, line.get("remarks", ()))),
            asked=is_known,
        )
        columns.append(column)
    wants = _what_it_wants(seen)
    return replace(
        made,
        text=text,
        system=seen.system.software if seen.system is not None else None,
        preset=look.preset,
        columns=tuple(columns),
        unsure=tuple(proposal for proposal in proposals if not proposal.sure),
        remarks=(*_doubts(look, seen, portal, wants, language, zone), *remarks),
        blocked=look.source.blocked or (wants if not any(column.articles for column in columns) else None),
    )


def _doubts(
    look: Look, seen: SiteSeen, portal: Portal, wants: str | None, language: Proposal | None, zone: Proposal | None
) -> Iterator[str]:
    if wants is not None:
        yield wants
    if seen.system is not None and look.preset is None:
        yield f"its software has a preset, `{seen.system.preset}`, but the archive that this knows did not answer"
    if language is None and (several := about.several_languages(seen.pages)):
        stated = sorted(set(filter(None, map(about.stated_language, seen.pages))))
        said = f"its pages call themselves {', '.join(stated)}, and documents say so, too"
        what = "without `language`, each article has that of its own words"
        if stated:
            what = f"{said}, until `metadata.inLanguage` finds a better place"
        yield f"it is in several languages ({', '.join(several)}): {what}"
    elif language is None:
        yield "nothing tells the language: what each page says of itself counts until `language` says otherwise"
    if zone is None:
        yield (
            "nothing names the time zone: until `timezone` does, dates without an offset count as UTC, and those in UTC stay so, which"
            " may be the day before or after the one that readers see"
        )
    # those of one reason in one line, where they are many: of saved pages, nearly all that they link to
    for why, count in Counter(why for _, why, _ in seen.failed).items():
        urls = [url for url, reason, _ in seen.failed if reason == why]
        if count > 3:
            yield f"{amount(count, 'page was', 'pages were')} not had, such as {urls[0]}: {why}"
        else:
            yield from (f"{url} was not had: {why}" for url in urls)
    if look.stopped is not None:
        yield f"the look ended before all was seen: {look.stopped}"
    # articles of which neither rules nor pages tell when they were published: a person looks where else that stands
    dates = [read_metadata(page, portal, portal.metadata).metadata.get("datePublished", ()) for page in seen.articles]
    if dates and all(date.source == "url:date" for of_page in dates for date in of_page):
        looked = amount(len(seen.articles), "article that was looked at tells", "articles that were looked at tell")
        feed = f"; {seen.feeds[0].entrance.url} is a feed, which may tell it of the newest ones (`format: feed`)" if seen.feeds else ""
        left = "documents have none, or one of their text, such as that of an update"
        if any(dates):
            left = "documents have the day that the addresses tell, whose clock may be another"
        where = f"`metadata.datePublished` may say where it stands, or `archive.fields` if only the list shows it; else {left}"
        yield f"{looked} no date that could be read (such as {seen.articles[0].requested_url}): {where}{feed}"


def _extends(look: Look, seen: SiteSeen) -> Proposal:
    system, line = seen.system, look.answer
    articles = [str(article["url"]) for article in line.get("articles", ())]
    gives = amount(len(articles), "article") if articles else "what leads to its articles"
    made = "a usual place"
    if system is not None and system.preset == look.preset:
        made = f"{system.software}, by {len(system.evidence)} signs ({100 * min(system.certainty, 0.999):.1f} %)"
    reason = f"{made}; its archive answers: `{line.get('column')}` gives {gives} on its first page ({line.get('url')})"
    choice = Choice(value=look.preset, reason=reason, samples=tuple(articles[:3]))
    return Proposal(name="extends", path=("extends",), choices=(choice,), sure=True)


@dataclass(frozen=True, slots=True)
class _Again:
    """Answers what was asked for already, and nothing else."""

    source: LookedAt

    def fetch(self, request: Request) -> Fetched:
        return self.source.known(request) or Fetched(request=request, verdict=Verdict(FetchOutcome.QUEUED, "not looked at"))
