"""What several commands take: portals, corpus folders, WARC files, days and durations, and how they are written."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from webarticlecurator import settings
from webarticlecurator.cli.completion import complete_portal
from webarticlecurator.errors import Mistake, PortalFileError, UsageError
from webarticlecurator.storage.places import url_of
from webarticlecurator.version import NAME

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

PageKind = Literal["archive", "article"]
STDOUT = Path("-")
PortalName = Annotated[
    str,
    typer.Argument(metavar="PORTAL", help="A portal file, or the name of a portal that came with curator.", autocompletion=complete_portal),
]
PortalNames = Annotated[
    list[str],
    typer.Argument(metavar="PORTAL", help="Portal files, or names of portals that came with curator.", autocompletion=complete_portal),
]
CorpusFolder = Annotated[
    Path | None,
    typer.Option("--corpus", metavar="DIR", help="The corpus folder.  [default: corpora/PORTAL beside the portal file]"),
]
WarcFiles = Annotated[
    list[Path] | None, typer.Option("--warc", metavar="FILE", help="Read this WARC, any program's, not a corpus; may be repeated.")
]
Sample = Annotated[int | None, typer.Option("--sample", metavar="N", min=1, help="Only N pages, some of every year.")]
Contact = Annotated[str | None, typer.Option("--contact", metavar="WHO", help=settings.SETTINGS[0].help)]


def _jobs(default: str) -> Any:
    return typer.Option("--jobs", "-j", metavar="N", min=1, help=f"Processes.  [default: {default}]", show_default=False)


Jobs = Annotated[int | None, _jobs("one a processor, at most 4")]
FewJobs = Annotated[int | None, _jobs("1")]
"""Where the work is mostly so little that another process costs more than it saves."""

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Have a Dask cluster do the work: tcp://HOST:8786 is its scheduler, local:N is one of N processes here.",
        show_default=False,
    ),
]

_NAMED = 2
"""Portals that are named of very many."""


def day(text: str) -> date:
    """A day such as 2024-05-01."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a day; write it as 2024-05-01") from None


def duration(text: str) -> timedelta:
    """A time such as 90m, 12h or 30d, as portal files write it, but that a number says of what it is."""
    from webarticlecurator.config import scalars

    try:
        if text.strip()[-1:].isalpha():
            return scalars.duration(text.strip())
    except ValueError:
        pass
    raise typer.BadParameter(f"{text!r} is not a length of time; write it as 90m (minutes), 12h, 30d or 2w")


def page_kind(text: str) -> PageKind:
    """By which rules a page is read."""
    if text not in ("archive", "article"):
        raise typer.BadParameter(f"{text!r} is no kind of page; write archive (a page that lists articles) or article")
    return cast(PageKind, text)


def address(text: str) -> str:
    """An address with letters beyond ASCII, as browsers show it, as it is asked for; any other, and what is none, as it was typed."""
    from webarticlecurator.urls import join

    return text if text.isascii() else join(text, text) or text


def kind_option(help: str) -> Any:
    return typer.Option("--as", metavar="KIND", parser=page_kind, help=help)


def output_file(text: str) -> Path:
    """A file that will be written; what is in the way of that is told before hours of work, not after."""
    path, folder = Path(text), Path(text).parent
    if path.is_dir():
        raise typer.BadParameter(f"{path} is a folder; name the file")
    if path != STDOUT and path.exists() and not path.is_file():  # it would be replaced: for root, /dev/stdout itself
        raise typer.BadParameter(f"{path} is no plain file; name another")
    if path != STDOUT and not folder.is_dir():
        made_with = f"make it with `mkdir -p {shlex.quote(str(folder))}`"
        raise typer.BadParameter(f"{path} cannot be written: there is no folder {folder}; {made_with}")
    if path != STDOUT and not os.access(folder, os.W_OK):
        raise typer.BadParameter(f"{path} cannot be written: you may not write into the folder {folder}")
    from webarticlecurator.corpus.folder import lost_by_writing

    if (reason := lost_by_writing(path)) is not None:
        raise typer.BadParameter(reason)
    return path


def load_portals(names: Sequence[str]) -> tuple[Portal, ...]:
    """All portals of a command, or the mistakes of all their files together."""
    from webarticlecurator.config.load import load_portal

    portals: list[Portal] = []
    mistakes: list[Mistake] = []
    for name in names:
        try:
            portals.append(load_portal(name))
        except PortalFileError as error:
            mistakes.extend(error.mistakes)
    if mistakes:
        raise PortalFileError(tuple(dict.fromkeys(mistakes)))  # several portals may extend one file
    names = [portal.name for portal in portals]
    twin = next((name for name in names if names.count(name) > 1), None)
    if twin is not None:
        raise UsageError(f"The portal {twin!r} is named twice: name each portal once.")
    return tuple(portals)


def check_corpus(corpus: Path | None, portals: Sequence[object]) -> None:
    """Raises UsageError where one folder would be that of several corpora."""
    if corpus is not None and len(portals) > 1:
        raise UsageError("--corpus names the folder of one corpus: name one portal with it.")


def program() -> str:
    """How to call `curator` where the person stands: by the path that it was called by, where its name alone finds another or none."""
    called = Path(sys.argv[0])
    if (called.parent.name, called.name) == (NAME, "__main__.py"):
        return shlex.join([sys.executable, "-m", NAME])
    found = shutil.which("curator")
    by_name = called.stem != "curator" or (found is not None and Path(found).resolve() == called.resolve())
    return "curator" if by_name else shlex.quote(str(called))


def as_warning(warning: Mistake) -> str:
    """How a warning is told, by whichever command."""
    return f"{warning.file}:{warning.line}:{warning.column}: warning: {warning.message}"


def as_typed(portal: str, corpus: Path | None) -> str:
    """How the portal and its corpus are named in the commands that we suggest."""
    return shlex.join([portal, *(["--corpus", url_of(corpus)] if corpus is not None else [])])


_BARE_COMMAND = re.compile(r"`curator (?:audit|build|crawl|export|learn|status)(?=`| --)")
"""One that needs a portal and names none."""


def with_portal(told: str, typed: str) -> str:
    """What was said by modules that cannot know how the portal was typed: the commands that it suggests name it (`as_typed`)."""
    return _BARE_COMMAND.sub(lambda command: f"{command[0]} {typed}", told)


def many_as_typed(portals: Sequence[str]) -> str:
    """The same of very many: as a pattern, where these are all portal files of a folder."""
    folders = {Path(portal).parent for portal in portals}
    together = next(iter(folders))
    if len(folders) == 1 and {Path(portal) for portal in portals} == set(together.glob("*.yaml")):
        return f"{shlex.quote(str(together))}/*.yaml"
    return f"{shlex.join(portals[:_NAMED])} ..."


def warc_flags(files: Sequence[Path]) -> str:
    """How WARC files are named there, with a blank before them."""
    return file_flags("--warc", files)


def file_flags(flag: str, files: Sequence[Path]) -> str:
    """The same with another flag."""
    return "".join(f" {flag} {shlex.quote(url_of(path))}" for path in files)
