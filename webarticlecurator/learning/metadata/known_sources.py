"""The sources that the general reader knows, as the picks that a portal file would name them by."""

from __future__ import annotations

from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.model.proposals import Plain

_AGENTS = frozenset({"author", "creator", "contributor", "editor", "publisher"})
_DAY_IN_ADDRESS: Plain = {"page_url": r"/((?:19|20)\d\d/\d\d?/\d\d?)(?:/|$)", "date": "yyyy/M/d"}
_ELEMENTS: dict[str, Plain] = {
    "html:h1": "h1",
    "html:title": "title",
    "html:date": {"css": "time[datetime]", "attr": "datetime"},
    "html:rel-author": 'a[rel~="author"]',
    "html:rel-tag": 'a[rel~="tag"]',
    "html:lang": {"css": "html", "attr": "lang"},
    "url:date": _DAY_IN_ADDRESS,
}


def known_picks(name: str) -> list[tuple[str, Plain]]:
    """Source and pick, the most trusted first; of sources that no pick can name there is none."""
    return [(source, pick) for source in SOURCES.get(name, ()) if (pick := _pick(source, name)) is not None]


def _pick(source: str, name: str) -> Plain | None:
    if source in _ELEMENTS:
        return _ELEMENTS[source]
    syntax, _, written = source.partition(":")
    if syntax == "json-ld" and written != "breadcrumb":
        return [{"jsonld": f"[{written}][].name"}, {"jsonld": written}] if name in _AGENTS else {"jsonld": written}
    if syntax == "microdata":
        return _microdata(written, name)
    if syntax == "meta":
        return {"meta": written}
    return {"head_link": written} if syntax == "link" else None


def _microdata(written: str, name: str) -> Plain:
    marked = f'[itemprop~="{written}"]'
    alternatives: list[Plain] = [{"css": f"{marked}{held}", "attr": held[1:-1]} for held in ("[content]", "[datetime]")]
    return [*alternatives, *([f'{marked} [itemprop~="name"]'] if name in _AGENTS else []), marked]
