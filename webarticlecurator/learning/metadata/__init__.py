"""Rules for the metadata of articles: for fields that are missing on pages, or that sources tell otherwise than they are read."""

from webarticlecurator.learning.metadata.find import find_metadata

__all__ = ["find_metadata"]
