"""TEI corpus: the documents of a build under one header, in one file, or included by it from files of their own."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import fields
from tempfile import TemporaryFile
from typing import Any

from webarticlecurator import resources
from webarticlecurator.errors import CorpusError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.formats.documents import ExportedDocuments
from webarticlecurator.exporting.options import ExportOptions, Part
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.selection import Selection
from webarticlecurator.tei.corpus import CORPUS_END, CorpusCounts, CorpusPortal, corpus_opening, included, inside_corpus
from webarticlecurator.tei.document import SCHEMA
from webarticlecurator.tei.markup import UNKNOWN_LANGUAGE, language

_SINGLE = SCHEMA.rpartition("/")[2]
"""Where the schema lies beside a corpus of one file."""


class TeiCorpus:
    """The header tells of all documents, so it is written when they are: what follows it waits in a temporary file."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        self._output = output
        self._options = options
        self._portals = [_portal(one) for one in corpora]
        self._documents = ExportedDocuments(options.parts, corpora)
        self._counts = CorpusCounts()
        self._waiting = TemporaryFile()  # noqa: SIM115  # closed in `finish`; whatever happens, nothing of it stays
        self._comments = self._posts = 0

    def write(self, article: ExportArticle) -> None:
        found = self._documents.of(article)
        if found is None:
            return
        self._count(article, found.document)
        self._comments += found.comments
        self._posts += found.posts
        if self._output.is_folder:
            with self._output.file(article.built.path) as file:
                file.write(found.document)
            self._waiting.write(included(article.built.path))
        else:
            self._waiting.write(inside_corpus(found.document, _SINGLE))

    def _count(self, article: ExportArticle, document: bytes) -> None:
        built, counts = article.built, self._counts
        counts.add(document)
        counts.add_day(article.portal, built.published)
        counts.languages[language(built.language) or UNKNOWN_LANGUAGE] += max(built.characters, 1)

    def finish(self) -> None:
        self._documents.close()
        self._output.notes += [*self._left_out(), *self._documents.notes]
        self._output.failed = self._documents.lost
        if not self._counts.texts:
            raise CorpusError(
                " ".join(["A teiCorpus has at least one document, and none was chosen: nothing is written.", *self._documents.notes])
            )
        schema = SCHEMA if self._output.is_folder else _SINGLE
        with self._output.file(schema) as file:
            file.write(resources.schema("tei/webarticle.rng").read_bytes())
        main = self._output.file("corpus.xml") if self._output.is_folder else self._output.main
        main.write(corpus_opening(self._portals, self._counts, self._told(), schema=schema, includes=self._output.is_folder))
        with self._waiting:
            self._waiting.seek(0)
            shutil.copyfileobj(self._waiting, main)
        main.write(CORPUS_END)
        if self._output.is_folder:
            main.close()

    def _told(self) -> list[str]:
        """Which articles these are, and what of them is not there."""
        return [*_chosen(self._options), *self._left_out(), *self._documents.notes]

    def _left_out(self) -> list[str]:
        counts = {Part.COMMENTS: self._comments, Part.POSTS: self._posts}
        left_out = ", ".join(f"{part} ({number:,})" for part, number in counts.items() if number)
        pseudonyms = ["Names of those who post are pseudonyms."] if "who" in self._options.pseudonymise else []
        return [*([f"Left out of the documents: {left_out}."] if left_out else []), *pseudonyms]


_CALLED = {"start": "from"}


def _chosen(options: ExportOptions) -> list[str]:
    """The filters in words, each as its option is written."""
    given = {field.name: getattr(options.selection, field.name) for field in fields(Selection)}
    usual = Selection()
    filters = [f"{_CALLED.get(name, name)}: {_in_words(value)}" for name, value in given.items() if value != getattr(usual, name)]
    filters += [f"duplicates left out: {options.dedup}"] if options.dedup else []
    if options.sample:
        by = f", by {', '.join(options.sample.by)}" if options.sample.by else ""
        filters.append(f"a sample of {options.sample.size:,}{by}, with the seed {options.sample.seed}")
    whole = "Whole articles; navigation, advertisements and recommendations are left out by the rules of the portal."
    return [
        whole,
        f"Of the articles that are built, only these were chosen: {'; '.join(filters)}." if filters else "All articles that are built.",
    ]


def _in_words(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join("any" if one is None else str(one) for one in value)
    return str(value)


def _portal(info: PortalInfo) -> CorpusPortal:
    given = {name: getattr(info, name) for name in ("name", "title", "home", "publisher", "licence", "rights", "rules")}
    return CorpusPortal(**given)
