"""The short form of `make soak`: every case once, so that a change that breaks one is seen before the long run sees it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from soak.__main__ import CASES
from soak.cases import Case, Limits
from soak.full_disks import may_mount

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize("case", [case for case in CASES if case.short], ids=lambda case: f"{case.kind}: {case.name}")
def test_nothing_is_lost_doubled_or_invented(case: Case, tmp_path: Path) -> None:
    if case.needs_mount and not may_mount():
        pytest.skip("only root may make a small disk")
    outcome = case.run(tmp_path, Limits(case.short, time.monotonic() + 60))
    assert outcome.is_clean, outcome
    assert outcome.times or "kill" in case.done, "it was disturbed"
