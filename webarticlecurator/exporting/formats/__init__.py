"""The formats that a corpus can be exported to: a module each, which says itself what it is; imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import did_you_mean
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.output import Output

Write = Callable[[Exporter, Output], None]


@dataclass(slots=True)
class Format:
    """What is to be said of a format, to be written as a decorator of `write`, which goes through all articles and writes them."""

    summary: str
    suffix: str
    """Of its main file, with the dot."""
    rank: int = 5
    """Help tells the lowest first, and of those that have the same one by name."""
    folder: bool = False
    """It is always several files, in a folder of its own."""
    per_article: bool = False
    """It can also be a folder with a file an article."""
    binary: bool = False
    """Nobody can read it on a terminal."""
    library: str | None = None
    """What it needs that only an extra of the package brings, which is called as the format is; imported by `write` alone."""
    analysed: bool = False
    """Its rows show what `analysis` found."""
    options: tuple[str, ...] = ()
    """What only some formats understand and this one does: `names`, `bom`."""
    ignores: tuple[str, ...] = ()
    """Which of `fields`, `headline`, `with` mean nothing to it."""
    write: Write = field(init=False)

    def __call__(self, write: Write) -> Write:
        self.write, _READ[write.__module__] = write, self
        return write


FORMATS = tuple(module.name for module in iter_modules(__path__))
"""Their names."""
_READ: dict[str, Format] = {}
"""Of the modules that were imported."""


def offered() -> dict[str, Format]:
    """All of them, in the order in which help tells them."""
    return dict(sorted(((name, format_of(name)) for name in FORMATS), key=lambda named: named[1].rank))


def format_of(name: str) -> Format:
    """The one with that name. Raises UsageError."""
    if name not in FORMATS:
        names = list(offered())
        raise UsageError(f"{name!r} is no format of an export. {did_you_mean(name, names)}There are: {', '.join(names)}.")
    return _READ[import_module(f"{__name__}.{name}").__name__]


def writer_of(name: str) -> Write:
    """What goes through all articles and writes them. Raises UsageError where the library that it needs is not installed."""
    format = format_of(name)
    if format.library is not None and find_spec(format.library) is None:
        raise UsageError(f'This format needs {format.library}, which is not installed: pip install "webarticlecurator[{name}]"')
    return format.write
