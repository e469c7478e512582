"""Sites without a software of a name: known by their sitemap only, by their feed only, or made of live blogs."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from datetime import UTC, timedelta
from typing import Any

from .content import Post, Said, blog_posts, live_entries, written
from .feeds import atom, rss, sitemap, sitemap_index
from .site import Made, Truth, Variation, attribute, chunks, document, escape, json_answer, truth_of_post, written_parts

_DATES = {"hu": "y. MMMM d. HH:mm", "de": "d. MMMM y, HH:mm", "en": "MMMM d, y, h:mm a", "fr": "d MMMM y, HH:mm"}


def _data(kind: str, post: Post, url: str, **more: Any) -> str:
    told = {
        "@context": "https://schema.org",
        "@type": kind,
        "headline": post.title,
        "url": url,
        "datePublished": post.time.isoformat(),
        "author": {"@type": "Person", "name": post.author},
        "articleSection": post.section,
        "mainEntityOfPage": url,
        **more,
    }
    return f'<script type="application/ld+json">{json.dumps(told)}</script>'


def _page(variation: Variation, post: Post, url: str, inner: str = "", data: str = "") -> str:
    told = written(post.time, variation.language, _DATES[variation.language])
    body = inner or f'<div class="article-body" itemprop="articleBody">{written_parts(post.parts)}</div>'
    article = (
        '<article class="article" itemscope itemtype="https://schema.org/NewsArticle"><header><h1 itemprop="headline">'
        f'{escape(post.title)}</h1><p class="byline"><span itemprop="author" itemscope itemtype="https://schema.org/Person"><span '
        f'itemprop="name">{escape(post.author)}</span></span> <time itemprop="datePublished" datetime="{post.time.isoformat()}">{told}'
        f"</time></p></header>{body}</article>"
    )
    head = (
        f'<link rel="canonical" href="{url}">\n<meta property="og:title" content="{attribute(post.title)}">\n'
        f"{data or _data('NewsArticle', post, url)}"
    )
    return document(
        f"{post.title} | Hírek",
        f'<header><nav><a href="/">Hírek</a></nav></header><main>{article}</main><footer><p>Impresszum</p></footer>',
        language=variation.language,
        head=head,
    )


def _with_pages(root: str, variation: Variation, count: int) -> tuple[Made, list[tuple[str, Post]]]:
    made = Made()
    listed = [(f"{root}/{post.time:%Y}/{post.slug}.html", post) for post in reversed(blog_posts(variation.voice, count, comments=False))]
    for url, post in listed:
        made.page(url.removeprefix(root), _page(variation, post, url))
        made.truths.append(truth_of_post(url, post))
    made.page("/", document("Hírek", "<main><h1>Hírek</h1><p>Hamarosan.</p></main>", language=variation.language))
    return made, listed


def sitemap_site(root: str, variation: Variation) -> Made:
    """`index-gz`: an index of packed parts; `news`: with an overlapping sitemap of news; `robots`: known from robots.txt alone."""
    made, listed = _with_pages(root, variation, 24)
    parts = chunks([(url, post.time.isoformat()) for url, post in listed], 9)
    names = []
    for number, part in enumerate(parts, 1):
        packed = variation.theme == "index-gz"
        names.append(f"/sitemap-{number}.xml{'.gz' if packed else ''}")
        text = sitemap(part)
        made.give(names[-1], "application/x-gzip" if packed else "application/xml", gzip.compress(text.encode()) if packed else text)
    if variation.theme == "news":
        names.append("/sitemap-news.xml")
        made.give(
            names[-1],
            "application/xml",
            sitemap([(url, post.time.isoformat()) for url, post in listed[:5]], news=True, titles=[post.title for _, post in listed]),
        )
    index = sitemap_index(root + name for name in names)
    if variation.theme == "robots":
        made.give("/karte.xml", "text/xml", index)
        made.give("/robots.txt", "text/plain", f"User-agent: *\nDisallow: /admin/\nSitemap: {root}/karte.xml\n")
    else:
        made.give("/sitemap.xml", "application/xml; charset=utf-8", index)
    return made


def feed_site(root: str, variation: Variation) -> Made:
    """`atom`: archived pages as RFC 5005 has them; `rss`: the next page by a link; `json`: JSON Feed."""
    made, listed = _with_pages(root, variation, 24)
    pages = chunks([(url, post, written_parts(post.parts)) for url, post in listed], 7)
    for page, items in enumerate(pages):
        last = page + 1 == len(pages)
        if variation.theme == "json":
            told: dict[str, Any] = {"version": "https://jsonfeed.org/version/1.1", "title": "Hírek", "home_page_url": f"{root}/"}
            told["items"] = [
                {
                    "id": url, "url": url, "title": post.title, "content_html": body, "date_published": post.time.isoformat(),
                    "authors": [{"name": post.author}], "tags": list(post.tags),
                }
                for url, post, body in items
            ]  # fmt: skip
            told |= {} if last else {"next_url": f"{root}/feed.json?page={page + 1}"}
            made.pages[f"/feed.json?page={page}" if page else "/feed.json"] = json_answer(told)
        elif variation.theme == "rss":
            more = "" if last else f'<atom:link rel="next" href="{root}/feed/?page={page + 1}"/>'
            made.give(f"/feed/?page={page}" if page else "/feed/", "application/rss+xml", rss("Hírek", root, items, more))
        else:
            more = "" if last else f'<link rel="prev-archive" href="{root}/archive-{page + 1}.xml"/>'
            more += '<fh:archive xmlns:fh="http://purl.org/syndication/history/1.0"/>' if page else ""
            made.give(
                f"/archive-{page}.xml" if page else "/atom.xml",
                "application/atom+xml",
                atom("Hírek", f"{root}/{f'archive-{page}' if page else 'atom'}.xml", items, more),
            )
    made.lines = {"json": 'archive: {url: "{home}feed.json"}\n', "atom": 'archive: {url: "{home}atom.xml"}\n'}.get(variation.theme, "")
    return made


# --- live blogs ---


def _microdata(said: Said, told: str, _url: str) -> str:
    title = f'<h2 class="block-title" itemprop="headline">{escape(said.title)}</h2>' if said.title else ""
    return (
        f'<div id="block-{said.id:08x}" class="block" itemprop="liveBlogUpdate" itemscope itemtype="http://schema.org/BlogPosting"><p '
        f'class="block-time published-time"><a href="?page=with:block-{said.id:08x}" itemprop="url"><time datetime='
        f'"{said.time.isoformat()}" itemprop="datePublished">{told}</time></a></p>{title}<p class="block-byline" itemprop="author" '
        f'itemscope itemtype="http://schema.org/Person"><span itemprop="name">{escape(said.author)}</span></p><div class='
        f'"block-elements" itemprop="articleBody">{written_parts(said.parts)}</div></div>'
    )


def _plugin(said: Said, told: str, url: str) -> str:
    title = f"<h2>{escape(said.title)}</h2>" if said.title else ""
    return (
        f'<div id="liveblog-entry-{said.id}" class="liveblog-entry type-entry"><header class="liveblog-meta" data-timestamp="'
        f'{int(said.time.timestamp())}"><span class="liveblog-author-avatar"><img src="/a.png" alt=""></span><span class='
        f'"liveblog-author-name">{escape(said.author)}</span><span class="liveblog-meta-time"><a href="{url}#liveblog-entry-{said.id}">'
        f'<time datetime="{said.time.isoformat()}">{told}</time></a></span></header><div class="liveblog-entry-text" '
        f'data-original-content="">{title}{written_parts(said.parts)}</div></div>'
    )


def _in_data(said: Said, told: str, _url: str) -> str:
    title = f'<h3 class="ticker__title">{escape(said.title)}</h3>' if said.title else ""
    return (
        f'<li class="ticker__item" id="e{said.id}"><span class="ticker__time">{told}</span><div class="ticker__content">{title}'
        f'{written_parts(said.parts)}<p class="ticker__author">{escape(said.author)}</p></div></li>'
    )


_ENTRIES: dict[str, tuple[str, Callable[[Said, str, str], str]]] = {
    "microdata": ('<div class="live-blog" itemscope itemtype="http://schema.org/LiveBlogPosting">{}</div>', _microdata),
    "plugin": ('<div id="wpcom-liveblog-container" class="7"><div id="liveblog-entries">{}</div></div>', _plugin),
    "data": ('<ol class="ticker">{}</ol>', _in_data),
}


def live_site(root: str, variation: Variation) -> Made:
    """Live blogs that a sitemap lists; entries newest first, or oldest first."""
    made = Made(extends="[sitemap, live-blog]")
    frame, write = _ENTRIES[variation.theme]
    urls = []
    for post in blog_posts(variation.voice, 8, comments=False):
        url = f"{root}/live/{post.slug}"
        entries = live_entries(variation.voice, 4 + post.number % 9, post.time + timedelta(minutes=3))
        intro = f'<div class="lead"><p>{post.parts[0].lines[0]}</p></div>'
        made.page(
            url.removeprefix(root),
            _page(
                variation,
                post,
                url,
                intro + frame.format(_entries(variation, entries, write, url)),
                _live_data(variation, post, url, entries),
            ),
        )
        made.truths.append(
            Truth(
                url=url, title=post.title, authors=(post.author,), date=post.time.isoformat(), text=post.parts[0].text, said=entries,
                parents=False,
            )
        )  # fmt: skip
        urls.append((url, entries[-1].time.isoformat()))
    made.give("/sitemap.xml", "application/xml", sitemap(urls))
    made.page("/", document("Live", "<main><h1>Live</h1></main>", language=variation.language))
    return made


def _entries(variation: Variation, entries: Sequence[Said], write: Callable[[Said, str, str], str], url: str) -> str:
    ordered = entries if variation.has("oldest-first") else tuple(reversed(entries))
    return "\n".join(write(one, written(one.time, variation.language, "HH:mm"), url) for one in ordered)


def _live_data(variation: Variation, post: Post, url: str, entries: Sequence[Said]) -> str:
    """Only one theme tells its entries to machines."""
    if variation.theme != "data":
        return _data("NewsArticle", post, url)
    told = [
        {"@type": "BlogPosting", "headline": one.title or one.text[:60], "articleBody": one.text, "url": f"{url}#e{one.id}",
         "datePublished": one.time.astimezone(UTC).isoformat(), "author": {"@type": "Person", "name": one.author}}
        for one in entries
    ]  # fmt: skip
    return _data(
        "LiveBlogPosting", post, url, liveBlogUpdate=told, coverageStartTime=entries[0].time.isoformat(),
        coverageEndTime=entries[-1].time.isoformat(),
    )  # fmt: skip


MAKERS = {"sitemap": sitemap_site, "feed": feed_site, "live-blog": live_site}


def site(root: str, variation: Variation) -> Made:
    return MAKERS[variation.software](root, variation)
