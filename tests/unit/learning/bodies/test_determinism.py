"""What is learned is the same, whatever the order in which sets and tables of hashes happen to be gone through."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_SCRIPT = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from invented_articles import paragraphs, sentence, written
from webarticlecurator.config.load import load_portal
from webarticlecurator.document.page import read_page
from webarticlecurator.learning.bodies import Truth, find_bodies
from webarticlecurator.model.capture import Capture

folder = Path(sys.argv[1])
(folder / "portal.yaml").write_text("portal: pelda\\ntitle: P\\nhome: https://pelda.example/\\n")
pages = []
for n in range(1, 7):
    inside = f"<p class='plea note box-{n % 2}'>Give us your address and we send you news.</p><div class=odd-one>{sentence(900 + n)}</div>"
    body = f"<div class='story text main' id=story>{written(paragraphs(100 * n))}{inside}<p class=tip>{sentence(800 + n)}</p></div>"
    url = f"https://pelda.example/{n}"
    page = Capture(url=url, requested_url=url, status=200, headers=(), entity=body.encode(), date=datetime(2024, 5, 1, tzinfo=UTC))
    pages.append(read_page(page, encoding="utf-8"))
truth = Truth(url="https://pelda.example/1", text="\\n".join(paragraphs(100)))
print(find_bodies(pages, [truth], portal=load_portal(folder / "portal.yaml")))
"""


@pytest.mark.slow
def test_the_same_is_learned_under_any_hash_seed(tmp_path: Path) -> None:
    support = Path(__file__).parents[3] / "support"
    told = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT, str(tmp_path)],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(support)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1
    assert "p.tip" in told.pop()
