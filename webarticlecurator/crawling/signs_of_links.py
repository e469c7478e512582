"""Links that look like a pager's, and that the walk did not ask for.

What looks like a pager's link is known to `extraction/pager_links.py`. Before its first proof a walk asks
where such links lead, and what lists nothing unknown is no sign; so this is about links that could not be
asked for, and later walks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from webarticlecurator.amounts import if_any
from webarticlecurator.crawling.seen_page import SeenPage
from webarticlecurator.model.links import IN_HEAD, PagerLink
from webarticlecurator.own_patterns import linear

_MOST_LINKS = 2_000
"""Links of pagers that are kept in mind at a time."""
_INDEX = linear(r"/index\.\w{2,5}$")
"""Stands for `/`."""
_JOINTS = linear(r"[/?&;._-]")

WasAsked = Callable[[str], bool]


class ShownLink(NamedTuple):
    """A link that looks like a pager's, and the page that showed it."""

    link: PagerLink
    page: str


@dataclass(slots=True)
class SignsOfLinks:
    """Keeps the links of all pages that were not asked for yet."""

    counted: bool
    """The pages of the walk have numbers."""
    is_page: Callable[[str], bool | None]
    """Say whether a URL is an archive page of this walk; None: of none; False: of another interval."""
    pages: int = 0
    """Pages with links."""
    first: str = ""
    """The address of the first page."""
    begins_at_one: bool = False
    """No link of the first page leads to a page before it."""
    second_has_two: bool = False
    """The address of the second page has a 2."""
    top: int | None = None
    """The number of the first page, where pages count downwards."""
    counts_as_labelled: bool = False
    """The links say the numbers that are in their addresses: then the list begins with page 1."""
    goes_back: bool = False
    """The rules follow links that say "previous"."""
    _second: tuple[PagerLink, ...] = ()
    """Links of the second page."""
    _links: dict[str, ShownLink] = field(default_factory=dict)
    """By address."""
    _elsewhere: str | None = None
    """The place where the first page leads to a further one, at an address that the rules do not make."""

    def take(self, seen: SeenPage) -> None:
        """Take in the links of a page."""
        learn = {0: self._begin, 1: self._take_second, 2: self._take_third}.get(seen.index)
        if learn is not None:
            learn(seen)
        self.pages += seen.is_lowest
        self.counts_as_labelled |= any(map(_says_its_number, seen.page.pager))
        if len(self._links) > _MOST_LINKS:
            self._links = {url: shown for url, shown in self._links.items() if url not in seen.asked}
        for link in self._of_list(seen):
            if link.url not in seen.asked and len(self._links) <= _MOST_LINKS:
                self._keep(link, seen)

    def _begin(self, seen: SeenPage) -> None:
        self.first = seen.url
        self.begins_at_one = all(link.number != 1 for link in self._of_list(seen))

    def _take_second(self, seen: SeenPage) -> None:
        leading = self._links.get(seen.url)
        self._second = seen.page.pager
        self.goes_back = leading is not None and leading.link.leads_back
        self.second_has_two = any(link.numbers is not None and link.numbers[0] == 2 for link in self._second)

    def _take_third(self, seen: SeenPage) -> None:
        """Learn from the link that led there whether pages count downwards."""
        numbers = {link.url: link.numbers for link in self._second}.get(seen.url)
        if numbers is not None:
            here, below = numbers
            self.top = here + 1 if below < here else None

    def _of_list(self, seen: SeenPage) -> list[PagerLink]:
        """Return the links of a page that nothing says to be no pager's of this list."""
        pager = seen.page.pager
        return [link for link in pager if not any(check(self, link, seen) for check in OF_SOMETHING_ELSE)]

    def _keep(self, link: PagerLink, seen: SeenPage) -> None:
        fits = self.is_page(link.url)
        if fits is False:
            return
        if self.counted and not fits and link.number != 1:
            if seen.index > 0 or not link.is_sure or self._elsewhere is not None:
                return
            self._elsewhere = link.url
        self._links.setdefault(link.url, ShownLink(link, seen.url))

    def unasked(self, was_asked: WasAsked) -> list[PagerLink]:
        """Return links that may lead to archive pages and that the walk did not ask for, the surest first."""
        links = [shown.link for shown in self._left(self._links.values(), was_asked)]
        return sorted(links, key=lambda link: -link.signs)

    def reason_against(self, was_asked: WasAsked, *, by_word: bool = False) -> str | None:
        """Return that a link leads to what is surely an archive page.

        Of a single page it is enough that it may be one, unless a person says that there is no other.
        """
        shown = list(self._links.values())
        if by_word or self.pages > 1:
            shown = [sure for sure in shown if sure.link.is_sure and sure.link.url != self._elsewhere]
        left = self._left(shown, was_asked)
        if not left:
            return None
        link, page = max(left, key=lambda shown: shown.link.is_sure)
        more = if_any(len(left) - 1, f" (and {len(left) - 1:,} more like it)")
        perhaps = "which may be an archive page (if it is none, say `pages: none`)"
        kind = "an archive page that no rule led to" if link.is_sure else perhaps
        return f"the link {link.text!r} on {page} leads to {link.url}, {kind}{more}"

    def _left(self, links: Iterable[ShownLink], was_asked: WasAsked) -> list[ShownLink]:
        """Return those of these links that lead to nothing that was read."""
        return [shown for shown in links if not self._was_read(shown.link, was_asked)]

    def _was_read(self, link: PagerLink, was_asked: WasAsked) -> bool:
        return any(check(self, link) for check in READ_ALREADY) or was_asked(link.url)


def _says_its_number(link: PagerLink) -> bool:
    return link.numbers is not None and link.number == link.numbers[1] > 1


# --- a link that is no pager's of this list ---


def _of_section(_: SignsOfLinks, link: PagerLink, seen: SeenPage) -> bool:
    """Sections have walks of their own."""
    return link.url in seen.page.sections


def _to_article(_: SignsOfLinks, link: PagerLink, seen: SeenPage) -> bool:
    """The picture of a teaser, or the sign that ends it."""
    return link.url in seen.listed


def _came_from(signs: SignsOfLinks, link: PagerLink, seen: SeenPage) -> bool:
    """It leads to the page before."""
    if seen.index == 0 or link.number is not None:
        return False
    return not link.leads_back if signs.goes_back else link.leads_back and not link.continues


def _of_article(_: SignsOfLinks, link: PagerLink, seen: SeenPage) -> bool:
    """A further page of a thread, beside its title."""
    return any(link.url[: joint.start()] in seen.article_stems for joint in _JOINTS.finditer(link.url))


OF_SOMETHING_ELSE = (_of_section, _to_article, _of_article, _came_from)


# --- a link to what was read ---


def _to_first_page(signs: SignsOfLinks, link: PagerLink) -> bool:
    """By another address, unless the list begins with a page 0 above it."""
    number = link.numbers[1] if link.numbers is not None else -1
    if number == 0 and signs.counted and signs.second_has_two:
        return False
    is_first = link.number == 1 and signs.begins_at_one
    is_top = number == signs.top
    return is_first or is_top or _INDEX.sub("/", link.url) == _INDEX.sub("/", signs.first)


def _in_head_alone(signs: SignsOfLinks, link: PagerLink) -> bool:
    """The head of a page says so, though the walk came to an end: some software goes on writing it."""
    return link.text == IN_HEAD and signs.pages > 1


READ_ALREADY = (_to_first_page, _in_head_alone)
