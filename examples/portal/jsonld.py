"""The JSON-LD of article pages, good and broken as the web has it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from .articles import Article
from .sections import Form

_TYPES: Mapping[Form, str] = MappingProxyType(
    {Form.LIVE: "LiveBlogPosting", Form.THREAD: "DiscussionForumPosting", Form.POST: "BlogPosting", Form.GALLERY: "ImageGallery"}
)


def jsonld(article: Article, home: str) -> str:
    """The script elements for the page's head; the article's number decides how well they are made."""
    if article.old_layout or article.form in (Form.THREAD, Form.BRIEF):
        return ""
    return FLAVOURS[article.number % len(FLAVOURS)](_thing(article, home), home)


def _thing(article: Article, home: str) -> dict[str, Any]:
    thing: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": _TYPES.get(article.form, "NewsArticle"),
        "headline": article.title,
        "url": home + article.path,
        "datePublished": article.published.isoformat(),
        "author": [{"@type": "Person", "name": name} for name in article.authors],
        "articleSection": article.section.title,
        "keywords": list(article.keywords),
        "inLanguage": article.section.language,
        "description": article.lead,
    }
    if article.modified is not None:
        thing["dateModified"] = article.modified.isoformat()
    if article.form is Form.LIVE:
        thing["liveBlogUpdate"] = [
            {
                "@type": "BlogPosting",
                "headline": post.title,
                "datePublished": post.time.isoformat(),
                "author": {"@type": "Person", "name": post.author},
                "articleBody": "\n".join(block.full_text for block in post.blocks),
            }
            for post in article.posts
        ]
    return thing


def _publisher(home: str) -> dict[str, Any]:
    return {"@type": "NewsMediaOrganization", "@id": f"{home}/#kiado", "name": "Kilenchíd Lapkiadó", "url": f"{home}/"}


def _script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>\n'


def _dump(thing: object) -> str:
    return json.dumps(thing, ensure_ascii=False, indent=1).replace("</", "<\\/")


def _good(thing: dict[str, Any], home: str) -> str:
    return _script(_dump({**thing, "publisher": _publisher(home)}))


def _graph(thing: dict[str, Any], home: str) -> str:
    context = thing.pop("@context")
    trail = {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": 1, "name": thing["articleSection"]}]}
    return _script(_dump({"@context": context, "@graph": [_publisher(home), trail, thing]}))


def _several(thing: dict[str, Any], home: str) -> str:
    other = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": "???", "url": f"{home}/belfold/cikk/0/masik"}
    return _script(_dump({"@context": "https://schema.org", **_publisher(home)})) + _script(_dump(thing)) + _script(_dump([other]))


def _raw_newlines(thing: dict[str, Any], _home: str) -> str:
    return _script(_dump({**thing, "description": f"{thing['description']}@@{thing['headline']}"}).replace("@@", "\n"))


def _trailing_comma(thing: dict[str, Any], _home: str) -> str:
    return _script(_dump(thing).rstrip("}\n") + ",\n}")


def _cdata(thing: dict[str, Any], _home: str) -> str:
    return _script(f"\n//<![CDATA[\n{_dump(thing)}\n//]]>\n")


def _none(_thing: dict[str, Any], _home: str) -> str:
    return ""


FLAVOURS: tuple[Callable[[dict[str, Any], str], str], ...] = (
    _good, _graph, _raw_newlines, _good, _several, _trailing_comma, _none, _cdata,
)  # fmt: skip
"""What the article's number, divided by their count, leaves over chooses one."""
