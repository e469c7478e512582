"""What the names that web designers give their elements say of them: a table of words in many languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import lru_cache
from itertools import product, takewhile
from urllib.parse import unquote

from webarticlecurator.dates.names import fold
from webarticlecurator.word_lists import read_word_lists


class PagePart(StrEnum):
    """What an element is, as its name has it."""

    BODY = "article body"
    LEAD = "lead"
    SHARE = "share bar"
    COMMENTS = "comments"
    RELATED = "related articles"
    NEWSLETTER = "newsletter or subscription"
    ADVERTISEMENT = "advertisement"
    NAVIGATION = "navigation"
    TOPICS = "list of topics"
    AUTHOR = "about the author"
    BYLINE = "byline"
    CAPTION = "caption"
    NOTICE = "notice of the site"
    HIDDEN = "hidden text"
    POST = "post of a forum"


@dataclass(frozen=True, slots=True)
class Role:
    """What an element's names say, and whether that can be relied on."""

    part: PagePart
    certain: bool
    """If not, only an element that holds little but links is taken for it."""


# fmt: off
_CERTAIN: Mapping[PagePart, str] = {
    PagePart.SHARE: """
        share sharing shares sharebar sharetools sharelinks socialshare share-buttons sharethis sharedaddy shariff addthis addtoany
        sociable social-media social-links social-bar megosztas megoszto teilen partage partager compartir
        compartilhar condividi udostepnij sdilet paylas bagikan podelitsya""",
    PagePart.COMMENTS: """
        comment comments commentlist comment-list commentform respond disqus livefyre komment kommentek kommentar kommentare
        kommentarer kommentit hozzaszolas hozzaszolasok commenti comentarios comentario commentaire commentaires reacties komentarze
        komentare diskuze diskuse diskusia yorum yorumlar komentar kommentarii comentarii""",
    PagePart.RELATED: """
        related relateds relatednews relatedposts related-posts jp-relatedposts recommended recommendation recommendations recommend
        outbrain taboola recirc recirculation mostread most-read most-popular most-viewed read-more readmore read-next read-also
        also-read see-also more-on more-news more-stories more-articles more-from you-may-like up-next sidebar kapcsolodo ajanlo
        ajanlott ajanlok mehr-zum-thema auch-interessant lesen-sie-auch verwandt verwandte verwandtes empfehlung empfehlungen
        lire-aussi a-lire voir-aussi sur-le-meme-sujet relacionada relacionadas relacionado relacionados te-puede-interesar
        lea-tambien correlati correlate leggi-anche potrebbe-interessarti leia-mais leia-tambem veja-tambem saiba-mais saibamais
        czytaj-takze czytaj-rowniez powiazane polecane zobacz-takze souvisejici cist-dale gerelateerd gerelateerde lees-ook
        lees-meer relatert relaterte relaterade relaterat les-ogsa las-mer las-ocksa laes-ogsaa lue-myos lue-lisaa ilgili-haberler
        benzer-haberler baca-juga terkait citeste-si vezi-si chitayte-takzhe""",
    PagePart.NEWSLETTER: """
        newsletter newsletters newsletter-signup subscribe subscription signup sign-up hirlevel nieuwsbrief boletin nyhetsbrev
        uutiskirje infolettre bulten mailchimp suscribete inscribete feliratkozas regwall""",
    PagePart.ADVERTISEMENT: """
        ad ads advert adverts advertisement advertisements advertising adslot ad-slot adsbygoogle adbox adunit ad-unit ad-container
        ad-wrapper banner-ad dfp gpt-ad sponsor sponsors sponsored publicidad publicidade publicite pubblicita werbung anzeige
        anzeigen reklam reklama reklame hirdetes hirdetesek annons annonce annonse mainos iklan publicitate advertentie""",
    PagePart.NAVIGATION: """
        breadcrumb breadcrumbs navbar navigation pagination pager pagenav post-navigation nav-links page-links next-prev prevnext
        menu submenu footer site-footer toolbar toolbox""",
    PagePart.AUTHOR: """
        author-box authorbox author-bio authorbio author-info about-author about-the-author abouttheauthor author-card
        author-profile author-details author-description avatar-intro szerzo-doboz autorenbox""",
    PagePart.NOTICE: """
        cookie cookies cookie-notice onetrust ot-sdk cli-modal cli-tab didomi gdpr consent modal popup popin overlay browser-banner
        banner-browser outdated-browser copyright-notice skip-link skiplink time-warning post-outdate outdate-notice outdated-notice
        outdate-warning outdated-warning age-warning article-age old-article-notice""",
    PagePart.HIDDEN: "screen-reader-text sr-only visually-hidden visuallyhidden screenreader-only screenreader",
}
_UNCERTAIN: Mapping[PagePart, str] = {
    PagePart.RELATED: """
        teaser teasers promo promos popular trending latest headlines newsfeed feed widget card cards carousel slider list-news more
        mehr aside rail right-column secondary crosslink crosslinks links linklist linkbox""",
    PagePart.SHARE: "social socials follow follow-us dela delen tools actions buttons icons like likes",
    PagePart.TOPICS: """
        tag tags taglist tag-list tagcloud topics topic-list keywords categories category cimkek cimke schlagworte themen etiquetas
        etiquetes tagi stitky trefwoorden etiketter mots-cles""",
    PagePart.NEWSLETTER: "paywall abonnement abo premium offer cta call-to-action donate donation support",
    PagePart.AUTHOR: "bio biography",
    PagePart.NAVIGATION: "nav header top bottom",
}
_BYLINES = """
    byline by-line dateline timestamp post-meta entry-meta article-meta postmeta postinfo post-info article-info meta-info posted-on
    author-name author-names auteur-nom autor-name szerzo-nev last-updated last-modified last-update date-modified modified-date
    publish-date published-date article-date pubdate post-date entry-date date-published read-time reading-time readtime"""
_CAPTIONS = """
    caption captions image-caption img-caption photo-caption wp-caption-text figcaption bildunterschrift legende pie-foto
    pie-de-foto didascalia legenda kepalairas bijschrift bildtext billedtekst kuvateksti podpis gallery-caption
    image-description img-description photo-description picture-description image-credit img-credit photo-credit picture-credit
    fotocredit bildnachweis bildrechte bildetekst popisek epigrafe pie-imagen pie-de-imagen fotoalairas resimalti"""
_PICTURES = "image img photo picture pic foto bild kep figure fig imagen imagem immagine"
_COMMENTS_ON_PICTURES = "comment komment kommentar commentaire comentario commento"
"""With a word for a picture: its caption. Readers' comments are in the plural, or in what is called so."""
_BYLINE_PARTS = "author authors byline date info meta metadata published time timestamp updated"
_ARTICLE_NOUNS = """
    article story post entry news blog cikk artikel beitrag articulo articolo artigo nota noticia notizia clanek artykul haber"""
_BODY_NOUNS = f"{_ARTICLE_NOUNS} page single detail text main"
_BODY_PARTS = """
    body content text copy inner torzs szoveg inhalt contenu contenido conteudo corpo cuerpo tekst obsah tresc icerik bodytext
    maintext"""
_BODIES = """
    articlebody article-body storybody postbody entrybody articlecontent storycontent postcontent entrycontent newscontent
    articletext storytext posttext newstext bodytext maintext fulltext full-text bodycopy body-copy content-body text-body rich-text
    richtext cikktorzs artikeltext artikelinhalt textkorper cuerpo-noticia cuerpo-articulo corpo-articolo articlebodytext
    body-content"""
_LEADS = """
    lead lede lead-text article-lead standfirst stand-first summary excerpt article-summary article-excerpt subtitle sub-title
    soustitre sous-titre
    subheadline sub-headline subhead dek deck intro introduction article-intro perex vorspann anlauftext chapeau chapo entradilla
    bajada copete sommario catenaccio lid ingress manchet zajawka spot bevezeto vezeto bevezetes ingres abstract kicker-text
    teaser-text"""
_BLOCKS: Mapping[str, str] = {
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
"""What the last word of a name says that an element of an article's text is: a block of the tag dictionary, or nothing (`unwrap`)."""
# fmt: on
_POSTS = """
    author-statistics b-userinfo bb-wrapper bbp-reply bbp-topic blockpost c-author-pane commtext crawler-post fatitem forum-op
    ips-comment ips-entry ips-rich-text item-body-wrap item-comment item-discussion jive-rendered-content keyinfo lia-message-body
    md-div message-user-info mini-profile moderatorbar post-container-parent post-message post-rtjson post-user postbit postmessage
    postmsg postprofile story-liner subjecttable usertext-body votecell wbb-post wpforo-wrap"""
"""Names that forum software gives: they say that it is worth to look for a thread, and nothing more."""
_WITHOUT = frozenset(("has", "with", "no", "without", "hide", "avec", "sans", "mit", "ohne", "con", "senza", "sin"))
_NEGATED = _WITHOUT | {"show", "not", "enable", "enabled", "disabled", "open", "closed"}
"""`has-sidebar` is no sidebar."""
"""Nor is `anchor-hide-on-scroll-navbar` one: what stands behind these says of what the element is not."""
_ENDS = _WITHOUT | {"target"}
"""Nor `anchorTargetStickyNavbar`: a heading to which a link leads past that bar."""
_OF_TEXT = frozenset((("blockquote", "footer"), ("card", "footer")))
"""Names of parts of boxes in a text: who is quoted, what stands below a card."""
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")
_PARTS = re.compile(r"[-_]+")
_HASH = re.compile(r"\d\D|[A-Z][a-z]?[A-Z][a-z]?[A-Z]")


_HASH_OF_MODULE = re.compile(r"__(?=[a-z]*[A-Z])(?=[A-Z]*[a-z])[A-Za-z]{5}$")
"""What programs append to the names of modules of styles, where it has no digits."""


def _table(*parts: tuple[PagePart, bool, str]) -> dict[tuple[str, ...], Role]:
    return {tuple(word.split("-")): Role(part, certain) for part, certain, words in parts for word in words.split()}


_ROLES = _table(
    *((part, False, words) for part, words in _UNCERTAIN.items()),
    *((part, True, words) for part, words in _CERTAIN.items()),
    (PagePart.BYLINE, True, " ".join(f"{noun}-{part}" for noun in _ARTICLE_NOUNS.split() for part in _BYLINE_PARTS.split())),
    (PagePart.BYLINE, True, _BYLINES),
    (PagePart.CAPTION, True, _CAPTIONS),
    (PagePart.POST, False, _POSTS),
    (PagePart.LEAD, True, _LEADS),
    (PagePart.BODY, True, _BODIES),
    (PagePart.BODY, True, " ".join(f"{noun}-{part}" for noun in _BODY_NOUNS.split() for part in _BODY_PARTS.split())),
)
BLOCK_OF_WORD: Mapping[str, str] = {word: block for block, words in _BLOCKS.items() for word in words.split()}
_PICTURE_COMMENTS = product(_PICTURES.split(), _COMMENTS_ON_PICTURES.split())
_ROLES |= {words: Role(PagePart.CAPTION, True) for pair in _PICTURE_COMMENTS for words in (pair, pair[::-1])}
_MOST_WORDS = max(map(len, _ROLES))
_ROLE_BEGINS = frozenset(words[0] for words in _ROLES)
_SURELY_BODY = Role(PagePart.BODY, True)
"""Of an element with a name that means nothing else."""
_LONGEST = 300
"""Characters of a class or an id that are looked at."""


def role_of(classes: str | None, id: str | None) -> Role | None:
    """What an element's class and id say of it; the most telling of their words decides."""
    role = _role(classes[:_LONGEST]) if classes else None
    other = _role(id[:_LONGEST]) if id else None
    return role if other is None else other if role is None else max(role, other, key=_weight)


@lru_cache(maxsize=8192)
def _role(names: str) -> Role | None:
    found = [role for name in names.split() if (role := _role_of_name(name)) is not None]
    return max(found, key=_weight, default=None)


@lru_cache(maxsize=16384)
def _role_of_name(name: str) -> Role | None:
    """The same name stands in many combinations."""
    tokens = _tokens(name)
    if _ROLE_BEGINS.isdisjoint(tokens) or tokens in _OF_TEXT or not _NEGATED.isdisjoint((*tokens[:1], *tokens[-1:])):
        return None
    tokens = tuple(takewhile(lambda token: token not in _ENDS, tokens))
    whole = _ROLES.get(tokens)
    if whole is not None and whole.part is PagePart.BODY:
        return _SURELY_BODY
    return max(_roles_in(tokens), key=_weight, default=None)


def words_in(name: str) -> tuple[str, ...]:
    """The words of a name, however it is written: `imageCaption__text`."""
    return tuple(map(str.lower, _TOKEN.findall(name)))


def _tokens(name: str) -> tuple[str, ...]:
    if "__" in name:
        name = _HASH_OF_MODULE.sub("", name)
    if _HASH.search(name):
        name = "-".join(part for part in _PARTS.split(name) if not _HASH.search(part))
    return words_in(name)


def _roles_in(tokens: tuple[str, ...]) -> Iterator[Role]:
    for start, token in enumerate(tokens):
        if token in _ROLE_BEGINS:
            ends = range(min(len(tokens), start + _MOST_WORDS), start, -1)
            longest = next((role for end in ends if (role := _ROLES.get(tokens[start:end])) is not None), None)
            if longest is not None:
                yield longest


def _weight(role: Role) -> int:
    """`article-body__share` is a share bar, but `article-body no-share` a body."""
    if role.part is PagePart.POST:
        return -1
    return 4 if role is _SURELY_BODY else 2 * role.certain + (role.part not in (PagePart.BODY, PagePart.LEAD))


# --- what they say of metadata: by what stands within one of their words ---


class ClassHint(Enum):
    """What an element's class or id says it holds."""

    AUTHOR = "author"
    """A name, and nothing else."""
    BYLINE = "byline"
    """A name among other words."""
    DATE = "date"
    PUBLISHED = "published"
    """The date of publication, and no other."""
    UPDATED = "updated"
    TAGS = "tags"
    SECTION = "section"
    CRUMBS = "crumbs"
    HEADING = "heading"
    ENTRY = "entry"
    """A whole article, or a post of a blog."""
    FOOT = "foot"
    """The end of the page, or of an article."""
    OUTSIDE = "outside"
    """Not of the article: what surrounds it, and other articles."""

    # Hints are looked up for every element of a page, and the hash of an Enum is computed from its name each time.
    __hash__ = object.__hash__


_WORDS = read_word_lists(__file__, "class_words.txt", between=r"\s+")
_WRITER = "|".join(_WORDS["writer"])
_HINT_PATTERNS = {hint: re.compile("|".join(_WORDS[hint.value] + _WORDS["writer"] * (hint is ClassHint.BYLINE))) for hint in ClassHint}
_NAME_ALONE = re.compile(rf"(?:{_WRITER})s?(?:-?(?:name|link|url|title|inner|text|item|full-?name))*$|by-?line-?(?:name|author)")
"""A byline that is a name, too."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINTS = re.compile(r"[_-]+")


@lru_cache(maxsize=20_000)
def hints_of(written: str) -> frozenset[ClassHint]:
    """What a class or id as written hints at."""
    return frozenset().union(*map(_hints_of_word, written[:_LONGEST].split()))


@lru_cache(maxsize=20_000)
def _hints_of_word(word: str) -> frozenset[ClassHint]:
    if not word.islower() or "_" in word or "--" in word:
        word = _JOINTS.sub("-", _CAMEL.sub("-", word)).lower()
    hints = {hint for hint, pattern in _HINT_PATTERNS.items() if pattern.search(word)}
    if ClassHint.BYLINE in hints and _NAME_ALONE.search(word):
        hints.add(ClassHint.AUTHOR)
    return frozenset(hints)


# --- where links lead ---


class LinkKind(Enum):
    """What the address of a link says it leads to the list of: articles by one author, on one topic, in one section."""

    AUTHOR = "author"
    PERSON = "person"
    """Somebody, who may be the author."""
    TOPIC = "topic"
    SECTION = "section"


_KINDS = {word: kind for kind in LinkKind for word in _WORDS[f"links: {kind.value}"]}
WORDS_OF_LISTS = frozenset(word for word, kind in _KINDS.items() if kind is not LinkKind.PERSON)
"""What addresses of lists say before the name of an author, a topic, or a section."""
_QUERY = re.compile(r"(?:https?://[^/]+)?(?:/[^/]*)?/?(?:index\.php)?\?(author|tag|cat)=[^&=]+")
"""Near the root of a site: `?tag=` behind the address of goods names who is paid for their sale."""


@lru_cache(maxsize=20_000)
def link_kind(href: str) -> LinkKind | None:
    """`/tag/dam`, `/author/ann-lee/`, `../category/news.html`, `/címke/gát`, `/?cat=3`: the last part is named by the one before it."""
    address, _, fragment = href[:_LONGEST].partition("#")
    if fragment and not address:
        return None
    path, mark, _ = address.partition("?")
    parts = path.lower().rstrip("/").rsplit("/", 3)
    if not path.isascii() or "%" in path:
        parts = [fold(unquote(part)) for part in parts]
    if parts[-1].startswith("@"):
        return LinkKind.PERSON
    if len(parts) > 1 and (kind := _KINDS.get(parts[-2]) or _KINDS.get(parts[-2].rpartition("-")[2])):
        return kind
    if len(parts) > 2 and _KINDS.get(parts[-3]) is LinkKind.SECTION:  # /category/home/garden
        return LinkKind.SECTION
    found = _QUERY.fullmatch(address) if mark else None
    return _KINDS[found[1]] if found else None


def link_target(href: str) -> str:
    """The last part of an address: whose page it is."""
    return href[:_LONGEST].partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2]
