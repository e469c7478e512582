"""Which numbers of events no file holds, and what nobody has noted of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webarticlecurator.corpus.events import LostEvent, RightsEvent
from webarticlecurator.corpus.losses import MissingNumbers, Numbering

ARCHIVE = "pelda-archive-20240501T120000Z-00001.warc.gz"
ARTICLES = "pelda-articles-20240501T120003Z-00001.warc.gz"
OTHERS = "pelda-articles-20240502T120003Z-00001.warc.gz"
LOST = LostEvent(seq=0, run=1, at="2024-05-02T12:00:00+00:00", file=ARTICLES, first=3, last=4, articles=(("u", None, None, 0, None),))


def seen(*numbers: tuple[int, str], start: int = 0) -> Numbering:
    numbering = Numbering(start)
    for number, file in numbers:
        numbering.passed(RightsEvent(seq=number, run=1, at="2024-05-01T12:00:00+00:00", url="https://pelda.example/robots.txt"), file)
    return numbering


@pytest.mark.parametrize(
    ("numbers", "gaps"),
    [
        (((1, ARCHIVE), (2, ARTICLES), (3, ARCHIVE)), []),
        (((2, ARCHIVE), (3, ARCHIVE)), [MissingNumbers(1, 1, archive=True)]),
        (((1, ARCHIVE), (4, ARCHIVE)), [MissingNumbers(2, 3, archive=True)]),
        (((1, ARTICLES), (4, ARTICLES)), [MissingNumbers(2, 3, archive=False)]),
        (((1, ARTICLES), (4, OTHERS)), [MissingNumbers(2, 3, archive=True)]),
        (((1, ARCHIVE), (1, ARCHIVE), (2, ARCHIVE)), []),
    ],
)
def test_a_gap_may_have_been_of_the_archive_unless_it_lies_within_one_file_of_articles(
    numbers: tuple[tuple[int, str], ...], gaps: list[MissingNumbers]
) -> None:
    assert seen(*numbers).unnoted([]) == gaps


def test_only_what_comes_after_the_ledger_is_looked_at() -> None:
    assert seen((8, ARCHIVE), start=7).unnoted([]) == []


def test_a_loss_that_was_noted_in_the_files_or_just_now_is_no_news() -> None:
    numbering = seen((1, ARCHIVE), (2, ARCHIVE), (5, ARCHIVE))
    assert numbering.unnoted([]) == [MissingNumbers(3, 4, archive=True)]
    assert numbering.unnoted([replace(LOST, last=3)]) == [MissingNumbers(4, 4, archive=True)]
    assert numbering.unnoted([LOST]) == []
    numbering.passed(replace(LOST, seq=6), ARCHIVE)
    assert numbering.unnoted([]) == []


def test_a_loss_counts_while_what_it_tells_of_is_not_there() -> None:
    loss = replace(LOST, seq=6)
    assert seen((1, ARCHIVE), (2, ARCHIVE), (5, ARCHIVE)).passed(loss, ARCHIVE) == loss
    assert seen((5, ARCHIVE), start=4).passed(loss, ARCHIVE) == loss, "the ledger has seen what came before"
    back = seen(*((number, ARCHIVE) for number in range(1, 6))).passed(loss, ARCHIVE)
    assert isinstance(back, LostEvent)
    assert (back.seq, back.file, back.articles) == (6, None, ())
