"""Signs of a walk's end on its pages: one observer for each question."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from webarticlecurator.crawling.seen_page import SeenPage
from webarticlecurator.crawling.signs_of_copies import SignsOfCopies
from webarticlecurator.crawling.signs_of_counts import SignsOfCounts
from webarticlecurator.crawling.signs_of_links import SignsOfLinks
from webarticlecurator.crawling.signs_of_scripts import SignsOfScripts
from webarticlecurator.crawling.signs_of_sizes import SignsOfSizes
from webarticlecurator.crawling.signs_of_skips import SignsOfSkips
from webarticlecurator.crawling.signs_of_years import SignsOfYears
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.own_patterns import linear

_EXTENSION = linear(r"\.\w{2,5}$|/$")


@dataclass(slots=True)
class Signs:
    """The observers of one walk."""

    counted: bool
    """The pages of the walk have numbers."""
    is_page: Callable[[str], bool | None]
    """Say whether a URL is an archive page of this walk; None: of none; False: of another interval."""
    grows: bool
    """It is one page in a browser."""
    links: SignsOfLinks = field(init=False)
    counts: SignsOfCounts = field(init=False)
    sizes: SignsOfSizes = field(init=False)
    scripts: SignsOfScripts = field(init=False)
    copies: SignsOfCopies = field(init=False)
    years: SignsOfYears = field(init=False, default_factory=SignsOfYears)
    skips: SignsOfSkips = field(init=False, default_factory=SignsOfSkips)
    _lowest: int = -1

    def __post_init__(self) -> None:
        self.links = SignsOfLinks(self.counted, self.is_page)
        self.counts = SignsOfCounts(self.grows)
        self.sizes = SignsOfSizes(self.counted)
        self.scripts = SignsOfScripts(self.grows)
        self.copies = SignsOfCopies()

    def take(self, index: int, url: str, page: ArchivePage, asked: Collection[str]) -> None:
        """Show a page with links to all observers."""
        articles = {link.url for link in page.articles}
        listed = frozenset(articles.union(link.url for link in page.refused))
        stems = (_EXTENSION.sub("", address) for address in listed)
        seen = SeenPage(
            index=index,
            url=url,
            page=page,
            asked=asked,
            listed=listed,
            article_stems=frozenset(stem for stem in stems if not url.startswith(stem)),
            is_next=index == self._lowest + 1,
            is_lowest=index > self._lowest,
        )
        self.links.take(seen)
        self.counts.take(seen)
        self.sizes.take(seen)
        self.scripts.take(seen)
        self.skips.take(seen)
        self.years.take(seen)
        self._lowest = max(self._lowest, index)

    @property
    def gap(self) -> str | None:
        """Between which two pages articles may be missing."""
        return self.counts.gap or self.copies.gap
