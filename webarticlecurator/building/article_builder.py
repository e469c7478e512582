"""One article after the other: read from what is stored of it, made into a document, checked, and put in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from webarticlecurator.building.amid_articles import as_article
from webarticlecurator.building.builder import BuildJob, BuildResult, BuildTask
from webarticlecurator.building.index_pages import IndexPages, StoredIndexPage, UnreadablePage
from webarticlecurator.building.kept_article import FOLDER, ArticleRow, Contents, DocumentStore, row_of, unread_row
from webarticlecurator.building.portal_words import without_words
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.stored_articles import ArticleResponse, StoredArticle
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import CorpusError, PatternTimeout
from webarticlecurator.extraction.article_pages import missing_pages, next_article_page
from webarticlecurator.extraction.article_reader import read_article, read_index_post
from webarticlecurator.extraction.index_posts import has_several_articles
from webarticlecurator.model.article import AMID_SIGN, COMMENTS, DAMAGED_SIGN, INDEX_SIGN, OLDER_SIGN, Article, CaptureRef
from webarticlecurator.model.outcome import DOCUMENTED, Kept, PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.program_faults import LONGEST_REASON, reason_of
from webarticlecurator.tei.document import part_digest, render, validate
from webarticlecurator.text import squeeze
from webarticlecurator.warc.exchanges import CaptureReader


class ArticleBuilder:
    """A worker of a build, as `workers.pool` wants it."""

    def __init__(self, job: BuildJob) -> None:
        self._job = job
        self._store = DocumentStore(job.corpus.folder)
        self._index_pages = IndexPages(job.corpus.warc, job.portal)

    def make(self, tasks: Iterable[BuildTask]) -> list[BuildResult]:
        """Build articles, in the order of their places."""
        tasks = list(tasks)
        expected = (place for source, _ in tasks for place in source.places)
        with CaptureReader(self._job.corpus.warc, expected) as captures:
            return [self._finished(task, *self._built(task, captures)) for task in tasks]

    def give_up(self, task: BuildTask, reason: str) -> BuildResult:
        """An article whose building came to no end; the next build tries again."""
        result = self._finished(task, BuildResult(_failed(task, reason)), None)
        result.row.rules = ""
        return result

    def _built(self, task: BuildTask, captures: CaptureReader) -> tuple[BuildResult, bytes | None]:
        """What comes of an article, and the document if it has one."""
        source, known = task
        if source.left_out is not None:
            left_out = unread_row(source.id, source, source.left_out, captures=source.digest())
            return BuildResult(replace(left_out, outcome=PageOutcome.NOT_ARTICLE)), None
        captures.damaged.clear()
        try:
            article = read_source(source, captures, self._job.portal, self._index_pages)
            if self._job.amid_articles or (known is not None and AMID_SIGN in _read_from(known)):
                article = as_article(article)
            damaged = dict(captures.damaged)
            newest_damaged = _of_newest(source, damaged)
            if newest_damaged:
                article = replace(article, flags=(*article.flags, f"{DAMAGED_SIGN}the text is that of what is whole beside it"))
            if not self._job.only_compare and len(source.stored) > 1:
                article = replace(article, text_changed=text_changed(source, article, captures, self._job.portal))
            captured, article = article, without_words(article, self._job.portal_words)
            row = row_of(article, source)
            # a document that was made of an older capture may be lost by any of them
            decisive = damaged if known is not None and OLDER_SIGN in _read_from(known) else newest_damaged
            row.damaged, row.damage = next(iter(decisive.items()), (None, None))
            if any(stored.url != article.url for stored in source.stored):
                row.conflict = conflict_in(source, captured, captures, self._job.portal)
            if article.outcome not in DOCUMENTED:
                return BuildResult(row), None
            job = self._job
            document = render(article, job.portal, template=job.template, rules_digest=job.rules, now=job.day)
            if faults := validate(document):
                row.outcome, row.reason = PageOutcome.INVALID, f"the document is not valid: {faults[0]}"[:LONGEST_REASON]
                return BuildResult(row), None
            row.path, row.part = f"{FOLDER}/{article.folder}/{article.id}.xml", part_digest(document)
            return BuildResult(row, Contents.of(article)), document
        except Exception as error:  # a page may be anything, and one of them must never end a build
            return BuildResult(_failed(task, reason_of(error))), None

    def _finished(self, task: BuildTask, result: BuildResult, document: bytes | None) -> BuildResult:
        """With the document in its place, and what was known before."""
        row, (_, known) = result.row, task
        if known is not None and row.damage is not None and self._takes_away(known, row):
            # without what was built of: the next build tries again
            kept = replace(known, kept=Kept.PAGE_DAMAGED, damaged=row.damaged, damage=row.damage, captures="")
            return BuildResult(kept)
        row.rules, row.made_by = self._job.rules, self._job.rules if row.path else None
        if known is not None:
            result.removed = known.path is not None and row.path is None
            if (known.outcome, known.reason) == (row.outcome, row.reason):
                row.since = known.since
        if row.path is None and row.damage is not None:
            row.captures = ""  # the next build tries again
        if self._job.only_compare:
            result.written = row.part != (known.part if known is not None else None)
            return result
        if row.path is not None and document is not None:
            old = self._store.read(row.path)
            if old is not None and (old == document or part_digest(old) == row.part):
                row.size = len(old)
                row.made_by = known.made_by if known is not None else row.made_by
            else:
                self._store.write(row.path, document)
                row.size, result.written = len(document), True
        if known is not None and known.path is not None and known.path != row.path:
            self._store.remove(known.path)
        return result

    def _takes_away(self, known: ArticleRow, row: ArticleRow) -> bool:
        """Whether what is read beside a damaged record would take away the document that was made while it was whole."""
        if known.path is None or not self._store.has(known.path, known.size):
            return False  # a person has deleted it, if there was one
        return row.path is None or _read_from(known) != _read_from(row)


def _read_from(row: ArticleRow) -> set[str]:
    """Return how an article was read that has been read elsewhere, at another time, or beside its siblings, by the signs of its flags."""
    return {sign for sign in (AMID_SIGN, INDEX_SIGN, OLDER_SIGN, DAMAGED_SIGN) if any(flag.startswith(sign) for flag in row.flags)}


def _of_newest(source: StoredArticle, damaged: Mapping[str, str]) -> Mapping[str, str]:
    """The damaged records that are the newest ones of a page of the article, or of the index page that it stands on."""
    newest = {page.part: page.capture.record_id for page in reversed(source.stored) if not page.revisit}
    places = {*newest.values(), source.post.record if source.post is not None else ""}
    return {record: reason for record, reason in damaged.items() if record in places}


def _failed(task: BuildTask, reason: str) -> ArticleRow:
    """Of an article whose reading came to no end."""
    source, known = task
    row = unread_row(source.id, source, reason, captures=source.digest())
    row.captured = known.captured if known is not None else None
    return row


# --- from what is stored to the article: which capture of which page counts, and what the rules make of them ---

_STORED_AS_ARTICLE = "an index page of posts, which was stored as an article; imported into a new corpus, each of its posts is one"


_SENTENCE_END = linear("[\n.!?…。！？]")
_SHORTEST_WHOLE, _LONGEST_NEWS = 300, 2_500
"""Characters of what was stored before, else somebody took a sentence out of it; and of what may have been shorter at first."""
_CUT, _HALVED = 1.25, 2
"""How many times as long it is, where the newest is its beginning, as before a wall that names itself nowhere; and where that has other
parts of it."""
_LINES_OF_WALL = 2
"""Behind the beginning: "Read on for ..." in whatever language."""


def read_source(source: StoredArticle, captures: CaptureReader, portal: Portal, index_pages: IndexPages) -> Article:
    """The article; whatever is wrong with its pages is its outcome, never an exception.

    Where its own page does not give it, the post on an index page may; `index_pages` are those that several articles are read from.
    """
    own = _from_own_page(source, captures, portal) if source.stored else None
    if own is not None and (source.post is None or own.outcome in (PageOutcome.ARTICLE, PageOutcome.NOT_ARTICLE)):
        return own
    post = source.post
    assert post is not None
    if own is not None and own.outcome in DOCUMENTED and own.extent.characters >= post.characters:
        return own  # what is seen before a wall
    index = index_pages.read(StoredIndexPage(post.page, post.column, post.capture), captures)
    post_there = index.by_identity.get(source.identity) if not isinstance(index, NoPage) else None
    if isinstance(index, NoPage) or post_there is None:
        why = index if isinstance(index, NoPage) else NoPage("it is not on it any more")
        return own or _unread(source, replace(why, reason=f"the index page that it stands on: {why.reason}"), (post.capture,))
    state = "not stored" if own is None else own.outcome.value
    flags = (f"{INDEX_SIGN}the text is read from one, since the article's own page is {state}",)
    others = (*own.captures, *own.versions) if own is not None else ()
    captured = (post.capture,)
    read = read_index_post(index, post_there, id=source.id, listing=source.listing, captures=captured, versions=others, flags=flags)
    return read if own is None or read.outcome is PageOutcome.ARTICLE else own


def _from_own_page(source: StoredArticle, captures: CaptureReader, portal: Portal) -> Article:
    first = [each for each in source.stored if each.part == 1 and not each.revisit]
    failed: list[NoPage] = []
    for place, stored in enumerate(first):
        page = _page(stored, captures, portal)
        if isinstance(page, Page):
            article = _article(source, stored, page, captures, portal)
            older = first[place + 1 :]
            if not older or article.reason.startswith("articles.skip"):
                return article
            has_posts = article.outcome is PageOutcome.ARTICLE and any(post.kind != COMMENTS for post in article.posts)
            return article if has_posts else _whole_before(source, older, article, captures, portal)
        failed.append(page)
    # The newest capture says what is wrong; older ones were looked at only because it is.
    why = failed[0] if failed else NoPage("no whole response of it is stored")
    newest = first[0] if first else source.stored[0]
    return _unread(source, why, (newest.capture,), newest.url)


def _whole_before(source: StoredArticle, older: list[ArticleResponse], newest: Article, captures: CaptureReader, portal: Portal) -> Article:
    """What was stored before of an article that ended behind a wall, or whose address shows something else or a part of it by now: the last
    that was whole, if the oldest or the one before the newest is; else the newest."""
    is_stump = newest.outcome is PageOutcome.ARTICLE
    fewest = max(_SHORTEST_WHOLE, _CUT * newest.extent.characters) if is_stump else newest.extent.characters

    def whole(stored: ArticleResponse) -> Article | None:
        page = _page(stored, captures, portal)
        read = _article(source, stored, page, captures, portal) if isinstance(page, Page) else None
        if read is None or read.outcome is not PageOutcome.ARTICLE or read.extent.characters <= fewest:
            return None
        return read if not is_stump or _is_part(newest, read) else None

    cut, last = -1, len(older) - 1
    kept = whole(older[last])
    # the oldest may be short, too: news of a minute, before somebody wrote it out
    if kept is None and last > 0 and not (is_stump and newest.extent.characters > _LONGEST_NEWS):
        kept, last = whole(older[0]), 0
    if kept is None:
        return newest
    while last - cut > 1:
        middle = (cut + last) // 2
        if (between := whole(older[middle])) is not None:
            kept, last = between, middle
        else:
            cut = middle
    since = "a part of it" if is_stump else f"{newest.outcome}: {newest.reason}"
    return replace(kept, flags=(*kept.flags, f"{OLDER_SIGN}what is stored since then is {since}"))


def _is_part(short: Article, long: Article) -> bool:
    """Whether it is the beginning of the other, or much shorter, and most of its sentences stand there, or their beginnings."""
    lines = short.text.split("\n")
    same = [line for line, _ in takewhile(lambda pair: pair[0] == pair[1], zip(lines, long.text.split("\n"), strict=False))]
    if len(lines) - len(same) <= _LINES_OF_WALL and 3 * sum(map(len, same)) > len(short.text):
        return True
    if long.extent.characters <= _HALVED * short.extent.characters:
        return False
    pieces, whole = [squeeze(piece) for piece in _SENTENCE_END.split(short.text)], long.words
    return 2 * sum(len(piece) for piece in pieces if piece in whole) > sum(map(len, pieces))


def _unread(source: StoredArticle, why: NoPage, captures: tuple[CaptureRef, ...], url: str | None = None) -> Article:
    """An article of which only is known why it could not be read."""
    return Article(id=source.id, identity=source.identity, url=url or source.url, outcome=why.outcome, reason=why.reason, captures=captures)


def conflict_in(source: StoredArticle, article: Article, captures: CaptureReader, portal: Portal) -> str | None:
    """What speaks against it that the URLs of one identity are one article: another URL whose page has another headline
    and another text. Portals give an article a new headline, and an address made of it."""
    others: dict[str, ArticleResponse] = {}
    for stored in source.stored:
        if stored.part == 1 and not stored.revisit and stored.url != article.url:
            others.setdefault(stored.url, stored)
    mine = squeeze(article.title or "")
    for url, stored in others.items():
        page = _page(stored, captures, portal)
        if isinstance(page, Page):
            read = read_article([page], portal, id=source.id, identity=source.identity, url=url, listing={})
            other = squeeze(read.title or "")
            # of one article under two headlines, half of the text of the shorter one stands in the other, word for word
            lines = [{line for line in map(squeeze, each.text.split("\n")) if line} for each in (article, read)]
            common, *lengths = (sum(map(len, some)) for some in (lines[0] & lines[1], *lines))
            shares_text = common > 0 and 2 * common >= min(lengths)
            if mine and other and mine != other and not shares_text:
                return f"one identity, two headlines: {mine!r}, and {other!r} at {url}; `articles.identity` may take too much together"
    return None


def text_changed(source: StoredArticle, article: Article, captures: CaptureReader, portal: Portal) -> str | None:
    """When the capture was made that brought the article's headline and text; None where the oldest that can be read has it already.

    It follows from the captures alone, whenever they were built. Not all of them are read, since some articles are stored anew every
    night: the oldest, then always the one in the middle; so a text that was changed and changed back is the old one.
    """
    if source.post is not None and source.post.capture in article.captures:
        return None  # it stands on an index page
    states = source.states
    if len(states) < 2:
        return None

    def said_in(state: int) -> tuple[str | None, str] | None:
        older = _from_own_page(replace(source, stored=states[state], post=None), captures, portal)
        is_alike = (older.next_page, older.missing_pages) == (article.next_page, article.missing_pages)  # its pages came one by one
        return (older.title, older.words) if older.outcome in DOCUMENTED and is_alike else None

    oldest_readable = next(((state, said) for state in range(len(states) - 1, 0, -1) if (said := said_in(state)) is not None), None)
    says = (article.title, article.words)
    if oldest_readable is None or oldest_readable[1] == says:
        return None
    new, old = 0, oldest_readable[0]
    while old - new > 1:
        middle = (old + new) // 2
        new, old = (middle, old) if said_in(middle) == says else (new, middle)
    return replace(source, stored=states[new]).captured


def _article(source: StoredArticle, first: ArticleResponse, page: Page, captures: CaptureReader, portal: Portal) -> Article:
    if portal.reads_index_pages:
        # one post alone may be this article, under another address; a page on which patterns take too long says so as an article
        with suppress(PatternTimeout):
            if has_several_articles(page, portal, listed=source.listed):
                return _unread(source, NoPage(_STORED_AS_ARTICLE, PageOutcome.LISTING), (first.capture,), first.url)
    pages, used = [page], [first.capture]
    for stored, following in _further(source, first, pages, captures, portal):
        if isinstance(following, NoPage):
            return _unread(source, replace(following, reason=f"page {stored.part} of it: {following.reason}"), tuple(used), first.url)
        pages.append(following)
        used.append(stored.capture)
    others = tuple(each.capture for each in source.stored if each.part == 1 and not each.revisit and each is not first)
    article = read_article(
        pages,
        portal,
        id=source.id,
        identity=source.identity,
        url=first.url,
        listing=source.listing,
        captures=tuple(used),
        versions=others,
        no_page=source.no_page,
    )
    missing = missing_pages(pages, article.next_page, portal) if len(pages) > 1 or article.next_page is not None else ()
    return replace(article, missing_pages=missing)


def _further(
    source: StoredArticle, first: ArticleResponse, pages: list[Page], captures: CaptureReader, portal: Portal
) -> Iterator[tuple[ArticleResponse, Page | NoPage]]:
    """The further pages of an article, as far as they belong to this capture of its first page; at last what is not there any more."""
    mine = [each for each in source.stored if each.url == first.url and each.part > 1]
    for part in sorted({each.part for each in mine}):
        newest, *_ = of_part = [each for each in mine if each.part == part]
        if newest.capture.date < first.capture.date and not _may_follow(newest, mine, pages, portal):
            return
        gone: NoPage | None = None
        # From the newest capture on; a revisit is as good as the response that it stands for, which may have been imported as another page.
        same = [each for each in mine if each.asked == newest.asked] if newest.revisit else of_part
        for stored in (each for each in same if not each.revisit):
            page = _page(stored, captures, portal)
            if isinstance(page, Page):
                yield stored, page
                break
            gone = gone or (page if isinstance(page, UnreadablePage) else None)
        else:
            if gone is not None:
                yield newest, gone
            return


def _may_follow(stored: ArticleResponse, mine: list[ArticleResponse], pages: list[Page], portal: Portal) -> bool:
    """Whether a page that is older than the article's first one still follows it: a link leads there, or to a page that is missing."""
    if portal.articles.next is None:
        return True
    try:
        led = next_article_page(pages[-1], portal, {page.requested_url for page in pages})
    except PatternTimeout:
        return False
    return led is not None and (led == stored.asked or all(led != each.asked for each in mine))


def _page(stored: ArticleResponse, captures: CaptureReader, portal: Portal) -> Page | NoPage:
    place = stored.capture
    try:
        capture = captures.read(place.location)
    except CorpusError as error:
        return UnreadablePage(str(error))
    if capture is None:
        return NoPage("the stored response is not whole")
    capture = replace(capture, requested_url=stored.asked)
    return read_page(capture, encoding=portal.fetch.encoding, format=portal.articles.format)
