"""The `page_number` of a pick: which link of a pager leads to the page with the next number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.node_compiler import NodeCompiler, entries, whole_number
from webarticlecurator.config.yaml_nodes import Node
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import join

_CURRENT = Selector.parse("[aria-current], .current, .active")
_DIGITS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNumber:
    """Keep the link whose number is `step` more than the current page's."""

    step: int = 1
    current: Selector | None = None


def read_page_number(compiler: NodeCompiler, node: Node) -> PageNumber:
    settings = entries(node)
    step = whole_number(settings.get("step"))
    return PageNumber(step=1 if step is None else step, current=compiler.parse(settings.get("current"), Selector.parse))


def links_with_number(links: list[Element], rule: PageNumber, containers: list[Element], page: Page) -> list[Element]:
    """The links whose number is `step` more than the current page's; where that stands is looked for in the containers first."""
    current = _current_number(rule, [*containers, *([page.tree] if page.tree is not None else [])], page)
    return [] if current is None else [link for link in links if _number_of(link) == current + rule.step]


def _number_of(element: Element) -> int | None:
    """A number counts only as an element's whole text."""
    text = squeeze(element_text(element))
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def _current_number(rule: PageNumber, places: list[Element], page: Page) -> int | None:
    marked = (_numbers(rule.current or _CURRENT, place) for place in places)
    own = (_numbers_of_self_links(place, page) for place in places) if rule.current is None else ()
    return next(chain.from_iterable(chain(marked, own)), None)


def _numbers(selector: Selector, place: Element) -> Iterable[int]:
    inside = chain.from_iterable(found.iter(etree.Element) for found in selector.select(place))
    return (number for element in inside if (number := _number_of(element)) is not None)


def _numbers_of_self_links(place: Element, page: Page) -> Iterable[int]:
    for link in place.iter("a"):
        href = link.get("href")
        target = join(page.base, href) if href and not href.strip().startswith("#") else None
        number = _number_of(link)
        if target is not None and number is not None and page.is_at(target):
            yield number
