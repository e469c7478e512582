"""Settings of a column that are right one by one, and cannot be meant together."""

from __future__ import annotations

from collections.abc import Iterator

from webarticlecurator.config import scalars
from webarticlecurator.config.dates_of_column import mistakes_in_dates
from webarticlecurator.config.fetch_rules import BROWSER
from webarticlecurator.config.merge import as_mapping
from webarticlecurator.config.paging_mistakes import mistakes_in_paging
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.config.sample_urls import sample_url
from webarticlecurator.config.yaml_reading import MapNode, mapping, text
from webarticlecurator.own_patterns import linear, linear_at

LACKS = ""
"""The name in place of a key for what is nowhere, neither in the column nor in `archive`."""
Contradiction = tuple[str, str]
"""A key, and a sentence about it."""
_OF_NO_USE: dict[ArchiveFormat, tuple[str, ...]] = {
    ArchiveFormat.FEED: ("item", "link", "next"),
    ArchiveFormat.SITEMAP: ("item", "link", "next", "pages", "stop", "fields"),
}


def contradictions(column: Column, rules: MapNode) -> Iterator[Contradiction]:
    """Yield what cannot be meant together in one column; `rules` are those it was read from."""
    yield from _mistake_in_address(column)
    yield from mistakes_in_paging(
        column, as_mapping(rules.get("pages"), "mode"), follows=rules.get("next") is not None
    )
    yield from mistakes_in_dates(column, mapping(rules.get("dates")))
    yield from _browser_for_another_request(column, rules)
    for key in _OF_NO_USE.get(column.format, ()):
        if rules.get(key) is not None:
            yield (
                key,
                f"`format: {column.format}` itself says where its links are, and what it tells of them; "
                f"delete `{key}`",
            )
    yield from _OF_FORMAT.get(column.format, _mistakes_in_picks)(column, rules)


def _mistake_in_address(column: Column) -> Iterator[Contradiction]:
    try:
        scalars.web_address(sample_url(column))  # a host, and no password
    except ValueError as error:
        yield "url", str(error)
        return
    host = linear_at(r"[^/]*//[^/?#]*").match(column.template.text)
    if host is not None and linear(r"\{(?!column\})[a-z_]+").search(host[0].replace("{{", "")):
        yield "url", "only `{column}` may stand in the host of a URL"


def _browser_for_another_request(column: Column, rules: MapNode) -> Iterator[Contradiction]:
    if column.rendering is None and text(mapping(rules.get("fetch")).get("via")) == BROWSER:
        is_html = column.format is ArchiveFormat.HTML
        what = f"`method: {column.request.method}`" if is_html else f"`format: {column.format}`"
        yield (
            "fetch",
            f"a browser shows HTML that is asked for by GET, and here is {what}; delete `via: {BROWSER}`, or "
            "that",
        )


def _mistakes_in_sitemap(column: Column, rules: MapNode) -> Iterator[Contradiction]:
    if rules.get("pages") is None and "page" in column.template.names:
        yield "url", "a sitemap leads to its own files; delete `{page}`"


def _mistakes_in_feed(column: Column, _: MapNode) -> Iterator[Contradiction]:
    if any(pick.css for picks in column.fields.values() for pick in picks.each()):
        yield (
            "fields",
            "`format: feed` has no elements of HTML; its fields are picked by name: `{json: keywords}`",
        )


def _mistakes_in_picks(column: Column, rules: MapNode) -> Iterator[Contradiction]:
    if rules.get("item") is None and rules.get("link") is None:
        yield (
            LACKS,
            "nothing says where the links to the articles are; give `item` (one article's container), "
            "`link`, or both",
        )
    judge = _pick_of_html if column.format is ArchiveFormat.JSON else _pick_of_json
    for key, pick, container in _picks(column):
        yield from judge(key, pick, container)


_OF_FORMAT = {
    ArchiveFormat.SITEMAP: _mistakes_in_sitemap,
    ArchiveFormat.FEED: _mistakes_in_feed,
    ArchiveFormat.URLS: lambda *_: iter(()),
}
"""The check of columns by their format; of other formats, `_mistakes_in_picks` checks whether picks are of
it."""


def _picks(column: Column) -> Iterator[tuple[str, Pick, Picks | None]]:
    """Yield each pick with its key, and the picks of what it looks into."""
    last = column.paging.last if isinstance(column.paging.last, Picks) else None
    picks: list[tuple[str, Picks | None, Picks | None]] = [
        ("item", column.item, None),
        ("link", column.link, column.item),
        ("next", column.next, None),
        ("pages", last, None),
        *(("fields", part, column.item or column.link) for part in column.fields.values()),
    ]
    for key, part, container in picks:
        yield from ((key, pick, container) for pick in (part.each() if part is not None else ()))


def _pick_of_json(key: str, pick: Pick, _: Picks | None) -> Iterator[Contradiction]:
    if pick.json and pick.script is None:
        yield (
            key,
            f"`{{json: {pick.json.text}}}` reads JSON, and this page is HTML; give `format: json`, or a CSS "
            "selector",
        )


def _pick_of_html(key: str, pick: Pick, container: Picks | None) -> Iterator[Contradiction]:
    around = container.each() if container is not None else ()
    if pick.css and not any(other.html_in for other in (pick, *around)):
        selector = pick.css.text
        meant = (
            f"`{{json: {selector}}}` (a JMESPath), or `{{html_in: PATH, css: {selector}}}` where the JSON "
            "holds HTML"
        )
        yield key, f"`{selector}` is a CSS selector, and `format: json` has no elements; write {meant}"
