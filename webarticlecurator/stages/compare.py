"""Joins what a comparison needs: a sample of the built articles, their stored pages, what other readers say
of these, and the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from html import escape
from itertools import islice
from pathlib import Path
from statistics import fmean
from threading import Event as Flag

from lxml import html
from lxml.etree import _Element as Element

from webarticlecurator.building.database import BuiltArticle, BuiltArticles
from webarticlecurator.config.expectations import load_expectations
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import corpus_of
from webarticlecurator.databases import Row
from webarticlecurator.document.decode import MAX_UNPACKED
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.document.still_page import still_page
from webarticlecurator.errors import CorpusError, PatternTimeout, UsageError
from webarticlecurator.extraction.body.locate import find_container
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.article import from_json
from webarticlecurator.model.capture import Capture, NotedRecord
from webarticlecurator.model.page import Page
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.protocol.message import unpacked_body
from webarticlecurator.stages.article_view import files_of
from webarticlecurator.stages.known_readers import (
    FIELDS,
    TOOLS,
    ComparedReaders,
    Given,
    ToolProcesses,
    ToolReading,
    Values,
)
from webarticlecurator.stages.portal_tests import tests_file
from webarticlecurator.text import element_text
from webarticlecurator.warc.exchanges import CaptureReader

OURS, APART = "curator", 3
"""Pages that are shown."""


def compare(
    portal: Portal,
    *,
    corpus: Path | None,
    sample: int | None,
    seconds: float,
    expectations: bool,
    progress: Progress,
    stop: Flag,
) -> Row:
    """The built articles, or a sample of them that is the same every time, beside each tool that is
    installed.

    Metadata are held against the documents, or with `expectations` against tests.yaml, and then its pages
    alone are read. Raises UsageError where there is nothing to compare.
    """
    folder = corpus_of(portal, corpus)
    known = _confirmed(portal) if expectations else {}
    left_out, apart, work = Counter[str](), list[Row](), Work(portal.name, "compare", progress, stop)
    with (
        closing(ToolProcesses(seconds)) as tools,
        BuiltArticles.of(folder.build_database, portal.name) as articles,
        CaptureReader(folder.warc) as reader,
        files_of(folder) as files,
    ):
        comparison = ComparedReaders(OURS, [*tools.versions])
        total = len(known) or min(sample or articles.count(), articles.count())
        for built, tree, ours, whole_texts, given in islice(
            _pages(articles, reader, portal, known, left_out), sample
        ):
            readings = tools.read(given)
            f1 = comparison.add(ours, whole_texts, readings, known.get(built.identity, ours.metadata))
            mean = fmean(f1.values())
            if len(apart) < APART or mean < apart[-1].mean:
                texts = {OURS: ours.text, **{name: of_page.text for name, (of_page, *_) in readings.items()}}
                page_shown = {
                    "url": built.url,
                    "headline": built.headline or built.url,
                    "html": still_page(tree, base=built.url, files=files).html,
                }
                apart = sorted(
                    [*apart, Row(page_shown, mean=mean, f1=f1, texts=texts)], key=lambda row: row.mean
                )[:APART]
            work.show("", comparison.pages, total)
            if work.stopped:
                break
        problem = f"No article of {portal.name} could be compared"
        reason = "none that was looked for has a page of HTML for itself."
        if not comparison.pages:
            raise UsageError(f"{problem}: {reason}")
        return Row(
            comparison.tables(),
            portal=portal.name,
            complete=not work.stopped,
            pages=comparison.pages,
            articles=articles.count(),
            left_out=dict(left_out),
            truth="tests.yaml" if known else "the documents",
            tools=[
                Row(tool=name, version=tools.versions[name], failures=dict(failures))
                for name, failures in tools.failures.items()
            ],
            missing=[name for name in TOOLS if name not in tools.versions],
            apart=apart,
        )


def _confirmed(portal: Portal) -> dict[str, Values]:
    """Return what a person confirmed of metadata, by the identity of the article. Raises UsageError where
    there is nothing."""
    known: dict[str, Values] = {}
    for page in load_expectations(tests_file(portal)):
        if page.kind == "article" and page.metadata.keys() & set(FIELDS):
            known[identity_of(page.url, portal)] = page.metadata
    if not known:
        raise UsageError(f"{tests_file(portal)} expects none of {', '.join(FIELDS)}.", advice="accept")
    return known


def _pages(
    articles: BuiltArticles,
    reader: CaptureReader,
    portal: Portal,
    known: Iterable[str],
    left_out: Counter[str],
) -> Iterator[tuple[BuiltArticle, Element, ToolReading, tuple[str, ...], list[Given]]]:
    """Articles by their keys, which are chance and stay the same, each with its page and what we say of it;
    and of the page whole, its container alone, what we kept of it alone: all that there is in each, and what
    a reader is given. What is left out is counted."""
    where = f"a.identity IN ({', '.join('?' * len([*known]))})" if known else "1"
    for built in articles.read(where, [*known], order="a.key"):
        places = [NotedRecord.of_capture(capture) for capture in built.record["captures"]]
        shared = articles.rows(
            "SELECT 1 FROM index_pages WHERE file = ? AND offset = ?", (places[0].file, places[0].offset)
        )
        if len(places) > 1 or any(shared):
            left_out["of several pages, or on a page with others"] += 1
            continue
        try:
            of_page = _versions(built, reader.capture(places[0]), portal)
        except (CorpusError, PatternTimeout):
            left_out["that cannot be read as HTML"] += 1
            continue
        yield built, *of_page


def _versions(
    built: BuiltArticle, capture: Capture, portal: Portal
) -> tuple[Element, ToolReading, tuple[str, ...], list[Given]]:
    """Return the page, what we say of it, and of each version of it the text, and what a reader is given.
    Raises CorpusError."""
    article = from_json(built.record, built.beside)
    page = read_page(capture, encoding=portal.fetch.encoding, format=portal.articles.format)
    if not isinstance(page, Page) or page.tree is None:
        raise CorpusError("no HTML")
    body = next((layout.body for layout in portal.layouts if layout.name == built.layout), portal.body)
    context = PageContext.whole(page, portal)
    container = find_container(
        body.root, context, article.metadata, within=body.within, labeller=body.labeller
    )
    elements, text = container.elements if container is not None else (), str(built.record["text"])
    inner = "".join(html.tostring(element, encoding="unicode", with_tail=False) for element in elements)
    kept = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
    alone = [
        f'<html lang="{escape(article.language or "")}"><head></head><body>{part}</body></html>'
        for part in (inner, kept)
    ]
    received = unpacked_body(capture, MAX_UNPACKED)
    whole = Given(page.url, received, received.decode(page.encoding, "replace"))
    ours = ToolReading(
        text, {field: [value.value for value in article.metadata.get(field, ())] for field in FIELDS}
    )
    texts = (element_text(page.tree), "\n".join(map(element_text, elements)), text)
    return page.tree, ours, texts, [whole, *(Given(page.url, version, version) for version in alone)]
