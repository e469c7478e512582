"""What a shell offers while somebody types, beside commands and options: portals and formats."""

from __future__ import annotations

from pathlib import Path


def complete_portal(incomplete: str) -> list[str]:
    """Portal files, folders that may hold one, and the portals that came with curator."""
    from webarticlecurator.resources import site_configs

    folder = Path(incomplete) if incomplete.endswith("/") else Path(incomplete).parent
    beside = (f"{path}/" if path.is_dir() else str(path) for path in folder.glob("[!.]*"))
    shipped = (file.parent.name for file in site_configs().glob("*/portal.yaml"))
    named = (*(name for name in beside if name.endswith((".yaml", ".yml", "/"))), *shipped)
    return sorted(name for name in named if name.startswith(incomplete))


def complete_format(incomplete: str) -> list[str]:
    """Formats of an export."""
    from webarticlecurator.exporting.formats import FORMATS

    return [name for name in (*FORMATS, "list") if name.startswith(incomplete)]
