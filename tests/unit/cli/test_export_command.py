"""What a person reads when an export is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.cli.export import in_words
from webarticlecurator.corpus_export import ExportSummary
from webarticlecurator.exporting.manifest import ExportCounts


@pytest.mark.parametrize(("number", "told"), [(1, "1 comment, 1 post, 1 box, 1 caption"), (2, "2 comments, 2 posts, 2 boxes, 2 captions")])
def test_what_was_left_out_of_the_articles_is_told_in_the_right_number(number: int, told: str) -> None:
    parts = dict.fromkeys(("comments", "posts", "boxes", "captions"), number)
    summary = ExportSummary(format="txt", path=Path("out.txt"), counts=ExportCounts(articles=1, of=1, parts=parts))
    assert f"  Left out of the articles: {told}; --with comments,posts,boxes,captions shows them" in list(in_words(summary, ["pelda"]))
