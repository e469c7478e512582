"""What repeats on pages as posts do: elements of one make, each with a text, a name and a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.extraction.body.furniture import leads_away
from webarticlecurator.extraction.posts import called_comments, comment_boxes, written_in
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.learning.element_selectors import named_selectors, selected, selectors_of
from webarticlecurator.learning.posts.signs import is_time, name_in
from webarticlecurator.text import short_text

MAX_ELEMENTS = 50_000
"""Of a page that are looked at."""
MAX_ITEMS = 500
"""Of a page that are looked into."""
_FEWEST = 3
"""Items of one make, on all pages together."""
_SIGNED = 0.6
"""Of the items that have a name and a time each."""
_WHERE_POSTS_ARE = 0.9
"""Of the elements of one make."""
_MAKES = 8
"""That are looked at; those of most elements with a time."""
_MOST_REPEATED = 24
"""Selectors of what repeats among comments that are tried."""
_AROUND = 5
"""Levels around an item whose names say what it is."""
_LONGEST = 20_000
_HOLDERS = frozenset({"article", "div", "li", "section", "tr", "dd", "td", "aside"})


@dataclass(frozen=True, slots=True)
class Items:
    """The elements that one selector finds, page by page."""

    selector: str
    kind: PostKind
    by_page: tuple[tuple[Element, ...], ...]

    @property
    def all(self) -> list[Element]:
        return [item for items in self.by_page for item in items]


def find_items(trees: Sequence[Element], kinds: Sequence[PostKind | None]) -> list[Items]:
    """Of each kind the make of items that are surest posts; `kinds`: what posts of each page are that do not say what they are."""
    counted: Counter[tuple[str, PostKind]] = Counter()
    for tree, kind in zip(trees, kinds, strict=True):
        counted.update(_makes(tree, kind))
    found: dict[PostKind, list[tuple[float, int, int, bool, str, Items]]] = defaultdict(list)
    likeliest = sorted(counted, key=lambda make: (-counted[make], len(make[0]), make[0]))
    for kind in PostKind:
        for selector, _ in islice((make for make in likeliest if make[1] is kind), _MAKES):
            items = Items(selector, kind, tuple(tuple(selected(selector, tree)[:MAX_ITEMS]) for tree in trees))
            share = _share_of_signed(items.all)
            # of what a selector finds nearly all must stand where posts do: `article` may be the article, too
            if len(items.all) >= _FEWEST and share >= _SIGNED and counted[selector, kind] >= _WHERE_POSTS_ARE * len(items.all):
                letters = sum(len(short_text(item, _LONGEST) or "") for item in items.all)
                found[kind].append((-round(share, 1), -len(items.all), -letters, selector.isalnum(), selector, items))
    best = {kind: min(ranked, key=lambda one: one[:5])[5] for kind, ranked in found.items()}
    if PostKind.COMMENTS not in best and (repeated := _repeated_among_comments(trees, kinds)) is not None:
        best[PostKind.COMMENTS] = repeated
    return list(best.values())


def _repeated_among_comments(trees: Sequence[Element], kinds: Sequence[PostKind | None]) -> Items | None:
    """The outermost elements that repeat in what is called comments, and hold most of what is written there, signed or not."""
    boxes = [
        () if kind is PostKind.FORUM else tuple(comment_boxes(called_comments(tree.iter(etree.Element))))
        for tree, kind in zip(trees, kinds, strict=True)
    ]
    every = [box for of_page in boxes for box in of_page]
    inside = dict.fromkeys(element for box in every for element in islice(box.iter(etree.Element), MAX_ELEMENTS))
    counted: Counter[str] = Counter()
    for parent in dict.fromkeys(element.getparent() for element in inside):
        children = [child for child in parent.iterchildren(*_HOLDERS, "blockquote", "p") if child in inside] if parent is not None else []
        alike = Counter((child.tag, _first_class(child)) for child in children)
        repeated = [child for child in children if alike[child.tag, _first_class(child)] > 1]
        counted.update(selector for child in repeated for selector in named_selectors(child) if "[" not in selector)
    letters = sum(len(written_in(box)) for box in every)
    found: list[tuple[float, Items]] = []
    for selector, _ in counted.most_common(_MOST_REPEATED):
        items = Items(selector, PostKind.COMMENTS, tuple(tuple(selected(selector, tree)[:MAX_ITEMS]) for tree in trees))
        share = _share_written(items.all, letters)
        if (
            len(items.all) >= _FEWEST
            and sum(item in inside for item in items.all) >= _WHERE_POSTS_ARE * len(items.all)
            and share >= _SIGNED
        ):
            found.append((share, items))
    held = {id(items) for _, items in found if any(_hold(other.all, items.all) for _, other in found if other is not items)}
    outermost = [(share, items) for share, items in found if id(items) not in held]
    ranked = sorted(outermost, key=lambda one: (-round(one[0], 1), -len(one[1].all), one[1].selector.isalnum(), one[1].selector))
    return ranked[0][1] if ranked else None


def _share_written(items: Sequence[Element], letters: int) -> float:
    """Of what is written among comments, the part in these elements; none where they say the same, lead away or hold nothing."""
    texts = [written_in(item) for item in items]
    if sum(bool(leads_away(text[:80])) for text in texts) > len(items) / 2 or len(set(filter(None, texts))) <= len(items) / 2:
        return 0.0
    whole = set(items)
    return sum(len(text) for item, text in zip(items, texts, strict=True) if whole.isdisjoint(item.iterancestors())) / letters


def _hold(outer: Sequence[Element], inner: Sequence[Element]) -> bool:
    """Whether most of some elements stand in some of the others, and not the other way round."""
    around, within = set(outer), set(inner)
    standing = sum(not around.isdisjoint(element.iterancestors()) for element in inner if element not in around)
    holding = sum(not within.isdisjoint(element.iterancestors()) for element in outer if element not in within)
    return standing > len(inner) / 2 and standing > holding


def _makes(tree: Element, kind: PostKind | None) -> Iterator[tuple[str, PostKind]]:
    """Selectors of the elements around each time, up to where several times are held: they may be those of posts."""
    times = [one for one in islice(tree.iter(etree.Element), MAX_ELEMENTS) if is_time(one)][:MAX_ITEMS]
    around = {above for time in times for above in time.iterancestors()}
    times = [time for time in times if time not in around]  # what holds one may be called so, too
    held = Counter(above for time in times for above in time.iterancestors())
    seen: set[Element] = set()
    for time in times:
        for above in time.iterancestors():
            if above in seen or above.tag in ("body", "html", "main"):
                break
            # answers may stand in what they answer, so that it holds their times, too
            if held[above] > 1 and not _holds_its_like(above):
                break
            seen.add(above)
            is_of = kind if kind is PostKind.FORUM else _kind_of(above) or kind
            if is_of is not None and above.tag in _HOLDERS:
                yield from ((selector, is_of) for selector in selectors_of(above) if "[" not in selector)


def _holds_its_like(element: Element) -> bool:
    name = _first_class(element)
    return bool(name) and any(_first_class(one) == name for one in islice(element.iterdescendants(str(element.tag)), 50))


def _first_class(element: Element) -> str:
    return next(iter((element.get("class") or "").split()), "")


def _kind_of(item: Element) -> PostKind | None:
    """Comments say that they are some, by the names of what holds them."""
    for one in (item, *islice(item.iterancestors(), _AROUND)):
        role = role_of(one.get("class"), one.get("id"))
        if role is not None and role.certain and role.part is PagePart.COMMENTS:
            return PostKind.COMMENTS
    return None


def _share_of_signed(items: Sequence[Element]) -> float:
    """Of those with a name and a time; of lists of teasers, whose headings lead away, none."""
    if not items:
        return 0.0
    texts = [short_text(item, _LONGEST) or "" for item in items]
    if sum(bool(leads_away(text[:80])) for text in texts) > len(items) / 2 or len(set(texts)) <= len(items) / 2:
        return 0.0
    signed = [any(map(is_time, islice(item.iter(etree.Element), 200))) and name_in(item) is not None for item in items]
    return sum(signed) / len(items)
