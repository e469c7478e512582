"""Lists of words in text files beside the modules that use them: `[name]` begins one, `#` a remark."""

from __future__ import annotations

import re
from pathlib import Path


def read_word_lists(module: str, file: str, between: str = r",\s+|\n") -> dict[str, tuple[str, ...]]:
    """What stands under each name; `module` is the `__file__` of the module beside which the file lies."""
    text = re.sub(r"^#.*\n", "", Path(module).with_name(file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    parts = re.split(r"^\[(.+)\]$", text, flags=re.MULTILINE)[1:]
    return {name: tuple(re.split(between, words.strip())) for name, words in zip(parts[::2], parts[1::2], strict=True)}
