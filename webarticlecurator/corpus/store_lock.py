"""One writer of a corpus in an object store: the second is told who the first is, before hours of work instead of after them.

That nothing is overwritten does not hang on this: whatever is put into the store is put only over what it was. So whoever holds the
lock gives signs of life by writing it anew, and one that gave none for long enough is taken over; no clocks are compared.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import orjson

from webarticlecurator.corpus import lock
from webarticlecurator.corpus.lock import Holder
from webarticlecurator.errors import CorpusBusy, CuratorError
from webarticlecurator.storage.folders import Changed, Folder, State, folder_at
from webarticlecurator.storage.places import url_of


@contextmanager
def locked_in_store(
    place: Path, name: str, what: str, *, say: Callable[[str], None], wait: Callable[[float], object] = time.sleep
) -> Iterator[None]:
    """Hold a lock of a corpus in a store while the block runs. Raises CorpusBusy."""
    store = folder_at(place)
    ours = Holder(
        process=os.getpid(),
        host=socket.gethostname(),
        since=datetime.now(UTC).isoformat(timespec="seconds"),
        machine=lock.this_machine(),
        token=uuid.uuid4().hex,
    )
    version = _taken(store, name, what, ours, say, wait)
    ended = Event()
    beating = Thread(target=_beat, args=(store, name, ours, version, ended), name="signs of life", daemon=True)
    beating.start()
    try:
        yield
    finally:
        ended.set()
        beating.join()
        with suppress(CuratorError):  # a lock that stays is taken over
            if _holder(store, name) == ours.token:
                store.delete(name)


def _taken(store: Folder, name: str, what: str, ours: Holder, say: Callable[[str], None], wait: Callable[[float], object]) -> str:
    """The version of the lock that is ours."""
    facts = store.facts(name)
    replaced: str | State = State.ABSENT
    if facts is not None:
        who = _who(store, name)
        say(f"{url_of(store.place)} was left by another {what}: {who}. Watching for {lock.PATIENCE:.0f} s whether that still lives.")
        replaced = _watched(store, name, what, facts.version, wait)
    try:
        return store.put(name, _signed(ours), replaces=replaced).version
    except Changed:
        raise CorpusBusy(_held_by(store, name, what)) from None


def _watched(store: Folder, name: str, what: str, version: str, wait: Callable[[float], object]) -> str | State:
    """What may be taken over: nothing has changed for long enough. Raises CorpusBusy."""
    for _ in range(round(lock.PATIENCE / lock.BEAT)):
        wait(lock.BEAT)
        facts = store.facts(name)
        if facts is None:
            return State.ABSENT
        if facts.version != version:
            raise CorpusBusy(_held_by(store, name, what))
    return version


def _beat(store: Folder, name: str, ours: Holder, version: str, ended: Event) -> None:
    """Sign anew again and again, until the block ends or another has taken over; what it writes then will be refused."""
    while not ended.wait(lock.BEAT * 2):
        try:
            version = store.put(name, _signed(ours), replaces=version).version
        except Changed:
            return
        except CuratorError:
            continue  # the store does not answer; whoever writes meets that, too


def _signed(ours: Holder) -> bytes:
    """Never the same twice: by its content a store says whether a file changed."""
    return orjson.dumps({**asdict(ours), "sign": uuid.uuid4().hex})


def _read(store: Folder, name: str) -> dict[str, str]:
    try:
        read = orjson.loads(store.read(name))
    except (FileNotFoundError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _holder(store: Folder, name: str) -> str | None:
    return _read(store, name).get("token")


def _who(store: Folder, name: str) -> str:
    told = {"process": "?", "host": "an unknown machine", "since": "?"} | _read(store, name)
    return f"process {told['process']} on {told['host']}, since {told['since']}"


def _held_by(store: Folder, name: str, what: str) -> str:
    who = _who(store, name)
    return f"Another {what} of {url_of(store.place)} is running: {who}. Wait until it has ended, or stop it with Ctrl-C there."
