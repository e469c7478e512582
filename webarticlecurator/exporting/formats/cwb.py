"""A file for the Corpus Workbench and CQPweb, with the script that makes a corpus of it."""

from __future__ import annotations

import shlex

from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.passage_tokens import write_articles
from webarticlecurator.exporting.token_lines import (
    ALL_MARKUP,
    MULTIPLE_COLUMN,
    Dialect,
    TokenLines,
    corpus_name,
)
from webarticlecurator.own_patterns import linear

_WORKBENCH = Dialect(
    root="text",
    glue="",
    markup=ALL_MARKUP,  # `cwb-encode -x` reads entities as XML has them, so every token is written with them
    unknown="__UNDEF__",
    sets=True,
    plain_ids=True,
)

_SCRIPT = """\
#!/bin/sh
# Makes a corpus for the Corpus Workbench of the file beside this one:
#     sh {script} [FOLDER OF THE INDEX [FOLDER OF THE REGISTRY]]
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


def write_cwb(export: Exporter, output: Output) -> None:
    """The vertical file and the script; CQPweb takes the metadata of texts from the attributes of `text`."""
    lines = TokenLines(_WORKBENCH, export)
    stem = output.stem
    write_articles(export, output, lines.of)
    output.notes += lines.notes
    attributes = ("id", "original_id", *(name for name in lines.attributes if name != "id"))
    main, corpus = output.path.name if output.path is not None else f"{stem}.vrt", corpus_name(stem)
    packed = main.endswith(".zst")  # which cwb-encode does not read by itself
    encode = [
        # a broken file ends the script; behind the bar nobody would notice
        *([f"zstd -tq -- {shlex.quote(main)} &&", f"zstdcat -- {shlex.quote(main)} |"] if packed else []),
        f'cwb-encode -c utf8 -xsB -d "$data" -R "$registry/{corpus}"'
        + ("" if packed else f" -f {shlex.quote('./' + main)}"),
        *(f"    -P {name}{'/' if name == MULTIPLE_COLUMN else ''}" for name in lines.annotations),
        *(
            f"    -S {'+'.join((f'{name}:0', *inside))}"
            for name, inside in {**lines.structures, "text": attributes}.items()
        ),
    ]
    in_comment = linear(r"[\x00-\x1f\x7f]").sub("?", f"{stem}.cwb.sh")  # so that nothing of it is run
    script = _SCRIPT.format(
        script=in_comment, corpus=corpus, upper=corpus.upper(), encode=" \\\n".join(encode)
    )
    output.add(f"{stem}.cwb.sh", script.encode())


FORMATS = (
    Format(
        "cwb",
        write_cwb,
        "the same for the Corpus Workbench and CQPweb, with the script that makes a corpus of it",
        ".vrt",
        analysed=True,
        options=("layer",),
        ignores=("fields",),
    ),
)
