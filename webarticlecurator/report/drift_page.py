"""The drifts of a portal's layout as a page of HTML: pages before and after side by side. It has no script, and may ask for nothing."""

from __future__ import annotations

import yaml

from webarticlecurator.amounts import amount
from webarticlecurator.model.drift import FoundDrift, ShownPage, WatchSummary
from webarticlecurator.report.html import Html, element, joined, link, stranger
from webarticlecurator.report.whole_page import framed, whole_page

_LONG = 400
_MOST_BLOCKS = 150
_STYLE = """
body { margin: 0 auto; padding: 0 1rem 2rem } h1 { font-size: 1.3rem } h2 { font-size: 1.1rem } h3 { font-size: 1rem; margin: 0 }
.pages { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem }
@media (max-width: 60rem) { .pages { grid-template-columns: minmax(0, 1fr) } }
iframe { height: 60vh }
.pages, p, li { overflow-wrap: anywhere } .notes { font-size: .85rem } pre { white-space: pre-wrap }
.blocks { font-size: .85rem; padding: 0; list-style: none } .blocks li { border-left: .4rem solid; padding-left: .5rem; margin: .3rem 0 }
.blocks .kept { border-color: #2a7 } .blocks .left { border-color: #c53; color: GrayText }
"""


def drift_page(found: WatchSummary) -> str:
    """One self-contained file."""
    nothing = element("p", "No sign that the layout has changed." if found.complete else "The watch was interrupted.")
    body = [
        element("h1", f"{found.portal}: did the layout change?"),
        element(
            "p",
            f"{found.articles:,} of {amount(found.of_articles, 'article was', 'articles were')} looked at,"
            f" and the pages of {found.pages:,}.",
        ),
        element("p", "Beside a green line stands text that is kept, beside a red one what the rules leave out.", class_="notes"),
        joined([_drift(one) for one in found.drifts]) or nothing,
    ]
    return whole_page(f"{found.portal}: layout", _STYLE, joined(body))


def _drift(drift: FoundDrift) -> Html:
    proposal = (
        element("pre", element("code", yaml.safe_dump([dict(drift.proposal)], allow_unicode=True, sort_keys=False)))
        if drift.proposal is not None
        else None
    )
    return element(
        "section",
        element("h2", f"From {drift.day[:10] or 'an article without a date'} on", f", layout {drift.layout}" if drift.layout else ""),
        element("p", stranger(drift.headline), " ", link(drift.url)),
        element("ul", [element("li", stranger(sign, _LONG)) for sign in drift.signs]),
        element("div", [_page(one) for one in drift.pages], class_="pages"),
        element("h3", "An entry of layouts"),
        element("p", drift.proposed_for, class_="notes"),
        proposal,
    )


def _page(page: ShownPage) -> Html:
    title = f"{page.role}: {page.day[:10] or 'no date'}, {amount(page.words, 'word')} kept"
    frame = framed(page.html, page.role) if page.html is not None else element("p", "The page cannot be shown.")
    blocks = [element("li", stranger(text, _LONG), class_="kept" if kept else "left") for kept, text in page.blocks[:_MOST_BLOCKS]]
    more = len(page.blocks) - len(blocks)
    cut = element("p", f"... and {more:,} more pieces of text", class_="notes") if more > 0 else None
    return element(
        "article",
        element("h3", title),
        element("p", link(page.url), class_="notes"),
        frame,
        element("ul", blocks, class_="blocks"),
        cut,
    )
