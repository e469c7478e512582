"""Makes `webarticle.rng` by narrowing `tei_all.rng.xz` as `webarticle.odd` says: run `python schemas/tei/narrow.py`.

RELAX NG patterns know no negation, so taking alternatives away can only make a schema stricter: what is valid by the compact
schema is valid TEI by construction. The ODD is the one place that says what is taken away; this reads of it

- `moduleRef/@include`: the elements that stay,
- `classSpec[@type='atts'][@mode='delete']`, and `attDef[@mode='delete']` in a class or an element: optional attributes that go,
- `elementSpec/attList/attDef` with a closed `valList`: the only values that stay; with `@usage='req'`: required; with `@mode='add'`:
  an attribute that a class loses stays on this element. Elements that never had it in TEI do not get it.

What is left is then said in the way that libxml2 checks fastest, which is twice as fast as TEI's own way: that allows and forbids
the same documents.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

FOLDER = Path(__file__).resolve().parent
PUBLISHED, ODD, COMPACT = FOLDER / "tei_all.rng.xz", FOLDER / "webarticle.odd", FOLDER / "webarticle.rng"
RNG = "{http://relaxng.org/ns/structure/1.0}"
TEI = "{http://www.tei-c.org/ns/1.0}"
_ALL_NEEDED = {f"{RNG}{name}" for name in ("group", "interleave", "oneOrMore", "attribute", "list", "element")}
_MAY_BE_ABSENT = {f"{RNG}{name}" for name in ("optional", "zeroOrMore")}
_AROUND_OTHERS = _MAY_BE_ABSENT | {f"{RNG}{name}" for name in ("oneOrMore", "group")}
_NOTICE = (
    " Derived from TEI P5 {version} (tei_all.rng, Copyright TEI Consortium, CC BY 3.0 or BSD-2-Clause, see TEI-COPYING.txt)"
    " by narrow.py as webarticle.odd says. Not to be edited by hand. "
)


def narrow(published: Path = PUBLISHED, odd: Path = ODD) -> bytes:
    """The compact schema."""
    parser = etree.XMLParser(remove_comments=True, remove_blank_text=True, no_network=True, resolve_entities=False)
    with lzma.open(published) as unpacked:
        grammar = etree.parse(unpacked, parser).getroot()
    choice = etree.parse(odd, parser).getroot()
    _drop_annotations(grammar)
    schema = _Grammar(grammar)
    schema.keep_elements({name for module in choice.iter(f"{TEI}moduleRef") for name in module.get("include", "").split()})
    for spec in choice.iter(f"{TEI}elementSpec"):
        schema.keep_attributes(spec)
    for spec in choice.iter(f"{TEI}classSpec"):
        schema.narrow_class(spec)
    for spec in choice.iter(f"{TEI}elementSpec"):
        schema.narrow_element(spec)
    _simplify(grammar)
    _ease_lists(grammar)
    schema.gather_attributes()
    schema.drop_unreachable()
    etree.cleanup_namespaces(grammar)
    version = next(choice.iter(f"{TEI}schemaSpec")).get("n", "")
    grammar.addprevious(etree.Comment(_NOTICE.format(version=version)))
    return etree.tostring(grammar.getroottree(), xml_declaration=True, encoding="UTF-8", pretty_print=True)


class _Grammar:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._defines = {str(define.get("name")): define for define in root.findall(f"{RNG}define")}
        self._shared: dict[bytes, str] = {}

    def keep_elements(self, names: set[str]) -> None:
        known = {element.get("name") for element in self._root.iter(f"{RNG}element")}
        if unknown := sorted(names - known):
            raise SystemExit(f"{ODD.name} includes elements that TEI does not have: {', '.join(unknown)}")
        for define in self._defines.values():
            element = define.find(f"{RNG}element")
            if element is not None and element.get("name") is not None and element.get("name") not in names:
                _become(define, "notAllowed")

    def narrow_class(self, spec: Element) -> None:
        ident = str(spec.get("ident"))
        if f"{ident}.attributes" not in self._defines:
            raise SystemExit(f"{ODD.name} names the class {ident}, which TEI does not have")
        if spec.get("mode") == "delete":
            for name, define in self._defines.items():
                if name == f"{ident}.attributes" or name.startswith(f"{ident}.attribute."):
                    _drop_optional(define, None)
        for attribute in spec.iter(f"{TEI}attDef"):
            name = str(attribute.get("ident"))
            _drop_optional(self._defines[f"{ident}.attribute.{name.replace(':', '')}"], name)

    def keep_attributes(self, spec: Element) -> None:
        """Attributes that the element keeps, though a class of them loses them later."""
        element = self._element(spec)
        for attribute in spec.iterfind(f".//{TEI}attDef[@mode='add']"):
            self._bring_in(element, str(attribute.get("ident")))

    def narrow_element(self, spec: Element) -> None:
        element = self._element(spec)
        for attribute in spec.iterfind(f".//{TEI}attDef"):
            name = str(attribute.get("ident"))
            if attribute.get("mode") == "add":
                continue
            old = self._bring_in(element, name)
            if attribute.get("mode") == "delete":
                _become(old, "empty")
                continue
            inner = next(old.iter(f"{RNG}attribute"))
            if values := [str(item.get("ident")) for item in attribute.iter(f"{TEI}valItem")]:
                _close(inner, values)
            if attribute.get("usage") == "req" and old is not inner:
                old.getparent().replace(old, inner)  # type: ignore[union-attr]

    def _element(self, spec: Element) -> Element:
        element = self._defines[str(spec.get("ident"))].find(f"{RNG}element")
        assert element is not None
        return element

    def _bring_in(self, element: Element, name: str) -> Element:
        """The attribute's pattern as the element's own, no longer shared with others through its classes."""
        while True:
            for optional in element.iter(f"{RNG}optional", f"{RNG}attribute"):
                if any(attribute.get("name") == name for attribute in (optional, *optional.findall(f"{RNG}attribute"))):
                    return optional
            for ref in element.findall(f"{RNG}ref"):
                if name in self._attributes(str(ref.get("name"))):
                    for child in self._defines[str(ref.get("name"))]:
                        ref.addprevious(_copy(child))
                    element.remove(ref)
                    break
            else:
                raise SystemExit(f"{ODD.name}: <{element.get('name')}> has no attribute {name}")

    def _attributes(self, define: str) -> set[str]:
        return {str(node.get("name")) for node in self._reachable(define, into_elements=False) if node.tag == f"{RNG}attribute"}

    def gather_attributes(self) -> None:
        """All optional attributes of one data type together: for every pattern libxml2 asks all attributes of an element again."""
        for element in self._root.iter(f"{RNG}element"):
            self._spell_out_classes(element)
            alike: dict[bytes, list[Element]] = {}
            for optional in element.findall(f"{RNG}optional"):
                attribute = optional[0]
                if len(optional) == 1 and _is(attribute, "attribute") and attribute.get("name") is not None:
                    alike.setdefault(b"".join(map(etree.tostring, attribute)), []).append(optional)
            for first, *others in alike.values():
                if others:
                    _join(first, others)
                self._share(first)

    def _share(self, pattern: Element) -> None:
        """A pattern that many elements have is written once: in the small, a schema stays in the processor's cache."""
        written = etree.tostring(pattern, with_tail=False)
        if written not in self._shared:
            self._shared[written] = name = f"attributes.{len(self._shared) + 1}"
            self._defines[name] = define = etree.SubElement(self._root, f"{RNG}define", name=name)
            define.append(_copy(pattern))
        _become(pattern, "ref")
        pattern.set("name", self._shared[written])

    def _spell_out_classes(self, element: Element) -> None:
        """Instead of references to classes of attributes, the attributes themselves."""
        while classes := [ref for ref in element.findall(f"{RNG}ref") if self._has_only_attributes(str(ref.get("name")))]:
            for ref in classes:
                for child in self._defines[str(ref.get("name"))]:
                    ref.addprevious(_copy(child))
                element.remove(ref)

    def _has_only_attributes(self, define: str) -> bool:
        # each pattern of an attribute ends the search: what is below describes its value
        waiting = list(self._defines[define])
        while waiting:
            node = waiting.pop()
            if _is(node, "ref"):
                waiting.extend(self._defines[str(node.get("name"))])
            elif node.tag in _AROUND_OTHERS or _is(node, "choice"):
                waiting.extend(node)
            elif not _is(node, "attribute"):
                return False
        return True

    def _reachable(self, start: str, *, into_elements: bool = True) -> Iterator[Element]:
        seen, waiting = {start}, [start]
        while waiting:
            define = self._defines[waiting.pop()]
            if not into_elements and define.find(f"{RNG}element") is not None:
                continue
            for node in define.iter():
                yield node
                name = node.get("name")
                if node.tag == f"{RNG}ref" and name is not None and name not in seen:
                    seen.add(name)
                    waiting.append(name)

    def drop_unreachable(self) -> None:
        start = self._root.find(f"{RNG}start")
        assert start is not None
        kept = {str(ref.get("name")) for ref in start.iter(f"{RNG}ref")}
        for name in tuple(kept):
            kept |= {str(node.get("name")) for node in self._reachable(name) if node.tag == f"{RNG}ref"}
        for name, define in self._defines.items():
            if name not in kept:
                self._root.remove(define)


def _drop_annotations(grammar: Element) -> None:
    """Documentation, defaults and Schematron rules stay in the published schema."""
    for node in list(grammar.iter()):
        parent = node.getparent()
        if parent is not None and not str(node.tag).startswith(RNG):
            parent.remove(node)
        for name in [name for name in node.attrib if str(name).startswith("{")]:
            del node.attrib[name]


def _copy(node: Element) -> Element:
    return etree.fromstring(etree.tostring(node))


def _become(node: Element, name: str) -> None:
    """The pattern itself becomes `empty` or `notAllowed`; a define gets it as its only content."""
    for child in list(node):
        node.remove(child)
    if node.tag == f"{RNG}define":
        etree.SubElement(node, f"{RNG}{name}")
    else:
        node.attrib.clear()
        node.tag = f"{RNG}{name}"


def _drop_optional(define: Element, name: str | None) -> None:
    """Only optional attributes may go: leaving out a required one would allow what TEI does not."""
    for optional in list(define.iter(f"{RNG}optional")):
        if any(name in (None, attribute.get("name")) for attribute in optional.findall(f"{RNG}attribute")):
            _become(optional, "empty")


def _close(attribute: Element, values: list[str]) -> None:
    if bad := [value for value in values if not value or value.split() != [value]]:
        raise SystemExit(f"{ODD.name}: values with white space would not be TEI: {bad}")
    for child in list(attribute):
        attribute.remove(child)
    choice = etree.SubElement(attribute, f"{RNG}choice")
    for value in values:
        etree.SubElement(choice, f"{RNG}value").text = value


def _join(first: Element, others: list[Element]) -> None:
    """Several optional attributes with the same values as one pattern that may be there more than once."""
    names = etree.Element(f"{RNG}choice")
    for optional in (first, *others):
        name = str(optional[0].get("name"))
        # as the content of an element, a name without a prefix would be one in TEI's namespace
        etree.SubElement(names, f"{RNG}name", {} if ":" in name else {"ns": ""}).text = name
    first.tag = f"{RNG}zeroOrMore"
    del first[0].attrib["name"]
    first[0].insert(0, names)
    for optional in others:
        optional.getparent().remove(optional)  # type: ignore[union-attr]


def _ease_lists(grammar: Element) -> None:
    r"""Addresses in lists without the pattern `\S+`, whose automaton costs more than all else: parts of a list have no white space."""
    for address in grammar.iterfind(f".//{RNG}list//{RNG}data[@type='anyURI']"):
        if [str(param.text) for param in address] == [r"\S+"]:
            address.remove(address[0])


def _simplify(grammar: Element) -> None:
    """RELAX NG's own rules for notAllowed and empty, until nothing changes."""
    while any([_spread_not_allowed(grammar), _drop_empty(grammar)]):
        pass


def _is(node: Element, name: str) -> bool:
    return node.tag == f"{RNG}{name}"


def _all_empty(node: Element) -> bool:
    return all(_is(child, "empty") for child in node)


def _is_doubled(node: Element, parent: Element) -> bool:
    return _is(node, "oneOrMore") and len(parent) == 1 and (_is(parent, "oneOrMore") or _is(parent, "zeroOrMore"))


def _unwrap(node: Element, parent: Element) -> None:
    for child in list(node):
        node.addprevious(child)
    parent.remove(node)


def _spread_not_allowed(grammar: Element) -> bool:
    dead = {define.get("name") for define in grammar.findall(f"{RNG}define") if len(define) == 1 and _is(define[0], "notAllowed")}
    changed = False
    for node in reversed(list(grammar.iter())):
        inside = any(_is(child, "notAllowed") for child in node)
        if (_is(node, "ref") and node.get("name") in dead) or (inside and node.tag in _ALL_NEEDED):
            _become(node, "notAllowed")
        elif inside and node.tag in _MAY_BE_ABSENT:
            _become(node, "empty")
        elif inside and _is(node, "choice"):
            for child in [child for child in node if _is(child, "notAllowed")]:
                node.remove(child)
            if len(node) == 0:
                _become(node, "notAllowed")
        elif inside and _is(node, "define") and len(node) > 1:
            _become(node, "notAllowed")
        else:
            continue
        changed = True
    return changed


def _drop_empty(grammar: Element) -> bool:
    """Beyond tidiness: libxml2 rejects valid documents where an unbounded pattern ends in `zeroOrMore(empty)`,

    and takes quadratic time over a `oneOrMore` of a `oneOrMore`.
    """
    nothing = {define.get("name") for define in grammar.findall(f"{RNG}define") if len(define) and _all_empty(define)}
    changed = False
    for node in reversed(list(grammar.iter())):
        parent = node.getparent()
        if (_is(node, "ref") and node.get("name") in nothing) or (node.tag in _AROUND_OTHERS and _all_empty(node)):
            _become(node, "empty")
        elif _is(node, "empty") and parent is not None and len(parent) > 1 and not _is(parent, "choice"):
            parent.remove(node)
        elif parent is not None and ((_is(node, "choice") and len(node) == 1) or _is_doubled(node, parent)):
            _unwrap(node, parent)
        else:
            continue
        changed = True
    return changed


if __name__ == "__main__":
    COMPACT.write_bytes(narrow())
