"""`vertical`: one token a line, as Sketch Engine and NoSketch Engine read it, and the registry file that tells them what is in it."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping

from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.token_lines import MULTIPLE, Dialect, TokenLines, written_lines

SKETCH_ENGINE = Dialect(
    root="doc",
    glue="<g/>",
    # A line that begins like a tag would be one. Of the rest only what a reader of entities would take for one: the program shows
    # words as they stand in the file, and nobody searches for `AT&amp;T`.
    markup=re.compile(r"^<|&(?=(?:lt|gt|amp|quot|apos|#[0-9]+|#[xX][0-9A-Fa-f]+);)"),
)

_SUBCORPORA = ("portal", "year", "yearmonth", "section", "author", "keywords", "type", "language", "column", "source")
"""By which people choose parts of a corpus."""
_REFERENCE = ("portal", "date", "author", "title", "url")
"""What is told of where a hit stands."""

_LANGUAGES = {"zh": "Chinese Simplified", "zh-hant": "Chinese Traditional", "zh-tw": "Chinese Traditional"}
"""Names that Sketch Engine's list of languages has otherwise than CLDR."""

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
_GLUE = """\
STRUCTURE g {
    DISPLAYTAG 0
    DISPLAYBEGIN "_EMPTY_"
}
"""


@Format("one word a line and a registry file, for Sketch Engine and NoSketch Engine", ".vert", rank=3, analysed=True, ignores=("fields",))
def write(export: Exporter, output: Output) -> None:
    """The vertical file, and the registry file beside it."""
    words: Counter[str] = Counter()
    for article, _ in written_lines(export, output, TokenLines, SKETCH_ENGINE, export.options):
        words[article.built.language or ""] += article.built.words
    name = output.path.name if output.path is not None else f"{output.stem}.vert"
    corpus = corpus_name(output.stem)
    place = f"/corpora/{corpus}/vertical/{name}"
    unpack = {".gz": "zcat", ".zst": "zstdcat"}.get(name[name.rfind(".") :])
    lines = TokenLines(SKETCH_ENGINE, export.options)
    about = {
        "NAME": ", ".join(portal.file.title for portal in export.portals),
        "PATH": f"/corpora/{corpus}/indexed",
        "VERTICAL": f"| {unpack} {shlex.quote(place)}" if unpack else place,
        "ENCODING": "UTF-8",
        "LANGUAGE": language_name(words),
        "INFOHREF": export.portals[0].file.home,
        "DOCSTRUCTURE": "doc",
        "DEFAULTATTR": "word",
        "SHORTREF": "=doc.portal" if "portal" in lines.attributes else "=doc.id",
        "FULLREF": ",".join(f"doc.{name}" for name in ("id", *_REFERENCE) if name in lines.attributes),
        "SUBCORPATTRS": ",".join(f"doc.{name}" for name in _SUBCORPORA if name in lines.attributes),
    }
    # the quotation marks of a registry file have no way to hold one
    written = {name: " ".join(value.replace('"', "'").replace("\\", "/").split()) for name, value in about.items()}
    registry = [f'{name} "{value}"\n' for name, value in written.items() if value]
    structures = []
    for structure, attributes in lines.structures.items():
        inside = []
        for attribute in attributes:
            options = ' {\n        TYPE "UNIQUE"\n    }' if (structure, attribute) == ("doc", "id") else ""
            if structure == "doc" and attribute in lines.multiple:
                options = f' {{\n        MULTIVALUE yes\n        MULTISEP "{MULTIPLE}"\n    }}'
            inside.append(f"    ATTRIBUTE {attribute}{options}\n")
        structures.append(f"STRUCTURE {structure}" + (f" {{\n{''.join(inside)}}}\n" if inside else "\n"))
    output.add(f"{output.stem}.registry", "".join([*registry, _WORD, *structures, _GLUE]).encode())


def corpus_name(stem: str) -> str:
    """By which a corpus can be called in these programs: small letters, digits and `_`, a letter first."""
    name = re.sub("[^a-z0-9_]", "_", stem.lower())[:100]
    return name if name[:1].isalpha() else f"corpus_{name}"


def language_name(words: Mapping[str, int]) -> str:
    """In English, of the language that most words are in; empty where nobody knows."""
    from babel import Locale  # which reads the names of all languages

    known = sorted(((-number, code) for code, number in words.items() if code))
    if not known:
        return ""
    code = known[0][1].lower()
    return _LANGUAGES.get(code) or _LANGUAGES.get(code.partition("-")[0]) or Locale("en").languages.get(code.partition("-")[0], "")
