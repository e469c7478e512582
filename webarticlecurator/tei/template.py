"""TEI header templates: read and checked once, then filled for every article by joining strings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator import resources
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.errors import UsageError
from webarticlecurator.tei.header import SLOTS, Facts
from webarticlecurator.tei.markup import attribute, escape
from webarticlecurator.version import NAME, VERSION

NAMESPACE = "http://www.tei-c.org/ns/1.0"
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
_BRACES = re.compile(r"\{\{|\}\}|\{([A-Za-z]*)\}|[{}]")
# While a template is worked on as a tree, what is left open stands between two private characters.
_IN_TEXT, _IN_ATTRIBUTE, _SLOT, _END = "\ue000", "\ue001", "\ue002", "\ue003"
_PRIVATE = re.compile(f"[{_IN_TEXT}-{_END}]")
_HOLE = re.compile(f' ([\\w.:-]+)="([^"{_IN_ATTRIBUTE}]*{_IN_ATTRIBUTE}[^"]*)"|([{_IN_TEXT}{_SLOT}])(\\w+){_END}')
_NAMED = re.compile(f"{_IN_ATTRIBUTE}(\\w+){_END}")


@dataclass(frozen=True, slots=True)
class Template:
    """A header with holes."""

    name: str
    parts: tuple[str | Callable[[Facts], str], ...]
    digest: str = ""
    """SHA-256 of the file."""
    is_shipped: bool = False
    """It came with curator."""

    def fill(self, facts: Facts) -> str:
        """The whole `teiHeader`."""
        return "".join([part if isinstance(part, str) else part(facts) for part in self.parts])


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
    _add_maker(header)
    _begin_with_the_document(header)
    _replace_placeholders(header, path)
    _open_slots(header, path)
    written = etree.tostring(header, encoding="unicode", with_tail=False).replace(f' xmlns="{NAMESPACE}"', "", 1)
    return Template(path.stem, tuple(_parts(written)), sha256(content).hexdigest(), path.parent == resources.tei_templates())


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


def _add_maker(header: Element) -> None:
    """Who made the document, and that it did: the template's statement about the program, or one of ours."""
    statements = _child(_child(header, "fileDesc", 0), "titleStmt", 0)
    maker = next((one for one in statements.iterfind(f"{_T}respStmt") if "{program}" in "".join(map(str, one.itertext()))), None)
    if maker is None:
        maker = etree.SubElement(statements, f"{_T}respStmt")
        etree.SubElement(maker, f"{_T}resp").text = "converted automatically from archived HTML"
        etree.SubElement(maker, f"{_T}name", type="software").text = "{program}"
    if maker.get(_XML_ID) is None:
        maker.set(_XML_ID, "conversion")
    revision = _child(header, "revisionDesc", len(header))
    etree.SubElement(revision, f"{_T}change", when="{date}", who=f"#{maker.get(_XML_ID)}").text = "Made by {program} {version}."


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


def _replace_placeholders(header: Element, path: Path) -> None:
    for node in header.iter(etree.Element):
        node.text = _marked(_unindented(node.text), _IN_TEXT, f"{path}:{node.sourceline}")
        node.tail = _marked(_unindented(node.tail), _IN_TEXT, f"{path}:{node.sourceline}")
        for key, value in node.attrib.items():
            node.set(str(key), _marked(str(value), _IN_ATTRIBUTE, f"{path}:{node.sourceline}"))


def _unindented(text: str | None) -> str:
    """What is filled in has no indentation either."""
    if not text or text.strip():
        return text or ""
    return "\n" if "\n" in text else text


def _marked(text: str, mark: str, where: str) -> str:
    def marked(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        if found[1] is None:
            raise UsageError(f"{where}: a lone {found[0]!r}; write {found[0] * 2} for the brace itself.")
        if found[1] not in _PLACEHOLDERS:
            close = get_close_matches(found[1], _PLACEHOLDERS, n=1)
            hint = f"did you mean {{{close[0]}}}?" if close else "docs/reference/tei.md lists those that there are."
            raise UsageError(f"{where}: unknown placeholder {found[0]}; {hint}")
        return f"{mark}{found[1]}{_END}"

    return _BRACES.sub(marked, _PRIVATE.sub("", text))


def _open_slots(header: Element, path: Path) -> None:
    """Make room for what every article brings, where TEI wants it."""
    file_desc = _child(header, "fileDesc", 0)
    title_stmt = _child(file_desc, "titleStmt", 0)
    if title_stmt.find(f"{_T}title") is not None:
        raise UsageError(f"{path}:{title_stmt.sourceline}: titleStmt has a title; titles and authors are the article's, leave them out.")
    _slot(title_stmt, 0, "titles")
    for old in file_desc.findall(f"{_T}extent"):
        raise UsageError(f"{path}:{old.sourceline}: extent is counted for every article; leave it out.")
    publication = file_desc.find(f"{_T}publicationStmt")
    if publication is None or len(publication) == 0 or publication.find(f"{_T}p") is not None:
        raise UsageError(f"{path}: publicationStmt has to begin with a publisher, distributor or authority: who publishes the documents.")
    _slot(publication, len(publication), "publication")
    _slot(file_desc, file_desc.index(publication), "extent")
    source = _child(file_desc, "sourceDesc", len(file_desc))
    if len(source) or (source.text or "").strip():
        raise UsageError(f"{path}:{source.sourceline}: sourceDesc describes the article; leave it empty or out.")
    _slot(source, 0, "source")
    notes = file_desc.find(f"{_T}notesStmt")
    if notes is None:
        _slot(file_desc, file_desc.index(source), "notes")
    else:
        _slot(notes, len(notes), "flags")
    encoding = _child(header, "encodingDesc", 1)
    if not any(prefix.get("ident") == "schema" for prefix in encoding.iter(f"{_T}prefixDef")):
        _slot(encoding, len(encoding), "prefix")
    _slot(encoding, len(encoding), "encoding")
    if next(encoding.iter(f"{_T}hyphenation"), None) is None:
        _add_hyphenation(_child(encoding, "editorialDecl", 0))
    profile = _child(header, "profileDesc", header.index(encoding) + 1)
    _slot(profile, 0, "profile")
    _slot(header, header.index(_child(header, "revisionDesc", len(header))), "xeno")


def _add_hyphenation(declaration: Element) -> None:
    hyphenation = etree.SubElement(declaration, f"{_T}hyphenation", eol="none")
    etree.SubElement(hyphenation, f"{_T}p").text = "Soft hyphens, and characters without width that no script needs, are left out."


def _child(parent: Element, name: str, at: int) -> Element:
    """The child of that name, made where it is missing."""
    child = parent.find(f"{_T}{name}")
    if child is None:
        child = etree.Element(f"{_T}{name}")
        child.tail = "\n"
        parent.insert(at, child)
    return child


def _slot(parent: Element, at: int, name: str) -> None:
    hole = f"{_SLOT}{name}{_END}\n"
    if at == 0:
        parent.text = f"{(parent.text or '').rstrip(' ') or chr(10)}{hole}"
    else:
        parent[at - 1].tail = f"{(parent[at - 1].tail or '').rstrip(' ') or chr(10)}{hole}"


def _parts(written: str) -> Iterator[str | Callable[[Facts], str]]:
    position = 0
    for hole in _HOLE.finditer(written):
        yield written[position : hole.start()]
        position = hole.end()
        if hole[3] is None:
            yield _attribute_filler(hole[1], hole[2])
        else:
            yield SLOTS[hole[4]] if hole[3] == _SLOT else _text_filler(hole[4])
    yield written[position:]


def _text_filler(name: str) -> Callable[[Facts], str]:
    return lambda facts: escape(_PLACEHOLDERS[name](facts) or "")


def _attribute_filler(name: str, content: str) -> Callable[[Facts], str]:
    """The attribute is left out where a value is missing: `target=""` would be no address."""
    pieces = _NAMED.split(etree.fromstring(f'<a b="{content}"/>').get("b", ""))

    def fill(facts: Facts) -> str:
        values = [piece if number % 2 == 0 else _PLACEHOLDERS[piece](facts) for number, piece in enumerate(pieces)]
        return "" if None in values or "" in values[1::2] else attribute(name, "".join(map(str, values)))

    return fill
