"""A process that does tasks: the job and its tasks come on stdin, the results go out on stdout."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import BinaryIO

from webarticlecurator.errors import CuratorError


def serve() -> None:
    """Work until stdin ends, or until nobody is there any more to take the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that handed out the tasks
    try:
        _serve()
    except (EOFError, pickle.UnpicklingError, BrokenPipeError):
        os._exit(0)  # past the flush of what nobody takes


def _serve() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a library that prints must not speak into the answers
    incoming = sys.stdin.buffer
    worker = pickle.load(incoming).worker()
    _send(answers, None)
    while True:
        tasks = pickle.load(incoming)
        try:
            _send(answers, worker.make(tasks))
        except (CuratorError, OSError) as error:  # a full disk is not the page's fault: whoever handed out the tasks must know
            _send(answers, error)


def _send(answers: BinaryIO, what: object) -> None:
    pickle.dump(what, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()
