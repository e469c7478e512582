"""Who does the work, as a person asks for it."""

from __future__ import annotations

import pytest

from webarticlecurator.errors import UsageError
from webarticlecurator.workers.carriers import MOST_PROCESSES, Workers


def test_unasked_it_is_a_process_a_processor_and_never_many() -> None:
    assert 1 <= Workers.asked_for().processes <= MOST_PROCESSES


@pytest.mark.parametrize("address", ["tcp://10.0.0.5:8786", "tls://scheduler.example:8786", "tcp://[::1]:8786", "local:1", "local:16"])
def test_a_cluster_is_a_scheduler_or_so_many_processes_here(address: str) -> None:
    assert Workers.asked_for(None, address).cluster == address


_NO_CLUSTER = ["", "local:0", "local:", "local:x", "local:999", "10.0.0.5:8786", "tcp://", "http://10.0.0.5:8787"]
_NO_PORT = ["tcp://10.0.0.5", "tcp://10.0.0.5:", "tcp://10.0.0.5:port", "tcp://[::1", "tcp://:8786"]


@pytest.mark.parametrize("address", [*_NO_CLUSTER, *_NO_PORT])
def test_what_is_no_cluster_is_refused_with_what_to_write(address: str) -> None:
    with pytest.raises(UsageError, match=r"is no cluster; write tcp://HOST:8786"):
        Workers.asked_for(None, address)


def test_nobody_gets_a_cluster_and_processes() -> None:
    with pytest.raises(UsageError, match="leave one of them out"):
        Workers.asked_for(2, "local:2")


def test_few_tasks_get_few_processes_but_whoever_asked_for_a_cluster_gets_it() -> None:
    assert Workers(4).for_tasks(10, 64).is_here
    assert Workers(4).for_tasks(130, 64).processes == 3
    assert Workers(4).for_tasks(1_000, 64).processes == 4
    assert not Workers(1, "local:2").for_tasks(0, 64).is_here
