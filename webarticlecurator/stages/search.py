"""Search the texts of a corpus: its index is brought up to date, then asked."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from webarticlecurator.annotations.layer import Layer, layer_names
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, portal_and_corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.databases import remove
from webarticlecurator.errors import DatabaseDamaged, UsageError
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.searching.concordance import Concordance, SearchResult
from webarticlecurator.searching.search_options import SearchOptions
from webarticlecurator.searching.text_index import is_damaged, update_index
from webarticlecurator.stages.export import opened_portals


def search(
    portal: Portal | Path | str,
    query: str,
    *,
    corpus: Path | str | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    **options: Any,
) -> SearchResult:
    """Search the built articles of a portal, for words or lemmas.

    The options are those of `curator search` by the same names (but `from_`, `with_`). The first search makes
    an index of all texts in the corpus; what a build changed since is brought up to date.

    >>> from webarticlecurator import build, search
    >>> built = build("portal.yaml")
    >>> found = search("portal.yaml", "bridge", count="year")
    >>> found.total == sum(year.hits for year in found.counts)
    True
    """
    loaded, folder = portal_and_corpus(portal, corpus)
    work = Work(loaded.name, "search", progress, stop)
    return search_portal(loaded, folder.folder, query, SearchOptions(**options), work)


def search_portal(
    portal: Portal, folder: Path | None, query: str, options: SearchOptions, work: Work
) -> SearchResult:
    """Search a portal. An index that is damaged is made again. Raises UsageError, Stopped."""
    corpus = crawled_corpus(portal, folder)
    try:
        return _result(portal, corpus, query, options, work)
    except DatabaseDamaged as damage:
        if not is_damaged(corpus):
            raise damage from None
        with locked(corpus.search_lock, "search"):
            remove(corpus.search_database)
        result = _result(portal, corpus, query, options, work)
        note = f"{corpus.search_database.name} was damaged, and has been made again."
        return replace(result, notes=(*result.notes, note))


def _result(portal: Portal, corpus: Corpus, query: str, options: SearchOptions, work: Work) -> SearchResult:
    with ExitStack() as stack:
        (opened,) = stack.enter_context(opened_portals([(portal, corpus.folder)]))
        layer = stack.enter_context(_layer_with_lemmas(corpus, options)) if options.lemma else None
        concordance = Concordance(opened, query, options, layer, work)
        update_index(opened, layer, work)
        return concordance.result()


def _layer_with_lemmas(corpus: Corpus, options: SearchOptions) -> Layer:
    """Return the layer that is named, or the only one. Raises UsageError, CorpusError."""
    names = [options.layer] if options.layer is not None else layer_names(corpus.folder)
    if not names:
        raise UsageError(
            "Nothing is annotated, so there are no lemmas: `curator annotate` gets them from a program of "
            "yours. Without --lemma words are searched as they are written."
        )
    if len(names) > 1:
        raise UsageError(f"Which lemmas? Name the annotations with --layer: {', '.join(names)}.")
    layer = Layer.reading(corpus.folder, names[0])
    if "lemma" not in layer.columns:
        layer.close()
        raise UsageError(f"The layer {layer.name} has no lemmas. Search without --lemma.")
    return layer
