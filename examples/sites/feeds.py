"""Sitemaps and feeds, as the softwares write them."""

from __future__ import annotations

from collections.abc import Iterable
from email.utils import format_datetime
from xml.sax.saxutils import escape

from .content import Post

_SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(entries: Iterable[tuple[str, str]], *, news: bool = False, titles: Iterable[str] = ()) -> str:
    """Addresses with the time of their last change."""
    told = list(titles)
    urls = []
    for number, (url, changed) in enumerate(entries):
        more = f"<lastmod>{changed}</lastmod>" if changed and not news else ""
        if news:
            name = "<news:publication><news:name>Hírek</news:name><news:language>hu</news:language></news:publication>"
            more = (
                f"<news:news>{name}<news:publication_date>{changed}</news:publication_date><news:title>{escape(told[number])}"
                "</news:title></news:news>"
            )
        urls.append(f"<url><loc>{escape(url)}</loc>{more}</url>")
    space = ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"' if news else ""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_SITEMAPS}"{space}>\n' + "\n".join(urls) + "\n</urlset>\n"


def sitemap_index(urls: Iterable[str]) -> str:
    listed = "\n".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{_SITEMAPS}">\n{listed}\n</sitemapindex>\n'


def rss(title: str, root: str, items: Iterable[tuple[str, Post, str]], more: str = "") -> str:
    """RSS 2.0 with authors and whole texts."""
    listed = "\n".join(
        f"<item><title>{escape(post.title)}</title><link>{escape(url)}</link><dc:creator><![CDATA[{post.author}]]></dc:creator><pubDate>"
        f"{format_datetime(post.time)}</pubDate><category><![CDATA[{post.section}]]></category><guid isPermaLink=\"true\">"
f"{escape(url)}</guid>"
        f"<description><![CDATA[<p>{post.summary}</p>]]></description><content:encoded><![CDATA[{body}]]></content:encoded></item>"
        for url, post, body in items
    )  # fmt: skip
    return (
        '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">\n'
        f"<channel><title>{escape(title)}</title><link>{root}/</link>{more}\n{listed}\n</channel></rss>\n"
    )


def atom(title: str, own: str, items: Iterable[tuple[str, Post, str]], more: str = "") -> str:
    """Atom with whole texts."""
    listed = "\n".join(
        f"<entry><id>tag:blog.example,{post.time:%Y}:{post.number}</id><published>{post.time.isoformat()}</published><updated>"
        f'{post.time.isoformat()}</updated><category term="{escape(post.section)}"/><title type="text">{escape(post.title)}</title>'
        f'<content type="html">{escape(body)}</content><link rel="alternate" type="text/html" href="{escape(url)}"/><author><name>'
        f"{escape(post.author)}</name></author></entry>"
        for url, post, body in items
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:openSearch="http://a9.com/-/spec/opensearch'
        f'rss/1.0/"><id>{escape(own)}</id><title type="text">{escape(title)}</title><link rel="self" href="{escape(own)}"/>'
        f"{more}\n{listed}\n</feed>\n"
    )
