"""Inventory to table, every operation edited, applied: the rules decide every row as it was edited, and the file keeps all else."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from webarticlecurator.config.load import load_portal
from webarticlecurator.extraction.body.lookup import Decision, Lookup
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.applying.application import apply_table
from webarticlecurator.survey.applying.example_elements import example_element
from webarticlecurator.survey.applying.table import read_table, write_table
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider, TagRow
from webarticlecurator.survey.tag import Tag

OPERATIONS = ["decompose", "unwrap", "unwrap-all", "paragraph", "box", "lead", "bold", "link", "figure", "gallery"]
SPLITS = ["paragraph > bold", "box > quote"]
CONTEXTS = {"p": ["blockquote.tweet p", "p:has(> img)", 'p:contains("Kövess minket")'], "a": ["figure a", 'a[href*="/galeria/"]']}
SELECTORS = [
    "div.a", "div.a, span.b", "p.a", "div[data-x]", "blockquote.tweet p", "span", ".b", "#main", "div.a.b", 'p:contains("Kövess minket")',
    "figure a", "md\\:flex", 'div[class*="item-"]', "p:not(.a)",
]  # fmt: skip
TAGS = st.builds(
    Tag,
    st.sampled_from(["div", "p", "a", "span", "o:p"]),
    st.sampled_from([None, None, "main", "x:1"]),
    st.lists(st.sampled_from(["a", "b", "item-*", "md:flex", "2col", "items"]), max_size=3, unique=True).map(tuple),
    st.lists(st.sampled_from([("data-x", ""), ("rel", "nofollow"), ("rel", ""), ("href", "")]), max_size=2, unique_by=lambda one: one[0])
    .map(sorted)
    .map(tuple),
)


@st.composite
def portal_files(draw: st.DrawFn) -> str:
    """Some rules, in lists and in brackets, with comments between them."""
    selectors = draw(st.lists(st.sampled_from(SELECTORS), unique=True, max_size=6))
    operations = draw(st.lists(st.sampled_from(OPERATIONS), min_size=len(selectors), max_size=len(selectors)))
    lines = ["# first", "portal: pelda   # its name", "home: 'https://pelda.example/'", "body:", "  root: [div.cikk,   main]   # wide"]
    for operation in dict.fromkeys(operations):
        chosen = ["'" + one + "'" for one, other in zip(selectors, operations, strict=True) if other == operation]
        lines += ["  tags:   # dictionary"] if "  tags:   # dictionary" not in lines else []
        if draw(st.booleans()):
            lines += [f"    {operation}:  # about {operation}", *(f"      - {one}   # rule {one}" for one in chosen), "      # after"]
        else:
            lines += [f"    {operation}: [{', '.join(chosen)}]   # short"]
    return "\n".join([*lines, "# before the end", "language: hu", "# last", ""])


@st.composite
def rows(draw: st.DrawFn) -> list[tuple[Tag, str]]:
    tags = draw(st.lists(TAGS, min_size=1, max_size=12, unique_by=lambda tag: (tag.name, tag.id, frozenset(tag.classes), tag.attributes)))
    wheres = [draw(st.sampled_from(["", "", *(one for one in CONTEXTS.get(tag.name, []) if can_be(tag, one))])) for tag in tags]
    return list(zip(tags, wheres, strict=True))


def can_be(tag: Tag, where: str) -> bool:
    """No inventory has a row of an `a` without `href` for the place of one with it."""
    return not where.startswith("a[href") or ("href", "") in tag.attributes


def decided(portal: Path, tag: Tag, where: str) -> tuple[str, str]:
    element = example_element(tag, where)
    assert element is not None
    decision = Lookup(load_portal(portal).body.tags).decide(element, Scope(None))
    return said(decision)


def said(decision: Decision) -> tuple[str, str]:
    if decision.drop or decision.simple:
        return "decompose" if decision.drop else "unwrap-all", ""
    names = " > ".join((*decision.blocks, *decision.inlines))
    return names or ("unwrap" if decision.known else ""), decision.url or ""


def inventory_row(tag: Tag, where: str, operation: str, url: str) -> TagRow:
    decider = Decider.PORTAL if operation else Decider.NOBODY
    return TagRow(
        tag=tag.text,
        decided=DecidedOperation(operation or "unwrap", decider, condition=where, url=url or None),
        frequency=3,
        pages=2,
        first_year=None,
        last_year=2024,
        words=5,
        own_words=5,
        link_words=0,
        descendants=0,
    )


@settings(max_examples=30)
@given(portal_files(), rows(), st.data())
def test_every_row_is_decided_as_it_was_edited_and_every_comment_is_kept(
    text: str, tags: list[tuple[Tag, str]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        portal, table = Path(folder) / "portal.yaml", Path(folder) / "tags.tsv"
        portal.write_text(text, encoding="utf-8")
        lines = write_table(inventory_row(tag, where, *decided(portal, tag, where)) for tag, where in tags).splitlines()
        edited = list(csv.DictReader(lines, delimiter="\t"))
        for row in edited:
            row["operation"] = data.draw(st.sampled_from([*OPERATIONS, *SPLITS]))
            row["url"] = "data-u" if row["operation"] in ("figure", "gallery") and data.draw(st.booleans()) else ""
        table.write_text(written(edited), encoding="utf-8")
        apply_table(read_table(table), portal).write()
        assert [decided(portal, tag, where) for tag, where in tags] == [(row["operation"], row["url"]) for row in edited]
        after = portal.read_text(encoding="utf-8")
        assert set(re.findall(r"# .*", text)) <= set(re.findall(r"# .*", after))


@settings(max_examples=30)
@given(portal_files(), rows(), st.data())
def test_rows_that_are_not_edited_keep_what_they_had(text: str, tags: list[tuple[Tag, str]], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        portal, table = Path(folder) / "portal.yaml", Path(folder) / "tags.tsv"
        portal.write_text(text, encoding="utf-8")
        before = [decided(portal, tag, where) for tag, where in tags]
        rows = [inventory_row(tag, where, *what) for (tag, where), what in zip(tags, before, strict=True)]
        edited = list(csv.DictReader(write_table(rows).splitlines(), delimiter="\t"))
        number = data.draw(st.integers(0, len(edited) - 1))
        edited[number]["operation"], edited[number]["url"] = data.draw(st.sampled_from(OPERATIONS)), ""
        table.write_text(written(edited), encoding="utf-8")
        apply_table(read_table(table), portal).write()
        before[number] = (edited[number]["operation"], "")
        assert [decided(portal, tag, where) for tag, where in tags] == before


@settings(max_examples=30)
@given(portal_files(), rows())
def test_a_table_as_it_was_written_changes_nothing(text: str, tags: list[tuple[Tag, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        portal, table = Path(folder) / "portal.yaml", Path(folder) / "tags.tsv"
        portal.write_text(text, encoding="utf-8")
        table.write_text(write_table(inventory_row(tag, where, *decided(portal, tag, where)) for tag, where in tags), encoding="utf-8")
        applied = apply_table(read_table(table), portal)
        assert (applied.after, applied.edited) == (applied.before, 0)


def written(rows: list[dict[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys(), delimiter="\t")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
