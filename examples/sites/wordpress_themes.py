"""How themes of WordPress write posts, lists of them and comments: those that come with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .content import Post, Said
from .site import escape, written_parts

if TYPE_CHECKING:
    from .wordpress import Blog

_FN, _REL, _NAME = 'class="url fn n"', 'rel="author"', 'target="_self" class="wp-block-post-author-name__link"'


class Theme:
    """In the manner of Twenty Sixteen; others say what they do otherwise."""

    version, blocks, whole, only_day = "6.4.3", False, True, False
    comments = (
        '<div id="comments" class="comments-area"><h2 class="comments-title">{title}</h2>{list}<div id="respond" class="comment-respond">'
        '<h3 id="reply-title" class="comment-reply-title">{form}</h3><form id="commentform"><p class="comment-notes">E-mail</p>'
        "</form></div></div>"
    )

    def around(self, blog: Blog, inner: str) -> str:
        return (
            '<div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main">'
            f"{inner}</main></div>{blog.sidebar()}</div>"
        )

    def meta(self, blog: Blog, post: Post) -> str:
        words, (category, tags) = blog.words, blog.terms(post)
        tagged = f'<span class="tags-links"><span class="screen-reader-text">Tags </span>{tags}</span>' if tags else ""
        return (
            '<footer class="entry-footer"><span class="byline"><span class="author vcard"><img alt="" class="avatar" src="/a.png" />'
            f'<span class="screen-reader-text">{words[3]} </span>{blog.author(post, _FN)}</span></span>'
            f'<span class="posted-on"><span class="screen-reader-text">{words[2]} </span><a href="{blog.url(post)}" rel="bookmark">'
            f'<time class="entry-date published" datetime="{post.time.isoformat()}">{blog.day(post)}</time></a></span>'
            f'<span class="cat-links"><span class="screen-reader-text">{words[4]} </span>{category}</span>{tagged}</footer>'
        )

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        title = escape(post.title) if level == 1 else f'<a href="{blog.url(post)}" rel="bookmark">{escape(post.title)}</a>'
        return (
            f'<article id="post-{post.number}" class="{blog.classes(post)}"><header class="entry-header"><h{level} '
            f'class="entry-title">{title}'
            f'</h{level}></header><div class="entry-content">{blog.shown(post) if level == 1 else blog.on_index(post)}</div>'
            f"{self.meta(blog, post)}</article>"
        )

    def single(self, blog: Blog, post: Post) -> str:
        return self.entry(blog, post, 1)

    def index(self, blog: Blog, posts: Sequence[Post]) -> str:
        return "".join(self.entry(blog, post, 2) for post in posts)

    def pager(self, blog: Blog, older: str, newer: str, page: int, last: int) -> str:
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

    def comment_list(self, blog: Blog, items: Sequence[str]) -> str:
        return f'<ol class="comment-list">{"".join(items)}</ol>'

    def comment_pager(self, blog: Blog, older: str, newer: str) -> str:
        links = f'<div class="nav-previous"><a href="{older}">{blog.words[8]} {blog.words[6]}</a></div>' if older else ""
        links += f'<div class="nav-next"><a href="{newer}">{blog.words[9]} {blog.words[6]}</a></div>' if newer else ""
        return f'<nav class="navigation comment-navigation"><div class="nav-links">{links}</div></nav>'

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
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

    def comment_pager(self, blog: Blog, older: str, newer: str) -> str:
        links = f'<a class="prev page-numbers" href="{older}">{blog.words[8]}</a>' if older else ""
        links += f'<a class="next page-numbers" href="{newer}">{blog.words[9]}</a>' if newer else ""
        return (
            '<nav class="navigation comments-pagination"><h2 class="screen-reader-text">Comments navigation</h2><div '
            f'class="nav-links">{links}</div></nav>'
        )

    def meta(self, blog: Blog, post: Post) -> str:
        category, tags = blog.terms(post)
        tagged = f'<span class="tags-links">Tagged {tags}</span>' if tags else ""
        return (
            f'<footer class="entry-footer default-max-width"><div class="posted-by"><span class="posted-on">{blog.words[2]} <time '
            'class="entry-date '
            f'published updated" datetime="{post.time.isoformat()}">{blog.day(post)}</time></span><span class="byline">{blog.words[3]} '
            f'{blog.author(post, _REL)}</span></div><div class="post-taxonomies"><span class="cat-links">{blog.words[4]} {category} '
            f"</span>{tagged}</div></footer>"
        )

    def index(self, blog: Blog, posts: Sequence[Post]) -> str:
        return "".join(
            f'<article id="post-{post.number}" class="{blog.classes(post)}"><header class="entry-header">'
            f'<h2 class="entry-title default-max-width"><a href="{blog.url(post)}">{escape(post.title)}</a></h2></header>'
            f'<div class="entry-content"><p>{escape(post.summary)}… <a class="more-link" href="{blog.url(post)}">… '
            f'<span class="screen-reader-text">{escape(post.title)}</span></a></p></div><footer class="entry-footer">'
            f'<span class="posted-on"><time class="entry-date published" datetime="{post.time.isoformat()}">{blog.day(post)}</time>'
            "</span></footer></article>"
            for post in posts
        )


class TwentyTen(Theme):
    """Of 2010: `div.post.hentry`; times stand in a title only, those of comments in the text."""

    version = "3.0.1"
    comments = '<div id="comments"><h3 id="comments-title">{title}</h3>{list}<div id="respond"><h3 id="reply-title">{form}</h3></div></div>'

    def around(self, blog: Blog, inner: str) -> str:
        return (
            f'<div id="main"><div id="container"><div id="content" role="main">{inner}</div></div><div id="primary" '
            f'class="widget-area">{blog.sidebar()}</div></div>'
        )

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        category, tags = blog.terms(post)
        title = escape(post.title) if level == 1 else f'<a href="{blog.url(post)}" rel="bookmark">{escape(post.title)}</a>'
        tagged = f'<span class="tag-links">{tags}</span>' if tags else ""
        return (
            f'<div id="post-{post.number}" class="{blog.classes(post)}"><h{level} class="entry-title">{title}</h{level}>'
            f'<div class="entry-meta"><span class="meta-prep meta-prep-author">{blog.words[2]}</span> '
            f'<a href="{blog.url(post)}" title="{blog.clock(post)}" rel="bookmark"><span class="entry-date">{blog.day(post)}</span>'
            f'</a> <span class="meta-sep">{blog.words[3]}</span> <span class="author vcard">{blog.author(post, _FN)}</span></div>'
            '<div class="entry-content">'
            f"{blog.shown(post) if level == 1 else blog.on_index(post)}</div>"
            f'<div class="entry-utility"><span class="cat-links">{blog.words[4]} {category}</span> {tagged}</div></div>'
        )

    def pager(self, blog: Blog, older: str, newer: str, page: int, last: int) -> str:
        links = f'<div class="nav-previous"><a href="{older}">&larr; {blog.words[8]}</a></div>' if older else ""
        links += f'<div class="nav-next"><a href="{newer}">{blog.words[9]} &rarr;</a></div>' if newer else ""
        return f'<div id="nav-below" class="navigation">{links}</div>'

    def comment_list(self, blog: Blog, items: Sequence[str]) -> str:
        return f'<ol class="commentlist">{"".join(items)}</ol>'

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
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

    def entry(self, blog: Blog, post: Post, level: int) -> str:
        category, tags = blog.terms(post)
        tagged = f'<p class="tags">Tags: {tags}</p>' if tags else ""
        return (
            f'<div class="{blog.classes(post)}" id="post-{post.number}"><h2><a href="{blog.url(post)}" rel="bookmark" '
            'title="Permanent Link">'
            f"{escape(post.title)}</a></h2><small>{blog.words[1].format(blog.day(post), blog.clock(post))} {blog.words[3]} "
            f"{escape(post.author)}</small>"
            f'<div class="entry">{blog.shown(post) if level == 1 else blog.on_index(post)}</div>{tagged}'
            f'<p class="postmetadata">{blog.words[4]} {category} | <a href="{blog.url(post)}#respond">{blog.words[7]}</a></p></div>'
        )

    def pager(self, blog: Blog, older: str, newer: str, page: int, last: int) -> str:
        return (
            '<div class="navigation"><div class="alignleft">'
            f"{f'<a href={chr(34)}{older}{chr(34)}>&laquo; {blog.words[8]}</a>' if older else ''}</div>"
            f'<div class="alignright">{f"<a href={chr(34)}{newer}{chr(34)}>{blog.words[9]} &raquo;</a>" if newer else ""}</div></div>'
        )

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
        told = blog.words[1].format(blog.day(one), blog.clock(one))
        answers = "".join(self.comment(blog, post, child, tree, depth + 1) for child in tree.get(one.id, ()))
        nested = f"<ul class='children'>{answers}</ul>" if answers else ""
        return (
            f'<li class="comment odd depth-{depth}" id="comment-{one.id}"><div id="div-comment-{one.id}" class="comment-body">'
            f'<div class="comment-author vcard"><cite class="fn">{escape(one.author)}</cite> <span class="says">{blog.words[0]}</span>'
            f'</div><div class="comment-meta commentmetadata"><a href="{blog.url(post)}#comment-{one.id}">{told}</a>'
            f'</div>{written_parts(one.parts)}<div class="reply"><a class="comment-reply-link" href="#respond">{blog.words[5]}</a>'
            f"</div></div>{nested}</li>"
        )


class TwentyTwentyThree(Theme):
    """A block theme: columns around each comment, the author without a link."""

    blocks, whole = True, False
    comments = (
        '<section class="wp-block-template-part"><div class="wp-block-comments"><h2 class="wp-block-heading">Comments</h2>'
        '<h3 id="comments" class="wp-block-comments-title">{title}</h3>{list}<div class="wp-block-post-comments-form">'
        '<div id="respond" class="comment-respond"><h3 id="reply-title" class="comment-reply-title">{form}</h3></div></div></div>'
        "</section>"
    )

    def around(self, blog: Blog, inner: str) -> str:
        return f'<div class="wp-site-blocks"><main class="wp-block-group is-layout-flow" id="wp--skip-link--target">{inner}</main></div>'

    def written_by(self, blog: Blog, post: Post) -> str:
        return (
            '<div class="wp-block-post-author"><div class="wp-block-post-author__content"><p class="wp-block-post-author__name">'
            f"{escape(post.author)}</p></div></div>"
        )

    def single(self, blog: Blog, post: Post) -> str:
        category, tags = blog.terms(post)
        tagged = f'<div class="taxonomy-post_tag wp-block-post-terms">{tags}</div>' if tags else ""
        return (
            f'<div class="wp-block-group is-layout-constrained"><h1 class="wp-block-post-title">{escape(post.title)}</h1></div>'
            f'<div class="entry-content wp-block-post-content is-layout-constrained">{blog.shown(post)}</div>'
            '<div class="wp-block-group"><hr class="wp-block-separator alignwide"/><div class="wp-block-columns">'
            f'<div class="wp-block-column"><div class="wp-block-group"><p>{blog.words[2]}</p><div class="wp-block-post-date">'
            f'<time datetime="{post.time.isoformat()}">{blog.day(post)}</time></div><p>in</p>'
            f'<div class="taxonomy-category wp-block-post-terms">{category}</div></div><div class="wp-block-group"><p>{blog.words[3]}'
            f"</p>{self.written_by(blog, post)}</div></div><div "
            f'class="wp-block-column"><p>Tags:</p>{tagged}</div></div></div>'
        )

    def index(self, blog: Blog, posts: Sequence[Post]) -> str:
        items = "".join(
            f'<li class="wp-block-post {blog.classes(post)}"><h2 class="wp-block-post-title">'
            f'<a href="{blog.url(post)}" target="_self">{escape(post.title)}</a></h2><div class="wp-block-post-excerpt">'
            f'<p class="wp-block-post-excerpt__excerpt">{escape(post.summary)}… </p></div><div class="wp-block-post-date">'
            f'<time datetime="{post.time.isoformat()}"><a href="{blog.url(post)}">{blog.day(post)}</a></time></div></li>'
            for post in posts
        )
        return (
            '<h1 class="wp-block-heading alignwide">Blog</h1><div class="wp-block-query alignwide"><ul class="is-flex-container '
            f'columns-3 alignwide wp-block-post-template">{items}</ul>'
        )

    def pager(self, blog: Blog, older: str, newer: str, page: int, last: int) -> str:
        links = f'<a href="{newer}" class="wp-block-query-pagination-previous">{blog.words[9]}</a>' if newer else ""
        links += f'<a href="{older}" class="wp-block-query-pagination-next">{blog.words[8]}</a>' if older else ""
        return f'<nav class="alignwide wp-block-query-pagination is-layout-flex" aria-label="Pagination">{links}</nav></div>'

    def comment_list(self, blog: Blog, items: Sequence[str]) -> str:
        return f'<ol class="wp-block-comment-template">{"".join(items)}</ol>'

    def comment_pager(self, blog: Blog, older: str, newer: str) -> str:
        links = f'<a href="{older}" class="wp-block-comments-pagination-previous">{blog.words[8]}</a>' if older else ""
        links += f'<a href="{newer}" class="wp-block-comments-pagination-next">{blog.words[9]}</a>' if newer else ""
        return f'<div class="wp-block-comments-pagination is-layout-flex">{links}</div>'

    frame = (
        '<div class="wp-block-columns"><div class="wp-block-column" style="flex-basis:40px"><div class="wp-block-avatar">'
        '<img alt="" class="avatar" src="/a.png"/></div></div><div class="wp-block-column">'
        '<div class="wp-block-comment-author-name has-small-font-size">{who}</div><div class="wp-block-group">'
        '<div class="wp-block-comment-date has-small-font-size">{when}</div></div><div class="wp-block-comment-content">{text}</div>'
        '<div class="wp-block-comment-reply-link has-small-font-size"><a rel="nofollow" class="comment-reply-link" '
        'href="#respond">{reply}</a></div></div></div>'
    )

    def comment(self, blog: Blog, post: Post, one: Said, tree: Any, depth: int) -> str:
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
        '<div class="wp-block-group" style="margin-top:0"><div class="wp-block-group is-nowrap is-layout-flex">'
        '<div class="wp-block-avatar"><img alt="" src="/a.png"/></div><div class="wp-block-group">'
        '<div class="wp-block-comment-date">{when}</div><div class="wp-block-comment-author-name">{who}</div></div></div>'
        '<div class="wp-block-comment-content">{text}</div><div class="wp-block-group"><div class="wp-block-comment-reply-link">'
        '<a class="comment-reply-link" href="#respond">{reply}</a></div></div></div>'
    )

    def single(self, blog: Blog, post: Post) -> str:
        category, tags = blog.terms(post)
        tagged = f'<div class="taxonomy-post_tag is-style-pill wp-block-post-terms">{tags}</div>' if tags else ""
        return (
            f'<div class="wp-block-group"><h1 class="wp-block-post-title has-x-large-font-size">{escape(post.title)}</h1>'
            '<div class="wp-block-template-part"><div class="wp-block-group is-content-justification-left">'
            f'<div class="wp-block-post-date"><time datetime="{post.time.isoformat()}"><a href="{blog.url(post)}">{blog.day(post)}</a>'
            f'</time></div><p class="has-contrast-2-color">—</p><p class="has-small-font-size">{blog.words[3]}</p>'
            f'<div class="wp-block-post-author-name">{blog.author(post, _NAME)}</div><div class="taxonomy-category '
            f'wp-block-post-terms"><span class="wp-block-post-terms__prefix">in </span>{category}</div></div></div></div>'
            f'<div class="entry-content wp-block-post-content is-layout-flow">{blog.shown(post)}'
            f"</div>{tagged}"
        )


THEMES: dict[str, Theme] = {
    "twentysixteen": Theme(), "twentytwentyone": TwentyTwentyOne(), "twentyten": TwentyTen(), "kubrick": Kubrick(),
    "twentytwentythree": TwentyTwentyThree(), "twentytwentyfour": TwentyTwentyFour(),
}  # fmt: skip
