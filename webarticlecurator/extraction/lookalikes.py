"""Links that look like the picked articles and that no rule took: what a wrong `item` or `link` leaves behind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from lxml.etree import _Element as Element

from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.model.links import Lookalike
from webarticlecurator.selectors import identifier

MOST = 500
"""Of one page; more say nothing more."""
_BOXES = frozenset({"aside", "footer", "nav"})
_BOX_PARTS = frozenset(
    {PagePart.ADVERTISEMENT, PagePart.COMMENTS, PagePart.NAVIGATION, PagePart.NEWSLETTER, PagePart.RELATED, PagePart.SHARE}
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def lookalikes(
    links: Sequence[tuple[Element, str]],
    picked: Collection[Element],
    urls: Collection[str],
    items: Collection[Element],
    is_article: Callable[[str], bool],
) -> tuple[Lookalike, ...]:
    """Of a page's links those that are like the picked ones, or all of them where nothing was picked.

    `picked` are the links that the rules took, with their `urls`; `items` is what an `item` rule matched; `is_article` says whether
    the portal's `urls` rules let one in.
    """
    shapes = {url_shape(url, sections=True) for url in urls}
    depths = {url.count("/") for url in urls}
    # URL -> its shape, None where it is like no picked one: menus repeat themselves, and judging costs
    judged: dict[str, str | None] = dict.fromkeys(urls)
    listed: _ListedItems | None = None
    headings: frozenset[tuple[str, Element | None]] | None = None
    found: dict[str, Lookalike] = {}
    for element, url in links:
        if element.tag != "a" or (depths and url.count("/") not in depths):
            continue
        if url not in judged:
            shape = url_shape(url, sections=True)
            judged[url] = shape if (not shapes or shape in shapes) and is_article(url) else None
        looks, before = judged[url], found.get(url)
        if looks is None or (before is not None and before.in_list):
            continue
        if listed is None or headings is None:
            listed, headings = _ListedItems(picked, items), _also_lead_to(links, urls)
        in_box = listed.is_in_box_beside(element)
        in_list = listed.has_beside(element) or (_place(element) in headings and not in_box)
        if before is None or before.in_box:
            found[url] = Lookalike(url, looks, _selector(element), in_list, in_box)
        elif in_list:
            found[url] = replace(before, in_list=True)
        if len(found) >= MOST:
            break
    return tuple(found.values())


def _also_lead_to(links: Sequence[tuple[Element, str]], urls: Collection[str]) -> frozenset[tuple[str, Element | None]]:
    """Places of links to most of the picked articles: a headline to each, where the rule takes "read more" that short ones lack."""
    led_to: dict[tuple[str, Element | None], set[str]] = defaultdict(set)
    for element, url in links:
        if url in urls and element.tag == "a":
            led_to[_place(element)].add(url)
    return frozenset(place for place, articles in led_to.items() if len(articles) > 1 and 2 * len(articles) > len(urls))


def _place(link: Element) -> tuple[str, Element | None]:
    """What takes such links, and the list that they stand in."""
    around = next((element for element in link.iterancestors() if (element.get("class") or "").strip()), link)
    return _selector(link), around.getparent()


def all_in_boxes(elements: Collection[Element]) -> bool:
    """Whether every one of these links stands in a menu, a sidebar or the like."""
    return bool(elements) and all(any(map(_is_box, _with_ancestors(link))) for link in elements)


class _ListedItems:
    """The items of the picked links: what the `item` rule matched, or the outermost elements that hold one picked link each."""

    def __init__(self, picked: Collection[Element], items: Collection[Element]) -> None:
        held = Counter(ancestor for link in picked for ancestor in _with_ancestors(link))
        outermost = {next(one for one in _with_ancestors(link) if _holds_more(one, held)) for link in picked}
        self._elements = frozenset(item for item in (*outermost, *items) if item.getparent() is not None)
        self._looks = frozenset(look for item in self._elements for look in _looks(item))
        self._around = held.keys()

    def has_beside(self, link: Element) -> bool:
        """Whether the link stands in an element beside the items that looks like one of them."""
        return any(one not in self._elements and not self._looks.isdisjoint(_looks(one)) for one in _with_ancestors(link))

    def is_in_box_beside(self, link: Element) -> bool:
        """Whether the link stands in a box that none of the picked links stands in."""
        return any(one not in self._around and _is_box(one) for one in _with_ancestors(link))


def _is_box(element: Element) -> bool:
    if element.tag in _BOXES:
        return True
    role = role_of(element.get("class"), element.get("id"))
    return role is not None and role.certain and role.part in _BOX_PARTS


def _holds_more(element: Element, held: Counter[Element]) -> bool:
    parent = element.getparent()
    return parent is None or held[parent] > 1


def _looks(element: Element) -> list[tuple[Element | None, str, str]]:
    """The list that it stands in, its tag, and each of its classes."""
    return [(element.getparent(), str(element.tag), name) for name in (element.get("class") or "").split() or [""]]


def _with_ancestors(element: Element) -> Iterator[Element]:
    yield element
    yield from element.iterancestors()


def _selector(link: Element) -> str:
    """What names the link and others like it: its heading, and the nearest element around it that has a class."""
    around = next((one for one in link.iterancestors() if (one.get("class") or "").strip()), None)
    heading = next((str(one.tag) for one in link.iterancestors() if one.tag in _HEADINGS), None)
    steps = [_named(around)] if around is not None else []
    if heading is not None and (around is None or around.tag != heading):
        steps.append(heading)
    return " ".join([*steps, _named(link)])


def _named(element: Element) -> str:
    classes = (element.get("class") or "").split()
    return str(element.tag) + (f".{identifier(classes[0])}" if classes else "")
