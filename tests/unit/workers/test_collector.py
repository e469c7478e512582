"""Python's cyclic collector rests while a batch of pages is read, and no longer."""

from __future__ import annotations

import gc

import pytest

from webarticlecurator.workers.collector import no_collector


def test_it_rests_within_and_is_as_it_was_behind() -> None:
    with no_collector():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_is_as_it_was_behind_an_error() -> None:
    with pytest.raises(KeyError), no_collector():
        raise KeyError
    assert gc.isenabled()


def test_who_had_it_off_keeps_it_off() -> None:
    gc.disable()
    try:
        with no_collector():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
