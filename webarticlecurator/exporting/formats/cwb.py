"""`cwb`: one token a line for the Corpus Workbench and CQPweb, with the script that makes a corpus of it and CQPweb's table of metadata."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from unicodedata import normalize

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.formats.vertical import corpus_name
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.token_lines import ALL_MARKUP, MISSING, MULTIPLE, Dialect, TokenLines, written_lines

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


@Format(
    "the same for the Corpus Workbench and CQPweb, with the script that makes a corpus of it",
    ".vrt",
    rank=4,
    analysed=True,
    ignores=("fields",),
)
def write(export: Exporter, output: Output) -> None:
    """The vertical file, the script and the table of metadata."""
    handed = (export.options, [portal.name for portal in export.portals])
    lines, stem = _WorkbenchLines(*handed), output.stem
    attributes = ("id", "original_id", *(name for name in lines.attributes if name != "id"))
    classes = {name: _Names() for name in _CLASSES if name in attributes}
    free = [name for name in _FREE if name in attributes]
    cut_fields = 0
    metadata = output.stream(f"{stem}.metadata.tsv")
    for _, written in written_lines(export, output, _WorkbenchLines, *handed):
        values = {}
        for name, value in written.items():
            several = value.strip(MULTIPLE).split(MULTIPLE) if name in lines.multiple else [value]
            values[name] = several if value != MULTIPLE else [MISSING]
        fields = ["; ".join(values[name]) for name in free]
        cut_fields += sum(len(text) > _LONGEST_FREE for text in fields)
        shown = [text if len(text) <= _LONGEST_FREE else text[: _LONGEST_FREE - 1] + "…" for text in fields]
        row = [written["id"], *(names.name(values[name][0]) for name, names in classes.items()), *shown]
        metadata.write(("\t".join(row) + "\n").encode())
    categories = [f"{column}\t{name}\t{value}\n" for column, names in classes.items() for value, name in names.of.items()]
    output.add(f"{stem}.categories.tsv", "".join(categories).encode())
    main, corpus = output.path.name if output.path is not None else f"{stem}.vrt", corpus_name(stem)
    packed = main.endswith(".zst")  # which cwb-encode does not read by itself
    encode = [
        # a broken file ends the script; behind the bar nobody would notice
        *([f"zstd -tq -- {shlex.quote(main)} &&", f"zstdcat -- {shlex.quote(main)} |"] if packed else []),
        f'cwb-encode -c utf8 -xsB -d "$data" -R "$registry/{corpus}"' + ("" if packed else f" -f {shlex.quote('./' + main)}"),
        *(f"    -S {'+'.join((f'{name}:0', *inside))}" for name, inside in {**lines.structures, "text": attributes}.items()),
    ]
    script = _SCRIPT.format(
        script=_comment(f"{stem}.cwb.sh"),
        metadata=_comment(f"{stem}.metadata.tsv"),
        categories=_comment(f"{stem}.categories.tsv"),
        classes=", ".join(classes),
        free=", ".join(free),
        corpus=corpus,
        upper=corpus.upper(),
        encode=" \\\n".join(encode),
    )
    output.add(f"{stem}.cwb.sh", script.encode())
    if cut_fields:
        output.notes.append(f"Fields of {stem}.metadata.tsv cut to {_LONGEST_FREE} characters (the texts have them in full): {cut_fields}.")


class _WorkbenchLines(TokenLines):
    """Texts have another id there."""

    def __init__(self, options: ExportOptions, portals: Sequence[str]) -> None:
        super().__init__(WORKBENCH, options)
        names = _Names()
        self._portals = {portal: names.name(portal) for portal in portals}

    def values(self, article: ExportArticle) -> dict[str, str]:
        """With an id of letters, digits and `_`, of one that has the portal's name before its digits."""
        values = super().values(article)
        text_id = f"{self._portals[article.portal]}_{article.id.rpartition('-')[2]}"
        return {"id": text_id, "original_id": values.pop("id"), **values}


class _Names:
    """Of letters, digits and `_`: another one for every value."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}
        self._taken: Counter[str] = Counter()

    def name(self, value: str) -> str:
        if value not in self.of:
            letters = normalize("NFKD", value).encode("ascii", "ignore").decode()
            name = first = re.sub("[^A-Za-z0-9]+", "_", letters).strip("_")[:_LONGEST_NAME] or "other"
            while self._taken[name.lower()]:  # capitals make no other name
                self._taken[first.lower()] += 1
                name = f"{first}_{self._taken[first.lower()]}"
            self._taken[name.lower()] = 1
            self.of[value] = name
        return self.of[value]


def _comment(name: str) -> str:
    """In a line of a shell script that is not run."""
    return re.sub(r"[\x00-\x1f\x7f]", "?", name)
