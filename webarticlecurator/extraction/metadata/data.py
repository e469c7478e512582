"""The object in the JSON-LD and the microdata of a page that is its article, and what it says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from json import dumps
from typing import Any, NamedTuple

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.extraction.metadata.microdata import MICRODATA, RDFA, things_of
from webarticlecurator.extraction.metadata.sources import Clue, PageClues
from webarticlecurator.model.metadata import AgentKind
from webarticlecurator.model.page import Object, addresses, type_names
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.text import folded

MAX_TEXTS = 300
"""Texts of one property that are read."""
MAX_NESTING = 6
"""Objects and lists inside the value of one property."""

_WRITTEN_TYPES = read_word_lists(__file__, "schema_types.txt", r"\s+")
_TYPES = {name: frozenset(types) for name, types in _WRITTEN_TYPES.items()}
ARTICLES = _TYPES["articles"]
"""Types of what one page or post of a portal is."""
_PAGES = _TYPES["pages"]
"""Types of the page itself."""
_WORKS = ARTICLES | _TYPES["works"]
"""Types of what a page may be about."""
_ORGANIZATIONS = tuple(_TYPES["organizations"])
"""Ends of the types of organisations."""
_AGENT_TYPES = ("Person", *_ORGANIZATIONS)
"""Ends of the types of those who act."""
_OF_NO_WORK = _PAGES | _TYPES["beside"]
"""Types of what is no work that a page may be about."""
_CRUMBS = frozenset({"BreadcrumbList"})
_CONTENT = frozenset({"headline", "name", "datePublished", "articleBody", "description"})
"""Properties of which an article has one at least."""
_ENTRIES = "liveBlogUpdate"
"""Property with the entries of a live blog, which often have the address of the page with a fragment: they
are the page's, and not the page."""
_OF_PAGE = frozenset({"@graph", "mainEntity", "mainEntityOfPage"})
"""Properties whose objects stand for the page as the object around them does."""
_AGENTS = frozenset(
    (
        *("author", "creator", "contributor", "editor", "translator"),
        *("publisher", "provider", "sourceOrganization"),
    )
)
_ADDRESSES = ("url", "mainEntityOfPage")
"""Properties with the address of the page that a thing of microdata stands on."""
_URLS_OF = ("url", "contentUrl", "embedUrl", "@id")
"""Properties of an object in which its address stands, the most telling first."""
_TEXTS_OF = ("name", "headline", "@value", "value", "alternateName", "text", "title")
"""Properties of an object that may be its name, the most telling first."""
_ADDRESS = linear_at(r"https?://|/(?!/)")
_TRACKED = linear(r"^https?://(?:www\.|m\.|amp\.)?|[?#].*$|(?<!/)/+$|/amp/?$")


class _PageObjects(NamedTuple):
    """The objects in the data of a page, at any depth, in page order."""

    all: list[Object]
    of_page: list[Object]
    """Objects that stand for the page itself, and not for a part of it."""


class ArticleObjects:
    """Knows a page's article by its addresses and its titles from the articles that the page recommends."""

    def __init__(self, titles: Iterable[str], known: PageClues) -> None:
        urls = (known.page.url, known.page.requested_url, *known.texts("link:canonical", "meta:og:url"))
        self._urls = set(map(bare_address, urls))
        self._titles = set(map(folded, titles))
        self._known = known

    def read_json_ld(self) -> str:
        """File what the article's object says as `json-ld:...`; return its type, where it has one."""
        objects = _objects(self._known.page.json_ld)
        article = self._sure(objects) or _only(_with_content(_of_types(ARTICLES, objects.of_page)))
        page = _first_of(_PAGES, objects.of_page)
        by_id = _by_id(objects.all)
        _file("json-ld", article, by_id, self._known)
        if page is not article:
            _file("json-ld-page", page, by_id, self._known)
        self._file_crumbs(_first_of(_CRUMBS, objects.all).get("itemListElement"))
        return self._file_types("json-ld", objects, article)

    def read_microdata(self) -> str:
        """File what the article's element says as `microdata:...`; return its type.

        Where none is an article, it is what stands in no thing.
        """
        things = things_of(self._known.page.outline, self._known.parts.samples, MICRODATA)
        objects = _objects(things)
        article = self._sure(objects) or self._unless_elsewhere(_likely_article(things, objects))
        return self._file_marked_up(objects, article)

    def read_rdfa(self) -> str:
        """File what the article's element says in RDFa Lite, as microdata; return its type."""
        objects = _objects(things_of(self._known.page.outline, self._known.parts.samples, RDFA))
        return self._file_marked_up(objects, self._sure(objects))

    def _file_marked_up(self, objects: _PageObjects, article: Object) -> str:
        """File what the element of the article says, if there is one, and return its type."""
        if not article:
            return ""
        _file("microdata", article, {}, self._known)
        return self._file_types("microdata", objects, article)

    def _unless_elsewhere(self, thing: Object) -> Object:
        """Return the thing; an empty one for a teaser, whose address is that of another page."""
        told = chain.from_iterable(texts_of(thing.get(name), Holds.URL) for name in _ADDRESSES)
        urls = set(map(bare_address, self._known.page.joined(clue.text for clue in told)))
        return thing if not urls or not self._urls.isdisjoint(urls) else {}

    def _file_crumbs(self, items: Any) -> None:
        """File the names and addresses of a list of breadcrumbs."""
        for crumb in _objects([items]).of_page:
            inner = crumb.get("item")
            page = inner if isinstance(inner, dict) else {"url": inner}
            names = texts_of(crumb.get("name") or page.get("name"))
            url = next(iter(addresses(page)), "")
            self._known.add("json-ld:breadcrumb", next(names, Clue("")).text, url=url)

    def _file_types(self, source: str, objects: _PageObjects, article: Object) -> str:
        """File what the page declares itself to be, and return the type of its article.

        It is of the types of its article, and of other works at its address or with its title.
        """
        own = [article, *filter(self._evidence, objects.of_page)]
        for name in chain.from_iterable(map(type_names, own)):
            if name not in _OF_NO_WORK and not name.endswith(_AGENT_TYPES):
                self._known.add(f"{source}:@type", name)
        return next(iter(type_names(article)), "")

    def _sure(self, objects: _PageObjects) -> Object:
        """Return the page's own article: told by its address, else by its title; of several the likest to an
        article."""
        works = _with_content(_of_types(_WORKS, objects.all))
        of_page = set(map(id, objects.of_page))

        def likeness(work: Object) -> int:
            is_whole = ("headline" in work) + ("datePublished" in work)
            return self._evidence(work) + 4 * _is(work, ARTICLES) + 2 * (id(work) in of_page) + is_whole

        return max(filter(self._evidence, works), key=likeness, default={})

    def _evidence(self, thing: Object) -> int:
        """Return how much ties an object to the page: its address, and its title."""
        urls = set(map(bare_address, addresses(thing)))
        titles = {folded(clue.text) for name in ("headline", "name") for clue in texts_of(thing.get(name))}
        return 20 * (not self._urls.isdisjoint(urls)) + 10 * (not self._titles.isdisjoint(titles))


def _by_id(objects: Iterable[Object]) -> dict[str, Object]:
    """Return the objects that others may refer to, by their names."""
    return {str(thing.get("@id") or ""): thing for thing in objects if len(thing) > 2}


def _objects(values: Sequence[Any]) -> _PageObjects:
    """Return all objects in these values."""
    objects = _PageObjects([], [])
    waiting: list[tuple[Any, bool]] = [(list(values), True)]
    while waiting:
        value, is_page = waiting.pop()
        if isinstance(value, list):
            waiting.extend((item, is_page) for item in reversed(value))
        elif isinstance(value, dict):
            objects.all.append(value)
            if is_page:
                objects.of_page.append(value)
            inner = [name for name in reversed(value) if name != _ENTRIES]
            waiting.extend((value[name], is_page and name in _OF_PAGE) for name in inner)
    return objects


def _is(thing: Object, types: frozenset[str]) -> bool:
    return not types.isdisjoint(type_names(thing))


def _first_of(types: frozenset[str], objects: Iterable[Object]) -> Object:
    """Return the first object of one of these types; an empty one where there is none."""
    return next(iter(_of_types(types, objects)), {})


def _of_types(types: frozenset[str], objects: Iterable[Object]) -> list[Object]:
    """Return the objects of one of these types."""
    return [thing for thing in objects if _is(thing, types)]


def _likely_article(things: Iterable[Object], objects: _PageObjects) -> Object:
    """Return the only article of microdata, else the only work.

    Where there is no work, these are the properties that belong to no thing.
    """
    works = _of_types(_WORKS, objects.all)
    of_no_type = [thing for thing in things if "@type" not in thing]
    return _only(_of_types(ARTICLES, works) or works or of_no_type[:1])


def _with_content(objects: Iterable[Object]) -> list[Object]:
    """Return the objects that tell more than a type or an address."""
    return [thing for thing in objects if not _CONTENT.isdisjoint(thing)]


def _only(objects: list[Object]) -> Object:
    """Return the only object; an empty one where there are none or several."""
    return objects[0] if len(objects) == 1 else {}


@lru_cache(maxsize=1_024)
def bare_address(url: str) -> str:
    """Return the address of a page, however it is asked for."""
    return _TRACKED.sub("", _TRACKED.sub("", url.strip()))


def _file(source: str, thing: Object, by_id: Mapping[str, Object], known: PageClues) -> None:
    """File what the properties of an object say that are fields."""
    for name in thing.keys() & FIELDS.keys():
        for clue in islice(texts_of(thing[name], FIELDS[name].holds, by_id), MAX_TEXTS):
            known.add(f"{source}:{name}", *(clue if name in _AGENTS else clue[:1]))


def texts_of(
    value: Any,
    holds: Holds = Holds.TEXT,
    by_id: Mapping[str, Object] = {},
    depth: int = MAX_NESTING,
) -> Iterator[Clue]:
    """Yield what a value says: itself, the names of objects or their addresses, one after the other."""
    if isinstance(value, (str, int, float)):
        yield Clue(value if isinstance(value, str) else dumps(value))
    elif not depth:
        return
    elif isinstance(value, list):
        for item in value[:MAX_TEXTS]:
            yield from texts_of(item, holds, by_id, depth - 1)
    elif isinstance(value, dict):
        yield from _texts_of_object(by_id.get(str(value.get("@id")), value), holds, depth)


def _texts_of_object(thing: Object, holds: Holds, depth: int) -> Iterator[Clue]:
    """Yield the names of an object, or its addresses, with what it is and the page about it."""
    names = _URLS_OF if holds is Holds.URL else _TEXTS_OF
    written = next(filter(None, map(thing.get, names)), None) or _full_name(thing)
    kind, url = _kind(type_names(thing)), _page_of(thing)
    # one reference is followed, not a chain of them
    for text, _, page in texts_of(written, holds, {}, depth - 1):
        yield Clue(text, kind, url or page)


def _full_name(person: Object) -> str:
    """Return the name of somebody whose data have it in two parts."""
    return " ".join(map(str, filter(None, map(person.get, ("givenName", "familyName")))))


def _kind(types: Collection[str]) -> AgentKind:
    """Return what the bearer of a name is, by the types of its object."""
    if "Person" in types:
        return "person"
    return "organization" if any(name.endswith(_ORGANIZATIONS) for name in types) else ""


def _page_of(thing: Object) -> str:
    """Return the address of a page about an object."""
    told = texts_of([thing.get(name) for name in ("url", "@id", "sameAs")], Holds.URL, {}, 3)
    return next((clue.text for clue in told if _ADDRESS.match(clue.text)), "")
