"""Keys of the portal file: each is declared once, by the field that holds its value, and the sentence below the field says what it is for.

What is read (`read_keys`), refused (`structure`) and merged (`merge`), the JSON schema and the reference come from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from typing import Any, Literal, TypeVar

from webarticlecurator.config import scalars
from webarticlecurator.config.node_compiler import NodeCompiler, flag, mapping, text, texts, whole_number
from webarticlecurator.config.yaml_nodes import YamlNode
from webarticlecurator.paths import JsonPath
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector

T = TypeVar("T")
Read = Callable[[NodeCompiler, YamlNode], Any]
Kind = Literal["string", "integer", "number", "boolean", "array", "object"]
"""As JSON Schema calls what a value is written as."""


@dataclass(frozen=True, slots=True)
class Together:
    """What may not stand beside a key, and what must."""

    key: str
    without: tuple[str, ...]
    sentence: str
    needs: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """The known keys of a mapping."""

    known: Mapping[str, Key]
    needed: tuple[str, ...] = ()
    together: tuple[Together, ...] = ()
    name: str = ""
    """Under which the JSON schema knows them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shape:
    """What a value may be; a bound holds for values of its kind."""

    kinds: tuple[Kind, ...] = ()
    """None: anything."""
    title: str = ""
    """What was expected, in words; empty: the kinds are named."""
    null: bool = True
    """Whether it may be null, which is as if the key were absent."""
    choices: tuple[str, ...] = ()
    pattern: str = ""
    """What a text must match, from its first to its last character or as far as it goes."""
    shortest: int = 0
    longest: int | None = None
    least: int | None = None
    most: int | None = None
    items: Shape | None = None
    fewest_items: int = 0
    most_items: int | None = None
    keys: Keys = Keys({})
    """Of a mapping whose keys are known; none: it has names of one's own, or may hold anything."""
    others: Shape | None = None
    """What stands under keys of one's own."""
    names: Shape | None = None
    """What such a key must be."""
    fewest_keys: int = 0
    most_keys: int | None = None
    holds: Literal["", "selector", "regex", "text"] = ""
    """What has `#` in it, so that YAML takes the end of it for a comment."""
    merges: Literal["", "whole", "layers", "column", "columns"] = ""
    """How a nearer file changes it, if not key by key: `config.merge`."""
    adds: bool = False
    """Whether a `+` behind a key of one's own adds to a list."""
    short_for: str = ""
    """The key that a word in place of the mapping is the value of."""
    name: str = ""
    """Under which the JSON schema knows it."""
    read: Read | None = None

    def of(self, name: str) -> Shape | None:
        """What stands under a key; None where there is no such key."""
        if name in self.keys.known:
            return self.keys.known[name].shape
        added_to = self.keys.known.get(name.removesuffix("+"))
        return self.others if added_to is None else added_to.adds

    def adds_to(self, name: str) -> bool:
        """Whether a key adds to a list instead of replacing it."""
        is_known = bool(self.keys.known)
        return name.endswith("+") and name not in self.keys.known and (self.of(name) is not None if is_known else self.adds)

    @property
    def given(self) -> Shape:
        """The same where null is no value."""
        return replace(self, null=False, name="") if self.null else self


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Key:
    """A key with all that is to be said of it."""

    shape: Shape
    says: str = ""
    """Empty: the sentence below the field that it is."""
    examples: tuple[Any, ...] = ()
    default: Any = None
    """As the file would give it, or in words."""
    adds: Shape | None = None
    """What `key+` adds to its list; None: there is no `key+`."""
    read: Read | None = None


def declare(shape: Shape, says: str, *examples: Any, default: Any = None, adds: Shape | None = None) -> Key:
    """A key that is no field; `default` as the file would give it, or in words."""
    return Key(shape=shape, says=says, examples=examples, default=default, adds=adds)


def key(
    shape: Shape,
    *examples: Any,
    default: Any = None,
    shown: Any = None,
    name: str = "",
    adds: bool | Shape = False,
    read: Read | None = None,
) -> Any:
    """A field that is a key of the file (`name`: under another one); the sentence below it says what the key is for.

    `shown`: the default as the file would give it, or in words.
    """
    told = shown if shown is not None else [] if default == () else {} if is_dataclass(default) else None if default is MISSING else default
    added = shape if adds is True else adds or None
    declared = Key(shape=shape, examples=examples, default=told, adds=added, read=read or shape.read)
    metadata = {"key": declared, "name": name}
    return field(default_factory=dict, metadata=metadata) if default == {} else field(default=default, metadata=metadata)


def keys_of(kind: type, *names: str) -> dict[str, Key]:
    """The keys that the fields of a class declare, in their order; or only these."""
    declared = {one.metadata["name"] or one.name: one.metadata["key"] for one in fields(kind) if "key" in one.metadata}
    return {name: declared[name] for name in names or declared}


def mapping_of(kind: type, **more: Any) -> Shape:
    """A mapping that is read into an instance of this class."""
    return Shape(kinds=("object",), keys=Keys(keys_of(kind)), read=lambda compiler, node: read_keys(compiler, kind, node), **more)


def read_keys(compiler: NodeCompiler, kind: type[T], node: YamlNode | None, **others: Any) -> T:
    """The class with what the file gives; `others` are known already."""
    rules = mapping(node)
    for one in fields(kind):  # type: ignore[arg-type]
        declared: Key | None = one.metadata.get("key")
        if declared is None or declared.read is None or one.name in others:
            continue
        value = rules.get(one.metadata["name"] or one.name)
        read = declared.read(compiler, value) if value is not None else None
        if read is not None:
            others[one.name] = read
    return kind(**others)


def parsed(parser: Callable[[str], Any]) -> Read:
    """A single value; what is wrong with it, the parser's ValueError says."""
    return lambda compiler, node: compiler.parse(node, parser)


def all_parsed(parser: Callable[[str], Any]) -> Read:
    """A list of them, or one in place of it."""
    return lambda compiler, node: compiler.parse_all(node, parser)


def as_written(value_of: Callable[[YamlNode], Any]) -> Read:
    """What stands in the file, as it is."""
    return lambda _, node: value_of(node)


def one_of(*choices: str, read: Read | None = None) -> Shape:
    return Shape(kinds=("string",), choices=choices, read=read or as_written(text))


def number(least: int, most: int) -> Shape:
    return Shape(kinds=("integer",), least=least, most=most, read=as_written(whole_number))


def several(shape: Shape, title: str, read: Read, name: str = "") -> Shape:
    """A list of such texts, or one in place of it."""
    return replace(shape, kinds=("string", "array"), title=title, null=True, items=shape.given, read=read, name=name)


# --- shapes that many keys have ---

_HTTP = r"[hH][tT][tT][pP][sS]?://[^\s/?#]"
HEADER_NAME = Shape(
    kinds=("string",), title="a header name", null=False, pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$(?!\n)", read=as_written(text)
)

TEXT = Shape(kinds=("string",), shortest=1, read=as_written(text))
TEXTS = several(TEXT, "a text, or a list of texts", as_written(texts), "texts")
FLAG = Shape(kinds=("boolean",), read=as_written(flag))
FILE = replace(TEXT, read=NodeCompiler.file)
DURATION = Shape(
    kinds=("string", "number"),
    title="a duration like 1s, 500ms, 3d or a number of seconds",
    pattern=r"^[0-9]{1,7}(\.[0-9]{1,3})? ?(ms|s|m|h|d|w)?$(?!\n)",
    least=0,
    most=31536000,
    name="duration",
    read=parsed(scalars.duration),
)
DAY = Shape(
    kinds=("string",), title="a date like 2015-01-31", pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)", name="day", read=parsed(scalars.day)
)
LANGUAGE = Shape(
    kinds=("string",),
    title="a BCP 47 language tag like hu, en-GB or sr-Latn",
    pattern=r"^[A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*"
    r"(-[A-WYZa-wyz0-9](-[A-Za-z0-9]{2,8})+)*(-[xX](-[A-Za-z0-9]{1,8})+)?$(?!\n)",
    name="language",
    read=parsed(scalars.language),
)
ADDRESS = Shape(
    kinds=("string",),
    title="a web address that begins with http:// or https://",
    pattern=f"^{_HTTP}",
    longest=4000,
    name="webAddress",
    read=parsed(scalars.web_address),
)
URL_TEMPLATE = replace(
    ADDRESS,
    title="a web address that begins with http://, https:// or {home}",
    pattern=rf"^({_HTTP}|\{{home\}})",
    name="urlTemplate",
    read=NodeCompiler.template,
)
SELECTOR = Shape(
    kinds=("string",),
    title="a CSS selector",
    null=False,
    shortest=1,
    longest=4000,
    holds="selector",
    name="selector",
    read=parsed(Selector.parse),
)
SELECTORS = several(SELECTOR, "a CSS selector, or a list of them", NodeCompiler.selector, "selectors")
REGEX = Shape(
    kinds=("string",), title="a regex", null=False, shortest=1, longest=2000, holds="regex", name="regex", read=parsed(Pattern.parse)
)
REGEXES = several(REGEX, "a regex, or a list of them", all_parsed(Pattern.parse), "regexes")
JSON_PATH = Shape(kinds=("string",), title="a JMESPath", null=False, shortest=1, longest=4000, read=parsed(JsonPath.parse))
REPLACEMENTS = Shape(
    kinds=("array",),
    title="a list of [pattern, replacement]",
    items=Shape(
        kinds=("array",),
        title="[pattern, replacement]",
        null=False,
        items=Shape(kinds=("string",), null=False, holds="regex"),
        fewest_items=2,
        most_items=2,
    ),
    name="replacements",
    read=NodeCompiler.replacements,
)
