"""A portal file and pages made on the spot, for tests of what the rules read from pages."""

from seams import URL, WHEN, all_values_of, archive_of, capture_of, links_of, page_of, portal_of, values_of

__all__ = ["URL", "WHEN", "all_values_of", "archive_of", "capture_of", "links_of", "page_of", "portal_of", "values_of"]
