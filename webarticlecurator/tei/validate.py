"""Whether a document is valid: by the compact schema, and by rules of TEI that no grammar can say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from lxml import etree
from lxml.etree import _ElementTree as Tree

from webarticlecurator import resources
from webarticlecurator.tei.markup import NAMESPACE

MAX_REASONS = 10


class _Rule(NamedTuple):
    """A rule of TEI's Schematron that a document of ours, or a header template, could break."""

    path: str
    """Of what breaks it. With `/descendant::`, for which libxml2 takes half the time that it takes for `//` before a condition."""
    what: str


_ALLOWED_AROUND = " or ".join(f"parent::t:{name}" for name in ("item", "note", "q", "quote", "sp", "cell", "figure"))
_RULES = (
    _Rule("/descendant::*/@subtype[not(../@type)]/..", "has a subtype but no type"),
    _Rule("/descendant::t:relatedItem[@target and *]", "has a target and content; one of them is enough"),
    _Rule("/descendant::t:relatedItem[not(@target) and not(*)]", "has neither a target nor content"),
    _Rule("/descendant::*/@generatedBy[not(ancestor::t:post)]/..", "has generatedBy, which is for posts only"),
    _Rule("/descendant::t:lg[not(.//t:l or .//t:gap)]", "has no lines"),
    _Rule("/descendant::t:quotation[not(@marks) and not(t:p)]", "needs marks or a paragraph"),
    _Rule("/descendant::t:list[@type='gloss'][not(t:label)]", "is a glossary without labels"),
    *(
        rule
        for outer in ("p", "ab")
        for rule in (
            _Rule(
                f"/descendant::t:{outer}/descendant::t:p[not(ancestor::t:floatingText or {_ALLOWED_AROUND})]",
                "is a paragraph in a paragraph",
            ),
            _Rule(f"/descendant::t:{outer}/descendant::t:div[not(ancestor::t:floatingText)]", "is a division in a paragraph"),
        )
    ),
    _Rule("/descendant::t:l/descendant::t:l[not(ancestor::t:note or ancestor::t:floatingText)]", "is a line in a line"),
)
_ANY_RULE = " | ".join(rule.path for rule in _RULES)
_ID, _POINTER = re.compile(rb"xml:id\s*=\s*[\"']([^\"']*)"), re.compile(rb'="(#[^"]*)"')
_POINTING = frozenset({"who", "ana", "source", "replyTo", "resp", "corresp", "scheme", "ref", "target", "rendition"})
"""Attributes whose `#...` has to lead somewhere; @n and the like may begin with a hash too."""


def validate(document: bytes | Tree) -> tuple[str, ...]:
    """Why it is not valid; nothing when it is. Never raises: what is not even XML is not valid."""
    written = document if isinstance(document, bytes) else etree.tostring(document)
    if isinstance(document, bytes):
        try:
            document = etree.fromstring(document, _parser()).getroottree()
        except etree.XMLSyntaxError as problem:
            return (f"not well-formed: {problem}",)
    schema = _schema()
    if not schema.validate(document):
        reasons = [_reason(entry, document) for entry in tuple(schema.error_log)[: 2 * MAX_REASONS]]
        return tuple(dict.fromkeys((*_wrong_names(document), *reasons)))[:MAX_REASONS]
    return _broken_rules(document, written)


@cache
def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, collect_ids=False)


@cache
def _schema() -> etree.RelaxNG:
    """With identifiers as plain names, for whose uniqueness the rules below stand: libxml2 never frees an identifier that it has seen."""
    schema = resources.schema("tei/webarticle.rng").read_bytes()
    return etree.RelaxNG(etree.fromstring(schema.replace(b'<data type="ID"/>', b'<data type="NCName"/>')))


@cache
def _path(path: str) -> etree.XPath:
    return etree.XPath(path, namespaces={"t": NAMESPACE})


def _reason(entry: etree._LogEntry, document: Tree) -> str:
    """libxml2 often leaves out which element it speaks of."""
    found = document.xpath(entry.path) if entry.path else None
    about = f", {etree.QName(found[0]).localname}" if isinstance(found, list) and found and etree.iselement(found[0]) else ""
    return f"line {entry.line}{about}: {entry.message.replace(' ,', ',')}"


def _broken_rules(document: Tree, written: bytes) -> tuple[str, ...]:
    # nearly all documents break none, which two questions tell
    reasons = (
        f"line {element.sourceline}: {etree.QName(element).localname} {rule.what}"
        for rule in (_RULES if _found(_ANY_RULE, document) else ())
        for element in _found(rule.path, document)
    )
    names = _wrong_names(document) if _may_have_wrong_names(written) else ()
    return tuple(dict.fromkeys((*reasons, *names)))[:MAX_REASONS]


def _may_have_wrong_names(written: bytes) -> bool:
    """Text may look like an attribute, too; but where this sees nothing wrong nothing is, and it takes a tenth of the time."""
    found = _ID.findall(written)
    known = set(found)
    return len(known) < len(found) or any(
        one[1:] not in known for pointer in set(_POINTER.findall(written)) for one in pointer.split() if one.startswith(b"#")
    )


def _wrong_names(document: Tree) -> Iterator[str]:
    """Identifiers that are none, and pointers that lead nowhere."""
    known: set[str] = set()
    for id in _found("//@xml:id", document):
        if id in known:
            yield f"line {id.getparent().sourceline}: xml:id {id} is already defined"
        known.add(str(id))
    for attribute in _found("//@*[starts-with(., '#')]", document):
        for missing in (one for one in attribute.split() if one.startswith("#") and one[1:] not in known):
            if attribute.attrname in _POINTING:
                yield f"line {attribute.getparent().sourceline}: {attribute.attrname} points to {missing}, which is not there"


def _found(path: str, document: Tree) -> list[Any]:
    found = _path(path)(document)
    assert isinstance(found, list)
    return found
