"""Servers on loopback for sites that real software makes: started here, ended here."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, ClassVar

from processes import run

PATIENCE = 60
"""Seconds in which a server must have started, or answer."""


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map: ClassVar = {**SimpleHTTPRequestHandler.extensions_map, ".html": "text/html; charset=utf-8"}

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def files_served(folder: Path, port: int) -> Iterator[None]:
    """A folder of files as a website."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(_Files, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join(PATIENCE)


@contextmanager
def mariadb() -> Iterator[Path]:
    """A database in a folder of its own, on a socket, as a user without rights; gives the socket."""
    with tempfile.TemporaryDirectory(prefix="db-") as name:
        folder = Path(name)
        user = "mysql" if os.geteuid() == 0 else getpass.getuser()
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        own = [f"--datadir={folder}/data", f"--user={user}"]
        run(["mariadb-install-db", "--no-defaults", *own, "--auth-root-authentication-method=normal", "--skip-test-db"])
        place = folder / "socket"
        command = ["mariadbd", "--no-defaults", *own, f"--socket={place}", f"--pid-file={folder}/pid", "--skip-networking"]
        with tempfile.TemporaryFile() as log, process(command, log):
            wait_for(lambda: run(["mariadb", "--no-defaults", f"--socket={place}", "-uroot", "-e", "CREATE DATABASE site"]))
            yield place


@contextmanager
def process(
    command: Sequence[str | Path], log: IO[bytes], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Runs while it is needed."""
    own = {**os.environ, **(env or {})}
    started = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=cwd, env=own)
    try:
        yield
    finally:
        started.terminate()
        started.wait(PATIENCE)


def wait_for(attempt: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            attempt()
        except (OSError, SystemExit):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return


def wait_for_port(port: int) -> None:
    wait_for(lambda: socket.create_connection(("127.0.0.1", port), 1).close())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
