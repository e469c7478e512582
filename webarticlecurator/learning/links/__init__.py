"""Which links of archive pages lead to articles: rules that find them, the best ones first, with what speaks for each."""

from webarticlecurator.learning.links.find_links import LinkFindings, find_links, narrowed, proposals

__all__ = ["LinkFindings", "find_links", "narrowed", "proposals"]
