"""Read an article from what is stored of it: which capture of which page counts, and what the rules make of
them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path

from webarticlecurator.building.index_pages import IndexPages, StoredIndexPage, UnreadablePage
from webarticlecurator.building.page_names import MOST_PAGES
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.stored_articles import ArticleResponse, PostPlace, StoredArticle
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import CorpusError, PatternTimeout
from webarticlecurator.extraction.article_pages import missing_pages, next_article_page
from webarticlecurator.extraction.article_reader import read_article, read_index_post
from webarticlecurator.extraction.index_posts import has_several_articles
from webarticlecurator.model.article import COMMENTS, INDEX_SIGN, OLDER_SIGN, Article, CaptureRef
from webarticlecurator.model.outcome import DOCUMENTED, PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import squeeze
from webarticlecurator.warc.exchanges import CaptureReader

_STORED_AS_ARTICLE = (
    "an index page of posts, which was stored as an article; imported into a new corpus, each of its posts "
    "is one"
)
_SENTENCE_END = linear("[\n.!?…。！？]")
_SHORTEST_WHOLE = 300
"""Characters of what was stored before, else somebody took a sentence out of it."""
_LONGEST_NEWS = 2_500
"""Characters of what may have been shorter at first."""
_CUT = 1.25
"""How many times as long an older text is, where the newest is its beginning, as before a wall that names
itself nowhere."""
_HALVED = 2
"""How many times as long an older text is, where the newest has other parts of it."""
_LINES_OF_WALL = 2
"""Lines behind the beginning: "Read on for ..." in whatever language."""


@dataclass(frozen=True, slots=True)
class StoredReading:
    """Reads one article from the pages that are stored of it."""

    source: StoredArticle
    captures: CaptureReader
    portal: Portal
    pages: list[Page | UnreadablePage] = field(default_factory=list)
    """All pages that were looked at; of very many, no more than are asked for."""

    def article(self, index_pages: IndexPages) -> Article:
        """Return the article; whatever is wrong with its pages is its outcome, never an exception.

        Where its own page does not give it, the post on an index page may; `index_pages` are those that
        several articles are read from.
        """
        post = self.source.post
        if post is None:
            return self.from_own_page()
        own = self.from_own_page() if self.source.stored else None
        if own is not None and _is_enough(own, post):
            return own
        read = self._from_index_page(index_pages, post, own)
        return read if own is None or read.outcome is PageOutcome.ARTICLE else own

    def by_other_rules(self, warc: Path, portal: Portal) -> Article:
        """Return the article as other rules have it."""
        return replace(self, portal=portal, pages=[]).article(IndexPages(warc, portal))

    def from_own_page(self) -> Article:
        """Return the article by its own pages: by the newest capture that is a page, or by an older one that
        has more of it."""
        responses = self.source.first_responses
        failed: list[NoPage] = []
        for place, stored in enumerate(responses):
            page = self.page(stored)
            if isinstance(page, Page):
                return self._whole(self.of_page(stored, page), responses[place + 1 :])
            failed.append(page)
        # The newest capture says what is wrong; older ones were looked at only because it is.
        why = failed[0] if failed else NoPage("no whole response of it is stored")
        newest = responses[0] if responses else self.source.stored[0]
        return self._unread(why, (newest.capture,), newest.url)

    def page(self, stored: ArticleResponse) -> Page | NoPage:
        """Return a stored page, or why it is none."""
        try:
            capture = self.captures.read(stored.capture.location)
        except CorpusError as error:
            self.pages.append(UnreadablePage(str(error)))
            return self.pages[-1]
        if capture is None:
            return NoPage("the stored response is not whole")
        capture = replace(capture, requested_url=stored.asked)
        page = read_page(capture, encoding=self.portal.fetch.encoding, format=self.portal.articles.format)
        if isinstance(page, Page) and len(self.pages) <= MOST_PAGES:
            self.pages.append(page)
        return page

    def of_page(self, first: ArticleResponse, page: Page) -> Article:
        """Return the article that begins on a page, with its further pages."""
        if self.portal.reads_index_pages and self._has_several_articles(page):
            return self._unread(NoPage(_STORED_AS_ARTICLE, PageOutcome.LISTING), (first.capture,), first.url)
        pages, used = [page], [first.capture]
        for stored, following in self._further(first, pages):
            if isinstance(following, NoPage):
                return self._unread(
                    replace(following, reason=f"page {stored.part} of it: {following.reason}"),
                    tuple(used),
                    first.url,
                )
            pages.append(following)
            used.append(stored.capture)
        article = read_article(
            pages,
            self.portal,
            id=self.source.id,
            identity=self.source.identity,
            url=first.url,
            listing=self.source.listing,
            captures=tuple(used),
            versions=tuple(each.capture for each in self.source.first_responses if each is not first),
            no_page=self.source.no_page,
        )
        if len(pages) == 1 and article.next_page is None:
            return article
        return replace(article, missing_pages=missing_pages(pages, article.next_page, self.portal))

    def _has_several_articles(self, page: Page) -> bool:
        """Say whether a page holds several articles: one post alone may be this article, under another
        address."""
        with suppress(PatternTimeout):  # a page on which patterns take too long says so as an article
            return has_several_articles(page, self.portal, listed=self.source.listed)
        return False

    def _further(
        self, first: ArticleResponse, pages: list[Page]
    ) -> Iterator[tuple[ArticleResponse, Page | NoPage]]:
        """Give the further pages of an article, as far as they belong to this capture of its first page; at
        last one that is gone.

        The caller puts each page that it is given into `pages`.
        """
        further = [each for each in self.source.stored if each.url == first.url and each.part > 1]
        newest_of_part = {each.part: each for each in reversed(further)}
        for _, newest in sorted(newest_of_part.items()):
            if newest.capture.date < first.capture.date and not self._may_follow(newest, further, pages):
                return
            following = self._newest_page(newest, further)
            if following is None:
                return
            yield following

    def _newest_page(
        self, newest: ArticleResponse, further: list[ArticleResponse]
    ) -> tuple[ArticleResponse, Page | NoPage] | None:
        """Return the newest capture of a further page that is a page, else why it cannot be read; None if it
        is no page of anything."""
        # a revisit is as good as the response that it stands for, which may have been imported as another
        # page
        same = [
            each
            for each in further
            if (each.asked == newest.asked if newest.revisit else each.part == newest.part)
        ]
        unreadable: UnreadablePage | None = None
        for stored in same:
            page = NoPage("a revisit") if stored.revisit else self.page(stored)
            if isinstance(page, Page):
                return stored, page
            if unreadable is None and isinstance(page, UnreadablePage):
                unreadable = page
        return (newest, unreadable) if unreadable is not None else None

    def _may_follow(self, stored: ArticleResponse, further: list[ArticleResponse], pages: list[Page]) -> bool:
        """Say whether a page that is older than the article's first one still follows it: a link leads there,
        or to a missing page."""
        if self.portal.articles.next is None:
            return True
        try:
            led = next_article_page(pages[-1], self.portal, {page.requested_url for page in pages})
        except PatternTimeout:
            return False
        return led is not None and (led == stored.asked or all(led != each.asked for each in further))

    def _from_index_page(self, index_pages: IndexPages, post: PostPlace, own: Article | None) -> Article:
        """Return the article as it stands on the index page that lists it, or why it cannot be read there."""
        index = index_pages.read(StoredIndexPage(post.page, post.column, post.capture), self.captures)
        if isinstance(index, NoPage):
            return self._not_on_index_page(index, post)
        entry = index.by_identity.get(self.source.identity)
        if entry is None:
            return self._not_on_index_page(NoPage("it is not on it any more"), post)
        state, others = (
            ("not stored", ()) if own is None else (own.outcome.value, (*own.captures, *own.versions))
        )
        flags = (f"{INDEX_SIGN}the text is read from one, since the article's own page is {state}",)
        listing, captures = self.source.listing, (post.capture,)
        return read_index_post(
            index, entry, id=self.source.id, listing=listing, captures=captures, versions=others, flags=flags
        )

    def _not_on_index_page(self, why: NoPage, post: PostPlace) -> Article:
        return self._unread(
            replace(why, reason=f"the index page that it stands on: {why.reason}"),
            (post.capture,),
            self.source.url,
        )

    def _unread(self, why: NoPage, captures: tuple[CaptureRef, ...], url: str) -> Article:
        """Return an article of which only is known why it could not be read."""
        source = self.source
        return Article(
            id=source.id,
            identity=source.identity,
            url=url,
            outcome=why.outcome,
            reason=why.reason,
            captures=captures,
        )

    def _whole(self, newest: Article, older: Sequence[ArticleResponse]) -> Article:
        """Return the article as it was before it ended behind a wall, or its address came to show something
        else or a part of it.

        That is the last capture that was whole, if the oldest or the one before the newest is; else the
        newest.
        """
        is_stump = newest.outcome is PageOutcome.ARTICLE
        has_posts = is_stump and any(post.kind != COMMENTS for post in newest.posts)
        if not older or has_posts or newest.reason.startswith("articles.skip"):
            return newest
        last = len(older) - 1
        kept = self._before(newest, older[last])
        # the oldest may be short, too: news of a minute, before somebody wrote it out
        if kept is None and last > 0 and not (is_stump and newest.extent.characters > _LONGEST_NEWS):
            last = 0
            kept = self._before(newest, older[0])
        if kept is None:
            return newest
        latest = 1 + last_place(-1, last, lambda place: self._before(newest, older[place]) is None)
        whole = kept if latest == last else self._before(newest, older[latest])
        assert whole is not None  # it was when it was looked for
        since = "a part of it" if is_stump else f"{newest.outcome}: {newest.reason}"
        return replace(whole, flags=(*whole.flags, f"{OLDER_SIGN}what is stored since then is {since}"))

    def _before(self, newest: Article, stored: ArticleResponse) -> Article | None:
        """Return what an older capture gives, if the newest has lost it."""
        page = self.page(stored)
        read = self.of_page(stored, page) if isinstance(page, Page) else None
        if read is None or read.outcome is not PageOutcome.ARTICLE:
            return None
        if newest.outcome is not PageOutcome.ARTICLE:
            return read if read.extent.characters > newest.extent.characters else None
        is_longer = read.extent.characters > max(_SHORTEST_WHOLE, _CUT * newest.extent.characters)
        return read if is_longer and _is_part(newest, read) else None


def last_place(first: int, end: int, holds: Callable[[int], bool]) -> int:
    """Return the last place before `end` where something holds that holds at the first, by looking at the one
    in the middle each time."""
    while end - first > 1:
        middle = (first + end) // 2
        if holds(middle):
            first = middle
        else:
            end = middle
    return first


def _is_enough(own: Article, post: PostPlace) -> bool:
    """Say whether an article's own page is read and not the index page: it is whole, or shows as much of it
    before a wall."""
    if own.outcome in (PageOutcome.ARTICLE, PageOutcome.NOT_ARTICLE):
        return True
    return own.outcome in DOCUMENTED and own.extent.characters >= post.characters


def _is_part(short: Article, long: Article) -> bool:
    """Say whether a text is the beginning of another, or much shorter, and most of its sentences stand there,
    or their beginnings."""
    lines = short.text.split("\n")
    same = [
        line
        for line, _ in takewhile(
            lambda pair: pair[0] == pair[1], zip(lines, long.text.split("\n"), strict=False)
        )
    ]
    if len(lines) - len(same) <= _LINES_OF_WALL and 3 * sum(map(len, same)) > len(short.text):
        return True
    if long.extent.characters <= _HALVED * short.extent.characters:
        return False
    pieces, whole = [squeeze(piece) for piece in _SENTENCE_END.split(short.text)], long.words
    return 2 * sum(len(piece) for piece in pieces if piece in whole) > sum(map(len, pieces))
