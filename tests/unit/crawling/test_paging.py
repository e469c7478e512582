from __future__ import annotations

from pathlib import Path

import pytest
from simulated_archive import SimulatedArchive, WalkingCrawl

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.corpus.events import EndKind
from webarticlecurator.crawling.paging import WALKS


def test_every_way_of_paging_has_its_walk() -> None:
    assert set(WALKS) == set(PagingMode)


@pytest.mark.parametrize("mode", list(PagingMode))
def test_a_small_archive_is_walked_to_its_proved_end(mode: PagingMode, tmp_path: Path) -> None:
    archive = SimulatedArchive(mode=mode)
    archive.publish(12)
    crawl = WalkingCrawl(archive, tmp_path)

    end = crawl.walk()

    assert (end.kind, end.whole, crawl.found()) == (EndKind.PROVED, True, set(archive.articles))
    crawl.ledger.close()
