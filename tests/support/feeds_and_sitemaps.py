"""A sitemap and a feed of each kind, and what is read of one."""

from __future__ import annotations

from seams import capture_of, portal_of

from webarticlecurator.crawling.archive import archive_page_of
from webarticlecurator.model.links import ArchivePage

HOME = "https://pelda.example"
DOCUMENTS = {
    "sitemap": "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    f"<url><loc>{HOME}/1</loc><lastmod>2024-05-01</lastmod></url><!-- x --><url><loc><![CDATA[{HOME}/2]]></loc></url>"
    "<sitemap><loc>/b.xml</loc></sitemap></urlset>",
    "rss": f"<rss version='2.0'><channel><title>A &amp; B</title><item><link>{HOME}/1</link><description>"
    f"<![CDATA[<p>a]]></description></item>"
    f"<item><guid>{HOME}/2</guid><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate></item></channel></rss>",
    "atom": "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:link rel='next' href='/2'/><a:entry>"
    f"<a:link href='{HOME}/1'/></a:entry></a:feed>",
    "json": f'{{"version": "https://jsonfeed.org/version/1.1", "next_url": "/2", "items": [{{"id": "{HOME}/1", "tags": ["a"]}}]}}',
    "robots": f"User-agent: *\nSitemap: {HOME}/sitemap.xml\n",
}
PORTALS = {name: portal_of(archive={"url": f"{HOME}/x", "format": name}) for name in ("sitemap", "feed")}
PIECES = [
    *"<>&;'\"\x00\ufffe{}[],: \n",
    *("<item>", "</", "<![CDATA[", "]]>", "<!--", "<!DOCTYPE x [<!ENTITY a '&a;'>]>", "&#x110000;", "null", "-1"),
]


def read(document: str | bytes, name: str) -> ArchivePage | None:
    body = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
    found = archive_page_of(capture_of(body, f"{HOME}/x"), PORTALS[name].columns[0], PORTALS[name])
    return found if isinstance(found, ArchivePage) else None
