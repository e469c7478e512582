"""WordPress: classic themes, block themes, its interface for programs, its feed and its sitemap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC
from functools import partial
from math import ceil
from typing import Any
from urllib.parse import quote

from webarticlecurator.example_portal.answers import Answer, Request

from .content import Part, Post, Said, blog_posts, children, slug, written
from .feeds import rss, sitemap, sitemap_index
from .site import Made, Variation, attribute, chunks, document, escape, json_answer, truth_of_post, truth_on_index, untitled, written_parts

_WORDS = {
    "hu": ("szerint:", "{} - {}", "Közzétéve", "Szerző:", "Kategória:", "Válasz", "hozzászólás", "Szólj hozzá!", "Régebbi", "Újabb"),
    "de": (
        "sagt:",
        "{} um {} Uhr",
        "Veröffentlicht am",
        "von",
        "Kategorisiert in",
        "Antworten",
        "Kommentare",
        "Kommentar schreiben",
        "Ältere",
        "Neuere",
    ),
    "en": ("says:", "{} at {}", "Posted on", "by", "Posted in", "Reply", "comments", "Leave a Reply", "Older", "Newer"),
    "fr": (
        "dit :",
        "{} à {}",
        "Publié le",
        "par",
        "Publié dans",
        "Répondre",
        "commentaires",
        "Laisser un commentaire",
        "Articles plus anciens",
        "Plus récents",
    ),
}
_DATES = {"hu": ("y. MMMM d.", "HH:mm"), "de": ("d. MMMM y", "HH:mm"), "en": ("MMMM d, y", "h:mm a"), "fr": ("d MMMM y", "H 'h' mm 'min'")}
_OTHER_DATES = {"hu": ("y-MM-dd", "HH:mm"), "de": ("dd.MM.y", "HH:mm"), "en": ("dd/MM/y", "HH:mm"), "fr": ("dd/MM/y", "HH:mm")}
_BLOCKS = {
    "h2": '<h2 class="wp-block-heading">{}</h2>',
    "ul": '<ul class="wp-block-list">\n{}\n</ul>',
    "quote": '<blockquote class="wp-block-quote is-layout-flow"><p>{}</p></blockquote>',
    "picture": '<figure class="wp-block-image size-large"><img decoding="async" src="/wp-content/uploads/kep.jpg" alt="" '
    'class="wp-image-7"/>'
    '<figcaption class="wp-element-caption">{}</figcaption></figure>',
}
_BLOCKS |= {
    "code": '<pre class="wp-block-code"><code>{}</code></pre>',
    "table": '<figure class="wp-block-table"><table><tbody>{}</tbody></table></figure>',
}
_CLASSIC = {
    "picture": '<div id="attachment_7" style="width: 310px" class="wp-caption aligncenter"><a href="/wp-content/uploads/kep.jpg">'
    '<img class="size-medium wp-image-7" src="/wp-content/uploads/kep-300x200.jpg" width="300" height="200" /></a>'
    '<p id="caption-attachment-7" class="wp-caption-text">{}</p></div>'
}
_MORE = {"hu": "Tovább olvasom", "de": "Weiterlesen", "en": "Continue reading", "fr": "Lire la suite"}
_PAGES = {"hu": "Oldalak:", "de": "Seiten:", "en": "Pages:", "fr": "Pages :"}
_FN, _REL, _NAME = 'class="url fn n"', 'rel="author"', 'target="_self" class="wp-block-post-author-name__link"'
_PER_PAGE, _COMMENTS_PER_PAGE = 5, 3


class _Blog:
    """One WordPress while it is rendered."""

    def __init__(self, root: str, variation: Variation) -> None:
        self.root = f"{root}/blog" if variation.has("folder") else root
        self.variation, self.language = variation, variation.language
        self.has = variation.has
        count = 105 if self.has("api-half") else 16
        self.posts = tuple(reversed(blog_posts(variation.voice, count, comments=not self.has("no-comments"))))
        if self.has("untitled"):
            self.posts = untitled(self.posts)
        self.words = _WORDS[self.language]
        self.dates = (_OTHER_DATES if self.has("numeric-dates") else _DATES)[self.language]
        self.theme: Theme = THEMES[variation.theme]
        self.index = "/blog/" if self.has("static-front") else "/"
        self.part = 1
        """Of posts on several pages the one that is rendered."""

    # addresses

    def path(self, post: Post) -> str:
        if self.has("plain"):
            return f"/?p={post.number}"
        if self.has("numbers"):
            return f"/archives/{post.number}"
        name = quote(f"{post.title[:12].strip().lower()}-{post.number}".replace(" ", "-")).lower() if self.has("own-letters") else post.slug
        return f"/{name}/" if self.has("names") else f"/{post.time:%Y/%m}/{name}/"

    def url(self, post: Post) -> str:
        return self.root + self.path(post)

    def paged(self, base: str, page: int) -> str:
        if page == 1:
            return base
        return f"{base}{'&' if '?' in base else '?'}paged={page}" if self.has("plain") else f"{base}page/{page}/"

    def comment_page(self, post: Post, page: int) -> str:
        return f"{self.path(post)}&cpage={page}" if self.has("plain") else f"{self.path(post)}comment-page-{page}/"

    # pieces

    def day(self, post: Post | Said) -> str:
        return written(post.time, self.language, self.dates[0])

    def clock(self, post: Post | Said) -> str:
        return written(post.time, self.language, self.dates[1])

    def body(self, post: Post) -> str:
        return self.written(post, post.parts)

    def written(self, post: Post, parts: Sequence[Part]) -> str:
        return written_parts(parts, _BLOCKS if self.theme.blocks or post.number % 2 else _CLASSIC)

    def cut(self, post: Post) -> bool:
        """Whether the index has the beginning only."""
        return self.has("more") and post.number % 2 == 0 and len(post.parts) > 1

    def on_index(self, post: Post) -> str:
        if not self.cut(post):
            return self.body(post)
        more = (
            f'<p><a href="{self.url(post)}#more-{post.number}" class="more-link">{_MORE[self.language]} <span class="screen-reader-text">'
            f"{escape(post.title)}</span></a></p>"
        )
        return self.written(post, post.parts[:1]) + more

    def parted(self, post: Post) -> bool:
        """Whether the post is on two pages."""
        return self.has("pages") and post.number % 3 == 0 and len(post.parts) > 2

    def shown(self, post: Post) -> str:
        """The text on the post's own page, or on its second."""
        if not self.parted(post):
            return self.body(post) + self.jetpack(post)
        half = len(post.parts) // 2
        second = f"{self.url(post)}2/"
        links = ['<span class="post-page-numbers current" aria-current="page">{}</span>', '<a href="{}" class="post-page-numbers">{}</a>']
        if self.part == 1:
            links = [links[0].format(1), links[1].format(second, 2)]
        else:
            links = [links[1].format(self.url(post), 1), links[0].format(2)]
        parts = post.parts[:half] if self.part == 1 else post.parts[half:]
        return f'{self.written(post, parts)}<div class="page-links">{_PAGES[self.language]} {" ".join(links)}</div>{self.jetpack(post)}'

    def classes(self, post: Post) -> str:
        tags = "".join(f" tag-{slug(tag)}" for tag in post.tags)
        return f"post-{post.number} post type-post status-publish format-standard hentry category-{slug(post.section)}{tags}"

    def terms(self, post: Post) -> tuple[str, str]:
        category = f'<a href="{self.root}/category/{slug(post.section)}/" rel="category tag">{escape(post.section)}</a>'
        tags = ", ".join(f'<a href="{self.root}/tag/{slug(tag)}/" rel="tag">{escape(tag)}</a>' for tag in post.tags)
        return category, tags

    def author(self, post: Post, classes: str) -> str:
        return f'<a {classes} href="{self.root}/author/{slug(post.author)}/">{escape(post.author)}</a>'

    def jetpack(self, post: Post) -> str:
        if not self.has("jetpack"):
            return ""
        other = self.posts[(self.posts.index(post) + 1) % len(self.posts)]
        return (
            '<div class="sharedaddy sd-sharing-enabled"><div class="robots-nocontent sd-block sd-social sd-sharing"><h3 class="sd-title">'
            'Share this:</h3><div class="sd-content"><ul><li class="share-twitter"><a class="share-twitter sd-button" '
            'href="?share=twitter">'
            '<span>Twitter</span></a></li></ul></div></div></div><div id="jp-relatedposts" class="jp-relatedposts"><h3 '
            'class="jp-relatedposts'
            f'-headline"><em>Related</em></h3><a href="{self.url(other)}">{escape(other.title)}</a></div>'
        )

    def head(self, post: Post | None = None) -> str:
        lines = [f'<meta name="generator" content="WordPress {self.theme.version}" />']
        lines.append(f'<link rel="alternate" type="application/rss+xml" title="Feed" href="{self.root}/feed/" />')
        lines.append(f'<link rel="https://api.w.org/" href="{self.root}/wp-json/" />' if self.theme.version >= "4.4" else "")
        lines.append("<link rel='stylesheet' id='theme-css' href='/wp-content/themes/theme/style.css' type='text/css' media='all' />")
        if post:
            lines.append(f'<link rel="canonical" href="{self.url(post)}" />')
            lines.append(f"<link rel='shortlink' href='{self.root}/?p={post.number}' />")
        if post and self.has("seo"):
            lines += [
                f'<meta property="og:title" content="{attribute(post.title)} - Blog" />',
                '<meta property="og:type" content="article" />',
                f'<meta property="article:published_time" content="{post.time.astimezone(UTC).isoformat()}" />',
                f'<meta name="author" content="{attribute(post.author)}" />',
            ]
        return "\n".join(filter(None, lines))

    def sidebar(self) -> str:
        recent = "".join(f'<li><a href="{self.url(post)}">{escape(post.title)}</a></li>' for post in self.posts[:3])
        months = sorted({f"{post.time:%Y/%m}" for post in self.posts}, reverse=True)
        listed = "".join(f'<li><a href="{self.root}/{month}/">{month}</a></li>' for month in months)
        return (
            '<aside id="secondary" class="sidebar widget-area"><section id="recent-posts-2" class="widget widget_recent_entries">'
            f"<ul>{recent}"
            f'</ul></section><section id="archives-2" class="widget widget_archive"><ul>{listed}</ul></section></aside>'
        )

    def shell(self, title: str, inner: str, classes: str, post: Post | None = None) -> str:
        body = (
            f'<div id="page" class="site"><header id="masthead" class="site-header"><p class="site-title"><a href="{self.root}/" '
            'rel="home">Blog'
            f'</a></p></header>\n{inner}\n<footer id="colophon" class="site-footer">WordPress</footer></div>'
        )
        return document(f"{title} – Blog", body, language=self.language, head=self.head(post), classes=classes)

    # pages

    def comments(self, post: Post, page: int = 0) -> str:
        """All, or the page of them; pages are counted from the oldest."""
        if not post.comments:
            return ""
        tree = children(post.comments)
        tops = chunks(tree[None], _COMMENTS_PER_PAGE) if page else [tree[None]]
        shown = tops[max(page, 1) - 1]
        listed = self.theme.comment_list(self, [self.theme.comment(self, post, one, tree, 1) for one in shown])
        title = f"{len(post.comments)} {self.words[6]}: “{escape(post.title)}”"
        older = f"{self.comment_page(post, page - 1)}#comments" if page > 1 else ""
        newer = f"{self.comment_page(post, page + 1)}#comments" if page and page < len(tops) else ""
        nav = self.theme.comment_pager(self, older, newer) if older or newer else ""
        return self.theme.comments.format(title=title, list=listed + nav, form=self.words[7])

    def single(self, post: Post, page: int = 0) -> str:
        at = self.posts.index(post)
        near = ""
        if at + 1 < len(self.posts):
            near = (
                f'<div class="nav-previous"><a href="{self.url(self.posts[at + 1])}" rel="prev"><span class="post-title">'
                f"{escape(self.posts[at + 1].title)}</span></a></div>"
            )
        if at:
            near += (
                f'<div class="nav-next"><a href="{self.url(self.posts[at - 1])}" rel="next"><span class="post-title">'
                f"{escape(self.posts[at - 1].title)}</span></a></div>"
            )
        nav = (
            '<nav class="navigation post-navigation"><h2 class="screen-reader-text">Post navigation</h2><div class="nav-links">'
            f"{near}</div></nav>"
        )
        inner = self.theme.single(self, post) + self.comments(post, page) + nav
        return self.shell(
            post.title, self.theme.around(self, inner), "post-template-default single single-post postid-" + str(post.number), post
        )

    def listing(self, posts: Sequence[Post], base: str, page: int, last: int) -> str:
        older = f"{self.root}{self.paged(base, page + 1)}" if page < last else ""
        newer = f"{self.root}{self.paged(base, page - 1)}" if page > 1 else ""
        inner = self.theme.index(self, posts) + self.theme.pager(self, older, newer, page, last)
        return self.shell("Blog", self.theme.around(self, inner), "home blog")


# --- themes ---


class Theme:
    """In the manner of Twenty Sixteen; others say what they do otherwise."""

    version, blocks, whole = "6.4.3", False, True
    comments = (
        '<div id="comments" class="comments-area"><h2 class="comments-title">{title}</h2>{list}<div id="respond" class="comment-respond">'
        '<h3 id="reply-title" class="comment-reply-title">{form}</h3><form id="commentform"><p class="comment-notes">E-mail</p>'
        "</form></div></div>"
    )

    def around(self, blog: _Blog, inner: str) -> str:
        return (
            '<div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main">'
            f"{inner}</main></div>{blog.sidebar()}</div>"
        )

    def meta(self, blog: _Blog, post: Post) -> str:
        words, (category, tags) = blog.words, blog.terms(post)
        tagged = f'<span class="tags-links"><span class="screen-reader-text">Tags </span>{tags}</span>' if tags else ""
        return (
            '<footer class="entry-footer"><span class="byline"><span class="author vcard"><img alt="" class="avatar" src="/a.png" />'
            f'<span class="screen-reader-text">{words[3]} </span>{blog.author(post, _FN)}</span></span>'
            f'<span class="posted-on"><span class="screen-reader-text">{words[2]} </span><a href="{blog.url(post)}" rel="bookmark">'
            f'<time class="entry-date published" datetime="{post.time.isoformat()}">{blog.day(post)}</time></a></span>'
            f'<span class="cat-links"><span class="screen-reader-text">{words[4]} </span>{category}</span>{tagged}</footer>'
        )

    def entry(self, blog: _Blog, post: Post, level: int) -> str:
        title = escape(post.title) if level == 1 else f'<a href="{blog.url(post)}" rel="bookmark">{escape(post.title)}</a>'
        return (
            f'<article id="post-{post.number}" class="{blog.classes(post)}"><header class="entry-header"><h{level} '
            f'class="entry-title">{title}'
            f'</h{level}></header><div class="entry-content">{blog.shown(post) if level == 1 else blog.on_index(post)}</div>'
            f"{self.meta(blog, post)}</article>"
        )

    def single(self, blog: _Blog, post: Post) -> str:
        return self.entry(blog, post, 1)

    def index(self, blog: _Blog, posts: Sequence[Post]) -> str:
        return "".join(self.entry(blog, post, 2) for post in posts)

    def pager(self, blog: _Blog, older: str, newer: str, page: int, last: int) -> str:
        links = f'<a class="prev page-numbers" href="{newer}">{blog.words[9]}</a>' if newer else ""
        links += (
            f'<span aria-current="page" class="page-numbers current"><span class="meta-nav screen-reader-text">Page </span>{page}</span>'
        )
        links += (
            f'<a class="page-numbers" href="{older}">{page + 1}</a><a class="next page-numbers" href="{older}">{blog.words[8]}</a>'
            if older
            else ""
        )
        return (
            (
                f'<nav class="navigation pagination"><h2 class="screen-reader-text">Posts navigation</h2><div class="nav-links">{links}'
                "</div></nav>"
            )
            if last > 1
            else ""
        )

    def comment_list(self, blog: _Blog, items: Sequence[str]) -> str:
        return f'<ol class="comment-list">{"".join(items)}</ol>'

    def comment_pager(self, blog: _Blog, older: str, newer: str) -> str:
        links = f'<div class="nav-previous"><a href="{older}">{blog.words[8]} {blog.words[6]}</a></div>' if older else ""
        links += f'<div class="nav-next"><a href="{newer}">{blog.words[9]} {blog.words[6]}</a></div>' if newer else ""
        return f'<nav class="navigation comment-navigation"><div class="nav-links">{links}</div></nav>'

    def comment(self, blog: _Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        who = (
            f"<a href='https://masik.example/' rel='external nofollow ugc' class='url'>{escape(one.author)}</a>"
            if one.id % 3 == 0
            else escape(one.author)
        )
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        nested = f'<ol class="children">{answers}</ol>' if answers else ""
        return (
            f'<li id="comment-{one.id}" class="comment even depth-{depth}"><article id="div-comment-{one.id}" class="comment-body"><footer '
            f'class="comment-meta"><div class="comment-author vcard"><img alt="" class="avatar" src="/a.png" /><b class="fn">{who}'
            "</b> <span "
            f'class="says">{blog.words[0]}</span></div><div class="comment-metadata"><a href="{blog.url(post)}#comment-{one.id}"><time '
            f'datetime="{one.time.isoformat()}">{told}</time></a></div></footer><div class="comment-content">'
            f"{written_parts(one.parts)}</div>"
            f'<div class="reply"><a rel="nofollow" class="comment-reply-link" href="?replytocom={one.id}#respond">{blog.words[5]}'
            f"</a></div></article>{nested}</li>"
        )


class TwentyTwentyOne(Theme):
    """Excerpts on the index; the date below the text, the author beside it; numbers lead to the pages of comments."""

    whole = False

    def comment_pager(self, blog: _Blog, older: str, newer: str) -> str:
        links = f'<a class="prev page-numbers" href="{older}">{blog.words[8]}</a>' if older else ""
        links += f'<a class="next page-numbers" href="{newer}">{blog.words[9]}</a>' if newer else ""
        return (
            '<nav class="navigation comments-pagination"><h2 class="screen-reader-text">Comments navigation</h2><div '
            f'class="nav-links">{links}</div></nav>'
        )

    def meta(self, blog: _Blog, post: Post) -> str:
        category, tags = blog.terms(post)
        tagged = f'<span class="tags-links">Tagged {tags}</span>' if tags else ""
        return (
            f'<footer class="entry-footer default-max-width"><div class="posted-by"><span class="posted-on">{blog.words[2]} <time '
            'class="entry-date '
            f'published updated" datetime="{post.time.isoformat()}">{blog.day(post)}</time></span><span class="byline">{blog.words[3]} '
            f'{blog.author(post, _REL)}</span></div><div class="post-taxonomies"><span class="cat-links">{blog.words[4]} {category} '
            f"</span>{tagged}</div></footer>"
        )

    def index(self, blog: _Blog, posts: Sequence[Post]) -> str:
        return "".join(
            f'<article id="post-{post.number}" class="{blog.classes(post)}"><header class="entry-header"><h2 class="entry-title '
            'default-max-width">'
            f'<a href="{blog.url(post)}">{escape(post.title)}</a></h2></header><div class="entry-content"><p>'
            f'{escape(post.summary)}… <a class="more-link" '
            f'href="{blog.url(post)}">… <span class="screen-reader-text">{escape(post.title)}</span></a></p></div><footer '
            'class="entry-footer"><span '
            f'class="posted-on"><time class="entry-date published" datetime="{post.time.isoformat()}">{blog.day(post)}</time></span>'
            "</footer></article>"
            for post in posts
        )


class TwentyTen(Theme):
    """Of 2010: `div.post.hentry`; times stand in a title only, those of comments in the text."""

    version = "3.0.1"
    comments = '<div id="comments"><h3 id="comments-title">{title}</h3>{list}<div id="respond"><h3 id="reply-title">{form}</h3></div></div>'

    def around(self, blog: _Blog, inner: str) -> str:
        return (
            f'<div id="main"><div id="container"><div id="content" role="main">{inner}</div></div><div id="primary" '
            f'class="widget-area">{blog.sidebar()}</div></div>'
        )

    def entry(self, blog: _Blog, post: Post, level: int) -> str:
        category, tags = blog.terms(post)
        title = escape(post.title) if level == 1 else f'<a href="{blog.url(post)}" rel="bookmark">{escape(post.title)}</a>'
        tagged = f'<span class="tag-links">{tags}</span>' if tags else ""
        return (
            f'<div id="post-{post.number}" class="{blog.classes(post)}"><h{level} class="entry-title">{title}</h{level}><div '
            'class="entry-meta"><span '
            f'class="meta-prep meta-prep-author">{blog.words[2]}</span> <a href="{blog.url(post)}" title="{blog.clock(post)}" '
            'rel="bookmark"><span '
            f'class="entry-date">{blog.day(post)}</span></a> <span class="meta-sep">{blog.words[3]}</span> <span class="author vcard">'
            f'{blog.author(post, _FN)}</span></div><div class="entry-content">'
            f"{blog.shown(post) if level == 1 else blog.on_index(post)}</div>"
            f'<div class="entry-utility"><span class="cat-links">{blog.words[4]} {category}</span> {tagged}</div></div>'
        )

    def pager(self, blog: _Blog, older: str, newer: str, page: int, last: int) -> str:
        links = f'<div class="nav-previous"><a href="{older}">&larr; {blog.words[8]}</a></div>' if older else ""
        links += f'<div class="nav-next"><a href="{newer}">{blog.words[9]} &rarr;</a></div>' if newer else ""
        return f'<div id="nav-below" class="navigation">{links}</div>'

    def comment_list(self, blog: _Blog, items: Sequence[str]) -> str:
        return f'<ol class="commentlist">{"".join(items)}</ol>'

    def comment(self, blog: _Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        nested = f"<ul class='children'>{answers}</ul>" if answers else ""
        return (
            f'<li class="comment even depth-{depth}" id="li-comment-{one.id}"><div id="comment-{one.id}"><div class="comment-author '
            'vcard"><img alt="" '
            f'class="avatar" src="/a.png" /> <cite class="fn">{escape(one.author)}</cite> <span class="says">{blog.words[0]}</span>'
            "</div><div "
            f'class="comment-meta commentmetadata"><a href="{blog.url(post)}#comment-{one.id}">{told}</a></div><div class="comment-body">'
            f'{written_parts(one.parts)}</div><div class="reply"><a rel="nofollow" class="comment-reply-link" href="#respond">'
            f"{blog.words[5]}</a></div></div>{nested}</li>"
        )


class Kubrick(TwentyTen):
    """Of 2005: a headline of the second level, a `small` line, `div.entry`; the core's own comments, without a box for their text."""

    version = "2.8.4"

    def entry(self, blog: _Blog, post: Post, level: int) -> str:
        category, tags = blog.terms(post)
        tagged = f'<p class="tags">Tags: {tags}</p>' if tags else ""
        return (
            f'<div class="{blog.classes(post)}" id="post-{post.number}"><h2><a href="{blog.url(post)}" rel="bookmark" '
            'title="Permanent Link">'
            f"{escape(post.title)}</a></h2><small>{blog.words[1].format(blog.day(post), blog.clock(post))} {blog.words[3]} "
            f"{escape(post.author)}</small>"
            f'<div class="entry">{blog.shown(post) if level == 1 else blog.on_index(post)}</div>{tagged}<p class="postmetadata">'
            f'{blog.words[4]} {category} | <a href="'
            f'{blog.url(post)}#respond">{blog.words[7]}</a></p></div>'
        )

    def pager(self, blog: _Blog, older: str, newer: str, page: int, last: int) -> str:
        return (
            '<div class="navigation"><div class="alignleft">'
            f"{f'<a href={chr(34)}{older}{chr(34)}>&laquo; {blog.words[8]}</a>' if older else ''}</div>"
            f'<div class="alignright">{f"<a href={chr(34)}{newer}{chr(34)}>{blog.words[9]} &raquo;</a>" if newer else ""}</div></div>'
        )

    def comment(self, blog: _Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        nested = f"<ul class='children'>{answers}</ul>" if answers else ""
        return (
            f'<li class="comment odd depth-{depth}" id="comment-{one.id}"><div id="div-comment-{one.id}" class="comment-body"><div '
            'class="comment-author '
            f'vcard"><cite class="fn">{escape(one.author)}</cite> <span class="says">{blog.words[0]}</span></div><div '
            'class="comment-meta commentmetadata">'
            f'<a href="{blog.url(post)}#comment-{one.id}">{told}</a></div>{written_parts(one.parts)}<div class="reply"><a '
            'class="comment-reply-link" '
            f'href="#respond">{blog.words[5]}</a></div></div>{nested}</li>'
        )


class TwentyTwentyThree(Theme):
    """A block theme: columns around each comment, the author without a link."""

    blocks, whole = True, False
    comments = (
        '<section class="wp-block-template-part"><div class="wp-block-comments"><h2 class="wp-block-heading">Comments</h2><h3 '
        'id="comments" class='
        '"wp-block-comments-title">{title}</h3>{list}<div class="wp-block-post-comments-form"><div id="respond" '
        'class="comment-respond"><h3 '
        'id="reply-title" class="comment-reply-title">{form}</h3></div></div></div></section>'
    )

    def around(self, blog: _Blog, inner: str) -> str:
        return f'<div class="wp-site-blocks"><main class="wp-block-group is-layout-flow" id="wp--skip-link--target">{inner}</main></div>'

    def written_by(self, blog: _Blog, post: Post) -> str:
        return (
            '<div class="wp-block-post-author"><div class="wp-block-post-author__content"><p class="wp-block-post-author__name">'
            f"{escape(post.author)}</p></div></div>"
        )

    def single(self, blog: _Blog, post: Post) -> str:
        category, tags = blog.terms(post)
        tagged = f'<div class="taxonomy-post_tag wp-block-post-terms">{tags}</div>' if tags else ""
        return (
            f'<div class="wp-block-group is-layout-constrained"><h1 class="wp-block-post-title">{escape(post.title)}</h1></div>'
            f'<div class="entry-content wp-block-post-content is-layout-constrained">{blog.shown(post)}</div>'
            '<div class="wp-block-group"><hr '
            'class="wp-block-separator alignwide"/><div class="wp-block-columns"><div class="wp-block-column"><div '
            f'class="wp-block-group"><p>{blog.words[2]}</p><div '
            f'class="wp-block-post-date"><time datetime="{post.time.isoformat()}">{blog.day(post)}</time></div><p>in</p><div '
            'class="taxonomy-category '
            f'wp-block-post-terms">{category}</div></div><div class="wp-block-group"><p>{blog.words[3]}</p>'
            f"{self.written_by(blog, post)}</div></div><div "
            f'class="wp-block-column"><p>Tags:</p>{tagged}</div></div></div>'
        )

    def index(self, blog: _Blog, posts: Sequence[Post]) -> str:
        items = "".join(
            f'<li class="wp-block-post {blog.classes(post)}"><h2 class="wp-block-post-title"><a href="{blog.url(post)}" '
            f'target="_self">{escape(post.title)}</a>'
            f'</h2><div class="wp-block-post-excerpt"><p class="wp-block-post-excerpt__excerpt">{escape(post.summary)}… </p></div>'
            '<div class="wp-block-post-date">'
            f'<time datetime="{post.time.isoformat()}"><a href="{blog.url(post)}">{blog.day(post)}</a></time></div></li>'
            for post in posts
        )
        return (
            '<h1 class="wp-block-heading alignwide">Blog</h1><div class="wp-block-query alignwide"><ul class="is-flex-container '
            f'columns-3 alignwide wp-block-post-template">{items}</ul>'
        )

    def pager(self, blog: _Blog, older: str, newer: str, page: int, last: int) -> str:
        links = f'<a href="{newer}" class="wp-block-query-pagination-previous">{blog.words[9]}</a>' if newer else ""
        links += f'<a href="{older}" class="wp-block-query-pagination-next">{blog.words[8]}</a>' if older else ""
        return f'<nav class="alignwide wp-block-query-pagination is-layout-flex" aria-label="Pagination">{links}</nav></div>'

    def comment_list(self, blog: _Blog, items: Sequence[str]) -> str:
        return f'<ol class="wp-block-comment-template">{"".join(items)}</ol>'

    def comment_pager(self, blog: _Blog, older: str, newer: str) -> str:
        links = f'<a href="{older}" class="wp-block-comments-pagination-previous">{blog.words[8]}</a>' if older else ""
        links += f'<a href="{newer}" class="wp-block-comments-pagination-next">{blog.words[9]}</a>' if newer else ""
        return f'<div class="wp-block-comments-pagination is-layout-flex">{links}</div>'

    frame = (
        '<div class="wp-block-columns"><div class="wp-block-column" style="flex-basis:40px"><div class="wp-block-avatar"><img '
        'alt="" class="avatar" '
        'src="/a.png"/></div></div><div class="wp-block-column"><div class="wp-block-comment-author-name '
        'has-small-font-size">{who}</div><div '
        'class="wp-block-group"><div class="wp-block-comment-date has-small-font-size">{when}</div></div><div '
        'class="wp-block-comment-content">{text}</div>'
        '<div class="wp-block-comment-reply-link has-small-font-size"><a rel="nofollow" class="comment-reply-link" '
        'href="#respond">{reply}</a></div></div></div>'
    )

    def comment(self, blog: _Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        who = (
            f'<a rel="external nofollow ugc" href="https://masik.example/" target="_self" >{escape(one.author)}</a>'
            if one.id % 3 == 0
            else escape(one.author)
        )
        when = f'<time datetime="{one.time.isoformat()}"><a href="{blog.url(post)}#comment-{one.id}">{told}</a></time>'
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        framed = self.frame.format(who=who, when=when, text=written_parts(one.parts), reply=blog.words[5])
        return f'<li id="comment-{one.id}" class="comment depth-{depth}">{framed}{f"<ol>{answers}</ol>" if answers else ""}</li>'


class TwentyTwentyFour(TwentyTwentyThree):
    """A block theme: the meta line above the text, the author a link, a group around each comment."""

    version = "6.5"
    frame = (
        '<div class="wp-block-group" style="margin-top:0"><div class="wp-block-group is-nowrap is-layout-flex"><div '
        'class="wp-block-avatar"><img alt="" '
        'src="/a.png"/></div><div class="wp-block-group"><div class="wp-block-comment-date">{when}</div><div '
        'class="wp-block-comment-author-name">{who}</div>'
        '</div></div><div class="wp-block-comment-content">{text}</div><div class="wp-block-group"><div '
        'class="wp-block-comment-reply-link"><a '
        'class="comment-reply-link" href="#respond">{reply}</a></div></div></div>'
    )

    def single(self, blog: _Blog, post: Post) -> str:
        category, tags = blog.terms(post)
        tagged = f'<div class="taxonomy-post_tag is-style-pill wp-block-post-terms">{tags}</div>' if tags else ""
        return (
            f'<div class="wp-block-group"><h1 class="wp-block-post-title has-x-large-font-size">{escape(post.title)}</h1><div '
            'class="wp-block-template-part"><div '
            'class="wp-block-group is-content-justification-left"><div class="wp-block-post-date"><time datetime="'
            f'{post.time.isoformat()}"><a href="{blog.url(post)}">'
            f'{blog.day(post)}</a></time></div><p class="has-contrast-2-color">—</p><p class="has-small-font-size">{blog.words[3]}'
            '</p><div class="wp-block-post-author-name">'
            f'{blog.author(post, _NAME)}</div><div class="taxonomy-category wp-block-post-terms"><span class='
            f'"wp-block-post-terms__prefix">in </span>{category}</div></div></div></div><div class="entry-content '
            f'wp-block-post-content is-layout-flow">{blog.shown(post)}'
            f"</div>{tagged}"
        )


THEMES: dict[str, Theme] = {
    "twentysixteen": Theme(), "twentytwentyone": TwentyTwentyOne(), "twentyten": TwentyTen(), "kubrick": Kubrick(),
    "twentytwentythree": TwentyTwentyThree(), "twentytwentyfour": TwentyTwentyFour(),
}  # fmt: skip


# --- the interface for programs ---


def _told(blog: _Blog, post: Post) -> dict[str, Any]:
    local, utc = post.time.replace(tzinfo=None).isoformat(), post.time.astimezone(UTC).replace(tzinfo=None).isoformat()
    terms = [[{"name": post.section, "taxonomy": "category"}], [{"name": tag, "taxonomy": "post_tag"} for tag in post.tags]]
    return {
        "id": post.number,
        "date": local,
        "date_gmt": utc,
        "modified": local,
        "modified_gmt": utc,
        "slug": post.slug,
        "status": "publish",
        "type": "post",
        "link": blog.url(post),
        "title": {"rendered": escape(post.title)},
        "author": 1 + len(post.author) % 7,
        "content": {"rendered": blog.body(post), "protected": False},
        "excerpt": {"rendered": f"<p>{escape(post.summary)}</p>", "protected": False},
        "categories": [len(post.section)],
        "tags": [len(tag) for tag in post.tags],
        "_embedded": {"author": [{"name": post.author}], "wp:term": terms},
    }


def _interface(blog: _Blog, request: Request) -> Answer | None:
    query = request.query
    route = query.get("rest_route") or (
        request.path.removeprefix("/wp-json") if request.path.startswith("/wp-json") and not blog.has("plain") else None
    )
    if route is None or blog.theme.version < "4.4":
        return None
    page, size = request.number("page"), min(int(query.get("per_page", "10") or 10), 100)
    if blog.has("api-closed") or (blog.has("api-half") and page > 1):
        return json_answer({"code": "rest_not_logged_in", "message": "Only for authenticated users.", "data": {"status": 401}}, status=401)
    if route.rstrip("/") == "/wp/v2/posts":
        last = max(1, ceil(len(blog.posts) / size))
        if page > last:
            return json_answer({"code": "rest_post_invalid_page_number", "data": {"status": 400}}, status=400)
        told = [_told(blog, post) for post in blog.posts[(page - 1) * size : page * size]]
        fields = {name.partition(".")[0] for name in query.get("_fields", "").split(",") if name}
        wanted = [
            {name: value for name, value in one.items() if (not fields or name in fields) and (name != "_embedded" or "_embed" in query)}
            for one in told
        ]
        return json_answer(wanted, ("X-WP-Total", str(len(blog.posts))), ("X-WP-TotalPages", str(last)))
    if route.rstrip("/") in ("", "/wp/v2"):
        return json_answer({"name": "Blog", "namespaces": ["wp/v2"], "routes": {"/wp/v2/posts": {}}})
    return json_answer({"code": "rest_no_route", "data": {"status": 404}}, status=404)


# --- all of it ---


def site(root: str, variation: Variation) -> Made:
    blog = _Blog(root, variation)
    made = Made(answer=partial(_interface, blog), folder="/blog" if blog.has("folder") else "")
    root = blog.root
    months = sorted({f"/{post.time:%Y/%m}/" for post in blog.posts})
    lists: dict[str, Callable[[Post], bool]] = {blog.index: lambda _post: True}
    if not blog.has("plain"):
        lists |= {month: (lambda post, month=month: f"/{post.time:%Y/%m}/" == month) for month in months}
    for base, belongs in lists.items():
        pages = chunks([post for post in blog.posts if belongs(post)], _PER_PAGE)
        for page, posts in enumerate(pages, 1):
            if page == 1 and base == blog.index and blog.has("sticky"):
                posts = (blog.posts[8], *posts)  # it comes again at its own place
            made.page(blog.paged(base, page), blog.listing(posts, base, page, len(pages)))
            if base == blog.index and blog.theme.whole:
                seen = [truth_on_index(truth_of_post(blog.url(post), post), post, cut=blog.cut(post)) for post in posts]
                made.indexes[blog.paged(base, page)] = seen
    if blog.has("static-front"):
        welcome = f'<div class="entry-content"><p><a href="{root}/blog/">Blog</a></p></div>'
        front = f'<article id="post-2" class="post-2 page type-page hentry">{welcome}</article>'
        made.page("/", blog.shell("Home", blog.theme.around(blog, front), "home page-template-default page"))
    about = (
        '<header class="entry-header"><h1 class="entry-title">About</h1></header><div class="entry-content"><p>Kilenchíd, 2008.</p></div>'
    )
    about = f'<article id="post-3" class="post-3 page type-page status-publish hentry">{about}</article>'
    made.page("/about/", blog.shell("About", blog.theme.around(blog, about), "page-template-default page page-id-3"))
    for post in blog.posts:
        _post_pages(blog, made, post)
    feeds = chunks(blog.posts, 10)
    for page, posts in enumerate(feeds, 1):
        items = [(blog.url(post), post, blog.body(post)) for post in posts]
        for target in (
            blog.paged("/?feed=rss2" if blog.has("plain") else "/feed/", page),
            f"/feed/?paged={page}" if page > 1 else "/feed/",
        ):
            made.give(target, "application/rss+xml; charset=UTF-8", rss("Blog", root, items))
    if blog.theme.version >= "5.5":
        made.give("/wp-sitemap.xml", "application/xml; charset=UTF-8", sitemap_index([f"{root}/wp-sitemap-posts-post-1.xml"]))
        made.give(
            "/wp-sitemap-posts-post-1.xml",
            "application/xml; charset=UTF-8",
            sitemap([(blog.url(post), post.time.isoformat()) for post in blog.posts]),
        )
        made.give("/robots.txt", "text/plain", f"User-agent: *\nDisallow: /wp-admin/\n\nSitemap: {root}/wp-sitemap.xml\n")
    return made


def _post_pages(blog: _Blog, made: Made, post: Post) -> None:
    path, pages = blog.path(post), 0
    if post.comments and (blog.has("comments-newest") or blog.has("comments-oldest")):
        pages = len(chunks(children(post.comments)[None], _COMMENTS_PER_PAGE))
    made.page(path, blog.single(post, pages if blog.has("comments-newest") else min(pages, 1)))
    for page in range(1, pages + 1):
        made.page(blog.comment_page(post, page), blog.single(post, page))
    if blog.parted(post):
        blog.part = 2
        made.page(f"{path}2/", blog.single(post, pages if blog.has("comments-newest") else min(pages, 1)))
        blog.part = 1
    made.truths.append(truth_of_post(blog.url(post), post))
