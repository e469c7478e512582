"""The tag inventory as a table for a spreadsheet: written for a person to fill in, and read again with every
mistake placed."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import zip_longest
from math import isfinite
from pathlib import Path

from webarticlecurator.amounts import part, those_that_hold
from webarticlecurator.config.tag_dictionary import INLINES, NAMES, OPERATIONS, SPLIT
from webarticlecurator.databases import Row
from webarticlecurator.errors import Mistake, PortalFileError, UsageError, refuse_mistakes, told_by_system
from webarticlecurator.labelling.simplified_tags import Tag, TagNotationError, simplified
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import Selector, SelectorError
from webarticlecurator.survey.inventory.element_rules import Decider

_LONGEST_SHOWN = 80
_FORMULA = linear_at(r"[=+\-@]")
"""The beginning of a cell that a spreadsheet takes for a formula."""
_GUARD = "'"
_SPLIT = " > "


@dataclass(frozen=True, slots=True, order=True)
class TagDecision:
    """The decision of a person (or a rule) on a tag."""

    operation: str = ""
    """As in the tag dictionary, a split as "paragraph > bold"; "" is undecided."""
    url: str = ""
    """The attribute that keeps the element's address."""

    def __str__(self) -> str:
        return f"{self.operation or 'undecided'}{part(' (url: {})', self.url)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One row as a person left it."""

    line: int
    tag: Tag
    where: str = ""
    """The selector that the row is about, where the tag alone does not say it."""
    decision: TagDecision
    frequency: int = 1
    decided_by: str = ""
    """Whose rule decided it when the table was written."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table without mistakes."""

    path: Path
    rows: tuple[TableRow, ...]

    def mistake(self, row: TableRow, message: str) -> Mistake:
        return Mistake(self.path, row.line, 1, message)


_COLUMNS = (
    *(
        "table", "tag", "where", "frequency", "pages", "from", "to", "words", "mean_words",
        "mean_immediate_words", "mean_descendants",
    ),
    *("link_share", "operation", "url", "decided_by", "suggestion", "evidence", "example"),
)  # fmt: skip

BY_NO_TAG_RULE = frozenset((Decider.POSTS, Decider.FINDER, Decider.NOBODY))
"""Deciders beside the tag dictionary, which says nothing there: the operation is left to the person."""


def write_table(rows: Iterable[Row]) -> str:
    """The rows of an inventory, tab-separated, one a tag, with a line of column names."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in rows:
        cells = {
            **row,
            **{
                name: round(row[name], 1)
                for name in ("mean_words", "mean_immediate_words", "mean_descendants")
            },
            "link_share": round(row.link_share, 2),
            "operation": "" if row.decided_by in BY_NO_TAG_RULE else row.operation,
            "decided_by": row.rule or row.decided_by,
            "suggestion": row.suggestion and row.suggestion.operation,
            "evidence": row.suggestion and "; ".join(row.suggestion.evidence),
            "example": " ".join(example.url for example in row.examples),
        }
        writer.writerow([_cell(cells[name]) for name in _COLUMNS])
    return text.getvalue()


def _cell(value: object) -> str:
    """On one line, and nothing that a spreadsheet would calculate."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    text = " ".join(value.replace("\0", "").split())[:32_000]  # spreadsheets cut what is longer
    return _GUARD + text if _FORMULA.match(text) else text


def read_table(path: Path) -> Table:
    """The rows of a table as a person (and a spreadsheet) left it. Raises PortalFileError with all mistakes,
    UsageError without a file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {told_by_system(error)}.") from None
    # Excel's "Unicode text" is UTF-16
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PortalFileError(
            (Mistake(path, line, 1, "this is not UTF-8 text; save the table as tab-separated text in UTF-8"),)
        ) from None
    header = text.partition("\n")[0].rstrip("\r")
    mistakes: list[Mistake] = []
    if set(HTML2TEI_COLUMNS) <= set(header.split("\t")):
        rows = tuple(labelled_tags(text, path, mistakes))
    else:
        rows = tuple(_rows(text, max("\t;,", key=header.count), path, mistakes))
    first: dict[tuple[Tag, str], TableRow] = {}
    for row in (row for row in rows if row.decision.operation):
        earlier = first.setdefault((row.tag, row.where), row)
        # unless that is what different rules said when the table was written
        if earlier.decision != row.decision and earlier.decided_by == row.decided_by:
            mistakes.append(Mistake(path, row.line, 1, contradiction(row, earlier)))
    refuse_mistakes(mistakes)
    return Table(path, rows)


def _rows(text: str, delimiter: str, path: Path, mistakes: list[Mistake]) -> Iterator[TableRow]:
    """Rows without a mistake."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = [name.strip().casefold() for name in next(reader, [])]
        missing = [name for name in ("tag", "operation") if name not in names]
        mistakes += [Mistake(path, 1, 1, _missing_column(name, names)) for name in missing]
        columns = {name: names.index(name) + 1 for name in names}
        for cells in reader:
            if missing or not any(map(str.strip, cells)):
                continue
            row = defaultdict(str, reversed([*zip(names, map(_unguarded, cells), strict=False)]))
            problems = [
                Mistake(path, reader.line_num, columns.get(name, 1), message)
                for name, message in _problems(row)
            ]
            mistakes += problems
            if not problems:
                yield _table_row(row, reader.line_num)
    except csv.Error as error:
        mistakes.append(
            Mistake(path, reader.line_num, 1, f"this row cannot be read ({error}); is a quote never closed?")
        )


def _missing_column(name: str, names: Sequence[str]) -> str:
    meant = part("; is it `{}`?", _closest(name, names))
    return (
        f"the column `{name}` is missing{meant} The first row names the columns; `tag` and `operation` are "
        "needed"
    )


def _unguarded(cell: str) -> str:
    """A cell without the sign that keeps a spreadsheet from calculating it."""
    text = cell.strip()
    return text[1:] if text.startswith(_GUARD) and _FORMULA.match(text, 1) else text


def _table_row(row: Mapping[str, str], line: int) -> TableRow:
    return TableRow(
        line=line,
        tag=Tag.parse(row["tag"]),
        where=" ".join(row["where"].split()),
        decision=TagDecision(_SPLIT.join(_parts(row["operation"])), row["url"]),
        frequency=max(round(float(_figures(row["frequency"]))), 0),
        decided_by=row["decided_by"],
    )


def _parts(operation: str) -> list[str]:
    """Return the operations of a split, the block first: it is the outer one, however it is written."""
    return sorted(
        (" ".join(name.split()) for name in operation.casefold().split(">")), key=lambda name: name in INLINES
    )


def _figures(frequency: str) -> str:
    return linear(r"[\s,]").sub("", frequency) or "1"


def _problems(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each with the column that it is about."""
    try:
        Tag.parse(row["tag"])
    except TagNotationError as error:
        yield "tag", str(error) if row["tag"] else "the tag is missing; such as div.post"
    try:
        if row["where"]:
            Selector.parse(row["where"])
    except SelectorError as error:
        yield "where", str(error)
    try:
        round(float(_figures(row["frequency"])))
    except (ValueError, OverflowError):
        yield "frequency", f"`{row['frequency'][:_LONGEST_SHOWN]}` is no number"
    names = _parts(row["operation"])
    yield from (
        _problems_of_split(names, row["url"])
        if len(names) > 1
        else _problems_of_operation(names[0], row["url"])
    )


def _problems_of_split(names: Sequence[str], url: str) -> Iterator[tuple[str, str]]:
    if len(names) != 2 or not all(names):
        yield (
            "operation",
            f"`{_SPLIT.join(names)[:_LONGEST_SHOWN]}` is no split; write `outer > inner`, such as paragraph "
            "> bold",
        )
    else:
        yield from (("operation", _unknown(name, NAMES)) for name in names if name not in NAMES)
    no_address = "a split keeps no address; empty this cell, or give one operation"
    yield from those_that_hold((url, ("url", no_address)))


def _problems_of_operation(operation: str, url: str) -> Iterator[tuple[str, str]]:
    if operation == SPLIT:
        yield "operation", "a split is written `outer > inner`; such as paragraph > bold"
    elif operation and operation not in OPERATIONS:
        yield "operation", _unknown(operation, tuple(OPERATIONS))
    elif url and operation not in NAMES:
        why = part("`{}` keeps no address", operation) or "nothing says what the element is"
        mend = "name an operation (figure, embed, link) or empty this cell"
        yield "url", f"`{url[:_LONGEST_SHOWN]}` is not kept: {why}; {mend}"


def _closest(word: str, known: Iterable[str]) -> str:
    """Return the one of these that a word may be a slip for; empty where none is like it."""
    return next(iter(get_close_matches(word, known, n=1)), "")


def _unknown(operation: str, known: Iterable[str]) -> str:
    all_known = f"there are: {', '.join(known)}; empty the cell to leave the tag undecided"
    meant = part("did you mean `{}`?", _closest(operation, known)) or all_known
    return f"the operation `{operation[:_LONGEST_SHOWN]}` is unknown; {meant}"


def contradiction(row: TableRow, earlier: TableRow) -> str:
    """The sentence on two rows of one tag."""
    return (
        f"`{row.tag.text}` is {row.decision} here and {earlier.decision} in row {earlier.line}; an element "
        "has one fate: keep one"
    )


# --- the tag tables of HTML2TEI, as people labelled them: the same rows as those of a table of ours ---

HTML2TEI_COLUMNS = ("tag", "normal_name", "preserved_attribute")
"""By which a table of that program is known; `frequency` and the mean number of words are read, too."""
IN_MEDIA = "0_MDESC_"
"""Before a tag that stands inside a media block."""
# fmt: off
LABELS = {
    "decompose": "decompose", "bekezdes": "paragraph", "cimsor": "heading", "vez_bekezdes": "lead", "lista": "list", "listaelem": "item",
    "idezet": "quote", "inline_idezet": "inline-quote", "table_text": "table", "sor": "row", "oszlop": "cell",
    "tablazat_cimsor": "table-heading", "doboz": "box", "media_tartalom": "figure", "abra": "figure", "galeria": "gallery",
    "beagyazott_tartalom": "embed", "social_media": "social", "beagyazott_social": "social", "hivatkozas": "link",
    "media_hivatkozas": "link", "forras": "source", "felkover": "bold", "dolt": "italic", "kiemelt": "emphasis",
    "alahuzott": "underline", "athuzott": "strike", "felsoindex": "superscript", "alsoindex": "subscript", "kozvetites": "post",
    "komment": "post", "kviz": "quiz", "kerdes": "question", "valasz": "answer", "editorial_note": "note", "unwrap": "unwrap",
}
# fmt: on
ENDINGS = {"_ido": "time", "_szerzo": "author"}
SECTION = "szakasz"
"""A paragraph, or nothing."""
NOT_LABELLED = ("", "default", "null")
"""Labels that the program writes by itself: nobody has decided."""
_USUAL = ("", "default", "null", "href", "src", "data-src")
"""Attributes that are looked into without being named."""
START_TAG = linear_at(r"<(?P<name>[^\s>]+)(?P<attributes>(?:[\s>].*)?)>", re.DOTALL)
ATTRIBUTE = linear(r"\s([^\s=]+)=(.*?)(?=\s[^\s=]+=|$)", re.DOTALL)


def operation_of(label: str, own_words: float) -> str:
    """A label in our words; what is no label is unwrapped, as the program did."""
    if label == SECTION:
        return "paragraph" if own_words > 0 else "unwrap"
    if ";" in label:
        inner, outer = (operation_of(part, own_words) for part in label.split(";", 1))
        return f"{outer} > {inner}"
    return next(
        (operation for end, operation in ENDINGS.items() if label.endswith(end)), LABELS.get(label, "unwrap")
    )


def tag_of(name: str, attributes: Iterable[tuple[str, str]]) -> Tag:
    """With the attributes that an inventory leaves out, since the person saw them, too. Raises
    TagNotationError for what is no tag."""
    given = tuple(attributes)
    tag = simplified(name, given)
    known = {"class", "id", *(name for name, _ in tag.attributes)}
    return Tag.parse(
        replace(
            tag, attributes=(*tag.attributes, *((name, "") for name, _ in given if name not in known))
        ).text
    )


def labelled_tags(text: str, path: Path, mistakes: list[Mistake]) -> Iterator[TableRow]:
    """Tags of ours; of several of theirs that are one here, the label of most elements counts."""
    votes: dict[Tag, Counter[tuple[str, str]]] = defaultdict(Counter)
    first: dict[Tag, int] = {}
    names, *rows = (
        line.rstrip("\n").split("\t") for line in io.StringIO(text, newline=None)
    )  # texts have no quotes around them
    for number, row in enumerate(rows, start=2):
        cells = dict(zip_longest(names, row[: len(names)], fillvalue=""))
        match = START_TAG.fullmatch(cells["tag"].strip())
        if match is None or match["name"].startswith(
            IN_MEDIA
        ):  # which blocks are media stands in a module of the portal
            continue
        label = cells["normal_name"].strip()
        if not all(
            part in (*NOT_LABELLED, SECTION, *LABELS) or part.endswith(tuple(ENDINGS))
            for part in label.split(";")
        ):
            meant = part("is it `{}`?", _closest(label, LABELS)) or "write `unwrap` if that is meant"
            message = f"`{label[:80]}` is no label of HTML2TEI, which unwraps such tags; {meant}"
            mistakes.append(Mistake(path, number, [*cells].index("normal_name") + 1, message))
            continue
        with suppress(TagNotationError):
            tag = tag_of(match["name"], ATTRIBUTE.findall(match["attributes"]))
            if any(
                name.startswith("@") for name in (tag.id, *tag.classes)
            ):  # `@wordNUM` stands for many, and in no page
                continue
            votes[tag][_labelled(label, cells)] += round(_number(cells.get("frequency", "")))
            first.setdefault(tag, number)
    for tag, counts in votes.items():
        (operation, url), _ = counts.most_common(1)[0]
        yield TableRow(
            line=first[tag], tag=tag, decision=TagDecision(operation, url), frequency=counts.total()
        )


def _labelled(label: str, cells: Mapping[str, str]) -> tuple[str, str]:
    """The operation of a label, and the attribute that holds the address; nothing, where nobody has
    decided."""
    if label in NOT_LABELLED:
        return "", ""
    operation = operation_of(label, _number(cells.get("immediate_texts_average_length", "")))
    attribute = cells.get("preserved_attribute", "").strip()
    return operation, attribute if operation in NAMES and attribute not in _USUAL else ""


def _number(text: str) -> float:
    try:
        return float(text) if isfinite(float(text)) else 0
    except ValueError:
        return 0
