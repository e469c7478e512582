"""Files that belong to the person: which may be changed, and how one is replaced."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from webarticlecurator import resources
from webarticlecurator.config.load import portal_path
from webarticlecurator.errors import UsageError


def editable(portal: str | Path) -> Path:
    """Where the portal file lies. Raises UsageError for one that came with the package."""
    path = portal_path(portal)
    if resources.is_inside_package(path):
        raise UsageError(f"{portal} came with curator, and the next version would replace it: copy {path.parent} to a folder of yours.")
    return path


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file, at once and as a whole; where the path is a link, what it leads to. Raises UsageError for one that is read-only."""
    target = path.resolve()
    if not target.stat().st_mode & stat.S_IWUSR:  # another file in its place would need no permission
        raise UsageError(f"{path} is read-only, and stays as it is; `chmod u+w` lets it be changed.")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(target, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
