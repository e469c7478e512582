"""Links that look like the picked articles and that no rule took: what a wrong `item` or `link` leaves behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache

from lxml.etree import _Element as Element

from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import PagePart, role_of
from webarticlecurator.model.links import Lookalike
from webarticlecurator.selectors import identifier
from webarticlecurator.text import HEADINGS

MOST = 500
"""Of one page; more say nothing more."""
_BOX_PARTS = frozenset(
    {PagePart.ADVERTISEMENT, PagePart.COMMENTS, PagePart.NAVIGATION, PagePart.NEWSLETTER, PagePart.RELATED, PagePart.SHARE}
)


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

    @cache  # menus repeat themselves, and judging costs
    def shape_of(url: str) -> str | None:
        """None where it is like no picked one."""
        shape = url_shape(url, sections=True) if url not in urls else None
        return shape if shape is not None and (not shapes or shape in shapes) and is_article(url) else None

    holding = Counter(element for link in picked for element in (link, *link.iterancestors()))
    outermost = (next(around for around in (link, *link.iterancestors()) if holding[around.getparent()] != 1) for link in picked)  # type: ignore[index]
    listed = {item for item in (*outermost, *items) if item.getparent() is not None}
    looks = {look for item in listed for look in _looks(item)}
    # a headline leads to each article, where the rule takes "read more" that short ones lack
    led_to = Counter(place for place, _ in {(_place(link), url) for link, url in links if url in urls and link.tag == "a"})
    headlines = {place for place, articles in led_to.items() if articles > 1 and 2 * articles > len(urls)}
    by_url: dict[str, Lookalike] = {}
    for link, url in links:
        shape, before = (shape_of(url) if link.tag == "a" else None), by_url.get(url)
        if shape is None or (before is not None and before.in_list):
            continue
        around = (link, *link.iterancestors())
        in_box = any(element not in holding and is_box(element) for element in around)
        in_list = any(element not in listed and not looks.isdisjoint(_looks(element)) for element in around)
        in_list = in_list or (_place(link) in headlines and not in_box)
        if before is None or in_list or (before.in_box and not in_box):
            by_url[url] = Lookalike(url, shape, _selector(link), in_list, in_box)
        if len(by_url) >= MOST:
            break
    return tuple(by_url.values())


def _place(link: Element) -> tuple[str, Element | None]:
    """What takes such links, and the list that they stand in."""
    around = next((element for element in link.iterancestors() if (element.get("class") or "").strip()), link)
    return _selector(link), around.getparent()


def all_in_boxes(elements: Collection[Element]) -> bool:
    """Whether every one of these links stands in a menu, a sidebar or the like."""
    return bool(elements) and all(any(map(is_box, (link, *link.iterancestors()))) for link in elements)


def is_box(element: Element) -> bool:
    """Whether its tag or its names say that it is a menu, a sidebar or the like."""
    if element.tag in {"aside", "footer", "nav"}:
        return True
    role = role_of(element.get("class"), element.get("id"))
    return role is not None and role.certain and role.part in _BOX_PARTS


def _looks(element: Element) -> list[tuple[Element | None, str, str]]:
    """The list that it stands in, its tag, and each of its classes."""
    return [(element.getparent(), str(element.tag), name) for name in (element.get("class") or "").split() or [""]]


def _selector(link: Element) -> str:
    """What names the link and others like it: its heading, and the nearest element around it that has a class."""
    around = next((holder for holder in link.iterancestors() if (holder.get("class") or "").strip()), None)
    heading = next((str(holder.tag) for holder in link.iterancestors() if holder.tag in HEADINGS), None)
    steps = [_named(around)] if around is not None else []
    if heading is not None and (around is None or around.tag != heading):
        steps.append(heading)
    return " ".join([*steps, _named(link)])


def _named(element: Element) -> str:
    classes = (element.get("class") or "").split()
    return str(element.tag) + (f".{identifier(classes[0])}" if classes else "")
