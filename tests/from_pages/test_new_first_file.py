"""The first portal file: language, clock and kind of a site, reasons and alternatives as comments, and always a file that loads."""

from __future__ import annotations

import html
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from new_site import WORDS, Looking, NewSite
from seams import main
from warc_records import write_warc

from webarticlecurator import load_portal

HUNGARIAN = "A város és a folyó között nem volt híd, de most már van, és ez jó hír az itt élőknek, mert így nem kell kerülni. " * 8
GERMAN = "Zwischen der Stadt und dem Fluss gab es keine Brücke, aber jetzt gibt es sie, und das ist gut für alle, die hier wohnen. " * 8
POSTING = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "BlogPosting"}</script>'


def teasers(start: int, folder: str = "cikk") -> str:
    numbers = range(start, start + 6)
    return "".join(f"<div class=hir><h2><a href=/{folder}/{n}-cim>{WORDS[n % 4]} {n}</a></h2><p>Rövid.</p></div>" for n in numbers)


def site(text: str = "Szöveg. " * 60, folder: str = "cikk", title: str = "A folyó") -> dict[str, str]:
    """A home page that goes on, and articles with this text."""
    older = "<a class=older rel=next href=/page/{}/>Régebbi</a>"
    pages = {"": f"{teasers(0, folder)}{older.format(2)}", "page/2/": f"{teasers(6, folder)}{older.format(3)}"}
    pages |= {f"{folder}/{n}-cim": f"<article><h1>{WORDS[n % 4]} {n}</h1><p>{text}</p></article>" for n in range(12)}
    return {path: f"<title>{title}</title>{body}" for path, body in pages.items()}


@pytest.mark.parametrize(
    ("lang", "text", "language", "is_sure"),
    [("hu", HUNGARIAN, "hu", True), ("en", HUNGARIAN, "hu", False), ("hu", "123", "hu", True)],
    ids=["pages and words agree", "a template says otherwise", "no words"],
)
def test_the_language_is_what_the_pages_say_unless_their_words_say_otherwise(
    new_site: NewSite, lang: str, text: str, language: str, is_sure: bool
) -> None:
    new_site.lang = lang
    seen = new_site.look(site(text))
    assert (seen.rules["language"], "language" not in seen.unsure) == (language, is_sure)
    assert is_sure or "# language: en" in seen.text, "the other one as a comment"


@pytest.mark.parametrize("lang", ["en", "''"])
def test_a_site_in_several_languages_has_none_of_its_own(new_site: NewSite, lang: str) -> None:
    new_site.lang = lang
    seen = new_site.look(site("".join(f"<p>{text}</p>" for text in (HUNGARIAN, GERMAN, HUNGARIAN, GERMAN))))
    assert "language" not in seen.rules
    (remark,) = [remark for remark in seen.remarks if "it is in several languages (" in remark]
    assert "hu" in remark and "de" in remark
    assert ("its pages call themselves en" if lang == "en" else "that of its own words") in remark


@pytest.mark.parametrize(("text", "language"), [(HUNGARIAN, "hu"), ("123", None)])
def test_where_pages_say_nothing_their_words_do(new_site: NewSite, text: str, language: str | None) -> None:
    new_site.lang = "''"
    seen = new_site.look({path: f"<p>{text}</p>{body}" for path, body in site(text).items()})
    assert seen.rules.get("language") == language
    assert language or any("nothing tells the language" in remark for remark in seen.remarks)


@pytest.mark.parametrize(("head", "fetch"), [("<link rel=stylesheet href=/lap.css>", {"requisites": ["css"]}), ("", None)])
def test_style_sheets_of_articles_are_to_be_stored_where_there_are_any(new_site: NewSite, head: str, fetch: dict[str, Any] | None) -> None:
    seen = new_site.look({path: f"{head}{body}" for path, body in site().items()})
    assert seen.rules.get("fetch") == fetch


def stored(folder: Path, home: str, head: str, lang: str, *, pages: int = 14) -> dict[str, Any]:
    """The file that `curator new --warc` writes of stored pages of an invented site."""
    start = f"<html lang={lang}><head><meta charset=utf-8>{head}</head><body>"
    file = write_warc(
        folder / "site.warc.gz", {f"{home}{path}": f"{start}{body}</body></html>" for path, body in list(site(" ").items())[:pages]}
    )
    assert main(["new", "--warc", str(file), "-o", str(folder / "portal.yaml"), "-q"]) == 0
    return dict(yaml.safe_load((folder / "portal.yaml").read_text(encoding="utf-8")))


SUMMER, WINTER = "2024-05-01T10:00:00+02:00", "2024-01-01T10:00:00+01:00"
TOLD = "2024-05-01T09:00:00"
"""By the clock of the site."""
CLOCKS: list[tuple[str, str, tuple[str, ...], str | None, bool]] = [
    ("https://pelda.hu/", "hu", (), "Europe/Budapest", True),
    ("https://pelda.hu/", "hu", ("2024-05-01T10:00:00-05:00",), None, True),
    ("https://pelda.co.uk/", "en", (), "Europe/London", True),
    ("https://pelda.example/", "hu", (SUMMER,), "Europe/Budapest", True),
    ("https://pelda.example/", "hu", ("2024-05-01 10:00:00 +0200", "2024-01-28 12:33:00 +0100"), "Europe/Budapest", True),
    ("https://pelda.example/", "hu", (), "Europe/Budapest", False),
    ("https://pelda.com/", "de-AT", ("2024-05-01T10:00:00+0200",), "Europe/Vienna", True),
    ("https://pelda.pt/", "pt", (), "Europe/Lisbon", False),
    ("https://pelda.com/", "en", (SUMMER,), None, True),
    ("https://pelda.example/", "pt", (TOLD, "2024-05-01T10:00:00-03:00"), "America/Sao_Paulo", False),
    ("https://pelda.br/", "pt", (TOLD, "2024-05-01T10:00:00-04:00"), "America/Manaus", False),
    ("https://pelda.example/", "pt", (), None, True),
    ("https://pelda.com/", "en-US", (), "America/New_York", False),
    ("https://pelda.com/", "en-CA", (TOLD, "2024-05-01T10:00:00-07:00"), "America/Vancouver", False),
    ("https://pelda.au/", "en", (TOLD, "2024-01-01T10:00:00+11:00"), "Australia/Sydney", False),
    ("https://pelda.br/", "pt", ("2024-05-01T10:00:00-04:00",), None, True),
    ("https://pelda.com/", "en-US", ("2024-05-01T00:00:00Z",), None, True),
    ("https://pelda.com/", "en-US", ("2024-05-01T10:00:00Z",), "America/New_York", False),
]


@pytest.mark.parametrize(("home", "lang", "moments", "zone", "is_sure"), CLOCKS)
def test_the_clock_is_that_of_the_country_if_dates_fit(
    tmp_path: Path, home: str, lang: str, moments: tuple[str, ...], zone: str | None, is_sure: bool
) -> None:
    head = "".join(f"<meta name=date content='{moment}'>" for moment in moments)
    rules = stored(tmp_path, home, head, lang)
    assert rules.get("timezone") == zone
    text = (tmp_path / "portal.yaml").read_text(encoding="utf-8")
    before = text.partition("\ntimezone:")[0].rpartition("\nlanguage:")[2]
    assert ("NOT SURE" in before) is not is_sure or zone is None


FEED_LINK = "<link rel=alternate type=application/rss+xml href=/feed.xml>"
OTHERS_FEED = "<?xml version='1.0'?><rss version='2.0'><channel><title>A folyó</title><link>https://example.com/</link>{}</channel></rss>"
CALLED: dict[str, tuple[str, str, str, str | None, str, bool]] = {
    "titles of pages have it in common": ("", "Hírek - A folyó", "Cím - A folyó", None, "A folyó", True),
    "the name in its head": ("<meta property=og:site_name content='A folyó'>", "Hírek - Napló", "Hírek - Napló", None, "A folyó", True),
    "all titles are alike": ("", "Hírek - A folyó", "Hírek - A folyó", None, "Hírek", False),
    "its feed says which part": (FEED_LINK, "Hírek - A folyó", "Hírek - A folyó", OTHERS_FEED.format(""), "A folyó", True),
    "all of one part": ("", "A folyó", "A folyó", None, "A folyó", True),
}


@pytest.mark.parametrize(("head", "home", "articles", "listed", "title", "is_sure"), CALLED.values(), ids=CALLED)
def test_a_site_is_called_what_its_titles_share_and_of_several_parts_what_its_feed_says(
    new_site: NewSite, head: str, home: str, articles: str, listed: str | None, title: str, is_sure: bool
) -> None:
    new_site.head += head
    pages = {path: body.replace("<title>-", f"<title>{articles if path else home}") for path, body in site(title="-").items()}
    seen = new_site.look(pages, **({"feed.xml": listed} if listed else {}))
    assert (seen.rules["title"], "title" not in seen.unsure) == (title, is_sure)
    assert is_sure or "# title: A folyó" in seen.text, "the other part as a comment"


KINDS: dict[str, tuple[str, str | None]] = {
    "made with what makes blogs": ("<meta name=generator content='WordPress 6.5'>", "blog"),
    "made with what makes forums": ("<meta name=generator content=XenForo>", "forum"),
    "articles call themselves posts": (POSTING, None),
    "nothing says so": ("", None),
}


@pytest.mark.parametrize(("head", "kind"), KINDS.values(), ids=KINDS)
def test_a_site_is_of_the_kind_that_its_software_makes(new_site: NewSite, head: str, kind: str | None) -> None:
    new_site.head += head
    seen = new_site.look(site())
    assert (seen.rules.get("kind"), "kind" in seen.unsure) == (kind, False)
    assert ("if it is a blog or a forum, add `kind: blog`" in seen.comments) is (kind is None)


def test_reasons_stand_beside_the_lines_and_alternatives_below_them(new_site: NewSite) -> None:
    new_site.lang = "en"
    seen = new_site.look(site(HUNGARIAN))
    lines = seen.text.splitlines()
    at = lines.index("language: hu")
    assert "NOT SURE" in " ".join(lines[at - 5 : at])
    assert lines[at + 1].startswith("# or, in its place (2)")
    assert "# language: en" in lines[at : at + 6]
    other = seen.text.replace("language: hu\n", "").replace("# language: en", "language: en")
    assert load_portal(Path("portal.yaml"), content=other.encode()).language == "en", "an alternative can be taken by hand"
    assert seen.rules["archive"]["link"]
    assert "#   gives, and the first does not: " in seen.text and "#   does not give, and the first does: " in seen.text
    assert seen.comments.count("learned: ") >= 1


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@example("a: b # c\n- d", "'\"")
@example("\x85\u2028\ufeff", "{}[],&*!|>%@`")
@given(st.text(), st.text())
def test_no_text_of_a_page_breaks_the_file(title: str, name: str) -> None:
    head = f"<title>{html.escape(title)}</title><meta property=og:site_name content='{html.escape(name)}'>"
    head += f"<meta name=author content='{html.escape(name)}'>"
    with TemporaryDirectory() as folder:
        stored(Path(folder), "https://pelda.example/", head, "hu", pages=2)
        assert load_portal(Path(folder) / "portal.yaml").columns


@pytest.mark.parametrize("host", ["[::1]:8890", f"{'a' * 60}.{'b' * 40}.example"])
def test_every_host_makes_a_name_of_a_portal(tmp_path: Path, host: str) -> None:
    stored(tmp_path, f"http://{host}/", "<title>Example</title>", "hu", pages=2)
    assert load_portal(tmp_path / "portal.yaml").columns


SCRIPT = "<script src=/app.js></script>"
LINKS = "".join(f"<a href=/{number}>Rovat</a> " for number in range(20))
SENT: dict[str, tuple[str, bool]] = {
    "nothing but a place for a script": (f"<div id=app></div>{SCRIPT}", True),
    "a long menu and such a place": (f"<nav>{LINKS}</nav><div id=app></div>{SCRIPT}", True),
    "articles and a script": (f"<main>{teasers(0)}</main>{SCRIPT}", False),
    "text and a script": (f"<main>{'Sok szöveg van itt. ' * 30}</main>{SCRIPT}", False),
    "soon": ("<h1>Hamarosan</h1>", False),
}


@pytest.mark.parametrize(("body", "is_needed"), SENT.values(), ids=SENT)
def test_a_page_that_has_scripts_and_hardly_anything_else_needs_a_browser(look: Looking, body: str, is_needed: bool) -> None:
    assert ("browser" in str(look({"": body}).told["blocked"])) is is_needed
