"""Articles of the model as exports are given them, and the files that a writer of tokens makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import exported as files
import orjson
from built_corpora import article
from export_articles import PORTAL

from webarticlecurator.building.built_articles import BuiltArticle
from webarticlecurator.building.results import Contents
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.options import Part
from webarticlecurator.model.analysis import Analysis
from webarticlecurator.model.article import Article, Block

ALL_PARTS = frozenset(Part)


def an_article(*paragraphs: str | Block, number: int = 1, name: str = "pelda", **told: Any) -> Article:
    """An article of these paragraphs; `told` are metadata (a text, or several), or what else an article has."""
    fields = {key: told.pop(key) for key in ("posts", "language", "type", "outcome") if key in told}
    told = {"headline": "A híd", "datePublished": "2024-05-01T10:00:00+02:00"} | told
    told = {"title": told.pop("headline"), "date": told.pop("datePublished"), "language": "hu", "metadata": told}
    return article(number, *paragraphs, portal=name, counted=True, **told | fields)


def exported(article: Article, *, parts: frozenset[Part] = frozenset(), analysis: Analysis | None = None) -> ExportArticle:
    contents = Contents.of(article)
    built = BuiltArticle(
        id=article.id,
        key=0,
        identity=article.identity,
        url=article.url,
        outcome=article.outcome,
        reason="",
        type=article.type,
        language=article.language,
        headline=article.title,
        published=article.date,
        modified=None,
        canonical=None,
        words=article.extent.words or 0,
        characters=article.extent.characters,
        posts=len(article.posts),
        layout=article.layout,
        text_changed=article.text_changed,
        flags=article.flags,
        path="",
        part="",
        rules="",
        packed=contents.line,
        versions=tuple(orjson.loads(contents.versions)),
    )
    return ExportArticle(portal=article.id.rpartition("-")[0], built=built, parts=parts, analysis=analysis)


def write(folder: Path, name: str, format_name: str, articles: Iterable[Article | ExportArticle], **options: Any) -> list[str]:
    """Have them written to that file; gives what the writer told."""
    folder.mkdir(parents=True, exist_ok=True)
    notes: list[str] = []
    given = [exported(one, parts=options.get("parts", frozenset())) if isinstance(one, Article) else one for one in articles]
    portals = [replace(PORTAL, name=one) for one in dict.fromkeys(one.portal for one in given)]
    files.exported(format_name, folder / name, given, portals=portals, notes=notes, **options)
    return notes
