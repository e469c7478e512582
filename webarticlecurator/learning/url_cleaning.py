"""Parameters of addresses that change nothing, by what stored pages show: values of `archive.urls`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Proposal


def find_url_cleaning(
    archive: Sequence[Page], articles: Sequence[Page] = (), *, links_of: Callable[[Page], frozenset[str]] | None = None
) -> tuple[Proposal, ...]:
    """What `archive.urls` should drop; `links_of`: the articles that an archive page lists, as they are written there."""
    del archive, articles, links_of
    return ()
