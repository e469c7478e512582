"""What one build is asked to do, and what it says at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from webarticlecurator.flags import TypedAs
from webarticlecurator.model.outcome import GoingOn, PageOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What may be asked of a build; on the command line the flags that stand here."""

    jobs: int | None = None
    """Processes; None: as many as there are processors, at most four. One: no process is started."""
    cluster: str | None = None
    """A Dask scheduler that has the work done instead: `tcp://HOST:8786`."""
    everything: Annotated[bool, TypedAs("--all", "Build every article again, changed or not.")] = False
    zip: Annotated[bool, TypedAs("--zip", "A zip file of documents a month, from now on, not a file an article.")] = False
    template: Annotated[str, TypedAs("--template", "The TEI header: one that came with curator, or a file of yours.", "TEMPLATE")] = (
        "default"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSummary:
    """How the build of one portal ended."""

    portal: str
    """Its name."""
    articles: int = 0
    """All that the ledger has pages of."""
    unchanged: int = 0
    """Of these, nothing had to be done for."""
    written: int = 0
    """Documents written, new or anew."""
    confirmed: int = 0
    """Built again, with the document they had."""
    removed: int = 0
    """Documents that went, because what they were made of is no article any more."""
    outcomes: Mapping[PageOutcome, int] = field(default_factory=dict)
    """Of every article that was ever built."""
    skipped: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Rule of `articles.skip` -> how many pages are no articles by it, and one of them."""
    missing_pages: int = 0
    """Articles of which a page is not stored; their documents and problems.jsonl name the pages."""
    failures: tuple[str, ...] = ()
    """What failed and is listed in problems.jsonl; exit code 1."""
    going_on: GoingOn | None = None
    """Of every article that was ever built, those that seem to have further pages which no rule follows."""
    outside: tuple[str, ...] = ()
    """Articles that a sitemap brought from outside of the path that nearly all share, where no `urls` rule speaks of them."""
    portal_values: tuple[str, ...] = ()
    """What so many documents say that it may be the portal's and not the article's, each with the line that leaves it out."""
    lacking: Mapping[str, int] = field(default_factory=dict)
    """Headline and day of publication, where one in twenty of ten or more documents is without, and author, where all are: how many are."""
    fruitless: tuple[str, ...] = ()
    """Rules of the portal file itself (`metadata.author`, `posts.comments.time`) that gave nothing in ten or more documents or posts;
    of a text, no more than three words."""
    doubts: Mapping[str, str] = field(default_factory=dict)
    """What speaks against rules of the portal file, in sentences -> an article to look at."""
    odd_values: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """What is odd about dates -> in how many documents, and one of the dates."""
    drifts: tuple[str, ...] = ()
    """From which articles on the pages seem to look otherwise, and by which sign; exit code 5."""
    unwatched: str | None = None
    """Why nothing can be said of that."""
    incomplete: str | None = None
    """Why not everything was built; exit code 4."""
    problems: int = 0
    """Lines of problems.jsonl."""
