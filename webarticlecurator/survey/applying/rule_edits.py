"""Tag rules are put into the text of a portal file, and taken out of it; every character that is not about them stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from webarticlecurator.config.yaml_hints import quoted
from webarticlecurator.config.yaml_text import TextSpan, Written, YamlText, in_line, scalar
from webarticlecurator.errors import Mistake, PortalFileError
from webarticlecurator.survey.applying.table import TagDecision

_SPLIT = "split"
_PLAIN_KEY = re.compile(r"[A-Za-z][\w.-]*")


@dataclass(frozen=True, slots=True)
class FileRule:
    """One item under an operation: a selector (or a group of them), `{css, url}`, or an entry of `split`."""

    operation: str
    selector: str
    url: str
    """The attribute that keeps the address; "" for most."""
    part: TextSpan


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule to be written."""

    selector: str
    decision: TagDecision
    moved_from: FileRule | None = None

    @property
    def operation(self) -> str:
        return _SPLIT if " > " in self.decision.operation else self.decision.operation


@dataclass(frozen=True, slots=True)
class _Operation:
    """An operation with what is said of it."""

    key: yaml.ScalarNode
    value: yaml.Node
    rules: tuple[FileRule, ...]

    @property
    def name(self) -> str:
        return str(self.key.value)

    @property
    def collection(self) -> yaml.CollectionNode | None:
        """The list (of `split`: the mapping) of its rules; None where there is only one, by itself."""
        is_alone = isinstance(self.value, yaml.MappingNode) and self.name != _SPLIT
        return self.value if isinstance(self.value, yaml.CollectionNode) and not is_alone else None

    @property
    def has_lines(self) -> bool:
        """Whether its rules have lines of their own."""
        return self.collection is not None and not self.collection.flow_style


class PortalRules:
    """The tag rules of a portal file that has no mistakes, with their places in the file; only those of its nearest layer can be edited."""

    def __init__(self, content: bytes, path: Path) -> None:
        self.path = path
        try:
            self._text = YamlText(content.decode("utf-8"))
        except yaml.MarkedYAMLError as error:  # PyYAML is stricter than we: of one anchor twice, for one
            line = error.problem_mark.line + 1 if error.problem_mark is not None else 1
            raise PortalFileError((Mistake(path, line, 1, f"a program cannot edit this: {error.context or error.problem}"),)) from None
        if not isinstance(self._text.root, yaml.MappingNode):
            raise PortalFileError((Mistake(path, 1, 1, "a portal file is a mapping: lines of `key: value`"),))
        self._root = self._text.root
        self._body = self._find(self._root, "body")
        body = self._body[1] if self._body else None
        self._tags = self._find(body, "tags") if isinstance(body, yaml.MappingNode) else None
        tags = self._tags[1] if self._tags else None
        layers = [one for one in (tags.value if isinstance(tags, yaml.SequenceNode) else [tags]) if isinstance(one, yaml.MappingNode)]
        self.has_layer = bool(layers)
        self._layer = layers[0] if layers else None
        self._operations = tuple(self._read(layers[0])) if layers else ()

    @property
    def rules(self) -> tuple[FileRule, ...]:
        """In the order of the file."""
        return tuple(rule for operation in self._operations for rule in operation.rules)

    def edited(self, remaining: Mapping[int, Sequence[str]], new: Sequence[NewRule]) -> bytes:
        """The file with these rules added, and of the rules with these numbers only these selectors left. Called once."""
        by_operation: dict[str, list[NewRule]] = {}
        for rule in new:
            by_operation.setdefault(rule.operation, []).append(rule)
        # a comment goes with its rule where that gets a line of its own
        in_a_line = {operation.name for operation in self._operations if not operation.has_lines}
        moved = [rule.moved_from.part for rule in new if rule.moved_from is not None and rule.operation not in in_a_line]
        number = 0
        for operation in self._operations:
            left = {rule: remaining[number + place] for place, rule in enumerate(operation.rules) if number + place in remaining}
            number += len(operation.rules)
            self._change(operation, left, by_operation.pop(operation.name, []), moved)
        if by_operation:
            self._add(by_operation)
        return self._text.result().encode("utf-8")

    # --- reading ---

    def _find(self, mapping: yaml.MappingNode, key: str) -> tuple[yaml.ScalarNode, yaml.Node] | None:
        for name, value in mapping.value:
            if name.value == key:
                self._refuse_alias(name, value)
                return name, value
        return None

    def _read(self, layer: yaml.MappingNode) -> Iterator[_Operation]:
        for key, value in layer.value:
            self._refuse_alias(key, value)
            yield _Operation(key, value, tuple(self._read_rules(key.value, value)))

    def _read_rules(self, operation: str, value: yaml.Node) -> Iterator[FileRule]:
        if operation == _SPLIT and isinstance(value, yaml.MappingNode):
            for (key, names), part in zip(value.value, self._text.parts(value), strict=True):
                self._refuse_alias(key, names)
                yield FileRule(operation, key.value, "", part)
            return
        for item in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            self._refuse_alias(value, item, at=value.start_mark.index)
            part = TextSpan(item.start_mark.index, self._text.end(item))
            if isinstance(item, yaml.MappingNode):
                said = {key.value: node.value for key, node in item.value}
                yield FileRule(operation, said["css"], said.get("url", ""), part)
            elif not _is_null(item):
                yield FileRule(operation, item.value, "", part)

    def _refuse_alias(self, near: yaml.Node, value: yaml.Node, at: int | None = None) -> None:
        """What stands elsewhere in the file cannot be edited here without changing it there, too."""
        if value.start_mark.index < (near.end_mark.index if at is None else at):
            message = "a YAML alias (`*name`) stands here, and rules cannot be added to it; write out what it stands for"
            raise PortalFileError((self._mistake(near, message),))

    def _mistake(self, node: yaml.Node, message: str) -> Mistake:
        return Mistake(self.path, node.start_mark.line + 1, node.start_mark.column + 1, message)

    # --- an operation that is there ---

    def _change(
        self, operation: _Operation, left: Mapping[FileRule, Sequence[str]], new: Sequence[NewRule], moved: Sequence[TextSpan]
    ) -> None:
        for rule, selectors in left.items():
            if selectors:  # a group that has lost some of them
                group = NewRule(", ".join(selectors), TagDecision(rule.operation, rule.url))
                self._text.replace(*rule.part, _item(group, flow=True))
        removed = [rule.part for rule, selectors in left.items() if not selectors]
        if not removed and not new:
            return
        if not operation.rules:
            self._begin(operation, new)
        elif len(removed) == len(operation.rules) and not new:
            self._empty(operation, moved)
        elif operation.collection is not None:
            more = self._written(operation.name, new, has_lines=operation.has_lines)
            self._text.change(operation.collection, removed, more, without_comment=moved)
        else:
            (rule,) = operation.rules
            old = [] if removed else [NewRule(rule.selector, TagDecision(rule.operation, rule.url))]
            more = self._written(operation.name, [*old, *new], has_lines=False)
            self._text.replace(*rule.part, in_line(more, operation.key.end_mark.column, operation.key.start_mark.column + 4))

    def _begin(self, operation: _Operation, new: Sequence[NewRule]) -> None:
        if _is_null(operation.value):
            message = (
                f"`{operation.name}: null` forgets the `{operation.name}` rules of farther files; a list of new ones in its place would not"
            )
            what_next = "write `[]` there if the old ones may come back, and apply again"
            raise PortalFileError((self._mistake(operation.key, f"{message}. {what_next}"),))
        more = self._written(operation.name, new, has_lines=False)
        self._text.replace(operation.value.start_mark.index, operation.value.end_mark.index, in_line(more))

    def _empty(self, operation: _Operation, moved: Sequence[TextSpan]) -> None:
        """The last rule of an operation goes: so does its key, unless a comment stands there."""
        text, layer, key = self._text, self._layer, operation.key
        assert layer is not None
        start, end = text.line_start(key.start_mark.index), text.line_end(text.end(operation.value))
        alone = not layer.flow_style and not text.text[start : key.start_mark.index].strip()
        between = [key.end_mark.index, *(place for rule in operation.rules for place in rule.part), end]
        noted = any("#" in text.text[start:end] for start, end in zip(between[::2], between[1::2], strict=True))
        nothing = in_line(self._written(operation.name, (), has_lines=False))
        if alone and len(layer.value) > 1 and not noted:
            text.replace(start, end, "")
        elif operation.has_lines:
            text.replace(key.end_mark.index + 1, key.end_mark.index + 1, f" {nothing}")
            for rule in operation.rules:
                text.remove_lines(rule.part, keep_comment=rule.part not in moved)
        else:
            text.replace(operation.value.start_mark.index, text.end(operation.value), nothing)

    # --- an operation that is new ---

    def _add(self, new: Mapping[str, Sequence[NewRule]]) -> None:
        """To the nearest layer; else into the first of `body`, `tags` that is not there yet, or is empty."""
        if self._layer is not None and self._layer.value:
            self._put(new, self._layer)
        elif self._tags is not None:
            self._put(new, self._tags)
        elif self._body is None:
            self._put(new, self._root, "body", "tags")
        elif isinstance(self._body[1], yaml.MappingNode) and self._body[1].value:
            self._put(new, self._body[1], "tags")
        else:
            self._put(new, self._body, "tags")

    def _put(self, new: Mapping[str, Sequence[NewRule]], place: yaml.MappingNode | tuple[yaml.ScalarNode, yaml.Node], *keys: str) -> None:
        """Behind the last key of a mapping, or as the value of a key that has none; under these further keys."""
        in_brackets = self._text.begins_inside(place[0]) if isinstance(place, tuple) else place.flow_style
        written: Written = {name: self._written(name, rules, has_lines=not in_brackets) for name, rules in new.items()}
        for key in reversed(keys):
            written = {key: written}
        assert isinstance(written, Mapping)
        if isinstance(place, tuple):
            self._text.fill(*place, written)
        else:
            self._text.change(place, more=written)

    def _written(self, operation: str, rules: Sequence[NewRule], *, has_lines: bool) -> Sequence[str] | Mapping[str, Written]:
        """Rules of one operation; where they have lines, with the comments that stood behind them."""
        if operation == _SPLIT:
            return {_key(rule): f"[{', '.join(rule.decision.operation.split(' > '))}]{self._comment(rule) * has_lines}" for rule in rules}
        return [f"{_item(rule, flow=not has_lines)}{self._comment(rule) * has_lines}" for rule in rules]

    def _comment(self, rule: NewRule) -> str:
        """The one that stood behind a rule that had a line of its own."""
        if rule.moved_from is None:
            return ""
        start, end = rule.moved_from.part
        own_line = self._text.text[self._text.line_start(start) : start].strip() == "-"
        return self._text.comment_behind(end) if own_line else ""


def _item(rule: NewRule, *, flow: bool) -> str:
    """A rule as an item of a list."""
    if rule.decision.url:
        return f"{{css: {scalar(rule.selector, flow=True)}, url: {scalar(rule.decision.url, flow=True)}}}"
    return scalar(rule.selector, flow=flow)


def _key(rule: NewRule) -> str:
    """A rule as a key of `split`."""
    return rule.selector if _PLAIN_KEY.fullmatch(rule.selector) else quoted(rule.selector)


def _is_null(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")
