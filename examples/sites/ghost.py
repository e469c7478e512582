"""Ghost with Casper, of today and of 2018: no comments in the page, times only in what machines read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC

from .content import Post, blog_posts, slug, written
from .feeds import sitemap
from .site import Made, Variation, attribute, chunks, document, escape, truth_of_post, written_parts

_FRAMES = {
    "picture": '<figure class="kg-card kg-image-card kg-card-hascaption"><img src="/content/images/kep.jpg" class="kg-image" alt '
    'loading="lazy"><figcaption>{}</figcaption></figure>'
}
_SIGNUP = (
    '<div class="kg-card kg-signup-card kg-width-wide"><div class="kg-signup-card-content"><h2 '
    'class="kg-signup-card-heading">Sign up</h2></div></div>'
)
_PER_PAGE = 6


class _Blog:
    def __init__(self, root: str, variation: Variation) -> None:
        self.root, self.language, self.old, self.has = root, variation.language, variation.theme == "casper-2", variation.has
        self.source = variation.theme == "source"
        self.posts = tuple(reversed(blog_posts(variation.voice, 20, comments=False)))

    def url(self, post: Post) -> str:
        return f"{self.root}/{post.slug}/"

    def authors(self, post: Post) -> tuple[str, ...]:
        other = next(one.author for one in self.posts if one.author != post.author)
        return (post.author, other) if self.has("two-authors") and post.number % 2 else (post.author,)

    def day(self, post: Post) -> str:
        return written(post.time, self.language, "dd MMM y" if not self.old else "d MMMM y")

    def card(self, post: Post) -> str:
        if self.source:
            return (
                f'<article class="gh-card post tag-{slug(post.section)} no-image"><a class="gh-card-link" href="/{post.slug}/"><div '
                f'class="gh-card-wrapper"><p class="gh-card-tag">{escape(post.section)}</p><h3 class="gh-card-title is-title">'
                f'{escape(post.title)}</h3><p class="gh-card-excerpt is-body">{escape(post.summary)}</p><footer class="gh-card-meta">'
                f'<span class="gh-card-author">By {escape(", ".join(self.authors(post)))}</span> <time class="gh-card-date" '
                f'datetime="{post.time:%Y-%m-%d}">{self.day(post)}</time></footer></div></a></article>'
            )
        day = f'<time class="post-card-meta-date" datetime="{post.time:%Y-%m-%d}">{self.day(post)}</time>'
        if self.old:
            return (
                f'<article class="post-card post tag-{slug(post.section)}"><div class="post-card-content"><a '
                f'class="post-card-content-link" href="/{post.slug}/"><header class="post-card-header"><span class='
                f'"post-card-tags">{escape(post.section)}</span><h2 class="post-card-title">{escape(post.title)}</h2></header><section '
                f'class="post-card-excerpt"><p>{escape(post.summary)}</p></section></a>'
                '<footer class="post-card-meta"><ul class="author-list"><li class="author-list-item"><div class="author-name-tooltip">'
                f'{escape(post.author)}</div></li></ul><span class="reading-time">2 min</span></footer></div></article>'
            )
        return (
            f'<article class="post-card post tag-{slug(post.section)} keep-ratio"><div class="post-card-content"><a '
            f'class="post-card-content-link" href="/{post.slug}/"><header class="post-card-header"><div class="post-card-tags"><span '
            f'class="post-card-primary-tag">{escape(post.section)}</span></div><h2 class="post-card-title">{escape(post.title)}</h2>'
            f'</header><div class="post-card-excerpt">{escape(post.summary)}</div></a><footer class="post-card-meta">{day}<span '
            'class="post-card-meta-length">2 min read</span></footer></div></article>'
        )

    def head(self, post: Post) -> str:
        utc = post.time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        people: list[dict[str, str]] = [
            {"@type": "Person", "name": name, "url": f"{self.root}/author/{slug(name)}/"} for name in self.authors(post)
        ]
        data = {
            "@context": "https://schema.org", "@type": "Article",
            "publisher": {"@type": "Organization", "name": "Blog", "url": f"{self.root}/"}, "author": people[0], "headline": post.title,
            "url": self.url(post), "datePublished": utc, "dateModified": utc, "keywords": ", ".join((post.section, *post.tags)),
            "mainEntityOfPage": self.url(post),
        }  # fmt: skip
        if len(people) > 1:
            data["contributor"] = people[1:]
        tags = "\n".join(f'<meta property="article:tag" content="{attribute(tag)}">' for tag in (post.section, *post.tags))
        return (
            f'<link rel="canonical" href="{self.url(post)}">\n<meta property="og:type" content="article">\n<meta '
            f'property="og:title" content="{attribute(post.title)}">\n<meta property='
            f'"article:published_time" content="{utc}">\n{tags}\n<script type="application/ld+json">{json.dumps(data)}</script>'
        )

    def page(self, title: str, inner: str, head: str, classes: str) -> str:
        head += (
            f'\n<meta name="generator" content="Ghost {"2.14" if self.old else "5.82"}">\n<link rel="alternate" '
            f'type="application/rss+xml" title="Blog" href="{self.root}/rss/">'
        )
        nav = (
            '<header id="gh-head" class="gh-head outer"><a class="gh-head-logo" href="/">Blog</a><ul class="nav"><li '
            'class="nav-home"><a href="/">Home</a></li></ul></header>'
        )
        return document(
            title,
            f'<div class="viewport site-wrapper">{nav}<div class="site-content">{inner}</div><footer class="site-footer outer">Ghost'
            "</footer></div>",
            language=self.language,
            head=head,
            classes=classes,
        )

    def single(self, post: Post) -> str:
        body = written_parts(post.parts, _FRAMES) + (_SIGNUP if self.has("signup") else "")
        names = ", ".join(f'<a href="/author/{slug(name)}/">{escape(name)}</a>' for name in self.authors(post))
        more = "".join(self.card(one) for one in self.posts[:3] if one is not post)
        if self.source:
            inner = (
                f'<main class="gh-main"><article class="gh-article post tag-{slug(post.section)}"><header class="gh-article-header '
                f'gh-canvas"><a class="gh-article-tag" href="/tag/{slug(post.section)}/">{escape(post.section)}</a><h1 '
                f'class="gh-article-title is-title">{escape(post.title)}</h1><div class="gh-article-meta"><div '
                'class="gh-article-author-image instapaper_ignore"><a href="/author/x/"><img class="author-profile-image" src="/a.png" '
                f'alt="{attribute(post.author)}"></a></div><div class="gh-article-meta-wrapper"><h4 class="gh-article-author-name">'
                f'{names}</h4><div class="gh-article-meta-content"><time class="gh-article-meta-date" datetime="{post.time:%Y-%m-%d}">'
                f'{self.day(post)}</time><span class="gh-article-meta-length"><span class="bull">—</span> 2 min read</span></div></div>'
                f'</div></header><section class="gh-content gh-canvas is-body">{body}</section></article></main><section '
                'class="gh-container is-grid gh-outer"><div class="gh-container-inner gh-inner"><h2 class="gh-container-title">Read '
                f'more</h2><div class="gh-feed">{more}</div></div></section>'
            )
        elif self.old:
            card = f'<h4 class="author-card-name">{names}</h4><p>Read more posts by this author.</p>'
            card = f'<section class="author-card"><section class="author-card-content">{card}</section></section>'
            if len(self.authors(post)) > 1:
                card = f'<div class="post-full-authors-content"><p>This post was a collaboration between</p><p>{names}</p></div>'
                card = f'<div class="post-full-authors">{card}</div>'
            inner = (
                '<main id="site-main" class="site-main outer"><div class="inner"><article class="post-full post tag-'
                f'{slug(post.section)}"><header class="post-full-header"><section class="post-full-meta"><time class='
                f'"post-full-meta-date" datetime="{post.time:%Y-%m-%d}">{self.day(post)}</time> <span class="date-divider">/</span> <a '
                f'href="/tag/{slug(post.section)}/">{escape(post.section)}</a></section><h1 class='
                f'"post-full-title">{escape(post.title)}</h1></header><section class="post-full-content"><div class="post-content">'
                f'{body}</div></section><footer class="post-full-footer">{card}'
                f'</footer></article></div></main><aside class="read-next outer"><div class="inner">{more}</div></aside>'
            )
        else:
            inner = (
                f'<main id="site-main" class="site-main"><article class="article post tag-{slug(post.section)}"><header '
                'class="article-header gh-canvas"><div class="article-tag post-card-tags"><span class="post-card-primary-tag"><a '
                f'href="/tag/{slug(post.section)}/">{escape(post.section)}</a></span></div><h1 class="article-title">'
                f'{escape(post.title)}</h1><div class="article-byline"><section class="article-byline-content"><ul class="author-list '
                'instapaper_ignore"><li class="author-list-item"><a href="/author/x/" class="author-avatar" aria-label="Read more of '
                f'{attribute(post.author)}"></a></li></ul><div class="article-byline-meta"><h4 class="author-name">{names}</h4><div '
                f'class="byline-meta-content"><time class="byline-meta-date" datetime="{post.time:%Y-%m-%d}">{self.day(post)}</time><span '
                'class="byline-reading-time"><span class="bull">&bull;</span> 2 min read</span></div></div></section></div></header>'
                f'<section class="gh-content gh-canvas">{body}</section></article></main><aside class="read-more-wrap outer"><div '
                f'class="read-more inner">{more}</div></aside>'
            )
        return self.page(post.title, inner, self.head(post), f"post-template tag-{slug(post.section)}")

    def index(self, posts: Sequence[Post], page: int, last: int) -> str:
        newer = f'<a class="newer-posts" href="{"/" if page == 2 else f"/page/{page - 1}/"}">&larr; Newer Posts</a>' if page > 1 else ""
        older = f'<a class="older-posts" href="/page/{page + 1}/">Older Posts &rarr;</a>' if page < last else ""
        pager = (
            f'<nav class="pagination">{newer}<span class="page-number">Page {page} of {last}</span>{older}</nav>'
            if self.has("pager")
            else ""
        )
        head = f'<link rel="next" href="{self.root}/page/{page + 1}/">' if page < last else ""
        cards = "".join(map(self.card, posts))
        if self.source:
            more = (
                f'<div class="gh-more is-title"><a href="/page/{page + 1}/">See all</a></div>' if page < last and self.has("pager") else ""
            )
            feed = (
                '<section class="gh-container is-list gh-outer"><div class="gh-container-inner gh-inner"><h2 class="gh-container-title">'
                f'Latest</h2><main class="gh-main"><div class="gh-feed">{cards}</div></main>{more}</div></section>'
            )
            return self.page("Blog", feed, head, "home-template")
        return self.page(
            "Blog",
            f'<main id="site-main" class="site-main outer"><div class="inner posts"><div class="post-feed">{cards}</div>{pager}'
            "</div></main>",
            head,
            "home-template" if page == 1 else "paged",
        )


def site(root: str, variation: Variation) -> Made:
    blog = _Blog(root, variation)
    made = Made()
    pages = chunks(blog.posts, _PER_PAGE)
    for page, posts in enumerate(pages, 1):
        made.page("/" if page == 1 else f"/page/{page}/", blog.index(posts, page, len(pages)))
    for post in blog.posts:
        made.page(f"/{post.slug}/", blog.single(post))
        made.truths.append(replace(truth_of_post(blog.url(post), post), authors=blog.authors(post)))
    made.give("/sitemap-posts.xml", "application/xml", sitemap([(blog.url(post), post.time.isoformat()) for post in blog.posts]))
    return made
