"""What the tests of an extra need beside the package, by the marker that they carry."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

import chromium

MODULES = {"browser": ("playwright",), "cluster": ("dask", "distributed"), "cloud": ("fsspec", "s3fs", "moto", "flask")}
"""The marker of tests -> what they import; none of it is imported to know that it is there."""
NO_CHROMIUM = "there is no Chromium here (Debian and Ubuntu: apt install chromium)"


@cache
def missing(marker: str) -> str | None:
    """Why tests with this marker cannot be run here."""
    absent = [module for module in MODULES[marker] if find_spec(module) is None]
    if absent:
        return f"{marker}: without {', '.join(absent)} (pip install 'webarticlecurator[dev]')"
    return f"browser: {NO_CHROMIUM}" if marker == "browser" and chromium.find() is None else None
