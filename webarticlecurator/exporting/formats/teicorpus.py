"""TEI corpus: the documents of a build under one header, in one file, or included by it from files of their own."""

from __future__ import annotations

import shutil
from collections import Counter
from tempfile import TemporaryFile

from webarticlecurator import resources
from webarticlecurator.errors import CorpusError
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats.documents import ExportedDocuments
from webarticlecurator.exporting.manifest import PortalInfo
from webarticlecurator.exporting.options import ExportOptions, Part
from webarticlecurator.exporting.output import Output
from webarticlecurator.tei.corpus import CORPUS_END, CorpusCounts, CorpusPortal, corpus_opening, included, inside_corpus
from webarticlecurator.tei.document import SCHEMA
from webarticlecurator.tei.markup import UNKNOWN_LANGUAGE, language

_SINGLE = SCHEMA.rpartition("/")[2]
"""Where the schema lies beside a corpus of one file."""


def write(export: Exporter, output: Output) -> None:
    """The header tells of all documents, so it is written when they are: what follows it waits in a temporary file."""
    documents = ExportedDocuments(export.options.with_, export.portals)
    counts = CorpusCounts()
    left_out: Counter[Part] = Counter()
    with TemporaryFile() as waiting:
        for article in export.articles():
            built, changed = article.built, documents.of(article)
            if changed is None:
                continue
            counts.add(changed.document)
            counts.add_day(article.portal, built.published)
            counts.languages[language(built.language) or UNKNOWN_LANGUAGE] += max(built.characters, 1)
            left_out.update({Part.COMMENTS: changed.comments, Part.POSTS: changed.posts})
            if output.is_folder:
                output.add(built.path, changed.document)
                waiting.write(included(built.path))
            else:
                waiting.write(inside_corpus(changed.document, _SINGLE))
        documents.close()
        parts = ", ".join(f"{part} ({number:,})" for part, number in left_out.items() if number)
        notes = [f"Left out of the documents: {parts}."] if parts else []
        notes += ["Names of those who post are pseudonyms."] if "who" in export.options.pseudonymise else []
        notes += documents.notes
        output.notes += notes
        output.failed = documents.lost
        if not counts.texts:
            raise CorpusError(
                " ".join(["A teiCorpus has at least one document, and none was chosen: nothing is written.", *documents.notes])
            )
        schema = SCHEMA if output.is_folder else _SINGLE
        output.add(schema, resources.schema("tei/webarticle.rng").read_bytes())
        main = output.stream("corpus.xml") if output.is_folder else output.main
        portals = list(map(_portal, export.portals))
        main.write(corpus_opening(portals, counts, [*_chosen(export.options), *notes], schema=schema, includes=output.is_folder))
        waiting.seek(0)
        shutil.copyfileobj(waiting, main)
        main.write(CORPUS_END)


_FILTERS = ("from_", "until", "column", "section", "author", "keyword", "language", "kind", "words", "outcome", "layout", "where")


def _chosen(options: ExportOptions) -> list[str]:
    """The filters in words, each as its option is written."""
    usual = ExportOptions()
    filters = [
        f"{name.removesuffix('_')}: {', '.join(value) if isinstance(value, tuple) else value}"
        for name in _FILTERS
        if (value := getattr(options, name)) != getattr(usual, name)
    ]
    filters += [f"duplicates left out: {options.dedup}"] if options.dedup else []
    if options.sample:
        by = f", by {', '.join(options.by)}" if options.by else ""
        filters.append(f"a sample of {options.sample:,}{by}, with the seed {options.seed}")
    whole = "Whole articles; navigation, advertisements and recommendations are left out by the rules of the portal."
    return [
        whole,
        f"Of the articles that are built, only these were chosen: {'; '.join(filters)}." if filters else "All articles that are built.",
    ]


def _portal(info: PortalInfo) -> CorpusPortal:
    given = {name: getattr(info, name) for name in ("name", "title", "home", "publisher", "licence", "rights", "rules")}
    return CorpusPortal(**given)
