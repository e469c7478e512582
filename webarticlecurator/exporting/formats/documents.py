"""The documents of a build: under one TEI header, in its file or in files of their own; and their Schema.org
data as RDF."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from html import unescape
from importlib.resources import files
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import orjson
from jinja2 import Environment, StrictUndefined

from webarticlecurator import resources
from webarticlecurator.amounts import amount, those_that_hold
from webarticlecurator.building.database import BuiltArticle
from webarticlecurator.building.document_store import DocumentStore
from webarticlecurator.errors import CorpusError
from webarticlecurator.exporting.articles import PARTS, ExportArticle, Node
from webarticlecurator.exporting.export_options import OF_TEXT, USUALLY_SHOWN, ExportOptions, Part
from webarticlecurator.exporting.exporter import ExportedPortal, Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.layers import ShownLayer, origin_of
from webarticlecurator.exporting.marked_words import with_annotations
from webarticlecurator.exporting.output import Output
from webarticlecurator.model.article import HOLDS, Article, from_json
from webarticlecurator.own_patterns import linear
from webarticlecurator.tei import markup
from webarticlecurator.tei.body import Titles
from webarticlecurator.tei.document import (
    RELAX_NG,
    SCHEMA,
    TEI_VERSION,
    Template,
    day_of,
    part_digest,
    render,
    validate,
)
from webarticlecurator.tei.header import PREFIX, PROGRAM_VERSION, authority
from webarticlecurator.tei.markup import (
    NAMESPACE,
    UNKNOWN_LANGUAGE,
    attribute,
    element,
    escape,
    language,
    moment,
    name,
    readable,
    uri,
    xml_id,
)
from webarticlecurator.version import NAME, VERSION

WHOLE_ARTICLES = (
    "Whole articles; navigation, advertisements and recommendations are left out by the rules of the portal."
)
_SINGLE = SCHEMA.rpartition("/")[2]
"""The name of the schema's file beside a corpus of one file."""
_DOCUMENT = linear(rb"<TEI[ >]")
_TEXT = linear(rb"<text[ >]")
_MEASURE = linear(rb'<measure unit="(words|characters)" quantity="([0-9]+)"')
_SCHEMA_URL = linear(rb'(<schemaRef key="webarticle" url=")[^"]*(")')


_MAY_LACK = frozenset({Part.COMMENTS, *USUALLY_SHOWN})


def write_teicorpus(export: Exporter, output: Output) -> None:
    """The header tells of all documents, so it is written when they are: what follows it waits in a temporary
    file."""
    documents = ExportedDocuments(export.portals, may_lack=_MAY_LACK, layer=export.layer)
    header, left_out = CorpusHeader(), Counter[Part]()
    with TemporaryFile() as waiting:
        for article in export.articles():
            built, shown = article.built, documents.of(article)
            if shown is None:
                continue
            document, parts_left_out = shown
            header.add(article.portal, built, document)
            left_out.update(parts_left_out)
            if output.is_folder:
                output.add(built.path, document)
                waiting.write(include(built.path))
            else:
                start = _DOCUMENT.search(document)  # what stands before it only a file of its own begins with
                inside = document[start.start() if start else 0 :]
                waiting.write(_SCHEMA_URL.sub(rb"\g<1>%b\g<2>" % _SINGLE.encode(), inside, count=1))
        documents.close()
        parts = ", ".join(f"{part} ({left_out[part]:,})" for part in Part if left_out[part])
        notes = those_that_hold(
            (parts, f"Left out of the documents: {parts}."),
            ("who" in export.options.pseudonymise, "Names of those who post are pseudonyms."),
        )
        notes += documents.notes
        output.notes += notes
        output.failed = documents.lost
        if not header.measures["texts"]:
            raise CorpusError(
                " ".join(
                    [
                        "A teiCorpus has at least one document, and none was chosen: nothing is written.",
                        *documents.notes,
                    ]
                )
            )
        schema = SCHEMA if output.is_folder else _SINGLE
        output.add(schema, resources.schema("tei/webarticle.rng").read_bytes())
        main = output.stream("corpus.xml") if output.is_folder else output.main
        remarks = [*_chosen(export.options), *notes]
        header.write(main, waiting, export.portals, schema=schema, remarks=remarks, includes=output.is_folder)


def _chosen(options: ExportOptions) -> list[str]:
    """The filters in words, each as its option is written."""
    usual = ExportOptions()
    filters = [
        f"{name.removesuffix('_')}: {', '.join(value) if isinstance(value, tuple) else value}"
        for name in (
            "from_",
            "until",
            "outcome",
            "where",
        )
        if (value := getattr(options, name)) != getattr(usual, name)
    ]
    filters += [f"duplicates left out: {options.dedup}"] if options.dedup else []
    if options.sample:
        by = f", by {', '.join(options.by)}" if options.by else ""
        filters.append(f"a sample of {options.sample:,}{by}, with the seed {options.seed}")
    return [
        WHOLE_ARTICLES,
        f"Of the articles that are built, only these were chosen: {'; '.join(filters)}."
        if filters
        else "All articles that are built.",
    ]


class CorpusHeader:
    """Counts each document that it is told of, and writes what stands before all of them."""

    def __init__(self) -> None:
        self.measures = Counter[str](texts=0)
        self.languages: Counter[str] = Counter()
        """The number of characters by the tags of languages."""
        self.days: dict[str, tuple[str, str]] = {}
        """The first day of publication and the last one, by portal."""

    def add(self, portal: str, built: BuiltArticle, document: bytes) -> None:
        self.measures["texts"] += 1
        start = _TEXT.search(document)
        for unit, number in _MEASURE.findall(document, 0, start.start()) if start is not None else ():
            self.measures[unit.decode()] += int(number)
        self.languages[language(built.language) or UNKNOWN_LANGUAGE] += max(built.characters, 1)
        if day := (moment(built.published) or "")[:10]:
            first, last = self.days.get(portal, (day, day))
            self.days[portal] = (min(first, day), max(last, day))

    def write(
        self,
        file: BinaryIO,
        documents: BinaryIO,
        portals: Sequence[ExportedPortal],
        *,
        schema: str,
        remarks: Sequence[str],
        includes: bool,
    ) -> None:
        """Write `corpus_header.xml`, filled in, and what follows it. `includes`: the documents lie in files
        of their own."""
        made = Environment(
            undefined=StrictUndefined, keep_trailing_newline=True
        )  # its filters escape as XML wants it
        made.filters["text"] = escape
        made.globals |= {"attribute": attribute, "name": name, "uri": uri}
        used, characters = (
            sorted(self.languages.items(), key=lambda usage: (-usage[1], usage[0])),
            self.languages.total(),
        )
        titles = ", ".join(portal.file.title for portal in portals)
        creators = dict.fromkeys(name for portal in portals for name in portal.file.creator)
        header = made.from_string(
            (files("webarticlecurator.exporting") / "corpus_header.xml").read_text(encoding="utf-8")
        ).render(
            portals=[portal.told for portal in portals],
            titles=titles,
            authority=authority(creators, titles),
            id=xml_id(f"{'-'.join(portal.name for portal in portals)[:80]}-corpus"),
            languages=[
                {"tag": tag, "name": markup.language_name(tag), "usage": round(100 * number / characters)}
                for tag, number in used
            ],
            measures=self.measures,
            days=self.days,
            schema=schema,
            xinclude="http://www.w3.org/2001/XInclude" if includes else "",
            remarks=remarks,
            namespace=NAMESPACE,
            relax_ng=RELAX_NG,
            tei_version=TEI_VERSION,
            prefix=PREFIX,
            program=NAME,
            program_version=PROGRAM_VERSION,
            version=VERSION,
        )
        file.write(readable(header)[0].replace(b"\r", b"&#13;"))
        documents.seek(0)
        shutil.copyfileobj(documents, file)
        file.write(b"</teiCorpus>\n")


def include(path: str) -> bytes:
    """Return what stands for a document that lies there, below the file of the corpus."""
    return f"<xi:include{attribute('href', path)}/>\n".encode()


class ExportedDocuments:
    """Reads them where the build has put them; what this export may not show as it is there is written again,
    from what the build kept."""

    def __init__(
        self,
        corpora: Sequence[ExportedPortal],
        *,
        may_lack: frozenset[Part] = frozenset(),
        layer: ShownLayer | None = None,
    ) -> None:
        self._layer = layer
        self._portals = {portal.name: portal for portal in corpora}
        self._stores = {portal.name: DocumentStore(portal.corpus.folder) for portal in corpora}
        self._may_lack = may_lack
        """Parts that are left out of documents where the export does not show them."""
        self.missing: list[str] = []
        """The first of the articles whose documents are gone, or are not what the build wrote."""
        self.lost = 0
        """The number of articles whose documents are gone, or are not what the build wrote."""
        self.unannotated = 0
        """The number of articles whose documents would be no valid TEI with what the layer says."""

    def of(self, article: ExportArticle) -> tuple[bytes, Counter[Part]] | None:
        """Return the document, and how many parts of its article it does not show.

        None where it is missing or damaged, which is counted: half a document would spoil all that stands
        beside it.
        """
        document = self._stores[article.portal].read(article.built.path)
        if (
            document is None
            or part_digest(document) != article.built.part
            or (shown := self._shown(article, document)) is None
        ):
            self.lost += 1
            self.missing += [article.id] if len(self.missing) < 3 else []
            return None
        return shown

    def _shown(self, article: ExportArticle, document: bytes) -> tuple[bytes, Counter[Part]] | None:
        may_lack = OF_TEXT if article.options.parts else self._may_lack
        lacking = may_lack - article.parts
        must_be_written = article.pseudonyms or article.annotations is not None
        if not lacking and not must_be_written:
            return document, Counter()
        record, left_out = _without(article.record, lacking)
        if not left_out and not must_be_written:
            return document, left_out
        shown = from_json(_renamed(record, article.pseudonyms), article.built.beside)
        written = self._annotated(article, document, shown)
        if written is None:
            self.unannotated += article.annotations is not None
            written = self._written(article, document, shown, {})
        return None if validate(written) else (written, left_out)

    def _annotated(self, article: ExportArticle, document: bytes, shown: Article) -> bytes | None:
        """Return the document with what the layer says; None where that is not valid, or there is no
        layer."""
        if article.annotations is None or self._layer is None:
            return None
        written = self._written(article, document, *with_annotations(shown, article.annotations))
        written = _with_application(written, self._layer, article.portal)
        return None if validate(written) else written

    def _written(self, article: ExportArticle, document: bytes, shown: Article, titles: Titles) -> bytes:
        portal, rules = self._portals[article.portal], article.built.made_by or article.built.rules
        return render(
            shown,
            portal.file,
            template=Template(portal.template),
            rules_digest=rules,
            now=day_of(document),
            titles=titles,
        )

    @property
    def notes(self) -> list[str]:
        """Return what is to be told in the end."""
        lost = amount(self.lost, "document is", "documents are")
        unannotated = amount(self.unannotated, "document has", "documents have")
        told = (
            (
                self.lost,
                f"{lost} missing or not as the build wrote them ({', '.join(self.missing)}): "
                "building all again makes them anew.",
            ),
            (self.unannotated, f"{unannotated} no annotations: with them the TEI would not be valid."),
        )
        return those_that_hold(*told)

    def close(self) -> None:
        for store in self._stores.values():
            store.close()


def _with_application(document: bytes, layer: ShownLayer, portal: str) -> bytes:
    """Return a document whose header names the layer."""
    about = layer.about(portal)
    if about is None:
        return document
    told = element("label", escape(f"layer {layer.name}")) + element("desc", escape(origin_of(about)))
    application, _ = readable(element("application", told, ident=name(layer.name, "layer"), version="1"))
    return document.replace(b"</appInfo>", application + b"</appInfo>", 1)


def _renamed(record: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a record in which whoever is not to be known is no author either: the line leaves that to those
    who ask for it, since its bylines can be left out."""
    if not names:
        return record

    def renamed(node: Node) -> Node:
        if node["type"] == "author" and (name := names.get(node["text"].strip())) is not None:
            return {**node, "text": name, "children": []}
        return {**node, "children": list(map(renamed, node.get("children", ())))}

    metadata = {
        name: [
            {**value, "value": names[value["value"]], "raw": ""} if value["value"] in names else value
            for value in values
        ]
        for name, values in record.get("metadata", {}).items()
    }
    return {**record, "metadata": metadata, "blocks": list(map(renamed, record.get("blocks", ())))}


def _without(record: Mapping[str, Any], parts: frozenset[Part]) -> tuple[dict[str, Any], Counter[Part]]:
    """Return the line of an article without these parts, and how many of each that were."""
    shown, left_out = dict(record), Counter[Part]()
    if Part.COMMENTS in parts:
        left_out[Part.COMMENTS] = len(shown.pop("comments", ()))
    shown["blocks"] = _blocks_without(shown.get("blocks", ()), parts, left_out)
    return shown, +left_out


def _blocks_without(nodes: Sequence[Node], parts: frozenset[Part], left_out: Counter[Part]) -> list[Node]:
    """Return blocks without these parts, which are counted; a block that has held nothing else goes, too."""
    kept: list[Node] = []
    for block in nodes:
        part = PARTS.get(block["type"])
        inner = [child for child in block["children"] if child["type"] in HOLDS]
        if part is not None and part in parts:
            left_out[part] += 1
        elif not inner:
            kept.append(block)
        elif children := _blocks_without(inner, parts, left_out):
            kept.append({**block, "children": children})
    return kept


# --- RDF ---

_JSON_LD = linear(rb'<xenoData type="application/ld\+json" subtype="normalised">([^<]*)</xenoData>')


def write_rdf(export: Exporter, output: Output) -> None:
    """Write N-Triples, or Turtle where the name of the file says so."""
    from webarticlecurator.exporting.rdf_statements import PREFIXES, Statements

    documents = ExportedDocuments(export.portals)
    is_turtle = output.path is not None and ".ttl" in output.path.suffixes
    left_out = without_data = 0
    if is_turtle:
        output.main.write(
            "".join(f"@prefix {short}: <{whole}> .\n" for short, whole in PREFIXES.items()).encode()
        )
    for article in export.articles():
        shown = documents.of(article)
        if shown is None:
            continue
        written = _JSON_LD.search(shown[0])
        if written is None:
            without_data += 1
            continue
        data = orjson.loads(unescape(written[1].decode()))
        statements = Statements(
            article.id, data, (*article.built.kept_record["captures"], *article.built.versions)
        )
        left_out += statements.left_out
        if is_turtle:  # the prefixes, of which each article needs the same, stand at the beginning alone
            output.main.write(statements.graph.serialize(format="turtle").partition("\n\n")[2].encode())
        else:
            output.main.write(
                "".join(sorted(statements.graph.serialize(format="nt11").splitlines(keepends=True))).encode()
            )
    documents.close()
    output.notes += documents.notes
    held = amount(without_data, "document holds", "documents hold")
    are = amount(left_out, "address is no IRI and is", "addresses are no IRIs and are")
    output.notes += those_that_hold(
        (without_data, f"{held} no data in JSON-LD: their template leaves it out."),
        (left_out, f"{are} left out."),
    )
    output.failed = documents.lost + without_data


FORMATS = (
    Format(
        "teicorpus", write_teicorpus, "the TEI documents under one corpus header; where -o names a folder, "
                                      "each in its file", ".xml",
        per_article=True, options=("layer",), ignores=("fields", "headline"),
    ),
    Format(
        "rdf", write_rdf, "Schema.org data as N-Triples, or as Turtle where the name ends in .ttl", ".nt",
        ignores=("fields", "headline", "parts", "with", "without"),
    ),
)  # fmt: skip
