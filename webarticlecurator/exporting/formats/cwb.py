"""`cwb`: one token a line for the Corpus Workbench and CQPweb, with the script that makes a corpus of it and CQPweb's table of metadata."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from unicodedata import normalize

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.formats.vertical import corpus_name
from webarticlecurator.exporting.making import MakingWriter
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.token_lines import ALL_MARKUP, MISSING, MULTIPLE, ArticleLines, Dialect, LinesTold, TokenLines

# `cwb-encode -x` reads entities as XML has them, so every token is written with them.
WORKBENCH = Dialect(root="text", glue="", markup=ALL_MARKUP, sets=True)

_CLASSES = ("portal", "year", "yearmonth", "type", "language", "section")
"""Attributes by which CQPweb classifies texts: it wants names of letters, digits and `_`, and one a text."""
_FREE = ("original_id", "date", "title", "author", "section", "keywords", "url")
"""Attributes that it shows as they are."""
_LONGEST_FREE = 255
"""Characters of a field in CQPweb's tables."""
_LONGEST_NAME = 50

_SCRIPT = """\
#!/bin/sh
# Makes a corpus for the Corpus Workbench of the file beside this one:
#     sh {script} [FOLDER OF THE INDEX [FOLDER OF THE REGISTRY]]
#
# Columns of {metadata}, for CQPweb ("install metadata from a file"; there is no line of names):
#     text id; as classification: {classes};
#     as free text: {free}
# {categories} says which value a name of a classification stands for: column, name, value.
set -eu
cd -- "$(dirname -- "$0")"
data=${{1:-"$PWD/cwb/data/{corpus}"}}
registry=${{2:-"$PWD/cwb/registry"}}
mkdir -p -- "$data" "$registry"
{encode}
if command -v cwb-make >/dev/null; then
    cwb-make -r "$registry" -V {upper}
else
    cwb-makeall -r "$registry" -V {upper}
fi
"""


class Cwb(MakingWriter[ArticleLines]):
    """Writes the vertical file, the script and the table of metadata."""

    maker: _WorkbenchLines

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        super().__init__(options, corpora)
        self._output = output
        self._main = output.main
        self._told = LinesTold()
        self._attributes = ("id", "original_id", *(name for name in self.maker.attributes if name != "id"))
        self._names = {name: _Names() for name in _CLASSES if name in self._attributes}
        self._metadata = output.file(f"{output.stem}.metadata.tsv")
        self._cut_fields = 0

    @staticmethod
    def maker_of(options: ExportOptions, corpora: Sequence[PortalInfo]) -> _WorkbenchLines:
        return _WorkbenchLines(options, corpora)

    def put(self, article: ExportArticle, made: ArticleLines) -> None:
        self._told.add(article, made)
        if made.lines is not None:
            self._main.write(made.lines)
            self._metadata.write(("\t".join(self._row(made.values)) + "\n").encode())

    def finish(self) -> None:
        self._metadata.close()
        stem = self._output.stem
        with self._output.file(f"{stem}.categories.tsv") as file:
            for column, names in self._names.items():
                file.write("".join(f"{column}\t{name}\t{value}\n" for value, name in names.of.items()).encode())
        with self._output.file(f"{stem}.cwb.sh") as file:
            file.write(self._script(stem).encode())
        self._output.notes += self._told.notes
        if self._cut_fields:
            table = f"{stem}.metadata.tsv"
            self._output.notes.append(
                f"Fields of {table} cut to {_LONGEST_FREE} characters (the texts have them in full): {self._cut_fields}."
            )

    def _row(self, values: Mapping[str, str]) -> Iterator[str]:
        yield values["id"]
        for column, names in self._names.items():
            yield names.name(next(iter(self._single(column, values))))
        for column in _FREE:
            if column in values:
                value = "; ".join(self._single(column, values))
                self._cut_fields += len(value) > _LONGEST_FREE
                yield value if len(value) <= _LONGEST_FREE else value[: _LONGEST_FREE - 1] + "…"

    def _single(self, column: str, values: Mapping[str, str]) -> list[str]:
        """The values of an attribute that may have several."""
        value = values[column]
        return (value.strip(MULTIPLE).split(MULTIPLE) if column in self.maker.multiple else [value]) if value != MULTIPLE else [MISSING]

    def _script(self, stem: str) -> str:
        corpus = corpus_name(stem)
        name = self._output.path.name if self._output.path is not None else f"{stem}.vrt"
        structures = {**self.maker.structures, "text": self._attributes}
        packed = name.endswith(".zst")  # which cwb-encode does not read by itself
        lines = [
            # a broken file ends the script; behind the bar nobody would notice
            *([f"zstd -tq -- {shlex.quote(name)} &&", f"zstdcat -- {shlex.quote(name)} |"] if packed else []),
            f'cwb-encode -c utf8 -xsB -d "$data" -R "$registry/{corpus}"' + ("" if packed else f" -f {shlex.quote('./' + name)}"),
            *(f"    -S {'+'.join((f'{one}:0', *attributes))}" for one, attributes in structures.items()),
        ]
        return _SCRIPT.format(
            script=_comment(f"{stem}.cwb.sh"),
            metadata=_comment(f"{stem}.metadata.tsv"),
            categories=_comment(f"{stem}.categories.tsv"),
            classes=", ".join(self._names),
            free=", ".join(name for name in _FREE if name in self._attributes),
            corpus=corpus,
            upper=corpus.upper(),
            encode=" \\\n".join(lines),
        )


class _WorkbenchLines(TokenLines):
    """Texts have another id there."""

    def __init__(self, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        super().__init__(WORKBENCH, options, corpora)
        names = _Names()
        self._portals = {one.name: names.name(one.name) for one in corpora}

    def values(self, article: ExportArticle) -> dict[str, str]:
        """With an id of letters, digits and `_`, of one that has the portal's name before its digits."""
        told = super().values(article)
        text_id = f"{self._portals[article.portal]}_{article.id.rpartition('-')[2]}"
        return {"id": text_id, "original_id": told.pop("id"), **told}


class _Names:
    """Of letters, digits and `_`: another one for every value."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}
        self._taken: Counter[str] = Counter()

    def name(self, value: str) -> str:
        known = self.of.get(value)
        return known if known is not None else self.of.setdefault(value, self._new(value))

    def _new(self, value: str) -> str:
        letters = normalize("NFKD", value).encode("ascii", "ignore").decode()
        name = first = re.sub("[^A-Za-z0-9]+", "_", letters).strip("_")[:_LONGEST_NAME] or "other"
        while self._taken[name.lower()]:  # capitals make no other name
            self._taken[first.lower()] += 1
            name = f"{first}_{self._taken[first.lower()]}"
        self._taken[name.lower()] = 1
        return name


def _comment(name: str) -> str:
    """In a line of a shell script that is not run."""
    return re.sub(r"[\x00-\x1f\x7f]", "?", name)
