"""Every article a portal ever published, as WARC that stays raw and as TEI that can be rebuilt.

from webarticlecurator import build, crawl, load_portal, read_corpus

portal = load_portal("portal.yaml")
crawl(portal)
build(portal)
for article in read_corpus(portal):
    print(article.date, article.title)

docs/reference/python.md tells it with examples.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from webarticlecurator import version

if TYPE_CHECKING:
    from webarticlecurator.annotations.annotate_options import AnnotateSummary
    from webarticlecurator.building.build_options import BuildOptions, BuildSummary
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
    from webarticlecurator.errors import (
        CorpusBusy,
        CorpusError,
        CuratorError,
        PatternTimeout,
        PortalFileError,
        UsageError,
    )
    from webarticlecurator.loose_pages.extracted_pages import extract, extract_many
    from webarticlecurator.model.article import Article
    from webarticlecurator.model.capture import Capture
    from webarticlecurator.model.outcome import PageOutcome as Outcome
    from webarticlecurator.searching.concordance import SearchResult
    from webarticlecurator.stages.annotate import annotate
    from webarticlecurator.stages.build import build, read_corpus
    from webarticlecurator.stages.export import ExportSummary, export
    from webarticlecurator.stages.pipeline import crawl, status
    from webarticlecurator.stages.search import search
    from webarticlecurator.warc.exchanges import iter_warc

__all__ = [
    "AnnotateSummary", "Article", "BuildOptions", "BuildSummary", "Capture", "CorpusBusy", "CorpusError",
    "CrawlOptions", "CrawlSummary", "CuratorError", "ExportSummary", "Outcome", "PatternTimeout", "Portal",
    "PortalFileError", "SearchResult", "UsageError", "__version__", "annotate", "build", "crawl", "export",
    "extract", "extract_many", "iter_warc", "load_portal", "read_corpus", "search", "status",
]  # fmt: skip

__version__ = version.VERSION

_MODULES = {
    "annotations.annotate_options": ("AnnotateSummary",),
    "building.build_options": ("BuildOptions", "BuildSummary"),
    "config.load": ("load_portal",),
    "config.portal": ("Portal",),
    "stages.annotate": ("annotate",),
    "stages.build": ("build", "read_corpus"),
    "stages.export": ("ExportSummary", "export"),
    "crawling.crawl_options": ("CrawlOptions", "CrawlSummary"),
    "errors": (
        "CorpusBusy",
        "CorpusError",
        "CuratorError",
        "PatternTimeout",
        "PortalFileError",
        "UsageError",
    ),
    "loose_pages.extracted_pages": ("extract", "extract_many"),
    "model.article": ("Article",),
    "model.capture": ("Capture",),
    "model.outcome": ("PageOutcome",),
    "searching.concordance": ("SearchResult",),
    "stages.pipeline": ("crawl", "status"),
    "stages.search": ("search",),
    "warc.exchanges": ("iter_warc",),
}
_PLACES = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}
_CALLED = {"Outcome": "PageOutcome"}
"""The names inside by their public names, where they differ: what became of a page is the only outcome that
an article has."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for: `import webarticlecurator` and `curator --help` stay
    instant."""
    inside = _CALLED.get(name, name)
    if inside not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[inside]), inside)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
