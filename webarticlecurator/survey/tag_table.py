"""The tag inventory as a table for a spreadsheet: written for a person to fill in, and read again with every mistake placed."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from webarticlecurator.config.tag_dictionary import INLINES, NAMES, OPERATIONS
from webarticlecurator.errors import Mistake, PortalFileError, UsageError
from webarticlecurator.extraction.body.tag_names import Tag, TagNotationError, simplified
from webarticlecurator.selectors import Selector, SelectorError
from webarticlecurator.survey.inventory.results import BY_NO_TAG_RULE, TagRow, row_as_json

_LONGEST_CELL = 32_000
"""Characters; spreadsheets cut what is longer."""
_LONGEST_SHOWN = 80
_FORMULA = re.compile(r"[=+\-@]")
"""What a spreadsheet takes for a formula at the start of a cell."""
_GUARD = "'"
_DELIMITERS = "\t;,"
_SPLIT = " > "


@dataclass(frozen=True, slots=True, order=True)
class TagDecision:
    """What a person (or a rule) makes of a tag."""

    operation: str = ""
    """As in the tag dictionary, a split as "paragraph > bold"; "" is undecided."""
    url: str = ""
    """The attribute that keeps the element's address."""

    def __str__(self) -> str:
        return f"{self.operation or 'undecided'}{f' (url: {self.url})' if self.url else ''}"


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


# --- writing ---

_COLUMNS = (
    *("table", "tag", "where", "frequency", "pages", "from", "to", "words", "mean_words", "mean_immediate_words", "mean_descendants"),
    *("link_share", "operation", "url", "decided_by", "suggestion", "evidence", "example"),
)


def write_table(rows: Iterable[TagRow]) -> str:
    """Tab-separated, one row a tag, with a line of column names."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in rows:
        cells = _cells(row)
        writer.writerow([_cell(cells[name]) for name in _COLUMNS])
    return text.getvalue()


def _cells(row: TagRow) -> Mapping[str, object]:
    """What only the general finder leaves out is decided by no rule: its operation is left to the person."""
    suggestion = row.suggestion
    return {
        **row_as_json(row),
        "mean_words": round(row.mean_words, 1),
        "mean_immediate_words": round(row.mean_own_words, 1),
        "mean_descendants": round(row.mean_descendants, 1),
        "link_share": round(row.link_share, 2),
        "operation": "" if row.decided.decider in BY_NO_TAG_RULE else row.decided.operation,
        "decided_by": row.decided.rule or row.decided.decider,
        "suggestion": suggestion.operation if suggestion else None,
        "evidence": "; ".join(suggestion.evidence) if suggestion else None,
        "example": " ".join(example.url for example in row.examples),
    }


def _cell(value: object) -> str:
    """On one line, and nothing that a spreadsheet would calculate."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    text = " ".join(value.replace("\0", "").split())[:_LONGEST_CELL]
    return _GUARD + text if _FORMULA.match(text) else text


# --- reading ---


def read_table(path: Path) -> Table:
    """The rows of a table as a person (and a spreadsheet) left it. Raises PortalFileError with all mistakes, UsageError without a file."""
    reading, text = _Reading(path), _text(path)
    is_of_html2tei = set(HTML2TEI_COLUMNS) <= set(text.partition("\n")[0].rstrip("\r").split("\t"))
    rows = tuple(reading.labelled_rows(text) if is_of_html2tei else reading.rows(text))
    reading.mistakes.extend(_contradictions(path, rows))
    if reading.mistakes:
        raise PortalFileError(tuple(reading.mistakes))
    return Table(path, rows)


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    # Excel's "Unicode text" is UTF-16
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PortalFileError((Mistake(path, line, 1, "this is not UTF-8 text; save the table as tab-separated text in UTF-8"),)) from None


@dataclass(slots=True)
class _Reading:
    """The table as it is read; mistakes are gathered, and a row with one is left out."""

    path: Path
    mistakes: list[Mistake] = field(default_factory=list)
    _columns: Mapping[str, int] = field(default_factory=dict)
    _line: int = 1

    def rows(self, text: str) -> Iterator[TableRow]:
        header, _, _ = text.partition("\n")
        delimiter = max(_DELIMITERS, key=header.count)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        try:
            if not self._read_header([cell.strip() for cell in next(reader, [])]):
                return
            for cells in reader:
                self._line = reader.line_num
                row = self._row(cells) if any(map(str.strip, cells)) else None
                if row is not None:
                    yield row
        except csv.Error as error:
            self.mistakes.append(Mistake(self.path, reader.line_num, 1, f"this row cannot be read ({error}); is a quote never closed?"))

    def labelled_rows(self, text: str) -> Iterator[TableRow]:
        """Those of a table of HTML2TEI; its texts have no quotes around them."""
        reader = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE, restkey="more", restval="")
        rows = ((reader.line_num, cells) for cells in reader)
        self._columns = {name: number for number, name in enumerate(reader.fieldnames or ())}
        return labelled_tags(rows, self._note_label)

    def _note_label(self, line: int, message: str) -> None:
        self._line = line
        self.note("normal_name", message)

    def _read_header(self, names: list[str]) -> bool:
        self._columns = {name.casefold(): number for number, name in reversed([*enumerate(names)])}
        missing = [name for name in ("tag", "operation") if name not in self._columns]
        for name in missing:
            close = get_close_matches(name, self._columns, n=1)
            meant = f"; is it `{close[0]}`?" if close else ""
            self.note(name, f"the column `{name}` is missing{meant} The first row names the columns; `tag` and `operation` are needed")
        return not missing

    def note(self, column: str, message: str) -> None:
        self.mistakes.append(Mistake(self.path, self._line, self._columns.get(column, 0) + 1, message))

    def _row(self, cells: list[str]) -> TableRow | None:
        known = len(self.mistakes)
        tag, where, decision = self._tag(cells), self._where(cells), self._decision(cells)
        frequency = self._frequency(cells)
        if tag is None or len(self.mistakes) > known:
            return None
        decided_by = self._of(cells, "decided_by")
        return TableRow(line=self._line, tag=tag, where=where, decision=decision, frequency=frequency, decided_by=decided_by)

    def _of(self, cells: list[str], column: str) -> str:
        number = self._columns.get(column, len(cells))
        text = cells[number].strip() if number < len(cells) else ""
        return text[1:] if text.startswith(_GUARD) and _FORMULA.match(text, 1) else text

    def _tag(self, cells: list[str]) -> Tag | None:
        text = self._of(cells, "tag")
        if not text:
            self.note("tag", "the tag is missing; such as div.post")
            return None
        try:
            return Tag.parse(text)
        except TagNotationError as error:
            self.note("tag", str(error))
            return None

    def _where(self, cells: list[str]) -> str:
        text = " ".join(self._of(cells, "where").split())
        try:
            if text:
                Selector.parse(text)
        except SelectorError as error:
            self.note("where", str(error))
        return text

    def _decision(self, cells: list[str]) -> TagDecision:
        operation, url = " ".join(self._of(cells, "operation").casefold().split()), self._of(cells, "url")
        names = [name.strip() for name in operation.split(">")]
        if len(names) > 1:
            operation = _SPLIT.join(sorted(names, key=lambda name: name in INLINES))  # the block is the outer one, however it is written
            self._check_split(operation, names, url)
        elif operation == "split":
            self.note("operation", "a split is written `outer > inner`; such as paragraph > bold")
        elif operation and operation not in OPERATIONS:
            self.note("operation", _unknown(operation, OPERATIONS))
        elif url and operation not in NAMES:
            why = f"`{operation}` keeps no address" if operation else "nothing says what the element is"
            self.note("url", f"`{url[:_LONGEST_SHOWN]}` is not kept: {why}; name an operation (figure, embed, link) or empty this cell")
        return TagDecision(operation, url)

    def _check_split(self, operation: str, names: list[str], url: str) -> None:
        if len(names) != 2 or not all(names):
            self.note("operation", f"`{operation[:_LONGEST_SHOWN]}` is no split; write `outer > inner`, such as paragraph > bold")
            return
        for name in names:
            if name not in NAMES:
                self.note("operation", _unknown(name, NAMES))
        if url:
            self.note("url", "a split keeps no address; empty this cell, or give one operation")

    def _frequency(self, cells: list[str]) -> int:
        text = re.sub(r"[\s,]", "", self._of(cells, "frequency"))
        if not text:
            return 1
        try:
            return max(round(float(text)), 0)
        except (ValueError, OverflowError):
            self.note("frequency", f"`{text[:_LONGEST_SHOWN]}` is no number")
            return 1


def _unknown(operation: str, known: Iterable[str]) -> str:
    close = get_close_matches(operation, known, n=1)
    meant = f"did you mean `{close[0]}`?" if close else f"there are: {', '.join(known)}; empty the cell to leave the tag undecided"
    return f"the operation `{operation[:_LONGEST_SHOWN]}` is unknown; {meant}"


def _contradictions(path: Path, rows: Iterable[TableRow]) -> Iterator[Mistake]:
    """Rows of one tag and place that say different things, unless that is what different rules said when the table was written."""
    first: dict[tuple[Tag, str], TableRow] = {}
    for row in rows:
        if not row.decision.operation:
            continue
        earlier = first.setdefault((row.tag, row.where), row)
        if earlier.decision != row.decision and earlier.decided_by == row.decided_by:
            yield Mistake(path, row.line, 1, contradiction(row, earlier))


def contradiction(row: TableRow, earlier: TableRow) -> str:
    """The sentence on two rows of one tag."""
    return f"`{row.tag.text}` is {row.decision} here and {earlier.decision} in row {earlier.line}; an element has one fate: keep one"


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
"""What the program writes by itself: nobody has decided."""
_USUAL = ("", "default", "null", "href", "src", "data-src")
"""Attributes that are looked into without being named."""
_GENERALISED = "@"
"""How an id or a class begins that stands for many: `@wordNUM`, which is written so in no page."""
START_TAG = re.compile(r"<(?P<name>[^\s>]+)(?P<attributes>.*)>", re.DOTALL)
ATTRIBUTE = re.compile(r"\s([^\s=]+)=(.*?)(?=\s[^\s=]+=|$)", re.DOTALL)


def is_known(label: str) -> bool:
    """Whether the program did anything with it."""
    return all(part in (*NOT_LABELLED, SECTION, *LABELS) or part.endswith(tuple(ENDINGS)) for part in label.split(";"))


def operation_of(label: str, own_words: float) -> str:
    """A label in our words; what is no label is unwrapped, as the program did."""
    if label == SECTION:
        return "paragraph" if own_words > 0 else "unwrap"
    if ";" in label:
        inner, outer = (operation_of(part, own_words) for part in label.split(";", 1))
        return f"{outer} > {inner}"
    return next((operation for end, operation in ENDINGS.items() if label.endswith(end)), LABELS.get(label, "unwrap"))


def tag_of(name: str, attributes: Iterable[tuple[str, str]]) -> Tag:
    """With the attributes that an inventory leaves out, since the person saw them, too. Raises TagNotationError for what is no tag."""
    given = tuple(attributes)
    tag = simplified(name, given)
    known = {"class", "id", *(name for name, _ in tag.attributes)}
    return Tag.parse(replace(tag, attributes=(*tag.attributes, *((name, "") for name, _ in given if name not in known))).text)


def labelled_tags(rows: Iterable[tuple[int, dict[str, str]]], note: Callable[[int, str], None]) -> Iterator[TableRow]:
    """Tags of ours; of several of theirs that are one here, the label of most elements counts. `note` is told of labels that are none."""
    votes: dict[Tag, Counter[tuple[str, str]]] = defaultdict(Counter)
    first: dict[Tag, int] = {}
    for line, cells in rows:
        found = START_TAG.fullmatch(cells.get("tag", "").strip())
        if found is None or found["name"].startswith(IN_MEDIA):  # which blocks are media stands in a module of the portal
            continue
        label = cells.get("normal_name", "").strip()
        if not is_known(label):
            meant = "".join(f"is it `{close}`?" for close in get_close_matches(label, LABELS, n=1))
            note(line, f"`{label[:80]}` is no label of HTML2TEI, which unwraps such tags; {meant or 'write `unwrap` if that is meant'}")
            continue
        with suppress(TagNotationError):
            tag = tag_of(found["name"], ATTRIBUTE.findall(found["attributes"]))
            if any(name.startswith(_GENERALISED) for name in (tag.id or "", *tag.classes)):
                continue
            votes[tag][_decision(label, cells)] += round(_number(cells.get("frequency", "")))
            first.setdefault(tag, line)
    for tag, counts in votes.items():
        (operation, url), _ = counts.most_common(1)[0]
        yield TableRow(line=first[tag], tag=tag, decision=TagDecision(operation, url), frequency=counts.total())


def _decision(label: str, cells: dict[str, str]) -> tuple[str, str]:
    if label in NOT_LABELLED:
        return "", ""
    operation = operation_of(label, _number(cells.get("immediate_texts_average_length", "")))
    attribute = cells.get("preserved_attribute", "").strip()
    return operation, attribute if operation in NAMES and attribute not in _USUAL else ""


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0
