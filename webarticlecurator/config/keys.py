"""Keys of the portal file: each is declared once, by the field that holds its value, and the sentence below
the field says what it is for.

What is read (`read_keys`), refused (`check_shape`) and merged (`merge`), the JSON schema and the reference
come from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from webarticlecurator.config import yaml_reading
from webarticlecurator.config.fields import USUAL_NAMES
from webarticlecurator.config.yaml_reading import (
    FilePlace,
    ListNode,
    MapNode,
    ScalarNode,
    YamlNode,
    is_null,
    plain,
    quoted,
    text,
    texts,
)
from webarticlecurator.errors import Mistake
from webarticlecurator.own_patterns import linear

if TYPE_CHECKING:
    from webarticlecurator.config.scalars import NodeCompiler

T = TypeVar("T")
Read: TypeAlias = "Callable[[NodeCompiler, YamlNode], Any]"
JsonKind = Literal["string", "integer", "number", "boolean", "array", "object"]
"""The kinds of values, as JSON Schema calls them."""


@dataclass(frozen=True, slots=True)
class Together:
    """A key with those that may not stand beside it, the one that must, and the sentence about them."""

    key: str
    without: tuple[str, ...]
    sentence: str
    needs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shape:
    """The values that may stand at a place; a bound holds for values of its kind."""

    kinds: tuple[JsonKind, ...] = ()
    """The kinds of values that may stand there; empty: any."""
    title: str = ""
    """The words for what was expected; empty: the kinds are named."""
    null: bool = True
    """True if the value may be null, which is as if the key were absent."""
    choices: tuple[str, ...] = ()
    pattern: str = ""
    """The regex that a text must match; by `^` and `$` it says itself how far."""
    shortest: int = 0
    longest: int | None = None
    least: int | None = None
    most: int | None = None
    items: Shape | None = None
    fewest: int = 0
    """The number of items, or keys, that it must have at least."""
    most_in_it: int | None = None
    known: Mapping[str, Key] = field(default_factory=dict)
    """The keys of a mapping; none: it has names of one's own, or may hold anything."""
    needed: tuple[str, ...] = ()
    brought: Mapping[str, str] = field(default_factory=dict)
    """Needed keys that may stand in another file -> the key that names this file."""
    together: tuple[Together, ...] = ()
    keys_name: str = ""
    """The name under which the JSON schema knows the keys, where several shapes have them."""
    others: Shape | None = None
    """The shape of what stands under keys of one's own."""
    names: Shape | None = None
    """The shape that a key of one's own must have."""
    holds: Literal["", "selector", "regex", "text"] = ""
    """The kind of a text that has `#` in it, so that YAML takes the end of it for a comment."""
    merges: Literal["", "whole", "layers", "column", "columns"] = ""
    """The way in which a nearer file changes the value, if not key by key: `config.merge`."""
    adds: bool = False
    """True if a `+` behind a key of one's own adds to a list."""
    short_for: str = ""
    """The key that a word in place of the mapping is the value of."""
    name: str = ""
    """The name under which the JSON schema knows this shape."""
    read: Read | None = None
    """The function that reads the value; None: a single value or a list of texts is taken as it is
    written."""

    def of(self, name: str) -> Shape | None:
        """Return what stands under a key; None where there is no such key."""
        if name in self.known:
            return self.known[name].shape
        added_to = self.known.get(name.removesuffix("+"))
        return self.others if added_to is None else added_to.adds

    def adds_to(self, name: str) -> bool:
        """Say whether a key adds to a list instead of replacing it."""
        return (
            name.endswith("+")
            and name not in self.known
            and (self.of(name) is not None if self.known else self.adds)
        )

    @property
    def given(self) -> Shape:
        """Return the shape in which null is no value."""
        return replace(self, null=False, name="") if self.null else self


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """A key with all that is to be said of it."""

    shape: Shape
    says: str = ""
    """The sentence on what the key is for; empty: that below the field that it is."""
    examples: tuple[Any, ...] = ()
    default: Any = None
    """The default as the file would give it, or in words."""
    adds: Shape | None = None
    """The shape of what `key+` adds to its list; None: there is no `key+`."""
    read: Read | None = None


def key(
    shape: Shape,
    *examples: Any,
    default: Any = None,
    shown: Any = None,
    name: str = "",
    adds: bool | Shape = False,
    read: Read | None = None,
) -> Any:
    """A field that is a key of the file (`name`: under another one); the sentence below it says what the key
    is for.

    `shown`: the default as the file would give it, or in words.
    """
    unset = shown if shown is not None else _as_in_file(default)
    added = shape if adds is True else adds or None
    declared = Key(
        shape, "", examples, default=unset, adds=added, read=read or shape.read or _as_written(shape)
    )
    metadata = {"key": declared, "name": name}
    return (
        field(default_factory=dict, metadata=metadata)
        if default == {}
        else field(default=default, metadata=metadata)
    )


def _as_in_file(default: Any) -> Any:
    """Return a default as a portal file would give it."""
    if default is MISSING:
        return None
    if default == ():
        return []
    return {} if is_dataclass(default) else default


def keys_of(kind: type, *names: str) -> dict[str, Key]:
    """The keys that the fields of a class declare, in their order; or only these."""
    declared = {
        member.metadata["name"] or member.name: member.metadata["key"]
        for member in fields(kind)
        if "key" in member.metadata
    }
    return {name: declared[name] for name in names or declared}


def mapping_of(kind: type, **more: Any) -> Shape:
    """A mapping that is read into an instance of this class."""
    return Shape(
        kinds=("object",),
        known=keys_of(kind),
        read=lambda compiler, node: read_keys(compiler, kind, node),
        **more,
    )


def read_keys(compiler: NodeCompiler, kind: type[T], node: YamlNode | None, **others: Any) -> T:
    """The class with what the file gives; `others` are known already."""
    rules = yaml_reading.mapping(node)
    for member in fields(kind):  # type: ignore[arg-type]
        declared: Key | None = member.metadata.get("key")
        if declared is None or declared.read is None or member.name in others:
            continue
        given = rules.get(member.metadata["name"] or member.name)
        read = declared.read(compiler, given) if given is not None else None
        if read is not None:
            others[member.name] = read
    return kind(**others)


def parsed(parser: Callable[[str], Any]) -> Read:
    """A single value; what is wrong with it, the parser's ValueError says."""
    return lambda compiler, node: compiler.parse(node, parser)


def all_parsed(parser: Callable[[str], Any]) -> Read:
    """A list of them, or one in place of it."""
    return lambda compiler, node: compiler.parse_all(node, parser)


def _as_written(shape: Shape) -> Read | None:
    """Return what stands in the file, as it is; None: it is not read key by key."""
    if not shape.kinds or "object" in shape.kinds:
        return None
    if "array" in shape.kinds:
        return lambda _, node: texts(node)
    return lambda _, node: text(node) if "string" in shape.kinds else plain(node)


def one_of(*choices: str, read: Read | None = None) -> Shape:
    """A text that is one of these."""
    return Shape(kinds=("string",), choices=choices, read=read)


def number(least: int, most: int) -> Shape:
    """A whole number between two."""
    return Shape(kinds=("integer",), least=least, most=most)


def several(shape: Shape, title: str, read: Read | None, name: str = "") -> Shape:
    """A list of such texts, or one in place of it."""
    return replace(
        shape, kinds=("string", "array"), title=title, null=True, items=shape.given, read=read, name=name
    )


# --- the shape of a file: every mistake gets its place and a sentence in plain English ---

Path = tuple[str | int, ...]
Root = TypeVar("Root", bound=MapNode | ListNode)

_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping (`key: value`)",
}
_OF_TYPES: dict[type, JsonKind] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    ListNode: "array",
    MapNode: "object",
}
_HOMES = {
    "item": "to `archive` or a column",
    "link": "to `archive` or a column",
    "url": "to `archive` or a column",
    "next": "to `archive`, a column or `articles`",
    "from": "into `dates`",
    "until": "into `dates`",
    "step": "into `dates`",
    "mode": "into `pages`",
    "root": "into `body`",
    "tags": "into `body`",
    "identity": "into `articles`",
    "skip": "into `articles`",
    "vars": "to a column",
    "remove": "into `body.tags`, where it is called `decompose`",
    "settle": "into `dates`",
    "contact": "to the person who crawls, not to the portal: use --contact or CURATOR_CONTACT",
}
"""The place where each known key belongs, for one that stands in a wrong place."""
_FORMER = {
    "ranges": "each range of dates is a column of its own, with `url` and `dates: {from, until, step}`",
    "dates.url": "each range of dates is a column of its own, with `url` and `dates: {from, until, step}`",
    "drift_after": "three dates without links are told as a changed layout; delete the line",
    "block": "a browser loads no pictures, fonts and films of any page; delete the line",
    "scroll.most": "a list is read for 1,000 steps, another page is scrolled 200 times; delete the line",
    "known_pages": "a list without dates ends at three known pages; delete the line (`stop: null` walks all)",
    "stop.when": "write the last page as `last` in `pages`, or its address as `at_url`",
    "exclude_file": "write its addresses as regexes into `exclude`, such as `'/cikk/123$'`",
    "map_file": "write its lines into `map`: `map: {from: to}`",
    "route": "give the other field a pick of its own with `match`, and this one `drop`",
}
"""The way in which a key of earlier versions is written now, by its name, or by that of what holds it and its
own."""
_USUAL = {
    **{usual: name for name, others in USUAL_NAMES.items() for usual in others},
    "link": "head_link",
    "remove": "decompose",
    "delete": "decompose",
    "selector": "css",
    "xpath": "css",
    "jsonpath": "json",
    "attribute": "attr",
    "regex": "match",
    "format": "date",
    "dateformat": "date",
    "date_format": "date",
    "pattern": "match",
}
"""The key of ours by the name that other programs have for it; it counts where that key is known."""
_MOST_LISTED = 24
_FEW = 8
SECRET_PREFIX = "CURATOR_"
"""The beginning of the name of every variable of the environment that a portal file may name."""


def check_shape(root: Root, shape: Shape) -> tuple[Root, tuple[Mistake, ...], set[Path]]:
    """A file without what is wrong in it, so that whoever reads on can trust its shape; what is wrong; and
    where something went."""
    checking = _Checking()
    sound: Any = checking.sound(root, shape, ())
    return root if sound is None else sound, tuple(checking.mistakes.values()), checking.lost


@dataclass(slots=True)
class _Checking:
    mistakes: dict[tuple[FilePlace, str], Mistake] = field(default_factory=dict)
    """The mistakes by place and by what is said there: what an alias leads to stands in several places, and
    is told of once."""
    lost: set[Path] = field(default_factory=set)

    def sound(
        self, node: YamlNode, shape: Shape, path: Path, key: FilePlace | None = None
    ) -> YamlNode | None:
        """Return the node without what is wrong in it; None if it is wrong itself. `key`: where its key
        stands."""
        swallowed = _swallowed(node, shape)
        if swallowed is not None:
            self._note(node.place, swallowed)
            self.lost.add(path)
            return None
        if is_null(node) and shape.null:
            return node
        sentence = _wrong(node, shape)
        if sentence is not None:
            self._note_value(node, sentence, path, key)
        elif isinstance(node, ScalarNode):
            return node
        else:
            sound = self._inside(node, shape, path)
            wrong = tuple(_wrong_together(node, shape))
            for sentence in wrong:
                self._note(node.place, sentence, path)
            if not path or not (wrong or _missing(sound, shape)):
                return sound
        self.lost.add(path)
        return None

    def _note_value(self, node: YamlNode, sentence: str, path: Path, key: FilePlace | None) -> None:
        """Note what is wrong with a value: at its key, if it is empty; not again, if it could not be read."""
        if isinstance(node, ScalarNode):
            if node.faulty:
                return
            if key is not None and is_null(node) and not node.text:
                self._note(key, sentence, path)
                return
        self._note(node.place, sentence, path)

    def _inside(self, node: MapNode | ListNode, shape: Shape, path: Path) -> MapNode | ListNode:
        """Return the node without what is wrong below it."""
        if isinstance(node, ListNode) and (of := shape.items) is not None:
            items = (self.sound(item, of, (*path, index)) for index, item in enumerate(node.items))
            return replace(node, items=tuple(item for item in items if item is not None))
        if not isinstance(node, MapNode) or not (shape.known or shape.others):
            return node
        entries = {}
        for name, value in node.entries.items():
            of, place = shape.of(name), node.keys[name]
            if of is None:
                self.mistakes.setdefault((place, ""), place.mistake(_unknown_key(name, node, shape, path)))
            elif shape.names is not None and _wrong_text(name, shape.names) is not None:
                self._note(place, f"{quoted(name)} is not {shape.names.title}")
            else:
                if (sound := self.sound(value, of, (*path, name), place)) is not None:
                    entries[name] = sound
                continue
            self.lost.add((*path, name))
        return replace(node, entries=entries)

    def _note(self, place: FilePlace, sentence: str, path: Path = ()) -> None:
        self.mistakes.setdefault(
            (place, sentence), place.mistake(f"{_called(path)}: {sentence}" if path else sentence)
        )


def _swallowed(node: YamlNode, shape: Shape) -> str | None:
    """Return the sentence on something with `#` or `[...]` in it of which YAML made something else; None
    where all came through."""
    if isinstance(node, ScalarNode):
        return (
            yaml_reading.truncated(node.text, node.swallowed, shape.holds)
            if shape.holds and node.swallowed is not None
            else None
        )
    if not isinstance(node, ListNode) or shape.holds != "selector" or not node.flow:
        return None
    plain = [item.text for item in node.items if isinstance(item, ScalarNode) and item.plain]
    return yaml_reading.attribute_selector(plain[0]) if len(plain) == len(node.items) == 1 else None


def _wrong(node: YamlNode, shape: Shape) -> str | None:
    """Return what is wrong with a value, whatever is in it."""
    if shape.kinds and not _is_of(node, shape.kinds):
        return _wrong_kind(node, shape)
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return _wrong_text(node.value, shape)
    if (
        isinstance(node, ScalarNode)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
    ):
        if shape.least is not None and node.value < shape.least:
            return f"{node.value} is too small; the least is {shape.least}"
        if shape.most is not None and node.value > shape.most:
            return f"{node.value} is too large; the most is {shape.most}"
    return None


def _is_of(node: YamlNode, kinds: tuple[JsonKind, ...]) -> bool:
    kind = _OF_TYPES.get(type(node.value if isinstance(node, ScalarNode) else node))
    return kind in kinds or (kind == "integer" and "number" in kinds)


def _wrong_kind(node: YamlNode, shape: Shape) -> str:
    choices = f"one of {', '.join(shape.choices)}" if 0 < len(shape.choices) <= _FEW else ""
    expected = f"expected {shape.title or choices or ' or '.join(_KINDS[kind] for kind in shape.kinds)}"
    if isinstance(node, MapNode | ListNode):
        return f"{expected}, found {'a list' if isinstance(node, ListNode) else 'a mapping'}"
    if node.swallowed is not None:
        return yaml_reading.truncated(node.text, node.swallowed)
    if node.value is None:
        return f"{expected}, found nothing"
    name, key = next(iter(shape.known.items()), ("", None)) if shape.kinds == ("object",) else ("", None)
    if key is not None and key.shape.kinds == ("integer",) and _is_of(node, key.shape.kinds):
        return f"{expected}, found only a value; write `{{{name}: {node.text}}}`"
    what_stands = _KINDS[_OF_TYPES[type(node.value)]].replace("whole ", "")
    could_be_text = "string" in shape.kinds and _wrong_text(node.text, shape) is None
    quotes = f"; if it is meant as text, put it in quotes: {quoted(node.text)}" if could_be_text else ""
    return f"{expected}, found {what_stands} ({node.text}){quotes}"


def _wrong_text(written: str, shape: Shape) -> str | None:
    if shape.choices and written not in shape.choices:
        close = closest(written, shape.choices)
        listed = f"there are: {', '.join(shape.choices)}"
        meant = (
            listed
            if close is None
            else f"did you mean `{close}`?" + (f" ({listed})" if len(shape.choices) <= _FEW else "")
        )
        return f"{quoted(written)} is unknown; {meant}"
    if len(written) < shape.shortest:
        return f"an empty text; expected {shape.title or 'something in it'}"
    if shape.longest is not None and len(written) > shape.longest:
        return f"longer than {shape.longest} characters"
    if linear(shape.pattern).search(written) is None:
        variable = SECRET_PREFIX + linear(r"\W").sub("_", written.removeprefix(SECRET_PREFIX)).upper()
        hint = (
            f"; did you mean {variable}?"
            if SECRET_PREFIX in shape.pattern and linear(shape.pattern).search(variable)
            else ""
        )
        return f"{quoted(written)} is not {shape.title}{hint}"
    return None


def _wrong_together(node: MapNode | ListNode, shape: Shape) -> Iterator[str]:
    """Tell what is wrong with a list or a mapping as a whole: too little or too much, or what cannot be meant
    together."""
    if isinstance(node, ListNode):
        yield from _wrong_number("list", len(node.items), shape)
        return
    yield from _wrong_number("mapping", len(node.entries), shape)
    missing = [f"`{name}`" for name in _missing(node, shape)]
    if missing:
        yield f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    for rule in shape.together:
        if rule.key not in node.entries:
            continue
        if not node.entries.keys().isdisjoint(rule.without):
            yield rule.sentence
        if rule.needs and rule.needs not in node.entries:
            yield f"`{rule.needs}` is missing"


def _wrong_number(kind: str, number: int, shape: Shape) -> Iterator[str]:
    """Tell if there is too little or too much in a list or a mapping."""
    if shape.fewest and not number:
        yield f"an empty {kind}; expected {shape.title or 'something in it'}"
    elif number < shape.fewest:
        yield f"expected {shape.title or f'a {kind}'} with at least {shape.fewest} in it"
    elif shape.most_in_it is not None and number > shape.most_in_it:
        yield f"expected {shape.title or f'a {kind}'} with at most {shape.most_in_it} in it"


def _missing(node: YamlNode, shape: Shape) -> list[str]:
    if not isinstance(node, MapNode):
        return []
    told = {name: {name, shape.brought.get(name, name)} for name in shape.needed}
    return [name for name, keys in told.items() if keys.isdisjoint(node.entries)]


def _called(path: Path) -> str:
    """Return a path as people are told of it: `archive.fields.author[2]`, counted from 1 as people do."""
    steps = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path)
    return f"`{steps.removeprefix('.')}`"


def _unknown_key(key: str, node: MapNode, shape: Shape, path: Path) -> str:
    value, known = node.entries[key], tuple(shape.known)
    if node.flow and isinstance(value, ScalarNode) and is_null(value) and not value.text:
        mend = (
            "write a number with a point, like 0.5"
            if key[0].isdigit()
            else "put a selector that holds a comma in quotes"
        )
        return f"`{key}` stands alone after a comma, which ends a value inside {{...}}; {mend}"
    if key.removesuffix("+") in known:
        return f"`{key}` adds to a list, and `{key[:-1]}` is none"
    where = f"in {_called(path)}" if path else "here"
    former = _FORMER.get(f"{path[-1] if path else ''}.{key}", _FORMER.get(key))
    if former is not None:
        return f"unknown key `{key}` {where}; {former}"
    if (usual := _USUAL.get(key.casefold())) in known:
        return f"unknown key `{key}` {where}; did you mean `{usual}`?"
    if key in _HOMES:
        return f"unknown key `{key}` {where}; it belongs {_HOMES[key]}"
    if close := closest(key, known):
        return f"unknown key `{key}` {where}; did you mean `{close}`?"
    return (
        f"unknown key `{key}` {where}; there are: "
        f"{', '.join(known[:_MOST_LISTED])}{', ...' if len(known) > _MOST_LISTED else ''}"
    )


@lru_cache(maxsize=100)
def closest(word: str, known: tuple[str, ...]) -> str | None:
    """Return what may be meant by a word that is not known."""
    folded = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), folded, n=1)
    return folded[close[0]] if close else None
