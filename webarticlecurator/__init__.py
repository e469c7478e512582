"""Every article a portal ever published, as WARC that stays raw and as TEI that can be rebuilt.

from webarticlecurator import build, crawl, load_portal, read_corpus

portal = load_portal("portal.yaml")
crawl([portal])
build(portal)
for article in read_corpus(portal): ...
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from webarticlecurator import version

if TYPE_CHECKING:
    from webarticlecurator.building.options import BuildOptions, BuildSummary
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.corpus_build import build, read_corpus
    from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
    from webarticlecurator.extract.article import article_from_html
    from webarticlecurator.pipeline import crawl, status

__all__ = [
    "BuildOptions",
    "BuildSummary",
    "CrawlOptions",
    "CrawlSummary",
    "__version__",
    "article_from_html",
    "build",
    "crawl",
    "load_portal",
    "read_corpus",
    "status",
]

__version__ = version.VERSION

_PLACES = {
    "BuildOptions": "webarticlecurator.building.options",
    "BuildSummary": "webarticlecurator.building.options",
    "CrawlOptions": "webarticlecurator.crawling.options",
    "CrawlSummary": "webarticlecurator.crawling.options",
    "article_from_html": "webarticlecurator.extract.article",
    "build": "webarticlecurator.corpus_build",
    "crawl": "webarticlecurator.pipeline",
    "load_portal": "webarticlecurator.config.load",
    "read_corpus": "webarticlecurator.corpus_build",
    "status": "webarticlecurator.pipeline",
}


def __getattr__(name: str) -> Any:
    """Imported when it is first asked for: `import webarticlecurator` and `curator --help` stay instant."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
