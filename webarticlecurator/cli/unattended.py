"""A run that nobody watches: `--log` keeps what it says, with times; `--notify` runs a command when it did not end well."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections import deque
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from webarticlecurator.cli import console
from webarticlecurator.cli.exit_codes import MEANING
from webarticlecurator.errors import UsageError

_LINES_TOLD = 200
"""The last lines that were said: what the command is told as the summary."""
_LONGEST_VARIABLE = 8_000
"""Characters; systems bound what environment variables may hold. All of it is on stdin."""
_TIME_LIMIT = 60.0


class Unattended:
    """What one run leaves behind, and whom it tells."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._log: TextIO | None = None
        self._told: deque[str] = deque(maxlen=_LINES_TOLD)
        self.command: tuple[str, ...] = ()

    def write_to(self, path: Path) -> None:
        """Append to this file. Raises UsageError where that cannot be."""
        from webarticlecurator.corpus.folder import lost_by_writing

        if (reason := lost_by_writing(path)) is not None:
            raise UsageError(f"--log: {reason}.")
        try:
            self._log = path.open("a", encoding="utf-8", errors="backslashreplace", buffering=1)
        except OSError as error:
            raise UsageError(f"--log {path}: it cannot be written ({error.strerror or error}).") from None
        self._write(f"Began: curator {shlex.join(sys.argv[1:])}")

    def hear(self, text: str, *, progress: bool) -> None:
        """Something was said; `progress`: only how far it is."""
        for line in text.splitlines():
            self._write(line)
            if not progress:
                self._told.append(line)

    def end(self, code: int) -> None:
        """The run is over: say so, and tell whoever wants to know of it."""
        meaning = {int(known): words for known, words in MEANING.items()}.get(code, "")
        self._write(f"Ended with exit code {code}: {meaning}")
        if code and self.command:
            self._notify(code, meaning)
        if self._log is not None:
            with suppress(OSError):
                self._log.close()

    def _write(self, line: str) -> None:
        if self._log is None or not line.strip():
            return
        try:
            self._log.write(f"{datetime.now().astimezone().isoformat(timespec='seconds')} {line.rstrip()}\n")
        except OSError as error:  # a full disk: the run itself may go on
            self._log = None
            console.complain(f"The log cannot be written any more: {error.strerror or error}")

    def _notify(self, code: int, meaning: str) -> None:
        named = self._context.params.get("portal") or ()
        facts = {
            "CURATOR_EXIT_CODE": str(code),
            "CURATOR_EXIT_MEANING": meaning,
            "CURATOR_PORTAL": console.printable(named if isinstance(named, str) else " ".join(named)),
            "CURATOR_SUMMARY": "\n".join(self._told),
        }
        facts = {name: fact.encode(errors="backslashreplace").decode() for name, fact in facts.items()}
        told = f"Exit code: {code} ({meaning})\nPortal: {facts['CURATOR_PORTAL']}\n\n{facts['CURATOR_SUMMARY']}\n"
        environment = {**os.environ, **{name: fact[:_LONGEST_VARIABLE] for name, fact in facts.items()}}
        try:  # no shell: what pages say cannot become a command
            done = subprocess.run(
                self.command, input=told.encode(), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=_TIME_LIMIT
            )
        except (OSError, subprocess.SubprocessError) as error:
            console.complain(f"--notify: {shlex.join(self.command)} could not be run: {error}")
            return
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()[-_LONGEST_VARIABLE:]
            console.complain(f"--notify: {shlex.join(self.command)} ended with exit code {done.returncode}{f': {said}' if said else ''}")


_running: Unattended | None = None


def _of(context: Any) -> Unattended:
    global _running
    if _running is None:
        _running = Unattended(context)
        console.listen(_running)
    return _running


def ended(code: int) -> None:
    """The command line is over."""
    global _running
    if _running is not None:
        try:
            _running.end(code)
        finally:
            _running = None
            console.listen(None)


def _set_log(context: typer.Context, path: Path | None) -> None:
    if path is not None and not context.resilient_parsing:
        _of(context).write_to(path)


def _set_command(context: typer.Context, command: str | None) -> None:
    if command is None or context.resilient_parsing:
        return
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"--notify {command!r}: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise UsageError(f"--notify {command!r}: there is no such command, or it may not be run; a script needs its path and `chmod +x`.")
    _of(context).command = words


def options(
    log: Annotated[  # the callbacks do all the work
        Path | None,
        typer.Option(
            "--log", metavar="FILE", callback=_set_log, is_eager=True, expose_value=False, help="Append what is said to FILE, with times."
        ),
    ] = None,
    notify: Annotated[
        str | None,
        typer.Option(
            "--notify",
            metavar="COMMAND",
            callback=_set_command,
            is_eager=True,
            expose_value=False,
            help="Run COMMAND when the exit code is not 0; its stdin tells why.",
        ),
    ] = None,
) -> None:
    """Options of the commands that run unattended."""
