"""Articles as lines of `export --to jsonl` tell them, and the documents that are written of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree
from seams import article_of_line, document_of, faults_of, portal_of
from tei_validators import tei_all

from webarticlecurator import Article, Portal

ID = "pelda-0123456789abcdef"
CAPTURE: dict[str, Any] = {
    "record_id": "urn:uuid:1dc5cbb2-9a4c-4a39-93d6-0a9d6d6b9d5e",
    "digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
    "file": "pelda-articles-20240501-1.warc.gz",
    "offset": 100,
    "length": 200,
    "url": "https://pelda.example/1",
    "date": "2024-05-01T08:00:00Z",
}
SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "tei"
COMPACT, TEI_ALL = SCHEMAS / "webarticle.rng", tei_all()
_BLOCK_ID = re.compile(r' xml:id="[^"]*\.b\d+"')
Node = dict[str, Any]


def node(type: str, *children: Node | str, **given: Any) -> Node:
    """A block or an inline; a text alone is its text."""
    if all(isinstance(child, str) for child in children):
        return {"type": type, "text": "".join(map(str, children)), "children": [], **given}
    return {"type": type, "text": "", "children": [node("text", child) if isinstance(child, str) else child for child in children], **given}


def p(*children: Node | str, **given: Any) -> Node:
    return node("paragraph", *(children or ("szöveg",)), **given)


def post(kind: str, *blocks: Node, **told: Any) -> Node:
    return {"type": "post", "text": "", "children": list(blocks), "kind": kind, **told}


def value(text: str, **told: str) -> dict[str, str]:
    """A metadata value, as a reader found it."""
    return {"value": text, "raw": text, "source": "test", **told}


def article(
    *blocks: Node, metadata: Mapping[str, Any] | None = None, comments: tuple[Node, ...] = (), captures: int = 0, id: str = ID, **facts: Any
) -> Article:
    """`metadata` is field -> text, value, or list of them."""
    found = {
        name: [value(one) if isinstance(one, str) else one for one in (given if isinstance(given, list) else [given])]
        for name, given in (metadata or {}).items()
    }
    line = {"metadata": found, "blocks": blocks, "comments": comments, "captures": [CAPTURE] * captures, "id": id}
    return article_of_line(line, **facts)


class Document:
    """A document that was written, and is valid."""

    def __init__(self, content: bytes) -> None:
        assert faults_of(content) == ()
        self.content = content
        self.tree = etree.fromstring(content)

    def all(self, path: str) -> list[Any]:
        """What an XPath finds; names without a prefix are TEI's `t:`."""
        return list(self.tree.xpath(path, namespaces={"t": "http://www.tei-c.org/ns/1.0"}))

    def names(self, path: str) -> list[str]:
        """Identifiers and pointers that an XPath finds, without the document's own before them."""
        return [str(name).replace(f"{ID}.", "") for name in self.all(path)]

    def texts(self, path: str) -> list[str]:
        return ["".join(element.itertext()) for element in self.all(path)]

    def written(self, path: str) -> str:
        """The only element that an XPath finds, as written but for the namespace, ids of blocks, the document's id and line breaks."""
        (element,) = self.all(path)
        text = etree.tostring(element, encoding="unicode", with_tail=False)
        return _BLOCK_ID.sub("", text).replace(f"{ID}.", "").replace(' xmlns="http://www.tei-c.org/ns/1.0"', "").replace(">\n", ">")


@cache
def example_of_a_portal() -> Portal:
    return portal_of(title="Példa Hírek", publisher={"name": "Példa Kft.", "place": "Budapest"})


def write(*blocks: Node, template: str | Path = "default", **facts: Any) -> Document:
    """An article of these blocks and facts, written."""
    day = {"day": facts.pop("day")} if "day" in facts else {}
    return Document(document_of(article(*blocks, **facts), example_of_a_portal(), template=template, **day))


def person(name: str) -> str:
    """The identifier of a person in a document, made of the name as it was found."""
    return f"person-{hashlib.sha256(name.encode()).hexdigest()[:12]}"
