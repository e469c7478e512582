"""The pages of an archive sorted into series: what has one address but for the date and the page's number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import islice

from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.extraction.pager_signs import page_links, pages_apart
from webarticlecurator.learning.paging.addresses import NumberedAddress, by_name, dated, numbered
from webarticlecurator.model.page import Page
from webarticlecurator.urls import normalise

MOST_COMPARED = 60
"""Pages whose addresses are compared with one another."""
_MOST_LINKS = 2_000


@dataclass(frozen=True)
class Series:
    """The pages of one listing."""

    template: str
    """With the placeholders of dates and `{page}`, as far as there are any."""
    pages: tuple[Page, ...]
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Requested URL -> the page's number."""
    sure: bool = False
    """The number is said by a link to the next page, or by a name before it."""

    @property
    def counted(self) -> bool:
        """Whether a page's number stands in its address."""
        return "page" in self._parsed.names

    @property
    def dated(self) -> bool:
        return self._parsed.finest_step is not None

    @cached_property
    def _parsed(self) -> UrlTemplate:
        return UrlTemplate.parse(self.template)

    def _links_like(self, template: UrlTemplate) -> Iterator[tuple[str, dict[str, str]]]:
        """Addresses that the pages lead to and that a template makes, with its values."""
        urls = (url for page in self.pages for _, url in islice(page_links(page), _MOST_LINKS))
        return ((url, values) for url in dict.fromkeys(urls) if (values := template.match(url)) is not None)

    @property
    def first_number(self) -> int:
        """With which counting begins: 0 where such a page is known, else 1."""
        linked = (values["page"] for _, values in self._links_like(self._parsed)) if self.counted else ()
        return 0 if self.counted and (0 in self.numbers.values() or "0" in linked) else 1

    @property
    def first_url(self) -> str:
        """The template of the first page of each date."""
        if not self.counted:
            return self.template
        for page in self.pages:
            url = normalise(page.requested_url)
            if self.numbers.get(page.requested_url, 2) <= 1 and self._parsed.match(url) is None:
                return dated(url, page.date.date()).template
        return self.template.replace("{page}", str(self.first_number))

    @property
    def begins_elsewhere(self) -> bool:
        """Whether the first page has an address that no number makes: nobody knows whether there is one of number 1, too."""
        return self.counted and self._parsed.match(self.first_url) is None

    @property
    def earliest(self) -> date | None:
        """Of the dates in the addresses of its pages, and of those that they lead to."""
        if not self.dated or not self.pages:
            return None
        until = max(page.date.date() for page in self.pages)
        linked = (url for url, _ in self._links_like(UrlTemplate.parse(self.first_url)))
        starts = (dated(normalise(url), until).start for url in (*(page.requested_url for page in self.pages), *linked))
        return min(filter(None, starts), default=None)


def series_of(pages: Sequence[Page], following: Mapping[str, str | None]) -> tuple[Series, ...]:
    """`following`: where pages lead, as far as that is known; their order is that of the pages."""
    by_template: dict[str, list[Page]] = {}
    numbers: dict[str, int] = {}
    sure: set[str] = set()
    urls = [normalise(page.requested_url) for page in pages[:MOST_COMPARED]]
    for page in pages:
        address, is_sure = _address(page, urls, following.get(page.requested_url))
        template = address.template if address is not None else dated(normalise(page.requested_url), page.date.date()).template
        by_template.setdefault(template, []).append(page)
        if address is not None:
            numbers[page.requested_url] = address.number
        if is_sure:
            sure.add(template)
    return tuple(
        Series(
            template,
            tuple(own),
            {page.requested_url: numbers[page.requested_url] for page in own if page.requested_url in numbers},
            template in sure,
        )
        for template, own in by_template.items()
    )


def _address(page: Page, urls: Sequence[str], following: str | None) -> tuple[NumberedAddress | None, bool]:
    url, until = normalise(page.requested_url), page.date.date()

    def template_of(address: str) -> str:
        return dated(address, until).template

    if following is not None:
        apart = pages_apart(url, following)
        if apart is None or apart[1] != apart[0] + 1:
            return None, False  # offsets, or a cursor: nothing that could be counted
        return numbered(url, [following], template_of), True
    named = by_name(template_of(url))
    same_date = [other for other in urls if other != url and dated(other, until).start == dated(url, until).start]
    compared = numbered(url, same_date, template_of)
    return (named, True) if named is not None and (compared is None or compared == named) else (compared or named, named is not None)
