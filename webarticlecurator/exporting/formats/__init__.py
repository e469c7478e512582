"""The formats that a corpus can be exported to, each declared where it is written; the modules are imported when one is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import did_you_mean
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.output import Output

Write = Callable[[Exporter, Output], None]


@dataclass(slots=True)
class Format:
    """What is to be said of a format, to be written as a decorator of what goes through all articles and writes them."""

    name: str
    summary: str
    suffix: str
    """Of its main file, with the dot."""
    folder: bool = False
    """It is always several files, in a folder of its own."""
    per_article: bool = False
    """It can also be a folder with a file an article."""
    binary: bool = False
    """Nobody can read it on a terminal."""
    library: str | None = None
    """What it needs that only an extra of the package brings, which is called as the format is; imported by its writer alone."""
    analysed: bool = False
    """Its rows show what `analysis` found."""
    options: tuple[str, ...] = ()
    """What only some formats understand and this one does: `names`, `bom`."""
    ignores: tuple[str, ...] = ()
    """Which of `fields`, `headline`, `with` mean nothing to it."""
    write: Write = field(init=False)

    def __call__(self, write: Write) -> Write:
        self.write, _DECLARED[self.name] = write, self
        return write


_MODULES = {
    "texts": ("text", "markdown", "txm"),
    "tokens": ("vertical", "cwb", "conllu"),
    "tables": ("jsonl", "csv", "parquet", "sqlite"),
    "documents": ("teicorpus", "rdf"),
    "cdxj": ("cdxj",),
}
FORMATS = {name: module for module, names in _MODULES.items() for name in names}
"""Name -> the module that declares it; in the order in which help tells them."""
_DECLARED: dict[str, Format] = {}
"""Of the modules that were imported."""


def offered() -> dict[str, Format]:
    """All of them by name."""
    return {name: format_of(name) for name in FORMATS}


def format_of(name: str) -> Format:
    """The one with that name. Raises UsageError."""
    if name not in FORMATS:
        raise UsageError(f"{name!r} is no format of an export. {did_you_mean(name, FORMATS)}There are: {', '.join(FORMATS)}.")
    import_module(f"{__name__}.{FORMATS[name]}")
    return _DECLARED[name]


def writer_of(name: str) -> Write:
    """What goes through all articles and writes them. Raises UsageError where the library that it needs is not installed."""
    format = format_of(name)
    if format.library is not None and find_spec(format.library) is None:
        raise UsageError(f'This format needs {format.library}, which is not installed: pip install "webarticlecurator[{name}]"')
    return format.write
