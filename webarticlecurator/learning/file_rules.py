"""The settings of a portal file, key by key, with those that it extends; and proposals as text of it: keys
put where they belong, with their evidence as comments, where comments of others stay."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import yaml

from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import SPLIT
from webarticlecurator.config.yaml_edits import WIDEST, YamlStyle, edited, said_in
from webarticlecurator.config.yaml_reading import FAST_LOADER
from webarticlecurator.databases import Row
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.own_patterns import linear

Path = tuple[str, ...]
ABSENT = object()
ARCHIVE = "archive"
_SECTIONS: frozenset[Path] = frozenset(
    {
        (), ("columns",), ("publisher",), ("fetch",), ("articles",), ("metadata",),
        ("body",), ("body", "tags"), ("body", "tags", SPLIT), ("posts",),
        ("archive",), ("archive", "urls"), ("archive", "fields"), ("archive", "stop"),
    }
)  # fmt: skip
"""Places of mappings that are merged key by key; a column has those of `archive`."""
_LISTS_OF_URLS = frozenset(("drop_params", "exclude", "hosts", "only"))
"""Lists under `urls` that are added to."""


class KeyValue(NamedTuple):
    """A key of the portal file with what it is to be; None: it should not be there."""

    path: Path
    value: Plain


def key_values(path: Path, value: Plain) -> Iterator[KeyValue]:
    """Give what a choice says there, key by key."""
    if is_section(path) and isinstance(value, Mapping):
        for key, inner in value.items():
            yield from key_values((*path, str(key)), inner)
    else:
        yield KeyValue(path, value)


def is_section(path: Path) -> bool:
    """Say whether a mapping there is merged key by key; any other value is replaced as a whole."""
    return _place(path) in _SECTIONS or path[:-1] == ("posts",)


def grows(path: Path) -> bool:
    """Say whether a list there is added to."""
    *above, name = path or ("",)
    place = _place(tuple(above))
    return place == ("body", "tags") or (place == ("archive", "urls") and name in _LISTS_OF_URLS)


def _place(path: Path) -> Path:
    """Return the path, of the keys of a column that which they have in `archive`."""
    return (ARCHIVE, *path[2:]) if len(path) > 1 and path[0] == "columns" else path


class FileRules:
    """A portal file that has no mistakes."""

    def __init__(self, portal: Portal) -> None:
        self.text = portal.sources[0].content.decode("utf-8-sig")
        self._own, self._effective = (plain_file(text) for text in (self.text, portal.effective))

    def value(self, path: Path) -> Any:
        """Return what holds there, presets and `archive` (for columns) with it; ABSENT where nothing does."""
        value = value_at(self._effective, path)
        if value is ABSENT and path[0] == "columns" and len(path) > 2:
            value = value_at(self._effective, ("archive", *path[2:]))
        return ABSENT if value is None else value

    def own_value(self, path: Path) -> Any:
        """Return what the file itself says there; ABSENT where it says nothing."""
        return value_at(self._own, path)

    def has(self, wanted: KeyValue) -> bool:
        """Say whether the file says this already; of a list that grows: all of it.

        What a column inherits from `archive` is not its own: with another rule there it would have another
        one, too.
        """
        if wanted.value is None:
            return self.value(wanted.path) is ABSENT
        now = value_at(self._effective, wanted.path)
        if now is None or now is ABSENT:
            return False
        return not missing_in(now, wanted.value) if grows(wanted.path) else items(now) == items(wanted.value)

    def says(self, proposal: Proposal, choice: Choice) -> bool:
        """Say whether the file says all of a choice; that there should be no rule it says by `null`."""
        wanted = list(key_values(proposal.path, choice.value))
        if all(value is None for _, value in wanted):
            return all(self.own_value(path) is None for path, _ in wanted)
        return all(map(self.has, wanted))

    def contradicts(self, proposal: Proposal, choice: Choice) -> tuple[KeyValue, ...]:
        """Keys that the file says otherwise, with what it says."""
        wanted = [
            (path, value, self.value(path))
            for path, value in key_values(proposal.path, choice.value)
            if not grows(path)
        ]
        narrowed = any(
            path[-1] == "item" and now is ABSENT and value is not None for path, value, now in wanted
        )
        return tuple(
            KeyValue(path, now)
            for path, value, now in wanted
            if now is not ABSENT and (items(now) != items(value) or (narrowed and path[-1] == "link"))
        )


def missing_in(there: Any, wanted: Plain) -> list[Any]:
    """Return what a list, or a single value in its place, does not hold yet."""
    has = items(there)
    return [item for item in items(wanted) if item not in has]


def items(value: Any) -> list[Any]:
    """Return the items of a list, or of a single value in its place, which means the same as a list of it."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(value)
    return [] if value is None or value is ABSENT else [value]


def value_at(root: Mapping[str, Any], path: Path) -> Any:
    """Return what a file says under a path of keys; ABSENT where it says nothing. Of layers of tag rules the
    nearest counts."""
    place: Any = root
    for number, name in enumerate(path):
        place = _mapping(place, path[:number])
        if name not in place:
            return ABSENT
        place = place[name]
    return place


def _assigned(place: Any, above: Path, path: Path, value: Any) -> Any:
    """Return a file with another value there; ABSENT: without the key, and without those above it that say
    nothing more."""
    if isinstance(place, list) and above == ("body", "tags"):
        nearest = next(
            (number for number, layer in enumerate(place) if isinstance(layer, Mapping)), len(place)
        )
        layer = place[nearest] if nearest < len(place) else {}
        return [*place[:nearest], _assigned(layer, ("",), path, value), *place[nearest + 1 :]]
    changed = dict(_mapping(place, above))
    name, *left = path
    new = _assigned(changed.get(name), (*above, name), tuple(left), value) if left else value
    changed[name] = new
    if new is ABSENT:
        del changed[name]
    return changed if changed or not above else ABSENT


def _mapping(place: Any, above: Path) -> Mapping[str, Any]:
    if isinstance(place, list) and above == ("body", "tags"):
        place = next((layer for layer in place if isinstance(layer, Mapping)), None)
    if isinstance(place, str) and len(above) == 2 and above[0] == "columns":
        return {"url": place}
    return place if isinstance(place, Mapping) else {}


def plain_file(text: str) -> dict[str, Any]:
    return dict(said_in(text) or {})


_MOST_SAMPLES = 3
_LEARNED, _NOT_SURE = "learned", ", but NOT SURE"
"""Beginning of the program's own comments, by which they are known when their line is written anew; and how
they go on where nobody has answered."""
_ALTERNATIVE = "or, in its place"
_COMMENT = linear(r"[ \t]*#[ \t]?")
_NOT_IN_YAML = linear(
    r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
"""Signs that YAML refuses even in comments, and signs that steer an editor."""
_ORDER = (
    *(
        "portal", "title", "home", "language", "timezone", "kind", "extends", "publisher", "fetch",
        "archive", "columns",
    ),
    *("articles", "metadata", "body", "posts", "layouts"),
    *(
        "url", "ways", "base", "dates", "pages", "item", "link", "next", "sections",
        "fields", "urls", "stop",
    ),
    *("request", "format", "vars", "skip", "identity", "root", "within", "tags"),
)  # fmt: skip
"""Keys as a person writes them one after the other."""
_RANK = {name: place for place, name in enumerate(_ORDER)}


def _comment_in(line: str) -> str | None:
    """Return what a line of comment says; None: it is none."""
    return _COMMENT.sub("", line, count=1) if _COMMENT.match(line) else None


def _behind_alternatives(text: str, start: int) -> int:
    """Return where those of our comments end that begin there, and tell what else a rule might be."""
    end = start
    for line in text[start:].splitlines(keepends=True):
        said = _comment_in(line)
        if said is None or said.startswith(_LEARNED) or (end == start and not said.startswith(_ALTERNATIVE)):
            break
        end += len(line)
    return end


LEARNED_STYLE = YamlStyle(
    in_line=lambda path, line: len(line) <= WIDEST and not is_section(path),
    rank=lambda key: _RANK.get(key, len(_RANK)),
    behind=_behind_alternatives,
)


def with_key(text: str, path: Path, value: Any, evidence: Sequence[str] = (), *, adds: bool = False) -> str:
    """The text of a portal file that says this there, and nothing else otherwise, with lines of comment above
    it; ABSENT: the key goes.

    `adds`: a list there gets more items, so what is said of the others stays. Raises CannotEdit.
    """
    before = plain_file(text)
    if value_at(before, path) == value and not (evidence and is_in_doubt(text, path)):
        return text
    after = edited(
        text if adds else _without_evidence(text, path),
        dict(_assigned(before, (), path, value)),
        LEARNED_STYLE,
    )
    place = _lines_of(after, path)
    if place is None:
        return after
    return _with_comments(after, place.first, evidence if value is not ABSENT else (), like=place.first)


def with_alternatives(text: str, paths: Iterable[Path], alternatives: Sequence[str]) -> str:
    """With lines of comment behind the last of these keys."""
    last = max(filter(None, map(partial(_lines_of, text), paths)), key=lambda place: place.end, default=None)
    return text if last is None else _with_comments(text, last.end, alternatives, like=last.first)


def _with_comments(text: str, number: int, comments: Iterable[str], *, like: int) -> str:
    """Before the line of a number, as far to the right as another one."""
    lines = text.splitlines(keepends=True)
    indent = lines[like][: len(lines[like]) - len(lines[like].lstrip(" "))]
    newline = "\r\n" if "\r\n" in text else "\n"
    return "".join([*lines[:number], *(f"{indent}{line}{newline}" for line in comments), *lines[number:]])


def _without_evidence(text: str, path: Path) -> str:
    """Without what we said of the value that goes: above it, and its alternatives behind it."""
    place = _lines_of(text, path)
    if place is None or place.in_brackets:
        return text
    lines = text.splitlines(keepends=True)
    behind = "".join(lines[place.end :])
    behind = behind[_behind_alternatives(behind, 0) :]
    return "".join(
        [
            *lines[: place.first - len(_evidence_above(lines, place.first))],
            *lines[place.first : place.end],
            behind,
        ]
    )


def _evidence_above(lines: Sequence[str], number: int) -> Sequence[str]:
    """Return what was said of the key that stands in the line of a number."""
    first = number
    while first and (said := _comment_in(lines[first - 1])) is not None:
        first -= 1
        if said.startswith(_LEARNED):
            return lines[first:number]
    return ()


def is_in_doubt(text: str, path: Path) -> bool:
    """Say whether we said that the value of a key is not sure."""
    place = _lines_of(text, path)
    return place is not None and any(
        f"{_LEARNED}{_NOT_SURE}" in line for line in _evidence_above(text.splitlines(), place.first)[:1]
    )


def _lines_of(text: str, path: Path) -> Row | None:
    """Return where a key stands with its value: the `first` of its lines, counted from 0, and the `end`
    behind the last one; and whether that is `in_brackets`. Of several layers the nearest is looked at; None:
    there is no such key."""
    try:
        node: Any = yaml.compose(text.removeprefix("\ufeff"), Loader=FAST_LOADER)
    except yaml.YAMLError:
        return None
    lines = None
    for name in path:
        if isinstance(node, yaml.SequenceNode):
            node = next((layer for layer in node.value if isinstance(layer, yaml.MappingNode)), None)
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        key, value = next(((key, value) for key, value in pairs if key.value == name), (None, None))
        if key is None or value is None:
            return None
        last = value
        while isinstance(last, yaml.CollectionNode) and not last.flow_style and last.value:
            last = last.value[-1][1] if isinstance(last, yaml.MappingNode) else last.value[-1]
        end = max(last.end_mark.line + bool(last.end_mark.column), key.end_mark.line + 1)
        lines = Row(first=key.start_mark.line, end=end, in_brackets=bool(node.flow_style))
        node = value
    return lines


def evidence_lines(proposal: Proposal, choice: Choice, *, answered: bool) -> list[str]:
    """Why a choice stands in the file. `answered`: a person chose it, if it is not sure."""
    value = choice.value if grows(proposal.path) and isinstance(choice.value, list | tuple) else ()
    of_items = (
        f" for {', '.join(map(str, value))}" if value else ""
    )  # the reasons of several answers can stand above one line
    doubt = ", and chosen by a person" if answered else _NOT_SURE
    if proposal.sure:
        doubt = ""
    return [
        *comment_lines(f"{_LEARNED}{of_items}{doubt}: {choice.reason}"),
        *_samples(choice.samples[:_MOST_SAMPLES]),
    ]


def alternative_lines(proposal: Proposal) -> list[str]:
    """The other choices, as comments that only need their `#` taken away."""
    lines: list[str] = []
    otherwise = {"+": "gives, and the first does not:", "-": "does not give, and the first does:"}
    for number, choice in enumerate(proposal.choices[1:3], start=2):
        lines += [
            *comment_lines(f"{_ALTERNATIVE} ({number}): {choice.reason}"),
            *_samples(choice.samples[:_MOST_SAMPLES]),
        ]
        lines += _samples(f"{otherwise[line[0]]}{line[1:]}" for line in choice.differs[:4])
        lines += rule_lines(proposal, choice)
    return lines


def rule_lines(proposal: Proposal, choice: Choice) -> list[str]:
    """A choice as comment."""
    is_mapping = isinstance(choice.value, Mapping) and is_section(proposal.path)
    style, path = LEARNED_STYLE, proposal.path
    return [
        f"# {line}"
        for line in (
            style.lines(choice.value, path) if is_mapping else style.entry(path[-1], choice.value, path)
        )
    ]


def comment_lines(text: str) -> list[str]:
    """A sentence as comment, folded."""
    wrapper = textwrap.TextWrapper(WIDEST - 2, break_long_words=False, break_on_hyphens=False)
    return [f"# {line}" for line in wrapper.wrap(_harmless(text, 600))]


def _samples(texts: Iterable[str]) -> list[str]:
    return [f"#   {_harmless(text, 200)}" for text in texts]


def _harmless(text: str, longest: int) -> str:
    """Return what pages say, in one line that YAML takes as a comment."""
    squeezed = _NOT_IN_YAML.sub("?", " ".join(text[: 4 * longest].split()))
    return squeezed if len(squeezed) <= longest else f"{squeezed[:longest]}..."
