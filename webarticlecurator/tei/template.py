"""TEI header templates: read and checked once, then filled for every article by joining strings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator import resources
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.errors import UsageError
from webarticlecurator.tei.header import SLOTS, Facts
from webarticlecurator.tei.markup import NAMESPACE, attribute, escape
from webarticlecurator.version import NAME, VERSION

_T = f"{{{NAMESPACE}}}"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
MAX_BYTES = 1_000_000

_PLACEHOLDERS: Mapping[str, Callable[[Facts], str | None]] = {
    **{name: (lambda facts, name=name: facts.first(name)) for name in FIELDS},  # type: ignore[misc]
    "id": lambda facts: facts.article.id,
    "document": lambda facts: facts.references.document,
    "url": lambda facts: facts.article.url,
    "language": lambda facts: facts.references.language,
    "portal": lambda facts: facts.portal.name,
    "title": lambda facts: facts.outlet,
    "home": lambda facts: facts.portal.home,
    "publisher": lambda facts: facts.portal.publisher.name,
    "place": lambda facts: facts.portal.publisher.place,
    "licence": lambda facts: facts.portal.publisher.rights.licence,
    "statement": lambda facts: facts.portal.publisher.rights.statement,
    "date": lambda facts: facts.now.isoformat(),
    "year": lambda facts: f"{facts.now.year:04d}",
    "program": lambda _: NAME,
    "version": lambda _: VERSION,
}
"""What `{name}` in a template stands for: metadata fields by name, and facts of the portal and the document."""
_NAMES = frozenset((*_PLACEHOLDERS, *SLOTS))
_BRACES = re.compile(r"(\{\{|\}\}|\{[A-Za-z]*\}|[{}])")
_TAG = re.compile(r"(<[^>]*>)")
"""As lxml writes it: of `>`, in attributes too, there is none but the one at its end."""
_ATTRIBUTE = re.compile(r' ([\w.:-]+)="([^"]*[{}][^"]*)"')
_INDENTED = re.compile(r"[ \t]*\n\s*")
"""What is filled in has no indentation either."""
_Part = str | Callable[[Facts], str]


@dataclass(frozen=True, slots=True)
class Template:
    """A header with holes."""

    header: str
    """The `teiHeader`, its holes as the file has them."""
    digest: str = ""
    """SHA-256 of the file."""

    def fill(self, facts: Facts) -> str:
        """The whole `teiHeader`."""
        return "".join([part if isinstance(part, str) else part(facts) for part in _parts(self.header)])


def read_template(name_or_path: str | Path) -> Template:
    """A template of `tei_templates/` by its name, or a file; `load_template` also tries what a user's makes. Raises UsageError."""
    path = _find(name_or_path)
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise UsageError(f"The TEI template {path} cannot be read: {problem.strerror or problem}.") from None
    if len(content) > MAX_BYTES:
        raise UsageError(f"The TEI template {path} has more than {MAX_BYTES:,} bytes.")
    header = _header(content, path)
    _check_holes(header, path)
    agency = next(header.iterfind(f"{_T}fileDesc/{_T}publicationStmt/*"), None)
    if agency is None or etree.QName(agency).localname not in ("publisher", "distributor", "authority"):
        raise UsageError(f"{path}: publicationStmt has to begin with a publisher, distributor or authority: who publishes the documents.")
    _begin_with_the_document(header)
    written = etree.tostring(header, encoding="unicode", with_tail=False).replace(f' xmlns="{NAMESPACE}"', "", 1)
    return Template(written, sha256(content).hexdigest())


def _find(name_or_path: str | Path) -> Path:
    if isinstance(name_or_path, str) and re.fullmatch(r"[A-Za-z0-9_-]+", name_or_path):
        shipped = resources.tei_templates() / f"{name_or_path}.xml"
        if shipped.is_file():
            return shipped
        names = sorted(path.stem for path in resources.tei_templates().glob("*.xml"))
        if not Path(name_or_path).exists():
            raise UsageError(f"There is no TEI template {name_or_path}; there are {', '.join(names)}, or give the path of a file.")
    return Path(name_or_path)


def _header(content: bytes, path: Path) -> Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True, load_dtd=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as problem:
        raise UsageError(f"{path}: not well-formed XML: {problem}") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise UsageError(f"{path}: a template may have no DOCTYPE.")
    header = root if root.tag == f"{_T}teiHeader" else root.find(f"{_T}teiHeader")
    if header is None:
        raise UsageError(f'{path}: no teiHeader found; a template is a <teiHeader xmlns="{NAMESPACE}">, alone or in a TEI element.')
    return header


def _check_holes(header: Element, path: Path) -> None:
    """Raises UsageError where a hole is none, and where what every article brings has no place."""
    named: set[str] = set()
    for node in header.iter(etree.Element):
        texts = ((node.text, _NAMES), (node.tail, _NAMES), *((value, frozenset(_PLACEHOLDERS)) for value in node.attrib.values()))
        for text, names in texts:
            for hole in _BRACES.findall(str(text or "")):
                if hole in ("{", "}"):
                    raise UsageError(f"{path}:{node.sourceline}: a lone {hole!r}; write {hole * 2} for the brace itself.")
                name = hole[1:-1]
                if hole not in ("{{", "}}") and name not in names:
                    close = get_close_matches(name, names, n=1)
                    hint = f"did you mean {{{close[0]}}}?" if close else "docs/reference/tei.md lists those that there are."
                    raise UsageError(f"{path}:{node.sourceline}: unknown placeholder {hole}; {hint}")
                named.add(name)
    missing = [f"\n  {{{name}}}: {slot.place}" for name, slot in SLOTS.items() if slot.place and name not in named]
    if missing:
        raise UsageError(f"{path}: what every article brings has no place in the template. Write{''.join(missing)}")


def _begin_with_the_document(header: Element) -> None:
    """Identifiers, and what points to them: so documents by one template can stand together."""
    ids = {node.get(_XML_ID) for node in header.iter(etree.Element)}
    for node in header.iter(etree.Element):
        for key, value in ((str(key), str(value)) for key, value in node.attrib.items()):
            if key == _XML_ID:
                node.set(key, f"{{document}}.{value}")
            elif "#" in value:
                node.set(
                    key, " ".join([f"#{{document}}.{one[1:]}" if one[:1] == "#" and one[1:] in ids else one for one in value.split(" ")])
                )


@cache
def _parts(header: str) -> tuple[_Part, ...]:
    parts: list[_Part] = []
    for number, piece in enumerate(_TAG.split(header)):
        parts += _parts_of_tag(piece) if number % 2 else _parts_of_text(_INDENTED.sub("\n", piece))
    return tuple(parts)


def _parts_of_text(text: str) -> Iterator[_Part]:
    for number, piece in enumerate(_BRACES.split(text)):
        name = piece[1:-1]
        if number % 2 == 0 or piece in ("{{", "}}"):
            yield piece[: 1 if number % 2 else None]
        elif name in SLOTS:
            yield SLOTS[name].fill
        else:
            yield lambda facts, name=name: escape(_PLACEHOLDERS[name](facts) or "")  # type: ignore[misc]


def _parts_of_tag(tag: str) -> Iterator[_Part]:
    position = 0
    for found in _ATTRIBUTE.finditer(tag):
        yield tag[position : found.start()]
        yield _attribute_filler(found[1], found[2])
        position = found.end()
    yield tag[position:]


def _attribute_filler(name: str, content: str) -> Callable[[Facts], str]:
    """The attribute is left out where a value is missing: `target=""` would be no address."""
    pieces = _BRACES.split(etree.fromstring(f'<a b="{content}"/>').get("b", ""))

    def fill(facts: Facts) -> str:
        values = [
            piece[: 1 if number % 2 else None] if number % 2 == 0 or piece in ("{{", "}}") else _PLACEHOLDERS[piece[1:-1]](facts)
            for number, piece in enumerate(pieces)
        ]
        return "" if any(not value for value in values[1::2]) else attribute(name, "".join(map(str, values)))

    return fill
