"""The end of docs/reference/python.md: every public name with its signature, what it says of itself, and its fields."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator
from enum import Enum, EnumType
from importlib import import_module
from typing import Any

import msgspec.structs

import webarticlecurator
from webarticlecurator import settings
from webarticlecurator.model.article import ATTRIBUTES

_FUNCTIONS = (
    *("load_portal", "crawl", "status", "build", "read_corpus", "annotate", "export", "search"),
    *("extract", "extract_many", "iter_warc"),
)
_CLASSES = (
    *("Article", "Capture", "Portal", "CrawlOptions", "CrawlSummary", "BuildOptions", "BuildSummary"),
    *("AnnotateSummary", "ExportSummary", "SearchResult"),
    "Outcome",
)
_ERRORS = ("CuratorError", "PortalFileError", "UsageError", "CorpusError", "CorpusBusy", "PatternTimeout")
_REACHED = {
    "model.metadata": ("Found", "Correction"),
    "model.article": ("Block", "Inline", "Post", "Piece", "UnknownTag", "CaptureRef", "MissingPage", "Extent"),
    "model.corpus_status": ("StatusReport",),
    "model.outcome": ("GoingOn", "FetchOutcome", "KeptDocuments", "Kept"),
    "annotations.layer_writing": ("LayerCounts",),
    "exporting.exporter": ("ExportCounts",),
    "searching.concordance": ("Hit",),
    "errors": ("Mistake",),
}
"""Module -> classes that nobody makes or imports, and whose values the public names give."""


def python_api() -> str:
    """Every public name."""
    inner = [getattr(import_module(f"webarticlecurator.{module}"), name) for module, names in _REACHED.items() for name in names]
    public = {name: getattr(webarticlecurator, name) for name in webarticlecurator.__all__}
    return "\n".join(
        [
            "## Functions\n",
            *(line for name in _FUNCTIONS for line in _function(name, public[name], "###")),
            "## Classes\n",
            *(line for name in _CLASSES for line in _class(name, public[name])),
            "## Errors\n",
            "| name | what it says |\n|---|---|",
            *(f"| `{name}` | {_cell(inspect.getdoc(public[name]) or '')} |" for name in _ERRORS),
            "\n## What they hold\n",
            "Classes that a script meets as values, and need not import.\n",
            *(line for value in inner for line in _class(value.__name__, value)),
            "## Version\n",
            "`__version__` is the version of the package, as text.",
            "",
        ]
    )


def _function(name: str, function: Any, heading: str) -> Iterator[str]:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body
    assert isinstance(node, ast.FunctionDef)
    yield f"{heading} `{name}`\n"
    yield f"```python\n{_signature(name, node)}\n```\n"
    yield from _told(inspect.getdoc(function) or "")


def _signature(name: str, node: ast.FunctionDef) -> str:
    """On one line, or with a parameter a line."""
    given = [part for part in _parameters(node.args) if part != "self"]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    short = f"{name}({', '.join(given)}){returns}"
    return short if len(short) <= 100 else "\n".join([f"{name}(", *(f"    {part}," for part in given), f"){returns}"])


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [*[None] * (len(plain) - len(arguments.defaults)), *arguments.defaults]
    for one, default in zip(plain, defaults, strict=True):
        yield _parameter(one, default)
    if arguments.vararg:
        yield f"*{_parameter(arguments.vararg, None)}"
    elif arguments.kwonlyargs:
        yield "*"
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(one, default)
    if arguments.kwarg:
        yield f"**{_parameter(arguments.kwarg, None)}"


def _parameter(one: ast.arg, default: ast.expr | None) -> str:
    typed = f"{one.arg}: {_type(one.annotation)}" if one.annotation else one.arg
    return f"{typed} = {ast.unparse(default)}" if default is not None else typed


def _type(annotation: ast.expr) -> str:
    annotation = next(_typed_as(annotation), annotation)
    return ast.unparse(annotation).replace("'", "").replace("Flag", "Event")


def _typed_as(annotation: ast.expr | None) -> Iterator[ast.expr]:
    """The parts of `Annotated[TYPE, TypedAs(FLAG, SENTENCE, ...)]`, where it is so annotated."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated" and isinstance(annotation.slice, ast.Tuple):
        type_, typed_as = annotation.slice.elts
        yield type_
        yield from typed_as.args if isinstance(typed_as, ast.Call) else ()


def _class(name: str, value: Any) -> Iterator[str]:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(value))).body
    assert isinstance(node, ast.ClassDef)
    yield f"### `{name}`\n"
    yield from _told(inspect.getdoc(value) or "")
    if isinstance(value, EnumType):
        yield f"Its members are texts: {', '.join(f'`{one.name}` is `{one.value!r}`' for one in value)}."
        yield "What each means: [outcomes.md](outcomes.md#what-became-of-a-url).\n"
    elif rows := list(_fields(node, value)):
        yield "| field | type | default | what it holds |\n|---|---|---|---|"
        yield "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows) + "\n"
    if name == "Block":
        yield "| attribute of a block | of which blocks: what it is |\n|---|---|"
        yield "\n".join(f"| `{attribute}` | {_cell(meaning)} |" for attribute, meaning in ATTRIBUTES.items()) + "\n"
    for function in node.body:
        if isinstance(function, ast.FunctionDef) and not function.name.startswith("_"):
            yield from _method(function)


def _fields(node: ast.ClassDef, value: Any) -> Iterator[tuple[str, str, str, str]]:
    """Fields of a dataclass or a struct, and properties: the sentence below each says what it holds."""
    is_struct = issubclass(value, msgspec.Struct)
    declared = msgspec.structs.fields(value) if is_struct else dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    fields = {field.name: field for field in declared}
    for one, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and not one.target.id.startswith("_"):
            yield (
                f"`{one.target.id}`",
                f"`{_type(one.annotation)}`",
                _default(fields[one.target.id]),
                _flag(one.annotation) or _sentence(following),
            )
        elif isinstance(one, ast.FunctionDef) and _is_property(one) and not one.name.startswith("_"):
            yield f"`{one.name}`", f"`{_type(one.returns)}`" if one.returns else "", "", ast.get_docstring(one) or ""


def _default(field: dataclasses.Field[Any] | msgspec.structs.FieldInfo) -> str:
    if field.default_factory not in (dataclasses.MISSING, msgspec.NODEFAULT):
        return "empty"
    if field.default in (dataclasses.MISSING, msgspec.NODEFAULT):
        return "required"
    value = field.default.value if isinstance(field.default, Enum) else field.default
    return f"`{value!r}`" if isinstance(value, str | int | tuple | frozenset | None) else "as without the key"


def _is_property(function: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id in ("property", "cached_property") for one in function.decorator_list)


def _sentence(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return node.value.value
    return ""


def _flag(annotation: ast.expr) -> str:
    """The flag of an option, and what it is for; one that is on is turned off by it."""
    told = list(_typed_as(annotation))[1:]
    texts = [part.value if isinstance(part, ast.Constant) else settings.SETTINGS[0].help for part in told[:2]]
    return f"`{texts[0]}`: {texts[1]}" if texts else ""


def _method(function: ast.FunctionDef) -> Iterator[str]:
    told = ast.get_docstring(function)
    if told and not _is_property(function) and not function.decorator_list:
        yield f"`{_signature(function.name, function)}`: {' '.join(told.split())}\n"


def _told(docstring: str) -> Iterator[str]:
    """Paragraphs as they are; examples as code."""
    text, _, example = docstring.partition(">>> ")
    yield f"{text.strip()}\n"
    if example:
        yield f"```python\n>>> {example.strip()}\n```\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
