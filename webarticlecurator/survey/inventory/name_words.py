"""What the names that web designers give their elements say they are: block names in many languages, by the last word of a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.labelling.names import PagePart, role_of

# fmt: off
_BY_PART: Mapping[PagePart, str] = {
    PagePart.BODY: "unwrap", PagePart.LEAD: "lead", PagePart.CAPTION: "caption", PagePart.BYLINE: "decompose", PagePart.SHARE: "decompose",
    PagePart.COMMENTS: "decompose", PagePart.RELATED: "decompose", PagePart.NEWSLETTER: "decompose", PagePart.ADVERTISEMENT: "decompose",
    PagePart.NAVIGATION: "decompose", PagePart.TOPICS: "decompose", PagePart.AUTHOR: "decompose", PagePart.NOTICE: "decompose",
    PagePart.HIDDEN: "decompose",
}
_WORDS: Mapping[str, str] = {
    "unwrap": """
        wrapper wrap wrapped wrappers container containers inner outer content contents row rows col cols column columns grid cell margin
        padding clearfix clear main section layout region area group holder body texts szovegtorzs torzs tartalom inhalt contenu contenido
        corpo data html left right center align aligncenter""",
    "paragraph": "paragraph paragraphs para parag bekezdes absatz paragraphe parrafo paragrafo akapit odstavec alinea msonormal",
    "heading": """
        title titles heading headings headline cim alcim kozcim focim bekcim kercim zwischentitel zwischenueberschrift ueberschrift
        titel titre intertitre titulo titolo intertitulo tytul nadpis otsikko rubrik mellomtittel mezititulek""",
    "figure": """
        image images img imgs kep kepek leadkep photo photos foto fotos picture pictures pic pics figure fig bild bilder abra abbildung
        illustration imagen imagem immagine obrazek zdjecie kuva billede bilde cover thumbnail thumb""",
    "gallery": "gallery galeria galerie galeries galleria slideshow slider carousel swiper diashow bildstrecke fotogaleria",
    "caption": "caption captions kepalairas kepszoveg alairas picturealt bildunterschrift bildtext legende legenda didascalia",
    "source": "credit credits forras quelle fuente fonte zrodlo kilde fotograf photographer photocredit",
    "quote": "quote quotes quotation pullquote blockquote idezet zitat zitate citation citat cita citazione citacao cytat citace",
    "box": """
        box boxes boxed keret keretes doboz infobox factbox infokasten kasten kader encadre encart recuadro riquadro ramka framed frame
        callout sidebox stressed panel admonition hint""",
    "embed": "embed embedded embeds beagyazott youtube video videos player iframe vimeo oembed podcast audio soundcloud",
    "social": "twitter tweet instagram facebook tiktok bluesky mastodon telegram fb kozossegi",
    "question": "question questions kerdes frage fragen pregunta domanda pergunta pytanie otazka vraag",
    "answer": "answer answers valasz antwort antworten respuesta risposta resposta odpowiedz odpoved antwoord",
    "note": "note notes footnote footnotes labjegyzet megjegyzes anmerkung fussnote nota remarque notice",
    "quiz": "quiz kviz poll szavazas umfrage",
    "verse": "verse verses poem vers gedicht poeme poema poesia wiersz",
    "time": "time date datum datetime timestamp idopont ido uhrzeit fecha",
    "author": "author authors szerzo nev autor autore auteur autorem verfasser creator",
    "bold": "bold strong felkover fett",
    "italic": "italic italics dolt kursiv cursiva",
    "underline": "underline underlined alahuzott",
    "divider": "divider separator elvalaszto hr",
    "decompose": """
        ad ads advert banner banners reklam hirdetes promo recommendation ajanlo related share megosztas like likes button buttons
        comments hirlevel kovess csatlakozz join follow tamogass roadblock tag tags keywords cimke cimkek
        print nyomtatas login tooltip moderation toolbar pager""",
}
# fmt: on
_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("doc-biblioentry", "doc-endnote", "doc-footnote"), "note"),
    **dict.fromkeys(("doc-epigraph", "doc-pullquote"), "quote"),
    **dict.fromkeys(("doc-example", "doc-notice", "doc-tip"), "box"),
}
"""What a `role` of digital publishing says of a block, whatever its name is."""
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")
_PARTS = re.compile(r"__|--|[-_]+")
_WHOLE, _LAST, _BEFORE, _WRAPS = 4.0, 3.0, 1.6, 0.5
"""What a word counts that is the whole name, or of which the finder is sure, too; as the last of its name (`image-caption` is a caption);
before it; and where it only says how the page is laid out."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a name says."""

    operation: str
    weight: float
    sentence: str
    of_links_only: bool = False
    """It says something only of what holds little but links."""
    needs_links: bool = False
    """It says something only of what holds links, too: a sidebar of sentences is the article's."""


def hints(tag: Tag) -> Iterator[Hint]:
    """All that the names of a tag say of it; to the general finder, a credit of a picture is a caption."""
    if (operation := _ROLES.get(dict(tag.attributes).get("role", ""))) is not None:
        yield Hint(operation, _WHOLE, f"its role says {operation}")
        return
    names = (*tag.classes, *((tag.id,) if tag.id else ()), *((tag.name,) if "-" in tag.name else ()))
    said = [hint for name in names for hint in _said_by(name)]
    role = role_of(" ".join(tag.classes), tag.id)
    known = role is not None and role.part in _BY_PART  # a forum's posts are found by what they hold, not by a name
    if role is not None and known and not (role.part is PagePart.CAPTION and any(hint.operation == "source" for hint in said)):
        yield Hint(
            _BY_PART[role.part],
            _WHOLE if role.certain else _BEFORE,
            f"its name says {role.part}",
            not role.certain,
            role.part is PagePart.RELATED,
        )
    is_box = any(hint.operation == "box" for hint in said)
    yield from (hint for hint in said if not (is_box and hint.operation == "note" and hint.weight == _WHOLE))  # of its kind, no footnote


def _said_by(name: str) -> Iterator[Hint]:
    tokens = [token.lower() for part in _PARTS.split(name) for token in _TOKEN.findall(part)]
    for number, token in enumerate(tokens, start=1):
        operation = _operations().get(token)
        if operation is not None:
            weight = _WRAPS if operation == "unwrap" else _WHOLE if len(tokens) == 1 else _LAST if number == len(tokens) else _BEFORE
            yield Hint(operation, weight, f"“{token}” in its name “{name}” is a word for {_meaning(operation)}")


def _meaning(operation: str) -> str:
    return {"unwrap": "what only wraps", "decompose": "what belongs to the site"}.get(operation, operation)


@cache
def _operations() -> dict[str, str]:
    return {word: operation for operation, words in _WORDS.items() for word in words.split()}
