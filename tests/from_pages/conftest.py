"""Sites that `curator new` looks at, and corpora that are made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from new_site import Look, NewSite
from scripted_portal import ScriptedPortal
from seams import new_asks_at_once


@pytest.fixture
def at_once() -> Iterator[None]:
    with new_asks_at_once():
        yield


@pytest.fixture
def new_site(curator: Callable[..., Any], site: ScriptedPortal, tmp_path: Path, at_once: None) -> NewSite:
    """A site of paths and bodies, looked at by `curator new`."""
    return NewSite(curator, site, tmp_path)


@pytest.fixture
def look(new_site: NewSite) -> Callable[..., Look]:
    def looked(pages: Mapping[str, str], **lists: str) -> Look:
        return new_site.look(pages, **lists)

    return looked
