"""Markdown (CommonMark, with the tables of GitHub): headings, lists, tables, quotes, links. No text of a page can become markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from webarticlecurator.exporting.articles import PARTS, ExportArticle, Node, has_only_posts, level_of, title_of
from webarticlecurator.exporting.export_options import Part
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.formats.text import write_texts
from webarticlecurator.exporting.harmless import one_line, plain
from webarticlecurator.exporting.output import Output

_MARKUP = re.compile(r"([\\`*_\[\]<>&~|$#])")
_LINE_START = re.compile(r"([-+=:])|(\d{1,9})([.)])")
_ADDRESS = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp):|\bwww\.")
"""What some programs make links of without being asked."""
_SCHEMES = ("http://", "https://", "ftp://", "mailto:", "tel:")
_NOT_IN_ADDRESS = re.compile(r"[\x00-\x20<>\\|\x7f]")
_LINES = frozenset({"paragraph", "source", "verse", "time", "author", "caption"})
_BREAK = "\\\n"


@Format("text with headings, lists, tables, links; in a folder, a file an article", ".md", rank=2, per_article=True, options=("names",))
def write(export: Exporter, output: Output) -> None:
    """One file, a rule between two articles; or a file an article."""
    write_texts(export, output, ".md", markdown_of, between="\n---\n\n")


def markdown_of(article: ExportArticle) -> str:
    """An article: headline, who wrote it, when and where, then its blocks."""
    _ = article.passages  # which counts what is left out
    record, parts = article.record, article.options.with_
    writer = _Blocks(parts | {Part.POSTS} if has_only_posts(record) else parts)
    title = title_of(record) if article.options.headline else ""
    pieces = [f"# {inline_text(title)}"] if title else []
    authors = ", ".join(inline_text(author["value"]) for author in record["metadata"].get("author", ()))
    day = inline_text((article.built.published or "")[:10])
    pieces.append(" · ".join(filter(None, (authors, day, _link(article.portal, article.built.url)))))
    pieces += writer.written(record.get("blocks", ()))
    if Part.COMMENTS in parts:
        pieces += map(writer.post, record.get("comments", ()))
    return "\n\n".join(filter(None, pieces)) + "\n"


def inline_text(text: str) -> str:
    """Text that can stand anywhere in a line: no character of it is markup."""
    return _at_line_start(_escaped(one_line(text)))


def _escaped(text: str) -> str:
    return _ADDRESS.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", _MARKUP.sub(r"\\\1", text))


def _at_line_start(line: str) -> str:
    match = _LINE_START.match(line)
    if match is None:
        return line
    at = match.end() - 1
    return f"{line[:at]}\\{line[at:]}"


def _link(text: str, url: str | None) -> str:
    """A link where it can be one: none runs a script."""
    shown = _escaped(one_line(text))
    if not url or not url.lower().startswith(_SCHEMES) or not shown:
        return shown
    address = _NOT_IN_ADDRESS.sub(lambda match: f"%{ord(match[0]):02X}", plain(url))
    return f"[{shown}](<{address}>)"


def _code(text: str, fewest: int, between: str) -> str:
    """Code between more backticks than it has in a row."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(fewest, longest + 1)
    return f"{fence}{between}{text}{between}{fence}"


class _Blocks:
    """Writes blocks; none begins or ends with an empty line."""

    def __init__(self, parts: frozenset[Part]) -> None:
        self._parts = parts

    def written(self, nodes: Iterable[Node]) -> list[str]:
        texts: list[str] = []
        for node in nodes:
            type_ = node["type"]
            if type_ in PARTS and PARTS[type_] not in self._parts:
                continue
            if type_ in _LINES:
                texts.append(_BREAK.join(self._lines(node)))
            else:
                write = _WRITERS.get(type_)
                texts += [write(self, node)] if write is not None else self._inner(node)
        return list(filter(None, texts))

    def post(self, node: Node) -> str:
        """An entry, a forum post, a comment: who and when, then the text."""
        head = ", ".join(_escaped(one_line(str(node[name]))) for name in ("who", "when") if node.get(name))
        title = inline_text(node.get("title") or "")
        return "\n\n".join(filter(None, [f"### {title}" if title else "", f"**{head}**" if head else "", *self._inner(node)]))

    def _inner(self, node: Node) -> list[str]:
        return self.written(node["children"]) if node["children"] else [inline_text(node["text"])]

    def _heading(self, node: Node) -> str:
        text = " ".join(self._lines(node))
        return f"{'#' * level_of(node)} {text}" if text else ""

    def _quote(self, node: Node) -> str:
        who = f"— {_escaped(one_line(node['who']))}" if node.get("who") else ""
        lines = "\n\n".join(filter(None, [*self._inner(node), who])).split("\n")
        return "\n".join(f"> {line}".rstrip() for line in lines)

    def _list(self, node: Node) -> str:
        items = []
        for number, item in enumerate(node["children"], start=1):
            mark = f"{number}. " if node.get("ordered") else "- "
            items.append((mark + "\n\n".join(self._inner(item)).replace("\n", "\n" + " " * len(mark))).rstrip())
        return "\n".join(items)

    def _table(self, node: Node) -> str:
        """Cells are lines: what stands in several blocks there is joined."""
        heads = self.written(row for row in node["children"] if row["type"] == "table-heading")
        rows = [[inline_text(cell["text"]) for cell in row["children"]] for row in node["children"] if row["type"] == "row"]
        width = max(map(len, rows), default=0)
        if not width:
            return "\n\n".join(heads)
        lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
        return "\n\n".join([*heads, "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])])

    def _lines(self, node: Node) -> list[str]:
        """Text with its links, line by line."""
        flow = self._flow(node) if node["children"] else _escaped(plain(node["text"]))
        return [_at_line_start(shown) for line in flow.split("\n") if (shown := " ".join(line.split()))]

    def _flow(self, node: Node) -> str:
        return "".join(map(self._inline, node["children"]))

    def _inline(self, node: Node) -> str:
        type_ = node["type"]
        if type_ == "link":
            return _link(node["text"], node.get("url"))
        if type_ == "code-inline":
            return _code(one_line(node["text"]), 1, " ") if node["text"].strip() else ""
        if type_ == "line-break":
            return "\n"
        return self._flow(node) if node["children"] else _escaped(plain(node["text"]))


_WRITERS: Mapping[str, Callable[[_Blocks, Node], str]] = {
    **dict.fromkeys(("heading", "subheading", "table-heading"), _Blocks._heading),
    "code": lambda _, node: _code(plain(node["text"]), 3, "\n"),
    **dict.fromkeys(("quote", "social"), _Blocks._quote),
    "list": _Blocks._list,
    "table": _Blocks._table,
    "divider": lambda *_: r"\* \* \*",
    "post": _Blocks.post,
}
"""What is not here is what is in it."""
