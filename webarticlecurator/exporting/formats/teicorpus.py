"""TEI corpus: the documents of a build under one header, in one file, or included by it from files of their own."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryFile

from webarticlecurator import resources
from webarticlecurator.errors import CorpusError
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats.documents import ExportedDocuments
from webarticlecurator.exporting.manifest import PortalInfo
from webarticlecurator.exporting.options import ExportOptions, Part
from webarticlecurator.exporting.output import Output
from webarticlecurator.tei.document import RELAX_NG, SCHEMA, TEI_VERSION
from webarticlecurator.tei.header import PREFIX, PROGRAM_VERSION
from webarticlecurator.tei.markup import (
    NAMESPACE,
    UNKNOWN_LANGUAGE,
    attribute,
    element,
    escape,
    language,
    language_name,
    moment,
    name,
    readable,
    uri,
    xml_id,
)
from webarticlecurator.version import NAME, VERSION

_SINGLE = SCHEMA.rpartition("/")[2]
"""Where the schema lies beside a corpus of one file."""
_XINCLUDE = "http://www.w3.org/2001/XInclude"
_DOCUMENT = re.compile(rb"<TEI[ >]")
_TEXT = re.compile(rb"<text[ >]")
_MEASURE = re.compile(rb'<measure unit="(words|characters)" quantity="([0-9]+)"/>')
_SCHEMA_URL = re.compile(rb'(<schemaRef key="webarticle" url=")[^"]*(")')


@dataclass(slots=True)
class _Counts:
    """What the documents of a corpus add up to; a few numbers, however many they are."""

    texts: int = 0
    extent: Counter[str] = field(default_factory=Counter)
    """What the documents say of their own: words, characters."""
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

    def add_day(self, portal: str, published: str | None) -> None:
        day = (moment(published) or "")[:10]
        if day:
            first, last = self.dates.get(portal, (day, day))
            self.dates[portal] = (min(first, day), max(last, day))


def write(export: Exporter, output: Output) -> None:
    """The header tells of all documents, so it is written when they are: what follows it waits in a temporary file."""
    documents = ExportedDocuments(export.options.with_, export.portals)
    counts = _Counts()
    left_out: Counter[Part] = Counter()
    with TemporaryFile() as waiting:
        for article in export.articles():
            built, changed = article.built, documents.of(article)
            if changed is None:
                continue
            counts.add(changed.document)
            counts.add_day(article.portal, built.published)
            counts.languages[language(built.language) or UNKNOWN_LANGUAGE] += max(built.characters, 1)
            left_out.update({Part.COMMENTS: changed.comments, Part.POSTS: changed.posts})
            if output.is_folder:
                output.add(built.path, changed.document)
                waiting.write(_included(built.path))
            else:
                waiting.write(_inside(changed.document))
        documents.close()
        parts = ", ".join(f"{part} ({number:,})" for part, number in left_out.items() if number)
        notes = [f"Left out of the documents: {parts}."] if parts else []
        notes += ["Names of those who post are pseudonyms."] if "who" in export.options.pseudonymise else []
        notes += documents.notes
        output.notes += notes
        output.failed = documents.lost
        if not counts.texts:
            raise CorpusError(
                " ".join(["A teiCorpus has at least one document, and none was chosen: nothing is written.", *documents.notes])
            )
        schema = SCHEMA if output.is_folder else _SINGLE
        output.add(schema, resources.schema("tei/webarticle.rng").read_bytes())
        main = output.stream("corpus.xml") if output.is_folder else output.main
        main.write(_opening(export.portals, counts, [*_chosen(export.options), *notes], schema=schema, includes=output.is_folder))
        waiting.seek(0)
        shutil.copyfileobj(waiting, main)
        main.write(_END)


_FILTERS = ("from_", "until", "column", "section", "author", "keyword", "language", "kind", "words", "outcome", "layout", "where")


def _chosen(options: ExportOptions) -> list[str]:
    """The filters in words, each as its option is written."""
    usual = ExportOptions()
    filters = [
        f"{name.removesuffix('_')}: {', '.join(value) if isinstance(value, tuple) else value}"
        for name in _FILTERS
        if (value := getattr(options, name)) != getattr(usual, name)
    ]
    filters += [f"duplicates left out: {options.dedup}"] if options.dedup else []
    if options.sample:
        by = f", by {', '.join(options.by)}" if options.by else ""
        filters.append(f"a sample of {options.sample:,}{by}, with the seed {options.seed}")
    whole = "Whole articles; navigation, advertisements and recommendations are left out by the rules of the portal."
    return [
        whole,
        f"Of the articles that are built, only these were chosen: {'; '.join(filters)}." if filters else "All articles that are built.",
    ]


# --- what stands around the documents ---


def _opening(portals: Sequence[PortalInfo], counts: _Counts, remarks: Sequence[str], *, schema: str, includes: bool) -> bytes:
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


_END = b"</teiCorpus>\n"


def _included(path: str) -> bytes:
    """What stands for a document in a file of its own."""
    return f"<xi:include{attribute('href', path)}/>\n".encode()


def _inside(document: bytes) -> bytes:
    """A document without what only a file of its own begins with."""
    start = _DOCUMENT.search(document)
    return _SCHEMA_URL.sub(rb"\g<1>%b\g<2>" % _SINGLE.encode(), document[start.start() if start else 0 :], count=1)


# --- the header ---


def _header(id: str, portals: Sequence[PortalInfo], counts: _Counts, remarks: Sequence[str]) -> str:
    revision = element("revisionDesc", element("change", f"Put together by {NAME} {VERSION}.", who=f"#{id}.conversion"))
    parts = (_file(id, portals, counts), _encoding(portals, remarks), _profile(counts), revision)
    return element("teiHeader", "\n" + "\n".join(parts) + "\n", xml_lang="en")


def _file(id: str, portals: Sequence[PortalInfo], counts: _Counts) -> str:
    titles = escape(", ".join(portal.title or portal.name for portal in portals))
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


def _licence(portal: PortalInfo) -> str:
    statement = portal.rights or portal.licence or ""
    return element("licence", element("p", f"{escape(portal.title or portal.name)}: {escape(statement)}"), target=uri(portal.licence))


def _source(portal: PortalInfo, counts: _Counts) -> str:
    first, last = counts.dates.get(portal.name, (None, None))
    parts = [
        element("title", escape(portal.title or portal.name), level="j"),
        element("publisher", escape(portal.publisher)) if portal.publisher else "",
        element("idno", escape(portal.home), type="URI"),
        element("date", "", type="published", **{"from": first, "to": last}) if first else "",
    ]
    return element("bibl", "".join(parts), n=portal.name)


def _encoding(portals: Sequence[PortalInfo], remarks: Sequence[str]) -> str:
    homes = ", ".join(f"{portal.title or portal.name} ({portal.home})" for portal in portals)
    editorial = (
        '<correction method="silent"><p>The wording is not corrected.</p></correction>'
        '<normalization method="silent"><p>Unicode NFC; white space that a browser does not show is collapsed.</p></normalization>'
        '<quotation marks="all"><p>Quotation marks stay in the text.</p></quotation>'
        '<hyphenation eol="none"><p>Soft hyphens, and characters without width that no script needs, are left out.</p></hyphenation>'
        "<segmentation><p>Paragraphs, headings and lists are those of the pages.</p></segmentation>"
    )
    program = element("application", element("label", NAME), ident=NAME, version=PROGRAM_VERSION)
    rules = [_rules(portal, digest, number) for portal in portals for number, digest in enumerate(portal.rules, start=1)]
    parts = [
        element("projectDesc", element("p", escape(f"Articles of {homes}, read from WARC archives of the portals."))),
        element("samplingDecl", "".join(element("p", escape(remark)) for remark in remarks)),
        element("editorialDecl", editorial),
        PREFIX,
        element("appInfo", "".join([program, *rules])),
    ]
    return element("encodingDesc", "\n".join(filter(None, parts)))


def _rules(portal: PortalInfo, digest: str, number: int) -> str:
    label = element("label", escape(f"rules for {portal.name}"))
    return element("application", label, ident=f"rules-{name(portal.name, 'portal')}-{number}", version="1", n=digest)


def _profile(counts: _Counts) -> str:
    total = counts.languages.total() or 1
    used = [
        element("language", language_name(tag), ident=tag, usage=str(round(100 * number / total)))
        for tag, number in sorted(counts.languages.items(), key=lambda one: (-one[1], one[0]))
    ] or [element("language", "", ident=UNKNOWN_LANGUAGE)]
    return element("profileDesc", element("langUsage", "".join(used)))
