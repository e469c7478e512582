"""Random hostile strings in every place of a page: it is read in time, and what comes of it is a valid document."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import seams
from hostile_strings import HERE, PLACES, STRINGS

from soak.cases import Case, Limits, Outcome
from webarticlecurator import extract

_URL = "https://pelda.example/2024/05/01/a"
_SECONDS = 10.0
"""Of computing; a page of these sizes needs a thousandth of it."""
_SIZES = (300, 300, 1_000, 1_000, 3_000, 10_000, 100_000)
"""Characters of what is put into a place."""


def _text(chance: Random) -> str:
    """Return a few of the strings, each again and again, in a row or in turn."""
    pieces = chance.choices(list(STRINGS.values()), k=chance.randint(1, 4))
    size = chance.choice(_SIZES)
    if chance.random() < 0.5:
        together = "".join(pieces)
        return together * (size // len(together) + 1)
    return "".join(piece * (size // len(piece) // len(pieces) + 1) for piece in pieces)


def _hostile_pages(_: Path, limits: Limits) -> Outcome:
    """Read one page after the other, until time is over."""
    outcome, seed = Outcome(), int(time.time())
    portal = seams.portal_of()
    for number in limits.numbers():
        chance = Random(seed + number)
        place = chance.choice(list(PLACES))
        page = PLACES[place].replace(HERE, _text(chance))
        named = f"seed {seed + number}, {place}, {len(page):,} characters"
        begun = time.thread_time()
        try:
            article = extract(page, _URL)
            faults = seams.faults_of(seams.document_of(article, portal)) if article.blocks else ()
        except Exception as error:
            faults = (f"{type(error).__name__}: {error}",)
        outcome.times += 1
        outcome.broken += [f"{named}: {fault}" for fault in faults[:1]]
        if (needed := time.thread_time() - begun) > _SECONDS:
            outcome.broken.append(f"{named}: {needed:.1f} s")
        if len(outcome.broken) >= 10:
            break
    return outcome


CASES = (
    Case(
        kind="hostile pages",
        name="hostile strings in all places of a page",
        done="one to four of 150 strings are repeated in one of 18 places of a page, up to 100,000 characters",
        happens="the page is read within ten seconds of computing, and its document is valid",
        run=_hostile_pages,
        times=100_000_000,
        short=300,
    ),
)
