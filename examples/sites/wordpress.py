"""WordPress: classic themes, block themes, its interface for programs, its feed and its sitemap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from functools import partial
from math import ceil
from typing import Any
from urllib.parse import quote

from webarticlecurator.example_portal.answers import Answer, Request

from .content import Part, Post, Said, blog_posts, children, slug, written
from .feeds import sitemap, sitemap_index
from .site import Made, Variation, attribute, chunks, document, escape, json_answer, truth_of_post, truth_on_index, untitled, written_parts
from .wordpress_other_themes import THEMES

_WORDS = {
    "hu": ("szerint:", "{} - {}", "Közzétéve", "Szerző:", "Kategória:", "Válasz", "hozzászólás", "Szólj hozzá!", "Régebbi", "Újabb"),
    "de": ("sagt:", "{} um {} Uhr", "Veröffentlicht am", "von", "Kategorisiert in", "Antworten", "Kommentare", "Kommentar schreiben",
           "Ältere", "Neuere"),
    "en": ("says:", "{} at {}", "Posted on", "by", "Posted in", "Reply", "comments", "Leave a Reply", "Older", "Newer"),
    "fr": ("dit :", "{} à {}", "Publié le", "par", "Publié dans", "Répondre", "commentaires", "Laisser un commentaire",
           "Articles plus anciens", "Plus récents"),
}  # fmt: skip
_DATES = {"hu": ("y. MMMM d.", "HH:mm"), "de": ("d. MMMM y", "HH:mm"), "en": ("MMMM d, y", "h:mm a"), "fr": ("d MMMM y", "H 'h' mm 'min'")}
_OTHER_DATES = {"hu": ("y-MM-dd", "HH:mm"), "de": ("dd.MM.y", "HH:mm"), "en": ("dd/MM/y", "HH:mm"), "fr": ("dd/MM/y", "HH:mm")}
_BLOCKS = {
    "h2": '<h2 class="wp-block-heading">{}</h2>',
    "ul": '<ul class="wp-block-list">\n{}\n</ul>',
    "quote": '<blockquote class="wp-block-quote is-layout-flow"><p>{}</p></blockquote>',
    "picture": '<figure class="wp-block-image size-large"><img decoding="async" src="/wp-content/uploads/kep.jpg" alt="" '
    'class="wp-image-7"/><figcaption class="wp-element-caption">{}</figcaption></figure>',
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
_PER_PAGE, _COMMENTS_PER_PAGE = 5, 3


class Blog:
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
        self.theme = THEMES[variation.theme]
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

    def entry(self, post: Post, level: int) -> str:
        """The post on its own page (level 1) or on the index."""
        theme, words, name = self.theme, self.words, escape(post.title)
        tags = ", ".join(f'<a href="{self.root}/tag/{slug(tag)}/" rel="tag">{escape(tag)}</a>' for tag in post.tags)
        day, clock = self.day(post), self.clock(post)
        template = theme.entry if level == 1 else theme.on_index or theme.entry
        return template.format(
            number=post.number, classes=self.classes(post), level=level, url=self.url(post), name=name, attribute=attribute(post.title),
            title=name if level == 1 else theme.title_link.format(url=self.url(post), name=name),
            text=self.shown(post) if level == 1 else self.on_index(post), summary=escape(post.summary),
            on=words[2], by=words[3], under=words[4], comments=words[6], form=words[7], to_older=words[8], count=len(post.comments),
            iso=post.time.isoformat(), day=day, clock=clock, moment=words[1].format(day, clock),
            author=escape(post.author), profile=f"{self.root}/author/{slug(post.author)}/",
            category=f'<a href="{self.root}/category/{slug(post.section)}/" rel="category tag">{escape(post.section)}</a>',
            tagged=theme.tagged.format(tags=tags) if tags else "",
        )  # fmt: skip

    def comment(self, post: Post, one: Said, tree: Mapping[int | None, Sequence[Said]], depth: int = 1) -> str:
        answers = "".join(self.comment(post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        author = escape(one.author)
        return self.theme.comment.format(
            id=one.id, depth=depth, url=self.url(post), author=author, says=self.words[0], reply=self.words[5],
            who=f'<a rel="external nofollow ugc" href="https://masik.example/" class="url">{author}</a>' if one.id % 3 == 0 else author,
            iso=one.time.isoformat(), unix=int(one.time.timestamp()), moment=self.words[1].format(self.day(one), self.clock(one)),
            text=written_parts(one.parts), answers=self.theme.answers.format(answers) if answers else "",
        )  # fmt: skip

    def pager(self, templates: tuple[str, str, str], newer: str, older: str, page: int = 0, last: int = 0) -> str:
        told = {"to_older": self.words[8], "to_newer": self.words[9], "comments": self.words[6], "page": page, "last": last}
        links = [
            form.format(link=link, after=page + 1, **told) if link else "" for form, link in zip(templates[1:], (newer, older), strict=True)
        ]
        return templates[0].format(newer=links[0], older=links[1], **told) if newer or older else ""

    def around(self, inner: str) -> str:
        return self.theme.around.format(inner=inner, sidebar=self.sidebar())

    def jetpack(self, post: Post) -> str:
        if not self.has("jetpack"):
            return ""
        other = self.posts[(self.posts.index(post) + 1) % len(self.posts)]
        return (
            '<div class="sharedaddy sd-sharing-enabled"><div class="robots-nocontent sd-block sd-social sd-sharing"><h3 class="sd-title">'
            'Share this:</h3><div class="sd-content"><ul><li class="share-twitter"><a class="share-twitter sd-button" '
            'href="?share=twitter"><span>Twitter</span></a></li></ul></div></div></div><div id="jp-relatedposts" class="jp-relatedposts">'
            f'<h3 class="jp-relatedposts-headline"><em>Related</em></h3><a href="{self.url(other)}">{escape(other.title)}</a></div>'
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
            '<aside id="secondary" class="sidebar widget-area"><section id="recent-posts-2" class="widget widget_recent_entries"><ul>'
            f'{recent}</ul></section><section id="archives-2" class="widget widget_archive"><ul>{listed}</ul></section></aside>'
        )

    def shell(self, title: str, inner: str, classes: str, post: Post | None = None) -> str:
        body = (
            f'<div id="page" class="site"><header id="masthead" class="site-header"><p class="site-title"><a href="{self.root}/" '
            f'rel="home">Blog</a></p></header>\n{inner}\n<footer id="colophon" class="site-footer">WordPress</footer></div>'
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
        listed = self.theme.comment_list.format("".join(self.comment(post, one, tree) for one in shown))
        title = f"{len(post.comments)} {self.words[6]}: “{escape(post.title)}”"
        older = f"{self.comment_page(post, page - 1)}#comments" if page > 1 else ""
        newer = f"{self.comment_page(post, page + 1)}#comments" if page and page < len(tops) else ""
        return self.theme.comments.format(title=title, list=listed + self.pager(self.theme.comment_pager, newer, older), form=self.words[7])

    def single(self, post: Post, page: int = 0) -> str:
        at = self.posts.index(post)
        near = "".join(
            f'<div class="nav-{name}"><a href="{self.url(one)}" rel="{rel}"><span class="post-title">{escape(one.title)}</span></a></div>'
            for name, rel, posts in (("previous", "prev", self.posts[at + 1 : at + 2]), ("next", "next", self.posts[max(at - 1, 0) : at]))
            for one in posts
        )
        nav = (
            '<nav class="navigation post-navigation"><h2 class="screen-reader-text">Post navigation</h2><div class="nav-links">'
            f"{near}</div></nav>"
        )
        inner = self.entry(post, 1) + self.comments(post, page) + nav
        return self.shell(post.title, self.around(inner), "post-template-default single single-post postid-" + str(post.number), post)

    def listing(self, posts: Sequence[Post], base: str, page: int, last: int) -> str:
        older = f"{self.root}{self.paged(base, page + 1)}" if page < last else ""
        newer = f"{self.root}{self.paged(base, page - 1)}" if page > 1 else ""
        inner = self.theme.index.format(
            items="".join(self.entry(post, 2) for post in posts), pager=self.pager(self.theme.pager, newer, older, page, last)
        )
        return self.shell("Blog", self.around(inner), "home blog")


# --- the interface for programs ---


def _told(blog: Blog, post: Post) -> dict[str, Any]:
    local, utc = post.time.replace(tzinfo=None).isoformat(), post.time.astimezone(UTC).replace(tzinfo=None).isoformat()
    terms = [[{"name": post.section, "taxonomy": "category"}], [{"name": tag, "taxonomy": "post_tag"} for tag in post.tags]]
    return {
        "id": post.number, "date": local, "date_gmt": utc, "modified": local, "modified_gmt": utc, "slug": post.slug, "status": "publish",
        "type": "post", "link": blog.url(post), "title": {"rendered": escape(post.title)}, "author": 1 + len(post.author) % 7,
        "content": {"rendered": blog.body(post), "protected": False},
        "excerpt": {"rendered": f"<p>{escape(post.summary)}</p>", "protected": False}, "categories": [len(post.section)],
        "tags": [len(tag) for tag in post.tags], "_embedded": {"author": [{"name": post.author}], "wp:term": terms},
    }  # fmt: skip


def _interface(blog: Blog, request: Request) -> Answer | None:
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
    blog = Blog(root, variation)
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
                seen = [
                    truth_on_index(truth_of_post(blog.url(post), post, only_day=blog.theme.only_day), post, cut=blog.cut(post))
                    for post in posts
                ]
                made.indexes[blog.paged(base, page)] = seen
    if blog.has("static-front"):
        welcome = f'<div class="entry-content"><p><a href="{root}/blog/">Blog</a></p></div>'
        front = f'<article id="post-2" class="post-2 page type-page hentry">{welcome}</article>'
        made.page("/", blog.shell("Home", blog.around(front), "home page-template-default page"))
    for post in blog.posts:
        _post_pages(blog, made, post)
    if blog.theme.version >= "5.5":
        made.give("/wp-sitemap.xml", "application/xml; charset=UTF-8", sitemap_index([f"{root}/wp-sitemap-posts-post-1.xml"]))
        made.give(
            "/wp-sitemap-posts-post-1.xml",
            "application/xml; charset=UTF-8",
            sitemap([(blog.url(post), post.time.isoformat()) for post in blog.posts]),
        )
        made.give("/robots.txt", "text/plain", f"User-agent: *\nDisallow: /wp-admin/\n\nSitemap: {root}/wp-sitemap.xml\n")
    return made


def _post_pages(blog: Blog, made: Made, post: Post) -> None:
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
    hidden = blog.theme.only_day and blog.has("api-closed")
    made.truths.append(truth_of_post(blog.url(post), post, only_day=hidden))
