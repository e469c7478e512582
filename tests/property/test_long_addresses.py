"""No address is so long, or so odd, that looking at it costs more than its length."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from working_time import at_most

from webarticlecurator.extraction.body.links import link_target
from webarticlecurator.tei.markup import uri
from webarticlecurator.urls import is_http, join, normalise

_BASE = "https://pelda.example/cikk/1"
_LENGTH = 100_000
"""Characters: what is looked at again from each of them, or from each piece, does not end in the time that a test has."""
_SECONDS = 10
_PIECES = ("a", "a.", "a:", "a/", "%41", "a%41", "/.%", "https", "?", "#", "@", "[")
_BEGINNINGS = ("", "/", "https://", "https://pelda.example/", "https://pelda.example/?", "https://pelda.example/#")
_READERS = (uri, is_http, normalise, lambda text: join(_BASE, text), lambda text: link_target(text, _BASE))


@pytest.mark.parametrize("read", _READERS, ids=["written", "asked for", "normalised", "joined", "linked"])
def test_a_long_address_is_looked_at_once(read: Callable[[str], object]) -> None:
    with at_most(_SECONDS):
        for beginning in _BEGINNINGS:
            for piece in _PIECES:
                read(beginning + piece * (_LENGTH // len(piece)) + "<")  # the last character spoils it
