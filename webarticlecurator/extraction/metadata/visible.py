"""Reader of what a visitor of the page sees: headings, byline, dates, tags, breadcrumbs, by their classes; or else by how texts begin."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from enum import Enum
from functools import cached_property, lru_cache
from itertools import chain, islice, takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.authors import byline_start, starts_with_by
from webarticlecurator.extraction.metadata.clues import Clues
from webarticlecurator.text import short_text, squeeze

# --- what classes say ---


class ClassHint(Enum):
    """What an element's class or id says it holds."""

    AUTHOR = "author"
    """A name, and nothing else."""
    BYLINE = "byline"
    """A name among other words."""
    DATE = "date"
    TAGS = "tags"
    CRUMBS = "crumbs"
    HEADING = "heading"
    OUTSIDE = "outside"
    """Not of the article: what surrounds it, and other articles."""

    # Hints are looked up for every element of a page, and the hash of an Enum is computed from its name each time.
    __hash__ = object.__hash__


_AUTHOR = (
    r"author(?!i[sz])|autor(?!i[sz])|auteur|verfasser|szerz[oő]|redaktor|writer|reporter|journalist|f[oö]rfatt|skribent|"
    r"kirjoittaja|yazar|penulis|contributor|signature"
)
_PATTERNS = {
    ClassHint.OUTSIDE: (
        r"comment|komment|hozzaszol|related|recommend|side-?bar|teaser|widget|footer|navbar|\bnav\b|\bmenu|most-?(?:read|viewed)|"
        r"popular|promo|newsletter|subscri|trending|\blatest|ticker|advert|sponsor|carousel|slider|read-?more|more-from|see-also|"
        r"outbrain|taboola|cookie|modal|login|search"
    ),
    ClassHint.AUTHOR: (
        rf"(?:{_AUTHOR})s?(?:-?(?:name|link|url|title|inner|text|item|full-?name))?$|\bfn$|^fn\b|vcard|by-?line-?(?:name|author)"
    ),
    ClassHint.BYLINE: rf"by-?line|{_AUTHOR}|written-?by|posted-?by|entry-meta|post-?meta|article-?meta|credits|postdata|post-?info",
    ClassHint.DATE: (
        r"date(?!d?base|line|picker|-?range)|time(?!line|out|r)|publi(?:sh|cad|kac|ée|e\b)|datum|fecha|\bdata\b|posted|tarih|"
        r"d[aá]tum|entry-meta|post-?meta|article-?meta|meta-?data|meta-?info|article-?info|post-?info|by-?line|dato\b|postdata"
    ),
    ClassHint.TAGS: (
        r"^(?:[a-z]+-){0,2}(?:tags|tag-?lists?|tag-?links|tag-?items?|keywords?|topics|schlagworte?|schlagwörter|themen|c[ií]mk[eé]k|etiquetas|hashtags?)"
        r"(?:-(?:list|links|item|link|container|wrapper|box|names?|inner|area|content|[a-z0-9]{5}))*$|^tag$|^tags-"
    ),
    ClassHint.CRUMBS: r"crumb",
    ClassHint.HEADING: r"(?:article|entry|post|page|news|content|story)-?(?:title|headline|heading|name)|^(?:headline|title)$",
}
_COMPILED = {hint: re.compile(words) for hint, words in _PATTERNS.items()}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST_CLASS = 300


@lru_cache(maxsize=20_000)
def hints_of(written: str) -> frozenset[ClassHint]:
    """What a class or id as written hints at."""
    words = [re.sub(r"[_-]+", "-", _CAMEL.sub("-", word)).lower() for word in written[:_LONGEST_CLASS].split()]
    return frozenset(hint for hint, pattern in _COMPILED.items() if any(pattern.search(word) for word in words))


_OUTSIDE_TAGS = frozenset({"nav", "footer", "form", "noscript", "script", "style", "template"})


def _is_outside(element: Element, around: Collection[Element]) -> bool:
    """Whether an element stands in a part of the page that is not the article's; what is `around` the heading is the article's."""
    for above in chain((element,), element.iterancestors()):
        if above in around or above.tag in ("body", "main"):
            return False
        if above.tag in _OUTSIDE_TAGS:
            return True
        for name in ("class", "id"):
            written = above.get(name)
            if written and ClassHint.OUTSIDE in hints_of(written):
                return True
    return False


# --- elements whose attributes say what they hold ---

MAX_ELEMENTS = 200_000
MAX_CANDIDATES, MAX_LINKS = 40, 100
_LONGEST_NAME, _LONGEST_BYLINE, _LONGEST_DATE, _LONGEST_TAG, _LONGEST_HEADING = 60, 200, 120, 60, 300
_MOSTLY_LINKS = 3
"""A third of a list's text, at least, is its links'."""
_HEADINGS = ("h1", "h2", "h3")
_HEADER_LEVELS = 2
"""How far above the heading the block may begin that holds its byline, too."""
_PAGE_TAGS = frozenset({"main", "body", "html"})
_OF_WHOLE_PAGE = frozenset({"meta", "link", "title", "script"})
"""Whose class and property say nothing of what a reader sees."""


class VisibleElements:
    """The elements of a page that may hold metadata, in page order, found in one walk."""

    def __init__(self, tree: Element) -> None:
        self._tree = tree
        self.microdata: list[Element] = []
        self.rdfa: list[Element] = []
        self._hinted: dict[ClassHint, list[Element]] = {hint: [] for hint in ClassHint}
        for element in islice(tree.iter(etree.Element), MAX_ELEMENTS):
            get = element.get
            if get("itemprop") is not None and element.tag != "script":
                self.microdata.append(element)
            if get("property") is not None and element.tag not in _OF_WHOLE_PAGE:
                self.rdfa.append(element)
            written = get("class")
            if written and (hints := hints_of(written)) and element.tag not in _OF_WHOLE_PAGE:
                for hint in hints:
                    self._hinted[hint].append(element)

    def promise(self, clues: Clues) -> None:
        """Promise what the elements say as `html:...`."""
        hinted = self._hinted
        for source, texts in {
            "html:heading": lambda: self._texts(self._headings(), _LONGEST_HEADING),
            "html:time": lambda: self._times(above=False),
            "html:date": lambda: self._dates(above=False),
            "html:page-date": lambda: chain(self._times(above=True), self._dates(above=True)),
            "html:rel-author": lambda: self._names(self._linked["author"]),
            "html:author": lambda: self._names(hinted[ClassHint.AUTHOR]),
            "html:byline": lambda: self._names(hinted[ClassHint.BYLINE], _LONGEST_BYLINE),
            "html:rel-tag": lambda: self._texts(self._linked["tag"], _LONGEST_TAG),
            "html:tags": lambda: self._links_of(hinted[ClassHint.TAGS]),
            "html:breadcrumb": lambda: self._links_of(hinted[ClassHint.CRUMBS][:1]),
        }.items():
            clues.promise(source, texts)

    def _headings(self) -> list[Element]:
        """By tag or class."""
        hinted = set(self._hinted[ClassHint.HEADING])
        if not hinted:
            return list(self._tree.iter(*_HEADINGS))
        return [one for one in self._tree.iter(etree.Element) if one.tag in _HEADINGS or one in hinted]

    @cached_property
    def _linked(self) -> dict[str, list[Element]]:
        """Links, by what their rel says."""
        linked: dict[str, list[Element]] = {"author": [], "tag": []}
        for link in self._tree.iter("a"):
            if written := link.get("rel"):
                for rel in linked.keys() & written.lower().split():
                    linked[rel].append(link)
        return linked

    @cached_property
    def _around(self) -> Collection[Element]:
        """What holds a first-level heading."""
        return frozenset(above for heading in self._tree.iter("h1") for above in heading.iterancestors())

    def _inside(self, elements: list[Element]) -> list[Element]:
        return [one for one in elements[:MAX_CANDIDATES] if not _is_outside(one, self._around)]

    def _texts(self, elements: list[Element], longest: int) -> Iterator[str]:
        return (text for element in self._inside(elements) if (text := short_text(element, longest)) and len(text) > 1)

    def _names(self, elements: list[Element], longest: int = _LONGEST_NAME) -> Iterator[str]:
        """Of the first, and of those that stand beside it: others sign other articles."""
        inside = self._inside(elements)
        first = inside[0].getparent() if inside else None
        beside = {first, first.getparent()} if first is not None else set()
        together = [one for one in inside if (above := one.getparent()) is not None and (above in beside or above.getparent() in beside)]
        return self._texts(together, longest)

    def _times(self, *, above: bool) -> Iterator[str]:
        times = self._inside(self._placed(list(self._tree.iter("time")), above=above))
        return (element.get("datetime") or short_text(element, _LONGEST_DATE) or "" for element in times)

    def _dates(self, *, above: bool) -> Iterator[str]:
        return self._texts(self._placed(self._hinted[ClassHint.DATE], above=above), _LONGEST_DATE)

    def _placed(self, elements: list[Element], *, above: bool) -> list[Element]:
        """Those that stand above the article, where many portals write what day it is, or those that do not."""
        head = self._page_head
        return [one for one in elements[:MAX_CANDIDATES] if above == any(around in head for around in chain((one,), one.iterancestors()))]

    @cached_property
    def _page_head(self) -> Collection[Element]:
        """The breadcrumbs, and what stands before the heading and the block that it opens."""
        head = set(self._hinted[ClassHint.CRUMBS])
        heading = next(self._tree.iter("h1"), None)
        if heading is not None:
            block = _header_block(heading)
            for around in chain((block,), block.iterancestors()):
                head.update(around.itersiblings(preceding=True))
            head.difference_update(heading.iterancestors())  # "page has-breadcrumbs"
        return head

    def _links_of(self, lists: list[Element]) -> Iterator[str]:
        """The texts of links (and buttons) in lists of such; what holds more than that is no list."""
        for container in self._inside(lists):
            texts = [text for link in islice(container.iter("a", "button"), MAX_LINKS) if (text := short_text(link, _LONGEST_TAG))]
            if short_text(container, _MOSTLY_LINKS * sum(map(len, texts))) is not None:
                yield from texts


def _header_block(heading: Element) -> Element:
    """The heading with what stands close around it."""
    around = list(takewhile(lambda one: one.tag not in _PAGE_TAGS, heading.iterancestors()))
    article = next((one for one in around if one.tag == "article"), None)
    return article if article is not None else [heading, *around[:_HEADER_LEVELS]][-1]


# --- last resort: a date or a byline somewhere in the text around the heading, where nothing marks it as one ---

MAX_PIECES, MAX_FOUND = 5_000, 100
_CANDIDATES = 12
_NEAR = 60
"""Characters at the beginning of a text in which a date must stand to be the article's and not a part of its story."""
_LONGEST_SENTENCE = 120
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "select", "option", "button"})
_YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|\d[./]\d\d?[./]\d\d(?!\d)")
_TWO_DIGITS = re.compile(r"\d\d")
_Read = Callable[[str], str | None]
"""Of a text as written what is wanted of it; None of most texts."""


def text_dates(tree: Element) -> Iterable[str]:
    """Texts that begin with a date: behind the heading first, then before it, then outside of the article."""
    return islice(_pieces(tree, _dated), _CANDIDATES)


def text_bylines(tree: Element, language: str | None) -> Iterable[str]:
    """The first short text that begins with "By ..."."""
    may_be = byline_start(language).match

    def byline(text: str) -> str | None:
        if may_be(text) and len(text := squeeze(text)) <= _LONGEST_SENTENCE and starts_with_by(text, language):
            return text
        return None

    return islice(_pieces(tree, byline), 1)


def _dated(text: str) -> str | None:
    if len(text) <= _NEAR and not _TWO_DIGITS.search(text):  # by far most texts of a page
        return None
    beginning = " ".join(text.split(None, _NEAR // 2)[: _NEAR // 2])[:_NEAR]  # so many words at least are as long as that
    return beginning if _YEAR.search(beginning) else None


def _pieces(tree: Element, read: _Read) -> Iterator[str]:
    heading = next(tree.iter("h1"), None)
    around: Collection[Element] = frozenset(heading.iterancestors()) if heading is not None else ()
    before: list[str] = []
    outside: list[str] = []
    passed = heading is None
    found = 0
    for element, written in islice(_written(tree), MAX_PIECES):
        passed = passed or element is heading
        text = read(written)
        if text is None:
            continue
        found += 1
        if found > MAX_FOUND:
            break
        if _is_outside(element, around):
            outside.append(text)
        elif passed:
            yield text
        else:
            before.append(text)
    yield from (*reversed(before), *outside)


def _written(tree: Element) -> Iterator[tuple[Element, str]]:
    """Every stretch of text as written, with the element it stands in."""
    for element in tree.iter(etree.Element):
        if (text := element.text) and not text.isspace() and element.tag not in _UNSEEN:
            yield element, text
        if (text := element.tail) and not text.isspace() and (parent := element.getparent()) is not None and parent.tag not in _UNSEEN:
            yield parent, text
