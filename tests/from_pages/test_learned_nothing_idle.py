"""What `learn` neither asks nor proposes: heads of articles as leads, days of the pages that it read, paths that say nothing."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from invented_articles import paragraphs, sentence, written
from learning_from import Learned, learn

MONTHS = ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober")
AUTHORS = ("Anna Keller", "Jonas Weber", "Mia Schmidt")
HEAD = "portal: pelda\nhome: https://pelda.example/\nlanguage: de\ntimezone: Europe/Berlin\n"


def title(number: int) -> str:
    return " ".join(sentence(5000 + number).split()[:6])


def text(number: int, inside: str = "") -> str:
    return f"<div class=content>{written(paragraphs(100 * number, 5))}{inside}</div>"


def learned(body: Callable[[int], str]) -> Learned:
    """What is proposed from ten pages with these bodies."""
    pages = {}
    for number in range(10):
        head = f"<html lang=de><head><title>{title(number)} - Blog</title></head>"
        pages[f"/blog/{sentence(number).split()[1]}-{number}/"] = f"{head}<body>{body(number)}"
    return learn(articles=pages, head=HEAD)


HEADS = {
    "a header": "<header class=intro><h1>{title}</h1><div><a href=/u/1>{author}</a> {day}, drei Minuten zu lesen</div></header>",
    "called a summary": "<div class=post-summary><h2>{title}</h2><p class=byline>Von {author}, am {day}, in drei Minuten</p></div>",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_what_holds_the_title_and_the_byline_is_no_lead(head: str) -> None:
    def body(number: int) -> str:
        told = head.format(title=title(number), author=AUTHORS[number % 3], day=f"{number + 1}. {MONTHS[number]} 2023")
        return f"<main><div class=post>{told}{written(paragraphs(100 * number, 5))}</div></main>"

    assert "lead" not in json.dumps(learned(body).proposals)


PATHS = (
    "<nav aria-label=breadcrumb><ol class=breadcrumb><li><a href=/>Start</a><li><a href=/blog/>Blog</a><li>{title}</ol></nav>",
    "<div class=breadcrumb><a href=/>Start</a> / {title}</div>",
    "<div class=breadcrumbs><a href=/>Start</a> / <a href=/blog/>Blog</a> / <a href=/x>{title}...</a></div>",
)


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_ends_with_the_headline_and_says_else_the_same_everywhere_is_no_section(path: str) -> None:
    found = learned(lambda number: f"{path.format(title=title(number))}<article><h1>{title(number)}</h1>{text(number)}</article>")
    assert "articleSection" not in found.proposals
