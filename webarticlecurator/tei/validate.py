"""Whether a document is valid: by the compact schema, and by rules of TEI that no grammar can say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from lxml import etree
from lxml.etree import _ElementTree as Tree

from webarticlecurator import resources

MAX_REASONS = 10
_NAMES = {"t": "http://www.tei-c.org/ns/1.0"}


class _Rule(NamedTuple):
    """A rule of TEI's Schematron that a document of ours, or a header template, could break."""

    path: str
    what: str
    sign: bytes = b""
    """Where this is nowhere in a document, nothing in it breaks the rule; most documents have few of the signs."""


_RULES = (
    _Rule("//t:*[@subtype and not(@type)]", "has a subtype but no type", b"subtype"),
    _Rule("//t:relatedItem[@target and *]", "has a target and content; one of them is enough", b"relatedItem"),
    _Rule("//t:relatedItem[not(@target) and not(*)]", "has neither a target nor content", b"relatedItem"),
    _Rule("//t:*[@generatedBy and not(ancestor-or-self::t:post)]", "has generatedBy, which is for posts only", b"generatedBy"),
    _Rule("//t:lg[not(.//t:l or .//t:gap)]", "has no lines", b"lg"),
    _Rule("//t:quotation[not(@marks) and not(t:p)]", "needs marks or a paragraph", b"quotation"),
    _Rule("//t:list[@type='gloss'][not(t:label)]", "is a glossary without labels", b"list"),
    _Rule(
        "//t:p[(ancestor::t:p or ancestor::t:ab) and not(ancestor::t:floatingText or parent::t:item or parent::t:note or parent::t:q"
        " or parent::t:quote or parent::t:sp or parent::t:cell or parent::t:figure)]",
        "is a paragraph in a paragraph",
    ),
    _Rule("//t:div[(ancestor::t:p or ancestor::t:ab) and not(ancestor::t:floatingText)]", "is a division in a paragraph"),
    _Rule("//t:l[ancestor::t:l and not(ancestor::t:note or ancestor::t:floatingText)]", "is a line in a line"),
)
_POINTING = frozenset({"who", "ana", "source", "replyTo", "resp", "corresp", "scheme", "ref", "target", "rendition"})
"""Attributes whose `#...` has to lead somewhere; @n and the like may begin with a hash too."""


def validate(document: bytes | Tree) -> tuple[str, ...]:
    """Why it is not valid; nothing when it is. Never raises: what is not even XML is not valid."""
    rules: Sequence[_Rule] = _RULES
    if isinstance(document, bytes):
        rules = tuple(rule for rule in _RULES if rule.sign in document)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
        try:
            document = etree.fromstring(document, parser).getroottree()
        except etree.XMLSyntaxError as problem:
            return (f"not well-formed: {problem}",)
    schema = _schema()
    if not schema.validate(document):
        reasons = dict.fromkeys(_reason(entry, document) for entry in tuple(schema.error_log)[: 2 * MAX_REASONS])
        return tuple(reasons)[:MAX_REASONS]
    return _broken_rules(document, rules)


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(resources.schema("tei/webarticle.rng")))


@cache
def _path(path: str) -> etree.XPath:
    return etree.XPath(path, namespaces=_NAMES)


def _reason(entry: etree._LogEntry, document: Tree) -> str:
    """libxml2 often leaves out which element it speaks of."""
    found = document.xpath(entry.path) if entry.path else None
    about = f", {etree.QName(found[0]).localname}" if isinstance(found, list) and found and etree.iselement(found[0]) else ""
    return f"line {entry.line}{about}: {entry.message.replace(' ,', ',')}"


def _broken_rules(document: Tree, rules: Iterable[_Rule]) -> tuple[str, ...]:
    reasons = [
        f"line {element.sourceline}: {etree.QName(element).localname} {rule.what}"
        for rule in rules
        for element in _found(rule.path, document)
    ]
    return (*reasons, *_lost_pointers(document))[:MAX_REASONS]


def _lost_pointers(document: Tree) -> Iterator[str]:
    pointers = [attribute for attribute in _found("//@*[starts-with(., '#')]", document) if attribute.attrname in _POINTING]
    if pointers:
        known = set(_found("//@xml:id", document))
        for attribute in pointers:
            for missing in (one for one in attribute.split() if one.startswith("#") and one[1:] not in known):
                yield f"line {attribute.getparent().sourceline}: {attribute.attrname} points to {missing}, which is not there"


def _found(path: str, document: Tree) -> list[Any]:
    found = _path(path)(document)
    assert isinstance(found, list)
    return found
