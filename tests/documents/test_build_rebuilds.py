"""What a build leaves behind, whatever came before it."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from crawling import Heard
from ledgers import changed_by_hand
from seams import locked, spoiled_documents
from small_corpus import SmallCorpus, page

from webarticlecurator import CorpusBusy, CorpusError, Outcome, read_corpus


def test_every_article_gets_a_document_in_the_folder_of_its_day(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("One")), ("/b", page("Two", published=None)))
    summary = corpus.build()
    assert summary.written == 2
    assert sorted(re.sub(r"pelda-[0-9a-f]{16}", "ID", path) for path in corpus.documents) == ["2024/05/01/ID.xml", "undated/ID.xml"]
    assert summary.outcomes == {Outcome.ARTICLE: 2}


def test_a_second_build_has_nothing_to_do_and_building_all_again_gives_the_same_bytes_on_another_day(corpus: SmallCorpus) -> None:
    """Though the template names the day."""
    corpus.store(("/a", page()), ("/b", page("Two")))
    corpus.build(template="project")
    before = corpus.documents
    assert all(b"2026-01-02" in document for document in before.values())
    again = corpus.build(template="project")
    assert (again.articles, again.unchanged, again.written, again.confirmed) == (2, 2, 0, 0)
    corpus.now = corpus.now.replace(year=2027)
    again = corpus.build(template="project", everything=True)
    assert (again.unchanged, again.written, again.confirmed) == (0, 0, 2)
    assert corpus.documents == before
    (corpus.folder / "tei" / next(iter(before))).unlink()
    assert corpus.build(template="project").written == 1, "a deleted document is made again"
    assert corpus.documents.keys() == before.keys()


def test_source_date_epoch_decides_the_day_that_documents_name(corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.store(("/a", page()))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    corpus.build()
    assert b"2023-11-14" in next(iter(corpus.documents.values()))


def test_a_rule_that_changes_one_document_touches_only_that(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("One", text='<b class="ad">Buy this</b>')), ("/b", page("Two")))
    corpus.build()
    before = corpus.documents
    corpus.rules = "body: {tags: {decompose: [b.ad]}}\n"
    summary = corpus.build()
    assert (summary.written, summary.confirmed, summary.untouched) == (1, 0, 1)
    assert len([path for path, document in corpus.documents.items() if document != before[path]]) == 1
    assert not any(b"Buy this" in document for document in corpus.documents.values())


def test_a_rule_for_addresses_that_are_skipped_touches_only_these(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("One")), ("/b", page("Two")))
    for rules, removed, written in (("", 0, 2), ("articles: {skip: {url: [/a$]}}\n", 1, 0), ("", 0, 1)):
        corpus.rules = rules
        summary = corpus.build()
        assert (summary.removed, summary.written, summary.untouched) == (removed, written, int(written < 2))


def test_a_build_that_is_cut_off_after_an_edit_goes_on_where_it_was(corpus: SmallCorpus) -> None:
    """What it has read by the new rules, and what nobody had to read, is as if nothing had cut it off."""
    corpus.store(*((f"/{number}", page(f"Number {number}", text='<b class="ad">Buy</b>' if number % 2 else "")) for number in range(80)))
    corpus.build()
    corpus.rules = "body: {tags: {decompose: [b.ad]}}\n"
    stop = Event()
    cut = corpus.build(stop=stop, progress=StopsWhenShown(stop))
    assert (cut.incomplete is not None, 0 < cut.written < 40) == (True, True)
    rest = corpus.build()
    assert (cut.written + rest.written, rest.confirmed) == (40, 0)
    assert rest.untouched > 0
    left = corpus.documents
    assert corpus.build(everything=True).written == 0
    assert corpus.documents == left


@pytest.mark.parametrize(
    ("rules", "template"), [("creator: Anna\n", "default"), ("publisher: {place: Szeged}\n", "default"), ("", "project")]
)
def test_what_documents_say_of_their_portal_is_written_without_reading_pages(corpus: SmallCorpus, rules: str, template: str) -> None:
    corpus.store(("/a", page("One")), ("/b", page("Two")))
    corpus.build()
    corpus.rules = rules
    summary = corpus.build(template=template)
    assert (summary.written, summary.confirmed, summary.untouched) == (2, 0, 2)
    left = corpus.documents
    assert corpus.build(template=template, everything=True).written == 0
    assert corpus.documents == left


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        ("UPDATE meta SET value = '[1]' WHERE name = 'kept rules'", "is damaged"),
        ("UPDATE meta SET value = replace(value, 'home: ', 'hom: ') WHERE name = 'kept rules'", "cannot be read any more"),
        ("UPDATE meta SET value = replace(value, 'Example', 'Another') WHERE name = 'kept rules'", "says something else now"),
        ("UPDATE meta SET value = 'no' WHERE name = 'finished'", "was cut off"),
        ("PRAGMA user_version = 1", "another version of curator"),
    ],
)
def test_a_build_that_cannot_compare_its_rules_with_the_last_ones_says_why(corpus: SmallCorpus, harm: str, reason: str) -> None:
    corpus.store(("/a", page("One")), ("/b", page("Two")))
    corpus.build()
    with changed_by_hand(corpus.folder / "build.sqlite") as database:
        database.execute(harm)
    corpus.rules = "body: {tags: {decompose: [b.ad]}}\n"
    heard = Heard()
    summary = corpus.build(progress=heard)
    assert (summary.unchanged, summary.untouched) == (0, 0)
    assert [line for line in heard.said if "all articles are read" in line and reason in line] != []


class StopsWhenShown:
    """A person who ends a build when it has done something."""

    def __init__(self, stop: Event) -> None:
        self._stop = stop

    def show(self, snapshot: Any) -> None:
        self._stop.set()

    def say(self, portal: str, message: str) -> None:
        """Reads nothing."""


def test_a_changed_date_moves_the_document(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page(published="2024-05-01")), date="2024-06-01T00:00:00Z")
    corpus.build()
    corpus.store(("/a", page(published="2024-05-02")), date="2024-06-02T00:00:00Z")
    corpus.build()
    assert [path.rpartition("/")[0] for path in corpus.documents] == ["2024/05/02"]
    assert not (corpus.folder / "tei/2024/05/01").exists()


def test_what_is_no_article_any_more_leaves_no_document(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page()), ("/b", page("Two", text="<i class=list></i>")))
    corpus.build()
    corpus.rules = "articles: {skip: {when: [i.list]}}\n"
    summary = corpus.build()
    assert summary.removed == 1
    assert len(corpus.documents) == 1
    assert corpus.built["/b"][0] == "not-article"


def test_what_the_ledger_has_no_page_of_any_more_goes_unless_it_knows_nothing(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page()), ("/b", page("Two")))
    corpus.build()
    corpus.forget("/b")
    assert corpus.build().removed == 1
    assert (list(corpus.built), len(corpus.documents)) == (["/a"], 1)
    corpus.forget("/a")
    with pytest.raises(CorpusError, match="Nothing was changed"):
        corpus.build()
    assert len(corpus.documents) == 1


def test_without_its_database_everything_is_built_again_and_strangers_go(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page()))
    corpus.build()
    before = corpus.documents
    for file in corpus.folder.glob("build.sqlite*"):
        file.unlink()
    stale = corpus.folder / "tei/2020/01/01/pelda-0123456789abcdef.xml"
    stale.parent.mkdir(parents=True)
    stale.write_text("<TEI/>")
    notes = corpus.folder / "tei/notes.xml"
    notes.write_text("a person's own file")
    summary = corpus.build()
    assert (summary.written, summary.confirmed) == (0, 1)
    assert not stale.exists()
    notes.unlink()
    assert corpus.documents == before


def test_an_interrupted_build_says_so_and_the_next_one_goes_on(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page()), ("/b", page("Two")))
    stop = Event()
    stop.set()
    cut = corpus.build(stop=stop)
    assert cut.incomplete is not None
    assert not cut.written
    assert corpus.build().written == 2


def test_two_builds_of_one_corpus_do_not_run_at_once(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page()))
    with locked(corpus.folder / "build.lock", "build"), pytest.raises(CorpusBusy, match="Another build"):
        corpus.build()


def test_a_document_that_is_not_valid_is_none_and_the_reason_is_told(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page()), ("/b", page("Two")))
    corpus.build()
    with spoiled_documents(lambda url, document: document.replace(b"<body>", b"<body><nonsense/>") if url.endswith("/b") else document):
        summary = corpus.build(everything=True)
    assert corpus.built["/b"][0] == "invalid"
    assert "nonsense" in corpus.built["/b"][1]
    assert len(corpus.documents) == 1
    assert summary.failures
    assert [(one["url"], one["outcome"]) for one in corpus.problems] == [("https://pelda.example/b", "invalid")]
    corpus.build(everything=True)
    assert len(corpus.documents) == 2
    assert corpus.problems == []


def test_a_page_that_the_program_fails_on_is_reported_and_the_rest_is_built(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page()), ("/b", page("Two")))

    def failing(url: str, document: bytes) -> bytes:
        if url.endswith("/a"):
            raise ValueError("never seen before")
        return document

    with spoiled_documents(failing):
        corpus.build()
    assert corpus.built["/a"][0] == "unreadable"
    assert "never seen before" in corpus.built["/a"][1]
    assert corpus.built["/b"][0] == "article"


def test_a_full_disk_is_nobodys_page(corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.store(("/a", page()))

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        corpus.build()
    monkeypatch.undo()
    assert corpus.build().written == 1


def test_two_articles_with_one_canonical_url_are_a_problem(corpus: SmallCorpus) -> None:
    canonical = '<link rel="canonical" href="https://pelda.example/same">'
    corpus.store(("/a", page(head=canonical)), ("/b", page("Two", head=canonical)))
    corpus.build()
    (problem,) = corpus.problems
    assert problem["outcome"] == "conflict"
    assert "https://pelda.example/same" in problem["reason"]


@pytest.mark.parametrize(("changed", "problems"), [(1, 0), (2, 0), (3, 1), (4, 1)])
def test_an_article_that_got_another_headline_is_no_problem_where_its_text_is_the_same(
    corpus: SmallCorpus, changed: int, problems: int
) -> None:
    sentences = [f"The bridge over the river was closed for the {nth} time." for nth in ("first", "second", "third", "fourth")]
    others = [f"The school in the square opened again for {n} classes." for n in ("a dozen", "thirty", "seventy", "ninety")]
    before, now = sentences, others[:changed] + sentences[changed:]
    corpus.rules = 'articles: {identity: "/cikk/(\\\\d+)"}\nbody: {root: article}\n'
    html = "<html><head><title>{0}</title></head><body><h1>{0}</h1><article>{1}</article></body></html>"
    pages = [html.format(title, "".join(map("<p>{}</p>".format, text))) for title, text in [("A bridge", before), ("Closed again", now)]]
    corpus.store(("/cikk/1-a-bridge", pages[0].encode()), ("/cikk/1-closed-again", pages[1].encode()))
    corpus.build()
    assert len(corpus.problems) == problems
    assert len(corpus.documents) == 1


def test_a_crawl_keeps_the_problems_of_the_build(corpus: SmallCorpus) -> None:
    corpus.store(("/a", b"<html><body></body></html>"))
    corpus.build()
    before = corpus.problems
    assert [one["outcome"] for one in before] == ["empty"]
    corpus.store(("/b", page()))
    assert corpus.problems == before


WALL = b"<html><head><title>Just a moment...</title></head><body><script src='/cdn-cgi/challenge-platform/x.js'></script></body></html>"
CONSENT = (
    b"<html><head><title>Before you continue</title></head><body><h1>Before you continue</h1><button>Accept all</button></body></html>"
)


def test_the_latest_version_counts_and_the_others_are_named_newest_first(corpus: SmallCorpus) -> None:
    for day, title in (("02", "Second"), ("01", "First"), ("03", "Third")):
        corpus.store(("/a", page(title)), date=f"2024-06-{day}T00:00:00Z")
    corpus.build()
    (article,) = read_corpus(corpus.portal, corpus=corpus.folder)
    assert article.title == "Third"
    assert [one.date for one in article.captures] == ["2024-06-03T00:00:00Z"]
    assert [one.date for one in article.versions] == ["2024-06-02T00:00:00Z", "2024-06-01T00:00:00Z"]


@pytest.mark.parametrize("later", [b"", WALL, CONSENT])
def test_an_older_capture_stands_in_for_a_newer_one_that_is_no_page(corpus: SmallCorpus, later: bytes) -> None:
    corpus.store(("/a", page("Good")), date="2024-06-01T00:00:00Z")
    corpus.store(("/a", later), date="2024-06-02T00:00:00Z")
    corpus.build()
    assert corpus.built["/a"][0] == "article"
    assert [one.title for one in read_corpus(corpus.portal, corpus=corpus.folder)] == ["Good"]


@pytest.mark.parametrize("is_built", [False, True])
def test_a_damaged_record_makes_an_article_unreadable_that_has_no_document_yet(corpus: SmallCorpus, is_built: bool) -> None:
    corpus.store(("/a", page("A")), ("/b", page("B")))
    if is_built:
        corpus.build()
    place = next(one.captures[0] for one in read_corpus(corpus.portal, corpus=corpus.folder) if one.title == "A")
    file = corpus.folder / "warc" / place.file
    data = bytearray(file.read_bytes())
    data[place.offset + 20 : place.offset + place.length - 20] = bytes(place.length - 40)
    file.write_bytes(bytes(data))
    corpus.build(everything=True)
    became = "article" if is_built else "unreadable"
    assert {path: outcome for path, (outcome, _) in corpus.built.items()} == {"/a": became, "/b": "article"}
    assert len(corpus.documents) == 1 + is_built


@pytest.mark.parametrize(("link", "kept"), [("", ["corrected"]), ('<a class="next" href="/a?page=2">2</a>', ["second", "corrected"])])
def test_a_later_page_stays_where_the_new_first_page_still_leads_to_it(corpus: SmallCorpus, link: str, kept: list[str]) -> None:
    corpus.rules = "articles: {next: a.next}\n"
    first = 'first <a class="next" href="/a?page=2">2</a>'
    corpus.store(("/a", page("One", text=first)), ("/a?page=2", page("One", text="second")), date="2024-06-01T10:00:00Z")
    corpus.build()
    assert texts(corpus) == [["first", "second"]]
    corpus.store(("/a", page("One", text=f"corrected {link}")), date="2024-06-05T10:00:00Z")
    corpus.build()
    assert texts(corpus) == [kept]


def texts(corpus: SmallCorpus) -> list[list[str]]:
    articles = read_corpus(corpus.portal, corpus=corpus.folder)
    return [[word for word in ("first", "second", "corrected") if word in article.text] for article in articles]


RULES = "body: {root: div.text, tags: {decompose: [div.ad], bold: [b, strong]}}\n"
SAME = {
    "a comment": "# a comment\n" + RULES,
    "politeness": "fetch: {delay: 9s, robots: record}\n" + RULES,
    "a browser": "articles: {fetch: {via: browser, which: truncated}}\n" + RULES,
    "the archive": "archive: {url: 'https://pelda.example/{page}', link: a, pages: infinite}\n" + RULES,
}
OTHER = {
    "no rules": "",
    "another order": RULES.replace("bold: [b, strong]", "bold: [strong, b]"),
    "time zone": RULES + "timezone: Europe/Budapest\n",
    "metadata": RULES + "metadata: {author: .by}\n",
    "a layout": RULES + "layouts: [{name: old, until: 2010-01-01, body: {root: td}}]\n",
    "the encoding": RULES + "fetch: {encoding: iso-8859-2}\n",
    "several pages": RULES + "articles: {next: a.next}\n",
    "a table": RULES + "metadata: {articleSection: {css: .section, map: {a: A}}}\n",
}


@pytest.mark.parametrize("change", [*SAME, *OTHER])
def test_only_what_concerns_documents_has_them_looked_at_again(corpus: SmallCorpus, change: str) -> None:
    corpus.store(("/a", page()))
    corpus.rules = RULES
    corpus.build()
    corpus.rules = {**SAME, **OTHER}[change]
    assert corpus.build().unchanged == (1 if change in SAME else 0)


def test_so_does_another_template(corpus: SmallCorpus) -> None:
    corpus.rules = RULES
    corpus.store(("/a", page()))
    corpus.build()
    assert corpus.build(template="project").unchanged == 0
    assert corpus.build(template="project").unchanged == 1


class Looking(Event):
    """Never stops a build, and notes whether the ledger was held whenever that was asked."""

    def __init__(self, ledger: Path) -> None:
        super().__init__()
        self.ledger, self.held = ledger, list[bool]()

    def is_set(self) -> bool:
        self.held.append(f":{self.ledger.stat().st_ino} " in Path("/proc/locks").read_text("utf-8"))
        return False


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux tells which locks are held")
def test_a_build_keeps_its_hold_on_the_ledger_so_that_a_crawl_beside_it_takes_nothing_away(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.store(*((f"/{number}", page(f"A bridge {number}")) for number in range(3)))
    for _ in range(2):
        looking = Looking(corpus.folder / "ledger.sqlite")
        corpus.build(stop=looking, jobs=1, everything=True)
        assert any(looking.held)
