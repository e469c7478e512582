"""The portal file that a corpus itself keeps: for whoever has only the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import CorpusError
from webarticlecurator.warc.exchanges import warc_fields
from webarticlecurator.warc.records import read_records

_EFFECTIVE = "curator-effective-file"
_HEAD = 40
"""Records at the start of a file among which its portal files stand."""


def stored_portal(files: Iterable[Path]) -> Portal:
    """The portal by the rules that were in force when the last of these WARC files was begun. Raises CorpusError."""
    newest_first = sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)
    for path in newest_first:
        content = _effective_file(path)
        if content is not None:
            return _load(content)
    raise CorpusError("The WARC files of this corpus hold no portal file. Name the portal file instead of the folder.")


def _effective_file(path: Path) -> bytes | None:
    uri = None
    for record in islice(read_records(path, on_damage=lambda _: None), _HEAD):
        if record.type == "warcinfo":
            uri = warc_fields(record.block).get(_EFFECTIVE)
        elif record.type == "resource" and record.url == uri:
            return record.block
    return None


def _load(content: bytes) -> Portal:
    with TemporaryDirectory(prefix="curator-") as folder:
        file = Path(folder) / "portal.yaml"
        file.write_bytes(content)
        return load_portal(file)
