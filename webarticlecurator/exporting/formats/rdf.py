"""RDF: the Schema.org data of the documents as N-Triples or Turtle."""

from __future__ import annotations

import re
from html import unescape

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.exporting.export_options import Part
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.formats.teicorpus import ExportedDocuments
from webarticlecurator.exporting.output import Output

_JSON_LD = re.compile(rb'<xenoData type="application/ld\+json" subtype="normalised">([^<]*)</xenoData>')


@Format("Schema.org data as N-Triples, or as Turtle where the name ends in .ttl", ".nt", rank=6, ignores=("fields", "headline", "with"))
def write(export: Exporter, output: Output) -> None:
    """N-Triples, or Turtle where the name of the file says so."""
    from webarticlecurator.exporting.statements import PREFIXES, Statements

    documents = ExportedDocuments(frozenset(Part), export.portals)
    is_turtle = output.path is not None and ".ttl" in output.path.suffixes
    left_out = without_data = 0
    if is_turtle:
        output.main.write("".join(f"@prefix {short}: <{whole}> .\n" for short, whole in PREFIXES.items()).encode())
    for article in export.articles():
        shown = documents.of(article)
        if shown is None:
            continue
        written = _JSON_LD.search(shown[0])
        if written is None:
            without_data += 1
            continue
        data = orjson.loads(unescape(written[1].decode()))
        statements = Statements(article.id, data, (*article.built.record["captures"], *article.built.versions))
        left_out += statements.left_out
        if is_turtle:  # the prefixes, of which each article needs the same, stand at the beginning alone
            output.main.write(statements.graph.serialize(format="turtle").partition("\n\n")[2].encode())
        else:
            lines = statements.graph.serialize(format="nt11").splitlines(keepends=True)
            output.main.write("".join(sorted(lines)).encode())
    documents.close()
    output.notes += documents.notes
    if without_data:
        held = amount(without_data, "document holds", "documents hold")
        output.notes.append(f"{held} no data in JSON-LD: their template leaves it out.")
    if left_out:
        are = "is no IRI and is" if left_out == 1 else "are no IRIs and are"
        output.notes.append(f"{amount(left_out, 'address', 'addresses')} {are} left out.")
    output.failed = documents.lost + without_data
