"""What a page shows of further pages: the links of a pager, and counts like "2 / 20" or "1-20 of 213"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.model.links import IN_HEAD, WITHOUT_WORDS, PagerLink, Stated
from webarticlecurator.model.page import Page
from webarticlecurator.text import short_text
from webarticlecurator.urls import bare_host, is_http, join, normalise, split_path

REL_NEXT = "rel=next"
"""Stands for what is written on a link that says so."""
_LONGEST_LABEL = 40
_MOST_NUMBERS = 50
_PAGER = re.compile(r"pag(?:e|in|er)", re.IGNORECASE)
_OF_PICTURES = re.compile(r"carousel|gallery|slick|slide|swiper", re.IGNORECASE)
ARROWS = " \u00a0.:…‹›«»<>←→↓⟩⟨❯➔➜►▸|"


def _listed(text: str) -> frozenset[str]:
    return frozenset(re.split(r",\s+", text.strip().rstrip(",")))


NEXT_WORDS = _listed(
    """
    next, weiter, suivant, suivante, siguiente, successivo, successiva, avanti, seguinte, próximo, próxima, volgende, następna, dalej,
    další, ďalšie, următoarea, înainte, nästa, næste, neste, seuraava, sljedeća, naslednja, следећа, sledeća, следующая, далее, вперед,
    наступна, далі, следваща, επόμενη, επόμενο, sonraki, ileri, järgmine, nākamā, kitas, següent, következő, tovább, older,
    régebbi, korábbi, ältere, frühere, oudere, starsze, starší, äldre, ældre, eldre, vanhemmat, starije, starejši, старые, старіші,
    по-стари,
    """
)
"""Said of many things: they count where the address goes on from the page's own."""
BACK_WORDS = _listed(
    """
    prev, previous, previous page, newer, newer posts, newer entries, newer articles, first, first page, erste, erste seite, zurück,
    vorherige, vorherige seite, neuere beiträge, neuere artikel, előző, előző oldal, első, első oldal, újabb bejegyzések, újabb cikkek,
    újabbak, précédent, précédente, page précédente, première page, articles plus récents, anterior, página anterior, primera, primera
    página, entradas más recientes, precedente, pagina precedente, prima pagina, post più recenti, primeira página, publicações mais
    recentes, vorige, vorige pagina, eerste, nieuwere berichten, poprzednia, poprzednia strona, pierwsza, nowsze posty, předchozí,
    první, novější příspěvky, predchádzajúca, prvá, anterioara, pagina anterioară, föregående, forrige, edellinen, prethodna, prejšnja,
    претходна, предыдущая, предыдущая страница, первая, назад, попередня, предишна, προηγούμενη, önceki, eelmine, iepriekšējā,
    ankstesnis,
    """
)
"""Said of earlier pages; as above."""
NEXT_PHRASES = _listed(
    """
    next page, older posts, older entries, older articles, older stories, older comments, older news,
    következő oldal, régebbi bejegyzések, régebbi cikkek, korábbi bejegyzések, korábbi cikkek, régebbiek,
    nächste seite, ältere beiträge, ältere artikel, ältere einträge, page suivante, articles plus anciens, articles précédents,
    messages plus anciens, plus anciens, página siguiente, siguiente página, entradas antiguas, entradas más antiguas,
    pagina successiva, pagina seguente, post più vecchi, articoli meno recenti, próxima página, página seguinte,
    posts mais antigos, mensagens antigas, publicações mais antigas, volgende pagina, oudere berichten, oudere artikelen,
    następna strona, starsze posty, starsze wpisy, další stránka, starší příspěvky, starší články, ďalšia strana, staršie príspevky,
    pagina următoare, postări mai vechi, articole mai vechi, nästa sida, äldre inlägg, næste side, ældre indlæg, neste side,
    eldre innlegg, seuraava sivu, vanhemmat artikkelit, sljedeća stranica, starije objave, stariji postovi, naslednja stran,
    starejši prispevki, следећа страна, старији постови, следующая страница, предыдущие записи, старые записи, наступна сторінка,
    старіші записи, следваща страница, по-стари публикации, επόμενη σελίδα, παλαιότερα άρθρα, sonraki sayfa, daha eski yazılar,
    eski yazılar, järgmine lehekülg, vanemad postitused, nākamā lapa, vecāki raksti, kitas puslapis, senesni įrašai, pàgina següent,
    """
)
"""Said of nothing else."""
_EXTENSION = re.compile(r"(?:/index)?\.(?:html?|php|aspx?|jsp)$|/index$|/+$", re.IGNORECASE)
_MARK = re.compile(r"/?[^\W\d_]{0,15}[-_/.,=:]?(\d{1,7})")
"""What a further page adds to the path of the first: `/2`, `-2`, `/page/2`, `/oldal-2`."""
_DIGITS = re.compile(r"(\d+)")
YEARS = range(1900, 2101)
_MOST_SHOWN = 100
"""Pages ahead that pagers lead to by their numbers; a year may be the number of a page only where that is near."""

_OF = r"(?:/|of|von|sur|de|di|van|z|ze|din|av|af|iz|od|из|от|από)"
PAGE_WORD = (
    r"(?:pages?|oldal|lap|seiten?|página|pagina|strana|stránka|strona|sida|side|sivu|stran|stranica"
    r"|страница|сторінка|σελίδα|sayfa|puslapis)"
)
_ROUTE = re.compile(r"/?#!?/")
_PAGE_LABEL = re.compile(rf"(?:{PAGE_WORD}\s*)?([0-9]{{1,6}})\.?(?:\s*{PAGE_WORD})?", re.IGNORECASE)
_PAGES_TEXT = re.compile(
    rf"(?:{PAGE_WORD}:?\s*)?(\d{{1,6}})\.?\s*(?:{PAGE_WORD})?\s*{_OF}\s*(\d{{1,6}})\.?\s*(?:{PAGE_WORD})?", re.IGNORECASE
)
_NUMBER = r"(\d{1,3}(?:[.,  ]\d{3})+|\d{1,7})"
_ITEMS_TEXT = re.compile(rf"\D{{0,25}}{_NUMBER}\s*[-–—]\s*{_NUMBER}\s*{_OF}\s*{_NUMBER}\D{{0,25}}", re.IGNORECASE)
_DIGIT = re.compile(r"[0-9]")
_NO_COUNT = frozenset({"a", "option", "script", "style", "time"})
_LONGEST_STATED = 60
_JSON_PAGES = ("total_pages", "totalPages", "pageCount", "page_count", "last_page", "lastPage", "numPages", "num_pages", "nbPages")
_JSON_HOLDERS = ("meta", "pagination", "paging", "pageInfo", "page_info", "_meta", "page")
_HEADERS = {"x-wp-totalpages": False, "x-wp-total": True}
"""Which say a total, and whether it is one of articles."""


def pager_links(page: Page, links: Iterable[tuple[Element, str]]) -> tuple[PagerLink, ...]:
    """Those of the page's links (as `page_links` gives them) that look like a pager's; the page itself is none of them."""
    own = {normalise(page.url), normalise(page.requested_url)}
    here, host = normalise(page.url), bare_host(page.url)
    found: dict[str, PagerLink] = {}
    for element, url in links:
        if url not in own:
            link = _as_pager_link(element, url, here)
            if link is None or bare_host(url) != host:
                continue
            # of several links to one page the one that says its number tells most
            if url not in found or (found[url].number is None and link.number is not None):
                found[url] = link
    numbers = [link.number for link in found.values() if link.number is not None]
    if numbers and all(number in YEARS for number in numbers):
        # a list of years, not of pages
        found = {url: link for url, link in found.items() if link.number is None}
    return tuple(found.values())


def page_links(page: Page, *, of: Callable[[Element], bool] = lambda _: True) -> Iterator[tuple[Element, str]]:
    """Every link of an HTML page with its normalised URL; also the head's `rel=next`. `of`: only of these elements, since joining costs."""
    if page.tree is None:
        return
    joined: dict[str, str | None] = {}
    for element in page.tree.iter("a", "link"):
        href = element.get("href")
        if not href or href[0] == "#" or (element.tag == "link" and not is_next(element)) or not of(element):
            continue
        if href not in joined:
            url = join(page.base, href, encoding=page.encoding)
            joined[href] = normalise(url) if url is not None and is_http(url) else None
        found = joined[href]
        if found is not None:
            yield element, found


def routes(page: Page) -> tuple[str, ...]:
    """Links of an application that keeps its own addresses behind a `#`: to everybody but its scripts they are the page itself."""
    links = page.tree.iter("a") if page.tree is not None else ()
    return tuple(dict.fromkeys(href for link in links if _ROUTE.match(href := link.get("href") or "")))


def may_lead_on(element: Element) -> bool:
    """Whether what is written on a link, its address aside, may be a pager's."""
    if is_next(element):
        return True
    text = short_text(element, _LONGEST_LABEL)
    return bool(text) and _is_label(text)


@lru_cache(maxsize=8192)
def _is_label(text: str) -> bool:
    """The menus of a portal say the same on all its pages."""
    label = text.strip(ARROWS).casefold()
    return not label or label in NEXT_WORDS or label in NEXT_PHRASES or _PAGE_LABEL.fullmatch(label) is not None


def pages_by_script(page: Page) -> int:
    """How many pages a pager tells of whose numbers are no links, so that only scripts turn them; 0: there is none."""
    for element in page.tree.iter("div", "nav", "ol", "p", "span", "ul") if page.tree is not None else ():
        parts = list(islice(element.iterchildren("*"), _MOST_NUMBERS))
        name = f"{element.get('class') or ''} {element.get('aria-label') or ''}"
        if len(parts) > 1 and _PAGER.search(name) and not _OF_PICTURES.search(name) and _are_no_links(element):
            numbers = [number for part in parts if (number := page_label(short_text(part, _LONGEST_LABEL) or "")) is not None]
            if numbers[:2] == [1, 2]:
                return max(numbers)
    return 0


def _are_no_links(element: Element) -> bool:
    return not any(link.get("href") for link in element.iter("a")) and next(element.iterancestors("a"), None) is None


def page_label(text: str) -> int | None:
    """The number, where what is written on a link is nothing but that of a page."""
    found = _PAGE_LABEL.fullmatch(text)
    return int(found[1]) if found is not None else None


def stated_counts(page: Page) -> tuple[Stated, ...]:
    """What the page says of the length of its listing; nothing where it says two different things."""
    written = set(_stated_in_text(page.tree))
    alone = [one for one in written if sum(other.items == one.items for other in written) == 1]
    return tuple(dict.fromkeys((*_stated_in_header(page), *_stated_in_json(page.json), *sorted(alone, key=lambda one: one.text))))


def pages_apart(own: str, other: str) -> tuple[int, int] | None:
    """The two numbers, where two normalised URLs are one but for a page's number; a first page has none and counts as 1."""
    (mine, my_query), (theirs, their_query) = split_path(own), split_path(other)
    if my_query == their_query:
        return _paths_apart(mine, theirs)
    return _queries_apart(my_query, their_query) if mine == theirs else None


def is_next(element: Element) -> bool:
    rel = element.get("rel")
    return rel is not None and "next" in rel.lower().split()


def _as_pager_link(element: Element, url: str, own: str) -> PagerLink | None:
    if is_next(element):
        return PagerLink(url=url, text=IN_HEAD if element.tag == "link" else REL_NEXT, continues=pages_apart(own, url) is not None)
    text = short_text(element, _LONGEST_LABEL)
    label = "" if text is None else text.strip(ARROWS).casefold()
    if not text:
        apart = pages_apart(own, url) if text == "" else None
        goes_on = apart is not None and apart[1] == apart[0] + 1
        return PagerLink(url=url, text=WITHOUT_WORDS, continues=True) if goes_on else None
    if numbered := _PAGE_LABEL.fullmatch(label):
        apart, number = pages_apart(own, url), int(numbered[1])
        is_itself = apart is not None and number == apart[0] == 1
        is_year = apart is not None and number in YEARS and abs(number - apart[0]) > _MOST_SHOWN
        fits = apart is not None and not is_itself and not is_year and _says(number, apart[1])
        return PagerLink(url=url, text=text, number=number, continues=True) if fits else None
    if label in NEXT_PHRASES:
        return PagerLink(url=url, text=text, continues=pages_apart(own, url) is not None)
    if label and label not in NEXT_WORDS and label not in BACK_WORDS:
        return None
    apart = pages_apart(own, url)
    if apart is None or apart[0] == apart[1] or (label and (label in NEXT_WORDS) != (apart[1] > apart[0])):
        return None
    return PagerLink(url=url, text=text, number=1 if apart[1] <= 1 else None, continues=True)


def _says(label: int, number: int) -> bool:
    """Whether a link with that number on it leads to that page: by its number, or by that of its first item."""
    return number in (label, label - 1) or (label > 1 and number > 0 and number % (label - 1) == 0)


def _paths_apart(mine: str, theirs: str) -> tuple[int, int] | None:
    for strip in (False, True):
        one, other = (_EXTENSION.sub("", mine), _EXTENSION.sub("", theirs)) if strip else (mine.rstrip("/"), theirs.rstrip("/"))
        if other.startswith(one) and (mark := _MARK.fullmatch(other, len(one))):
            return 1, int(mark[1])
        if one.startswith(other) and (mark := _MARK.fullmatch(one, len(other))):
            return int(mark[1]), 1
    mine_parts, their_parts = _DIGITS.split(mine), _DIGITS.split(theirs)
    if len(mine_parts) != len(their_parts):
        return None
    changed = [(one, other) for one, other in zip(mine_parts, their_parts, strict=True) if one != other]
    if len(changed) != 1 or not all(text.isdigit() and text[0] != "0" and len(text) < 8 for text in changed[0]):
        return None
    return int(changed[0][0]), int(changed[0][1])


def _queries_apart(mine: str, theirs: str) -> tuple[int, int] | None:
    one, other = dict(parse_qsl(mine, keep_blank_values=True)), dict(parse_qsl(theirs, keep_blank_values=True))
    changed = [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)]
    if len(changed) != 1:
        return None
    numbers = [_whole(query.get(changed[0], "1")) for query in (one, other)]
    return None if numbers[0] is None or numbers[1] is None else (numbers[0], numbers[1])


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


# --- counts ---


def _stated_in_header(page: Page) -> Iterator[Stated]:
    for name, value in page.headers:
        items = _HEADERS.get(name.lower())
        total = _whole(value.strip()) if items is not None else None
        if total is not None:
            yield Stated(f"{name}: {total}", None, total, items=bool(items))


def _stated_in_json(document: Any) -> Iterator[Stated]:
    if not isinstance(document, dict):
        return
    for holder in (document, *(document.get(name) for name in _JSON_HOLDERS)):
        if isinstance(holder, dict):
            yield from (Stated(f"{name}: {total}", None, total) for name in _JSON_PAGES if type(total := holder.get(name)) is int)


def _stated_in_text(tree: Element | None) -> Iterator[Stated]:
    """A count stands in an element that holds nothing else, its numbers perhaps in elements of their own."""
    for element in dict.fromkeys(_with_numbers(tree)) if tree is not None else ():
        text = short_text(element, _LONGEST_STATED)
        if text and (stated := _stated(text)) is not None:
            yield stated


def _with_numbers(tree: Element) -> Iterator[Element]:
    """Where a number stands that may be one of a count: told by the text alone, since there are many elements."""
    for element in tree.iter(etree.Element):
        text, tail = element.text, element.tail
        if text and len(text) < _LONGEST_STATED and _DIGIT.search(text) and element.tag not in _NO_COUNT:
            yield element
            if text.strip().isdigit() and (around := element.getparent()) is not None:
                yield around
        if tail and len(tail) < _LONGEST_STATED and _DIGIT.search(tail):
            around = element.getparent()
            if around is not None and around.tag not in _NO_COUNT:
                yield around


def _stated(text: str) -> Stated | None:
    if items := _ITEMS_TEXT.fullmatch(text):
        first, last, total = (int("".join(filter(str.isdigit, number))) for number in items.groups())
        return Stated(text, last, total, items=True) if first <= last <= total else None
    if pages := _PAGES_TEXT.fullmatch(text):
        here, total = int(pages[1]), int(pages[2])
        return Stated(text, here, total) if 0 < here <= total else None
    return None
