"""What several tests need: the checkout, the data that lies beside it, and one command line run in this process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import extras
import pytest
from hypothesis import HealthCheck, settings
from real_pages import DATA, missing
from scripted_portal import Crawler, ScriptedPortal, scripted_portal
from seams import ENVIRONMENT, main, without_waiting
from small_corpus import SmallCorpus
from written_portal import WrittenPortal

if TYPE_CHECKING:
    from object_store import ObjectStore

ROOT = Path(__file__).resolve().parent.parent

os.environ.pop("COLUMNS", None)  # tables are as wide as they like, whatever terminal the tests are run in

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the process `curator`

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # `nohup make test &` in a script: what tests start would ignore a person's Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Everybody's run asks the same questions; at night there are more, and others every time.
settings.register_profile("day", deadline=None, max_examples=25, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("night", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("night" if os.environ.get("NIGHTLY") else "day")


def pytest_xdist_auto_num_workers() -> int:
    """A third of the time is spent waiting."""
    return 2 * (os.cpu_count() or 1)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Packed bytes differ by the second in which they were packed, and all workers must know a test by the same name."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of an extra that is not here are skipped by name."""
    for item in items:
        for marker in extras.MODULES:
            if item.get_closest_marker(marker) and (reason := extras.missing(marker)):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def repo_root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Where real pages lie, beside some checkouts."""
    if not DATA.is_dir():
        pytest.skip(missing(DATA))
    return DATA


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command line ended."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session", autouse=True)
def no_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests has settings of their own; here nobody has."""
    with pytest.MonkeyPatch.context() as session:
        session.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("no-settings")))
        for variable in ENVIRONMENT:
            session.delenv(variable, raising=False)
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ObjectStore]:
    """An object store of this test alone."""
    from object_store import object_store

    with object_store(tmp_path / "cache") as running:
        yield running


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path)


@pytest.fixture
def site() -> Iterator[ScriptedPortal]:
    """A portal on loopback that answers as the test says."""
    with scripted_portal() as portal:
        yield portal


@pytest.fixture
def at_once() -> Iterator[None]:
    with without_waiting():
        yield


@pytest.fixture
def crawler(request: pytest.FixtureRequest, curator: Callable[..., Ended], tmp_path: Path, site: ScriptedPortal) -> Crawler:
    """Whoever crawls that portal: by the RULES of the module, unless the test says others."""
    return Crawler(curator, tmp_path, site, getattr(request.module, "RULES", ""))


@pytest.fixture
def written(curator: Callable[..., Ended], tmp_path: Path) -> WrittenPortal:
    return WrittenPortal(curator, tmp_path)


@pytest.fixture
def curator(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Run `curator` with these arguments."""

    def run(*arguments: object) -> Ended:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        written = capfd.readouterr()
        return Ended(int(code), written.out, written.err)

    return run
