"""Articles for exports, made by hand: what a test does not say is plain."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
import zstandard

from webarticlecurator.building.built_articles import BuiltArticle
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.model.analysis import Analysis
from webarticlecurator.model.article import CaptureRef
from webarticlecurator.model.outcome import PageOutcome

CAPTURE = CaptureRef(
    record_id="<urn:uuid:7>",
    digest="sha1:A",
    file="pelda-articles-1.warc.gz",
    offset=512,
    length=2048,
    url="https://pelda.example/hid",
    date="2024-05-02T06:00:00Z",
)
PORTAL = PortalInfo(
    name="pelda",
    title="Példa Hírek",
    home="https://pelda.example/",
    language="hu",
    timezone="Europe/Budapest",
    publisher="Példa Kft.",
    licence="https://creativecommons.org/licenses/by-sa/4.0/",
    rights="© Példa Kft.",
    rules=("0123abcd",),
    program="Web Article Curator 1.0",
    corpus=Path("corpora/pelda"),
)


def paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "text": text, "children": []}


def post(text: str, *, kind: str = "liveblog", **told: str) -> dict[str, Any]:
    return {"type": "post", "text": text, "children": [paragraph(text)], "kind": kind, **told}


def export_article(
    number: int = 1,
    *,
    metadata: dict[str, str | list[str]] | None = None,
    text: str = "The bridge is open.",
    posts: tuple[dict[str, Any], ...] = (),
    comments: tuple[dict[str, Any], ...] = (),
    analysis: Analysis | None = None,
    columns: tuple[str, ...] = ("news",),
    captures: tuple[CaptureRef, ...] = (CAPTURE,),
    built: dict[str, Any] | None = None,
    **shown: Any,
) -> ExportArticle:
    """As an export hands it to a writer; `built` are columns of the build's table that are not plain."""
    given = {"headline": f"Title {number}", "datePublished": "2024-05-01T10:00:00+02:00", **(metadata or {})}
    found = {name: [values] if isinstance(values, str) else values for name, values in given.items()}
    record = {
        "id": f"pelda-{number:016x}",
        "captures": [asdict(one) for one in captures],
        "url": f"https://pelda.example/{number}",
        "outcome": "article",
        "reason": "",
        "metadata": {name: [{"value": one, "raw": one, "source": "css"} for one in values] for name, values in found.items()},
        "text": text,
        "blocks": [*([paragraph(text)] if text else []), *posts],
        **({"comments": list(comments)} if comments else {}),
    }
    row = {
        "id": record["id"],
        "key": number,
        "identity": str(number),
        "url": record["url"],
        "outcome": PageOutcome.ARTICLE,
        "reason": "",
        "type": "NewsArticle",
        "language": "hu",
        "headline": next(iter(found["headline"]), None),
        "published": next(iter(found["datePublished"]), None),
        "modified": None,
        "canonical": None,
        "words": len(text.split()),
        "characters": len(text),
        "posts": len(posts) + len(comments),
        "layout": None,
        "flags": (),
        "text_changed": None,
        "path": f"tei/2024/05/01/{record['id']}.xml",
        "part": "d",
        "rules": "0123abcd",
        "packed": zstandard.compress(orjson.dumps(record)),
        "versions": (),
        **(built or {}),
    }
    return ExportArticle(portal=PORTAL.name, built=BuiltArticle(**row), analysis=analysis, listed_by=lambda: columns, **shown)
