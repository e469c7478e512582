"""Links of a page that look like those of a pager.

A link is judged by two tables: reasons against it, and evidence for it. Evidence are the words on it, the
names of it and of the elements around it, and its address.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.checks import Check, Evidence, fact, first_reason, total_weight
from webarticlecurator.extraction.pager_signs import (
    ARROWS,
    BACK_WORDS,
    DIGIT,
    LEVELS,
    LONGEST_LABEL,
    MOST_IN_PAGER,
    OTHER_BOX,
    PAGE_ADDRESS,
    PHRASES,
    REL_NEXT,
    SAID_OF_NEXT,
    WORDS_OF_PAGERS,
    YEARS,
    are_next,
    is_called_pager,
    is_year,
    leads_to_file,
    names_of,
    page_label,
    plain_label,
    says_all,
    says_where,
)
from webarticlecurator.model.links import IN_HEAD, SURE, WITHOUT_WORDS, PagerLink
from webarticlecurator.model.page import Outline, Page, relations
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import EXTENSION, bare_host, normalise, pages_apart, split_path

_BACK_ARROWS, _ON_ARROWS = frozenset("«<‹←⟨"), frozenset("»>›→⟩❯➔➜►▸|")
_TAIL = 12
"""Characters at the end of an address of which one is a digit, where it ends with the number of a page."""
_LONGEST_MARK = 30
"""Characters at the end of an address that may say that it has the number of a page."""
_SIZE_OF_PAGE = linear(
    r"[?&](?:limit|per[-_]?page|page[-_]?size|rows|num|show)=(\d{1,6})(?![^&#])",
    re.IGNORECASE,
)
_CURSOR = linear(
    r"[?&](?:after|before|continue|cursor|from|max_?id|next|older|page_?token|start_?after|until)=",
    re.IGNORECASE,
)
"""Parameters that lead on where pages have no numbers."""
_MOST_SHOWN = 100
"""Pages ahead that pagers lead to by their numbers.

A year may be the number of a page only where that is near.
"""


def pager_links(page: Page, links: Iterable[tuple[Element, str]]) -> tuple[PagerLink, ...]:
    """Return the links that look like a pager's, each address once."""
    by_url: dict[str, PagerLink] = {}
    for _, link in links_of_pagers(page, links):
        by_url[link.url] = max(by_url.get(link.url, link), link, key=_rank)
    shown = _without_years(list(by_url.values()))
    # a pager says once where it goes on; what stands below every teaser is no pager's
    texts = Counter(link.text for link in shown)
    return tuple(link for link in shown if link.is_sure or texts[link.text] == 1)


def _rank(link: PagerLink) -> tuple[bool, bool]:
    """Return the rank of a link beside others to the same page: that which has its number tells most."""
    return link.number is not None, link.is_sure


def _without_years(links: list[PagerLink]) -> list[PagerLink]:
    """Return the links without their numbers where these are a list of years, not of pages."""
    numbers = {link.number for link in links} - {None}
    return [link for link in links if link.number is None] if numbers <= YEARS else links


def links_of_pagers(page: Page, links: Iterable[tuple[Element, str]]) -> Iterator[tuple[Element, PagerLink]]:
    """Give each of these links that looks like a pager's, judged by itself.

    The page itself is none of them.
    """
    names, host = NamesAround(page.outline), bare_host(page.url)
    page_url = normalise(page.url)
    page_urls = {page_url, normalise(page.requested_url)}
    for element, url in links:
        if url in page_urls:
            continue
        judged = judge(CandidateLink(page.outline.row_of[element], url, page_url, names))
        if judged is not None and bare_host(url) == host:
            yield element, judged


class LinkToAll(NamedTuple):
    """A link that may lead to a list of all articles."""

    page: Page
    url: str
    text: str


NOT_TO_ALL: tuple[Check[LinkToAll], ...] = (
    Check("its words do not say so", lambda link: not says_all(link.text)),
    Check("it leads to another host", lambda link: bare_host(link.url) != bare_host(link.page.url)),
    Check("it leads to the page itself", lambda link: link.page.is_at(link.url)),
    Check("it leads to no page", lambda link: leads_to_file(link.url)),
)
"""Why a link does not say that all articles are listed where it leads."""


def links_to_all(page: Page, links: Iterable[tuple[Element, str]]) -> Iterator[PagerLink]:
    """Give the links that say that all articles are listed where they lead: signs that they are not here."""
    outline = page.outline
    for element, url in links:
        text = outline.label(outline.row_of[element], LONGEST_LABEL)
        if not first_reason(NOT_TO_ALL, LinkToAll(page, url, text)):
            yield PagerLink(url=url, text=text, signs=0)


class NamesAround:
    """Names of the elements of a page, with all that they say of the links in them."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.name = cache(self._name)
        """Returns what an element is called in class, id, role and label."""
        self.is_pager = cache(self._is_called_pager)
        """Says of an element whether it is called a pager."""

    def _name(self, row: int) -> str:
        return names_of(self.outline.elements[row])

    def _is_called_pager(self, row: int) -> bool:
        return is_called_pager(self.name(row)) and len(self.outline.rows_in(row, "a")) <= MOST_IN_PAGER

    def direction(self, link: int) -> tuple[bool, bool]:
        """Say whether the link, what is in it or what holds it alone is called after leading on, or back."""
        parts = islice(self.outline.elements[link].iterchildren("*"), LEVELS)
        names = [self.name(link), *map(names_of, parts)]
        for holder in islice(self.outline.around(link), 2):
            name = self.name(holder)
            if not any(says_where(name)) or len(self.outline.rows_in(holder, "a")) > 1:
                break
            names.append(name)
        leads_on, leads_back = zip(*map(says_where, names), strict=True)
        return any(leads_on), any(leads_back)

    def in_pager(self, link: int) -> bool:
        """Say whether an element near around it is called a pager."""
        return any(map(self.is_pager, (link, *islice(self.outline.around(link), LEVELS))))

    def in_other_box(self, row: int) -> bool:
        """Say whether names say that it belongs to something else: a slider, a calendar."""
        boxes = (row, *islice(self.outline.around(row), LEVELS))
        return any(OTHER_BOX.search(self.name(box)) for box in boxes)


@dataclass(eq=False)
class CandidateLink:
    """A link that may be a pager's, with facts about it that are computed when a check asks for them."""

    row: int
    url: str
    """Normalised."""
    page_url: str
    """Normalised: that of the page it stands on."""
    names: NamesAround

    # --- what is written on it ---

    @fact
    def element(self) -> Element:
        return self.names.outline.elements[self.row]

    @fact
    def text(self) -> str | None:
        """The text; None where it is longer than labels of pagers."""
        return self.names.outline.short_text(self.row, LONGEST_LABEL)

    @fact
    def shown(self) -> str:
        """The text, or nothing where it is too long."""
        return self.text or ""

    @property
    def is_picture(self) -> bool:
        return self.text == ""

    @fact
    def words(self) -> str:
        """The text without arrows around it."""
        return self.shown.strip(ARROWS)

    @property
    def is_arrow(self) -> bool:
        return bool(self.shown) and not self.words

    @fact
    def label(self) -> str:
        """The words on it, or else those that programs read aloud."""
        written = self.words or self.element.get("aria-label") or self.element.get("title", "")
        return plain_label(written)

    @fact
    def number(self) -> int | None:
        """The number of a page, where nothing else is written on it."""
        return page_label(self.words)

    @fact
    def says_next(self) -> bool:
        return self.label in SAID_OF_NEXT

    @fact
    def says_previous(self) -> bool:
        return self.label in BACK_WORDS

    @property
    def shows_on(self) -> bool:
        """True if it is a picture, or an arrow that points on."""
        return self.is_picture or (self.is_arrow and self.has_arrow_on)

    @property
    def has_arrow_on(self) -> bool:
        return not _ON_ARROWS.isdisjoint(self.shown)

    # --- what it and the elements around it are called ---

    @fact
    def direction(self) -> tuple[bool, bool]:
        return self.names.direction(self.row)

    @fact
    def in_pager(self) -> bool:
        return self.names.in_pager(self.row)

    # --- where it leads ---

    @fact
    def may_number_pages(self) -> bool:
        """Its address has a query, or a digit near its end."""
        return "?" in self.url or DIGIT.search(self.url[-_TAIL:]) is not None

    @fact
    def has_page_address(self) -> bool:
        """Its address says the number of a page."""
        begin = 0 if "?" in self.url else max(0, len(self.url) - _LONGEST_MARK)
        return self.may_number_pages and PAGE_ADDRESS.search(self.url, begin) is not None

    @fact
    def exact_numbers(self) -> tuple[int, int] | None:
        """The numbers of both pages, where their addresses differ in nothing else."""
        return pages_apart(self.page_url, self.url)

    @fact
    def numbers(self) -> tuple[int, int] | None:
        """The numbers of both pages by their addresses, which may differ in a little more."""
        if self.exact_numbers is None and self.has_page_address:
            return _numbers_nearby(self.page_url, self.url)
        return self.exact_numbers

    @property
    def places(self) -> tuple[int, int]:
        """The numbers of both pages; those of two later ones where the addresses tell none."""
        return self.numbers or (2, 2)

    @property
    def is_next_by_number(self) -> bool:
        return are_next(self.numbers)

    @property
    def says_other_page(self) -> bool:
        """Its words say that it leads to another page than the first one."""
        return self.number is not None or self.says_next

    @fact
    def weight_of_words(self) -> int:
        """Phrases are said of nothing else; arrows, numbers and words of many things."""
        if self.label in PHRASES:
            return SURE
        return int(self.is_arrow or self.number is not None or self.label in WORDS_OF_PAGERS)

    @fact
    def leads_back(self) -> bool:
        """Words or names say that it leads to the page before."""
        on, back = self.direction
        by_words = self.says_previous and not self.has_arrow_on
        return by_words or (back and not on and not self.says_next)

    @fact
    def signs(self) -> int:
        """All the evidence for it, as weights."""
        return total_weight(EVIDENCE, self)


# --- evidence for a link ---


def _weight_of_words(link: CandidateLink) -> int:
    return link.weight_of_words


def _weight_of_picture(link: CandidateLink) -> int:
    return int(link.is_picture and link.is_next_by_number)


def _weight_of_pager(link: CandidateLink) -> int:
    return int(link.in_pager)


def _weight_of_direction(link: CandidateLink) -> int:
    return int(any(link.direction))


def _weight_of_address(link: CandidateLink) -> int:
    if link.exact_numbers is not None:
        return SURE if link.has_page_address else 1
    return int(link.numbers is not None)


EVIDENCE: tuple[Evidence[CandidateLink], ...] = (
    Evidence("what is written on it", _weight_of_words),
    Evidence("a picture, and the address of the page behind this one", _weight_of_picture),
    Evidence("an element around it is called a pager", _weight_of_pager),
    Evidence("it is called after leading on, or back", _weight_of_direction),
    Evidence("its address is the page's but for a number", _weight_of_address),
)


# --- reasons against a link ---


def _is_headline(link: CandidateLink) -> bool:
    return link.text is None and not link.has_page_address


def _is_size_of_page(link: CandidateLink) -> bool:
    """ "20 | 50 | 100" on a page."""
    size = _SIZE_OF_PAGE.search(link.url) if link.number is not None else None
    return size is not None and int(size[1]) == link.number


SPEAKING: tuple[Check[CandidateLink], ...] = (
    Check("what is written on it", lambda link: link.weight_of_words > 0),
    Check("a picture", lambda link: link.is_picture),
    Check("it is called after leading on, or back", lambda link: any(link.direction)),
    Check("its address says a page's number", lambda link: link.has_page_address),
    Check("its address has a number, in a pager", lambda link: link.may_number_pages and link.in_pager),
)
"""Signs of a pager's link of which one must be there."""


def _says_nothing(link: CandidateLink) -> bool:
    return not first_reason(SPEAKING, link)


class _NumberedLink(NamedTuple):
    """The number on a link, and the numbers of both pages by their addresses."""

    number: int
    here: int
    there: int


def _is_far_year(link: _NumberedLink) -> bool:
    return is_year(link.number) and abs(link.number - link.here) > _MOST_SHOWN


def _is_none_of_its_address(link: _NumberedLink) -> bool:
    """Say whether its address has neither the page's number nor that of the first item on it."""
    counts_items = link.number > 1 and link.there > 0 and link.there % (link.number - 1) == 0
    return link.there not in (link.number, link.number - 1) and not counts_items


CONTRADICTIONS: tuple[Check[_NumberedLink], ...] = (
    Check("its number is that of this page", lambda link: link.number == link.here == 1),
    Check("its number is a far year", _is_far_year),
    Check("its address cannot mean that number", _is_none_of_its_address),
)


def _number_is_none_of_its_address(link: CandidateLink) -> bool:
    if link.number is None or link.numbers is None:
        return False
    return first_reason(CONTRADICTIONS, _NumberedLink(link.number, *link.numbers)) != ""


LEADING_ON: tuple[Check[CandidateLink], ...] = (
    Check("it says that it leads on", lambda link: link.says_next),
    Check("it says that it leads back", lambda link: link.says_previous),
    Check("it is called after leading on", lambda link: link.direction[0]),
    Check(
        "its address says another page's number",
        lambda link: link.has_page_address and link.numbers is not None,
    ),
)


def _leads_to_page_itself(link: CandidateLink) -> bool:
    """Say whether it leads from the first page to the first page, with its number."""
    return not first_reason(ELSEWHERE, link)


def _leads_back_to_first(link: CandidateLink) -> bool:
    """Say whether it says that it leads back, and not to a page that is counted as zero."""
    return link.says_previous and link.places[1] == 1


ELSEWHERE: tuple[Check[CandidateLink], ...] = (
    Check("one of the pages is none of the first", lambda link: max(link.places) > 1),
    Check("its words name another page", lambda link: link.says_other_page),
    Check("it leads back", _leads_back_to_first),
)
"""Why a link leads to another page than the first one, on which it stands."""


def _is_weak(link: CandidateLink) -> bool:
    """Say whether its evidence is little, and not that it leads on."""
    if link.signs >= SURE:
        return False
    return link.leads_back or not link.label or not first_reason(LEADING_ON, link)


def _belongs_to_other_box(link: CandidateLink) -> bool:
    is_sure_by_words = link.weight_of_words + _weight_of_picture(link) >= SURE
    return not is_sure_by_words and link.names.in_other_box(link.row)


NO_CANDIDATE: tuple[Check[CandidateLink], ...] = (
    Check("it is as long as a headline", _is_headline),
    Check("its number is how many stand on a page", _is_size_of_page),
    Check("nothing but a number in its address speaks for it", _says_nothing),
)
"""Reasons that cost little to look for: most links of a page are out by them."""
AGAINST: tuple[Check[CandidateLink], ...] = (
    Check("its number and its address contradict each other", _number_is_none_of_its_address),
    Check("it leads to the page itself", _leads_to_page_itself),
    Check("what speaks for it is too little", _is_weak),
    Check("it belongs to a slider, a calendar or the like", _belongs_to_other_box),
)


def judge(link: CandidateLink) -> PagerLink | None:
    """Return the link as a pager's, with how much speaks for it; None where anything speaks against it."""
    if "next" in relations(link.element):
        return _by_relation(link)
    if first_reason(NO_CANDIDATE, link):
        return None
    return _by_arrow_alone(link) or _by_evidence(link)


def _by_evidence(link: CandidateLink) -> PagerLink | None:
    if first_reason(AGAINST, link):
        return None
    points_back = link.is_arrow and _BACK_ARROWS.issuperset(link.shown.strip())
    return PagerLink(
        url=link.url,
        text=link.shown or WITHOUT_WORDS,
        number=_number_of_page(link),
        continues=link.numbers is not None,
        numbers=link.numbers,
        leads_back=link.leads_back or points_back,
        signs=link.signs,
    )


def _number_of_page(link: CandidateLink) -> int | None:
    """Return the number on a link, or 1 where its address says so; None where no address has one."""
    if link.numbers is None:
        return None
    here, there = link.numbers
    leads_to_first = there <= 1 < here and not link.says_other_page
    return 1 if leads_to_first else link.number


def _by_relation(link: CandidateLink) -> PagerLink:
    """Return a link that says `rel=next`, in the head of the page or in its text."""
    text = IN_HEAD if link.element.tag == "link" else REL_NEXT
    return PagerLink(url=link.url, text=text, continues=link.exact_numbers is not None, signs=2 * SURE)


def _by_arrow_alone(link: CandidateLink) -> PagerLink | None:
    """Return a picture or an arrow that leads to another place of the list."""
    sign = first_reason(OF_ARROWS, link) if link.shows_on else ""
    if not sign:
        return None
    return PagerLink(
        url=link.url, text=link.shown or WITHOUT_WORDS, continues=True, signs=int(sign == TO_PLACE)
    )


def _has_cursor(link: CandidateLink) -> bool:
    is_same_list = split_path(link.page_url)[0] == split_path(link.url)[0]
    return is_same_list and _CURSOR.search(link.url) is not None


TO_PLACE = "its address says where the list goes on"
OF_ARROWS: tuple[Check[CandidateLink], ...] = (
    Check(TO_PLACE, _has_cursor),
    Check(
        "pages are counted from zero, and it leads to the first", lambda link: link.exact_numbers == (1, 1)
    ),
)
"""Signs that a picture or an arrow without words leads on."""


def _numbers_nearby(page_url: str, url: str) -> tuple[int, int] | None:
    """Return both numbers of pages, where one stands below or beside the other, or has other parameters."""
    here, there = PAGE_ADDRESS.search(page_url), PAGE_ADDRESS.search(url)
    if there is None:
        return None
    end, own = (here.start(), int(here[1])) if here is not None else (len(page_url), 1)
    folder = EXTENSION.sub("", page_url[:end].partition("?")[0]).rstrip("/")
    path, is_query, _ = url[: there.start()].partition("?")
    path = EXTENSION.sub("", path).rstrip("/")
    folders = (folder, folder.rpartition("/")[0])
    is_near = path == folder if is_query else path in folders or path.rpartition("/")[0] in folders
    number = int(there[1])
    return (own, number) if is_near and own != number else None
