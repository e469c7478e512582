"""An export of articles that a test made, to files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from export_articles import PORTAL

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.formats import FORMATS
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo


def exported(
    format: str,
    path: Path,
    articles: Iterable[ExportArticle],
    *,
    portals: Sequence[PortalInfo] = (PORTAL,),
    notes: list[str] | None = None,
    **options: Any,
) -> Path:
    """The file (or folder) that a format's writer made of them; `notes` gets what it has to tell."""
    row = FORMATS[format]
    with Output(path, stem="pelda", folder=row.folder or bool(options.get("per_article"))) as output:
        writer = row.writer()(output, ExportOptions(format=format, **options), portals)
        for one in articles:
            writer.write(one)
        writer.finish()
        if notes is not None:
            notes += output.notes
        output.close()
        output.commit(b"{}")
    return path
