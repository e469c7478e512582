"""`curator`: the table of commands, and what holds for all of them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

import click

from webarticlecurator.cli import console
from webarticlecurator.cli.process import ExitCode, standard_streams
from webarticlecurator.model.progress import Stopped
from webarticlecurator.version import NAME, VERSION

_COMPLETE = "_CURATOR_COMPLETE"
"""The variable in which a shell asks what could be typed next."""


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """One command: its module and function (of a group of commands: none), and one line on what it is for."""

    place: str
    summary: str
    below: Mapping[str, CommandEntry] = field(default_factory=dict)
    """Commands that are named by one more word."""
    about: str = ""
    """The text on a group in its help."""


COMMANDS: dict[str, CommandEntry] = {
    "portals": CommandEntry("portals:portals", "List the portals and presets that came with curator."),
    "new": CommandEntry("new:new", "Look at a site, and write a first portal file."),
    "convert": CommandEntry("new:convert", "Make portal files of other programs' configurations."),
    "check": CommandEntry("check:check", "Find every mistake in a portal file."),
    "try": CommandEntry("try_:try_", "See what the rules make of one page."),
    "extract": CommandEntry("extract:extract", "Get the text of single pages, without a portal file."),
    "crawl": CommandEntry("crawl:crawl", "Walk a portal's archive and store its articles as WARC."),
    "status": CommandEntry("status:status", "See what is there, what is missing, and why."),
    "build": CommandEntry("build:build", "Make TEI documents of what is stored."),
    "annotate": CommandEntry("annotate:annotate", "Have a program tell lemmas and parts of speech."),
    "export": CommandEntry("export:export", "Write what is built in the format of another program."),
    "search": CommandEntry("search:search", "Find words or lemmas in the texts, each in its context."),
    "release": CommandEntry(
        "export:release",
        "Hand a corpus to an archive, with a fingerprint.",
        {
            "verify": CommandEntry("export:verify", "See whether a release is what was made."),
            "rebuild": CommandEntry("export:rebuild", "Make the documents again from WARC files."),
        },
    ),
    "stats": CommandEntry("report:stats", "Count what the corpus is made of."),
    "tags": CommandEntry(
        "tags:tags",
        "See which tags the pages are made of, and decide what they mean.",
        {"apply": CommandEntry("tags:apply", "Make rules of the decisions in a table.")},
    ),
    "learn": CommandEntry("learn:learn", "Propose rules from the pages that are stored."),
    "label": CommandEntry(
        "",
        "Train a model that tells main text from the rest of a page.",
        {
            "train": CommandEntry("label:train", "Train a labeller on pages whose main text is known."),
            "apply": CommandEntry("label:apply", "Show the blocks of a page, and which are main text."),
            "eval": CommandEntry("label:evaluate", "Say how good labellers are on pages not seen."),
        },
        "Labellers: small models that tell main text from menus, teasers and the rest of a page. One ships; "
        "others are trained here.",
    ),
    "audit": CommandEntry("audit:audit", "See what the rules lose, and what they keep wrongly."),
    "compare": CommandEntry("compare:compare", "See what other readers make of the same pages."),
    "fix": CommandEntry("fix:fix", "Mend values of single articles by hand."),
    "diff": CommandEntry("diff:diff", "See what changed in an article between its captures."),
    "watch": CommandEntry("audit:watch", "See whether the articles still look as they did."),
    "test": CommandEntry("try_:test_", "See whether pages still give what they should."),
    "coverage": CommandEntry("compare:coverage", "See which of the articles a web archive holds."),
    "report": CommandEntry(
        "report:report", "Draw the corpus as one page: is it complete, and what is wrong?"
    ),
    "open": CommandEntry("report:open_", "See the report, or one article, in the browser."),
    "warc": CommandEntry(
        "",
        "Look into WARC files, ours or anyone's.",
        {
            "index": CommandEntry("warc:index", "Make a lost ledger again from the WARC files."),
            "import": CommandEntry("warc:import_", "Take pages of other programs' files into a corpus."),
            "list": CommandEntry("warc:list_", "List what the files hold."),
            "cat": CommandEntry("warc:cat", "Show stored pages, byte for byte."),
            "sample": CommandEntry("warc:sample", "Copy some of the pages into a new file."),
            "check": CommandEntry("warc:check", "Find what is wrong with the files."),
            "push": CommandEntry("warc:push", "Bring complete files to an object store."),
        },
        "Look into WARC and ARC files, ours or anyone's. Wherever FILES are asked for, a folder or a corpus "
        "stands for all files in it.",
    ),
    "demo": CommandEntry("demo:demo", "Crawl a small portal that runs on this machine."),
}
"""The commands in the order in which a newcomer needs them. Modules are imported only when their command is
called: help is instant."""


class Commands(click.Group):
    """The commands of a table, each loaded when it is needed."""

    def __init__(self, entries: Mapping[str, CommandEntry], name: str, **about: Any) -> None:
        super().__init__(
            name, commands=cast(Any, entries), **about
        )  # by their names, click tells what was meant
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = self.entries.get(cmd_name)
        return load(cmd_name, entry) if entry is not None else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, *rest = args
        entry = self.entries.get(name)
        if entry is not None and rest and rest[0] in entry.below:  # `tags` is a command, `tags apply` another
            return f"{name} {rest[0]}", load(rest[0], entry.below[rest[0]]), rest[1:]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.entries.items()])


def load(name: str, entry: CommandEntry) -> click.Command:
    """The command of an entry, or the group of commands."""
    if not entry.place:
        return Commands(entry.below, name, help=entry.about)
    module, attribute = entry.place.split(":")
    command: click.Command = getattr(import_module(f"{__package__}.{module}"), attribute)
    command.name = name
    return command


_ABOUT = """
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
Data goes to stdout, messages and progress to stderr. PORTAL is a path, or a name of `curator portals`.
In bash, `eval "$(_CURATOR_COMPLETE=bash_source curator)"` lets the Tab key complete commands and names.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's own) and return its exit code."""
    began = time.monotonic()
    wide = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    root = Commands(COMMANDS, "curator", help=_ABOUT, context_settings=wide)
    root = click.version_option(VERSION, message=f"{NAME} {VERSION}", help="Print the version and exit.")(
        root
    )
    with standard_streams():
        try:
            if (asked := os.environ.get(_COMPLETE)) is not None:
                from click.shell_completion import shell_complete

                return shell_complete(root, {}, "curator", _COMPLETE, asked)
            with root.make_context(
                "curator", list(sys.argv[1:] if arguments is None else arguments)
            ) as context:
                return root.invoke(context) or ExitCode.OK
        except click.exceptions.Exit as ended:
            return ended.exit_code
        except click.ClickException as error:
            error.show(sys.stderr)
            return error.exit_code
        except Stopped:
            console.say("Incomplete: interrupted; nothing was written")
            return ExitCode.INCOMPLETE
        except KeyboardInterrupt:
            return ExitCode.INTERRUPTED
        except (
            Exception
        ) as error:  # the last place before a traceback: a sentence with what happened and what to do next
            from webarticlecurator.cli.command import with_advice
            from webarticlecurator.databases import damage_behind
            from webarticlecurator.program_faults import sentence_of, why_not

            is_known = sentence_of(error) is not None
            damage = None if is_known else damage_behind(error, began)
            console.complain(why_not(error) if damage is None else with_advice(damage, "PORTAL"))
            return ExitCode.USAGE if is_known or damage is not None else ExitCode.BUG
        finally:
            console.set_verbosity("normal")
