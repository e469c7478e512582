"""`curator`: the table of commands, and what holds for all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from webarticlecurator.cli import console
from webarticlecurator.cli.process import ExitCode, standard_streams
from webarticlecurator.errors import CuratorError
from webarticlecurator.faults import keep_details
from webarticlecurator.version import NAME, VERSION


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """One command: where its function (or its group of commands) is, and one line on what it is for."""

    place: str
    summary: str


COMMANDS: dict[str, CommandEntry] = {
    "new": CommandEntry("webarticlecurator.cli.new:new", "Look at a site, and write a first portal file."),
    "check": CommandEntry("webarticlecurator.cli.check:check", "Find every mistake in a portal file."),
    "try": CommandEntry("webarticlecurator.cli.try_:try_", "See what the rules make of one page."),
    "extract": CommandEntry("webarticlecurator.cli.extract:extract", "Get the text of single pages, without a portal file."),
    "crawl": CommandEntry("webarticlecurator.cli.crawl:crawl", "Walk a portal's archive and store its articles as WARC."),
    "status": CommandEntry("webarticlecurator.cli.status:status", "See what is there, what is missing, and why."),
    "build": CommandEntry("webarticlecurator.cli.build:build", "Make TEI documents of what is stored."),
    "export": CommandEntry("webarticlecurator.cli.export:export", "Write what is built in the format of another program."),
    "stats": CommandEntry("webarticlecurator.cli.report:stats", "Count what the corpus is made of."),
    "tags": CommandEntry("webarticlecurator.cli.tags:app", "See which tags the pages are made of, and decide what they mean."),
    "learn": CommandEntry("webarticlecurator.cli.learn:learn", "Propose rules from the pages that are stored."),
    "label": CommandEntry("webarticlecurator.cli.label:app", "Train a model that tells main text from the rest of a page."),
    "audit": CommandEntry("webarticlecurator.cli.audit:audit", "See what the rules lose, and what they keep wrongly."),
    "watch": CommandEntry("webarticlecurator.cli.watch:watch", "See whether the articles still look as they did."),
    "test": CommandEntry("webarticlecurator.cli.try_:test_", "See whether pages still give what they should."),
    "report": CommandEntry("webarticlecurator.cli.report:report", "Draw the corpus as one page: is it complete, and what is wrong?"),
    "open": CommandEntry("webarticlecurator.cli.report:open_", "See the report, or one article, in the browser."),
    "warc": CommandEntry("webarticlecurator.cli.warc:app", "Look into WARC files, ours or anyone's."),
    "demo": CommandEntry("webarticlecurator.cli.demo:demo", "Crawl a small portal that runs on this machine."),
}
"""In the order in which a newcomer needs them. Modules are imported only when their command is called: help is instant."""


class Commands(TyperGroup):
    """The commands of the table, each loaded when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name in COMMANDS:
            return load(cmd_name)
        self.commands.update({name: TyperCommand(name) for name in COMMANDS})  # their names, so that the error can say which was meant
        return None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


app = typer.Typer(
    cls=Commands,
    name="curator",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        console.data(f"{NAME} {VERSION}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")] = False,
) -> None:
    """
    \b
    Examples:
      curator demo                       a small portal on this machine, crawled in a minute
      curator new https://pelda.example/ look at a site, and write a first portal file
      curator check portal.yaml          is my portal file right?
      curator try portal.yaml URL        what do its rules make of this page?
      curator crawl portal.yaml          get every article; run again to extend or to go on
      curator status portal.yaml         what is there, what is missing, and why
      curator build portal.yaml          TEI of every article stored; run again when the rules change
      curator tags portal.yaml           which tags its pages are made of, and which no rule decides
      curator export portal.yaml --to csv -o articles.csv        a table; `--to list` tells all formats
      curator report portal.yaml         what there is, what is missing: a page for the browser

    Every article a news portal ever published: one portal file in, a complete and provable corpus out.
    Data goes to stdout, messages and progress to stderr. PORTAL is a path, or the name of a portal that came with curator.
    """


def load(name: str) -> Any:
    """The command of that name, or the group of commands."""
    module, attribute = COMMANDS[name].place.split(":")
    made = getattr(import_module(module), attribute)
    group = made if isinstance(made, typer.Typer) else _app_of(name, made)
    command = typer.main.get_command(group)
    command.name, command.short_help = name, COMMANDS[name].summary
    for single in command.commands.values() if isinstance(command, TyperGroup) else [command]:
        single.params.extend(typer.main.get_command(_app_of("common", _for_every_command)).params)
    return command


def _app_of(name: str, function: Any) -> typer.Typer:
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    single.command(name)(function)
    return single


def _set(verbosity: console.Verbosity) -> Any:
    return lambda wanted: console.set_verbosity(verbosity) if wanted else None


def _for_every_command(
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", callback=_set(console.Verbosity.QUIET), expose_value=False, help="Data and errors only.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", callback=_set(console.Verbosity.VERBOSE), expose_value=False, help="Tell more.")
    ] = False,
) -> None:
    """Options that every command has; their callbacks do all the work."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's own) and return its exit code."""
    with standard_streams():
        try:
            app(args=None if arguments is None else list(arguments), prog_name="curator")
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else ExitCode.OK
        except KeyboardInterrupt:
            return ExitCode.INTERRUPTED
        except Exception as error:  # the last place before a traceback: a sentence with what happened and what to do next
            sentence = _what_a_person_can_mend(error)
            console.complain(
                sentence
                or f"This is a bug of curator ({type(error).__name__}), not a mistake of yours. {keep_details(error)}"
                " What was finished before is safe; running the command again goes on from there."
            )
            return ExitCode.USAGE if sentence else ExitCode.BUG
        finally:
            console.set_verbosity(console.Verbosity.NORMAL)
    return ExitCode.OK


def _what_a_person_can_mend(error: Exception) -> str | None:
    if isinstance(error, CuratorError):
        return str(error)
    if isinstance(error, OSError):  # a full disk, a folder without permission
        places = " -> ".join(str(name) for name in (error.filename, error.filename2) if name is not None)
        what = error.strerror or str(error) or type(error).__name__
        return f"The machine says: {what}{f': {places}' if places else ''}. Nothing finished was lost; mend this and run the command again."
    if isinstance(error, UnicodeEncodeError) and os.path.exists(error.object):  # noqa: PTH110  # unlike Path.exists, it takes any text
        return (
            f"The name {error.object!a} holds bytes that are no text in this machine's locale."
            " Rename the file or folder; if the name is UTF-8, `export LC_ALL=C.UTF-8` helps."
        )
    return None
