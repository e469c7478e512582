"""What links to the article before and after an article are called: words of classes, and what readers see in the languages of `dates`."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from webarticlecurator.dates.names import fold

_DIRECTIONS = frozenset({"prev", "previous", "next", "older", "newer"})
_BARS = frozenset({"nav", "navigation"})
_THINGS = frozenset({"post", "article", "entry", "story", "single"})
_OTHERS = frozenset({"carousel", "comment", "comments", "gallery", "image", "page", "pages", "photo", "slide", "slider", "swiper"})
"""What else has a before and an after."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SAID: dict[str, tuple[str, str]] = {
    "bg": ("предишна следваща", "статия новина публикация"),
    "cs": ("předchozí následující další starší novější", "článek příspěvek zpráva"),
    "da": ("forrige næste", "artikel indlæg nyhed"),
    "de": ("vorheriger vorige voriger nächster nächste ältere neuere", "artikel beitrag meldung"),
    "el": ("προηγούμενο επόμενο", "άρθρο"),
    "en": ("previous next older newer prev", "article post story entry"),
    "es": ("anterior siguiente próximo próxima", "artículo entrada noticia nota"),
    "et": ("eelmine järgmine", "artikkel postitus lugu"),
    "fi": ("edellinen seuraava", "artikkeli juttu uutinen kirjoitus"),
    "fr": ("précédent suivant précédente suivante", "article billet actualité"),
    "hr": ("prethodni sljedeći prethodna sljedeća", "članak objava vijest"),
    "hu": ("előző következő korábbi újabb", "cikk bejegyzés hír írás poszt"),
    "it": ("precedente successivo successiva prossimo", "articolo post notizia"),
    "lt": ("ankstesnis kitas", "straipsnis įrašas"),
    "lv": ("iepriekšējais nākamais", "raksts ieraksts"),
    "nb": ("forrige neste", "artikkel innlegg sak"),
    "nl": ("vorig vorige volgend volgende", "artikel bericht"),
    "pl": ("poprzedni następny", "artykuł wpis"),
    "pt": ("anterior seguinte próximo próxima", "artigo post notícia matéria"),
    "ro": ("anterior precedent următor anteriorul următorul", "articol articolul"),
    "ru": ("предыдущая следующая предыдущий следующий", "статья новость запись материал"),
    "sk": ("predchádzajúci nasledujúci ďalší", "článok príspevok"),
    "sl": ("prejšnji naslednji", "članek prispevek"),
    "sr": ("претходни следећи prethodni sledeći", "чланак članak"),
    "sv": ("föregående nästa", "artikel inlägg nyhet"),
    "tr": ("önceki sonraki", "makale yazı haber"),
    "uk": ("попередня наступна", "стаття новина запис"),
}
"""Which one, and of what; in either order."""
_PAIRS = frozenset(
    pair
    for which, what in _SAID.values()
    for one, other in product(map(fold, which.split()), map(fold, what.split()))
    for pair in ((one, other), (other, one))
)
_FIRST_WORDS = re.compile(r"\W*(\w+)\W+(\w+)")


@lru_cache(maxsize=8192)
def names_a_neighbour(classes: str) -> bool:
    """Whether one of these classes is that of such a link, or of a bar of them."""
    return any(_is_a_neighbours(frozenset(word.lower() for word in _WORD.findall(name))) for name in classes.split())


def _is_a_neighbours(words: frozenset[str]) -> bool:
    if words & _OTHERS:
        return False
    return bool((words & _DIRECTIONS and words & (_BARS | _THINGS)) or (words & _BARS and words & _THINGS))


@lru_cache(maxsize=8192)
def says_a_neighbour(text: str) -> bool:
    """Whether a text begins with such words."""
    found = _FIRST_WORDS.match(text)
    return found is not None and (fold(found[1]), fold(found[2])) in _PAIRS
