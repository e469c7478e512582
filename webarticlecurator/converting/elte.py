"""ELTE's programs: configurations of WebArticleCurator up to 1.13 (the site schema with its columns, and what a crawl was asked); and the
constants of HTML2TEI's portal modules, which are read and never run. (Its tag tables `curator tags apply` takes as they are.)"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from webarticlecurator.config.template import literal
from webarticlecurator.config.yaml_reading import MapNode, ScalarNode, YamlNode, entries, plain, text
from webarticlecurator.converting.portal_file import CannotSay, Conversion, attribute
from webarticlecurator.errors import UsageError
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import is_http

PROGRAM = "webarticlecurator"
OF_SITES, OF_CRAWLS = ("site_name", "columns"), ("schema", "output_corpus")
"""Keys by which the two kinds of files are known."""
TO_BE_WRITTEN = "to-be-written"
"""No page has such an element: nothing is collected before a person has written the selector."""
MODULES_PROGRAM = "html2tei"


def read_site(conversion: Conversion, path: Path, root: MapNode) -> None:
    """Archive and columns; what a person has to write is marked in them."""
    site = {name: node for name, node in root.entries.items() if name not in OF_SITES}
    columns = {name: entries(node) for name, node in entries(root.get("columns")).items()}
    said: set[str] = set()
    rules = {name: _column({**site, **own}, said) for name, own in columns.items()}
    addresses = (linear(r"https?://[^/\s?#,;\"'{}]+").search(column["url"]) for column in rules.values())
    conversion.home = conversion.home or next((f"{address[0]}/" for address in addresses if address is not None), "")
    conversion.remarks.append(f"Python functions said where links are: write selectors in place of each `{TO_BE_WRITTEN}`.")
    first = next(iter(rules.values()), {})
    shared = {key: value for key, value in first.items() if all(column.get(key) == value for column in rules.values())}
    for key, value in shared.items():
        conversion.say(f"archive|{key}", value, path.name)
    conversion.say("archive|link", TO_BE_WRITTEN, path.name)
    if _paging(site) == "next-link" or any(_paging({**site, **given}) == "next-link" for given in columns.values()):
        conversion.say("archive|next", TO_BE_WRITTEN, path.name)
    for name, column in rules.items() if len(rules) > 1 else ():
        own: Any = {key: value for key, value in column.items() if key not in shared}
        conversion.say(f"columns|{name.replace('|', ' ')}", own, f"{path.name}:{root.keys['columns'].line}")
    if "next_page_of_article_fun" in site:
        conversion.say("articles|next", TO_BE_WRITTEN, path.name)
    if _is(site.get("verify_request"), False):
        conversion.say("fetch|verify_tls", False, path.name)
        said.add("verify_request")
    for name, node in [*site.items(), *(pair for given in columns.values() for pair in given.items())]:
        if name not in said:
            conversion.leave(name, f"{path.name}:{node.place.line}", f"{name}: {plain(node)}")


def _column(given: Mapping[str, YamlNode], said: set[str]) -> dict[str, Any]:
    """Its rules under `archive`; `said` gets the keys that they tell."""

    def value(name: str) -> str | None:
        said.update((name,) if name in given else ())
        return text(given.get(name))

    # what looks like one of our placeholders stays text
    address = literal(value("archive_url_format") or "")
    url = linear(r"#(?:next-)?(?:year|month|day)\b").sub(lambda its: f"{{{its[0][1:].replace('-', '_')}}}", address)
    url = linear(r"#pagenum\b").sub("{page}", url)
    rules: dict[str, Any] = {"url": url}
    if linear(r"\{(next_)?(year|month|day)\}").search(url):
        bounds = {"from": value("date_first_article"), "until": value("date_last_article")}
        dates = {name: day[:10] for name, day in bounds.items() if day}
        if "go_reverse_in_archive" in given:
            dates["order"] = "newest-first" if _is(given["go_reverse_in_archive"], True) else "oldest-first"
        said.update({"go_reverse_in_archive", "archive_page_urls_by_date"} & given.keys())
        rules["dates"] = dates
    mode = _paging(given)
    said.update({"next_url_by_pagenum", "infinite_scrolling"} & given.keys())
    pages: dict[str, Any] = {"mode": mode}
    if "{page}" in url:
        first, start, last = value("initial_pagenum"), value("min_pagenum"), value("max_pagenum")
        if first is not None and (first != start or mode == "next-link"):
            pages["first"] = first
        if mode != "next-link" and start:
            pages["start"] = int(start) if start.isdigit() else start
        if mode == "numbered" and last:
            pages["last"] = int(last) if last.isdigit() else last
    rules["pages"] = mode if len(pages) == 1 else pages
    if (stop := value("last_archive_page_url")) is not None:
        rules["stop"] = {"at_url": stop}
    return rules


def _paging(given: Mapping[str, YamlNode]) -> str:
    if _is(given.get("infinite_scrolling"), True):
        return "infinite"
    if _is(given.get("next_url_by_pagenum"), True):
        return "numbered" if text(given.get("max_pagenum")) else "infinite"
    return "next-link" if text(given.get("extract_next_page_url_fun")) else "none"


def _is(node: YamlNode | None, wanted: bool) -> bool:
    return isinstance(node, ScalarNode) and node.value is wanted


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
        place, constant = f"{path.name}:{value.lineno}", _literal(value)
        if name == "PORTAL_URL_PREFIX" and isinstance(constant, str) and is_http(constant):
            conversion.home = f"{constant.rstrip('/')}/"
        elif name == "ARTICLE_ROOT_PARAMS_SPEC" and isinstance(constant, list):
            _say_elements(conversion, "body|root", constant, place, name)
        elif name == "DECOMP" and isinstance(value, ast.List):  # an entry that is computed leaves the others as they are
            _say_elements(conversion, "body|tags|decompose", [_literal(item) or f"line {item.lineno}" for item in value.elts], place, name)
        elif name == "BLACKLIST_SPEC" and isinstance(constant, list) and len(constant) <= 200:
            for url in constant:
                conversion.say("articles|skip|url", f"^{re.escape(str(url))}$", place, f"{name}: {url}")
        elif name.isupper() and name != "PORTAL_URL_PREFIX":
            conversion.leave(name, place, lines[value.lineno - 1].strip())
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        place, name = f"{path.name}:{function.lineno}", function.name
        if name == "get_meta_from_articles_spec":
            asked = (node.value for node in ast.walk(function) if isinstance(node, ast.Constant) and isinstance(node.value, str))
            fields = dict.fromkeys(field.removeprefix("sch:") for field in asked if linear_at(r"sch:\w+").fullmatch(field))
            called = {"name": "headline", "alternateName": "alternativeHeadline", "subsection": "articleSection"}
            conversion.leave(name, place, f"{name} ({', '.join(called.get(field, field) for field in fields)})")
        elif name.endswith("_spec") or name == "transform_to_html":
            conversion.leave(name, place, name)


def _literal(node: ast.expr) -> Any:
    with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ast.literal_eval(node)
    return None


def _say_elements(conversion: Conversion, path: str, elements: list[Any], place: str, name: str) -> None:
    """Arguments of BeautifulSoup's `find_all`, as selectors."""
    for element in elements:
        tags, wanted = element if isinstance(element, tuple) and len(element) == 2 else (None, None)
        try:
            if not (isinstance(tags, tuple) and isinstance(wanted, dict) and len(tags) < 2 and (tags or wanted)):
                raise CannotSay("what is no pair of a tag and its attributes")
            names = tags[0] if tags and isinstance(tags[0], list) else tags
            if not all(isinstance(tag, str) and linear_at(r"[a-z][a-z0-9-]*").fullmatch(tag) for tag in names):
                raise CannotSay("no name of a tag")
            conditions = "".join(_condition(str(key).rstrip("_"), value) for key, value in wanted.items())
            css = ", ".join(f"{tag}{conditions}" for tag in names) or conditions
            conversion.say(path, css, place, f"{name}: {element}")
        except CannotSay as part:
            conversion.leave("", place, f"{name}: {element}", kind="selector", advice=f"it holds {part}")


def _condition(name: str, value: Any) -> str:
    if isinstance(value, list):
        return f":is({', '.join(_condition(name, each) for each in value)})"
    if name in ("string", "text", "recursive", "limit") or not (isinstance(value, str) or value is True):
        raise CannotSay(f"{name}={value!r}")
    if value is True:
        return attribute(name)
    return attribute(name, "~=" if name == "class" and len(value.split()) == 1 else "=", value)
