"""Find articles that a person names: by address or id, or a part of these or of the headline; and all that is
stored of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple
from urllib.parse import unquote

from webarticlecurator.building.database import BuildDatabase, BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.corpus.stored_articles import StoredArticle, StoredArticles
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import normalised
from webarticlecurator.urls import is_http, normalise

_ACCENTS = linear("[\u0300-\u036f]")


class Match(NamedTuple):
    """An article that fits what was asked for."""

    id: str
    url: str
    headline: str


def find_article(portal: Portal, corpus: Corpus, wanted: str) -> tuple[list[Match], int]:
    """The articles that are called so: by URL or id, else by a part of these or of the headline; at most ten,
    and how many there are.

    Raises CorpusError.
    """
    with BuiltArticles.of(corpus.build_database, portal.name) as articles:
        columns = "SELECT id, url, coalesce(headline, ''), coalesce(canonical, '') FROM articles a"
        exact = [
            Match(*row[:3])
            for row in articles.rows(
                f"{columns} WHERE ? IN (a.id, a.url, a.canonical, a.identity)", (wanted,)
            )
        ]
        if exact:
            return exact[:1], 1
        if corpus.ledger.exists() and is_http(
            wanted
        ):  # where the address is known, those that are like it were not meant
            with Ledger.reading(corpus.ledger) as ledger:
                if known := ledger.outcome_of(normalise(wanted)):
                    raise CorpusError(
                        f"{wanted} is known, and there is no article of it: "
                        f"{': '.join(filter(None, known))}.",
                        advice="build",
                    )
        sought, fitting, total = _folded(wanted), list[Match](), 0
        for *names, canonical in articles.rows(f"{columns} ORDER BY a.url"):
            if sought in _folded("\n".join((*names, canonical))):
                total += 1
                fitting += [Match(*names)] if total <= 10 else []
    return fitting, total


def _folded(text: str) -> str:
    """Return a text as people type it: whatever the case, with accents or without, addresses as a browser
    shows them."""
    text = unquote(text)
    return text.lower() if text.isascii() else _ACCENTS.sub("", normalised("NFD", text.casefold()))


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
