"""What a rule of the portal file has put right, an audit does not say again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

TREES = (*("ash", "birch", "cedar", "elm", "fir", "gum", "hazel", "iris", "jade", "kale", "lime", "mint"),)
SAID = "Nobody had seen the {tree} bridge at dawn before that day, they said."

# kind -> what stands at the beginning of the text (or before, or behind it), the rules that give the finding, and those that end it
FINDINGS = {
    "comments-not-read, and it is a box": (f'<div class="comment"><p>{SAID}</p></div>', "", "", "body: {tags: {box: [div.comment]}}"),
    "root-too-small, and it is metadata": (
        "",
        f'<p class="up">{SAID}</p>',
        "body: {root: div.text}",
        "metadata: {description: p.up}\nbody: {root: div.text}",
    ),
    "root-too-small, and it is to go": (
        "",
        f'<p class="up">{SAID}</p>',
        "body: {root: div.text}",
        "body: {root: div.text, tags: {decompose: [p.up]}}",
    ),
}


@pytest.mark.parametrize(("inside", "before", "rules", "ruled"), FINDINGS.values(), ids=FINDINGS)
def test_a_finding_goes_when_a_rule_decides_what_it_is_about(
    curator: Any, tmp_path: Path, request: pytest.FixtureRequest, inside: str, before: str, rules: str, ruled: str
) -> None:
    corpus = SmallCorpus(tmp_path, rules=f"{rules}\n")
    pages = {
        f"/cikk/{at}": page(f"Bridge {at}", text=f"Under the {tree}, point").replace(
            b'<div class="text">',
            f'{before}<div class="text"><p>It rained on the old {tree} for hours.</p>{inside}'.replace("{tree}", tree).encode(),
        )
        for at, tree in enumerate(TREES)
    }
    corpus.store(*pages.items())

    def kinds() -> set[str]:
        corpus.build()
        ended = curator("audit", corpus.portal.sources[0].path, "--corpus", corpus.folder, "--jobs", "1", "--json")
        return {finding["kind"] for finding in json.loads(ended.out)["findings"]}

    kind = request.node.callspec.id.partition(",")[0]
    assert kind in kinds()
    corpus.rules = f"{ruled}\n"
    assert kinds() == set()
