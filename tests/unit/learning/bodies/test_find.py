from __future__ import annotations

from collections.abc import Callable
from datetime import date

from invented_articles import paragraphs, written

from webarticlecurator.config.portal import Portal
from webarticlecurator.learning.bodies import find_bodies, layout_entry
from webarticlecurator.model.page import Page


def test_pages_whose_text_stands_in_another_element_are_another_layout(
    portal_of: Callable[..., Portal], page_of: Callable[..., Page]
) -> None:
    old = [page_of(f"<table><td class=old>{written(paragraphs(90 * n))}", f"https://pelda.example/200{n}/05/01/a") for n in range(1, 3)]
    new = [page_of(f"<div class=new>{written(paragraphs(40 * n))}</div>", f"https://pelda.example/201{n}/05/01/b") for n in range(1, 4)]
    layouts = find_bodies([*old, *new], portal=portal_of()).layouts
    assert [(one.root, len(one.urls), one.first, one.last) for one in layouts] == [
        ("div.new", 3, date(2011, 5, 1), date(2013, 5, 1)),
        ("td.old", 2, date(2001, 5, 1), date(2002, 5, 1)),
    ]
    assert layout_entry(layouts[1], {"root": "td.old"}) == {"name": "old", "when": "td.old", "body": {"root": "td.old"}}
