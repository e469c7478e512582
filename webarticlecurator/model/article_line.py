"""An article as one JSON object: what `curator try` prints, and a line of the JSON Lines export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webarticlecurator.model.article import COMMENTS, Article, Block, Fate, Inline, Node, Post, plain_text
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import PageOutcome


def article_line(article: Article) -> dict[str, Any]:
    """Only what is there: attributes without a value are left out, and so are comments where there are none.

    A page that cannot be read has nothing to tell but why.
    """
    head = {"url": article.url, "kind": "article", "outcome": article.outcome.value, "reason": article.reason}
    if article.outcome is PageOutcome.UNREADABLE:
        return head
    posts = [post for post in article.posts if post.kind != COMMENTS]
    blocks = [*map(_node, article.blocks), *map(_post, posts)]
    comments = [_post(post) for post in article.posts if post.kind == COMMENTS]
    return {
        **head,
        "metadata": _metadata(article.metadata),
        "next_page": article.next_page,
        **({"goes_on": article.goes_on} if article.goes_on else {}),
        "text": article.text,
        "blocks": blocks,
        **({"comments": comments} if comments else {}),
        "unknown_tags": [{"tag": one.tag, "count": one.count, "words": one.words} for one in article.unknown_tags],
        "dropped": [{"text": one.text, "rule": one.rule, "tag": one.tag} for one in article.pieces if one.fate is Fate.DROPPED],
        "disagreements": _metadata(article.disagreements),
    }


def _metadata(metadata: Metadata) -> dict[str, list[dict[str, str]]]:
    return {name: [{"value": one.value, "raw": one.raw, "source": one.source} for one in found] for name, found in metadata.items()}


def _post(post: Post) -> dict[str, Any]:
    told = {
        "kind": post.kind,
        "id": post.id,
        "when": post.when,
        "who": post.author,
        "title": post.title,
        "reply_to": post.reply_to,
        "url": post.url,
    }
    text = "\n".join(filter(None, map(plain_text, post.blocks)))
    return {"type": "post", "text": text, "children": _children(post.blocks), **_given(told)}


def _node(node: Node) -> dict[str, Any]:
    if isinstance(node, str):
        return {"type": "text", "text": node, "children": []}
    told: dict[str, str | None] = {"url": node.url, "original_url": node.original_url}
    told.update(node.attributes if isinstance(node, Block) else {"language": node.language})
    return {"type": node.type, "text": plain_text(node), "children": _children(node.children), **_given(told)}


def _children(children: Sequence[Node]) -> list[dict[str, Any]]:
    """Text alone is the parent's `text`; beside inlines it is a child like them."""
    return list(map(_node, children)) if any(isinstance(child, (Block, Inline)) for child in children) else []


def _given(told: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in told.items() if value}
