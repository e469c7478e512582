"""Logins that stand where the name of an author should: known by how they are written, as nobody writes a name."""

from __future__ import annotations

import re
import unicodedata

from babel.core import get_global

from webarticlecurator.dates.names import locale_of
from webarticlecurator.extraction.metadata.people import AGENCIES, DESKS

_UNDERSCORE = re.compile(r"[^\W_]_[^\W_]")
_LONG_WORD = 9
"""Letters of a lower-case word in which two names may stand; shorter ones are names of artists."""
_GROWN_TOGETHER = 8
"""Letters of two names at least: MaryAnn is one."""
_SCRIPTS = frozenset(("LATIN", "GREEK", "CYRILLIC", "ARMENIAN"))
"""That have capitals and write names with them; Georgian has some, and does not."""
_SCRIPT_CODES = frozenset(("Latn", "Grek", "Cyrl", "Armn"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTICLES = _words("abu ben bin dal das del dela della den der des dos fitz ibn las les los mac saint san santa ten ter van von")
"""What surnames begin with, a capital behind it: McDonald and DeVito have fewer than three letters there."""
_OUTLETS = DESKS | _words("""
agro auto blog book business daily digi digital euro express face feed film health info inform leaks live magazin magazine net online
open play portal post pro radio report soft sport sports studio tech times travel tube video watch web wiki world
""")
"""What names of media and firms are grown together of."""


def looks_like_login(name: str, *, capitals: bool) -> bool:
    """`capitals`: the language of the portal writes names with them."""
    if not any(map(_has_case, name)) or name.casefold() in AGENCIES | DESKS:
        return False
    return bool(_UNDERSCORE.search(name)) or _is_grown_together(name) or (capitals and _is_lower_case(name))


def writes_capitals(language: str | None) -> bool:
    """Whether names have them; where no language is known, a script with capitals is what most have."""
    locale = locale_of(language)
    likely = str(get_global("likely_subtags").get(locale.language, ""))
    return (locale.script or "".join(likely.split("_")[1:2])) in _SCRIPT_CODES


def _has_case(letter: str) -> bool:
    return letter.isalpha() and unicodedata.name(letter, "").partition(" ")[0] in _SCRIPTS


def _is_lower_case(name: str) -> bool:
    return len(name) >= _LONG_WORD and name.islower() and all(map(_has_case, name))


def _is_grown_together(name: str) -> bool:
    """One word of two that have a capital each, and three letters or more."""
    if len(name) < _GROWN_TOGETHER or not all(map(_has_case, name)):
        return False
    starts = [place for place, letter in enumerate(name) if letter.isupper()]
    if len(starts) != 2 or starts[0] != 0 or not 3 <= starts[1] <= len(name) - 3:
        return False
    first, second = name[: starts[1]].casefold(), name[starts[1] :].casefold()
    return first not in _PARTICLES and _OUTLETS.isdisjoint((first, second))
