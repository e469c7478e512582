"""Names of elements say what the site's parts are, and not what an element is for, or what it lacks."""

from __future__ import annotations

import pytest

from webarticlecurator.labelling.names import PagePart, role_of


@pytest.mark.parametrize("name", ["navbar", "stickyNavbar_Vzrq", "main-navbar"])
def test_a_name_says_what_an_element_is(name: str) -> None:
    role = role_of(name, None)
    assert role is not None and role.part is PagePart.NAVIGATION


@pytest.mark.parametrize("name", ["anchorTargetStickyNavbar_Vzrq", "anchor-hide-on-scroll-navbar", "has-navbar", "no-sidebar"])
def test_what_an_element_is_for_or_lacks_it_is_not(name: str) -> None:
    assert role_of(name, None) is None
