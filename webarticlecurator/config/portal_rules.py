"""The merged tree of a portal file to the portal it describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from webarticlecurator.budget import Budget
from webarticlecurator.config import scalars
from webarticlecurator.config.article_rules import read_articles, read_layouts, read_unwanted_posts
from webarticlecurator.config.column_checks import sample_urls
from webarticlecurator.config.columns import Lost, read_columns
from webarticlecurator.config.fetch_rules import UrlRules, read_fetch
from webarticlecurator.config.fields import USUAL_NAMES
from webarticlecurator.config.keys import read_keys
from webarticlecurator.config.node_compiler import NodeCompiler, entries, mapping, text
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.config.template import HOME
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, ScalarNode, YamlNode
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.patterns import Pattern
from webarticlecurator.urls import bare_host, join

_ANOTHER_DAY = date(2007, 11, 23)
"""It differs from the usual sample day in year, month, day and week."""
_NO_HOME = "https://home.invalid/"
"""Where the file gives none, which it is told, nothing more is to be said of the templates."""


def read_portal(compiler: NodeCompiler, root: MapNode, own: MapNode, lost: Lost) -> Portal | None:
    """Compile `root`, in which what the portal file (`own`) extends is merged; None where mistakes leave no portal."""
    compiler.language = compiler.parse(root.get("language"), scalars.language)
    compiler.in_json = text(mapping(root.get("articles")).get("format")) == "json"
    name, title = text(root.get("portal")), text(root.get("title"))
    home = compiler.parse(root.get("home"), scalars.web_address) or ""
    compiler.variables = {HOME: join(home or _NO_HOME, ".") or home}
    archive, columns = read_columns(compiler, root, own, lost)
    addresses = [*filter(None, [home]), *(url for column in columns for url in sample_urls(column))]
    portal = read_keys(
        compiler,
        Portal,
        root,
        name=name or "",
        title=title or name or "",
        home=home,
        fetch=read_fetch(compiler, root.get("fetch"), addresses),
        columns=columns,
        archive=archive,
        articles=read_articles(compiler, root.get("articles"), root.get("fetch")),
        article_urls=read_keys(compiler, UrlRules, mapping(root.get("archive")).get("urls")),
        unwanted_posts=read_unwanted_posts(root.get("posts")),
        layouts=read_layouts(compiler, root),
        hosts=frozenset(bare_host(url) for url in addresses),
    )
    _check_field_names(compiler, root)
    if portal.articles.identity is not None:
        _check_identity(compiler, portal.articles.identity, entries(root.get("articles"))["identity"].place, columns)
    return portal if name is not None and home else None


# --- what the whole tree shows ---


def _check_field_names(compiler: NodeCompiler, root: MapNode) -> None:
    """A field of the listing with a usual name that is not Schema.org's is no metadata; only a `listing` pick reads it."""
    asked_for = {"lastmod", *_asked_of_the_listing(root)}  # a crawl itself asks for that one
    for column in (root.get("archive"), *entries(root.get("columns")).values()):
        fields = mapping(mapping(column).get("fields"))
        for name in entries(fields).keys() - asked_for:
            meant = next((ours for ours, usual in USUAL_NAMES.items() if name.lower() in usual), None)
            if meant is not None:
                message = f"the field `{name}` is no metadata: only a `listing` pick can ask for it; did you mean `{meant}`?"
                compiler.warn(fields.keys[name], message)


def _asked_of_the_listing(node: YamlNode) -> Iterator[str]:
    """What `listing` picks ask for, wherever they stand."""
    if isinstance(listing := mapping(node).get("listing"), ScalarNode):
        yield listing.text
    for child in node.items if isinstance(node, ListNode) else mapping(node).entries.values():
        yield from _asked_of_the_listing(child)


def _check_identity(compiler: NodeCompiler, identity: Pattern, place: FilePlace, columns: Iterable[Column]) -> None:
    """An `identity` that finds a date makes all articles of that day (or year) one article."""
    dated = [column for column in columns if column.dates]
    try:
        with Budget():
            for column in dated:
                for one, other in zip(sample_urls(column, page=""), sample_urls(column, page="", day=_ANOTHER_DAY), strict=False):
                    if (kept := _date_kept(identity, one, other)) is not None:
                        message = f"`identity` also finds the date in {one} ({kept}), so that different articles would count as one"
                        compiler.note(place, f"{message}; make it match the article's own number or name")
                        return
    except PatternTimeout as error:
        compiler.note(place, str(error))


def _date_kept(identity: Pattern, one: str, other: str) -> str | None:
    """What the identity keeps of an archive page, or of an article beside it, if that is the date and not the article."""
    if _kept(identity, _beside(one, "title")) != _kept(identity, _beside(one, "headline")):
        return None
    for first, second in ((one, other), (_beside(one, "title"), _beside(other, "title"))):
        kept, kept_of_other = _kept(identity, first), _kept(identity, second)
        if kept is not None and kept_of_other is not None and kept != kept_of_other:
            return kept
    return None


def _beside(url: str, name: str) -> str:
    return join(url, name) or url


def _kept(identity: Pattern, url: str) -> str | None:
    found = identity.search(url)
    return "/".join(group or "" for group in found.groups() or (found[0],)) if found else None
