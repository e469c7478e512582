"""Sites that `curator new` looks at, and corpora that are made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling, crawling
from new_site import Look, NewSite
from scripted_portal import Reply, ScriptedPortal


@pytest.fixture(scope="session")
def crawled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    """The example portal with some articles, crawled; whoever changes its portal file puts it back."""
    with crawling(tmp_path_factory.mktemp("example"), articles=60, page_size=10) as crawl:
        crawl.crawl()
        yield crawl


@pytest.fixture
def new_site(curator: Callable[..., Any], site: ScriptedPortal, tmp_path: Path, at_once: None) -> NewSite:
    """A site of paths and bodies, looked at by `curator new`."""
    return NewSite(curator, site, tmp_path)


@pytest.fixture
def look(new_site: NewSite) -> Callable[..., Look]:
    def looked(pages: Mapping[str, str | Reply], **lists: str) -> Look:
        return new_site.look(pages, **lists)

    return looked
