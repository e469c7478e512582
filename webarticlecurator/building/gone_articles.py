"""Articles whose pages are not stored any more, and documents that no article stands for: what goes, and what
stays since it may be all that is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain

from webarticlecurator.amounts import amount
from webarticlecurator.building.article_row import ArticleRow, unread_row
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_store import DocumentStore, id_of
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.stored_articles import LostArticle, StoredArticles
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.outcome import Kept


def check_pages(corpus: Corpus, total: int, sources: StoredArticles, database: BuildDatabase) -> None:
    """Raise CorpusError, before anything is taken away, if not everything is there that documents are made
    of. `total`: how many articles are stored."""
    if not total and not sources.lost and next(database.identities(), None) is not None:
        raise CorpusError(
            f"{corpus.ledger} knows of no stored article, but {corpus.build_database.name} knows of "
            "documents. Nothing was changed.",
            advice="index",
        )
    short = sources.short_files(corpus.warc)
    if short:
        more = f" (and {amount(len(short) - 1, 'more file')})" if len(short) > 1 else ""
        raise CorpusError(
            f"{corpus.warc / short[0]}{more} is missing or cut short. Put it back; if it is lost, the "
            "next crawl asks again for"
            " what it held. To make the ledger again asks nobody, and only writes down what is lost. "
            "Nothing was changed.",
            advice="index",
        )


@dataclass(frozen=True, slots=True)
class GoneArticles:
    """Takes out of a corpus what its ledger knows no more."""

    store: DocumentStore
    sources: StoredArticles
    database: BuildDatabase
    now: str
    """UTC, ISO 8601."""

    def forget(self) -> int:
        """Forget articles whose pages the ledger has no more, and return how many documents went; a lost or
        damaged one keeps its document, which may be all that is left."""
        gone, lost, damaged = [], [], []
        for article, key, identity, path in self.database.identities():
            if self.sources.has(key, identity):
                continue
            if (loss := self.sources.lost.get(article)) is not None:
                lost.append((article, loss.reason))
            elif path is not None and (kept := self._unread(article)) is not None:
                damaged.append(kept)
            else:
                gone.append((article, path))
        with self.database.transaction():
            for row in damaged:
                self.database.keep(row)
            for article, path in gone:
                if path is not None:
                    self.store.remove(path)
                self.database.forget(article)
            for article, reason in lost:
                self.database.lose(article, reason, now=self.now)
        return sum(path is not None for _, path in gone)

    def _unread(self, article: str) -> ArticleRow | None:
        """Return the row of a document that was made of a record which a ledger made anew did not find in its
        file; None: it is no such one."""
        built = self.database.by_id(article)
        if built is None:
            return None
        for capture in built.record["captures"]:
            is_missing = not self.sources.has_record(capture["record_id"])
            if is_missing and self.sources.has_file(capture["file"]):
                damage = f"{capture['file']}: byte {capture['offset']}: the ledger found no whole record here"
                return replace(built, kept=Kept.PAGE_DAMAGED, damaged=capture["record_id"], damage=damage)
        return None

    def sweep(self, portal: str) -> None:
        """Take away documents that no row of the database stands for: a build before was cut off, or its
        database is lost.

        That of a lost article may be all that is left of it: it stays, and the database, where that is lost
        too, is told of it.
        """
        loose = list(self.store.loose(portal))
        if self.sources.lost:
            for path in chain((path for _, path in loose), self.store.packed()):
                self._tell_of_lost(path, self.sources.lost)
        for article, path in loose:
            known = self.database.known(article)
            if known is None:
                is_needless = article not in self.sources.lost
            elif known.path is None and known.damage is not None and path.endswith(".xml"):
                # made while its page was whole, by a build whose database is lost
                size = len(self.store.read(path) or b"")
                self.database.put(replace(known, path=path, size=size, kept=Kept.PAGE_DAMAGED))
                continue
            else:
                is_needless = path != known.path
            if is_needless:
                self.store.remove(path)

    def _tell_of_lost(self, path: str, lost: Mapping[str, LostArticle]) -> None:
        """Tell the database of a document, if that is of a lost article that it does not know."""
        loss = lost.get(id_of(path))
        if loss is not None and path.endswith(".xml") and self.database.known(id_of(path)) is None:
            row = unread_row(id_of(path), loss, loss.reason)
            row.since, row.path = self.now, path
            self.database.put(row)
