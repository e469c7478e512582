"""The text files with words beside the modules: each word stands in a list once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import webarticlecurator

FOLDER = Path(webarticlecurator.__file__).parent


@pytest.mark.parametrize(
    ("file", "between"),
    [
        ("extraction/listing_words.txt", r",\s+|\n"),
        ("extraction/pager_words.txt", r",\s+|\n"),
        ("extraction/body/general_table.txt", r",\s+|\n"),
        ("extraction/metadata/byline_words.txt", r",\s+|\n"),
        ("extraction/metadata/value_words.txt", r",\s+|\n"),
        ("extraction/metadata/schema_types.txt", r"\s+"),
        ("dates/date_words.txt", r",\s+|\n"),
        ("labelling/class_words.txt", r"\s+"),
        ("labelling/part_words.txt", r"\s+"),
        ("document/wall_titles.txt", r"\n+"),
        ("extraction/embed_placeholders.txt", r"\n+"),
        ("extraction/picture_agencies.txt", r"\n"),
    ],
)
def test_no_word_stands_twice_in_a_list(file: str, between: str) -> None:
    text = re.sub(r"^#.*\n", "", (FOLDER / file).read_text("utf-8"), flags=re.MULTILINE)
    names, lists = (["", *re.split(r"^\[(.+)\]$", text, flags=re.MULTILINE)][start::2] for start in (0, 1))
    twice = {
        (name, word)
        for name, words in zip(names, lists, strict=True)
        for word, count in Counter(re.split(between, words.strip())).items()
        if count > 1
    }
    assert (twice, [name for name, count in Counter(names).items() if count > 1]) == (set(), [])
