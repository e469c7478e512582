"""What the data of a page say of its article: its head, and the object in its JSON-LD and microdata that is this article."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Any

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.extraction.metadata.sources import CARD, MAX_TEXT, READ, WORDS, Clue, PageClues
from webarticlecurator.model.metadata import AgentKind
from webarticlecurator.model.page import Object, Outline, addresses, local_name, relations, type_names
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded
from webarticlecurator.word_lists import read_word_lists

MAX_TEXTS = 300
"""Of one property."""
MAX_NESTING = 6
"""Objects and lists inside the value of one property."""

_TYPES = {name: frozenset(types) for name, types in read_word_lists(__file__, "schema_types.txt", r"\s+").items()}
ARTICLES, _PAGES, _ORGANIZATIONS = _TYPES["articles"], _TYPES["pages"], tuple(_TYPES["organizations"])
_WORKS = ARTICLES | _TYPES["works"]
_CONTENT = frozenset({"headline", "name", "datePublished", "articleBody", "description"})
"""Of which an article has one at least."""
_ENTRIES = "liveBlogUpdate"
"""Each often has the address of the page, with a fragment: it is the page's, and not the page."""
_AGENTS = frozenset({"author", "creator", "contributor", "editor", "translator", "publisher", "provider", "sourceOrganization"})
_URLS_OF = ("url", "contentUrl", "embedUrl", "@id")
_TEXTS_OF = ("name", "headline", "@value", "value", "alternateName", "text", "title")
_TRACKED = linear(r"^https?://(?:www\.|m\.|amp\.)?|[?#].*$|(?<!/)/+$|/amp/?$")


class ArticleObjects:
    """Knows a page's article by its addresses and its titles from the articles that the page recommends."""

    def __init__(self, titles: Iterable[str], known: PageClues) -> None:
        urls = (known.page.url, known.page.requested_url, *known.texts("link:canonical", "meta:og:url"))
        self._urls = set(map(bare_address, urls))
        self._titles = set(map(folded, titles))
        self._known = known

    def read_json_ld(self) -> str:
        """File what the article's object says as `json-ld:...`; its type, where it has one of its own."""
        objects = list(_objects(self._known.page.json_ld))
        by_id = {thing["@id"]: thing for thing, _ in objects if isinstance(thing.get("@id"), str) and len(thing) > 2}
        article = self._sure(objects)
        if article is None:
            article = _only([thing for thing, own in objects if own and _is(thing, ARTICLES) and not _CONTENT.isdisjoint(thing)])
        if article is not None:
            _file("json-ld", article, by_id, self._known)
        page = next((thing for thing, own in objects if own and _is(thing, _PAGES)), None)
        if page is not None and page is not article:
            _file("json-ld-page", page, by_id, self._known)
        for crumbs in [thing for thing, _ in objects if "BreadcrumbList" in type_names(thing)][:1]:
            items = crumbs.get("itemListElement")
            for item in items if isinstance(items, list) else ():
                if not isinstance(item, dict):
                    continue
                inner = item.get("item")
                page = inner if isinstance(inner, dict) else {"url": inner}
                name = item.get("name") or page.get("name")
                self._known.add("json-ld:breadcrumb", name if isinstance(name, str) else None, url=next(iter(addresses(page)), ""))
        return self._file_types("json-ld", objects, article)

    def read_microdata(self, samples: Collection[int]) -> str:
        """File what the article's element says as `microdata:...`; its type. Where none is an article, what stands in no thing.

        `samples` are the rows of samples of code, which say nothing of the page.
        """
        things = _things(self._known.page.outline, samples)
        objects = list(_objects(things))
        works = [thing for thing, _ in objects if _is(thing, _WORKS) and not all(name.startswith("@") for name in thing)]
        article = self._sure(objects) or _only([thing for thing in works if _is(thing, ARTICLES)] or works)
        if article is None and not works:
            article = next((thing for thing in things if "@type" not in thing), None)
        if article is None:
            return ""
        _file("microdata", article, {}, self._known)
        return self._file_types("microdata", objects, article)

    def _file_types(self, source: str, objects: list[tuple[Object, bool]], article: Object | None) -> str:
        """What the page declares itself to be: the types of its article, and of other works at its address or with its title."""
        own = [thing for thing, own in objects if own and self._evidence(thing)]
        for thing in (article, *own) if article is not None else own:
            for name in type_names(thing):
                if name not in _PAGES | _TYPES["beside"] and not name.endswith(("Person", *_ORGANIZATIONS)):
                    self._known.add(f"{source}:@type", name)
        return next(iter(type_names(article)), "") if article is not None else ""

    def _sure(self, objects: list[tuple[Object, bool]]) -> Object | None:
        """The page's own article: told by its address, else by its title; of several the likest to an article."""
        works = [(self._evidence(thing), own, thing) for thing, own in objects if _is(thing, _WORKS) and not _CONTENT.isdisjoint(thing)]
        sure = [
            (evidence + 4 * _is(thing, ARTICLES) + 2 * own + ("headline" in thing) + ("datePublished" in thing), thing)
            for evidence, own, thing in works
            if evidence
        ]
        return max(sure, key=itemgetter(0))[1] if sure else None

    def _evidence(self, thing: Object) -> int:
        of_page = any(bare_address(url) in self._urls for url in addresses(thing))
        titles = (clue.text for name in ("headline", "name") for clue in texts_of(thing.get(name)))
        return 20 * of_page + 10 * any(folded(title) in self._titles for title in titles)


def _objects(values: Sequence[Any]) -> Iterator[tuple[Object, bool]]:
    """All objects at any depth, in page order, each with whether it stands for the page itself."""
    waiting: list[tuple[Any, bool]] = [(value, True) for value in reversed(values)]
    while waiting:
        value, own = waiting.pop()
        if isinstance(value, list):
            waiting.extend((item, own) for item in reversed(value))
        elif isinstance(value, dict):
            yield value, own
            inner = ((name, held) for name, held in reversed(value.items()) if name != _ENTRIES and isinstance(held, (dict, list)))
            waiting.extend((held, own and name in {"@graph", "mainEntity", "mainEntityOfPage"}) for name, held in inner)


def _is(thing: Object, types: Collection[str]) -> bool:
    return any(name in types for name in type_names(thing))


def _only(objects: list[Object]) -> Object | None:
    return objects[0] if len(objects) == 1 else None


@lru_cache(maxsize=1_024)
def bare_address(url: str) -> str:
    """Of a page, however it is asked for."""
    return _TRACKED.sub("", _TRACKED.sub("", url.strip()))


def _file(source: str, thing: Object, by_id: Mapping[str, Object], known: PageClues) -> None:
    for name, value in thing.items():
        if (field := FIELDS.get(name)) is not None:
            for clue in islice(texts_of(value, field.holds, by_id), MAX_TEXTS):
                known.add(f"{source}:{name}", *(clue if name in _AGENTS else clue[:1]))


def texts_of(value: Any, holds: Holds = Holds.TEXT, by_id: Mapping[str, Object] = {}, depth: int = MAX_NESTING) -> Iterator[Clue]:
    """What a value says: itself, the names of objects or their addresses, one after the other."""
    if isinstance(value, bool):
        yield Clue(str(value).lower())
    elif isinstance(value, (str, int, float)):
        yield Clue(str(value))
    elif depth and isinstance(value, list):
        for item in value[:MAX_TEXTS]:
            yield from texts_of(item, holds, by_id, depth - 1)
    elif depth and isinstance(value, dict):
        whole = by_id.get(str(value.get("@id")), value)
        names = _URLS_OF if holds is Holds.URL else _TEXTS_OF
        inner = next((whole[name] for name in names if whole.get(name)), None)
        if inner is None and ("familyName" in whole or "givenName" in whole):
            inner = " ".join(str(whole.get(name) or "") for name in ("givenName", "familyName"))
        types = type_names(whole)
        kind: AgentKind = "person" if "Person" in types else "organization" if any(name.endswith(_ORGANIZATIONS) for name in types) else ""
        url = next((address for name in ("url", "@id", "sameAs") if (address := _address(whole.get(name)))), "")
        for text, nested, page in texts_of(inner, holds, {}, depth - 1):  # one reference is followed, not a chain of them
            yield Clue(text, nested or kind, url or page)


def _address(value: Any) -> str:
    first = value[0] if isinstance(value, list) and value else value
    address = (first.get("url") or first.get("@id")) if isinstance(first, dict) else first
    return address if isinstance(address, str) and linear_at(r"https?://|/(?!/)").match(address) else ""


_ADDRESS = {"a": "href", "link": "href", "area": "href", "img": "src", "audio": "src", "video": "src", "iframe": "src", "object": "data"}


def _things(outline: Outline, samples: Collection[int]) -> list[Object]:
    """The things of a page, as the objects that JSON-LD has; properties that belong to no thing are those of one without a type."""
    names = outline.attribute("itemprop")
    properties = [row for row, name in enumerate(names) if name is not None and row not in samples][:5_000]
    things: dict[int, dict[str, Any]] = {}

    def thing_at(row: int) -> dict[str, Any]:
        if row not in things:
            element = outline.elements[row]
            things[row] = {"@type": (element.get("itemtype") or "").split(), "@id": element.get("itemid")} if row >= 0 else {}
        return things[row]

    for row in properties:
        element = outline.elements[row]
        owner = thing_at(next((above for above in outline.around(row) if outline.elements[above].get("itemscope") is not None), -1))
        value: str | Object
        if element.get("itemscope") is not None:
            value = thing_at(row)
        elif written := element.get("content") or element.get("datetime"):  # for machines
            value = written
        else:
            text, address = outline.short_text(row, MAX_TEXT) or "", element.get(_ADDRESS.get(outline.tags[row], "href"))
            value = {"name": text, "url": address} if address else text
        # each name once: the same things again and again, one in the other, would be endlessly many
        for name in dict.fromkeys((names[row] or "").split()):
            owner.setdefault(local_name(name), []).append(value)
    inner = [row for row in things if row >= 0 and names[row] is not None]
    for row in inner:
        if "name" not in things[row]:
            things[row]["@value"] = outline.short_text(row, MAX_TEXT) or ""
    return [thing for row, thing in things.items() if row not in inner]


_WRITTEN_BY = linear("|".join(WORDS["written by"]), re.IGNORECASE)


def read_head(known: PageClues, samples: Collection[int]) -> None:
    """File `meta:NAME` (lower case), `link:REL`, and the title, the language and the card for social media as `html:...`."""
    elements, rows = known.page.outline.elements, known.page.outline.rows
    root = elements[0]
    known.add("html:lang", root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang"))
    for meta in (elements[row] for row in rows("meta") if row not in samples):
        if content := meta.get("content"):
            for name in filter(None, map(meta.get, ("property", "name", "http-equiv"))):
                if source := _source_of(name[:200]):
                    known.add(source, content)
    for link in (elements[row] for row in rows("link") if row not in samples):
        for rel in {"canonical", "license"}.intersection(relations(link)):
            known.add(f"link:{rel}", link.get("href"))
    for row in rows("title"):
        if known.page.outline.tags[known.page.outline.parents[row]] in ("head", "html", "body"):  # drawings have titles, too
            known.add("html:title", elements[row].text)
    for labelled, valued in CARD:
        label, value = known.texts(labelled), known.texts(valued)
        if label and value and _WRITTEN_BY.search(label[0]):
            known.add("html:card", value[0])


@lru_cache(maxsize=4_096)
def _source_of(written: str) -> str:
    """Where the content of a meta element of this name is filed; of most names nobody asks."""
    name = written.strip().lower()
    if name.startswith("twitter:misc:") and _WRITTEN_BY.search(name):  # before the label of one of the values of a card
        return "html:card"
    return source if (source := f"meta:{name}") in READ else ""
