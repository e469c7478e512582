"""Write blocks, inlines, posts and comments as the body of a TEI document, whatever stands in whatever, and
tell what its header must declare."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from itertools import groupby

from msgspec.structs import replace

from webarticlecurator.amounts import part, text_if
from webarticlecurator.model.article import (
    COMMENTS,
    HOLDS,
    Article,
    Block,
    Content,
    ContentNode,
    Inline,
    Post,
    blocks_in,
    plain_text,
)
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.tei.markup import (
    attribute,
    element,
    escape,
    filled,
    language,
    media_type,
    moment,
    name,
    text_element,
    uri,
    visible_ascii,
)
from webarticlecurator.text import primary
from webarticlecurator.urls import bare_host

_HEADINGS = ("heading", "subheading")
_SUBHEADING = 7
"""The level of subheadings, below the six levels of headings."""

TURNS = {"question": "question of an interviewer", "answer": "answer of the person asked"}


class Marked(Inline, frozen=True, kw_only=True, gc=False):
    """A stretch of text that annotations say something of, written as an element of its own."""

    tag: str
    """The name of the element: s, w, pc, name."""
    values: Mapping[str, str | None]
    """The attributes of the element."""


MARKED = "marked"
"""The type of such inlines."""


class BodyWriter:
    """Writes the body of one document, and collects what it refers to.

    Every identifier begins with that of the document, so that documents can stand together in one corpus.
    """

    def __init__(
        self,
        article: Article,
        document: str,
        *,
        tongue: str,
        hosts: Collection[str] = (),
        titles: Titles | None = None,
    ) -> None:
        self._titles = titles or {}
        self.document = document
        """The `xml:id` of the whole."""
        self.language = tongue
        self.pages = len(article.captures)
        """The number of captures that the header lists as `capture-1`, `capture-2`, ..."""
        absent = {page.number for page in article.missing_pages}
        there = [number for number in range(1, self.pages + len(absent) + 1) if number not in absent]
        self._numbers = {str(place): str(number) for place, number in enumerate(there[: self.pages], start=1)}
        """The number of each page among all, by its place among those that are there."""
        self.hosts = hosts
        """The portal's own: links there are internal."""
        self._people: dict[str, str] = {}
        self._turns: set[str] = set()
        self._taken: set[str] = set()
        self.other_languages: dict[str, None] = {}
        """The languages of parts of the article that are in another than the whole."""
        self._notes = {name: self.new_id(f"note-{digest(name)}") for name in _note_names(article)}
        self._noted: set[str] = set()
        """The identifiers of notes that a link was written to; the note leads back to the first one."""
        self._written_notes: set[str] = set()
        """The identifiers of notes that are written; a second note of the same name has none."""
        self._posts = [(self.new_id(_name_of(post)), post) for post in article.posts]
        self._post_ids: Mapping[str, str] = {}
        """The identifiers of the posts that are being written, by their ids in the page."""
        self._scope, self._number = document, 0
        """The part of the document that is being written, and how many blocks of it are."""

    def id(self, name: str) -> str:
        """The identifier of the one thing in the document that goes by this name."""
        return f"{self.document}.{name}"

    def new_id(self, name: str) -> str:
        """Return an identifier of a thing that others may share its name with: a number behind it tells them
        apart."""
        id = new = self.id(name)
        number = 1
        while new in self._taken:
            number += 1
            new = f"{id}-{number}"
        self._taken.add(new)
        return new

    def person(self, name: str | None) -> str | None:
        """A pointer to this person."""
        name = (name or "").strip()
        if not name:
            return None
        if name not in self._people:
            self._people[name] = self.new_id(f"person-{digest(name)}")
        return f"#{self._people[name]}"

    def post(self, name: str | None) -> str:
        """A pointer to the post with this id, where it is in the document; else empty."""
        return part("#{}", self._post_ids.get(name or ""))

    def in_language(self, tag: str | None) -> str:
        """The attribute of what is in another language than the document."""
        tag = language(tag)
        if tag is None or primary(tag) == primary(self.language):
            return ""
        self.other_languages.setdefault(tag)
        return f' xml:lang="{tag}"'

    def people(self) -> str:
        """Return everyone, as `particDesc`."""
        people = [
            f'<person xml:id="{id_}"><persName>{escape(name)}</persName></person>'
            for name, id_ in self._people.items()
        ]
        return filled("particDesc", filled("listPerson", "".join(people), type="participants"))

    def turns(self) -> str:
        """The kinds of turns, as a taxonomy."""
        used = [kind for kind in TURNS if kind in self._turns]
        categories = [
            element("category", element("catDesc", TURNS[kind]), xml_id=self.id(kind)) for kind in used
        ]
        return filled("taxonomy", "".join(categories), xml_id=self.id("turn"))

    def sections(self, blocks: Iterable[Block], *, of_article: bool = False) -> str:
        """The content of a division that is open: text first, then a section for every heading.

        That of an article is all divisions, with its leads and its text in some of their own: TEI has no
        paragraph after a division.
        """
        out: list[str] = []
        levels: list[int] = []
        """The levels of the sections that are open."""
        has_content = False
        together = list(blocks)
        for block, following in zip(together, (*together[1:], None), strict=False):
            is_heading = _begins_section(block, following)
            is_apart = of_article and not levels
            is_lead = is_apart and block.type == "lead"
            if has_content and (is_heading or is_lead):
                out.append("</div>\n")
                has_content = False
            if is_heading:
                out.append(self._opening(block, levels))
            elif is_lead:
                out.append(f'<div type="lead">\n{self.written(block.children)}</div>\n')
            else:
                if is_apart and not has_content and block.type != "page-break":
                    out.append('<div type="content">\n')
                    has_content = True
                out.append(self._block(block))
        out.append("</div>\n" * (len(levels) + has_content))
        return "".join(out)

    def _opening(self, heading: Block, levels: list[int]) -> str:
        """Close the sections that a heading ends, and open its own."""
        level = _level(heading)
        ended = [other for other in levels if other >= level]
        del levels[len(levels) - len(ended) :]
        levels.append(level)
        section = f'<div type="section" subtype="{_level_name(level)}"{self._own(heading)}>\n'
        return "</div>\n" * len(ended) + f"{section}<head>{self.inlines(heading.children)}</head>\n"

    def written(self, blocks: Iterable[ContentNode], where: _Writers | None = None) -> str:
        """Return the blocks one after the other, without sections, each with a line feed behind it; `where`:
        how blocks are written there that are written otherwise."""
        return "".join([self._block(block, where) for block in blocks if isinstance(block, Block)])

    def _block(self, block: Block, where: _Writers | None = None) -> str:
        own = self._own(block)
        if block.type == "paragraph":  # most of them
            return f"<p{own}>{self.inlines(block.children)}</p>\n"
        written = ((where or {}).get(block.type) or _WRITERS[block.type])(self, block, own)
        return written and f"{written}\n"

    def _own(self, block: Block) -> str:
        """The attributes that every block may have."""
        self._number += 1
        id = self._notes.get(block.attributes.get("id", "")) if block.type == "note" else None
        if id is None or id in self._written_notes:
            id = f"{self._scope}.b{self._number}"
        else:
            self._written_notes.add(id)
        # the rend of a list says how its items are marked
        direction = block.attributes.get("direction") if block.type != "list" else None
        language_of_block = self.in_language(block.attributes.get("language"))
        return f' xml:id="{id}"{language_of_block}{attribute("rend", direction)}'

    def _source(self, block: Block, who: str | None = None) -> str:
        """Return what says whom a text quotes, with the name marked."""
        return self.inlines(named(block.children, who) if who else block.children, is_source=True)

    def _cell_content(self, block: Block) -> str:
        """Return the blocks of an item, cell or note; a paragraph all alone needs no element of its own."""
        only = block.children[0] if len(block.children) == 1 else None
        if isinstance(only, Block) and only.type == "paragraph" and not only.attributes:
            return self.inlines(only.children)
        return self.written(block.children)

    def _plain(self, block: Block, own: str, tag: str, **attributes: str) -> str:
        return element(tag, self.inlines(block.children), own, **attributes)

    def _code(self, block: Block, own: str) -> str:
        programming_language = visible_ascii(block.attributes.get("kind", ""))
        return element(
            "ab",
            self.inlines(block.children),
            own,
            type="code",
            subtype=programming_language,
            xml_space="preserve",
        )

    def _heading(self, block: Block, own: str, tag: str = "label") -> str:
        return element(
            tag, self.inlines(block.children), own, type="heading", subtype=_level_name(_level(block))
        )

    def _verse(self, block: Block, own: str) -> str:
        lines: list[list[ContentNode]] = [[]]
        for child in block.children:
            if isinstance(child, Inline) and child.type == "line-break":
                lines.append([])
            else:
                lines[-1].append(child)
        return element(
            "lg", _lines([f"<l>{self.inlines(tuple(line))}</l>" for line in lines]), own, type="verse"
        )

    def _time(self, block: Block, own: str) -> str:
        written = f"<time{attribute('when', moment(block.attributes.get('when')))}>{self.inlines(block.children)}</time>"
        return element("ab", written, own, type="time")

    def _page_break(self, block: Block, own: str) -> str:
        """Return a page break with the number of the first, second, ... page that is there: those that are
        not there count, too."""
        page = block.attributes.get("page", "")
        source = text_if(page in self._numbers, f"#{self.id('capture-')}{page}")
        return element("pb", "", own, n=self._numbers.get(page, page), source=source)

    def _quote(self, block: Block, own: str) -> str:
        """Return a quotation; with a source it is a citation: of what is said and of who says it, in page
        order."""
        parts, who = blocks_in(block), block.attributes.get("who")
        quoted = self.post(block.attributes.get("post"))
        kinds = {child.type == "source" for child in parts}
        if len(kinds) < 2 and not who:
            return element("quote", self.written(parts), own, type="blockquote", source=quoted)
        cited = [] if True in kinds or not who else [element("bibl", element("author", escape(who)))]
        for is_source, group in groupby(parts, key=lambda child: child.type == "source"):
            if is_source:
                cited.extend(element("bibl", self._source(source, who)) for source in group)
            else:
                cited.append(element("quote", self.written(group), source=quoted))
        return element("cit", _lines(cited), own, type="blockquote")

    def _floating(self, block: Block, own: str) -> str:
        """A text in the text: it may stand wherever a paragraph may."""
        head = self._head(block.attributes.get("title"))
        inside = self.sections(blocks_in(block))
        type_ = "frame" if block.type == "box" else block.type
        return element(
            "floatingText",
            element("body", element("div", f"\n{head}{inside}", type=block.type)),
            own,
            type=type_,
        )

    def _note(self, block: Block, own: str) -> str:
        content, id = self._cell_content(block), block.attributes.get("id")
        if not id:
            return element("note", content, own)
        target = text_if(self._notes[id] in self._noted, f"#{self._notes[id]}-ref")
        return element("note", content, own, type="footnote", n=block.attributes.get("label"), target=target)

    def _turn(self, block: Block, own: str) -> str:
        who = block.attributes.get("who", "")
        person = self.person(who)
        speaker = text_if(person, f"<speaker>{escape(who)}</speaker>\n")
        self._turns.add(block.type)
        speech = self.written(block.children, _SPEECH)
        return element("sp", speaker + speech, own, who=person, ana=f"#{self.id(block.type)}")

    def _list(self, block: Block, own: str) -> str:
        items = blocks_in(block)
        if _is_glossary(items):
            return element("list", _lines(self._glossary(items)), own, type="gloss")
        written = [f"<item>{self._cell_content(item)}</item>" for item in items]
        rend = "numbered" if block.attributes.get("ordered") == "yes" else "bulleted"
        return text_if(items, element("list", _lines(written), own, rend=rend))

    def _glossary(self, items: Iterable[Block]) -> Iterator[str]:
        """Yield the labels and items of a glossary, which TEI pairs: terms that share a definition are lines
        of one label, and definitions of one term are blocks of one item."""
        for is_term, group in groupby(items, key=_is_term):
            alike = list(group)
            if is_term:
                yield element("label", "<lb/>\n".join([self._cell_content(item) for item in alike]))
            else:
                together = replace(
                    alike[0], children=tuple(child for item in alike for child in item.children)
                )
                yield f"<item>{self._cell_content(together)}</item>"

    def _table(self, block: Block, own: str) -> str:
        parts = blocks_in(block)
        heads = [child for child in parts if child.type == "table-heading"]
        rows = [
            self._row(cells)
            for cells in (blocks_in(child) for child in parts if child.type == "row")
            if cells
        ]
        if not rows:
            return f"<ab{own}>{self.inlines(heads[0].children)}</ab>" if heads else ""
        return element(
            "table", _lines([*(f"<head>{self.inlines(head.children)}</head>" for head in heads), *rows]), own
        )

    def _row(self, cells: Sequence[Block]) -> str:
        written = []
        for cell in cells:
            spans = {
                "rows": _span(cell.attributes.get("rows")),
                "cols": _span(cell.attributes.get("columns")),
            }
            written.append(element("cell", self._cell_content(cell), role=_role(cell), **spans))
        return element("row", "\n".join(written), role=text_if(all(_role(cell) for cell in cells), "label"))

    def _figure(self, block: Block, own: str) -> str:
        """A credit that ends a sentence of the caption belongs in it; one that is not in the caption comes of
        itself."""
        caption = next((child.children for child in blocks_in(block)), ())
        about_picture, about_maker = _without_credit(caption, block.attributes.get("credit", ""))
        note = filled("note", self.inlines(about_maker), type="credit")
        head = self.inlines(about_picture)
        is_at_end = about_picture is not caption
        is_within = is_at_end and _goes_on(about_picture)
        if is_within:
            head += note
        elif is_at_end:
            head = linear(r"(?<!\s)(?<!<lb/>)(?:\s|<lb/>)+\Z").sub("", head)
        parts = [
            self._shown("graphic", block, media_type(block.url)),
            filled("head", head),
            text_element("figDesc", block.attributes.get("alt")),
            text_if(not is_within, note),
        ]
        return element("figure", "\n".join(filter(None, parts)), own, type="image")

    def _embed(self, block: Block, own: str) -> str:
        kind = name(block.attributes.get("kind"), "frame")
        media = self._shown(
            "media", block, media_type(block.url) or "text/html", block.attributes.get("title")
        )
        return element("figure", media + self._caption(block), own, type="embed", subtype=kind)

    def _gallery(self, block: Block, own: str) -> str:
        shown = self.written(child for child in blocks_in(block) if child.type != "caption")
        return element("figure", shown + self._caption(block), own, type="gallery")

    def _caption(self, block: Block) -> str:
        return "".join(
            [
                f"\n<head>{self.inlines(child.children)}</head>"
                for child in blocks_in(block)
                if child.type == "caption"
            ]
        )

    def _social(self, block: Block, own: str) -> str:
        network = block.attributes.get("kind")
        return self._foreign_post(
            block, own, "embed", subtype="socialMedia", type=text_if(network, name(network, "post"))
        )

    def _foreign_post(
        self, block: Block, own: str, floating: str, subtype: str | None = None, **attributes: str | None
    ) -> str:
        attributes["who"] = self.person(block.attributes.get("who"))
        attributes["when"] = moment(block.attributes.get("when"))
        address, original = _address(block.url, block.original_url)
        content = [
            self._head(block.attributes.get("title")),
            self.written(block.children, _POST),
            text_element("note", original, type="originalAddress"),
        ]
        post = element("post", "".join(content), modality="written", source=address, **attributes)
        return element("floatingText", element("body", post), own, type=floating, subtype=subtype)

    def _shown(self, tag: str, block: Block, mime: str | None, description: str | None = None) -> str:
        """The address of what a figure shows, or what is known of it where it has none."""
        address, original = _address(block.url, block.original_url)
        described = text_element("desc", description)
        if address:
            return element(tag, described, mimeType=mime, url=address, n=original)
        return filled("gap", described + text_element("desc", original), reason="notCaptured")

    def inlines(self, children: tuple[ContentNode, ...], depth: int = 0, *, is_source: bool = False) -> str:
        """The content of a block; in a source TEI has no formulas, and no words with how they are read."""
        return "".join(
            [
                escape(child) if type(child) is str else self._inline(child, depth, is_source)
                for child in children
            ]
        )

    def _inline(self, node: ContentNode, depth: int, is_source: bool) -> str:
        if not isinstance(node, Inline) or depth >= _MAX_INLINES:
            return escape(plain_text(node))
        write = _INLINES.get(node.type)
        if write is not None:
            return write(self, node, depth, is_source)
        content = self.inlines(node.children, depth + 1, is_source=is_source)
        before, after = _TAGS.get(node.type, ("", ""))
        return f"{before}{content}{after}"

    def _line_break(self, _node: Inline, _depth: int, _is_source: bool) -> str:
        return "<lb/>\n"  # so that whoever takes all text glues no words

    def _emoji(self, node: Inline, _depth: int, _is_source: bool) -> str:
        address, original = _address(node.url, node.original_url)
        parts = [element("figDesc", escape(node.alt or ""))]
        if address:
            parts.insert(0, element("graphic", "", mimeType=media_type(address), url=address, n=original))
        return element("figure", _lines(parts), type="emoji")

    def _formula(self, node: Inline, _depth: int, is_source: bool) -> str:
        formula = escape(plain_text(node.children))
        return (
            f'<hi rend="formula">{formula}</hi>'
            if is_source
            else f'<formula notation="TeX">{formula}</formula>'
        )

    def _linked(self, node: Inline, depth: int, is_source: bool) -> str:
        content = self.inlines(node.children, depth + 1, is_source=is_source)
        return f"<ref{self._link(node)}>{content}</ref>"

    def _ruby(self, node: Inline, depth: int, is_source: bool) -> str:
        content = self.inlines(node.children, depth + 1, is_source=is_source)
        return (
            content
            if is_source
            else element("ruby", element("rb", content) + element("rt", escape(node.alt or "")))
        )

    def _marked(self, node: Inline, depth: int, is_source: bool) -> str:
        """Return what annotations say something of: no mark of the page, so it does not count as one."""
        assert isinstance(node, Marked)
        return element(node.tag, self.inlines(node.children, depth, is_source=is_source), **node.values)

    def _author(self, node: Inline, depth: int, is_source: bool) -> str:
        content = self.inlines(node.children, depth + 1, is_source=is_source)
        return element("name" if depth else "author", content)  # TEI has no author in a link

    def _foreign(self, node: Inline, depth: int, is_source: bool) -> str:
        content = self.inlines(node.children, depth + 1, is_source=is_source)
        marked = self.in_language(node.language)
        return f"<foreign{marked}>{content}</foreign>" if marked else content

    def _inline_code(self, node: Inline, depth: int, is_source: bool) -> str:
        """Return code amid a text; TEI's element for it holds plain text only."""
        content = self.inlines(node.children, depth + 1, is_source=is_source)
        is_plain = all(isinstance(child, str) for child in node.children)
        return element("code", content) if is_plain else element("hi", content, rend="code")

    def _link(self, node: Inline) -> str:
        note = self._notes.get(node.note or "")
        if note is not None:
            own = text_if(note not in self._noted, f' xml:id="{note}-ref"')
            self._noted.add(note)
            return f' type="note" target="#{note}"{own}'
        target, original = _address(node.url, node.original_url)
        if target is None:
            return attribute("n", original)
        kind = "internal" if _host("/".join(target.split("/", 3)[:3])) in self.hosts else "external"
        # of all that has to be escaped in an attribute, an address can only hold this
        return f' type="{kind}" target="{target.replace("&", "&amp;")}"{attribute("n", original)}'

    def title(self, title: str) -> str:
        """The text of a title, with its annotations where they are known."""
        return self.inlines(self._titles.get(title, (title,)))

    def _head(self, title: str | None) -> str:
        return f"<head>{self.title(title)}</head>\n" if title else ""

    def posts(self, kind: str) -> str:
        """Return all posts of one kind."""
        posts = [(id, post) for id, post in self._posts if post.kind == kind]
        self._post_ids = {post.id: id for id, post in reversed(posts) if post.id}
        written = []
        for place, (id, post) in enumerate(posts, start=1):
            self._scope, self._number = id, 0
            written.append(self._update(id, post) if kind in _TEXTS else self._answer(id, post, place))
        if not written:
            return ""
        order = _order([post.when for _, post in posts if post.when]) if kind == "liveblog" else None
        return element("div", "\n" + "".join(written), type=_GROUPS[kind], rend=order) + "\n"

    def _answer(self, id: str, post: Post, place: int) -> str:
        """Return a post that may answer another one; `place`: its number in the thread, where the page says
        none."""
        who = self.person(post.author)
        answers = self.post(post.reply_to)
        content = self.written(post.blocks, _POST)
        deleted = filled("gap", text_element("desc", post.deleted), reason="deleted")
        parts = [
            self._head(post.title),
            content,
            part("{}\n", deleted),
            text_if(not answers, text_element("note", post.reply_to, type="replyTo")),
            filled("note", self._edited(post), type="edited", generatedBy="system"),
            filled("note", _likes(post.likes), type="interactionStatistic", generatedBy="system"),
        ]
        given = {
            "n": post.number or str(place),
            "who": who,
            "when": moment(post.when),
            "replyTo": answers,
            "source": uri(post.url),
        }
        return element("post", "".join(parts), xml_id=id, **given, modality="written") + "\n"

    def _edited(self, post: Post) -> str:
        """Return when a post was changed, and by whom."""
        when = moment(post.edited)
        text = escape(post.edited or "")
        edited = element("date", text_if(not when, text), type="modified", when=when)
        return text_if(text, edited) + text_element("name", post.editor, ref=self.person(post.editor))

    def _update(self, id: str, post: Post) -> str:
        """A post that stands beside others as a division."""
        when = moment(post.when)
        shown = post.time or when
        parts = [
            self._head(post.title),
            part("<byline>{}</byline>\n", text_element("docAuthor", post.author)),
            part("<dateline>{}</dateline>\n", text_element("time", shown, when=when)),
            self.sections(post.blocks),
        ]
        return (
            element(
                "div",
                "\n" + "".join(parts),
                type=_TEXTS[post.kind],
                xml_id=id,
                n=post.id,
                source=uri(post.url),
            )
            + "\n"
        )


def _note_names(article: Article) -> set[str]:
    """Return the ids by which links lead to notes of an article."""
    names: set[str] = set()
    waiting: list[ContentNode] = [
        *article.blocks,
        *(block for post in article.posts for block in post.blocks),
    ]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Block) and HOLDS[node.type] is not Content.INLINES:
            name = node.attributes.get("id")
            if name and node.type == "note":
                names.add(name)
            waiting.extend(node.children)
    return names


def _name_of(post: Post) -> str:
    """Name a post by the portal's own id, else by what it says and when: new posts may come before it, and
    its name stays."""
    kind = "comment" if post.kind == COMMENTS else "post"
    if not post.id:
        return f"{kind}-{post.fingerprint}"
    return f"{kind}-{post.id if _PLAIN_ID.fullmatch(post.id) else digest(post.id)}"


def _begins_section(block: Block, following: Block | None) -> bool:
    """True for a heading with something behind it, be it the next heading: what stands right behind a section
    cannot be told from the end of it. The last of all is a line."""
    return block.type in _HEADINGS and following is not None


def _likes(number: str | None) -> str:
    is_counted = number is not None and number.isascii() and number.isdigit()
    measure = element("measure", "", type="LikeAction", quantity=number, unit="count")
    return text_if(is_counted, measure)


def _order(moments: list[str]) -> str | None:
    """Return in which order the moments of posts stand, if they stand in one."""
    rising = sorted(moments)
    if len(set(rising)) < 2:
        return None
    if moments == rising:
        return "oldest-first"
    return "newest-first" if moments == rising[::-1] else None


def _role(cell: Block) -> str:
    return text_if(cell.attributes.get("header") == "yes", "label")


def _is_glossary(items: Sequence[Block]) -> bool:
    """True if a term comes first and a definition last, and each term is a line: nothing else fits into a
    label."""
    terms = [item.children for item in items if _is_term(item)]
    return (
        bool(terms)
        and all(_is_line(term) for term in terms)
        and _is_term(items[0])
        and not _is_term(items[-1])
    )


def _is_line(content: tuple[ContentNode, ...]) -> bool:
    """True for a single paragraph without anything to be said of it."""
    if len(content) != 1 or not isinstance(content[0], Block):
        return False
    return content[0].type == "paragraph" and not content[0].attributes


def _is_term(item: Block) -> bool:
    return item.attributes.get("term") == "yes"


def named(nodes: tuple[ContentNode, ...], who: str) -> tuple[ContentNode, ...]:
    """Return the nodes with the first mention of somebody as an inline of its own."""
    for number, node in enumerate(nodes):
        if isinstance(node, str):
            before, name, after = node.partition(who)
            marked: tuple[ContentNode, ...] = (
                (before, Inline(type="author", children=(name,)), after) if name else (node,)
            )
        else:
            children = node.children if isinstance(node, Marked) else named(node.children, who)
            marked = (node if children is node.children else replace(node, children=children),)
        if marked != (node,):
            return (*nodes[:number], *marked, *nodes[number + 1 :])
    return nodes


def _lines(parts: Iterable[str]) -> str:
    return "".join([f"\n{part}" for part in parts]) + "\n"


def _level(heading: Block) -> int:
    if heading.type == "subheading":
        return _SUBHEADING
    level = heading.attributes.get("level", "2")
    return int(level) if level in "123456" and len(level) == 1 else 2


def _level_name(level: int) -> str:
    return "subheading" if level == _SUBHEADING else f"h{level}"


def _span(count: str | None) -> str | None:
    return count if count and count.isascii() and count.isdigit() and len(count) < 6 else None


Titles = Mapping[str, tuple[ContentNode, ...]]
"""Titles of the article and its posts that are more than text, by their text."""
_Writers = Mapping[str, Callable[[BodyWriter, Block, str], str]]
_WRITERS: _Writers = {
    **dict.fromkeys(
        ("caption", "table-heading"),
        lambda writer, block, own: f"<p{own}>{writer.inlines(block.children)}</p>",
    ),
    "source": lambda writer, block, own: element("bibl", writer._source(block), own, type="source"),
    "code": BodyWriter._code,
    "author": lambda writer, block, own: element(
        "ab", element("name", writer.inlines(block.children)), own, type="author"
    ),
    "divider": lambda _writer, _block, own: f'<milestone{own} unit="section" rend="divider"/>',
    **dict.fromkeys(_HEADINGS, BodyWriter._heading),
    **dict.fromkeys(("lead", "box", "quiz"), BodyWriter._floating),
    **dict.fromkeys(("question", "answer"), BodyWriter._turn),
    "verse": BodyWriter._verse,
    "time": BodyWriter._time,
    "page-break": BodyWriter._page_break,
    "quote": BodyWriter._quote,
    "note": BodyWriter._note,
    "post": lambda writer, block, own: writer._foreign_post(block, own, "post", n=block.attributes.get("id")),
    "list": BodyWriter._list,
    "table": BodyWriter._table,
    "gallery": BodyWriter._gallery,
    "figure": BodyWriter._figure,
    "embed": BodyWriter._embed,
    "social": BodyWriter._social,
}
_POST: _Writers = dict.fromkeys(
    ("question", "answer"),
    lambda writer, block, own: element(
        "floatingText", element("body", writer._turn(block, "")), own, type=block.type
    ),
)
"""The writers of blocks that are written otherwise in a post: TEI lets nobody speak there."""
_SPEECH: _Writers = {
    **_POST,
    **dict.fromkeys(_HEADINGS, partial(BodyWriter._heading, tag="ab")),
    "source": partial(BodyWriter._plain, tag="note", type="source"),
}
"""The writers of blocks that are written otherwise in a post, and in what somebody says in an interview: no
labels and no bibliography either."""

_INLINES: Mapping[str, Callable[[BodyWriter, Inline, int, bool], str]] = {
    "line-break": BodyWriter._line_break,
    "emoji": BodyWriter._emoji,
    "formula": BodyWriter._formula,
    "link": BodyWriter._linked,
    "ruby": BodyWriter._ruby,
    "author": BodyWriter._author,
    "language": BodyWriter._foreign,
    "code-inline": BodyWriter._inline_code,
    MARKED: BodyWriter._marked,
}
"""Inlines that are more than a pair of tags around their content."""
_MAX_INLINES = 40
"""Inlines in inlines; what lies deeper is kept as text, since XML readers refuse more than 256 levels in
all."""
_HI = ("bold", "italic", "underline", "superscript", "subscript")
HIGHLIGHTS = frozenset((*_HI, "strike"))
"""The inlines that are nothing but marks for the eye."""
_TAGS = {
    **{name: (f'<hi rend="{name}">', "</hi>") for name in _HI},
    "strike": ('<hi rend="strikethrough">', "</hi>"),
    "emphasis": ("<emph>", "</emph>"),
    "inline-quote": ("<q>", "</q>"),
}

_host = lru_cache(maxsize=1024)(bare_host)
"""An article's links lead to few hosts."""


_ENDS = (".", "!", "?", "…", ")", "]", "”", "“", "»", "|", "\n")
"""The signs after which something new begins: what follows can do without what stands before."""


def _split(
    content: tuple[ContentNode, ...], position: int
) -> tuple[tuple[ContentNode, ...], tuple[ContentNode, ...]]:
    """Return what stands before a position in the text, and from it on; an inline around it is not divided,
    and goes with what is before."""
    for index, node in enumerate(content):
        length = len(plain_text(node))
        if isinstance(node, str) and position < length:
            return (*content[:index], *filter(None, [node[:position]])), (
                node[position:],
                *content[index + 1 :],
            )
        if position == 0:
            return content[:index], content[index:]
        position = max(0, position - length)
    return content, ()


def _without_credit(
    caption: tuple[ContentNode, ...], credit: str
) -> tuple[tuple[ContentNode, ...], tuple[ContentNode, ...]]:
    """Return what a caption says of the picture and what of its maker, where that stands at its end or
    nowhere in it."""
    text = plain_text(caption).rstrip()
    if credit not in text:
        return caption, (credit,)
    before, after = (
        _split(caption, len(text) - len(credit)) if credit and text.endswith(credit) else (caption, ())
    )
    return (before, after) if after and plain_text(after).rstrip() == credit else (caption, ())


def _goes_on(content: tuple[ContentNode, ...]) -> bool:
    """True if a sentence goes on behind a text."""
    text = plain_text(content).rstrip(" ")
    return bool(text.strip()) and not text.endswith(_ENDS)


_PLAIN_ID = linear_at(r"[A-Za-z0-9_-]{1,60}")
_GROUPS = {"liveblog": "liveBlog", "forum": "thread", "blog": "blogPosts", "comments": "comments"}
_TEXTS = {"liveblog": "liveBlogUpdate", "blog": "blogPost"}
"""Posts that stand beside one another as divisions; all others answer one another."""


def _address(url: str | None, original: str | None) -> tuple[str | None, str | None]:
    """An address as a valid anyURI, and as the page wrote it where that differs, or where it can be none."""
    written = uri(url)
    return written, None if written == url and not original else original or url


def digest(text: str) -> str:
    """Return what names a thing by what it says, and so does not change when others come before it."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
