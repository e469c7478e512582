"""What readers wrote below an article, where no rule reads it: it is no text of the article, and must not be lost without a word."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.tag_names import simplified_tag
from webarticlecurator.extraction.container import GENERAL_FINDER
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.model.article import Fate, Piece
from webarticlecurator.selectors import Scope
from webarticlecurator.text import element_text, squeeze, word_count

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NOT_WRITTEN = (*_HEADINGS, "a", "button", "form", "label", "noscript", "script", "select", "style", "svg", "template")
"""What stands among comments and is none: headings, links, forms."""
_RULE = f"{GENERAL_FINDER}: {PagePart.COMMENTS}"
_FEWEST_WORDS, _FEWEST_BESIDE = 5, 12
"""Beside comments that were read stand counts and calls to write one."""


def unread_comments(
    called: Iterable[Element], lookup: Lookup, read: frozenset[Element], dropped: Mapping[Element, str], *, has_rule: bool
) -> tuple[Piece, ...]:
    """Text in what is called comments, if the portal file decides nothing about it.

    `read`: the elements that were read, for the article or as a post; `dropped`: those left out of them, by which rule; `has_rule`: there
    is one for comments, which may take some of them and leave others.
    """
    around_read = frozenset[Element]() if has_rule else {above for element in read for above in element.iterancestors()}
    pieces: dict[str, Piece] = {}
    boxes = dict.fromkeys(comment_boxes(called, holding=around_read))
    boxes |= dict.fromkeys(element for element, rule in dropped.items() if rule == _RULE)
    for box in boxes:
        around = (box, *box.iterancestors())
        if not boxes.keys().isdisjoint(around[1:]):
            continue
        is_kept = not read.isdisjoint(around) and dropped.keys().isdisjoint(around)
        if is_kept or not lookup.decide(box, Scope(None)).general or any(map(lookup.is_dropped_by_file, around)):
            continue
        text = written_in(box, without=read.union(filter(lookup.is_dropped_by_file, box.iter(etree.Element))))
        if word_count(text) >= (_FEWEST_BESIDE if has_rule else _FEWEST_WORDS):
            pieces.setdefault(text, Piece(Fate.DROPPED, text, _RULE, simplified_tag(box)))
    return tuple(pieces.values())


def written_in(element: Element, *, without: Collection[Element] = ()) -> str:
    """What somebody may have written in an element."""
    return squeeze(element_text(element, without={*without, *element.iter(*_NOT_WRITTEN)}))


def called_comments(tree: Element) -> tuple[Element, ...]:
    """The elements whose class or id surely says so, in page order."""
    found = []
    for element in tree.iter(etree.Element):
        classes, id = element.get("class"), element.get("id")
        if (classes or id) and (role := role_of(classes, id)) is not None and role.part is PagePart.COMMENTS and role.certain:
            found.append(element)
    return tuple(found)


def comment_boxes(called: Iterable[Element], *, holding: Collection[Element] = ()) -> Iterator[Element]:
    """Of elements that are called comments the outermost that hold nothing else, but for forms and what is in these."""
    every = frozenset(called)
    for element in called:
        inside = any(above in every and above not in holding for above in element.iterancestors())
        if not inside and element not in holding and element.tag not in _NOT_WRITTEN:
            yield element
