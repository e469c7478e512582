"""Keys of the portal file: the field of a class says how its YAML is read, and what holds where the file does not give it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, TypeVar

from webarticlecurator.config import scalars
from webarticlecurator.config.node_compiler import NodeCompiler, flag, mapping, text, texts, whole_number
from webarticlecurator.config.yaml_nodes import YamlNode
from webarticlecurator.paths import JsonPath
from webarticlecurator.patterns import Pattern

T = TypeVar("T")
Read = Callable[[NodeCompiler, YamlNode], Any]


def key(read: Read, *, default: Any = None, written: str | None = None, **does: Callable[..., Any]) -> Any:
    """A field that is a key of the file (`written`: under another name); `does`: what it does, by the name of the step that calls it."""
    metadata = {"read": read, "written": written, **does}
    return field(default_factory=dict, metadata=metadata) if default == {} else field(default=default, metadata=metadata)


def read_keys(compiler: NodeCompiler, kind: type[T], node: YamlNode | None, **others: Any) -> T:
    """The class with what the file gives; `others` are known already."""
    rules = mapping(node)
    for one in fields(kind):  # type: ignore[arg-type]
        is_asked = "read" in one.metadata and one.name not in others
        value = rules.get(one.metadata["written"] or one.name) if is_asked else None
        found = one.metadata["read"](compiler, value) if value is not None else None
        if found is not None:
            others[one.name] = found
    return kind(**others)


def parsed(parser: Callable[[str], Any]) -> Read:
    """A single value; what is wrong with it, the parser's ValueError says."""
    return lambda compiler, node: compiler.parse(node, parser)


def all_parsed(parser: Callable[[str], Any]) -> Read:
    """A list of them, or one in place of it."""
    return lambda compiler, node: compiler.parse_all(node, parser)


def _as_it_is(value_of: Callable[[YamlNode], Any]) -> Read:
    return lambda _, node: value_of(node)


as_text, as_texts = _as_it_is(text), _as_it_is(texts)
as_number, as_flag = _as_it_is(whole_number), _as_it_is(flag)
as_pattern, as_patterns = parsed(Pattern.parse), all_parsed(Pattern.parse)
as_path = parsed(JsonPath.parse)
as_day, as_duration = parsed(scalars.day), parsed(scalars.duration)
as_address = parsed(scalars.web_address)
