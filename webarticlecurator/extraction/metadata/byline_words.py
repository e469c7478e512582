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
de: von, vom, ein artikel von, ein beitrag von, verfasst von, geschrieben von, veröffentlicht von, autor, autorin, autoren, text,
    protokoll, interview, kommentar von, eine analyse von, ein kommentar von, ein gastbeitrag von;
el: του, της, από, γράφει ο, γράφει η;
en: by, written by, posted by, published by, submitted by, reported by, reporting by, story by, words by, author, authors, text by,
    article by, authored by, words by;
es: por, escrito por, publicado por, autor, autora, texto, escribe;
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
pt: por, escrito por, publicado por, autor, texto;
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
rédacteur, rédactrice, jornalista, repórter, dziennikarz, dziennikarka, redaktorka, novinář, verslaggever, redacteur,
toimittaja, guest author, guest contributor, gastautor, gastautorin, freelance writer, opinion, analysis, follow, view bio, muhabir,
журналист, корреспондент, редактор, 記者, 编辑
""")
"""What stands beside a name and is none."""

NEWSROOMS = frozenset(
    _words("""
redaktion, redaction, redacción, redacció, redação, redazione, rédaction, redakcja, redakce, redakcia, redactie, redaksjonen,
szerkesztőség, редакция, editors, newsroom
""")
)
"""What those call themselves who write a paper together; "La redazione" is a name in a byline."""

DESKS = NEWSROOMS | frozenset(
    _words("""
editorial, news desk, newsdesk, staff, webdesk, web desk, desk, team, agentur, agencia, agence, agencies, agentúra,
agentura, agenzia, agência, press, news, redakciós, 編集部, verlag, media
""")
)
"""Words that only the names of organisations have."""

INSTITUTIONS = frozenset(
    _words("""
university, universität, université, universidad, universidade, università, universiteit, universitet, uniwersytet, univerzita, egyetem,
yliopisto, üniversitesi, университет, college, hochschule, institut, institute, instituto, istituto, intézet, instytut, department,
faculty, fakultät, academy, akademie, academia, akadémia, hospital, klinik, kórház, ministry, ministerium
""")
)
"""Words of organisations that authors belong to."""

COMPANY_FORMS = frozenset(
    _words("""
GmbH, mbH, AG, KG, UG, OHG, e.V, Ltd, LTD, Limited, Inc, INC, Incorporated, LLC, LLP, PLC, Plc, plc, Corp, Corporation, Pty, Kft, KFT,
Zrt, ZRT, Nyrt, NYRT, Bt, Rt, S.A, SA, SAS, SARL, S.L, S.L.U, SL, S.p.A, SpA, S.r.l, Srl, SRL, Lda, Ltda, s.r.o, S.r.o, a.s, z.o.o, o.o,
d.o.o, d.d, A/S, ApS, ASA, Oy, Oyj, AB, BV, B.V, NV, N.V, BVBA, UAB, SIA, ООО, ОАО, ЗАО, ПАО, АО
""")
)
"""How the names of companies begin or end; without the last dot."""

JOBS = frozenset(
    _words("""
director, manager, coordinator, specialist, strategist, analyst, attorney, lawyer, professor, founder, co-founder, ceo, cto, cmo, cfo,
president, expert, officer, consultant, engineer, columnist, educator, representative, leiter, leiterin, geschäftsführer,
geschäftsführerin, direktor, direktorin, directeur, directrice, directora, diretor, diretora, direttore, igazgató, vezető, dyrektor,
kierownik, ředitel, ředitelka, johtaja, sjef
""")
)
"""What people do beside writing: a line with such a word tells of a name, and holds none."""

GRADES = _words("""
senior, sr., junior, chief, staff, head, deputy, managing, executive, contributing, associate, assistant, lead, content, marketing,
freelance, digital, political, trial, vice, general, medical, technical, principal, guest
""")
"""What goes before the name of a job."""

OTHER_HANDS = _words("""
reviewed by, medically reviewed by, fact checked by, fact-checked by, checked by, edited by, updated by, translated by, researched by,
photographed by, illustrated by, photos by, photography by, photo by, illustration by, geprüft von, übersetzt von, aktualisiert von,
bearbeitet von, redigiert von, mis à jour par, traduit par, relu par, actualizado por, traducido por, revisado por, editado por,
atualizado por, traduzido por, aggiornato da, tradotto da, fordította, lektorálta, ellenőrizte, vertaald door, przetłumaczył, přeložil
""")
"""What stands before the names of those who did something else than writing it."""

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
about the author, view all posts, see bio, view profile, view full profile, filed under, email,
no author, the author, by author, topic author, topic starter, thread starter, thread author, original poster, themenstarter,
themenersteller, témaindító, témanyitó, auteur du sujet, autor del tema, autor do tópico, autor tematu, autore del topic, автор темы,
site admin, wordpressadmin, wpadmin, superadmin,
news, nachrichten, hírek, noticias, notícias, notizie, actualités, nieuws, nyheter, uutiset, wiadomości, aktuality, новости, blog, home
""")
"""What stands where a name should."""

NO_NAME_WORDS = frozenset(
    _words("""
twitter, facebook, instagram, linkedin, youtube, whatsapp, updated, published, follow, comment, comments, kommentar, kommentare,
commentaires, comentarios, comentários, commenti, reacties, hozzászólás, views, share, min, read, uhr, lesezeit, posted, tags, kategorien,
reading, okuma, süresi, lecture, lectura, lettura, leitura, olvasási, czytania, čtení, leestijd, läsning, lästid, læsetid, lesetid,
lukuaika
""")
)
"""Words that no name on a page has."""
