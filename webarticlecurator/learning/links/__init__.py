"""Which links of archive pages lead to articles: rules that find them, the best ones first, with what speaks for each."""

from webarticlecurator.learning.links.find import find_links, narrowed
from webarticlecurator.learning.links.findings import LinkFindings, LinkRule, proposals

__all__ = ["LinkFindings", "LinkRule", "find_links", "narrowed", "proposals"]
