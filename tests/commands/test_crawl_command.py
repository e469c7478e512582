from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from webarticlecurator.cli import arguments, crawl, crawl_report
from webarticlecurator.config.portal import Column, DateRange, Dates, DateStep, Paging, PagingMode, Portal
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.errors import Mistake
from webarticlecurator.model.outcome import FetchOutcome


def column(name: str, dates: Dates | None = None) -> Column:
    return Column(name=name, template=UrlTemplate.parse("https://pelda.example/"), paging=Paging(mode=PagingMode.NONE), dates=dates)


EVERY_YEAR = Dates(
    ranges=(
        DateRange(start=date(2020, 1, 1), until="today", step=DateStep.YEAR, template=UrlTemplate.parse("https://pelda.example/{year}")),
    )
)


PELDA = Portal(
    name="pelda",
    title="Példa",
    home="https://pelda.example/",
    language="hu",
    timezone=ZoneInfo("Europe/Budapest"),
    columns=(column("belfold", EVERY_YEAR), column("kulfold", EVERY_YEAR)),
    hosts=frozenset({"pelda.example"}),
)
CONTACT = ("--contact", "a@example.org")


@dataclass
class Crawls:
    """Stands in for crawling: remembers what it was asked, and ends as it is told."""

    endings: dict[str, CrawlSummary] = field(default_factory=dict)
    asked: list[tuple[tuple[str, ...], Path | None, CrawlOptions]] = field(default_factory=list)

    def run(self, portals: Any, corpus: Path | None, options: CrawlOptions) -> list[CrawlSummary]:
        names = tuple(portal.name for portal in portals)
        self.asked.append((names, corpus, options))
        return [self.endings.get(name, CrawlSummary(portal=name, archive_pages=3, new=40, fetched=40)) for name in names]

    @property
    def options(self) -> CrawlOptions:
        return self.asked[-1][2]


@pytest.fixture
def crawls(monkeypatch: pytest.MonkeyPatch) -> Crawls:
    stand_in = Crawls()
    monkeypatch.setattr(crawl, "run", stand_in.run)
    monkeypatch.setattr(arguments, "load_portals", lambda names: tuple(replace(PELDA, name=Path(name).stem) for name in names))
    return stand_in


def test_flags_become_options(curator, crawls: Crawls, tmp_path: Path) -> None:
    ended = curator(
        "crawl", "pelda.yaml", "--archive-only", "--column", "belfold", "--column", "kulfold",
        "--from", "2024-01-01", "--until", "2024-03-31", "--limit", "50", "--full", "--recheck", "30d", "--corpus", tmp_path, *CONTACT,
    )  # fmt: skip
    assert ended.code == 0
    assert crawls.asked == [
        (
            ("pelda",),
            tmp_path,
            CrawlOptions(
                articles=False,
                columns=("belfold", "kulfold"),
                start=date(2024, 1, 1),
                until=date(2024, 3, 31),
                limit=50,
                full=True,
                recheck=timedelta(days=30),
                contact="a@example.org",
            ),
        )
    ]


def test_without_flags_everything_is_crawled(curator, crawls: Crawls) -> None:
    curator("crawl", "pelda.yaml", *CONTACT)
    assert crawls.options == CrawlOptions(contact="a@example.org")


def test_several_portals_run_in_one_crawl(curator, crawls: Crawls) -> None:
    curator("crawl", "one.yaml", "two.yaml", *CONTACT)
    assert crawls.asked[0][0] == ("one", "two")


def test_a_foreign_host_is_not_asked_without_a_contact(curator, crawls: Crawls) -> None:
    ended = curator("crawl", "pelda.yaml")
    assert ended.code == 2
    assert "CURATOR_CONTACT" in ended.err
    assert not crawls.asked


@pytest.mark.parametrize("flag", ["--offline", "--dry-run"])
def test_what_asks_nobody_needs_no_contact(curator, crawls: Crawls, flag: str) -> None:
    assert curator("crawl", "pelda.yaml", flag).code == 0
    assert crawls.options.contact is None


def test_the_contact_may_stand_in_the_environment_or_the_settings_file(curator, crawls: Crawls, tmp_path: Path, monkeypatch) -> None:
    settings = tmp_path / "curator" / "settings.yaml"
    settings.parent.mkdir()
    settings.write_text("contact: file@example.org\n")
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(settings.parent))
    curator("crawl", "pelda.yaml")
    assert crawls.options.contact == "file@example.org"
    monkeypatch.setenv("CURATOR_CONTACT", "env@example.org")
    curator("crawl", "pelda.yaml")
    assert crawls.options.contact == "env@example.org"


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--archive-only", "--articles-only"], "exclude each other"),
        (["--from", "2024-02-01", "--until", "2024-01-01"], "nothing lies between"),
        (["--from", "2024-02-01", "--articles-only"], "--articles-only does not walk"),
        (["--from", "yesterday"], "write it as 2024-05-01"),
        (["--recheck", "30"], "write it as 12h, 30d"),
        (["--limit", "-1"], "Invalid value for '--limit'"),
        (["--limit", "many"], "Invalid value for '--limit'"),
        (["--column", "belfald"], "did you mean 'belfold'?"),
        (["--column", "x"], "there are: belfold, kulfold"),
        (["--contact", "me"], "neither an e-mail address"),
        (["--corpus", __file__], "a file, not a folder"),
        (["other.yaml", "--corpus", "somewhere"], "one portal"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_asked(curator, crawls: Crawls, flags: list[str], told: str) -> None:
    ended = curator("crawl", "pelda.yaml", *CONTACT, *flags)
    assert ended.code == 2
    assert told in ended.err
    assert ended.out == ""
    assert not crawls.asked


@pytest.mark.parametrize(
    ("names", "flags", "told"),
    [
        ("belfold kulfold sport", ["--from", "2024-01-01"], ": sport. Those that have are chosen with --column belfold --column kulfold"),
        ("sport english", ["--until", "2024-01-01"], ": sport, english. They can only be walked whole; --limit N"),
        ("belfold sport", ["--until", "2024-01-01", "--column", "sport"], ": sport. They can only be walked whole"),
    ],
)
def test_pages_without_dates_cannot_be_chosen_by_date(
    curator, crawls: Crawls, monkeypatch: pytest.MonkeyPatch, names: str, flags: list[str], told: str
) -> None:
    columns = tuple(column(name, EVERY_YEAR if name in ("belfold", "kulfold") else None) for name in names.split())
    monkeypatch.setattr(arguments, "load_portals", lambda _: (replace(PELDA, columns=columns),))
    ended = curator("crawl", "pelda.yaml", *flags, *CONTACT)
    assert (ended.code, crawls.asked) == (2, [])
    assert "have no `dates`" + told in ended.err


def test_columns_with_dates_are_chosen_by_date_although_others_have_none(curator, crawls: Crawls, monkeypatch) -> None:
    monkeypatch.setattr(arguments, "load_portals", lambda _: (replace(PELDA, columns=(*PELDA.columns, column("sport"))),))
    ended = curator("crawl", "pelda.yaml", "--from", "2024-01-01", "--column", "belfold", *CONTACT)
    assert (ended.code, crawls.options.columns) == (0, ("belfold",))


def test_a_portal_without_an_archive_cannot_be_crawled(curator, crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "load_portals", lambda _: (replace(PELDA, columns=()),))
    ended = curator("crawl", "pelda.yaml", *CONTACT)
    assert ended.code == 2
    assert "no `archive`" in ended.err


def test_warnings_of_the_portal_file_are_told_once(curator, crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    warned = replace(PELDA, warnings=(Mistake(Path("pelda.yaml"), 4, 9, "no element is called `ten`"),))
    monkeypatch.setattr(arguments, "load_portals", lambda _: (warned,))
    ended = curator("crawl", "pelda.yaml", *CONTACT)
    assert ended.code == 0
    assert ended.err.count("pelda.yaml:4:9: warning: no element is called `ten`") == 1
    assert crawls.asked


def test_the_summary_is_a_message_and_names_corpus_and_next_command(curator, crawls: Crawls) -> None:
    ended = curator("crawl", "pelda.yaml", *CONTACT)
    assert ended.out == ""
    assert "pelda: 3 archive pages read, 40 new articles found, 40 fetched. Corpus: corpora/pelda" in ended.err
    assert "Next: `curator status pelda.yaml`" in ended.err


def test_a_dry_run_has_no_figures_and_names_the_command_that_does_it(curator, crawls: Crawls) -> None:
    flags = ("--full", "--column", "belfold", "--from", "2024-01-01", "--limit", "5", "--recheck", "36h", "--corpus", "my corpus")
    ended = curator("crawl", "my pelda.yaml", "--dry-run", *flags)
    told = "Next: `curator crawl 'my pelda.yaml' --full --column belfold --from 2024-01-01 --limit 5 --recheck 36h --corpus 'my corpus'`"
    assert told in ended.err
    assert "archive pages read" not in ended.err
    assert "curator status" not in ended.err


def test_after_the_archive_alone_the_articles_are_next(curator, crawls: Crawls) -> None:
    crawls.endings["pelda"] = CrawlSummary(portal="pelda", new=40, waiting=40)
    told = curator("crawl", "pelda.yaml", "--archive-only", *CONTACT).err
    assert "Next: `curator crawl pelda.yaml --articles-only` fetches the 40 articles that wait" in told


def test_what_was_asked_of_a_part_goes_on_with_that_part(curator, crawls: Crawls) -> None:
    crawls.endings["pelda"] = CrawlSummary(portal="pelda", blocked="5 failures in a row")
    told = curator("crawl", "pelda.yaml", "--column", "belfold", "--from", "2024-01-01", "--limit", "5", *CONTACT).err
    assert "then `curator crawl pelda.yaml --column belfold --from 2024-01-01` goes on" in told


def test_the_next_command_finds_a_corpus_that_lies_elsewhere(curator, crawls: Crawls, tmp_path: Path) -> None:
    ended = curator("crawl", "my portal.yaml", "--corpus", tmp_path, *CONTACT)
    assert f"`curator status 'my portal.yaml' --corpus {tmp_path}`" in ended.err


def test_what_is_missing_is_told_with_the_place_of_the_list(curator, crawls: Crawls) -> None:
    crawls.endings["pelda"] = CrawlSummary(
        portal="pelda",
        fetched=7,
        blocked="HTTP 403 for 12 pages in a row",
        drift=("belfold: the first page has no links",),
        incomplete=("--limit 7 was reached",),
        failures=tuple(f"article {number}: HTTP 500" for number in range(8)),
        problems=10,
    )
    ended = curator("crawl", "pelda.yaml", *CONTACT)
    assert ended.code == 3
    for told in ("Blocked: HTTP 403", "belfold: the first page", "--limit 7", "article 4: HTTP 500", "and 3 more"):
        assert told in ended.err
    assert f"10 problems for a human: {Path('corpora/pelda/problems.jsonl')}" in ended.err
    assert "article 5" not in ended.err


def test_json_gives_one_object_a_portal_on_stdout(curator, crawls: Crawls) -> None:
    crawls.endings["two"] = CrawlSummary(
        portal="two", outcomes={FetchOutcome.FETCHED: 5, FetchOutcome.ERROR: 1}, failures=("1 article: HTTP 500",), problems=1, waiting=1
    )
    ended = curator("crawl", "one.yaml", "two.yaml", "--json", *CONTACT)
    assert ended.code == 1
    one, two = map(json.loads, ended.out.splitlines())
    assert (one["portal"], one["exit_code"], one["fetched"], one["problems_file"]) == ("one", 0, 40, None)
    assert two == {
        "portal": "two",
        "exit_code": 1,
        "corpus": str(Path("corpora/two")),
        "archive_pages": 0,
        "new": 0,
        "fetched": 0,
        "waiting": 1,
        "outcomes": {"fetched": 5, "error": 1},
        "impossible": None,
        "blocked": None,
        "drift": [],
        "incomplete": [],
        "failures": ["1 article: HTTP 500"],
        "going_on": None,
        "refused": [],
        "ways": [],
        "asked_again": [],
        "asked_again_counts": {},
        "remarks": [],
        "problems": 1,
        "problems_file": str(Path("corpora/two/problems.jsonl")),
    }


def test_quiet_leaves_only_the_data(curator, crawls: Crawls) -> None:
    ended = curator("crawl", "pelda.yaml", "--json", "--quiet", *CONTACT)
    assert json.loads(ended.out)["portal"] == "pelda"
    assert ended.err == ""


def many(crawls: Crawls) -> list[str]:
    """Twelve portals that end in every way."""
    names = [f"p{number}" for number in range(12)]
    for name, ended in [
        ("p1", {"blocked": "HTTP 403"}), ("p3", {"impossible": "Another crawl is running"}), ("p5", {"incomplete": ("interrupted",)}),
        ("p7", {"failures": ("2 articles failed",)}), ("p8", {"failures": ("1 article failed",)}),
    ]:  # fmt: skip
        crawls.endings[name] = CrawlSummary(portal=name, archive_pages=3, new=40, fetched=30, waiting=10, **ended)
    return names


def test_the_summary_of_very_many_portals_is_one_screen_with_what_did_not_end_well(curator, crawls: Crawls) -> None:
    ended = curator("crawl", *many(crawls), *CONTACT)
    assert ended.code == 2
    assert ended.err.splitlines() == [
        "12 portals: 36 archive pages read, 480 new articles found, 430 fetched, 50 wait.",
        "  1 could not be crawled, or not to the end:",
        "    p3: Another crawl is running",
        "  1 blocked:",
        "    p1: HTTP 403",
        "  1 incomplete:",
        "    p5: interrupted",
        "  2 finished, with failures:",
        "    p7: 2 articles failed",
        "    p8: 1 article failed",
        "  7 finished, all well",
        "  Next: `curator crawl p0 p1 ...` goes on, or extends what is complete; `curator status p0 p1 ...` has a row for each;",
        "  --verbose tells all of each portal, --json gives it to a program",
    ]


def test_of_very_many_portals_a_program_gets_every_summary_and_verbose_tells_all(curator, crawls: Crawls) -> None:
    names = many(crawls)
    assert [json.loads(line)["portal"] for line in curator("crawl", *names, *CONTACT, "--json").out.splitlines()] == names
    assert curator("crawl", *names, *CONTACT, "--verbose").err.count("  Next: ") == 12


def test_portal_files_of_a_folder_are_named_by_a_pattern(tmp_path: Path) -> None:
    files = [tmp_path / f"p{number}.yaml" for number in range(12)]
    for file in files:
        file.touch()
    assert arguments.many_as_typed([str(file) for file in files]) == f"{tmp_path}/*.yaml"
    assert arguments.many_as_typed([str(file) for file in files[1:]]) == f"{files[1]} {files[2]} ..."


def test_what_is_true_of_several_columns_is_told_once(tmp_path: Path) -> None:
    told = (
        "column a: no list; look at `link`",
        "column b: no list; look at `link`",
        "c: HTTP 500",
        "c: HTTP 500",
        "column d: another list",
    )
    said = crawl_report.in_words(CrawlSummary(portal="pelda", failures=told), Corpus(tmp_path))
    assert [line for line in said if "Failed" in line] == [
        "  Failed: columns a, b: no list; look at `link`",
        "  Failed: c: HTTP 500",
        "  Failed: column d: another list",
    ]
