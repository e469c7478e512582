"""Opening posts of threads: who wrote one and when, beside what the page shows of the last answer, and what
its data say of the thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import NamedTuple

from webarticlecurator.dates import DAY, apart, is_later
from webarticlecurator.extraction.body.signs import Sign, reason_by
from webarticlecurator.extraction.forum_posts import FoundPost
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.threads import ordered_fields
from webarticlecurator.model.article import Post
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page
from webarticlecurator.text import folded

OF_PAGE = ("html:", "microdata:", "url:")
"""Sources of authors and dates that may be those of any post on the page."""
_ANY_CLOCK = timedelta(hours=14)
"""By how much clocks differ at most: the page may show the time of its readers."""
Read = Callable[[str], str | None]
"""A reader of dates, as ISO 8601."""


def first_read(times: Iterable[str], read: Read) -> str | None:
    """Return the first of the texts that is a date."""
    return next(filter(None, map(read, times)), None)


def with_opening_of_its_own(thread: Sequence[FoundPost], read: Read) -> Sequence[FoundPost]:
    """Return the posts of a thread; the first one without the name and the time of the last answer, which
    stand above it in some themes.

    They are the last answer's where that has the same time, or where the time is later than that of other
    posts, which go on in order.
    """
    opening, *answers = thread
    shown = first_read(opening.times, read) if opening.opens else None
    written = list(filter(None, (first_read(post.times, read) for post in answers)))
    if shown is None or not (shown in written or _is_after_all_in_order(shown, written)):
        return thread
    own = opening.signs.behind({time for time in opening.times if _is_of_answer(read(time), written)})
    return [opening.signed_anew(own), *answers] if first_read(own.times_in_order, read) else thread


def _is_after_all_in_order(shown: str, written: Sequence[str]) -> bool:
    """Return True if a date is later than the first of several that are in order."""
    if len(written) < 2 or not is_later(shown, written[0]):
        return False
    return not any(is_later(before, after) for before, after in pairwise(written))


def _is_of_answer(date: str | None, written: Sequence[str]) -> bool:
    return date is not None and not all(is_later(other, date) for other in written)


# --- what the data of the page say of the thread ---


def is_as_old_as_page(opening: Post, read: ReadMetadata) -> bool:
    """Return True if the data of a page say that it was made when its first post was written, so that it was
    made for that."""
    dates = read.metadata.get("datePublished", ())
    return opening.when in [date.value for date in dates if not date.source.startswith(OF_PAGE)]


def with_opening(read: ReadMetadata, opening: Post | None, posts: Sequence[Post], page: Page) -> ReadMetadata:
    """Return the metadata of a thread: it is by whoever wrote its first post, and of that time.

    Unless something surer says otherwise, which is flagged; it is by nobody known where only others of its
    posts are signed.
    """
    read = replace(read, type="DiscussionForumPosting")
    if opening is None or any("prev" in link.get("rel", "").lower() for link in page.outline.named("link")):
        return read  # the thread began elsewhere
    metadata = dict(read.metadata)
    if any(post.author for post in posts):
        metadata["author"] = _unless_surer(metadata.get("author", ()), opening.author)
    if any(post.when for post in posts):
        metadata["datePublished"] = _unless_surer(metadata.get("datePublished", ()), opening.when)
    flags = (
        *read.flags,
        *_contradictions(metadata.get("author", ()), metadata.get("datePublished", ()), opening),
    )
    return replace(read, metadata=ordered_fields(metadata), flags=flags)


def _unless_surer(found: tuple[Found, ...], value: str | None) -> tuple[Found, ...]:
    """Return the value of the opening post in place of one that may be any post's."""
    day = (value or "")[:DAY]
    if not all(other.source.startswith(OF_PAGE) or other.value == day for other in found):
        return found
    return (Found(value=value, raw=value, source="posts.forum"),) if value else ()


def _contradictions(authors: Sequence[Found], dates: Sequence[Found], opening: Post) -> Iterator[str]:
    """Yield what the data of the page say of a thread, and its opening post does not."""
    data = _ThreadByData([author.value for author in authors], [date.value for date in dates], opening)
    return filter(None, (reason_by((sign,), data) for sign in _SIGNS_OF_CONTRADICTION))


class _ThreadByData(NamedTuple):
    """Authors and dates that the data of a page tell of a thread, with its opening post."""

    authors: Sequence[str]
    dates: Sequence[str]
    opening: Post

    def has_author(self) -> bool:
        return bool(self.authors)

    def has_date(self) -> bool:
        return bool(self.dates)

    def is_opening_signed(self) -> bool:
        return bool(self.opening.author)

    def is_opening_dated(self) -> bool:
        return bool(self.opening.when)

    def is_by_somebody_else(self) -> bool:
        return folded(str(self.opening.author)) not in set(map(folded, self.authors))

    def is_of_another_time(self) -> bool:
        return apart(self.dates[0], str(self.opening.when)) > _ANY_CLOCK


_SIGNS_OF_CONTRADICTION: tuple[Sign[_ThreadByData], ...] = (
    Sign(
        lambda data: f"author is not that of the opening post, {data.opening.author}: {data.authors[0]}",
        (_ThreadByData.has_author, _ThreadByData.is_opening_signed, _ThreadByData.is_by_somebody_else),
    ),
    Sign(
        lambda data: f"datePublished is not that of the opening post, {data.opening.when}: {data.dates[0]}",
        (_ThreadByData.has_date, _ThreadByData.is_opening_dated, _ThreadByData.is_of_another_time),
    ),
)
