"""One writer of a corpus in an object store: the second is told who the first is, before hours of work instead of after them.

That nothing is overwritten does not hang on this: whatever is put into the store is put only over what it was. So whoever holds the
lock gives signs of life by writing it anew, and one that gave none for long enough is taken over; no clocks are compared.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

from webarticlecurator.corpus import lock
from webarticlecurator.corpus.lock import Holder
from webarticlecurator.errors import CorpusBusy, CuratorError
from webarticlecurator.storage.folders import Changed, Folder, State, folder_at
from webarticlecurator.storage.places import url_of


@contextmanager
def locked_in_store(place: Path, name: str, what: str, *, say: Callable[[str], None]) -> Iterator[None]:
    """Hold a lock of a corpus in a store while the block runs. Raises CorpusBusy."""
    store = folder_at(place)
    ours = Holder.this()
    version = _taken(store, name, what, ours, say)
    ended = Event()
    beating = Thread(target=_beat, args=(store, name, ours, version, ended), name="signs of life", daemon=True)
    beating.start()
    try:
        yield
    finally:
        ended.set()
        beating.join()
        with suppress(CuratorError):  # a lock that stays is taken over
            if (holder := _holder(store, name)) is not None and holder.token == ours.token:
                store.delete(name)


def _taken(store: Folder, name: str, what: str, ours: Holder, say: Callable[[str], None]) -> str:
    """The version of the lock that is ours."""
    facts = store.facts(name)
    replaced: str | State = State.ABSENT
    if facts is not None and not facts.size:  # somebody let go of it in a folder that was copied here
        replaced = facts.version
    elif facts is not None:
        say(lock.watching(url_of(store.place), what, _who(store, name)))
        replaced = _watched(store, name, what, facts.version)
    try:
        return store.put(name, _signed(ours), replaces=replaced).version
    except Changed:
        raise CorpusBusy(_held_by(store, name, what)) from None


def _watched(store: Folder, name: str, what: str, version: str) -> str | State:
    """What may be taken over: nothing has changed for long enough. Raises CorpusBusy."""
    for _ in range(round(lock.PATIENCE / lock.BEAT)):
        time.sleep(lock.BEAT)
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
    """Never the same twice."""
    return replace(ours, sign=uuid.uuid4().hex).as_json()


def _holder(store: Folder, name: str) -> Holder | None:
    try:
        return Holder.of_json(store.read(name))
    except FileNotFoundError:
        return None


def _who(store: Folder, name: str) -> str:
    return str(_holder(store, name) or "an unknown process")


def _held_by(store: Folder, name: str, what: str) -> str:
    return lock.running(url_of(store.place), what, _who(store, name))
