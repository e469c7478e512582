"""A fault of the program: what is said of it where it ends one page, and the file with its details for the
project."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback

from webarticlecurator.errors import CuratorError, StoreUnreachable
from webarticlecurator.version import NAME, VERSION

LONGEST_REASON = 500


def reason_of(error: Exception) -> str:
    """Return why a page has no better outcome. Faults that are no page's are raised again: they would befall
    all that follow."""
    if isinstance(error, StoreUnreachable):
        raise error
    return f"curator failed on it, which is a bug of curator: {type(error).__name__}: {error}"[
        :LONGEST_REASON
    ]


def sentence_of(error: Exception) -> str | None:
    """Return what a person can mend, in a sentence; None: it is a bug."""
    if isinstance(error, CuratorError):
        return str(error)
    if isinstance(error, OSError):
        return f"{_of_machine(error)} Nothing finished was lost; mend this and run the command again."
    return None


def _of_machine(error: OSError) -> str:
    """Return what the machine says, such as of a full disk, or of a folder without permission."""
    places = " -> ".join(str(name) for name in (error.filename, error.filename2) if name is not None)
    what = error.strerror or str(error) or type(error).__name__
    return f"The machine says: {what}{f': {places}' if places else ''}."


def why_not(error: Exception) -> str:
    """Return why one of several things that were asked for could not be done; the others go on."""
    return sentence_of(error) or (
        f"{_bug(error)} What was finished before is safe; running the command again goes on from there."
    )


def in_a_page(error: Exception) -> str:
    """Return why a page that is served cannot do or show what was asked for; the command that serves it goes
    on."""
    if isinstance(error, OSError):
        return _of_machine(error)
    return sentence_of(error) or _bug(error)


def _bug(error: Exception) -> str:
    return f"This is a bug of curator ({type(error).__name__}), not a mistake of yours. {keep_details(error)}"


def keep_details(error: Exception) -> str:
    """Write the details to a file; gives the sentence that says where they are."""
    # The command line is left out: it may name files and people that a bug report should not.
    about = (
        f"{NAME} {VERSION}, Python {platform.python_version()}, {platform.platform()}, command "
        f"{' '.join(sys.argv[1:2])}\n\n"
    )
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="curator-bug-", suffix=".log", encoding="utf-8", delete=False
        ) as file:
            file.write(about + "".join(traceback.format_exception(error)))
    except OSError:
        return "The details could not be written to a file."
    return f"The details are in {file.name}; please send them to the project."
