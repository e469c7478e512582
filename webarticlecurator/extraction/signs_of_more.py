"""Signs that an article goes on behind its known pages: links to its address with a number, and counts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import chain, islice
from typing import NamedTuple, Self

from lxml.etree import _Element as Element

from webarticlecurator.budget import one_page
from webarticlecurator.config.fetch_rules import UrlRules
from webarticlecurator.config.picks import PageNumber, Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article_pages import lies_below, named_as_page, says_page
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.pager_links import pager_links
from webarticlecurator.extraction.pager_signs import (
    DIGIT,
    LONGEST_LABEL,
    REL_NEXT,
    SAID_OF_NEXT,
    page_links,
    plain_label,
)
from webarticlecurator.extraction.picked_values import PageContext, pick_links
from webarticlecurator.extraction.stated_counts import (
    bytes_may_state_count,
    may_state_count,
    names_pages,
    stated_counts,
)
from webarticlecurator.extraction.url_rules import article_url, cleaned
from webarticlecurator.model.links import IN_HEAD, SKIPPED, PagerLink, RefusedLink, Stated
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import Selector, identifier
from webarticlecurator.text import element_text, squeeze, text_inside
from webarticlecurator.urls import EXTENSION, normalise, page_numbers, pages_apart, split, split_path

_RELATED = (REL_NEXT, IN_HEAD)
_LABELS = SAID_OF_NEXT | {""}
"""Labels of links that may lead to a further page; one without words has a number, or an arrow."""
_NUMBERS, _LETTERS = linear(r"\d+"), linear(r"[^\W\d_]+")
_OWN_NUMBER = linear(r"[1-9]\d+")
"""A number that is the article's own, since first pages have none, or 1."""
_WRITTEN_FROM_PAGE = linear_at(r"[^/:][^:]*")
"""An address as it is seen from the page that it stands on."""
_OF_BOX = linear(r"[?&][\w%-]*\d[\w%-]*=\d+(?:&|$)")
_OWN_SEGMENT = linear_at(r"/\d{1,4}/?")
"""A page's number at the end of an address, that can hardly be anything else."""
_BEHIND_OWN = linear_at(r"[^/]|.*[0-9]")
"""The rest of an address behind the article's own, that may be a page's: in a path a number has to say so."""
_MAY_BE_PAGE = linear(
    rb"""(?:[/,_-]|[-_/?;&](?:amp;|#0?38;)?[a-zA-Z_\[\]]{1,20}[-/=_,])\d{1,4}(?:\.\w{2,5})?/?(?=["'\s>#&])"""
)
_END_OF_ADDRESS = linear(rb"""["'\s>#]""")
_FURTHER_PATH = linear_at(r"(?:\.\w{2,5})?(/?[?][^#<>\\]+|/[^?#<>\\]*\d[^?#<>\\]*)")
"""The rest of an address behind the article's own path: a query, or a part of a path with a number."""
_FURTHER_QUERY = linear_at(r"(&[^#<>\\]+)")
"""The rest of an address behind the article's own query."""
_LONGEST_REST = 300
"""Bytes of an address behind the article's own."""
_RELATIVE = linear(rb"""href\s*=\s*["']?[?;]""")
_LEFT_OUT = ("urls.exclude", SKIPPED)
"""Rules by which a person leaves out pages; `urls.only` is written for the first pages of articles."""
_TELLING = 8
"""Letters of the last part of an address that nothing else on a page is likely to have."""
_MOST_PLACES = 200
"""Places of a page's bytes at which the article's own address stands."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The pages of an article up to the one that is looked at."""

    address: str
    """The article's own, normalised."""
    urls: Collection[str]
    """The addresses of its pages, normalised, the article's own among them."""
    number: int
    """The number of pages that were read."""
    rules: UrlRules
    """The rules by which its links are followed."""

    @classmethod
    def of(cls, article: str, seen: Collection[str], portal: Portal) -> Self:
        """Return what is known of the article at this address, of which these pages were read."""
        return cls(normalise(article), set(map(normalise, (*seen, article))), len(seen), portal.article_urls)

    def has(self, url: str) -> bool:
        """Say whether an address, as the rules leave it, is that of one of these pages."""
        return normalise(cleaned(url, self.rules)) in self.urls


@one_page()
def sign_of_more(page: Page, article: str, seen: Collection[str], portal: Portal) -> str | None:
    """Return what shows that the article at this address goes on: "rel=next to https://...".

    `seen` are its known pages, of which this page is the last. None where nothing shows it, or a person's
    rule leaves further pages out.
    """
    if portal.articles.one_page:
        return None
    known = _Known.of(article, seen, portal)
    nearest = nearest_further_page(page, known)
    if nearest is None:
        count = next(_counts_of_more(page, known), None)
        return None if count is None else f'it says "{count.text}"'
    if is_left_out(nearest.url, portal):
        return None
    label = nearest.text if nearest.text in _RELATED else f'a link "{nearest.text}"'
    return f"{label} to {nearest.url}"


def is_left_out(url: str, portal: Portal) -> bool:
    """Say whether a person's rule leaves out a further page."""
    refused = article_url(url, portal.article_urls, portal)
    return isinstance(refused, RefusedLink) and refused.reason in _LEFT_OUT


def address_in(sign: str) -> str | None:
    """Return the address that a sign names."""
    address = sign.rpartition(" to ")[2]
    return address if "://" in address else None


def nearest_further_page(page: Page, known: _Known) -> PagerLink | None:
    """Return the link to the first of the further pages that this page leads to."""
    near = _near_links(page, known.address)
    candidates = _pager(page, near, known)
    further = [candidate.link for candidate in candidates if not first_reason(_AGAINST, candidate)]
    return min(further or _plain_links(near, known), key=lambda link: link.number or 0, default=None)


def _near_links(page: Page, article: str) -> list[tuple[Element, str]]:
    """Return the links whose addresses may be the article's own with more behind it."""
    outline, word = page.outline, _longest_word(article)
    elements = outline.elements
    rows = [row for row in outline.rows("a", "link") if _may_be_near(elements[row].get("href", ""), word)]
    return list(page_links(page, rows))


def _longest_word(article: str) -> str:
    """Return a word, else a number, in the addresses of all pages of an article; nothing where it may be
    encoded."""
    path = EXTENSION.sub("", split(article).path.rstrip("/"))
    if "%" in path:
        return ""
    name = path.rpartition("/")[2]
    words = _LETTERS.findall(name) or _OWN_NUMBER.findall(name)
    return max(words, key=len, default="")


def _may_be_near(href: str, word: str) -> bool:
    """Say whether an address has that word in it, or is written as seen from the page."""
    return word in href or _WRITTEN_FROM_PAGE.fullmatch(href) is not None


# --- links of a pager ---


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A link of a pager, beside what is known of the article."""

    link: PagerLink
    known: _Known
    read: int
    """The highest number on links to pages that were read."""

    @property
    def places(self) -> tuple[int, int]:
        """The number in the article's address, and the page's: 1 and 1 where more is different."""
        return page_numbers(self.known.address, self.link.url)


def _pager(page: Page, near: Sequence[tuple[Element, str]], known: _Known) -> Iterator[_Candidate]:
    """Give the links of a pager that may lead to a further page by the words on them, or by their rel."""
    links = pager_links(page, [(link, url) for link, url in near if _may_lead_on(page, link)])
    # where the pager names pages that were read by their addresses, others that it names were not
    read = 1 if any(known.has(link.url) for link in links) else known.number
    return (_Candidate(link, known, read) for link in links)


def _may_lead_on(page: Page, link: Element) -> bool:
    if "next" in relations(link):
        return True
    text = page.outline.label(page.outline.row_of[link], LONGEST_LABEL)
    return DIGIT.search(link.get("href", "")) is not None and _is_label(text)


@lru_cache(maxsize=8192)
def _is_label(text: str) -> bool:
    """Say whether a pager may say a text; the menus of a portal say the same on all its pages."""
    return plain_label(text) in _LABELS and bool(squeeze(text))


def _is_hardly_of_pager(candidate: _Candidate) -> bool:
    return not candidate.link.is_sure


def _leads_back(candidate: _Candidate) -> bool:
    return candidate.link.leads_back


def _was_read(candidate: _Candidate) -> bool:
    return candidate.known.has(candidate.link.url)


def _may_be_next_article(candidate: _Candidate) -> bool:
    """Say whether it may lead from 1 to 2 because addresses count articles: no number is written on it."""
    link, own = candidate.link, candidate.known.address
    return link.number is None and _NUMBERS.sub("0", link.url) == _NUMBERS.sub("0", own)


def _is_elsewhere(candidate: _Candidate) -> bool:
    """Say whether an address is neither the article's own with another number nor with more behind it."""
    url, own = candidate.link.url, candidate.known.address
    return not (named_as_page(url, own) or url.startswith(f"{EXTENSION.sub('', own)}-"))


def _turns_a_box(candidate: _Candidate) -> bool:
    """Say whether the number is that of a parameter which names one of several lists: `?90c7c550_page=2`."""
    return _OF_BOX.search(candidate.link.url) is not None


def _is_no_later_page(candidate: _Candidate) -> bool:
    return not (_has_later_number(candidate) or _continues_below(candidate))


def _has_later_number(candidate: _Candidate) -> bool:
    """Say whether its number is a later page's.

    The address of a first page has no number, or 1, or 0 where items are counted; articles have others.
    """
    start, number = candidate.places
    shown = candidate.link.number
    is_later = number > candidate.known.number if shown is None else shown > candidate.read
    return start <= 1 and is_later


def _continues_below(candidate: _Candidate) -> bool:
    """Say whether a link that is called the next leads below the article; chapters lie there, too."""
    link, own = candidate.link, candidate.known.address
    if not lies_below(link.url, own):
        return False
    if link.text in _RELATED:
        return _BEHIND_OWN.match(link.url, len(own.rstrip("/"))) is not None
    return link.continues and link.number != 1 and pages_apart(own, link.url) is not None


_AGAINST: tuple[Check[_Candidate], ...] = (
    Check("it is hardly a pager's", _is_hardly_of_pager),
    Check("it leads back", _leads_back),
    Check("it was read", _was_read),
    Check("it may lead to the next article", _may_be_next_article),
    Check("it leads to another article", _is_elsewhere),
    Check("it turns a box of the page", _turns_a_box),
    Check("it is no later page", _is_no_later_page),
)


# --- links that are the article's own address and the next page's number, whatever is written on them ---


def _plain_links(near: Sequence[tuple[Element, str]], known: _Known) -> list[PagerLink]:
    following = known.number + 1
    numbered = ((link, url) for link, url in near if _number_below(url, known.address) == following)
    return [_as_plain(link, url, following) for link, url in numbered]


def _as_plain(link: Element, url: str, number: int) -> PagerLink:
    return PagerLink(url=url, text=squeeze(element_text(link))[:LONGEST_LABEL], number=number)


def _number_below(url: str, article: str) -> int:
    """Return the number of a page, where an address is the article's with nothing but that behind it: `/2`.

    0 where it is another article's, or none.
    """
    addresses = _Addresses(article, url)
    return 0 if first_reason(_NO_PAGE_BELOW, addresses) else addresses.numbers[1]


class _Addresses(NamedTuple):
    """The address of an article, and one that may be that of a page of it."""

    article: str
    url: str

    @property
    def numbers(self) -> tuple[int, int]:
        """The number in the article's address, and the page's."""
        return page_numbers(self.article, self.url)


def _says_no_page(addresses: _Addresses) -> bool:
    end = len(addresses.article.rstrip("/"))
    return _OWN_SEGMENT.fullmatch(addresses.url, end) is None and not says_page(addresses.url)


_NO_PAGE_BELOW: tuple[Check[_Addresses], ...] = (
    Check(  # asked first, since that holds of nearly all links, and numbers cost ten times as much
        "it does not lie below the article",
        lambda addresses: not lies_below(addresses.url, addresses.article),
    ),
    Check("the article's own address has a number", lambda addresses: addresses.numbers[0] > 1),
    Check("its number is not said to be a page's", _says_no_page),
    Check("it turns a box of the page", lambda addresses: _OF_BOX.search(addresses.url) is not None),
)


# --- counts ---


def _counts_of_more(page: Page, known: _Known) -> Iterator[Stated]:
    counts = stated_counts(page) if may_state_count("".join(page.outline.strings)) else ()
    return (count for count in counts if not first_reason(_NO_MORE_PAGES, _Count(count, known)))


class _Count(NamedTuple):
    """A count, beside what is known of the article."""

    stated: Stated
    known: _Known

    @property
    def here(self) -> int:
        """The page's own number as it states it; 0 where it states none."""
        return self.stated.here or 0


def _is_of_list(count: _Count) -> bool:
    """Say whether the page's number stands in its address, as that of a list does."""
    is_in_address = _NUMBERS.findall(count.known.address)[-1:] == [str(count.stated.here)]
    return is_in_address and count.here != count.known.number


def _may_count_pictures(count: _Count) -> bool:
    """Say whether it may count pictures, or be a mark."""
    return not first_reason(_COUNTS_PAGES, count)


_COUNTS_PAGES: tuple[Check[_Count], ...] = (
    Check("it counts items", lambda count: count.stated.items),
    Check("it tells no page's own number", lambda count: count.stated.here is None),
    Check("it names pages", lambda count: names_pages(count.stated.text)),
    Check("that the second page says so is no chance", lambda count: count.here == count.known.number > 1),
)
"""Why a count may be that of the pages of an article."""


_NO_MORE_PAGES: tuple[Check[_Count], ...] = (
    Check("all pages are read", lambda count: max(count.known.number, count.here) >= count.stated.total),
    Check("it is that of a list", _is_of_list),
    Check("it may count something else", _may_count_pictures),
)
"""Why a count does not state further pages of an article."""


# --- before a page is parsed: what its bytes say ---


def may_go_on(body: bytes, article: str) -> bool:
    """Say whether bytes of a page may lead to a further page of the article, as hardly any do.

    They hold the article's own address, or none, with a number behind it, or a count of pages.
    """
    relative = (match.end() - 1 for match in _RELATIVE.finditer(body))
    places = chain(_behind_own(body, article), islice(relative, _MOST_PLACES))
    return any(_MAY_BE_PAGE.search(_rest(body, place)) for place in places) or bytes_may_state_count(body)


def further_addresses(body: bytes, article: str) -> Iterator[tuple[str, str]]:
    """Give addresses in the bytes of a page that are the article's own with a query or a number behind it.

    Each with the form of that. It is all one whether a link, a list to choose from, or a script has them.
    """
    base, given = article.rstrip("/"), set[str]()
    is_further = _FURTHER_QUERY if "?" in article else _FURTHER_PATH
    for place in _behind_own(body, article):
        written = unescape(_rest(body, place)[:-1].decode("utf-8", "replace"))
        behind = is_further.match(written)
        if behind is not None and behind[1] not in given:
            given.add(behind[1])
            yield _NUMBERS.sub("9", behind[1]), normalise(f"{base}{behind[1]}")


def _behind_own(body: bytes, article: str) -> Iterator[int]:
    """Give the places in the bytes of a page behind the article's own address, without its extension."""
    path, query = split_path(article)
    before, slash, last = (f"{path}?{query}".rstrip("/") if query else EXTENSION.sub("", path)).rpartition(
        "/"
    )
    if len(last) < _TELLING:  # a number alone stands everywhere
        last = f"{before.rpartition('/')[2]}{slash}{last}"
    own = last.encode()
    spellings = dict.fromkeys((own.replace(b"&", b"&amp;"), own))
    return chain.from_iterable(_behind(body, spelling) for spelling in filter(None, spellings))


def _behind(body: bytes, text: bytes) -> Iterator[int]:
    """Give the places where a text ends in the bytes; not without end."""
    place = body.find(text)
    for _ in range(_MOST_PLACES):
        if place < 0:
            return
        yield place + len(text)
        place = body.find(text, place + 1)


def _rest(body: bytes, place: int) -> bytes:
    """Return the rest of an address behind a place, with the mark at its end; nothing where it is too
    long."""
    rest = body[place : place + _LONGEST_REST]
    end = _END_OF_ADDRESS.search(rest)
    return rest[: end.end()] if end is not None else b""


# --- the rule that would follow ---


def rule_that_follows(page: Page, article: str, portal: Portal) -> str | None:
    """Return the line of YAML whose `articles.next` leads from the first page of an article to its second."""
    known = _Known.of(article, [page.url], portal)
    nearest = nearest_further_page(page, known)
    if nearest is None:
        return None
    link = next(link for link, url in page_links(page) if url == nearest.url)
    return next(
        (written for pick, written in _rules_for(link) if _leads_to(pick, nearest.url, page, portal)), None
    )


def _rules_for(link: Element) -> Iterator[tuple[Pick, str]]:
    """Give picks that may take a link to the next page and no other, the plainest first, as they are
    written."""
    tag = str(link.tag)
    if "next" in relations(link):
        yield _rule(f"{tag}[rel~=next]")
    yield from (_rule(f"{tag}{name}") for name in _classes(link))
    for holder in islice(filter(_name, link.iterancestors()), 1):
        yield from _rules_in(holder, _name(holder), tag)


def _rules_in(around: Element, name: str, tag: str) -> Iterator[tuple[Pick, str]]:
    """Give picks that take a link by its number, with the others in what holds it."""
    links = f"{around.tag}{name} {tag}"
    yield (
        Pick(css=Selector.parse(links), page_number=PageNumber(step=1)),
        f'{{css: "{links}", page_number: {{step: 1}}}}',
    )
    current = next((element for element in around.iterdescendants() if _is_number_of_first(element)), None)
    if current is not None:
        number = PageNumber(step=1, current=Selector.parse(f"{around.tag}{name} {current.tag}"))
        written = f'{{css: "{links}", page_number: {{step: 1, current: "{around.tag}{name} {current.tag}"}}}}'
        yield Pick(css=Selector.parse(links), page_number=number), written


def _is_number_of_first(element: Element) -> bool:
    return element.tag != "a" and text_inside(element).strip() == "1"


def _name(element: Element) -> str:
    """Return the first class of an element as selectors name it, or its id; empty where it has none."""
    own_id = element.get("id", "")
    by_id = f"#{identifier(own_id)}" if own_id else ""
    return next(iter(_classes(element)), by_id)


def _classes(element: Element) -> list[str]:
    return [f".{identifier(name)}" for name in element.get("class", "").split()]


def _rule(css: str) -> tuple[Pick, str]:
    return Pick(css=Selector.parse(css)), f'"{css}"'


def _leads_to(pick: Pick, url: str, page: Page, portal: Portal) -> bool:
    values = pick_links(Picks(alternatives=(pick,)), PageContext.whole(page, portal), many=True).values
    return [normalise(value.text) for value in values][:1] == [url]
