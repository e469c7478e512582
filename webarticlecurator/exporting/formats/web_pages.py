"""The article alone as a page of HTML: for readers of texts, for e-book programs, for whoever wants to look
at it.

No script, no style, and no request: links and pictures are there where somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape

from webarticlecurator.amounts import those_that_hold
from webarticlecurator.exporting.articles import PARTS, ExportArticle, Node, level_of, title_of
from webarticlecurator.exporting.export_options import Part
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.formats.texts import write_texts
from webarticlecurator.exporting.harmless import address, one_line, plain
from webarticlecurator.exporting.output import Output

_BEGINNING = (
    "<!DOCTYPE html>\n<html{marks}>\n<head>\n<meta "
    'charset="utf-8">\n<title>{title}</title>\n</head>\n<body>\n'
)
_END = "</body>\n</html>\n"
_TAGS = {
    **dict.fromkeys(("paragraph", "verse", "author", "time"), "p"),
    **dict.fromkeys(("quote", "social"), "blockquote"),
    **dict.fromkeys(("box", "note"), "aside"),
    **dict.fromkeys(("question", "answer", "quiz", "lead"), "section"),
    **dict.fromkeys(("gallery", "embed"), "figure"),
    "caption": "figcaption",
    "source": "footer",
    "item": "li",
    "table-heading": "caption",
    "row": "tr",
}
"""Elements of blocks; the others have a writer of their own."""
_INLINE_TAGS = {
    "bold": "b",
    "italic": "i",
    "emphasis": "em",
    "underline": "u",
    "strike": "s",
    "superscript": "sup",
    "subscript": "sub",
    "inline-quote": "q",
    "code-inline": "code",
    "language": "span",
}
_HOLDS_ALONE = frozenset({"item", "cell", "caption"})
"""Blocks in which a paragraph all alone needs no element of its own."""
_KEPT_AS_CLASS = frozenset(
    {"lead", "question", "answer", "quiz", "note", "post", "social", "source", "verse", "gallery"}
)
"""Types of blocks that their element alone does not tell."""


def html_of(article: ExportArticle) -> str:
    """Return an article as an element of HTML: headline, who wrote it, when and where, then its blocks."""
    writer = _Elements(article.parts)
    record = article.record
    title = title_of(record) if Part.HEADLINE in article.parts else ""
    authors = ", ".join(author["value"] for author in record["metadata"].get("author", ()))
    day, url = (article.built.published or "")[:10], address({"url": article.built.url})
    source = f'<a href="{escape(url)}">{_text(article.portal)}</a>' if url else _text(article.portal)
    lines = those_that_hold((title, f"<h1>{_text(title)}</h1>"))
    lines.append(f"<p>{' · '.join(filter(None, (_text(authors), _text(day), source)))}</p>")
    lines += writer.written(record.get("blocks", ()))
    if Part.COMMENTS in article.parts:
        lines += writer.written(record.get("comments", ()))
    body = "\n".join(lines)
    marks = _marks(article.built.language, record.get("direction"))
    return f"<article{marks}>\n{body}\n</article>\n"


def page_of(article: ExportArticle) -> str:
    """Return an article as a whole page."""
    beginning = _BEGINNING.format(
        marks=_marks(article.built.language, article.record.get("direction")),
        title=_text(title_of(article.record)),
    )
    return f"{beginning}{html_of(article)}{_END}"


def write_html(export: Exporter, output: Output) -> None:
    """A page an article in a folder, else one page with all of them."""
    if output.is_folder:
        write_texts(export, output, suffix=".html", text_of=page_of, between="")
        return
    title = ", ".join(portal.file.title or portal.name for portal in export.portals)
    output.main.write(_BEGINNING.format(marks="", title=_text(title)).encode())
    for article in export.articles():
        output.main.write(html_of(article).encode())
    output.main.write(_END.encode())


def _text(text: str) -> str:
    return escape(one_line(text))


def _marks(language: str | None, direction: str | None) -> str:
    """Return the language of what stands in an element, and in which direction it runs, as attributes."""
    marks = {"lang": language, "dir": direction}
    return "".join(f' {name}="{escape(value)}"' for name, value in marks.items() if value)


def _element(tag: str, content: str, node: Node, attributes: str = "") -> str:
    kind = f' class="{node["type"]}"' if node["type"] in _KEPT_AS_CLASS else ""
    return f"<{tag}{kind}{_marks(node.get('language'), node.get('direction'))}{attributes}>{content}</{tag}>"


class _Elements:
    """Writes blocks and inlines as elements."""

    def __init__(self, parts: frozenset[Part]) -> None:
        self._parts = parts | {Part.CAPTIONS} if Part.IMAGES in parts else parts

    def written(self, nodes: Iterable[Node]) -> list[str]:
        """Return each block that is shown and holds anything."""
        shown = (node for node in nodes if PARTS.get(node["type"]) in (None, *self._parts))
        return list(filter(None, map(self._block, shown)))

    def _block(self, node: Node) -> str:
        write = _WRITERS.get(node["type"])
        if write is not None:
            return write(self, node)
        content = self._content(node)
        return _element(_TAGS[node["type"]], content, node) if content else ""

    def _content(self, node: Node) -> str:
        """Return what is in a block: blocks, a line each, or text."""
        children = node["children"]
        if len(children) == 1 and children[0]["type"] == "paragraph" and node["type"] in _HOLDS_ALONE:
            return self._flow(children[0])
        if any(child["type"] in _BLOCKS for child in children):
            return "\n" + "\n".join(self.written(children)) + "\n"
        return self._flow(node)

    def _flow(self, node: Node) -> str:
        return (
            "".join(map(self._inline, node["children"])) if node["children"] else escape(plain(node["text"]))
        )

    def _inline(self, node: Node) -> str:
        if node["type"] == "line-break":
            return "<br>"
        content = self._flow(node)
        if node["type"] == "link":
            return self._link(node, content)
        tag = _INLINE_TAGS.get(node["type"])
        return f"<{tag}{_marks(node.get('language'), None)}>{content}</{tag}>" if tag else content

    def _link(self, node: Node, content: str) -> str:
        url = address(node) if Part.LINKS in self._parts else ""
        return f'<a href="{escape(plain(url))}">{content}</a>' if url else content

    def _heading(self, node: Node) -> str:
        return _element(f"h{level_of(node)}", self._flow(node), node)

    def _list(self, node: Node) -> str:
        return _element("ol" if node.get("ordered") else "ul", self._content(node), node)

    def _table(self, node: Node) -> str:
        """Write a table; its caption comes first, wherever the page has it."""
        inside = sorted(node["children"], key=lambda child: child["type"] != "table-heading")
        return _element("table", "\n" + "\n".join(self.written(inside)) + "\n", node)

    def _cell(self, node: Node) -> str:
        spans = (("rowspan", node.get("rows")), ("colspan", node.get("columns")))
        attributes = "".join(f' {name}="{escape(str(number))}"' for name, number in spans if number)
        return _element("th" if node.get("header") else "td", self._content(node), node, attributes)

    def _code(self, node: Node) -> str:
        kind = f' class="language-{escape(node["kind"])}"' if node.get("kind") else ""
        return f"<pre><code{kind}>{self._flow(node)}</code></pre>"

    def _figure(self, node: Node) -> str:
        url = address(node) if Part.IMAGES in self._parts else ""
        picture = f'<img src="{escape(plain(url))}" alt="{_text(node.get("alt", ""))}">' if url else ""
        content = picture + "".join(self.written(node["children"]))
        return _element("figure", content, node) if content else ""

    def _post(self, node: Node) -> str:
        """Write an entry, a forum post or a comment: who and when, then the text."""
        head = ", ".join(_text(str(node[name])) for name in ("who", "when") if node.get(name))
        title = node.get("title") or ""
        lines = those_that_hold((title, f"<h3>{_text(title)}</h3>"), (head, f"<p><b>{head}</b></p>"))
        return _element("section", "\n" + "\n".join([*lines, *self.written(node["children"])]) + "\n", node)


_WRITERS: Mapping[str, Callable[[_Elements, Node], str]] = {
    **dict.fromkeys(("heading", "subheading"), _Elements._heading),
    "list": _Elements._list,
    "table": _Elements._table,
    "cell": _Elements._cell,
    "code": _Elements._code,
    "figure": _Elements._figure,
    "post": _Elements._post,
    "divider": lambda *_: "<hr>",
    "page-break": lambda *_: "",
}
_BLOCKS = frozenset((*_TAGS, *_WRITERS))

FORMATS = (
    Format(
        "html",
        write_html,
        "the articles alone as pages, for readers and e-book programs; in a folder, a file an article",
        ".html",
        per_article=True,
        only_texts=True,
        options=("names",),
        ignores=("parts",),
    ),
)
