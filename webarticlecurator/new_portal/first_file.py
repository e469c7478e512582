"""What a look has seen, as the text of a portal file; and that file, tried on the pages that were seen."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.crawling.run import wall_in
from webarticlecurator.databases import Row
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.metadata.dates import is_utc
from webarticlecurator.extraction.metadata.read import read_metadata
from webarticlecurator.extraction.site_entrances import home_of, site_titles
from webarticlecurator.learning.answers import first_portal_file
from webarticlecurator.learning.site import about
from webarticlecurator.learning.site.archive_proposals import ArchiveProposals, propose_archives
from webarticlecurator.learning.site.scripts_needed import shown_on, shows_hardly_anything
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page, Wall
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.new_portal.look import INTERRUPTED, Look, LookedAt
from webarticlecurator.trial import look_at_heads


def look_and_write(named: str, portal: Portal, source: LookedAt, now: datetime) -> Row:
    """Look at the site of a portal, as far as the source goes, and make a portal file of what is there. `named`: what was asked about.

    `text`: the file, None where there is nothing to write. `columns`: what its rules find on the page that each column
    begins with, how many `articles`, and `what` they are (links, or sitemaps); `asked`: it was looked at, else a crawl will show.
    `blocked`: why the site keeps us out, or what it wants first; `failed`: why it could not be read, though nobody keeps us out.
    """
    began, look = time.monotonic(), Look(portal, source, now)
    made = Row(source=named, portal=portal.name, columns=(), unsure=(), remarks=())
    made |= dict.fromkeys(("text", "system", "preset", "blocked", "failed"))
    look.go()
    source.is_over = True  # what the rules of the file are tried on was seen
    made["interrupted"] = look.stopped == INTERRUPTED
    if look.seen is None:
        made |= _nothing(named, look)
    elif not made.interrupted:
        made |= _written(portal.name, look, look.seen)
    made |= {"requests": source.requests, "seconds": time.monotonic() - began}
    return made


def _nothing(named: str, look: Look) -> dict[str, str]:
    """Why the home page could not be read: kept out, or something else."""
    fetched, page = look.first, look.no_home
    if fetched is None:
        return {"failed": look.stopped or "nothing was asked"}
    if page is not None and page.wall is not None:
        wants = {Wall.CONSENT: "it asks for consent to cookies first", Wall.CAPTCHA: "it asks to prove to be a person"}
        return {"blocked": f"{wants.get(page.wall, 'it keeps us out')} ({page.reason})"}
    if (wall := wall_in(fetched)) is not None:
        return {"blocked": f"it keeps us out ({wall})"}
    if fetched.verdict.outcome is FetchOutcome.ROBOTS:
        return {"blocked": "its robots.txt forbids programs to read it"}
    last = fetched.exchanges[-1] if fetched.exchanges else None
    if last is not None and last.status in (401, 403, 407, 429, 451):
        asks = "which asks for a login" if last.status in (401, 407) else "a refusal"
        return {"blocked": f"it answers HTTP {last.status}, {asks}"}
    if last is not None and "other host" in fetched.verdict.reason:
        target = next((value for name, value in last.headers if name.lower() == "location"), "")
        return {"failed": f"{named} leads to another site ({target}): if that is meant, give its address"}
    return {"failed": page.reason if page is not None else fetched.verdict.reason}


def _what_it_wants(seen: SiteSeen) -> str | None:
    """What a home page that can be read tells of what cannot; a page of greetings says nothing of articles that have text."""
    text, shown, outline = len(about.body_text(seen.home)), shown_on(seen.home), seen.home.outline
    if text < 300 and len(shown.links) < 5 and any(field.get("type") == "password" for field in outline.named("input")):
        return f"it asks for a login: its home page has {text} characters of text and a field for a password"
    if all(page.outline.rows("script") and shows_hardly_anything(page) for page in (seen.home, *seen.articles)):
        without = f"without its scripts the home page has {shown.words} words and {len(shown.links)} links outside of menus"
        then = "`fetch: {via: browser}` crawls with one (docs/how-to/kinds-of-portals.md)"
        return f"it seems to need a browser: {without}; {then}"
    return None


def _written(name: str, look: Look, seen: SiteSeen) -> dict[str, Any]:
    """The portal file, what is to be said of it, and what its rules find on the pages that were looked at."""
    language = about.language_proposal(seen.home, seen.pages)
    zone = about.timezone_proposal(seen.home.url, language, seen.pages)
    found = propose_archives(seen) if look.preset is None else ArchiveProposals([_extends(look, seen)])
    archives, remarks, listed = found.proposals, found.remarks, found.listed
    is_beside = any(proposal.path == ("columns", "forum") for proposal in archives)  # which has a kind of its own
    kind = about.kind_proposal(seen) if not is_beside else None
    titles = site_titles(seen.home, seen.pages, seen.title_of_feed)
    called = None
    if len(titles) > 1:
        choices = (Choice(value=title, reason="a part of the titles that are alike on all pages") for title in titles)
        called = Proposal.at(("title",), choices, "What is the site called?")
    proposals = [*filter(None, (called, kind, language, zone)), *archives]
    home = home_of(seen.home) if look.preset else seen.home.url
    facts = {"portal": name, "title": "".join(titles) if called is None else "", "home": home}
    requests, columns = look.source.requests, list[Row]()
    looked = f"with {amount(requests, 'request')}" if requests else "at stored pages, without a request"
    opening: tuple[str, ...] = (
        f"Made by `curator new` on {look.now:%Y-%m-%d}, which looked {looked}. Lines that it is not sure of say so: look at them.",
        "What each key means: `curator check --schema`, and docs/reference/portal-file.md.",
        "`portal` names the corpus folder and begins the ids of the documents: rename it before the first crawl, if you like, and with it"
        " the folder in `corpora`, which has the pages that were looked at.",
    )
    if kind is None:
        opening += (
            "It is taken for news (NewsArticle): if it is a blog or a forum, add `kind: blog` or `kind: forum`: its"
            " articles are called BlogPosting or DiscussionForumPosting then, and in a forum a thread of one post is read as such, too.",
        )
    text = first_portal_file(facts, proposals, opening=opening)
    portal = load_portal(Path(FILE_NAME), content=text.encode())
    needs_zone = not _has_own_clock(look, seen.articles, portal)
    if zone is not None and not (zone.sure or needs_zone):
        proposals.remove(zone)
        text = first_portal_file(facts, proposals, opening=opening)
        portal = load_portal(Path(FILE_NAME), content=text.encode())
    for line in look_at_heads(portal, look.source, look.now):
        what = next((kind for kind in ("articles", "sitemaps", "sections") if line.get(kind)), "articles")
        is_known = "articles" in line or line.get("outcome") not in (FetchOutcome.QUEUED.value, None)
        column = Row(
            name=line["column"],
            url=line.get("url") or "",
            # else what was listed on pages of the column where its walk begins at another one
            articles=len(line.get(what, ())) if is_known else listed.get(line["column"], 0),
            what=what,
            next=line.get("next"),
            remarks=tuple(map(str, line.get("remarks", ()))),
            asked=is_known,
        )
        columns.append(column)
    wants = _what_it_wants(seen)
    return {
        "text": text,
        "system": seen.system.software if seen.system is not None else None,
        "preset": look.preset,
        "columns": tuple(columns),
        "unsure": tuple(proposal for proposal in proposals if not proposal.sure),
        "remarks": (*_doubts(look, seen, portal, wants, language, needs_zone=zone is None and needs_zone), *remarks),
        "blocked": look.source.blocked or (wants if not any(column.articles for column in columns) else None),
    }


def _has_own_clock(look: Look, articles: Sequence[Page], portal: Portal) -> bool:
    """Whether no date that was seen needs a time zone: each has an offset, or is a day, or a day's begin in UTC, by any zone the same."""
    read = []
    for zone in ("UTC", "America/Los_Angeles", "Asia/Tokyo"):  # far apart
        ruled = replace(portal, timezone=ZoneInfo(zone))
        pages = [read_article([replace(page, budget=Budget())], ruled, id="", identity="", url=page.url) for page in articles]
        read.append((list(look_at_heads(ruled, look.source, look.now)), pages))
    dates = [article.metadata.get("datePublished", ()) for article in read[0][1]]
    is_told = (
        bool(dates) and all(dates) and not any(is_utc(date) and "T00:00:00" not in date.value for of_page in dates for date in of_page)
    )
    return is_told and all(by_zone == read[0] for by_zone in read)


def _doubts(look: Look, seen: SiteSeen, portal: Portal, wants: str | None, language: Proposal | None, *, needs_zone: bool) -> Iterator[str]:
    if look.article:
        yield (
            f"{look.article} is an article: the home page of its site was looked at, {seen.home.url}; if it is a list, write a column"
            f" for it with `url: {look.article}`, `link: SELECTOR` of the links to articles, and `next: SELECTOR` of that to its next page"
        )
    if wants is not None:
        yield wants
    if seen.system is not None and look.preset is None:
        yield f"its software has a preset, `{seen.system.preset}`, but the archive that this knows did not answer"
    if language is None and (several := about.several_languages(seen.pages)):
        stated = sorted(set(filter(None, map(about.stated_language, seen.pages))))
        said = f"its pages call themselves {', '.join(stated)}, and documents say so, too"
        what = "without `language`, each article has that of its own words"
        if stated:
            what = f"{said}, until `metadata.inLanguage` finds a better place"
        yield f"it is in several languages ({', '.join(several)}): {what}"
    elif language is None:
        yield "nothing tells the language: what each page says of itself counts until `language` says otherwise"
    if needs_zone:
        yield (
            "nothing names the time zone: until `timezone` does, dates without an offset count as UTC, and those in UTC stay so, which"
            " may be the day before or after the one that readers see; where readers see UTC, too, write `timezone: UTC`"
        )
    # those of one reason in one line, where they are many: of WARC files, nearly all that the pages link to
    for why, count in Counter(why for _, why, _ in seen.failed).items():
        urls = [url for url, reason, _ in seen.failed if reason == why]
        if count > 3:
            yield f"{amount(count, 'page')} gave nothing, such as {urls[0]}: {why}"
        else:
            yield from (f"{url} gave nothing: {why}" for url in urls)
    if look.stopped is not None:
        yield f"the look ended before all was seen: {look.stopped}"
    if seen.threads and seen.boards is None and look.preset is None:
        yield (
            f"{seen.threads[0].requested_url} is a thread of a forum, and no page was seen that leads to its boards: if there is one, write"
            " under `archive` its `url`, `sections: SELECTOR` of the links to boards, and `link` and `next` on the pages of these"
        )
    # articles of which neither rules nor pages tell when they were published: a person looks where else that stands
    dates = [read_metadata(page, portal, portal.metadata).metadata.get("datePublished", ()) for page in seen.articles]
    by_lists = any("datePublished" in column.fields for column in portal.columns)
    if dates and not by_lists and all(date.source == "url:date" for of_page in dates for date in of_page):
        looked = amount(len(seen.articles), "article that was looked at tells", "articles that were looked at tell")
        feed = f"; {seen.feeds[0].entrance.url} is a feed, which may tell it of the newest ones (`format: feed`)" if seen.feeds else ""
        left = "documents have none, or one of their text, such as that of an update"
        if any(dates):
            left = "documents have the day that the addresses tell, whose clock may be another"
        where = f"`metadata.datePublished` may say where it stands, or `archive.fields` if only the list shows it; else {left}"
        yield f"{looked} no date that could be read (such as {seen.articles[0].requested_url}): {where}{feed}"


def _extends(look: Look, seen: SiteSeen) -> Proposal:
    system, line = seen.system, look.answer
    articles = [str(article["url"]) for article in line.get("articles", ())]
    gives = amount(len(articles), "article") if articles else "what leads to its articles"
    made = "a usual place"
    if system is not None and system.preset == look.preset:
        made = f"{system.software}, by {system.signs} signs ({100 * min(system.certainty, 0.999):.1f} %)"
    reason = f"{made}; its archive answers: `{line.get('column')}` gives {gives} on its first page ({line.get('url')})"
    return Proposal.at(("extends",), [Choice(value=look.preset, reason=reason, samples=tuple(articles[:3]))])
