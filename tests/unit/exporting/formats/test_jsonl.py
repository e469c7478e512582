"""JSON Lines: the object of `try --json`, with comments only where they are wanted."""

from __future__ import annotations

from pathlib import Path

import orjson
from built_corpora import article, built_corpus, post

from webarticlecurator.model.article_json import stored_line


def test_a_line_is_what_try_prints_with_id_and_captures(tmp_path: Path, curator) -> None:
    one = article(1, 'A "comments": trap.')
    file = built_corpus(tmp_path, [one])
    ended = curator("export", file, "--to", "jsonl")
    assert ended.code == 0
    assert [orjson.loads(line) for line in ended.out.splitlines()] == [orjson.loads(orjson.dumps(stored_line(one)))]


def test_comments_are_left_out_unless_they_are_wanted(tmp_path: Path, curator) -> None:
    file = built_corpus(tmp_path, [article(1, "Text.", posts=(post("Nonsense!"),))])
    assert "comments" not in orjson.loads(curator("export", file, "--to", "jsonl").out)
