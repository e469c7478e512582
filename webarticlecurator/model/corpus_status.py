"""The state of a corpus, as `curator status` shows it: all that it has, all that it lacks and why, in
counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from webarticlecurator.amounts import amount
from webarticlecurator.model.links import Refused
from webarticlecurator.model.outcome import FetchOutcome, KeptDocuments, PageOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """The part of one column that is known, in one year where the column goes by dates."""

    column: str
    year: int | None = None
    """The year; None: the column has no dates."""
    intervals: int = 0
    """Date intervals that the portal file names, asked for or not, or walks that count (one, as a rule) where
    there are no dates."""
    proved: int = 0
    """The number of intervals that were walked to a proved end."""
    only_read: int = 0
    """The number of intervals that ended where a feed or a sitemap does: it was read, and says nothing of
    what it does not list."""
    limited: Mapping[str, int] = field(default_factory=dict)
    """The limits that ended intervals, and the number of intervals that each ended."""
    open: int = 0
    """The number of other intervals: not walked yet, interrupted, or failed on the way; the next crawl goes
    on there."""
    needless: bool = False
    """True if another way to the same articles is proved, so that nothing of this one stays open."""
    removed: bool = False
    """The portal file has no such column any more: nothing walks it again, and it says nothing of the archive
    that the file has now."""
    pages: int = 0
    """The number of archive pages that were read."""
    links: int = 0
    """The number of different article URLs ever seen, refused ones included."""
    new: int = 0
    """The number of different article URLs that were seen here first."""
    fetched: int = 0
    failed: int = 0
    waiting: int = 0

    @property
    def counts(self) -> bool:
        """True if it says something of how much of the archive is proved."""
        return not (self.needless or self.removed)

    @property
    def is_proved(self) -> bool:
        """True if all of it is, or was read to its end."""
        return self.intervals == self.proved + self.only_read

    @property
    def left(self) -> str:
        """Return how many intervals are open, and which limits ended how many."""
        ended = [f"{count:,} ended by {limit}" for limit, count in self.limited.items()]
        return ", ".join([*([f"{self.open:,} open"] if self.open else []), *ended])

    @property
    def state(self) -> str:
        """Return how far it is walked, as people are told."""
        if not self.counts:
            return "removed" if self.removed else "not needed"
        if not self.intervals:
            return "not walked yet"
        if not self.is_proved:
            return self.left
        if not self.only_read:
            return "proved"
        return f"proved, {self.only_read:,} only read" if self.proved else "read"

    @property
    def told_column(self) -> str:
        """The column as people are told of it."""
        return f"{self.column} (no longer in the portal file)" if self.removed else self.column


_ADDED_UP = (
    "intervals", "proved", "only_read", "open", "pages", "links", "new", "fetched", "failed", "waiting",
)  # fmt: skip


def added_up(completeness: Sequence[Completeness]) -> list[Completeness]:
    """Return one row a column: its years added up."""
    columns = []
    for column in dict.fromkeys(row.column for row in completeness):
        rows = [row for row in completeness if row.column == column]
        added = replace(
            rows[0],
            year=rows[0].year if len(rows) == 1 else None,
            limited=sum((Counter(row.limited) for row in rows), Counter()),
            **{name: sum(getattr(row, name) for row in rows) for name in _ADDED_UP},
        )
        columns.append(added)
    return columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One of several ways to the same articles."""

    name: str
    """The name of the column."""
    state: str
    """The state: "proved" of the one that all leans on, "not needed" behind it; "read" of a feed or sitemap;
    else how its last walk ended, or "not walked"."""
    reason: str = ""
    """The reason why its last walk ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The proof that the completeness of a column leans on, or that of successive date intervals of it which
    ended alike."""

    column: str
    first: str | None
    """The oldest interval; None: the column has no dates."""
    last: str | None
    intervals: int
    ground: str
    """A page without a next link, an empty page, ..."""
    page: str
    """The archive page that the walk of the newest of them ended on."""
    links: int
    """The number of article links on that page."""
    at: datetime
    """The latest."""
    only_read: bool = False
    """True if it proves that a feed or a sitemap was read, and says nothing of what that does not list."""
    by_word: bool = False
    """True if it proves nothing against the page, which links further ones: a person has said that there is
    one page."""
    by_stop: bool = False
    """True if it proves all up to where the portal file says to stop, and nothing of what lies behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStretch:
    """A stretch of an archive that is not proved yet."""

    column: str
    interval: str | None = None
    """The date interval's first day."""
    intervals: int = 1
    """The number of intervals that it stands for: those of a column that no crawl has asked for yet are one
    stretch."""
    url: str
    """The last archive page that was read, or the one that failed."""
    reason: str
    end: str | None = None
    """The end of its walk: "failed", "interrupted", "limit" or "unproved" (to its end, which something speaks
    against); None: it did not end."""
    proved: bool = False
    """An earlier walk by the rules of now proved it: only what came since may be missing."""
    by_rules: bool = False
    """True if all its pages could be read, and the portal file's rules made no proof of them: walking again
    changes nothing before they do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A reason for which URLs failed or wait, could not be had a second time, or are no articles."""

    outcome: FetchOutcome | PageOutcome
    reason: str
    count: int
    example: str
    """One of the URLs."""
    no_articles: int = 0
    """The number of stored pages that could not be had a second time and are no articles, as the last build
    saw."""
    urls: tuple[str, ...] = ()
    """The first 50 URLs of pages that crawls asked for: the articles, then those that are none."""


@dataclass(frozen=True, slots=True)
class LostFile:
    """A file of the store that is missing or cut short, with what it held beyond that."""

    file: str
    size: int
    """Bytes that are left of it."""
    known: int
    """Bytes that it had."""
    articles: int
    """Articles of which a page lay there and lies nowhere else."""
    archive_pages: int
    waiting: int
    """The number of these articles that are not stored again."""

    def __str__(self) -> str:
        left = amount(self.size, f"of {self.known:,} bytes is", f"of {self.known:,} bytes are")
        held = f"{amount(self.articles, 'article')} and {amount(self.archive_pages, 'archive page')}"
        return (
            f"{self.file} {f'is cut short, {left} left' if self.size else 'is missing'}; it held {held}: "
            "they are lost"
        )


@dataclass(frozen=True, slots=True)
class MissingArticles:
    """Articles of the portal that pages lead to and no list names; their addresses are written alike."""

    number: int
    """The number of addresses; of those that were asked for, one at least is an article."""
    examples: tuple[str, ...]
    via: str
    """The page on which the first of them was seen first."""
    pattern: str
    """The pattern of `not_collected` that leaves them out."""

    def __str__(self) -> str:
        articles = amount(self.number, "article that no list names", "articles that no list names, such as")
        quoted = self.pattern.replace("'", "''")  # between double quotes YAML reads backslashes
        remedy = f"a column takes them in, `not_collected: ['{quoted}']` leaves them out"
        return f"{articles} {self.examples[0]} (seen on {self.via}): {remedy}"


@dataclass(frozen=True, slots=True)
class LeftUnasked:
    """Addresses written like an article's that a crawl did not ask for, since it had asked for as much as it
    may."""

    number: int
    example: str

    def __str__(self) -> str:
        are = amount(self.number, "address is", "addresses are")
        why = "and nobody has asked what is there, since a crawl asks for few; the next one goes on"
        return f"{are} written like an article's, such as {self.example}, {why}"


@dataclass(frozen=True, slots=True)
class NeverThere:
    """A column where a large share of the articles is not there and never was."""

    column: str
    gone: int
    articles: int
    """The number of articles that were asked for."""
    such_as: str
    """One of the articles that were never there, with what was answered."""

    def __str__(self) -> str:
        of_column = f"{amount(self.articles, 'article')} of column {self.column}"
        never = f"{self.gone:,} of {of_column} were never there, such as {self.such_as}"
        rules = "`link`, and at `replace` and `drop_params` under `archive: urls`"
        look = f"if a browser shows them at another address, look at {rules}"
        return f"{never}; {look}; else `not_collected` with a pattern of their addresses leaves them out"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A pattern of addresses that a person knowingly does not collect."""

    pattern: str
    number: int
    """Addresses like those of articles that are known, and that it leaves out."""

    def __str__(self) -> str:
        return f"`{self.pattern}`, {amount(self.number, 'address', 'addresses')} seen"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReport:
    """The corpus of one portal on one screen."""

    portal: str
    """The portal's name."""
    corpus: str
    """The folder of the corpus."""
    last_crawl: datetime | None = None
    """The time when the last crawl ended or was cut off, UTC; None: never."""
    outcomes: Mapping[FetchOutcome | PageOutcome, int] = field(default_factory=dict)
    """The number of article URLs that are known, by outcome: that of building, where it has seen the page,
    else that of fetching."""
    archive_pages: int = 0
    """Read by the walks of all runs; neither what `curator new` looked at nor what a browser loaded
    besides."""
    warc_files: int = 0
    """The number of WARC files."""
    warc_bytes: int = 0
    """The bytes of all WARC files."""
    requisites: Mapping[str, int] = field(default_factory=dict)
    """The number of style sheets, pictures and fonts of pages that are `stored`, that `wait` for the next
    crawl, and that could not be had (`failed`); empty where no crawl has looked for any."""
    completeness: tuple[Completeness, ...] = ()
    """The completeness by column in the portal file's order, then by year, newest first."""
    ways: tuple[Way, ...] = ()
    """The ways to the same articles, best first."""
    proofs: tuple[Proof, ...] = ()
    """The proofs, one for each column or interval that is proved to be complete."""
    gaps: tuple[OpenStretch, ...] = ()
    """Stretches of the archive that are not proved yet."""
    refused: tuple[Refused, ...] = ()
    """Refused links by host and reason, other hosts first, then the most frequent."""
    waiting: int = 0
    """The number of URLs that the next crawl asks for: queued, error, blocked."""
    unbuilt: int = 0
    """Stored articles that no build has seen."""
    stored_anew: int = 0
    """The number of built articles of which other bytes were stored since the last build that came to its
    end."""
    text_changed: int = 0
    """The number of built articles whose first capture has another text than their newest."""
    gone: int = 0
    """Stored articles that the site said to have no more, when it was asked again; what is stored of them
    stays."""
    troubles: tuple[Trouble, ...] = ()
    """The troubles of crawling and then those of building, most frequent first."""
    not_again: tuple[Trouble, ...] = ()
    """Stored pages that were asked for once more and could not be had: gone since, or failed; most frequent
    first."""
    no_articles: tuple[Trouble, ...] = ()
    """Pages that are no articles, by outcome, the most frequent first."""
    drift: tuple[str, ...] = ()
    """Sentences on where the layout of the archive seems to have changed."""
    article_drift: tuple[str, ...] = ()
    """Sentences on the articles from which on the layout of articles seems to have changed."""
    lost: tuple[LostFile, ...] = ()
    """Files of the store that went missing, until their articles are stored again."""
    kept: tuple[KeptDocuments, ...] = ()
    """Documents that stay as they were made, since a record that they were made of is damaged."""
    missing: tuple[MissingArticles, ...] = ()
    """Articles that pages lead to and no list names: gaps, the largest first."""
    unasked: tuple[LeftUnasked, ...] = ()
    """Addresses that the last crawl left to the next."""
    never_there: tuple[NeverThere, ...] = ()
    """Columns of which a large share of articles was never there."""
    not_whole: int = 0
    """Articles that show further pages which no rule follows."""
    not_collected: tuple[LeftOut, ...] = ()
    """Patterns of the portal file whose addresses are not collected."""
    unlisted: tuple[str, ...] = ()
    """Articles that the site's own feeds and sitemaps name, as the last `audit --archive` saw, and that the
    ledger does not know."""
    remarks: tuple[str, ...] = ()
    """Remarks of the last crawl, at which a person should look, and those of crawls before it on what it did
    not look at."""
    only_seen: tuple[str, ...] = ()
    """First dates of columns that `curator new` saw and nobody has said: from each on the column may be
    proved, and nothing before it."""
    problems: int = 0
    """The number of lines of problems.jsonl."""
