"""How fast the tokenizer is, and how many of the hard sentences it and others read rightly: `python benchmarks/tokens.py`."""

from __future__ import annotations

import importlib.util
from itertools import product
from pathlib import Path
from time import process_time

from webarticlecurator.tokens import tokenize, words

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    spec = importlib.util.spec_from_file_location("hard", ROOT / "tests" / "unit" / "tokens" / "test_hard_sentences.py")
    assert spec and spec.loader
    hard = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hard)
    print(f"{'of ' + str(len(hard.CASES)) + ' texts':<16}sentences right  tokens right")
    for name, read_by in {"ours": hard.ours, **hard.OTHERS}.items():
        right = hard.right(read_by)
        print(f"{name:<16}{right['sentences']:>15}{right['tokens']:>14}")
    print()
    print(f"{'language':<16}first words, MB/s     words that came before, MB/s")
    spellings = ["".join(letters) for letters in product("aeioulnr", repeat=3)][:300]
    for language in ("hu", "de", "en", "fr", "cs", "pl"):
        text = " ".join(case.text for case in hard.CASES if case.language == language)
        # every word once in another spelling, as if none had come before
        other = " ".join(" ".join(word[:1] + letters + word[1:] for word in text.split()) for letters in spellings)
        print(f"{language:<16}{speed(other, language):>17.1f}{speed(text * 300, language):>33.1f}")


def speed(text: str, language: str) -> float:
    """Megabytes of UTF-8 a second, on one core."""
    words._remembered.cache_clear()
    begun = process_time()
    tokenize(text, language)
    return len(text.encode()) / 1e6 / (process_time() - begun)


if __name__ == "__main__":
    main()
