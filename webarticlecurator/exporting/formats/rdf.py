"""RDF: the Schema.org data of the documents as N-Triples or Turtle, with where the pages came from.

The data is what the documents carry in `xenoData`, JSON-LD of a shape that we know, so it is turned into statements without a
processor of JSON-LD, one article after the other. What the shape leaves open is said by the context below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import Any, NamedTuple

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.formats.documents import ExportedDocuments
from webarticlecurator.exporting.options import ExportOptions, Part
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.tei.markup import language, moment, name, uri

SCHEMA_ORG = "https://schema.org/"
_PREFIXES = {
    "schema": SCHEMA_ORG,
    "prov": "http://www.w3.org/ns/prov#",
    "dcterms": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}
_JSON_LD = re.compile(rb'<xenoData type="application/ld\+json" subtype="normalised">([^<]*)</xenoData>')
_ADDRESSES = frozenset({"contentUrl", *(name for name, field in FIELDS.items() if field.holds is Holds.URL)})
"""Properties whose values are resources."""
_DATES = frozenset(name for name, field in FIELDS.items() if field.holds is Holds.DATE)
_IN_WORDS = frozenset(
    (
        *("headline", "alternativeHeadline", "description", "abstract", "articleSection", "keywords", "genre", "text"),
        *("dateline", "copyrightNotice", "conditionsOfAccess"),
    )
)
"""Properties whose values are in the language of the article; names are in none."""
_DATE_TYPES = {4: "gYear", 7: "gYearMonth", 10: "date"}
"""By the length of what is written; with a time it is a dateTime."""
_ESCAPES = {
    **{chr(code): f"\\u{code:04X}" for code in (*range(0x20), 0x7F)},
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    '"': '\\"',
    "\\": "\\\\",
}
_DATA_TYPE, _SHORT_TYPE = re.compile(rf"\^\^<{_PREFIXES['xsd']}(\w+)>\Z"), r"^^xsd:\1"
_SPECIAL = str.maketrans(_ESCAPES)
_NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')


class Statement(NamedTuple):
    """Subject, predicate and object as N-Triples writes them; predicates and types by the prefixes."""

    subject: str
    predicate: str
    object: str


def iri(address: str | None) -> str | None:
    """As a term; None where it can be no IRI, whatever is escaped."""
    written = uri(address)
    return f"<{written}>" if written and not _NOT_IN_IRI.search(written) else None


def literal(text: str, *, tag: str | None = None, type_: str | None = None) -> str:
    """A text as a term."""
    written = text.encode("utf-8", "replace").decode().translate(_SPECIAL)
    return f'"{written}"@{tag}' if tag else f'"{written}"^^<{_PREFIXES["xsd"]}{type_}>' if type_ else f'"{written}"'


class Statements:
    """Makes those of one article."""

    def __init__(self, article: str, tag: str | None) -> None:
        self._label = name(article, "article")
        self._tag = tag
        self._nodes = 0
        self.left_out = 0
        """Addresses that are no IRIs."""

    def of_data(self, data: Mapping[str, Any]) -> Iterator[Statement]:
        """The article and all that its data tells, the things in it after it."""
        waiting: list[tuple[str, Mapping[str, Any]]] = [(self._node(data), data)]
        while waiting:
            subject, told = waiting.pop(0)
            for key, values in told.items():
                if key in ("@context", "@id"):
                    continue
                if key == "@type":
                    yield Statement(subject, "rdf:type", f"schema:{name(str(values), 'Thing')}")
                    continue
                for value in values if isinstance(values, list) else [values]:
                    if isinstance(value, dict):
                        inner = self._node(value)
                        waiting.append((inner, value))
                        yield Statement(subject, f"schema:{key}", inner)
                    elif (term := self._term(key, value)) is not None:
                        yield Statement(subject, f"schema:{key}", term)

    def of_captures(self, subject: str, captures: Iterable[Mapping[str, Any]]) -> Iterator[Statement]:
        """Where the article was read from."""
        for capture in captures:
            place = iri(capture["record_id"])
            if place is None:
                self.left_out += 1
                continue
            yield Statement(subject, "schema:archivedAt", place)
            yield Statement(subject, "prov:wasDerivedFrom", place)
            yield Statement(place, "rdf:type", "prov:Entity")
            if when := _date(capture["date"]):
                yield Statement(place, "prov:generatedAtTime", when)
            if page := self._term("url", capture["url"]):
                yield Statement(place, "schema:url", page)
            yield Statement(place, "schema:identifier", literal(capture["digest"] or ""))
            end = capture["offset"] + capture["length"] - 1
            yield Statement(place, "dcterms:source", literal(f"{capture['file']}#bytes={capture['offset']}-{end}"))

    def subject(self, data: Mapping[str, Any]) -> str:
        """The article's own term."""
        return iri(data.get("@id")) or f"_:{self._label}"

    def _node(self, data: Mapping[str, Any]) -> str:
        """What has no address is a blank node that no other document has: it is named after the article."""
        if (found := iri(data.get("@id"))) is not None:
            return found
        self.left_out += "@id" in data
        label = f"_:{self._label}{f'-{self._nodes}' if self._nodes else ''}"
        self._nodes += 1
        return label

    def _term(self, key: str, value: Any) -> str | None:
        if isinstance(value, bool):
            return literal("true" if value else "false", type_="boolean")
        if isinstance(value, int):
            return literal(str(value), type_="integer")
        text = str(value)
        if key in _ADDRESSES:
            found = iri(text)
            self.left_out += found is None
            return found
        if key in _DATES and (date := _date(text)) is not None:
            return date
        return literal(text, tag=self._tag if key in _IN_WORDS else None)


def _date(text: str) -> str | None:
    when = moment(text)
    return None if when is None else literal(when, type_=_DATE_TYPES.get(len(when), "dateTime"))


class Rdf:
    """N-Triples, or Turtle where the name of the file says so."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:  # noqa: ARG002
        self._output = output
        self._file = output.main
        self._documents = ExportedDocuments(frozenset(Part), corpora)
        self._is_turtle = output.path is not None and ".ttl" in output.path.suffixes
        self._left_out = self._without_data = 0
        if self._is_turtle:
            self._file.write("".join(f"@prefix {short}: <{whole}> .\n" for short, whole in _PREFIXES.items()).encode())

    def write(self, article: ExportArticle) -> None:
        found = self._documents.of(article)
        if found is None:
            return
        written = _JSON_LD.search(found.document)
        if written is None:
            self._without_data += 1
            return
        data = orjson.loads(unescape(written[1].decode()))
        tag = data.get("inLanguage")
        statements = Statements(article.id, language(tag) if isinstance(tag, str) else None)
        captures = (*article.built.record["captures"], *article.built.versions)
        all_ = [*statements.of_data(data), *statements.of_captures(statements.subject(data), captures)]
        self._file.write((_turtle(all_) if self._is_turtle else _n_triples(all_)).encode())
        self._left_out += statements.left_out

    def finish(self) -> None:
        self._documents.close()
        lost = (
            f"{amount(self._left_out, 'address', 'addresses')}"
            f" {'is no IRI and' if self._left_out == 1 else 'are no IRIs and are'} left out."
            if self._left_out
            else ""
        )
        template = (
            f"{amount(self._without_data, 'document holds', 'documents hold')} no data in JSON-LD: their template leaves it out."
            if self._without_data
            else ""
        )
        self._output.notes += [*self._documents.notes, *filter(None, [template, lost])]
        self._output.failed = self._documents.lost + self._without_data


def _n_triples(statements: Sequence[Statement]) -> str:
    return "".join(f"{one.subject} {_whole(one.predicate)} {_whole(one.object)} .\n" for one in statements)


def _whole(term: str) -> str:
    """A term without prefixes."""
    if term[0] in '<_"':
        return term
    prefix, _, rest = term.partition(":")
    return f"<{_PREFIXES[prefix]}{rest}>"


def _turtle(statements: Sequence[Statement]) -> str:
    """Statements of one subject together."""
    subjects: dict[str, list[Statement]] = {}
    for one in statements:
        subjects.setdefault(one.subject, []).append(one)
    return "".join(f"\n{subject} {_told(told)} .\n" for subject, told in subjects.items())


def _told(statements: Sequence[Statement]) -> str:
    return " ;\n    ".join(
        f"{'a' if one.predicate == 'rdf:type' else one.predicate} {_DATA_TYPE.sub(_SHORT_TYPE, one.object)}" for one in statements
    )
