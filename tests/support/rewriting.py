"""The parsed body of a page, and blocks written down so that a test can be read."""

from __future__ import annotations

from lxml.etree import _Element as Element
from read_bodies import BASE, written

from webarticlecurator.document.page import parse_html

__all__ = ["BASE", "body_of", "written"]


def body_of(html: str) -> Element:
    """The container of a test: everything in the body."""
    tree = parse_html(f"<html><body>{html}</body></html>")
    assert tree is not None, tree
    body = tree.find("body")
    assert body is not None
    return body
