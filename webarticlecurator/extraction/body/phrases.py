"""What boxes and lines that lead away from an article begin with: a table of phrases in many languages."""

from __future__ import annotations

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
    "læs også", "læs mere", "läs även", "läs också", "läs mer", "les også", "les mer", "lue myös", "lue lisää", "loe ka", "loe veel",
    # Russian, Ukrainian, Bulgarian, Greek, Turkish
    "читайте также", "читать также", "смотрите также", "по теме", "читайте також", "дивіться також", "прочетете още", "вижте още",
    "διαβάστε επίσης", "διαβάστε ακόμη", "δείτε επίσης", "ayrıca okuyun", "ilgili haber", "bunları da",
    # Indonesian, Vietnamese, Hindi, Arabic, Japanese, Chinese
    "baca juga", "simak juga", "xem thêm", "đọc thêm", "यह भी पढ़ें", "ये भी पढ़ें", "اقرأ أيضا", "إقرأ أيضا",
    "関連記事", "あわせて読みたい", "相关阅读", "延伸閱讀",
)
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


def leads_away(beginning: str) -> str | None:
    """What a box or a linked line is that begins so; None if that says nothing."""
    text = " ".join(beginning.casefold().split()).lstrip("»>▶►●•+-–—→↳👉*[( ")
    if text.startswith(_TO_OTHER_ARTICLES):
        return "related articles"
    return "request to the reader" if text.startswith(_TO_READERS) else None


def is_label(text: str) -> bool:
    """Whether a line is nothing but a sign such as "Advertisement"."""
    return " ".join(text.casefold().split()).strip(" :·.-–—[]()") in _LABELS
