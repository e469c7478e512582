"""Find all that is stored of an article that a person names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.corpus.stored_articles import StoredArticle, StoredArticles
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.url_rules import identity_of


@contextmanager
def what_is_stored(portal: Portal, folder: Corpus) -> Iterator[tuple[BuildDatabase, StoredArticles]]:
    """Give what the last build knows, and what is stored."""
    is_built = folder.build_database.exists()
    with (
        BuildDatabase(folder.build_database, read_only=True)
        if is_built
        else BuildDatabase(":memory:") as database,
        closing(StoredArticles(folder.ledger, portal, database.index_posts())) as sources,
    ):
        yield database, sources


def source_of(
    portal: Portal, address: str, database: BuildDatabase, sources: StoredArticles
) -> StoredArticle:
    """Return what is stored of an article, which is named by its address or its id."""
    named = "SELECT key, identity FROM articles WHERE ? IN (id, url, identity)"
    identity = identity_of(address, portal)
    names = [*database.rows(named, (address,)), (key_of(identity), identity)]
    for key, name in names:
        if sources.has(key, name):
            return sources.of(key, name)
    raise UsageError(
        f"Nothing is stored of {address[:200]}: give the whole address of an article of the corpus, or its "
        "id (`curator open` finds them by a part of either)."
    )
