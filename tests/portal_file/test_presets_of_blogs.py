"""What the presets of blogs and content management read from pages as the software writes them; the sentences are ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from case_files import cases
from written_portal import HEAD, WrittenPortal

from webarticlecurator import Article, Portal, extract, load_portal

HOME = "https://pelda.example/"
POST = f"{HOME}2024/05/uj-hid/"
SENTENCE = "A város új hidat kap, a munka jövőre kezdődik, és a tervek szerint három évig tart majd. "


def portal_of(preset: str, more: str = "", home: str = HOME) -> Portal:
    content = f"{HEAD.replace(HOME, home)}extends: {preset}\n{more}"
    return load_portal("portal.yaml", content=content.encode())


def listed(written: WrittenPortal, preset: str, way: str, content: Any, at: str = HOME) -> dict[str, Any]:
    """What an archive page of this way says."""
    text = content if isinstance(content, str) else json.dumps(content)
    return written.archive(f"extends: {preset}\n", text, at, "--as", "archive", "--column", way)


def urls(page: dict[str, Any]) -> list[str]:
    return [article["url"] for article in page["articles"]]


def article(preset: str, html: str, url: str = POST) -> Article:
    return extract(html, url, portal_of(preset))


def identities(written: WrittenPortal, preset: str, addresses: Sequence[str], home: str = HOME) -> set[str]:
    """Of links as an archive page may list them; refused ones have none."""
    written.head = HEAD.replace(HOME, home)
    links = "".join(f"<a href='{address}'>x</a>" for address in addresses)
    rules = f"extends: {preset}\narchive: {{url: '{home}lista', format: html, item: null, link: a, next: null}}\n"
    return {extract("<p>x", url, portal_of(preset, home=home)).identity for url in urls(written.archive(rules, links, f"{home}lista"))}


@cases("preset, page, articles, following", "portal_file/cases/lists-of-blogs")
def test_an_index_page_lists_its_posts_and_leads_on(
    written: WrittenPortal, preset: str, page: str, articles: list[str], following: str | None
) -> None:
    read = listed(written, preset, "pages", page)
    assert [url.removeprefix(HOME[:-1]) for url in urls(read)] == articles
    assert read["next"] == (following and HOME[:-1] + following)


@cases("preset, address, page, comment", "portal_file/cases/comments-of-blogs")
def test_a_comment_is_read_with_its_writer_and_time(
    written: WrittenPortal, preset: str, address: str, page: str, comment: list[str | None]
) -> None:
    (read,) = written.look(f"extends: {preset}\n", page, address, "--as", "article")["comments"]
    assert [read.get("id"), read["who"], read["when"], read["text"]] == comment


# --- WordPress ---

API_POST = {
    "id": 7,
    "date_gmt": "2024-05-01T22:30:15",
    "modified": "2024-05-03T10:00:00",
    "modified_gmt": "2024-05-03T08:00:00",
    "link": POST,
    "title": {"rendered": "Só &amp; <em>bors</em> &#8211; az új híd"},
    "_embedded": {
        "author": [{"name": "Kis Anna"}],
        "wp:term": [
            [
                {"name": "Egyéb", "taxonomy": "category", "slug": "uncategorized"},
                {"name": "Város", "taxonomy": "category", "slug": "varos"},
                {"name": "Vidék", "taxonomy": "category", "slug": "videk"},
            ],
            [{"name": "híd", "taxonomy": "post_tag", "slug": "hid"}, {"name": "folyó", "taxonomy": "post_tag", "slug": "folyo"}],
        ],
    },
}


@pytest.mark.parametrize("way", ["api", "api-plain"])
def test_the_api_of_wordpress_tells_all_of_a_post_but_its_text(written: WrittenPortal, way: str) -> None:
    (link,) = listed(written, "wordpress", way, [API_POST])["articles"]
    assert link == {
        "url": POST,
        "headline": "Só & bors – az új híd",
        "datePublished": "2024-05-02T00:30:15+02:00",
        "dateModified": "2024-05-03T10:00:00+02:00",
        "lastmod": "2024-05-03T08:00:00+00:00",
        "author": ["Kis Anna"],
        "articleSection": ["Város", "Vidék"],
        "keywords": ["híd", "folyó"],
    }


def test_a_comment_is_a_change_of_its_post(written: WrittenPortal) -> None:
    replies = [[{"date": "2024-05-02T10:00:00"}, {"date": "2024-05-04T09:30:00"}]]
    (link,) = listed(written, "wordpress", "api", [{**API_POST, "_embedded": {"replies": replies}}])["articles"]
    assert link["lastmod"] == "2024-05-04T09:30:00+02:00"


def test_an_api_that_hides_authors_and_terms_still_lists_the_posts(written: WrittenPortal) -> None:
    (link,) = listed(written, "wordpress", "api", [{**API_POST, "_embedded": {"author": [{"code": "rest_user_invalid_id"}]}}])["articles"]
    assert (link["url"], link.get("author"), link.get("keywords")) == (POST, None, None)


BLOG = "https://naplo.blogspot.com/"
BLOG_POST = f"{BLOG}2024/05/uj-hid.html"
SAME = ("", "?replytocom=12#respond", "#comment-3", "?utm_source=x&share=facebook", "amp/", "feed/")
SAME_ON_BLOGGER = ("", "?m=1", "?showComment=1325458800000#c12", "?spref=tw#more")
ELSEWHERE = ("http://naplo.blogspot.hu/2024/05/uj-hid.html", "https://naplo.blogspot.co.uk/2024/05/uj-hid.html?m=0")


@pytest.mark.parametrize(
    ("preset", "home", "addresses", "known_by"),
    [
        # the many addresses of a post are one
        ("wordpress", HOME, [POST + more for more in SAME], {POST}),
        ("wordpress", HOME, [f"{HOME}?p=123", f"{HOME}?p=123&preview=true#more-123"], {"123"}),
        ("blogger", BLOG, [*(BLOG_POST + more for more in SAME_ON_BLOGGER), *ELSEWHERE], {BLOG_POST}),
        # what only leads to posts is none
        ("wordpress", HOME, [HOME + path for path in ("category/varos/", "tag/hid/page/2/", "?cat=3", "wp-login.php")], set()),
        ("wordpress", HOME, [f"{HOME}2024/05/tag/", f"{HOME}author/"], {f"{HOME}2024/05/tag/", f"{HOME}author/"}),
        ("blogger", BLOG, [BLOG + path for path in ("search/label/hid", "p/rolam.html", "feeds/posts/default")], set()),
    ],
)
def test_which_addresses_are_one_post_and_which_are_none(
    written: WrittenPortal, preset: str, home: str, addresses: list[str], known_by: set[str]
) -> None:
    assert identities(written, preset, addresses, home) == known_by


@cases("pager, leads_to", "portal_file/cases/further-pages-of-a-post-and-of-its-comments-are-its-own")
def test_further_pages_of_a_post_and_of_its_comments_are_its_own(written: WrittenPortal, pager: str, leads_to: str) -> None:
    page = f"<body class=single><p>{SENTENCE}{pager.format(POST, POST)}"
    assert written.look("extends: wordpress\n", page, POST, "--as", "article")["next_page"] == POST + leads_to


def classic_comment(number: int, name: str, text: str, inside: str = "") -> str:
    """As core writes it since HTML5."""
    return f"""<li id=comment-{number} class="comment depth-1"><article id=div-comment-{number} class=comment-body>
<footer class=comment-meta><div class="comment-author vcard"><b class=fn><a href=http://x.example class=url>{name}</a></b>
<span class=says>szerint:</span></div><div class=comment-metadata><a href={POST}#comment-{number}>
<time datetime=2024-05-0{number}T12:00:00+02:00>május {number}.</time></a></div></footer>
<div class=comment-content><p>{text}</div><div class=reply><a class=comment-reply-link href=#>Válasz</a></div></article>{inside}</li>"""


def astra_comment(number: int, name: str, text: str, inside: str = "") -> str:
    """As a theme writes it that has names of its own."""
    return f"""<li class="comment depth-1" id=li-comment-{number}><article id=comment-{number} class=ast-comment>
<header class=ast-comment-meta><cite><b class=fn>{name}</b></cite></header>
<div class=ast-comment-time><time datetime=2024-05-0{number}T12:00:00+02:00>x</time></div>
<section class="ast-comment-content comment"><p>{text}<div class=ast-comment-edit-reply-wrap>Válasz</div></section>
</article>{inside}</li>"""


def block_comment(number: int, name: str, text: str, inside: str = "") -> str:
    """As the blocks of core write it: the list of answers has no class."""
    return f"""<li id=comment-{number} class="comment depth-1"><div class=wp-block-columns><div
class=wp-block-comment-author-name>{name}</div>
<div class=wp-block-comment-date><time datetime=2024-05-0{number}T12:00:00+02:00><a href=#>x</a></time></div>
<div class=wp-block-comment-content><p>{text}</div><div class=wp-block-comment-reply-link><a href=#>Válasz</a></div></div>{inside}</li>"""


def oldest_comment(number: int, name: str, text: str, inside: str = "") -> str:
    """As core wrote it before HTML5."""
    return f"""<li class="comment depth-1" id=comment-{number}><div id=div-comment-{number} class=comment-body>
<div class="comment-author vcard"><cite class=fn>{name}</cite> <span class=says>szerint:</span></div>
<div class="comment-meta commentmetadata"><a href=#>2024. május {number}., 12:00</a></div><p>{text}
<div class=reply><a class=comment-reply-link href=#>Válasz</a></div></div>{inside}</li>"""


@pytest.mark.parametrize(
    ("comment", "around", "answers"),
    [
        (classic_comment, "<ol class=comment-list>{}</ol>", "<ol class=children>{}</ol>"),
        (block_comment, "<div class=wp-block-comments><ol class=wp-block-comment-template>{}</ol></div>", "<ol>{}</ol>"),
        (astra_comment, "<ol class=ast-comment-list>{}</ol>", "<ol class=children>{}</ol>"),
        (oldest_comment, "<ol class=commentlist>{}</ol>", "<ul class=children>{}</ul>"),
    ],
)
def test_comments_of_wordpress_with_their_answers(written: WrittenPortal, comment: Any, around: str, answers: str) -> None:
    inner = comment(3, "Cili", "Én is.")
    thread = comment(1, "Anna", "Szép híd.", answers.format(comment(2, "Béla", "Az.", answers.format(inner)))) + comment(
        4, "Dóra", "Mikor?"
    )
    ping = "<li class='pingback depth-1' id=comment-9>Visszajelzés: <a href=http://x.example>x</a></li>"
    page = f"<body class=single><article class=type-post><div class=entry-content><p>{SENTENCE * 3}</div></article>"
    read = written.look("extends: wordpress\n", page + around.format(thread + ping), POST, "--as", "article")
    assert [(post["id"], post["who"], post.get("reply_to"), post["when"], post["text"]) for post in read["comments"]] == [
        ("1", "Anna", None, "2024-05-01T12:00:00+02:00", "Szép híd."),
        ("2", "Béla", "1", "2024-05-02T12:00:00+02:00", "Az."),
        ("3", "Cili", "2", "2024-05-03T12:00:00+02:00", "Én is."),
        ("4", "Dóra", None, "2024-05-04T12:00:00+02:00", "Mikor?"),
    ]
    assert read["text"] == (SENTENCE * 3).strip()


def test_section_and_keywords_of_a_block_theme_are_those_of_the_post_and_not_of_others_below_it() -> None:
    terms = "<div class='taxonomy-{} wp-block-post-terms'><a rel=tag href=/x>{}</a></div>"
    others = f"<div class=wp-block-query>{terms.format('category', 'Sport')}</div>"
    body = f"<div class='entry-content wp-block-post-content'><p>{SENTENCE * 3}</div>"
    read = article(
        "wordpress", f"<body class=single>{others}{body}{terms.format('category', 'Város')}{terms.format('post_tag', 'híd')}{others}"
    )
    assert [found.value for found in read.metadata["articleSection"]] == ["Város"]
    assert [found.value for found in read.metadata["keywords"]] == ["híd"]


# --- the others ---


@pytest.mark.parametrize(
    ("preset", "markup", "section", "keywords"),
    [
        ("drupal", "<div class='field field--name-field-tags'><a href=/taxonomy/term/1>Híd</a><a href=/taxonomy/term/2>Út</a></div>",
         None, ("Híd", "Út")),
        ("ghost", "<section class=post-full-meta><time>x</time> <a href=/tag/hid/>Híd</a></section>", "Híd", ("Híd",)),
        ("typo3-news", "<div class=news-single><span class=news-list-category>Híd</span></div>", "Híd", ()),
        ("wordpress", "<footer class=entry-footer><span class=cat-tags-links><span class=cat-links><a rel='category tag' href=/c/>Híd</a>"
         "</span></span></footer>", "Híd", ()),
    ],
)  # fmt: skip
def test_what_a_post_is_filed_under(preset: str, markup: str, section: str | None, keywords: tuple[str, ...]) -> None:
    read = article(
        preset, f"<main><article class='node node-article'><h1>Új híd épül itt</h1><p>{SENTENCE * 3}</p>{markup}</article></main>"
    )
    told = {name: tuple(found.value for found in read.metadata.get(name, ())) for name in ("articleSection", "keywords")}
    assert told == {"articleSection": (section,) if section else (), "keywords": keywords}


@pytest.mark.parametrize(
    ("archive", "ways"),
    [
        ("{}", ["api", "api-plain", "pages", "list", "sitemap", "months", "months-plain"]),
        ("{ways: {api: null, api-plain: null}}", ["pages", "list", "sitemap", "months", "months-plain"]),
        ("{url: '{home}page/{page}/', pages: infinite}", ["archive"]),
        ("{url: 'https://pelda.example/category/utazas/'}", ["archive"]),
    ],
)
def test_a_portal_file_says_only_what_differs(archive: str, ways: list[str]) -> None:
    assert [column.name for column in portal_of("wordpress", f"archive: {archive}\n").columns] == ways
