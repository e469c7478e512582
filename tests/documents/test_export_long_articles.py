"""An article of any length is exported in little memory, and no word of it is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from published import Publish, article
from seams import tokens_of

SENTENCE = "The council met again on Monday and the old bridge was not opened. "
LENGTH = 10_000_000
SHAPES: dict[str, Callable[[], tuple[str, ...]]] = {
    "many short sentences": lambda: (SENTENCE * 150,) * (LENGTH // (150 * len(SENTENCE))),
    "one paragraph without the end of a sentence": lambda: ("the council and the river " * (LENGTH // 26),),
    "words of one letter": lambda: ("a " * 1_000_000,),
    "small blocks": lambda: ("a b",) * 300_000,
}
LIMIT = 300
"""Megabytes."""


def megabytes_of(command: list[str]) -> int:
    """The most memory that a command takes, which has to succeed."""
    running, peak = subprocess.Popen(command, stderr=subprocess.DEVNULL), 0
    while running.poll() is None:
        with suppress(OSError, StopIteration):
            status = Path(f"/proc/{running.pid}/status").read_text("ascii").splitlines()
            peak = max(peak, int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) // 1024)
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.1)
    assert running.returncode == 0
    return peak


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_an_article_is_its_words_are_exported_in_300_megabytes(publish: Publish, tmp_path: Path, shape: str) -> None:
    portal = publish(article(1, *SHAPES[shape]()), article(2, *SHAPES[shape](), date="2024-05-02"))
    command = [sys.executable, "-m", "webarticlecurator", "export", str(portal.file), "--jobs", "1", "--quiet", "--to"]
    files = {"conllu": tmp_path / "a.conllu", "vertical": tmp_path / "a.vert", "cwb": tmp_path / "a.vrt"}
    peaks = {to: megabytes_of([*command, to, "-o", str(file)]) for to, file in files.items()}
    assert {to: peak for to, peak in peaks.items() if peak > LIMIT} == {}


def test_a_sentence_without_end_is_cut_and_all_its_words_are_there() -> None:
    text = "the council and the river\n" * 40_000
    sentences = tokens_of(text, "en")
    assert "".join(word + space for _, tokens in sentences for word, space in tokens) == text
    assert 2 < len(sentences) < 20
    assert all(len(tokens) < 60_000 for _, tokens in sentences)


@pytest.mark.parametrize("ending", [". ", ".\n", "?” ", ".\u200b \n"])
def test_a_long_text_has_the_sentences_that_it_has_in_short_texts(ending: str) -> None:
    sentence = f"Dr. Kovács „a híd” 18. napján érkezett{ending}"
    short = [tokens for _, tokens in tokens_of(sentence * 3, "hu")][1]
    sentences = [tokens for _, tokens in tokens_of(sentence * 5_000, "hu")]
    assert len(sentences) == 5_000
    assert all(tokens == short for tokens in sentences[:-1])
