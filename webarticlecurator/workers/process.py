"""A process that does tasks: the job and its tasks come on stdin, the results go out on stdout."""

from __future__ import annotations

import os
import pickle
import signal
import sys

from webarticlecurator.errors import CuratorError
from webarticlecurator.workers.asked_process import pickled, receive, send


def serve() -> None:
    """Work until stdin ends, or until nobody is there any more to take the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that handed out the tasks
    try:
        _serve()
    except (EOFError, BrokenPipeError):
        os._exit(0)  # past the flush of what nobody takes


def _serve() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a library that prints must not speak into the answers
    incoming = sys.stdin.buffer
    worker = pickle.loads(receive(incoming)).worker()
    send(answers, pickled(None))
    while True:
        tasks = pickle.loads(receive(incoming))
        try:
            send(answers, pickled(worker.make(tasks)))
        except (CuratorError, OSError) as error:  # a full disk is not the page's fault: whoever handed out the tasks must know
            send(answers, pickled(error))
