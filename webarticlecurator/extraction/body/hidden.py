"""What a page holds and does not show: by class and style, but neither what only some screens show nor what a click unfolds."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice

from lxml.etree import _Element as Element

# fmt: off
_CLASSES = frozenset((
    "d-none", "element-invisible", "hidden", "hide", "invisible", "is-hidden", "ng-hide", "offscreen", "u-hidden", "uk-hidden",
    "w-condition-invisible",
))
# fmt: on
_BOXES = frozenset(("aside", "div", "ol", "section", "ul"))
"""Text in these is meant where they are hidden from programs that read aloud; a picture, its caption or a mark is with any other."""
_SCREENS = re.compile(
    r":|(?:^|[-_])(?:desktop|large|medium|mobile|phone|print|small|tablet)(?:$|[-_])|(?:^|[-_])(?:lg|md|sm|xl|xs|xxl)[-_]|"
    r"(?:^|(?:block|flex|grid|hide|hidden|inline|only|show|visible)[-_])(?:lg|md|sm|xl|xs|xxl)$"
)
"""In the name of a class that counts on some screens; `text-sm` is only small."""
_FOLDS = re.compile(
    r"accordion|answer|collaps|details|drop-?down|expan|faq|fold|panel|read-?more|show-?more|slid|tab(?:s|$|[-_])|toggle|truncat",
    re.IGNORECASE,
)
_ROLES = frozenset(("region", "tabpanel"))
_HANDLES = ("aria-controls", "data-bs-target", "data-target", "data-toggle-target", "href")
_MOST_HANDLES, _LONGEST = 5_000, 300
_OPENERS, _FEW = frozenset(("button", "summary")), 10


class HiddenElements:
    """Tells the hidden elements of a page; its handles are looked for once, if at all."""

    def __init__(self, root: Element) -> None:
        self._root = root

    def holds(self, element: Element) -> bool:
        """Whether an element is one."""
        return bool(element.attrib) and is_unseen(element) and not self._unfolds(element)

    def is_opened(self, element: Element) -> bool:
        """Whether something on the page opens it by its id."""
        return element.get("id") in self._handled

    def _unfolds(self, element: Element) -> bool:
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if element.get("role") in _ROLES or element.get("aria-labelledby") or _FOLDS.search(names[:_LONGEST]):
            return True
        return _is_opened(element.getprevious()) or self.is_opened(element)

    @cached_property
    def _handled(self) -> frozenset[str]:
        """The ids of what something on the page opens."""
        found: set[str] = set()
        for element in self._root.iter("a", "button", "div", "summary", "span", "label", "li", "h2", "h3", "h4"):
            for attribute in _HANDLES:
                value = element.get(attribute)
                if value and (attribute != "href" or value.startswith("#")):
                    found.update(value.replace("#", " ").split())
            if len(found) > _MOST_HANDLES:
                break
        return frozenset(found)


def _is_opened(before: Element | None) -> bool:
    """Whether what stands before an element is, or holds, what opens it."""
    return before is not None and any(one.tag in _OPENERS or "aria-expanded" in one.attrib for one in islice(before.iter(), _FEW))


def is_unseen(element: Element) -> bool:
    """Whether its own class or style says so, or that it is not read aloud."""
    style = element.get("style")
    if style and ("none" in style or "hidden" in style):
        written = "".join(style.lower().split())
        if "display:none" in written or "visibility:hidden" in written:
            return True
    classes = element.get("class")
    names = classes[:_LONGEST].split() if classes else ()
    if not _CLASSES.isdisjoint(names) and not any(_SCREENS.search(name) for name in names if name not in _CLASSES):
        return True
    return element.get("aria-hidden") == "true" and element.tag in _BOXES
