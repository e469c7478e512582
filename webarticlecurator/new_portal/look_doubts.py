"""Doubts for a person to look at after a look at a site: a table of questions, each of which gives its
sentences, or none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.metadata.read import read_metadata
from webarticlecurator.learning.site import about
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.new_portal.look import Look

_MOST_OF_REASON = 3
"""Pages of one reason that are named each."""


@dataclass(frozen=True, slots=True)
class FirstFile:
    """A first portal file, with the look that it was made by."""

    look: Look
    seen: SiteSeen
    portal: Portal
    has_language: bool
    """The file says in which language the site is."""
    lacks_zone: bool
    """True if nothing tells the time zone that its dates need."""
    wants: str | None
    """The thing that the site wants first; None if it wants nothing."""


def doubts_of(file: FirstFile) -> Iterator[str]:
    """Yield what a person should look at."""
    for doubt in _DOUBTS:
        yield from doubt(file)


def _article_in_place_of_home(file: FirstFile) -> Iterator[str]:
    if url := file.look.article:
        yield (
            f"{url} is an article: the home page of its site was looked at, {file.seen.home.url}; if it is a "
            "list, write a column"
            f" for it with `url: {url}`, `link: SELECTOR` of the links to articles, and `next: SELECTOR` of "
            "that to its next page"
        )


def _what_it_wants(file: FirstFile) -> Iterator[str]:
    if file.wants is not None:
        yield file.wants


def _preset_without_answer(file: FirstFile) -> Iterator[str]:
    system = file.seen.system
    if system is not None and file.look.preset is None:
        yield f"its software has a preset, `{system.preset}`, but the archive that this knows did not answer"


def _language(file: FirstFile) -> Iterator[str]:
    if file.has_language:
        return
    several = about.several_languages(file.seen.pages)
    if not several:
        yield (
            "nothing tells the language: what each page says of itself counts until `language` says otherwise"
        )
        return
    stated = sorted(set(filter(None, map(about.stated_language, file.seen.pages))))
    what = "without `language`, each article has that of its own words"
    if stated:
        called = f"its pages call themselves {', '.join(stated)}, and documents say so, too"
        what = f"{called}, until `metadata.inLanguage` finds a better place"
    yield f"it is in several languages ({', '.join(several)}): {what}"


def _time_zone(file: FirstFile) -> Iterator[str]:
    if file.lacks_zone:
        yield (
            "nothing names the time zone: until `timezone` does, dates without an offset count as UTC, and "
            "those in UTC stay so, which"
            " may be the day before or after the one that readers see; where readers see UTC, too, write "
            "`timezone: UTC`"
        )


def _pages_not_had(file: FirstFile) -> Iterator[str]:
    """Yield pages that gave nothing; those of one reason in one line, where they are many: of WARC files,
    nearly all that the pages link to."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for url, reason, _ in file.seen.failed:
        by_reason[reason].append(url)
    for reason, urls in by_reason.items():
        if len(urls) > _MOST_OF_REASON:
            yield f"{amount(len(urls), 'page')} gave nothing, such as {urls[0]}: {reason}"
        else:
            yield from (f"{url} gave nothing: {reason}" for url in urls)


def _early_end(file: FirstFile) -> Iterator[str]:
    if file.look.stopped is not None:
        yield f"the look ended before all was seen: {file.look.stopped}"


def _threads_without_boards(file: FirstFile) -> Iterator[str]:
    seen = file.seen
    if seen.threads and seen.boards is None and file.look.preset is None:
        yield (
            f"{seen.threads[0].requested_url} is a thread of a forum, and no page was seen that leads to its "
            "boards: if there is one, write"
            " under `archive` its `url`, `sections: SELECTOR` of the links to boards, and `link` and `next` "
            "on the pages of these"
        )


def _dates_not_told(file: FirstFile) -> Iterator[str]:
    """Articles of which neither rules nor pages tell when they were published: a person looks where else that
    stands."""
    seen, portal = file.seen, file.portal
    if not seen.articles or any("datePublished" in column.fields for column in portal.columns):
        return
    dates = [
        read_metadata(page, portal, portal.metadata).metadata.get("datePublished", ())
        for page in seen.articles
    ]
    if any(date.source != "url:date" for of_page in dates for date in of_page):
        return
    looked = amount(
        len(seen.articles), "article that was looked at tells", "articles that were looked at tell"
    )
    feed = (
        f"; {seen.feeds[0].entrance.url} is a feed, which may tell it of the newest ones (`format: feed`)"
        if seen.feeds
        else ""
    )
    left = "documents have none, or one of their text, such as that of an update"
    if any(dates):
        left = "documents have the day that the addresses tell, whose clock may be another"
    where = (
        "`metadata.datePublished` may say where it stands, or `archive.fields` if only the list shows it; "
        f"else {left}"
    )
    yield f"{looked} no date that could be read (such as {seen.articles[0].requested_url}): {where}{feed}"


_DOUBTS: tuple[Callable[[FirstFile], Iterator[str]], ...] = (
    _article_in_place_of_home,
    _what_it_wants,
    _preset_without_answer,
    _language,
    _time_zone,
    _pages_not_had,
    _early_end,
    _threads_without_boards,
    _dates_not_told,
)
