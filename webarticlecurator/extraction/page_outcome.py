"""Is what was read an article: or a listing, the teaser before a paywall, a page that says that it is not there, nothing at all?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from webarticlecurator.amounts import amount
from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.model.article import Block, Post, first_value, plain_text
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import NOT_THERE, PageOutcome
from webarticlecurator.model.page import LINE, Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import HEADINGS, squeeze
from webarticlecurator.urls import any_spelling, bare_host, join, normalise, same_page, split, without_fragment
from webarticlecurator.word_lists import read_word_lists

_GATE = linear(
    r"(?<!no-)(?<!without-)(?:pay-?wall|reg-?wall|piano-(?:offer|container|inline)|tp-container-inner|subscribers?-only|content-gate|article-gate|"
    r"premium-(?:gate|wall|lock|overlay)|locked-content|paid-content|subscription-(?:gate|wall|offer)|betal(?:nings)?-?(?:v[aä]gg|vegg|mur)|"
    r"betaalmuur|bezahlschranke|fizet[oő]fal|maksumuuri|mur-?(?:de-?)?paiement|mur-?payant|muro-?(?:de-?)?pago)",
    re.IGNORECASE,
)
_OFFER = linear(
    r"(?<![a-z])(?:abo|abonn\w*|abon[ae]\w*|assin(?:e|a[nr])\w*|odber\w*|premium|prenumer\w*|predplat\w*|pretplat\w*|subscri(?:be|ption)\w*|"
    r"subskry\w*|suscri\w*|elofizet\w*|tilaa\w*)(?![a-z])",
    re.IGNORECASE,
)
"""Said of much on a page; of what stands behind a text that breaks off, it is a gate."""
_GATES_OF_SOFTWARE = frozenset({"gh-post-upgrade-cta"})
"""Classes of `aside`, each of which one software gives to what it puts in place of the rest of a text, and to nothing else (Ghost)."""
_WHOLE_SENTENCE = linear(r"""[.!?:;。！？।۔)][\W\d]*$""")
_BREAKS_OFF = linear(r"(?:…|\.\.\.|\[…\])\W*$")


_SAW_ALL, _SAW_TEASER = ("access as observed: full text",), ("access as observed: teaser only",)


def judge(
    page: Page, container: Container | None, blocks: Sequence[Block], posts: Sequence[Post], metadata: Metadata, home: str, length: int
) -> tuple[PageOutcome, str, tuple[str, ...]]:
    """The outcome of a page that could be read, why, and what we saw of the text, where there is anything to say about access.

    That is ours to say, and no field of the publisher's. `length`: of all text, posts included, but no comments.
    """
    if not posts and (title := _says_not_there(page, metadata, length)):
        return PageOutcome.NOT_ARTICLE, f"{NOT_THERE}: “{title}”", ()
    if not posts and (listing := _why_listing(page, container, metadata, home=home)):
        return PageOutcome.LISTING, listing, ()
    asides = page.outline.rows("aside")
    around = _around(page, container) if asides else ()
    names = " ".join(page.outline.elements[row].get("class") or "" for row in asides if row in around).split()
    if gate := next((f"aside.{name}" for name in names if name in _GATES_OF_SOFTWARE), None):
        return PageOutcome.PAYWALL, f"the text ends at a gate ({gate}) after {length} characters", _SAW_TEASER
    if not length and not any(_shows(block) for block in blocks):
        missing = (
            "no container of an article's text was found on the page" if page.tree is not None else "body.root finds nothing in the JSON"
        )
        return PageOutcome.EMPTY, f"there is no text in it (container by {container.how})" if container is not None else missing, ()
    declared = first_value(metadata, "isAccessibleForFree")
    if declared == "false" and length >= 1_500:  # no teaser is longer
        return PageOutcome.ARTICLE, "", _SAW_ALL
    if declared != "false" and (declared or length >= 1_000):  # nor one of which nothing is declared
        return PageOutcome.ARTICLE, "", ()
    gate = _gate(page, container, _GATE)
    if gate is None and not posts:  # does the last paragraph break off?
        last = next((plain_text(block).rstrip() for block in reversed(blocks) if block.type == "paragraph"), "")
        if last and (_BREAKS_OFF.search(last) is not None or _WHOLE_SENTENCE.search(last) is None):
            gate = _gate(page, container, _OFFER)
    if not declared and gate is None:
        return PageOutcome.ARTICLE, "", ()
    said = "declared not free" if declared else "declared nothing about access"
    seen = f"and there is a gate ({gate})" if gate else "and no gate was recognised"
    return PageOutcome.PAYWALL, f"{said}; observed {length} characters of text, {seen}", _SAW_TEASER


def _shows(block: Block) -> bool:
    """A gallery without captions is an article, too."""
    return block.type in ("figure", "gallery", "embed", "social") or any(
        isinstance(child, Block) and _shows(child) for child in block.children
    )


def _around(page: Page, container: Container | None) -> range:
    """The rows of the elements around, in and behind the text."""
    last = page.outline.row_of.get(container.elements[-1]) if container is not None else None
    whole = max(page.outline.parents[last], 0) if last is not None else None
    return range(whole, page.outline.ends[whole]) if whole is not None else range(0)


def _gate(page: Page, container: Container | None, names: re.Pattern[str]) -> str | None:
    """The name of what stands in or behind the text and asks for money."""
    outline = page.outline
    for row in _around(page, container):
        tag, element = outline.tags[row], outline.elements[row]
        gate = names.search(f"{element.get('class') or ''} {element.get('id') or ''}") if tag not in ("body", "html") else None
        if gate is not None and outline.length(row) >= 20:
            return f"{tag}.{gate[0]}"
    return None


_ADDRESS = linear(r"/404(?:\.[a-z]{3,5}|/)?$")
_PHRASES = "|".join(Path(__file__).with_name("not_there_words.txt").read_text(encoding="utf-8").splitlines()[1:])
_BEFORE = r"(error|fehler|erreur|errore|erro|hiba|błąd|chyba|fout|fel|feil|fejl|virhe|eroare|greška|ошибка|http|oops|sorry|whoops)"
_SAYS_SO = linear_at(rf"({_BEFORE}\W+)*(404( {_BEFORE})?|(404\W+)?({_PHRASES})(\W+404)?)")
"""What a whole title says, lower case, without the site's name and marks around it."""


_A_SENTENCE = 200


def _says_not_there(page: Page, metadata: Metadata, length: int) -> str | None:
    """The title by which the page says it, though the server answered as if it were there. One with a date of its own, or with a text, is
    an article, whatever it is called; software that dates all of its pages calls this one 404."""
    # beside a sentence a rule may find the date of another article, in a box
    of_others = ("listing:", "url", "metadata.") if length <= _A_SENTENCE else ("listing:", "url")
    dated = any(not date.source.startswith(of_others) for date in metadata.get("datePublished", ()))
    if (dated and not _ADDRESS.search(page.url)) or length > 800:  # such a page says what to do instead, and not much
        return None
    rows = (*page.outline.rows("title"), *page.outline.rows("h1"))[:3]
    titles = [squeeze(page.outline.text(row)) for row in rows]
    parts = (part for title in titles for part in (title, *linear(r"(?<!\s)\s+[|–—·»:-]\s+").split(title)))
    return next((part for part in parts if _SAYS_SO.fullmatch(part.casefold().strip(" .,:;!?…¡¿'\"„“”«»()[]"))), None)


# --- a listing: of teasers, products, results, whatever is shown with a link to a page of its own ---

_HEADLINE, _MOST_OF_LINE = 15, 0.7
"""Letters of a link that may be a headline, and the share of its line that it is."""
_WEAK_DATES = ("html:", "url:", "meta:dc", "meta:date")
"""Sources of dates that listings have, too: those of their teasers, or of the page as such."""
_IN_TEXT = ("html:", "microdata:", "rdfa:")
"""Sources of what may be said of any article on the page."""
_GENERAL_SOURCES = ("json-ld", "meta:", "microdata:", "rdfa:", "html:", "url:")
_WORDS = {name: frozenset(words) for name, words in read_word_lists(__file__, "listing_words.txt").items()}
LISTS, _SECTIONS, PAGING = map(_WORDS.__getitem__, ("lists", "sections", "paging"))
"""What the addresses of listings say before a name or a number; how those of sections end; parameters with a page's number."""
FURTHER_PAGE = r"/(?:index|lap|oldal|page|pagina|seite|sida|side|strana)[/-]?\d+(?:\.html?|/)?$"
"""The address of a list's next page, in a regular expression."""
_OF_LIST = linear(rf"{FURTHER_PAGE}|/(?:19|20)\d\d(?:/\d\d?){{1,2}}/?(?:index\.[a-z]{{3,5}})?$|/(?:{'|'.join(LISTS)})/[^/?]+/?$")
"""The address of a list for certain, if nothing on the page is its own: a further page, a day, a month, a topic."""
_TRACKING = ("utm_", "srsltid", "gclid", "fbclid")
"""Parameters of an address that say where a visitor came from."""
_DAYS = linear_at(r"(?:19|20)\d\d(?:/\d\d?){0,2}")
_NO_LETTERS = linear(r"[\W\d_]+")
_FILE, _NUMBER = linear(r"\.[a-z]{2,5}(?:;|$)", re.IGNORECASE), linear(r"\d{3}")
_WORDS_OF_ARTICLE = 4
"""Words in the end of an address that is a headline; sections have fewer."""
_LISTING_CLASS = linear(
    r"\b(?:archives?|blog|catalog|categor(?:ia|ie|ies|y)|collections?|frontpage|home|index|kategori[ae]|list|listing|products|rovat|rubri[ck]a?|"
    r"rubrique|search|tags?|tax|taxonomy)\b"
)
_ARTICLE_CLASS = linear(r"\b(?:article|post|postid|single|singular)\b")
"""What makers of sites call the body of an article's page."""
_SURE = ("a date of publication", "og:type article")
_HARDLY_ANY, _PASSAGE, _MANY_PARAGRAPHS = 350, 500, 1_500
"""Characters of a page with next to no text, of text that hangs together, and of an article's."""
_SURELY_ARTICLE, _FEWEST_POINTS, _PLAIN = -6, 2, 3
"""Points that leave no doubt, that what is seen must have at least, and of an address or a name of a listing."""
_SEVERAL, _MANY, _HARDLY_OWN = 6, 20, 0.035
"""Teasers of a listing; of one that is a listing whatever it says; and the share of a page's text that is sentences, where it is lists."""
_SENTENCE, _RUNNING, _LINK_IN_BOX, _FEWEST_BOXES = 40, 80, 8, 4
"""Characters of a sentence, of running text, and of the links in a box of a listing; and how many of such boxes count."""
_FEWEST_POSTS, _MOST_OF_ONE, _MOST_BEFORE, _LONGEST_BEFORE = 5, 0.8, 0.1, 500
"""Articles of a listing, the share of their text that is the longest one's, and what may stand before them, by share and in characters."""


def _why_listing(page: Page, container: Container | None, metadata: Metadata, *, home: str) -> str | None:
    """The reason to take a page for a listing; None if it may be an article."""
    if page.tree is None:
        return None
    if same_page(page.url, home):
        return "it is the portal's home page"
    if container is None or any(not date.source.startswith(_GENERAL_SOURCES) for date in metadata.get("datePublished", ())):
        return None  # the archive or a rule says when it was published
    types = {(meta.get("content") or "").lower() for meta in page.outline.named("meta") if meta.get("property") == "og:type"}
    # dates and authors beside the headlines say nothing of the page
    of_page = {name: values for name, values in metadata.items() if not (values and values[0].source.startswith(_IN_TEXT))}
    is_typed = any("article" in declared for declared in types)
    says = _statements(page, of_page, is_typed=is_typed)
    is_named_listing, furniture = max(says.values(), default=0) >= _PLAIN, container.judged
    shape = _Shape(furniture) if furniture is not None else None
    is_own = not says.keys().isdisjoint(_SURE) and shape is not None and shape.own and not is_named_listing
    if not (is_own or _is_beyond_doubt(says)) and (count := _posts(page, container, metadata)):
        return f"its text is {amount(count, 'article')}, and the headline of each leads to a page of its own"
    says = _statements(page, metadata, is_typed=is_typed)
    is_article, is_surely_article = not says.keys().isdisjoint((*_SURE, "the address of an article")), _is_beyond_doubt(says)
    if shape is None and (is_article or is_surely_article):
        return None
    teasers = _Teasers(page, furniture.blocks if furniture is not None else PageBlocks(page.outline), container)
    if shape is not None and shape.lines_of_links >= 10 and shape.own <= _HARDLY_OWN * shape.text and shape.linked >= 0.5 * shape.text:
        return "its text is lists of links, and hardly a sentence"
    if shape is not None and teasers.pages >= _MANY and teasers.longest <= 0.1 * teasers.text and shape.largest < _MANY_PARAGRAPHS / 2:
        return f"its text is {teasers.pages} teasers with a link each, and nothing stands between them"
    if is_surely_article:
        return None
    # however many links stand in or behind an article, its own text hangs together; and whole posts are no teasers
    are_all_teasers = teasers.pages >= _SEVERAL and teasers.text <= 500 * teasers.pages and teasers.longest <= teasers.text / 3
    if are_all_teasers and not is_article and (shape is None or shape.largest < _MANY_PARAGRAPHS):
        return f"its text is {teasers.pages} teasers with a link each, and nothing says that it is an article"
    if shape is None or (is_article and shape.own and not is_named_listing):
        return None
    if shape.largest < _HARDLY_ANY and min(says.values(), default=0) >= 0 and any("website" in declared for declared in types):
        return "it calls itself a website, nothing says that it is an article, and no text in it hangs together"
    seen = _seen(shape, teasers)
    is_listing = sum(points for points in seen.values() if points > 0) >= _FEWEST_POINTS and sum((*says.values(), *seen.values())) >= 0
    is_short = teasers.pages < 2 and not shape.boxes and "the address of an article" in says
    if not is_listing or teasers.elsewhere > teasers.pages or is_short:
        return None
    return "more speaks for a listing than against it: " + ", ".join(name for name, points in (says | seen).items() if points > 0)


# --- signs, with their points for a listing, or against it ---


def _statements(page: Page, metadata: Metadata, *, is_typed: bool) -> dict[str, int]:
    """What a page says of itself. A date that may be that of a teaser says nothing."""
    segments = [unquote(segment).strip().lower() for segment in split(page.url).path.split("/") if segment]
    named, dates = _names_article(page.url, segments), metadata.get("datePublished", ())
    body = page.outline.elements[next(iter(page.outline.rows("body")), 0)]
    body_class = linear("[-_]").sub(" ", f"{body.get('class') or ''} {body.get('id') or ''}".lower())
    statements = (
        ("a date of publication", -2, bool(dates) and not dates[0].source.startswith(_WEAK_DATES)),
        ("an article in JSON-LD", -2, any(date.source.startswith("json-ld:") for date in dates)),
        ("an author", -2, "author" in metadata),
        ("og:type article", -2, is_typed),
        ("the address of an article", -2, named),
        ("the address of a host", 4, not segments and not named),
        ("the address of a section", 3, not named and not (LISTS.isdisjoint(segments) and _SECTIONS.isdisjoint(segments[-1:]))),
        ("the body of a listing", 3, _LISTING_CLASS.search(body_class) is not None and not _ARTICLE_CLASS.search(body_class)),
    )
    return {name: points for name, points, holds in statements if holds}


def _is_beyond_doubt(statements: Mapping[str, int]) -> bool:
    """Whether they say that it is an article."""
    return sum(points for points in statements.values() if points < 0) <= _SURELY_ARTICLE


def _seen(shape: _Shape, teasers: _Teasers) -> dict[str, int]:
    signs = (
        ("text that hangs together", -3, teasers.longest >= max(0.2 * teasers.text, _PASSAGE)),
        ("paragraphs in one place", -3, shape.largest >= _MANY_PARAGRAPHS / 2),
        ("many paragraphs in one place", -3, shape.largest >= _MANY_PARAGRAPHS),
        ("running text", -2, shape.running >= 0.25 * shape.text),
        ("short teasers", 3, teasers.pages >= _SEVERAL and teasers.text <= 400 * teasers.pages),
        ("many links", 2, shape.linked >= 0.3 * shape.text and (shape.lines_of_links >= 3 or shape.own < _PASSAGE)),
        ("many lines of links", 1, shape.lines_of_links >= 10),
        ("boxes of one kind", 4, shape.boxes >= 10 and shape.in_boxes >= 0.25 * shape.text),
        ("nothing but boxes of one kind", 3, shape.boxes >= 12 and shape.in_boxes >= 0.9 * shape.text and shape.own <= 0.02 * shape.text),
    )
    return {name: points for name, points, holds in signs if holds}


def _names_article(url: str, segments: list[str]) -> bool:
    """Whether an address ends like that of an article: with a file, a number, or the words of a headline."""
    for parameter in (split(url).query or "").split("&"):
        name, _, value = parameter.partition("=")
        if _NUMBER.search(value) and name.lower() not in PAGING and not name.lower().startswith(_TRACKING):
            return True
    if not segments or _DAYS.fullmatch("/".join(segments[-3:])) or not LISTS.isdisjoint(segments[:-1]):
        return False
    words = max(len(linear(r"[\W_]+").split(segment)) for segment in segments[-2:])
    return words >= _WORDS_OF_ARTICLE or _FILE.search(segments[-1]) is not None or _NUMBER.search(segments[-1]) is not None


class _Shape:
    """What a page is made of as a whole, in characters and counts of all that is no furniture; lists of links are counted with it."""

    def __init__(self, furniture: Furniture) -> None:
        blocks, out = furniture.blocks, list[bool]()
        self.text = self.linked = self.lines_of_links = 0
        self.boxes = self.in_boxes = 0
        """The boxes of one kind and one parent with a link each, where they hold the most text."""
        running, boxes, sentences = Counter[int](), dict[tuple[int, str, str], list[int]](), dict[int, int]()
        for row, (parent, tag) in enumerate(zip(blocks.parents, blocks.tags, strict=True)):
            is_site = furniture.aside[row] and furniture.reason(row) not in (None, furniture.LINKS)
            out.append((row > 0 and out[parent]) or is_site)
            if out[row] or not blocks.characters[row]:
                continue
            flow, linked = blocks.flow[row], blocks.linked[row]
            plain = flow - linked if row in blocks.has_stops else 0
            self.text += flow
            self.linked += linked
            self.lines_of_links += linked >= _HEADLINE and linked > _MOST_OF_LINE * flow
            if plain >= _SENTENCE:
                sentences[row] = plain
            if plain >= _RUNNING and linked < flow / 2:
                running[parent] += plain
            if blocks.characters[row] >= _HEADLINE and blocks.links[row] >= _LINK_IN_BOX:
                kind = parent, tag, (blocks.elements[row].get("class") or "").partition(" ")[0]
                boxes.setdefault(kind, []).append(row)
        self.running = running.total()
        self.largest = max(running.values(), default=0)
        """Running text of the paragraphs of one block, where that is most."""
        several = (rows for rows in boxes.values() if len(rows) >= _FEWEST_BOXES)
        most = max(several, key=lambda rows: sum(blocks.characters[row] for row in rows), default=[])
        if most:
            self.boxes, self.in_boxes = len(most), int(sum(blocks.characters[row] for row in most))
        inside = {row for box in most if blocks.tags[box] != "p" for row in range(box, blocks.ends[box])}
        self.own = sum(length for row, length in sentences.items() if row not in inside)
        """Sentences that stand in none of the boxes."""


class _Teasers:
    """Lines of the text that are links to other pages of the host, and the text around them."""

    def __init__(self, page: Page, blocks: PageBlocks, container: Container) -> None:
        host, addresses, stretches, self.elsewhere = bare_host(page.url), set[str](), [0], 0
        rows = (page.outline.row_of[element] for element in container.elements if element in page.outline.row_of)
        for letters, link in (line for row in rows for line in _lines(blocks, row)):
            url = join(page.base, link, encoding=page.encoding) if link else None
            if url is None or url in addresses or bare_host(url) != host or same_page(url, page.url):
                stretches[-1] += letters  # a teaser may be a link as a whole: its second line is text
                self.elsewhere += url is not None and url not in addresses
            else:
                addresses.add(url)
                stretches.append(0)
        self.pages, self.text, self.longest = len(addresses), sum(stretches), max(stretches)
        """Letters that stand in none of them, and between two of them, where they are most."""


def _lines(blocks: PageBlocks, row: int) -> Iterator[tuple[int, str]]:
    """How many letters each line has, as a browser shows it, and where it leads if it is a link that may be a headline."""
    length = linked = 0
    target = ""
    outline = blocks.outline
    for text, owner in (*((outline.strings[place], outline.owners[place]) for place in outline.strings_in(row)), (LINE, row)):
        if text == LINE:
            if length:
                yield length, target if linked >= _HEADLINE and linked > _MOST_OF_LINE * length else ""
            length = linked = 0
            target = ""
            continue
        letters, link = len(_NO_LETTERS.sub("", text)), blocks.links_around[owner]
        length += letters
        if link is not None:
            linked += letters
            target = link or target


def _posts(page: Page, container: Container, metadata: Metadata) -> int:
    """How many articles the text is, the headline of each a link to a page of its own; 0 if there is more, or one is the page's own."""
    outline, articles = page.outline, list[int]()
    own = [any_spelling(normalise(url)) for url in (page.url, page.requested_url, *(found.value for found in metadata.get("url", ())))]
    roots = [outline.row_of[element] for element in container.elements if element in outline.row_of]
    for heading in (heading for root in roots for heading in outline.rows_in(root, *HEADINGS)):
        if outline.length(heading) < _HEADLINE:
            continue
        around = [row for row in outline.around(heading) if outline.tags[row] == "a"]
        link = next((row for row in (*around, *outline.rows_in(heading, "a")) if outline.elements[row].get("href")), None)
        least = max(_HEADLINE, _MOST_OF_LINE * outline.length(heading))
        if link is None or min(outline.length(link), outline.length(heading)) < least:
            continue  # it is not this whole heading, or shorter than a headline
        url = join(page.base, outline.elements[link].get("href") or "", encoding=page.encoding)
        if url is None or bare_host(url) != bare_host(page.url):
            continue
        address = any_spelling(normalise(without_fragment(url)))
        if any(mine.startswith(address) for mine in own):  # it may be the second page of a long one
            return 0
        articles.append(heading)
    if not articles:
        return 0
    begins = [*map(outline.begins_at, (roots[0], *articles)), outline.begins_at(roots[-1]) + outline.length(roots[-1])]
    before, *lengths = (end - begin for begin, end in pairwise(begins))
    several = len(articles) >= _FEWEST_POSTS and max(lengths) <= _MOST_OF_ONE * sum(lengths)
    has_more = before > min(_MOST_BEFORE * sum(lengths), _LONGEST_BEFORE)
    return len(articles) if not has_more and (several or _OF_LIST.search(page.url)) else 0
