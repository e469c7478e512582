"""Write the text of a portal file from what a look has seen, and try that file on the pages that were
seen."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.document.page_requisites import Names, chosen, named_on_page
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.metadata.dates import is_utc
from webarticlecurator.learning.lines_to_write import first_portal_file
from webarticlecurator.learning.site import about
from webarticlecurator.learning.site.archive_proposals import ArchiveProposals, propose_archives
from webarticlecurator.learning.site.entrances import home_of
from webarticlecurator.learning.site.names import site_titles
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.learning.site.time_zone import time_zone_proposal
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.new_portal.asked_pages import INTERRUPTED, AskedPages, LookedAt
from webarticlecurator.new_portal.look import Look
from webarticlecurator.new_portal.look_doubts import FirstFile, doubts_of
from webarticlecurator.new_portal.why_unread import what_it_wants, why_unread
from webarticlecurator.stages.trial import look_at_heads


def look_and_write(named: str, portal: Portal, source: LookedAt, now: datetime) -> Row:
    """Look at the site of a portal, as far as the source goes, and make a portal file of what is there.
    `named`: what was asked about.

    `text`: the file, None where there is nothing to write. `columns`: what its rules find on the page that
    each column begins with, how many `articles`, and `what` they are (links, or sitemaps); `asked`: it was
    looked at, else a crawl will show. `blocked`: why the site keeps us out, or what it wants first; `failed`:
    why it could not be read, though nobody keeps us out.
    """
    began, look = time.monotonic(), Look(portal, AskedPages(source), now)
    made = Row(source=named, portal=portal.name, columns=(), unsure=(), remarks=())
    made |= dict.fromkeys(("text", "system", "preset", "blocked", "failed"))
    look.go()
    source.is_over = True  # what the rules of the file are tried on was seen
    made["interrupted"] = look.stopped == INTERRUPTED
    if look.seen is None:
        made |= why_unread(named, look)
    elif not made.interrupted:
        made |= _written(portal, look, look.seen)
    made |= {"requests": source.requests, "seconds": time.monotonic() - began}
    return made


def _written(asked: Portal, look: Look, seen: SiteSeen) -> dict[str, Any]:
    """Return the portal file, what is to be said of it, and what its rules find on the pages that were looked
    at."""
    language = about.language_proposal(seen.home, seen.pages)
    zone = time_zone_proposal(seen.home.url, language, seen.pages)
    found = propose_archives(seen) if look.preset is None else ArchiveProposals([_extends(look, seen)])
    titles = site_titles(seen.home, seen.pages, seen.title_of_feed)
    title = titles[0] if len(titles) == 1 else ""
    facts = {
        "portal": asked.name,
        "title": title,
        "home": home_of(seen.home) if look.preset else seen.home.url,
        **_makers(asked),
    }
    proposals = [*filter(None, (_title(titles), _kind(seen, found), language, zone)), *found.proposals]
    proposals += _style_sheets(seen)
    text, portal = _file(look, facts, proposals)
    needs_zone = not _has_own_clock(look, seen.articles, portal)
    if zone is not None and not (zone.sure or needs_zone):
        proposals.remove(zone)
        text, portal = _file(look, facts, proposals)
    columns = tuple(
        _column_seen(line, found.listed) for line in look_at_heads(portal, look.asked.source, look.now)
    )
    wants = what_it_wants(seen)
    wants_first = None if any(column.articles for column in columns) else wants
    doubts = doubts_of(
        FirstFile(look, seen, portal, language is not None, zone is None and needs_zone, wants)
    )
    return {
        "text": text,
        "system": seen.system.software if seen.system is not None else None,
        "preset": look.preset,
        "columns": columns,
        "unsure": tuple(proposal for proposal in proposals if not proposal.sure),
        "remarks": (*doubts, *found.remarks),
        "blocked": look.asked.source.blocked or wants_first,
    }


def _makers(portal: Portal) -> dict[str, Plain]:
    """Return the line of a portal file that says who makes the corpus, if anybody said so."""
    first, *others = portal.creator or ("",)
    return {"creator": [first, *others] if others else first}


def _file(look: Look, facts: Mapping[str, Plain], proposals: Sequence[Proposal]) -> tuple[str, Portal]:
    """Return a portal file as text, and as it is read."""
    opening = _opening(look, has_kind=any(proposal.path == ("kind",) for proposal in proposals))
    text = first_portal_file(facts, proposals, opening=opening)
    return text, load_portal(Path(FILE_NAME), content=text.encode())


def _kind(seen: SiteSeen, found: ArchiveProposals) -> Proposal | None:
    """Return what kind of site it is; None where nothing tells it, or a forum beside other columns has a kind
    of its own."""
    is_beside = any(proposal.path == ("columns", "forum") for proposal in found.proposals)
    return None if is_beside else about.kind_proposal(seen)


def _title(titles: Sequence[str]) -> Proposal | None:
    """Return the question what the site is called; None where one title tells it, or none does."""
    if len(titles) < 2:
        return None
    choices = (
        Choice(value=title, reason="a part of the titles that are alike on all pages") for title in titles
    )
    return Proposal.at(("title",), choices, "What is the site called?")


def _style_sheets(seen: SiteSeen) -> Iterator[Proposal]:
    """Give the proposal to store style sheets, if pages of articles name any."""
    names: Names = {}
    for page in seen.articles:
        if page.tree is not None:
            names |= named_on_page(page.tree, page.base)
    sheets = list(chosen(names, ("css",)))
    if sheets:
        named = amount(len(sheets), "style sheet:", "style sheets, such as")
        reason = f"articles name {named} {sheets[0]}; stored, too, it shows their pages as they looked"
        yield Proposal.at(("fetch", "requisites"), [Choice(value=["css"], reason=reason)])


def _opening(look: Look, *, has_kind: bool) -> tuple[str, ...]:
    """Return the sentences above the file."""
    requests = look.asked.source.requests
    looked = f"with {amount(requests, 'request')}" if requests else "at stored pages, without a request"
    opening: tuple[str, ...] = (
        f"Made by `curator new` on {look.now:%Y-%m-%d}, which looked {looked}. Lines that it is not sure of "
        "say so: look at them.",
        "What each key means: `curator check --schema`, and docs/reference/portal-file.md.",
        "`portal` names the corpus folder and begins the ids of the documents: rename it before the first "
        "crawl, if you like, and with it"
        " the folder in `corpora`, which has the pages that were looked at.",
    )
    if has_kind:
        return opening
    return (
        *opening,
        "It is taken for news (NewsArticle): if it is a blog or a forum, add `kind: blog` or `kind: forum`: "
        "its"
        " articles are called BlogPosting or DiscussionForumPosting then, and in a forum a thread of one "
        "post is read as such, too.",
    )


def _column_seen(line: Mapping[str, Any], listed: Mapping[str, int]) -> Row:
    """Return what the rules find on the page that a column begins with; else what was `listed` on another
    page of it."""
    given = [kind for kind in ("articles", "sitemaps", "sections") if line.get(kind)]
    what = given[0] if given else "articles"
    is_asked = "articles" in line or line.get("outcome") not in (FetchOutcome.QUEUED.value, None)
    return Row(
        name=line["column"],
        url=line.get("url") or "",
        articles=len(line.get(what, ())) if is_asked else listed.get(line["column"], 0),
        what=what,
        next=line.get("next"),
        remarks=tuple(map(str, line.get("remarks", ()))),
        asked=is_asked,
    )


def _has_own_clock(look: Look, articles: Sequence[Page], portal: Portal) -> bool:
    """Say whether no date that was seen needs a time zone: each has an offset, or is a day, or a day's begin
    in UTC, by any zone the same."""
    read = []
    for zone in ("UTC", "America/Los_Angeles", "Asia/Tokyo"):  # far apart
        ruled = replace(portal, timezone=ZoneInfo(zone))
        pages = [
            read_article([replace(page, budget=Budget())], ruled, id="", identity="", url=page.url)
            for page in articles
        ]
        read.append((list(look_at_heads(ruled, look.asked.source, look.now)), pages))
    dates = [article.metadata.get("datePublished", ()) for article in read[0][1]]
    if not dates or not all(dates):
        return False
    has_time_in_utc = any(
        is_utc(date) and "T00:00:00" not in date.value for of_page in dates for date in of_page
    )
    return not has_time_in_utc and all(by_zone == read[0] for by_zone in read)


def _extends(look: Look, seen: SiteSeen) -> Proposal:
    system, line = seen.system, look.answer
    articles = [str(article["url"]) for article in line.get("articles", ())]
    gives = amount(len(articles), "article") if articles else "what leads to its articles"
    made = "a usual place"
    if system is not None and system.preset == look.preset:
        made = f"{system.software}, by {system.signs} signs ({100 * min(system.certainty, 0.999):.1f} %)"
    reason = (
        f"{made}; its archive answers: `{line.get('column')}` gives {gives} on its first page "
        f"({line.get('url')})"
    )
    return Proposal.at(("extends",), [Choice(value=look.preset, reason=reason, samples=tuple(articles[:3]))])
