"""Who is an organisation, and who a person."""

from __future__ import annotations

from collections.abc import Collection

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.article import Article
from webarticlecurator.model.metadata import Found

AGENCIES = ("source", "sourceOrganization", "provider")


def known_organisations(article: Article, portal: Portal) -> frozenset[str]:
    """Names that this article or its portal give to organisations."""
    agencies = [one.value for name in (*AGENCIES, "publisher") for one in article.metadata.get(name, ()) if one.kind != "person"]
    return frozenset((*agencies, portal.title, portal.publisher.name or portal.title))


def is_organisation(agent: Found, known: Collection[str]) -> bool:
    """What the page says of an author counts; where it says nothing, whether an organisation is known by that name."""
    return agent.kind == "organization" if agent.kind else agent.value in known
