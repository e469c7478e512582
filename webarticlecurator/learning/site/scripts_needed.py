"""Pages that show what they have only by their scripts: signs of it in the page as it was sent, and what a
browser shows beside it."""

from __future__ import annotations

from itertools import islice

from webarticlecurator.databases import Row
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.extraction.lookalikes import is_box
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.learning.links.placed_links import rows_in
from webarticlecurator.model.capture import Fetched, capture_of
from webarticlecurator.model.page import NoPage, Page

_NO_TEXT = frozenset({"title", "option", "button"})


def in_browser(fetched: Fetched) -> dict[str, object] | None:
    """An answer that a browser has shown, beside the document that was sent, as programs get it; None of any
    other.

    `loaded`: requests that it took beside that for the page; `bytes`: that they brought; `new_links`: that
    only the browser shows.
    """
    rendered = fetched.rendered
    if rendered is None or fetched.capture is None or not fetched.exchanges:
        return None
    sent, shown = (
        shown_on(read_page(page, classified=True))
        for page in (capture_of(fetched.exchanges[-1]), fetched.capture)
    )
    known = frozenset(sent.links)
    new_links = [url for url in shown.links if url not in known]
    # so much more must be shown for a browser to be worth its time
    has_more_words = shown.words - sent.words >= 50 and shown.words >= 1.5 * sent.words
    has_more_links = len(new_links) >= 3 and len(shown.links) >= 1.5 * len(sent.links)
    return {
        "url": fetched.capture.url,
        "browser": rendered.browser,
        "loaded": len(fetched.loaded),
        "bytes": sum(len(exchange.entity) for exchange in fetched.loaded),
        "sent": {"words": sent.words, "links": len(sent.links)},
        "shown": {"words": shown.words, "links": len(shown.links)},
        "new_links": new_links,
        "is_needed": has_more_words or has_more_links,
        "end": rendered.end,
        "limit": rendered.limit,
    }


def shown_on(page: Page | NoPage) -> Row:
    """Return what an HTML page shows outside of menus, sidebars and the like: how many `words`, and `links`,
    each address once, in order."""
    if isinstance(page, NoPage) or page.tree is None:
        return Row(words=0, links=())  # JSON and the like
    outline = page.outline
    with page.budget:
        # some wrap all of a page in what is named after its sidebar
        beside = rows_in(
            outline,
            lambda element: is_box(element) and next(element.iter("h1", "main", "aside"), element) is element,
        )
        strings = zip(outline.strings, outline.owners, strict=True)
        words = sum(
            len(text.split())
            for text, owner in strings
            if owner not in beside and outline.tags[owner] not in _NO_TEXT
        )
        rows = [row for row in outline.rows("a") if row not in beside]
        links = (url for _, url in page_links(page, rows) if not page.is_at(url))
        return Row(words=words, links=tuple(dict.fromkeys(islice(links, 5_000))))


def shows_hardly_anything(page: Page) -> bool:
    """Say whether a page, as it was sent, has hardly any words and links outside of menus and sidebars."""
    shown = shown_on(page)
    return shown.words < 60 and len(shown.links) < 5
