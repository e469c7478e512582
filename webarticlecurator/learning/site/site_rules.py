"""The rules of the presets for sitemaps and feeds, applied to a site that has no portal file yet."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.page import NoPage


@dataclass(slots=True)
class RulesOfPreset:
    """Those of a site by its home page; each is loaded when it is needed."""

    home: str
    _portals: dict[str, Portal] = field(default_factory=dict)

    def portal(self, preset: str) -> Portal:
        if preset not in self._portals:
            text = f"portal: site\nhome: {json.dumps(self.home)}\nextends: {preset}\n"
            self._portals[preset] = load_portal(Path(FILE_NAME), content=text.encode())
        return self._portals[preset]

    def read_list(self, capture: Capture, kind: str) -> ArchivePage | None:
        """What a sitemap or a feed names; None: it is neither."""
        portal = self.portal(kind)
        try:
            read = read_sitemap(capture, portal.columns[0], portal)
        except PatternTimeout:
            return None
        return None if isinstance(read, NoPage) else read
