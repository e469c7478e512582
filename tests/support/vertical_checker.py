"""Checks a vertical file and its registry file as Sketch Engine's documentation describes them, and reads them again.

Written from the pages "Prepare a corpus: vertical format" and "Corpus configuration file", not from our writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

_FILES = ("NAME", "PATH", "VERTICAL", "ENCODING", "LANGUAGE", "LOCALE", "INFOHREF", "MAINTAINER")
_GLOBAL = frozenset((*_FILES, "DOCSTRUCTURE", "DEFAULTATTR", "SHORTREF", "FULLREF", "SUBCORPATTRS"))
_OF_ATTRIBUTE = frozenset(
    ["LABEL", "DYNAMIC", "DYNLIB", "ARG1", "FUNTYPE", "FROMATTR", "DYNTYPE", "TRANSQUERY", "TYPE", "MULTIVALUE", "MULTISEP"]
)
_OF_STRUCTURE = frozenset(["LABEL", "DISPLAYTAG", "DISPLAYBEGIN", "DISPLAYEND", "DISPLAYCLASS"])
_WORD = re.compile(r'\s*(?:#[^\n]*\n\s*)*("[^"\n]*"|[{}]|[^\s{}"#]+)')
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OPENS = re.compile(r'<([A-Za-z_][A-Za-z0-9_]*)((?: [A-Za-z_][A-Za-z0-9_]*="[^"<>\n]*")*)(/?)>')
_ATTRIBUTE = re.compile(r' ([A-Za-z_][A-Za-z0-9_]*)="([^"]*)"')
_CLOSES = re.compile(r"</([A-Za-z_][A-Za-z0-9_]*)>")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#[0-9]+|#[xX][0-9A-Fa-f]+);")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def must(holds: object, fault: str) -> None:
    """Raises AssertionError, with the first thing that is wrong."""
    assert holds, fault


@dataclass
class Options:
    """What stands in a block of the registry file, or outside of all."""

    values: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, Options] = field(default_factory=dict)
    structures: dict[str, Options] = field(default_factory=dict)


@dataclass
class Structure:
    """A structure of the vertical file, with what it holds: structures, and words; `glued` are the words that follow `<g/>`."""

    name: str
    attributes: dict[str, str]
    children: list[Structure] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    glued: set[int] = field(default_factory=set)

    def all(self, *names: str) -> Iterator[Structure]:
        """The structures in it of these names, in their order."""
        for child in self.children:
            if child.name in names:
                yield child
            yield from child.all(*names)

    @property
    def text(self) -> str:
        """Of a sentence, with a blank between words that are not glued; of all else, that of its sentences."""
        if self.name == "s":
            return "".join(("" if number in self.glued else " ") + word for number, word in enumerate(self.words))
        return "".join(one.text for one in self.all("s")).strip()


# --- the registry file ---


def read_registry(text: str) -> Options:
    """Raises AssertionError."""
    words = list(_words(text))
    options, rest = _block(words, 0, _GLOBAL, nested=False)
    must(rest == len(words), f"registry: unexpected {words[rest:]}")
    _check_registry(options)
    return options


def _words(text: str) -> Iterator[str]:
    place, text = 0, re.sub(r"(?m)^\s*#.*$", "", text)
    while text[place:].strip():
        match = _WORD.match(text, place)
        assert match is not None, f"registry: cannot be read at {text[place : place + 30]!r}"
        yield match[1]
        place = match.end()


def _block(words: list[str], place: int, known: frozenset[str], *, nested: bool) -> tuple[Options, int]:
    options = Options()
    while place < len(words) and not (nested and words[place] == "}"):
        key = words[place]
        must(place + 1 < len(words) and words[place + 1] not in "{}", f"registry: {key} has no value")
        value = words[place + 1].strip('"')
        place += 2
        if key in ("ATTRIBUTE", "STRUCTURE"):
            must(_NAME.fullmatch(value), f"registry: {value!r} is no name")
            inner = Options()
            if place < len(words) and words[place] == "{":
                inner, place = _block(words, place + 1, _OF_STRUCTURE if key == "STRUCTURE" else _OF_ATTRIBUTE, nested=True)
                must(place < len(words), f"registry: the block of {value} is not closed")
                place += 1
            group = options.attributes if key == "ATTRIBUTE" else options.structures
            must(value not in group, f"registry: {key} {value} twice")
            group[value] = inner
        else:
            must(key in known, f"registry: unknown option {key}")
            must(key not in options.values, f"registry: {key} twice")
            options.values[key] = value
    return options, place


def _check_registry(options: Options) -> None:
    for name in ("PATH", "VERTICAL", "ENCODING"):
        must(options.values.get(name), f"registry: no {name}")
    must(options.values.get("DEFAULTATTR", "word") in options.attributes, "registry: DEFAULTATTR is no attribute")
    must(options.values.get("DOCSTRUCTURE", "doc") in options.structures, "registry: DOCSTRUCTURE is no structure")
    for key in ("FULLREF", "SHORTREF", "SUBCORPATTRS"):
        for name in filter(None, re.split(r"[,|]", options.values.get(key, ""))):
            structure, _, attribute = name.lstrip("=").partition(".")
            declared = options.structures.get(structure, Options()).attributes
            must(attribute in declared, f"registry: {key} names {name}, which is not declared")
    for name, one in options.attributes.items():
        if "DYNAMIC" in one.values:
            must(one.values.get("FROMATTR") in options.attributes, f"registry: {name} is made of an attribute that is not there")
            must({"DYNLIB", "FUNTYPE"} <= one.values.keys(), f"registry: {name} has no DYNLIB or FUNTYPE")
    for structure in options.structures.values():
        for name, one in structure.attributes.items():
            both = len({"MULTIVALUE", "MULTISEP"} & one.values.keys())
            must(both != 1, f"registry: {name} has only one of MULTIVALUE and MULTISEP")


# --- the vertical file ---


def read_vertical(content: bytes, registry: Options) -> list[Structure]:
    """The documents. Raises AssertionError."""
    text = content.decode("utf-8")
    must(not text or text.endswith("\n"), "the last line has no end")
    reader = _Reader(registry)
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        try:
            reader.line(line)
        except AssertionError as fault:
            raise AssertionError(f"line {number}: {fault}: {line[:80]!r}") from None
    must(len(reader.open) == 1, f"<{reader.open[-1].name}> is not closed")
    return reader.open[0].children


class _Reader:
    def __init__(self, registry: Options) -> None:
        self.open = [Structure("", {})]
        self._registry = registry
        self._columns = len([one for one in registry.attributes.values() if "DYNAMIC" not in one.values])
        self._seen: set[tuple[str, str, str]] = set()
        self._glue = False

    def line(self, line: str) -> None:
        must(not _CONTROL.search(line.replace("\t", "")), "a control character")
        must(line.strip(), "an empty line")
        if not line.startswith("<"):
            self._word(line)
        elif closes := _CLOSES.fullmatch(line):
            self._close(closes[1])
        elif opens := _OPENS.fullmatch(line):
            self._start(opens[1], opens[2], empty=bool(opens[3]))
        else:
            must(False, "neither a tag nor a word")

    def _word(self, line: str) -> None:
        must(line.count("\t") == self._columns - 1, f"not {self._columns} columns")
        must(all(column == column.strip() and column for column in line.split("\t")), "white space around a word, or no value")
        sentence = self.open[-1]
        must(sentence.name == "s", "a word outside of a sentence")
        if self._glue:
            sentence.glued.add(len(sentence.words))
            self._glue = False
        # only entities that XML knows are any
        sentence.words.append(_ENTITY.sub(lambda match: unescape(match[0]), line.partition("\t")[0]))

    def _start(self, name: str, written: str, *, empty: bool) -> None:
        must(name in self._registry.structures, f"structure {name} is not declared")
        declared = self._registry.structures[name].attributes
        given = _ATTRIBUTE.findall(written)
        attributes = {key: self._value(name, key, value) for key, value in given}
        must(len(attributes) == len(given), "an attribute twice")
        differing = attributes.keys() ^ declared.keys()
        must(not differing, f"attributes {sorted(differing)} are only here, or only declared")
        if name == "g":
            must(empty and self.open[-1].name == "s" and not self._glue, "glue where it joins nothing")
            self._glue = True
            return
        must(not empty, f"an empty {name}")
        must(all(one.name != name for one in self.open), f"a {name} in a {name}")
        must(name != "s" or self.open[-1].name in ("p", "head"), "a sentence outside of a paragraph")
        self.open.append(Structure(name, attributes))

    def _value(self, structure: str, name: str, written: str) -> str:
        must("&" not in _ENTITY.sub("", written), f"{name} has an & that is no entity")
        must(written, f"{name} is empty")
        options = self._registry.structures[structure].attributes.get(name, Options()).values
        if "MULTISEP" in options:
            must(all(written.split(options["MULTISEP"])), f"an empty one among the values of {name}")
        if options.get("TYPE") == "UNIQUE":
            must((structure, name, written) not in self._seen, f"{name} is not unique")
            self._seen.add((structure, name, written))
        return unescape(written)

    def _close(self, name: str) -> None:
        structure = self.open.pop()
        must(structure.name == name, f"</{name}> where <{structure.name or 'nothing'}> is open")
        must(not self._glue, "glue where it joins nothing")
        must(structure.children or structure.words, f"nothing in {name}")
        self.open[-1].children.append(structure)
