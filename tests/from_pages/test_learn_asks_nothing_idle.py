"""What `curator learn` neither asks nor proposes: heads of articles as leads, days of the pages that it read, paths that say nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from invented_articles import paragraphs, sentence, written

PAGES = 10
MONTHS = ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober")
AUTHORS = ("Anna Keller", "Jonas Weber", "Mia Schmidt")
Learned = Callable[..., dict[str, dict[str, Any]]]


def title(number: int) -> str:
    return " ".join(sentence(5000 + number).split()[:6])


def text(number: int, inside: str = "") -> str:
    return f"<div class=content>{written(paragraphs(100 * number, 5))}{inside}</div>"


@pytest.fixture
def learned(curator: Callable[..., Any], tmp_path: Path) -> Learned:
    """What is proposed from ten saved pages with these bodies, by name."""
    portal = tmp_path / "portal.yaml"
    rules = "language: de\ntimezone: Europe/Berlin\narchive: {url: 'https://pelda.example/blog/', link: h2 a}\n"
    portal.write_text(f"portal: pelda\nhome: https://pelda.example/\n{rules}", "utf-8")

    def learn(body: Callable[[int], str], head: str = "") -> dict[str, dict[str, Any]]:
        files = []
        for number in range(PAGES):
            file = tmp_path / f"{number}.html"
            link = f"<link rel=canonical href=https://pelda.example/blog/{sentence(number).split()[1]}-{number}/>"
            page = f"<meta charset=utf-8>{link}<title>{title(number)} - Blog</title>{head}</head><body>{body(number)}"
            file.write_text(f"<html lang=de><head>{page}</body></html>", "utf-8")
            files += ["--html", file]
        told = json.loads(curator("learn", portal, *files, "--json").out)
        assert told["articles"] == PAGES
        return {proposal["name"]: proposal for proposal in told["proposals"]}

    return learn


@pytest.mark.parametrize(
    "head",
    [
        "<header class=intro><h1>{title}</h1><div><a href=/u/1>{author}</a> {day}, drei Minuten zu lesen</div></header>",
        "<div class=post-summary><h2>{title}</h2><p class=byline>Von {author}, am {day}, zu lesen in drei Minuten</p></div>",
    ],
    ids=["a header", "called a summary"],
)
def test_what_holds_the_title_and_the_byline_is_no_lead(learned: Learned, head: str) -> None:
    def body(number: int) -> str:
        told = head.format(title=title(number), author=AUTHORS[number % 3], day=f"{number + 1}. {MONTHS[number]} 2023")
        return f"<main><div class=post>{told}{written(paragraphs(100 * number, 5))}</div></main>"

    assert "lead" not in json.dumps(list(learned(body).values()))


def test_a_lead_by_its_name_is_still_proposed(learned: Learned) -> None:
    proposals = learned(lambda number: f"<article><h1>{title(number)}</h1><div class=intro>{sentence(800 + number)}</div>{text(number)}")
    assert proposals["body.tags.lead.named"]["choices"][0]["value"] == ["div.intro"]


def test_no_rule_is_made_of_a_day_that_several_pages_tell(learned: Learned) -> None:
    stamp = "<div><p>Dieser Beitrag wurde am {day}. März 2023 von der Redaktion in den Blog gestellt.</p></div>"
    proposals = learned(lambda number: f"<article><h1>{title(number)}</h1>{text(number, stamp.format(day=number // 4 + 1))}")
    assert "2023" not in json.dumps([choice["value"] for one in proposals.values() for choice in one["choices"]])


def test_what_says_the_same_without_a_day_is_left_out(learned: Learned) -> None:
    stamp = "<div><p>Dieser Beitrag wurde von der Redaktion ohne jede Änderung in den Blog gestellt.</p></div>"
    proposals = learned(lambda number: f"<article><h1>{title(number)}</h1>{text(number, stamp)}")
    assert "ohne jede Änderung" in proposals["body.tags.decompose"]["choices"][0]["value"][0]


@pytest.mark.parametrize(
    "path",
    [
        "<nav aria-label=breadcrumb><ol class=breadcrumb><li><a href=/>Start</a><li><a href=/blog/>Blog</a><li>{title}</ol></nav>",
        "<div class=breadcrumb><a href=/>Start</a> / {title}</div>",
        "<div class=breadcrumbs><a href=/>Start</a> / <a href=/blog/>Blog</a> / <a href=/x>{title}...</a></div>",
    ],
)
def test_a_path_that_ends_with_the_headline_and_says_else_the_same_everywhere_is_no_section(learned: Learned, path: str) -> None:
    proposals = learned(lambda number: f"{path.format(title=title(number))}<article><h1>{title(number)}</h1>{text(number)}</article>")
    assert "articleSection" not in proposals


def test_a_question_whose_best_answer_changes_no_document_is_not_asked(learned: Learned) -> None:
    inside = "<div class=qorn><p>{said}</p></div>"
    proposals = learned(lambda number: f"<article><h1>{title(number)}</h1>{text(number, inside.format(said=sentence(900 + number)))}")
    assert proposals == {}


def test_a_question_whose_best_answer_changes_a_document_is_asked(learned: Learned) -> None:
    inside = "<div class=qorn-infobox><p>{said}</p></div>"
    proposals = learned(lambda number: f"<article><h1>{title(number)}</h1>{text(number, inside.format(said=sentence(900 + number)))}")
    assert proposals["body.tags.div.qorn-infobox"]["state"] == "open"
