"""From pages to picks of metadata: where the sources agree the general reader is right, and no rule is proposed."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.config.portal import Portal
from webarticlecurator.learning.metadata.evidence import MetadataFindings
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned


def find_metadata(pages: Sequence[Page], portal: Portal) -> MetadataFindings:  # noqa: ARG001
    """What the sources of each field say on these pages of articles, and one question for each field in which they differ."""
    return MetadataFindings(learned=Learned(pages=len(pages)))
