"""In which language an article is, and which of its blocks are in another."""

from __future__ import annotations

import pytest
from seams import portal_of

from webarticlecurator import Article, extract

SENTENCES = {
    "en": "The bridge was opened on Monday, and there were more people at the ceremony than the mayor had expected.",
    "de": "Die Brücke wurde am Montag eröffnet, und es waren mehr Menschen bei der Feier, als der Bürgermeister erwartet hatte.",
    "nl": "De brug is maandag geopend en er waren meer mensen bij de opening dan de burgemeester had verwacht.",
    "fr": "Le pont a été ouvert lundi, et il y avait plus de monde à la fête que le maire ne l'avait pensé, dans cette ville.",
    "es": "El puente se abrió el lunes y había más gente en la fiesta de la que el alcalde esperaba, pero no todos los vecinos lo vieron.",
    "pt": "A ponte foi aberta na segunda-feira e havia mais gente na festa do que o prefeito esperava, mas não se viu muito.",
    "it": "Il ponte è stato aperto lunedì e alla festa c'era più gente di quanta il sindaco si aspettasse, ma non tutti hanno visto.",
    "hu": "A hidat hétfőn nyitották meg, és többen voltak az ünnepségen, mint ahogy azt a polgármester várta, de nem volt elég hely.",
    "pl": "Most został otwarty w poniedziałek i na uroczystości było więcej ludzi, niż się spodziewał burmistrz, ale nie tak to było.",
    "cs": "Most byl otevřen v pondělí a na slavnosti bylo více lidí, než se čekalo, ale ne všichni ho viděli, protože už byl večer.",
    "ro": "Podul a fost deschis luni și la ceremonie au fost mai mulți oameni decât se aștepta primarul, dar nu toți l-au văzut.",
    "sv": "Bron öppnades på måndagen, och det var fler människor på festen än borgmästaren hade väntat sig, men alla såg den inte.",
    "fi": "Silta avattiin maanantaina, ja juhlassa oli enemmän väkeä kuin kaupunginjohtaja oli odottanut, mutta kaikki eivät sitä nähneet.",
    "tr": "Köprü pazartesi günü açıldı ve törende başkanın beklediğinden daha çok kişi vardı, ancak bunu görenler çok değil.",
    "ru": "Мост открыли в понедельник, и на празднике было больше людей, чем ожидал мэр, но не все его увидели, потому что был вечер.",
    "uk": "Міст відкрили в понеділок, і на святі було більше людей, ніж очікував мер, але не всі його побачили, бо вже був вечір.",
    "sw": "Daraja lilifunguliwa Jumatatu na watu wengi zaidi walikuja katika sherehe hiyo kuliko meya alivyotaka, lakini si wote.",
    "el": "Η γέφυρα άνοιξε τη Δευτέρα και στη γιορτή ήταν περισσότεροι άνθρωποι από όσους περίμενε ο δήμαρχος.",
    "ar": "تم افتتاح الجسر يوم الاثنين، وكان في الحفل عدد من الناس أكثر من الذي كان ينتظره رئيس البلدية.",
    "he": "הגשר נפתח ביום שני, ובטקס היו יותר אנשים ממה שציפה ראש העיר.",
    "zh": "大桥于星期一通车，出席仪式的人数超过了市长的预期，许多市民来到现场观看，气氛十分热烈，当天晚上还有烟火，河两岸都站满了人。",
    "ja": "橋は月曜日に開通し、式典には市長の予想を上回る人々が集まりました。多くの市民が見物に訪れ、夜には花火も打ち上げられました。",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_few_sentences_show_their_language(language: str) -> None:
    article = page(SENTENCES[language] * 4)
    assert article.language == language
    assert article.language_certainty in ("high", "medium")


@pytest.mark.parametrize("text", ["", "2024. 05. 01.", "Budapest", "Anna Kiss, Béla Nagy"])
def test_what_shows_none_is_not_guessed(text: str) -> None:
    assert page(text).language is None


def page(*blocks: str, lang: str = "") -> Article:
    inside = "".join(block if block.startswith("<") else f"<p>{block}</p>" for block in blocks)
    return extract(f"<html {lang and f'lang={lang}'}><article>{inside}</article></html>", "https://pelda.example/1")


def test_the_words_tell_the_language_where_the_page_says_none() -> None:
    unsaid = page(SENTENCES["de"] * 5)
    assert (unsaid.language, unsaid.language_certainty) == ("de", "high")
    assert "inLanguage" not in unsaid.metadata, "the publisher said nothing"
    assert page("1 2 3 " * 100).language is None


@pytest.mark.parametrize(
    ("said", "blocks", "language", "certainty"),
    [
        ("hu", [SENTENCES["de"] * 5], "de", "high"),
        ("en-US", [SENTENCES["de"], SENTENCES["de"] * 2], "de", "high"),
        ("en", [SENTENCES["ja"] * 3], "ja", "high"),
        ("ja", [SENTENCES["en"] * 3], "en", "high"),
        ("hu", [SENTENCES["hu"], SENTENCES["hu"], SENTENCES["de"]], "hu", None),
        ("hu", ["Der Turm ist nicht alt und die Brücke steht neben Budapest, Debrecen, Eger, Szeged."], "hu", "low"),
        ("br", [SENTENCES["fr"] * 5], "br", "low"),  # whose own words nobody knows
        ("nn", [SENTENCES["sv"] * 5], "nn", None),  # too near
    ],
)
def test_the_words_of_most_of_a_text_count_before_what_the_page_says_and_low_certainty_is_said(
    said: str, blocks: list[str], language: str, certainty: str | None
) -> None:
    article = page(*blocks, lang=said)
    assert (article.language, article.language_certainty) == (language, certainty)
    is_contradicted = language != said
    assert [found.value for found in article.disagreements.get("inLanguage", ())] == [said] * is_contradicted
    assert article.flags == (f"inLanguage is not that of the words: {said}",) * is_contradicted
    assert ("inLanguage" in article.metadata) is not is_contradicted


def test_what_a_theme_says_of_a_text_without_a_word_of_that_language_is_not_believed() -> None:
    esperanto = "La ponto estis malfermita lundon, kaj pli da homoj ol la urbestro atendis venis, sed ne ĉiuj vidis ĝin, ĉar noktis."
    article = page(*[esperanto] * 6, lang="en-US")
    assert (article.language, "inLanguage" in article.metadata) == (None, False)
    assert article.flags == ("inLanguage is not that of the words: en-US",)
    assert page(esperanto, lang="en-US").language == "en-US", "too few words to tell"
    assert page(*[SENTENCES["en"], esperanto] * 3, lang="en-US").language == "en-US"


def test_names_of_places_in_a_text_in_japanese_are_in_no_other_language() -> None:
    places = "宮崎市、高知市、大阪府、名古屋市、静岡県、和歌山県、鹿児島市、種子島、屋久島、奄美大島、長崎県、大分県、愛媛県、徳島県"
    assert languages(page(SENTENCES["ja"] * 2, places * 3, lang="ja")) == [None, None]
    assert languages(page(SENTENCES["en"] * 3, SENTENCES["zh"], lang="en")) == [None, "zh"]


def test_blocks_in_the_language_that_the_page_says_keep_it_where_most_are_in_another() -> None:
    article = page(SENTENCES["de"] * 3, SENTENCES["hu"], lang="hu")
    assert (article.language, languages(article)) == ("de", [None, "hu"])


def test_what_a_rule_says_of_the_language_stands() -> None:
    html = f"<html lang=en><article><p>{SENTENCES['de'] * 5}</p></article></html>"
    ruled = portal_of(metadata={"inLanguage": {"const": "hu"}})
    assert extract(html, "https://pelda.example/1", ruled).language == "hu"


def test_what_the_page_says_counts_before_the_portal_only_where_its_words_show_it() -> None:
    def read(lang: str, said: str, head: str = "") -> Article:
        html = f"<html lang={lang}><head>{head}</head><body><article><p>{SENTENCES[said] * 5}</p></article></body></html>"
        return extract(html, "https://pelda.example/1", portal_of(language="hu"))

    english = read("en-GB", "en")
    assert (english.language, english.metadata["inLanguage"][0].source) == ("en-GB", "html:lang")
    assert [one.value for one in english.disagreements["inLanguage"]] == ["hu"]
    assert [block.attributes.get("language") for block in english.blocks] == [None]
    assert read("en", "hu").language == "hu", "a template keeps a system's default"
    assert read("en", "hu", "<meta property=og:locale content=en_US>").language == "hu", "in two places"
    data = '<script type="application/ld+json">{"@type": "Article", "headline": "Egy", "inLanguage": "en"}</script>'
    assert read("en", "hu", data).language == "hu", "its data, too"
    assert read("en", "de").language == "de", "its words show neither"


def test_code_is_in_no_language() -> None:
    code = "<pre><code>" + "for i in items: do(i) if i is not a or i in an_as or i is at\n" * 40 + "</code></pre>"
    assert page(code, SENTENCES["hu"] * 3, code).language == "hu"
    assert page(code, SENTENCES["ja"] * 3, code).language == "ja"


def languages(article: Article) -> list[str | None]:
    return [block.attributes.get("language") for block in article.blocks]


def test_a_block_in_another_language_says_so() -> None:
    hu, en, names = SENTENCES["hu"], SENTENCES["en"], "Anna Kiss, Béla Nagy, Cecília Szabó, Dénes Kovács, Elemér Tóth, Ferenc Horváth"
    assert languages(page(hu * 3, en, hu, f"<blockquote><p>{en}</p></blockquote>", names, lang="hu")) == [None, "en", None, "en", None]
    assert languages(page(en * 3, hu, SENTENCES["ja"] * 2, lang="en")) == [None, "hu", "ja"]


def test_a_language_that_the_page_marks_is_taken_unless_the_words_say_otherwise() -> None:
    hu = SENTENCES["hu"]
    marked = [f"<p lang=en>{hu}</p>", "<p lang=en>Bridge over troubled water</p>", f"<p lang=hu-HU>{hu}</p>"]
    whole = "<p><span lang=la>Habent sua fata libelli</span></p>"
    assert languages(page(hu * 3, *marked, whole, lang="hu")) == [None, None, "en", None, "la"]


def test_words_that_no_blank_parts_are_not_counted() -> None:
    japanese, hungarian = page(SENTENCES["ja"] * 9, lang="ja"), page(SENTENCES["hu"] * 5, lang="hu")
    assert (japanese.extent.words, japanese.extent.characters > 500) == (None, True)
    assert hungarian.extent.words == 5 * len(SENTENCES["hu"].split()) - 4


# --- in which direction it runs ---


def test_a_text_that_runs_from_right_to_left_says_so_and_a_block_where_it_runs_otherwise() -> None:
    text = f"<p>{SENTENCES['ar'] * 2}</p><p dir=RTL>{SENTENCES['ar'] * 2}</p><p dir=ltr>{SENTENCES['en'] * 2}</p>"
    article = extract(f"<html dir=rtl lang=ar><body><article><h1>A</h1>{text}</article></body></html>", "https://pelda.example/1")
    assert (article.direction, [block.attributes.get("direction") for block in article.blocks]) == ("rtl", [None, None, "ltr"])
    assert b'<text xml:lang="ar" rend="rtl">' in article.tei()
    assert article.tei().count(b'rend="ltr"') == 1
    assert 'dir="rtl">\n<h1>' in article.html()
    assert '<p lang="en" dir="ltr">' in article.html()
    assert article.to_dict()["direction"] == "rtl"


def test_a_page_that_says_of_each_paragraph_what_is_usual_says_nothing() -> None:
    article = extract(
        f"<article><p dir=ltr>{SENTENCES['en'] * 4}</p><p dir=auto>{SENTENCES['en'] * 4}</p></article>", "https://pelda.example/1"
    )
    assert "direction" not in str(article.to_dict())
