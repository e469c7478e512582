"""The options of an annotation, and its summary."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from webarticlecurator.annotations.layer import NO_LAYER
from webarticlecurator.annotations.layer_writing import LayerCounts
from webarticlecurator.errors import UsageError
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.written_options import TypedAs, share_named

_NAME = linear_at(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}")
_SETTINGS = linear(
    r"""\A\s*(?:[A-Za-z_][A-Za-z0-9_]*=(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])*(?:\s+|$))*"""
)
"""The values that a shell sets before it runs a program, such as a key that nobody else is to know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateOptions:
    """The options of an annotation; on the command line the flags that stand here."""

    command: Annotated[
        str | None, TypedAs("--with", "The program: it reads CoNLL-U and writes CoNLL-U.", "COMMAND")
    ] = None
    python: Annotated[
        str | None, TypedAs("--python", "Or a function of Python, over articles.", "MODULE:FUNCTION")
    ] = None
    name: Annotated[str | None, TypedAs("--name", "The layer's name.  [default: the program's]", "LAYER")] = (
        None
    )
    model: Annotated[str, TypedAs("--model", "The program's model, to be noted.", "TEXT")] = ""
    plain: Annotated[bool, TypedAs("--plain", "Send text, a sentence a line, in place of CoNLL-U.")] = False
    processes: Annotated[int, TypedAs("--processes", "Processes of the program at a time.", "N", least=1)] = 1
    cluster: Annotated[
        str | None,
        TypedAs("--cluster", "A Dask cluster does the work: tcp://HOST:8786.", "ADDRESS"),
    ] = None
    batch: Annotated[int, TypedAs("--batch", "Articles that one process gets.", "ARTICLES", least=1)] = 1_000
    time_limit: Annotated[
        float, TypedAs("--time-limit", "Longest time without any answer.", "SECONDS", least=0.1)
    ] = 600.0
    share: Annotated[str | None, TypedAs("--share", "Only the K-th of N shares of the articles.", "K/N")] = (
        None
    )
    everything: Annotated[bool, TypedAs("--all", "Annotate every article again.")] = False

    def __post_init__(self) -> None:
        if (self.command is None) == (self.python is None):
            raise UsageError(
                "By what? Name a program by --with COMMAND, or a function by --python MODULE:FUNCTION: "
                "--with or --python, not both."
            )
        if self.command is not None and not self.program:
            raise UsageError(
                f"--with names no program: {self.command!r}. Where it has a quotation mark, it needs another."
            )
        if self.python is not None and (self.plain or ":" not in self.python):
            raise UsageError("--python takes MODULE:FUNCTION, which is given CoNLL-U: without --plain.")
        if self.cluster is not None and self.processes > 1:
            raise UsageError(
                "--processes starts processes here, and --cluster has others do the work: leave one of them "
                "out."
            )
        if self.share is not None:
            share_named(self.share)
        if self.layer == NO_LAYER or _NAME.fullmatch(self.layer) is None:
            raise UsageError(
                f"{self.layer!r} is no name of a layer: --name takes letters, digits, `.`, `_` and `-`, "
                f"and not {NO_LAYER}."
            )

    @property
    def layer(self) -> str:
        """The name of the layer."""
        if self.name is not None:
            return self.name
        program = Path(self.program or "").stem or (self.python or "").partition(":")[0]
        return linear("[^A-Za-z0-9_.-]").sub("-", program).strip("-.")

    @property
    def origin(self) -> str:
        """The command, without what is set before it, or the function, as it is noted; with what it is
        sent, where that is no CoNLL-U."""
        command = _SETTINGS.sub("", self.command) if self.command is not None else self.python or ""
        return f"{command} (sent plain text)" if self.plain else command

    @property
    def program(self) -> str | None:
        """The program, where it is one that may be asked for its version."""
        return _first_word(_SETTINGS.sub("", self.command)) if self.command is not None else None


def _first_word(command: str) -> str:
    try:
        return next(iter(shlex.split(command)), "")
    except ValueError:  # no shell takes it either
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateSummary:
    """How an annotation ended."""

    portal: str
    """Its name."""
    layer: str
    """The layer's name."""
    path: Path
    """The file of the layer, or of the share of it."""
    asked: int
    """Articles that were annotated now."""
    unchanged: int
    """Articles that nothing had to be done for."""
    gone: int
    """Articles that are not built any more, and went from the layer."""
    counts: LayerCounts
    """All that the layer has now."""
    failures: tuple[str, ...] = ()
    """The articles on which the program failed, each with the reason; exit code 1."""
    not_aligned: tuple[str, ...] = ()
    """The first words of the program that are not in the texts, each with its place."""
    incomplete: str | None = None
    """Why not everything was annotated; exit code 4."""
