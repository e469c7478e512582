"""Reader of what a visitor of the page sees: headings, byline, dates, tags, sections, by what marks them as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import chain, islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import marks_in
from webarticlecurator.extraction.metadata.authors import folded
from webarticlecurator.extraction.metadata.class_hints import (
    ClassHint,
    LinkKind,
    hints_of,
    link_kind,
    link_target,
    names_section,
)
from webarticlecurator.extraction.metadata.clues import Clue, Clues
from webarticlecurator.extraction.metadata.page_parts import LONGEST_HEADING, PageParts
from webarticlecurator.extraction.metadata.publication import word_of_change
from webarticlecurator.extraction.metadata.running_text import line_runs, name_in_line, text_bylines, text_dates
from webarticlecurator.extraction.metadata.section_links import in_a_row, is_filed, is_in_foot
from webarticlecurator.extraction.metadata.subtitles import LONGEST_SUBTITLE, subtitle_below
from webarticlecurator.text import SAMPLES, element_text, short_text, squeeze

MAX_ELEMENTS = 200_000
MAX_CANDIDATES, MAX_LINKS, MAX_NAMED = 40, 100, 1_000
_LONGEST_NAME, _LONGEST_BYLINE, _LONGEST_DATE, _LONGEST_TAG = 60, 200, 120, 60
_MOSTLY_LINKS = 3
"""A third of a list's text, at least, is its links'."""
_MOST_TAGS = 12
"""More links than that are a menu."""
_LIST_LEVELS = 3
_HEADINGS = ("h1", "h2", "h3")
_PEOPLE = (LinkKind.AUTHOR, LinkKind.PERSON)
_OF_WHOLE_PAGE = frozenset({"meta", "link", "title", "script"})
"""Whose class and property say nothing of what a reader sees."""
_MOMENT = re.compile(r"\s*(?:(?:19|20)\d\d-?\d\d-?\d\d|\d{10}(?:\d{3})?\s*$)")
_DIGIT = re.compile(r"\d")
_TIMES = ("time", "relative-time", "time-ago", "local-time")
_OF_NO_CHANGE = frozenset({"", "edited", "bearbeitet", "reviewed"})
"""Words before a date that say of no article when it changed: forums edit single posts, and reviewers change nothing."""
_MOMENTS = ("datetime", "content", "title", "data-datetime", "data-time", "data-timestamp")
"""Attributes in which a date may stand for machines."""


class VisibleElements:
    """The elements of a page that may hold metadata, in page order, found in one walk."""

    def __init__(self, tree: Element, titles: Callable[[], Iterable[str]], host: str) -> None:
        """`titles`: those of the page, by which its heading is known; `host`: its own."""
        self._tree = tree
        self.microdata: list[Element] = []
        self.rdfa: list[Element] = []
        self._hinted: dict[ClassHint, list[Element]] = {hint: [] for hint in ClassHint}
        self._parts = PageParts(tree, self._hinted, titles, host)
        self.samples = self._parts.samples
        for element in islice(tree.iter(etree.Element), MAX_ELEMENTS):
            if element in self.samples:
                continue
            get = element.get
            if get("itemprop") is not None and element.tag != "script":
                self.microdata.append(element)
            if get("property") is not None and element.tag not in _OF_WHOLE_PAGE:
                self.rdfa.append(element)
            written = get("class")
            if written and (hints := hints_of(written)) and element.tag not in _OF_WHOLE_PAGE:
                for hint in hints:
                    self._hinted[hint].append(element)

    def promise(self, clues: Clues, language: str | None) -> None:
        """Promise what the elements say as `html:...`."""
        hinted, linked = self._hinted, self._linked
        texts = cache(partial(text_bylines, self._tree, self._parts, language))
        promised: dict[str, Callable[[], Iterable[Clue]]] = {
            "html:heading": self._heading_texts,
            "html:subtitle": self._subtitle,
            "html:published": lambda: self._dates(self._published(), above=False),
            "html:near-date": lambda: self._dates(self._near_dates(), above=False),
            "html:time": lambda: self._dates(self._times(), above=False),
            "html:date": lambda: self._dates(hinted[ClassHint.DATE], above=False),
            "html:page-date": lambda: self._dates((*self._times(), *hinted[ClassHint.DATE]), above=True),
            "html:updated": lambda: self._dates(hinted[ClassHint.UPDATED], above=False, updated=True),
            "html:changed": lambda: (one for one in self._dates(self._times(), above=False) if _is_of_change(one)),
            "html:text-date": lambda: map(Clue, text_dates(self._tree, self._parts)),
            "html:rel-author": lambda: self._names(linked("rel-author")),
            "html:author-link": lambda: self._names(one for one in linked(LinkKind.AUTHOR) if one in self._parts.near or _is_of_text(one)),
            "html:person-link": lambda: self._names(one for one in self._near(linked(LinkKind.PERSON)) if _is_of_text(one)),
            "html:author-pages": self._author_pages,
            "html:author": lambda: self._names(hinted[ClassHint.AUTHOR]),
            "html:byline": lambda: self._bylines(language),
            "html:near-by": lambda: (Clue(text) for text, near in islice(texts(), 1) if near and not text.islower()),
            "html:by": lambda: (Clue(text) for text, _ in islice(texts(), 1)),
            "html:rel-tag": lambda: self._texts(linked("rel-tag"), _LONGEST_TAG),
            "html:tags": lambda: self._links_of(hinted[ClassHint.TAGS]),
            "html:topic-links": lambda: self._grouped(linked(LinkKind.TOPIC)),
            "html:rel-category": lambda: self._texts(self._together(linked("rel-category")), _LONGEST_TAG),
            "html:section-list": lambda: self._texts(in_a_row(self._sections()), _LONGEST_TAG, nearest_first=False),
            "html:section": lambda: self._texts(self._nearest_row(self._sections()), _LONGEST_TAG, nearest_first=False),
            "html:breadcrumb": self._crumbs,
        }
        for source, told in promised.items():
            clues.promise(source, told)

    # --- which elements ---

    def _headings(self) -> list[Element]:
        """By tag or class."""
        hinted = set(self._hinted[ClassHint.HEADING])
        if not hinted:
            return list(self._tree.iter(*_HEADINGS))
        return [one for one in self._tree.iter(etree.Element) if one.tag in _HEADINGS or one in hinted]

    def _linked(self, kind: str | LinkKind) -> list[Element]:
        return self._links.get(kind, [])

    @cached_property
    def _links(self) -> dict[str | LinkKind, list[Element]]:
        """Links, by what their rel or their address says; of one that has both, the rel counts."""
        linked: dict[str | LinkKind, list[Element]] = {}
        for link in self._tree.iter("a"):
            href, rel = link.get("href"), link.get("rel")
            kind: str | LinkKind | None = link_kind(href) if href else None
            if kind is LinkKind.TOPIC and names_section(_label_before(link)):
                kind = LinkKind.SECTION
            if rel:
                rels = rel.lower().split()
                of_section = kind is LinkKind.SECTION or (kind is not LinkKind.TOPIC and _is_within(link, ClassHint.SECTION))
                if "category" in rels or ("tag" in rels and of_section):
                    kind = "rel-category"
                elif "tag" in rels:
                    kind = "rel-tag"
                elif "author" in rels:
                    kind = "rel-author"
            if kind is not None:
                linked.setdefault(kind, []).append(link)
        return linked

    def _published(self) -> Iterator[Element]:
        yield from (one for one in self._tree.iter("time") if one.get("pubdate") is not None)
        for one in self._hinted[ClassHint.PUBLISHED]:
            yield next(one.iter("time"), one)

    def _times(self) -> Iterator[Element]:
        """Elements for times, and others close to the heading whose title is one."""
        yield from self._tree.iter(*_TIMES)
        yield from (one for one in self._parts.near if one.tag != "time" and _MOMENT.match(one.get("title") or ""))

    def _near_dates(self) -> Iterator[Element]:
        """Elements for times, and those named after dates, close to the heading: the closest first, whatever stands further down."""
        named = frozenset(self._hinted[ClassHint.DATE])
        return (one for one in self._parts.near if one.tag in _TIMES or one in named)

    def _sections(self) -> list[Element]:
        """Links to sections close to the heading, in the foot of the article, or in a box with its tags, which are none themselves."""
        boxes = self._inside(self._hinted[ClassHint.SECTION])
        links = [*self._linked(LinkKind.SECTION), *(link for box in boxes for link in islice(box.iter("a"), _MOST_TAGS))]
        tags = {*self._linked("rel-tag"), *self._linked(LinkKind.TOPIC)}
        return [one for one in links if one not in tags and (one in self._parts.near or is_in_foot(one) or is_filed(one, tags))]

    def _nearest_row(self, links: Sequence[Element]) -> list[Element]:
        """Those beside the one that is closest to the heading, in the order of the page, before all others."""
        ordered = list(self._inside(links))
        beside = [one for one in links if ordered and one.getparent() is ordered[0].getparent()]
        return [*beside, *(one for one in ordered if one not in beside)]

    def _near(self, elements: Iterable[Element]) -> list[Element]:
        return [one for one in elements if one in self._parts.near]

    def _inside(self, elements: Iterable[Element], *, nearest_first: bool = True) -> Iterator[Element]:
        """Those of the article, what stands close to its heading first."""
        ordered = list(elements)
        if nearest_first and len(ordered) > 1:
            near = self._parts.near
            ordered.sort(key=lambda one: near.get(one, len(near)))
        return (one for one in ordered[:MAX_CANDIDATES] if not self._parts.is_outside(one))

    # --- what they say ---

    def _texts(self, elements: Iterable[Element], longest: int, *, nearest_first: bool = True) -> Iterator[Clue]:
        inside = self._inside(elements, nearest_first=nearest_first)
        return (Clue(text) for element in inside if (text := short_text(element, longest)) and len(text) > 1)

    def _heading_texts(self) -> Iterator[Clue]:
        for heading in self._inside(self._headings(), nearest_first=False):
            marks = frozenset(marks_in(heading))
            text = squeeze(element_text(heading, without=marks)) if marks else short_text(heading, LONGEST_HEADING)
            if text and 1 < len(text) <= LONGEST_HEADING:
                yield Clue(text)

    def _subtitle(self) -> Iterator[Clue]:
        heading = self._parts.heading
        below = subtitle_below(heading) if heading is not None else None
        return iter(()) if below is None else self._texts([below], LONGEST_SUBTITLE)

    def _names(self, elements: Iterable[Element]) -> Iterator[Clue]:
        for one in self._together(elements):
            if (text := short_text(one, _LONGEST_NAME)) and not _holds_sample(one):
                runs = line_runs(one) if len(one) else ()
                name = (name_in_line(runs, None) if len(runs) > 1 else None) or text
                yield Clue(name, url=_page_of_author(one, name))

    def _author_pages(self) -> Iterator[Clue]:
        """Names with the pages that they lead to, whether they sign this article or another one."""
        for link in (*self._linked("rel-author"), *self._linked(LinkKind.AUTHOR)):
            if (text := short_text(link, _LONGEST_NAME)) and link not in self.samples:
                yield Clue(text, url=link.get("href") or "")

    def _bylines(self, language: str | None) -> Iterator[Clue]:
        lines = chain(self._hinted[ClassHint.BYLINE], self._tree.iter("address"))
        for one in self._together(one for one in lines if one not in self._parts.around):
            if short_text(one, _LONGEST_BYLINE) and not _holds_sample(one) and (text := name_in_line(line_runs(one), language)):
                yield Clue(text, url=_page_of_author(one, text))

    def _together(self, elements: Iterable[Element]) -> Iterator[Element]:
        """The first, and those that stand beside it: others sign other articles. Who checked or illustrated an article is no author."""
        inside = [one for one in self._inside(elements) if not _is_other_hand(one) and next(one.iterancestors("figure"), None) is None]
        first = inside[0].getparent() if inside else None
        beside = {first, first.getparent()} if first is not None else set()
        return (one for one in inside if (above := one.getparent()) is not None and (above in beside or above.getparent() in beside))

    def _dates(self, elements: Iterable[Element], *, above: bool, updated: bool = False) -> Iterator[Clue]:
        """Of elements that stand above the article, where many portals write what day it is, or of those that do not."""
        head = self._parts.head
        for one in self._inside(islice(elements, MAX_NAMED)):
            around = [one, *one.iterancestors()]
            if self._parts.leads_out(one):
                continue
            if above == any(part in head for part in around) and updated == _is_update(around):
                yield Clue(_moment(one))

    def _links_of(self, lists: Iterable[Element]) -> Iterator[Clue]:
        """The texts of links (and buttons) in lists of such; what holds more than that is no list."""
        for container in self._inside(lists):
            links = [one for one in islice(container.iter("a", "button"), MAX_LINKS) if "category" not in (one.get("rel") or "").split()]
            texts = [text for link in links if (text := short_text(link, _LONGEST_TAG))]
            if short_text(container, _MOSTLY_LINKS * sum(map(len, texts))) is not None:
                yield from map(Clue, texts)

    def _crumbs(self) -> Iterator[Clue]:
        """Of the links in the breadcrumbs all but one to the article itself."""
        labelled = (one for one in self._tree.iter("nav", "ol", "ul") if "crumb" in (one.get("aria-label") or "").lower())
        rows = chain(self._hinted[ClassHint.CRUMBS], labelled, self._paths())
        for crumbs in islice((one for one in rows if one not in self.samples), 1):
            links = [(text, link) for link in islice(crumbs.iter("a"), MAX_LINKS) if (text := short_text(link, LONGEST_HEADING))]
            heading = self._parts.heading
            if links and heading is not None and folded(links[-1][0]) in folded(short_text(heading, LONGEST_HEADING) or ""):
                links.pop()
            yield from (Clue(text, url=link.get("href") or "") for text, link in links)

    def _paths(self) -> Iterator[Element]:
        """Lines before the heading that begin with links of which each leads further down: Home > Culture > Music."""
        heading = self._parts.heading
        for link in islice(self._tree.iter("a", *_HEADINGS), MAX_LINKS):
            if link is heading:
                return
            above = link.getparent() if _STEP_DOWN.fullmatch(link.tail or "") else None
            if above is not None and above[0] is link and not (above.text or "").strip():
                yield above

    def _grouped(self, links: Iterable[Element]) -> Iterator[Clue]:
        """The first short list of such links."""
        groups: dict[Element, list[str]] = {}
        for link in self._inside(links):
            if (text := short_text(link, _LONGEST_TAG)) and _stands_alone(link):
                groups.setdefault(_list_of(link), []).append(text)
        yield from map(Clue, next((texts for texts in groups.values() if len(texts) <= _MOST_TAGS), ()))


def _holds_sample(element: Element) -> bool:
    return next(element.iter(*SAMPLES), None) is not None


def _is_within(element: Element, hint: ClassHint) -> bool:
    return any(hint in hints_of(above.get("class") or "") for above in islice(element.iterancestors(), 2))


def _is_update(around: Sequence[Element]) -> bool:
    hints = [hints_of(one.get("class") or "") for one in around[:2]]
    return any(ClassHint.UPDATED in one for one in hints) and ClassHint.PUBLISHED not in hints[0]


_OTHER_HANDS = re.compile(
    r"review|fact.?check|verified by|edited|editor|translat|updated by|photo|illustrat|geprüft|lektor|bearbeitet|übersetz|aktualisiert von|"
    r"foto|bild\b|grafik|szerkeszt|fordít|relu\b|vérifié|traduit|revisad|editad|tradu[cz]|redakcja|zdjęci|tłumacz|gecontroleerd|vertaal",
    re.IGNORECASE,
)
_STEP_DOWN = re.compile(r"\s*[>›»→▸]\s*")
_LONGEST_LABEL = 60
_WORD = re.compile(r"[^\W\d_]{4}")


def _is_other_hand(element: Element) -> bool:
    """Whether the words before a name say that its bearer did something else than write."""
    above = element.getparent()
    label = _label_before(element) or (_label_before(above) if above is not None else "")
    return len(label) <= _LONGEST_LABEL and _OTHER_HANDS.search(label) is not None


def _label_before(element: Element) -> str:
    """The text right before an element."""
    above, before = element.getparent(), element.getprevious()
    if before is not None:
        return (before.tail or "").strip() or short_text(before, _LONGEST_LABEL) or ""
    return ((above.text if above is not None else None) or "").strip()


def _is_of_text(link: Element) -> bool:
    """Whether the address is made of the words of the link, as that of a person's page is: /author/ann-lee, /@ann."""
    last = folded(link_target(link.get("href") or ""))
    return any(len(key) > 2 and key in last for word in (short_text(link, _LONGEST_NAME) or "").split() if (key := folded(word)))


def _stands_alone(link: Element) -> bool:
    """Not in the middle of a sentence: a label may stand before it."""
    return len(_label_before(link)) <= _LONGEST_LABEL and not _WORD.search(link.tail or "")


def _list_of(link: Element) -> Element:
    """What holds a link and others."""
    around = list(islice(link.iterancestors(), _LIST_LEVELS))
    return next((one for one in around if len(list(islice(one.iter("a"), 2))) > 1), around[0] if around else link)


def _moment(element: Element) -> str:
    """As it stands there for machines, behind the word that says it to be that of a change; else as it stands there for readers."""
    told = short_text(element, _LONGEST_DATE, tuple(element.iter(*SAMPLES))) or ""
    written = next((value for name in _MOMENTS if (value := element.get(name)) and _MOMENT.match(value)), None) or element.get("datetime")
    if not written:
        return told
    label = next((text for text in (told, _label_before(element)) if len(text) <= _LONGEST_LABEL and word_of_change(text)), "")
    return f"{word_of_change(label)} {written}".strip()


def _is_of_change(date: Clue) -> bool:
    return word_of_change(_DIGIT.split(date.text, maxsplit=1)[0]).casefold() not in _OF_NO_CHANGE


def _page_of_author(element: Element, name: str) -> str:
    """The address that a name links to, where it is that of a page about its bearer."""
    key = folded(name)
    links = chain((element,), element.iter("a"), islice(element.iterancestors("a"), 1))
    for link in islice((one for one in links if one.tag == "a"), MAX_LINKS):
        href, text = link.get("href") or "", folded(short_text(link, _LONGEST_BYLINE) or "")
        of_author = "author" in (link.get("rel") or "").lower().split() or link_kind(href) in _PEOPLE
        if of_author and text and (text in key or key in text):
            return href
    return ""
