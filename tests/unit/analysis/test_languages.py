"""Which language an article is in, and which of its blocks are in another."""

from __future__ import annotations

from typing import Any

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from webarticlecurator.analysis.languages import FEWEST_LETTERS_OF_PART, LanguageModel

ENGLISH = (
    "The new bridge over the river was opened on Monday morning by the mayor, who said that nobody had believed in it.",
    "More than four hundred people had come to see how the first bus drove across it, although it was raining heavily.",
    "The old ferry will be kept for visitors, and the ferryman will tell them how life was before the bridge was built.",
)
HUNGARIAN = "Aki tegnap reggel a folyónál járt, az láthatta, hogy mennyien várták a híd megnyitását, és hogy senkit sem zavart az eső."
GERMAN = "Wir haben jahrelang auf diese Brücke gewartet, und jetzt, wo sie endlich steht, will keiner mehr mit der alten Fähre fahren."
RUSSIAN = "Мост через реку строили больше десяти лет, и никто уже не верил, что по нему когда-нибудь поедет первый автобус из города."


def block(text: str, type: str = "paragraph") -> dict[str, Any]:
    return {"type": type, "text": text, "children": []}


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel()


@pytest.fixture(scope="module")
def library() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH[0]), ("hu", HUNGARIAN), ("de", GERMAN), ("ru", RUSSIAN)])
def test_a_sentence_is_enough_to_tell_an_articles_language(model: LanguageModel, language: str, text: str) -> None:
    found = model.languages([block(text)])
    assert (found.language, found.parts) == (language, ())
    assert found.certainty > 0.9


@pytest.mark.parametrize("quote", [("hu", HUNGARIAN), ("de", GERMAN), ("ru", RUSSIAN)])
def test_a_quote_in_another_language_is_found_where_it_stands(model: LanguageModel, quote: tuple[str, str]) -> None:
    language, text = quote
    found = model.languages([*map(block, ENGLISH), block(text, "quote"), block(ENGLISH[0])])
    assert (found.language, found.parts) == ("en", ((3, language),))


@pytest.mark.parametrize(
    "noise",
    [
        block("Kovács Ágnes, Szűcs Gergő, Őri Zsófia, Nagy Bálint, Tóth Eszter, Varga Dániel, Kiss Borbála, Molnár Péter, Fehér Éva"),
        block(
            "Szabó a kapuban, Kiss és Nagy hátul, Tóth és Varga középen, elöl Molnár és Fehér, a cserepadon pedig ül Horváth meg Balogh",
            "list",
        ),
        block("https://pelda.example/a-hid-megnyitasa-es-ami-utana-tortent-velunk-az-esoben https://pelda.example/megint-egy-hosszu-cim"),
        block("Köszönjük szépen!"),
        block("1 234, 5 678, 9 012; 3:2 (1:1), 2:0 (0:0), 17. 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29. 30. 31. 32. 33. 34. 35. 36."),
    ],
    ids=["names", "list", "addresses", "short", "figures"],
)
def test_names_lists_addresses_and_what_is_short_are_no_evidence(model: LanguageModel, noise: dict[str, Any]) -> None:
    assert model.languages([*map(block, ENGLISH), noise]).parts == ()


def test_a_block_counts_from_a_certain_length_on(model: LanguageModel) -> None:
    short = GERMAN[:FEWEST_LETTERS_OF_PART]
    assert model.languages([*map(block, ENGLISH), block(short)]).parts == ()
    assert model.languages([*map(block, ENGLISH), block(GERMAN)]).parts == ((3, "de"),)


@pytest.mark.parametrize("blocks", [[], [block("")], [block("Photo: AP")], [block("12. 34. 56. 78. " * 40)], [block("x" * 30, "code")]])
def test_too_little_text_shows_no_language(model: LanguageModel, blocks: list[dict[str, Any]]) -> None:
    found = model.languages(blocks)
    assert (found.language, found.certainty, found.parts) == (None, 0.0, ())


def test_an_article_that_has_nothing_but_a_list_is_told_by_that(model: LanguageModel) -> None:
    assert model.languages([block(GERMAN, "list")]).language == "de"


def test_very_many_and_very_long_blocks_take_no_time(model: LanguageModel) -> None:
    found = model.languages([block(ENGLISH[0])] * 2_000 + [block(HUNGARIAN * 20_000), block("\U000e0001" * 1_000_000)])
    assert (found.language, found.parts) == ("en", ((2_000, "hu"),))


@pytest.mark.parametrize("text", [*ENGLISH, HUNGARIAN, GERMAN, RUSSIAN, "Nagy Péter", GERMAN.upper()])
def test_what_is_calculated_is_what_the_library_would_say(model: LanguageModel, library: LanguageIdentifier, text: str) -> None:
    language, certainty = library.classify(text)
    assert model.identify(text) == (language, pytest.approx(certainty, abs=0.001))
