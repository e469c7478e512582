"""Which elements of posts are their time, their author, their title and their text: the selectors that find one in nearly all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.learning.element_selectors import selected, selectors_of
from webarticlecurator.learning.posts.items import Items
from webarticlecurator.learning.posts.signs import answer_attribute, id_attribute, is_name, is_time, is_title
from webarticlecurator.model.proposals import Plain
from webarticlecurator.text import letters_of, short_text

_LOOKED_AT = 60
"""Items whose parts are counted."""
_IN_MOST, _IN_MANY = 0.8, 0.5
"""Of the items that have a part; titles are more often left out."""
_INSIDE = 200
"""Elements of an item."""
_MOST_OF_TEXT = 0.6
"""Of the letters of an item beside name, time and title, that its text holds."""
_LONGEST = 20_000
_NO_PLACE = frozenset({"a", "span", "b", "i", "em", "strong", "button", "time", "small", "p"})
"""Elements that hold but a part of a text; unless they are the only one with a class."""


def post_rules(items: Items) -> dict[str, Plain]:
    """The picks of a kind of posts, as they stand in a portal file."""
    rules: dict[str, Plain] = {"item": items.selector}
    some = items.all[:_LOOKED_AT]
    if (id_name := _on_each_page(items, id_attribute)) is not None:
        rules["id"] = {"attr": id_name}
    author, time = _part(some, is_name, _IN_MOST), _part(some, is_time, _IN_MOST)
    title = _part(some, is_title, _IN_MANY if items.kind is PostKind.LIVEBLOG else _IN_MOST)
    if author:
        rules["author"] = author
    if time:
        machine = [bool(one.get("datetime")) for item in some for one in selected(time, item)[:1]]
        rules["time"] = {"css": time, "attr": "datetime"} if sum(machine) >= _IN_MOST * len(machine) else time
    if title:
        rules["title"] = title
    told = tuple(filter(None, (author, time, title)))
    if text := _text(some, told):
        rules["text"] = text
    if id_name is not None and (answered := _on_each_page(items, lambda those: answer_attribute(those, id_name))) is not None:
        rules["reply_to"] = {"attr": answered}
    return rules


def _on_each_page(items: Items, attribute: Callable[[Sequence[Element]], str | None]) -> str | None:
    """The attribute that most pages tell: ids are unlike one another on one page."""
    counted = Counter(name for those in items.by_page if len(those) > 1 and (name := attribute(those)))
    return max(counted, key=lambda name: (counted[name], name)) if counted else None


def _part(items: Sequence[Element], is_it: Callable[[Element], bool], share: float) -> str | None:
    """The selector whose first match is such a part in the most items."""
    counted: Counter[str] = Counter()
    for item in items:
        inner = [one for one in islice(item.iterdescendants(etree.Element), _INSIDE) if is_it(one)]
        counted.update({selector for one in inner[:5] for selector in (*selectors_of(one), str(one.tag))})
    found = {one: [first[0] for item in items if (first := selected(one, item)) and is_it(first[0])] for one in counted}
    enough = [one for one in found if len(found[one]) >= share * len(items)]
    # of places that hold one another the inner one: around a name stands "says"
    return min(enough, key=lambda one: (-len(found[one]), _letters(found[one]), _is_bare(one), len(one), one), default=None)


def _letters(elements: Sequence[Element]) -> int:
    return sum(len(letters_of(short_text(one, _LONGEST) or "")) for one in elements)


def _is_bare(selector: str) -> bool:
    return selector.isalnum()


def _text(items: Sequence[Element], told: Sequence[str]) -> Plain:
    """The selector that finds one element in nearly all of them, which holds nearly all that is not told by another part."""
    apart: dict[Element, set[Element]] = {item: {one for rule in told for one in selected(rule, item)} for item in items}
    counted: Counter[str] = Counter()
    for item in items:
        counted.update({selector for one in _may_be_text(item, apart[item]) for selector in selectors_of(one)})
    kept = {one: _share_kept(one, items, apart) for one, count in counted.items() if count >= _IN_MOST * len(items)}
    enough = [one for one in kept if kept[one] >= _MOST_OF_TEXT]
    if enough:
        return min(enough, key=lambda one: (-round(kept[one], 1), len(one), one))
    # what was written may be bare paragraphs beside the rest
    return {"css": "p", "take": "all"} if _share_of_paragraphs(items, apart) >= _MOST_OF_TEXT else None


def _share_of_paragraphs(items: Sequence[Element], apart: Mapping[Element, set[Element]]) -> float:
    kept = whole = 0
    for item in items:
        paragraphs = [one for one in islice(item.iterdescendants("p"), _INSIDE) if one not in apart[item]]
        kept += _letters([one for one in paragraphs if apart[item].isdisjoint(one.iterdescendants())])
        whole += _letters([item]) - _letters(list(apart[item]))
        if any(not apart[item].isdisjoint(one.iterdescendants()) for one in paragraphs):
            return 0.0
    return kept / whole if whole > 0 else 0.0


def _may_be_text(item: Element, apart: set[Element]) -> Iterator[Element]:
    """Elements that hold no other part of the post."""
    holding = {above for one in apart for above in (one, *one.iterancestors())}
    for one in islice(item.iterdescendants(etree.Element), _INSIDE):
        if one not in holding and apart.isdisjoint(one.iterancestors()) and one.tag not in _NO_PLACE | {"h2", "h3", "h4"}:
            yield one


def _share_kept(selector: str, items: Sequence[Element], apart: Mapping[Element, set[Element]]) -> float:
    kept = whole = 0
    for item in items:
        found = selected(selector, item)
        if len(found) != 1:
            continue
        kept += _letters(found)
        whole += _letters([item]) - _letters(list(apart[item]))
    return kept / whole if whole > 0 else 0.0
