"""What a look has seen, as the text of a portal file; and that file, tried on the pages that were seen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from webarticlecurator.amounts import amount
from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.metadata.read import read_metadata
from webarticlecurator.extraction.site_entrances import home_of, site_title
from webarticlecurator.learning.answers import first_portal_file
from webarticlecurator.learning.site.archive_proposals import propose_archives
from webarticlecurator.learning.site.kind import kind_proposal
from webarticlecurator.learning.site.locale import language_proposal, timezone_proposal
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.new_portal.sources import LookedAt
from webarticlecurator.trial import is_well, look_at_heads

_SAMPLES = 3
_MOST_TOLD_ALONE = 3


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


@dataclass(frozen=True, slots=True)
class HeadsOfPreset:
    """What the archive answered that the preset of a software knows."""

    preset: str
    lines: tuple[dict[str, Any], ...]

    @property
    def best(self) -> dict[str, Any] | None:
        """The first that gives something, be it with remarks."""
        giving = [line for line in self.lines if any(line.get(what) for what in ("articles", "sections", "sitemaps"))]
        return next((line for line in giving if is_well(line)), giving[0] if giving else None)


def heads_of(preset: str, seen: SiteSeen, portal: Portal, source: LookedAt, now: datetime) -> HeadsOfPreset:
    """What a preset finds on this site."""
    content = f"portal: {portal.name}\nhome: {json.dumps(home_of(seen.home))}\nextends: {preset}\n"
    return HeadsOfPreset(preset, tuple(look_at_heads(load_portal(Path(FILE_NAME), content=content.encode()), source, now)))


def written(
    made: NewPortal, seen: SiteSeen, heads: HeadsOfPreset | None, source: LookedAt, now: datetime, *, wants: str | None, stopped: str | None
) -> NewPortal:
    """The portal file, and what is to be said of it.

    `wants`: what the site seems to ask for first; `stopped`: why the look ended before all was seen.
    """
    language = language_proposal(seen.home, seen.pages)
    zone = timezone_proposal(seen.home.url, str(language.choices[0].value) if language is not None else None, seen.pages)
    preset = heads.preset if heads is not None and heads.best is not None else None
    archives, remarks, listed = propose_archives(seen) if preset is None else ([_extends(seen, heads)], [], {})
    proposals = [*filter(None, (kind_proposal(seen.home, seen.pages, seen.system), language, zone)), *archives]
    facts = {"portal": made.name, "title": site_title(seen.home, seen.pages), "home": home_of(seen.home) if preset else seen.home.url}
    text = first_portal_file(facts, proposals, opening=_opening(source.requests, now))
    portal = load_portal(Path(FILE_NAME), content=text.encode())
    columns = tuple(_columns_seen(portal, source, listed, now))
    needs = {
        wants or "": wants is not None,
        f"its software has a preset, `{heads.preset if heads else ''}`, but the archive that this knows did not answer": (
            heads is not None and preset is None
        ),
        "nothing tells the language: what each page says of itself counts until `language` says otherwise": language is None,
        (
            "nothing names the time zone: until `timezone` does, dates without an offset count as UTC, and those in UTC stay so, which"
            " may be the day before or after the one that readers see"
        ): zone is None,
    }
    ended = [f"the look ended before all was seen: {stopped}"] if stopped is not None else []
    return replace(
        made,
        text=text,
        system=seen.system.software if seen.system is not None else None,
        preset=preset,
        columns=columns,
        unsure=tuple(proposal for proposal in proposals if not proposal.sure),
        remarks=(*(what for what, is_so in needs.items() if is_so), *_not_had(seen), *ended, *_undated(seen, portal), *remarks),
        blocked=source.blocked or (wants if not any(column.articles for column in columns) else None),
    )


def _undated(seen: SiteSeen, portal: Portal) -> Iterator[str]:
    """Articles of which neither rules nor pages tell when they were published: a person looks where else that stands."""
    dates = [read_metadata(page, portal, portal.metadata).metadata.get("datePublished", ()) for page in seen.articles]
    if not dates or any(date.source != "url:date" for of_page in dates for date in of_page):
        return
    looked = amount(len(seen.articles), "article that was looked at tells", "articles that were looked at tell")
    feed = f"; {seen.feeds[0].entrance.url} is a feed, which may tell it of the newest ones (`format: feed`)" if seen.feeds else ""
    left = (
        "documents have the day that the addresses tell, whose clock may be another"
        if any(dates)
        else "documents have none, or one of their text, such as that of an update"
    )
    where = f"`metadata.datePublished` may say where it stands, else {left}"
    yield f"{looked} no date that could be read (such as {seen.articles[0].requested_url}): {where}{feed}"


def _not_had(seen: SiteSeen) -> Iterator[str]:
    """Those of one reason in one line, where they are many: of saved pages, nearly all that they link to."""
    for why, count in Counter(why for _, why in seen.failed).items():
        urls = [url for url, reason in seen.failed if reason == why]
        if count > _MOST_TOLD_ALONE:
            yield f"{amount(count, 'page was', 'pages were')} not had, such as {urls[0]}: {why}"
        else:
            yield from (f"{url} was not had: {why}" for url in urls)


def _opening(requests: int, now: datetime) -> tuple[str, ...]:
    looked = f"with {amount(requests, 'request')}" if requests else "at stored pages, without a request"
    return (
        f"Made by `curator new` on {now:%Y-%m-%d}, which looked {looked}. Lines that it is not sure of say so: look at them.",
        "What each key means: `curator check --schema`, and docs/reference/portal-file.md.",
        "`portal` names the corpus folder and begins the ids of the documents: rename it before the first crawl, if you like, and with it"
        " the folder in `corpora`, which has the pages that were looked at.",
    )


def _extends(seen: SiteSeen, heads: HeadsOfPreset | None) -> Proposal:
    """The preset whose archive answered."""
    assert heads is not None
    assert heads.best is not None
    system, line = seen.system, heads.best
    articles = [str(article["url"]) for article in line.get("articles", ())]
    gives = amount(len(articles), "article") if articles else "what leads to its articles"
    made = "a usual place"
    if system is not None and system.preset == heads.preset:
        made = f"{system.software}, by {len(system.evidence)} signs ({100 * min(system.certainty, 0.999):.1f} %)"
    reason = f"{made}; its archive answers: `{line.get('column')}` gives {gives} on its first page ({line.get('url')})"
    choice = Choice(value=heads.preset, reason=reason, samples=tuple(articles[:_SAMPLES]))
    return Proposal(name="extends", path=("extends",), choices=(choice,), sure=True)


# --- what the written rules find ---


@dataclass(frozen=True, slots=True)
class _Again:
    """Answers what was asked for already, and nothing else."""

    source: LookedAt

    def fetch(self, request: Request) -> Fetched:
        return self.source.known(request) or Fetched(request=request, verdict=Verdict(FetchOutcome.QUEUED, "not looked at"))


def _columns_seen(portal: Portal, source: LookedAt, listed: Mapping[str, int], now: datetime) -> Iterator[ColumnSeen]:
    """The written file, tried on what was looked at. `listed`: articles on pages of a column, where its walk begins at another one."""
    for line in look_at_heads(portal, _Again(source), now):
        what = next((kind for kind in ("articles", "sitemaps", "sections") if line.get(kind)), "articles")
        is_known = "articles" in line or line.get("outcome") not in (FetchOutcome.QUEUED.value, None)
        yield ColumnSeen(
            name=line["column"],
            url=line.get("url") or "",
            articles=len(line.get(what, ())) if is_known else listed.get(line["column"], 0),
            what=what,
            next=line.get("next"),
            remarks=tuple(map(str, line.get("remarks", ()))),
            asked=is_known,
        )
