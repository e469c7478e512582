"""The outcome of a URL: exactly one of a closed set, always with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from webarticlecurator.amounts import amount


class FetchOutcome(StrEnum):
    """The states of a URL, as crawling knows them."""

    QUEUED = "queued"
    """The URL is known, and not asked for yet."""
    FETCHED = "fetched"
    """A whole response is in the store."""
    GONE = "gone"
    """The server answers with 404 or 410."""
    ERROR = "error"
    """The request failed in a way that may pass: asked again at the next run."""
    BLOCKED = "blocked"
    """The portal keeps us out (a streak of refusals, a captcha, a consent wall): asked again at the next
    run."""
    ROBOTS = "robots"
    """robots.txt disallows it, and the portal file says to obey."""
    BAD_URL = "bad-url"
    """No request can be made of it."""
    REFUSED = "refused"
    """We do not go there: private address, other host, other scheme, wrong type, skipped by the rules."""
    TOO_BIG = "too-big"
    """The answer has more bytes than the cap, packed or unpacked."""
    DUPLICATE = "duplicate"
    """The article has been fetched at another URL of the same identity."""


class PageOutcome(StrEnum):
    """The outcomes of building for a stored page; where there is one, people see it instead of the fetch
    outcome."""

    ARTICLE = "article"
    LISTING = "listing"
    NOT_ARTICLE = "not-article"
    CONSENT = "consent"
    PAYWALL = "paywall"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    INVALID = "invalid"


class Kept(StrEnum):
    """The reasons why a document stays as it was made, though it could not be made again from what is
    stored."""

    PAGE_DAMAGED = "page-damaged"
    """A record that it is read from is damaged, or another record lies in its place."""
    PAGE_LOST = "page-lost"
    """The record of its page went with a WARC file that is missing, or cut short."""


ASKED_AGAIN = frozenset({FetchOutcome.QUEUED, FetchOutcome.ERROR, FetchOutcome.BLOCKED})
"""Outcomes that the next run tries to better."""

FAILURES = frozenset({FetchOutcome.ERROR, FetchOutcome.BLOCKED, FetchOutcome.BAD_URL, FetchOutcome.TOO_BIG})
"""Outcomes that a person should hear of; gone, robots, refused and duplicate are answers, not failures."""

PAGE_FAILURES = frozenset(
    {PageOutcome.UNREADABLE, PageOutcome.INVALID, PageOutcome.CONSENT, PageOutcome.EMPTY}
)
"""Page outcomes that a person should hear of; listing, not-article and paywall are answers, not failures."""

ALL_FAILURES: frozenset[str] = FAILURES | PAGE_FAILURES

DOCUMENTED = frozenset({PageOutcome.ARTICLE, PageOutcome.PAYWALL})
"""Outcomes of pages that are worth a document; where the article stands behind a wall, it holds what can be
seen, and says that it is no more."""

NOT_THERE = "it says that what was asked for is not there"
"""The beginning of the reason of a page that says so, though the server answered as if it were there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fetch outcome and why."""

    outcome: FetchOutcome
    reason: str
    """The reason in plain English, short, without the URL: "HTTP 503 after 5 attempts"."""


@dataclass(frozen=True, slots=True)
class KeptDocuments:
    """Documents that stay as they were made, for one reason."""

    why: Kept
    """The reason: their pages are damaged or lost."""
    documents: int
    """The number of documents."""
    url: str
    """The address of one of them."""
    damage: str
    """The damage of a record of that one, in words."""

    def __str__(self) -> str:
        """Return a sentence of a summary."""
        state = "damaged" if self.why is Kept.PAGE_DAMAGED else "lost"
        kept = amount(
            self.documents,
            f"document is kept: its page is {state}",
            f"documents are kept: their pages are {state}",
        )
        return f"{kept}{', such as that of' if self.documents > 1 else ':'} {self.url} ({self.damage})"


FEWEST_GONE = 3
"""Articles that are not there, before the rules are doubted that made their addresses."""
MOST_GONE = 0.2
"""Share of a column's articles that were never there, at which they are doubted: a few dead links are
usual."""


@dataclass(frozen=True, slots=True)
class GoingOn:
    """Articles whose pages show further ones, which no rule follows."""

    articles: int
    """The number of articles."""
    url: str
    """The address of one of them."""
    sign: str
    """The sign of further pages on the page at that address."""
    rule: str = "articles.next"
    """The rule that fails, with its selector where the portal file has it."""
    line: str | None = None
    """A rule as it is written that would follow, where the file has none; None where it has one."""

    def __str__(self) -> str:
        """Return a sentence of a summary."""
        articles = amount(self.articles, "article shows", "articles show")
        shows = f"{articles} further pages where {self.rule} does not lead, such as {self.url} ({self.sign})"
        if self.line is not None:
            return f"{shows}; `articles: {{next: {self.line}}}` would follow them"
        return f"{shows}; mend the rule, or say `articles: {{one_page: true}}` where the first page is enough"
