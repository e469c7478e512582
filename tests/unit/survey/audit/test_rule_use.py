"""Which rules of the portal file an audit asks for their use."""

from __future__ import annotations

import pytest
from trial_portal import portal_of

from webarticlecurator.survey.audit.rule_use import metadata_picks


@pytest.mark.parametrize(("drop", "asked"), [([".*"], ["author"]), (["All of the valley"], ["author", "description"])])
def test_a_rule_that_says_that_a_field_has_no_value_is_not_missed_for_finding_none(drop: list[str], asked: list[str]) -> None:
    portal = portal_of(metadata={"description": {"meta": "description", "drop": drop}, "author": ".by"})

    assert sorted(pick.field for pick in metadata_picks(portal)) == asked
