"""Invented posts in five languages with comments, the same for every seed: what software publishes for `software_sites.py`."""

from __future__ import annotations

import html
import random
import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/Budapest")

# Subjects, verbs, objects and adverbs of each language, by lines: any four make a sentence.
_WORDS = {
    "hu": """A városi könyvtár|Az öreg halász|A kerületi tanács|Két fiatal mérnök|Egy névtelen levél
        megújította|elfelejtette|bemutatta|lefényképezte|megkérdőjelezte
        a régi hidat|a tavalyi költségvetést|a piros villamost|az első térképet|a mozi pincéjét
        a folyó mellett|tegnap este|hosszú vita után|negyven év óta először|csendben""",
    "de": """Die kleine Gemeinde|Der alte Uhrmacher|Eine Gruppe von Schülern|Das Museum am Hafen|Niemand
        überraschte|verschob|beschrieb|begrüßte|vermisste
        den Bahnhof|die Ausstellung|das Rathaus|die lange Brücke|den Wochenmarkt
        am Montag|ohne große Worte|seit dem Sommer|trotz des Regens|auf der anderen Seite des Flusses""",
    "en": """The harbour master|A quiet neighbour|The oldest baker in town|A retired engineer|The choir
        described|repaired|forgot|measured|praised
        the wooden pier|a map of the marshes|the winter timetable|an unusual recipe|a box of letters
        before sunrise|without asking anyone|despite the rain|at the end of the street|again""",
    "fr": """Le gardien du phare|Une petite équipe|La mairie|L'ancien facteur|Chaque habitant
        a décrit|a réparé|a oublié|a défendu|a salué
        le vieux pont|la carte des marais|l'horaire d'hiver|une recette rare|le jardin public
        avant l'aube|sans rien demander|malgré la pluie|au bout de la rue|depuis l'été""",
    "pl": """Stary zegarmistrz|Mała gmina|Muzeum w porcie|Każdy ogrodnik|Nikt z sąsiadów
        opisał|naprawił|przeoczył|odnowił|pochwalił
        drewniany most|mapę bagien|zimowy rozkład jazdy|rzadki przepis|pudełko listów
        przed świtem|bez pytania|mimo deszczu|na końcu ulicy|od lata""",
}
_COLUMNS = {language: [line.strip().split("|") for line in text.split("\n")] for language, text in _WORDS.items()}
# fmt: off
_TITLES = (
    "{s} {v} {o}", "{s}: {o}?", "„{o}” – {s}", "{s} {v} {o}, {a}!", "{s} – {o} ({a})", "3,5 %: {s} {v} {o}", "{s} & {o}", "{o} | {s}",
    "{s}... {a}", "“{s} {v} {o}”", "C++ / C#: {s}", "{s} {v} {o} – {a}: {n}", "‘{o}’: {s}", "#{n}: {s}", "{s} 2.0",
)
_AUTHORS = ("Kovács Mária", "Dr. Szűcs Ödön", "J. K. Weber", "Anne-Marie Lefèvre", "Łukasz Żółkowski", "Robert O’Hara", "vandorfi")
_SECTIONS = ("Belföld", "Kultur & Gesellschaft", "Science", "Économie", "Vélemény", "Opinión", "Sport", "Technika")
_TAGS = (
    "önkormányzat", "Straßenbau", "climate change", "santé", "C++", "5G", "Duna-part", "educación", "nyári tábor", "transport", "historia",
    "Umweltschutz", "könyvhét", "open data", "énergie", "kolej", "R&D", "zene",
)
_HEADINGS = (
    "Comments on a budget", "Related costs", "A megosztás ára", "Der Autor antwortet", "Share of the harvest", "La newsletter du port",
    "Tags & labels", "Hozzászólás a vitához", "Footer of the hill", "Navegación a vela", "Menu for winter", "Reklama dźwignią handlu",
)
"""Ids are made of headings; these look like names of what is not the article."""
# fmt: on
_DEEPEST = 3
"""Answers to answers to answers; some software lets nobody go deeper than four or five levels."""
_COMMENTERS = ("Olvasó Ottó", "happy reader", "Zofia N.")
_CODE = (
    "for row in table:\n    if row[0] > 3:\n        print(row)",
    "$ make install\n# ready",
    "SELECT name FROM boats\nWHERE length < 12;",
)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a body: a kind, and its lines in Markdown (bold, emphasis, code and links are all there is)."""

    kind: str
    """`p h2 h3 ul ol quote code picture table`, or `note`: a paragraph with a footnote, which is the second line."""
    lines: tuple[str, ...]
    """Cells of a table are parted by ` | `."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Also an answer in a thread."""

    number: int
    """Among the comments of its post."""
    author: str
    text: str
    date: datetime
    parent: int | None
    """Number of the comment that it answers."""


@dataclass(frozen=True, slots=True)
class Post:
    number: int
    language: str
    title: str
    slug: str
    """Its address, which changes keep."""
    authors: tuple[str, ...]
    date: datetime
    section: str
    tags: tuple[str, ...]
    parts: tuple[Part, ...]
    comments: tuple[Comment, ...]
    changed: datetime | None = None
    """When its text was last edited."""

    @property
    def text(self) -> str:
        """As a reader sees the body."""
        lines = [
            line if part.kind == "code" else plain_line(line)
            for part in self.parts
            for line in part.lines[: 1 if part.kind == "note" else None]
        ]
        return "\n".join([*lines, *(part.lines[1] for part in self.parts if part.kind == "note")])


def plain_line(line: str) -> str:
    return re.sub(r"\]\([^)]*\)|[*`^\[\]]", " ", line)


def invented_posts(count: int, seed: int) -> list[Post]:
    draw = random.Random(seed)
    return [_post(number, draw) for number in range(1, count + 1)]


def edited(post: Post, when: datetime) -> Post:
    """With another title, another first paragraph and one more at the end, at the same address."""
    first, last = (Part("p", (_paragraph(post.language, random.Random(f"{post.number} {place}")),)) for place in ("first", "last"))
    return replace(post, title=f"{post.title} (2)", parts=(first, *post.parts[1:], last), changed=when)


def answered(post: Post, when: datetime) -> Post:
    """With one more comment, an answer to one of the first level where there is one."""
    draw = random.Random(f"{post.number} {when}")
    parent = next((one.number for one in reversed(post.comments) if one.parent is None), None)
    comment = Comment(len(post.comments) + 1, draw.choice(_COMMENTERS), _paragraph(post.language, draw), when, parent)
    return replace(post, comments=(*post.comments, comment))


def _post(number: int, draw: random.Random) -> Post:
    language = draw.choice(tuple(_WORDS))
    words = dict(zip("svoa", map(draw.choice, _COLUMNS[language]), strict=True))
    title = draw.choice(_TITLES).format(**words, n=draw.randint(2, 99))
    minute = draw.randint(0, 15) * 60 + draw.randint(0, 57)
    date = datetime(2019, 1, 1, 6, 1, tzinfo=ZONE) + timedelta(draw.randint(0, 1800), minutes=minute)
    comments = draw.choice((0, 0, 1, 3))
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return Post(
        number=number,
        language=language,
        title=title[0].upper() + title[1:],
        slug=f"{re.sub('[^a-z0-9]+', '-', plain).strip('-')}-{number}",
        authors=tuple(draw.sample(_AUTHORS, draw.choice((1, 1, 1, 2)))),
        date=date,
        section=draw.choice(_SECTIONS),
        tags=tuple(draw.sample(_TAGS, draw.randint(0, 5))),
        parts=tuple(_parts(language, draw)),
        comments=_comments([(draw.choice(_COMMENTERS), _paragraph(language, draw)) for _ in range(comments)], language, number, date),
    )


def _comments(first: list[tuple[str, str]], language: str, number: int, published: datetime) -> tuple[Comment, ...]:
    """Every tenth post has many; a third of those after the first answer one before them."""
    draw = random.Random(number)
    more = [(draw.choice(_COMMENTERS), _paragraph(language, draw)) for _ in range(17 if number % 10 == 3 else 0)]
    comments: list[Comment] = []
    depths: list[int] = []
    for place, (author, text) in enumerate([*first, *more]):
        when = (comments[-1].date if comments else published) + timedelta(minutes=draw.randint(1, 900))
        parent = draw.randrange(place) if place and draw.random() < 0.4 else None
        if parent is not None and depths[parent] == _DEEPEST:
            parent = None
        depths.append(0 if parent is None else depths[parent] + 1)
        comments.append(Comment(place + 1, author, text, when, None if parent is None else parent + 1))
    return tuple(comments)


def _parts(language: str, draw: random.Random) -> list[Part]:
    parts = [Part("p", (_paragraph(language, draw),)) for _ in range(draw.choice((1, 2, 2, 3)))]
    for kind in draw.sample(("h2", "h3", "ul", "ol", "quote", "code", "picture", "table", "note"), draw.randint(0, 7)):
        lines = {
            "h2": (draw.choice(_HEADINGS),),
            "note": (f"{_paragraph(language, draw)}[^1]", _sentence(language, draw)),
            "table": tuple(" | ".join(map(draw.choice, _COLUMNS[language][:3])) for _ in range(draw.randint(2, 4))),
            "ul": tuple(_sentence(language, draw) for _ in range(draw.randint(2, 5))),
            "ol": tuple(_sentence(language, draw) for _ in range(draw.randint(2, 5))),
            "code": tuple(draw.choice(_CODE).split("\n")),
            "quote": (_paragraph(language, draw),),
        }.get(kind, (_sentence(language, draw)[:-1],))
        parts += [Part(kind, lines), *(Part("p", (_paragraph(language, draw, marked=True),)) for _ in range(draw.randint(1, 3)))]
    return parts


def _sentence(language: str, draw: random.Random) -> str:
    return " ".join(map(draw.choice, _COLUMNS[language])) + "."


def _paragraph(language: str, draw: random.Random, *, marked: bool = False) -> str:
    sentences = [_sentence(language, draw) for _ in range(draw.randint(1, 5))]
    if marked:
        first, _, rest = sentences[0].partition(" ")
        marks = ("**{}**", "*{}*", "[{}](https://masik.example/oldal/?a=1&b=2)", "`{}`")
        sentences[0] = f"{draw.choice(marks).format(first)} {rest}"
    return " ".join(sentences)


# --- as software takes it ---


def without(post: Post, *kinds: str) -> Post:
    """Where software has no such part, its lines are paragraphs."""
    parts = [
        simple
        for part in post.parts
        for simple in (
            [Part("p", (line.replace("[^1]", "").replace(" | ", ", "),)) for line in part.lines] if part.kind in kinds else [part]
        )
    ]
    return replace(post, parts=tuple(parts))


def as_data(post: Post, **content: str) -> dict[str, object]:
    """What a script that fills a site reads; `content` is the text in the form that the software takes."""
    form = "%Y-%m-%d %H:%M:%S"
    data: dict[str, object] = {"number": post.number, "title": post.title, "author": post.authors[0], "date": f"{post.date:{form}}"}
    data |= {"section": post.section, "tags": post.tags, **content} | ({"changed": f"{post.changed:{form}}"} if post.changed else {})
    data["comments"] = [
        {**{name: getattr(comment, name) for name in ("number", "author", "text", "parent")}, "date": f"{comment.date:{form}}"}
        for comment in post.comments
    ]
    return data


def markdown(post: Post) -> str:
    return "\n\n".join(_MARKDOWN.get(part.kind, _marked_lines)(part) for part in post.parts) + "\n"


def _marked_lines(part: Part) -> str:
    before = {"h2": "## ", "h3": "### ", "ul": "- ", "quote": "> "}.get(part.kind, "")
    numbered = part.kind == "ol"
    return "\n".join(f"{f'{number}. ' if numbered else before}{line}" for number, line in enumerate(part.lines, 1))


def _picture(part: Part) -> str:
    return f'<figure><img src="/kepek/kep.jpg" alt=""><figcaption>{html.escape(part.lines[0])}</figcaption></figure>'


_MARKDOWN = {
    "code": lambda part: "\n".join(["```", *part.lines, "```"]),
    "picture": _picture,
    "table": lambda part: "\n".join(f"| {line} |" for line in (part.lines[0], "--- | --- | ---", *part.lines[1:])),
    "note": lambda part: f"{part.lines[0]}\n\n[^1]: {part.lines[1]}",
}
_BLOCKS = {
    "p": ("paragraph", "<p>{}</p>"),
    "h2": ("heading", "<h2>{}</h2>"),
    "h3": ('heading {"level":3}', "<h3>{}</h3>"),
    "ul": ("list", "<ul>{}</ul>"),
    "ol": ('list {"ordered":true}', "<ol>{}</ol>"),
    "quote": ("quote", '<blockquote class="wp-block-quote"><p>{}</p></blockquote>'),
    "code": ("code", '<pre class="wp-block-code"><code>{}</code></pre>'),
    "note": ("paragraph", "<p>{}</p>"),
    "table": ("table", '<figure class="wp-block-table"><table><tbody>{}</tbody></table></figure>'),
    "picture": (
        "image",
        '<figure class="wp-block-image"><img src="/kepek/kep.jpg" alt=""/><figcaption class="wp-element-caption">{}</figcaption></figure>',
    ),
}
_CLASSIC = {
    "p": "{}",
    "picture": '[caption id="attachment_7" align="aligncenter" width="300"]<img src="/kepek/kep.jpg" width="300" /> {}[/caption]',
}


def wordpress_html(post: Post) -> str:
    """In blocks, or every second one as the classic editor stored it."""
    notes = [Part("ol", (part.lines[1],)) for part in post.parts if part.kind == "note"]
    return "\n\n".join(_classic(part) if post.number % 2 else _block(part) for part in (*post.parts, *notes))


def plain_html(post: Post) -> str:
    return "\n".join(_BLOCKS[part.kind][1].format(_inner(part)) for part in post.parts)


def _block(part: Part) -> str:
    comment, frame = _BLOCKS[part.kind]
    return f"<!-- wp:{comment} -->\n{frame.format(_inner(part))}\n<!-- /wp:{comment.partition(' ')[0]} -->"


def _classic(part: Part) -> str:
    return _CLASSIC.get(part.kind, _BLOCKS[part.kind][1].replace(' class="wp-block-code"', "")).format(_inner(part))


def _inner(part: Part) -> str:
    if part.kind == "code":
        return html.escape("\n".join(part.lines), quote=False)
    lines = [_marked_up(line) for line in part.lines[: 1 if part.kind == "note" else None]]
    if part.kind == "table":
        return "".join(f"<tr><td>{line.replace(' | ', '</td><td>')}</td></tr>" for line in lines)
    return "".join(f"<li>{line}</li>" for line in lines) if part.kind in ("ul", "ol") else "\n".join(lines)


def _marked_up(line: str) -> str:
    line = html.escape(line, quote=False).replace("[^1]", '<sup><a href="#note-1">1</a></sup>')
    for mark, tag in ((r"\*\*(.+?)\*\*", "strong"), (r"\*(.+?)\*", "em"), (r"`(.+?)`", "code")):
        line = re.sub(mark, rf"<{tag}>\1</{tag}>", line)
    return re.sub(r"\[(.+?)\]\((.+?)\)", r'<a href="\2">\1</a>', line)
