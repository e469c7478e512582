"""Many documents as one `teiCorpus`: its header, the documents in it or included by it, and what of a document is changed for that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from webarticlecurator.tei.document import RELAX_NG, TEI_VERSION
from webarticlecurator.tei.header import PREFIX, PROGRAM_VERSION
from webarticlecurator.tei.markup import (
    NAMESPACE,
    UNKNOWN_LANGUAGE,
    attribute,
    element,
    escape,
    language_name,
    moment,
    name,
    readable,
    uri,
    xml_id,
)
from webarticlecurator.version import NAME, VERSION

_XINCLUDE = "http://www.w3.org/2001/XInclude"
_DOCUMENT = re.compile(rb"<TEI[ >]")
_TEXT = re.compile(rb"<text[ >]")
_START_TAG = re.compile(rb"<([A-Za-z]+)[ />]")
_MEASURE = re.compile(rb'<measure unit="(words|characters)" quantity="([0-9]+)"/>')
_SCHEMA_URL = re.compile(rb'(<schemaRef key="webarticle" url=")[^"]*(")')


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPortal:
    """A portal of a corpus."""

    name: str
    title: str
    home: str
    publisher: str | None
    licence: str | None
    rights: str | None
    rules: tuple[str, ...]
    """Digests of the rules that its documents were made by."""


@dataclass(slots=True)
class CorpusCounts:
    """What the documents of a corpus add up to; a few numbers, however many they are."""

    texts: int = 0
    extent: Counter[str] = field(default_factory=Counter)
    """What the documents say of their own: words, characters."""
    tags: Counter[str] = field(default_factory=Counter)
    """TEI elements in the texts, without the headers."""
    languages: Counter[str] = field(default_factory=Counter)
    """Characters of each."""
    dates: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Portal -> the days of its first and its last article."""

    def add(self, document: bytes) -> None:
        """Count one more document."""
        self.texts += 1
        start = _TEXT.search(document)
        if start is not None:
            self.extent.update({unit.decode(): int(number) for unit, number in _MEASURE.findall(document, 0, start.start())})
            self.tags.update(tag.decode() for tag in _START_TAG.findall(document, start.start()))

    def add_day(self, portal: str, published: str | None) -> None:
        day = (moment(published) or "")[:10]
        if day:
            first, last = self.dates.get(portal, (day, day))
            self.dates[portal] = (min(first, day), max(last, day))


def corpus_opening(portals: Sequence[CorpusPortal], counts: CorpusCounts, remarks: Sequence[str], *, schema: str, includes: bool) -> bytes:
    """All that stands before the documents. `remarks`: sentences on which articles these are, and what of them is not there."""
    main = counts.languages.most_common(1)[0][0] if counts.languages else UNKNOWN_LANGUAGE
    id = xml_id(f"{'-'.join(portal.name for portal in portals)[:80]}-corpus")
    include = f' xmlns:xi="{_XINCLUDE}"' if includes else ""
    header = readable(_header(id, portals, counts, remarks))[0]
    opening = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<?xml-model href="{schema}" type="application/xml" schematypens="{RELAX_NG}"?>\n'
        f'<teiCorpus xmlns="{NAMESPACE}"{include} version="{TEI_VERSION}" xml:id="{id}" xml:lang="{main}">\n'
    )
    return opening.encode() + header.replace(b"\r", b"&#13;") + b"\n"


CORPUS_END = b"</teiCorpus>\n"


def included(path: str) -> bytes:
    """What stands for a document in a file of its own."""
    return f"<xi:include{attribute('href', path)}/>\n".encode()


def inside_corpus(document: bytes, schema: str) -> bytes:
    """A document without what only a file of its own begins with."""
    start = _DOCUMENT.search(document)
    return _SCHEMA_URL.sub(rb"\g<1>%b\g<2>" % schema.encode(), document[start.start() if start else 0 :], count=1)


# --- the header ---


def _header(id: str, portals: Sequence[CorpusPortal], counts: CorpusCounts, remarks: Sequence[str]) -> str:
    parts = (_file(id, portals, counts), _encoding(portals, counts, remarks), _profile(counts), _revision(id))
    return element("teiHeader", "\n" + "\n".join(parts) + "\n", xml_lang="en")


def _titles(portals: Sequence[CorpusPortal]) -> str:
    return ", ".join(portal.title or portal.name for portal in portals)


def _file(id: str, portals: Sequence[CorpusPortal], counts: CorpusCounts) -> str:
    titles = escape(_titles(portals))
    made_by = element(
        "respStmt", f'<resp>converted automatically from archived HTML</resp><name type="software">{NAME}</name>', xml_id=f"{id}.conversion"
    )
    measures = {"texts": counts.texts, **counts.extent}
    extent = "".join(f'<measure unit="{unit}" quantity="{number}"/>' for unit, number in measures.items())
    rights = [_licence(portal) for portal in portals if uri(portal.licence) or portal.rights]
    nothing = "<p>The texts belong to their publishers; the source description of each says what is known of its rights.</p>"
    available = element("availability", "".join(rights) or nothing, status="restricted")
    parts = [
        element("titleStmt", f'<title type="main">Articles of {titles}</title>{made_by}'),
        element("extent", extent),
        element("publicationStmt", f"<authority>whoever ran {NAME} on {titles}</authority>{available}"),
        element("sourceDesc", "\n".join(_source(portal, counts) for portal in portals)),
    ]
    return element("fileDesc", "\n".join(parts))


def _licence(portal: CorpusPortal) -> str:
    statement = portal.rights or portal.licence or ""
    return element("licence", element("p", f"{escape(portal.title or portal.name)}: {escape(statement)}"), target=uri(portal.licence))


def _source(portal: CorpusPortal, counts: CorpusCounts) -> str:
    first, last = counts.dates.get(portal.name, (None, None))
    parts = [
        element("title", escape(portal.title or portal.name), level="j"),
        element("publisher", escape(portal.publisher)) if portal.publisher else "",
        element("idno", escape(portal.home), type="URI"),
        element("date", "", type="published", **{"from": first, "to": last}) if first else "",
    ]
    return element("bibl", "".join(parts), n=portal.name)


def _encoding(portals: Sequence[CorpusPortal], counts: CorpusCounts, remarks: Sequence[str]) -> str:
    homes = ", ".join(f"{portal.title or portal.name} ({portal.home})" for portal in portals)
    editorial = (
        '<correction method="silent"><p>The wording is not corrected.</p></correction>'
        '<normalization method="silent"><p>Unicode NFC; white space that a browser does not show is collapsed.</p></normalization>'
        '<quotation marks="all"><p>Quotation marks stay in the text.</p></quotation>'
        '<hyphenation eol="none"><p>Soft hyphens, and characters without width that no script needs, are left out.</p></hyphenation>'
        "<segmentation><p>Paragraphs, headings and lists are those of the pages.</p></segmentation>"
    )
    uses = "".join(f'<tagUsage gi="{tag}" occurs="{number}"/>' for tag, number in sorted(counts.tags.items()))
    rules = [_rules(portal, digest, number) for portal in portals for number, digest in enumerate(portal.rules, start=1)]
    parts = [
        element("projectDesc", element("p", escape(f"Articles of {homes}, read from WARC archives of the portals."))),
        element("samplingDecl", "".join(element("p", escape(remark)) for remark in remarks)),
        element("editorialDecl", editorial),
        element("tagsDecl", f'<namespace name="{NAMESPACE}">{uses}</namespace>') if uses else "",
        PREFIX,
        element("appInfo", "".join([_program(), *rules])),
    ]
    return element("encodingDesc", "\n".join(filter(None, parts)))


def _program() -> str:
    return element("application", element("label", NAME), ident=NAME, version=PROGRAM_VERSION)


def _rules(portal: CorpusPortal, digest: str, number: int) -> str:
    label = element("label", escape(f"rules for {portal.name}"))
    return element("application", label, ident=f"rules-{name(portal.name, 'portal')}-{number}", version="1", n=digest)


def _profile(counts: CorpusCounts) -> str:
    total = counts.languages.total() or 1
    used = [
        element("language", language_name(tag), ident=tag, usage=str(round(100 * number / total)))
        for tag, number in sorted(counts.languages.items(), key=lambda one: (-one[1], one[0]))
    ] or [element("language", "", ident=UNKNOWN_LANGUAGE)]
    return element("profileDesc", element("langUsage", "".join(used)))


def _revision(id: str) -> str:
    return element("revisionDesc", element("change", f"Put together by {NAME} {VERSION}.", who=f"#{id}.conversion"))
