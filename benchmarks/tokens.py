"""How fast the tokenizer is, and how many of the hard sentences it and others read rightly: `python benchmarks/tokens.py`."""

from __future__ import annotations

import argparse
import importlib.util
from itertools import product
from pathlib import Path
from time import process_time

from results import Record, result_option

from webarticlecurator.tokens import tokenize, words

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    asked = result_option(argparse.ArgumentParser(description=__doc__)).parse_args()
    record = Record(
        "Tokens and sentences",
        "Hard sentences in six languages, split and tokenized by ours and by other programs; then how fast ours is.",
    )
    spec = importlib.util.spec_from_file_location("hard", ROOT / "tests" / "unit" / "tokens" / "test_hard_sentences.py")
    assert spec and spec.loader
    hard = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hard)
    rows = []
    for name, read_by in {"ours": hard.ours, **hard.OTHERS}.items():
        right = hard.right(read_by)
        rows.append((name, right["sentences"], right["tokens"]))
    note = "The sentences are ours and were used to mend the program: this says what is covered, not how well unseen text is read."
    record.table(f"Of {len(hard.CASES)} hard texts", ("tokenizer", "sentences right", "tokens right"), rows, note)
    record.figure(f"texts whose sentences are right, of {len(hard.CASES)}", rows[0][1], at_least=max(row[1] for row in rows[1:]) + 1)
    spellings = ["".join(letters) for letters in product("aeioulnr", repeat=3)][:300]
    speeds = []
    for language in ("hu", "de", "en", "fr", "cs", "pl"):
        text = " ".join(case.text for case in hard.CASES if case.language == language)
        # every word once in another spelling, as if none had come before
        other = " ".join(" ".join(word[:1] + letters + word[1:] for word in text.split()) for letters in spellings)
        speeds.append((language, speed(other, language), speed(text * 300, language)))
    record.table("Megabytes of text a second, on one core", ("language", "words that are new", "words that came before"), speeds)
    record.end(asked.result)


def speed(text: str, language: str) -> float:
    """Megabytes of UTF-8 a second, on one core."""
    words._remembered.cache_clear()
    begun = process_time()
    tokenize(text, language)
    return len(text.encode()) / 1e6 / (process_time() - begun)


if __name__ == "__main__":
    main()
