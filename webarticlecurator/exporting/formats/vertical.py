"""`vertical`: one token a line, as Sketch Engine and NoSketch Engine read it, and the registry file that tells them what is in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.making import MakingWriter
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.token_lines import MULTIPLE, ArticleLines, Dialect, LinesTold, TokenLines

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

_UNPACK = {".gz": "zcat", ".zst": "zstdcat"}

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


class Vertical(MakingWriter[ArticleLines]):
    """Writes the vertical file, and the registry file beside it."""

    maker: TokenLines

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        super().__init__(options, corpora)
        self._output = output
        self._main = output.main
        self._corpora = corpora
        self._told = LinesTold()

    @staticmethod
    def maker_of(options: ExportOptions, corpora: Sequence[PortalInfo]) -> TokenLines:
        return TokenLines(SKETCH_ENGINE, options, corpora)

    def put(self, article: ExportArticle, made: ArticleLines) -> None:
        self._told.add(article, made)
        if made.lines is not None:
            self._main.write(made.lines)

    def finish(self) -> None:
        name = self._output.path.name if self._output.path is not None else f"{self._output.stem}.vert"
        with self._output.file(f"{self._output.stem}.registry") as file:
            file.write("".join(self._registry(corpus_name(self._output.stem), name)).encode())
        self._output.notes += self._told.notes

    def _registry(self, corpus: str, vertical: str) -> Iterator[str]:
        place = f"/corpora/{corpus}/vertical/{vertical}"
        unpack = _UNPACK.get(vertical[vertical.rfind(".") :])
        options = {
            "NAME": ", ".join(one.title for one in self._corpora),
            "PATH": f"/corpora/{corpus}/indexed",
            "VERTICAL": f"| {unpack} {shlex.quote(place)}" if unpack else place,
            "ENCODING": "UTF-8",
            "LANGUAGE": language_name(self._told.languages),
            "INFOHREF": self._corpora[0].home,
            "DOCSTRUCTURE": "doc",
            "DEFAULTATTR": "word",
            "SHORTREF": "=doc.portal" if "portal" in self.maker.attributes else "=doc.id",
            "FULLREF": ",".join(f"doc.{name}" for name in ("id", *_REFERENCE) if name in self.maker.attributes),
            "SUBCORPATTRS": ",".join(f"doc.{name}" for name in _SUBCORPORA if name in self.maker.attributes),
        }
        yield from (f"{name} {_quoted(value)}\n" for name, value in options.items() if value)
        yield _WORD
        for name, attributes in self.maker.structures.items():
            yield from self._structure(name, attributes)
        yield _GLUE

    def _structure(self, name: str, attributes: Sequence[str]) -> Iterator[str]:
        if not attributes:
            yield f"STRUCTURE {name}\n"
            return
        yield f"STRUCTURE {name} {{\n"
        for one in attributes:
            options = ""
            if name == "doc" and one == "id":
                options = ' {\n        TYPE "UNIQUE"\n    }'
            elif name == "doc" and one in self.maker.multiple:
                options = f' {{\n        MULTIVALUE yes\n        MULTISEP "{MULTIPLE}"\n    }}'
            yield f"    ATTRIBUTE {one}{options}\n"
        yield "}\n"


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


def _quoted(value: str) -> str:
    """In the quotation marks of a registry file, which have no way to hold one."""
    return '"' + " ".join(value.replace('"', "'").replace("\\", "/").split()) + '"'
