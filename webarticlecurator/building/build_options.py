"""The options of a build, its summary, and the digest of all beside a page that decides how it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import orjson

from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.portal import Knowledge, Portal
from webarticlecurator.model.outcome import GoingOn, KeptDocuments, PageOutcome
from webarticlecurator.version import VERSION
from webarticlecurator.written_options import TypedAs


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What may be asked of a build; on the command line the flags that stand here."""

    jobs: int | None = None
    """Processes; None: as many as there are processors, at most four. One: no process is started."""
    cluster: str | None = None
    """A Dask scheduler that has the work done instead: `tcp://HOST:8786`."""
    everything: Annotated[bool, TypedAs("--all", "Build every article again, changed or not.")] = False
    zip: Annotated[
        bool, TypedAs("--zip", "A zip file of documents a month, from now on, not a file an article.")
    ] = False
    template: Annotated[
        str,
        TypedAs("--template", "The TEI header: one that came with curator, or a file of yours.", "TEMPLATE"),
    ] = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSummary:
    """How the build of one portal ended."""

    portal: str
    """Its name."""
    articles: int = 0
    """All that the ledger has pages of."""
    unchanged: int = 0
    """The number of these that nothing had to be done for."""
    untouched: int = 0
    """Number of articles whose rules have changed, and that were not read: no changed rule can touch their
    pages."""
    written: int = 0
    """Documents written, new or anew."""
    confirmed: int = 0
    """Built again, with the document they had."""
    removed: int = 0
    """Documents that went, because what they were made of is no article any more."""
    outcomes: Mapping[PageOutcome, int] = field(default_factory=dict)
    """The outcomes of every article that was ever built."""
    skipped: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Rule of `articles.skip`, or what else of the portal file leaves articles out -> how many pages these
    are, and one of them."""
    not_applied: tuple[str, ...] = ()
    """Values mended by hand that do not hold any more, each with its article and why; exit code 1."""
    missing_pages: int = 0
    """Articles of which a page is not stored; their documents and problems.jsonl name the pages."""
    failures: tuple[str, ...] = ()
    """Failures, which are listed in problems.jsonl; exit code 1."""
    kept: tuple[KeptDocuments, ...] = ()
    """Documents that stay as they were made, since a record that they were made of is damaged; exit code
    1."""
    going_on: GoingOn | None = None
    """The articles that seem to have further pages which no rule follows."""
    portal_values: tuple[str, ...] = ()
    """Values of so many documents that they may be the portal's and not the article's, each with the line of
    the portal file that leaves it out."""
    lacking: Mapping[str, int] = field(default_factory=dict)
    """Headline and day of publication, where one in twenty of ten or more documents is without, and author,
    where all are: how many are."""
    fruitless: tuple[str, ...] = ()
    """Rules of the portal file itself (`metadata.author`, `posts.comments.time`) that gave nothing in ten or
    more documents or posts; of a text, no more than three words."""
    doubts: Mapping[str, str] = field(default_factory=dict)
    """Doubts about rules of the portal file, as sentences -> an article to look at."""
    odd_values: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Oddities of dates -> in how many documents, and one of the dates."""
    drifts: tuple[str, ...] = ()
    """From which articles on the pages seem to look otherwise, and by which sign; exit code 5."""
    unwatched: str | None = None
    """Why nothing can be said of that."""
    incomplete: str | None = None
    """Why not everything was built; exit code 4."""
    problems: int = 0
    """Lines of problems.jsonl."""


_ELSEWHERE = frozenset({"fetch", "columns", "archive", "sources", "effective", "warnings"})
"""Parts of a portal that only crawling looks at; what a listing told of an article counts with the article's
captures."""


def rules_digest(portal: Portal, documents: str) -> str:
    """Return the digest of a portal's rules, of the program, and of `documents`, which is all else that
    documents depend on (their template)."""
    portal = replace(
        portal, articles=replace(portal.articles, fetch="all", rendering=None)
    )  # what was asked for shows in the captures
    rules = {
        key.name: plain_setting(getattr(portal, key.name))
        for key in fields(portal)
        if key.name not in _ELSEWHERE
    }
    rules["encoding"] = portal.fetch.encoding
    return sha256(orjson.dumps([VERSION, documents, rules], option=orjson.OPT_SORT_KEYS)).hexdigest()


def of_reading(portal: Portal) -> Portal:
    """Return a portal without what no page is read by; its title is left out, too, which is a name of the
    portal among others."""
    publisher = replace(portal.publisher, place=None)
    return replace(portal, title="", creator=(), publisher=publisher, known=Knowledge(), not_collected=())


def sources_digest(portal: Portal) -> str:
    """Return the digest of all that decides what is stored of which article: all of a portal but the rules
    that pages are read by."""
    articles = replace(portal.articles, skip=replace(portal.articles.skip, when=()), next=None)
    rest = replace(of_reading(portal), articles=articles, body=BodyRules(), metadata={}, posts={}, layouts=())
    return sha256(orjson.dumps([VERSION, plain_setting(replace(rest, sources=(), effective=""))])).hexdigest()


def plain_setting(value: Any) -> Any:
    """Return a setting as JSON that is the same whenever, and in whichever process, it is made."""
    if value is None or type(value) in _PLAIN:
        return value
    if is_dataclass(value):
        # `source` says where a rule stands in its file: a new comment above it changes no document
        names = [member.name for member in fields(value) if member.compare and member.name != "source"]
        return [type(value).__name__, {name: plain_setting(getattr(value, name)) for name in names}]
    for kind, as_plain in _AS_PLAIN:
        if isinstance(value, kind):
            return as_plain(value)
    return str(value)


_PLAIN = frozenset({str, int, float, bool})
_AS_PLAIN: tuple[tuple[type | tuple[type, ...], Callable[[Any], Any]], ...] = (
    (Enum, lambda value: value.value),
    (Mapping, lambda value: {str(plain_setting(key)): plain_setting(inner) for key, inner in value.items()}),
    ((set, frozenset), lambda value: sorted(map(str, value))),
    ((list, tuple), lambda value: list(map(plain_setting, value))),
    (ZoneInfo, lambda value: value.key),
    (Path, lambda value: value.name),
)
"""How settings of each kind are written; all others by their words."""
