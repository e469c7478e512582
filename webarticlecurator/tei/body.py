"""Blocks, inlines, posts and comments -> the body of a TEI document, whatever stands in whatever, and what its header must declare."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, partial
from hashlib import sha256
from itertools import groupby

from msgspec.structs import replace

from webarticlecurator.model.article import COMMENTS, HOLDS, Article, Block, Content, ContentNode, Inline, Post, blocks_in, plain_text
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.tei.markup import attribute, element, escape, language, media_type, moment, name, uri, visible_ascii
from webarticlecurator.text import primary
from webarticlecurator.urls import bare_host

_HEADINGS = ("heading", "subheading")
_SUBHEADING = 7
"""Below the six levels of headings."""

TURNS = {"question": "question of an interviewer", "answer": "answer of the person asked"}


class BodyWriter:
    """Writes the body of one document, and collects what it refers to.

    Every identifier begins with that of the document, so that documents can stand together in one corpus.
    """

    def __init__(self, article: Article, document: str, *, tongue: str, hosts: Collection[str] = ()) -> None:
        self.document = document
        """The `xml:id` of the whole."""
        self.language = tongue
        self.pages = len(article.captures)
        """How many captures the header lists as `capture-1`, `capture-2`, ..."""
        absent = {page.number for page in article.missing_pages}
        self._numbers = [number for number in range(1, self.pages + len(absent) + 1) if number not in absent]
        self.hosts = hosts
        """The portal's own: links there are internal."""
        self._people: dict[str, str] = {}
        self._turns: set[str] = set()
        self._taken: set[str] = set()
        self.other_languages: dict[str, None] = {}
        """Those of parts of it."""
        notes: set[str] = set()  # by whose ids links lead to them
        waiting: list[ContentNode] = [*article.blocks, *(block for post in article.posts for block in post.blocks)]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Block) and HOLDS[node.type] is not Content.INLINES:
                if node.type == "note" and (note := node.attributes.get("id")):
                    notes.add(note)
                waiting.extend(node.children)
        self._notes = {name: self.new_id(f"note-{digest(name)}") for name in notes}
        self._noted: set[str] = set()
        """The identifiers of notes that a link was written to; the note leads back to the first one."""
        self._written_notes: set[str] = set()
        """Another note of the same name has no such identifier."""
        self._posts: list[tuple[str, Post]] = []
        for post in article.posts:
            # by the portal's own id, else by what a post says and when: new posts may come before it, and its name stays
            own = post.id if post.id and _PLAIN_ID.fullmatch(post.id) else digest(post.id) if post.id else post.fingerprint
            self._posts.append((self.new_id(f"{'comment' if post.kind == COMMENTS else 'post'}-{own}"), post))
        self._post_ids: Mapping[str, str] = {}
        """The identifiers of the posts that are being written, by their ids in the page."""
        self._scope, self._number = document, 0
        """The part of the document that is being written, and how many blocks of it are."""

    def id(self, name: str) -> str:
        """The identifier of the one thing in the document that goes by this name."""
        return f"{self.document}.{name}"

    def new_id(self, name: str) -> str:
        """The same of a thing that others may share its name with."""
        id = new = self.id(name)
        number = 1
        while new in self._taken:
            number += 1
            new = f"{id}-{number}"
        self._taken.add(new)
        return new

    def person(self, name: str | None) -> str | None:
        """A pointer to this person."""
        if not name or not name.strip():
            return None
        name = name.strip()
        if name not in self._people:
            self._people[name] = self.new_id(f"person-{digest(name)}")
        return f"#{self._people[name]}"

    def post(self, name: str | None) -> str | None:
        """A pointer to the post with this id, where it is in the document."""
        id = self._post_ids.get(name) if name else None
        return f"#{id}" if id else None

    def in_language(self, tag: str | None) -> str:
        """The attribute of what is in another language than the document."""
        tag = language(tag)
        if tag is None or primary(tag) == primary(self.language):
            return ""
        self.other_languages.setdefault(tag)
        return f' xml:lang="{tag}"'

    def people(self) -> str:
        """Everyone, as `particDesc`."""
        if not self._people:
            return ""
        people = [f'<person xml:id="{id_}"><persName>{escape(name)}</persName></person>' for name, id_ in self._people.items()]
        return element("particDesc", element("listPerson", "".join(people), type="participants"))

    def turns(self) -> str:
        """The kinds of turns, as a taxonomy."""
        used = [kind for kind in TURNS if kind in self._turns]
        categories = [element("category", element("catDesc", TURNS[kind]), xml_id=self.id(kind)) for kind in used]
        return element("taxonomy", "".join(categories), xml_id=self.id("turn")) if used else ""

    def sections(self, blocks: Iterable[Block], *, of_article: bool = False) -> str:
        """The content of a division that is open: text first, then a section for every heading.

        That of an article is all divisions, with its leads and its text in some of their own: TEI has no paragraph after a division.
        """
        out: list[str] = []
        levels: list[int] = []
        content = False
        together = list(blocks)
        for block, following in zip(together, (*together[1:], None), strict=False):
            # with something below it: a section of nothing but its head would be none
            is_heading = block.type in _HEADINGS and following is not None
            if following is not None and following.type in _HEADINGS:
                is_heading = is_heading and _level(following) > _level(block)
            is_lead = of_article and block.type == "lead" and not levels
            if content and (is_heading or is_lead):
                out.append("</div>\n")
                content = False
            if is_heading:
                level = _level(block)
                while levels and levels[-1] >= level:
                    levels.pop()
                    out.append("</div>\n")
                levels.append(level)
                out.append(f'<div type="section" subtype="{_level_name(level)}"{self._own(block)}>\n')
                out.append(f"<head>{self.inlines(block.children)}</head>\n")
            elif is_lead:
                out.append(f'<div type="lead">\n{self.written(block.children)}</div>\n')
            else:
                if of_article and not levels and not content and block.type != "page-break":
                    out.append('<div type="content">\n')
                    content = True
                out.append(self._block(block))
        out.append("</div>\n" * (len(levels) + content))
        return "".join(out)

    def written(self, blocks: Iterable[ContentNode], where: _Writers | None = None) -> str:
        """One after the other, without sections, each with a line feed behind it; `where`: what is written otherwise there."""
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
        language = block.attributes.get("language")
        id = self._notes.get(block.attributes.get("id", "")) if block.type == "note" else None
        if id is None or id in self._written_notes:
            id = f"{self._scope}.b{self._number}"
        else:
            self._written_notes.add(id)
        return f' xml:id="{id}"{self.in_language(language) if language else ""}'

    def _source(self, block: Block, who: str | None = None) -> str:
        """What says whom a text quotes, with the name marked."""
        return self.inlines(_named(block.children, who) if who else block.children, is_source=True)

    def _cell_content(self, block: Block) -> str:
        """Blocks of an item, cell or note; a paragraph all alone needs no element of its own."""
        only = block.children[0] if len(block.children) == 1 else None
        if isinstance(only, Block) and only.type == "paragraph" and "language" not in only.attributes:
            return self.inlines(only.children)
        return self.written(block.children)

    def _plain(self, block: Block, own: str, tag: str, **attributes: str) -> str:
        return element(tag, self.inlines(block.children), own, **attributes)

    def _code(self, block: Block, own: str) -> str:
        programming_language = visible_ascii(block.attributes.get("kind", ""))
        return element("ab", self.inlines(block.children), own, type="code", subtype=programming_language, xml_space="preserve")

    def _heading(self, block: Block, own: str, tag: str = "label") -> str:
        return element(tag, self.inlines(block.children), own, type="heading", subtype=_level_name(_level(block)))

    def _verse(self, block: Block, own: str) -> str:
        lines: list[list[ContentNode]] = [[]]
        for child in block.children:
            if isinstance(child, Inline) and child.type == "line-break":
                lines.append([])
            else:
                lines[-1].append(child)
        return element("lg", _lines([f"<l>{self.inlines(tuple(line))}</l>" for line in lines]), own, type="verse")

    def _time(self, block: Block, own: str) -> str:
        written = f"<time{attribute('when', moment(block.attributes.get('when')))}>{self.inlines(block.children)}</time>"
        return element("ab", written, own, type="time")

    def _page_break(self, block: Block, own: str) -> str:
        """With the number of the first, second, ... page that is there: those that are not there count, too."""
        page = block.attributes.get("page", "")
        is_there = page.isascii() and page.isdigit() and 0 < int(page[:9]) <= self.pages
        number = str(self._numbers[int(page) - 1]) if is_there else page
        return element("pb", "", own, n=number, source=f"#{self.id('capture-')}{page}" if is_there else None)

    def _quote(self, block: Block, own: str) -> str:
        """With a source it is a citation: of what is said and of who says it, in page order."""
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
        title = block.attributes.get("title")
        head = f"<head>{escape(title)}</head>\n" if title else ""
        inside = self.sections(blocks_in(block))
        type_ = "frame" if block.type == "box" else block.type
        return element("floatingText", element("body", element("div", f"\n{head}{inside}", type=block.type)), own, type=type_)

    def _note(self, block: Block, own: str) -> str:
        content, id = self._cell_content(block), block.attributes.get("id")
        if not id:
            return element("note", content, own)
        target = f"#{self._notes[id]}-ref" if self._notes[id] in self._noted else None
        return element("note", content, own, type="footnote", n=block.attributes.get("label"), target=target)

    def _turn(self, block: Block, own: str) -> str:
        who = block.attributes.get("who")
        person = self.person(who)
        speaker = f"<speaker>{escape(who)}</speaker>\n" if person and who else ""
        self._turns.add(block.type)
        said = self.written(block.children, _SPEECH)
        return element("sp", speaker + said, own, who=person, ana=f"#{self.id(block.type)}")

    def _list(self, block: Block, own: str) -> str:
        items = blocks_in(block)
        terms = [item.children for item in items if _is_term(item)]
        # in a glossary a term comes first and a definition last, and each term is a line: nothing else fits into a label
        lines = (len(term) == 1 and isinstance(term[0], Block) and term[0].type == "paragraph" and not term[0].attributes for term in terms)
        written: list[str] = []
        if not (terms and all(lines) and _is_term(items[0]) and not _is_term(items[-1])):
            written += [f"<item>{self._cell_content(item)}</item>" for item in items]
            rend = "numbered" if block.attributes.get("ordered") == "yes" else "bulleted"
            return element("list", _lines(written), own, rend=rend) if items else ""
        # TEI pairs them: terms that share a definition are lines of one label, and definitions of one term are blocks of one item
        for is_term, group in groupby(items, key=_is_term):
            alike = list(group)
            if is_term:
                written.append(element("label", "<lb/>\n".join([self._cell_content(item) for item in alike])))
            else:
                together = replace(alike[0], children=tuple(child for item in alike for child in item.children))
                written.append(f"<item>{self._cell_content(together)}</item>")
        return element("list", _lines(written), own, type="gloss")

    def _table(self, block: Block, own: str) -> str:
        parts = blocks_in(block)
        heads = [child for child in parts if child.type == "table-heading"]
        rows = []
        for cells in (blocks_in(child) for child in parts if child.type == "row"):
            written = []
            for cell in cells:
                given = cell.attributes
                role = "label" if given.get("header") == "yes" else None
                spans = {"rows": _span(given.get("rows")), "cols": _span(given.get("columns"))}
                written.append(element("cell", self._cell_content(cell), role=role, **spans))
            labels = all(cell.attributes.get("header") == "yes" for cell in cells)
            rows += [element("row", "\n".join(written), role="label" if labels else None)] if cells else []
        if not rows:
            return f"<ab{own}>{self.inlines(heads[0].children)}</ab>" if heads else ""
        return element("table", _lines([*(f"<head>{self.inlines(head.children)}</head>" for head in heads), *rows]), own)

    def _figure(self, block: Block, own: str) -> str:
        """A credit that ends a sentence of the caption belongs in it; one that is not in the caption comes of itself."""
        given = block.attributes
        about_picture = next((child.children for child in blocks_in(block)), ())
        text, credit, is_within = plain_text(about_picture).rstrip(), given.get("credit", ""), False
        about_maker: tuple[ContentNode, ...] = (credit,) if credit not in text else ()
        before, after = _split(about_picture, len(text) - len(credit)) if credit and text.endswith(credit) else ((), ())
        is_at_end = bool(after) and plain_text(after).rstrip() == credit
        if is_at_end:
            about_picture, about_maker, said = before, after, plain_text(before).rstrip(" ")
            is_within = bool(said.strip()) and not said.endswith(_ENDS)
        maker = self.inlines(about_maker)
        note = f'<note type="credit">{maker}</note>' if maker else ""
        head = self.inlines(about_picture)
        head = f"{head}{note}" if is_within else linear(r"(?<!\s)(?<!<lb/>)(?:\s|<lb/>)+\Z").sub("", head) if is_at_end else head
        parts = [
            self._shown("graphic", block, media_type(block.url)),
            f"<head>{head}</head>" if head else "",
            f"<figDesc>{escape(given['alt'])}</figDesc>" if given.get("alt") else "",
            "" if is_within else note,
        ]
        return element("figure", "\n".join(filter(None, parts)), own, type="image")

    def _embed(self, block: Block, own: str) -> str:
        kind = name(block.attributes.get("kind"), "frame")
        media = self._shown("media", block, media_type(block.url) or "text/html", block.attributes.get("title"))
        return element("figure", media + self._caption(block), own, type="embed", subtype=kind)

    def _gallery(self, block: Block, own: str) -> str:
        shown = self.written(child for child in blocks_in(block) if child.type != "caption")
        return element("figure", shown + self._caption(block), own, type="gallery")

    def _caption(self, block: Block) -> str:
        return "".join([f"\n<head>{self.inlines(child.children)}</head>" for child in blocks_in(block) if child.type == "caption"])

    def _social(self, block: Block, own: str) -> str:
        network = block.attributes.get("kind")
        return self._foreign_post(block, own, "embed", subtype="socialMedia", type=name(network, "post") if network else None)

    def _foreign_post(self, block: Block, own: str, floating: str, subtype: str | None = None, **attributes: str | None) -> str:
        attributes["who"] = self.person(block.attributes.get("who"))
        attributes["when"] = moment(block.attributes.get("when"))
        title = block.attributes.get("title")
        address, original = _address(block.url, block.original_url)
        content = f"<head>{escape(title)}</head>\n" if title else ""
        content += self.written(block.children, _POST)
        content += f'<note type="originalAddress">{escape(original)}</note>' if original else ""
        post = element("post", content, modality="written", source=address, **attributes)
        return element("floatingText", element("body", post), own, type=floating, subtype=subtype)

    def _shown(self, tag: str, block: Block, mime: str | None, description: str | None = None) -> str:
        """The address of what a figure shows, or what is known of it where it has none."""
        address, original = _address(block.url, block.original_url)
        described = f"<desc>{escape(description)}</desc>" if description else ""
        if address:
            return element(tag, described, mimeType=mime, url=address, n=original)
        if original:
            described += f"<desc>{escape(original)}</desc>"
        return element("gap", described, reason="notCaptured") if described else ""

    def inlines(self, children: tuple[ContentNode, ...], depth: int = 0, *, is_source: bool = False) -> str:
        """The content of a block; in a source TEI has no formulas, and no words with how they are read."""
        return "".join([escape(child) if type(child) is str else self._inline(child, depth, is_source) for child in children])

    def _inline(self, node: ContentNode, depth: int, is_source: bool) -> str:
        if not isinstance(node, Inline) or depth >= _MAX_INLINES:
            return escape(plain_text(node))
        if node.type == "line-break":
            return "<lb/>\n"  # so that whoever takes all text glues no words
        if node.type == "emoji":
            address, original = _address(node.url, node.original_url)
            graphic = element("graphic", "", mimeType=media_type(address), url=address, n=original) if address else ""
            described = element("figDesc", escape(node.alt or ""))
            return element("figure", _lines(filter(None, [graphic, described])), type="emoji")
        if node.type == "formula":
            formula = escape(plain_text(node.children))
            return f'<hi rend="formula">{formula}</hi>' if is_source else f'<formula notation="TeX">{formula}</formula>'
        content = self.inlines(node.children, depth + 1, is_source=is_source)
        if tags := _TAGS.get(node.type):
            return f"{tags[0]}{content}{tags[1]}"
        if node.type == "link":
            return f"<ref{self._link(node)}>{content}</ref>"
        if node.type == "ruby":
            return content if is_source else element("ruby", element("rb", content) + element("rt", escape(node.alt or "")))
        if node.type == "author":
            return element("name" if depth else "author", content)  # TEI has no author in a link
        if node.type == "language":
            marked = self.in_language(node.language)
            return f"<foreign{marked}>{content}</foreign>" if marked else content
        if node.type == "code-inline":
            # TEI's code holds plain text only
            plain = all(isinstance(child, str) for child in node.children)
            return element("code", content) if plain else element("hi", content, rend="code")
        return content

    def _link(self, node: Inline) -> str:
        if node.note and (note := self._notes.get(node.note)):
            own = "" if note in self._noted else f' xml:id="{note}-ref"'
            self._noted.add(note)
            return f' type="note" target="#{note}"{own}'
        target, original = _address(node.url, node.original_url)
        if target is None:
            return attribute("n", original)
        kind = "internal" if _host("/".join(target.split("/", 3)[:3])) in self.hosts else "external"
        # of all that has to be escaped in an attribute, an address can only hold this
        return f' type="{kind}" target="{target.replace("&", "&amp;")}"{attribute("n", original)}'

    def posts(self, kind: str) -> str:
        """All of one kind."""
        posts = [(id, post) for id, post in self._posts if post.kind == kind]
        self._post_ids = {post.id: id for id, post in reversed(posts) if post.id}
        written = ""
        for place, (id, post) in enumerate(posts, start=1):
            self._scope, self._number = id, 0
            written += self._update(id, post) if kind in _TEXTS else self._answer(id, post, place)
        moments = [post.when for _, post in posts if post.when and kind == "liveblog"]
        falling, order = sorted(moments, reverse=True), None
        if len(moments) > 1 and falling[0] != falling[-1] and moments in (falling, falling[::-1]):
            order = "newest-first" if moments[0] == falling[0] else "oldest-first"
        return element("div", "\n" + written, type=_GROUPS[kind], rend=order) + "\n" if written else ""

    def _answer(self, id: str, post: Post, place: int) -> str:
        """Return a post that may answer another one; `place`: its number in the thread, where the page says none."""
        who = self.person(post.author)
        answers = self.post(post.reply_to)
        deleted = element("desc", escape(post.deleted)) if post.deleted else ""
        content, when = self.written(post.blocks, _POST), moment(post.edited)
        edited = element("date", "" if when else escape(post.edited or ""), type="modified", when=when) if post.edited else ""
        edited += element("name", escape(post.editor), ref=self.person(post.editor)) if post.editor else ""
        is_counted = post.likes is not None and post.likes.isascii() and post.likes.isdigit()
        likes = element("measure", "", type="LikeAction", quantity=post.likes, unit="count") if is_counted else ""
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            content,
            element("gap", deleted, reason="deleted") + "\n" if deleted else "",
            f'<note type="replyTo">{escape(post.reply_to)}</note>' if post.reply_to and not answers else "",
            element("note", edited, type="edited", generatedBy="system") if edited else "",
            element("note", likes, type="interactionStatistic", generatedBy="system") if likes else "",
        ]
        given = {"n": post.number or str(place), "who": who, "when": moment(post.when), "replyTo": answers, "source": uri(post.url)}
        return element("post", "".join(parts), xml_id=id, **given, modality="written") + "\n"

    def _update(self, id: str, post: Post) -> str:
        """A post that stands beside others as a division."""
        when = moment(post.when)
        parts = [
            f"<head>{escape(post.title)}</head>\n" if post.title else "",
            f"<byline><docAuthor>{escape(post.author)}</docAuthor></byline>\n" if post.author else "",
            element("dateline", element("time", escape(post.time or when or ""), when=when)) + "\n" if post.time or when else "",
            self.sections(post.blocks),
        ]
        return element("div", "\n" + "".join(parts), type=_TEXTS[post.kind], xml_id=id, n=post.id, source=uri(post.url)) + "\n"


def _is_term(item: Block) -> bool:
    return item.attributes.get("term") == "yes"


def _named(nodes: tuple[ContentNode, ...], who: str) -> tuple[ContentNode, ...]:
    """With the first mention of somebody as an inline of its own."""
    for number, node in enumerate(nodes):
        if isinstance(node, str):
            before, name, after = node.partition(who)
            marked: tuple[ContentNode, ...] = (before, Inline(type="author", children=(name,)), after) if name else (node,)
        else:
            children = _named(node.children, who)
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


_Writers = Mapping[str, Callable[[BodyWriter, Block, str], str]]
_WRITERS: _Writers = {
    **dict.fromkeys(("caption", "table-heading"), lambda writer, block, own: f"<p{own}>{writer.inlines(block.children)}</p>"),
    "source": lambda writer, block, own: element("bibl", writer._source(block), own, type="source"),
    "code": BodyWriter._code,
    "author": lambda writer, block, own: element("ab", element("name", writer.inlines(block.children)), own, type="author"),
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
    lambda writer, block, own: element("floatingText", element("body", writer._turn(block, "")), own, type=block.type),
)
"""What is written otherwise in a post: TEI lets nobody speak there."""
_SPEECH: _Writers = {
    **_POST,
    **dict.fromkeys(_HEADINGS, partial(BodyWriter._heading, tag="ab")),
    "source": partial(BodyWriter._plain, tag="note", type="source"),
}
"""And in what somebody says in an interview: no labels and no bibliography either."""

_MAX_INLINES = 40
"""Inlines in inlines; what lies deeper is kept as text, since XML readers refuse more than 256 levels in all."""
_TAGS = {
    **{name: (f'<hi rend="{name}">', "</hi>") for name in ("bold", "italic", "underline", "superscript", "subscript")},
    "strike": ('<hi rend="strikethrough">', "</hi>"),
    "emphasis": ("<emph>", "</emph>"),
    "inline-quote": ("<q>", "</q>"),
}

_host = lru_cache(maxsize=1024)(bare_host)
"""An article's links lead to few hosts."""


_ENDS = (".", "!", "?", "…", ")", "]", "”", "“", "»", "|", "\n")
"""After these something new begins: what follows can do without what stands before."""


def _split(content: tuple[ContentNode, ...], position: int) -> tuple[tuple[ContentNode, ...], tuple[ContentNode, ...]]:
    """Before and from a position in the text; an inline around it is not divided, and goes with what is before."""
    for index, node in enumerate(content):
        length = len(plain_text(node))
        if isinstance(node, str) and position < length:
            return (*content[:index], *filter(None, [node[:position]])), (node[position:], *content[index + 1 :])
        if position == 0:
            return content[:index], content[index:]
        position = max(0, position - length)
    return content, ()


_PLAIN_ID = linear_at(r"[A-Za-z0-9_-]{1,60}")
_GROUPS = {"liveblog": "liveBlog", "forum": "thread", "blog": "blogPosts", "comments": "comments"}
_TEXTS = {"liveblog": "liveBlogUpdate", "blog": "blogPost"}
"""Posts that stand beside one another as divisions; all others answer one another."""


def _address(url: str | None, original: str | None) -> tuple[str | None, str | None]:
    """An address as a valid anyURI, and as the page wrote it where that differs, or where it can be none."""
    written = uri(url)
    return written, None if written == url and not original else original or url


def digest(text: str) -> str:
    """What names a thing by what it says, and so does not change when others come before it."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
