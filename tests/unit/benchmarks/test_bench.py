"""`make bench`: what it would run is there, its page holds results and nothing else, and what was just measured is not measured again."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchmarks.bench import CHARTS, COMPARISONS, HERE, PAGE, chosen, first_sentence, fresh
from benchmarks.performance_page import performance_page
from benchmarks.result_charts import as_svg
from benchmarks.results import FOLDER, Chart, Record, Result, Series, load_all, save, this_machine


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda one: one.name)
def test_every_comparison_has_a_script_that_tells_what_it_found(comparison) -> None:
    source = comparison.script.read_text(encoding="utf-8")
    assert first_sentence(comparison.script)
    assert bool(comparison.title) is not ("result_option(" in source)


def test_every_script_that_can_be_run_is_told_of() -> None:
    told = set(re.findall(r"`(\w+\.py)\b", (HERE / "README.md").read_text(encoding="utf-8")))
    assert told <= {place.name for place in HERE.glob("*.py")}
    assert {place.name for place in HERE.glob("*.py") if "__main__" in place.read_text(encoding="utf-8")} <= told


def test_documents_ask_for_comparisons_that_there_are() -> None:
    texts = (place.read_text(encoding="utf-8") for folder in (PAGE.parent.parent, HERE) for place in folder.rglob("*.md"))
    asked = {name for text in texts for names in re.findall(r'make bench ONLY=(\w+|"[^"]+")', text) for name in names.strip('"').split()}
    assert asked and asked <= {one.name for one in COMPARISONS}


def test_the_page_of_the_docs_is_that_of_the_kept_results() -> None:
    results = load_all(FOLDER)
    ordered = [results[one.name] for one in COMPARISONS if one.name in results]
    assert PAGE.read_text(encoding="utf-8") == performance_page(ordered, os.path.relpath(CHARTS, PAGE.parent))
    charts = {f"{chart.name}.svg": as_svg(chart) for result in ordered for chart in result.charts}
    assert {place.name: place.read_text(encoding="utf-8") for place in CHARTS.glob("*.svg")} == charts


def test_what_was_missed_stands_at_the_head_of_the_page_with_its_reason() -> None:
    record = Record("Baking", "Bread was baked.")
    record.figure("loaves", 3, at_least=2, why="The oven is small.")
    record.figure("rolls", 1, at_least=2, why="There was no flour.")
    head, _, _ = performance_page([record.result()], "../images/bench").partition("## Baking")
    assert "2 figures have a mark to reach; 1 of them reached it" in head
    assert "| rolls | 1 | at least 2 | **missed** |" in head
    assert "There was no flour." in head
    assert "The oven is small." not in head


def test_what_this_machine_has_just_measured_with_the_same_sizes_is_not_measured_again(tmp_path: Path) -> None:
    comparison = next(one for one in COMPARISONS if one.quick)
    machine = this_machine()

    def kept(**changed: object) -> Path:
        result = replace(Record("x", "y").result(), name="kept", quick=True, sizes=comparison.quick)
        return save(replace(result, **changed), tmp_path)

    def is_fresh(place: Path) -> bool:
        return fresh(place, comparison, machine, quick=True)

    assert not is_fresh(tmp_path / "kept.json")
    assert is_fresh(kept())
    assert is_fresh(kept(machine=replace(machine, load=9.0)))
    assert not is_fresh(kept(machine=replace(machine, processor="another")))
    assert not is_fresh(kept(sizes="--rounds 99"))
    assert not is_fresh(kept(quick=False))
    assert not is_fresh(kept(date=(datetime.now(UTC) - timedelta(days=2)).isoformat()))


def test_what_takes_long_runs_only_when_it_is_asked_for() -> None:
    long = next(one.name for one in COMPARISONS if one.extra)
    assert long not in {one.name for one in chosen([], every=False, quick=False)}
    assert long in {one.name for one in chosen([], every=True, quick=False)}
    assert [one.name for one in chosen([long], every=False, quick=False)] == [long]
    with pytest.raises(SystemExit, match="no comparison is named nothing"):
        chosen(["nothing"], every=False, quick=False)


@pytest.mark.parametrize("kind", ["bars", "lines"])
def test_a_chart_is_a_picture_with_all_its_names_and_no_address_of_anything(kind: str) -> None:
    series = (Series(name="ours", values=(1.5, 0.0)), Series(name="a & b", values=(None, 300.0)))
    drawn = as_svg(Chart(name="x", title="Time <each>", unit="ms", labels=("first", "second"), series=series, kind=kind))
    texts = {one.text for one in ElementTree.fromstring(drawn).iter() if one.text and one.text.strip()}
    assert {"Time <each>", "Time <each> (ms)", "first", "second", "ours", "a & b"} <= texts
    assert drawn.count("http") == 1  # the name of SVG itself


def test_a_result_of_a_quick_run_says_that_it_is_one(tmp_path: Path) -> None:
    result: Result = replace(Record("Baking", "Bread was baked.").result(), quick=True)
    page = performance_page([result], str(tmp_path))
    assert "quick run" in page
