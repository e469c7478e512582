"""Entries of live blogs, posts of forums and blogs, comments -> TEI."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from webarticlecurator.model.article import COMMENTS, Post
from webarticlecurator.tei.blocks import BlockWriter, Parent
from webarticlecurator.tei.markup import element, escape, moment
from webarticlecurator.tei.references import References, digest

_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,60}")
_GROUPS = {"liveblog": "liveBlog", "forum": "thread", "blog": "blogPosts", "comments": "comments"}
_TEXTS = {"liveblog": "liveBlogUpdate", "blog": "blogPost"}
"""Posts that stand beside one another as divisions; all others answer one another."""


class PostWriter:
    """Writes the posts of one document; `posts` are all of them, so that answers find what they answer."""

    def __init__(self, posts: Sequence[Post], blocks: BlockWriter, references: References) -> None:
        self._posts = posts
        self._blocks = blocks
        self._references = references
        self._ids = [references.new_id(_name(post)) for post in posts]
        answered = [((post.kind, post.id), id) for post, id in zip(posts, self._ids, strict=True) if post.id]
        self._answered: Mapping[tuple[str, str], str] = dict(reversed(answered))

    def of_article(self) -> str:
        """Those that are the article."""
        return "".join([self._group(kind) for kind in ("liveblog", "forum", "blog")])

    def comments(self) -> str:
        """Those about the article."""
        return self._group("comments")

    def _group(self, kind: str) -> str:
        write = self._division if kind in _TEXTS else self._post
        written = []
        for post, id in zip(self._posts, self._ids, strict=True):
            if post.kind == kind:
                self._blocks.begin(id)
                written.append(write(id, post))
        moments = [post.when for post in self._posts if post.kind == kind and post.when]
        order = "newest-first" if kind == "liveblog" and moments != sorted(moments) == moments[::-1] else None
        return element("div", "\n" + "".join(written), type=_GROUPS[kind], rend=order) + "\n" if written else ""

    def _post(self, id: str, post: Post) -> str:
        who = self._references.person(post.author)
        source, _ = self._references.address(post.url, None)
        answers = self._answered.get((post.kind, post.reply_to)) if post.reply_to else None
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            self._blocks.written(post.blocks, Parent.POST),
            f'<note type="replyTo">{escape(post.reply_to)}</note>' if post.reply_to and not answers else "",
        ]
        reply_to = f"#{answers}" if answers else None
        given = {"n": post.id, "who": who, "when": moment(post.when), "replyTo": reply_to, "source": source}
        return element("post", "".join(parts), xml_id=id, **given, modality="written", generatedBy="human") + "\n"

    def _division(self, id: str, post: Post) -> str:
        when = moment(post.when)
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            f"<byline><docAuthor>{escape(post.author)}</docAuthor></byline>\n" if post.author else "",
            element("dateline", element("time", escape(post.time or when or ""), when=when)) + "\n" if post.time or when else "",
            self._blocks.division(post.blocks),
        ]
        source, _ = self._references.address(post.url, None)
        return element("div", "\n" + "".join(parts), type=_TEXTS[post.kind], xml_id=id, n=post.id, source=source) + "\n"


def _name(post: Post) -> str:
    """By the portal's own id, else by what a post says and when: new posts may come before it, and its name stays."""
    kind = "comment" if post.kind == COMMENTS else "post"
    if post.id and _PLAIN_ID.fullmatch(post.id):
        return f"{kind}-{post.id}"
    return f"{kind}-{digest(post.id) if post.id else post.fingerprint}"
