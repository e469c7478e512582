"""What shows that an article goes on behind its known pages: links to its own address with a page's number, and counts of its pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import chain, islice
from typing import Self

from lxml.etree import _Element as Element

from webarticlecurator.budget import one_page
from webarticlecurator.config.fetch_rules import UrlRules
from webarticlecurator.config.picks import PageNumber, Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article_pages import lies_below, says_page
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.listing_length import NUMBER_OF_NUMBER, OF, stated_counts
from webarticlecurator.extraction.pager_links import pager_links
from webarticlecurator.extraction.pager_signs import (
    DIGIT,
    LONGEST_LABEL,
    REL_NEXT,
    SAID_OF_NEXT,
    page_label,
    page_links,
    plain_label,
)
from webarticlecurator.extraction.picked_values import PageContext, pick_links
from webarticlecurator.extraction.url_rules import article_url, cleaned
from webarticlecurator.model.links import IN_HEAD, SKIPPED, PagerLink, RefusedLink, Stated
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import Selector, identifier
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import EXTENSION, PAGE_WORD, normalise, pages_apart, split, split_path

_RELATED = (REL_NEXT, IN_HEAD)
_NUMBERS, _LETTERS = linear(r"\d+"), linear(r"[^\W\d_]+")
_PLAIN_NAME = linear_at(r"[\w-]+", re.ASCII)
_NAMES_PAGES = linear(rf"(?<![^\W\d_]){PAGE_WORD}(?![^\W\d_])", re.IGNORECASE)
_OF_BOX = linear(r"[?&][\w%-]*\d[\w%-]*=\d+(?:&|$)")
_OWN_SEGMENT = linear_at(r"/\d{1,4}/?")
"""What is added to an address that is a page's number, and can hardly be anything else."""
_MAY_BE_PAGE = linear(rb"""(?:[/,_-]|[-_/?;&](?:amp;|#0?38;)?[a-zA-Z_\[\]]{1,20}[-/=_,])\d{1,4}(?:\.\w{2,5})?/?(?=["'\s>#&])""")
_END_OF_ADDRESS = linear(rb"""["'\s>#]""")
_FURTHER_PATH = linear_at(r"(?:\.\w{2,5})?(/?[?][^#<>\\]+|/[^?#<>\\]*\d[^?#<>\\]*)")
_FURTHER_QUERY = linear_at(r"(&[^#<>\\]+)")
"""What an address has behind the article's own, without an extension: a query, or a part of its path with a number."""
_LONGEST_REST = 300
"""Bytes of an address behind the article's own."""
_RELATIVE = linear(rb"""href\s*=\s*["']?[?;]""")
_BRACKETED_NUMBER = linear(r"\(\d{1,4}\)")
_NUMBER_IN_BRACKETS = linear(rb"\(\d{1,4}\)")
_ENDS_WITH_PAGES = linear(rf"{PAGE_WORD}\s*$", re.IGNORECASE)
_LONGEST_WORD = 30
"""Bytes before a bracket."""
_NUMBER_OF_NUMBER = linear(rf"\d ?\.? ?(?i:(?:{PAGE_WORD} ?)?{OF}) ?\d")
_FIRST_TO_LAST = linear(r"\d ?(?:-|–|&ndash;|to|bis) ?\d{1,7}\Z", re.IGNORECASE)
"""The numbers of the first and the last item on a page."""
_SHORT_PIECE = linear(rb">([^<>]{1,59})<")
"""A text between two tags that may be a part of a count."""
_NEAR = 30
"""Characters around a count in which pages are named."""
_LEFT_OUT = ("urls.exclude", "urls.exclude_file", SKIPPED)
"""Rules by which a person leaves out pages; `urls.only` is written for the first pages of articles."""
_TELLING = 8
"""Letters of the last part of an address that nothing else on a page is likely to have."""
_MOST_PLACES = 200
"""Of a page's bytes, where the article's own address stands."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The pages of an article up to the one that is looked at."""

    address: str
    """The article's own, normalised."""
    urls: Collection[str]
    """The addresses of its pages, normalised, the article's own among them."""
    number: int
    """How many pages were read."""
    rules: UrlRules
    """By which its links are followed."""

    @classmethod
    def of(cls, article: str, seen: Collection[str], portal: Portal) -> Self:
        """Return what is known of the article at this address, of which these pages were read."""
        return cls(normalise(article), set(map(normalise, (*seen, article))), len(seen), portal.article_urls)

    def has(self, url: str) -> bool:
        """Say whether an address, as the rules leave it, is that of one of these pages."""
        return url in self.urls or normalise(cleaned(url, self.rules)) in self.urls


@one_page()
def sign_of_more(page: Page, article: str, seen: Collection[str], portal: Portal) -> str | None:
    """Say what shows that the article at this address goes on behind its `seen` pages, of which this page is the last: "rel=next to
    https://..."; None where nothing does, or a person's rule leaves further pages out."""
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
    if page.tree is None:
        return None
    further = [candidate.link for candidate in _pager(page, known) if not first_reason(_AGAINST, candidate)]
    return min(further or list(_plain_links(page, known)), key=lambda link: link.number or 0, default=None)


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
        """The number in the article's address, and the page's: 1 and 0 where the two addresses differ in more than a number."""
        return pages_apart(self.known.address, self.link.url) or (1, 0)


def _is_hardly_of_pager(candidate: _Candidate) -> bool:
    return not candidate.link.is_sure


def _leads_back(candidate: _Candidate) -> bool:
    return candidate.link.leads_back


def _was_read(candidate: _Candidate) -> bool:
    return candidate.known.has(candidate.link.url)


def _may_be_next_article(candidate: _Candidate) -> bool:
    """From 1 to 2 the next article may lie, too: where addresses count articles, the number has to be written on the link."""
    link, own = candidate.link, candidate.known.address
    return link.number is None and _NUMBERS.sub("0", link.url) == _NUMBERS.sub("0", own)


def _is_elsewhere(candidate: _Candidate) -> bool:
    """Whether an address is neither the article's own with another number nor with more behind it: a page of another article."""
    link, own = candidate.link, candidate.known.address
    return pages_apart(own, link.url) is None and not lies_below(link.url, own) and not link.url.startswith(f"{EXTENSION.sub('', own)}-")


def _turns_a_box(candidate: _Candidate) -> bool:
    """Whether the number is that of a parameter which names one of several lists on the page: `?90c7c550_page=2`."""
    return _OF_BOX.search(candidate.link.url) is not None


def _is_no_later_page(candidate: _Candidate) -> bool:
    return not (_has_later_number(candidate) or _continues_below(candidate))


def _has_later_number(candidate: _Candidate) -> bool:
    """The address of a first page has no number, or 1, or 0 where items are counted: other numbers are those of articles."""
    start, number = candidate.places
    if start > 1:
        return False
    if candidate.link.number is None:
        return number > candidate.known.number
    return candidate.link.number > candidate.read


def _continues_below(candidate: _Candidate) -> bool:
    """Whether a link that is called the next leads below the article; in a path a number has to say so: chapters lie below, too."""
    link, own = candidate.link, candidate.known.address
    if not lies_below(link.url, own):
        return False
    if link.text in _RELATED:
        behind = link.url[len(own.rstrip("/")) :]
        return behind[0] != "/" or DIGIT.search(behind) is not None
    return link.continues and candidate.places[1] > 0 and link.number != 1


_AGAINST: tuple[Check[_Candidate], ...] = (
    Check("it is hardly a pager's", _is_hardly_of_pager),
    Check("it leads back", _leads_back),
    Check("it was read", _was_read),
    Check("it may lead to the next article", _may_be_next_article),
    Check("it leads to another article", _is_elsewhere),
    Check("it turns a box of the page", _turns_a_box),
    Check("it is no later page", _is_no_later_page),
)


def _pager(page: Page, known: _Known) -> Iterator[_Candidate]:
    labelled = _labelled_links(page, known.address)
    links = pager_links(page, labelled)
    # where the pager names pages that were read by their addresses, others that it names were not
    read = 1 if any(known.has(link.url) for link in links) else known.number
    return (_Candidate(link, known, read) for link in links)


def _labelled_links(page: Page, article: str) -> list[tuple[Element, str]]:
    """Return the links that may lead to a further page by what is written on them, or by their rel, and by their address."""
    outline, word = page.outline, _longest_word(article)
    rows = []
    for row in outline.rows("a", "link"):
        link = outline.elements[row]
        href = link.get("href", "")
        if _may_be_near(href, word) and ("next" in relations(link) or _has_page_label(page, row, href)):
            rows.append(row)
    return list(page_links(page, rows))


def _longest_word(article: str) -> str:
    """Return what stands in the addresses of all pages of an article; nothing where its name is encoded, and may be written otherwise."""
    path = EXTENSION.sub("", split(article).path.rstrip("/"))
    words = _LETTERS.findall(path.rpartition("/")[2]) if "%" not in path else []
    return max(words, key=len, default="")


def _may_be_near(href: str, word: str) -> bool:
    """Whether an address has that word in it, or is written as seen from the page."""
    return bool(href) and (word in href or (href[0] != "/" and ":" not in href))


def _has_page_label(page: Page, row: int, href: str) -> bool:
    has_number = DIGIT.search(href) is not None and page.outline.length(row) <= LONGEST_LABEL
    return has_number and _is_label(page.outline.text(row))


@lru_cache(maxsize=8192)
def _is_label(text: str) -> bool:
    """Whether a pager may say that; the menus of a portal say the same on all its pages."""
    label = plain_label(text)
    is_of_pager = not label or label in SAID_OF_NEXT or page_label(label) is not None
    return is_of_pager and 0 < len(squeeze(text)) <= LONGEST_LABEL


# --- links that are the article's own address and the next page's number, whatever is written on them ---


def _plain_links(page: Page, known: _Known) -> Iterator[PagerLink]:
    wanted, name = known.number + 1, _own_name(known.address)
    rows = [row for row in page.outline.rows("a") if _may_lead_to(page.outline.elements[row].get("href", ""), str(wanted), name)]
    for link, url in page_links(page, rows):
        if not known.has(url) and is_page_of(url, known.address) == wanted:
            yield PagerLink(url=url, text=squeeze(element_text(link))[:LONGEST_LABEL], number=wanted)


def _own_name(article: str) -> str:
    """Return the last part of an article's address; nothing where it may be written otherwise."""
    name = EXTENSION.sub("", split(article).path.rstrip("/")).rpartition("/")[2]
    return name if _PLAIN_NAME.fullmatch(name) else ""


def _may_lead_to(href: str, number: str, name: str) -> bool:
    return number in href and _may_be_near(href, name)


def is_page_of(url: str, article: str) -> int | None:
    """Return the number of a page, where one normalised address is the other's with nothing but that behind it: `/2`, `?page=2`."""
    own, number = pages_apart(article, url) or (2, 0)  # where they differ in more than a number it is another article's
    if own > 1 or not lies_below(url, article) or _OF_BOX.search(url):
        return None
    is_segment = _OWN_SEGMENT.fullmatch(url, len(article.rstrip("/"))) is not None
    return number if is_segment or says_page(url) else None


# --- counts ---


def _counts_of_more(page: Page, known: _Known) -> Iterator[Stated]:
    if page.tree is not None and not _may_state_count("".join(page.outline.strings)):
        return
    for count in stated_counts(page):
        if max(known.number, count.here or 0) < count.total and _counts_pages(count, known):
            yield count


def _may_state_count(text: str) -> bool:
    """Say whether a text has "2 of 7" or "Pages (7)" in it, as hardly any has."""
    if NUMBER_OF_NUMBER.search(text) is not None:
        return True
    brackets = (number.start() for number in _BRACKETED_NUMBER.finditer(text))
    return any(_ENDS_WITH_PAGES.search(text[max(0, place - _LONGEST_WORD) : place]) for place in brackets)


def _counts_pages(count: Stated, known: _Known) -> bool:
    """Whether a count is not that of a list, which has the number in the page's address, nor of pictures, nor somebody's mark."""
    if count.items:
        return True
    if _NUMBERS.findall(known.address)[-1:] == [str(count.here)] and count.here != known.number:
        return False
    if _NAMES_PAGES.search(count.text) or count.here is None:
        return True
    # "1 / 12" may count pictures, or be a mark; that the second page says "2 / 4" is no chance
    return count.here == known.number > 1


# --- before a page is parsed: what its bytes say ---


def may_go_on(body: bytes, article: str) -> bool:
    """Whether bytes of a page hold the article's own address, or none, with a number behind it, or a count of pages.

    Hardly any page does.
    """
    relative = (match.end() - 1 for match in _RELATIVE.finditer(body))
    places = chain(_behind_own(body, article), islice(relative, _MOST_PLACES))
    leads_on = any(_MAY_BE_PAGE.search(_rest(body, place)) for place in places)
    return leads_on or _says_how_many(body)


def _says_how_many(body: bytes) -> bool:
    """Say whether bytes of a page may hold a count of its pages, or of items of which it shows a part."""
    if any(map(_stands_behind_pages, islice(_NUMBER_IN_BRACKETS.finditer(body), _MOST_PLACES))):
        return True
    text = b" ".join(_SHORT_PIECE.findall(body)).decode("utf-8", "replace")
    return any(map(_counts_pages_or_items, _NUMBER_OF_NUMBER.finditer(squeeze(text))))


def _counts_pages_or_items(count: re.Match[str]) -> bool:
    """Say whether a number of a number stands behind that of the first item, or pages are named beside it."""
    begin = max(0, count.start() - _NEAR)
    if _FIRST_TO_LAST.search(count.string[begin : count.start() + 1]) is not None:
        return True
    return _NAMES_PAGES.search(count.string[begin : count.end() + _NEAR]) is not None


def further_addresses(body: bytes, article: str) -> Iterator[tuple[str, str]]:
    """Give addresses in the bytes of a page that are the article's own with a query or a number behind it, each with the form of that.

    It is all one whether a link, a list to choose from, or a script has them.
    """
    base, given = article.rstrip("/"), set[str]()
    is_further = _FURTHER_QUERY if "?" in article else _FURTHER_PATH
    for place in _behind_own(body, article):
        written = unescape(_rest(body, place)[:-1].decode("utf-8", "replace"))
        behind = is_further.match(written)
        if behind is None or behind[1] in given:
            continue
        given.add(behind[1])
        yield _NUMBERS.sub("9", behind[1]), normalise(f"{base}{behind[1]}")


def _behind_own(body: bytes, article: str) -> Iterator[int]:
    """Give the places in the bytes of a page behind the article's own address, without its extension."""
    path, query = split_path(article)
    before, slash, last = (f"{path}?{query}".rstrip("/") if query else EXTENSION.sub("", path)).rpartition("/")
    if len(last) < _TELLING:  # a number alone stands everywhere
        last = f"{before.rpartition('/')[2]}{slash}{last}"
    own = last.encode()
    if own:
        yield from _behind(body, own.replace(b"&", b"&amp;"))
    if b"&" in own:
        yield from _behind(body, own)


def _stands_behind_pages(number: re.Match[bytes]) -> bool:
    before = number.string[max(0, number.start() - _LONGEST_WORD) : number.start()]
    return _ENDS_WITH_PAGES.search(before.decode("utf-8", "replace")) is not None


def _rest(body: bytes, place: int) -> bytes:
    """Return what an address has behind a place, with the mark that ends it."""
    rest = body[place : place + _LONGEST_REST]
    end = _END_OF_ADDRESS.search(rest)
    return rest[: end.end()] if end is not None else b""


def _behind(body: bytes, text: bytes) -> Iterator[int]:
    """Where a text ends in the bytes; not without end."""
    place = body.find(text)
    for _ in range(_MOST_PLACES):
        if place < 0:
            return
        yield place + len(text)
        place = body.find(text, place + 1)


# --- the rule that would follow ---


def rule_that_follows(page: Page, article: str, portal: Portal) -> str | None:
    """Return the line of YAML whose `articles.next` leads from the first page of an article to its second; None where none does."""
    known = _Known.of(article, [page.url], portal)
    nearest = nearest_further_page(page, known)
    if nearest is None:
        return None
    links = (link for link, url in page_links(page) if url == nearest.url)
    rules = chain.from_iterable(map(_rules_for, islice(links, 1)))
    return next((written for pick, written in rules if _leads_to(pick, nearest.url, page, portal)), None)


def _rules_for(link: Element) -> Iterator[tuple[Pick, str]]:
    """Picks that may take a link to the next page and no other, the plainest first, each as it is written."""
    tag = str(link.tag)
    if "next" in relations(link):
        yield _rule(f"{tag}[rel~=next]")
    yield from (_rule(f"{tag}{name}") for name in _classes(link))
    for holder in link.iterancestors():
        name = _name(holder)
        if name:
            yield from _rules_in(holder, name, tag)
            return


def _rules_in(around: Element, name: str, tag: str) -> Iterator[tuple[Pick, str]]:
    """Picks that take a link by its number, with the others in what holds it."""
    links = f"{around.tag}{name} {tag}"
    yield Pick(css=Selector.parse(links), page_number=PageNumber(step=1)), f'{{css: "{links}", page_number: {{step: 1}}}}'
    current = next((element for element in around.iterdescendants() if _is_number_of_first(element)), None)
    if current is not None:
        number = PageNumber(step=1, current=Selector.parse(f"{around.tag}{name} {current.tag}"))
        written = f'{{css: "{links}", page_number: {{step: 1, current: "{around.tag}{name} {current.tag}"}}}}'
        yield Pick(css=Selector.parse(links), page_number=number), written


def _is_number_of_first(element: Element) -> bool:
    return element.tag != "a" and (element.text or "").strip() == "1"


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
