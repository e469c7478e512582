"""Blocks, inlines, posts and comments -> the body of a TEI document, whatever stands in whatever."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache, partial
from itertools import groupby

from webarticlecurator.model.article import COMMENTS, HOLDS, Block, Content, ContentNode, Inline, Post, flat_text
from webarticlecurator.tei.markup import attribute, element, escape, media_type, moment, name
from webarticlecurator.tei.references import References, digest
from webarticlecurator.urls import bare_host

_MAX_BLOCKS = 30
"""Blocks in blocks; what lies deeper is kept as text, since XML readers refuse more than 256 levels in all."""
_HEADINGS = ("heading", "subheading")
_SUBHEADING = 7
"""Below the six levels of headings."""


class Parent(Enum):
    """What a block is written in; not every TEI element may stand everywhere."""

    DIVISION = auto()
    """A `div` or a `body`: everything may stand here."""
    CELL = auto()
    """A list item, a table cell, a quotation, a note: no divisions."""
    SPEECH = auto()
    """What somebody says in an interview: no labels and bibliography either."""
    POST = auto()
    """No divisions and no speech."""


class BlockWriter:
    """Writes the blocks of one document."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._depth = 0
        self._scope = references.document
        self._number = 0

    def begin(self, id: str) -> None:
        """What is written from here on belongs to the part of the document with this identifier: its blocks are numbered anew."""
        self._scope, self._number = id, 0

    def article(self, blocks: Iterable[Block]) -> str:
        """The blocks of an article as divisions: leads, content, sections. TEI has no paragraph after a division, so all text is in one."""
        out: list[str] = []
        levels: list[int] = []
        content = False
        for block, following in _with_next(blocks):
            is_heading = _begins_section(block, following)
            is_lead = block.type == "lead" and not levels
            if content and (is_heading or is_lead):
                out.append("</div>\n")
                content = False
            if is_heading:
                self._open_section(block, levels, out)
            elif is_lead:
                out.append(f'<div type="lead">\n{self.written(block.children, Parent.DIVISION)}</div>\n')
            else:
                if not levels and not content and block.type != "page-break":
                    out.append('<div type="content">\n')
                    content = True
                out.append(self._block(block, Parent.DIVISION))
        out.append("</div>\n" * (len(levels) + content))
        return "".join(out)

    def division(self, blocks: Iterable[Block]) -> str:
        """The content of a division that is already open: text first, then a section for every heading."""
        out: list[str] = []
        levels: list[int] = []
        for block, following in _with_next(blocks):
            if _begins_section(block, following) and self._depth < _MAX_BLOCKS:
                self._open_section(block, levels, out)
            else:
                out.append(self._block(block, Parent.DIVISION))
        out.append("</div>\n" * len(levels))
        return "".join(out)

    def written(self, blocks: Iterable[ContentNode], parent: Parent) -> str:
        """One after the other, without sections, each with a line feed behind it."""
        return "".join([self._block(block, parent) for block in blocks if isinstance(block, Block)])

    def _open_section(self, heading: Block, levels: list[int], out: list[str]) -> None:
        level = _level(heading)
        while levels and levels[-1] >= level:
            levels.pop()
            out.append("</div>\n")
        levels.append(level)
        out.append(f'<div type="section" subtype="{_level_name(level)}"{self._own(heading)}>\n<head>{self._inlines(heading)}</head>\n')

    def _block(self, block: Block, parent: Parent) -> str:
        own = self._own(block)
        if block.type == "paragraph":  # most of them
            return f"<p{own}>{self._inlines(block)}</p>\n"
        if self._depth >= _MAX_BLOCKS and HOLDS[block.type] not in (Content.INLINES, Content.NOTHING):
            text = self._references.flattened((block,)).strip("\n")
            return f"<ab{own}>{escape(text)}</ab>\n" if text else ""
        self._depth += 1
        write = _ELSEWHERE[parent].get(block.type) or _WRITERS[block.type]
        written = write(self, block, own)
        self._depth -= 1
        return written and f"{written}\n"

    def _own(self, block: Block) -> str:
        """The attributes that every block may have."""
        self._number += 1
        language = block.attributes.get("language")
        note = self._references.note(block.attributes.get("id", "")) if block.type == "note" else None
        id = note or f"{self._scope}.b{self._number}"
        return f' xml:id="{id}"{self._references.in_language(language) if language else ""}'

    def _inlines(self, block: Block) -> str:
        return write_inlines(block.children, self._references)

    def _source(self, block: Block, who: str | None = None) -> str:
        """What says whom a text quotes, with the name marked."""
        return write_inlines(_named(block.children, who) if who else block.children, self._references, is_source=True)

    def _cell_content(self, block: Block) -> str:
        """Blocks of an item, cell or note; a paragraph all alone needs no element of its own."""
        if (
            len(block.children) == 1
            and isinstance(only := block.children[0], Block)
            and only.type == "paragraph"
            and "language" not in only.attributes
        ):
            return self._inlines(only)
        return self.written(block.children, Parent.CELL)

    def _paragraph(self, block: Block, own: str) -> str:
        return f"<p{own}>{self._inlines(block)}</p>"

    def _plain(self, block: Block, own: str, tag: str, **attributes: str) -> str:
        return element(tag, self._inlines(block), own, **attributes)

    def _heading(self, block: Block, own: str, tag: str = "label") -> str:
        return element(tag, self._inlines(block), own, type="heading", subtype=_level_name(_level(block)))

    def _verse(self, block: Block, own: str) -> str:
        lines: list[list[ContentNode]] = [[]]
        for child in block.children:
            if not isinstance(child, (str, Block)) and child.type == "line-break":
                lines.append([])
            else:
                lines[-1].append(child)
        written = [f"<l>{write_inlines(tuple(line), self._references)}</l>" for line in lines]
        return element("lg", _lines(written), own, type="verse")

    def _time(self, block: Block, own: str) -> str:
        written = f"<time{attribute('when', moment(block.attributes.get('when')))}>{self._inlines(block)}</time>"
        return element("ab", written, own, type="time")

    def _page_break(self, block: Block, own: str) -> str:
        page = block.attributes.get("page", "")
        return element("pb", "", own, n=self._references.page_number(page), source=self._references.page(page))

    def _quote(self, block: Block, own: str) -> str:
        """With a source it is a citation: of what is said and of who says it, in page order."""
        parts, who = _blocks(block), block.attributes.get("who")
        quoted = self._references.post(block.attributes.get("post"))
        kinds = {child.type == "source" for child in parts}
        if len(kinds) < 2 and not who:
            return element("quote", self.written(parts, Parent.CELL), own, type="blockquote", source=quoted)
        cited = [] if True in kinds or not who else [element("bibl", element("author", escape(who)))]
        for is_source, group in groupby(parts, key=lambda child: child.type == "source"):
            if is_source:
                cited.extend(element("bibl", self._source(source, who)) for source in group)
            else:
                cited.append(element("quote", self.written(group, Parent.CELL), source=quoted))
        return element("cit", _lines(cited), own, type="blockquote")

    def _floating(self, block: Block, own: str) -> str:
        """A text in the text: it may stand wherever a paragraph may."""
        title = block.attributes.get("title")
        head = f"<head>{escape(title)}</head>\n" if title else ""
        inside = self.division(_blocks(block))
        type_ = "frame" if block.type == "box" else block.type
        return element("floatingText", element("body", element("div", f"\n{head}{inside}", type=block.type)), own, type=type_)

    def _note(self, block: Block, own: str) -> str:
        id = block.attributes.get("id")
        given = {"type": "footnote", "n": block.attributes.get("label"), "target": self._references.from_note(id)} if id else {}
        return element("note", self._cell_content(block), own, **given)

    def _turn(self, block: Block, own: str) -> str:
        who = block.attributes.get("who")
        person = self._references.person(who)
        speaker = f"<speaker>{escape(who)}</speaker>\n" if person and who else ""
        said = self.written(block.children, Parent.SPEECH)
        return element("sp", speaker + said, own, who=person, ana=self._references.turn(block.type))

    def _turn_apart(self, block: Block, own: str) -> str:
        return element("floatingText", element("body", self._turn(block, "")), own, type=block.type)

    def _list(self, block: Block, own: str) -> str:
        if _is_glossary(block):
            return element("list", _lines(self._definitions(block)), own, type="gloss")
        items = [f"<item>{self._cell_content(item)}</item>" for item in _blocks(block)]
        rend = "numbered" if block.attributes.get("ordered") == "yes" else "bulleted"
        return element("list", _lines(items), own, rend=rend) if items else ""

    def _definitions(self, block: Block) -> Iterator[str]:
        """TEI pairs them: terms that share a definition are lines of one label, and definitions of one term are blocks of one item."""
        for is_term, group in groupby(_blocks(block), key=_is_term):
            items = list(group)
            if is_term:
                yield element("label", "<lb/>\n".join([self._cell_content(item) for item in items]))
            else:
                content = (
                    items[0] if len(items) == 1 else replace(items[0], children=tuple(child for item in items for child in item.children))
                )
                yield f"<item>{self._cell_content(content)}</item>"

    def _table(self, block: Block, own: str) -> str:
        parts = _blocks(block)
        heads = [child for child in parts if child.type == "table-heading"]
        rows = [row for child in parts if child.type == "row" and (row := self._row(child))]
        if not rows:
            return f"<ab{own}>{self._inlines(heads[0])}</ab>" if heads else ""
        return element("table", _lines([*(f"<head>{self._inlines(head)}</head>" for head in heads), *rows]), own)

    def _row(self, row: Block) -> str:
        cells = _blocks(row)
        labels = bool(cells) and all(cell.attributes.get("header") == "yes" for cell in cells)
        return element("row", "\n".join(map(self._cell, cells)), role="label" if labels else None) if cells else ""

    def _cell(self, cell: Block) -> str:
        given = cell.attributes
        role = "label" if given.get("header") == "yes" else None
        return element("cell", self._cell_content(cell), role=role, rows=_span(given.get("rows")), cols=_span(given.get("columns")))

    def _figure(self, block: Block, own: str) -> str:
        given = block.attributes
        content = next((child.children for child in _blocks(block)), ())
        caption = divided(content, given.get("credit", ""))
        said, credit = write_inlines(caption.said, self._references), write_inlines(caption.credit, self._references)
        note = f'<note type="credit">{credit}</note>' if credit else ""
        head = said + note if caption.within else said
        parts = [
            self._shown("graphic", block, media_type(block.url)),
            f"<head>{head}</head>" if head else "",
            f"<figDesc>{escape(given['alt'])}</figDesc>" if given.get("alt") else "",
            "" if caption.within else note,
        ]
        return element("figure", "\n".join(filter(None, parts)), own, type="image")

    def _embed(self, block: Block, own: str) -> str:
        kind = name(block.attributes.get("kind"), "frame")
        media = self._shown("media", block, media_type(block.url) or "text/html", block.attributes.get("title"))
        return element("figure", media + self._caption(block), own, type="embed", subtype=kind)

    def _gallery(self, block: Block, own: str) -> str:
        shown = [child for child in _blocks(block) if child.type != "caption"]
        figures = self.written(shown, Parent.CELL)
        return element("figure", figures + self._caption(block), own, type="gallery")

    def _caption(self, block: Block) -> str:
        return "".join([f"\n<head>{self._inlines(child)}</head>" for child in _blocks(block) if child.type == "caption"])

    def _social(self, block: Block, own: str) -> str:
        network = block.attributes.get("kind")
        return self._foreign_post(block, own, "embed", subtype="socialMedia", type=name(network, "post") if network else None)

    def _post(self, block: Block, own: str) -> str:
        return self._foreign_post(block, own, "post", None, n=block.attributes.get("id"))

    def _foreign_post(self, block: Block, own: str, floating: str, subtype: str | None, **attributes: str | None) -> str:
        attributes["who"] = self._references.person(block.attributes.get("who"))
        attributes["when"] = moment(block.attributes.get("when"))
        title = block.attributes.get("title")
        address, original = self._references.address(block.url, block.original_url)
        content = f"<head>{escape(title)}</head>\n" if title else ""
        content += self.written(block.children, Parent.POST)
        content += f'<note type="originalAddress">{escape(original)}</note>' if original else ""
        post = element("post", content, modality="written", source=address, **attributes)
        return element("floatingText", element("body", post), own, type=floating, subtype=subtype)

    def _shown(self, tag: str, block: Block, mime: str | None, description: str | None = None) -> str:
        """The address of what a figure shows, or what is known of it where it has none."""
        address, original = self._references.address(block.url, block.original_url)
        described = f"<desc>{escape(description)}</desc>" if description else ""
        if address:
            return element(tag, described, mimeType=mime, url=address, n=original)
        if original:
            described += f"<desc>{escape(original)}</desc>"
        return element("gap", described, reason="notCaptured") if described else ""


def _blocks(block: Block) -> list[Block]:
    return [child for child in block.children if isinstance(child, Block)]


def _is_term(item: Block) -> bool:
    return item.attributes.get("term") == "yes"


def _is_glossary(block: Block) -> bool:
    """Whether a term comes first and a definition last, and each term is a line: nothing else fits into a label."""
    items = _blocks(block)
    terms = [item.children for item in items if _is_term(item)]
    lines = all(len(one) == 1 and isinstance(one[0], Block) and one[0].type == "paragraph" and not one[0].attributes for one in terms)
    return bool(terms) and lines and _is_term(items[0]) and not _is_term(items[-1])


def _named(nodes: tuple[ContentNode, ...], who: str) -> tuple[ContentNode, ...]:
    """With the first mention of somebody as an inline of its own."""
    for number, node in enumerate(nodes):
        if isinstance(node, str):
            before, name, after = node.partition(who)
            marked: tuple[ContentNode, ...] = (before, Inline(type="author", children=(name,)), after) if name else (node,)
        else:
            children = _named(node.children, who)
            marked = (node if children is node.children else replace(node, children=children),)  # type: ignore[arg-type]
        if marked != (node,):
            return (*nodes[:number], *marked, *nodes[number + 1 :])
    return nodes


def _lines(parts: Iterable[str]) -> str:
    return "".join([f"\n{part}" for part in parts]) + "\n"


def _with_next(blocks: Iterable[Block]) -> Iterator[tuple[Block, Block | None]]:
    together = list(blocks)
    return zip(together, (*together[1:], None), strict=False)


def _begins_section(block: Block, following: Block | None) -> bool:
    """Whether it is a heading with something below it: a section of nothing but its head would be none."""
    if block.type not in _HEADINGS or following is None:
        return False
    return following.type not in _HEADINGS or _level(following) > _level(block)


def _level(heading: Block) -> int:
    level = heading.attributes.get("level", "2")
    return _SUBHEADING if heading.type == "subheading" else int(level) if level in "123456" and len(level) == 1 else 2


def _level_name(level: int) -> str:
    return "subheading" if level == _SUBHEADING else f"h{level}"


def _span(count: str | None) -> str | None:
    return count if count and count.isascii() and count.isdigit() and len(count) < 6 else None


_Write = Callable[[BlockWriter, Block, str], str]
_WRITERS: Mapping[str, _Write] = {
    "paragraph": BlockWriter._paragraph,
    "caption": BlockWriter._paragraph,
    "table-heading": BlockWriter._paragraph,
    "source": lambda writer, block, own: element("bibl", writer._source(block), own, type="source"),
    "code": partial(BlockWriter._plain, tag="ab", type="code", xml_space="preserve"),
    "author": lambda writer, block, own: element("ab", element("name", writer._inlines(block)), own, type="author"),
    "divider": lambda _writer, _block, own: f'<milestone{own} unit="section" rend="divider"/>',
    **dict.fromkeys(_HEADINGS, BlockWriter._heading),
    **dict.fromkeys(("lead", "box", "quiz"), BlockWriter._floating),
    **dict.fromkeys(("question", "answer"), BlockWriter._turn),
    "verse": BlockWriter._verse,
    "time": BlockWriter._time,
    "page-break": BlockWriter._page_break,
    "quote": BlockWriter._quote,
    "note": BlockWriter._note,
    "post": BlockWriter._post,
    "list": BlockWriter._list,
    "table": BlockWriter._table,
    "gallery": BlockWriter._gallery,
    "figure": BlockWriter._figure,
    "embed": BlockWriter._embed,
    "social": BlockWriter._social,
}
_TURNS_APART: Mapping[str, _Write] = dict.fromkeys(("question", "answer"), BlockWriter._turn_apart)
_ELSEWHERE: Mapping[Parent, Mapping[str, _Write]] = {
    Parent.SPEECH: {
        **dict.fromkeys(_HEADINGS, partial(BlockWriter._heading, tag="ab")),
        "source": partial(BlockWriter._plain, tag="note", type="source"),
        **_TURNS_APART,
    },
    Parent.POST: _TURNS_APART,
    Parent.DIVISION: {},
    Parent.CELL: {},
}
"""What TEI does not let stand in these places is written otherwise there."""


# --- text and inlines inside a block ---

_MAX_INLINES = 40
"""Inlines in inlines; what lies deeper is kept as text, since XML readers refuse more than 256 levels in all."""
_TAGS = {
    "bold": ('<hi rend="bold">', "</hi>"),
    "italic": ('<hi rend="italic">', "</hi>"),
    "underline": ('<hi rend="underline">', "</hi>"),
    "strike": ('<hi rend="strikethrough">', "</hi>"),
    "superscript": ('<hi rend="superscript">', "</hi>"),
    "subscript": ('<hi rend="subscript">', "</hi>"),
    "emphasis": ("<emph>", "</emph>"),
    "inline-quote": ("<q>", "</q>"),
}


def write_inlines(children: tuple[ContentNode, ...], references: References, depth: int = 0, *, is_source: bool = False) -> str:
    """The content of a block; in a source TEI has no formulas, and no words with how they are read."""
    return "".join([escape(child) if type(child) is str else _written(child, references, depth, is_source) for child in children])


def _written(node: ContentNode, references: References, depth: int, is_source: bool) -> str:
    if not isinstance(node, Inline) or depth >= _MAX_INLINES:
        return escape(references.flattened((node,)))
    if node.type == "line-break":
        return "<lb/>\n"  # so that whoever takes all text glues no words
    if node.type == "emoji":
        return _emoji(node, references)
    if node.type == "formula":
        formula = escape(references.flattened(node.children))
        return f'<hi rend="formula">{formula}</hi>' if is_source else f'<formula notation="TeX">{formula}</formula>'
    content = write_inlines(node.children, references, depth + 1, is_source=is_source)
    if tags := _TAGS.get(node.type):
        return f"{tags[0]}{content}{tags[1]}"
    if node.type == "link":
        return f"<ref{_link(node, references)}>{content}</ref>"
    if node.type == "ruby":
        return content if is_source else element("ruby", element("rb", content) + element("rt", escape(node.alt or "")))
    if node.type == "author":
        return element("name" if depth else "author", content)  # TEI has no author in a link
    if node.type == "language":
        marked = references.in_language(node.language)
        return f"<foreign{marked}>{content}</foreign>" if marked else content
    if node.type == "code-inline":
        # TEI's code holds plain text only
        plain = all(isinstance(child, str) for child in node.children)
        return element("code", content) if plain else element("hi", content, rend="code")
    return content


def _emoji(node: Inline, references: References) -> str:
    address, original = references.address(node.url, node.original_url)
    graphic = element("graphic", "", mimeType=media_type(address), url=address, n=original) if address else ""
    described = element("figDesc", escape(node.alt or ""))
    return element("figure", "\n".join(["", *filter(None, [graphic, described]), ""]), type="emoji")


def _link(node: Inline, references: References) -> str:
    if note := references.to_note(node.note):
        return note
    target, original = references.address(node.url, node.original_url)
    if target is None:
        return attribute("n", original)
    kind = "internal" if _host("/".join(target.split("/", 3)[:3])) in references.hosts else "external"
    # of all that has to be escaped in an attribute, an address can only hold this
    written = target.replace("&", "&amp;")
    return f' type="{kind}" target="{written}"{attribute("n", original)}'


_host = lru_cache(maxsize=1024)(bare_host)
"""An article's links lead to few hosts."""


# --- the credit of a picture ---

_ENDS = (".", "!", "?", "…", ")", "]", "”", "“", "»", "|", "\n")
"""After these something new begins: what follows can do without what stands before."""


@dataclass(frozen=True, slots=True)
class Caption:
    """The content of a caption, in page order."""

    said: tuple[ContentNode, ...] = ()
    """Of the picture; without the credit, if that stands apart."""
    credit: tuple[ContentNode, ...] = ()
    within: bool = False
    """The credit ends a sentence of the caption, and belongs in it."""


def divided(content: tuple[ContentNode, ...], credit: str) -> Caption:
    """The caption, with what is said of the maker apart from the rest; a credit that is not in the caption comes of itself."""
    if not credit:
        return Caption(content)
    text = flat_text(content).rstrip()
    if not text.endswith(credit):
        return Caption(content, () if credit in text else (credit,))
    before, after = _split(content, len(text) - len(credit))
    if flat_text(after).rstrip() != credit:
        return Caption(content)
    said = _without_end(before)
    return Caption(said, after) if not said or flat_text(before).rstrip(" ").endswith(_ENDS) else Caption(before, after, within=True)


def _split(content: tuple[ContentNode, ...], position: int) -> tuple[tuple[ContentNode, ...], tuple[ContentNode, ...]]:
    """Before and from a position in the text; an inline around it is not divided, and goes with what is before."""
    for index, node in enumerate(content):
        length = len(flat_text((node,)))
        if isinstance(node, str) and position < length:
            return (*content[:index], *filter(None, [node[:position]])), (node[position:], *content[index + 1 :])
        if position == 0:
            return content[:index], content[index:]
        position = max(0, position - length)
    return content, ()


def _without_end(content: tuple[ContentNode, ...]) -> tuple[ContentNode, ...]:
    """Without line breaks and blanks at the end."""
    while content:
        *others, last = content
        if isinstance(last, str) and last.rstrip():
            return (*others, last.rstrip())
        if not isinstance(last, str) and not (isinstance(last, Inline) and last.type == "line-break"):
            return content
        content = tuple(others)
    return ()


# --- entries of live blogs, posts of forums and blogs, comments ---

_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,60}")
_GROUPS = {"liveblog": "liveBlog", "forum": "thread", "blog": "blogPosts", "comments": "comments"}
_TEXTS = {"liveblog": "liveBlogUpdate", "blog": "blogPost"}
"""Posts that stand beside one another as divisions; all others answer one another."""


class PostWriter:
    """Writes the posts of one document; `posts` are all of them, so that answers find what they answer."""

    def __init__(self, posts: Sequence[Post], blocks: BlockWriter, references: References) -> None:
        self._posts = posts
        self._blocks = blocks
        self._references = references
        self._ids = [references.new_id(_name(post)) for post in posts]

    def of_article(self) -> str:
        """Those that are the article."""
        return "".join([self._group(kind) for kind in ("liveblog", "forum", "blog")])

    def comments(self) -> str:
        """Those about the article."""
        return self._group("comments")

    def _group(self, kind: str) -> str:
        write = self._division if kind in _TEXTS else self._post
        named = ((post.id, id) for post, id in zip(self._posts, self._ids, strict=True) if post.kind == kind and post.id)
        self._references.posts = dict(reversed(list(named)))
        written = []
        for post, id in zip(self._posts, self._ids, strict=True):
            if post.kind == kind:
                self._blocks.begin(id)
                written.append(write(id, post))
        moments = [post.when for post in self._posts if post.kind == kind and post.when]
        order = _order(moments) if kind == "liveblog" else None
        return element("div", "\n" + "".join(written), type=_GROUPS[kind], rend=order) + "\n" if written else ""

    def _post(self, id: str, post: Post) -> str:
        who = self._references.person(post.author)
        source, _ = self._references.address(post.url, None)
        answers = self._references.post(post.reply_to)
        deleted = element("desc", escape(post.deleted)) if post.deleted else ""
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            self._blocks.written(post.blocks, Parent.POST),
            element("gap", deleted, reason="deleted") + "\n" if deleted else "",
            f'<note type="replyTo">{escape(post.reply_to)}</note>' if post.reply_to and not answers else "",
            self._edited(post),
            _likes(post),
        ]
        # the number where the id is in `xml:id` already
        number = post.number if not post.id or _PLAIN_ID.fullmatch(post.id) else None
        given = {"n": number or post.id, "who": who, "when": moment(post.when), "replyTo": answers, "source": source}
        return element("post", "".join(parts), xml_id=id, **given, modality="written", generatedBy="human") + "\n"

    def _edited(self, post: Post) -> str:
        when = moment(post.edited)
        date = element("date", "" if when else escape(post.edited or ""), type="modified", when=when) if post.edited else ""
        editor = element("name", escape(post.editor), ref=self._references.person(post.editor)) if post.editor else ""
        return element("note", date + editor, type="edited", generatedBy="system") if date or editor else ""

    def _division(self, id: str, post: Post) -> str:
        when = moment(post.when)
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            f"<byline><docAuthor>{escape(post.author)}</docAuthor></byline>\n" if post.author else "",
            element("dateline", element("time", escape(post.time or when or ""), when=when)) + "\n" if post.time or when else "",
            self._blocks.division(post.blocks),
        ]
        source, _ = self._references.address(post.url, None)
        return element("div", "\n" + "".join(parts), type=_TEXTS[post.kind], xml_id=id, n=post.id, source=source) + "\n"


def _order(moments: Sequence[str]) -> str | None:
    falling = sorted(moments, reverse=True)
    if len(moments) < 2 or falling[0] == falling[-1] or list(moments) not in (falling, falling[::-1]):
        return None
    return "newest-first" if moments[0] == falling[0] else "oldest-first"


def _likes(post: Post) -> str:
    if not post.likes or not (post.likes.isascii() and post.likes.isdigit()):
        return ""
    count = element("measure", "", type="LikeAction", quantity=post.likes, unit="count")
    return element("note", count, type="interactionStatistic", generatedBy="system")


def _name(post: Post) -> str:
    """By the portal's own id, else by what a post says and when: new posts may come before it, and its name stays."""
    kind = "comment" if post.kind == COMMENTS else "post"
    if post.id and _PLAIN_ID.fullmatch(post.id):
        return f"{kind}-{post.id}"
    return f"{kind}-{digest(post.id) if post.id else post.fingerprint}"
