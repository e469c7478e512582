"""TYPO3 with its news extension: Schema.org attributes, days without times."""

from __future__ import annotations

from collections.abc import Sequence

from .content import Post, blog_posts
from .site import Made, Variation, attribute, chunks, document, escape, truth_of_post, written_parts

_WORDS = {
    "hu": ("Szerző:", "Tovább", "Következő", "Vissza"),
    "de": ("Von", "Weiterlesen", "Nächste", "Zurück"),
    "en": ("By", "Read more", "Next", "Back"),
    "fr": ("Par", "Lire la suite", "Suivant", "Retour"),
}
_PER_PAGE = 5


def site(root: str, variation: Variation) -> Made:
    old, words = variation.theme == "v7", _WORDS[variation.language]
    posts = tuple(reversed(blog_posts(variation.voice, 14, comments=False)))
    made = Made(extends="typo3-news", home="/aktuelles/" if variation.has("folder") else "/")
    base = made.home

    def path(post: Post) -> str:
        return f"{base}detail/{post.slug}" + ("/" if old else "")

    def meta(post: Post, *, single: bool) -> str:
        when = f'<time itemprop="datePublished" datetime="{post.time:%Y-%m-%d}">{post.time:%d.%m.%Y}'
        when += f'<meta itemprop="datePublished" content="{post.time:%Y-%m-%d}"></time>' if old else "</time>"
        by = f'<span class="news-list-author">{words[0]} {escape(post.author)}</span>'
        if single and not old:
            by = (
                f'<span class="news-list-author" itemprop="author" itemscope="itemscope" itemtype="http://schema.org/Person">{words[0]} '
                f'<span itemprop="name">{escape(post.author)}</span></span>'
            )
        return (
            f'<div class="footer"><p><span class="news-list-date">{when}</span> <span class="news-list-category">'
            f"{escape(post.section)}</span> {by}</p></div>"
        )

    def page(title: str, inner: str) -> str:
        head = '<meta name="generator" content="TYPO3 CMS">\n<link rel="stylesheet" href="/typo3temp/assets/css/x.css">'
        return document(
            title,
            f'<div id="page"><nav><a href="/">Start</a></nav><div id="content"><!--TYPO3SEARCH_begin-->{inner}<!--TYPO3SEARCH_end-->'
            "</div></div>",
            language=variation.language,
            head=head,
        )

    def listing(shown: Sequence[Post], number: int, last: int) -> str:
        items = "".join(
            f'<div class="article articletype-0 {"" if old else "topnews"}" itemscope="itemscope" itemtype="http://schema.org/Article">'
            f'<div class="header"><h3><a title="{attribute(post.title)}" href="{path(post)}"><span itemprop="headline">'
            f'{escape(post.title)}</span></a></h3></div><div class="teaser-text"><div itemprop="description"><p>'
            f'{escape(post.summary)}<span class="read_more"></span></p></div><a class="more" title="{attribute(post.title)}" '
            f'href="{path(post)}">{words[1]}</a></div>{meta(post, single=False)}</div>'
            for post in shown
        )
        numbers = "".join(
            f'<li class="current">{n}</li>' if n == number else f'<li><a href="{link(n)}">{n}</a></li>' for n in range(1, last + 1)
        )
        after = f'<li class="{"last " if not old else ""}next"><a href="{link(number + 1)}">{words[2]}</a></li>' if number < last else ""
        pager = (
            f'<div class="page-navigation"><p>Page {number} of {last}.</p><ul class="f3-widget-paginator">{numbers}{after}</ul></div>'
            if last > 1
            else ""
        )
        return page("Aktuelles", f'<div class="news"><div class="news-list-view" id="news-container-3">{items}{pager}</div></div>')

    def link(number: int) -> str:
        if number == 1:
            return base
        return f"{base}?tx_news_pi1%5B%40widget_0%5D%5BcurrentPage%5D={number}&amp;cHash=0a{number}b" if old else f"{base}seite-{number}"

    def single(post: Post) -> str:
        teaser = f'<div class="teaser-text" itemprop="description">{written_parts(post.parts[:1])}</div>' if variation.has("teaser") else ""
        text = written_parts(post.parts[1 if teaser else 0 :])
        level = "h3" if old else "h1"
        related = "".join(
            f'<li><span class="news-related-news-date">{one.time:%d.%m.%Y}</span> <a href="{path(one)}">{escape(one.title)}</a></li>'
            for one in posts[:2]
            if one is not post
        )
        inner = (
            '<div class="news news-single"><div class="article" itemscope="itemscope" itemtype="http://schema.org/Article"><div '
            f'class="header"><{level} itemprop="headline">{escape(post.title)}</{level}></div>{meta(post, single=True)}{teaser}<div '
            f'class="news-text-wrap" itemprop="articleBody">{text}</div><div class="news-related-wrap"><div class="news-related '
            f'news-related-news"><h4>Related news</h4><ul>{related}</ul></div></div><div class="news-backlink-wrap"><a href="{base}">'
            f"{words[3]}</a></div></div></div>"
        )
        return page(post.title, inner)

    pages = chunks(posts, _PER_PAGE)
    for number, shown in enumerate(pages, 1):
        made.page(link(number).replace("&amp;", "&"), listing(shown, number, len(pages)))
    for post in posts:
        made.page(path(post), single(post))
        made.truths.append(truth_of_post(root + path(post), post, only_day=True))
    return made
