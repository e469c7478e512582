"""Strings that a page may be full of to cost its reader time, and the places of a page where they may stand."""

from __future__ import annotations

import json
from html import escape

STRINGS: dict[str, str] = {
    # one character again and again
    **dict(
        (
            *(("blanks", " "), ("tabs", "\t"), ("newlines", "\n"), ("no-break spaces", "\u00a0"), ("ideographic spaces", "\u3000")),
            *(("zero-width spaces", "\u200b"), ("soft hyphens", "\u00ad"), ("byte order marks", "\ufeff"), ("bells", "\u0007")),
            *(("slashes", "/"), ("backslashes", "\\"), ("underscores", "_"), ("hyphens", "-"), ("dashes", "\u2013"), ("dots", ".")),
            *(("commas", ","), ("colons", ":"), ("semicolons", ";"), ("pipes", "|"), ("ampersands", "&"), ("percent signs", "%")),
            *(("at signs", "@"), ("hash signs", "#"), ("plus signs", "+"), ("equals signs", "="), ("question marks", "?")),
            *(("stars", "*"), ("tildes", "~"), ("carets", "^"), ("dollars", "$"), ("exclamation marks", "!")),
            *(("round brackets", "("), ("closing brackets", ")"), ("square brackets", "["), ("curly brackets", "{")),
            *(("double quotes", '"'), ("single quotes", "'"), ("opening quotes", "\u201e"), ("guillemets", "\u00bb"), ("backticks", "`")),
            *(("angle brackets", "<"), ("closing angles", ">"), ("ellipses", "\u2026"), ("middle dots", "\u00b7"), ("bullets", "\u2022")),
            *(("zeros", "0"), ("ones", "1"), ("small letters", "a"), ("capitals", "A"), ("accented letters", "\u0151")),
            *(("combining marks", "\u0301"), ("marks of two kinds", "\u0323\u0301"), ("vowel signs", "\u0940"), ("Arabic marks", "\u064b")),
            *(("Hangul jamo", "\u1100\u1161\u11a8"), ("Arabic letters", "\u0628"), ("a long ligature", "\ufdfa"), ("ideographs", "\u6587")),
            *(("Thai letters", "\u0e01"), ("emoji", "\U0001f600"), ("joined emoji", "\U0001f469\u200d"), ("flags", "\U0001f1ed")),
            *(("marks of direction", "\u202e"), ("surrogates", "\ufffd"), ("letters beyond the first plane", "\U0001d400")),
        )
    ),
    # words, and what stands between them
    **{
        piece.strip() or "blank": piece
        for piece in (
            *("a ", "By ", "by Ann Lee, ", "Ann Lee and ", "Ann Lee; ", "and ", " | ", " - ", "By: ", "Photo: ", "(Ann) ", "A. B. ", "a, "),
            *("Dr. ", "von ", "Mr Mrs ", "a.a.a.", "x/y/", "a-", "a_", "a@", "a@b.c ", "@ann ", "#tag ", "Ann\u00a0", "a\u0301", "O'"),
            *("1.2.2020 ", "2020-01-01 ", "2020-01-01T", "12:30 ", "1 ", "1,", "1-", "1/", "12 May ", "May ", "m\u00e1jus ", "Monday, "),
            *("page 1 of ", "next ", "\u00bb 2 ", "1 2 3 ", "comments 3 ", "Read more: ", "Advertisement ", "\u00a9 2020 ", "Share this "),
        )
    },
    # addresses and escapes
    **{
        piece: piece
        for piece in (
            *(
                "https://a.b/",
                "http://",
                "www.a.",
                "//a",
                "../",
                "./",
                "?a=1&",
                "&a=",
                "%25",
                "%2525",
                "%2",
                "%C3%A1",
                "%2F",
                "/page/1",
                ";a",
            ),
        )
    },
    # markup and data
    **{
        piece: piece
        for piece in (
            *(
                "&amp;",
                "&#769;",
                "&lt;b&gt;",
                "&nbsp",
                "<b>",
                "<p>x",
                "</p>",
                "<br>",
                "<!--",
                "<![CDATA[",
                "]]>",
                "<div class=a>",
                "<i>x</i>",
            ),
            *("<a href=/x>x</a> ", "<li>", "<h2>", '{"a":', "[1,", "\\u0301", "\\", "/*", "QUJD", "<blockquote>", "<time>1 May</time>"),
        )
    },
}
"""By its name, a string that is repeated to any length."""

_SENTENCE = "The council met on Monday, and after a long debate it voted for the new bridge. "
_HEAD = '<meta charset="utf-8"><title>A bridge | Example</title>'
_BODY = f"<h1>A bridge</h1><p>{_SENTENCE * 3}</p><p>{_SENTENCE * 3}</p>"
HERE = "@@@"
"""Where the string stands in a page."""


def _page(body: str = _BODY, head: str = _HEAD) -> str:
    return f'<!DOCTYPE html><html lang="en"><head>{head}</head><body><article>{body}</article></body></html>'


def _data(**fields: object) -> str:
    thing = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": "A bridge", **fields}
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>'


_TITLE = "<h1>A bridge</h1>"
_TEXT = f"<p>{_SENTENCE * 3}</p>"
PLACES: dict[str, str] = {
    "the title": _page(head=f"<title>{HERE}</title>"),
    "the headline": _page(f"<h1>{HERE}</h1>{_TEXT}"),
    "a description": _page(head=f'{_HEAD}<meta property="og:title" content="{HERE}"><meta name="description" content="{HERE}">'),
    "the author told": _page(head=f'{_HEAD}<meta name="author" content="{HERE}">'),
    "data": _page(head=_HEAD + _data(headline=HERE, author={"name": HERE}, datePublished=HERE, keywords=HERE)),
    "broken data": _page(head=f'{_HEAD}<script type="application/ld+json">{{"@type": "NewsArticle", "a": {HERE}}}</script>'),
    "the byline": _page(f'{_TITLE}<p class="byline">By {HERE}</p>{_TEXT}'),
    "a line behind the headline": _page(f"{_TITLE}<p>By {HERE} Ann Lee</p><p>{HERE}</p>{_TEXT}"),
    "a time": _page(f'{_TITLE}<time datetime="{HERE}">{HERE}</time><p class="date">{HERE}</p>{_TEXT}'),
    "a paragraph": _page(f"{_BODY}<p>{HERE}</p>{_TEXT}"),
    "a link": _page(f'{_BODY}<p>See <a href="/x">{HERE}</a> and <a href="{HERE}">more</a>.</p>{_TEXT}'),
    "a picture": _page(f'{_BODY}<figure><img src="/{HERE}" alt="{HERE}"><figcaption>{HERE}</figcaption></figure>{_TEXT}'),
    "names of elements": _page(f'{_BODY}<div class="{HERE}" id="{HERE}"><p>{_SENTENCE}</p></div>{_TEXT}'),
    "a table and a list": _page(f"{_BODY}<table><tr><td>{HERE}<td>x</table><ul><li>{HERE}</ul><pre>{HERE}</pre>{_TEXT}"),
    "a heading": _page(f"{_BODY}<h2>{HERE}</h2>{_TEXT}"),
    "comments": _page(_BODY) + f'<div id="comments"><div class="comment"><b class="author">{HERE}</b><p>{HERE}</p></div></div>',
    "what stands around": f"<nav><a href=/x>{HERE}</a></nav>{_page(_BODY)}<footer>{HERE}</footer>",
    "addresses of the page": _page(
        head=f'<base href="{HERE}"><link rel="canonical" href="https://pelda.example/{HERE}">'
        f'<link rel="alternate" hreflang="{HERE}" href="/{HERE}">{_HEAD}'
    ),
}
"""Of the page of an article."""


def _list(item: str, around: str = "") -> str:
    others = "".join(f'<li><a href="/cikk/{number}">The story number {number}</a> <time>2024-05-0{number}</time>' for number in range(1, 6))
    return f'<!DOCTYPE html><html lang="en"><head><title>News</title></head><body><ul>{others}<li>{item}</ul>{around}</body></html>'


_PAGER = '<div class="pager"><a href="/lista/2">2</a> <a href="/lista/4">4</a> {}</div>'
PLACES_OF_LISTS: dict[str, str] = {
    "the text of a link": _list(f'<a href="/cikk/9">{HERE}</a>'),
    "the address of a link": _list(f'<a href="/cikk/9{HERE}">A story</a><a href="{HERE}">Another</a><a href="/{HERE}x">A third</a>'),
    "a date beside a link": _list(f'<a href="/cikk/9">A story</a> <time datetime="{HERE}">{HERE}</time>'),
    "the link to the next page": _list("", _PAGER.format(f'<a href="/lista/{HERE}4" rel="next">{HERE}</a>')),
    "numbers of pages": _list("", _PAGER.format(f'<a href="/lista/4{HERE}">5{HERE}</a><span>{HERE}</span>')),
    "what is around the list": _list("", f'<p class="{HERE}">{HERE}</p>'),
}
"""Of an archive page."""


def full_of(page: str, piece: str, times: int) -> str:
    """The page with so many of these pieces at its place."""
    string = piece * times
    if "ld+json" in page and '"@context"' in page:
        string = escape(json.dumps(string)[1:-1].replace("</", "<\\/"), quote=False) if "</script" in string else json.dumps(string)[1:-1]
    return page.replace(HERE, string)
