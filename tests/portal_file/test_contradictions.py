"""What cannot be meant together is told (see also `broken/`), what is hardly meant is warned of, what only looks wrong is left alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import cases
from written_portal import WrittenPortal

from webarticlecurator import Portal, PortalFileError, load_portal

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]
WarningsOf = Callable[[str], list[str]]


@cases("archive", "portal_file/cases/what-fits-together-is-left-alone")
def test_what_fits_together_is_left_alone(mistakes_of: MistakesOf, archive: str) -> None:
    link = "" if "link:" in archive else "link: a, "
    assert mistakes_of(f"archive: {{{link}{archive[1:]}\n") == []


@cases("archive, sentence", "portal_file/cases/what-contradicts-itself-is-told")
def test_what_contradicts_itself_is_told(mistakes_of: MistakesOf, archive: str, sentence: str) -> None:
    assert any(sentence in message for message in mistakes_of(f"archive: {archive}\n"))


@pytest.mark.parametrize("rules", ["item: li", "link: a", "item: li, link: a", "format: urls", "Link: a", "item: a..b"])
def test_an_archive_must_say_where_its_links_are(mistakes_of: MistakesOf, rules: str) -> None:
    sentence = "nothing says where the links to the articles are"
    assert any(sentence in message for message in mistakes_of("archive: {url: 'https://pelda.example/'}\n"))
    assert not any(sentence in message for message in mistakes_of(f"archive: {{url: 'https://pelda.example/', {rules}}}\n"))


def test_a_value_that_was_refused_is_not_told_to_be_missing_as_well(mistakes_of: MistakesOf) -> None:
    (message,) = mistakes_of("archive: {url: 'https://pelda.example/{page}', link: a, pages: {mode: numbered, last: 1.5}}\n")
    assert "`archive.pages.last`" in message


@cases("identity, fine", "portal_file/cases/an-identity-must-not-find-the-date")
def test_an_identity_must_not_find_the_date(mistakes_of: MistakesOf, identity: str, fine: bool) -> None:
    found = mistakes_of(
        "archive: {url: 'https://pelda.example/{year}/{month}/{day}/', link: a, dates: {from: 2015-01-01}}\n"
        f"articles: {{identity: '{identity}'}}\n"
    )
    assert (found == []) is fine, found


@cases("rules, fine", "portal_file/cases/what-cannot-be-meant-together")
def test_what_cannot_be_meant_together_is_a_mistake(mistakes_of: MistakesOf, rules: str, fine: bool) -> None:
    found = mistakes_of(rules + "\n")
    assert (found == []) is fine, found


# --- values that are none ---


@pytest.mark.parametrize("name", ["pelda", "444", "index.hu", "kremmania_forum", "a-b", "x" * 64, "a", "con1", "nulla"])
def test_names_that_are_safe_on_every_file_system_are_taken(name: str) -> None:
    assert named(f'portal: "{name}"\nhome: https://pelda.example/\n').name == name


def named(text: str) -> Portal:
    return load_portal("portal.yaml", content=text.encode())


NO_NAMES = ["", ".", "..", "a/b", "a\\\\b", "a:b", "A", "é", "con", "nul.txt", "com1", "lpt9.x", "a.", "a b", "-a", ".a", "x" * 65]
NO_HOMES = ["pelda.example", "//pelda.example", "ftp://a.b", "https://", "https:///x", "https://a b/", "file:///etc/passwd"]


@pytest.mark.parametrize(
    ("name", "home"),
    [
        *((name, "https://pelda.example/") for name in (*NO_NAMES, "a\\n", "a*", "aux")),
        *(("pelda", home) for home in NO_HOMES),
    ],
)
def test_other_names_are_refused_and_homes_that_are_no_web_addresses(name: str, home: str) -> None:
    with pytest.raises(PortalFileError):
        named(f'portal: "{name}"\nhome: "{home}"\n')


LANGUAGES = ("hu", "en-GB", "sr-Latn", "sr-Latn-RS", "de-CH-1996", "yue", "en-x-web", "no")
NO_LANGUAGES = ("hungarian", "en_US", "hn", "h", "hu-", "en--GB", "1", "no no")
NO_ZONES = ("Budapest", "europe/budapest", "CEST+1", "../etc/passwd", "Europe/", "UTC+1")
NO_DURATIONS = ("-1", "1x", "s", "1 week", "''", "99999999d", "true")
PLACEHOLDERS = ("page", "date", "year", "month", "day", "iso_year", "week", "next_date", "next_year", "column", "value", "home")
NO_HEADERS = ('{headers: {Accept: "a\\r\\nX: b"}}', '{headers: {"Accept: x": b}}', '{user_agent: "a\\nb"}')


def test_languages_are_bcp_47_tags(load: Load) -> None:
    assert [load(f"language: {tag}\n").language for tag in LANGUAGES] == list(LANGUAGES)


@pytest.mark.parametrize(
    "rules",
    [
        *(f"language: {tag}" for tag in NO_LANGUAGES),
        *(f"timezone: {zone}" for zone in NO_ZONES),
        *(f"fetch: {{delay: {text}}}" for text in NO_DURATIONS),
        *(f"fetch: {header}" for header in NO_HEADERS),
        "fetch: {via: browser, wait: 'div['}",
        "fetch: {via: browser, click: 'div['}",
        "fetch: {wait: article}",
        "articles: {fetch: {scroll: {until: end}}}",
        "articles: {format: json, fetch: {via: browser}}",
        *(f"columns: {{a: {{url: 'https://pelda.example/', link: a, vars: {{{name}: 1}}}}}}" for name in PLACEHOLDERS),
    ],
)
def test_what_is_no_value_of_its_key_is_one_mistake(mistakes_of: MistakesOf, rules: str) -> None:
    assert len(mistakes_of(rules + "\n")) == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1s", 1), ("500ms", 0.5), ("2", 2), ("0.5", 0.5), ("0", 0), ("1.5s", 1.5), ("2h", 7200), ("3d", 259200), ("1m", 60)],
)
def test_durations_have_units(load: Load, text: str, seconds: float) -> None:
    assert load(f"fetch: {{delay: {text}}}\n").fetch.delay.total_seconds() == seconds


# --- secrets, and hosts that nobody opens by mistake ---


@cases("fetch", "portal_file/cases/a-literal-secret-is-refused-and-the-environment-named")
def test_a_literal_secret_is_refused_and_the_environment_named(written: WrittenPortal, fetch: str) -> None:
    ended = written.check(f"fetch: {{{fetch}}}\n")
    assert ended.code == 1
    assert "{env: " in ended.out and "jelszo" not in ended.out + ended.err


def test_a_secret_stays_a_name_in_the_effective_file(written: WrittenPortal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_PELDA_SUTI", "nagyon-titkos")
    shown = written.effective("fetch: {headers: {Cookie: {env: CURATOR_PELDA_SUTI}}}\n")
    assert "env: CURATOR_PELDA_SUTI" in shown
    assert "nagyon-titkos" not in shown


@cases("rules, hosts", "portal_file/cases/only-private-hosts-that-the-file-itself-asks-are-opened")
def test_only_private_hosts_that_the_file_itself_asks_are_opened(load: Load, rules: str, hosts: list[str]) -> None:
    assert list(load(rules + "\n").fetch.private_hosts) == hosts


@pytest.mark.parametrize("name", ["../kivul.tsv", "/etc/passwd", "mappa/../../kivul.tsv", "link.tsv", "nincs.tsv"])
def test_files_do_not_leave_the_folder(mistakes_of: MistakesOf, tmp_path: Path, name: str) -> None:
    outside = tmp_path.parent / "kivul.tsv"
    outside.write_text("a\tb\n", encoding="utf-8")
    (tmp_path / "mappa").mkdir()
    (tmp_path / "link.tsv").symlink_to(outside)
    (message,) = mistakes_of(f"archive: {{url: 'https://pelda.example/', link: a, urls: {{map_file: {name}}}}}\n")
    assert ("leads out of the folder" in message) is (name != "nincs.tsv")


def test_a_table_file_without_tabs_is_a_mistake(mistakes_of: MistakesOf, tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a\tb\n\nc;d\n", encoding="utf-8")
    (message,) = mistakes_of("archive: {url: 'https://pelda.example/', link: a, urls: {map_file: t.tsv}}\n")
    assert "line 3 of t.tsv has no tab" in message


# --- warnings: what is hardly meant keeps no portal from being loaded ---


@cases("rules, warnings", "portal_file/cases/what-is-hardly-meant-is-warned-of")
def test_what_is_hardly_meant_is_warned_of(warnings_of: WarningsOf, rules: str, warnings: list[str]) -> None:
    told = warnings_of(rules + "\n")
    assert [warning.split(": ")[0] for warning in told] == [warning.split(": ")[0] for warning in warnings]
    assert all(expected.split(": ")[1] in warning for expected, warning in zip(warnings, told, strict=True)), told


@pytest.mark.parametrize(
    "selector",
    [
        "main > DIV.teaser #box",
        "amp-img, my-teaser, svg linearGradient, math mrow, center font",
        "a:not(.x):has(> img), p:nth-child(2n+1), *",
        "p:contains('teaser box'), a[href='ten'], a[data-x=teaser], [teaser]",
        ".w-1\\/2 a, fb\\:like",
    ],
)
def test_elements_of_html_svg_and_mathml_and_those_with_a_hyphen_are_fine(warnings_of: WarningsOf, selector: str) -> None:
    quoted = selector.replace("'", "''")
    assert warnings_of(f"metadata: {{headline: {{css: \"a\", unless: '{quoted}'}}}}\n") == []


def test_every_place_that_takes_a_selector_is_looked_at(warnings_of: WarningsOf) -> None:
    found = warnings_of(
        "archive: {url: 'https://pelda.example/', item: ten1, link: {css: ten2, within: ten3}, next: ten4}\n"
        "articles: {skip: {when: [ten5]}, next: {css: a, page_number: {current: ten6}}}\n"
        "body: {root: ten7, tags: {box: [ten8], split: {ten9: [paragraph, bold]}}}\n"
        "posts: {comments: {item: 'li:not(ten10)'}}\n"
        "layouts: [{when: ten11, metadata: {author: {css: a, without: ten12}}}]\n"
    )
    assert sorted(warning.split("`")[1] for warning in found) == sorted(f"ten{number}" for number in range(1, 13))


def test_warnings_come_with_the_mistakes(load: Load) -> None:
    with pytest.raises(PortalFileError) as refused:
        load("metadata: {headline: ten, autor: a}\n")
    assert (len(refused.value.mistakes), len(refused.value.warnings)) == (1, 1)
