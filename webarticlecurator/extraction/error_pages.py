"""Pages that say that what was asked for is not there, though the server answered as if it were."""

from __future__ import annotations

import re

from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text, squeeze

_MOST_TEXT = 800
"""Characters: such a page says what to do instead."""
_MOST_TITLES = 3
_PARTS_OF_TITLE = re.compile(r"\s+[|–—·»:-]\s+")
_MARKS = " .,:;!?…¡¿'\"„“”«»()[]"
_ADDRESS = re.compile(r"/404(?:\.[a-z]{3,5}|/)?$")
_NOT_OF_THE_PAGE = ("listing:", "url")
"""Sources of a date that a page without an article may have, too."""

_PHRASES = (
    r"(the |this |that )?(requested )?(page|article|post|content) (was |is |could |can )?not (be )?(found|available)",
    r"(the |this |that )?(requested )?(page|article|post|content) (is no longer available|(does not|doesn[’']t|no longer) exists?)",
    r"(the |this |that )?(page|article|post) (cannot|can[’']t|couldn[’']t) be found|not found|nothing (was )?found",
    r"(a |az )?(keresett |kért )?(oldal|cikk|tartalom|bejegyzés) (sajnos )?nem (található|létezik|elérhető)|nincs ilyen (oldal|cikk)",
    r"(die )?(angeforderte )?(seite|artikel|beitrag) (wurde |konnte )?(leider )?nicht gefunden( werden)?",
    r"(diese |die )?seite existiert nicht( mehr)?|(deze |de )?pagina (is )?(niet gevonden|bestaat niet( meer)?)",
    r"(la |cette )?(page|article) (demandée? )?((est )?introuvable|non trouvée?|n[’']existe (pas|plus))|contenu introuvable",
    r"(la )?(página|artículo) (solicitada )?no (encontrad[ao]|existe|disponible)|no se (ha encontrado|encontró|encuentra) la página",
    r"(la )?pagina (richiesta )?non (è stata )?(trovata|esiste|disponibile)|articolo non trovato",
    r"(a )?(página|artigo) (solicitada )?não (foi )?(encontrad[ao]|existe|disponível)",
    r"(la )?pàgina no (s[’']ha )?trobada|orria ez da aurkitu|páxina non atopada",
    r"nie znaleziono (strony|artykułu)|(strona|strony) nie (istnieje|została (od|z)naleziona|znaleziono)",
    r"(požadovaná )?stránka (nebyla nalezena|nenalezena|neexistuje|sa nenašla|nebola nájdená|nenájdená)|článek nenalezen",
    r"sidan (hittades inte|kunde inte hittas|finns inte)|siden ((blev |ble )?ikke (fundet|funnet)|(findes|finnes) ikke)",
    r"sivua ei (löydy|löytynyt)|lehte ei leitud|lapa nav atrasta|puslapis nerastas",
    r"pagina (nu a fost găsită|nu există)|(tražena )?stranica nije (pronađena|nađena)|strani? ni (bila )?(najdena|mogoče najti)",
    r"страница не найдена|сторінку не знайдено|страницата не е намерена|старонка не знойдзена|страница није пронађена",
    r"η σελίδα δεν (βρέθηκε|υπάρχει)|sayfa bulunamadı|halaman tidak ditemukan|không tìm thấy trang",
    r"(お探しの)?ページが(見つかりません(でした)?|存在しません)|页面(不存在|未找到)|找不到(页面|頁面|网页)|頁面不存在",
    r"페이지를 찾을 수 없습니다|الصفحة غير موجودة|صفحه یافت نشد|הדף לא נמצא",
)
_BEFORE = r"(error|fehler|erreur|errore|erro|hiba|błąd|chyba|fout|fel|feil|fejl|virhe|eroare|greška|ошибка|http|oops|sorry|whoops)"
_SAYS_SO = re.compile(rf"({_BEFORE}\W+)*(404( {_BEFORE})?|(404\W+)?({'|'.join(_PHRASES)})(\W+404)?)")
"""What a whole title says, lower case, without the site's name and marks around it."""


def says_not_there(page: Page, metadata: Metadata, length: int) -> str | None:
    """The title by which the page says it. One with a date of its own, or with a text, is an article, whatever it is called;
    software that dates all of its pages calls this one 404."""
    dated = any(not one.source.startswith(_NOT_OF_THE_PAGE) for one in metadata.get("datePublished", ()))
    if (dated and not _ADDRESS.search(page.url)) or length > _MOST_TEXT or page.tree is None:
        return None
    titles = [squeeze(element_text(one)) for one in (*page.tree.iter("title"), *page.tree.iter("h1"))][:_MOST_TITLES]
    parts = (part for title in titles for part in (title, *_PARTS_OF_TITLE.split(title)))
    return next((part for part in parts if _SAYS_SO.fullmatch(part.casefold().strip(_MARKS))), None)
