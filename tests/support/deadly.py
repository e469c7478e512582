"""Commands that end at a chosen moment, as if the power had failed: at the n-th change of a file, or at a page that they read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_AT_A_CHANGE = """
import os, signal, sys
left = {moment}
def changes(event, args):
    global left
    written = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
    names = [str(name) for name in args[:2] if isinstance(name, (str, os.PathLike))]
    if (written or event in ("os.remove", "os.rename")) and any({where!r} in name for name in names):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(changes)
"""
_AT_A_PAGE = """
import os, signal
from lxml import etree
_parse = etree.fromstring
def parse(content, *more, **options):
    known = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    if b"ends its process" in known and os.environ.get("DEADLY_TOO", ""):
        os.kill(os.getpid(), signal.SIGKILL)
    if b"exits with 3" in known:
        os._exit(3)
    if b"ends who gave it" in known:
        os.kill(os.getppid(), signal.SIGKILL)
    if b"talks" in known:
        os.write(1, b"a library that talks\\n")
    return _parse(content, *more, **options)
etree.fromstring = parse
"""
_AT_A_SYNC = """
import errno, io, os, signal, time
left, synced, wanted = {sync}, {{}}, None
def end():
    os.kill(os.getpid(), signal.SIGKILL)
def cut(file):
    os.ftruncate(file, (synced.get(file, 0) + os.fstat(file).st_size) // 2)
    end()
def fail(_):
    raise OSError(errno.EIO, os.strerror(errno.EIO))
def fill(_):
    global wanted
    wanted = 2
def sync(file, really=os.fsync):
    global left
    if "-articles-" in os.readlink(f"/proc/self/fd/{{file}}"):
        time.sleep(0.05)
        left -= 1
        if left == 0:
            {before}
        really(file)
        synced[file] = os.fstat(file).st_size
        if left == 0:
            {after}
class File(io.FileIO):
    def write(self, content):
        global wanted
        if wanted is not None:
            wanted -= 1
            if wanted <= 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(content)
os.fsync, io.FileIO = sync, File
"""
"""Articles are synced slowly, so that answers wait for one another; at one sync the disk, or the machine, fails."""

DISKS = {
    "it is killed before the ledger knows what was synced": (2, "pass", "end()"),
    "the power fails before all is synced": (2, "cut(file)", "pass"),
    "a sync fails": (2, "fail(file)", "pass"),
    "the disk is full at the second answer after a sync": (1, "pass", "fill(file)"),
}
"""What happens -> at which sync of a file of articles, and what is done before it, and after it."""


def environment(folder: Path, first: str) -> dict[str, str]:
    """Of a process that runs this Python before all else, as do those that it starts."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(first, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)]), "DEADLY_TOO": "1"}


def run(*arguments: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """`curator` with these arguments as a process of its own."""
    command = [sys.executable, "-m", "webarticlecurator", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=env)


def killed_at_change(moment: int, where: object, folder: Path, *arguments: object) -> bool:
    """Whether the command was killed at that change (from zero) of a file whose path has `where` in it; else it came to its end."""
    ended = run(*arguments, env=environment(folder, _AT_A_CHANGE.format(moment=moment, where=str(where))))
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr
    return ended.returncode != 0


def with_disk(case: str, folder: Path) -> dict[str, str]:
    """The environment in which one of `DISKS` happens."""
    sync, before, after = DISKS[case]
    return environment(folder, _AT_A_SYNC.format(sync=sync, before=before, after=after))


def with_deadly_pages(folder: Path) -> dict[str, str]:
    """The environment in which pages do to whoever reads them what their text says."""
    return environment(folder, _AT_A_PAGE)


def children(process: int) -> list[int]:
    """Of a process: those that it started, that these started, and so on."""
    with suppress(OSError):
        own = [int(child) for task in Path(f"/proc/{process}/task").glob("*/children") for child in task.read_text().split()]
        return [*own, *(further for child in own for further in children(child))]
    return []


def workers(process: int) -> list[int]:
    """Dask's among them."""
    found = []
    for child in children(process):
        with suppress(OSError):
            found += [child] if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes() else []
    return found


def kill(process: int) -> bool:
    """Whether it was still there."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
        return True
    return False
