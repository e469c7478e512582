"""The same pages give the same proposals, whatever order Python's sets are in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).resolve().parents[3] / "support"
SCRIPT = """
from trial_portal import page_of
from webarticlecurator.learning.paging import find_article_paging, find_paging
from webarticlecurator.learning.url_cleaning import find_url_cleaning

def page(path, own, extra=""):
    links = "".join(f'<a class="lap x{n}" href="{path}{n}">{n}</a>' for n in range(1, 9) if n != own)
    words = "".join(f'<a href="/cikk/{n}?utm_source=a&hely={n % 2}&fbclid={n}">Egy hosszabb cím {n // 2}</a>' for n in range(9))
    pager = f'<div class="lapok sor" id="alul">{links}<b>{own}</b><a class="tovabb next" href="{path}{own + 1}">következő »</a></div>'
    return page_of(f"<html><head><title>x</title></head><body>{words}{pager}</body></html>", f"https://pelda.example{path}{own}")

pages = [page("/a?oldal=", own) for own in (2, 3, 4)] + [page("/b?oldal=", own) for own in (5, 6)]
print(find_paging(pages).proposals(), find_article_paging(pages).proposals(), find_url_cleaning(pages, pages))
"""


@pytest.mark.slow
def test_proposals_are_the_same_under_every_seed() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(SUPPORT)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert "page_number" in said[0] or "next" in said[0]
    assert "drop_params" in said[0]
