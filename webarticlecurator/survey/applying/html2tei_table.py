"""The tag tables of HTML2TEI, as people labelled them: the same rows as those of a table of ours."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches

from webarticlecurator.config.tag_dictionary import NAMES
from webarticlecurator.extraction.body.tag_names import Tag, TagNotationError, simplified

COLUMNS = ("tag", "normal_name", "preserved_attribute")
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


@dataclass(frozen=True, slots=True)
class LabelledTag:
    """A tag of ours, what was said of one or several of theirs, and in which line it came first."""

    line: int
    tag: Tag
    operation: str
    url: str
    frequency: int


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


def labelled_tags(rows: Iterable[tuple[int, dict[str, str]]], note: Callable[[int, str], None]) -> Iterator[LabelledTag]:
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
        yield LabelledTag(first[tag], tag, operation, url, counts.total())


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
