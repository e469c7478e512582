"""The forms in which one article is given by itself: text, Markdown, HTML, TEI, a flat object, a row, all
that is known of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import orjson

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import ExportOptions, Part
from webarticlecurator.exporting.flat import flat_line, flat_values
from webarticlecurator.exporting.formats import texts, web_pages
from webarticlecurator.exporting.harmless import csv_cell
from webarticlecurator.exporting.table import as_text, columns_of, row_of
from webarticlecurator.model.article import Article, first_value, stored_line
from webarticlecurator.urls import bare_host

if TYPE_CHECKING:
    from webarticlecurator.building.database import BuiltArticle
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.exporting.table import Value
    from webarticlecurator.model.outcome import PageOutcome

_ROW = ("url", "headline", "author", "datePublished", "articleSection", "language", "words", "text")
"""Columns of the table."""
_USUALLY = ExportOptions()


class Form(NamedTuple):
    """A form in which articles are given."""

    suffix: str
    """The suffix of a file of this form, with the dot."""
    make: Callable[[Article, Portal | None, ExportOptions], bytes]
    beginning: bytes = b""
    """Bytes before the first article of a file."""
    between: bytes = b""
    """Bytes between two articles of a file."""
    is_lines: bool = False
    """True if all articles are lines of one file, and none has a file of its own."""
    is_file: bool = False
    """True if each article is a file of its own."""
    shows: frozenset[str] = frozenset()
    """Flags of `curator extract` that say what is shown of an article in this form."""


_OF_TEXT = frozenset({"--no-tables", "--comments", "--no-comments"})
_OF_MARKUP = _OF_TEXT | {"--links", "--images"}


@dataclass(frozen=True, slots=True)
class _LooseArticle:
    """An article that is in no corpus, with the values that exports ask for."""

    id: str
    url: str
    canonical: str
    type: str
    outcome: PageOutcome
    language: str | None
    published: str | None
    layout: str | None
    posts: int
    kept_record: Mapping[str, Any]
    text_changed: str | None = None
    versions: tuple[()] = field(default=())


def shown(article: Article, options: ExportOptions = _USUALLY) -> ExportArticle:
    """Return an article as the writers of exports take it."""
    loose = _LooseArticle(
        id=article.id,
        url=article.url,
        canonical=first_value(article.metadata, "url") or article.url,
        type=article.type,
        outcome=article.outcome,
        language=article.language,
        published=article.date,
        layout=article.layout,
        posts=len(article.posts),
        kept_record=stored_line(article),
    )
    return ExportArticle(portal=bare_host(article.url), built=cast("BuiltArticle", loose), options=options)


def options_of(
    *,
    links: bool = False,
    images: bool = False,
    tables: bool = True,
    comments: bool = False,
    front_matter: bool = False,
) -> ExportOptions:
    """Return what is shown of articles, as the writers of exports take it."""
    wanted = {Part.LINKS: links, Part.IMAGES: images, Part.COMMENTS: comments}
    return ExportOptions(
        with_=frozenset(part for part, is_wanted in wanted.items() if is_wanted),
        without=frozenset() if tables else frozenset({Part.TABLES}),
        front_matter=front_matter,
    )


def flat_object(
    article: Article, _: Portal | None = None, options: ExportOptions = _USUALLY
) -> dict[str, Value | list[str]]:
    """Return the usual values of an article, a value a name; of several texts, a list."""
    values = flat_values(shown(article, options))
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _of_export(write: Callable[[ExportArticle], str]) -> Callable[..., bytes]:
    """Return what writes an article as exports do."""

    def make(article: Article, _: Portal | None = None, options: ExportOptions = _USUALLY) -> bytes:
        return write(shown(article, options)).encode()

    return make


text_of, markdown_of, html_of = map(_of_export, (texts.text_of, texts.markdown_of, web_pages.page_of))


def tei_of(article: Article, portal: Portal | None = None, _: ExportOptions = _USUALLY) -> bytes:
    """Return a document; it claims no rules where there were none."""
    from webarticlecurator.building.build_options import rules_digest
    from webarticlecurator.extraction.article_reader import any_portal
    from webarticlecurator.tei.document import PUBLIC_SCHEMA, load_template, render

    digest = rules_digest(portal, "") if portal is not None else ""
    template, today = load_template("page"), datetime.now(UTC).date()
    return render(
        article,
        portal or any_portal(article.url),
        template=template,
        rules_digest=digest,
        now=today,
        schema=PUBLIC_SCHEMA,
    )


def _flat(article: Article, _: Portal | None, options: ExportOptions) -> bytes:
    return flat_line(shown(article, options))


def _record(article: Article, _: Portal | None, __: ExportOptions) -> bytes:
    return orjson.dumps(stored_line(article), option=orjson.OPT_APPEND_NEWLINE)


def _row(article: Article, _: Portal | None, options: ExportOptions) -> bytes:
    values = row_of(shown(article, options), columns_of(_ROW))
    return _csv_line(csv_cell(as_text(value)) for value in values)


def _csv_line(cells: Iterable[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()


FORMS: Mapping[str, Form] = {
    "text": Form(".txt", text_of, between=b"\n", shows=_OF_TEXT),
    "markdown": Form(".md", markdown_of, between=b"\n---\n\n", shows=_OF_MARKUP | {"--front-matter"}),
    "html": Form(".html", html_of, is_file=True, shows=_OF_MARKUP),
    "jsonl": Form(".jsonl", _flat, is_lines=True, shows=_OF_TEXT),
    "record": Form(".jsonl", _record, is_lines=True),
    "csv": Form(".csv", _row, beginning=_csv_line(_ROW), is_lines=True, shows=_OF_TEXT),
    "tei": Form(".xml", tei_of, is_file=True),
}
"""The forms by the names that `curator extract --to` takes."""
