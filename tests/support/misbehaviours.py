"""How a crawl ends under each misbehaviour of the example portal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from seams import ExitCode, FetchOutcome


class Reach(StrEnum):
    """What of the corpus a misbehaviour touches; the rest must be complete."""

    NOTHING = "nothing: all articles are fetched"
    ONE = "this one article"
    SECTION = "the articles of this section"
    FROM_HERE = "what the crawl had not fetched by then"
    BELOW = "articles that only stand on this archive page or below it"
    THERE = "articles that only stand on this archive page"
    ALL = "everything"
    LATER = "what was published since"


class NextRun(StrEnum):
    """What the crawl after the misbehaviour has ended does."""

    COMPLETE = "nothing is left to do"
    FETCHES = "fetches it"
    KEEPS = "does not ask again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a crawl ends."""

    code: ExitCode
    outcome: FetchOutcome | None = None
    """Of the articles it touches; None: they are not known of."""
    reason: str = ""
    """Words of the reason that the ledger and problems.jsonl give."""
    reach: Reach = Reach.NOTHING
    next_run: NextRun = NextRun.COMPLETE
    complete_before: bool = False
    """The portal was crawled to the end before it began to misbehave."""
    articles: int = 40
    """Of the whole portal."""
    retries: int = 1
    after: int | None = None
    urls: tuple[str, ...] = ()
    """Touch only these, where the switch's own reach would take the test too long."""
    columns: tuple[str, ...] | None = None
    """Walk only these, for the same reason."""


def _harmless(*, code: ExitCode = ExitCode.OK, **more: object) -> Ending:
    return Ending(code=code, outcome=FetchOutcome.FETCHED, **more)  # type: ignore[arg-type]


def _error(reason: str, **more: object) -> Ending:
    """It may pass: the next run asks again."""
    return Ending(code=ExitCode.FAILURES, outcome=FetchOutcome.ERROR, reason=reason, reach=Reach.ONE, next_run=NextRun.FETCHES, **more)  # type: ignore[arg-type]


def _blocked(reason: str) -> Ending:
    return Ending(code=ExitCode.BLOCKED, outcome=FetchOutcome.BLOCKED, reason=reason, reach=Reach.FROM_HERE, next_run=NextRun.FETCHES)


def _settled(outcome: FetchOutcome, reason: str, *, code: ExitCode = ExitCode.OK, reach: Reach = Reach.ONE) -> Ending:
    """An answer: nobody asks again."""
    return Ending(code=code, outcome=outcome, reason=reason, reach=reach, next_run=NextRun.KEEPS)


def _too_big(reason: str) -> Ending:
    return _settled(FetchOutcome.TOO_BIG, reason, code=ExitCode.FAILURES)


ENDINGS: dict[str, Ending] = {
    "latency": _harmless(columns=("francais", "blog")),
    "slow": _error("the time was over"),
    "drip": _error("the time was over"),
    "429-seconds": _harmless(retries=4, columns=("francais", "english")),
    "429-date": _harmless(retries=4, columns=("francais", "english")),
    "429-for-ever": _error("HTTP 429 after 2 attempts"),
    "503-for-a-while": _harmless(retries=4, urls=("/blog/*/*",)),
    "503-for-ever": _error("HTTP 503 after 2 attempts"),
    "503-everywhere": Ending(
        code=ExitCode.FAILURES,
        outcome=FetchOutcome.ERROR,
        reason="HTTP 503",
        reach=Reach.FROM_HERE,
        next_run=NextRun.FETCHES,
        after=3,
        columns=("english", "francais"),
    ),
    "500-archive-page": Ending(code=ExitCode.FAILURES, reason="HTTP 500", reach=Reach.BELOW, next_run=NextRun.FETCHES),
    "401": _error("HTTP 401"),
    "403": _error("HTTP 403"),
    "451": _error("HTTP 451"),
    "403-streak": _blocked("HTTP 403"),
    "429-streak": _blocked("HTTP 429"),
    "captcha": _blocked("captcha"),
    "consent": _blocked("consent"),
    "consent-redirect": _blocked("redirect to /hozzajarulas"),
    "same-body": _blocked("one and the same page"),
    "cookies-required": _harmless(),
    "endless-redirect": _error("more than 10 redirects"),
    "redirect-loop": _error("a redirect loop"),
    "redirect-private": _settled(FetchOutcome.REFUSED, "other host"),
    "redirect-metadata": _settled(FetchOutcome.REFUSED, "other host"),
    "redirect-scheme": _settled(FetchOutcome.REFUSED, "another scheme"),
    "redirect-elsewhere": _settled(FetchOutcome.REFUSED, "other host"),
    "redirect-home": Ending(code=ExitCode.FAILURES, reason="it redirects to the home page", reach=Reach.THERE, next_run=NextRun.FETCHES),
    "endless-calendar": _harmless(),
    "paging-loop": _harmless(code=ExitCode.FAILURES, reason="lists the same articles as page 1"),
    "sliding-archive": _harmless(articles=250, columns=("deutsch",)),
    "growing-archive": _harmless(articles=250, columns=("deutsch",)),
    "changed-layout": Ending(
        code=ExitCode.DRIFT, reason="no article links", reach=Reach.LATER, next_run=NextRun.FETCHES, complete_before=True
    ),
    "off-host-links": _harmless(),
    "non-http-links": _harmless(),
    "link-flood": Ending(
        code=ExitCode.INCOMPLETE,
        outcome=FetchOutcome.FETCHED,
        reason="more article links than are taken in from one page",
        columns=("belfold",),
    ),
    "gzip-bomb": _too_big("more than 20 MB when unpacked"),
    "huge-page": _too_big("over the size limit"),
    "huge-page-announced": _too_big("over the size limit"),
    "big-headers": _too_big("the head is over the size limit"),
    "truncated-body": _error("the body was cut"),
    "truncated-chunks": _error("the connection ended inside"),
    "length-too-long": _error("the body was cut"),
    "length-too-short": _error("goes on after the end"),
    "wrong-charset": _harmless(),
    "no-content-type": _harmless(),
    "wrong-type": _settled(FetchOutcome.REFUSED, 'type "application/pdf"'),
    "reset": _error("the connection broke"),
    "reset-once": _harmless(),
    "hang-up": _error("closed without an answer"),
    "garbage": _error("not HTTP"),
    "missing": _settled(FetchOutcome.GONE, "HTTP 404"),
    "gone": _settled(FetchOutcome.GONE, "HTTP 410"),
    "chunked": _harmless(),
    "gzip": _harmless(),
    "gzip-chunked": _harmless(),
    "robots-disallow": _settled(FetchOutcome.ROBOTS, "robots.txt disallows it", reach=Reach.SECTION),
    "robots-disallow-all": Ending(code=ExitCode.FAILURES, reason="robots.txt disallows it", reach=Reach.ALL, next_run=NextRun.FETCHES),
    "robots-delay": _harmless(columns=("francais",)),
    "robots-missing": _harmless(),
    "robots-5xx": Ending(code=ExitCode.FAILURES, reason="robots.txt cannot be read", reach=Reach.ALL, next_run=NextRun.FETCHES),
    "robots-reset": Ending(code=ExitCode.FAILURES, reason="robots.txt cannot be read", reach=Reach.ALL, next_run=NextRun.FETCHES),
    "robots-long": _harmless(),
}
