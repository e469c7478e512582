"""A document as somebody else may have it: without comments or posts, and with other names of those who wrote them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.model.article import Extent
from webarticlecurator.tei.markup import readable
from webarticlecurator.tei.references import digest
from webarticlecurator.tei.template import NAMESPACE
from webarticlecurator.text import letters_in_addresses

_T = f"{{{NAMESPACE}}}"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_OWN_POSTS = frozenset({"liveBlog", "thread", "blogPosts"})
_SINGLE_POSTS = frozenset({"liveBlogUpdate", "blogPost"})
_MARKS = {"comments": b'<div type="comments"', "posts": b'<div type="(?:liveBlog|thread|blogPosts)"|<floatingText type="post"'}
_NAMED = tuple(f"{_T}{tag}" for tag in ("persName", "orgName", "name", "author", "editor", "speaker", "docAuthor"))
_POSTS = tuple(f"{_T}{tag}" for tag in ("post", "div", "cit", "quote"))
_SHORTEST = 3
"""Characters of a name that is looked for in texts: a shorter one would be found everywhere."""
_JSON_LD = f"{_T}xenoData"


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """What is done to documents."""

    comments: bool = True
    """They stay."""
    posts: bool = True
    """Posts stay; those of threads always do, and those of articles that have no other text."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names, and what stands for them."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A document that was changed, or need not be."""

    document: bytes
    comments: int = 0
    """How many are no more in it."""
    posts: int = 0


def changed(document: bytes, change: DocumentChange, extent: Callable[[], Extent | None] = lambda: None) -> Changed:
    """The document as it is to be; the very same bytes where there is nothing to do. `extent`: of the article without its posts."""
    leaves = [kind for kind, mark in _MARKS.items() if not getattr(change, kind) and re.search(mark, document)]
    if not leaves and not change.names:
        return Changed(document)
    root = etree.fromstring(document, _parser())
    comments = _drop(root, _comments(root), root) if "comments" in leaves else 0
    posts = _drop(root, _own_posts(root), root) if "posts" in leaves else 0
    if comments or posts:
        _correct_extent(root, comments + posts, extent() if posts else None)
        _forget_unused(root)
    if change.names:
        _rename(root, change.names)
    written = etree.tostring(root, encoding="UTF-8", xml_declaration=False, with_tail=False)
    return Changed(document[: document.index(b"<TEI")] + written + b"\n", comments, posts)


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)


# --- what is left out ---


def _comments(root: Element) -> list[Element]:
    return root.findall(f"{_T}text/{_T}body/{_T}div[@type='comments']")


def _own_posts(root: Element) -> list[Element]:
    """Those that are text of the article; none where it has no other, or is a thread."""
    article = root.find(f"{_T}text/{_T}body/{_T}div[@type='article']")
    if article is None:
        return []
    divisions = article.findall(f"{_T}div")
    groups = [one for one in divisions if one.get("type") in _OWN_POSTS]
    others = (one for one in divisions if one.get("type") not in _OWN_POSTS)
    if any(one.get("type") == "thread" for one in groups) or not any("".join(map(str, one.itertext())).strip() for one in others):
        return []
    return [*groups, *article.iterfind(f".//{_T}floatingText[@type='post']")]


def _drop(root: Element, parts: Iterable[Element], top: Element) -> int:
    """Take these away, with what points to them; how many posts they were."""
    number, gone = 0, set[str]()
    for part in parts:
        parent = part.getparent()
        if parent is None or not _is_below(part, top):  # it went with another
            continue
        inner = list(part.iter(etree.Element))
        number += sum(one.tag == f"{_T}post" or one.get("type") in _SINGLE_POSTS for one in inner)
        gone.update(str(id) for one in inner if (id := one.get(_ID)))
        if part.tag == f"{_T}floatingText":
            gap = etree.Element(f"{_T}gap", reason="leftOut")
            gap.tail = part.tail
            parent.replace(part, gap)
        else:
            parent.remove(part)  # with the line feed behind it
    for one in root.iter(etree.Element):
        for key, value in one.attrib.items():
            if str(value).startswith("#") and str(value)[1:] in gone:
                del one.attrib[key]
    return number


def _is_below(part: Element, top: Element) -> bool:
    return any(one is top for one in part.iterancestors())


def _correct_extent(root: Element, posts: int, extent: Extent | None) -> None:
    counts = {} if extent is None else {"words": extent.words, "characters": extent.characters}
    for measure in root.findall(f"{_T}teiHeader/{_T}fileDesc/{_T}extent/{_T}measure"):
        unit = measure.get("unit", "")
        number = int(measure.get("quantity", "0")) - posts if unit == "posts" else counts.get(unit)
        if number is not None:
            measure.set("quantity", str(max(number, 0)))
        if measure.get("quantity") == "0" and unit == "posts":
            measure.getparent().remove(measure)  # type: ignore[union-attr]


def _forget_unused(root: Element) -> None:
    """People whom nothing refers to any more, and languages in which nothing is written."""
    used = {value for one in root.iter(etree.Element) for value in one.attrib.values() if str(value).startswith("#")}
    for people in root.findall(f".//{_T}particDesc"):
        for person in list(people.iter(f"{_T}person")):
            if f"#{person.get(_ID)}" not in used:
                person.getparent().remove(person)  # type: ignore[union-attr]
        if people.find(f".//{_T}person") is None:
            people.getparent().remove(people)  # type: ignore[union-attr]
    written = {one.get(_LANGUAGE) for one in root.iter(etree.Element)}
    for language in root.findall(f".//{_T}langUsage/{_T}language")[1:]:
        if language.get("ident") not in written:
            language.getparent().remove(language)  # type: ignore[union-attr]


# --- other names ---


def _rename(root: Element, names: Mapping[str, str]) -> None:
    """Wherever somebody is named as who wrote or said something; and in what posts say, whole words that are the name."""
    _rename_people(root, names)
    for one in root.iter(*_NAMED):
        if not len(one) and (other := names.get((one.text or "").strip())) is not None:
            one.text = _clean(other)
            if "ref" in one.attrib and not one.get("ref", "").startswith("#"):  # the page about them
                del one.attrib["ref"]
    for data in root.iter(_JSON_LD):
        data.text = _clean(orjson.dumps(_renamed_data(orjson.loads(data.text or "{}"), names)).decode())
    _hide_in_posts(root, names)


def _hide_in_posts(root: Element, names: Mapping[str, str]) -> None:
    """Posts name each other's writers in texts; and their ids, and addresses of profiles, may be made of names."""
    long = sorted((name for name in names if len(name) >= _SHORTEST), key=len, reverse=True)
    if not long:
        return
    mentioned = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, long))})(?!\w)")
    plain = [name for name in map(letters_in_addresses, long) if len(name) >= _SHORTEST]
    document, moved = root.get(_ID, ""), dict[str, str]()

    def hidden(text: str | None) -> str | None:
        return mentioned.sub(lambda found: _clean(names[found[0]]), text) if text else text

    for one in _in_posts(root):
        if one.text:
            one.text = hidden(one.text)
        for inner in one.iterchildren():
            inner.tail = hidden(inner.tail)
        for key, value in ((str(key), str(value)) for key, value in one.attrib.items()):
            if value.startswith("#") or not any(name in letters_in_addresses(value) for name in plain):
                continue
            if key == _ID:
                moved[f"#{value}"] = f"#{document}.post-{digest(value)}"
                one.set(key, moved[f"#{value}"][1:])
            elif key == "n":
                one.set(key, digest(value))
            elif key == "url":  # TEI wants some
                one.set(key, "about:invalid")
            elif key in ("source", "target"):
                del one.attrib[key]
        if one.get("type") == "originalAddress" and one.text and any(name in letters_in_addresses(one.text) for name in plain):
            one.text = "left out"
    _lead_to(root, moved)


def _rename_people(root: Element, names: Mapping[str, str]) -> None:
    """An identifier is made of the name, so whoever guesses the name can prove it: it is made of the other one."""
    document = root.get(_ID, "")
    taken = {one.get(_ID) for one in root.iter(etree.Element)}
    moved: dict[str, str] = {}
    for person in root.iter(f"{_T}person"):
        other = names.get((person.findtext(f"{_T}persName") or "").strip())
        if other is None:
            continue
        id = found = f"{document}.person-{digest(other)}"
        number = 1
        while found in taken:
            number += 1
            found = f"{id}-{number}"
        taken.add(found)
        moved[f"#{person.get(_ID)}"] = f"#{found}"
        person.set(_ID, found)
    _lead_to(root, moved)


def _lead_to(root: Element, moved: Mapping[str, str]) -> None:
    for one in root.iter(etree.Element) if moved else ():
        for key, value in one.attrib.items():
            if value in moved:
                one.set(key, moved[str(value)])


def _renamed_data(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        name = value.get("name")
        other = names.get(name) if isinstance(name, str) else None
        told = {key: inner for key, inner in value.items() if other is None or key != "url"}  # the page about them
        return {key: other if key == "name" and other is not None else _renamed_data(inner, names) for key, inner in told.items()}
    if isinstance(value, list):
        return [_renamed_data(inner, names) for inner in value]
    return value


def _in_posts(root: Element) -> Iterator[Element]:
    """All elements of posts, once each; of entries of live blogs and blogs, and of what quotes posts or people, too."""
    seen = set[Element]()
    for one in root.iter(*_POSTS):
        is_division = one.tag == f"{_T}div" and one.get("type") not in _SINGLE_POSTS
        if not is_division and (one.tag != f"{_T}quote" or one.get("source", "").startswith("#")):
            inner = [below for below in one.iter(etree.Element) if below not in seen]
            seen.update(inner)
            yield from inner


def _clean(text: str) -> str:
    return readable(text)[0].decode()
