"""The words around names in bylines, language by language, and the agencies that are no persons."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(" ".join(text.split()).split(", "))


def _by_language(text: str) -> dict[str, tuple[str, ...]]:
    """Of entries such as `de: und, sowie;`."""
    entries = (entry.partition(":") for entry in text.split(";"))
    return {language.strip(): _words(words) for language, _, words in entries}


BY = _by_language("""
ar: بقلم, كتب;
bg: автор, от;
ca: per;
cs: autor, autorka, napsal, napsala, text;
da: af, skrevet af, tekst, journalist;
de: von, vom, ein artikel von, ein beitrag von, verfasst von, geschrieben von, veröffentlicht von, autor, autorin, autoren, text, aus,
    protokoll, interview, kommentar von, eine analyse von, ein kommentar von, ein gastbeitrag von;
el: του, της, από, γράφει ο, γράφει η;
en: by, written by, posted by, published by, submitted by, reported by, reporting by, story by, words by, author, authors, text by,
    article by, words, text;
es: por, escrito por, publicado por, autor, autora, texto, redacción;
et: autor, kirjutas;
fi: kirjoittanut, kirjoittaja, teksti;
fr: par, écrit par, publié par, rédigé par, propos recueillis par, auteur, texte, une analyse de, de notre correspondant;
he: מאת;
hr: piše, autor, tekst, napisao, napisala;
hu: írta, írta és fotózta, szerző, szerzők, szerkesztette, szöveg, cikk, készítette;
id: oleh, penulis;
it: di, a cura di, scritto da, pubblicato da, da, autore, testo di;
ja: 文, 筆者, 著者, 執筆, 記者;
ko: 글, 기자;
lt: autorius, tekstas;
lv: autors, teksts;
nb: av, skrevet av, tekst, journalist;
nl: door, geschreven door, auteur, tekst, van onze;
no: av, skrevet av, tekst, journalist;
pl: autor, autorka, tekst, przez, napisał, napisała, opracował, opracowała, oprac.;
pt: por, escrito por, publicado por, autor, texto, da redação;
ro: de, autor, scris de;
ru: автор, текст, авторы;
sk: autor, autorka, napísal, napísala;
sl: avtor, piše, besedilo;
sr: piše, аутор, пише, autor;
sv: av, text, skriven av, publicerad av;
tr: yazar, yazan, haber;
uk: автор, текст;
zh: 作者, 文, 记者, 記者, 责任编辑, 编辑
""")
"""What stands before a name. Those of English are tried in every language."""

AND = _by_language("""
bg: и; ca: i; cs: a; da: og; de: und, sowie; el: και; en: and, with; es: y, e; et: ja; fi: ja; fr: et; hr: i; hu: és; id: dan;
it: e, ed; lt: ir; lv: un; nb: og; nl: en; no: og; pl: i, oraz; pt: e; ro: și; ru: и; sk: a; sl: in; sr: i, и; sv: och; tr: ve;
uk: та, і
""")
"""What stands between two names."""

ROLES = _words("""
reporter, journalist, journalistin, editor, redakteur, redakteurin, redaktor, correspondent, korrespondent, korrespondentin, autor,
autorin, author, writer, columnist, kolumnist, contributor, contributing writer, staff writer, senior reporter, senior editor,
managing editor, chief editor, editor-in-chief, chefredakteur, chefredakteurin, volontär, volontärin, ressortleiter, ressortleiterin,
újságíró, szerkesztő, főszerkesztő, tudósító, rovatvezető, periodista, redactor, redactora, giornalista, redattore, journaliste,
rédacteur, rédactrice, jornalista, repórter, dziennikarz, dziennikarka, redaktorka, novinář, redactie, verslaggever, redacteur,
toimittaja, guest author, guest contributor, gastautor, gastautorin, freelance writer, opinion, analysis, follow, view bio, muhabir,
журналист, корреспондент, редактор, 記者, 编辑
""")
"""What stands beside a name and is none."""

DESKS = frozenset(
    _words("""
redaktion, redaction, redacción, redação, redazione, rédaction, redakcja, redakce, redakcia, redactie, redaksjonen, szerkesztőség,
editorial, editors, newsroom, news desk, newsdesk, staff, webdesk, web desk, desk, team, agentur, agencia, agence, agencies, agentúra,
agentura, agenzia, agência, press, news, redakciós, редакция, 編集部, gmbh, ltd, ltd., inc, inc., kft., zrt., s.a., s.r.o., verlag, media,
university, universität, institut
""")
)
"""Words that only the names of organisations have."""

AGENCIES = frozenset(
    _words("""
aap, aa, afp, agerpres, anp, ani, anadolu ajansı, anadolu agency, ansa, ap, apa, associated press, the associated press, bloomberg,
belga, bta, bns, cna, cp, ctk, čtk, deutsche presse-agentur, dha, dpa, dpa-afx, dts, efe, europa press, epd, fena, hina, iha, ians,
interfax, itar-tass, jiji press, kna, kyodo, lusa, mti, ntb, pap, pa, press association, pti, reuters, ria novosti, ritzau, sda, sid,
sita, sta, stt, tanjug, tasr, tass, tt, ukrinform, unian, upi, united press international, xinhua, yonhap, press trust of india,
agence france-presse, the canadian press, pa media, bloomberg news, uutissuomalainen, keystone-sda, agência brasil, 時事通信, 共同通信
""")
)

NO_NAMES = _words("""
admin, administrator, anonymous, author, authors, autor, n/a, na, none, null, publisher, undefined, unknown, user, webmaster, root, test,
default, by, von, guest, site, true, false, editor, login, profile, share, posted on, written by, read more, mehr, more, follow, contact,
about the author, view all posts, see bio, email
""")
"""What stands where a name should."""

NO_NAME_WORDS = frozenset(
    _words("twitter, facebook, instagram, linkedin, youtube, whatsapp, updated, published, follow, comments, share, min, read, uhr")
)
"""Words that no name on a page has."""
