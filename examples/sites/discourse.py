"""Discourse: what it shows to crawlers, and its interface for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from webarticlecurator.example_portal.answers import Answer, Request, html_answer

from .content import Board, Said, Topic, boards, slug, written
from .site import Made, Variation, attribute, chunks, document, escape, given, json_answer, truth_of_topic

_DATES = {"hu": "y. MMMM d., HH:mm", "de": "d. MMMM y 'um' HH:mm", "en": "MMMM d, y, h:mma", "fr": "d MMMM y, HH:mm"}
_NEXT = {"hu": "következő oldal →", "de": "nächste Seite →", "en": "next page →", "fr": "page suivante →"}
_TOPICS, _POSTS = 6, 5
_PICTURE = (
    '<p><div class="lightbox-wrapper"><a class="lightbox" href="/uploads/kep.jpeg" title="kep">'
    '<img src="/uploads/kep.jpeg" alt="kep" width="690" height="400"><div class="meta"><svg class="fa d-icon svg-icon"></svg>'
    '<span class="filename">kep</span><span class="informations">1920×1080 120 KB</span></div></a></div></p><p>'
    '<img src="/images/emoji/smile.png" title=":smile:" class="emoji" alt=":smile:"></p>'
)


class _Forum:
    def __init__(self, root: str, variation: Variation) -> None:
        self.root, self.language, self.old, self.has = root, variation.language, variation.theme == "older", variation.has
        self.boards = tuple(_with_names(board) for board in boards(variation.voice, topics=6, rough=variation.has("rough")))
        topics = [topic for board in self.boards for topic in board.topics]
        self.topics = sorted(topics, key=lambda one: (one.kind != "announcement", -one.posts[-1].time.timestamp()))

    def path(self, topic: Topic) -> str:
        return f"/t/{slug(topic.title)}/{topic.number}"

    def board(self, topic: Topic) -> Board:
        return next(board for board in self.boards if board.number == topic.board)

    def told(self, moment: datetime) -> str:
        return written(moment, self.language, _DATES[self.language]).replace("AM", "am").replace("PM", "pm")

    def category(self, board: Board) -> str:
        return (
            f'<a href="/c/{slug(board.title)}/{board.number}" class="badge-wrapper bullet"><span class="badge-category-bg"></span><span '
            f'class="badge-category clear-badge"><span class="category-name">{escape(board.title)}</span></span></a>'
        )

    def page(self, title: str, inner: str, head: str = "") -> str:
        head = (
            f'<meta name="generator" content="Discourse {"2.2.0" if self.old else "3.2.1"} - https://github.com/discourse/discourse '
            f'version 0">\n{head}'
        )
        home = '<header><a href="/">Forum</a></header>'
        footer = (
            '<footer class="container wrap"><nav class="crawler-nav"><ul><li><a href="/">Home</a></li><li><a href="/categories">'
            'Categories</a></li></ul></nav><p>Powered by <a href="https://www.discourse.org">Discourse</a></p></footer>'
        )
        return document(
            title,
            f'{home}<div id="main-outlet" class="wrap" role="main">{inner}</div>{footer}',
            language=self.language,
            head=head,
            classes="crawler",
        )

    def listing(self, topics: Sequence[Topic], page: int, last: int, base: str) -> str:
        rows = "".join(
            f'<tr class="topic-list-item category-{slug(self.board(topic).title)}" id="topic-list-item-{topic.number}"><td '
            'class="main-link" itemprop="itemListElement" itemscope itemtype="http://schema.org/ListItem"><meta itemprop="name" '
            f'content="{attribute(topic.title)}"><meta itemprop="url" content="{self.root}{self.path(topic)}"><meta itemprop="position" '
            f'content="{n}"><span class="link-top-line"><a itemprop="url" href="{self.root}{self.path(topic)}" class="title raw-link '
            f'raw-topic-link">{escape(topic.title)}</a></span><div class="link-bottom-line">{self.category(self.board(topic))}</div></td>'
            f'<td class="replies"><span class="posts" title="posts">{len(topic.posts)}</span></td><td class="views"><span class="views">'
            f"9</span></td><td>{self.told(topic.posts[-1].time)}</td></tr>"
            for n, topic in enumerate(topics, 1)
        )
        after = given(
            page < last,
            f'<span itemprop="name"><a itemprop="url" href="{base}?page={page + 1}" rel="next" class="btn">{_NEXT[self.language]}'
            "</a></span>",
        )
        before = (
            f'<span itemprop="name"><a itemprop="url" href="{base}?page={page - 1}" rel="prev" class="btn">← prev</a></span>'
            if page
            else ""
        )
        table = (
            '<div class="topic-list-container" itemscope itemtype="http://schema.org/ItemList"><table class="topic-list"><thead>'
            f"<tr><th>Topic</th><th></th></tr></thead><tbody>{rows}</tbody></table></div>"
        )
        return self.page(
            "Forum",
            f'{table}<div role="navigation" itemscope itemtype="http://schema.org/SiteNavigationElement" class="topic-list-bottom">'
            f"{before}{after}</div>",
        )

    def cooked(self, topic: Topic, post: Said) -> str:
        frames = {"p": "<p>{}</p>", "code": '<pre><code class="lang-auto">{}\n</code></pre>'}
        parts = [
            self.quotation(topic, post, part.lines[0]) if part.kind == "quote" else frames[part.kind].format("\n".join(part.lines))
            for part in post.parts
        ]
        if self.has("rough") and post.id % 5 == 0:
            parts.append(_PICTURE)
        return "\n".join(parts)

    def quotation(self, topic: Topic, post: Said, text: str) -> str:
        quoted = next(one for one in topic.posts if one.id == post.parent)
        return (
            f'<aside class="quote no-group" data-username="{attribute(quoted.author)}" data-post="{topic.posts.index(quoted) + 1}" '
            f'data-topic="{topic.number}"><div class="title"><div class="quote-controls"></div><img alt="" width="24" height="24" '
            f'src="/a.png" class="avatar"> {escape(quoted.author)}:</div><blockquote><p>{text}</p></blockquote></aside>'
        )

    def post(self, topic: Topic, post: Said) -> str:
        number, name = topic.posts.index(post) + 1, escape(post.author)
        comment = ' itemprop="comment" itemscope itemtype="http://schema.org/Comment"' if number > 1 and not self.old else ""
        utc = post.time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        likes = (
            '<div itemprop="interactionStatistic" itemscope itemtype="http://schema.org/InteractionCounter"><meta '
            f'itemprop="userInteractionCount" content="2"><span class="post-likes">{2 if post.id % 3 == 0 else ""} Likes</span></div>'
        )
        if self.old:
            return (
                f'<div itemscope itemtype="http://schema.org/DiscussionForumPosting" class="topic-body crawler-post" id="post_{number}">'
                '<div class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><span><a '
                f'href="{self.root}/u/{name}"><span itemprop="name">{name}</span></a></span><span class="crawler-post-infos"><time '
                f'itemprop="datePublished" datetime="{utc}" class="post-time">{self.told(post.time)}</time><span itemprop="position">'
                f'{number}</span></span></div><div class="post" itemprop="articleBody">{self.cooked(topic, post)}</div><meta '
                f'itemprop="headline" content="{attribute(topic.title)}">{likes}</div>'
            )
        return (
            f'<div id="post_{number}"{comment} class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" '
            'itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel="nofollow" '
            f'href="{self.root}/u/{name}"><span itemprop="name">{name}</span></a></span><link itemprop="mainEntityOfPage" '
            f'href="{self.root}{self.path(topic)}"><span class="crawler-post-infos"><time '
            f'{"itemprop=" + chr(34) + "datePublished" + chr(34) if comment else ""} datetime="{utc}" class="post-time">'
            f'{self.told(post.time)}</time><meta itemprop="dateModified" content="{utc}"><span itemprop="position">{number}</span></span>'
            f'</div><div class="post" itemprop="text">{self.cooked(topic, post)}</div>{likes}</div>'
        )

    def topic(self, topic: Topic, page: int) -> str | None:
        pages, link = chunks(topic.posts, _POSTS), f"{self.root}{self.path(topic)}"
        if not 1 <= page <= len(pages):
            return None
        after = (
            '<div role="navigation" itemscope itemtype="http://schema.org/SiteNavigationElement" class="topic-body crawler-post">'
            f'<span itemprop="name"><a rel="next" itemprop="url" href="{self.path(topic)}?page={page + 1}">{_NEXT[self.language]}'
            "</a></span></div>"
        )
        before = (
            f'<span itemprop="name"><a rel="prev" itemprop="url" href="{self.path(topic)}?page={page - 1}">← prev</a></span>'
            if page > 1
            else ""
        )
        posts = "".join(self.post(topic, post) for post in pages[page - 1])
        board = self.board(topic)
        about = (
            '<div itemscope itemtype="http://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="'
            f'{attribute(topic.title)}"><link itemprop="url" href="{link}"><meta itemprop='
            f'"datePublished" content="{topic.posts[0].time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"><meta itemprop="articleSection" '
            f'content="{attribute(board.title)}">{posts}</div>'
        )
        title = (
            f'<div id="topic-title"><h1><a href="{self.path(topic)}">{escape(topic.title)}</a></h1><div class="topic-category">'
            f"{self.category(board)}</div></div>"
        )
        related = "".join(
            f'<tr class="topic-list-item"><td class="main-link"><span class="link-top-line"><a itemprop="url" href="{self.root}'
            f'{self.path(one)}" class="title raw-link raw-topic-link">{escape(one.title)}</a></span></td></tr>'
            for one in self.topics[:3]
            if one is not topic
        )
        suggested = given(
            self.has("related"),
            f'<div id="related-topics" class="more-topics__list"><h3>Related topics</h3><table class="topic-list"><tbody>{related}'
            "</tbody></table></div>",
        )
        head = f'<link rel="canonical" href="{link}{f"?page={page}" if page > 1 else ""}" />' + (
            f'\n<link rel="next" href="{link}?page={page + 1}">' if page < len(pages) else ""
        )
        head += (
            f'\n<meta property="og:title" content="{attribute(topic.title)}" />\n<meta property="article:published_time" content="'
            f'{topic.posts[0].time.astimezone(UTC).isoformat()}" />'
        )
        return self.page(
            f"{topic.title} - {board.title} - Forum",
            f"{title}{about if not self.old else posts}{before}{after if page < len(pages) else ''}{suggested}",
            head,
        )

    # the interface for programs

    def told_topic(self, topic: Topic) -> dict[str, Any]:
        first, last = (post.time.astimezone(UTC).isoformat() for post in (topic.posts[0], topic.posts[-1]))
        return {
            "id": topic.number, "title": topic.title, "slug": slug(topic.title), "posts_count": len(topic.posts), "created_at": first,
            "last_posted_at": last, "pinned": topic.kind == "announcement", "category_id": topic.board,
        }  # fmt: skip

    def told_post(self, topic: Topic, post: Said) -> dict[str, Any]:
        answered = next((at for at, one in enumerate(topic.posts, 1) if one.id == post.parent), None)
        return {
            "id": post.id, "username": post.author, "name": "", "created_at": post.time.astimezone(UTC).isoformat(),
            "cooked": self.cooked(topic, post), "post_number": topic.posts.index(post) + 1, "post_type": 1,
            "reply_to_post_number": answered, "topic_id": topic.number, "topic_slug": slug(topic.title),
        }  # fmt: skip


def _with_names(board: Board) -> Board:
    """Names have no blanks here."""
    topics = tuple(
        replace(topic, posts=tuple(replace(post, author=post.author.replace(" ", "_"), signature="", edited=None) for post in topic.posts))
        for topic in board.topics
    )
    return replace(board, topics=topics)


def _answer(forum: _Forum, request: Request) -> Answer | None:
    path, query = request.path, request.query
    page = int(query.get("page", "0") or 0)
    lists = chunks(forum.topics, _TOPICS)
    if path in ("/", "/latest"):
        return html_answer(forum.listing(lists[page] if page < len(lists) else (), page, len(lists) - 1, "/latest"))
    if path == "/latest.json":
        if forum.has("no-api"):
            return json_answer({"errors": ["not allowed"], "error_type": "invalid_access"}, status=403)
        more = {"more_topics_url": f"/latest?no_definitions=true&page={page + 1}"} if page + 1 < len(lists) else {}
        topics = [forum.told_topic(topic) for topic in lists[page]] if page < len(lists) else []
        return json_answer({"users": [], "topic_list": {"per_page": _TOPICS, "topics": topics, **more}})
    parts = [part for part in path.removesuffix(".json").split("/") if part]
    if not parts or parts[0] != "t" or not parts[-1].isdigit():
        return None
    topic = next((one for one in forum.topics if one.number == int(parts[-1])), None)
    if topic is None:
        return None
    if path.endswith(".json"):
        posts = chunks(topic.posts, _POSTS)
        at = max(page, 1) - 1
        if forum.has("no-api") or at >= len(posts):
            return json_answer({"errors": ["not allowed"]}, status=403 if forum.has("no-api") else 404)
        told = [forum.told_post(topic, post) for post in posts[at]]
        return json_answer({"post_stream": {"posts": told, "stream": [post.id for post in topic.posts]}, **forum.told_topic(topic)})
    text = forum.topic(topic, max(page, 1))
    return html_answer(text) if text else None


def site(root: str, variation: Variation) -> Made:
    forum = _Forum(root, variation)
    made = Made(answer=partial(_answer, forum), identity=r"/t/[^/]+/(\d+)")
    for topic in forum.topics:
        made.truths.append(truth_of_topic(root + forum.path(topic), topic, parents=True))
    return made
