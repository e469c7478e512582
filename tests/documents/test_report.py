"""`curator report`: one page that says no more than is known, shows hostile text as text, and an overview of several portals."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from published import Publish, article, post
from reports import COLUMNS, page_saying
from scripted_portal import BROKEN, GONE, Crawler, listing


def answers(page: Any) -> dict[str, tuple[str, str]]:
    """Question -> the mark, and what is said."""
    lines = page.cssselect(".answers li")
    return {
        line.findtext(".//strong/a"): (line.cssselect(".mark")[0].text_content().strip(), " ".join(line.text_content().split()))
        for line in lines
    }


@pytest.fixture
def report(curator: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """The page of a portal."""

    def made(portal: Path, *flags: object) -> Any:
        ended = curator("report", portal, "-o", tmp_path / "report.html", *flags)
        assert ended.code == 0, ended.err
        return html.fromstring((tmp_path / "report.html").read_bytes())

    return made


def test_the_report_lies_in_the_corpus_the_command_says_where_and_the_same_corpus_gives_the_same_page(
    publish: Publish, curator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    portal = publish(article(1, "Text."))
    assert str(portal.corpus / "reports" / "report.html") in (ended := curator("report", portal.file)).out + ended.err
    made = [portal.folder / name for name in ("one.html", "two.html")]
    for path in made:
        assert curator("report", portal.file, "-o", path).code == 0
    assert made[0].read_bytes() == made[1].read_bytes()
    assert b"made on 2023-11-14" in made[0].read_bytes()
    page = html.fromstring(made[0].read_bytes())
    assert page.cssselect("script") == []
    assert [one.get("href") for one in page.cssselect("link[href^=http], img[src^=http]")] == []


WORDS = """
import sys
for line in sys.stdin:
    columns = line.split("\\t")
    if len(columns) == 10:
        columns[2:4] = [columns[1].lower().removesuffix("s"), "NOUN" if len(columns[1]) > 4 else "DET"]
        line = "\\t".join(columns)
    sys.stdout.write(line)
"""


def test_annotations_are_counted_with_the_most_frequent_lemmas_of_each_year(publish: Publish, curator: Any, report: Any) -> None:
    portal = publish(
        article(1, "The bridges and the bridge.", date="2020-01-01", title="x"), article(2, "A ferry.", date="2021-01-01", title="y")
    )
    assert "annotations" not in [section.get("aria-labelledby") for section in report(portal.file).cssselect("section")]
    (portal.folder / "words.py").write_text(WORDS, encoding="utf-8")
    ended = curator("annotate", portal.file, "--with", f"{sys.executable} {portal.folder}/words.py", "--name", "rules")
    assert ended.code == 0, ended.err
    (portal.corpus / "annotations" / "begun.sqlite").touch()
    (section,) = report(portal.file).cssselect('section[aria-labelledby="annotations"]')
    text = " ".join(section.text_content().split())
    assert "2 articles of 2 annotated (100.0 %), with 11 tokens" in text
    rows = [[" ".join(cell.text_content().split()) for cell in row] for row in section.cssselect("tbody tr")]
    assert rows == [["2020", "1", "1", "7", "bridge 2"], ["2021", "1", "1", "4", "ferry 1"]]


def test_the_page_stands_whichever_number_has_no_rows() -> None:
    for name in COLUMNS.keys() - {"portal", "totals"}:
        assert page_saying(lambda: "A text", but=name).endswith(b"</html>\n"), name


HOSTILE = '<script>alert(1)</script>\u202e</style><b> " onmouseover="x\U000e0041'


def test_whatever_stands_in_a_page_stays_text_and_what_is_not_seen_is_named(publish: Publish, report: Callable[..., Any]) -> None:
    long = "ab " * 4_000
    told = {"title": HOSTILE, "keywords": HOSTILE, "articleSection": HOSTILE, "author": [HOSTILE, long, "a" + "\u0301" * 500]}
    portal = publish(article(1, "Text.", f'<x-odd class="{"x" * 50}">odd</x-odd>', **told, posts=(post(HOSTILE, who=HOSTILE),)))
    page = report(portal.file)
    assert page.cssselect("script") == []
    assert [one for one in page.iter() if any(name.startswith("on") for name in one.attrib)] == []
    text = page.text_content()
    assert "<script>alert(1)</script>" in text
    assert "\u202e" not in text and "U+E0041" in text
    assert long not in text and "characters)" in text
    assert "\u0301" * 10 not in text
    links = [one.get("href") for one in page.cssselect("a[href]")]
    assert all(link.startswith(("#", "http://", "https://")) or ("://" not in link and ":" not in link) for link in links)
    assert {one.get("rel") for one in page.cssselect("a[href^=http]")} <= {"noreferrer noopener"}


def test_of_the_last_day_on_which_the_portal_was_asked_the_report_tells_how_often(publish: Publish, report: Callable[..., Any]) -> None:
    days = ("2024-06-01", "2024-06-01", "2024-06-02")
    portal = publish(*(article(number, "Text.", captured=f"{day}T00:00:00Z") for number, day in enumerate(days)))
    said = " ".join(report(portal.file).get_element_by_id("requests-said").text_content().split())
    assert said.startswith(
        "3 answers of 1 host are stored, 0 of them failed; 1 of them on the last day, 2024-06-02; most on 2024-06-01: 2 by"
    )


RULES = "archive: {url: 'HOME/l/{page}', item: li.t, link: h2 a}\n"


def crawl_and_build(crawler: Crawler) -> None:
    crawler.crawl()
    crawler.run("build", "--jobs", 1)


def test_an_archive_is_only_good_when_all_of_it_is_proved_and_nothing_waits(crawler: Crawler, report: Callable[..., Any]) -> None:
    site = crawler.portal
    site.script |= {"/l/1": listing(1, 2), "/l/2": listing()}
    crawl_and_build(crawler)
    mark, said = answers(report(crawler.file, "--corpus", crawler.corpus))["Complete?"]
    assert mark.startswith("✓"), said
    assert "1 of 1" in said and "100.0" in said
    site.script |= {"/l/1": listing(1, 2, 3), "/c/3": BROKEN}
    crawler.crawl()
    mark, said = answers(report(crawler.file, "--corpus", crawler.corpus))["Missing"]
    assert mark.startswith("!"), said


def test_what_the_site_has_changed_or_taken_away_since_is_told_first(crawler: Crawler, report: Callable[..., Any]) -> None:
    crawler.portal.script |= {"/l/1": listing(1, 2, 3), "/l/2": listing()}
    crawl_and_build(crawler)
    crawler.portal.script |= {"/c/2": "<h1>Más cím</h1><p>Szöveg.", "/c/3": GONE}
    crawler.crawl("--recheck", "1d")
    crawler.run("build")
    said = answers(report(crawler.file, "--corpus", crawler.corpus))["Missing"][1]
    assert "1 article is gone from the site, and kept here. 1 article has another headline or text than when first stored." in said


@pytest.mark.parametrize("is_proved", [True, False])
def test_a_silence_is_either_missing_and_looked_at_first_or_proved_and_neither(
    crawler: Crawler, report: Callable[..., Any], is_proved: bool
) -> None:
    days = {number: f"2024-0{month}-{day:02}" for number, (month, day) in enumerate(product(range(1, 7), range(1, 29, 3)))}
    date = '<meta property="article:published_time" content="{}">'
    script = crawler.portal.script
    script |= {f"/c/{number}": f"{date.format(day)}<h1>Cikk {number}</h1><p>Szöveg." for number, day in days.items()}
    script |= {"/l/1": listing(*days), "/l/2": listing() if is_proved else BROKEN}
    crawl_and_build(crawler)
    page = report(crawler.file, "--corpus", crawler.corpus)
    missing, first = answers(page)["Missing"][1], "".join(one.text_content() for one in page.cssselect(".first"))
    assert ("gap (1)" in first, "1 stretch of days looks like a gap" in missing) == (not is_proved, not is_proved), (first, missing)
    assert ("In 1 stretch of days the portal seems to have published nothing" in missing) is is_proved, missing
    drawn = (bool(page.cssselect("#calendar path.gap")), bool(page.cssselect("#calendar path.silent")))
    assert drawn == (not is_proved, is_proved)
    assert ("look like gaps" in page.get_element_by_id("calendar-said").text) is not is_proved


def test_without_a_walk_nothing_is_called_complete_and_what_was_left_out_is_told(publish: Publish, report: Callable[..., Any]) -> None:
    mark, said = answers(report(publish(article(1, "Text.", "<x-odd>odd words</x-odd>", author="Ada")).file))["Complete?"]
    assert mark.startswith("!")
    assert "Nothing proves it" in said


def test_text_and_metadata_are_called_good_only_where_they_are(publish: Publish, report: Callable[..., Any]) -> None:
    good = answers(report(publish(*(article(n, f"Text {n}.", author=f"Ann {n}") for n in range(3))).file))
    assert good["Metadata"][0].startswith("✓"), good["Metadata"]
    assert "tags that no rule decides hold no words" in good["Text"][1]
    bad = answers(report(publish(article(1, "Text.", "<x-odd>odd words</x-odd>", portal="masik"), name="masik").file))
    assert bad["Metadata"][0].startswith("!"), bad["Metadata"]
    assert "No name looks wrong" in good["Metadata"][1] and "No name" not in bad["Metadata"][1], "there is none"
    assert "stand in tags that no rule decides" in bad["Text"][1]


def test_a_missing_file_and_documents_by_other_rules_are_missing(publish: Publish, report: Callable[..., Any]) -> None:
    portal = publish(article(1, "Text."))
    portal.more["publisher"] = {"name": "Another"}
    assert "made by other rules" in answers(report(portal.file))["Missing"][1]
    next((portal.corpus / "warc").glob("*articles*")).unlink()
    mark, said = answers(report(portal.file))["Missing"]
    assert mark.startswith("!")
    assert "missing or cut" in said
