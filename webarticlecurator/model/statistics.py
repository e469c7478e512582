"""What a corpus is made of, in numbers: what `curator stats` prints and the report draws. Values: nothing is formatted.

Years are None, and days too, where nobody says when an article was published. Whatever is capped says so: `distinct` and `others` tell
what is not in the rows. `docs/reference/statistics.md` tells how each number is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webarticlecurator.model.status import Proof, StatusReport

_FEWEST_TOO_LONG = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """What is not counted, why, and what to do about it."""

    what: str
    """The part of the statistics: "articles", "ledger", "analysis", "warc", "dates", "comments", ..."""
    why: str
    """A sentence."""
    command: str = ""
    """That makes it, with the portal's name; empty where none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One article that shows what is meant."""

    url: str
    id: str | None = None
    text: str = ""
    """A short stretch of what it shows: hostile, as all that comes from pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A year, a month or any other span, with what was published in it."""

    name: str | None
    """`2024` or `2024-05`; None: without a date."""
    articles: int = 0
    words: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The articles of a column of the archive, of a section, or of a layout, over time."""

    name: str | None
    """None: those that no archive page listed, that have no section, or that the base rules read."""
    articles: int
    words: int
    first: str | None
    """Day of the oldest article."""
    last: str | None
    years: tuple[Period, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What building made documents of (outcomes article and paywall)."""

    urls: int = 0
    """Article URLs that are known."""
    articles: int = 0
    words: int = 0
    characters: int = 0
    posts: int = 0
    """Comments and all other posts."""
    undated: int = 0
    first: Example | None = None
    """The oldest article; `text` is its day and headline."""
    last: Example | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What is known of the article URLs of one day."""

    day: str
    links: int = 0
    """Article URLs of that day: by the article's date, else by the listing's, else by what the archive's interval or the URL says."""
    fetched: int = 0
    failed: int = 0
    """Of these, those whose fetching or reading failed."""
    waiting: int = 0
    articles: int = 0
    """Of these, those with a document."""
    gap: bool = False
    """No article, against the rhythm of the whole portal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Days without any article, one after the other, where the rhythm until then lets one expect some."""

    column: str | None
    """None: of the whole portal."""
    first: str
    last: str
    days: int
    expected: float
    """How many articles the same weekdays brought around it, added up over the gap."""
    proved: bool
    """Every interval of it is walked to a proved end: the portal seems to have published nothing, or under other dates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCount:
    """URLs of one year with one outcome for one reason; each known URL counts once."""

    year: int | None
    outcome: str
    """Of the page where a build or crawl saw it, else of fetching."""
    failed: bool
    """Whether a person should hear of it."""
    reason: str
    """The rest of many rare reasons stands together in one row, whose reason is empty."""
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What needs a human, most pressing first."""

    kind: str
    """An outcome of problems.jsonl, or: drift, lost, open, gap, unbuilt, suspicious."""
    weight: int
    """0 is most pressing; problems of one weight stand by count."""
    reason: str
    count: int
    examples: tuple[str, ...]
    since: str | None = None
    """Of the oldest."""
    command: str = ""
    """What shows or mends it, with the portal's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One value among several, and how many have it."""

    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldYear:
    year: int | None
    articles: int
    """All of that year."""
    filled: int
    """Those with a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Two sources that say different things of one field."""

    field: str
    chosen: str
    """The source that was believed."""
    other: str
    articles: int
    examples: tuple[Example, ...]
    """`text`: both values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldStatistics:
    """How one metadata field is filled."""

    field: str
    filled: int
    """Articles with a value."""
    years: tuple[FieldYear, ...]
    sources: tuple[Share, ...]
    """Where the values come from: articles by source of the first value, most frequent first."""
    disagreeing: int
    """Articles of which another source says otherwise."""
    longer: int = 0
    """Articles whose headline begins with what another source says, and goes on: its rule may take more than the headline."""
    longer_examples: tuple[Example, ...] = ()
    """`text`: both values."""

    @property
    def is_too_long(self) -> bool:
        """Whether that is so of most articles: of one portal, all come by the same rule."""
        return self.longer >= _FEWEST_TOO_LONG and 2 * self.longer > self.filled


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """An author, a section, a keyword, an agency."""

    name: str
    articles: int
    first: str | None
    """Day of the oldest article."""
    last: str | None
    suspicious: tuple[str, ...] = ()
    """Why this may be none: sentences."""
    example: Example | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The values of one field, most frequent first."""

    field: str
    """author, articleSection, keywords, source."""
    distinct: int
    articles: int
    """That have any."""
    rows: tuple[Name, ...]
    """The most frequent."""
    suspicious: tuple[Name, ...]
    """Those with a mark, also such as are too rare for the rows; at most so many as the rows."""
    suspects: int
    """How many have a mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspiciousDates:
    """Dates that look as if no portal had meant them."""

    why: str
    """On 1 January, the epoch, the day of the capture, after the capture, before the portal began..."""
    articles: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of the text inside the articles' containers the rules kept in a year. Where the stored lines do not tell, nothing."""

    year: int | None
    articles: int
    kept: int
    """Words."""
    dropped: int
    """Words that rules left out."""
    undecided: int
    """Words immediately in tags that no rule decides (they are kept)."""
    articles_undecided: int
    """Articles with such a tag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """What one rule left out."""

    rule: str
    words: int
    pieces: int
    articles: int
    tags: tuple[Share, ...]
    examples: tuple[Example, ...]
    """The longest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndecidedTag:
    tag: str
    count: int
    words: int
    articles: int
    example: Example


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageCount:
    """Articles by what is declared, known and identified."""

    language: str | None
    """Of the document: declared by page or portal, else known by its words."""
    declared: bool
    """Somebody says it; else it is known by the words, or not at all."""
    identified: str | None
    """By the analysis; None: not analysed, or too short to say."""
    articles: int
    certain: int
    """Of these, identified with a certainty of at least 0.9."""
    disagree: bool
    """Both are there, and they are different languages."""
    examples: tuple[Example, ...]
    """Where they disagree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthClass:
    """Articles of `least` to `most` words."""

    least: int
    most: int | None
    articles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """How long the articles are, in words; those of languages that part no words by blanks are left out, and counted."""

    classes: tuple[LengthClass, ...]
    quantiles: tuple[int, ...]
    """The words that 5, 25, 50, 75 and 95 percent of the articles do not exceed; to three digits. Empty: no article."""
    mean: float
    uncounted: int
    shortest: tuple[Example, ...]
    longest: tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Articles with the same text, or nearly the same."""

    articles: int
    examples: tuple[Example, ...]
    """`text`: day and headline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    kind: str
    """exact, near."""
    clusters: int
    articles: int
    """In clusters."""
    surplus: int
    """That `--dedup` would leave out: all but one of each cluster."""
    biggest: tuple[Cluster, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessYear:
    """What the pages declare (`isAccessibleForFree`), and what was seen."""

    year: int | None
    free: int
    """Declared to be free."""
    paid: int
    """Declared not to be."""
    undeclared: int
    paywall: int
    """Seen to be cut by a wall, whatever is declared."""
    paid_but_whole: int
    """Declared not to be free, and no wall was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostKind:
    """Comments, forum posts, entries of live blogs, posts of blogs."""

    kind: str
    posts: int
    words: int
    articles: int
    """That have any: threads."""
    answers: int
    """Posts that say which one they answer."""
    deleted: int
    undated: int
    years: tuple[Period, ...]
    """`articles` counts posts there."""
    largest: tuple[Example, ...]
    """Of the threads; `text`: the number of posts and the headline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestDay:
    """Requests of one day to one host, as stored."""

    day: str
    host: str
    requests: int
    """Answers in the store: archive pages and articles, and revisits."""
    failed: int
    """Of these, answers of 400 and above, and what was no HTTP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """What robots.txt, headers and meta tags say of use."""

    name: str
    """Such as `X-Robots-Tag`, `meta tdm-reservation`; as the capture keeps it."""
    value: str
    pages: int
    example: str
    """A URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcFile:
    file: str
    bytes: int
    open: bool
    """It is still being written."""
    sha256: str | None
    """None: not known yet."""
    exchanges: int
    first: str | None
    """Moment of its first exchange, UTC."""
    last: str | None
    software: str | None
    """That wrote it, with its version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesVersion:
    """Documents made under the same rules by the same program."""

    digest: str
    program: str | None
    """As one of the documents names it."""
    articles: int
    current: bool
    """The rules of the portal file as it is now, with this program, made them or found them to be right as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    requests: tuple[RequestDay, ...]
    robots: tuple[OutcomeCount, ...]
    """What robots.txt forbade, and what came of it."""
    robots_policy: str
    """obey or record, as the portal file says now."""
    signals: tuple[Signal, ...]
    signals_distinct: int
    rules: tuple[RulesVersion, ...]
    program: str
    """That made these statistics."""
    warc_files: tuple[WarcFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalFacts:
    name: str
    title: str
    home: str
    language: str | None
    timezone: str
    kind: str
    publisher: str | None
    rights: str | None
    corpus: str
    """Its folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusStatistics:
    """One portal's corpus."""

    portal: PortalFacts
    lacks: tuple[Lack, ...]
    """Parts that are empty for want of something, not because there is nothing."""
    totals: Totals
    years: tuple[Period, ...]
    """Every year from the first to the last article, those without any too; last, if there are any, the undated."""
    months: tuple[Period, ...]
    columns: tuple[Growth, ...]
    """In the order of the portal file; an article that several columns list counts in each."""
    sections: tuple[Growth, ...]
    """The largest; by the article's first section."""
    other_sections: int
    """How many sections are not among the rows."""
    days: tuple[Day, ...]
    """Only days of which something is known, or that are gaps; in order."""
    gaps: tuple[Gap, ...]
    """Longest expectation first."""
    other_gaps: int
    status: StatusReport | None
    """What `curator status` shows, without `proofs`: they follow. None: there is no ledger that can be read."""
    proofs: tuple[Proof, ...]
    outcomes: tuple[OutcomeCount, ...]
    problems: tuple[Problem, ...]
    fields: tuple[FieldStatistics, ...]
    disagreements: tuple[Disagreement, ...]
    """Most frequent first."""
    names: tuple[Names, ...]
    dates: tuple[SuspiciousDates, ...]
    layouts: tuple[Growth, ...]
    """By the variant of the rules that read them; the oldest first."""
    coverage: tuple[Coverage, ...]
    drops: tuple[Drop, ...]
    """Most words first."""
    undecided: tuple[UndecidedTag, ...]
    languages: tuple[LanguageCount, ...]
    lengths: Lengths
    duplicates: tuple[Duplicates, ...]
    """exact, near; empty where nothing was analysed."""
    access: tuple[AccessYear, ...]
    types: tuple[Share, ...]
    """Schema.org types."""
    posts: tuple[PostKind, ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalOverview:
    """One portal in a row beside others."""

    portal: str
    corpus: str
    unreadable: str | None = None
    """Why nothing more is known of it."""
    articles: int = 0
    """With a document."""
    urls: int = 0
    intervals: int = 0
    """Of all columns that are needed; a column without dates counts once."""
    proved: int = 0
    waiting: int = 0
    failed: int = 0
    unbuilt: int = 0
    last_crawl: datetime | None = None
    problems: int = 0
    next: str = ""
    """The most useful command now."""
