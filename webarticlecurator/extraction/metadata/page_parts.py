"""Which parts of a page are the article's: its heading, what stands close to it, and what belongs to other articles."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, count, islice, takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.authors import folded
from webarticlecurator.extraction.metadata.class_hints import ClassHint, LinkKind, hints_of, link_kind
from webarticlecurator.text import SAMPLES, short_text
from webarticlecurator.urls import bare_host

MAX_HEADINGS = 100
LONGEST_HEADING = 300
_MIN_SHARED = 8
"""Folded characters of a heading that a title must hold to repeat it."""
_HOME = re.compile(r"(?:https?://[^/]+)?/?(?:index\.\w+)?")
_HEADER_LEVELS = 2
"""How far above the heading the block may begin that holds its byline, too."""
_PAGE_TAGS = frozenset({"main", "body", "html"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_OUTSIDE_TAGS = frozenset({"nav", "form", "noscript", "script", "style", "template", *SAMPLES})
_ENTRY_TAGS = frozenset({"article", "main"})
_OWN_TAGS = frozenset({"body", "main"})
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg"})
_NEAR_BEHIND, _NEAR_BEFORE = 800, 300
"""Characters between the heading and what stands close to it, so that a lead and a caption may lie between."""
_MOST_NEAR, _MOST_BEFORE = 300, 100
"""Elements."""
_LINK_LEVELS = 3
_ABSOLUTE = ("http:", "https:", "//")
_TEASER_LEVELS, _MOST_IN_TEASER, _LONGEST_TEASER = 3, 60, 500


class PageParts:
    """The parts of one page, each looked for when it is asked for."""

    def __init__(
        self, tree: Element, hinted: Mapping[ClassHint, Sequence[Element]], titles: Callable[[], Iterable[str]], host: str
    ) -> None:
        self._tree = tree
        self._host = host
        self._hinted = hinted
        self._titles = titles
        self._outside: dict[Element, bool] = {}

    @cached_property
    def samples(self) -> Collection[Element]:
        """Samples of code, and all that stands in them."""
        samples: set[Element] = set()
        for sample in self._tree.iter(*SAMPLES):
            if sample not in samples:
                samples.update(sample.iter(etree.Element))
        return samples

    @cached_property
    def heading(self) -> Element | None:
        """That which the page's titles repeat most of, one of the first level before others; else the first of the first level."""
        titles = [key for key in map(folded, self._titles()) if key]
        first = [one for one in islice(self._tree.iter("h1"), MAX_HEADINGS) if not leads_home(one) and one not in self.samples]
        shared, best = self._repeated(first, titles)
        if 2 * shared <= max(map(len, titles), default=0):
            others = chain(self._hinted[ClassHint.HEADING][:MAX_HEADINGS], islice(self._tree.iter("h2"), MAX_HEADINGS))
            longer, other = self._repeated(others, titles)
            best = other if longer > shared else best
        return best if best is not None else next((one for one in first if short_text(one, LONGEST_HEADING)), None)

    def _repeated(self, headings: Iterable[Element], titles: Sequence[str]) -> tuple[int, Element | None]:
        """The heading that repeats most of a title, outside of menus if there is one, and how much that is."""
        keyed = [
            (not _is_in_menu(one), len(key), one)
            for one in headings
            if (key := folded(short_text(one, LONGEST_HEADING) or ""))
            and one not in self.samples
            and any(key == title or (len(key) >= _MIN_SHARED and key in title) for title in titles)
        ]
        if not keyed:
            return 0, None
        outside, shared, heading = max(keyed, key=lambda one: one[:2])
        return shared if outside else 0, heading

    @cached_property
    def around(self) -> Collection[Element]:
        """What holds the heading."""
        return frozenset() if self.heading is None else frozenset(self.heading.iterancestors())

    @cached_property
    def near(self) -> Mapping[Element, int]:
        """What stands close to the heading, the closest first; what stands behind it before what stands above it."""
        if self.heading is None:
            return {}
        inside = list(islice(self.heading.iter(etree.Element), _MOST_NEAR))
        behind = _until(_behind(self.heading), _NEAR_BEHIND, _MOST_NEAR)
        return dict(zip(chain(inside, behind, _until(_before(self.heading), _NEAR_BEFORE, _MOST_BEFORE)), count(), strict=False))

    @cached_property
    def head(self) -> Collection[Element]:
        """What stands above the article: the breadcrumbs, and all before the heading and the block that it opens."""
        head = set(self._hinted[ClassHint.CRUMBS])
        if self.heading is not None and self.heading.tag == "h1":
            block = _header_block(self.heading)
            for above in chain((block,), block.iterancestors()):
                head.update(above.itersiblings(preceding=True))
            head.difference_update(self.around)  # "page has-breadcrumbs"
        return head

    def is_outside(self, element: Element) -> bool:
        """Whether an element stands in a part of the page that is not the article's; what is around the heading is the article's."""
        passed: list[Element] = []
        outside = False
        for above in chain((element,), element.iterancestors()):
            known = self._outside.get(above)
            if known is not None:
                outside = known
                break
            passed.append(above)
            if above in self.around or above.tag in _OWN_TAGS:
                break
            if outside := self._is_others(above):
                break
        self._outside.update(dict.fromkeys(passed, outside))
        return outside

    def leads_out(self, element: Element) -> bool:
        """Whether it is, or stands in, a link to another site: what is written there tells of that one."""
        links = (one.get("href") or "" for one in chain((element,), islice(element.iterancestors(), _LINK_LEVELS)) if one.tag == "a")
        return any(href.startswith(_ABSOLUTE) and not bare_host(href).endswith(self._host) for href in links)

    def _is_others(self, element: Element) -> bool:
        return (
            (element.tag in _OUTSIDE_TAGS and not _lists_topics(element))
            or self._is_teaser(element)
            or (element.tag == "article" and element is not self._own_article and _is_of_another(element))
            or self._says_so(element)
        )

    def _says_so(self, element: Element) -> bool:
        hints = {hint for name in ("class", "id") if (written := element.get(name)) for hint in hints_of(written)}
        if element.tag == "footer" or ClassHint.FOOT in hints:
            return not any(
                above.tag in _ENTRY_TAGS or ClassHint.ENTRY in hints_of(above.get("class") or "") for above in element.iterancestors()
            )
        return ClassHint.OUTSIDE in hints

    @cached_property
    def _own_article(self) -> Element | None:
        """The first that follows a heading which stands in none."""
        if self.heading is None:
            return next(self._tree.iter("article"), None)
        if any(above.tag == "article" for above in self.around):
            return None
        return next((one for one in _behind(self.heading) if one.tag == "article"), None)

    @cached_property
    def _boxes(self) -> Mapping[Element, Element]:
        """What stands around headings that lead elsewhere, and the heading: teasers, where it is short."""
        boxes: dict[Element, Element] = {}
        for heading in islice(self._tree.iter("h2", "h3", "h4"), MAX_HEADINGS):
            if heading is not self.heading and _leads_elsewhere(heading):
                above = takewhile(lambda one: one not in self.around and one.tag not in _PAGE_TAGS, heading.iterancestors())
                boxes.update((one, heading) for one in islice(above, _TEASER_LEVELS))
        return boxes

    def _is_teaser(self, box: Element) -> bool:
        heading = self._boxes.get(box)
        if heading is None or next(islice(box.iter(etree.Element), _MOST_IN_TEASER, None), None) is not None:
            return False
        own = folded(short_text(self.heading, LONGEST_HEADING) or "") if self.heading is not None else ""
        repeated = bool(own) and own in folded(short_text(heading, LONGEST_HEADING) or "")  # "Re: ..." heads a post
        return not repeated and short_text(box, _LONGEST_TEASER) is not None


def _is_in_menu(heading: Element) -> bool:
    return next(heading.iterancestors("nav"), None) is not None


def leads_home(heading: Element) -> bool:
    """A heading that links to the front page is the site's name; that of a site in a folder says so itself."""
    link = _link_of(heading)
    return link is not None and ("home" in (link.get("rel") or "").split() or _HOME.fullmatch(link.get("href") or "") is not None)


def _link_of(heading: Element) -> Element | None:
    above = heading.getparent()
    return above if above is not None and above.tag == "a" else heading.find(".//a")


def _lists_topics(element: Element) -> bool:
    """The topics of an article may be marked up as a way to others: `<nav class="tags">`, in one for all that is told of the page, too."""
    return element.tag == "nav" and any(
        ClassHint.TAGS in hints_of(one.get("class") or "") for one in (element, *element.iterchildren("nav"))
    )


def _is_of_another(article: Element) -> bool:
    """What has no heading that leads elsewhere is an entry of a live blog, or a post."""
    return any(one.tag in _HEADINGS and _leads_elsewhere(one) for one in islice(article.iter(etree.Element), _MOST_IN_TEASER))


def _leads_elsewhere(heading: Element) -> bool:
    link = _link_of(heading)
    href = link.get("href") if link is not None else None
    return bool(href) and "#" not in str(href) and link_kind(str(href)) not in (LinkKind.AUTHOR, LinkKind.PERSON)


def _header_block(heading: Element) -> Element:
    """The heading with what stands close around it."""
    around = list(takewhile(lambda one: one.tag not in _PAGE_TAGS, heading.iterancestors()))
    article = next((one for one in around if one.tag == "article"), None)
    return article if article is not None else [heading, *around[:_HEADER_LEVELS]][-1]


def _behind(element: Element) -> Iterator[Element]:
    """All elements that begin after this one has ended."""
    for above in chain((element,), element.iterancestors()):
        for sibling in above.itersiblings():
            yield from sibling.iter(etree.Element)


def _before(element: Element) -> Iterator[Element]:
    """All elements that begin before this one and do not hold it, about the last first."""
    for above in chain((element,), element.iterancestors()):
        for sibling in above.itersiblings(preceding=True):
            waiting = [sibling]
            while waiting:
                one = waiting.pop()
                if isinstance(one.tag, str):
                    yield one
                    waiting.extend(islice(one, _MOST_NEAR))


def _until(elements: Iterator[Element], characters: int, most: int) -> Iterator[Element]:
    """The first elements, as far as they hold no more text than that."""
    for element in islice(elements, most):
        if (written := element.text) and element.tag not in _UNSEEN:
            characters -= len(written.strip())
        if written := element.tail:
            characters -= len(written.strip())
        if characters < 0:
            return
        yield element
