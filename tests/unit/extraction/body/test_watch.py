"""What becomes of each text is told by the walk that makes the article, element by element."""

from __future__ import annotations

from typing import Any

from trial_portal import page_of, portal_of

from webarticlecurator.extraction.article import read_article
from webarticlecurator.extraction.body.watch import TextFate, Watch, watched
from webarticlecurator.model.article import Fate
from webarticlecurator.model.page import Page

TEXT = "The council met on Tuesday and talked for hours about the bridge."


def seen(html: str, **rules: Any) -> tuple[Watch, Page]:
    page = page_of(f"<html><body>{html}</body></html>")
    with watched() as watch:
        read_article([page], portal_of(**rules), id="x-1", identity="x", url=page.url)
    return watch, page


def fates(html: str, **rules: Any) -> dict[str, TextFate]:
    watch, _ = seen(html, **rules)
    return {" ".join(((element.tail if tail else element.text) or "").split()): fate for (element, tail), fate in watch.texts.items()}


def test_each_text_is_told_with_the_blocks_and_inlines_that_it_becomes() -> None:
    told = fates(f"<div class=b><p>{TEXT}<a href=/x>There</a> they were.</p><ul><li>One</ul></div>", body={"root": "div.b"})
    assert told[TEXT].blocks == ("paragraph",)
    assert told["There"].inlines == ("link",)
    assert told["they were."].inlines == ()
    assert told["One"].blocks[:2] == ("list", "item")


def test_the_rule_that_names_a_block_is_told() -> None:
    told = fates(f"<div class=b><p class=vorspann>{TEXT}</p></div>", body={"root": "div.b", "tags": {"lead": ["p.vorspann"]}})
    assert "p.vorspann" in told[TEXT].rule
    assert told[TEXT].blocks == ("lead", "paragraph")


def test_what_a_rule_drops_is_told_with_all_in_it() -> None:
    watch, _ = seen(
        f"<div class=b><p>{TEXT}</p><div class=ad>Buy <b>this</b></div></div>", body={"root": "div.b", "tags": {"decompose": ["div.ad"]}}
    )
    (element,) = (one for one in watch.dropped if one.get("class") == "ad")
    assert "div.ad" in watch.dropped[element]


def test_a_headline_that_is_said_again_is_told_as_dropped_after_all() -> None:
    told = fates(f"<div class=b><h1>A long bridge</h1><p>{TEXT}</p></div>", body={"root": "div.b"}, metadata={"headline": "h1"})
    assert told["A long bridge"].dropped.startswith("headline:")


def test_what_no_rule_decides_is_told() -> None:
    told = fates(f"<div class=b><x-y class=z>{TEXT}</x-y></div>", body={"root": "div.b"})
    assert told[TEXT].undecided and not told[TEXT].dropped


def test_posts_are_told_with_their_rules() -> None:
    told = fates(
        f"<div class=b><p>{TEXT}</p></div><li class=k><i>Ann</i><p>Well said.</p></li>",
        body={"root": "div.b"},
        posts={"comments": {"item": "li.k", "author": "i", "text": "p"}},
    )
    assert told["Well said."].post == "posts.comments"
    assert told["Ann"].dropped == "posts.comments: not its text"


def test_pictures_that_are_kept_are_told() -> None:
    watch, _ = seen(f"<div class=b><p>{TEXT}</p><img src=/a.png></div>", body={"root": "div.b"})
    assert [(one.tag, name) for one, name in watch.shown.items()] == [("img", "figure")]


def test_the_article_is_the_same_whether_it_is_watched_or_not() -> None:
    page = page_of(f"<html><body><div class=b><h2>A</h2><p>{TEXT}<b>b</b></p><table><tr><td>c</table></div></body></html>")
    portal = portal_of(body={"root": "div.b"})
    plain = read_article([page], portal, id="x-1", identity="x", url=page.url)
    with watched() as watch:
        again = read_article([page], portal, id="x-1", identity="x", url=page.url)
    assert again == plain
    assert read_article([page], portal, id="x-1", identity="x", url=page.url) == plain, "and nothing of it stays"
    kept = "".join(piece.text for piece in plain.pieces if piece.fate is Fate.KEPT)
    texts = "".join((one.tail if tail else one.text) or "" for (one, tail), fate in watch.texts.items() if not fate.dropped)
    assert "".join(texts.split()) == "".join(kept.split())
