"""Rules for comments, and threads made as they are: what repeats in what is called comments, if the reader
finds it not, or but half."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.article_rules import PostKind, PostRules
from webarticlecurator.config.portal import Portal, PortalKind
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.alike import by_make, make_of
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.forums import is_of_forum
from webarticlecurator.labelling.comment_boxes import called_comments, comment_boxes, written_in
from webarticlecurator.labelling.element_names import ClassHint, LinkKind, hints_of, link_kind
from webarticlecurator.learning.element_selectors import named_selectors, picks_of, selected, selectors_of
from webarticlecurator.model.article import Post, plain_text
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Plain, Proposal
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import letters_of, short_text

_INSIDE = 200
"""Elements of an item that are looked at."""
_IN_NEARLY_ALL, _IN_MOST = 0.9, 0.8
"""Of the items that have a part."""
_HOLDERS = frozenset(("article", "div", "li", "section", "tr", "dd", "td", "aside", "blockquote", "p"))
"""Elements that a comment may be."""
_OF_A_PART = frozenset(
    ("a", "span", "b", "i", "em", "strong", "button", "time", "small", "p", "h2", "h3", "h4")
)
"""Elements that hold no whole text of a comment."""
_CALLED = {PostKind.COMMENTS: "comment", PostKind.FORUM: "post"}
_MOST_OF_TEXT = 0.6
"""Of the letters of an item beside name and time, that its text holds."""
_CLOCK_OR_DAY = linear(
    r"\d{1,2}[:.h]\d\d|\d{4}|\d{1,2}[./-]\d{1,2}|\d+\s+\w+\s+(?:ago|ezelőtt|temu|siden|sedan)|(?:vor|il y "
    r"a|hace|há)\s+\d+"
)
_NAMES = linear(
    r"(?:^|[\s_-])(?:author|autor|auteur|user|username|nick|nickname|name|nev|szerzo|poster|byline|fn|commenter|writer|reporter)s?(?:$|[\s_-])",
    re.IGNORECASE,
)


def find_comments(pages: Sequence[Page], portal: Portal) -> Learned:
    """Picks under `posts.comments`, and under `posts.forum` for threads that are made as comments are;
    nothing for what the portal file has rules for, or the general reader finds well."""
    ruled = set(portal.posts).union(*(layout.posts for layout in portal.layouts))
    of_html = [page for page in pages if page.tree is not None]
    threads = [page for page in of_html if portal.kind is PortalKind.FORUM or is_of_forum(page.url)]
    others = [page for page in of_html if page not in threads]
    of_kinds = ((PostKind.COMMENTS, others, of_html), (PostKind.FORUM, threads, threads))
    remarks = list[str]()
    proposals = [
        _proposed(kind, learned_from, every, portal, remarks)
        for kind, learned_from, every in of_kinds
        if kind not in ruled
    ]
    return Learned(proposals=tuple(filter(None, proposals)), remarks=tuple(remarks))


def _proposed(
    kind: PostKind, learned_from: Sequence[Page], pages: Sequence[Page], portal: Portal, remarks: list[str]
) -> Proposal | None:
    """`remarks` gets what the rule does not find."""
    chosen = _likeliest_items(learned_from)
    items = [_with_text(selected(chosen, page.tree)[:500]) for page in pages] if chosen is not None else []
    before = [post for page in pages for post in _posts_on(page, portal, kind)]
    if chosen is None or _are_read_well(before, sum(map(len, items))):
        return None
    picks = _picks_for(chosen, list(chain.from_iterable(items))[:60])
    # who is called so wrote comments: a rule takes them, and of their parts what is sure
    doubtful = _doubtful_parts(list(chain.from_iterable(_posts_by(picks, pages, portal, kind))))
    if doubtful and kind is PostKind.FORUM:
        return None
    picks = {name: pick for name, pick in picks.items() if name not in doubtful}
    by_page = _posts_by(picks, pages, portal, kind)
    posts = list(chain.from_iterable(by_page))
    if (
        not posts
        or len(posts) < len(before)
        or _share(lambda post: bool(plain_text(post.blocks)), posts) < _IN_NEARLY_ALL
    ):
        return None
    return _proposal(kind, picks, by_page, len(before), remarks)


def _proposal(
    kind: PostKind,
    picks: dict[str, Plain],
    by_page: Sequence[Sequence[Post]],
    before: int,
    remarks: list[str],
) -> Proposal:
    """`by_page`: the posts of each page by these picks; `before`: how many are found without."""
    posts = list(chain.from_iterable(by_page))
    having = {name: sum(map(has, posts)) for name, has in _PARTS.items()}
    if without := " and ".join(name for name, count in having.items() if not count):
        remarks.append(
            f"posts.{kind}: no {without} was found; where the pages tell it, write a rule "
            "(docs/how-to/article-rules.md#posts)"
        )
    reason = (
        f"finds {amount(len(posts), _CALLED[kind])} on {sum(map(bool, by_page))} of"
        f" {amount(len(by_page), 'page')}, {having['author']} with an author, {having['time']} with a time;"
        f" without the rule {before} are found"
    )
    # who wrote them is not shown: what is sure goes into a file that others read
    samples = tuple(f"{post.when or '?'} · {plain_text(post.blocks)[:120]}" for post in posts[:3])
    return Proposal.at(("posts", kind.value), [Choice(value=picks, reason=reason, samples=samples)])


def _are_read_well(posts: Sequence[Post], items: int) -> bool:
    """Return whether the general reader finds nearly all of so many items, and most with name and time."""
    signed = _share(lambda post: all(has(post) for has in _PARTS.values()), posts)
    return len(posts) >= _IN_MOST * items and signed >= _IN_MOST


def _picks_for(chosen: str, items: Sequence[Element]) -> dict[str, Plain]:
    """The rule for items of this selector, with all parts that they seem to have."""
    parts = {name: css for name, is_it in _TOLD_BY.items() if (css := _part(items, is_it))}
    picks: dict[str, Plain] = {"item": chosen, **parts}
    if "time" in parts:
        for_machines = [
            bool(time.get("datetime")) for item in items for time in selected(parts["time"], item)[:1]
        ]
        if sum(for_machines) >= _IN_MOST * len(for_machines):
            picks["time"] = {"css": parts["time"], "attr": "datetime"}
    if text := _text(items, tuple(parts.values())):
        picks["text"] = text
    return picks


def _doubtful_parts(posts: Sequence[Post]) -> list[str]:
    """Return the parts that a rule gives of too few posts, or the same of all."""
    doubtful = [name for name, has in _PARTS.items() if _share(has, posts) < _IN_NEARLY_ALL]
    return doubtful if len({post.author for post in posts}) > 1 else [*doubtful, "author"]


def _with_text(items: Sequence[Element]) -> list[Element]:
    """Return the items that say anything: an empty one is where the next comment goes, and lacks nothing."""
    return list(filter(written_in, items))


def _posts_on(page: Page, portal: Portal, kind: PostKind) -> list[Post]:
    read = read_article([replace(page, budget=Budget())], portal, id="page", identity=page.url, url=page.url)
    return [post for post in read.posts if post.kind == kind]


def _posts_by(
    picks: Mapping[str, Plain], pages: Sequence[Page], portal: Portal, kind: PostKind
) -> list[list[Post]]:
    """The posts of each page by these picks; none where the loader would refuse them, or they would take too
    long."""
    compiled = {name: picks_of(value, f"posts.{kind.value}.{name}") for name, value in picks.items()}
    if any(pick is None for pick in compiled.values()):
        return []
    added = {kind: PostRules(**{name: pick for name, pick in compiled.items() if pick is not None})}
    layouts = tuple(replace(layout, posts={**layout.posts, **added}) for layout in portal.layouts)
    ruled = replace(portal, posts={**portal.posts, **added}, layouts=layouts)
    try:
        return [_posts_on(page, ruled, kind) for page in pages]
    except PatternTimeout:
        return []


_PARTS: Mapping[str, Callable[[Post], bool]] = {
    "author": lambda post: post.author is not None,
    "time": lambda post: post.when is not None,
}


def _share(has: Callable[[Post], bool], posts: Sequence[Post]) -> float:
    return sum(map(has, posts)) / max(len(posts), 1)


def _likeliest_items(pages: Sequence[Page]) -> str | None:
    """The selector of the outermost elements that repeat in what is called comments, and hold most of what is
    written there."""
    boxes = [box for page in pages for box in comment_boxes(called_comments(page.outline))]
    inside = dict.fromkeys(element for box in boxes for element in islice(box.iter(etree.Element), 50_000))
    letters = sum(len(written_in(box)) for box in boxes)
    items: dict[str, list[Element]] = {}
    shares: dict[str, float] = {}
    for selector in _repeated(inside):
        matched = [item for page in pages for item in selected(selector, page.tree)[:500]]
        among, share = sum(item in inside for item in matched), _share_written(matched, letters)
        # nearly all of them among comments, that hold most of what is written there
        if len(matched) >= 3 and among >= 0.9 * len(matched) and share >= 0.6:
            items[selector], shares[selector] = matched, share
    outermost = _outermost(items)
    return min(
        outermost,
        key=lambda name: (-round(shares[name], 1), -len(items[name]), name.isalnum(), name),
        default=None,
    )


def _outermost(items: Mapping[str, Sequence[Element]]) -> list[str]:
    return [
        name
        for name in items
        if not any(_hold(items[other], items[name]) for other in items if other != name)
    ]


def _repeated(inside: Iterable[Element]) -> list[str]:
    """Return the selectors of elements that have others of their make beside them, the most frequent
    first."""
    holders = (element for element in inside if element.tag in _HOLDERS)
    of_one_make = by_make(holders, lambda element: (element.getparent(), make_of(element))).values()
    repeated = (element for alike in of_one_make if len(alike) > 1 for element in alike)
    counted = Counter(
        selector for element in repeated for selector in named_selectors(element) if "[" not in selector
    )
    return [selector for selector, _ in counted.most_common(24)]


def _share_written(items: Sequence[Element], letters: int) -> float:
    """Of what is written among comments, the part in these elements; none where they say the same or hold
    nothing."""
    texts = [written_in(item) for item in items]
    if len(set(filter(None, texts))) <= len(items) / 2:
        return 0.0
    whole = set(items)
    outer = (text for item, text in zip(items, texts, strict=True) if whole.isdisjoint(item.iterancestors()))
    return sum(map(len, outer)) / letters if letters else 0.0


def _hold(outer: Sequence[Element], inner: Sequence[Element]) -> bool:
    """Say whether most of some elements stand in some of the others, and not the other way round."""
    around, within = set(outer), set(inner)
    standing = sum(
        not around.isdisjoint(element.iterancestors()) for element in inner if element not in around
    )
    holding = sum(
        not within.isdisjoint(element.iterancestors()) for element in outer if element not in within
    )
    return standing > len(inner) / 2 and standing > holding


def _is_time(element: Element) -> bool:
    """Say whether an element tells a time, and nothing else."""
    if element.tag == "time":
        return True
    written = element.get("class")
    if not written or not {ClassHint.DATE, ClassHint.PUBLISHED} & hints_of(written):
        return False
    text = short_text(element, 60)
    return text is not None and _CLOCK_OR_DAY.search(text) is not None


def _is_name(element: Element) -> bool:
    """Say whether the class of an element, or where it leads, says that it is somebody's name; what asks for
    a name holds none."""
    text = short_text(element, 60)
    if (
        not text
        or not any(map(str.isalpha, text))
        or next(element.iter("input", "label", "select", "textarea"), None) is not None
    ):
        return False
    marked = (
        element.get("itemprop") in ("author", "name") or _NAMES.search(element.get("class") or "") is not None
    )
    return marked or (
        element.tag == "a" and link_kind(element.get("href") or "") in (LinkKind.AUTHOR, LinkKind.PERSON)
    )


_TOLD_BY: Mapping[str, Callable[[Element], bool]] = {"author": _is_name, "time": _is_time}


def _part(items: Sequence[Element], is_it: Callable[[Element], bool]) -> str | None:
    """The selector whose first match is such a part in the most items."""
    counted: Counter[str] = Counter()
    for item in items:
        inner = [
            element for element in islice(item.iterdescendants(etree.Element), _INSIDE) if is_it(element)
        ]
        counted.update(
            {selector for element in inner[:5] for selector in (*selectors_of(element), str(element.tag))}
        )
    first = {
        name: [element for item in items for element in selected(name, item)[:1] if is_it(element)]
        for name in counted
    }
    enough = [name for name in first if len(first[name]) >= _IN_MOST * len(items)]
    # of places that hold one another the inner one: around a name stands "says"
    return min(
        enough,
        key=lambda name: (-len(first[name]), _letters(first[name]), name.isalnum(), len(name), name),
        default=None,
    )


def _letters(elements: Sequence[Element]) -> int:
    return sum(len(letters_of(short_text(element, 20_000) or "")) for element in elements)


def _text(items: Sequence[Element], others: Sequence[str]) -> Plain:
    """The selector that finds one element in nearly all of them, which holds most of what is not told by
    another part."""
    counted: Counter[str] = Counter()
    for item in items:
        inner = [
            element
            for element in islice(item.iterdescendants(etree.Element), _INSIDE)
            if element.tag not in _OF_A_PART
        ]
        counted.update({selector for element in inner for selector in selectors_of(element)})
    enough = (name for name, count in counted.items() if count >= _IN_MOST * len(items))
    shares = {name: _share_of_text(name, items, others) for name in enough}
    texts = [name for name, share in shares.items() if share >= _MOST_OF_TEXT]
    return min(texts, key=lambda name: (-round(shares[name], 1), len(name), name), default=None)


def _share_of_text(name: str, items: Sequence[Element], others: Sequence[str]) -> float:
    """Return how much of what is not told by another part an element holds; nothing, where another part
    stands in it."""
    matches = {item: selected(name, item) for item in items}
    single = {
        item: found[0] for item, found in matches.items() if len(found) == 1
    }  # of answers in an item there are several
    if any(selected(css, match) for match in single.values() for css in others):
        return 0.0
    beside = sum(_letters(selected(css, item)[:1]) for item in single for css in others)
    return _letters(list(single.values())) / max(_letters(list(single)) - beside, 1)
