"""Entries of live blogs, posts of forums and blogs, comments -> TEI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webarticlecurator.model.article import Post
from webarticlecurator.tei.blocks import BlockWriter, Parent
from webarticlecurator.tei.markup import element, escape, moment
from webarticlecurator.tei.references import References

_GROUPS = {"liveblog": "liveBlog", "forum": "thread", "blog": "blogPosts", "comments": "comments"}
_TEXTS = {"liveblog": "liveBlogUpdate", "blog": "blogPost"}
"""Posts that stand beside one another as divisions; all others answer one another."""


class PostWriter:
    """Writes the posts of one document; `posts` are all of them, so that answers find what they answer."""

    def __init__(self, posts: Sequence[Post], blocks: BlockWriter, references: References) -> None:
        self._posts = posts
        self._blocks = blocks
        self._references = references
        self._ids: Mapping[tuple[str, str], str] = {
            (post.kind, post.id): f"post-{number}" for number, post in reversed(list(enumerate(posts, start=1))) if post.id
        }

    def of_article(self) -> str:
        """Those that are the article."""
        return "".join([self._group(kind) for kind in ("liveblog", "forum", "blog")])

    def comments(self) -> str:
        """Those about the article."""
        return self._group("comments")

    def _group(self, kind: str) -> str:
        write = self._division if kind in _TEXTS else self._post
        written = [write(number, post) for number, post in enumerate(self._posts, start=1) if post.kind == kind]
        return element("div", "\n" + "".join(written), type=_GROUPS[kind]) + "\n" if written else ""

    def _post(self, number: int, post: Post) -> str:
        who = self._references.person(post.author)
        source, _ = self._references.address(post.url, None)
        answers = self._ids.get((post.kind, post.reply_to)) if post.reply_to else None
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            self._blocks.written(post.blocks, Parent.POST),
            f'<note type="replyTo">{escape(post.reply_to)}</note>' if post.reply_to and not answers else "",
        ]
        reply_to = f"#{answers}" if answers else None
        given = {"n": post.id, "who": who, "when": moment(post.when), "modality": "written", "replyTo": reply_to, "source": source}
        return element("post", "".join(parts), xml_id=f"post-{number}", **given) + "\n"

    def _division(self, number: int, post: Post) -> str:
        when = moment(post.when)
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            f"<byline><docAuthor>{escape(post.author)}</docAuthor></byline>\n" if post.author else "",
            f'<dateline><time when="{when}">{when}</time></dateline>\n' if when else "",
            self._blocks.division(post.blocks),
        ]
        source, _ = self._references.address(post.url, None)
        return element("div", "\n" + "".join(parts), type=_TEXTS[post.kind], xml_id=f"post-{number}", n=post.id, source=source) + "\n"
