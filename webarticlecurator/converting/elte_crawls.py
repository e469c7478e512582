"""Configurations of WebArticleCurator up to 1.13: the site schema with its columns, and what a crawl was asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from webarticlecurator.config.template import literal
from webarticlecurator.config.yaml_reading import MapNode, ScalarNode, YamlNode, entries, plain, text
from webarticlecurator.converting.portal_file import Conversion, home_in

PROGRAM = "webarticlecurator"
OF_SITES, OF_CRAWLS = ("site_name", "columns"), ("schema", "output_corpus")
"""Keys by which the two kinds of files are known."""
_PLACEHOLDER = re.compile(r"#(next-)?(year|month|day)\b|#pagenum\b")
TO_BE_WRITTEN = "to-be-written"
"""No page has such an element: nothing is collected before a person has written the selector."""
_REMARK = f"Python functions said where links are: write selectors in place of each `{TO_BE_WRITTEN}`."


def read_site(conversion: Conversion, path: Path, root: MapNode) -> None:
    """Archive and columns; what a person has to write is marked in them."""
    site = {name: node for name, node in root.entries.items() if name not in OF_SITES}
    columns = {name: entries(node) for name, node in entries(root.get("columns")).items()}
    said: set[str] = set()
    rules = {name: _column({**site, **own}, said) for name, own in columns.items()}
    conversion.home = conversion.home or next((home for column in rules.values() if (home := home_in(column["url"]))), "")
    conversion.remarks.append(_REMARK)
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

    rules: dict[str, Any] = {"url": (url := _template(value("archive_url_format") or ""))}
    if re.search(r"\{(next_)?(year|month|day)\}", url):
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


def _template(address: str) -> str:
    """With our placeholders; what looks like one of these stays text."""
    return _PLACEHOLDER.sub(lambda found: "{page}" if found[0] == "#pagenum" else f"{{{found[0][1:].replace('-', '_')}}}", literal(address))


def _is(node: YamlNode | None, wanted: bool) -> bool:
    return isinstance(node, ScalarNode) and node.value is wanted
