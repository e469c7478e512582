"""Entries of live blogs, posts of forums and blogs, comments -> TEI."""

from __future__ import annotations

import re
from collections.abc import Sequence

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

    def of_article(self) -> str:
        """Those that are the article."""
        return "".join([self._group(kind) for kind in ("liveblog", "forum", "blog")])

    def comments(self) -> str:
        """Those about the article."""
        return self._group("comments")

    def _group(self, kind: str) -> str:
        write = self._division if kind in _TEXTS else self._post
        named = ((post.id, id) for post, id in zip(self._posts, self._ids, strict=True) if post.kind == kind and post.id)
        self._references.posts = dict(reversed(list(named)))
        written = []
        for post, id in zip(self._posts, self._ids, strict=True):
            if post.kind == kind:
                self._blocks.begin(id)
                written.append(write(id, post))
        moments = [post.when for post in self._posts if post.kind == kind and post.when]
        order = _order(moments) if kind == "liveblog" else None
        return element("div", "\n" + "".join(written), type=_GROUPS[kind], rend=order) + "\n" if written else ""

    def _post(self, id: str, post: Post) -> str:
        who = self._references.person(post.author)
        source, _ = self._references.address(post.url, None)
        answers = self._references.post(post.reply_to)
        deleted = element("desc", escape(post.deleted)) if post.deleted else ""
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            self._blocks.written(post.blocks, Parent.POST),
            element("gap", deleted, reason="deleted") + "\n" if deleted else "",
            f'<note type="replyTo">{escape(post.reply_to)}</note>' if post.reply_to and not answers else "",
            self._edited(post),
            _likes(post),
        ]
        # the number where the id is in `xml:id` already
        number = post.number if not post.id or _PLAIN_ID.fullmatch(post.id) else None
        given = {"n": number or post.id, "who": who, "when": moment(post.when), "replyTo": answers, "source": source}
        return element("post", "".join(parts), xml_id=id, **given, modality="written", generatedBy="human") + "\n"

    def _edited(self, post: Post) -> str:
        when = moment(post.edited)
        date = element("date", "" if when else escape(post.edited or ""), type="modified", when=when) if post.edited else ""
        editor = element("name", escape(post.editor), ref=self._references.person(post.editor)) if post.editor else ""
        return element("note", date + editor, type="edited", generatedBy="system") if date or editor else ""

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


def _order(moments: Sequence[str]) -> str | None:
    falling = sorted(moments, reverse=True)
    if len(moments) < 2 or falling[0] == falling[-1] or list(moments) not in (falling, falling[::-1]):
        return None
    return "newest-first" if moments[0] == falling[0] else "oldest-first"


def _likes(post: Post) -> str:
    if not post.likes or not (post.likes.isascii() and post.likes.isdigit()):
        return ""
    count = element("measure", "", type="LikeAction", quantity=post.likes, unit="count")
    return element("note", count, type="interactionStatistic", generatedBy="system")


def _name(post: Post) -> str:
    """By the portal's own id, else by what a post says and when: new posts may come before it, and its name stays."""
    kind = "comment" if post.kind == COMMENTS else "post"
    if post.id and _PLAIN_ID.fullmatch(post.id):
        return f"{kind}-{post.id}"
    return f"{kind}-{digest(post.id) if post.id else post.fingerprint}"
