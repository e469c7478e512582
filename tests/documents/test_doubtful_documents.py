"""Documents that say what can hardly be true are told, each by its address, and only those."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml.html import document_fromstring
from seams import portal_of
from small_corpus import SmallCorpus, page

ALL, WRONG = 600, 12
"""Documents, and those of one mistake."""
RULES = """
metadata: {author: .who}
body: {root: div.text}
posts: {forum: {item: div.post, author: b, text: div.said}}
"""
SAID = "I have seen it with my own eyes, on the day when they opened the gates, and I shall not forget it. "
GERMAN = "Der Rat hat sich am Dienstag getroffen und lange über die Brücke und das Geld gesprochen, das beide brauchen. "
INVITED = "Read about all that happens here in our letter every morning.</p><p>Write to our desk whenever you know more than we do."
"""Two sentences at the ends of paragraphs: a document that has both is still one document."""
CAPTURED = "2024-06-01T00:00:00Z"
FIRST, LAST = ("Ann", "Bo", "Cy", "Dee", "Eva", "Finn", "Gus"), ("Lee", "Falk", "Moss", "Oak", "Reed", "Ash", "Birch", "Cole")
WORDS = ("dams", "ships", "rails", "locks", "fish", "mills", "roads", "ports", "kites", "wells", "barns")


def article(
    number: int,
    *,
    headline: str | None = None,
    published: str | None = None,
    author: str | None = None,
    beside: str = "",
    last: str = "",
) -> bytes:
    """A page that is right but for what is given."""
    name = author or f"{FIRST[number % 7]} {LAST[number % 8]}"
    day = published or f"20{10 + number % 13}-{number % 12 + 1:02}-{number % 27 + 1:02}T0{number % 9}:15:00+02:00"
    title = f"The {WORDS[number % 11]} of {LAST[number % 8]} {number}" if headline is None else headline
    said = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": title, "datePublished": day}
    said["author"] = [{"@type": "Person", "name": each} for each in (name, beside) if each]
    text = f"Of {WORDS[number % 11]} and {WORDS[number % 7]} number {number}"
    html = page(title, text=text, published=None, head=f"<script type='application/ld+json'>{json.dumps(said)}</script>")
    return html.replace(b"</div></article>", f"<p>They went on for days with {number} others. {last}</p></div></article>".encode())


def _with(html: bytes, inside: str) -> bytes:
    return html.replace(b"</article>", f"{inside}</article>".encode())


def _in_german(number: int) -> bytes:
    html = article(number)
    begin, end = html.index(b'<div class="text">'), html.index(b"</article>")
    return html[:begin] + f'<div class="text">{f"<p>{GERMAN}{number}.</p>" * 5}</div>'.encode() + html[end:]


def thread(number: int, opener: str) -> bytes:
    """A thread that Ann Lee began, by its data."""
    posts = "".join(f"<div class=post><b>{who}</b><div class=said><p>{SAID}{number}</p></div></div>" for who in (opener, "Cy Moss"))
    return _with(article(number, author="Ann Lee"), posts)


def _with_lead(html: bytes, lead: str, box: str = "<div class=k><p class=intro>{}</p></div>") -> bytes:
    """A page with a lead, or something else, right below the headline, outside of what is called the body."""
    text = f"{lead}, the whole town came, and nobody had thought that it would last."
    return html.replace(b"</h1>", f"</h1>{box.format(text)}".encode())


MISTAKES: dict[str, Callable[[int], bytes]] = {
    "dated after the capture": lambda number: article(number, published=f"2024-07-0{number % 9 + 1}T10:00:00+02:00"),
    "dated in the minute of the capture": lambda number: article(number, published=f"2024-06-01T00:00:{number % 50 + 5:02}+00:00"),
    "no headline": lambda number: article(number, headline=""),
    "a headline of several documents": lambda number: article(number, headline="Please accept our terms"),
    "signed by the outlet": lambda number: article(number, author="Example"),
    "signed by a word that is no name": lambda number: _with(article(number), "<p class=who>Author</p>"),
    "an author that most others have beside theirs": lambda number: article(number, beside="Pia Foto"),
    "the first post is by somebody else": lambda number: thread(number, "Bo Falk"),
    "in another language than its page says": _in_german,
    "a date that cannot be read beside one that can": lambda number: _with(
        article(number, published="soon"), f"<time datetime='2015-03-0{number % 9 + 1}T10:00:00+01:00'>in March</time>"
    ),
    "a text above the body that no other page has": lambda number: _with_lead(article(number), f"In year {number} they opened it"),
    "a sentence of several documents": lambda number: article(number, last=INVITED),
}
RIGHT: dict[int, Callable[[int], bytes]] = {
    7: lambda number: article(number, beside=f"{FIRST[number % 7]} {LAST[(number + 3) % 8]}"),
    11: lambda number: thread(number, "Ann Lee"),
    **{each: lambda number: _with_lead(article(number), "When this paper began", "<p class=slogan>{}</p>") for each in (13, 14)},
    **{
        each: lambda number: _with_lead(article(number), f"In {number}", "<figure><figcaption>{}</figcaption></figure>")
        for each in (15, 16)
    },
    **{each: lambda number: _with_lead(article(number), f"In {number}", "<p class=teaser><a href=/x>{}</a></p>") for each in (17, 18)},
}
"""Others that are right: of so many documents each one."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> SmallCorpus:
    """A corpus with some documents of each mistake, built."""
    corpus = SmallCorpus(tmp_path_factory.mktemp("doubtful"))
    makers = [make for make in MISTAKES.values() for _ in range(WRONG)]
    of_right = [RIGHT.get(number % 60, article) for number in range(ALL)]
    pages = [(f"/{number}", make(number)) for number, make in enumerate([*makers, *of_right[len(makers) :]])]
    corpus.rules = RULES
    corpus.store(*pages, date=CAPTURED)
    corpus.build()
    return corpus


@pytest.fixture(scope="module")
def problems(corpus: SmallCorpus) -> dict[str, set[int]]:
    """The documents that each mistake was told of, by their numbers."""
    told: dict[str, set[int]] = {name: set() for name in MISTAKES}
    for problem in corpus.problems:
        for name in MISTAKES:
            if problem["reason"].startswith(name):
                told[name].add(int(problem["url"].rpartition("/")[2]))
    return told


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_planted_mistake_is_told_and_hardly_anything_else(problems: dict[str, set[int]], mistake: str) -> None:
    begin = list(MISTAKES).index(mistake) * WRONG
    planted = set(range(begin, begin + WRONG))
    assert planted <= problems[mistake]
    assert len(problems[mistake] - planted) <= 2


def test_an_audit_tells_the_doubts_with_documents_to_look_at(corpus: SmallCorpus, curator: Callable[..., Any]) -> None:
    command = ("audit", corpus.folder.parent / "portal.yaml", "--corpus", corpus.folder, "--sample", 30)
    told = json.loads(curator(*command, "--json").out)
    assert (told["exit_code"], len(told["documents"])) == (1, len(MISTAKES))
    numbers = [int(example["url"].rpartition("/")[2]) for doubt in told["documents"] for example in doubt["examples"]]
    assert len(numbers) == 3 * len(MISTAKES)
    assert max(numbers) < WRONG * len(MISTAKES)
    in_words = curator(*command).out
    assert "12 documents dated after their capture" in in_words
    assert told["documents"][0]["examples"][0]["url"] in in_words


def test_a_report_begins_with_the_doubts_and_three_pages_of_each(corpus: SmallCorpus, curator: Callable[..., Any], tmp_path: Path) -> None:
    command = ("report", corpus.folder.parent / "portal.yaml", "--corpus", corpus.folder, "-o", tmp_path / "report.html")
    assert curator(*command).code == 0
    report = document_fromstring((tmp_path / "report.html").read_bytes())
    reasons = [row.text_content().strip() for row in report.cssselect("table.problems td:nth-child(3)")]
    assert sum(reason.startswith("12 documents ") for reason in reasons) == len(MISTAKES), reasons
    first = report.cssselect(".first li:has(.pages-of)")
    assert [len(each.cssselect(".pages-of a")) for each in first] == [3] * 6
    assert all("suspicious: 12 documents " in " ".join(each.text_content().split()) for each in first)
    shown = report.cssselect("body")[0].text_content()
    assert ("`" in shown, "<code>" in shown) == (False, False)
    assert "metadata.author" in [code.text for code in report.cssselect("td bdi > code")]


ENDED = (
    "signed by the outlet",
    "signed by a word",
    "with an author that is beside",
    "with a headline that others",
    "with a sentence that",
    "text between",
)
"""Doubts that a rule ends."""


def test_learning_begins_with_the_doubts_and_the_rules_that_end_them(corpus: SmallCorpus, curator: Callable[..., Any]) -> None:
    command = ("learn", corpus.folder.parent / "portal.yaml", "--corpus", corpus.folder, "--metadata", "--json")
    remarks = json.loads(curator(*command).out)["remarks"][: len(MISTAKES)]
    assert all(remark.startswith("12 documents ") for remark in remarks)
    proposed = {
        part: rule for part in ENDED for remark in remarks if part in remark for rule in re.findall("`(.+)` would end that", remark)
    }
    assert proposed.keys() == set(ENDED)
    assert proposed["text between"] == "body: {root: {all_of: ['p.intro', 'div.text']}}"
    assert proposed["signed by the outlet"] == "metadata: {author: {drop: ['^Example$']}}"
    for rule in proposed.values():
        portal_of(**yaml.safe_load(rule))
