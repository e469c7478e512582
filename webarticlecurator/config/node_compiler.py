"""What compiling a portal file needs at every turn: where mistakes go, the language, and files beside the portal file."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from webarticlecurator.config.template import ARCHIVE_NAMES, UrlTemplate
from webarticlecurator.config.yaml_reading import FilePlace, ScalarNode, YamlNode, items, quoted, shortened, text
from webarticlecurator.errors import Mistake
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector, SelectorError
from webarticlecurator.urls import normalise

T = TypeVar("T")

MOST_WARNINGS = 200
"""More of them nobody reads at once."""
MAX_SIDE_FILE = 64_000_000
SECRET_PREFIX = "CURATOR_"
"""With which every variable of the environment begins that a portal file may name."""


class LiteralSecretError(ValueError):
    """A secret stands in the file itself; the message does not repeat it."""


@dataclass(slots=True, eq=False)
class NodeCompiler:
    """Turns nodes of a checked tree into values; a mistake is noted, and None stands for its value."""

    language: str | None = None
    """In which templates write month names."""
    in_json: bool = False
    """What picks look at is JSON."""
    placeholders: frozenset[str] = ARCHIVE_NAMES
    """That templates may hold."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Further ones, which are filled in at once: `{home}`, and the `vars` of a column."""
    mistakes: list[Mistake] = field(default_factory=list)
    warnings: list[Mistake] = field(default_factory=list)
    """What is hardly meant, and keeps no portal from being used."""
    lost: Collection[tuple[str | int, ...]] = ()
    """Where something was taken out of the tree: nothing is said of what contradicts that."""
    _known: dict[tuple[int, object], tuple[YamlNode | None, Any]] = field(default_factory=dict)
    """Id of a node and purpose -> value, with the node, so that no other one gets its id."""

    def note(self, place: FilePlace, message: str) -> None:
        self.mistakes.append(place.mistake(message))

    def warn(self, place: FilePlace, message: str) -> None:
        self.warnings.append(place.mistake(message))

    def has_lost(self, *path: str | int) -> bool:
        """Whether a value at or below this path was taken out."""
        return any(lost[: len(path)] == path for lost in self.lost)

    def parse(self, node: YamlNode | None, parser: Callable[[str], T]) -> T | None:
        """What `parser` makes of a scalar's text."""
        if not isinstance(node, ScalarNode) or node.value is None:
            return None
        return self.once(node, parser, lambda: self._parse(node, parser))

    def template(self, node: YamlNode | None) -> UrlTemplate | None:
        return self.parse(node, self._parse_template)

    def template_of_value(self, node: YamlNode | None) -> UrlTemplate | None:
        """A template that is filled with a value that was picked."""
        return replace(self, placeholders=frozenset({"value"})).template(node)

    def _parse_template(self, text: str) -> UrlTemplate:
        return UrlTemplate.parse(text, names=self.placeholders, language=self.language, known=self.variables)

    def _parse(self, node: ScalarNode, parser: Callable[[str], T]) -> T | None:
        try:
            value = parser(node.text)
            if isinstance(value, Selector) and len(self.warnings) < MOST_WARNINGS:
                for advice in _advice_on_names(node.text):
                    self.warn(node.place, advice)
            return value
        except LiteralSecretError as error:
            self.note(node.place, str(error))
        except SelectorError as error:
            self.note(node.place, _with_text(f"{error}{_advice_on(node.text)}", node.text))
        except ValueError as error:
            self.note(node.place, _with_text(str(error), node.text))
        return None

    def once(self, node: YamlNode | None, purpose: object, compute: Callable[[], T]) -> T:
        """Compute it the first time: hundreds of columns may share what `archive` says."""
        key = (id(node), purpose)
        if key not in self._known:
            self._known[key] = (node, compute())
        value: T = self._known[key][1]
        return value

    def parse_all(self, node: YamlNode | None, parser: Callable[[str], T]) -> tuple[T, ...]:
        """The same for a list, or one scalar in place of it."""
        return tuple(value for item in items(node) if (value := self.parse(item, parser)) is not None)

    def selector(self, node: YamlNode | None) -> Selector | None:
        """A selector; of a list, what matches any of them."""
        found = self.parse_all(node, Selector.parse)
        if len(found) < 2 or node is None:
            return found[0] if found else None
        return Selector.parse(", ".join(str(item.text) for item in items(node) if isinstance(item, ScalarNode)))

    def replacements(self, node: YamlNode | None) -> tuple[tuple[Pattern, str], ...]:
        """Pairs of pattern and replacement, whose groups must exist."""
        pairs = []
        for pair in map(items, items(node)):
            pattern, replacement = (self.parse(pair[0], Pattern.parse), text(pair[1])) if len(pair) == 2 else (None, None)
            if pattern is None or replacement is None:
                continue
            try:
                pattern.check_replacement(replacement)
                pairs.append((pattern, replacement))
            except ValueError as error:
                self.note(pair[1].place, str(error))
        return tuple(pairs)

    def file(self, node: YamlNode | None) -> Path | None:
        """A file that the portal file names: beside it or below, and there."""
        if not isinstance(node, ScalarNode) or node.value is None:
            return None
        folder, named = node.place.file.parent, shortened(node.text)
        path = folder / node.text
        try:
            inside = path.resolve().is_relative_to(folder.resolve())
        except (OSError, ValueError, RuntimeError):
            inside = False
        if inside and is_file(path):
            return path
        where = "leads out of the folder of this file; copy the file there and name it without `..` or `/` at its start"
        absent = f"there is no file {named}; it is looked for relative to this file"
        self.note(node.place, absent if inside else f"{named} {where}")
        return None

    def url_list(self, node: YamlNode | None) -> frozenset[str]:
        """A file of URLs, one a line, in the form in which links are compared with them."""
        return self.once(node, "url list", lambda: frozenset(normalise(line.strip()) for _, line in self._lines(node)))

    def url_table(self, node: YamlNode | None) -> dict[str, str]:
        """A tab-separated file from URLs to URLs."""
        return self.once(node, "url table", lambda: {normalise(before): after for before, after in self.table(node).items()})

    def table(self, node: YamlNode | None) -> dict[str, str]:
        """A tab-separated file of two columns."""
        return self.once(node, "table", lambda: self._table(node))

    def _table(self, node: YamlNode | None) -> dict[str, str]:
        rows: dict[str, str] = {}
        for number, line in self._lines(node):
            before, tab, after = line.partition("\t")
            if not tab and node is not None:
                self.note(node.place, f"line {number} of {shortened(text(node) or '')} has no tab; expected two columns, from and to")
                break
            rows[before.strip()] = after.strip()
        return rows

    def _lines(self, node: YamlNode | None) -> tuple[tuple[int, str], ...]:
        """The numbered lines of such a file, without empty ones."""
        path = self.file(node)
        if path is None or node is None:
            return ()
        try:
            if path.stat().st_size > MAX_SIDE_FILE:
                self.note(node.place, f"{path.name} is larger than {MAX_SIDE_FILE:,} bytes")
                return ()
            content = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            self.note(node.place, f"{path.name} cannot be read as UTF-8 text: {error}")
            return ()
        return tuple((number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip())


def is_file(path: Path) -> bool:
    """Whether it is one; a name that no file system can hold is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _with_text(message: str, text: str) -> str:
    """The message with the text that it speaks of, unless that is already in it."""
    return message if text in message else f"{message} (in {quoted(text)})"


# --- what may be meant by a selector that is none, or that names elements which no page can have ---

# fmt: off
_HTML = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas "
    "caption center cite code col colgroup command data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption "
    "figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ilayer image img input ins isindex "
    "kbd keygen label layer legend li link listing main map mark marquee menu menuitem meta meter multicol nav nobr noembed noframes "
    "noindex nolayer noscript object ol optgroup option output p param picture plaintext pre progress q rb rbc rp rt rtc ruby s samp "
    "script search section select selectedcontent slot small source spacer span strike strong style sub summary sup table tbody td "
    "template textarea tfoot th thead time title tr track tt u ul var video wbr xml xmp"
)
"""Of the HTML standard, its obsolete ones too, and a few that browsers or search machines made up."""
_SVG = (
    "animate animatemotion animatetransform circle clippath cursor defs desc ellipse feblend fecolormatrix fecomponenttransfer "
    "fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg "
    "fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile "
    "feturbulence filter foreignobject g glyph hkern image line lineargradient marker mask metadata mpath path pattern polygon polyline "
    "radialgradient rect set stop svg switch symbol text textpath tref tspan use view vkern"
)
_MATHML = (
    "annotation maction math menclose merror mfenced mfrac mglyph mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts "
    "mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics"
)
# fmt: on
ELEMENT_NAMES = frozenset(f"{_HTML} {_SVG} {_MATHML}".split())
_STRING = re.compile(r"""\"[^\"]*\"|'[^']*'""")
_XPATH = re.compile(r"(?<!\\)/[/@*.A-Za-z]|\[@|^\s*@|text\(\)|(?:ancestor|descendant|following|preceding|parent|child|self)[\w-]*::")
_NO_NAME = re.compile(r"\[[^\]]*\]|:(?:contains|lang|nth-[a-z-]+)\([^()]*\)|[.#:](?:[\w-]|\\.)*")
_NAME = re.compile(r"(?:[\w-]|\\.)+")


def _advice_on(text: str) -> str:
    """What may be meant by a selector that is none."""
    if text.lstrip().startswith("$"):
        return "; this is JSONPath: a path into JSON is a JMESPath, without `$.` at its start, as in `{json: items[*].url}`"
    if _XPATH.search(_STRING.sub("", text)):
        return '; this is XPath, and selectors are CSS: `//div[@class="x"]//a/@href` is `{css: div.x a, attr: href}`'
    if re.search(r":contains\((?!\s*[\"'])", text):
        return '; the text of :contains() needs quotes: :contains("...")'
    if re.match(r"\s*[+~]", text):
        return "; it would lead out of the element it starts from"
    return ""


def _advice_on_names(selector: str) -> list[str]:
    """A sentence about each name in a selector that is no element's; those with a hyphen or a colon are a portal's own."""
    names = dict.fromkeys(_NAME.findall(_NO_NAME.sub(" ", _STRING.sub(" ", selector))))
    return [_advice_on_name(name) for name in names if name.lower() not in ELEMENT_NAMES and not re.search(r"[-\\]", name)]


def _advice_on_name(name: str) -> str:
    close = get_close_matches(name.lower(), ELEMENT_NAMES, n=1, cutoff=0.8)
    meant = f"did you mean `{close[0]}`, or the class `.{name}`?" if close else f"a class begins with a dot: `.{name}`"
    return f"no element of HTML is called `{name}`; {meant}"
