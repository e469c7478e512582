"""A portal, and articles written by its rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest
from lxml import etree

from webarticlecurator.config.portal import Portal, Publisher
from webarticlecurator.model.article import Article, Block, CaptureRef, Written
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei import Template, load_template, render, validate

PORTAL = Portal(
    name="pelda",
    title="Példa Hírek",
    home="https://pelda.example/",
    language="hu",
    timezone=ZoneInfo("Europe/Budapest"),
    publisher=Publisher(name="Példa Kft.", place="Budapest"),
    hosts=frozenset({"pelda.example"}),
)


ID = "pelda-0123456789abcdef"
_BLOCK_ID = re.compile(r' xml:id="[^"]*\.b\d+"')


class Document:
    """A document that was written, and is valid."""

    def __init__(self, written: Written) -> None:
        self.content = written.document
        self.lost = written.lost_addresses
        self.tree = etree.fromstring(self.content)

    def all(self, path: str) -> list:
        """What an XPath finds; names without a prefix are TEI's `t:`."""
        return self.tree.xpath(path, namespaces={"t": "http://www.tei-c.org/ns/1.0"})

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


def found_of(value: str | Found) -> Found:
    return value if isinstance(value, Found) else Found(value=value, raw=value, source="test")


@pytest.fixture(scope="session")
def default_template() -> Template:
    return load_template("default")


@pytest.fixture
def write(default_template: Template) -> Callable[..., Document]:
    """Write an article of these blocks and facts; `metadata` is field=value or field=[values]."""

    def written(
        *blocks: Block, metadata: dict | None = None, template: Template = default_template, now=date(2024, 5, 2), **facts
    ) -> Document:
        found = {
            name: tuple(found_of(value) for value in ([values] if isinstance(values, str) else values))
            for name, values in (metadata or {}).items()
        }
        given = {"id": ID, "url": "https://pelda.example/1", "identity": "1", "outcome": PageOutcome.ARTICLE}
        article = Article(**{**given, "metadata": found, "blocks": blocks, **facts})
        document = Document(render(article, PORTAL, template=template, rules_digest="sha256:0", now=now))
        assert validate(document.content) == ()
        return document

    return written


@pytest.fixture
def capture() -> CaptureRef:
    return CaptureRef(
        record_id="urn:uuid:1dc5cbb2-9a4c-4a39-93d6-0a9d6d6b9d5e",
        digest="sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        file="pelda-articles-20240501-1.warc.gz",
        offset=100,
        length=200,
        url="https://pelda.example/1",
        date="2024-05-01T08:00:00Z",
    )
