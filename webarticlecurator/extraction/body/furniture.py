"""What on a page belongs to the site and not to the article: share bars, related articles, newsletter forms, advertisements, comments.

An element's names decide, but only together with its size: a `div.has-comments` around the whole article is no list of comments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import VOID_MEDIA
from webarticlecurator.extraction.body.hidden import HiddenElements
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.site_links import part_of_link
from webarticlecurator.labelling.names import PagePart, Role, role_of
from webarticlecurator.text import element_text, short_text

# fmt: off
_TO_OTHER_ARTICLES = (
    # English
    "read more", "read also", "read next", "also read", "see also", "related:", "related articles", "related stories", "more on this",
    "more from", "you may also like", "recommended", "up next", "don't miss", "most read", "also on ", "here's more",
    # German, Dutch
    "lesen sie auch", "lesen sie mehr", "lesen sie hier", "lesen sie dazu", "lies auch", "mehr zum thema", "das könnte sie",
    "auch interessant", "zum thema", "weiterlesen", "lees ook", "lees meer", "lees verder", "meer over", "bekijk ook",
    # French, Italian, Spanish, Catalan, Portuguese, Romanian
    "lire aussi", "à lire", "a lire aussi", "lire la suite", "voir aussi", "sur le même sujet", "leggi anche", "leggi qui", "ti potrebbe",
    "potrebbe interessarti", "lee también", "lea también", "leer también", "le puede interesar", "te puede interesar", "más información",
    "ver también", "mira también", "puedes ver", "llegeix també", "leia mais", "leia também", "leia ainda", "veja também", "saiba mais",
    "ler mais", "citește și", "citeşte şi", "citiți și", "vezi și",
    # Hungarian, Polish, Czech, Slovak, Croatian, Slovenian
    "olvasd el", "olvassa el", "olvasta már", "ezt is ajánljuk", "ajánlott", "kapcsolódó", "további cikkek", "bővebben:",
    "czytaj więcej", "czytaj też", "czytaj także", "czytaj również", "zobacz też", "zobacz także", "zobacz również", "polecamy",
    "čtěte také", "přečtěte si", "související", "čítajte aj", "čítajte tiež", "prečítajte si", "pročitajte", "pročitaj i", "preberite tudi",
    # Danish, Swedish, Norwegian, Finnish, Estonian
    "læs også", "læs mere", "se også", "se även", "katso myös",
    "läs även", "läs också", "läs mer", "les også", "les mer", "lue myös", "lue lisää", "loe ka", "loe veel",
    # Russian, Ukrainian, Bulgarian, Greek, Turkish
    "читайте также", "читать также", "смотрите также", "по теме", "читайте також", "дивіться також", "прочетете още", "вижте още",
    "διαβάστε επίσης", "διαβάστε ακόμη", "δείτε επίσης", "ayrıca okuyun", "ilgili haber", "bunları da",
    # Indonesian, Vietnamese, Hindi, Arabic, Japanese, Chinese
    "baca juga", "simak juga", "xem thêm", "đọc thêm", "यह भी पढ़ें", "ये भी पढ़ें", "اقرأ أيضا", "إقرأ أيضا",
    "関連記事", "あわせて読みたい", "相关阅读", "延伸閱讀",
)
_SIGNS_OF_OTHERS = frozenset((
    # English
    "related", "related articles", "related posts", "related stories", "related content", "related news", "related pages", "more stories",
    "more articles", "more news", "similar articles", "similar posts", "you might also like", "you may also like", "recommended",
    "read next",
    # German, Dutch
    "ähnliche artikel", "ähnliche beiträge", "verwandte artikel", "verwandte beiträge", "verwandte themen", "weitere artikel",
    "weitere beiträge", "mehr zum thema", "auch interessant", "das könnte sie auch interessieren", "gerelateerd",
    "gerelateerde artikelen", "meer artikelen", "lees ook",
    # Swedish, Norwegian, Danish, Finnish
    "relaterat", "relaterade artiklar", "relaterade inlägg", "fler artiklar", "läs även", "läs också", "läs mer", "relaterte artikler",
    "relaterte saker", "les også", "relaterede artikler", "relateret", "læs også", "aiheeseen liittyvää", "lue myös",
    # French, Spanish, Catalan, Portuguese, Italian, Romanian
    "articles similaires", "articles liés", "articles connexes", "à lire aussi", "sur le même sujet", "artículos relacionados",
    "noticias relacionadas", "entradas relacionadas", "relacionados", "relacionadas", "te puede interesar", "articles relacionats",
    "artigos relacionados", "notícias relacionadas", "posts relacionados", "leia também", "veja também", "articoli correlati",
    "articoli simili", "notizie correlate", "leggi anche", "ti potrebbe interessare", "articole similare", "articole asemănătoare",
    "citește și",
    # Hungarian, Polish, Czech, Slovak, Croatian, Slovenian
    "kapcsolódó", "kapcsolódó cikkek", "kapcsolódó írások", "kapcsolódó hírek", "hasonló cikkek", "ajánlott cikkek", "további cikkek",
    "powiązane artykuły", "podobne artykuły", "zobacz także", "zobacz też", "podobné články", "související články", "čtěte také",
    "súvisiace články", "povezani članci", "slični članci", "sorodni članki",
    # Russian, Ukrainian, Bulgarian, Greek, Turkish, Japanese, Chinese
    "похожие статьи", "похожие записи", "читайте также", "по теме", "схожі статті", "читайте також", "свързани статии",
    "σχετικά άρθρα", "διαβάστε επίσης", "benzer haberler", "ilgili haberler", "ilgili yazılar", "関連記事", "相关文章", "相關文章",
))
"""Headings of boxes with teasers of other articles, and of nothing else."""
_TO_READERS = (
    "share this", "like this story", "sign up", "subscribe", "follow us", "get our newsletter", "newsletter", "iratkozz fel",
    "kövess minket", "abonnieren sie", "folgen sie uns", "abonnez-vous", "inscrivez-vous", "suscríbete", "iscriviti", "assine", "síguenos",
)
_LABELS = frozenset((
    "advertisement", "advertising", "ad", "sponsored", "anzeige", "werbung", "publicité", "publicidad", "publicidade", "pubblicità",
    "hirdetés", "reklama", "reklám", "reklam", "iklan", "annonce", "annons", "mainos", "advertentie", "publicitate", "реклама", "διαφήμιση",
    "広告", "story continues below advertisement", "article continues below advertisement", "comments", "share", "close", "back to gallery",
))
# fmt: on

_KEPT = frozenset((PagePart.BODY, PagePart.LEAD, PagePart.CAPTION, PagePart.POST))
_LARGEST: Mapping[PagePart, float] = {PagePart.COMMENTS: 0.9}
"""Share of the running text that an element may hold and still be furniture: comments are often longer than what they comment on."""
_LARGEST_OF_OTHERS = 0.5
_SITE_TAGS = frozenset(("aside", "button", "dialog", "footer", "form", "nav", "select", "svg"))
_LISTS = frozenset(("article", "div", "li", "ol", "section", "table", "ul"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_TEXT = frozenset(("blockquote", "ol", "p", "pre", "table", "ul"))
"""What an article's text is written in, beside headings."""
_UNNAMED = frozenset(("pre", "th", "tr"))
"""What code, a row or a cell of a heading is called says how it looks."""
_OF_LINKS = frozenset((PagePart.RELATED, PagePart.SHARE))
"""Parts that are made of links or buttons: running text, without a link where they are links, is something else."""
_TOLD_BY_NAME = frozenset((PagePart.BYLINE, PagePart.HIDDEN))
"""Parts that a heading may be, too."""
_HOLDERS = frozenset(("article", "aside", "div", "figure", "header", "main", "section"))
_INLINES = ("a", "em", "i", "small", "span", "strong", "time")
_LINES = frozenset((PagePart.BYLINE, PagePart.CAPTION, PagePart.HIDDEN))
_MOST_INLINES = 3_000
_NO_CAPTIONS = _HEADINGS | {"article", "caption", "li", "ol", "pre", "td", "th", "tr", "ul"}
_LONGEST_CAPTION = 800
_LONGEST_BYLINE = 200
_RUNNING_TEXT = 100
"""Characters that no row of buttons has."""
_PARTS_OF_BOX = 4
"""Levels of a box that unfolds, each of which may be named after it: `modal`, `modal-dialog`, `modal-content`, `modal-body`."""
_MOST_EMPTY = 5
"""Elements without text that are passed over in search of the one before or behind."""
_LINKS_OF_DOUBTFUL = 0.5
_LINKS_OF_LIST = 0.7
_SHORTEST_LIST = 30
_SLUG, _FIRST_TEXTS = 4, 8
"""Words of an id that are compared with the text, and stretches of that which are looked at."""
_LONGEST_LABEL = 45
_LONGEST_BOX = 600
_LINKS_OF_BOX = 0.2
_RELATED = "related articles"
_LARGEST_SIGNED = 5_000
"""Characters of a box of teasers under their sign; what is longer is a text with a heading that says the same."""
_FEWEST_OWN_WORDS = 2
"""Words behind "see also" and the like, beside the link, that make a sentence of what would be a sign."""


def _is_sentence(paragraph: Element) -> bool:
    """Whether a paragraph without a name goes on behind its sign, without a colon, around its link, and ends with a stop behind it."""
    before, children = " ".join((paragraph.text or "").casefold().split()), len(paragraph)
    if not children or ":" in before or paragraph.keys():
        return False
    sign = max((one for one in _TO_OTHER_ARTICLES if before.startswith(one)), key=len, default=before)
    behind = (paragraph[-1].tail or "").rstrip()
    return len(f"{before[len(sign) :]} {behind}".split()) >= _FEWEST_OWN_WORDS and behind.endswith((".", "!", "?"))


def leads_away(beginning: str) -> str | None:
    """What a box or a linked line is that begins so; None if that says nothing."""
    text = " ".join(beginning.casefold().split()).lstrip("»>▶►●•+-–—→↳👉*[( ")
    if text.startswith(_TO_OTHER_ARTICLES):
        return _RELATED
    return "request to the reader" if text.startswith(_TO_READERS) else None


def is_slug(id: str, text: str) -> bool:
    """Whether an id of several words was made of the first words of a text, as wikis and makers of static sites do."""
    words = [word for word in re.split(r"[\W_]+", id.casefold()) if len(word) > 1]
    said = "".join(filter(str.isalnum, text.casefold()))
    return len(words) > 1 and "".join(words[:_SLUG]) in said


def is_label(text: str) -> bool:
    """Whether a line is nothing but a sign such as "Advertisement"."""
    return " ".join(text.casefold().split()).strip(" :·.-–—[]()") in _LABELS


def _sign_in(opening: str) -> str:
    return " ".join(opening.casefold().split()).rstrip(":")


def _stands_alone(element: Element) -> bool:
    """Whether an element meant for a part of a line is a line: neither in a paragraph nor beside text."""
    parent, before = element.getparent(), element.getprevious()
    beside = parent.text if before is None and parent is not None else before.tail if before is not None else None
    return parent is not None and parent.tag in _HOLDERS and not (beside or "").strip() and not (element.tail or "").strip()


class Furniture:
    """Judges the blocks of a page by their names and by what they hold of it."""

    LINKS = "nothing but links"

    def __init__(self, blocks: PageBlocks, prose: list[float]) -> None:
        """`prose` says how much running text each row and all below it hold."""
        self._blocks = blocks
        self._prose = prose
        self._characters = blocks.summed(blocks.flow)
        self._links = blocks.summed(blocks.linked)
        forms = [self._characters[row] if tag == "form" else 0 for row, tag in enumerate(blocks.tags)]
        self._in_forms = blocks.summed(forms)
        self._openings = _all_openings(blocks)
        self._hidden = HiddenElements(blocks.elements[0])
        self._more_text_than_links = self._balance_of_lists()

    def _is_signed_list(self, row: int) -> bool:
        """Whether it begins with a heading that is a sign of other articles, and nothing more, and holds a linked heading behind it."""
        sign = _sign_in(self._openings.get(row, "")) if self._blocks.tags[row] in _LISTS else ""
        if sign not in _SIGNS_OF_OTHERS or self._characters[row] > _LARGEST_SIGNED:
            return False
        headings = [one for one in self._blocks.below(row) if self._blocks.tags[one] in _HEADINGS and self._characters[one]]
        return len(headings) > 1 and not self._links[headings[0]] and any(map(self._is_links, headings[1:]))

    def is_sign_of_others(self, row: int) -> bool:
        """Whether it is a heading that says that other articles follow, and nothing else."""
        return self._blocks.tags[row] in _HEADINGS and _sign_in(self._openings.get(row, "")) in _SIGNS_OF_OTHERS

    def reason(self, row: int, whole: int = 0) -> str | None:
        """Why a block is no part of the article, which is somewhere in the row `whole`; None if it may be one."""
        if not self._characters[row]:
            return None
        if self._is_signed_list(row):
            return _RELATED
        return self._by_names(row, whole) or self._by_tag(row, whole) or self._by_links(row, whole)

    def is_beside(self, row: int) -> bool:
        """Whether names, tag or style of a block, which may have no text, say that it is no part of the article."""
        role = self._blocks.roles[row]
        named = role is not None and role.certain and role.part not in _KEPT
        return named or self._blocks.tags[row] in _SITE_TAGS or self._hidden.holds(self._blocks.elements[row])

    def characters(self, row: int) -> int:
        """Of the text in a row and all below it."""
        return int(self._characters[row])

    def is_mostly_links(self, row: int) -> bool:
        """Whether more than half of the text in a row that is no item of a list of text is links."""
        return self._links[row] > _LINKS_OF_DOUBTFUL * self._characters[row] and not self._is_among_text(row)

    def captions(self) -> Iterator[tuple[Element, str]]:
        """What is a caption by its name, short and without more than text; with the picture in it, it is a figure."""
        for row, role in enumerate(self._blocks.roles):
            if role is not None and role.part is PagePart.CAPTION and 0 < self._characters[row] <= _LONGEST_CAPTION:
                element = self._blocks.elements[row]
                if element.tag not in _NO_CAPTIONS and next(element.iter(*_HEADINGS, "table", "ul", "ol"), None) is None:
                    yield element, "caption" if next(element.iter(*VOID_MEDIA, "picture"), None) is None else "figure"

    def lines(self, root: int) -> dict[Element, PagePart]:
        """Captions, bylines, links of the site, and what is hidden, that stand by themselves in elements meant for parts of a line."""
        found = {}
        for element in islice(self._blocks.elements[root].iter(*_INLINES), _MOST_INLINES):
            part = self._part_of_line(element)
            if part is not None and _stands_alone(element):
                found[element] = part
        return found

    def _part_of_line(self, element: Element) -> PagePart | None:
        if element.tag == "a" and (part := part_of_link(element)) is not None:
            return part if short_text(element, _LONGEST_LABEL) is not None else None
        classes = element.get("class")
        if classes is None and element.get("style") is None:
            return None
        if self._hidden.holds(element):
            return PagePart.HIDDEN
        role = role_of(classes, None)
        if role is None or role.part not in _LINES or short_text(element, _LONGEST_BYLINE) is None:
            return None
        return role.part

    def reason_inside(self, row: int, whole: int) -> str | None:
        """The same for what is inside the article, where hidden boxes and the words of lines count, too."""
        return self.reason(row, whole) or self.reason_by_words(row) or self._by_style(row, whole)

    def _by_style(self, row: int, whole: int) -> str | None:
        told = self._characters[row] and self._hidden.holds(self._blocks.elements[row]) and self._blocks.tags[row] not in _UNNAMED
        return str(PagePart.HIDDEN) if told and self._prose[row] < _LARGEST_OF_OTHERS * self._prose[whole] else None

    def _by_names(self, row: int, whole: int) -> str | None:
        role = self._blocks.roles[row]
        if role is None or role.part in _KEPT:
            return None
        if role.part is PagePart.BYLINE:
            told = self._characters[row] <= _LONGEST_BYLINE
        elif role.certain:
            told = self._prose[row] < _LARGEST.get(role.part, _LARGEST_OF_OTHERS) * self._prose[whole]
        else:
            told = self._links[row] > _LINKS_OF_DOUBTFUL * self._characters[row]
        return str(role.part) if told and not self._is_text_whatever_its_name(row, whole, role) else None

    def _is_text_whatever_its_name(self, row: int, whole: int, role: Role) -> bool:
        """A heading in front of text; a section whose id is made of its own words; running text where a name allows none."""
        tag = self._blocks.tags[row]
        if role.part in _TOLD_BY_NAME:
            return False
        if role.part is PagePart.NOTICE and whole and self._is_opened(row):
            return True  # a click in the text shows it
        has_links = role.part is PagePart.RELATED and self._links[row] > 0
        runs = self._prose[row] > max(self._characters[row] / 2, _RUNNING_TEXT)
        if tag in _UNNAMED or (runs and role.part in _OF_LINKS and not has_links):
            return True
        if tag in _HEADINGS:
            return self._links[row] <= _LINKS_OF_DOUBTFUL * self._characters[row] and self._is_text(self._next(row), whole)
        return self._prose[row] > self._links[row] and self._is_named_by_its_text(row)

    def _is_opened(self, row: int) -> bool:
        """Whether something on the page opens it, or the box that it is a part of."""
        element = self._blocks.elements[row]
        return any(map(self._hidden.is_opened, (element, *islice(element.iterancestors(), _PARTS_OF_BOX))))

    def _is_text(self, row: int | None, whole: int) -> bool:
        return row is not None and self._blocks.tags[row] in _TEXT and self.reason(row, whole) is None

    def _is_named_by_its_text(self, row: int) -> bool:
        """Whether nothing but an id tells the role, and that is the slug of the first words; those of related articles are a sign."""
        element = self._blocks.elements[row]
        id = element.get("id")
        if id is None or role_of(element.get("class"), None) is not None:
            return False
        opening = "".join(map(str, islice(element.itertext(), _FIRST_TEXTS)))
        return is_slug(id, opening) and leads_away(opening) is None

    def _by_tag(self, row: int, whole: int) -> str | None:
        tag = "form" if self._is_label_of_form(row) else self._blocks.tags[row]
        told = tag in _SITE_TAGS and self._prose[row] < _LARGEST_OF_OTHERS * self._prose[whole]
        return f"<{tag}>" if told and not self._is_of_text(row) else None

    def _is_label_of_form(self, row: int) -> bool:
        """Whether it is a box with a form, and but a few words beside it: "Not rated yet", and a form to rate it."""
        beside = self._characters[row] - self._in_forms[row]
        return self._in_forms[row] > 0 and self._blocks.tags[row] in _HOLDERS and beside <= _LONGEST_LABEL

    def _is_of_text(self, row: int) -> bool:
        """Whether an element that is mostly the site's is the article's: the source of a quotation, or what unfolds a text."""
        tag, parent = self._blocks.tags[row], self._blocks.parents[row]
        if tag == "footer":
            return self._blocks.tags[parent] == "blockquote"
        return tag == "button" and self._blocks.tags[parent] in _HEADINGS

    def _by_links(self, row: int, whole: int) -> str | None:
        told = (
            self._blocks.tags[row] in _LISTS
            and self._characters[row] > _SHORTEST_LIST
            and self._is_links(row)
            and self._prose[row] < _LARGEST_OF_OTHERS * self._prose[whole]
            and not self._is_among_text(row)
            and not self._is_announced(row)
        )
        return self.LINKS if told else None

    def _is_links(self, row: int) -> bool:
        return self._links[row] > _LINKS_OF_LIST * self._characters[row]

    def _is_among_text(self, row: int) -> bool:
        """Whether it is an item of a list of which at least half is text: there a link is an item like the others."""
        return self._blocks.tags[row] == "li" and self._more_text_than_links[self._blocks.parents[row]] >= 0

    def _is_announced(self, row: int) -> bool:
        """Whether it is a list that belongs to an item of another one, or follows a colon and is followed by text."""
        blocks = self._blocks
        if blocks.tags[row] not in ("ol", "ul"):
            return False
        if blocks.tags[blocks.parents[row]] == "li":
            return True
        before = self._previous(row)
        if before is None or blocks.tags[before] != "p" or self._next(row) is None:
            return False
        text = element_text(blocks.elements[before]).rstrip()
        return text.endswith((":", "：")) and leads_away(text) is None

    def _next(self, row: int) -> int | None:
        """The next element with text beside this one."""
        parents, ends = self._blocks.parents, self._blocks.ends
        parent, behind = parents[row], ends[row]
        for _ in range(_MOST_EMPTY):
            if behind >= len(parents) or parents[behind] != parent:
                return None
            if self._characters[behind]:
                return behind
            behind = ends[behind]
        return None

    def _previous(self, row: int) -> int | None:
        parents = self._blocks.parents
        parent = parents[row]
        before = row
        for _ in range(_MOST_EMPTY):
            before -= 1
            while before > parent and parents[before] != parent:
                before = parents[before]
            if before <= parent:
                return None
            if self._characters[before]:
                return before
        return None

    def _balance_of_lists(self) -> Counter[int]:
        """For each list how many more items of text than links it has."""
        balance: Counter[int] = Counter()
        for row, tag in enumerate(self._blocks.tags):
            if tag == "li" and self._characters[row]:
                balance[self._blocks.parents[row]] += -1 if self._is_links(row) else 1
        return balance

    def reason_by_words(self, row: int) -> str | None:
        """The same by how its text begins; asked only of what is inside the article."""
        characters, links, opening = self._characters[row], self._links[row], self._openings.get(row)
        if opening is None:
            return None
        if not links:
            if characters <= _LONGEST_LABEL and characters == len(opening.strip()) and is_label(opening):
                return "label"
            return None
        why = leads_away(opening) if characters <= _LONGEST_BOX and links > _LINKS_OF_BOX * characters else None
        return None if why == _RELATED and self._is_said_among_text(row) else why

    def _is_said_among_text(self, row: int) -> bool:
        """Whether it is a sentence beside the article's; in a list of links it would be their sign."""
        beside = self._prose[self._blocks.parents[row]] - self._prose[row]
        return self._blocks.tags[row] == "p" and beside >= _RUNNING_TEXT and _is_sentence(self._blocks.elements[row])


def _all_openings(blocks: PageBlocks) -> dict[int, str]:
    """A block without text of its own begins as the first block in it that has some."""
    openings = dict(blocks.openings)
    for row in range(len(blocks) - 1, 0, -1):
        parent = blocks.parents[row]
        if row in openings and parent not in blocks.openings:
            openings[parent] = openings[row]
    return openings
