"""How a command is made: the portals, the corpus and `--json` that most take, options that are declared elsewhere, the tip."""

from __future__ import annotations

import difflib
import inspect
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args

import typer

from webarticlecurator import settings
from webarticlecurator.cli import console
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.cli.tips import tip
from webarticlecurator.errors import CuratorError, Mistake, PortalFileError, UsageError
from webarticlecurator.flags import TypedAs
from webarticlecurator.storage.places import url_of

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.model.progress import Progress

PageKind = Literal["archive", "article"]
STDOUT = Path("-")


# --- what a shell offers while somebody types, beside commands and options ---


def complete_portal(incomplete: str) -> list[str]:
    """Portal files, folders that may hold one, and the portals that came with curator."""
    from webarticlecurator.resources import site_configs

    folder = Path(incomplete) if incomplete.endswith("/") else Path(incomplete).parent
    beside = (f"{path}/" if path.is_dir() else str(path) for path in folder.glob("[!.]*"))
    shipped = (file.parent.name for file in site_configs().glob("*/portal.yaml"))
    named = (*(name for name in beside if name.endswith((".yaml", ".yml", "/"))), *shipped)
    return sorted(name for name in named if name.startswith(incomplete))


# --- how options are written; raises typer.BadParameter ---


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


def output_file(text: str) -> Path:
    """A file that will be written; what is in the way of that is told before hours of work, not after."""
    path, folder = Path(text), Path(text).parent
    if path == STDOUT:
        return path
    if path.is_dir():
        raise typer.BadParameter(f"{path} is a folder; name the file")
    if path.exists() and not path.is_file():  # it would be replaced: for root, /dev/stdout itself
        raise typer.BadParameter(f"{path} is no plain file; name another")
    if not folder.is_dir():
        made_with = f"make it with `mkdir -p {shlex.quote(str(folder))}`"
        raise typer.BadParameter(f"{path} cannot be written: there is no folder {folder}; {made_with}")
    if not os.access(folder, os.W_OK):
        raise typer.BadParameter(f"{path} cannot be written: you may not write into the folder {folder}")
    from webarticlecurator.corpus.folder import lost_by_writing

    if (reason := lost_by_writing(path)) is not None:
        raise typer.BadParameter(reason)
    return path


# --- options that several commands have ---


def option(name: str, help: str, takes: str = "", **more: Any) -> Any:
    """`name` may be several, with blanks between; without `takes` it is a switch."""
    if takes:
        more["metavar"] = takes
    return typer.Option(*name.split(), help=help, **more)


def output_option(help: str) -> Any:
    return option("--output -o", help, "FILE", parser=output_file)


_PORTAL: dict[str, Any] = {"metavar": "PORTAL", "autocompletion": complete_portal, "show_default": False}
_CORPUS = option("--corpus", "The corpus folder.  [default: corpora/PORTAL beside the portal file]", "DIR")
WarcFiles = Annotated[list[Path] | None, option("--warc", "Read this WARC, any program's, not a corpus; may be repeated.", "FILE")]
HtmlFiles = Annotated[list[Path] | None, option("--html", "Read this saved page, not a corpus; may be repeated.", "FILE")]
Sample = Annotated[int | None, option("--sample", "Only N pages, some of every year.", "N", min=1)]
Contact = Annotated[str | None, option("--contact", settings.SETTINGS[0].help, "WHO")]
Jobs = Annotated[int | None, option("--jobs -j", "Processes.  [default: one a processor, at most 4]", "N", min=1, show_default=False)]
Cluster = Annotated[
    str | None,
    option("--cluster", "Have a Dask cluster work: tcp://HOST:8786 is its scheduler, local:N one of N processes.", "ADDRESS"),
]


# --- a call ---


@dataclass(frozen=True)
class Call:
    """What a command was given, and how it tells what came of it."""

    names: tuple[str, ...]
    """Portals as they were typed."""
    corpus: Path | None
    as_json: bool

    @cached_property
    def portals(self) -> tuple[Portal, ...]:
        """All portals, or the mistakes of all their files together."""
        return load_portals(self.names)

    @property
    def portal(self) -> Portal:
        return self.portals[0]

    @property
    def typed(self) -> str:
        """How the (first) portal and its corpus are named in commands that we suggest."""
        return as_typed(self.names[0], self.corpus)

    def check_corpus(self) -> None:
        """Raises UsageError where one folder would be that of several corpora."""
        if self.corpus is not None and len(self.names) > 1:
            raise UsageError("--corpus names the folder of one corpus: name one portal with it.")

    def work(self) -> AbstractContextManager[tuple[Event, Progress]]:
        """For what takes its time, and may be ended before: an event that Ctrl-C sets, and who is shown how far it is."""
        from webarticlecurator.cli.progress import at_work

        return at_work(max(1, len(self.names)))

    def tell(self, value: Any, words: Iterable[str]) -> None:
        """What was found, to stdout: for programs one JSON object, for people in words, line by line."""
        if self.as_json:
            console.data_json(value)
        else:
            console.lines("\n".join(words))

    def next(self, *situation: str | ExitCode, **names: object) -> None:
        """The most useful thing to do now, by the table of tips; `names`: what else stands in them, and `typed` if not this portal."""
        console.say(f"Next: {tip(*situation, **{'typed': self.typed if self.names else '', **names})}")


def load_portals(names: Sequence[str]) -> tuple[Portal, ...]:
    """Raises PortalFileError with the mistakes of all files, UsageError where one is named twice."""
    from webarticlecurator.config.load import load_portal

    portals: list[Portal] = []
    errors: list[PortalFileError] = []
    for name in names:
        try:
            portals.append(load_portal(name))
        except PortalFileError as error:
            errors.append(error)
    if errors:  # several portals may extend one file
        raise PortalFileError(tuple(dict.fromkeys(mistake for error in errors for mistake in error.mistakes)))
    called = [portal.name for portal in portals]
    if len(set(called)) < len(called):
        twin = next(name for name in called if called.count(name) > 1)
        raise UsageError(f"The portal {twin!r} is named twice: name each portal once.")
    return tuple(portals)


def as_typed(portal: str, corpus: Path | None) -> str:
    """How a portal and its corpus are named in the commands that we suggest."""
    return shlex.join([portal, *(["--corpus", url_of(corpus)] if corpus is not None else [])])


def file_flags(flag: str, files: Sequence[Path] | None) -> str:
    """How files are named there, with a blank before them."""
    return "".join(f" {flag} {shlex.quote(url_of(path))}" for path in files or ())


def with_advice(error: CuratorError, typed: str) -> str:
    """What an error says, and the command that helps, where there is one."""
    return str(error) if error.advice is None else f"{str(error).rstrip('.')}. {tip('advice', error.advice, typed=typed)}"


def as_warning(warning: Mistake) -> str:
    """How a warning is told, by whichever command."""
    return f"{warning.file}:{warning.line}:{warning.column}: warning: {warning.message}"


def difference(before: str, after: str, name: str, new_name: str = "") -> str:
    """What changes in a file, with two lines around it."""
    return "\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), name, new_name or name, lineterm="", n=2))


# --- the decorator ---


def command(
    *,
    portals: Literal["one", "several", "any", "none"] = "one",
    corpus: bool = True,
    json: str | None = "Print one JSON object.",
    options: Callable[..., object] | None = None,
) -> Callable[[Callable[..., ExitCode | None]], Callable[..., None]]:
    """Makes a command of a function whose first argument is the Call, and which gives its exit code.

    `portals`: how many it takes; any: perhaps none. `json`: what that option prints; None: there is none. `options`: what takes all
    that is declared by flags there; what it makes of them is the function's second argument.
    """

    def decorate(function: Callable[..., ExitCode | None]) -> Callable[..., None]:
        own = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in [*inspect.signature(function, eval_str=True).parameters.values()][1 if options is None else 2 :]
        ]
        flagged = list(_flagged(options)) if options is not None else []
        around = [_parameter(*given) for given in _around(portals, corpus, json)]
        first = [parameter for parameter in around if parameter.name == "portals"]
        shown = [*first, *flagged, *own, *(parameter for parameter in around if parameter not in first)]

        def run(**given: Any) -> None:
            named = given.pop("portals", None)
            call = Call((named,) if isinstance(named, str) else tuple(named or ()), given.pop("corpus", None), given.pop("as_json", False))
            made = [_made(options, given)] if options is not None else []
            try:
                code = function(call, *made, **given)
            except CuratorError as error:
                error.args, error.advice = (with_advice(error, call.typed if call.names else "PORTAL"),), None
                raise
            if code:
                raise typer.Exit(code)

        run.__doc__, run.__name__ = function.__doc__, function.__name__
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
        run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
        return run

    return decorate


def _parameter(name: str, type_: Any, shown: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[type_, shown], default=default)


def _around(portals: str, corpus: bool, json: str | None) -> Iterator[tuple[Any, ...]]:
    one, several = ("A portal file, or the name", "Portal files, or names")
    if portals == "one":
        yield "portals", str, typer.Argument(help=f"{one} of a portal that came with curator.", **_PORTAL)
    elif portals != "none":
        argument = typer.Argument(help=f"{several} of portals that came with curator.", **_PORTAL)
        yield ("portals", list[str], argument) if portals == "several" else ("portals", list[str] | None, argument, None)
    if corpus:
        yield "corpus", Path | None, _CORPUS, None
    if json is not None:
        yield "as_json", bool, option("--json", json), False


_UNITS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}
_PARSED: dict[type, Callable[[str], Any]] = {date: day, timedelta: duration}


def _flagged(options: Callable[..., object]) -> Iterator[inspect.Parameter]:
    """The options that are declared by flags, as they are there."""
    for parameter in inspect.signature(options, eval_str=True).parameters.values():
        flag = next((one for one in getattr(parameter.annotation, "__metadata__", ()) if isinstance(one, TypedAs)), None)
        if flag is None:
            continue
        kinds = set(_kinds(parameter.annotation))
        kind = next((kind for kind in (bool, date, timedelta, Path, int, float) if kind in kinds), str)
        if kind is bool:
            yield _parameter(parameter.name, bool, option(flag.name, flag.help), False)
        elif flag.repeated:
            shown = option(flag.name, f"{flag.help.rstrip('.')}; may be repeated.", flag.takes)
            yield _parameter(parameter.name, list[str] | None, shown, None)
        else:
            more: dict[str, Any] = {"parser": _PARSED[kind]} if kind in _PARSED else {}
            more |= {"min": flag.least} if flag.least is not None else {}
            type_: Any = kind if parameter.default is not None else kind | None
            yield _parameter(parameter.name, type_, option(flag.name, flag.help, flag.takes, **more), parameter.default)


def _made(options: Callable[..., Any], given: dict[str, Any]) -> Any:
    """Options by what was typed; `given` keeps what is not theirs. A switch turns off what is on unasked."""
    values = {}
    unasked = inspect.signature(options).parameters
    for name in (parameter.name for parameter in _flagged(options)):
        value, default = given.pop(name), unasked[name].default
        is_many = isinstance(value, (list, tuple)) or isinstance(default, tuple)
        values[name] = tuple(value or ()) if is_many else (not value) if default is True else value
    return options(**values)


def flags_of(options: object, *, only: Sequence[str] = ()) -> list[str]:
    """How options are typed that are not as they are unasked; `only`: by the names that they have in Python."""
    words: list[str] = []
    for parameter in inspect.signature(type(options), eval_str=True).parameters.values():
        flag = next((one for one in getattr(parameter.annotation, "__metadata__", ()) if isinstance(one, TypedAs)), None)
        value = getattr(options, parameter.name)
        if flag is None or value == parameter.default or (only and parameter.name not in only):
            continue
        if isinstance(value, timedelta):
            milliseconds = round(value.total_seconds() * 1000)
            value = next(f"{milliseconds // size}{unit}" for unit, size in _UNITS.items() if milliseconds % size == 0)
        for each in value if isinstance(value, tuple) else (value,):
            words += [flag.name] if isinstance(each, bool) else [flag.name, str(each)]
    return words


def _kinds(annotation: Any) -> Iterator[type]:
    """The types that a value may have."""
    for inner in get_args(annotation):
        yield from _kinds(inner)
    if isinstance(annotation, type):
        yield annotation
