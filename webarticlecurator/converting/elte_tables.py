"""HTML2TEI: tag tables as people labelled them, and the constants of portal modules, which are read and never run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from webarticlecurator.config.load import FILE_NAME
from webarticlecurator.converting.portal_file import Conversion
from webarticlecurator.converting.xpaths import CannotSay, attribute
from webarticlecurator.errors import Mistake, PortalFileError, UsageError
from webarticlecurator.survey.table_rules import apply_table
from webarticlecurator.survey.tag_table import HTML2TEI_COLUMNS, IN_MEDIA, NOT_LABELLED, Table, labelled_rows, labelled_tags
from webarticlecurator.urls import is_http

PROGRAM = "html2tei"
_MARKER = "decompose_listed_subtrees_and_mark_media_descendants"
_FIELDS = {"name": "headline", "alternateName": "alternativeHeadline", "subsection": "articleSection"}
_GENERALISED = re.compile(r"\b(?:id|class)=(?:\S+ )*@")
_ROUNDS, _LONGEST = 10, 2_000
_MOST_SKIPPED = 200
"""Addresses of a blacklist that become rules."""


def is_table(header: str) -> bool:
    """Whether a first line is that of a table of HTML2TEI."""
    return set(header.split("\t")).issuperset(HTML2TEI_COLUMNS)


# --- tag tables ---


def with_tables(conversion: Conversion, text: str, tables: dict[Path, str]) -> str:
    """The portal file, with rules that decide elements as the tables say; rows that are none are named."""
    places, lines, header = [""], list[str](), ""
    for path, content in tables.items():
        first, *rows = content.replace("\r\n", "\n").rstrip("\n").split("\n")
        if header not in ("", first):
            raise UsageError(f"{path}: its columns are others than those of the table before it: convert them one by one.")
        header = first
        places += [f"{path.name}:{number}" for number in range(2 - (not lines), len(rows) + 2)]
        lines += rows
    labelled = "\n".join([header, *lines])
    mistakes: list[Mistake] = []
    table = Table(next(iter(tables)), tuple(labelled_tags(labelled, next(iter(tables)), mistakes)))
    for line, label, tag in _passed_over(labelled):
        why = "which blocks are media, rules with context say" if IN_MEDIA in tag else "a name that stands for many is in no page"
        conversion.leave("", places[line], f"{tag} {label}", kind="row", advice=why)
    with TemporaryDirectory() as folder:
        draft = Path(folder) / FILE_NAME
        draft.write_text(text, encoding="utf-8")
        for _ in range(_ROUNDS):  # without rows that contradict one another, others may
            for mistake in mistakes:
                conversion.leave("", places[mistake.line], "a row", kind="row", advice=mistake.message)
            wrong = {mistake.line for mistake in mistakes}
            table = Table(table.path, tuple(row for row in table.rows if row.line not in wrong))
            try:
                applied = apply_table(table, draft, leave=True)
            except PortalFileError as error:
                mistakes = list(error.mistakes)
            else:
                for row, becomes in applied.left:
                    conversion.leave("", places[row.line], row.tag.text, kind="row", advice=f"it would be {becomes}, not {row.decision}")
                conversion.decided += applied.edited - len(applied.left)
                return applied.after.decode()
    raise UsageError(f"{', '.join(conversion.sources)}: the rows of these tables contradict one another: `curator tags apply` says which.")


def _passed_over(text: str) -> Iterator[tuple[int, str, str]]:
    """Labelled rows of which no rule can be made: line, label and tag."""
    for line, cells in labelled_rows(text):
        label, tag = cells["normal_name"].strip(), cells["tag"].strip()
        if label not in NOT_LABELLED and (IN_MEDIA in tag or _GENERALISED.search(tag[:_LONGEST])):
            yield line, label, tag


# --- portal modules ---


def read_module(conversion: Conversion, path: Path, source: str) -> None:
    """What its constants say; each function is named. Raises UsageError where it is no Python."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree, lines = ast.parse(source), source.split("\n")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{path} cannot be read as Python: {error}.") from None
    assigned = (node for node in tree.body if isinstance(node, ast.Assign))
    constants = {target.id: node.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    for name, value in constants.items():
        place, literal = f"{path.name}:{value.lineno}", _literal(value)
        if name == "PORTAL_URL_PREFIX" and isinstance(literal, str) and is_http(literal):
            conversion.home = f"{literal.rstrip('/')}/"
        elif name == "ARTICLE_ROOT_PARAMS_SPEC" and isinstance(literal, list):
            _say_elements(conversion, "body|root", literal, place, name)
        elif name == "BLACKLIST_SPEC" and isinstance(literal, list) and len(literal) <= _MOST_SKIPPED:
            for url in literal:
                conversion.say("articles|skip|url", f"^{re.escape(str(url))}$", place, f"{name}: {url}")
        elif name.isupper() and name not in ("DECOMP", "PORTAL_URL_PREFIX"):
            conversion.leave(name, place, lines[value.lineno - 1].strip())
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        place, name = f"{path.name}:{function.lineno}", function.name
        if name == "decompose_spec" and (lists := _decomposed(function, constants)) is not None:
            _say_elements(conversion, "body|tags|decompose", lists, place, name)
        elif name == "get_meta_from_articles_spec":
            asked = (node.value for node in ast.walk(function) if isinstance(node, ast.Constant) and isinstance(node.value, str))
            fields = dict.fromkeys(field.removeprefix("sch:") for field in asked if re.fullmatch(r"sch:\w+", field))
            conversion.leave(name, place, f"{name} ({', '.join(_FIELDS.get(field, field) for field in fields)})")
        elif name.endswith("_spec") or name == "transform_to_html":
            conversion.leave(name, place, name)


def _literal(node: ast.expr) -> Any:
    with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ast.literal_eval(node)
    return None


def _decomposed(function: ast.FunctionDef, constants: dict[str, ast.expr]) -> list[Any] | None:
    """The elements that the program's own call deletes, where the function does nothing else."""
    body = [step for step in function.body if isinstance(step, ast.Expr) and not isinstance(step.value, ast.Constant)]
    others = [step for step in function.body if not isinstance(step, ast.Expr) and not isinstance(getattr(step, "value", None), ast.Name)]
    call = body[0].value if len(body) == 1 and not others else None
    if not isinstance(call, ast.Call) or _MARKER not in vars(call.func).values() or len(call.args) < 2:
        return None
    listed = call.args[1]
    listed = constants.get(listed.id, listed) if isinstance(listed, ast.Name) else listed
    # an entry that is computed leaves the others as they are
    return [_literal(item) or f"line {item.lineno}" for item in listed.elts] if isinstance(listed, ast.List) else None


def _say_elements(conversion: Conversion, path: str, elements: list[Any], place: str, name: str) -> None:
    """Arguments of BeautifulSoup's `find_all`, as selectors."""
    for element in elements:
        try:
            css = _selector(element)
        except CannotSay as part:
            conversion.leave("", place, f"{name}: {element}", kind="selector", advice=f"it holds {part}")
            continue
        conversion.say(path, css, place, f"{name}: {element}")


def _selector(element: Any) -> str:
    """Raises CannotSay."""
    tags, wanted = element if isinstance(element, tuple) and len(element) == 2 else (None, None)
    if not (isinstance(tags, tuple) and isinstance(wanted, dict) and len(tags) < 2 and (tags or wanted)):
        raise CannotSay("what is no pair of a tag and its attributes")
    names = tags[0] if tags and isinstance(tags[0], list) else tags
    if not all(isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in names):
        raise CannotSay("no name of a tag")
    conditions = "".join(_condition(str(name).rstrip("_"), value) for name, value in wanted.items())
    return ", ".join(f"{name}{conditions}" for name in names) or conditions


def _condition(name: str, value: Any) -> str:
    if isinstance(value, list):
        return f":is({', '.join(_condition(name, each) for each in value)})"
    if name in ("string", "text", "recursive", "limit") or not (isinstance(value, str) or value is True):
        raise CannotSay(f"{name}={value!r}")
    if value is True:
        return attribute(name)
    return attribute(name, "~=" if name == "class" and len(value.split()) == 1 else "=", value)
