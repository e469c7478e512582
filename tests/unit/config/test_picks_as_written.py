"""Picks as they are written, read into picks as they are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from webarticlecurator.config.pick_steps import Pick
from webarticlecurator.config.picks import AllOf, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.paths import JsonPath
from webarticlecurator.patterns import Pattern

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]


@pytest.fixture
def pick(load: Load) -> Callable[[str], Pick]:
    """The only alternative of a pick."""

    def read(text: str) -> Pick:
        (alternative,) = load(f"metadata:\n  author: {text}\n").metadata["author"].alternatives
        assert isinstance(alternative, Pick)
        return alternative

    return read


Read = Callable[[str], Pick]


def css(found: Pick) -> str | None:
    return found.css.text if found.css else None


def test_a_text_is_a_selector(pick: Read) -> None:
    assert css(pick("a.szerzo")) == "a.szerzo"


def test_a_list_gives_alternatives(load: Load) -> None:
    picks = load("metadata: {author: [.a, {meta: author}, {const: MTI}]}\n").metadata["author"]
    assert [css(one) if isinstance(one, Pick) and one.css else None for one in picks.alternatives] == [".a", None, None]
    assert [one.meta if isinstance(one, Pick) else None for one in picks.alternatives] == [None, "author", None]


def test_all_of_unites_picks_that_may_have_alternatives(load: Load) -> None:
    (united,) = load("metadata: {author: {all_of: [.a, [.b, .c]]}}\n").metadata["author"].alternatives
    assert isinstance(united, AllOf)
    assert [len(picks.alternatives) for picks in united.picks] == [1, 2]


def test_every_step_is_read(pick: Read) -> None:
    found = pick(
        "{css: a, when: body.x, unless: [body.y, body.z], within: {css: div, take: last}, having: {text: tov, href: '/cikk/'},"
        " attr: title, own_text: true, without: span, split: ', ', match: '(x)', replace: [['a', 'b']], map: {x: y, 1: 2},"
        " drop: [z], route: {source: [MTI, '\\.hu$']}, make_url: 'https://pelda.example/{value}', base: 'https://pelda.example/',"
        " date: [iso, 'yyyy. MMMM d.'], take: 2}"
    )
    assert found.when is not None
    assert found.unless is not None
    assert found.unless.text == "body.y, body.z"
    assert found.within is not None
    assert (found.within.css.text, found.within.take) == ("div", "last")
    assert found.having == {"text": Pattern.parse("tov"), "href": Pattern.parse("/cikk/")}
    assert (found.attr, found.own_text, found.take) == ("title", True, 2)
    assert found.replace == ((Pattern.parse("a"), "b"),)
    assert found.map == {"x": "y", "1": "2"}
    assert found.route == {"source": (Pattern.parse("MTI"), Pattern.parse(r"\.hu$"))}
    assert found.make_url is not None
    assert found.make_url.fill({"value": "7"}) == "https://pelda.example/7"
    assert len(found.date) == 2


def test_within_may_be_just_a_selector(pick: Read) -> None:
    within = pick("{css: a, within: div}").within
    assert within is not None
    assert (within.css.text, within.take) == ("div", "first")


@pytest.mark.parametrize(("text", "step", "current"), [("{}", 1, None), ("{step: -1}", -1, None), ("{step: 2, current: b}", 2, "b")])
def test_page_number_has_defaults(pick: Read, text: str, step: int, current: str | None) -> None:
    found = pick(f"{{css: a, page_number: {text}}}").page_number
    assert found is not None
    assert (found.step, found.current.text if found.current else None) == (step, current)


def test_a_pick_without_a_place_reads_the_item_itself(pick: Read) -> None:
    found = pick("{attr: data-id}")
    assert (found.css, found.attr) == (None, "data-id")


def test_script_and_html_in_have_a_second_step(pick: Read) -> None:
    script, html_in = pick("{script: 'x = (.*);', json: a.b}"), pick("{html_in: data-html, css: a}")
    assert script.script is not None
    assert script.json == JsonPath.parse("a.b")
    assert (html_in.html_in, css(html_in)) == ("data-html", "a")


def test_html_in_is_a_path_where_json_is_read(load: Load) -> None:
    column = load("archive: {url: 'https://pelda.example/api', format: json, item: {html_in: data.html, css: li}}\n").columns[0]
    assert column.item is not None
    (item,) = column.item.alternatives
    assert isinstance(item, Pick)
    assert item.html_in == JsonPath.parse("data.html")


def test_numbers_keep_the_form_in_which_they_were_written(pick: Read) -> None:
    assert pick("{const: 007}").const == "007"
    assert pick("{const: true}").const == "true"


def test_a_dropped_value_with_signs_of_a_regex_is_one_as_well(pick: Read) -> None:
    assert pick("{css: a, drop: [Dr. X, ^Hir, C++]}").drop == ("Dr. X", "^Hir", Pattern.parse("^Hir"), "C++", Pattern.parse("C++"))


def test_a_table_file_is_read_and_the_table_beside_it_wins(load: Load, tmp_path: Path) -> None:
    (tmp_path / "rovatok.tsv").write_text("bel\tBelföld\nkul\tKülföld\n", encoding="utf-8")
    picks = load("metadata: {articleSection: {css: a, map_file: rovatok.tsv, map: {kul: Világ}}}\n").metadata["articleSection"]
    (found,) = picks.alternatives
    assert isinstance(found, Pick)
    assert found.map == {"bel": "Belföld", "kul": "Világ"}


@pytest.mark.parametrize("name", ["../kivul.tsv", "/etc/passwd", "mappa/../../kivul.tsv", "link.tsv"])
def test_files_do_not_leave_the_folder(mistakes_of: MistakesOf, tmp_path: Path, name: str) -> None:
    outside = tmp_path.parent / "kivul.tsv"
    outside.write_text("a\tb\n", encoding="utf-8")
    (tmp_path / "mappa").mkdir()
    (tmp_path / "link.tsv").symlink_to(outside)
    (message,) = mistakes_of(f"metadata: {{author: {{css: a, map_file: {name}}}}}\n")
    assert "leads out of the folder" in message


def test_a_table_file_without_tabs_is_a_mistake(mistakes_of: MistakesOf, tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a\tb\n\nc;d\n", encoding="utf-8")
    (message,) = mistakes_of("metadata: {author: {css: a, map_file: t.tsv}}\n")
    assert "line 3 of t.tsv has no tab" in message


def test_picks_say_where_they_stand(load: Load) -> None:
    portal = load("archive: {url: 'https://pelda.example/', link: a, fields: {x: b}}\nmetadata: {author: c}\n")

    def source(picks: Picks | None) -> str:
        assert picks is not None
        (only,) = picks.alternatives
        assert isinstance(only, Pick)
        return only.source

    column = portal.columns[0]
    found = [source(column.link), source(column.fields["x"]), source(portal.metadata["author"])]
    assert found == ["archive.link", "archive.fields.x", "metadata.author"]
