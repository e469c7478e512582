"""The annotations of a corpus in numbers: how much of it each layer knows, and its most frequent lemmas."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from heapq import nsmallest
from pathlib import Path

from webarticlecurator.annotations.layer import Layer, layer_file, layer_names
from webarticlecurator.databases import Database, Row, rows_of
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.progress import Work

_MOST_LAYERS = 8
"""Layers that are counted."""
_MOST_LEMMAS = 15
"""Lemmas that are told of a year."""
_READ_OF_A_YEAR = 500
"""Articles whose words are looked at: those with the first ids, which come by chance."""
_CONTENT = frozenset({"ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB"})
"""Parts of speech that tell what a text is about, as Universal Dependencies call them."""
_COUNTED = """
    SELECT ? AS layer, d.year, count(DISTINCT d.id) AS articles, count(DISTINCT l.id) AS annotated,
        coalesce(sum(p.tokens), 0) AS tokens
    FROM documents d LEFT JOIN layer.articles l ON l.id = d.id AND l.failed IS NULL
        LEFT JOIN layer.passages p ON p.article = l.number
    GROUP BY d.year ORDER BY d.year IS NULL, d.year
"""
_READ = """
    SELECT year, id FROM (
        SELECT d.year, d.id, row_number() OVER (PARTITION BY d.year ORDER BY d.id) AS place
        FROM documents d JOIN layer.articles l ON l.id = d.id AND l.failed IS NULL
    ) WHERE place <= ? ORDER BY year IS NULL, year
"""


def annotation_counts(db: Database, corpus_folder: Path, work: Work) -> dict[str, list[Row]]:
    """Return what is counted of each layer that can be read, by the names of numbers. Raises Stopped."""
    counted, lemmas = list[Row](), list[Row]()
    for name in layer_names(corpus_folder)[:_MOST_LAYERS]:
        try:
            with Layer.reading(corpus_folder, name) as layer:
                db.attach(layer_file(corpus_folder, name), "layer")
                counted += rows_of(db.execute(_COUNTED, (name,)))
                articles = db.execute(_READ, (_READ_OF_A_YEAR,)).fetchall()
                db.execute("DETACH layer")
                lemmas += _lemmas(layer, articles, work)
        except CorpusError as error:  # the rest of a report is worth having
            work.say(str(error))
    return {"annotations": counted, "lemmas-by-year": lemmas}


def _lemmas(layer: Layer, articles: list[tuple[int | None, str]], work: Work) -> Iterator[Row]:
    """Give the most frequent lemmas of each year; of content words, where parts of speech are known."""
    wanted = _CONTENT if "upos" in layer.columns else frozenset({""})
    times: defaultdict[int | None, Counter[tuple[str, str]]] = defaultdict(Counter)
    for year, article in articles:
        work.check()
        for _, sentences in layer.article(article):
            for sentence in sentences:
                times[year].update((token.lemma, token.upos) for token in sentence.tokens)
    for year, counts in times.items():
        words = ((lemma, upos) for lemma, upos in counts if upos in wanted and lemma[:1].isalpha())
        told = ((-counts[word], *word) for word in words)
        for number, lemma, upos in nsmallest(_MOST_LEMMAS, told):
            yield Row(layer=layer.name, year=year, lemma=lemma, upos=upos, times=-number)
