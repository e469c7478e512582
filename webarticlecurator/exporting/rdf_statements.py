"""The Schema.org data of a document as statements of RDF, with where the pages came from.

The data is what the documents carry in `xenoData`, JSON-LD of a shape that we know. A processor of JSON-LD
would name what has no address by chance, and knows neither which texts are in the article's language nor how
exact a date is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rdflib import DCTERMS, PROV, RDF, XSD, BNode, Graph, Literal, Namespace, URIRef

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.own_patterns import linear
from webarticlecurator.tei.markup import language, moment, name, uri

SCHEMA = Namespace("https://schema.org/")
PREFIXES = {"schema": SCHEMA, "prov": PROV, "dcterms": DCTERMS, "xsd": XSD}
_IN_WORDS = frozenset(
    (
        *(
            "headline", "alternativeHeadline", "description", "abstract", "articleSection", "keywords",
            "genre", "text",
        ),
        *("dateline", "copyrightNotice", "conditionsOfAccess"),
    )
)  # fmt: skip
"""Properties whose values are in the language of the article; names are in none."""
_OTHERS = {"contentUrl": Holds.URL}
"""Properties that are no fields of the metadata, and what they hold."""
_DATE_TYPES = {4: XSD.gYear, 7: XSD.gYearMonth, 10: XSD.date}
"""The type of a date by the length of what is written; with a time it is a dateTime."""
_NOT_IN_IRI = linear(r'[\x00-\x20<>"{}|^`\\]')


class Statements:
    """The statements on one article, and on the captures that it was read from."""

    def __init__(self, article: str, data: Mapping[str, Any], captures: Iterable[Mapping[str, Any]]) -> None:
        self.graph = Graph(bind_namespaces="none")
        for short, whole in PREFIXES.items():
            self.graph.bind(short, whole)
        self.left_out = 0
        """Addresses that are no IRIs."""
        tag = data.get("inLanguage")
        self._tag = language(tag) if isinstance(tag, str) else None
        self._label = name(article, "article")
        self._nodes = 0
        about = self._node(data)
        self._add(about, data)
        for capture in captures:
            place = iri(capture["record_id"])
            if place is None:
                self.left_out += 1
                continue
            end = capture["offset"] + capture["length"] - 1
            statements = {
                RDF.type: PROV.Entity,
                PROV.generatedAtTime: _date(capture["date"]),
                SCHEMA.url: self._term("url", capture["url"]),
                SCHEMA.identifier: Literal(capture["digest"] or ""),
                DCTERMS.source: Literal(f"{capture['file']}#bytes={capture['offset']}-{end}"),
            }
            for predicate in (SCHEMA.archivedAt, PROV.wasDerivedFrom):
                self.graph.add((about, predicate, place))
            for predicate, thing in statements.items():
                if thing is not None:
                    self.graph.add((place, predicate, thing))

    def _add(self, subject: URIRef | BNode, data: Mapping[str, Any]) -> None:
        """Add all that is known of a thing, and of the things in it."""
        for key, values in data.items():
            if key == "@type":
                self.graph.add((subject, RDF.type, SCHEMA[name(str(values), "Thing")]))
            elif key not in ("@context", "@id"):
                for value in values if isinstance(values, list) else [values]:
                    if isinstance(value, dict):
                        inner = self._node(value)
                        self.graph.add((subject, SCHEMA[key], inner))
                        self._add(inner, value)
                    elif (term := self._term(key, value)) is not None:
                        self.graph.add((subject, SCHEMA[key], term))

    def _node(self, data: Mapping[str, Any]) -> URIRef | BNode:
        """Name a thing: what has no address is a blank node that no other document has: it is named after the
        article."""
        if (own := iri(data.get("@id"))) is not None:
            return own
        self.left_out += "@id" in data
        self._nodes += 1
        return BNode(f"{self._label}-{self._nodes - 1}" if self._nodes > 1 else self._label)

    def _term(self, key: str, value: Any) -> URIRef | Literal | None:
        if isinstance(value, (bool, int)):
            return Literal(value)
        text, holds = str(value), FIELDS[key].holds if key in FIELDS else _OTHERS.get(key)
        if holds is Holds.URL:  # the value is a resource
            address = iri(text)
            self.left_out += address is None
            return address
        date = _date(text) if holds is Holds.DATE else None
        return date if date is not None else Literal(text, lang=self._tag if key in _IN_WORDS else None)


def iri(address: str | None) -> URIRef | None:
    """Return an address as an IRI; None where it can be none, whatever is escaped."""
    written = uri(address)
    return URIRef(written) if written and not _NOT_IN_IRI.search(written) else None


def _date(text: str) -> Literal | None:
    when = moment(text)
    return (
        None
        if when is None
        else Literal(when, datatype=_DATE_TYPES.get(len(when), XSD.dateTime), normalize=False)
    )
