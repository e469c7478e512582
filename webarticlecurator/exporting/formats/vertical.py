"""A vertical file with its registry file, for Sketch Engine and NoSketch Engine."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Mapping

from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.passage_tokens import write_articles
from webarticlecurator.exporting.token_lines import MULTIPLE, Dialect, TokenLines, corpus_name
from webarticlecurator.own_patterns import linear
from webarticlecurator.tei.markup import language_name
from webarticlecurator.text import primary

SKETCH_ENGINE = Dialect(
    root="doc",
    glue="<g/>",
    # A line that begins like a tag would be one. Of the rest only what a reader of entities would take for
    # one: the program shows words as they stand in the file, and nobody searches for `AT&amp;T`.
    markup=linear(r"^<|&(?=(?:lt|gt|amp|quot|apos|#[0-9]+|#[xX][0-9A-Fa-f]+);)"),
)

_SUBCORPORA = (
    "portal", "year", "yearmonth", "section", "author", "keywords", "type", "language", "column", "source",
)  # fmt: skip
"""The attributes by which people choose parts of a corpus."""
_REFERENCE = ("portal", "date", "author", "title", "url")
"""The attributes that tell where a hit stands."""

_WORD = """\
ATTRIBUTE word
ATTRIBUTE lc {
    LABEL "word (lowercase)"
    DYNAMIC utf8lowercase
    DYNLIB internal
    ARG1 "C"
    FUNTYPE s
    FROMATTR word
    DYNTYPE index
    TRANSQUERY yes
}
"""
_SEVERAL = f' {{{{\n{{indent}}    MULTIVALUE yes\n{{indent}}    MULTISEP "{MULTIPLE}"\n{{indent}}}}}}'
"""The block of an attribute that may have several values."""
_GLUE = """\
STRUCTURE g {
    DISPLAYTAG 0
    DISPLAYBEGIN "_EMPTY_"
}
"""


def write_vertical(export: Exporter, output: Output) -> None:
    """The vertical file, and the registry file beside it."""
    lines = TokenLines(SKETCH_ENGINE, export)
    words = write_articles(export, output, lines.of)
    output.notes += lines.notes
    name = output.path.name if output.path is not None else f"{output.stem}.vert"
    corpus = corpus_name(output.stem)
    place = f"/corpora/{corpus}/vertical/{name}"
    unpack = {".gz": "zcat", ".zst": "zstdcat"}.get(name[name.rfind(".") :])
    about = {
        "NAME": ", ".join(portal.file.title for portal in export.portals),
        "PATH": f"/corpora/{corpus}/indexed",
        "VERTICAL": f"| {unpack} {shlex.quote(place)}" if unpack else place,
        "ENCODING": "UTF-8",
        "LANGUAGE": _language_of(words),
        "INFOHREF": export.portals[0].file.home,
        "DOCSTRUCTURE": "doc",
        "DEFAULTATTR": "word",
        "SHORTREF": "=doc.portal" if "portal" in lines.attributes else "=doc.id",
        "FULLREF": ",".join(f"doc.{name}" for name in ("id", *_REFERENCE) if name in lines.attributes),
        "SUBCORPATTRS": ",".join(f"doc.{name}" for name in _SUBCORPORA if name in lines.attributes),
    }
    # the quotation marks of a registry file have no way to hold one
    written = {
        name: " ".join(value.replace('"', "'").replace("\\", "/").split()) for name, value in about.items()
    }
    registry = [f'{name} "{value}"\n' for name, value in written.items() if value]
    columns = [
        f"ATTRIBUTE {name}{'' if name == 'head' else _SEVERAL.format(indent='')}\n"
        for name in lines.annotations
    ]
    structures = [
        _structure(name, attributes, lines.multiple) for name, attributes in lines.structures.items()
    ]
    output.add(f"{output.stem}.registry", "".join([*registry, _WORD, *columns, *structures, _GLUE]).encode())


def _structure(name: str, attributes: Iterable[str], multiple: Collection[str]) -> str:
    """Declare a structure of a vertical file with its attributes; `multiple`: those of documents that hold
    several values."""
    inside = []
    for attribute in attributes:
        options = ""
        if name == "doc" and attribute in multiple:
            options = _SEVERAL.format(indent="    ")
        elif name == "doc" and attribute == "id":
            options = ' {\n        TYPE "UNIQUE"\n    }'
        inside.append(f"    ATTRIBUTE {attribute}{options}\n")
    return f"STRUCTURE {name} {{\n{''.join(inside)}}}\n" if inside else f"STRUCTURE {name}\n"


def _language_of(words: Mapping[str, int]) -> str:
    """Return the English name of the language that most words are in; empty where nobody knows."""
    most_first = sorted((-number, code.lower()) for code, number in words.items() if code)
    code = most_first[0][1] if most_first else ""
    # Sketch Engine's list of languages has other names for Chinese than CLDR
    chinese = {"zh": "Chinese Simplified", "zh-hant": "Chinese Traditional", "zh-tw": "Chinese Traditional"}
    return chinese.get(code) or chinese.get(primary(code)) or language_name(code)


FORMATS = (
    Format(
        "vertical",
        write_vertical,
        "one word a line and a registry file, for Sketch Engine and NoSketch Engine",
        ".vert",
        analysed=True,
        options=("layer",),
        ignores=("fields",),
    ),
)
