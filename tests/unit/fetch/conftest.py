"""A server on loopback, a Web that may ask it, and a clock for those who cannot wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from loopback import Loopback

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.web import Web


class Patience:
    """A stop event and a clock for those who cannot wait: waiting only moves the clock."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def is_set(self) -> bool:
        return False

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout or 0.0)
        self.now += self.waits[-1]
        return False


@pytest.fixture
def server() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()


@pytest.fixture
def patience() -> Patience:
    return Patience()


@pytest.fixture
def make_web() -> Iterator[Callable[..., Web]]:
    """A Web that may ask loopback and does not dawdle."""
    made: list[Web] = []

    def make(*, hosts: frozenset[str] = frozenset({"127.0.0.1"}), options: dict[str, Any] | None = None, **rules: Any) -> Web:
        settings = {"delay": timedelta(0), "timeout": timedelta(seconds=5), "retries": 0, "private_hosts": ("127.0.0.1",)} | rules
        made.append(Web(FetchRules(**settings), hosts=hosts, **(options or {})))
        return made[-1]

    yield make
    for web in made:
        web.close()
