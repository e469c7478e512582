"""ELTE's programs: configurations of WebArticleCurator up to 1.13 (the site schema with its columns, and what
a crawl was asked); and the constants of HTML2TEI's portal modules, which are read and never run. (Its tag
tables `curator tags apply` takes as they are.)"""

from __future__ import annotations

import ast
import os.path
import re
import warnings
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from webarticlecurator.config.scalars import lies_within
from webarticlecurator.config.template import literal
from webarticlecurator.config.yaml_reading import MapNode, ScalarNode, YamlNode, entries, plain, text
from webarticlecurator.converting.portal_file import CannotSay, Conversion, attribute
from webarticlecurator.errors import UsageError
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import is_http

PROGRAM = "webarticlecurator"
OF_SITES = ("site_name", "columns")
"""Keys by which a site schema is known."""
OF_CRAWLS = "schema"
"""Key by which a crawl configuration is known."""
TO_BE_WRITTEN = "to-be-written"
"""No page has such an element: nothing is collected before a person has written the selector."""
_VERIFY = "verify_request"
"""Key of both kinds of files: whether certificates are checked."""
MODULES_PROGRAM = "html2tei"


def read_site(conversion: Conversion, path: Path, root: MapNode) -> None:
    """Say the archive and the columns; what a person has to write is marked in them."""
    site = {name: node for name, node in root.entries.items() if name not in OF_SITES}
    own = {name: entries(node) for name, node in entries(root.get("columns")).items()}
    columns = {name: _Column({**site, **given}) for name, given in own.items()}
    rules = {name: column.rules() for name, column in columns.items()}
    if not conversion.home:
        conversion.home = _home_of(rules)
    conversion.remarks.append(
        f"Python functions said where links are: write selectors in place of each `{TO_BE_WRITTEN}`."
    )
    _say_rules(conversion, path.name, rules, f"{path.name}:{root.keys['columns'].line}")
    conversion.say("archive|link", TO_BE_WRITTEN, path.name)
    if any(column.paging() == "next-link" for column in (_Column(site), *columns.values())):
        conversion.say("archive|next", TO_BE_WRITTEN, path.name)
    if "next_page_of_article_fun" in site:
        conversion.say("articles|next", TO_BE_WRITTEN, path.name)
    told = {name for column in columns.values() for name in column.told}
    told |= _say_verify(conversion, path.name, site)
    for given in (site, *own.values()):
        _leave_others(conversion, path.name, given, told)


def schema_of(path: Path, crawl: MapNode) -> Path | None:
    """Return where the site schema lies that a crawl configuration names: beside it, or one folder above;
    None where it is not there."""
    named = text(crawl.get(OF_CRAWLS)) or ""
    for folder in (path.parent, path.resolve().parent.parent):
        schema = folder / named
        is_there = os.path.isfile(schema)  # noqa: PTH113  # unlike Path.is_file, it takes any text
        if is_there and lies_within(schema, folder) and schema.resolve() != path.resolve():
            return schema
    return None


def read_crawl(conversion: Conversion, path: Path, crawl: MapNode, *, is_followed: bool) -> None:
    """Say what a crawl was asked; the schema that it names is read by itself where it can be."""
    said = {OF_CRAWLS} if is_followed else set()
    said |= _say_verify(conversion, path.name, crawl.entries)
    _leave_others(conversion, path.name, crawl.entries, said)


def _say_verify(conversion: Conversion, file: str, given: Mapping[str, YamlNode]) -> set[str]:
    """Say that certificates are not checked; return the key, if it says so."""
    if not _is(given.get(_VERIFY), False):
        return set()
    conversion.say("fetch|verify_tls", False, file)
    return {_VERIFY}


def _home_of(rules: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the first address that a column names."""
    addresses = "\n".join(column["url"] for column in rules.values())
    first = linear(r"https?://[^/\s?#,;\"'{}]+").search(addresses)
    return f"{first[0]}/" if first is not None else ""


def _say_rules(conversion: Conversion, file: str, rules: Mapping[str, Mapping[str, Any]], place: str) -> None:
    """Say what all columns share of the archive, and what is a column's own of the column."""
    first, *others = rules.values() or [{}]
    shared = {
        key: value for key, value in first.items() if all(column.get(key) == value for column in others)
    }
    for key, value in shared.items():
        conversion.say(f"archive|{key}", value, file)
    if others:
        for name, column in rules.items():
            own = {key: value for key, value in column.items() if key not in shared}
            conversion.say(f"columns|{name.replace('|', ' ')}", own, place)


def _leave_others(
    conversion: Conversion, file: str, given: Mapping[str, YamlNode], told: Collection[str]
) -> None:
    for name, node in given.items():
        if name not in told:
            conversion.leave(name, f"{file}:{node.place.line}", f"{name}: {plain(node)}")


class _Column:
    """A column of a site schema, with what holds for all of the site."""

    def __init__(self, given: Mapping[str, YamlNode]) -> None:
        self._given = given
        self.told: set[str] = set()
        """The keys that its rules tell."""

    def rules(self) -> dict[str, Any]:
        """Return its rules as they stand under `archive`."""
        url = self._url()
        rules: dict[str, Any] = {"url": url}
        if linear(r"\{(next_)?(year|month|day)\}").search(url):
            rules["dates"] = self._dates()
        pages = self._pages(is_numbered="{page}" in url)
        rules["pages"] = pages if len(pages) > 1 else pages["mode"]
        stop = self._tell("last_archive_page_url")
        if stop is not None:
            rules["stop"] = {"at_url": stop}
        return rules

    def paging(self) -> str:
        """Return the mode in which its archive is paged."""
        if _is(self._given.get("infinite_scrolling"), True):
            return "infinite"
        if _is(self._given.get("next_url_by_pagenum"), True):
            return "numbered" if text(self._given.get("max_pagenum")) else "infinite"
        return "next-link" if text(self._given.get("extract_next_page_url_fun")) else "none"

    def _url(self) -> str:
        """Return the address with our placeholders; what looks like one of them already stays text."""
        url = literal(self._tell("archive_url_format") or "")
        url = linear(r"#(?:next-)?(?:year|month|day)\b").sub(
            lambda its: f"{{{its[0][1:].replace('-', '_')}}}", url
        )
        return linear(r"#pagenum\b").sub("{page}", url)

    def _dates(self) -> dict[str, str]:
        bounds = {"from": self._tell("date_first_article"), "until": self._tell("date_last_article")}
        dates = {name: day[:10] for name, day in bounds.items() if day}
        self._note("archive_page_urls_by_date")
        if self._note("go_reverse_in_archive"):
            dates["order"] = (
                "newest-first" if _is(self._given["go_reverse_in_archive"], True) else "oldest-first"
            )
        return dates

    def _pages(self, *, is_numbered: bool) -> dict[str, Any]:
        """Return the mode, and the numbers of pages where the address has a place for them."""
        mode = self.paging()
        self._note("next_url_by_pagenum")
        self._note("infinite_scrolling")
        if not is_numbered:
            return {"mode": mode}
        pages: dict[str, Any] = {"mode": mode}
        first, start, last = (self._tell(name) for name in ("initial_pagenum", "min_pagenum", "max_pagenum"))
        is_by_link = mode == "next-link"
        if first is not None and (is_by_link or first != start):
            pages["first"] = first
        if start and not is_by_link:
            pages["start"] = _number_or_text(start)
        if last and mode == "numbered":
            pages["last"] = _number_or_text(last)
        return pages

    def _tell(self, name: str) -> str | None:
        self._note(name)
        return text(self._given.get(name))

    def _note(self, name: str) -> bool:
        """Note that the rules tell a key; False if it is not given."""
        is_given = name in self._given
        if is_given:
            self.told.add(name)
        return is_given


def _number_or_text(value: str) -> int | str:
    return int(value) if value.isdigit() else value


def _is(node: YamlNode | None, wanted: bool) -> bool:
    return isinstance(node, ScalarNode) and node.value is wanted


class _Constant(NamedTuple):
    """A constant of a portal module."""

    name: str
    place: str
    node: ast.expr
    value: Any
    """The constant's value; None if it is computed."""


def read_module(conversion: Conversion, path: Path, source: str) -> None:
    """Say what the constants of a portal module say, and name each function. Raises UsageError where it is no
    Python."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{path} cannot be read as Python: {error}.") from None
    lines = source.split("\n")
    for constant in _constants(tree, path.name):
        is_said = constant.name in _CONSTANTS and _CONSTANTS[constant.name](conversion, constant)
        if not is_said and constant.name.isupper():
            conversion.leave(constant.name, constant.place, lines[constant.node.lineno - 1].strip())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _leave_function(conversion, node, f"{path.name}:{node.lineno}")


def _constants(tree: ast.Module, file: str) -> list[_Constant]:
    """Return the constants of a module: what a name is given last holds."""
    nodes: dict[str, ast.expr] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            nodes |= {
                target.id: statement.value for target in statement.targets if isinstance(target, ast.Name)
            }
    return [_Constant(name, f"{file}:{node.lineno}", node, _literal(node)) for name, node in nodes.items()]


def _literal(node: ast.expr) -> Any:
    with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ast.literal_eval(node)
    return None


def _say_home(conversion: Conversion, constant: _Constant) -> bool:
    """Take the address of the portal; what is no address is of no use to anybody."""
    if isinstance(constant.value, str) and is_http(constant.value):
        conversion.home = f"{constant.value.rstrip('/')}/"
    return True


def _say_root(conversion: Conversion, constant: _Constant) -> bool:
    if not isinstance(constant.value, list):
        return False
    _say_elements(conversion, "body|root", constant.value, constant)
    return True


def _say_decomposed(conversion: Conversion, constant: _Constant) -> bool:
    """Say each entry; one that is computed leaves the others as they are."""
    if not isinstance(constant.node, ast.List):
        return False
    elements = [_literal(item) or f"line {item.lineno}" for item in constant.node.elts]
    _say_elements(conversion, "body|tags|decompose", elements, constant)
    return True


def _say_skipped(conversion: Conversion, constant: _Constant) -> bool:
    if not isinstance(constant.value, list) or len(constant.value) > _MOST_SKIPPED:
        return False
    for url in constant.value:
        conversion.say(
            "articles|skip|url", f"^{re.escape(str(url))}$", constant.place, f"{constant.name}: {url}"
        )
    return True


_MOST_SKIPPED = 200
_CONSTANTS: dict[str, Callable[[Conversion, _Constant], bool]] = {
    "PORTAL_URL_PREFIX": _say_home,
    "ARTICLE_ROOT_PARAMS_SPEC": _say_root,
    "DECOMP": _say_decomposed,
    "BLACKLIST_SPEC": _say_skipped,
}
"""How each constant is said; False where it is written as nobody expects it."""
_FIELDS = {"name": "headline", "alternateName": "alternativeHeadline", "subsection": "articleSection"}
"""Fields of HTML2TEI that have another name here."""


def _leave_function(conversion: Conversion, function: ast.FunctionDef, place: str) -> None:
    """Name a function that a person has to write as rules, with the fields that it reads."""
    name = function.name
    if name == "get_meta_from_articles_spec":
        constants = [node.value for node in ast.walk(function) if isinstance(node, ast.Constant)]
        fields = dict.fromkeys(text.removeprefix("sch:") for text in constants if _is_field(text))
        conversion.leave(name, place, f"{name} ({', '.join(_FIELDS.get(field, field) for field in fields)})")
    elif name.endswith("_spec") or name == "transform_to_html":
        conversion.leave(name, place, name)


def _is_field(constant: object) -> TypeGuard[str]:
    return isinstance(constant, str) and linear_at(r"sch:\w+").fullmatch(constant) is not None


def _say_elements(conversion: Conversion, path: str, elements: list[Any], constant: _Constant) -> None:
    """Say arguments of BeautifulSoup's `find_all` as selectors."""
    for element in elements:
        written = f"{constant.name}: {element}"
        try:
            conversion.say(path, _css_of(element), constant.place, written)
        except CannotSay as part:
            conversion.leave("", constant.place, written, kind="selector", advice=f"it holds {part}")


def _css_of(element: Any) -> str:
    """Return the selector of a pair: a tag (or a list of them, or none), and the attributes. Raises
    CannotSay."""
    match element:
        case tuple((tuple(((list() as names),)), dict() as wanted)):
            pass
        case tuple((tuple((name,)), dict() as wanted)):
            names = [name]
        case tuple((tuple(()), dict() as wanted)) if wanted:
            names = []
        case _:
            raise CannotSay("what is no pair of a tag and its attributes")
    for name in names:
        if not isinstance(name, str) or not linear_at(r"[a-z][a-z0-9-]*").fullmatch(name):
            raise CannotSay("no name of a tag")
    conditions = "".join(_condition(str(key).rstrip("_"), value) for key, value in wanted.items())
    return ", ".join(f"{name}{conditions}" for name in names) or conditions


def _condition(name: str, value: Any) -> str:
    if isinstance(value, list):
        return f":is({', '.join(_condition(name, each) for each in value)})"
    if name in ("string", "text", "recursive", "limit") or not (isinstance(value, str) or value is True):
        raise CannotSay(f"{name}={value!r}")
    if value is True:
        return attribute(name)
    return attribute(name, "~=" if name == "class" and len(value.split()) == 1 else "=", value)
