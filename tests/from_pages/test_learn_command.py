"""`curator learn`: what a person sees, answers, and finds in the file afterwards."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from crawling import Crawling
from invented_articles import paragraphs, sentence
from scripted_portal import Crawler, ScriptedPortal
from seams import shipped
from warc_records import write_warc

AT = "https://pelda.example"
LIST = f"{AT}/list/{{page}}"
RULES = f"""\
portal: pelda
home: {AT}/
language: en
# what a person began with
archive:
  url: {LIST}
  link: a       # to be learned
"""
QUESTION = "articles.next"


def text(number: int) -> str:
    return "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs(100 * number))


def stored(folder: Path, *, articles: int = 12) -> Path:
    """Articles of three years, one of them with a second page, and archive pages, with a portal file beside them."""

    def body(n: int) -> str:
        inside = f"<p class=aside-story>{sentence(900 + n)}</p>"
        further = "<p><a href=?page=2>Next page</a></p>" if n == 1 else ""
        return f"<h1>Title {n}, they say</h1><div class=story>{text(n)}{inside}{text(n + 50)}</div>{further}"

    head = "<title>Title {0}</title><meta property=og:title content='Title {0}'>"
    pages = {
        f"{AT}/{2019 + n % 3}/01/0{n % 9 + 1}/article-{n}": f"<html><head>{head.format(n)}</head><body>{body(n)}</body></html>"
        for n in range(articles)
    }
    lists = {}
    for number in range(3):
        entries = "".join(
            f'<article><h2><a href="{url}">A long headline of the article {url[-2:]}</a></h2></article>'
            for at, url in enumerate(pages)
            if at % 3 == number
        )
        lists[f"{AT}/list/{number + 1}"] = f"<nav><a href=/about>About</a></nav><main>{entries}</main>"
    (folder / "portal.yaml").write_text(RULES, encoding="utf-8")
    return write_warc(folder / "pages.warc.gz", pages | lists)


class Learner:
    """A portal file almost without rules, beside stored pages."""

    def __init__(self, curator: Any, folder: Path) -> None:
        self._curator = curator
        self.file = folder / "portal.yaml"
        self.source: tuple[object, ...] = ("--warc", stored(folder))

    @property
    def text(self) -> str:
        return self.file.read_text("utf-8")

    def learn(self, *flags: object) -> Any:
        return self._curator("learn", self.file, *self.source, *flags)

    def learned(self, *flags: object) -> dict[str, Any]:
        return dict(json.loads(self.learn("--json", *flags).out))

    def states(self, *flags: object) -> dict[str, str]:
        return {one["name"]: one["state"] for one in self.learned(*flags)["proposals"]}


@pytest.fixture
def learner(curator: Any, tmp_path: Path) -> Learner:
    return Learner(curator, tmp_path)


def test_nothing_is_written_without_being_asked(learner: Learner) -> None:
    before = learner.text
    ended = learner.learn("--answer", f"{QUESTION}=1")
    assert learner.text == before
    assert ended.out.startswith(f"--- {learner.file}\n+++ ")
    assert "To be written with --write: " in ended.err
    assert "3 of 3 archive pages (1 column) and 12 of 12 articles" in ended.err
    assert "Next: curator learn " in ended.err


def test_a_persons_own_rule_is_shown_beside_what_was_learned_and_stays_until_it_is_answered(learner: Learner) -> None:
    ended = learner.learn("--write", "--archive")
    assert "  link: a       # to be learned\n" in learner.text
    assert "yours:  link: a\n" in ended.err
    assert "    1  item: " in ended.err or "    1  link: " in ended.err
    assert "--answer NAME=NUMBER --write" in ended.err
    ended = learner.learn("--write", "--archive", "--answer", "archive.link=1")
    assert "# what a person began with\n" in learner.text and "# learned" in learner.text
    assert yaml.safe_load(learner.text)["archive"]["link"] != "a"
    assert learner.states("--archive")["archive.link"] == "there"


def test_a_rule_that_finds_more_than_the_files_own_is_told(learner: Learner) -> None:
    learner.file.write_text(learner.text.replace("link: a ", "link: 'article:first-child h2 a' "), "utf-8")
    assert "otherwise: + " in learner.learn("--archive").err


def test_a_number_means_the_same_in_every_run(learner: Learner) -> None:
    def choices(*flags: str) -> dict[str, list[Any]]:
        return {one["name"]: [choice["value"] for choice in one["choices"]] for one in learner.learned(*flags)["proposals"]}

    first = choices()
    assert {"archive.link", QUESTION} <= first.keys()
    for name, values in first.items():
        answered = choices("--answer", f"{name}={len(values)}")
        assert answered == {**answered, name: values}
        assert {one: answered[one] for one in first if one in answered} == {one: first[one] for one in first if one in answered}


def typed_at_a_terminal(learner: Learner, keys: bytes, *flags: str) -> tuple[int, str]:
    """What a person at a terminal is shown who types this."""
    command = [sys.executable, "-m", "webarticlecurator", "learn", learner.file, *learner.source, "--articles", *flags]
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        list(map(str, command)), stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "NO_COLOR": "1"}
    )
    os.close(theirs)
    shown, typed = b"", keys.splitlines(keepends=True)
    try:
        while piece := os.read(ours, 65536):
            shown += piece
            if typed and shown.endswith(b"  > "):
                os.write(ours, typed.pop(0))
    except OSError:  # how Linux says that nobody has the terminal open any more
        pass
    finally:
        os.close(ours)
    return run.wait(timeout=60), shown.decode()


def test_questions_at_a_terminal_are_asked_until_an_answer_fits(learner: Learner) -> None:
    code, shown = typed_at_a_terminal(learner, b"99\nx\n1\n", "--write")
    assert code == 0
    assert "Question (1 left)" in shown
    assert shown.count("0: none of them; Enter: later") == 3
    assert "chosen by a person" in learner.text
    assert set(learner.states("--articles").values()) <= {"there"}


def test_a_question_at_a_terminal_may_wait(learner: Learner) -> None:
    before = learner.text
    code, shown = typed_at_a_terminal(learner, b"\n" * 9)
    assert code == 1
    assert "Not sure, and so not written" in shown
    assert learner.text == before


def test_a_portal_that_came_with_the_program_is_not_written(learner: Learner) -> None:
    before = learner.text
    with shipped(learner.file.parent):
        ended = learner.learn("--write")
    assert (ended.code, "came with curator" in ended.err, learner.text) == (2, True, before)


def test_questions_are_printed_with_the_flag_that_answers_them(learner: Learner) -> None:
    assert learner.states()[QUESTION] == "open"
    ended = learner.learn()
    assert (ended.code, f"--answer {QUESTION}=1  (or" in ended.err) == (1, True)


def test_only_some_proposals_are_looked_for(learner: Learner) -> None:
    assert not [name for name in learner.states("--articles") if name.startswith("archive")]
    assert all(name.startswith("archive") for name in learner.states("--archive"))


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--answer", "archive.link=x"), "write the name and the number"),
        (("--answer", "nothing=1"), "there is no proposal of that name"),
        (("--answer", "archive.link=9"), "0 for none of them"),
        (("--from", "https://elsewhere.example/"), "--from https://elsewhere.example/"),
        (("--warc", "no.warc"), "no.warc"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(learner: Learner, flags: tuple[str, ...], told: str) -> None:
    ended = learner.learn(*flags)
    assert (ended.code, told in ended.err) == (2, True)


def test_a_read_only_file_stays_as_it_is(learner: Learner) -> None:
    before = learner.text
    learner.file.chmod(0o444)
    ended = learner.learn("--articles", "--write", "--answer", f"{QUESTION}=1")
    assert (ended.code, "is read-only" in ended.err) == (2, True)
    assert learner.text == before


@pytest.mark.parametrize("answer", ["articles.next=1", "archive.link=1"])
def test_the_same_call_once_more_says_that_it_is_there_and_changes_nothing(learner: Learner, answer: str) -> None:
    part = "--articles" if answer.startswith("articles") else "--archive"
    assert learner.learn(part, "--write", "--answer", answer).code == 0
    written = learner.text
    again = learner.learn(part, "--write", "--answer", answer)
    assert (again.code, learner.text) == (0, written)


@pytest.mark.nightly
def test_every_order_of_hashes_finds_the_same(learner: Learner) -> None:
    alone = learner.learned()
    assert any(not name.startswith("archive") for name in learner.states()), "of articles, too"
    command = [sys.executable, "-m", "webarticlecurator", "learn", learner.file, *learner.source, "--json"]
    for seed in ("1", "2"):
        ended = subprocess.run(list(map(str, command)), env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=False)
        assert json.loads(ended.stdout) == alone


# --- crawled and saved pages ---


BARE = """\
portal: kilenchid
home: {home}/
language: hu
timezone: Europe/Budapest
archive:
  link: a       # to be learned
columns:
  belfold: {{url: "{home}/belfold/"}}
  english: {{url: "{home}/en/latest?page={{page}}", pages: infinite}}
  regi:
    url: "{home}/regi/index.php?ev={{year}}&ho={{month}}"
    dates: {{from: 2010-09-01, until: 2011-02-28, step: month}}
"""


def test_what_was_answered_is_written_and_finds_the_articles_of_a_crawl(learner: Learner, crawled_once: Crawling) -> None:
    home = crawled_once.portal.home.rstrip("/")
    learner.file.write_text(BARE.format(home=home), "utf-8")
    learner.source = ("--corpus", crawled_once.corpus)
    assert learner.learn("--write", "--archive", "--answer", "archive.link=1", "--answer", "columns.regi.link=1").code == 0
    tried = json.loads(learner._curator("try", learner.file, f"{home}/belfold/", "--corpus", crawled_once.corpus, "--json").out)
    assert len(tried["articles"]) >= 10
    assert all("/cikk/" in article["url"] for article in tried["articles"])


TEXT = "<p>A folyó reggel elöntötte a rétet, és délre a falu széléig ért, mondta a polgármester.</p>" * 9


def crawled_by_sitemap(curator: Any, folder: Path, site: ScriptedPortal, pages: Mapping[str, str]) -> Crawler:
    """A corpus of these pages, all of which a sitemap names."""
    crawler = Crawler(curator, folder, site)
    urls = "".join(f"<url><loc>{site.home}{path}</loc></url>" for path in pages)
    site.script |= {"/sitemap.xml": f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"}
    site.script |= {path: f"<html><body class=x>{body}</body></html>" for path, body in pages.items()}
    crawler.rules = "archive: {url: HOME/sitemap.xml, format: sitemap}\n"
    assert crawler.crawl() == 0, crawler.said
    return crawler


def test_a_value_that_a_person_mended_in_tests_yaml_becomes_a_rule(curator: Any, tmp_path: Path, site: ScriptedPortal) -> None:
    named = "<meta name=author content='Szerkesztőség'><article><h1>Elöntötte a folyó a rétet {0}</h1><p class=kqline>{1}</p>"
    names = ("Kiss Anna", "Nagy Béla", "Tóth Éva", "Kovács Péter")
    pages = {f"/c/{number}": f"{named.format(number, names[number % 4])}{TEXT}</article>" for number in range(12)}
    crawler = crawled_by_sitemap(curator, tmp_path, site, pages)

    def author() -> list[Any]:
        found = json.loads(curator("learn", crawler.file, "--corpus", crawler.corpus, "--json").out)
        return [one["choices"][0]["value"] for one in found["proposals"] if one["name"] == "author"]

    assert author() == []
    told = [{"url": f"{site.home}/c/1", "expect": {"metadata": {"author": names[1]}}}]
    (tmp_path / "tests.yaml").write_text(json.dumps(told), encoding="utf-8")
    assert author() == ["p.kqline"]


def test_what_tests_yaml_expects_and_no_rule_is_made_of_is_told(curator: Any, tmp_path: Path, site: ScriptedPortal) -> None:
    pages = {f"/c/{number}": f"<article><h1>Elöntötte a folyó a rétet {number}</h1>{TEXT}</article>" for number in range(8)}
    crawler = crawled_by_sitemap(curator, tmp_path, site, pages)

    def remarks(**expected: Any) -> list[str]:
        told = [{"url": f"{site.home}/c/{number}", "expect": expected} for number in (1, 2)]
        (tmp_path / "tests.yaml").write_text(json.dumps(told), encoding="utf-8")
        return list(json.loads(curator("learn", crawler.file, "--corpus", crawler.corpus, "--json").out)["remarks"])

    given = remarks(metadata={"headline": "Mit keiner sagt", "articleSection": "Belföld"}, first_post={"who": "Kiss Anna"})
    (told,) = (remark for remark in given if "tests.yaml" in remark)
    assert told.startswith("tests.yaml expects of 2 pages what the rules do not give"), told
    assert "no rule is proposed for it: headline, articleSection, first_post. docs" in told
    assert not any("tests.yaml" in remark for remark in remarks(metadata={"articleSection": None}))


def test_lists_of_articles_that_a_sitemap_names_too_are_not_learned_from(curator: Any, tmp_path: Path, site: ScriptedPortal) -> None:
    teaser = "<article><h2><a href=/c/{0}>Elöntötte a folyó a rétet {0}</a></h2><p>Délre a falu széléig ért...</p></article>"
    pages = {f"/c/{number}": f"<article><h1>Elöntötte a folyó a rétet {number}</h1>{TEXT}</article>" for number in range(8)}
    lists = {f"/rovat/{name}": "".join(map(teaser.format, range(8))) + "<a rel=next href=/rovat/x>Tovább</a>" for name in ("a", "b", "c")}
    crawler = crawled_by_sitemap(curator, tmp_path, site, pages | lists)
    found = json.loads(curator("learn", crawler.file, "--corpus", crawler.corpus, "--json").out)
    assert (found["articles"], found["of_articles"]) == (8, 11)
    assert "articles.next" not in {one["name"] for one in found["proposals"]}
    assert any("3 stored pages could not be used: it is a list of articles" in remark for remark in found["remarks"])


# --- pages in files ---


def test_it_is_told_of_how_many_pages_some_were_read(curator: Any, tmp_path: Path) -> None:
    stored(tmp_path, articles=50)
    ended = curator("learn", tmp_path / "portal.yaml", "--warc", tmp_path / "pages.warc.gz", "--json", "--articles")
    told = json.loads(ended.out)
    assert told["articles"] < told["of_articles"] == 50


def test_without_pages_it_is_said_where_they_come_from(curator: Any, tmp_path: Path) -> None:
    (tmp_path / "portal.yaml").write_text(RULES, encoding="utf-8")
    file = write_warc(tmp_path / "pages.warc.gz", {"https://pelda.example/list/1": " "})
    ended = curator("learn", tmp_path / "portal.yaml", "--warc", file)
    assert (ended.code, "`curator crawl " in ended.err) == (2, True)


def test_where_the_archive_gives_no_articles_the_next_step_is_to_mend_it(curator: Any, tmp_path: Path) -> None:
    (tmp_path / "portal.yaml").write_text(RULES, encoding="utf-8")
    file = write_warc(tmp_path / "pages.warc.gz", {f"{AT}/list/1": f"<p>{sentence(1)}</p>" * 5})
    ended = curator("learn", tmp_path / "portal.yaml", "--warc", file)
    assert "Nothing to write into portal.yaml" in ended.err
    assert f"Next: `curator check {tmp_path / 'portal.yaml'} --fetch` shows what the rules find" in ended.err
