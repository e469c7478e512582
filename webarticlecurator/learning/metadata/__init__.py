"""Which sources of a portal's pages say what of each metadata field, and the picks that are proposed from it."""

from webarticlecurator.learning.metadata.find import find_metadata

__all__ = ["find_metadata"]
