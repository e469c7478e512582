"""`curator fix`: a value of one article mended by hand holds through builds, exports and releases, and is never put in the place of
another value than the one that was mended."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import etree
from published import Publish, Published, PublishedPortal, article
from seams import faults_of, locked, main

TEXT = "The new bridge over the river was opened on Monday, and a thousand people walked over it together."
PAGES = (
    article(
        1,
        TEXT,
        '<aside class="promo"><p>Subscribe to our letter.</p></aside>',
        '<div class="x-gone"><p>What the mayor said on the bridge.</p></div>',
        title="The brigde",
        author=["News desk", "Ann Lee"],
        keywords=["river"],
    ),
    article(2, TEXT, title="A school"),
)
URL = PAGES[0].url
RULES = {"body": {"root": "div.body", "tags": {"decompose": [".x-gone"]}}}
OTHER_HEADLINE = {"metadata": {"headline": {"meta": "x:keywords"}}}


@pytest.fixture
def portal(publish: Publish) -> PublishedPortal:
    return publish(*PAGES, **RULES)


@pytest.fixture
def fix(curator: Any, portal: PublishedPortal) -> Callable[..., Any]:
    """`curator fix` of the portal, by Eve."""
    return lambda *typed, by="Eve": curator("fix", portal.file, *typed, *(("--by", by) if typed else ()))


def file_of(portal: PublishedPortal) -> Path:
    return portal.folder / "pelda.corrections.yaml"


def line_of(portal: PublishedPortal, page: Published = PAGES[0]) -> dict[str, Any]:
    """What an export tells of an article."""
    place = portal.folder / "out.jsonl"
    assert main(["export", str(portal.file), "--to", "jsonl", "-o", str(place), "--quiet"]) == 0
    lines = map(json.loads, place.read_bytes().splitlines())
    place.unlink()
    return next(line for line in lines if line["url"] == page.url)


def values(line: dict[str, Any], field: str) -> list[str]:
    return [value["value"] for value in line["metadata"].get(field, ())]


def document_of(portal: PublishedPortal, page: Published = PAGES[0]) -> Path:
    (path,) = (portal.corpus / "tei").rglob(f"{page.id}.xml")
    return path


# --- what is typed, and what stands in the file ---


def test_a_value_is_written_with_who_and_why(fix: Any, portal: PublishedPortal) -> None:
    ended = fix(URL, "title=The bridge", "author-=News desk", "author+=Eva Kis", "date=12 May 2021", "--because", "a typo")
    assert ended.code == 0, ended.err
    told = yaml.safe_load(file_of(portal).read_text("utf-8"))
    assert [(one["field"], one["before"], one["after"]) for one in told] == [
        ("headline", "The brigde", "The bridge"),
        ("author", ["News desk", "Ann Lee"], ["Ann Lee", "Eva Kis"]),
        ("datePublished", "2024-05-01T10:00:00+02:00", "2021-05-12"),
    ]
    assert {(one["article"], one["by"], one["because"]) for one in told} == {(URL, "Eve", "a typo")}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["titel=x"], "There is no field titel; did you mean title?"),
        (["title"], "'title' is no change; write FIELD=VALUE"),
        (["title=The brigde"], "The rules give 'The brigde' for headline already"),
        (["title=One", "title=Two"], "headline has one value, and these are 2"),
        (["date=soon"], "datePublished: 'soon' is no date"),
        (["date=2021-02-31"], "is no date"),
        (["language=xx"], "inLanguage: there is no language 'xx'"),
        (["commentCount=many"], "commentCount: 'many' is not a whole number"),
        (["isAccessibleForFree=perhaps"], "isAccessibleForFree: 'perhaps' is not true or false"),
        (["author-=Bob"], "author has no value 'Bob'; it has 'News desk', 'Ann Lee'"),
        (["author+=Ann Lee"], "author has 'Ann Lee' already"),
        (["drop=p:::x"], "drop: not a selector"),
        (["drop=b.none"], "drop: b.none changes nothing in the text of this article. `curator try"),
        (["drop+=aside"], "Write drop=SELECTOR or keep=SELECTOR"),
        (["--forget", "title"], "headline of https://pelda.example/1 is not mended"),
        ([], "Say what is to be mended"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_mended_is_refused_and_nothing_is_written(fix: Any, portal: PublishedPortal, typed: list[str], told: str) -> None:
    ended = fix(URL, *typed)
    assert ended.code == 2
    assert told in ended.err
    assert not file_of(portal).exists()


def test_an_address_of_nothing_is_refused(fix: Any) -> None:
    ended = fix("https://pelda.example/9", "title=x")
    assert (ended.code, "Nothing is stored of https://pelda.example/9" in ended.err) == (2, True)


def test_an_article_may_be_named_by_its_id(fix: Any, portal: PublishedPortal) -> None:
    assert fix(PAGES[0].id, "title=The bridge").code == 0
    assert yaml.safe_load(file_of(portal).read_text("utf-8"))[0]["article"] == URL


def test_a_value_is_what_was_typed_and_no_markup(fix: Any, portal: PublishedPortal) -> None:
    assert fix(URL, "title=if a<b then c>d &amp; so  on").code == 0
    assert yaml.safe_load(file_of(portal).read_text("utf-8"))[0]["after"] == "if a<b then c>d &amp; so on"


def test_what_a_person_noted_in_the_file_stays(fix: Any, portal: PublishedPortal) -> None:
    fix(URL, "title=The bridge")
    file = file_of(portal)
    file.write_text(file.read_text("utf-8").replace("  by: Eve", "  by: Eve  # who else?") + "# ask Bob\n", "utf-8")
    assert fix(URL, "author=Eva Kis").code == fix(URL, "title=The bridges").code == 0
    written = file.read_text("utf-8")
    assert "  by: Eve  # who else?" in written
    assert "# ask Bob" in written
    assert fix(URL, "--forget", "title", "--forget", "author").code == 0
    assert "# ask Bob" in file.read_text("utf-8")
    assert [(one["field"], one["after"]) for one in yaml.safe_load(written)] == [("headline", "The bridges"), ("author", "Eva Kis")]


MISTAKES = {
    "field: headlin": ("field: headline", '3:10: `[1].field`: "headlin" is unknown; did you mean `headline`?'),
    "when: soon": ('when: "', "when"),
    "after: [a, 1]": ("after: The bridge", "5:"),
}


@pytest.mark.parametrize("written", MISTAKES)
def test_a_mistake_in_the_file_is_told_with_its_place(curator: Any, fix: Any, portal: PublishedPortal, written: str) -> None:
    fix(URL, "title=The bridge")
    right, told = MISTAKES[written]
    lines = [written if right in line else line for line in file_of(portal).read_text("utf-8").splitlines()]
    file_of(portal).write_text("\n".join(("  " + line) if line == written else line for line in lines), "utf-8")
    for command in ("check", "build", "fix"):
        ended = curator(command, portal.file)
        said = ended.out + ended.err
        assert ended.code == (1 if command == "check" else 2), said
        assert re.search(r"pelda\.corrections\.yaml:\d+:\d+: ", said)
        assert told in said


@pytest.mark.parametrize(
    ("typed", "written", "told"),
    [
        ("date=2021-05-12", "2021-05-32", "'2021-05-32' is no date"),
        ("date=2021-05-12", '"20210512"', "'20210512' is no date"),
        ("date=2021-05-12", "2021-W19-3", "'2021-W19-3' is no date"),
        ("date=2021-05-12", "2021-05-12 10:00", "'2021-05-12 10:00' is no date"),
        ("title=Bridges", "[Bridges, Rivers]", "headline has one value, and these are 2"),
    ],
)
def test_a_value_by_hand_that_is_none_of_its_field_is_a_mistake(
    curator: Any, fix: Any, portal: PublishedPortal, typed: str, written: str, told: str
) -> None:
    fix(URL, typed)
    value = typed.partition("=")[2]
    changed = re.sub(f"after: .?{value}.?", f"after: {written}", file_of(portal).read_text("utf-8"))
    file_of(portal).write_text(changed, "utf-8")
    ended = curator("check", portal.file)
    assert (ended.code, told in ended.out) == (1, True), ended.out


def test_what_the_rules_gave_is_no_mistake_be_it_told_by_its_hash(curator: Any, fix: Any, portal: PublishedPortal) -> None:
    fix(URL, "date=2021-05-12")
    changed = re.sub(
        r"before: .*\n *after: .*", "before: ['sha256:1', 'sha256:2']\n  after: ['sha256:2']", file_of(portal).read_text("utf-8")
    )
    file_of(portal).write_text(changed, "utf-8")
    assert "sha256:2" in changed
    assert curator("check", portal.file).code == 0


# --- builds ---


def test_a_field_that_is_mended_under_two_addresses_of_one_article_is_told(curator: Any, fix: Any, portal: PublishedPortal) -> None:
    assert fix(URL, "title=The bridge").code == 0
    file = file_of(portal)
    written = file.read_text("utf-8")
    entry = written[written.index("- article") :]
    file.write_text(written + entry.replace(URL, f"{URL}#top").replace("The bridge", "Bridges"), "utf-8")
    for command in ("build", "fix"):
        ended = curator(command, portal.file)
        assert (ended.code, "headline of one article is mended under two addresses" in ended.err) == (2, True)


def test_two_at_once_lose_nothing(fix: Any, portal: PublishedPortal) -> None:
    with locked(portal.corpus / "fix.lock", "fix"):
        ended = fix(URL, "title=The bridge")
    assert (ended.code, "Another fix" in ended.err, file_of(portal).exists()) == (2, True, False)


def test_a_build_reads_and_writes_only_what_was_mended(fix: Any, portal: PublishedPortal, curator: Any) -> None:
    before = document_of(portal, PAGES[1]).stat().st_mtime_ns
    fix(URL, "title=The bridge", "date=2021-05-12")
    summary = json.loads(curator("build", portal.file, "--jobs", 1, "--json").out)
    assert (summary["written"], summary["unchanged"]) == (1, 1)
    assert document_of(portal, PAGES[1]).stat().st_mtime_ns == before
    assert document_of(portal).parent == portal.corpus / "tei/2021/05/12"
    again = json.loads(curator("build", portal.file, "--jobs", 1, "--json").out)
    assert (again["unchanged"], again["exit_code"]) == (2, 0)
    fix(URL, "--forget", "date", "--forget", "title")
    portal.build()
    assert document_of(portal).parent == portal.corpus / "tei/2024/05/01"
    assert values(line_of(portal), "headline") == ["The brigde"]


def test_a_document_says_who_gave_a_value_and_why(fix: Any, portal: PublishedPortal) -> None:
    fix(URL, "title=The bridge", "keywords+=bridge", "--because", "a <typo>", by="Kovács Anna")
    portal.build()
    document = document_of(portal).read_bytes()
    assert faults_of(document) == ()
    tree = etree.fromstring(document)
    names = {"t": "http://www.tei-c.org/ns/1.0"}
    (corrector,) = tree.xpath("//t:respStmt[t:name='Kovács Anna']/@xml:id", namespaces=names)
    given = tree.xpath(f"//*[@resp='#{corrector}']/text()", namespaces=names)
    assert given == ["The bridge", "The bridge", "bridge"]
    changes = tree.xpath(f"//t:revisionDesc/t:change[@who='#{corrector}' and @when]/text()", namespaces=names)
    assert changes[0] == "headline: The bridge; by the rules The brigde (a <typo>)"


def test_another_reason_alone_is_written_too(fix: Any, portal: PublishedPortal) -> None:
    fix(URL, "title=The bridge", "--because", "first")
    portal.build()
    file_of(portal).write_text(file_of(portal).read_text("utf-8").replace("first", "second"), "utf-8")
    portal.build()
    assert b"(second)" in document_of(portal).read_bytes()


def test_a_part_of_the_text_goes_and_another_stays(fix: Any, portal: PublishedPortal) -> None:
    assert "Subscribe to our letter." in line_of(portal)["text"]
    assert "What the mayor said" not in line_of(portal)["text"]
    assert fix(URL, "drop=aside.promo").code == fix(URL, "keep=.x-gone").code == 0
    portal.build()
    line = line_of(portal)
    assert line["text"].split("\n") == [TEXT, "What the mayor said on the bridge."]
    assert [one["field"] for one in line["corrections"]] == ["drop", "keep"]


def test_a_selector_that_changes_another_text_than_it_did_is_not_applied(fix: Any, portal: PublishedPortal, curator: Any) -> None:
    fix(URL, "drop=aside.promo")
    portal.take_in(article(1, TEXT, '<aside class="promo"><p>The whole story.</p></aside>', captured="2024-07-01T00:00:00Z"))
    ended = curator("build", portal.file, "--jobs", 1)
    assert ended.code == 1
    assert "drop: aside.promo changes 1 line of the text now, and not those that were mended" in ended.err
    assert "The whole story." in line_of(portal)["text"]


# --- the rules give another value ---


def test_another_value_is_left_alone_and_told_everywhere(fix: Any, portal: PublishedPortal, curator: Any) -> None:
    fix(URL, "title=The bridge")
    portal.build()
    portal.more = {**RULES, **OTHER_HEADLINE}
    ended = curator("build", portal.file, "--jobs", 1)
    told = f'{URL}: headline: the rules give "river" now, and gave "The brigde" when it was mended'
    assert (ended.code, told in ended.err) == (1, True)
    assert "lists what was mended: mend the value again, or take it back" in ended.err
    assert values(line_of(portal), "headline") == ["river"]
    assert "corrections" not in line_of(portal)
    problems = [json.loads(line) for line in (portal.corpus / "problems.jsonl").read_bytes().splitlines()]
    assert [(one["url"], one["outcome"]) for one in problems if one["outcome"] == "correction"] == [(URL, "correction")]
    listed = curator("fix", portal.file)
    assert (listed.code, "NOT applied" in listed.out) == (1, True)
    assert "values mended by hand are not applied" in curator("audit", portal.file, "--jobs", 1).out
    assert curator("report", portal.file).code == 0
    assert f"curator fix {portal.file}" in (portal.corpus / "reports/report.html").read_text("utf-8")
    again = curator("build", portal.file, "--jobs", 1)
    assert (again.code, told in again.err) == (1, True)
    portal.more = RULES
    portal.build()
    assert values(line_of(portal), "headline") == ["The bridge"]


def test_rules_that_give_what_is_right_need_no_mending(fix: Any, portal: PublishedPortal, curator: Any) -> None:
    fix(URL, "title=river")
    portal.more = {**RULES, **OTHER_HEADLINE}
    assert curator("build", portal.file, "--jobs", 1).code == 0
    listed = curator("fix", portal.file)
    assert (listed.code, "not needed any more" in listed.out) == (0, True)


def test_an_article_that_is_not_there_is_told(fix: Any, portal: PublishedPortal, curator: Any) -> None:
    fix(URL, "title=The bridge")
    assert "waits for a build" in curator("fix", portal.file).out
    file_of(portal).write_text(file_of(portal).read_text("utf-8").replace(URL, "https://pelda.example/7"), "utf-8")
    ended = curator("build", portal.file, "--jobs", 1)
    assert (ended.code, "headline: nothing is stored of https://pelda.example/7" in ended.err) == (1, True)
    assert json.loads(curator("fix", portal.file, "--json").out)[0]["state"] == "gone"
    assert curator("fix", portal.file, "https://pelda.example/7", "--forget", "title").code == 0
    assert (curator("build", portal.file, "--jobs", 1).code, curator("fix", portal.file).out) == (0, "")


# --- what leaves the corpus ---


def test_tables_have_a_column_of_what_was_mended(fix: Any, portal: PublishedPortal, curator: Any, tmp_path: Path) -> None:
    fix(URL, "title=The bridge", "author=Eva Kis")
    portal.build()
    csv = tmp_path / "out.csv"
    assert curator("export", portal.file, "--to", "csv", "-o", csv, "--fields", "url,title,authors,corrected").code == 0
    assert f"{URL},The bridge,Eva Kis,headline; author" in csv.read_text("utf-8")
    chosen = curator("export", portal.file, "--to", "jsonl", "-o", tmp_path / "o.jsonl", "--where", "corrected=author")
    assert chosen.code == 0, chosen.err
    assert len((tmp_path / "o.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize("format", ["jsonl", "teicorpus"])
def test_pseudonyms_hide_who_was_mended_and_by_whom(fix: Any, portal: PublishedPortal, curator: Any, tmp_path: Path, format: str) -> None:
    fix(URL, "author=Eva Kis")
    portal.build()
    place, key = tmp_path / "out", tmp_path / "key"
    key.write_text("a long key of many letters")
    asked = ("--pseudonymise", "author", "--key", key)
    ended = curator("export", portal.file, "--to", format, "-o", place, "--where", "title=The brigde", *asked)
    assert ended.code == 0, ended.err
    written = place.read_text("utf-8")
    assert "person-" in written
    assert not re.search("Eva Kis|Ann Lee|News desk|Eve", written)


def test_a_release_lists_what_was_mended_and_is_made_again_with_it(fix: Any, portal: PublishedPortal, curator: Any, tmp_path: Path) -> None:
    pytest.importorskip("bagit", reason="a release is a bag")
    fix(URL, "title=The bridge", "drop=aside.promo", "author+=Eva Kis")
    ask = ("release", portal.file, "--level", "ids", "--creator", "Eve", "-o")
    early = curator(*ask, tmp_path / "early")
    assert (early.code, "What was mended by hand of pelda is not what the last build has heeded" in early.err) == (2, True)
    portal.build()
    assert curator(*ask, tmp_path / "made").code == 0
    data = tmp_path / "made/data"
    listed = (data / "portals/pelda/corrections.yaml").read_text("utf-8")
    mended = yaml.safe_load(listed)
    assert [mended[0]["after"], mended[1]["after"], mended[2]["after"][-1]] == ["The bridge", "aside.promo", "Eva Kis"]
    assert not re.search("brigde|Subscribe|News desk|Ann Lee", listed), "what the portal wrote is in no release without texts"
    assert json.loads((data / "release.json").read_bytes())["portals"][0]["corrected"] == 1
    assert curator("release", portal.file, "--level", "texts", "--creator", "Eve", "-o", tmp_path / "texts").code == 0
    assert (tmp_path / "texts/data/portals/pelda/corrections.yaml").read_bytes() == file_of(portal).read_bytes()
    again = curator("release", "rebuild", tmp_path / "made", "--warc", portal.corpus, "-o", tmp_path / "again")
    assert (again.code, again.out) == (0, "")
    released = data / "portals/pelda/portal.yaml"
    assert curator("build", released, "--corpus", portal.corpus).code == 0
    assert curator("fix", released, URL, "author+=Cy Moss", "--by", "Eve", "--corpus", portal.corpus).code == 0
    assert curator("build", released, "--corpus", portal.corpus).code == 0
    second = ("release", released, "--level", "ids", "--creator", "Eve", "--corpus", portal.corpus, "-o", tmp_path / "second")
    assert curator(*second).code == 0
    anew = curator("release", "rebuild", tmp_path / "second", "--warc", portal.corpus, "-o", tmp_path / "anew")
    assert (anew.code, anew.out) == (0, "")
    assert values(line_of(portal), "author") == ["News desk", "Ann Lee", "Eva Kis", "Cy Moss"]


def test_three_values_mended_alike_teach_a_rule(publish: Publish, curator: Any) -> None:
    heading = '<h2 class="true">The bridge of {}</h2>'
    towns = ("Vac", "Pecs", "Gyor", "Eger", "Ajka", "Papa")
    portal = publish(*(article(number, heading.format(town), TEXT * 3, title=f"Town {town}") for number, town in enumerate(towns)))
    portal.more = {"metadata": {}}
    for number, town in enumerate(towns[:3]):
        ended = curator("fix", portal.file, f"https://pelda.example/{number}", f"title=The bridge of {town}", "--by", "Eve")
        assert ended.code == 0, ended.err
        learned = curator("learn", portal.file, "--metadata", "--json")
        assert ("h2.true" in learned.out) == (number == 2)
