"""Running text: plain, as Markdown, or for TXM.

In one file of plain text an empty line stands between two articles and nowhere else; a folder with a file an
article is what Voyant and AntConc take; FOLDER.metadata.csv lies beside it. Markdown is CommonMark with the
tables of GitHub, and no text of a page can become markup. TXM's import "XTZ + CSV" takes a folder with a flat
XML file a text, and metadata.csv, whose first column names the files; it cuts words and sentences itself,
refuses a `text` in a `text`, takes the names of columns for those of properties, and sorts by them as text.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import groupby, starmap

import yaml

from webarticlecurator.amounts import those_that_hold
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import (
    PARTS,
    ExportArticle,
    Node,
    Passage,
    level_of,
    lines_of,
    title_of,
)
from webarticlecurator.exporting.export_options import Part
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.flat import flat_values
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.grid import grid_of
from webarticlecurator.exporting.harmless import address, csv_cell, one_line, plain
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import COLUMNS, OF_ANALYSIS, TEXTUAL, as_text, columns_of, row_of
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.tei.markup import attribute, element, escape, readable
from webarticlecurator.text import normalised

_BLANKS = "".join(blank for blank in map(chr, range(0x3001)) if blank.isspace() and blank != "\t")
"""The white space that is taken from both ends of a line; a tab there stands for a cell without text."""


def text_of(article: ExportArticle) -> str:
    """The lines of an article; none of them is empty. A row of a table is one, with a tab between two
    columns."""
    passages = (passage._replace(text=passage.text.replace("\t", " ")) for passage in article.passages)
    lines = plain("\n".join(lines_of(passages))).split("\n")
    return "".join([f"{line.strip(_BLANKS)}\n" for line in lines if line.strip()])


def write_texts(
    export: Exporter, output: Output, *, suffix: str, text_of: Callable[[ExportArticle], str], between: str
) -> None:
    """Write texts: UTF-8, lines end in a line feed: in one file, or in one each, beside metadata.csv, whose
    first column says, without the ending, which file a row is about. Raises UsageError where an option speaks
    of metadata.csv, and there is none."""
    if output.is_folder:
        _write_folder(export, output, suffix, text_of)
        return
    for name in ("fields", "names"):
        if getattr(export.options, name):
            raise UsageError(f"--{name} means nothing to texts in one file: it is for a folder (-o FOLDER/).")
    before = ""
    for article in export.articles():
        content = text_of(article)
        if content:
            output.main.write((before + content).encode())
            before = between


def _write_folder(
    export: Exporter, output: Output, suffix: str, text_of: Callable[[ExportArticle], str]
) -> None:
    options = export.options
    unknown = frozenset() if options.analyse or options.dedup is not None else OF_ANALYSIS
    fields = options.fields or tuple(name for name in COLUMNS if name not in unknown)
    columns = columns_of([name for name in fields if name not in ("id", "text")] or ["headline"])
    metadata = io.TextIOWrapper(output.stream_list("metadata.csv"), encoding="utf-8", newline="")
    rows = csv.writer(metadata)
    rows.writerow(["id", *(column.name for column in columns)])
    for article in export.articles():
        day = (article.built.published or "undated")[:10]
        stem = f"{day}_{article.id}" if options.names == "date" else article.id
        output.add(f"{stem}{suffix}", text_of(article).encode())
        cells = zip(columns, map(as_text, row_of(article, columns)), strict=True)
        rows.writerow(
            [stem, *(csv_cell(text) if column.holds in TEXTUAL else text for column, text in cells)]
        )
    metadata.close()


# --- Markdown ---

_MARKUP = linear(r"([\\`*_\[\]<>&~|$#])")
_MARK_AT_END = linear(r"!\Z")
_LINE_START = linear_at(r"([-+=:])|(\d{1,9})([.)])")
_ADDRESS = linear(r"(?i)\b(https?|ftp|mailto|xmpp):|\bwww\.")
"""The beginnings of addresses that some programs make links of without being asked."""
_NOT_IN_ADDRESS = linear(r"[\x00-\x20<>\\|\x7f]")
_NOT_IN_LANGUAGE = linear(r"[^A-Za-z0-9+#.\-]")
_LETTERS = linear_at(r"([\W_]*+)(.*[^\W_])([\W_]*)", re.DOTALL)
_ENDS_OF_MARKS = ("*", "~")
_MARKS = {"bold": "**", "italic": "*", "emphasis": "*", "strike": "~~"}
_TAGS = {"superscript": "sup", "subscript": "sub"}
_LINES = frozenset({"paragraph", "source", "verse", "time", "author", "caption"})
_BREAK = "\\\n"


def markdown_of(article: ExportArticle) -> str:
    """An article: headline, who wrote it, when and where, then its blocks."""
    _ = article.passages  # which counts what is left out
    record, parts = article.record, article.parts
    writer = _Blocks(parts | {Part.CAPTIONS} if Part.IMAGES in parts else parts)
    title = title_of(record) if Part.HEADLINE in parts else ""
    pieces = [_front_matter(article)] if article.options.front_matter else []
    pieces += those_that_hold((title, f"# {inline_text(title)}"))
    authors = ", ".join(inline_text(author["value"]) for author in record["metadata"].get("author", ()))
    day = inline_text((article.built.published or "")[:10])
    pieces.append(
        " · ".join(filter(None, (authors, day, _link(article.portal, address({"url": article.built.url})))))
    )
    pieces += writer.written(record.get("blocks", ()))
    if Part.COMMENTS in parts:
        pieces += map(writer.post, record.get("comments", ()))
    return "\n\n".join(filter(None, pieces)) + "\n"


def _front_matter(article: ExportArticle) -> str:
    """Return the data of an article as YAML between two lines, as programs that make sites and notes of
    Markdown read it."""
    values = {
        name: value
        for name, value in flat_values(article).items()
        if name != "text" and value not in (None, ())
    }
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return f"---\n{yaml.safe_dump(lists, allow_unicode=True, sort_keys=False, width=1_000)}---"


def inline_text(text: str) -> str:
    """Return a text that can stand anywhere in a line: no character of it is markup."""
    return _at_line_start(_escaped(one_line(text)))


def _escaped(text: str) -> str:
    return _ADDRESS.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", _MARKUP.sub(r"\\\1", text))


def _at_line_start(line: str) -> str:
    match = _LINE_START.match(line)
    if match is None:
        return line
    at = match.end() - 1
    return f"{line[:at]}\\{line[at:]}"


def _link(text: str, url: str) -> str:
    """A link where it can be one, to an address that runs nothing."""
    shown = _escaped(one_line(text))
    if not url or not shown:
        return shown
    written = _NOT_IN_ADDRESS.sub(lambda match: f"%{ord(match[0]):02X}", plain(url))
    return f"[{shown}](<{written}>)"


def _fence(text: str, fewest: int) -> str:
    """Return more backticks than code has in a row."""
    return "`" * max(fewest, max(map(len, linear("`+").findall(text)), default=0) + 1)


def _inline_code(text: str) -> str:
    fence = _fence(text, 1)
    return f"{fence} {text} {fence}"


def _code_block(_: _Blocks, node: Node) -> str:
    text = plain(node["text"])
    fence, language = _fence(text, 3), _NOT_IN_LANGUAGE.sub("", node.get("kind", ""))
    return f"{fence}{language}\n{text}\n{fence}"


def _marked(text: str, mark: str) -> str:
    """Return a stretch with marks around it, outside of which its first and last signs are put.

    Beside a sign the rules of CommonMark take a mark for a star where a letter follows; between letters it is
    always a mark.
    """
    match = _LETTERS.fullmatch(text)
    return f"{match[1]}{mark}{match[2]}{mark}{match[3]}" if match is not None else text


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
        heads = those_that_hold((title, f"### {title}"), (head, f"**{head}**"))
        return "\n\n".join(filter(None, [*heads, *self._inner(node)]))

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
            items.append(
                (mark + "\n\n".join(self._inner(item)).replace("\n", "\n" + " " * len(mark))).rstrip()
            )
        return "\n".join(items)

    def _table(self, node: Node) -> str:
        """Write a table. Cells are lines: what stands in several blocks there is joined."""
        heads = self.written(row for row in node["children"] if row["type"] == "table-heading")
        rows = [[self._cell(cell) for cell in row] for row in grid_of(node)]
        width = max(map(len, rows), default=0)
        if not width:
            return "\n\n".join(heads)
        lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
        return "\n\n".join([*heads, "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])])

    def _cell(self, node: Node | None) -> str:
        """Write a cell as a line; what is no mere paragraph, such as a list, is nothing but text there."""
        if node is None:
            return ""
        blocks = node["children"]
        if not blocks or any(block["type"] != "paragraph" for block in blocks):
            return inline_text(node["text"])
        return " ".join(" ".join(self._lines(block)) for block in blocks)

    def _lines(self, node: Node) -> list[str]:
        """Return the text of a node with its links, line by line."""
        flow = self._flow(node) if node["children"] else _escaped(plain(node["text"]))
        return [_at_line_start(shown) for line in flow.split("\n") if (shown := " ".join(line.split()))]

    def _flow(self, node: Node) -> str:
        """Write inlines one after the other; where the marks of two would meet, the second has none."""
        flow = ""
        for child in node["children"]:
            text = self._inline(child)
            if flow.endswith(_ENDS_OF_MARKS) and text.startswith(_ENDS_OF_MARKS):
                text = _escaped(plain(child["text"]))
            if text.startswith("["):  # `!` before it would make a picture of the link
                flow = _MARK_AT_END.sub(r"\\!", flow)
            flow += text
        return flow

    def _inline(self, node: Node) -> str:
        write = _INLINES.get(node["type"])
        if write is not None:
            return write(self, node)
        return self._flow(node) if node["children"] else _escaped(plain(node["text"]))

    def _emphasis(self, node: Node) -> str:
        """Write bold or slanted text; it stays as it is where it holds a link or code, whose signs may not be
        moved."""
        text = self._flow(node) if node["children"] else _escaped(plain(node["text"]))
        holds_more = any(child["type"] in _INLINES for child in node["children"])
        return text if holds_more else _marked(text, _MARKS[node["type"]])

    def _raised(self, node: Node) -> str:
        """Write what stands above or below the line as HTML, which CommonMark takes for such."""
        tag = _TAGS[node["type"]]
        text = self._flow(node) if node["children"] else _escaped(plain(node["text"]))
        return f"<{tag}>{text}</{tag}>" if text.strip() else text

    def _link(self, node: Node) -> str:
        return _link(node["text"], address(node) if Part.LINKS in self._parts else "")

    def _figure(self, node: Node) -> str:
        """Write a picture, where pictures are wanted, and its caption."""
        picture = _link(node.get("alt") or "picture", address(node)) if Part.IMAGES in self._parts else ""
        shown = f"!{picture}" if picture.startswith("[") else ""
        return "\n\n".join(filter(None, [shown, *self._inner(node)]))


_WRITERS: Mapping[str, Callable[[_Blocks, Node], str]] = {
    **dict.fromkeys(("heading", "subheading", "table-heading"), _Blocks._heading),
    "code": _code_block,
    "figure": _Blocks._figure,
    **dict.fromkeys(("quote", "social"), _Blocks._quote),
    "list": _Blocks._list,
    "table": _Blocks._table,
    "divider": lambda *_: r"\* \* \*",
    "post": _Blocks.post,
}
"""The writer of each type of block; of a block that is not here, what is in it is written."""
_INLINES: Mapping[str, Callable[[_Blocks, Node], str]] = {
    "link": _Blocks._link,
    "code-inline": lambda _, node: _inline_code(one_line(node["text"])) if node["text"].strip() else "",
    "line-break": lambda *_: "\n",
    **dict.fromkeys(_MARKS, _Blocks._emphasis),
    **dict.fromkeys(_TAGS, _Blocks._raised),
}
"""The writer of each type of inline; the others are their text."""


# --- TXM ---

_TXM_USUAL = (
    *("headline", "author", "datePublished", "year", "month", "articleSection", "keywords", "type"),
    *("portal", "language", "words", "url"),
)
_TXM_NAMES = {
    "headline": "title",
    "datePublished": "date",
    "articleSection": "section",
    "id": "article",
    "text": "content",
}
"""The names that TXM's users know for columns; `id` is the first column, whatever else is chosen, and `text`
the element."""
_NOT_IN_TXM_NAMES = linear(r"[^a-z0-9]")
_TXM_TAGS = {
    "title": "head",
    "head": "head",
    "p": "p",
    "li": "item",
    "cell": "cell",
    "caption": "p",
    "quote": "p",
    "code": "p",
}


def write_txm(export: Exporter, output: Output) -> None:
    """Write a folder, to be given to TXM as it is."""
    columns = columns_of(export.options.fields or _TXM_USUAL)
    called = (normalised("NFKD", _TXM_NAMES.get(column.name, column.name)).lower() for column in columns)
    names = [_NOT_IN_TXM_NAMES.sub("", name) or "field" for name in called]
    metadata = io.TextIOWrapper(output.stream("metadata.csv"), encoding="utf-8", newline="")
    rows = csv.writer(metadata, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows.writerow(["id", *names, "textorder"])
    for number, article in enumerate(export.articles(), start=1):
        texts = zip(names, map(as_text, row_of(article, columns)), strict=True)
        attributes = {name: _sorted_as_text(name, " ".join(text.split())) for name, text in texts}
        # the order of export is that of dates; with noughts before it, it is that of its characters, too
        rows.writerow([article.id, *map(csv_cell, attributes.values()), f"{number:09d}"])
        of_text = "".join(starmap(attribute, {"id": article.id, **attributes}.items()))
        text = f"<text{of_text}>\n<body>\n{_txm_body(article)}</body>\n</text>"
        document = plain(f'<?xml version="1.0" encoding="UTF-8"?>\n<TEI>\n{text}\n</TEI>\n')
        output.add(f"{article.id}.xml", readable(document)[0].replace(b"\r", b""))
    metadata.close()


def _sorted_as_text(name: str, value: str) -> str:
    """Return a value in the form whose order as a text is its own."""
    if name == "date":
        return value[:10]
    return value.zfill(2) if name in ("month", "day") and value else value


def _txm_body(article: ExportArticle) -> str:
    body: list[str] = []
    for _, together in groupby(article.passages, key=lambda passage: id(passage.post)):
        passages = list(together)
        post = passages[0].post
        written = "".join(map(_txm_passage, passages))
        if post is not None:
            of_post = {
                "kind": post.get("kind", "post"),
                "n": post.get("id"),
                "who": post.get("who"),
                "when": post.get("when"),
            }
            of_post |= {"title": post.get("title"), "replyto": post.get("reply_to")}
            written = f"<post{''.join(starmap(attribute, of_post.items()))}>\n{written}</post>\n"
        body.append(written)
    return "".join(body)


def _txm_passage(passage: Passage) -> str:
    content = escape(passage.text).replace("\n", "<lb/>\n")
    rend = passage.kind if passage.kind in ("caption", "quote", "code") else None
    return element(_TXM_TAGS[passage.kind], content, rend=rend, lang=passage.language) + "\n"


FORMATS = (
    Format(
        "text", partial(write_texts, suffix=".txt", text_of=text_of, between="\n"),
        "running text, a paragraph a line; in a folder, a file an article", ".txt",
        per_article=True, only_texts=True, options=("names",),
    ),
    Format(
        "markdown", partial(write_texts, suffix=".md", text_of=markdown_of, between="\n---\n\n"),
        "text with headings, lists, tables, links; in a folder, a file an article", ".md",
        per_article=True, only_texts=True, options=("names", "front_matter"), ignores=("parts",),
    ),
    Format("txm", write_txm, "a folder for TXM's import XTZ + CSV", "", folder=True),
)  # fmt: skip
