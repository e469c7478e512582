"""What goes wrong with archive pages: foreign links, a changed layout, pages without end, articles that move while one reads."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html import escape

from .answers import Answer, RawAnswer
from .behaviours import Behaviour, Visit
from .listing_pages import END_OF_LIST


def add_items(items: str) -> Behaviour:
    """Foreign items at the end of the list, in the portal's own layout."""

    def behave(visit: Visit) -> Answer:
        answer = visit.answer()
        return replace(answer, body=answer.body.replace(END_OF_LIST.encode(), items.encode("iso-8859-2") + END_OF_LIST.encode(), 1))

    return behave


def _items(*addresses: str) -> str:
    return "".join(
        f'<article class="teaser"><h2><a href="{escape(address)}">Ezt is ajanljuk</a></h2><span class="rovat">Ajanlo</span></article>\n'
        for address in addresses
    )


def changed_layout(visit: Visit) -> Answer:
    """The same links under new names: no rule made for the old layout finds one."""
    answer = visit.answer()
    body = answer.body
    for old, new in (
        (b"teaser", b"card"),
        (b"tr class=", b"tr data-k="),
        (b"bejegyzes-kivonat", b"entry"),
        (b'"hir"', b'"n"'),
        (b'"adasok"', b'"e"'),
    ):
        body = body.replace(old, new)
    return replace(answer, body=body.replace(b'class=\\"hir\\"', b'class=\\"n\\"'))


_PAGE_NUMBER = re.compile(r"((?:oldal|lap|page)=|/mehr/|/blog/page/)(\d+)")
_NEXT = '<a class="kovetkezo" href="{}">Régebbi cikkek »</a>'


def _page_of(target: str) -> int:
    found = _PAGE_NUMBER.search(target)
    return int(found[2]) if found else 1


def _with_page(target: str, page: int) -> str:
    if _PAGE_NUMBER.search(target):
        return _PAGE_NUMBER.sub(rf"\g<1>{page}", target, count=1)
    return f"{target}{'&' if '?' in target else '?'}{'lap' if 'regi' in target else 'oldal'}={page}"


def _with_next(answer: Answer, target: str) -> Answer:
    """With a link to one more page, where the layout has such links."""
    link = _NEXT.format(escape(target))
    old_link = f'<a href="{escape(target)}">következő oldal &gt;&gt;</a>'
    body = answer.body.replace(b'<nav class="lapozo"></nav>', f'<nav class="lapozo">{link}</nav>'.encode())
    body = body.replace("vissza a főoldalra</a> </p>".encode("iso-8859-2"), f"vissza a főoldalra</a> {old_link}</p>".encode("iso-8859-2"))
    return replace(answer, body=body)


def paging_loop(visit: Visit) -> Answer:
    """Behind the last page the first ones come again, and the last page leads there."""
    target = visit.request.target
    page, last = _page_of(target), max(1, visit.inside.last_page(visit.request))
    if page <= last:
        return visit.answer() if page < last else _with_next(visit.answer(), _with_page(target, page + 1))
    return visit.inside.answer(replace(visit.request, target=_with_page(target, (page - 1) % last + 1)))


def endless_calendar(visit: Visit) -> Answer:
    """Behind the last page there are empty pages, each with a link to one more."""
    target = visit.request.target
    page, last = _page_of(target), visit.inside.last_page(visit.request)
    return visit.answer() if page < last else _with_next(visit.answer(), _with_page(target, page + 1))


def moving(*, remove: bool) -> Behaviour:
    """The archive changes just before it is looked at, but for the first look."""

    def behave(visit: Visit) -> Answer:
        if visit.count > 1:
            visit.inside.change_archive(visit.request, remove=remove)
        return visit.answer()

    return behave


ELSEWHERE = _items("https://elsewhere.example/story/1", "//elsewhere.example/story/2")
NOT_HTTP = _items("mailto:iroda@kilenchid.example", "javascript:void(0)", "tel:+3610000000", "data:text/plain,x", "ftp://127.0.0.1/x")


@cache
def _hundred_thousand() -> Behaviour:
    return add_items(_items(*(f"/belfold/cikk/{900_000 + number}/x" for number in range(100_000))))


def flood(visit: Visit) -> Answer | RawAnswer:
    """A hundred thousand links to articles that do not exist."""
    return _hundred_thousand()(visit)
