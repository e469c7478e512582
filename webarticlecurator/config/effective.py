"""The effective portal file: what `check --show` prints, and what is stored with every crawl."""

from __future__ import annotations

from io import StringIO

import yaml

from webarticlecurator.config.yaml_nodes import ListNode, MapNode, Node, ScalarNode, resolve

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_RESOLVER = yaml.SafeDumper(StringIO())


def as_yaml(root: MapNode) -> str:
    """The tree as YAML that gives the same portal when it is read again."""
    text: str = yaml.serialize(_yaml(root), Dumper=_DUMPER, allow_unicode=True, width=160)
    return text


def _yaml(node: Node) -> yaml.Node:
    if isinstance(node, MapNode):
        pairs = [(_text(key), _yaml(value)) for key, value in node.entries.items() if key != "extends"]
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=not node.entries)
    if isinstance(node, ListNode):
        return yaml.SequenceNode("tag:yaml.org,2002:seq", [_yaml(item) for item in node.items], flow_style=not node.items)
    return _text(node.text) if isinstance(node.value, str) else _plain(node)


def _plain(node: ScalarNode) -> yaml.Node:
    """A number, a truth value or null as it was written: with the tag that PyYAML expects, so that it writes none."""
    written = node.text or "null"
    tag: str = _RESOLVER.resolve(yaml.ScalarNode, written, (True, False))  # type: ignore[no-untyped-call]
    return yaml.ScalarNode(tag, written)


def _text(text: str) -> yaml.Node:
    """Text, in quotes where YAML 1.2 would read it as something else (PyYAML itself thinks of YAML 1.1)."""
    return yaml.ScalarNode("tag:yaml.org,2002:str", text, style=None if isinstance(resolve(text), str) else '"')
