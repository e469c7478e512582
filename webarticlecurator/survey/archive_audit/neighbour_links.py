"""The links of stored articles to the article before and after them, to related and to the latest ones: they name articles without any
request."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date
from enum import StrEnum
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.dates.names import fold
from webarticlecurator.extraction.metadata.dates import day_in_url
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.model.page import Page
from webarticlecurator.survey.stored_page import StoredPage, dates_in
from webarticlecurator.urls import is_http, join, normalise

# --- how such links are called: by their classes, and by what readers see, in the languages of `dates` ---

_DIRECTIONS = frozenset({"prev", "previous", "next", "older", "newer"})
_BARS = frozenset({"nav", "navigation"})
_THINGS = frozenset({"post", "article", "entry", "story", "single"})
_OTHERS = frozenset({"carousel", "comment", "comments", "gallery", "image", "page", "pages", "photo", "slide", "slider", "swiper"})
"""What else has a before and an after."""
_BESIDE = frozenset({"latest", "newest", "popular", "recent", "related"})
_SEVERAL = frozenset({"articles", "entries", "news", "posts", "stories"})
"""Which ones, and of what: of a box that lists articles."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SAID: dict[str, tuple[str, str]] = {
    "bg": ("предишна следваща", "статия новина публикация"),
    "cs": ("předchozí následující další starší novější", "článek příspěvek zpráva"),
    "da": ("forrige næste", "artikel indlæg nyhed"),
    "de": ("vorheriger vorige voriger nächster nächste ältere neuere", "artikel beitrag meldung"),
    "el": ("προηγούμενο επόμενο", "άρθρο"),
    "en": ("previous next older newer prev", "article post story entry"),
    "es": ("anterior siguiente próximo próxima", "artículo entrada noticia nota"),
    "et": ("eelmine järgmine", "artikkel postitus lugu"),
    "fi": ("edellinen seuraava", "artikkeli juttu uutinen kirjoitus"),
    "fr": ("précédent suivant précédente suivante", "article billet actualité"),
    "hr": ("prethodni sljedeći prethodna sljedeća", "članak objava vijest"),
    "hu": ("előző következő korábbi újabb", "cikk bejegyzés hír írás poszt"),
    "it": ("precedente successivo successiva prossimo", "articolo post notizia"),
    "lt": ("ankstesnis kitas", "straipsnis įrašas"),
    "lv": ("iepriekšējais nākamais", "raksts ieraksts"),
    "nb": ("forrige neste", "artikkel innlegg sak"),
    "nl": ("vorig vorige volgend volgende", "artikel bericht"),
    "pl": ("poprzedni następny", "artykuł wpis"),
    "pt": ("anterior seguinte próximo próxima", "artigo post notícia matéria"),
    "ro": ("anterior precedent următor anteriorul următorul", "articol articolul"),
    "ru": ("предыдущая следующая предыдущий следующий", "статья новость запись материал"),
    "sk": ("predchádzajúci nasledujúci ďalší", "článok príspevok"),
    "sl": ("prejšnji naslednji", "članek prispevek"),
    "sr": ("претходни следећи prethodni sledeći", "чланак članak"),
    "sv": ("föregående nästa", "artikel inlägg nyhet"),
    "tr": ("önceki sonraki", "makale yazı haber"),
    "uk": ("попередня наступна", "стаття новина запис"),
}
"""Which one, and of what; in either order."""
_PAIRS = frozenset(
    pair
    for which, what in _SAID.values()
    for one, other in product(map(fold, which.split()), map(fold, what.split()))
    for pair in ((one, other), (other, one))
)
_FIRST_WORDS = re.compile(r"\W*(\w+)\W+(\w+)")


@lru_cache(maxsize=8192)
def classes_name_a_neighbour(classes: str) -> bool:
    """Whether one of these classes is that of such a link, or of a bar of them."""
    return any(_is_a_neighbours(frozenset(word.lower() for word in _WORD.findall(name))) for name in classes.split())


def _is_a_neighbours(words: frozenset[str]) -> bool:
    if words & _OTHERS:
        return False
    return bool((words & _DIRECTIONS and words & (_BARS | _THINGS)) or (words & _BARS and words & _THINGS))


@lru_cache(maxsize=8192)
def text_names_a_neighbour(text: str) -> bool:
    """Whether a text begins with such words."""
    found = _FIRST_WORDS.match(text)
    return found is not None and (fold(found[1]), fold(found[2])) in _PAIRS


# --- the links of a page ---

_RELATIONS = frozenset({"prev", "previous", "next"})
_PIECES, _BEGINNING = 6, 60
"""Pieces and characters of a text in which it begins with "next article", whatever follows."""
_AROUND = 3
"""Elements around a link whose classes count."""
_MOST_BESIDE = 2_000
"""Links in such boxes of one page; they may lie in one another."""
_MOST_LINKS = 6
"""In an element whose class speaks for all of them; what holds more is a list, or the next article itself."""
_ENDING = re.compile(r"/$|\.[a-z]{2,5}$", re.IGNORECASE)
_FURTHER = re.compile(
    r"(?:\.[a-z]{2,5})?(?:/.*|[?&;].*|[-_,.](?:[a-z]{1,6}[-_=]?)?\d{1,3}(?:\.[a-z]{2,5})?/?)?", re.IGNORECASE | re.ASCII | re.DOTALL
)
"""What follows an article's own address in that of a further page of it, or of its comments."""


def neighbours(page: Page) -> Iterator[str]:
    """The addresses that a page gives for the article before and after it, each once; its own further pages are none."""
    if page.tree is None:
        return
    own = {_ENDING.sub("", normalise(url)) for url in (page.url, page.requested_url)}
    for href in dict.fromkeys(_hrefs(page.tree)):
        url = join(page.base, href) if href.strip() else None
        if url is not None and is_http(url) and not _is_further_page(normalise(url), own):
            yield url


def _listed_beside(page: Page) -> Iterator[str]:
    """The addresses in its boxes of related or of the latest articles, each once."""
    if page.tree is None:
        return
    boxes = [one for one in page.tree.iter("div", "section", "aside", "ul", "ol", "nav") if _names_a_box(one.get("class"), one.get("id"))]
    for href in dict.fromkeys(islice((link.get("href") or "" for box in boxes for link in box.iter("a")), _MOST_BESIDE)):
        url = join(page.base, href) if href.strip() and not href.startswith("#") else None
        if url is not None and is_http(url) and not page.is_at(url):
            yield url


def _names_a_box(classes: str | None, id: str | None) -> bool:
    """Whether an element's names say that it lists related articles, or the latest ones."""
    role = role_of(classes, id) if classes or id else None
    return (role is not None and role.certain and role.part is PagePart.RELATED) or any(map(_lists_articles, (classes or "", id or "")))


@lru_cache(maxsize=8192)
def _lists_articles(names: str) -> bool:
    words = (frozenset(word.lower() for word in _WORD.findall(name)) for name in names.split())
    return any(one & _BESIDE and one & _SEVERAL for one in words)


def own_addresses(page: Page) -> Iterator[str]:
    """By what names a page knows itself: where it was found, and the canonical ones."""
    yield page.url
    for element in page.tree.iter("link", "meta") if page.tree is not None else ():
        name = (element.get("rel") or element.get("property") or "").lower()
        href = element.get("href") or element.get("content") if name in ("canonical", "og:url") else None
        url = join(page.base, href) if href else None
        if url is not None and is_http(url):
            yield url


def _hrefs(tree: Element) -> Iterator[str]:
    for link in tree.iter("link", "a"):
        href = link.get("href")
        if href and (_RELATIONS.intersection((link.get("rel") or "").lower().split()) or (link.tag == "a" and _is_named_so(link))):
            yield href


def _is_named_so(link: Element) -> bool:
    if _is_of_a_pair(link) or any(text_names_a_neighbour(text[:_BEGINNING]) for text in _texts(link) if text):
        return True
    element: Element | None = link
    for _ in range(1 + _AROUND):
        if element is None:
            return False
        if classes_name_a_neighbour(element.get("class") or ""):
            return element is link or sum(1 for _ in element.iter("a")) <= _MOST_LINKS
        element = element.getparent()
    return False


def _is_of_a_pair(link: Element) -> bool:
    """Whether it is called just `prev` or `next`, in a `nav` of no more than two links."""
    around = link.getparent()
    is_alone = around is not None and around.tag == "nav" and sum(1 for _ in islice(around.iter("a"), 3)) <= 2
    return is_alone and not _RELATIONS.isdisjoint((link.get("class") or "").split())


def _texts(link: Element) -> Iterator[str]:
    """What a reader is told of a link: in it, by it, just before it."""
    yield _beginning(link)
    yield link.get("title") or link.get("aria-label") or ""
    before, around = link.getprevious(), link.getparent()
    if before is not None:
        yield (before.tail or "").strip() or _beginning(before)
    elif around is not None:
        yield around.text or ""


def _beginning(element: Element) -> str:
    return " ".join(map(str, islice(element.itertext(), _PIECES)))


def _is_further_page(url: str, own: Collection[str]) -> bool:
    return any(url.startswith(one) and _FURTHER.fullmatch(url, len(one)) for one in own)


# --- asked of all stored articles ---


class Source(StrEnum):
    """What names an article beside the archive's pages."""

    NEIGHBOURS = "neighbours"
    """Articles lead to the one before and after them."""
    BESIDE = "beside"
    """Articles lead to related ones, and to the latest."""
    FEED = "feed"
    SITEMAP = "sitemap"


class NamedArticle(NamedTuple):
    """An address of an article, and what names it."""

    url: str
    """Joined, as it stands there."""
    seen_on: str
    """The address of the article (or of the feed, the sitemap) that names it."""
    day: date | None = None
    """On which the article that names it as its neighbour appeared; of any other source, it itself; None: that is not known."""
    source: Source = Source.NEIGHBOURS
    there: date | None = None
    """By when it had appeared, where the day is not known; None: that is not known either."""


class NeighbourQuestion:
    """What is asked of a pass."""

    def tally(self) -> NeighbourTally:
        """An empty one."""
        return NeighbourTally()

    def look(self, page: Page, stored: StoredPage, tally: NeighbourTally) -> None:
        """Add one page."""
        day = _day(page, stored)
        tally.named += [NamedArticle(url, stored.url, day) for url in neighbours(page)]
        for url in _listed_beside(page):
            tally.list_beside(url, stored.url, page.date.date())
        tally.own += {url for url in own_addresses(page) if url != stored.url}


class NeighbourTally:
    """What some pages name, and by which addresses they know themselves."""

    def __init__(self) -> None:
        self.named: list[NamedArticle] = []
        self.beside: dict[str, tuple[date, str]] = {}
        """Address in a box -> when it stood there first, and where; most boxes are the same on many pages."""
        self.own: list[str] = []

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:
        """A captcha names nothing."""

    def articles(self) -> Iterator[NamedArticle]:
        """All that they name."""
        yield from self.named
        for url, (there, seen_on) in self.beside.items():
            yield NamedArticle(url, seen_on, day_of(day_in_url(url)), Source.BESIDE, there)

    def list_beside(self, url: str, seen_on: str, there: date) -> None:
        """An article stands in a box."""
        self.beside[url] = min(self.beside.get(url, (there, seen_on)), (there, seen_on))

    def join(self, other: NeighbourTally) -> None:
        """Take in what another process gathered."""
        self.named += other.named
        for url, (there, seen_on) in other.beside.items():
            self.list_beside(url, seen_on, there)
        self.own += other.own


def _day(page: Page, stored: StoredPage) -> date | None:
    """When an article appeared, told cheaply."""
    seen = dates_in(page.tree) if page.tree is not None else ()
    texts = (*stored.listing.get("datePublished", ()), day_in_url(stored.url) or "", *seen)
    return next((day for text in texts if (day := day_of(text)) is not None), None)


def day_of(text: str | None) -> date | None:
    """The day that a date begins with."""
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None
