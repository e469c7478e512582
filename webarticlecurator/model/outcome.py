"""What became of a URL: exactly one outcome of a closed set, always with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from webarticlecurator.amounts import amount


class FetchOutcome(StrEnum):
    """What crawling knows of a URL."""

    QUEUED = "queued"
    """Known, not asked for yet."""
    FETCHED = "fetched"
    """A whole response is in the store."""
    GONE = "gone"
    """404 or 410."""
    ERROR = "error"
    """It failed in a way that may pass: asked again at the next run."""
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
    """More bytes than the cap, packed or unpacked."""
    DUPLICATE = "duplicate"
    """Another URL of the same identity has been fetched."""


class PageOutcome(StrEnum):
    """What building made of a stored page; where there is one, people see it instead of the fetch outcome."""

    ARTICLE = "article"
    LISTING = "listing"
    NOT_ARTICLE = "not-article"
    CONSENT = "consent"
    PAYWALL = "paywall"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    INVALID = "invalid"


class Kept(StrEnum):
    """Why a document stays as it was made, though it could not be made again from what is stored."""

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
"""What of an article behind a wall can be seen is worth a document, which says that it is no more."""

NOT_THERE = "it says that what was asked for is not there"
"""How the reason of a page begins that says so, though the server answered as if it were."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fetch outcome and why."""

    outcome: FetchOutcome
    reason: str
    """Plain English, short, without the URL: "HTTP 503 after 5 attempts"."""


@dataclass(frozen=True, slots=True)
class KeptDocuments:
    """Documents that stay as they were made, for one reason."""

    why: Kept
    """Whether their pages are damaged or lost."""
    documents: int
    """How many there are."""
    url: str
    """The address of one of them."""
    damage: str
    """The damage of a record of that one, in words."""

    def __str__(self) -> str:
        """In a sentence of a summary."""
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
    """Their pages show further ones, and no rule follows."""

    articles: int
    """How many there are."""
    url: str
    """The address of one of them."""
    sign: str
    """What its page shows."""
    rule: str = "articles.next"
    """The rule that fails, with its selector where the portal file has it."""
    line: str | None = None
    """Where the file has no such rule: how one is written that would follow."""

    def __str__(self) -> str:
        """In a sentence of a summary."""
        articles = amount(self.articles, "article shows", "articles show")
        shows = f"{articles} further pages where {self.rule} does not lead, such as {self.url} ({self.sign})"
        if self.line is not None:
            return f"{shows}; `articles: {{next: {self.line}}}` would follow them"
        return f"{shows}; mend the rule, or say `articles: {{one_page: true}}` where the first page is enough"
