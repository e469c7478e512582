"""Are more posts stated of threads, in the rows of lists or on their first pages, than their pages show?

No words that all boards share say which number counts posts: it is the one that agrees with the posts of the
threads that are whole. Where it says more of another thread, whose last page is full, that thread goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from webarticlecurator.config.portal import ArchiveFormat, Column, PortalKind
from webarticlecurator.corpus.events import FormState
from webarticlecurator.corpus.seen_addresses import COUNTED, SeenAddress, SeenForm
from webarticlecurator.crawling.looks import article_of, page_in, stored_pages
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.archive_page import numbers_of_articles
from webarticlecurator.extraction.numbers_in_places import numbers_in
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.article import COMMENTS, Article
from webarticlecurator.model.capture import Request
from webarticlecurator.warc.stored import StoredResponse

_MOST_LISTS = 4
"""Pages of lists that are looked at."""
_NEWEST = 200
"""Articles by which these pages are known."""
_MOST_THREADS = 16
"""Threads that are read in one crawl."""
_FEW = 4
"""Threads that are read to see whether articles of the portal have posts at all."""
_MOST_PAGES = 8
"""Pages of a thread that are read: where more are stored, its rules do lead on."""
_FEWEST_WHOLE = 3
"""Threads whose posts agree with a number, before the number is believed to count posts."""
_FEWEST_VALUES = 2
"""Numbers of posts among these: that a list says 1 of three threads of one post may be chance."""
_MOST_OTHERS = 0.2
"""Share of threads that neither agree nor go on: a post may have been written since it was counted, or
deleted."""


class ListedThread(NamedTuple):
    """A thread as the list has it."""

    url: str
    list_page: str
    numbers: Mapping[str, int]
    """By place in its row."""


@dataclass(frozen=True, slots=True)
class ReadThread:
    """A thread with what is stated of it, and what its stored pages show."""

    listed: ListedThread
    of_page: Mapping[str, int]
    """The numbers on its first page, by place."""
    posts: tuple[int, ...]
    """How many posts stand on each of its pages."""

    @property
    def shown(self) -> int:
        """The posts of all pages."""
        return sum(self.posts)


@dataclass(frozen=True, slots=True)
class StatedPosts:
    """A place of a number that counts posts, seen beside what threads show."""

    place: str
    whole: int
    """Threads that show as many."""
    short: Mapping[str, SeenAddress]
    """Threads that show fewer, and whose last page is full; with how many posts are stated, and where."""


def compare_counted_posts(run: Run) -> None:
    """Keep in mind which threads show fewer posts than are stated of them, until they show as many."""
    kinds = {run.portal.kind, *(column.kind for column in run.columns)}
    may_be_threads = PortalKind.FORUM in kinds or bool(run.portal.posts)
    if run.portal.articles.one_page or not may_be_threads:
        return
    _forget_whole(run)
    if not run.summary.fetched:
        return
    threads = list(_read_threads(run))
    found = [*_places(threads, in_list=True), *_places(threads, in_list=False)]
    counted = max(found, key=lambda stated: stated.whole, default=None)
    if counted is not None and counted.short:
        form = run.seen.counted.setdefault(f"{COUNTED}{counted.place}", SeenForm(FormState.ARTICLES))
        form.addresses |= counted.short


def _forget_whole(run: Run) -> None:
    """Forget the threads that show by now what was stated of them."""
    for name, form in list(run.seen.counted.items()):
        addresses = form.addresses.items()
        form.addresses = {url: stated for url, stated in addresses if sum(_posts_of(run, url)) < stated.pages}
        if not form.addresses:
            del run.seen.counted[name]


# --- threads, with what their pages show ---


def _read_threads(run: Run) -> Iterator[ReadThread]:
    """Read some threads that this crawl has stored, those of the highest and the lowest numbers.

    Where the first few have no posts, it reads no others.
    """
    listed = [thread for thread in _listed_threads(run) if run.ledger.was_asked(thread.url, run.number)]
    by_number = sorted(listed, key=lambda thread: -sum(thread.numbers.values()))
    half = _MOST_THREADS // 2
    chosen = dict.fromkeys(thread.url for thread in (*listed[:_FEW], *by_number[:half], *by_number[-half:]))
    by_url = {thread.url: thread for thread in listed}
    have_posts = False
    for at, url in enumerate(chosen):
        if at == _FEW and not have_posts:
            return
        posts = _posts_of(run, url)
        have_posts = have_posts or sum(posts) > 1
        first = next(stored_pages(run, [url]), None)
        if posts and first is not None and first.tree is not None:
            yield ReadThread(by_url[url], numbers_in(first.tree), posts)


def _listed_threads(run: Run) -> Iterator[ListedThread]:
    """Give the threads on the lists that led to the newest of them, with the numbers in their rows."""
    columns = [column for column in run.columns if column.format is ArchiveFormat.HTML]
    lists = {url: column for column in columns for url in _lists_of(run, column)}
    for url, column in islice(lists.items(), _MOST_LISTS):
        response = run.ledger.latest_response(Request(url=url).key)
        page = page_in(run, run.stored(response)) if response is not None else None
        if page is not None:
            numbers = run.guarded(url, partial(numbers_of_articles, page, column, run.portal), lambda _: {})
            yield from (ListedThread(thread, url, of_row) for thread, of_row in numbers.items())


def _lists_of(run: Run, column: Column) -> Iterator[str]:
    """Give the pages of a column, or of its sections, that led to its newest articles."""
    newest = run.ledger.listed_by(column.name, _NEWEST, last=True)
    return filter(None, (run.ledger.listed_first_on(identity_of(url, run.portal)) for url in newest))


def _posts_of(run: Run, url: str) -> tuple[int, ...]:
    """Return how many posts stand on each stored page of an article; nothing if it has very many pages, or no
    posts."""
    answers = _newest_answers(run, url)
    pages = (page_in(run, run.stored(answer)) for answer in (answers if len(answers) <= _MOST_PAGES else ()))
    articles = [article_of(run, page) for page in pages if page is not None]
    posts = tuple(_number_of_posts(article) for article in articles if article is not None)
    return posts if sum(posts) else ()


def _number_of_posts(article: Article) -> int:
    """Return how many posts an article has; comments below it are none."""
    return sum(post.kind != COMMENTS for post in article.posts)


def _newest_answers(run: Run, url: str) -> list[StoredResponse]:
    """Return the newest stored answer for each page of an article, in the order of its pages."""
    newest: dict[str, StoredResponse] = {}
    for answer in run.ledger.pages_of(url):
        newest.setdefault(answer.target, answer)
    return list(newest.values())


# --- which number counts posts ---


def _places(threads: Sequence[ReadThread], *, in_list: bool) -> Iterator[StatedPosts]:
    """Give the places of numbers that count posts, or replies to the first, in the rows of lists or on first
    pages."""
    numbers = [(thread, thread.listed.numbers if in_list else thread.of_page) for thread in threads]
    full = max(chain.from_iterable(thread.posts for thread in threads), default=0)
    for place in dict.fromkeys(chain.from_iterable(of for _, of in numbers)):
        for first_posts in (0, 1):
            stated = [(thread, of[place] + first_posts) for thread, of in numbers if place in of]
            counted = _compared(place, stated, full)
            if counted is not None:
                yield counted


def _compared(place: str, stated: Sequence[tuple[ReadThread, int]], full: int) -> StatedPosts | None:
    """Return a place whose numbers agree with the posts of most threads; None: it counts something else."""
    whole = [number for thread, number in stated if number == thread.shown]
    cut = [(thread, number) for thread, number in stated if thread.posts[-1] == full > 1]
    left = [(thread, number) for thread, number in cut if number > thread.shown]
    others = len(stated) - len(whole) - len(left)
    if len(whole) < _FEWEST_WHOLE or len(set(whole)) < _FEWEST_VALUES or others > _MOST_OTHERS * len(stated):
        return None
    short = {thread.listed.url: SeenAddress(thread.listed.list_page, number) for thread, number in left}
    return StatedPosts(place, len(whole), short)
