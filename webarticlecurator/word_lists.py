"""Lists of words in text files beside the modules that use them: `[name]` begins one, `#` a remark."""

from __future__ import annotations

import re
from pathlib import Path

from webarticlecurator.own_patterns import linear


def read_word_lists(module: str, file: str, between: str = r",\s+|\n") -> dict[str, tuple[str, ...]]:
    """What stands under each name; `module` is the `__file__` of the module beside which the file lies."""
    text = linear(r"^#.*\n", re.MULTILINE).sub("", Path(module).with_name(file).read_text(encoding="utf-8"))
    parts = linear(r"^\[(.+)\]$", re.MULTILINE).split(text)[1:]
    return {name: tuple(linear(between).split(words.strip())) for name, words in zip(parts[::2], parts[1::2], strict=True)}
