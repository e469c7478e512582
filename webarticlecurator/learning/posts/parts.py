"""Which elements of posts are their time, their author, their title and their text: the selectors that find one in nearly all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.extraction.metadata.dates import Clock, read_visible
from webarticlecurator.learning.element_selectors import selected, selectors_of
from webarticlecurator.learning.posts.items import Items
from webarticlecurator.learning.posts.signs import answer_attribute, id_attribute, is_name, is_time, is_title
from webarticlecurator.model.proposals import Plain
from webarticlecurator.text import element_text, letters_of, own_text, short_text, squeeze

_LOOKED_AT = 60
"""Items whose parts are counted."""
_IN_NEARLY_ALL, _IN_MOST, _IN_MANY = 0.9, 0.8, 0.5
"""Of the items that have a part; titles are more often left out."""
_INSIDE = 200
"""Elements of an item."""
_MOST_OF_TEXT = 0.6
"""Of the letters of an item beside name, time and title, that its text holds."""
_LONGEST = 20_000
_NO_PLACE = frozenset({"a", "span", "b", "i", "em", "strong", "button", "time", "small", "p"})
"""Elements that hold but a part of a text; unless they are the only one with a class."""


_NAME_AND_DAY = r"^(\D+?)(?:,| [·|(–-]| (?:am|at|el|il|le|on)) ?\D{0,12}\d"
"""Who and when in one line: "Anna, 2 March 2024"."""
_LONGEST_LINE = 100
_MOST_LINES = 12
"""Elements of a comment that may be the line of its author and time: it is one of the first."""
_MOST_WORDS_OF_NAME, _MOST_WORDS_OF_TIME = 4, 5


def post_rules(items: Items, clocks: Sequence[Clock]) -> dict[str, Plain]:
    """The picks of a kind of posts, as they stand in a portal file. `clocks`: by which the times of each page are read."""
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
    if items.kind is PostKind.COMMENTS and not (author and time):
        lines = _lines(items, clocks)
        rules |= {name: pick if len(pick) > 1 else pick["css"] for name, pick in lines.items() if name not in rules}
        told += tuple(str(pick["css"]) for pick in lines.values() if "own_text" not in pick)
    if text := _text(some, told):
        rules["text"] = text
    if id_name is not None and (answered := _on_each_page(items, lambda those: answer_attribute(those, id_name))) is not None:
        rules["reply_to"] = {"attr": answered}
    return rules


def _lines(items: Items, clocks: Sequence[Clock]) -> dict[str, dict[str, Plain]]:
    """Author and time of comments where nothing marks them: a line that is a time, or a name with a time or always the same words."""
    clock_of = {item: clock for of_page, clock in zip(items.by_page, clocks, strict=True) for item in of_page}
    some = items.all[:_LOOKED_AT]
    counted: Counter[str] = Counter()
    for item in some:
        inner = list(islice(item.iterdescendants(etree.Element), _MOST_LINES))
        # a bare tag may be the item's own
        counted.update(
            {
                selector
                for one in inner
                for selector in (*selectors_of(one), f"> {one.tag}")
                if one.getparent() is item or selector[0] != ">"
            }
        )
    rules: dict[str, dict[str, Plain]] = {}
    lines_of: dict[str, list[str]] = {}
    for place in ("", *(selector for selector, count in counted.items() if count >= _IN_NEARLY_ALL * len(some))):
        lines = [_line(item, place) for item in some]
        if sum(0 < len(line) <= _LONGEST_LINE for line in lines) >= _IN_NEARLY_ALL * len(some):
            lines_of[place] = lines
    texts = [squeeze(element_text(item)) for item in some]
    for place, lines in sorted(lines_of.items(), key=lambda one: (sum(map(len, one[1])), len(one[0]), one[0])):
        pick: dict[str, Plain] = {"css": place} if place else {"css": items.selector.rpartition(" ")[2], "own_text": True}
        times = sum(read_visible(line, clock_of[item]) is not None for item, line in zip(some, lines, strict=True))
        if "time" not in rules and times >= _IN_NEARLY_ALL * len(some):
            rules["time"] = pick
        # who wrote a comment stands first in it; further below is where they live, or whom they answer
        behind = [text.removeprefix(line) for text, line in zip(texts, lines, strict=True) if line and text.startswith(line)]
        if "author" in rules or len(behind) < _IN_NEARLY_ALL * len(some):
            continue
        if (pattern := _name_in(lines)) is not None:
            rules["author"] = {**pick, "match": pattern}
        elif _are_names(lines) and _go_on_alike(behind, [clock_of[item] for item in some]):
            rules["author"] = pick
    return rules


def _line(item: Element, place: str) -> str:
    if not place:
        return squeeze(own_text(item))
    return next((squeeze(element_text(one)) for one in selected(place, item)[:1]), "")


def _name_in(lines: Sequence[str]) -> str | None:
    """The pattern that finds names in nearly all of these lines: before a date, or beside words that all of them have."""
    words = [line.split() for line in lines if line]
    (end, _), *_ = Counter(line[-1] for line in words).most_common(1)
    (begin, _), *_ = Counter(line[0] for line in words).most_common(1)
    for pattern in (_NAME_AND_DAY, f"^(.+?) {re.escape(end)}$", f"^{re.escape(begin)} (.+)$", "^(.+):$"):
        if _are_names([found[1] if (found := re.search(pattern, line)) else "" for line in lines]):
            return pattern
    return None


def _go_on_alike(behind: Sequence[str], clocks: Sequence[Clock]) -> bool:
    """Whether a time stands behind a name, or a word that stands there in all comments: "Anna wrote: ..."."""
    texts = [text.lstrip(" ,(|·–-") for text in behind]
    (_, same), *_ = Counter(text.partition(" ")[0] for text in texts).most_common(1)
    timed = sum(_begins_with_time(text, clock) for text, clock in zip(texts, clocks, strict=False))
    return max(same, timed) >= _IN_NEARLY_ALL * len(texts)


def _begins_with_time(text: str, clock: Clock) -> bool:
    words = text.split()[:_MOST_WORDS_OF_TIME]
    return any(read_visible(" ".join(words[:number]), clock) is not None for number in range(1, len(words) + 1))


def _are_names(texts: Sequence[str]) -> bool:
    """Whether nearly all are a few words without a number, and not always the same."""
    names = [text for text in texts if 0 < len(text.split()) <= _MOST_WORDS_OF_NAME and not any(map(str.isdigit, text))]
    return len(names) >= _IN_NEARLY_ALL * len(texts) and len(set(names)) > 1


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
