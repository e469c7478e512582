"""What a site is: whether it is a blog or a forum, in which language it is written, and by which clock its dates are meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from zoneinfo import ZoneInfo, available_timezones

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import PortalKind
from webarticlecurator.dates import in_reach
from webarticlecurator.extraction.language_guess import identify
from webarticlecurator.extraction.site_entrances import about_site, generators
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.page import LINE, Page, type_names
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import element_text, primary, squeeze
from webarticlecurator.urls import bare_host
from webarticlecurator.word_lists import read_word_lists

_MOST_CHOICES = 3

_GENERATORS = {
    PortalKind.FORUM: linear(r"(?:flarum|fluxbb|invision|vanilla|vbulletin)\b", re.IGNORECASE),
    PortalKind.BLOG: linear(r"(?:hexo|jekyll|movable type|nikola|pelican|publii|serendipity|typepad)\b", re.IGNORECASE),
}
"""Software that has no preset, as pages name it."""


def kind_proposal(seen: SiteSeen) -> Proposal | None:
    """That it is a blog, or a forum by its software or its threads; not sure where only names say so. None: nothing tells that, or some
    page of what is no forum calls itself news."""
    home, pages, system = seen.home, seen.pages, seen.system
    named = ((name, kind) for name in generators(home) for kind, pattern in _GENERATORS.items() if pattern.match(name))
    software, kind = (system.software, system.kind) if system is not None else next(named, ("", None))
    reason, sure = f"it is made with {software}, which makes {kind}s", True
    question = "Is it a blog? Else delete the line: documents are NewsArticle, where pages say no other type."
    if kind is None and seen.threads:
        kind, sure = PortalKind.FORUM, len(seen.threads) == len(seen.articles) > 1
        reason = f"{len(seen.threads)} of {amount(len(seen.articles), 'page')} that were looked at are threads with posts"
        question = question.replace("blog", "forum")
    if kind is not PortalKind.FORUM:
        types = []  # what each page says for programs of what it is
        for page in (page for page in pages if page.tree is not None):
            marked = (element.get("itemtype") or element.get("typeof") or "" for element in page.outline.elements)
            types.append("\n".join([*chain.from_iterable(map(type_names, page.json_ld_objects)), *marked]))
        if any(linear(r"\b(?:News|Reportage)").search(names) for names in types):
            return None
        if typed := sum(linear(r"\bBlog(?:Posting)?\b").search(names) is not None for names in types):
            kind, reason = PortalKind.BLOG, f"{typed} of {amount(len(pages), 'page')} call themselves posts of a blog"
    in_words = linear(r"blog(?!s\b)\w{0,3}\b", re.IGNORECASE)  # "Reiseblog", "Anna blogja"
    if kind is None and (says := next((text for text in (*about_site(home), seen.title_of_feed) if in_words.search(text)), None)):
        kind, reason, sure = PortalKind.BLOG, f"it calls itself so: {says[:80]!r}", False
    addresses = (page.url.partition("://")[2] for page in seen.articles or [home])
    if kind is None and all(linear(r"(?:^|[/.])(?:web)?blogs?[/.]", re.IGNORECASE).search(url) for url in addresses):
        kind, reason, sure = PortalKind.BLOG, f"its addresses say so, such as {(seen.articles or [home])[0].url}", False
    return Proposal.at(("kind",), [Choice(value=kind.value, reason=reason)], None if sure else question) if kind is not None else None


def several_languages(pages: Sequence[Page]) -> tuple[str, ...]:
    """Those of the site's paragraphs, the most frequent first, if there is none that nearly all are in."""
    lines = (squeeze(line) for page in pages for line in "".join(page.outline.strings).split(LINE))
    guesses = (identify(line) for line in islice((line for line in lines if len(line) >= 60), 500))  # long enough to tell
    languages = Counter(guess.language for guess in guesses if guess is not None and guess.certainty != "low")
    common = [tag for tag, count in languages.most_common() if count >= 0.05 * languages.total()]
    several = languages.total() > 5 and max(languages.values()) < 0.7 * languages.total()
    return tuple(common) if several and len(common) > 1 else ()


def language_proposal(home: Page, pages: Sequence[Page]) -> Proposal | None:
    """By what the pages say; by their words where they say something else, or where they say nothing and most have the same."""
    if several_languages(pages):
        return None
    said = Counter(tag for page in pages if (tag := stated_language(page)) is not None)
    read = sorted(map(body_text, pages), key=len, reverse=True)[:5]  # those that say most
    by_words = Counter(guess.language for text in read if (guess := identify(text)) is not None and guess.certainty != "low")
    shown = [(tag, count) for tag, count in by_words.most_common() if said or 2 * count > len(read)]
    choices = [
        *(Choice(value=tag, reason=f"`<html lang>` of {count} of {len(pages)} pages") for tag, count in said.most_common()),
        *(Choice(value=tag, reason=f"the words of {count} of {len(read)} pages show it") for tag, count in shown),
    ]
    # pages whose words show one language are likelier right than a template that says another; a person is asked still
    unsaid = bool(said) and len(shown) == 1 and shown[0][1] > 1 and shown[0][0] not in set(map(primary, said))
    likeliest = shown[0][0] if unsaid else stated_language(home)
    by_tag: dict[str, Choice] = {}
    for choice in sorted(choices, key=lambda choice: choice.value != likeliest):
        by_tag.setdefault(str(choice.value).lower(), choice)
    kept = tuple(by_tag.values())[:_MOST_CHOICES]
    if not kept:
        return None
    sure = not shown or (not unsaid and primary(str(kept[0].value)) == shown[0][0])
    return Proposal.at(("language",), kept, None if sure else "In which language is the portal?")


def stated_language(page: Page) -> str | None:
    """What a page says of itself by `<html lang>`."""
    tag = (page.tree.get("lang") or "").strip() if page.tree is not None else ""
    return tag if linear_at(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*").fullmatch(tag) else None


def body_text(page: Page) -> str:
    """All text between its tags."""
    body = page.tree.find("body") if page.tree is not None else None
    return element_text(body) if body is not None else ""


_MOMENT = linear(r"\b(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?[+-]\d\d:?\d\d\b")
_ONE_COUNTRY = frozenset(linear(" ").split("bg cs da el et fi he hr hu is it ja ka ko lt lv mk nb no pl ro sk sl sq sv tr uk vi"))
"""Languages by which a country is known, though not for certain."""
_TERRITORIES = {"uk": "GB", "eu": None, "tv": None, "io": None, "me": None, "co": None, "ai": None, "fm": None, "ly": None, "to": None}
"""Endings of host names that are not the country's code, or that all the world uses."""
_WHERE_MOST_LIVE = read_word_lists(__file__, "zones.txt")["where most live"]
"""Of countries with several zones the one where most people live, and of other clocks of many people the zone that most of them have."""


def timezone_proposal(home: str, language: Proposal | None, pages: Sequence[Page]) -> Proposal | None:
    """The zones of the country that the address or the language tells, if the offsets of dates fit; None: nothing tells."""
    from babel.core import get_global

    moments = list(islice((moment for page in pages for moment in _moments(page)), 200))
    territory, why, is_certain = _territory(home, str(language.choices[0].value) if language is not None else "", of_many=bool(moments))
    known = available_timezones()
    zones = [zone for zone in get_global("territory_zones").get(territory or "", ()) if zone in known]
    zones = [zone for zone in zones if all(moment.astimezone(ZoneInfo(zone)).utcoffset() == moment.utcoffset() for moment in moments)]
    zones.sort(key=[*_WHERE_MOST_LIVE, *zones].index)
    # which of zones with one clock, since there were portals and for some years ahead, is meant changes nothing
    by_clock: dict[tuple[timedelta | None, ...], str] = {}
    weeks = [datetime(1990, 1, 1, tzinfo=UTC) + timedelta(weeks=week) for week in range(2_500)]
    for zone in zones:
        by_clock.setdefault(tuple(week.astimezone(ZoneInfo(zone)).utcoffset() for week in weeks), zone)
    zones = list(by_clock.values())
    offsets = ", ".join(sorted({moment.strftime("%z") for moment in moments}))
    fit = f"the offsets of {len(moments)} dates on the pages ({offsets}) fit"
    reason = f"{why}; {fit if moments else 'no date on the pages has an offset other than that of UTC'}"
    sure = len(zones) == 1 and (bool(moments) or is_certain)
    choices = [Choice(value=zone, reason=reason) for zone in zones[:_MOST_CHOICES]]
    return Proposal.at(("timezone",), choices, None if sure else "By which clock are its dates meant?") if choices else None


def _territory(home: str, language: str, *, of_many: bool) -> tuple[str | None, str, bool]:
    """The country, what tells it, and whether for certain; a language `of_many` countries tells the likeliest, where dates can speak
    against it."""
    from babel.core import get_global

    countries = get_global("territory_zones")
    ending = bare_host(home).rpartition(".")[2]
    if (country := _TERRITORIES.get(ending, ending.upper())) in countries:
        return country, f"the address ends in .{ending}", True
    tag, why = language.lower().replace("_", "-").split("-"), f"the language is {language}"
    if len(tag) > 1 and (region := tag[-1].upper()) in countries:
        return region, why, True
    likely = str(get_global("likely_subtags").get(tag[0], "")) if tag[0] in _ONE_COUNTRY or of_many else ""
    return likely.rpartition("_")[2] or None, why, False


def _moments(page: Page) -> Iterator[datetime]:
    """The dates with an offset that a page writes for programs; those of UTC tell nothing."""
    for element in page.tree.iter("meta", "time", "script") if page.tree is not None else ():
        if element.tag == "script":
            text = (element.text or "") if element.get("type") == "application/ld+json" else ""
        else:
            text = element.get("content" if element.tag == "meta" else "datetime") or ""
        for written in _MOMENT.findall(text[:100_000]):
            try:
                moment = datetime.fromisoformat(written)
            except ValueError:
                continue
            if moment.utcoffset() and in_reach(moment):
                yield moment
