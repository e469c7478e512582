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
from webarticlecurator.learning.portal_text import PortalFacts, first_portal_file
from webarticlecurator.learning.site.archive_proposals import ArchiveProposals, propose_archives
from webarticlecurator.learning.site.kind import kind_proposal
from webarticlecurator.learning.site.locale import language_proposal, timezone_proposal
from webarticlecurator.learning.site.look_plan import (
    SiteSeen,
)
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.new_portal.results import ColumnSeen, NewPortal
from webarticlecurator.new_portal.sources import LookedAt
from webarticlecurator.trial import is_well, look_at_heads

_SAMPLES = 3
_MOST_TOLD_ALONE = 3


@dataclass(frozen=True, slots=True)
class HeadsOfPreset:
    """What the archive answered that the preset of a software knows."""

    preset: str
    lines: tuple[dict[str, Any], ...]

    @property
    def best(self) -> dict[str, Any] | None:
        """The first that gives something, be it with remarks."""
        giving = [line for line in self.lines if any(line.get(found) for found in ("articles", "sections", "sitemaps"))]
        return next((line for line in giving if is_well(line)), giving[0] if giving else None)


def heads_of_preset(seen: SiteSeen, portal: Portal, source: LookedAt, now: datetime) -> HeadsOfPreset | None:
    """Whether the preset of the software that the site is made with finds its archive; None: there is none."""
    system = seen.system
    return heads_of(system.preset, seen, portal, source, now) if system is not None else None


def heads_of(preset: str, seen: SiteSeen, portal: Portal, source: LookedAt, now: datetime) -> HeadsOfPreset:
    """What a preset finds on this site."""
    home = home_of(seen.home) if seen.home is not None else portal.home
    content = f"portal: {portal.name}\nhome: {json.dumps(home)}\nextends: {preset}\n"
    return HeadsOfPreset(preset, tuple(look_at_heads(load_portal(Path(FILE_NAME), content=content.encode()), source, now)))


def written(
    made: NewPortal, seen: SiteSeen, heads: HeadsOfPreset | None, source: LookedAt, now: datetime, *, wants: str | None
) -> NewPortal:
    """The portal file, and what is to be said of it. `wants`: what the site seems to ask for first."""
    assert seen.home is not None
    language = language_proposal(seen.home, seen.pages)
    zone = timezone_proposal(seen.home.url, str(language.choices[0].value) if language is not None else None, seen.pages)
    by_preset = heads is not None and heads.best is not None
    found = _by_preset(seen, heads) if heads is not None and by_preset else propose_archives(seen)
    kind = kind_proposal(seen.home, seen.pages, seen.system)
    proposals = [*filter(None, (kind, language, zone)), *found.proposals]
    facts = PortalFacts(
        name=made.name,
        home=home_of(seen.home) if by_preset else seen.home.url,
        title=site_title(seen.home, seen.pages),
        opening=_opening(source.requests, now),
    )
    text = first_portal_file(facts, proposals)
    portal = load_portal(Path(FILE_NAME), content=text.encode())
    columns = tuple(_columns_seen(portal, source, found.listed, now))
    return replace(
        made,
        text=text,
        system=seen.system.software if seen.system is not None else None,
        preset=heads.preset if heads is not None and by_preset else None,
        columns=columns,
        unsure=tuple(one for one in proposals if not one.sure),
        remarks=(*_remarks(seen, heads, language, zone, wants), *_undated(seen, portal), *found.remarks),
        blocked=source.blocked or (wants if not any(one.articles for one in columns) else None),
    )


def _remarks(
    seen: SiteSeen, heads: HeadsOfPreset | None, language: Proposal | None, zone: Proposal | None, wants: str | None
) -> Iterator[str]:
    if wants is not None:
        yield wants
    if heads is not None and heads.best is None:
        yield f"its software has a preset, `{heads.preset}`, but the archive that this knows did not answer"
    if language is None:
        yield "nothing tells the language: what each page says of itself counts until `language` says otherwise"
    if zone is None:
        yield (
            "nothing names the time zone: until `timezone` does, dates without an offset count as UTC, and those in UTC stay so, which"
            " may be the day before or after the one that readers see"
        )
    yield from _not_had(seen)
    if seen.stopped is not None:
        yield f"the look ended before all was seen: {seen.stopped}"


def _undated(seen: SiteSeen, portal: Portal) -> Iterator[str]:
    """Articles of which neither rules nor pages tell when they were published: a person looks where else that stands."""
    read = [read_metadata(page, portal, portal.metadata).metadata.get("datePublished", ()) for page in seen.articles]
    if not read or any(found.source != "url:date" for one in read for found in one):
        return
    looked = amount(len(seen.articles), "article that was looked at tells", "articles that were looked at tell")
    feed = f"; {seen.feeds[0].entrance.url} is a feed, which may tell it of the newest ones (`format: feed`)" if seen.feeds else ""
    left = (
        "documents have the day that the addresses tell, whose clock may be another"
        if any(read)
        else "documents have none, or one of their text, such as that of an update"
    )
    where = f"`metadata.datePublished` may say where it stands, else {left}"
    yield f"{looked} no date that could be read (such as {seen.articles[0].requested_url}): {where}{feed}"


def _not_had(seen: SiteSeen) -> Iterator[str]:
    """Those of one reason in one line, where they are many: of saved pages, nearly all that they link to."""
    reasons = Counter(why for _, why in seen.failed)
    for why, count in reasons.items():
        failed = [ask for ask, reason in seen.failed if reason == why]
        if count > _MOST_TOLD_ALONE:
            yield f"{amount(count, 'page was', 'pages were')} not had, such as {failed[0].url} ({failed[0].purpose.value}): {why}"
        else:
            yield from (f"{ask.url} ({ask.purpose.value}) was not had: {why}" for ask in failed)


def _opening(requests: int, now: datetime) -> tuple[str, ...]:
    looked = f"with {amount(requests, 'request')}" if requests else "at stored pages, without a request"
    return (
        f"Made by `curator new` on {now:%Y-%m-%d}, which looked {looked}. Lines that it is not sure of say so: look at them.",
        "What each key means: `curator check --schema`, and docs/reference/portal-file.md.",
        "`portal` names the corpus folder and begins the ids of the documents: rename it before the first crawl, if you like, and with it"
        " the folder in `corpora`, which has the pages that were looked at.",
    )


def _by_preset(seen: SiteSeen, heads: HeadsOfPreset) -> ArchiveProposals:
    system, well = seen.system, heads.best or {}
    articles = [str(one["url"]) for one in well.get("articles", ())]
    found = amount(len(articles), "article") if articles else "what leads to its articles"
    is_its_own = system is not None and system.preset == heads.preset
    made = f"{system.software}, by {len(system.evidence)} signs" if system is not None and is_its_own else "a usual place"
    certainty = f" ({100 * min(system.certainty, 0.999):.1f} %)" if system is not None and is_its_own else ""
    reason = f"{made}{certainty}; its archive answers: `{well.get('column')}` gives {found} on its first page ({well.get('url')})"
    choice = Choice(value=heads.preset, reason=reason, samples=tuple(articles[:_SAMPLES]))
    return ArchiveProposals((Proposal(name="extends", path=("extends",), choices=(choice,), sure=True),), ())


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
            url=line["url"],
            articles=len(line.get(what, ())) if is_known else listed.get(line["column"], 0),
            what=what,
            next=line.get("next"),
            remarks=tuple(map(str, line.get("remarks", ()))),
            asked=is_known,
        )
