"""An invented portal as the watch sees it: articles of one layout, and what becomes of them when the layout changes."""

from __future__ import annotations

import random
from collections.abc import Sequence

_TEXT = (
    "the of and to in was for on that with council bridge river winter school library teacher harbour opened closed lost found"
    " ferry market station mayor garden street letter morning evening water museum theatre singer village road"
)
_WORDS = tuple(_TEXT.split())


def sentence(chance: random.Random, words: int) -> str:
    return f"{' '.join(chance.choices(_WORDS, k=words))}."


def day(number: int) -> str:
    return f"2024-{1 + number // 28:02}-{1 + number % 28:02}"


def html(
    number: int,
    *,
    paragraphs: int = 7,
    kept: Sequence[str] = ("story",),
    widget: str = "",
    suffix: str = "",
    dated: bool = True,
    byline: bool = True,
) -> str:
    """A page of which the rule `div.story` keeps the text. `kept`: the elements that share the paragraphs; `suffix`: of every class."""
    chance = random.Random(number)
    written = [f"<p>{sentence(chance, chance.randint(18, 45))}</p>" for _ in range(paragraphs)]
    share = len(written) // len(kept)
    parts = [written[place * share : (place + 1) * share if place + 1 < len(kept) else None] for place in range(len(kept))]
    parts[0].insert(len(parts[0]) // 2, widget)
    teasers = "".join(
        f'<li class="teaser{suffix}"><a href="/{at}">{sentence(chance, 7)}</a><span class="when{suffix}">{at} May</span></li>'
        for at in range(8)
    )
    body = "".join(f'<div class="{name}{suffix}">{"".join(part)}</div>' for name, part in zip(kept, parts, strict=True))
    told = f'<meta property="article:published_time" content="{day(number)}T10:00:00Z">' if dated else ""
    signed = f'<div class="byline{suffix}">By <a rel="author" href="/ann">Ann Lee</a></div>' if byline else ""
    return (
        f'<html><head><meta charset="utf-8">{told}</head><body class="page{suffix}"><div class="top{suffix}">'
        f'<a class="logo{suffix}" href="/">Portal</a><ul class="menu{suffix}"><li class="entry{suffix}"><a href="/a">News</a></li>'
        f'<li><a href="/b">Sport</a></li></ul></div><div class="main{suffix}"><h1 class="title{suffix}">{sentence(chance, 6)}</h1>'
        f'{signed}{body}<div class="share{suffix}">Share this with your friends</div></div>'
        f'<div class="side{suffix}"><h2 class="most{suffix}">Most read</h2><ul class="list{suffix}">{teasers}</ul></div>'
        f'<div class="foot{suffix}">All rights reserved by the publisher of this portal</div>'
        "</body></html>"
    )
