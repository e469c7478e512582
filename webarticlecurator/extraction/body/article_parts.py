"""What of a page is its article's beside the element that holds the text: leads and the picture above it; and what in it is not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise, takewhile

from webarticlecurator.config.article_rules import LabellerFile
from webarticlecurator.extraction.body.furniture import LONGEST_BYLINE, RELATED, Furniture, is_byline
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.targets import PICTURE_FILE, is_decoration, picture_address, picture_file
from webarticlecurator.labelling.element_names import LinkKind, PagePart, link_kind
from webarticlecurator.model.article import first_value
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS, folded, letters_of, squeeze, word_count

_PARAGRAPH, _SENTENCE = 80, 30
"""Characters of a text that is running text anyway, and of a sentence."""
_SHORTEST_HEADLINE, _LONGEST_HEADLINE = 10, 500
_LEAD, _NAMED_LEAD, _WORDS_OF_TITLE = 100, 20, 4
"""Characters of a text above the body that is its lead, and of one that says so; and words of a title below the headline."""
_NO_LEAD = frozenset(("figure", "figcaption", "form", "ol", "table", "ul"))
_SENTENCE_END = linear(r"""(?:[?!…:？！。।]|(?:[^\s\d]|\d{4})\.)["'”’»“)]*$""")
"""Not the stop of a day: `2014. 3. 31.`."""
_SIGN = linear(r"(?<![a-z])(?:author|avatar|badge|byline|gravatar|icon|logo|profile)(?![a-z])", re.IGNORECASE)
"""In the names of pictures of the site, or of those who write for it."""
_LEAST_LEFT, _SEVERAL_LISTS = 0.1, 3
"""Share of a body that is more than links, and lists of links with text behind each: where less is, or so many, it is for links."""
_ADDRESS = linear(r"e-?mail", re.IGNORECASE)
_BOXES = frozenset(("article", "aside", "div", "header", "section"))
_LITTLE = 500
"""Characters of running text beside which lists of links and cards may be what the page is for; and of a box around a form."""


def left_out_of(
    furniture: Furniture, root: int, headline: int | None, metadata: Metadata, labeller: bool | LabellerFile, *, is_of_links: bool
) -> dict[int, str]:
    """The rows below the root that are none of the article's, outermost first, each with the reason."""
    blocks, inside = furniture.blocks, _inside(furniture, root, headline, metadata)
    if labeller:
        inside = _with_doubted(blocks, root, inside, labeller)
    # lists of links and cards are none where they are what the text is about: little else is left, or text stands behind each
    left = blocks.characters[root] - sum(blocks.characters[row] for row in inside)
    text = furniture.prose[root] - sum(furniture.prose[row] for row in inside)
    has_little = text < _LITTLE and 2 * left < blocks.characters[root] and blocks.tags[root] not in ("body", "html")
    if is_of_links or has_little or left < _LEAST_LEFT * blocks.characters[root]:
        inside = {row: why for row, why in inside.items() if not furniture.is_of_links(row, why)}
    lists = [row for row, why in inside.items() if why == Furniture.LINKS and _is_list(blocks, row)]
    amid = {row for row in lists if next(blocks.behind(row), row) not in {row, *inside}}
    if len(amid) >= _SEVERAL_LISTS:
        inside = {row: why for row, why in inside.items() if row not in amid}
    inside |= dict.fromkeys(_heads_alone(furniture, inside, root), Furniture.LINKS)
    if (again := _said_again(blocks, inside, root)) is not None:
        inside[again] = "said before"
    return inside


def _is_section(furniture: Furniture, row: int) -> bool:
    """Whether what is mostly links is a box with text in it: lists of links amid text."""
    return furniture.blocks.tags[row] in _BOXES and furniture.prose[row] > _PARAGRAPH


def _is_list(blocks: PageBlocks, row: int) -> bool:
    """Whether it is a list, or a box around one, and nothing else."""
    while blocks.tags[row] == "div" and len(inner := [box for box in blocks.inside(row) if blocks.characters[box]]) == 1:
        row = inner[0]
    return blocks.tags[row] in ("ol", "ul")


def _heads_alone(furniture: Furniture, inside: Mapping[int, str], root: int) -> Iterator[int]:
    """Headings of which nothing is left: what stands below them, up to the next heading, is furniture."""
    blocks = furniture.blocks
    for row, why in inside.items():
        head = blocks.before(row) if why in (Furniture.LINKS, RELATED) else None
        if head is None or head <= root or blocks.tags[head] not in HEADINGS or head in inside:
            continue
        left = next((other for other in blocks.behind(row) if other not in inside), None)
        if left is None or (blocks.tags[left] in HEADINGS and blocks.tags[left] <= blocks.tags[head]):
            yield head


def outermost(blocks: PageBlocks, whole: int, reason: Callable[[int], str | None]) -> dict[int, str]:
    """The rows below a row that have a reason to go, the outermost alone."""
    left_out, behind = dict[int, str](), 0
    for row in blocks.below(whole):
        if row >= behind and (why := reason(row)) is not None:
            left_out[row], behind = why, blocks.ends[row]
    return left_out


def _inside(furniture: Furniture, root: int, headline: int | None, metadata: Metadata) -> dict[int, str]:
    """The furniture below the root, outermost first; what JSON-LD has of the article is none. No box is said twice."""
    blocks = furniture.blocks
    known = blocks.summed([blocks.known.get(row, 0) for row in range(len(blocks))]) if blocks.known else [0.0] * len(blocks)
    # what boxes hold that may be said twice, as numbers; short ones say the same by chance, and one in one that says no more is none
    lines = blocks.summed([flow > 0 for flow in blocks.flow])
    boxes: dict[int, tuple[float, ...]] = {
        row: (blocks.characters[row], blocks.links[row])
        for row in blocks.below(root)
        if blocks.tags[row] in _BOXES
        and lines[row] >= 3
        and blocks.characters[row] - blocks.links[row] >= 100
        and blocks.characters[row] != blocks.characters[blocks.parents[row]]
        and not blocks.outline.rows_in(blocks.rows[row], "pre")
    }
    alike, said, has_begun = Counter(boxes.values()), set[str](), False
    authors = [author.value for author in metadata.get("author", ())]
    dates = [squeeze(day.written) for name in ("datePublished", "dateModified") for day in metadata.get(name, ()) if day.written]
    topics = frozenset(folded(topic.value) for topic in metadata.get("keywords", ()))
    around_fields = frozenset(_around_fields(furniture, root))

    def reason(row: int) -> str | None:
        nonlocal has_begun
        why = "headline" if row == headline else furniture.reason_inside(row, root)
        if why is None and not has_begun and 0 < blocks.characters[row] <= LONGEST_BYLINE:
            why = "byline" if is_byline(blocks.elements[row], authors, dates) else None
        if why is None and blocks.links[row] and blocks.characters[row] - blocks.links[row] <= 20:  # "Filed under:"
            why = _of_links(blocks, row, topics)
        why = str(PagePart.NEWSLETTER) if why is None and row in around_fields else why
        has_begun = has_begun or (why is None and blocks.plain[row] >= _PARAGRAPH and not blocks.is_part(row, PagePart.LEAD))
        if why == Furniture.LINKS and _is_section(furniture, row):
            why = None
        if why is not None and not known[row]:
            return why
        if alike[boxes.get(row, ())] > 1:
            text = squeeze(blocks.text(row))
            if text in said and all(blocks.tags[above] != "li" for above in blocks.above(row)):
                return "said before"
            said.add(text)
        return None

    return outermost(blocks, root, reason)


def _around_fields(furniture: Furniture, root: int) -> Iterator[int]:
    """The largest boxes of little text around fields for a reader's address: whoever asks for one has something to send."""
    blocks, outline = furniture.blocks, furniture.blocks.outline
    for field in outline.rows_in(blocks.rows[root], "input"):
        element = outline.elements[field]
        if element.get("type") not in ("email", "tel") and _ADDRESS.search(f"{element.get('name')} {element.get('placeholder')}") is None:
            continue
        box, largest = next(row for around in outline.around(field) if (row := blocks.of[around]) >= 0), root
        while box > root and blocks.characters[box] <= _LITTLE and 2 * furniture.prose[box] <= furniture.prose[root]:
            box, largest = blocks.parents[box], box
        if largest > root:
            yield largest


def _of_links(blocks: PageBlocks, row: int, topics: Collection[str]) -> str | None:
    """What a block is that has hardly any text beside links: a button, all of it in a link, or the topics of the article."""
    outline = blocks.outline
    links = outline.rows_in(blocks.rows[row], "a")
    if not links:
        is_button = blocks.tags[row] not in HEADINGS and blocks.characters[row] <= 30  # "Check price at ..."
        return Furniture.LINKS if is_button else None
    says_topics = all(folded(outline.short_text(link, LONGEST_BYLINE) or "") in topics for link in links)
    anchors = [outline.elements[link] for link in links] if says_topics else []
    is_of_topics = all("tag" in (each.get("rel") or "").split() or link_kind(each.get("href") or "") is LinkKind.TOPIC for each in anchors)
    return str(PagePart.TOPICS) if says_topics and is_of_topics else None


def _said_again(blocks: PageBlocks, inside: Collection[int], root: int) -> int | None:
    """The one long paragraph that says all others once more."""
    longest = max(blocks.below(root), key=blocks.flow.__getitem__, default=root)
    if blocks.tags[longest] != "p" or blocks.flow[longest] < _LITTLE or 3 * blocks.flow[longest] < blocks.characters[root]:
        return None
    others, behind = list[str](), 0
    for row in blocks.below(root):
        if row >= behind and (row in inside or row == longest):
            behind = blocks.ends[row]
        elif row >= behind and blocks.tags[row] == "p":
            others.append(letters_of(blocks.text(row)))
    said, again = "".join(others), letters_of(blocks.text(longest))
    return longest if 2 * len(said) > len(again) and said in again else None


# --- what the general labeller says, where a portal asks it: it decides nothing alone ---

_DOUBTFUL, _AGREED = 0.1, 0.6
"""A block is furniture if no text in it is taken for main text by more than this, as long as so much of the body is: else labeller and
finder mean different things."""


def _with_doubted(blocks: PageBlocks, root: int, inside: dict[int, str], labeller: bool | LabellerFile) -> dict[int, str]:
    """The same furniture with the outermost blocks of which no text is taken for main text."""
    # numpy is loaded only where this is wanted
    from webarticlecurator.labelling.labeller import GENERAL, labeller_in
    from webarticlecurator.labelling.text_blocks import text_blocks

    texts = text_blocks(blocks.elements[0])
    shares = labeller_in(labeller.path if isinstance(labeller, LabellerFile) else GENERAL).shares(texts)
    rows = {element: row for row, element in enumerate(blocks.elements)}
    main, characters, surest = [0.0] * len(blocks), [0] * len(blocks), [-1.0] * len(blocks)
    for text, share in zip(texts, shares or (), strict=False):
        if (row := rows.get(text.element)) is not None:
            main[row] += share * len(text.text)
            characters[row] += len(text.text)
            surest[row] = max(surest[row], share)
    for row in range(len(blocks) - 1, 0, -1):
        surest[blocks.parents[row]] = max(surest[blocks.parents[row]], surest[row])
    if blocks.summed(main)[root] < _AGREED * max(blocks.summed(characters)[root], 1):
        return inside
    why = "no main text, says the labeller"
    return outermost(blocks, root, lambda row: inside.get(row) or (why if 0 <= surest[row] < _DOUBTFUL else None))


def leads_of(furniture: Furniture, root: int, headline: int | None, metadata: Metadata, inside: Collection[int]) -> list[int]:
    """The rows above the root that are of the article: leads with which it does not begin, and its picture."""
    blocks, leads = furniture.blocks, _leads_above(furniture, headline, root, letters_of(first_value(metadata, "description")))
    if leads:
        said = [letters_of(blocks.text(lead)) for lead in leads]
        longest, outline, begin = max(map(len, said)), blocks.outline, ""
        left_out = {blocks.rows[row] for row in inside}
        for place in outline.strings_in(blocks.rows[root]):
            if len(begin) >= longest:
                break
            owner = outline.owners[place]
            if left_out.isdisjoint((owner, *outline.around(owner))):
                begin += letters_of(outline.strings[place])
        leads = [lead for lead, text in zip(leads, said, strict=True) if not begin.startswith(text)]
        authors = [author.value for author in metadata.get("author", ())]
        leads = [lead for lead in leads if not _is_about(squeeze(blocks.text(lead)), authors)]
    picture = _lead_picture(furniture, headline, root, first_value(metadata, "image")) if headline is not None else None
    return leads if picture is None or not blocks.above(picture).isdisjoint(leads) else sorted((*leads, picture))


def _is_about(text: str, authors: Collection[str]) -> bool:
    """Whether a text begins with the name of somebody who wrote the article: "Jane Roe is ...", "Jane has ...". A name of one word or of
    many is that of a company, and its first word may be an article."""
    names = (words for words in map(str.split, authors) if len(words) in (2, 3) and len(words[0]) > 3)
    return any(text.startswith((f"{words[0]} ", f"{' '.join(words)} ")) for words in names)


def headline_row(blocks: PageBlocks, headline: str) -> int | None:
    """The heading that says what the metadata say, else the only `h1`."""
    wanted = letters_of(headline)
    is_short = 0 < len(wanted) <= _SHORTEST_HEADLINE
    alone: list[int] = []
    for outlined in blocks.outline.rows("h1", "h2", "h3"):
        row = blocks.of[outlined]
        if row < 0:
            continue
        text = letters_of(blocks.outline.short_text(outlined, _LONGEST_HEADLINE) or "")
        if is_short and text == wanted:
            if 2 * sum(blocks.plain[row + 1 :]) > sum(blocks.plain):  # a heading of one word can be that of a box beside the article
                return row
            is_short = False  # the next ones stand even farther down
        if len(text) > _SHORTEST_HEADLINE:
            if wanted.startswith(text):
                return row
            if blocks.tags[row] == "h1":
                alone.append(row)
    return alone[0] if len(alone) == 1 else None


def _leads_above(furniture: Furniture, headline: int | None, root: int, description: str) -> list[int]:
    """The rows of leads, and of what stands between two of them in the same block: their headings and lists."""
    blocks, around, leads = furniture.blocks, furniture.blocks.above(root), list[int]()
    # running text between headline and body, or what the page's description begins with; where no headline was found, only a long one
    behind_lead = behind = behind_named = 0
    for row in range(0 if headline is None else headline + 1, root):
        if row in around or row < behind_lead:
            continue
        if headline is not None and _is_lead_in_points(furniture, row) and not furniture.reason_inside(row, root):
            behind_lead = blocks.ends[row]  # it may stand in a box of a misleading name
            leads.append(row)
            continue
        if row < behind:
            continue
        is_named, plain = blocks.is_part(row, PagePart.LEAD), blocks.plain[row]
        if blocks.tags[row] in _NO_LEAD or blocks.is_part(row, PagePart.CAPTION) or furniture.reason(row, root):
            behind = blocks.ends[row]
            continue
        if is_named:
            behind_named = max(behind_named, blocks.ends[row])
        # a title below the headline may be short, and has few characters in some scripts
        is_subtitle = headline is not None and (is_named or (blocks.tags[row] in HEADINGS and blocks.before(row) == headline))
        is_short_title = is_subtitle and plain == blocks.characters[row] and word_count(blocks.text(row)) >= _WORDS_OF_TITLE
        if plain < (_LEAD if headline is None else _NAMED_LEAD) and not is_short_title:
            continue
        says_so = is_named or is_short_title or (row < behind_named and plain >= _SENTENCE)
        is_lead = headline is not None and (says_so or (plain >= _LEAD and row in blocks.has_stops))
        if is_lead or ((text := letters_of(blocks.openings[row])) and description.startswith(text)):
            behind_lead = blocks.ends[row]
            leads.append(row)
    for before, behind in pairwise(tuple(leads)):
        if blocks.parents[before] == blocks.parents[behind]:
            between = takewhile(behind.__gt__, blocks.behind(before))
            leads += [row for row in between if not furniture.reason_inside(row, root) and not furniture.is_mostly_links(row)]
    return sorted(leads)


def _is_lead_in_points(furniture: Furniture, row: int) -> bool:
    """Whether it is a list of sentences, or a heading that is one."""
    blocks, tag = furniture.blocks, furniture.blocks.tags[row]
    if tag in ("ol", "ul"):
        lines = [line for line in blocks.inside(row) if blocks.characters[line]]
        are_lines = len(lines) > 1 and min(map(blocks.characters.__getitem__, lines)) >= _SENTENCE
    else:
        lines = [row]
        are_lines = tag in ("h2", "h3", "h4") and row in blocks.has_stops and blocks.flow[row] >= _PARAGRAPH
    return are_lines and not blocks.links[row] and all(_SENTENCE_END.search(blocks.text(line).rstrip()) for line in lines)


def _lead_picture(furniture: Furniture, headline: int, root: int, image: str) -> int | None:
    """The row of the first figure, or of the page's `image`, between headline and body, or before both in the same `article`; elsewhere
    above the headline only of that `image`.

    It is none of the site, of its people or of another page, and the body does not show it again.
    """
    blocks, outline = furniture.blocks, furniture.blocks.outline
    above, beside = blocks.above(root), blocks.above(headline)
    first, around = max((row for row in above & beside if blocks.tags[row] == "article"), default=headline), above | beside
    for row in outline.rows("img", "amp-img"):
        place, picture = blocks.of[row], outline.elements[row]
        if not 0 <= place < root or place in around:
            continue
        boxes = blocks.above(place) - around
        figure = min((box for box in boxes if blocks.tags[box] == "figure" or blocks.is_part(box, PagePart.CAPTION)), default=None)
        if figure is None and place > first:
            figure = _with_line(blocks, boxes)
        address, link, width = picture_address(picture) or "", blocks.links_around[row], picture.get("width") or ""
        file = picture_file(address)
        is_own, is_before = file == picture_file(image), place <= first
        shown = place if figure is None and is_own else figure
        if shown is None or not file or blocks.characters[shown] > (0 if figure is None else 800):
            continue
        if is_before and (not is_own or (figure is None and any(blocks.tags[box] == "header" for box in boxes))):
            continue
        names = f"{picture.get('class') or ''} {blocks.elements[shown].get('class') or ''}"
        is_sign = _SIGN.search(names) is not None or (width.isdecimal() and int(width) < 150)  # pixels: no more than a sign
        leads_away = link is not None and not link.startswith("#") and PICTURE_FILE.search(link) is None
        if is_sign or leads_away or is_decoration(picture, address):
            continue
        if any(furniture.is_beside(box) or furniture.reason(box, root) for box in boxes):
            continue
        if _files(blocks, shown) == [file] and file not in _files(blocks, root):
            return shown
    return None


def _with_line(blocks: PageBlocks, boxes: Collection[int]) -> int | None:
    """Of the boxes around a picture the innermost that has text, if that is one line about it, and nothing else."""
    box = max((box for box in boxes if blocks.characters[box]), default=None)
    if box is None or blocks.links[box] or blocks.characters[box] > LONGEST_BYLINE or word_count(blocks.text(box)) < _WORDS_OF_TITLE:
        return None
    lines = [row for row in blocks.below(box) if blocks.flow[row]]
    return box if len(lines) == 1 and not blocks.flow[box] and blocks.tags[lines[0]] not in HEADINGS else None


def lines_of_pictures(blocks: PageBlocks, leads: Collection[int]) -> Iterator[int]:
    """The rows of the lines beside pictures above the body that stand in no figure."""
    for lead in leads:
        if blocks.tags[lead] != "figure" and not blocks.flow[lead] and blocks.outline.rows_in(blocks.rows[lead], "img", "amp-img"):
            yield from (row for row in blocks.below(lead) if blocks.flow[row])


def _files(blocks: PageBlocks, row: int) -> list[str]:
    """Of the pictures in it, each once."""
    pictures = (blocks.outline.elements[picture] for picture in blocks.outline.rows_in(blocks.rows[row], "img", "amp-img"))
    written = ((picture, picture_address(picture) or "") for picture in pictures)
    return list({picture_file(address) for picture, address in written if address and not is_decoration(picture, address)})
