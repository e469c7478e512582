"""The tables of the languages are what docs/reference/tokens.md says, so that they can be mended without Python."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import webarticlecurator.tokens
from webarticlecurator.tokens.languages import Stop, language_of

FILES = sorted((Path(webarticlecurator.tokens.__file__).parent / "languages").glob("*.txt"))
ABBREVIATIONS = ("never", "perhaps", "often", "numbered")
SECTIONS = (*ABBREVIATIONS, "months", "before ordinals", "beginnings", "kept")


def sections(file: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            words = found.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            words += line.split()
    return found


def test_there_is_one_for_each_language_and_one_for_all_others() -> None:
    assert [file.stem for file in FILES] == ["any", "cs", "de", "en", "fr", "hu", "pl"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_section_is_known_and_every_abbreviation_stands_in_one_with_its_full_stop(file: Path) -> None:
    found = sections(file)
    assert set(found) <= set(SECTIONS)
    abbreviations = [word for name in ABBREVIATIONS for word in found.get(name, ())]
    assert [word for word in abbreviations if not word.endswith(".")] == []
    assert [word for word, count in Counter(abbreviations).items() if count > 1] == []
    assert [word for name in ("months", "beginnings", "before ordinals") for word in found.get(name, ()) if word != word.lower()] == []


def test_a_capital_letter_in_the_table_asks_for_one_and_a_small_one_does_not() -> None:
    german, hungarian = language_of("de"), language_of("hu")
    assert german.abbreviation("Mag") is Stop.NEVER
    assert german.abbreviation("mag") is None
    assert hungarian.abbreviation("Kb") is hungarian.abbreviation("kb") is Stop.NEVER
    assert german.abbreviation("Hauptstr") is Stop.NEVER
    assert language_of("en").abbreviation("D-Calif") is Stop.NEVER
    assert hungarian.abbreviation("") is None
