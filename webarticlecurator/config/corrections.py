"""Read, check and edit corrections.yaml beside a portal file: values of single articles, mended by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from webarticlecurator.config import scalars
from webarticlecurator.config.expectations import TEXT, VALUES
from webarticlecurator.config.fields import FIELDS, USUAL_NAMES, Holds
from webarticlecurator.config.keys import Key, Shape, check_shape, closest, one_of
from webarticlecurator.config.load import FILE_NAME as PORTAL_FILE
from webarticlecurator.config.yaml_edits import CannotEdit, YamlStyle, edited, replace_file
from webarticlecurator.config.yaml_reading import (
    FilePlace,
    ListNode,
    MapNode,
    content_of,
    is_null,
    mapping,
    read_document,
    text,
    texts,
)
from webarticlecurator.errors import Mistake, PortalFileError, UsageError
from webarticlecurator.model.metadata import BY_HAND, Correction
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import Selector
from webarticlecurator.storage.places import draft_of

DROP, KEEP = "drop", "keep"
"""The names in the place of a field by which the text of an article is mended."""
OPERATIONS = {DROP: "decompose", KEEP: "unwrap"}
"""The operation of the tag dictionary that stands for each of them."""
NAMES = {usual: field for field, others in USUAL_NAMES.items() for usual in others}
"""Schema.org's name of a field by each of the names that people usually have for it."""
_OPENING = "# Values of single articles, mended by hand: `curator fix` writes and lists them.\n"
_STYLE = YamlStyle(in_quotes=linear(r"^:|:(\W|$)|^\d{4}-\d\d?-\d\d?(\D|$)"))
_YEAR_OR_MONTH = linear_at(r"\d{4}(-(?:0[1-9]|1[0-2]))?\Z")
_DAY_OR_MOMENT = linear_at(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d(:\d\d)?))?\Z")

_ADDRESS = Shape(
    kinds=("string",), title="a web address with http or https", null=False, pattern=r"^https?://[^\s]+$"
)
_TIME = Shape(
    kinds=("string",), title="a day or a time as ISO 8601", null=False, pattern=r"^\d{4}-\d\d-\d\d([T ].+)?$"
)
_KEYS = {
    "article": Key(_ADDRESS, "The article.", ("https://pelda.example/2024/05/01/hid",)),
    "field": Key(
        one_of(*FIELDS, DROP, KEEP).given,
        "The field, by Schema.org's name; `drop` or `keep`: its text is mended.",
        ("headline",),
    ),
    "before": Key(
        VALUES,
        "All values that the rules gave: the correction holds as long as they give just these. Of `drop` and "
        "`keep` the lines of the text that change, `- ` before what goes and `+ ` before what comes. In "
        "releases without texts `sha256:` and a hash stand for each.",
        ("Megnyilt a hid",),
    ),
    "after": Key(
        VALUES,
        "All values that are right; null: none. Of `drop` and `keep` the selectors of what goes or stays.",
        ("Megnyílt a híd",),
    ),
    "by": Key(TEXT, "Who mended it.", ("Kovács Anna",)),
    "when": Key(_TIME, "When it was mended.", ("2024-06-01T12:00:00+00:00",)),
    "because": Key(TEXT, "Why.", ("the page lost its accents",)),
}
_ENTRY = Shape(
    kinds=("object",),
    title="a correction",
    null=False,
    known=_KEYS,
    needed=("article", "field", "by", "when"),
)
CORRECTIONS = Shape(kinds=("array",), null=False, items=_ENTRY)


def corrections_file(portal_file: Path) -> Path:
    """Return where the corrections of a portal file lie: beside it; of one that is not called portal.yaml
    under its name, since others may lie in the folder."""
    name = BY_HAND if portal_file.name == PORTAL_FILE else f"{portal_file.stem}.{BY_HAND}"
    return portal_file.with_name(name)


def load_corrections(file: Path) -> tuple[Correction, ...]:
    """Return what a file of corrections says, nothing if there is none. Raises PortalFileError with all
    mistakes."""
    return tuple(_corrections_in(content_of(file), file)) if file.is_file() else ()


def _corrections_in(content: bytes, file: Path) -> list[Correction]:
    root, mistakes = read_document(content, file)
    if not mistakes and (root is None or is_null(root)):
        return []
    if not isinstance(root, ListNode):
        place = root.place if root is not None else FilePlace(file, 1, 1)
        expected = place.mistake("expected a list of corrections: `- article: ...` with `field: ...`")
        raise PortalFileError(tuple(mistakes) or (expected,))
    sound, mistakes_of_shape, _ = check_shape(root, CORRECTIONS)
    entries = list(map(mapping, sound.items))
    mistakes += [*mistakes_of_shape, *_told_twice(entries)]
    for entry in entries:
        mistakes += _wrong_values(entry)
    if mistakes:
        raise PortalFileError(tuple(dict.fromkeys(mistakes)))
    return list(map(_correction, entries))


def _correction(entry: MapNode) -> Correction:
    single = {name: text(entry.get(name)) or "" for name in ("article", "field", "by", "when", "because")}
    before, after = texts(entry.get("before")), texts(entry.get("after"))
    return Correction(before=before, after=after, **single)


def _told_twice(entries: Iterable[MapNode]) -> Iterator[Mistake]:
    """Tell of a field of an article that is mended twice."""
    first_lines: dict[tuple[str | None, str | None], int] = {}
    for entry in entries:
        mended = text(entry.get("article")), text(entry.get("field"))
        line = first_lines.setdefault(mended, entry.place.line)
        if None not in mended and line != entry.place.line:
            yield entry.place.mistake(f"{mended[1]} of this article is already mended in line {line}")


def _wrong_values(entry: MapNode) -> Iterator[Mistake]:
    """Tell of right values that are none of their field; those that the rules gave are taken as they are."""
    field, node = text(entry.get("field")), entry.get("after")
    if field is None:
        return
    before, after = texts(entry.get("before")), texts(node)
    if is_one_too_many(field, before, after):
        yield (node or entry).place.mistake(f"{field} has one value, and these are {len(after)}")
    for value in after:
        if value in before:
            continue
        try:
            check_value(field, value)
        except ValueError as error:
            yield (node or entry).place.mistake(str(error))


# --- values ---


def check_value(field: str, value: str) -> None:
    """Check whether a field may have a value, written as documents have it. Raises ValueError, which says
    what is wrong."""
    if field in OPERATIONS:
        Selector.parse(value)
    else:
        _CHECKS[FIELDS[field].holds](value)


def is_one_too_many(field: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """True if a field that is no list would have several values, where the rules did not give several."""
    is_single = field in FIELDS and not FIELDS[field].many
    return is_single and len(after) > 1 and len(before) < 2


def _check_date(value: str) -> None:
    if _YEAR_OR_MONTH.match(value):
        return
    with suppress(ValueError):
        datetime.fromisoformat(value)
        if _DAY_OR_MOMENT.match(value):
            return
    raise ValueError(f"{value!r} is no date; write it as 2024-05-01 or 2024-05-01T10:00:00+02:00")


def _check_fit(pattern: str, expected: str, value: str) -> None:
    if not linear_at(pattern).fullmatch(value):
        raise ValueError(f"{value!r} is not {expected}")


_CHECKS: dict[Holds, Callable[[str], object]] = {
    Holds.TEXT: partial(_check_fit, r"(?s).*\S.*", "a text"),
    Holds.DATE: _check_date,
    Holds.URL: scalars.web_address,
    Holds.LANGUAGE: scalars.language,
    Holds.NUMBER: partial(_check_fit, r"\d{1,15}", "a whole number"),
    Holds.YES_NO: partial(_check_fit, "true|false", "true or false"),
}


def field_named(name: str) -> str:
    """Return Schema.org's name of a field, which may be called as the command line calls it. Raises
    UsageError."""
    known = {**{field.casefold(): field for field in (*FIELDS, *OPERATIONS)}, **NAMES}
    if name.casefold() in known:
        return known[name.casefold()]
    close = closest(name, (*FIELDS, *NAMES, *OPERATIONS))
    meant = f"did you mean {close}?" if close else f"fields are: {', '.join(FIELDS)}; of the text: drop, keep"
    raise UsageError(f"There is no field {name}; {meant}")


# --- edits of the file ---


def write_corrections(file: Path, wanted: Sequence[Correction]) -> None:
    """Let a file say these corrections; what a person noted in it stays. Raises UsageError where only a
    person can change it."""
    before = content_of(file).decode("utf-8") if file.is_file() else _OPENING
    notes = "".join(line for line in before.splitlines(keepends=True) if line.startswith("#"))
    try:
        after = edited(before, list(map(_entry, wanted)), _STYLE) if wanted else notes or _OPENING
    except CannotEdit as problem:
        raise UsageError(
            f"{file} is written in a way that a program cannot change without harm ({problem}), so nothing "
            "was written. Write each correction on lines of its own, `- article: ...`, or enter it by hand."
        ) from None
    if file.is_file():
        replace_file(file, after.encode())
    else:
        with draft_of(file, sync=True) as draft:
            draft.write_bytes(after.encode())


def _entry(correction: Correction) -> dict[str, Any]:
    """Return a correction as it stands in the file."""
    entry: dict[str, Any] = {"article": correction.article, "field": correction.field}
    for name in ("before", "after"):
        values = list(getattr(correction, name))
        entry[name] = values if len(values) > 1 else next(iter(values), None)
    entry |= {"by": correction.by, "when": correction.when}
    return entry | ({"because": correction.because} if correction.because else {})
