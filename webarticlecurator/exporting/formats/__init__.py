"""The formats that a corpus can be exported to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import did_you_mean

if TYPE_CHECKING:
    from webarticlecurator.exporting.exporter import Exporter
    from webarticlecurator.exporting.output import Output


OF_SOME_FORMATS = ("names", "bom", "flat", "front_matter", "tokens")
"""Options that only some formats understand."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of exports: how it is written, and what it can hold."""

    name: str
    write: Callable[[Exporter, Output], None]
    """Goes through all articles and writes them."""
    summary: str
    suffix: str
    """The suffix of its main file, with the dot."""
    folder: bool = False
    """True if it is always several files, in a folder of its own."""
    per_article: bool = False
    """True if it can also be a folder with a file an article."""
    only_texts: bool = False
    """True if a folder of this format holds nothing but articles: what lists them lies beside it, since
    programs read all that is in a folder."""
    binary: bool = False
    """True if nobody can read it on a terminal."""
    library: str | None = None
    """The library that it needs and that only an extra of the package brings; imported by its writer
    alone."""
    extra: str = ""
    """The name of that extra, where it is not called as the format is."""
    analysed: bool = False
    """True if its rows show what `analysis` found."""
    options: tuple[str, ...] = ()
    """The options of `OF_SOME_FORMATS` that it understands, and `layer` where it shows annotations."""
    ignores: tuple[str, ...] = ()
    """Names of those of `fields`, `headline`, `with`, `without`, `pseudonymise` that mean nothing to it."""

    def is_folder(self, output: Path | str | None) -> bool:
        """True if it is several files: always, or where their folder is named.

        Raises UsageError where a file is named that cannot be one.
        """
        names_one = names_folder(output)
        if self.folder and output is not None and not names_one:
            raise UsageError(
                f"{self.name} is several files: name a folder by a name that ends in /, such as -o {output}/"
            )
        return self.folder or (self.per_article and names_one)


def names_folder(output: Path | str | None) -> bool:
    """True if that is the name of a folder: it ends in `/`, or is there."""
    return output is not None and (str(output).endswith(("/", "\\")) or Path(output).is_dir())


@cache
def all_formats() -> Mapping[str, Format]:
    """Return the formats by name; each module beside this one lists those that it writes in `FORMATS`."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return dict(sorted((format.name, format) for module in modules for format in module.FORMATS))


def format_of(name: str) -> Format:
    """The one with that name. Raises UsageError, also where the library that it needs is not installed."""
    known = all_formats()
    if name not in known:
        raise UsageError(
            f"{name!r} is no format of an export. {did_you_mean(name, known)}There are: {', '.join(known)}."
        )
    library = known[name].library
    if library is not None and find_spec(library) is None:
        raise UsageError(
            f"This format needs {library}, which is not installed: pip install "
            f'"webarticlecurator[{known[name].extra or name}]"'
        )
    return known[name]
