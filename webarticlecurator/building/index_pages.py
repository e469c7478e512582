"""Index pages of a build: which posts stand on each of them, looked for once; and the pages themselves, for
whoever reads the posts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from webarticlecurator.building.build_options import of_reading, rules_digest
from webarticlecurator.config.article_rules import BodyRules, PostKind, PostRules
from webarticlecurator.config.portal import ArchiveFormat, Portal, rules_of
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.stored_articles import archive_pages
from webarticlecurator.errors import CorpusError, PatternTimeout
from webarticlecurator.model.article import CaptureRef
from webarticlecurator.model.page import NoPage
from webarticlecurator.model.progress import Work
from webarticlecurator.program_faults import reason_of
from webarticlecurator.warc.store import finished_files
from webarticlecurator.workers.pool import Job, Pool

if TYPE_CHECKING:
    from webarticlecurator.building.database import BuildDatabase
    from webarticlecurator.extraction.index_posts import IndexPage
    from webarticlecurator.warc.exchanges import CaptureReader


class StoredIndexPage(NamedTuple):
    """An archive page, which may hold posts."""

    url: str
    """By which it was asked for."""
    column: str | None
    capture: CaptureRef


class PostsOfPage(NamedTuple):
    """The posts on one index page."""

    page: StoredIndexPage
    posts: tuple[tuple[str, str, int, str, bool], ...] = ()
    """Of each the identity, the address, how many characters it has, a digest of these, and whether it is
    whole."""
    problem: str | None = None
    """Why its posts could not be read; the next build tries again."""


class UnreadablePage(NoPage):
    """A page that is stored and could not be read, for a reason that may pass."""


@dataclass(slots=True)
class IndexPages(Job[StoredIndexPage, PostsOfPage]):
    """Reads index pages: for whoever asks for one, and, as a worker of `workers.pool`, to find the posts of
    all of them."""

    warc: Path
    portal: Portal
    _last: tuple[CaptureRef, IndexPage] | None = field(default=None, init=False)
    """Its posts are read one after the other."""

    def read(self, page: StoredIndexPage, captures: CaptureReader) -> IndexPage | NoPage:
        """The page with its posts, or why there are none."""
        if self._last is not None and self._last[0] == page.capture:
            return self._last[1]
        from webarticlecurator.extraction.index_posts import index_page_of

        column = rules_of(self.portal, page.column)
        try:
            capture = captures.read(page.capture.location)
            index = (
                NoPage("the stored response is not whole")
                if capture is None
                else index_page_of(capture, self.portal, column)
            )
        except (CorpusError, PatternTimeout) as error:
            return UnreadablePage(str(error))
        if not isinstance(index, NoPage):
            self._last = page.capture, index
        return index

    def must_agree(self) -> Mapping[str, str]:
        """The rules, as each worker understands them, and the pages."""
        return {"rules": rules_digest(self.portal, ""), str(self.warc): finished_files(self.warc)}

    def make(self, tasks: list[StoredIndexPage]) -> list[PostsOfPage]:
        """The posts of pages, in their order."""
        from webarticlecurator.warc.exchanges import CaptureReader

        made: list[PostsOfPage] = []
        with CaptureReader(self.warc, (task.capture.location for task in tasks)) as captures:
            for page in tasks:
                try:
                    index = self.read(page, captures)
                    problem = index.reason if isinstance(index, UnreadablePage) else None
                    there = () if isinstance(index, NoPage) else index.by_identity.items()
                    posts = tuple(
                        (id, post.url or "", post.characters, post.digest, post.whole) for id, post in there
                    )
                    made.append(PostsOfPage(page, posts, problem))
                except Exception as error:  # a page may be anything, and one of them must never end a build
                    made.append(self.give_up(page, reason_of(error)))
        return made

    def give_up(self, task: StoredIndexPage, reason: str) -> PostsOfPage:
        """Return what is said of a page whose reading came to no end."""
        return PostsOfPage(task, problem=reason)


def look_for_posts(job: IndexPages, ledger: Path, database: BuildDatabase, *, pool: Pool, work: Work) -> None:
    """Bring what the database knows of index pages up to date: pages it has not seen under these rules are
    looked at."""
    rules = _rules_of_posts(job.portal)
    if not job.portal.reads_index_pages:
        database.keep_index_pages(())
        return
    with Ledger.reading(ledger) as opened:
        database.keep_index_pages(page.capture.record_id for page in _stored(opened, job.portal))
        new = (
            page
            for page in _stored(opened, job.portal)
            if not database.knows_index_page(page.capture.record_id, rules)
        )
        for posts_there in pool.run(job, takewhile(lambda _: not work.stopped, new)):
            with database.transaction():
                database.put_index_pages(posts_there, rules)


def _rules_of_posts(portal: Portal) -> str:
    """Return the digest of the rules by which posts are found on index pages: where layouts have dates, all
    rules may tell the date of a page."""
    if any(layout.start or layout.until for layout in portal.layouts):
        return rules_digest(portal, "")
    layouts = tuple(
        replace(layout, metadata={}, body=BodyRules(), posts=_of_blogs(layout.posts))
        for layout in portal.layouts
    )
    posts = _of_blogs(portal.posts)
    return rules_digest(
        replace(of_reading(portal), metadata={}, body=BodyRules(), posts=posts, layouts=layouts), ""
    )


def _of_blogs(posts: Mapping[PostKind, PostRules]) -> Mapping[PostKind, PostRules]:
    return {kind: rules for kind, rules in posts.items() if kind is PostKind.BLOG}


def _stored(ledger: Ledger, portal: Portal) -> Iterator[StoredIndexPage]:
    """The archive pages, in the order in which they lie.

    Those of formats that hold no posts are left out, and so is what was only looked at, by no walk: it counts
    as nothing.
    """
    for url, capture in archive_pages(ledger):
        column = ledger.column_of_page(url)
        rules = rules_of(portal, column)
        if column is not None and (rules is None or rules.format is ArchiveFormat.HTML):
            yield StoredIndexPage(url, column, capture)
