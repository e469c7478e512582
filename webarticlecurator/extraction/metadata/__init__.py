"""The metadata that a page gives of its article: one reader for each source, one table of which source
wins."""

from webarticlecurator.extraction.metadata.layouts import rules_for
from webarticlecurator.extraction.metadata.read import ReadMetadata, read_metadata

__all__ = ["ReadMetadata", "read_metadata", "rules_for"]
