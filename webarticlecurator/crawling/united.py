"""Addresses that are one article's by a rule of the portal file, and may be those of several."""

from __future__ import annotations

from dataclasses import dataclass, field

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.model.links import WrittenLink


@dataclass(slots=True)
class UnitedAddresses:
    """What `urls.replace` and `urls.drop_params` make one address of, of one column in one crawl."""

    column: Column
    _first: dict[str, WrittenLink] = field(default_factory=dict)
    """By the address that the rules leave."""
    _others: dict[str, str] = field(default_factory=dict)
    """Written so, and another article than one that had been written otherwise."""

    def take(self, links: tuple[WrittenLink, ...]) -> None:
        """What a page of the column lists."""
        for link in links:
            first = self._first.setdefault(link.url, link) if len(self._first) < 20_000 else self._first.get(link.url, link)
            if first.written != link.written and self._differ(first, link):
                self._others.setdefault(link.written, first.written)

    def _differ(self, first: WrittenLink, link: WrittenLink) -> bool:
        """Whether they are two articles: one may well be listed twice, with another parameter, or with a link to its comments; in
        sitemaps each address is that of a page of its own."""
        above, below = sorted((first.written, link.written), key=len)
        if below.startswith((f"{above.rstrip('/')}/", f"{above}?")):
            return False
        words, others = set(first.text.lower().split()), set(link.text.lower().split())
        is_other = len(words & others) < 0.75 * min(len(words), len(others))  # of one article a count may differ
        return is_other or self.column.format is ArchiveFormat.SITEMAP

    def remark(self) -> str | None:
        """That articles are lost by the rules."""
        if not self._others:
            return None
        rules = {"`urls.replace`": self.column.urls.replace, "`urls.drop_params`": self.column.urls.drop_params}
        named = [name for name, values in rules.items() if values]
        make = f"{' and '.join(named)} {'makes' if len(named) == 1 else 'make'}"
        links = amount(len(self._others), "link that lists something else", "links that list something else")
        example = " and ".join(reversed(next(iter(self._others.items()))))
        return (
            f"column {self.column.name}: {make} the address of another article of {links} (such as {example}), and one of them is fetched"
        )
