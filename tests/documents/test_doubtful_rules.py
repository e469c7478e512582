"""Rules that give something else than they are for: what a beginner's selector takes by mistake is told when documents are made."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from case_files import cases
from seams import main
from small_corpus import SmallCorpus, page
from working_time import at_most

FEWEST = 10
"""Documents that say what a rule gives."""
NAMES = ("Ann Lee", "Bo Falk", "Cy Moss", "Dee Oak", "Eva Reed")
TOPICS = ("dams", "ships", "rails", "locks", "fish")
SAID = [(("Town", "Country")[each % 2], TOPICS[each % 5], TOPICS[(each + 1 + each // 5) % 5]) for each in range(FEWEST)]
"""The section and the topics of articles."""


def data(number: int) -> str:
    """What the head of a page says of its article."""
    said = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": f"Bridge {number} reopens",
        "author": {"@type": "Person", "name": NAMES[number % len(NAMES)]},
        "datePublished": f"2024-05-{number + 1:02}T10:00:00+02:00",
        "dateModified": f"2024-05-{number + 1:02}T12:30:00+02:00",
        "articleSection": ("Town", "Country")[number % 2],
        "description": f"A bridge of {number} arches, closed for {number + 2} years",
    }
    scraped = "<meta name=scraped content=2024-06-01T08:30:00+02:00>" * (number % 2)
    modified = f"<meta name=modified content='{said['dateModified']}'><meta name=issued content='{said['datePublished']}'>"
    return f"<script type='application/ld+json'>{json.dumps(said)}</script>{scraped}{modified}"


def store(corpus: SmallCorpus, number: int = FEWEST, path: str = "/2024") -> None:
    for each in range(number):
        frame = f"<b class=logo>Example</b><i class=menu>News</i><p class=by>By {NAMES[each % len(NAMES)]}, Town, May 2024</p><article>"
        frame += "<div class=names><b>Ann Lee</b><b>Bo Falk</b><b>Cy Moss</b><i>More</i><i>Bridges</i></div>"
        frame += f"<u>Bridge {each + 1} reopens</u><i class=two>{NAMES[each % len(NAMES)]}{' and Bo Falk' * (each % 3 == 0)}</i>"
        frame += f"<s>{('Country', 'Town')[each % 2]}</s><q>Dem’yan {each}</q>"
        frame += "".join(f"<tt>{TOPICS[(each + place) % 3]}</tt>" for place in range(3))
        html = page(f"Bridge {each} reopens", published=None, head=data(each)).replace(b"</title>", b" - Example</title>")
        corpus.store((f"{path}/{each}", html.replace(b"<article>", frame.encode())))


@cases("rule, told", "documents/cases/a-rule-for-metadata-that-most-pages-contradict-is-told")
def test_a_rule_for_metadata_that_most_pages_contradict_is_told(corpus: SmallCorpus, rule: str, told: str) -> None:
    corpus.rules = f"metadata: {{{rule}}}\n"
    store(corpus)
    ((doubt, url),) = corpus.build().doubts.items()
    assert told in doubt
    assert url.startswith("https://pelda.example/2024/")


@cases("rule, told", "documents/cases/a-rule-that-gives-another-part-than-the-page-is-told")
def test_a_rule_that_gives_another_part_than_the_page_is_told(corpus: SmallCorpus, rule: str, told: str) -> None:
    corpus.rules = f"metadata: {{{rule}}}\n"
    for each in range(FEWEST):
        frame = f"<p class=author>By {NAMES[each % 3]} and {NAMES[each % 2 + 1 if each % 3 != each % 2 + 1 else 4]}</p>"
        frame += f"<p class=box>{NAMES[each % 3]}</p><p class=tags>{TOPICS[each % 5]}, bus {each}</p>"
        frame += "<p class=sub>What nobody told us</p>" * (each in (3, 5)) + "<article>"
        head = f"<meta name=keywords content='{TOPICS[each % 5]}, bus {each}'>"
        corpus.store((f"/2024/{each}", page(f"Bridge {each} reopens", head=head).replace(b"<article>", frame.encode())))
    assert [doubt for doubt in corpus.build().doubts if told in doubt]


@pytest.mark.parametrize(
    "rule", ["headline: h1", "author: {css: p.by, match: 'By (.*?),'}", "articleSection: {css: p.by, match: '(Town)'}"]
)
def test_rules_that_say_what_the_pages_say_are_not_doubted(corpus: SmallCorpus, rule: str) -> None:
    corpus.rules = f"metadata: {{{rule}}}\n"
    store(corpus)
    assert corpus.build().doubts == {}


def test_a_rule_of_a_layout_that_its_pages_contradict_is_told(corpus: SmallCorpus) -> None:
    corpus.rules = "layouts: [{name: old, url: ['/old/'], metadata: {author: i.menu}}]\n"
    store(corpus, 2 * FEWEST)
    store(corpus, FEWEST, path="/old")
    ((doubt, _),) = corpus.build().doubts.items()
    assert "`metadata.author` gives for 10 of 10 documents something else than the page says, such as 'News' for 'Ann Lee'" in doubt


@pytest.mark.parametrize(("fifth", "is_told"), [("Eva Reed", True), ("The editors", False)])
def test_a_rule_that_gives_one_and_the_same_since_the_site_changed_is_told(corpus: SmallCorpus, fifth: str, *, is_told: bool) -> None:
    corpus.rules = "metadata: {author: .by b}\n"
    for each, name in enumerate([*NAMES[:4], fifth] * 2 + ["The editors"] * FEWEST):
        html = page(f"Bridge {each}", published=f"2024-05-{each + 1:02}")
        corpus.store((f"/{each}", html.replace(b"<article>", f"<p class=by>By <b>{name}</b></p><article>".encode())))
    told = "`metadata.author` gives the same for the latest 10 documents, and for none before: 'The editors'"
    assert (told in corpus.build().doubts) is is_told


@pytest.mark.parametrize(("selector", "told"), [("a.who", 5), ("p > a.who", 0), ("li > a.who", 0)])
def test_authors_of_other_articles_beside_the_own_are_told(corpus: SmallCorpus, selector: str, told: int) -> None:
    corpus.rules = f"metadata: {{author: {{css: '{selector}', take: all}}}}\n"
    by = [f"<a class=who href=/people/{name.replace(' ', '-')}>{name}</a>" for name in NAMES * 6]
    for each in range(2 * FEWEST):
        cards = "".join(f"<li><h3><a href=/2024/{other}>Bridge {other} reopens</a></h3>{by[other]}</li>" for other in (each + 2, each + 4))
        related = f"<ul class=related>{cards}</ul></article>" if each % 4 == 0 else "</article>"
        html = page(f"Bridge {each} reopens", published=None).replace(b"<article>", f"<p>By {by[each]}</p><article>".encode())
        corpus.store((f"/2024/{each}", html.replace(b"</article>", related.encode())))
    assert corpus.build().odd_values.get("author is told by the rule alone, beside others that the page itself tells", (0, ""))[0] == told


def test_two_rules_that_are_swapped_and_one_that_takes_one_of_several_are_told(corpus: SmallCorpus) -> None:
    links = "<p><a class=s href=/category/{0}>{0}</a><p class=tags><a class=t href=/tag/{1}>{1}</a> <a class=t href=/tag/{2}>{2}</a></p>"
    corpus.store(
        *((f"/{each}", page(f"Bridge {each}").replace(b"</h1>", f"</h1>{links.format(*said)}".encode())) for each, said in enumerate(SAID))
    )
    corpus.rules = "metadata: {keywords: a.s, articleSection: a.t}\n"
    assert any("keywords` gives what `articleSection` gives" in doubt for doubt in corpus.build().doubts)
    corpus.rules = "metadata: {keywords: '.t:last-child', articleSection: a.s}\n"
    told = "`metadata.keywords` gives for 10 of 10 documents something else than the page says, such as 'ships' for 'dams'"
    assert any(told in doubt for doubt in corpus.build().doubts)
    corpus.rules = "metadata: {keywords: a.t, articleSection: a.s}\n"
    assert corpus.build().doubts == {}


@pytest.mark.parametrize(("times", "is_told"), [((23, 30), True), ((11, 15), False)])
def test_moments_in_utc_of_another_day_than_readers_see_are_told(corpus: SmallCorpus, times: tuple[int, int], *, is_told: bool) -> None:
    hour, minute = times
    for day in range(1, FEWEST + 1):
        seen = f"</h1><time>{day + hour // 22} May 2024</time>".encode()
        html = page(f"A bridge of {day}", published=f"2024-05-{day:02}T{hour}:{minute}:00Z")
        corpus.store((f"/{day}", html.replace(b"</h1>", seen)))
    told = "is another day than readers see, for 10 of 10 documents, such as '2024-05-01T23:30:00+00:00' for '2024-05-02'"
    assert [told in doubt for doubt in corpus.build().doubts] == [True] * is_told


@pytest.mark.parametrize(("years", "is_told"), [(10, True), (2, False)])
def test_documents_of_several_years_of_which_many_are_of_one_day_are_told(corpus: SmallCorpus, years: int, *, is_told: bool) -> None:
    days = [f"{2024 - number % years}-{1 + number % 12:02}-03" for number in range(2 * FEWEST)] + ["2024-05-01"] * (2 * FEWEST + 1)
    corpus.store(*((f"/{number}", page(f"Bridge {number}", published=day)) for number, day in enumerate(days)))
    corpus.rules = "metadata: {datePublished: [{css: h1, match: '(Bridge 39)'}, {meta: article:published_time}]}\n"  # one is no date
    told = "`datePublished` is 2024-05-01 for 20 of 40 documents, though others are years older or younger"
    assert [told in doubt for doubt in corpus.build().doubts] == [True] * is_told


def test_what_every_page_of_the_site_says_alike_where_a_rule_gives_nothing_is_told(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {keywords: i.tag}\n"
    for number in range(3 * FEWEST):
        tag = f"<article><i class=tag>{NAMES[number % 5]}</i>" if number % 3 else "<article>"
        html = page(f"Bridge {number}", published=None, head="<meta name=keywords content='bridges, ships, towns'>")
        corpus.store((f"/{number}", html.replace(b"<article>", tag.encode())))
    ((doubt, _),) = corpus.build().doubts.items()
    instead = "all of these have 'bridges; ships; towns' instead, from `meta:keywords`"
    assert doubt == f"`metadata.keywords` gives nothing for 10 documents; {instead}; `{{drop: ['.*']}}` as last alternative gives them none"
    corpus.rules = "metadata: {keywords: [i.tag, {drop: ['.*']}]}\n"
    assert corpus.build().doubts == {}


def test_one_and_the_same_day_that_no_rule_gives_is_told(corpus: SmallCorpus) -> None:
    edited = "<meta property=article:published_time content=2024-06-01T08:30:00+02:00>"
    corpus.store(*((f"/{number}", page(f"Bridge {number}", published=None, head=edited)) for number in range(2 * FEWEST)))
    ((doubt, _),) = corpus.build().doubts.items()
    assert doubt == "`datePublished` by `meta:article:published_time` gives the same for 20 of 20 documents: '2024-06-01T08:30:00+02:00'"


def test_what_is_no_date_is_told_once(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {datePublished: {meta: modified, replace: [['-05-(..).*', '-31-\\1']]}}\n"
    store(corpus)
    summary = corpus.build()
    assert (summary.odd_values, summary.doubts) == ({"datePublished is no date": (FEWEST, "2024-31-01")}, {})


def test_it_is_told_that_the_address_says_something_else(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {datePublished: {css: b.day}}\n"
    pages = {f"/2024/05/{day:02}/bridge": page(f"Bridge {day}", published=None) for day in range(1, FEWEST + 1)}
    shown = (f"<article><b class=day>2024-06-{day:02}</b>".encode() for day in range(1, FEWEST + 1))
    corpus.store(*((path, html.replace(b"<article>", day)) for (path, html), day in zip(pages.items(), shown, strict=True)))
    ((doubt, _),) = corpus.build().doubts.items()
    assert "for 10 of 10 documents something else than the page's address says, such as '2024-06-01' for '2024-05-01'" in doubt


@pytest.mark.parametrize(("hour", "is_told"), [("01:30", False), ("03:30", True)])
def test_the_day_in_utc_that_an_address_has_is_no_other_day(corpus: SmallCorpus, hour: str, *, is_told: bool) -> None:
    corpus.rules = "timezone: Europe/Athens\nmetadata: {datePublished: {css: time, attr: datetime}}\n"
    for day in range(1, FEWEST + 1):
        shown = f"<article><time datetime=2024-05-{day + 1:02}T{hour}:00+03:00></time>".encode()
        corpus.store((f"/2024/05/{day:02}/bridge", page(f"Bridge {day}", published=None).replace(b"<article>", shown)))
    assert any("the page's address says" in doubt for doubt in corpus.build().doubts) is is_told


def test_a_headline_that_is_cut_on_some_pages_is_told(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {headline: {css: h1, match: '([^:]+)$'}}\n"
    headlines = [f"{NAMES[number % 5]} writes{':' if number < 4 else ''} bridge {number}" for number in range(20)]
    corpus.store(*((f"/{number}", page(headline, published=None)) for number, headline in enumerate(headlines)))
    ((doubt, _),) = corpus.build().doubts.items()
    assert "gives for 4 of 20 documents something else than the page says, such as 'bridge 0' for 'Ann Lee writes: bridge 0'" in doubt


def test_a_language_that_the_words_are_not_of_is_told(corpus: SmallCorpus) -> None:
    stored = [(f"/{number}", page(f"Bridge {number}", text=LONG).replace(b'lang="en"', b'lang="hu"')) for number in range(FEWEST)]
    corpus.store(*stored)
    assert corpus.build().doubts == {}
    corpus.rules = "metadata: {inLanguage: {css: html, attr: lang}}\n"
    ((doubt, _),) = corpus.build().doubts.items()
    assert "say that their language is hu, and their words are en" in doubt


def test_a_language_of_the_portal_file_that_the_words_are_not_of_is_told(corpus: SmallCorpus) -> None:
    korean = "시장은 다리를 새로 짓는 안을 월요일에 의결했고 주민들은 오래 기다린 결정을 반겼다. " * 4
    corpus.store(*((f"/{n}", page(f"다리 {n}", text=korean).replace(b'lang="en"', b'lang="ko"')) for n in range(FEWEST)))
    ((doubt, _),) = corpus.build().doubts.items()
    assert "the portal file says that the language is en, and the words of 10 of 10 documents that were looked at are ko" in doubt


@pytest.mark.parametrize(("clock", "written"), [("H.mm", "21.14"), ("'at' HH 'h' mm", "at 21 h 14")])
def test_times_in_words_are_without_offset_too(corpus: SmallCorpus, clock: str, written: str) -> None:
    corpus.rules = f'metadata: {{datePublished: {{css: i.day, date: "d MMMM yyyy {clock}"}}}}\n'
    for day in range(1, FEWEST + 1):
        byline = f"<article><i class=day>{day} May 2024 {written}</i>"
        corpus.store((f"/{day}", page(f"Bridge {day}", published=None).replace(b"<article>", byline.encode())))
    (doubt,) = corpus.build().doubts
    assert f"tell a time without its offset, such as '1 May 2024 {written}', which counts as UTC" in doubt


def test_threads_without_posts_are_told_of_what_is_called_a_forum(corpus: SmallCorpus) -> None:
    corpus.rules = "kind: forum\n"
    corpus.store(*((f"/{number}", page(f"Bridge {number}", head=data(number))) for number in range(FEWEST)))
    ((doubt, _),) = corpus.build().doubts.items()
    assert doubt == "`kind: forum` says that all are threads; 10 of 10 documents have no post"


@pytest.mark.parametrize(
    ("rules", "offset", "is_told"), [("", "", True), ("", "+02:00", False), ("timezone: Europe/Budapest\n", "", False)]
)
def test_times_without_offset_are_told_until_a_time_zone_says_what_they_mean(
    corpus: SmallCorpus, rules: str, offset: str, *, is_told: bool
) -> None:
    corpus.rules = rules
    times = [f"2024-05-{day:02}T10:00:00{offset}" for day in range(1, FEWEST + 1)]
    corpus.store(*((f"/{time}", page(f"A bridge of {time}", published=time)) for time in times))
    for _ in range(2):
        assert ["which counts as UTC: `timezone` in the portal file says" in doubt for doubt in corpus.build().doubts] == [True] * is_told
    corpus.rules = rules or "timezone: UTC\n"
    assert corpus.build().doubts == {}


@pytest.mark.parametrize(
    ("zone", "is_told"),
    [("Europe/London", True), ("", True), ("Africa/Maputo", True), ("Europe/Budapest", False), ("Europe/Berlin", False)],
)
def test_a_time_zone_that_the_offsets_of_pages_contradict_is_told(corpus: SmallCorpus, zone: str, *, is_told: bool) -> None:
    corpus.rules = (
        f"timezone: {zone}\n" * bool(zone)
        + "metadata: {datePublished: [{css: i.day, date: y-MM-dd HH:mm}, {meta: 'article:published_time'}]}\n"
    )
    days = [(day, day > 16) for day in range(1, 27)]
    times = [f"2024-0{2 + 3 * is_summer}-{day:02}T10:00:00+0{1 + is_summer}:00" for day, is_summer in days]
    corpus.store(*((f"/{time}", page(f"A bridge of {time}", published=time)) for time in times))
    in_words = page("A bridge", published=None).replace(b"<article>", "<article><i class=day>۲۰۲۴-۰۵-۰۸ ۱۰:۲۰</i>".encode())
    corpus.store(("/words", in_words))
    others = 16 if zone == "Africa/Maputo" else 26
    told = f"`timezone` is {zone or 'UTC'}, by which 1 date without one is read; {others} of 26 dates of publication with an offset are by"
    assert [told in doubt for doubt in corpus.build().doubts] == [True] * is_told


@pytest.mark.parametrize(("encoding", "is_told"), [("iso-8859-2", True), ("utf-8", False)])
def test_an_encoding_that_misreads_pages_is_told(corpus: SmallCorpus, encoding: str, *, is_told: bool) -> None:
    corpus.rules = f"fetch: {{encoding: {encoding}}}\n"
    corpus.store(*((f"/{number}", page(f"Szép út {number}")) for number in range(FEWEST)))
    doubts = corpus.build().doubts
    assert [doubt.partition(",")[0] for doubt in doubts] == ["`fetch.encoding` misreads 10 documents that are UTF-8"] * is_told


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("comments: {item: ul.comments, author: b}", ["`posts.comments.item` gives just one post in each of 10 documents"]),
        ("comments: {item: ul.comments li, author: b}", []),
        ("forum: {item: ul.comments li, author: b}", ["`posts.forum` takes what stands below a text in 10 of 10 documents"]),
    ],
)
def test_an_item_that_takes_all_posts_for_one_and_comments_as_a_thread_are_told(corpus: SmallCorpus, rule: str, told: list[str]) -> None:
    corpus.rules = f"posts: {{{rule}}}\n"
    comments = "<ul class=comments><li><b>Ann</b> What a bridge!</li><li><b>Bo</b> And what a river it is!</li></ul>"
    corpus.store(
        *((f"/{number}", page(f"Bridge {number}").replace(b"</article>", f"</article>{comments}".encode())) for number in range(FEWEST))
    )
    assert [sentence for doubt in corpus.build().doubts for sentence in told if sentence in doubt] == told


def test_posts_that_nobody_signed_among_others_are_told(corpus: SmallCorpus) -> None:
    corpus.rules = "posts: {comments: {item: ul.comments li, author: b a}}\n"
    for each in range(FEWEST):
        comments = "<li><b><a>Ann</a></b> What a bridge!</li><li><b>Guest</b> And what a river!</li><li><b><a>Bo</a></b> Yes.</li>"
        corpus.store((f"/{each}", page(f"Bridge {each}").replace(b"</article>", f"</article><ul class=comments>{comments}</ul>".encode())))
    ((doubt, url),) = corpus.build().doubts.items()
    assert doubt.startswith("of 30 posts (comments) 10 have no author: if readers see a name there, `posts.comments.author`")
    assert url == "https://pelda.example/0"


def test_what_stands_for_an_author_and_looks_like_no_name_is_told(corpus: SmallCorpus) -> None:
    for each in range(FEWEST):
        byline = f"<p class=authors><a href=/authors/x>{('pietro bridgewater', 'Ann Lee')[each % 2]}</a></p><article>"
        corpus.store((f"/{each}", page(f"Bridge {each}").replace(b"<article>", byline.encode())))
    assert corpus.build().odd_values == {"author is not read, since this looks like no name": (FEWEST // 2, "pietro bridgewater")}
    corpus.rules = "metadata: {author: {css: .authors a, drop: ['pietro.*']}}\n"
    assert corpus.build().odd_values == {}, "the portal file says so"


def test_what_all_of_takes_together_is_a_rule_s(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {author: {all_of: [i.menu, u]}}\n"
    store(corpus)
    built = corpus.build()
    assert built.fruitless == () and any("something else than the page says, such as 'News'" in doubt for doubt in built.doubts)


@pytest.mark.parametrize("index", ["", "index.html"])
def test_documents_that_may_be_lists_are_told(corpus: SmallCorpus, index: str) -> None:
    pages = [f"/2024/05/{day:02}/{name}" for day in range(1, 11) for name in (index, "a-bridge.html")]
    corpus.store(*((path, page(f"A bridge {number}", published=None)) for number, path in enumerate(pages)))
    ((doubt, url),) = corpus.build().doubts.items()
    assert (doubt.partition(",")[0], url) == ("10 documents may be lists", f"https://pelda.example/2024/05/01/{index}")


def test_lists_that_columns_took_for_articles_are_told_with_what_walks_them(corpus: SmallCorpus) -> None:
    threads = "".join(f"<li><a href=/topic/{n}-mi-legyen-a-hiddal>Mi legyen a híddal, {n}. rész?</a>" for n in range(9))
    board = f"<html><body><h1>Hidak és utak a városban</h1><ul>{threads}</ul></body></html>".encode()
    corpus.store(*((f"/forum/{n}-hidak-es-utak-a-varosban", board) for n in range(3)), *((f"/c/{n}", page(f"Cikk {n}")) for n in range(2)))
    (doubt,) = corpus.build().doubts
    assert doubt.startswith("3 of the pages that columns name are lists themselves, beside 2 documents")
    assert "`sections: SELECTOR` of the links to them walks them" in doubt


def test_of_few_documents_nothing_is_said(corpus: SmallCorpus) -> None:
    corpus.rules = "metadata: {headline: b.logo}\n"
    store(corpus, FEWEST - 1)
    assert corpus.build().doubts == {}


LONG = " ".join(f"The council of the town met on day {number} and talked for hours about the bridge and its money." for number in range(9))


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("{root: p.lead}", "stands outside of what the rules keep, in div.text"),
        (
            "{root: div.text, tags: {decompose: ['p + p']}}",
            "is dropped with div.text p, by portal.yaml:5 p + p",
        ),
        ("{root: div.text}", ""),
    ],
)
def test_a_container_that_is_not_the_articles_is_told(corpus: SmallCorpus, rules: str, told: str) -> None:
    corpus.rules = f"body: {rules}\n"
    around = "<main><ul><li>Home of the paper</li><li>All of the news</li></ul><p class=lead>Of bridge {0}.</p><div class=text>"
    for each in range(FEWEST):
        html = page(f"Bridge {each} reopens", text=f"{LONG} {each}", published=None, head=data(each)).decode()
        corpus.store((f"/2024/{each}", html.replace('<div class="text">', around.format(each)).encode()))
    doubts = corpus.build().doubts
    assert [doubt for doubt in doubts if told not in doubt] == [] and len(doubts) == bool(told), doubts
    assert corpus.build().doubts == doubts, "whoever builds again is told the same"
    arguments = (str(corpus.portal.sources[0].path), "--corpus", str(corpus.folder))
    assert (main(["status", *arguments, "--quiet"]), main(["report", *arguments, "--quiet"])) == (0, 0)
    assert ("stands outside" in (corpus.folder / "reports" / "report.html").read_text("utf-8")) is ("stands outside" in told)


def test_a_paragraph_that_the_general_finder_drops_excuses_no_rule_that_drops_others(corpus: SmallCorpus) -> None:
    corpus.rules = "body: {tags: {decompose: ['p:first-child']}}\n"
    more = "<p>Read more: <a href=/c/9>Another bridge falls</a></p></div></article>"
    for each in range(FEWEST):
        html = page(f"Bridge {each} reopens", text=f"{LONG} {each}", published=None, head=data(each)).decode()
        corpus.store((f"/2024/{each}", html.replace("</div></article>", more).encode()))
    doubts = corpus.build().doubts
    assert any("is dropped with div.text p, by portal.yaml" in doubt for doubt in doubts), doubts


@cases("rules, told", "documents/cases/rules-that-are-wrong-for-few-of-many-articles-are-told")
def test_rules_that_are_wrong_for_few_of_many_articles_are_told(corpus: SmallCorpus, rules: str, told: str) -> None:
    corpus.rules = f"{rules}\n"
    pages = [page(f"Bridge {each}", text=f"{LONG} {each}", head=data(each % 25)).decode() for each in range(12 * FEWEST)]
    said = "<p>What they say of it {{0}} times in part {} is another matter, and a longer one. {} So it goes.</p>"
    more = "".join(said.format(part, LONG) for part in range(3))
    for number in range(0, len(pages), 2 * FEWEST):
        pages[number] = pages[number].replace("</div></article>", f"<h2>The long way {number}</h2>{more.format(number)}</div></article>")
    corpus.store(*((f"/2024/{number}", html.encode()) for number, html in enumerate(pages)))
    doubts = corpus.build().doubts
    assert any(told in doubt for doubt in doubts) if told else doubts == {}, doubts


def test_a_corpus_without_one_document_did_not_go_well(corpus: SmallCorpus, capsys: pytest.CaptureFixture[str]) -> None:
    corpus.rules = "articles: {skip: {when: [body]}}\n"
    store(corpus, 2)
    assert main(["build", str(corpus.portal.sources[0].path), "--corpus", str(corpus.folder)]) == 1
    assert "No document: by the portal file no page is an article" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "titles", "told"),
    [
        (range(5, 9), "{0}", 1),  # an error page, answered as if it were there
        (range(5, 9), "Read more", 0),
        (range(5, 7), "{0}", 0),
        ((), "{1} News", 0),  # titles of the list's own
    ],
)
def test_documents_with_another_headline_than_the_list_gives_are_told(
    corpus: SmallCorpus, wrong: Sequence[int], titles: str, told: int
) -> None:
    corpus.rules = "archive: {url: 'https://pelda.example/list/{page}', item: li, pages: {mode: numbered, last: 2}}\n"
    numbers = range(3 * FEWEST)
    headlines = [f"The {TOPICS[each % 5]} of {NAMES[each % 4]} are open again: {each} came" for each in numbers]
    said = [titles.format(headlines[each], f"What {TOPICS[each % 5]} need") for each in numbers]
    for number in (1, 2):
        items = "".join(f"<li><a href=/2024/{each}>{said[each]}</a></li>" for each in numbers if each % 2 == number - 1)
        corpus.store((f"/list/{number}", f"<html><body><ul>{items}</ul></body></html>".encode()))
    sorry = page("Oh!", text="Something went wrong, please come back in a minute or in two")
    corpus.store(*((f"/2024/{each}", sorry if each in wrong else page(headlines[each])) for each in numbers))
    doubts = [doubt for doubt in corpus.build().doubts if "than the list gives" in doubt]
    assert len(doubts) == told
    assert all(
        "4 documents have another headline than the list gives, of 30 looked at, such as 'Oh!' for 'The " in doubt for doubt in doubts
    )


@pytest.mark.parametrize("missing", [3, 2])
def test_pages_that_say_that_nothing_is_there_are_told_where_they_are_several(corpus: SmallCorpus, missing: int) -> None:
    gone = "<html><title>Page not found - Example</title><body><h1>Page not found</h1><p>Try the search, or {0}.</html>"
    corpus.store(*((f"/{each}", gone.format(each).encode() if each < missing else page(f"Bridge {each}")) for each in range(2 * FEWEST)))
    told = "3 pages say that nothing is there: “Page not found”, beside 17 documents"
    assert [told in doubt for doubt in corpus.build().doubts] == [True] * (missing == 3)


@pytest.mark.parametrize("wrong", [range(5, 9), range(5, 7)])
def test_documents_that_name_the_address_of_another_as_theirs_are_told(corpus: SmallCorpus, wrong: range) -> None:
    for each in range(FEWEST):
        named = 1 if each in wrong else each
        corpus.store((f"/{each}", page(f"Bridge {named}", head=f"<link rel=canonical href=https://pelda.example/{named}>")))
    told = "4 documents name the address of another document as theirs, such as https://pelda.example/1; where two are one article"
    assert [told in doubt for doubt in corpus.build().doubts] == [True] * (len(wrong) > 2)


@pytest.mark.parametrize(
    ("rule", "is_told"),
    [*dict.fromkeys(("div.offer", "iframe", "p.map"), 1).items(), ("b.ad", 0), ("body.ad", 0), ("article:has(.offer)", 0), ("div.gone", 0)],
)
def test_pages_that_are_skipped_for_a_box_and_read_like_articles_are_told(corpus: SmallCorpus, rule: str, *, is_told: bool) -> None:
    corpus.rules = f"articles: {{skip: {{when: ['{rule}']}}}}\n"
    letter = "<div class=offer><b class=ad>Offer</b> Our letter comes to you each Friday, at no cost.</div>"
    offer = f"{letter}<p class=map><iframe src=/map></iframe></article>"
    for each in range(2 * FEWEST):
        html = page(f"Bridge {each}", text=f"Stone number {each} was laid")
        if each < 6:
            html = html.replace(b"</article>", offer.encode()).replace(b"<body", b"<body class=ad")
        elif each < FEWEST:
            html = f"<html><title>It {each}</title><body><div class=gone>Nothing is here any more, {each} ask the editor.</html>".encode()
        corpus.store((f"/{each}", html))
    told = f"pages that `articles.skip.when: {rule}` leaves out read like the articles, with headline, date and 112 words in the median"
    assert [told in doubt for doubt in corpus.build().doubts] == [True] * is_told


@pytest.mark.parametrize(
    ("cut", "kept", "is_told"),
    [
        (2, 0.7, True),  # amid the text, as where a server gave up
        (2, 0.98, False),  # behind it
        (9, 0.7, False),  # so is all that is old
        (0, 1, False),
    ],
)
def test_pages_that_break_off_amid_their_text_are_told_where_others_are_whole(
    corpus: SmallCorpus, cut: int, kept: float, *, is_told: bool
) -> None:
    for each in range(FEWEST + 2):
        html = page(f"Bridge {each}").replace(b"</body>", b"<footer><p>This is a paper of the town.</p></footer></body>")
        corpus.store((f"/{each}", html[: int(len(html) * kept)] if each < cut else html))
    told = "2 of 12 documents may be cut: the page ends amid the text, and lacks the </html> of others; a recheck asks for it again"
    assert (told in corpus.build().doubts) is is_told


@pytest.mark.parametrize(("root", "is_told"), [("{html_in: about, css: body}", True), ("{html_in: text, css: body}", False)])
def test_a_body_of_json_that_has_far_less_text_than_the_answer_is_told(corpus: SmallCorpus, root: str, *, is_told: bool) -> None:
    corpus.rules = f"articles: {{format: json}}\nmetadata: {{headline: {{json: title}}}}\nbody: {{root: {root}}}\n"
    for each in range(2 * FEWEST):
        said = {"title": f"Bridge {each}", "about": f"Bridge {each} is open.", "text": f"<p>{each} of {each + 1}. {LONG}</p><p>{LONG}</p>"}
        corpus.store((f"/{each}", json.dumps(said).encode()))
    assert any("takes little of the answer: text has far more text" in doubt for doubt in corpus.build().doubts) is is_told


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("headline", "_" * 60 + "!"),
        ("author", "a-" * 2_000 + "!"),
        ("keywords", "%41" * 1_000 + "\u0301" * 3_000),
        ("datePublished", "1.2.2020 " * 500),
    ],
)
def test_a_build_ends_whatever_a_rule_gives(corpus: SmallCorpus, field: str, text: str) -> None:
    corpus.rules = f"metadata: {{{field}: {{css: u}}}}\n"
    pages = (page(f"Bridge {number}").replace(b"<article>", f"<u>{number}{text}</u><article>".encode()) for number in range(FEWEST))
    corpus.store(*((f"/2024/{number}", html) for number, html in enumerate(pages)))
    with at_most(20):
        assert corpus.build().articles == FEWEST


def store_of_two_makes(corpus: SmallCorpus, number: int, *, misled: int) -> None:
    """Pages of one make; below the article of `misled` ones of them stands more running text than in it."""
    for each in range(number):
        html = page(f"Bridge {each} reopens", published=None, head=data(each)).decode()
        about = "".join(
            f"<p>Of the river below bridge {each} the museum has {line} pictures, which a painter made.</p>" for line in range(90)
        )
        below = f"<section id=museum>{about}</section>" * (each < misled)
        html = html.replace('<div class="text">', "<div class=entry>").replace("</article>", f"</article>{below}")
        corpus.store((f"/2024/{each}", html.encode()))


@pytest.mark.parametrize(
    ("number", "misled", "rules", "is_told"),
    [(20, 4, "", True), (20, 0, "", False), (20, 2, "", False), (9, 3, "", False), (20, 4, "body: {root: div.entry}\n", False)],
    ids=["told", "none is misled", "too few are misled", "too few pages", "the portal file says where"],
)
def test_a_body_that_is_found_at_several_places_of_one_layout_is_told(
    corpus: SmallCorpus, capsys: pytest.CaptureFixture[str], number: int, misled: int, rules: str, *, is_told: bool
) -> None:
    corpus.rules = rules
    store_of_two_makes(corpus, number, misled=misled)
    arguments = (str(corpus.portal.sources[0].path), "--corpus", str(corpus.folder))
    main(["build", *arguments])
    told = " ".join(capsys.readouterr().err.split())
    assert ("the text was found at 2 places of one layout" in told) is is_told
    if is_told:
        assert "(div.entry on 16 pages, section#museum on 4 pages), though each of these pages has div.entry" in told
        assert "`body: {root: div.entry}` says so" in told
