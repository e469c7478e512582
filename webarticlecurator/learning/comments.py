"""Rules for comments, and threads made as they are: what repeats in what is called comments, if the reader finds it not, or but half."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.article_rules import PostKind, PostRules
from webarticlecurator.config.portal import Portal, PortalKind
from webarticlecurator.errors import PatternTimeout
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
_MOST_OF_TEXT = 0.6
"""Of the letters of an item beside name and time, that its text holds."""
_CLOCK_OR_DAY = linear(
    r"\d{1,2}[:.h]\d\d|\d{4}|\d{1,2}[./-]\d{1,2}|\d+\s+\w+\s+(?:ago|ezelőtt|temu|siden|sedan)|(?:vor|il y a|hace|há)\s+\d+"
)
_NAMES = linear(
    r"(?:^|[\s_-])(?:author|autor|auteur|user|username|nick|nickname|name|nev|szerzo|poster|byline|fn|commenter|writer|reporter)s?(?:$|[\s_-])",
    re.IGNORECASE,
)


def find_comments(pages: Sequence[Page], portal: Portal) -> Learned:
    """Picks under `posts.comments`, and under `posts.forum` for threads that are made as comments are; nothing for what the portal file
    has rules for, or the general reader finds well."""
    ruled = set(portal.posts).union(*(layout.posts for layout in portal.layouts))
    of_html = [page for page in pages if page.tree is not None]
    threads = [page for page in of_html if portal.kind is PortalKind.FORUM or is_of_forum(page.url)]
    others = [page for page in of_html if page not in threads]
    of_kinds = ((PostKind.COMMENTS, others, of_html), (PostKind.FORUM, threads, threads))
    remarks = list[str]()
    proposals = [_proposed(kind, learned_from, every, portal, remarks) for kind, learned_from, every in of_kinds if kind not in ruled]
    return Learned(proposals=tuple(filter(None, proposals)), remarks=tuple(remarks))


def _proposed(kind: PostKind, learned_from: Sequence[Page], pages: Sequence[Page], portal: Portal, remarks: list[str]) -> Proposal | None:
    """`remarks` gets what the rule does not find."""
    chosen = _likeliest_items(learned_from)
    if chosen is None:
        return None
    items = [_with_text(selected(chosen, page.tree)[:500]) for page in pages]
    before = [post for page in pages for post in _posts_on(page, portal, kind)]
    signed = _share(lambda post: all(has(post) for has in _PARTS.values()), before)
    if len(before) >= _IN_MOST * sum(map(len, items)) and signed >= _IN_MOST:
        return None
    some = list(chain.from_iterable(items))[:60]
    parts = {name: css for name, is_it in _TOLD_BY.items() if (css := _part(some, is_it))}
    picks: dict[str, Plain] = {"item": chosen, **parts}
    if "time" in parts:
        for_machines = [bool(time.get("datetime")) for item in some for time in selected(parts["time"], item)[:1]]
        if sum(for_machines) >= _IN_MOST * len(for_machines):
            picks["time"] = {"css": parts["time"], "attr": "datetime"}
    if text := _text(some, tuple(parts.values())):
        picks["text"] = text
    posts = list(chain.from_iterable(_posts_by(picks, pages, portal, kind)))
    # who is called so wrote comments: a rule takes them, and of their parts what is sure
    doubtful = [name for name, has in _PARTS.items() if _share(has, posts) < _IN_NEARLY_ALL]
    if len({post.author for post in posts}) < 2:
        doubtful.append("author")
    if doubtful and kind is PostKind.FORUM:
        return None
    picks = {name: pick for name, pick in picks.items() if name not in doubtful}
    by_page = _posts_by(picks, pages, portal, kind)
    posts = list(chain.from_iterable(by_page))
    if not posts or len(posts) < len(before) or _share(lambda post: bool(plain_text(post.blocks)), posts) < _IN_NEARLY_ALL:
        return None
    authors, times = (sum(map(has, posts)) for has in _PARTS.values())
    if without := " and ".join(name for name, count in (("author", authors), ("time", times)) if not count):
        remarks.append(f"posts.{kind}: no {without} was found; where the pages tell it, write a rule (docs/how-to/article-rules.md#posts)")
    reason = (
        f"finds {amount(len(posts), 'comment' if kind is PostKind.COMMENTS else 'post')} on {sum(map(bool, by_page))} of"
        f" {amount(len(pages), 'page')}, {authors} with an author, {times} with a time; without the rule {len(before)} are found"
    )
    # who wrote them is not shown: what is sure goes into a file that others read
    samples = tuple(f"{post.when or '?'} · {plain_text(post.blocks)[:120]}" for post in posts[:3])
    return Proposal.at(("posts", kind.value), [Choice(value=picks, reason=reason, samples=samples)])


def _with_text(items: Sequence[Element]) -> list[Element]:
    """Return the items that say anything: an empty one is where the next comment goes, and lacks nothing."""
    return list(filter(written_in, items))


def _posts_on(page: Page, portal: Portal, kind: PostKind) -> list[Post]:
    read = read_article([replace(page, budget=Budget())], portal, id="page", identity=page.url, url=page.url)
    return [post for post in read.posts if post.kind == kind]


def _posts_by(picks: Mapping[str, Plain], pages: Sequence[Page], portal: Portal, kind: PostKind) -> list[list[Post]]:
    """The posts of each page by these picks; none where the loader would refuse them, or they would take too long."""
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
    """The selector of the outermost elements that repeat in what is called comments, and hold most of what is written there."""
    boxes = [box for page in pages for box in comment_boxes(called_comments(page.outline))]
    inside = dict.fromkeys(element for box in boxes for element in islice(box.iter(etree.Element), 50_000))
    counted: Counter[str] = Counter()
    holders = ("article", "div", "li", "section", "tr", "dd", "td", "aside", "blockquote", "p")
    for parent in dict.fromkeys(element.getparent() for element in inside):
        inner = [child for child in parent.iterchildren(*holders) if child in inside] if parent is not None else []
        children = [(child, (child.tag, *(child.get("class") or "").split()[:1])) for child in inner]
        alike = Counter(kind for _, kind in children)
        repeated = [child for child, kind in children if alike[kind] > 1]
        counted.update(selector for child in repeated for selector in named_selectors(child) if "[" not in selector)
    letters = sum(len(written_in(box)) for box in boxes)
    items: dict[str, list[Element]] = {}
    shares: dict[str, float] = {}
    for selector, _ in counted.most_common(24):
        matched = [item for page in pages for item in selected(selector, page.tree)[:500]]
        share = _share_written(matched, letters)
        among = sum(item in inside for item in matched)
        # several, nearly all of them among comments, that hold most of what is written there
        if len(matched) >= 3 and among >= 0.9 * len(matched) and share >= 0.6:
            items[selector], shares[selector] = matched, share
    outermost = [name for name in items if not any(_hold(items[other], items[name]) for other in items if other != name)]
    return min(outermost, key=lambda name: (-round(shares[name], 1), -len(items[name]), name.isalnum(), name), default=None)


def _share_written(items: Sequence[Element], letters: int) -> float:
    """Of what is written among comments, the part in these elements; none where they say the same or hold nothing."""
    texts = [written_in(item) for item in items]
    if len(set(filter(None, texts))) <= len(items) / 2:
        return 0.0
    whole = set(items)
    outer = (text for item, text in zip(items, texts, strict=True) if whole.isdisjoint(item.iterancestors()))
    return sum(map(len, outer)) / letters if letters else 0.0


def _hold(outer: Sequence[Element], inner: Sequence[Element]) -> bool:
    """Whether most of some elements stand in some of the others, and not the other way round."""
    around, within = set(outer), set(inner)
    standing = sum(not around.isdisjoint(element.iterancestors()) for element in inner if element not in around)
    holding = sum(not within.isdisjoint(element.iterancestors()) for element in outer if element not in within)
    return standing > len(inner) / 2 and standing > holding


def _is_time(element: Element) -> bool:
    """Whether an element tells a time, and nothing else."""
    if element.tag == "time":
        return True
    written = element.get("class")
    if not written or not {ClassHint.DATE, ClassHint.PUBLISHED} & hints_of(written):
        return False
    text = short_text(element, 60)
    return text is not None and _CLOCK_OR_DAY.search(text) is not None


def _is_name(element: Element) -> bool:
    """Whether the class of an element, or where it leads, says that it is somebody's name; what asks for a name holds none."""
    text = short_text(element, 60)
    if not text or not any(map(str.isalpha, text)) or next(element.iter("input", "label", "select", "textarea"), None) is not None:
        return False
    marked = element.get("itemprop") in ("author", "name") or _NAMES.search(element.get("class") or "") is not None
    return marked or (element.tag == "a" and link_kind(element.get("href") or "") in (LinkKind.AUTHOR, LinkKind.PERSON))


_TOLD_BY: Mapping[str, Callable[[Element], bool]] = {"author": _is_name, "time": _is_time}


def _part(items: Sequence[Element], is_it: Callable[[Element], bool]) -> str | None:
    """The selector whose first match is such a part in the most items."""
    counted: Counter[str] = Counter()
    for item in items:
        inner = [element for element in islice(item.iterdescendants(etree.Element), _INSIDE) if is_it(element)]
        counted.update({selector for element in inner[:5] for selector in (*selectors_of(element), str(element.tag))})
    first = {name: [element for item in items for element in selected(name, item)[:1] if is_it(element)] for name in counted}
    enough = [name for name in first if len(first[name]) >= _IN_MOST * len(items)]
    # of places that hold one another the inner one: around a name stands "says"
    return min(enough, key=lambda name: (-len(first[name]), _letters(first[name]), name.isalnum(), len(name), name), default=None)


def _letters(elements: Sequence[Element]) -> int:
    return sum(len(letters_of(short_text(element, 20_000) or "")) for element in elements)


def _text(items: Sequence[Element], others: Sequence[str]) -> Plain:
    """The selector that finds one element in nearly all of them, which holds nearly all that is not told by another part."""
    apart = {item: {element for css in others for element in selected(css, item)} for item in items}
    written = {item: _letters([item]) - _letters(list(parts)) for item, parts in apart.items()}
    counted: Counter[str] = Counter()
    of_a_part = ("a", "span", "b", "i", "em", "strong", "button", "time", "small", "p", "h2", "h3", "h4")
    for item in items:
        holding = {above for element in apart[item] for above in (element, *element.iterancestors())}
        inner = (element for element in islice(item.iterdescendants(etree.Element), _INSIDE) if element.tag not in of_a_part)
        alone = [element for element in inner if element not in holding and apart[item].isdisjoint(element.iterancestors())]
        counted.update({selector for element in alone for selector in selectors_of(element)})
    kept: dict[str, float] = {}
    for name in (name for name, count in counted.items() if count >= _IN_MOST * len(items)):
        single = {item: match for item in items if len(match := selected(name, item)) == 1}  # of answers in an item there are several
        kept[name] = sum(map(_letters, single.values())) / max(sum(written[item] for item in single), 1)
    enough = [name for name in kept if kept[name] >= _MOST_OF_TEXT]
    if enough:
        return min(enough, key=lambda name: (-round(kept[name], 1), len(name), name))
    # what was written may be bare paragraphs beside the rest
    paragraphs = [(item, element) for item in items for element in islice(item.iterdescendants("p"), _INSIDE) if element not in apart[item]]
    holds_other = any(not apart[item].isdisjoint(element.iterdescendants()) for item, element in paragraphs)
    whole = sum(written.values())
    in_paragraphs = _letters([element for _, element in paragraphs])
    return {"css": "p", "take": "all"} if whole > 0 and not holds_other and in_paragraphs >= _MOST_OF_TEXT * whole else None
