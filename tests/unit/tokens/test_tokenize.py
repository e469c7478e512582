"""Text goes in, sentences of tokens come out, and joined they are the text."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from time import thread_time

import pytest
from documents import read_capture, real_pages
from hypothesis import given
from hypothesis import strategies as st
from working_time import at_most, undisturbed

from webarticlecurator.tokens import Sentence, Token, text_of, tokenize


@given(st.text(), st.sampled_from(["hu", "de", "en", "fr", "cs", "pl", "ja", None]))
def test_joined_they_are_the_text(text: str, language: str | None) -> None:
    assert text_of(tokenize(text, language)) == text


def test_every_token_says_what_follows_it() -> None:
    assert tokenize("Nyílik a híd.", "hu") == [Sentence((Token("Nyílik", " "), Token("a", " "), Token("híd", ""), Token(".", "")))]


@pytest.mark.parametrize("text", ["  Híd.", "\n\n", " \u3000x"])
def test_white_space_before_the_text_stands_before_its_first_sentence(text: str) -> None:
    first, *others = tokenize(text, "hu")
    assert first.space_before == text[: len(text) - len(text.lstrip())]
    assert [sentence.space_before for sentence in others] == [""] * len(others)


def test_a_text_without_a_character_has_no_sentence() -> None:
    assert tokenize("", None) == []


PIECES = [
    "A híd",
    "Dr.",
    "18.",
    "18-án",
    "3,5%-kal",
    "„",
    "”",
    "...",
    "?!",
    " ",
    "\n",
    "\u00a0",
    "don't",
    "l'",
    "-t-il",
    "No.",
    "\u200d",
    "👍🏽",
    "é\u0301",
]
PIECES += [
    "https://pelda.example/a.",
    "@nick",
    "#tag",
    "IV.",
    "z. B.",
    "漢字。",
    "ไทย",
    "\ud800",
    "\u202e",
    "\x00",
    "\u200b",
    "« ",
    " »",
    "–",
    "U.S.",
    "5.000,-",
]


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.sampled_from(["hu", "de", "en", "fr", "cs", "pl", "it", "ja", None]))
def test_joined_they_are_the_text_whatever_stands_beside_what(text: str, language: str | None) -> None:
    sentences = tokenize(text, language)
    assert text_of(sentences) == text
    assert all(token.text and token.text.split() == [token.text] for sentence in sentences for token in sentence.tokens)
    assert all(sentence.tokens for sentence in sentences) or not text.replace("\u200b", "").strip()


def sentences_of(text: str, language: str | None) -> list[str]:
    return [" ".join(token.text for token in sentence.tokens) for sentence in tokenize(text, language)]


@pytest.mark.parametrize(
    "language, text, expected",
    [
        (None, "Dr. Who left. He came back at 5.", ["Dr. Who left .", "He came back at 5 ."]),
        ("sk", "Prišiel 3. mája. Bolo teplo.", ["Prišiel 3. mája .", "Bolo teplo ."]),
        ("it", "L'uomo dell'anno è qui. Com'è?", ["L' uomo dell' anno è qui .", "Com' è ?"]),
        ("ru", "Он ушёл. Она осталась.", ["Он ушёл .", "Она осталась ."]),
        ("el", "Ήρθε ο Νίκος. Έφυγε.", ["Ήρθε ο Νίκος .", "Έφυγε ."]),
        ("ar", "هل جاء؟ نعم.", ["هل جاء ؟", "نعم ."]),
        ("hi", "वह आया। वह गया।", ["वह आया ।", "वह गया ।"]),
        ("hu-HU", "Kb. öten voltak.", ["Kb. öten voltak ."]),
        ("HU", "Kb. öten voltak.", ["Kb. öten voltak ."]),
        ("../../etc/passwd", "Dr. Who left.", ["Dr. Who left ."]),
    ],
)
def test_any_language_gets_something_sound(language: str | None, text: str, expected: list[str]) -> None:
    assert sentences_of(text, language) == expected


def test_scripts_without_blanks_are_parted_by_characters_and_by_their_own_full_stops() -> None:
    assert sentences_of("彼は来た。「行こう。」と言った。カメラ", "ja") == [
        "彼 は 来 た 。",
        "「 行 こ う 。 」",
        "と 言 っ た 。",
        "カメラ",
    ]
    assert sentences_of("我来了！他走了。", "zh") == ["我 来 了 ！", "他 走 了 。"]
    assert sentences_of("ที่นี่", "th") == ["ที่ นี่"]


@pytest.mark.parametrize("emoji", ["👍🏽", "👨‍👩‍👧‍👦", "🇭🇺", "5️⃣", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
def test_an_emoji_is_one_token_with_all_that_belongs_to_it(emoji: str) -> None:
    assert sentences_of(f"Jó {emoji}{emoji} volt", "hu") == [f"Jó {emoji} {emoji} volt"]


def test_a_blank_line_ends_a_sentence_and_a_line_end_before_a_small_letter_does_not() -> None:
    assert sentences_of("Új híd\n\nés út", "hu") == ["Új híd", "és út"]
    assert sentences_of("Új híd épül\nHolnap kezdik", "hu") == ["Új híd épül", "Holnap kezdik"]
    assert sentences_of("Új híd\népül a\nDunán, a\nvárosban", "hu") == ["Új híd épül a", "Dunán , a városban"]


def test_a_forgotten_blank_is_no_address() -> None:
    assert sentences_of("Vége volt.Aztán hazament a pelda.hu-ról.", "hu") == ["Vége volt .", "Aztán hazament a pelda.hu-ról ."]


def test_a_word_may_be_written_with_marks_of_its_own() -> None:
    assert sentences_of("Ze\u0301ro\u0301 fok, szó\u00adtag", "hu") == ["Ze\u0301ro\u0301 fok , szó\u00adtag"]


HOSTILE = [
    "a",
    ".",
    ". ",
    "a.",
    "A.",
    "a-",
    "1.",
    "@",
    "a@",
    "#1",
    "http://",
    "http://.",
    "http://a(",
    "\u0301",
    '"',
    "漢",
    "。",
    "ไ",
    "😀",
    "hu.",
]
HOSTILE += [
    "– ",
    "\n",
    "a\n",
    "5%-",
    "! – ",
    "Dr. ",
    "I.",
    "°-",
    "www.",
    "vége.Az",
    "!)",
    ") ",
    "n't",
    "l'",
    "a-il",
    "No. ",
    "5. ",
    "\u200d",
    "\ud800",
    "a'",
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE, ids=repr)
@pytest.mark.parametrize("language", ["hu", "en", "fr"])
def test_ten_times_as_much_of_anything_takes_ten_times_as_long(unit: str, language: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        begun = thread_time()
        assert text_of(tokenize(text, language)) == text
        return thread_time() - begun

    with undisturbed():
        assert seconds(100_000) < 0.3 + 25 * seconds(10_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["é" * 10_000_000, "." * 1_000_000, "a." * 5_000_000, "x@" * 500_000], ids=["no blank", "dots", "a.", "x@"]
)
def test_a_page_that_is_one_word_is_read_in_seconds(text: str) -> None:
    with at_most(15):
        sentences = tokenize(text, "hu")
    assert text_of(sentences) == text
    assert max(len(token.text) for sentence in sentences for token in sentence.tokens) <= 10_000


@pytest.mark.slow
def test_articles_of_real_pages_are_given_back_exactly(shared_data: Path) -> None:
    every = int(os.environ.get("CURATOR_TEST_EVERY", "12"))  # 1: all of them
    texts = 0
    for page in islice(real_pages(shared_data), 0, None, every):
        read = read_capture(page.capture, page.portal)
        if isinstance(read, str):
            continue
        text = read[1].text
        language = read[1].language
        assert text_of(tokenize(text, language)) == text
        texts += 1
    assert texts > 1000 // every


def test_dots_that_stand_alone_belong_to_what_stands_before() -> None:
    assert sentences_of("Elment. ... Aztán visszajött. …és újra el. .", "hu") == ["Elment . ...", "Aztán visszajött .", "… és újra el . ."]
