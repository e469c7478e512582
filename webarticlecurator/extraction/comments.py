"""What readers wrote below an article, where no rule reads it: it is no text of the article, and must not be lost without a word."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.tag_names import simplified_tag
from webarticlecurator.extraction.container import GENERAL_FINDER
from webarticlecurator.extraction.layouts import Rules
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.model.article import Fate, Piece
from webarticlecurator.selectors import Scope
from webarticlecurator.text import element_text, squeeze, word_count

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NOT_WRITTEN = (*_HEADINGS, "a", "button", "form", "label", "noscript", "script", "select", "style", "svg", "template")
"""What stands among comments and is none: headings, links, forms."""
_RULE = f"{GENERAL_FINDER}: {PagePart.COMMENTS}"
_FEWEST_WORDS = 5
_NAMES = etree.XPath("//*/@class | //*/@id", smart_strings=False)


def unread_comments(
    tree: Element, rules: Rules, lookup: Lookup, read: frozenset[Element], dropped: Mapping[Element, str]
) -> tuple[Piece, ...]:
    """Text in what is called comments by its class or id, if the portal file decides nothing about it.

    `read`: the elements that were read, for the article or as a post; `dropped`: those left out of them, by which rule.
    """
    if PostKind.COMMENTS in rules.posts or PostKind.COMMENTS in rules.unwanted_posts:
        return ()
    around_read = {above for element in read for above in element.iterancestors()}
    pieces: dict[str, Piece] = {}
    boxes = dict.fromkeys(comment_boxes(tree, holding=around_read))
    boxes |= dict.fromkeys(element for element, rule in dropped.items() if rule == _RULE)
    for box in boxes:
        around = (box, *box.iterancestors())
        if not boxes.keys().isdisjoint(around[1:]):
            continue
        is_kept = not read.isdisjoint(around) and dropped.keys().isdisjoint(around)
        if is_kept or not lookup.decide(box, Scope(None)).general or any(_is_dropped_by_file(element, lookup) for element in around):
            continue
        without = {element for element in box.iter(etree.Element) if element.tag in _NOT_WRITTEN or _is_dropped_by_file(element, lookup)}
        text = squeeze(element_text(box, without=without))
        if word_count(text) >= _FEWEST_WORDS:
            pieces.setdefault(text, Piece(Fate.DROPPED, text, _RULE, simplified_tag(box)))
    return tuple(pieces.values())


def comment_boxes(tree: Element, *, holding: Collection[Element] = ()) -> Iterator[Element]:
    """The outermost elements with such names, but for those that hold what is more than comments."""
    if not any(map(_says_comments, set(_NAMES(tree)))):  # type: ignore[arg-type]  # the selection is of texts
        return
    walk = etree.iterwalk(tree, events=("start",))
    for _, element in walk:
        if isinstance(element.tag, str) and element.tag not in _NOT_WRITTEN and element not in holding and _is_called_comments(element):
            yield element
            walk.skip_subtree()


def _is_dropped_by_file(element: Element, lookup: Lookup) -> bool:
    decision = lookup.decide(element, Scope(None))
    return decision.drop and not decision.general


def _says_comments(names: str) -> bool:
    role = role_of(names, None)
    return role is not None and role.part is PagePart.COMMENTS


def _is_called_comments(element: Element) -> bool:
    classes, id = element.get("class"), element.get("id")
    role = role_of(classes, id) if classes or id else None
    return role is not None and role.part is PagePart.COMMENTS and role.certain
