"""How themes that others made for WordPress write posts and comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .content import Post, Said
from .site import attribute, escape, written_parts
from .wordpress_themes import Theme

if TYPE_CHECKING:
    from .wordpress import Blog


class Twenty(Theme):
    """Twenty Twenty: no `time` for posts; comments are boxes in one another, without a list."""

    only_day = True
    comments = (
        '<div class="comments-wrapper section-inner"><div class="comments" id="comments"><div class="comments-header section-inner '
        'small"><h2 class="comment-reply-title">{title}</h2></div><div class="comments-inner section-inner thin">{list}'
        '</div></div><div id="respond" class="comment-respond"><h2 id="reply-title" class="comment-reply-title">{form}</h2></div></div>'
    )

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        category, tags = blog.terms(post)
        title = escape(post.title) if level == 1 else f'<a href="{blog.url(post)}">{escape(post.title)}</a>'
        text = blog.shown(post) if level == 1 else blog.on_index(post)
        tagged = (
            (
                '<div class="post-meta-wrapper post-meta-single post-meta-single-bottom"><ul class="post-meta"><li class="post-tags '
                f'meta-wrapper"><span class="meta-icon"></span><span class="meta-text">{tags}</span></li></ul></div>'
            )
            if tags
            else ""
        )
        return (
            f'<article class="{blog.classes(post)}" id="post-{post.number}"><header class="entry-header has-text-align-center '
            'header-footer-group"><div class="entry-header-inner section-inner medium"><div class="entry-categories"><span class='
            f'"screen-reader-text">Categories</span><div class="entry-categories-inner">{category}</div></div><h{level} '
            'class="entry-title">'
            f'{title}</h{level}><div class="post-meta-wrapper post-meta-single post-meta-single-top"><ul class="post-meta"><li '
            'class="post-author meta-wrapper"><span class="meta-icon"><span class="screen-reader-text">Post author</span></span><span '
            f'class="meta-text">{blog.words[3]} {blog.author(post, "")}</span></li><li class="post-date meta-wrapper"><span class='
            f'"meta-icon"><span class="screen-reader-text">Post date</span></span><span class="meta-text"><a href="{blog.url(post)}">'
            f'{blog.day(post)}</a></span></li><li class="post-comment-link meta-wrapper"><span class="meta-text"><a href='
            f'"{blog.url(post)}#comments">{len(post.comments)} {blog.words[6]}</a></span></li></ul></div></div></header><div '
            f'class="post-inner thin "><div class="entry-content">{text}</div></div><div class="section-inner">{tagged}</div></article>'
        )

    def comment_list(self, blog: Blog, items: Sequence[str]) -> str:
        return "".join(items)

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        return (
            f'<div id="comment-{one.id}" class="comment even depth-{depth}"><article id="div-comment-{one.id}" class="comment-body">'
            '<footer class="comment-meta"><div class="comment-author vcard"><img alt="" class="avatar" src="/a.png" />'
            f'<span class="fn">{escape(one.author)}</span><span class="screen-reader-text says">{blog.words[0]}</span></div>'
            f'<div class="comment-metadata"><a href="{blog.url(post)}#comment-{one.id}"><time datetime="{one.time.isoformat()}">{told}'
            f'</time></a></div></footer><div class="comment-content entry-content">{written_parts(one.parts)}</div>'
            '<footer class="comment-footer-meta"><span class="comment-reply"><a class="comment-reply-link" '
            f'href="#respond">{blog.words[5]}</a></span></footer>'
            f"</article>{answers}</div>"
        )


class Astra(Theme):
    """The date as text in a `span`, names of its own for comments."""

    only_day = True

    def meta(self, blog: Blog, post: Post) -> str:
        category, tags = blog.terms(post)
        tagged = f' / <span class="ast-tags-links tags-links"><span class="tags-links">{tags}</span></span>' if tags else ""
        return (
            f'<div class="entry-meta"><span class="comments-link"><a href="{blog.url(post)}#comments">{len(post.comments)} '
            f"{blog.words[6]}</a>"
            f'</span> / <span class="ast-terms-link cat-links">{category}</span>{tagged} / {blog.words[3]} <span class='
            '"posts-author author vcard" itemprop="author" itemtype="https://schema.org/Person" itemscope><a title="View all posts" href="'
            f'{blog.root}/author/x/" rel="author" class="url fn n" itemprop="url"><span class="author-name" itemprop="name">'
            f'{escape(post.author)}</span></a></span> / <span class="posted-on"><span class="published" itemprop="datePublished"> '
            f"{blog.day(post)} </span></span></div>"
        )

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        title = escape(post.title) if level == 1 else f'<a href="{blog.url(post)}" rel="bookmark">{escape(post.title)}</a>'
        text = f'<div class="entry-content clear" itemprop="text">{blog.shown(post)}</div>'
        if level > 1:
            text = (
                f'<div class="entry-content clear" itemprop="text"><p>{escape(post.summary)}…</p><p class="read-more"><a class="" href="'
                f'{blog.url(post)}">{blog.words[8]} »</a></p></div>'
            )
        return (
            f'<article class="{blog.classes(post)} ast-article-single" id="post-{post.number}" itemtype="https://schema.org/CreativeWork" '
            f'itemscope="itemscope"><div class="ast-post-format- single-layout-1"><header class="entry-header "><h{level} '
            f'class="entry-title" itemprop="headline">{title}</h{level}>{self.meta(blog, post)}</header>{text}</div></article>'
        )

    whole = False

    def comment_list(self, blog: Blog, items: Sequence[str]) -> str:
        return f'<ol class="ast-comment-list">{"".join(items)}</ol>'

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        nested = f'<ol class="children">{answers}</ol>' if answers else ""
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        return (
            f'<li class="comment even depth-{depth}" id="li-comment-{one.id}"><article id="comment-{one.id}" class="ast-comment"><div '
            'class="ast-comment-info"><div class="ast-comment-avatar-wrap"><img alt="" class="avatar" src="/a.png" /></div><header '
            'class="ast-comment-meta ast-row ast-comment-author vcard capitalize"><div class="ast-comment-cite-wrap"><cite><b class="fn">'
            f'{escape(one.author)}</b> </cite></div><div class="ast-comment-time"><span class="timendate"><a href='
            f'"{blog.url(post)}#comment-{one.id}"><time datetime="{one.time.isoformat()}">{told}</time></a></span></div></header></div>'
            f'<section class="ast-comment-content comment">{written_parts(one.parts)}<div class="ast-comment-edit-reply-wrap"><span '
            f'class="ast-reply-link"><a class="comment-reply-link" href="#respond">{blog.words[5]}</a></span></div></section></article>'
            f"{nested}</li>"
        )


class Genesis(Theme):
    """Schema.org attributes everywhere, `entry-` names; the index whole."""

    comments = (
        '<div class="entry-comments" id="comments"><h3>{title}</h3>{list}</div><div id="respond" class="comment-respond"><h3 '
        'id="reply-title">{form}</h3></div>'
    )

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        category, tags = blog.terms(post)
        title = (
            escape(post.title)
            if level == 1
            else f'<a class="entry-title-link" rel="bookmark" href="{blog.url(post)}">{escape(post.title)}</a>'
        )
        tagged = f' <span class="entry-tags">Tagged With: {tags}</span>' if tags else ""
        text = blog.shown(post) if level == 1 else blog.on_index(post)
        return (
            f'<article class="{blog.classes(post)} entry" aria-label="{attribute(post.title)}" itemscope '
            f'itemtype="https://schema.org/CreativeWork"><header class="entry-header"><h{level} class="entry-title" itemprop="headline">'
            f"{title}</h{level}><p class="
            f'"entry-meta"><time class="entry-time" itemprop="datePublished" datetime="{post.time.isoformat()}">{blog.day(post)}</time> '
            f'{blog.words[3]} <span class="entry-author" itemprop="author" itemscope itemtype="https://schema.org/Person"><a href='
            f'"{blog.root}/author/x/" class="entry-author-link" rel="author" itemprop="url"><span class="entry-author-name" '
            'itemprop="name">'
            f'{escape(post.author)}</span></a></span> <span class="entry-comments-link"><a href="{blog.url(post)}#comments">'
            f'{len(post.comments)} {blog.words[6]}</a></span></p></header><div class="entry-content" itemprop="text">{text}</div><footer '
            f'class="entry-footer"><p class="entry-meta"><span class="entry-categories">{blog.words[4]}: {category}</span>{tagged}</p>'
            "</footer></article>"
        )

    def pager(self, blog: Blog, older: str, newer: str, page: int, last: int) -> str:
        links = f'<div class="pagination-previous alignleft"><a href="{newer}">« Previous Page</a></div>' if newer else ""
        links += f'<div class="pagination-next alignright"><a href="{older}">Next Page »</a></div>' if older else ""
        return f'<div class="archive-pagination pagination">{links}</div>'

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        nested = f'<ul class="children">{answers}</ul>' if answers else ""
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        return (
            f'<li class="comment even depth-{depth}" id="comment-{one.id}"><article id="article-comment-{one.id}" itemprop="comment" '
            'itemscope itemtype="https://schema.org/Comment"><header class="comment-header"><p class="comment-author" itemprop="author" '
            'itemscope itemtype="https://schema.org/Person"><img alt="" class="avatar" src="/a.png" /><span itemprop="name">'
            f'{escape(one.author)}</span> <span class="says">{blog.words[0]}</span></p><p class="comment-meta"><time class="comment-time" '
            "datetime="
            f'"{one.time.isoformat()}" itemprop="datePublished"><a class="comment-time-link" href="{blog.url(post)}#comment-{one.id}" '
            f'itemprop="url">{told}</a></time></p></header><div class="comment-content" itemprop="text">{written_parts(one.parts)}</div>'
            f'<div class="comment-reply"><a class="comment-reply-link" href="#respond">{blog.words[5]}</a></div></article>{nested}</li>'
        )


class TwentyEleven(Theme):
    """Author and time of a comment in one line of the footer."""

    version = "3.3"

    def meta(self, blog: Blog, post: Post) -> str:
        category, tags = blog.terms(post)
        tagged = (
            (
                ' <span class="sep"> | </span><span class="tag-links"><span class="entry-utility-prep entry-utility-prep-tag-links">Tagged'
                f"</span> {tags}</span>"
            )
            if tags
            else ""
        )
        return (
            '<footer class="entry-meta"><span class="cat-links"><span class="entry-utility-prep '
            f'entry-utility-prep-cat-links">{blog.words[4]}'
            f"</span> {category}</span>{tagged}</footer>"
        )

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        title = (
            escape(post.title) if level == 1 else f'<a href="{blog.url(post)}" title="Permalink" rel="bookmark">{escape(post.title)}</a>'
        )
        text = blog.shown(post) if level == 1 else blog.on_index(post)
        return (
            f'<article id="post-{post.number}" class="{blog.classes(post)}"><header class="entry-header"><h1 '
            f'class="entry-title">{title}</h1>'
            f'<div class="entry-meta"><span class="sep">{blog.words[2]} </span><a href="{blog.url(post)}" title="{blog.clock(post)}" '
            f'rel="bookmark"><time class="entry-date" datetime="{post.time.isoformat()}" pubdate>{blog.day(post)}</time></a><span '
            f'class="by-author"> <span class="sep"> {blog.words[3]} </span> <span class="author vcard">{blog.author(post, REL_FN)}</span>'
            "</span>"
            f'</div></header><div class="entry-content">{text}</div>{self.meta(blog, post)}</article>'
        )

    def pager(self, blog: Blog, older: str, newer: str, page: int, last: int) -> str:
        links = (
            f'<div class="nav-previous"><a href="{older}"><span class="meta-nav">&larr;</span> {blog.words[8]}</a></div>' if older else ""
        )
        return f'<nav id="nav-below"><h3 class="assistive-text">Post navigation</h3>{links}</nav>'

    def comment_list(self, blog: Blog, items: Sequence[str]) -> str:
        return f'<ol class="commentlist">{"".join(items)}</ol>'

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        nested = f'<ul class="children">{answers}</ul>' if answers else ""
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        return (
            f'<li class="comment even depth-{depth}" id="li-comment-{one.id}"><article id="comment-{one.id}" class="comment"><footer '
            'class="comment-meta"><div class="comment-author vcard"><img alt="" class="avatar" src="/a.png" /><span class="fn">'
            f'{escape(one.author)}</span> on <a href="{blog.url(post)}#comment-{one.id}"><time pubdate datetime="{one.time.isoformat()}">'
            f'{told}</time></a> <span class="says">said:</span></div></footer><div class="comment-content">{written_parts(one.parts)}'
            f'</div><div class="reply"><a class="comment-reply-link" href="#respond">{blog.words[5]} <span>&darr;</span></a>'
            f"</div></article>{nested}</li>"
        )


class GeneratePress(Genesis):
    """Boxes inside articles, Schema.org attributes, the usual comments."""

    comments, whole = Theme.comments, False

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        category, tags = blog.terms(post)
        title = escape(post.title) if level == 1 else f'<a href="{blog.url(post)}" rel="bookmark">{escape(post.title)}</a>'
        tagged = f' <span class="tags-links"><span class="screen-reader-text">Tags </span>{tags}</span>' if tags else ""
        text = f'<div class="entry-content" itemprop="text">{blog.shown(post)}</div>'
        if level > 1:
            text = (
                f'<div class="entry-summary" itemprop="text"><p>{escape(post.summary)} … '
                f'<a title="{attribute(post.title)}" class="read-more" href="{blog.url(post)}">{blog.words[8]}</a></p></div>'
            )
        return (
            f'<article id="post-{post.number}" class="{blog.classes(post)}" itemtype="https://schema.org/CreativeWork" itemscope><div '
            f'class="inside-article"><header class="entry-header"><h{level} class="entry-title" itemprop="headline">{title}</h{level}>'
            f'<div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="{post.time.isoformat()}" '
            f'itemprop="datePublished">{blog.day(post)}</time></span> <span class="byline">{blog.words[3]} <span class="author vcard" '
            'itemprop="author" itemtype="https://schema.org/Person" itemscope><a class="url fn n" href="'
            f'{blog.root}/author/x/" rel="author" '
            f'itemprop="url"><span class="author-name" itemprop="name">{escape(post.author)}</span></a></span></span></div></header>'
            f'{text}<footer class="entry-meta"><span class="cat-links"><span class="screen-reader-text">Categories </span>{category}</span>'
            f"{tagged}</footer></div></article>"
        )

    pager, comment = Theme.pager, Theme.comment


class Newspaper(Theme):
    """A theme of newspapers: modules on the index, times of comments as text."""

    whole = False

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        category, tags = blog.terms(post)
        if level > 1:
            return (
                '<div class="td_module_1 td_module_wrap td-animation-stack"><h3 class="entry-title td-module-title"><a href="'
                f'{blog.url(post)}" '
                f'rel="bookmark" title="{attribute(post.title)}">{escape(post.title)}</a></h3><div class="td-module-meta-info">'
                f'<span class="td-post-author-name"><a href="{blog.root}/author/x/">{escape(post.author)}</a> <span>-</span> </span><span '
                f'class="td-post-date"><time class="entry-date updated td-module-date" datetime="{post.time.isoformat()}">{blog.day(post)}'
                f'</time></span></div><div class="td-excerpt">{escape(post.summary)}...</div></div>'
            )
        tagged = (
            (
                '<div class="td-post-source-tags"><ul class="td-tags td-post-small-box clearfix"><li><span>TAGS</span></li><li>'
                f"{tags}</li></ul></div>"
            )
            if tags
            else ""
        )
        return (
            f'<article id="post-{post.number}" class="{blog.classes(post)}"><div class="td-post-header"><ul class="td-category"><li '
            f'class="entry-category">{category}</li></ul><header class="td-post-title"><h1 class="entry-title">{escape(post.title)}</h1>'
            f'<div class="td-module-meta-info"><div class="td-post-author-name"><div class="td-author-by">{blog.words[3]}</div> <a href="'
            f'{blog.root}/author/x/">{escape(post.author)}</a><div class="td-author-line"> - </div> </div><span class="td-post-date">'
            f'<time class="entry-date updated td-module-date" datetime="{post.time.isoformat()}">{blog.day(post)}</time></span><div '
            f'class="td-post-comments"><a href="{blog.url(post)}#comments">{len(post.comments)}</a></div></div></header></div>'
            f'<div class="td-post-content tagdiv-type">{blog.shown(post)}</div><footer>{tagged}<div class="td-post-next-prev">'
            "</div></footer></article>"
        )

    def pager(self, blog: Blog, older: str, newer: str, page: int, last: int) -> str:
        after = (
            (
                f'<a href="{older}" class="page" title="{page + 1}">{page + 1}</a><a href="{older}" aria-label="next-page"><i '
                'class="td-icon-menu-right"></i></a>'
            )
            if older
            else ""
        )
        return (
            f'<div class="page-nav td-pb-padding-side"><span class="current">{page}</span>{after}<span class="pages">Page {page} of {last}'
            "</span></div>"
        )

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        nested = f'<ul class="children">{answers}</ul>' if answers else ""
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        return (
            f'<li class="comment " id="comment-{one.id}"><article><footer><img alt="" class="avatar" src="/a.png" /><cite>'
            f"{escape(one.author)}"
            f'</cite><a class="comment-link" href="#comment-{one.id}"><time pubdate="{int(one.time.timestamp())}">{told}</time>'
            f'</a></footer><div class="comment-content tagdiv-type">{written_parts(one.parts)}</div><div class="comment-meta" '
            f'id="comment-reply-{one.id}"><a class="comment-reply-link" href="#respond">{blog.words[5]}</a></div></article>{nested}</li>'
        )


REL_FN = 'class="url fn n" rel="author"'
OTHER_THEMES: dict[str, Theme] = {
    "twentytwenty": Twenty(),
    "astra": Astra(),
    "genesis": Genesis(),
    "twentyeleven": TwentyEleven(),
    "generatepress": GeneratePress(),
    "newspaper": Newspaper(),
}
