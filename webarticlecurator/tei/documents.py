"""TEI as the document format of a build: rendered, validated, compared, and shown in lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Self

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.article import Article
from webarticlecurator.model.written import Written
from webarticlecurator.tei.check_template import load_template
from webarticlecurator.tei.compare import article_part
from webarticlecurator.tei.header import Program
from webarticlecurator.tei.render import render
from webarticlecurator.tei.template import Template, read_template
from webarticlecurator.tei.validate import validate
from webarticlecurator.text import squeeze
from webarticlecurator.version import NAME, VERSION

_PROGRAM = Program(name=NAME, version=VERSION)
_NOT_SHOWN = frozenset({"xenoData", "extent"})
"""They repeat in another form what other lines show."""


@dataclass(slots=True)
class TeiDocuments:
    """TEI documents by one header template."""

    template: str
    now: date
    """The only time in a document that is not the article's own."""
    digest: str
    _loaded: Template | None = field(default=None, repr=False)

    @classmethod
    def by(cls, template: str, now: date) -> Self:
        """By a template of `tei_templates/`, or a file. Raises UsageError where it is none."""
        loaded = load_template(template)
        return cls(template, now, loaded.digest, loaded)

    def __reduce__(self) -> tuple[type[Self], tuple[str, date, str]]:
        # A template is made of functions, which do not travel to other processes; it is loaded again there.
        return type(self), (self.template, self.now, self.digest)

    def render(self, article: Article, portal: Portal, rules: str) -> Written:
        if self._loaded is None:
            self._loaded = read_template(self.template)
        return render(article, portal, template=self._loaded, program=_PROGRAM, rules_digest=rules, now=self.now)

    def faults(self, document: bytes) -> tuple[str, ...]:
        return validate(document)

    def article_part(self, document: bytes) -> bytes:
        return article_part(document)

    def lines(self, document: bytes) -> list[str]:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, recover=True)
        root = etree.fromstring(article_part(document), parser)
        return list(_lines(root)) if root is not None else []


def _lines(root: Element) -> Iterator[str]:
    """A line for each outermost element that has text of its own, and for dates that are only an attribute."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        name = etree.QName(element).localname
        if name not in _NOT_SHOWN and any((text or "").strip() for text in (element.text, *(child.tail for child in element))):
            yield f"{name}: {squeeze(''.join(str(piece) for piece in element.itertext()))}"
        elif name not in _NOT_SHOWN:
            if element.get("when"):
                yield f"{name}: {element.get('when')}"
            waiting.extend(reversed(list(element.iterchildren(etree.Element))))
