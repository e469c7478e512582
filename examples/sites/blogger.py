"""Blogger: the first layouts theme, later ones, the page for telephones, and the feed by which everything can be had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from webarticlecurator.example_portal.answers import Answer, Request

from .content import Part, Post, Said, blog_posts, children, written
from .feeds import atom
from .site import Made, Variation, chunks, document, escape, json_answer, truth_of_post, truth_on_index, typed, untitled, written_parts

_WORDS = {
    "hu": ("Bejegyezte:", "Címkék:", "megjegyzés", "Régebbi bejegyzések", "Tovább olvasom »", "Válasz", "írta...", "Megjegyzés küldése",
           "dátum:"),
    "de": ("Eingestellt von", "Labels:", "Kommentare", "Ältere Posts", "Mehr anzeigen »", "Antworten", "hat gesagt…",
           "Kommentar veröffentlichen", "um"),
    "en": ("Posted by", "Labels:", "comments", "Older Posts", "Read more »", "Reply", "said...", "Post a Comment", "at"),
    "fr": ("Publié par", "Libellés :", "commentaires", "Articles plus anciens", "Lire la suite »", "Répondre", "a dit…",
           "Enregistrer un commentaire", "à"),
}  # fmt: skip
_HEADERS = {"hu": "y. MMMM d., EEEE", "de": "EEEE, d. MMMM y", "en": "EEEE, MMMM d, y", "fr": "EEEE d MMMM y"}
_CLOCKS = {"hu": "H:mm", "de": "HH:mm", "en": "h:mm a", "fr": "HH:mm"}
_COMMENT_TIMES = {"hu": "y. MMMM d. H:mm", "de": "d. MMMM y 'um' HH:mm", "en": "MMMM d, y 'at' h:mm a", "fr": "d MMMM y 'à' HH:mm"}
_FRAMES = {
    "p": "<div>{}</div>",
    "picture": '<table align="center" cellpadding="0" cellspacing="0" class="tr-caption-container"><tbody><tr><td><a href="/kep.jpg">'
    '<img border="0" src="/kep.jpg" /></a></td></tr><tr><td class="tr-caption">{}</td></tr></tbody></table>',
}
_PER_PAGE = 5


class _Blog:
    def __init__(self, root: str, variation: Variation) -> None:
        self.root, self.theme, self.language, self.has = root, variation.theme, variation.language, variation.has
        self.posts = tuple(reversed(blog_posts(variation.voice, 17, comments=not self.has("no-comments"), authors=2)))
        if self.has("untitled"):
            self.posts = untitled(self.posts)
        self.words = _WORDS[self.language]

    def path(self, post: Post) -> str:
        return f"/{post.time:%Y/%m}/{post.slug}.html"

    def url(self, post: Post) -> str:
        return self.root + self.path(post)

    def id(self, number: int) -> int:
        return 4_000_000_000_000_000_000 + number * 1_234_567

    def cut(self, post: Post) -> bool:
        """Whether the index has the beginning only, and a link to the rest."""
        return self.has("jump") and post.number % 2 == 0 and len(post.parts) > 1

    def body(self, post: Post, parts: Sequence[Part] | None = None) -> str:
        if self.has("breaks"):  # old posts are one text with line breaks
            shown = [(part.kind, written_parts([part], {**_FRAMES, "p": "{}"})) for part in parts or post.parts]
            return "".join(text + ("<br /><br />" if kind == "p" else "") for kind, text in shown)
        return written_parts(parts or post.parts, _FRAMES)

    # posts

    def post(self, post: Post, *, index: bool) -> str:
        return _POSTS[self.theme](self, post, index)

    def content(self, post: Post, index: bool) -> str:
        if index and self.cut(post):
            return f'{self.body(post, post.parts[:1])}<a name="more"></a>'
        return self.body(post)

    def jump(self, post: Post, index: bool) -> str:
        return f'<div class="jump-link"><a href="{self.url(post)}#more">{self.words[4]}</a></div>' if index and self.cut(post) else ""

    def labels(self, post: Post) -> str:
        return ",\n".join(f'<a href="{self.root}/search/label/{tag}" rel="tag">{escape(tag)}</a>' for tag in post.tags)

    def header(self, post: Post) -> str:
        return written(post.time, self.language, _HEADERS[self.language])

    def clock(self, post: Post) -> str:
        return written(post.time, self.language, _CLOCKS[self.language])

    def days(self, posts: Sequence[Post], *, index: bool) -> str:
        """Posts below the date of their day, which is written once."""
        out = []
        for _day, group in groupby(posts, key=lambda post: post.time.date()):
            same = list(group)
            inner = "".join(
                f'<div class="post-outer">{self.post(post, index=index)}{"" if index else self.comments(post)}</div>' for post in same
            )
            header = f'<h2 class="date-header"><span>{self.header(same[0])}</span></h2>'
            out.append(f'<div class="date-outer">\n{header}\n<div class="date-posts">\n{inner}\n</div></div>')
        return f'<div class="blog-posts hfeed">{"".join(out)}</div>'

    # comments

    def comments(self, post: Post) -> str:
        title = f"<h4>{len(post.comments)} {self.words[2]}:</h4>"
        if self.has("flat-comments"):
            inner = f'<dl class="avatar-comment-indent" id="comments-block">{"".join(map(self.flat, post.comments))}</dl>'
        else:
            inner = (
                '<div class="comments-content"><div id="comment-holder"><div id="top-ra"><ol id="top-ra-list">'
                f"{''.join(self.tree(children(post.comments)))}</ol></div></div></div>"
            )
        name = "comments"
        form = f'<p class="comment-footer"><a href="https://www.blogger.example/comment">{self.words[7]}</a></p>'
        return f'<div class="comments" id="{name}"><a name="comments"></a>{title}{inner if post.comments else ""}{form}</div>'

    def text(self, one: Said) -> str:
        return "<br /><br />".join(part.lines[0] for part in one.parts)

    def when(self, one: Said) -> str:
        return written(one.time, self.language, _COMMENT_TIMES[self.language])

    def flat(self, one: Said) -> str:
        profile = f'<a href="https://www.blogger.example/profile/{one.id}" rel="nofollow">{escape(one.author)}</a>'
        who = profile if one.id % 4 else escape(one.author)  # who has no profile has no link
        return (
            f'<dt class="comment-author " id="c{self.id(one.id)}"><a name="c{self.id(one.id)}"></a><div class="avatar-image-container '
            f'avatar-stock"><span dir="ltr"><img src="/a.png" alt="" /></span></div>{who} {self.words[6]}</dt><dd class="comment-body" '
            f'id="Blog1_cmt-{self.id(one.id)}"><p>{self.text(one)}</p></dd><dd class="comment-footer"><span class="comment-timestamp"><a '
            f'href="#c{self.id(one.id)}" title="comment permalink">{self.when(one)}</a><span class="item-control"></span></span></dd>'
        )

    def tree(self, tree: Any, parent: int | None = None) -> list[str]:
        return [
            f'<li class="comment" id="c{self.id(one.id)}"><div class="avatar-image-container"><img src="/a.png" alt="" /></div><div '
            f'class="comment-block"><div class="comment-header"><cite class="user"><a href="https://www.blogger.example/profile/{one.id}" '
            f'rel="nofollow">{escape(one.author)}</a></cite><span class="icon user "></span><span class="datetime secondary-text"><a '
            f'rel="nofollow" href="#c{self.id(one.id)}">{self.when(one)}</a></span></div><p class="comment-content">{self.text(one)}</p>'
            f'<span class="comment-actions secondary-text"><a class="comment-reply" target="_self">{self.words[5]}</a></span></div><div '
            f'class="comment-replies">{self.replies(tree, one)}</div><div class="comment-replybox-single"></div></li>'
            for one in tree.get(parent, ())
        ]

    def replies(self, tree: Any, one: Said) -> str:
        inner = "".join(self.tree(tree, one.id))
        return inner and (
            f'<div id="c{self.id(one.id)}-rt" class="comment-thread inline-thread"><ol id="c{self.id(one.id)}-ra" '
            f'class="thread-chrome thread-expanded">{inner}</ol></div>'
        )

    # pages

    def page(self, title: str, inner: str, older: str = "", *, mobile: bool = False, canonical: str = "") -> str:
        head = (
            f"<meta content='blogger' name='generator'/>\n<link href='{canonical or self.root + '/'}' rel='canonical'/>\n<link "
            f'rel="alternate" type="application/atom+xml" title="Blog - Atom" href="{self.root}/feeds/posts/default" />\n<link '
            'rel="service.post" type="application/atom+xml" title="Blog - Atom" href="https://www.blogger.example/feeds/7/posts/default" '
            "/>"
        )
        old = (
            f"<a class='blog-pager-older-link' href='{older}' id='Blog1_blog-pager-older-link' title='{self.words[3]}'>{self.words[3]}</a>"
            if older
            else ""
        )
        pager = (
            f"<div class='blog-pager' id='blog-pager'><span id='blog-pager-older-link'>{old}</span><a class='home-link' href='"
            f"{self.root}/'>Home</a></div>"
        )
        if mobile:
            link = f"<div class='mobile-link-button' id='blog-pager-older-link'>{old}</div>" if older else ""
            pager = (
                f"<div class='blog-pager' id='blog-pager'>{link}<div class='mobile-link-button' id='blog-pager-home-link'><a "
                f"class='home-link' href='{self.root}/?m=1'>Home</a></div><div class='mobile-desktop-link'><a class='home-link' href='"
                f"{canonical or self.root + '/'}?m=0'>Web</a></div></div>"
            )
        recent = "".join(f"<li><a href='{self.url(post)}'>{escape(post.title)}</a></li>" for post in self.posts[:4])
        archive = (
            "<div class='widget BlogArchive' id='BlogArchive1'><h2>Archive</h2><div class='widget-content'><ul class='posts'>"
            f"{recent}</ul></div></div>"
        )
        side = "" if mobile else f"<div class='sidebar' id='sidebar'>{archive}</div>"
        main = f"<div class='main section' id='main'><div class='widget Blog' data-version='1' id='Blog1'>{inner}{pager}</div></div>"
        return document(
            title,
            f"<div class='content'><h1 class='title'>Blog</h1>{main}{side}</div>",
            language=self.language,
            head=head,
            classes="loading",
        )


def _layouts(blog: _Blog, post: Post, index: bool) -> str:
    """The first theme made of gadgets: hAtom, `h3`, the moment in an `abbr`."""
    title = f"<a href='{blog.url(post)}'>{escape(post.title)}</a>" if index else escape(post.title)
    labels = f"<span class='post-labels'>{blog.words[1]}\n{blog.labels(post)}</span>" if post.tags else "<span class='post-labels'></span>"
    return (
        f"<div class='post hentry'><a name='{blog.id(post.number)}'></a><h3 class='post-title entry-title'>{title}</h3><div "
        "class='post-header'><div class='post-header-line-1'></div></div><div class='post-body entry-content' "
        f"id='post-body-{blog.id(post.number)}'>{blog.content(post, index)}<div style='clear: both;'></div></div>"
        f"{blog.jump(post, index)}<div class='post-footer'><div class='post-footer-line post-footer-line-1'><span class='post-author "
        f"vcard'>{blog.words[0]}\n<span class='fn'>{escape(post.author)}</span></span> <span class='post-timestamp'>{blog.words[8]}\n<a "
        f"class='timestamp-link' href='{blog.url(post)}' rel='bookmark' title='permanent link'><abbr class='published' "
        f"title='{post.time.isoformat()}'>{blog.clock(post)}</abbr></a></span> <span class='post-comment-link'><a class='comment-link' "
        f"href='{blog.url(post)}#comments'>{len(post.comments)} {blog.words[2]}</a></span></div><div class='post-footer-line "
        f"post-footer-line-2'>{labels}</div></div></div>"
    )


def _designer(blog: _Blog, post: Post, index: bool) -> str:
    """Of 2012 and later: Schema.org attributes."""
    title = f"<a href='{blog.url(post)}'>{escape(post.title)}</a>" if index else escape(post.title)
    labels = f"<span class='post-labels'>{blog.words[1]}\n{blog.labels(post)}</span>" if post.tags else "<span class='post-labels'></span>"
    kind = "" if index else " itemprop='description articleBody'"
    return (
        "<div class='post hentry uncustomized-post-template' itemprop='blogPost' itemscope='itemscope' itemtype='http://schema.org/BlogPos"
        f"ting'><meta content='7' itemprop='blogId'/><meta content='{blog.id(post.number)}' itemprop='postId'/><a "
        f"name='{blog.id(post.number)}'></a><h3 class='post-title entry-title' itemprop='name'>{title}</h3><div class='post-header'></div>"
        f"<div class='post-body entry-content' id='post-body-{blog.id(post.number)}'{kind}>{blog.content(post, index)}</div>"
        f"{blog.jump(post, index)}<div class='post-footer'><div class='post-footer-line post-footer-line-1'><span class='post-author "
        f"vcard'>{blog.words[0]}\n<span class='fn' itemprop='author' itemscope='itemscope' itemtype='http://schema.org/Person'><meta "
        "content='https://www.blogger.example/profile/1' itemprop='url'/><a class='g-profile' href='https://www.blogger.example/profile/1'"
        f" rel='author' title='author profile'><span itemprop='name'>{escape(post.author)}</span></a></span></span> <span "
        f"class='post-timestamp'>{blog.words[8]}\n<meta content='{blog.url(post)}' itemprop='url'/><a class='timestamp-link' "
        f"href='{blog.url(post)}' rel='bookmark' title='permanent link'><abbr class='published' itemprop='datePublished' "
        f"title='{post.time.isoformat()}'>{blog.clock(post)}</abbr></a></span></div><div class='post-footer-line post-footer-line-2'>"
        f"{labels}</div><div class='post-share-buttons goog-inline-block'><a class='goog-inline-block share-button sb-email' "
        "href='https://www.blogger.example/share'><span class='share-button-link-text'>Email</span></a></div></div></div>"
    )


def _article(blog: _Blog, post: Post, index: bool) -> str:
    """Contempo and its like: `article`, `time`, no header of days."""
    title = f"<a href='{blog.url(post)}'>{escape(post.title)}</a>" if index else escape(post.title)
    level = "h3" if index else "h1"
    moment = written(post.time, blog.language, _HEADERS[blog.language])
    snippet = f"<div class='post-body entry-content' id='post-body-{blog.id(post.number)}'>{blog.content(post, index)}</div>"
    if index:
        snippet = (
            f"<div class='container post-body entry-content' id='post-snippet-{blog.id(post.number)}'><div class='post-snippet "
            f"snippet-container r-snippet-container'><div class='snippet-item r-snippetized'>{escape(post.summary)}</div></div>"
            f"</div><div class='jump-link flat-button'><a href='{blog.url(post)}'>{blog.words[4]}</a></div>"
        )
    byline = (
        "<div class='post-header'><div class='post-header-line-1'><span class='byline post-author vcard'><span class='post-author-label'>"
        f"{blog.words[0]}</span> <span class='fn'><meta content='https://www.blogger.example/profile/1'/><a class='g-profile' "
        f"href='https://www.blogger.example/profile/1' rel='author'><span>{escape(post.author)}</span></a></span></span> <span "
        f"class='byline post-timestamp'><meta content='{blog.url(post)}'/><a class='timestamp-link' href='{blog.url(post)}' "
        f"rel='bookmark' title='permanent link'><time class='published' datetime='{post.time.isoformat()}' "
        f"title='{post.time.isoformat()}'>{moment}</time></a></span></div></div>"
    )
    labels = (
        f"<span class='byline post-labels'><span class='byline-label'>{blog.words[1]}</span> {blog.labels(post)}</span>"
        if post.tags
        else ""
    )
    return (
        f"<article class='post-outer-container'><div class='post'><a name='{blog.id(post.number)}'></a><{level} "
        f"class='post-title entry-title'>{title}</{level}>{byline}{snippet}<div class='post-bottom'><div class='post-footer'>"
        f"<div class='post-footer-line'>{labels}</div></div></div></div></article>"
    )


_POSTS = {"layouts": _layouts, "designer": _designer, "contempo": _article}


def _feed(blog: _Blog, request: Request) -> Answer | None:
    query = request.query
    if request.path.startswith(("/search", "/")) and "updated-max" in query:
        return blog_page(blog, query)
    if request.path.rstrip("/") != "/feeds/posts/default" or blog.has("no-feed"):
        return None
    start, size = int(query.get("start-index", "1") or 1), min(int(query.get("max-results", "25") or 25), 150)
    posts = blog.posts[start - 1 : start - 1 + size]
    own = f"{blog.root}/feeds/posts/default"
    counts = (
        f"<openSearch:totalResults>{len(blog.posts)}</openSearch:totalResults><openSearch:startIndex>{start}"
        f"</openSearch:startIndex><openSearch:itemsPerPage>{size}</openSearch:itemsPerPage>"
    )
    if start - 1 + size < len(blog.posts):
        counts += f"<link rel='next' type='application/atom+xml' href='{own}?start-index={start + size}&amp;max-results={size}'/>"
    if query.get("alt") == "json":
        entries = [
            {
                "id": {"$t": f"tag:blogger.example,1999:blog-7.post-{blog.id(post.number)}"},
                "published": {"$t": post.time.isoformat()},
                "title": {"type": "text", "$t": post.title},
                "content": {"type": "html", "$t": blog.body(post)},
                "author": [{"name": {"$t": post.author}}],
                "link": [{"rel": "alternate", "type": "text/html", "href": blog.url(post), "title": post.title}],
                "category": [{"term": tag} for tag in post.tags],
            }
            for post in posts
        ]
        return json_answer(
            {
                "feed": {
                    "openSearch$totalResults": {"$t": str(len(blog.posts))},
                    "openSearch$startIndex": {"$t": str(start)},
                    "entry": entries,
                }
            }
        )
    return typed(
        "application/atom+xml; charset=UTF-8", atom("Blog", own, [(blog.url(post), post, blog.body(post)) for post in posts], counts)
    )


def blog_page(blog: _Blog, query: dict[str, str]) -> Answer | None:
    """The page whose newest post was written before that moment; the pages were rendered with exactly these addresses."""
    until = query["updated-max"]
    posts = [post for post in blog.posts if post.time.isoformat() < until][:_PER_PAGE]
    return typed("text/html; charset=utf-8", _index(blog, posts, mobile=query.get("m") == "1")) if posts else None


def _index(blog: _Blog, posts: Sequence[Post], *, mobile: bool) -> str:
    at = blog.posts.index(posts[-1])
    older = ""
    if at + 1 < len(blog.posts):
        until = posts[-1].time.isoformat().replace("+", "%2B").replace(":", "%3A")
        older = f"{blog.root}/search?updated-max={until}&amp;max-results={_PER_PAGE}" + ("&amp;m=1" if mobile or blog.has("mixed") else "")
    if mobile:
        inner = "".join(
            f"<div class='mobile-date-outer date-outer'><div class='date-header'><span>{blog.header(post)}</span></div>"
            f"<div class='mobile-post-outer'><a href='{blog.url(post)}?m=1'><h3 class='mobile-index-title entry-title' "
            f"itemprop='name'>{escape(post.title)}</h3><div class='mobile-index-arrow'>&rsaquo;</div>"
            "<div class='mobile-index-contents'><div class='mobile-index-thumbnail'></div>"
            f"<div class='post-body'>{escape(post.summary)}...</div></div></a><div class='mobile-index-comment'></div></div></div>"
            for post in posts
        )
    elif blog.theme == "contempo":
        inner = f"<div class='blog-posts hfeed container'>{''.join(blog.post(post, index=True) for post in posts)}</div>"
    else:
        inner = blog.days(posts, index=True)
    return blog.page("Blog", inner, older, mobile=mobile)


def site(root: str, variation: Variation) -> Made:
    blog = _Blog(root, variation)
    made = Made(answer=partial(_feed, blog), home="/?m=1" if blog.has("mobile-home") else "/")
    pages = chunks(blog.posts, _PER_PAGE)
    for suffix, mobile in (("", False), ("?m=1", True)):
        made.page("/" + suffix, _index(blog, pages[0], mobile=mobile))
    if blog.theme != "contempo":
        made.indexes["/"] = [truth_on_index(truth_of_post(blog.url(post), post), post, cut=blog.cut(post)) for post in pages[0]]
        for before, posts in pairwise(pages):
            until = before[-1].time.isoformat().replace("+", "%2B").replace(":", "%3A")
            made.indexes[f"/search?updated-max={until}&max-results={_PER_PAGE}"] = [
                truth_on_index(truth_of_post(blog.url(post), post), post, cut=blog.cut(post)) for post in posts
            ]
    for post in blog.posts:
        for suffix, mobile in (("", False), ("?m=1", True), ("?m=0", False)):
            days = blog.days([post], index=False) if blog.theme != "contempo" else blog.post(post, index=False) + blog.comments(post)
            made.page(blog.path(post) + suffix, blog.page(f"Blog: {post.title}", days, mobile=mobile, canonical=blog.url(post)))
        made.truths.append(truth_of_post(blog.url(post), post))
        if blog.has("flat-comments"):
            made.truths[-1] = replace(made.truths[-1], parents=False)
    return made
