"""Entries of a live blog from the page's JSON-LD, where no rule says how they look in the page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.posts import MAX_POSTS, moment
from webarticlecurator.extraction.structured_data import json_ld_objects
from webarticlecurator.model.article import Block, Post, plain_text
from webarticlecurator.text import squeeze

_LONGEST = 1_000_000
"""Characters of all entries together that blocks are looked for in."""
_TELLING = 20
"""Letters by which a block is known to be of an entry."""


def live_entries(context: PageContext, lookup: Lookup) -> list[Post]:
    """The `liveBlogUpdate`s of the page's LiveBlogPosting."""
    tree = context.page.tree
    if tree is None:
        return []
    for one in json_ld_objects(tree, context.page.url):
        updates = one.get("liveBlogUpdate")
        if isinstance(updates, dict):
            updates = [updates]
        if isinstance(updates, list) and updates:
            return [post for update in updates[:MAX_POSTS] if isinstance(update, dict) and (post := _post(update, context, lookup))]
    return []


def _post(update: Mapping[str, Any], context: PageContext, lookup: Lookup) -> Post | None:
    body, title = _text(update.get("articleBody")), _text(update.get("headline") or update.get("name"))
    parsed = parse_html(_as_html(body)) if body else None
    around = RewriteContext(base=context.page.base, budget=context.page.budget)
    blocks = [] if parsed is None else rewrite([parsed], lookup, around).blocks
    if not blocks and not title:
        return None
    return Post(
        kind="liveblog",
        id=_text(update.get("@id")),
        when=moment(_text(update.get("datePublished")), context, None),
        author=_name(update.get("author")),
        title=squeeze(title) if title else None,
        url=_text(update.get("url")),
        blocks=tuple(blocks),
    )


def _as_html(body: str) -> str:
    """A body without tags has its paragraphs as lines."""
    return body if "<" in body else "".join(f"<p>{line}" for line in body.splitlines())


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _name(author: Any) -> str | None:
    names = [one.get("name") if isinstance(one, dict) else one for one in (author if isinstance(author, list) else [author])]
    return ", ".join(name for name in names if isinstance(name, str)) or None


def claimed(posts: list[Post], blocks: Iterable[Block]) -> tuple[list[Post], list[Block]]:
    """Blocks of the page that repeat an entry are that entry's text, better marked up than in JSON-LD; the others stay."""
    starts: list[int] = []
    texts: list[str] = []
    length = 0
    for post in posts:
        starts.append(length)
        texts.append(_letters(post.title or "") + _letters("".join(map(plain_text, post.blocks))) + "\n")
        length += len(texts[-1])
    everything = "".join(texts)[:_LONGEST]
    titles = {_letters(post.title): number for number, post in enumerate(posts) if post.title}
    taken: dict[int, list[Block]] = {}
    left: list[Block] = []
    for block in blocks:
        letters = _letters(plain_text(block))
        at = everything.find(letters) if len(letters) >= _TELLING else -1
        number = titles.get(letters) if at < 0 else bisect_right(starts, at) - 1
        (left if number is None else taken.setdefault(number, [])).append(block)
    return [replace(post, blocks=_of_page(post, taken.get(number, []))) for number, post in enumerate(posts)], left


def _of_page(post: Post, blocks: list[Block]) -> tuple[Block, ...]:
    title = _letters(post.title or "")
    text = [block for block in blocks if _letters(plain_text(block)) != title]
    return tuple(text) or post.blocks


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
