"""Archive pages as HTML and JSON, one style for each kind of column."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType

from .answers import Answer, html_answer
from .articles import Article
from .columns import Listing
from .furniture import Frame, advertisement, old_page, page
from .prose import Prose, prose
from .sections import SECTIONS

END_OF_LIST = "<!-- list ends here -->"
"""Where a misbehaving portal adds its own items."""


def listing_page(listing: Listing, frame: Frame, pinned: Article | None) -> Answer:
    """The archive page in its column's style; `pinned` stands at the top of every page that pins something."""
    if listing.column.ends_with != 200 and listing.page > max(listing.last, 1):
        return html_answer(page(frame, "<h1>404</h1>", title="404"), status=listing.column.ends_with)
    return STYLES[listing.column.style](listing, frame, pinned)


def _voice(listing: Listing) -> Prose:
    return prose(SECTIONS[listing.column.shelves[0]].language)


def _html(listing: Listing, frame: Frame, body: str) -> Answer:
    section = SECTIONS[listing.column.shelves[0]]
    return html_answer(page(frame, body, title=section.title, language=section.language))


def _teaser(article: Article, *, extra_class: str = "", suffix: str = "") -> str:
    voice = prose(article.section.language)
    path = escape(article.path + suffix)
    return (
        f'<article class="teaser{extra_class}"><a class="kep" href="{path}"><img src="/kepek/{article.number}.jpg" alt=""></a>'
        f'<h2><a href="{path}">{escape(article.title)}</a></h2>'
        f'<p class="adatok"><a class="rovat" href="/{article.section.name}/">{article.section.title}</a> '
        f'<span class="szerzo">{escape(", ".join(article.authors))}</span> '
        f'<time datetime="{article.published.isoformat()}">{voice.date(article.published)}</time></p>'
        f'<p class="beharangozo">{escape(article.lead)}</p></article>\n'
    )


def _teasers(listing: Listing, frame: Frame, pinned: Article | None) -> Answer:
    words = _voice(listing).words
    top = _teaser(pinned, extra_class=" kituzott") if pinned is not None else ""
    items = [_teaser(article) for article in listing.articles]
    items.insert(len(items) // 2, advertisement(SECTIONS[listing.column.shelves[0]].language))
    empty = "" if listing.articles else f'<p class="ures">{words["nothing"]}</p>'
    onward = f'<a class="kovetkezo" href="{escape(listing.next_path)}">{words["older"]} »</a>' if listing.next_path else ""
    return _html(listing, frame, f'{top}<div class="lista">{"".join(items)}{END_OF_LIST}{empty}</div><nav class="lapozo">{onward}</nav>')


def _numbered(listing: Listing, frame: Frame, _pinned: Article | None) -> Answer:
    """A pager with numbers, as far as it goes: the current page and its neighbours, and always the last."""
    shown = sorted({1, listing.last, *range(max(1, listing.page - 2), min(listing.last, listing.page + 2) + 1)})
    items = "".join(_teaser(article) for article in listing.articles)
    return _html(listing, frame, f'<div class="lista">{items}{END_OF_LIST}</div><nav class="lapozo">{_numbers(listing, shown)}</nav>')


def _numbers(listing: Listing, shown: list[int]) -> str:
    return " ".join(
        f'<span class="current">{number}</span>'
        if number == listing.page
        else f'<a href="{escape(listing.column.page_path(number))}">{number}</a>'
        for number in shown
        if number > 0
    )


def _day(listing: Listing, frame: Frame, _pinned: Article | None) -> Answer:
    """A day of the calendar; its links carry the tracking parameters and fragments that portals like to add."""
    suffixes = ("?utm_source=naptar", "", "#hozzaszolasok")
    items = "".join(_teaser(article, suffix=suffixes[article.number % 3]) for article in listing.articles)
    day = ". ".join(listing.dates.values())
    return _html(listing, frame, f'<h1>{day}.</h1><div class="lista">{items}{END_OF_LIST}</div>')


def _fragment(listing: Listing, _frame: Frame, _pinned: Article | None) -> Answer:
    """What a "load more" button fetches: items and nothing around them."""
    items = "".join(_teaser(article) for article in listing.articles)
    return html_answer(f'<div class="mehr">{items}{END_OF_LIST}</div>\n')


def _old(listing: Listing, frame: Frame, _pinned: Article | None) -> Answer:
    rows = "".join(
        f'<tr class="cikksor"><td><font size="2">{article.published:%Y.%m.%d. %H:%M}</font></td>'
        f'<td><a href="/regi/cikk.php?id={article.number}"><b>{escape(article.title)}</b></a><br>{escape(article.lead)}</td></tr>\n'
        for article in listing.articles
    )
    onward = f'<a href="{escape(listing.next_path)}">következő oldal &gt;&gt;</a>' if listing.next_path else ""
    back = '<a href="/regi/index.php">vissza a főoldalra</a>'
    body = f'<table class="lista">{rows}{END_OF_LIST}</table><p class="lapozo">{back} {onward}</p>'
    text = old_page(frame, body, title="Régi lapok")
    return Answer(headers=(("Content-Type", "text/html"),), body=text.encode("iso-8859-2", "xmlcharrefreplace"))


def _html_in_json(listing: Listing, frame: Frame, _pinned: Article | None) -> Answer:
    items = "".join(
        f'<li class="hir"><time datetime="{a.published.isoformat()}">{a.published:%H:%M}</time> '
        f'<a href="{frame.home}{a.path}">{escape(a.title)}</a></li>'
        for a in listing.articles
    )
    return _json({"lap": listing.page, "html": f'<ul class="hirek">{items}</ul>', "van_meg": listing.next_path is not None})


def _cursor(listing: Listing, frame: Frame, _pinned: Article | None) -> Answer:
    items = [
        {
            "cim": article.title,
            "link": {"url": frame.home + article.path, "tipus": "web"},
            "szerzok": list(article.authors),
            "megjelent": article.published.isoformat(),
        }
        for article in listing.articles
    ]
    last = listing.articles[-1].number if listing.articles else 1
    onward = f"/api/podcast?kurzor={last}" if last > 1 else None
    return _json({"adasok": items, "kovetkezo": onward})


def _json(thing: object) -> Answer:
    return Answer(headers=(("Content-Type", "application/json"),), body=json.dumps(thing, ensure_ascii=False).encode())


def _forum(listing: Listing, frame: Frame, _pinned: Article | None) -> Answer:
    voice = _voice(listing)
    rows = "".join(
        f'<tr class="tema"><td><a href="{article.path}">{escape(article.title)}</a></td><td>{escape(article.authors[0])}</td>'
        f"<td>{len(article.posts)}</td>"
        f'<td><time datetime="{article.published.isoformat()}">{voice.date(article.published)}</time></td></tr>\n'
        for article in listing.articles
    )
    shown = list(range(max(1, listing.page - 3), min(listing.last, listing.page + 3) + 1))
    return _html(listing, frame, f'<table class="temak">{rows}{END_OF_LIST}</table><p class="lapok">{_numbers(listing, shown)}</p>')


def _blog(listing: Listing, frame: Frame, _pinned: Article | None) -> Answer:
    """An index page of a blog shows the beginning of each post."""
    words = _voice(listing).words
    items = "".join(
        f'<div class="bejegyzes-kivonat"><h2><a href="{escape(article.path)}">{escape(article.title)}</a></h2>'
        f'<time datetime="{article.published.isoformat()}">{article.published:%Y-%m-%d}</time>'
        f'<p>{escape(article.lead)} <a class="tovabb" href="{escape(article.path)}">{words["more"]} »</a></p>'
        f'<a class="kommentek" href="{escape(article.path)}#hozzaszolasok">{len(article.comments)}</a></div>\n'
        for article in listing.articles
    )
    return _html(listing, frame, f'<div class="bejegyzesek">{items}{END_OF_LIST}</div>')


STYLES: Mapping[str, Callable[[Listing, Frame, Article | None], Answer]] = MappingProxyType(
    {
        "teasers": _teasers,
        "numbered": _numbered,
        "day": _day,
        "fragment": _fragment,
        "old": _old,
        "html-in-json": _html_in_json,
        "cursor": _cursor,
        "forum": _forum,
        "blog": _blog,
    }
)
