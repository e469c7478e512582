"""An invented portal as the watch sees it: articles of one layout, and what becomes of them when the layout changes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

from trial_portal import page_of

from webarticlecurator.watching.articles import WatchedArticle
from webarticlecurator.watching.page_facts import page_facts
from webarticlecurator.watching.series import lines_of

_TEXT = (
    "the of and to in was for on that with council bridge river winter school library teacher harbour opened closed lost found"
    " ferry market station mayor garden street letter morning evening water museum theatre singer village road"
)
_WORDS = tuple(_TEXT.split())
FIELDS = ("headline", "datePublished", "author", "articleSection")


def sentence(chance: random.Random, words: int) -> str:
    return f"{' '.join(chance.choices(_WORDS, k=words))}."


def html(number: int, *, paragraphs: int = 7, kept: Sequence[str] = ("story",), widget: str = "", suffix: str = "") -> tuple[str, str]:
    """A page and what the rule `div.story` keeps of it. `kept`: the elements that share the paragraphs; `suffix`: of every class."""
    chance = random.Random(number)
    written = [f"<p>{sentence(chance, chance.randint(18, 45))}</p>" for _ in range(paragraphs)]
    share = len(written) // len(kept)
    parts = [written[place * share : (place + 1) * share if place + 1 < len(kept) else None] for place in range(len(kept))]
    parts[0].insert(len(parts[0]) // 2, widget)
    teasers = "".join(
        f'<li class="teaser{suffix}"><a href="/{one}">{sentence(chance, 7)}</a><span class="when{suffix}">{one} May</span></li>'
        for one in range(8)
    )
    body = "".join(f'<div class="{name}{suffix}">{"".join(part)}</div>' for name, part in zip(kept, parts, strict=True))
    text = "\n".join(parts[0])
    page = (
        f'<html><body class="page{suffix}"><div class="top{suffix}"><a class="logo{suffix}" href="/">Portal</a>'
        f'<ul class="menu{suffix}"><li class="entry{suffix}"><a href="/a">News</a></li><li><a href="/b">Sport</a></li></ul></div>'
        f'<div class="main{suffix}"><h1 class="title{suffix}">{sentence(chance, 6)}</h1>'
        f'<div class="byline{suffix}">By somebody</div>{body}<div class="share{suffix}">Share this with your friends</div></div>'
        f'<div class="side{suffix}"><h2 class="most{suffix}">Most read</h2><ul class="list{suffix}">{teasers}</ul></div>'
        f'<div class="foot{suffix}">All rights reserved by the publisher of this portal</div></body></html>'
    )
    return page, text.replace("<p>", "").replace("</p>", "")


def article(number: int, *, told: dict[str, Any] | None = None, empty: bool = False, **page: Any) -> WatchedArticle:
    """One article; `told`: what the build tells otherwise."""
    content, text = html(number, **page)
    text = "" if empty else text
    tree = page_of(content).tree
    assert tree is not None
    given: dict[str, Any] = {"fields": frozenset(FIELDS), "lines": lines_of(text), **(told or {})}
    return WatchedArticle(
        id=f"p-{number:04}",
        url=f"https://pelda.example/{number}",
        day=f"2024-{1 + number // 28:02}-{1 + number % 28:02}",
        is_empty=empty,
        words=len(text.split()),
        page=page_facts(tree, text),
        **given,
    )


def articles(numbers: Iterable[int], **how: Any) -> list[WatchedArticle]:
    return [article(number, **how) for number in numbers]
