"""A look at a site: its plans carried out one after the other, and why there may be nothing to see."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from webarticlecurator.config.portal import Portal
from webarticlecurator.crawling.block_watch import wall_in
from webarticlecurator.document.page import read_page
from webarticlecurator.learning.site.look_plan import (
    Answer,
    Ask,
    Looking,
    Purpose,
    SiteSeen,
    look_again,
    look_at_archives,
    look_at_articles,
    look_at_home,
    look_at_lists,
    look_at_more_sections,
)
from webarticlecurator.learning.site.scripts_needed import needs_scripts, shown_on
from webarticlecurator.learning.site.since_when import look_at_older_dates
from webarticlecurator.learning.site.site_rules import RulesOfPreset
from webarticlecurator.model.capture import Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import Page, Wall
from webarticlecurator.new_portal.first_file import heads_of, heads_of_preset, written
from webarticlecurator.new_portal.results import NewPortal
from webarticlecurator.new_portal.sources import INTERRUPTED, LookedAt
from webarticlecurator.text import element_text

_HARDLY_ANY_TEXT, _HARDLY_ANY_LINKS = 300, 5


@dataclass(slots=True)
class _Look:
    """One look at one site."""

    source: LookedAt
    robots: str = ""
    first: Fetched | None = None
    stopped: str | None = None
    captures: dict[str, Fetched] = field(default_factory=dict)

    def follow(self, plan: Looking) -> None:
        """Do what a plan says, as long as anything may be asked."""
        try:
            ask = next(plan)
            while (why := self.source.spent) is None:
                ask = plan.send(self._answer(ask))
            self.stopped = why
        except StopIteration:
            pass

    def _answer(self, ask: Ask) -> Answer:
        is_list = ask.purpose in (Purpose.SITEMAP, Purpose.FEED)
        fetched = self.source.fetch(Request(url=ask.url, is_sitemap=ask.purpose is Purpose.SITEMAP))
        self.first = self.first or fetched
        self.robots = self.robots or "".join(_robots_text(one) for one in fetched.rights)
        capture = fetched.capture
        page = read_page(capture) if capture is not None and not is_list else None
        return Answer(fetched.verdict, page, capture, self.robots)


def _robots_text(exchange: Exchange) -> str:
    is_robots = exchange.request.url.endswith("/robots.txt") and exchange.status == 200
    return exchange.entity.decode("utf-8", "replace") if is_robots else ""


def look_and_write(named: str, portal: Portal, source: LookedAt, now: datetime) -> NewPortal:
    """Look at the site of a portal, as far as the source goes, and make a portal file of what is there. `named`: what was asked about."""
    began = time.monotonic()
    seen, look = SiteSeen(), _Look(source)
    look.follow(look_at_home(portal.home, seen))
    made = NewPortal(source=named, name=portal.name)
    if seen.home is None:
        made = _nothing(made, seen, look)
    else:
        answered = heads_of_preset(seen, portal, source, now)
        if answered is None or answered.best is None:
            look.follow(look_at_lists(seen, RulesOfPreset(seen.home.url)))
            look.follow(look_at_archives(seen))
            if seen.lists_nothing:
                feed = heads_of("feed", seen, portal, source, now)
                answered = feed if feed.best is not None else answered
        look.follow(look_at_articles(seen))
        look.follow(look_at_older_dates(seen))
        if seen.archives and not seen.archives[0].goes_on:
            look.follow(look_at_more_sections(seen))
        look.follow(look_again(seen))
        if look.stopped != INTERRUPTED:
            seen.stopped = look.stopped
            made = written(made, seen, answered, source, now, wants=_what_it_wants(seen.home, seen.articles))
    return replace(made, requests=source.requests, seconds=time.monotonic() - began, interrupted=look.stopped == INTERRUPTED)


def _nothing(made: NewPortal, seen: SiteSeen, look: _Look) -> NewPortal:
    """Why the home page could not be read: kept out, or something else."""
    verdict = seen.verdict
    wall = wall_in(look.first) if look.first is not None else None
    if seen.wall is not None and (seen.wall.wall is not None):
        wants = {Wall.CONSENT: "it asks for consent to cookies first", Wall.CAPTCHA: "it asks to prove to be a person"}
        return replace(made, blocked=f"{wants.get(seen.wall.wall, 'it keeps us out')} ({seen.wall.reason})")
    if wall is not None:
        return replace(made, blocked=f"it keeps us out ({wall})")
    if verdict is None:
        return replace(made, failed=look.stopped or "nothing was asked")
    if verdict.outcome is FetchOutcome.ROBOTS:
        return replace(made, blocked="its robots.txt forbids programs to read it")
    status = look.first.exchanges[-1].status if look.first is not None and look.first.exchanges else None
    if status in (401, 403, 407, 429, 451):
        return replace(made, blocked=f"it answers HTTP {status}{', which asks for a login' if status in (401, 407) else ', a refusal'}")
    if "other host" in verdict.reason and look.first is not None:
        return replace(made, failed=f"{made.source} leads to another site ({_target(look.first)}): if that is meant, give its address")
    reason = seen.wall.reason if seen.wall is not None else verdict.reason
    return replace(made, failed=reason)


def _target(fetched: Fetched) -> str:
    last = fetched.exchanges[-1] if fetched.exchanges else None
    return next((value for name, value in last.headers if name.lower() == "location"), "") if last is not None else ""


def _what_it_wants(home: Page, articles: Sequence[Page]) -> str | None:
    """What a home page that can be read tells of what cannot; a page of greetings says nothing of articles that have text."""
    assert home.tree is not None
    body = home.tree.find("body")
    text, shown = len(element_text(body)) if body is not None else 0, shown_on(home)
    if text < _HARDLY_ANY_TEXT and len(shown.links) < _HARDLY_ANY_LINKS and home.tree.find(".//input[@type='password']") is not None:
        return f"it asks for a login: its home page has {text} characters of text and a field for a password"
    if all(map(needs_scripts, (home, *articles))):
        without = f"without its scripts the home page has {shown.words} words and {len(shown.links)} links outside of menus"
        then = "`fetch: {via: browser}` crawls with one (docs/recipes/browser.md)"
        return f"it seems to need a browser: {without}; {then}"
    return None
