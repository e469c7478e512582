"""Built corpora of invented articles with their documents, and exports of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from built_corpora import built_corpus

from webarticlecurator.building.documents import DocumentStore, path_of
from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus_export import ExportSummary, export_portals
from webarticlecurator.exporting.options import ExportOptions, Part
from webarticlecurator.model.article import Article
from webarticlecurator.tei.document import load_template, part_digest, render


def documented_corpus(folder: Path, articles: Iterable[Article], **told: Any) -> Path:
    """The portal file; the corpus beside it has the articles in build.sqlite and their documents in `tei/`."""
    given = list(articles)
    file = built_corpus(folder, given, **told)
    portal, template = load_portal(file), load_template("default")
    corpus = folder / "corpora" / portal.name
    store = DocumentStore(corpus)
    with closing(sqlite3.connect(corpus / "build.sqlite")) as database, database:
        for one in given:
            written = render(one, portal, template=template, rules_digest="d" * 64, now=date(2024, 6, 2))
            store.write(path_of(one), written.document)
            database.execute("UPDATE articles SET part = ? WHERE id = ?", (part_digest(written.document), one.id))
    return file


def exported(files: Path | Iterable[Path], to: str, output: Path, *parts: str, **options: Any) -> ExportSummary:
    """Export these portals; `parts` are shown beside the running text."""
    given = [files] if isinstance(files, Path) else files
    asked = ExportOptions(to=to, with_=frozenset(map(Part, parts)), **options)
    return export_portals([(load_portal(one), None) for one in given], asked, output=output)
