"""What a person sees when a command cannot go on: a sentence, never a traceback."""

from __future__ import annotations

import os

from webarticlecurator.cli import console
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.errors import CuratorError
from webarticlecurator.faults import keep_details


def report(error: Exception) -> ExitCode:
    """Say what happened and what to do next; the exit code that belongs to it."""
    if isinstance(error, CuratorError):
        console.complain(str(error))
        return ExitCode.USAGE
    if isinstance(error, OSError):
        console.complain(_of_the_machine(error))
        return ExitCode.USAGE
    if isinstance(error, UnicodeEncodeError) and os.path.exists(error.object):  # noqa: PTH110  # unlike Path.exists, it takes any text
        console.complain(_of_a_name(error))
        return ExitCode.USAGE
    return _bug(error)


def _of_a_name(error: UnicodeEncodeError) -> str:
    """A file whose name is no text: the databases of a corpus could not keep it."""
    return (
        f"The name {error.object!a} holds bytes that are no text in this machine's locale."
        " Rename the file or folder; if the name is UTF-8, `export LC_ALL=C.UTF-8` helps."
    )


def _of_the_machine(error: OSError) -> str:
    """A full disk, a folder without permission: nothing to mend in the program."""
    places = " -> ".join(str(name) for name in (error.filename, error.filename2) if name is not None)
    what = error.strerror or str(error) or type(error).__name__
    return f"The machine says: {what}{f': {places}' if places else ''}. Nothing finished was lost; mend this and run the command again."


def _bug(error: Exception) -> ExitCode:
    console.complain(
        f"This is a bug of curator ({type(error).__name__}), not a mistake of yours. {keep_details(error)}"
        " What was finished before is safe; running the command again goes on from there."
    )
    return ExitCode.BUG
