"""Published programs that ours is compared with, each in an environment of its own, from the package index.

They lie below the system's temporary folder and are kept there for the next time. Ours has the name of one of them, and others want
libraries of other versions, so none may share ours.
"""

from __future__ import annotations

import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

from processes import run
from results import Record, version_of

PACKAGES = {
    "webarticlecurator": ("webarticlecurator==1.13.0",),
    "scrapy": ("scrapy>=2.13", "warcio>=1.7"),
    "html2tei": ("html2tei==1.2.3",),
    "readers": ("trafilatura==2.3.*", "readability-lxml", "lxml_html_clean", "newspaper4k", "justext", "goose3", "extruct", "warcio"),
}
"""What each environment is made of."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Where programs of others are."""

    python: Path

    def version(self, package: str) -> str:
        return version_of(package, self.python)


def environment(name: str, record: Record) -> Environment | None:
    """Made where it is not there; None, which the record says, where the index does not give it."""
    packages = PACKAGES[name]
    folder = Path(tempfile.gettempdir()) / f"curator-bench-{name}"
    python, made_of = folder / "bin" / "python", folder / "made-of"
    if not made_of.exists() or made_of.read_text() != "\n".join(packages):
        venv.create(folder, with_pip=True, clear=True)
        try:
            run([python, "-m", "pip", "install", "--quiet", "--upgrade", "pip"])
            run([python, "-m", "pip", "install", "--quiet", *packages])
        except SystemExit as refused:
            record.leave_out(f"{', '.join(packages)}: the package index did not give them ({str(refused).strip().splitlines()[-1]})")
            return None
        made_of.write_text("\n".join(packages))
    return Environment(python)
