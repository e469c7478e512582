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


class Fault(Exception):
    """The first thing that is wrong."""


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
    """Raises Fault."""
    words = list(_words(text))
    options, rest = _block(words, 0, _GLOBAL, nested=False)
    if rest != len(words):
        raise Fault(f"registry: unexpected {words[rest]}")
    _check_registry(options)
    return options


def _words(text: str) -> Iterator[str]:
    place, text = 0, re.sub(r"(?m)^\s*#.*$", "", text)
    while text[place:].strip():
        match = _WORD.match(text, place)
        if match is None:
            raise Fault(f"registry: cannot be read at {text[place : place + 30]!r}")
        yield match[1]
        place = match.end()


def _block(words: list[str], place: int, known: frozenset[str], *, nested: bool) -> tuple[Options, int]:
    options = Options()
    while place < len(words) and not (nested and words[place] == "}"):
        key = words[place]
        if place + 1 >= len(words) or words[place + 1] in "{}":
            raise Fault(f"registry: {key} has no value")
        value = words[place + 1].strip('"')
        place += 2
        if key in ("ATTRIBUTE", "STRUCTURE"):
            if not _NAME.fullmatch(value):
                raise Fault(f"registry: {value!r} is no name")
            inner = Options()
            if place < len(words) and words[place] == "{":
                inner, place = _block(words, place + 1, _OF_STRUCTURE if key == "STRUCTURE" else _OF_ATTRIBUTE, nested=True)
                if place >= len(words):
                    raise Fault(f"registry: the block of {value} is not closed")
                place += 1
            group = options.attributes if key == "ATTRIBUTE" else options.structures
            if value in group:
                raise Fault(f"registry: {key} {value} twice")
            group[value] = inner
        elif key not in known:
            raise Fault(f"registry: unknown option {key}")
        elif key in options.values:
            raise Fault(f"registry: {key} twice")
        else:
            options.values[key] = value
    return options, place


def _check_registry(options: Options) -> None:
    for name in ("PATH", "VERTICAL", "ENCODING"):
        if not options.values.get(name):
            raise Fault(f"registry: no {name}")
    if options.values.get("DEFAULTATTR", "word") not in options.attributes:
        raise Fault("registry: DEFAULTATTR is no attribute")
    if options.values.get("DOCSTRUCTURE", "doc") not in options.structures:
        raise Fault("registry: DOCSTRUCTURE is no structure")
    for key in ("FULLREF", "SHORTREF", "SUBCORPATTRS"):
        for name in filter(None, re.split(r"[,|]", options.values.get(key, ""))):
            structure, _, attribute = name.lstrip("=").partition(".")
            if structure not in options.structures or attribute not in options.structures[structure].attributes:
                raise Fault(f"registry: {key} names {name}, which is not declared")
    for name, one in options.attributes.items():
        if "DYNAMIC" in one.values:
            if one.values.get("FROMATTR") not in options.attributes:
                raise Fault(f"registry: {name} is made of an attribute that is not there")
            if not {"DYNLIB", "FUNTYPE"} <= one.values.keys():
                raise Fault(f"registry: {name} has no DYNLIB or FUNTYPE")
    for structure in options.structures.values():
        for name, one in structure.attributes.items():
            if ("MULTIVALUE" in one.values) != ("MULTISEP" in one.values):
                raise Fault(f"registry: {name} has only one of MULTIVALUE and MULTISEP")


# --- the vertical file ---


def read_vertical(content: bytes, registry: Options) -> list[Structure]:
    """The documents. Raises Fault."""
    text = content.decode("utf-8")
    if text and not text.endswith("\n"):
        raise Fault("the last line has no end")
    reader = _Reader(registry)
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        try:
            reader.line(line)
        except Fault as fault:
            raise Fault(f"line {number}: {fault}: {line[:80]!r}") from None
    if reader.open[1:]:
        raise Fault(f"<{reader.open[-1].name}> is not closed")
    return reader.open[0].children


class _Reader:
    def __init__(self, registry: Options) -> None:
        self.open = [Structure("", {})]
        self._registry = registry
        self._columns = len([one for one in registry.attributes.values() if "DYNAMIC" not in one.values])
        self._seen: set[tuple[str, str, str]] = set()
        self._glue = False

    def line(self, line: str) -> None:
        if _CONTROL.search(line.replace("\t", "")):
            raise Fault("a control character")
        if not line.strip():
            raise Fault("an empty line")
        if not line.startswith("<"):
            self._word(line)
        elif closes := _CLOSES.fullmatch(line):
            self._close(closes[1])
        elif opens := _OPENS.fullmatch(line):
            self._start(opens[1], opens[2], empty=bool(opens[3]))
        else:
            raise Fault("neither a tag nor a word")

    def _word(self, line: str) -> None:
        if line.count("\t") != self._columns - 1:
            raise Fault(f"not {self._columns} columns")
        if line != line.strip():
            raise Fault("white space around a word")
        sentence = self.open[-1]
        if sentence.name != "s":
            raise Fault("a word outside of a sentence")
        if self._glue:
            sentence.glued.add(len(sentence.words))
            self._glue = False
        sentence.words.append(unescape_token(line))

    def _start(self, name: str, written: str, *, empty: bool) -> None:
        if name not in self._registry.structures:
            raise Fault(f"structure {name} is not declared")
        declared = self._registry.structures[name].attributes
        given = _ATTRIBUTE.findall(written)
        attributes = {key: self._value(name, key, value) for key, value in given}
        if len(attributes) != len(given):
            raise Fault("an attribute twice")
        if attributes.keys() != declared.keys():
            raise Fault(f"attributes {sorted(attributes.keys() ^ declared.keys())} are only here, or only declared")
        if name == "g":
            if not empty or self.open[-1].name != "s" or self._glue:
                raise Fault("glue where it joins nothing")
            self._glue = True
            return
        if empty:
            raise Fault(f"an empty {name}")
        if any(one.name == name for one in self.open):
            raise Fault(f"a {name} in a {name}")
        if name == "s" and self.open[-1].name not in ("p", "head"):
            raise Fault("a sentence outside of a paragraph")
        self.open.append(Structure(name, attributes))

    def _value(self, structure: str, name: str, written: str) -> str:
        if "&" in _ENTITY.sub("", written):
            raise Fault(f"{name} has an & that is no entity")
        if not written:
            raise Fault(f"{name} is empty")
        options = self._registry.structures[structure].attributes.get(name, Options()).values
        if "MULTISEP" in options and not all(written.split(options["MULTISEP"])):
            raise Fault(f"an empty one among the values of {name}")
        if options.get("TYPE") == "UNIQUE":
            if (structure, name, written) in self._seen:
                raise Fault(f"{name} is not unique")
            self._seen.add((structure, name, written))
        return unescape(written)

    def _close(self, name: str) -> None:
        structure = self.open.pop()
        if structure.name != name:
            raise Fault(f"</{name}> where <{structure.name or 'nothing'}> is open")
        if self._glue:
            raise Fault("glue where it joins nothing")
        if not structure.children and not structure.words:
            raise Fault(f"nothing in {name}")
        self.open[-1].children.append(structure)


def unescape_token(word: str) -> str:
    """A word as it stood in the text: only entities that XML knows are any."""
    return _ENTITY.sub(lambda match: unescape(match[0]), word)
