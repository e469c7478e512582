"""Two hundred hard sentences in six languages: what ours makes of them, and what syntok and NLTK make of them.

Of NLTK only what works without a download: the Treebank and the Toktok tokenizer, and Punkt untrained. syntok and NLTK drop white space and
rewrite quotation marks, so only the texts of their tokens are compared, with quotation marks as they stood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from webarticlecurator.tokens import text_of, tokenize

Sentences = list[list[str]]


class Hard(NamedTuple):
    language: str
    text: str
    sentences: Sentences


def read() -> list[Hard]:
    cases: list[Hard] = []
    for line in (Path(__file__).parent / "hard_sentences.txt").read_text(encoding="utf-8").splitlines():
        if "\t" in line:
            cases.append(Hard(*line.split("\t"), []))
        elif line.startswith("  "):
            cases[-1].sentences.append(line.split())
    return cases


CASES = read()
NOT_YET = {"I'd like 3 lbs. of apples, 6 ft. of rope & a 12 in. ruler."}
"""Which `in` is a measure, ours does not see."""


def ours(case: Hard) -> Sentences:
    return [[token.text for token in sentence.tokens] for sentence in tokenize(case.text, case.language)]


def by_syntok(case: Hard) -> Sentences:
    segmenter = pytest.importorskip("syntok.segmenter")
    return [[token.value for token in sentence] for paragraph in segmenter.process(case.text) for sentence in paragraph]


def by_nltk(words: str) -> Callable[[Hard], Sentences]:
    def read_by(case: Hard) -> Sentences:
        nltk = pytest.importorskip("nltk.tokenize")
        tokenizer = getattr(nltk, words)()
        rewritten = {"``": '"', "''": '"'} if '"' in case.text else {}
        sentences = nltk.PunktSentenceTokenizer().tokenize(case.text)
        return [[rewritten.get(word, word) for word in tokenizer.tokenize(sentence)] for sentence in sentences]

    return read_by


OTHERS = {"syntok": by_syntok, "NLTK Treebank": by_nltk("TreebankWordTokenizer"), "NLTK Toktok": by_nltk("ToktokTokenizer")}


def borders(sentences: Sentences) -> list[int]:
    """After how many characters, blanks apart, each sentence ends: that is the same whatever one calls a token."""
    ends, at = [], 0
    for sentence in sentences:
        at += len("".join(sentence))
        ends.append(at)
    return ends


def words(sentences: Sentences) -> list[str]:
    return [word for sentence in sentences for word in sentence]


def right(read_by: Callable[[Hard], Sentences]) -> Counter[str]:
    """Of how many texts all sentences, and all tokens, are right."""
    count: Counter[str] = Counter()
    for case in CASES:
        found = read_by(case)
        count["sentences"] += borders(found) == borders(case.sentences)
        count["tokens"] += words(found) == words(case.sentences)
    return count


def test_there_are_two_hundred_of_them_in_six_languages() -> None:
    assert len(CASES) >= 200
    assert all(count >= 33 for count in Counter(case.language for case in CASES).values())
    assert {case.language for case in CASES} == {"hu", "de", "en", "fr", "cs", "pl"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.language} {case.text[:40]}")
def test_what_is_expected_is_the_text(case: Hard) -> None:
    assert "".join(words(case.sentences)) == "".join(case.text.split())


@pytest.mark.parametrize("case", [case for case in CASES if case.text not in NOT_YET], ids=lambda case: f"{case.language} {case.text[:40]}")
def test_ours_reads_it_as_a_person_does(case: Hard) -> None:
    assert ours(case) == case.sentences
    assert text_of(tokenize(case.text, case.language)) == case.text


def test_what_is_not_read_rightly_yet_is_named() -> None:
    assert {case.text for case in CASES if ours(case) != case.sentences} == NOT_YET


@pytest.mark.parametrize("name", OTHERS)
def test_no_other_reads_more_of_them_rightly(name: str) -> None:
    own, other = right(ours), right(OTHERS[name])
    assert own["sentences"] > other["sentences"]
    assert own["tokens"] > other["tokens"]
