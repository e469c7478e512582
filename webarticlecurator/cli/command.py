"""Make commands: with the portals, the corpus and `--json` that most take, options that are declared
elsewhere, and the tip."""

from __future__ import annotations

import glob
import inspect
import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, partial
from inspect import Parameter
from itertools import chain
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from webarticlecurator import resources, settings
from webarticlecurator.amounts import text_if
from webarticlecurator.cli import console
from webarticlecurator.cli.process import ExitCode, interruptible
from webarticlecurator.cli.tips import tip
from webarticlecurator.errors import (
    CuratorError,
    Mistake,
    PortalFileError,
    refuse,
    refuse_mistakes,
)
from webarticlecurator.model.progress import Progress, Silent
from webarticlecurator.storage.places import legible, url_of
from webarticlecurator.written_options import TypedAs

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.workers.pool import Workers

T = TypeVar("T")
STDOUT = Path("-")


# --- how options are written; raises click.BadParameter ---


def day(text: str) -> date:
    """A day such as 2024-05-01."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a day; write it as 2024-05-01") from None


def duration(text: str) -> timedelta:
    """A time such as 90m, 12h or 30d, as portal files write it, but that a number says of what it is."""
    from webarticlecurator.config import scalars

    with suppress(ValueError):
        if text.strip()[-1:].isalpha():
            return scalars.duration(text.strip())
    raise click.BadParameter(f"{text!r} is not a length of time; write it as 90m (minutes), 12h, 30d or 2w")


def address(text: str) -> str:
    """An address with letters beyond ASCII, as browsers show it, as it is asked for; any other, and what is
    none, as it was typed."""
    from webarticlecurator.urls import join

    return text if text.isascii() else join(text, text) or text


def output_file(text: str) -> Path:
    """A file that will be written; what is in the way of that is told before hours of work, not after."""
    from webarticlecurator.corpus.folder import lost_by_writing
    from webarticlecurator.storage.drafts import in_the_way, is_stream, target_of

    path = Path(text)
    if path == STDOUT:
        return path
    if problem := in_the_way(path):
        raise click.BadParameter(problem)
    if is_stream(path):
        return path
    problem = _no_folder_for(path, target_of(path).parent) or lost_by_writing(path)
    if problem is not None:
        raise click.BadParameter(problem)
    return path


def _no_folder_for(path: Path, folder: Path) -> str | None:
    """Return why a file cannot be made in a folder."""
    if not folder.is_dir():
        make = f"make it with `mkdir -p {shlex.quote(str(folder))}`"
        return f"{path} cannot be written: there is no folder {folder}; {make}"
    if not os.access(folder, os.W_OK):
        return f"{path} cannot be written: you may not write into the folder {folder}"
    return None


def unprinted_file(text: str) -> Path:
    """Return the path of a file for what nobody reads on a terminal; as `output_file`, but stdout is
    refused."""
    if Path(text) == STDOUT:
        raise click.BadParameter("this is not printed: name its file")
    return output_file(text)


option = TypedAs
"""An option of a command; without what it `takes` it is a switch."""


def argument(takes: str, help: str, **more: Any) -> TypedAs:
    """Return what is typed without a flag."""
    return TypedAs("", help, takes, **more)


output_option = partial(option, "--output -o", takes="FILE", parse=unprinted_file)
"""The option for the place of a page for the browser, or of a labeller."""


class WholeNumber(click.IntRange):
    """A number as it is typed, by the name that people have for it."""

    name = "whole number"


class PortalName(click.Path):
    """A portal as it is typed: a path, or a name that came with curator."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin like that, and the files beside them; without any, all files."""
        names = [name for name in resources.shipped_portals() if incomplete and name.startswith(incomplete)]
        if not names:
            return super().shell_complete(ctx, param, incomplete)
        files = [str(path) for path in sorted(Path().glob(f"{glob.escape(incomplete)}*"))]
        return [CompletionItem(name) for name in dict.fromkeys((*names, *files))]


_PORTAL = argument("PORTAL", "", parse=PortalName())
"""The argument for one portal. `curator --help` tells what it is; a shell completes it."""
_CORPUS = option("--corpus", "The corpus folder.  [default: corpora/PORTAL beside PORTAL]", "DIR")
WarcFiles = Annotated[
    tuple[Path, ...], option("--warc", "Read this WARC, any program's, not a corpus.", "FILE")
]
Again = Annotated[
    bool, option("--again", "Read all of these pages again, not only those that a changed rule can touch.")
]

Contact = Annotated[str | None, option("--contact", settings.SETTINGS[0].help, "WHO")]
StoredArticle = Annotated[str | None, argument("URL", "The article: its address or its id.", parse=address)]
"""An article of the corpus, as it is typed."""
JOBS = option("--jobs -j", "Processes.  [default: one a processor, at most 4]", "N", least=1)
CLUSTER = option("--cluster", "A Dask cluster does the work: tcp://HOST:8786.", "ADDRESS")


@dataclass(frozen=True)
class Call:
    """A call of a command: the portals and options that it was given, and the ways to tell what came of
    it."""

    names: tuple[str, ...]
    """The portals as they were typed."""
    corpus: Path | None = None
    as_json: bool = False
    jobs: int | None = None
    cluster: str | None = None

    @property
    def workers(self) -> Workers:
        """Return the workers that do the work, where the command asks for them. Raises UsageError."""
        from webarticlecurator.workers.pool import Workers

        return Workers.asked_for(self.jobs, self.cluster)

    @cached_property
    def portals(self) -> tuple[Portal, ...]:
        """Return all portals, or the mistakes of all their files together."""
        return load_portals(self.names)

    @property
    def portal(self) -> Portal:
        return self.portals[0]

    def say_files(self) -> None:
        """Tell which file a name stands for, and of another that one may have meant by it."""
        for name, portal in zip(self.names, self.portals, strict=True):
            file, beside = portal.sources[0].path, Path(f"{name}.yaml")
            if file != Path(name):
                origin = text_if(resources.is_shipped(file), ", which came with curator")
                another = f". {beside} is another: type its whole name for that"
                other = text_if(beside.is_file(), another)
                console.say(f"{name} stands for {file}{origin}{other}.")

    @property
    def typed(self) -> str:
        """Return how the (first) portal and its corpus are named in commands that we suggest."""
        return as_typed(self.names[0], self.corpus)

    @contextmanager
    def work(self) -> Iterator[tuple[Event, Progress]]:
        """Give work that takes its time, and may be ended before, an event that Ctrl-C sets, and a progress
        that shows how far it is."""
        with interruptible(quiet=console.is_quiet()) as stop:
            yield stop, Silent() if console.is_quiet() else console.Lines(max(1, len(self.names)))

    def run(self, work: Callable[..., T], *given: Any, **more: Any) -> T:
        """Return what comes of it, for the portal and its corpus: shown how far it is, and ended by Ctrl-C in
        order."""
        with self.work() as (stop, progress):
            return work(self.portal, *given, corpus=self.corpus, **more, progress=progress, stop=stop)

    def tell(self, value: Any, words: Iterable[str]) -> None:
        """Print what was found, to stdout: for programs one JSON object, for people in words, line by
        line."""
        if self.as_json:
            console.data_json(value)
        else:
            self.tell_people(*words)

    def tell_people(self, *words: str) -> None:
        """Print lines to stdout, unless the answer is one for programs."""
        text = "\n".join(words)
        if text and not self.as_json:
            console.data(text)

    def next(self, *situation: str | ExitCode, **names: object) -> None:
        """The most useful thing to do now, by the table of tips; `names`: what else stands in them, and
        `typed` if not this portal."""
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
    mistakes = chain.from_iterable(error.mistakes for error in errors)
    refuse_mistakes(dict.fromkeys(mistakes))  # several portals may extend one file
    for name, times in Counter(portal.name for portal in portals).items():
        refuse((times > 1, f"The portal {name!r} is named twice: name each portal once."))
    return tuple(portals)


def as_typed(portal: str, corpus: Path | None) -> str:
    """Return how a portal and its corpus are named in the commands that we suggest."""
    return shlex.join([portal, *(["--corpus", url_of(corpus)] if corpus is not None else [])])


def with_advice(error: CuratorError, typed: str) -> str:
    """Return what an error says, and the command that helps, where there is one."""
    return (
        str(error)
        if error.advice is None
        else f"{str(error).rstrip('.')}. {tip('advice', error.advice, typed=typed)}"
    )


def as_warning(warning: Mistake) -> str:
    """A mistake that stops nothing, as compilers write them."""
    return f"{warning.file}:{warning.line}:{warning.column}: warning: {warning.message}"


def difference(path: Path, before: bytes, after: bytes, mark: str = " (new)") -> str:
    """Return what changes in a file, with two lines around it; the mark stands behind the name of the new
    one."""
    import difflib

    was, becomes = (content.decode("utf-8-sig").splitlines() for content in (before, after))
    return "\n".join(difflib.unified_diff(was, becomes, str(path), f"{path}{mark}", lineterm="", n=2))


class Declared(NamedTuple):
    """An option or argument as it is declared: beside a parameter of the command, or in the options that it
    takes."""

    name: str
    typed: TypedAs
    kind: type
    """The type that a value is made into."""
    default: Any
    """The value of what was not typed; `inspect.Parameter.empty`: it must be given."""
    repeated: bool = False
    """True if it may be given several times."""

    @property
    def shown(self) -> str:
        """Return the flags, and what stands after them."""
        flags = ", ".join(sorted(self.typed.name.split(), key=len))
        several = text_if(self.repeated, "...")
        return f"{flags} {self.typed.takes}".strip() if flags else f"{self.typed.takes}{several}"

    @property
    def help(self) -> str:
        """Return what it is for, whether it may be repeated, and its default, where that is a number or a
        word."""
        if self.repeated and self.typed.name:
            return f"{self.typed.help.rstrip('.')}; may be repeated."
        has_default = isinstance(self.default, (str, int, float)) and self.default and self.kind is not bool
        return f"{self.typed.help}  [default: {self.default}]" if has_default else self.typed.help

    def parameter(self) -> click.Parameter:
        """Return it as click reads it; what was not typed comes as None."""
        parse = self.typed.parse or {date: day, timedelta: duration, Path: Path}.get(self.kind)
        ranges: dict[type, Any] = {int: WholeNumber, float: click.FloatRange}
        about: dict[str, Any] = {"required": self.default is Parameter.empty}
        if self.kind is not bool:
            about["type"] = parse or (
                ranges[self.kind](self.typed.least, self.typed.most) if self.kind in ranges else click.STRING
            )
        if flags := self.typed.name.split():
            return click.Option(
                [*flags, self.name],
                is_flag=self.kind is bool or None,
                multiple=self.repeated,
                metavar=self.typed.takes,
                **about,
            )
        metavar = self.shown if about["required"] else f"[{self.shown}]"
        return click.Argument([self.name], nargs=-1 if self.repeated else 1, metavar=metavar, **about)

    def value(self, given: Any) -> Any:
        """Return what was typed, or what holds unasked. A switch turns off what is on unasked."""
        if self.kind is bool:
            return given != self.default
        if given is None or given == ():
            return self.default
        return given if not self.repeated or isinstance(self.default, (tuple, frozenset)) else list(given)


def _legible(value: Any) -> Any:
    """A text that was typed, or several, as it can be compared with texts of articles, which hold nothing but
    UTF-8."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_legible, value))
    return legible(value) if isinstance(value, str) else value


_VERBOSITY = tuple(
    Declared(level, option(f"--{level} -{level[0]}", ""), bool, False) for level in ("quiet", "verbose")
)
"""The options that every command has."""


class Command(click.Command):
    """A command whose help tells of every option and argument in a line, below the heading that it is
    declared with."""

    def __init__(
        self, name: str, help: str, run: Callable[..., object], declared: Sequence[Declared]
    ) -> None:
        self.declared = declared
        super().__init__(
            name, help=help, callback=run, params=[each.parameter() for each in (*declared, *_VERBOSITY)]
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        groups: dict[str, list[tuple[str, str]]] = {each.typed.group: [] for each in self.declared}
        for each in self.declared:
            groups[each.typed.group] += [(each.shown, each.help)] if each.help else []
        groups[""] = [
            *groups.pop("", ()),
            ("-q, -v, -h", "--quiet: data and errors only; --verbose: tell more; --help: this."),
        ]
        for heading, rows in groups.items():
            with formatter.section(heading or "Options"):
                formatter.write_dl(rows)


def command(
    *,
    portals: Literal["one", "several", "any", "none"] = "one",
    corpus: bool = True,
    workers: bool = False,
    json: str | None = "Print one JSON object.",
    options: Callable[..., object] | None = None,
) -> Callable[[Callable[..., ExitCode | None]], Command]:
    """Makes a command of a function whose first argument is the Call, and which gives its exit code.

    `portals`: how many it takes; any: perhaps none. `workers`: it may have several processes. `json`: what
    that option prints; None: there is none. `options`: what takes all that is declared by flags there; what
    it makes of them is the function's second argument.
    """
    first, last = _of_every_command(portals, corpus=corpus, workers=workers, json=json)

    def decorate(function: Callable[..., ExitCode | None]) -> Command:
        flagged = declared_by(options) if options is not None else []
        own = declared_by(function)

        def run(**given: Any) -> ExitCode | None:
            values = {each.name: each.value(given[each.name]) for each in shown}
            console.set_verbosity(_verbosity_of(given))
            names = values.get("portals", ())
            call = Call(
                (names,) if isinstance(names, str) else tuple(names),
                **{each.name: values[each.name] for each in last},
            )
            refuse(
                (
                    call.corpus is not None and len(call.names) > 1,
                    "--corpus names the folder of one corpus: name one portal with it.",
                )
            )
            made = (
                [options(**{each.name: _legible(values[each.name]) for each in flagged})]
                if options is not None
                else []
            )
            try:
                return function(call, *made, **{each.name: values[each.name] for each in own})
            except CuratorError as error:
                error.args, error.advice = (
                    (with_advice(error, call.typed if len(call.names) == 1 else "PORTAL"),),
                    None,
                )
                raise

        shown = [*first, *flagged, *own, *last]
        return Command(function.__name__.strip("_"), inspect.cleandoc(function.__doc__ or ""), run, shown)

    return decorate


def _of_every_command(
    portals: str, *, corpus: bool, workers: bool, json: str | None
) -> tuple[list[Declared], list[Declared]]:
    """Return what stands before a command's own options, and behind them."""
    first, last = [], []
    if portals != "none":
        first.append(
            Declared("portals", _PORTAL, str, () if portals == "any" else Parameter.empty, portals != "one")
        )
    if workers:
        last += [Declared("jobs", JOBS, int, None), Declared("cluster", CLUSTER, str, None)]
    if corpus:
        last.append(Declared("corpus", _CORPUS, Path, None))
    if json is not None:
        last.append(Declared("as_json", option("--json", json), bool, False))
    return first, last


def _verbosity_of(given: Mapping[str, Any]) -> console.Verbosity:
    if given["quiet"]:
        return "quiet"
    return "verbose" if given["verbose"] else "normal"


def declared_by(function: Callable[..., object]) -> list[Declared]:
    """The options and arguments among the parameters."""
    declared = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        typed = next(
            (mark for mark in getattr(parameter.annotation, "__metadata__", ()) if isinstance(mark, TypedAs)),
            None,
        )
        if typed is not None:
            kinds = set(_kinds(parameter.annotation))
            kind = next((kind for kind in (bool, date, timedelta, Path, int, float) if kind in kinds), str)
            declared.append(
                Declared(
                    parameter.name,
                    typed,
                    kind,
                    parameter.default,
                    not kinds.isdisjoint((list, tuple, frozenset)),
                )
            )
    return declared


def _kinds(annotation: Any) -> Iterator[type]:
    """The types that a value may have, and what holds several."""
    for inner in get_args(annotation):
        yield from _kinds(inner)
    kind = get_origin(annotation) or annotation
    if isinstance(kind, type):
        yield kind
