"""By what texts are compared."""

from __future__ import annotations

from webarticlecurator.analysis.fingerprints import FEWEST_WORDS, FEWEST_WORDS_ALONE, NUMBERS, fingerprint

WORDS = [f"word{number}" for number in range(400)]
TEXT = " ".join(WORDS)
CHINESE = "".join(chr(0x4E00 + 37 * number % 5_000) for number in range(400))


def shared(one: str, other: str) -> float:
    first, second = (fingerprint(text, None).signature for text in (one, other))
    assert first is not None and second is not None and len(first) == 2 * NUMBERS
    return sum(first[place : place + 2] == second[place : place + 2] for place in range(0, 2 * NUMBERS, 2)) / NUMBERS


def test_white_space_is_all_the_same() -> None:
    assert fingerprint(TEXT, None) == fingerprint("\n " + TEXT.replace(" ", "\n\t\u00a0"), None)


def test_signatures_estimate_which_share_of_word_sequences_two_texts_have_in_common() -> None:
    half = " ".join([*WORDS[:267], *(f"other{number}" for number in range(133))])
    assert abs(shared(TEXT, half) - 0.5) < 0.12
    assert shared(TEXT, TEXT.upper()) == 1.0
    assert shared(TEXT, " ".join(reversed(WORDS))) < 0.05


def test_where_no_blanks_part_words_letters_are_compared() -> None:
    assert shared(CHINESE, CHINESE[:200] + "x" + CHINESE[200:]) > 0.9
    assert shared(CHINESE, CHINESE[::-1]) < 0.05


def test_short_texts_are_compared_exactly_and_very_short_ones_together_with_their_headline() -> None:
    short, stub = " ".join(WORDS[: FEWEST_WORDS - 1]), " ".join(WORDS[: FEWEST_WORDS_ALONE - 1])
    assert fingerprint(short, "One").signature is None
    assert fingerprint(short, "One") == fingerprint(short, "Another")
    assert fingerprint(stub, "One") == fingerprint(stub, "One") != fingerprint(stub, "Another")
    assert fingerprint(" \n", "One").exact is None


def test_a_text_as_long_as_a_book_is_compared_in_pieces() -> None:
    book = " ".join(f"word{number}" for number in range(120_000))
    assert shared(book, book + " end") > 0.98
