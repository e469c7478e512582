"""Findings of what readers wrote: comments on a page that no rule reads."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_names import simplified_tag
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.survey.audit.page import AuditedPage, PageFinding
from webarticlecurator.survey.audit.text import word_count
from webarticlecurator.text import element_text, squeeze

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NOT_WRITTEN = (*_HEADINGS, "a", "button", "form", "label", "noscript", "script", "select", "style", "svg", "template")
"""What stands among comments and is none: headings, links, forms."""
_FEWEST_WORDS = 5


def unread_comments(audited: AuditedPage) -> Iterator[PageFinding]:
    """Text in what is called comments by its class or id, on a page of which no rule reads posts."""
    tree = audited.page.tree
    if tree is None or audited.article.posts:
        return
    for box in _boxes(tree):
        text = squeeze(element_text(box, without=frozenset(box.iter(*_NOT_WRITTEN))))
        if word_count(text) >= _FEWEST_WORDS:
            yield PageFinding(tag=simplified_tag(box), words=word_count(text), text=text)


def _boxes(tree: Element) -> Iterator[Element]:
    """The outermost elements with such names."""
    walk = etree.iterwalk(tree, events=("start",))
    for _, element in walk:
        if isinstance(element.tag, str) and element.tag not in _NOT_WRITTEN and _is_called_comments(element):
            yield element
            walk.skip_subtree()


def _is_called_comments(element: Element) -> bool:
    classes, id = element.get("class"), element.get("id")
    role = role_of(classes, id) if classes or id else None
    return role is not None and role.part is PagePart.COMMENTS and role.certain
