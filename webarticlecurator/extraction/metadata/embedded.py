"""Reader of microdata and RDFa Lite: properties of the article that are written into the page's elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.extraction.metadata.clues import MAX_TEXT, Clues, Kind
from webarticlecurator.extraction.metadata.schema_types import is_article, is_organization, is_work, local_name
from webarticlecurator.text import short_text

MAX_ELEMENTS, MAX_SCOPES = 1_000, 50

_ADDRESS = {"a": "href", "link": "href", "area": "href", "img": "src", "audio": "src", "video": "src", "iframe": "src", "object": "data"}


@dataclass(frozen=True, slots=True)
class _Syntax:
    """How a syntax marks a thing, its type and its properties."""

    name: str
    scope: str
    type: str
    property: str


MICRODATA = _Syntax("microdata", "itemscope", "itemtype", "itemprop")
RDFA = _Syntax("rdfa", "typeof", "typeof", "property")


def read_embedded(elements: Sequence[Element], syntax: _Syntax, clues: Clues) -> None:
    """Of the elements that have a property, file the properties of the article's own thing as `microdata:...` or `rdfa:...`.

    Where no thing on the page is an article, those that belong to no thing are filed.
    """
    owned = [(element, _owner(element, syntax)) for element in elements[:MAX_ELEMENTS]]
    scopes = list(dict.fromkeys(owner for _, owner in owned if owner is not None and _is_article(owner, syntax)))
    article = _main(scopes)
    for element, owner in owned:
        if owner is article or (owner is None and not scopes):
            _file(element, syntax, clues)


def _owner(element: Element, syntax: _Syntax) -> Element | None:
    """The thing that a property belongs to."""
    return next((above for above in element.iterancestors() if above.get(syntax.scope) is not None), None)


def _types(element: Element, syntax: _Syntax) -> list[str]:
    return [local_name(name) for name in (element.get(syntax.type) or "").split()]


def _is_article(element: Element, syntax: _Syntax) -> bool:
    types = _types(element, syntax)
    return is_article(types) or is_work(types)


def _main(scopes: list[Element]) -> Element | None:
    """The article that holds the page's heading, else the first."""
    return next((scope for scope in scopes[:MAX_SCOPES] if scope.find(".//h1") is not None), scopes[0] if scopes else None)


def _file(element: Element, syntax: _Syntax, clues: Clues) -> None:
    for written in (element.get(syntax.property) or "").split():
        name = local_name(written)
        field = FIELDS.get(name)
        if field is None:
            continue
        for text, kind in _values(element, field.holds, syntax):
            clues.add(f"{syntax.name}:{name}", text, kind)


def _values(element: Element, holds: Holds, syntax: _Syntax) -> Iterator[tuple[str, Kind]]:
    """The value of a property; of a nested thing its name (or address)."""
    if element.get(syntax.scope) is None:
        yield _plain(element, holds), ""
        return
    types = _types(element, syntax)
    kind: Kind = "person" if "Person" in types else "organization" if is_organization(types) else ""
    wanted = "url" if holds is Holds.URL else "name"
    inner = [
        one
        for one in islice(element.iter(etree.Element), MAX_ELEMENTS)
        if wanted in [local_name(name) for name in (one.get(syntax.property) or "").split()]
    ]
    own = [one for one in inner if _owner(one, syntax) is element]
    for one in own[:20]:
        yield _plain(one, holds), kind
    if not own:
        yield _plain(element, holds), kind


def _plain(element: Element, holds: Holds) -> str:
    content = element.get("content") or (element.get("datetime") if holds is Holds.DATE else None)
    if content is None and holds is Holds.URL:
        content = element.get(_ADDRESS.get(str(element.tag), "href"))
    return content if content is not None else short_text(element, MAX_TEXT) or ""
