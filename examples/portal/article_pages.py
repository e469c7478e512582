"""Articles as HTML: the new layout, the old layout, forum threads and blog posts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType

from .articles import POSTS_PER_PAGE, Article, Block, Post
from .furniture import Frame, advertisement, old_page, page
from .jsonld import jsonld
from .prose import prose
from .sections import Form

_MARKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"bold": ("<strong>", "</strong>"), "italic": ("<em>", "</em>"), "link": ('<a href="https://valahol.example/hatter">', "</a>")}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The articles of the same section just before and after one."""

    previous: Article | None
    next: Article | None

    @property
    def nearest(self) -> Article | None:
        return self.next or self.previous


def article_page(article: Article, number: int, beside: Beside, frame: Frame, *, charset: str | None = "utf-8") -> str:
    """One page of an article, the first is number 1."""
    if article.old_layout:
        return old_page(frame, _old_article(article), title=article.title, charset=charset)
    body = {Form.THREAD: _thread, Form.POST: _blog_post}.get(article.form, news_body)(article, number, beside)
    return page(
        frame,
        body,
        title=article.title,
        head=article_head(article, frame),
        language=article.section.language,
        charset=charset,
        kind=article.form,
    )


def article_head(article: Article, frame: Frame) -> str:
    address = escape(frame.home + article.path)
    description = escape(article.lead)
    tags = [
        f'<link rel="canonical" href="{address}">',
        f'<meta property="og:url" content="{address}">',
        f'<meta property="og:title" content="{escape(article.title)}">',
        '<meta property="og:type" content="article">',
        f'<meta name="description" content="{description}">',
        f'<meta property="article:published_time" content="{article.published.isoformat()}">',
        f'<meta property="article:section" content="{article.section.title}">',
        f'<meta name="keywords" content="{escape(", ".join(article.keywords))}">',
    ]
    if article.modified is not None:
        tags.append(f'<meta property="article:modified_time" content="{article.modified.isoformat()}">')
    return "\n".join(tags) + "\n" + jsonld(article, frame.home)


def news_body(article: Article, number: int, beside: Beside) -> str:
    words = prose(article.section.language).words
    first = number == 1
    lead = f'<p class="lead">{escape(article.lead)}</p>' if first and article.form is not Form.BRIEF else ""
    blocks = [_block(block) for block in article.pages[number - 1]]
    blocks.insert(len(blocks) // 2, advertisement(article.section.language) + _related(article, beside))
    live = f'<div class="elo">{"".join(map(_live_entry, article.posts))}</div>' if article.posts else ""
    return f"""<article class="cikk">
<h1 class="cim">{escape(article.title)}</h1>
{_byline(article)}
<div class="torzs">
{lead}
{"".join(blocks)}
{live}<p class="hirlevel">{words["newsletter"]}</p>
</div>
<p class="cimkek">{" ".join(f'<a rel="tag" href="/cimke/{n}">{escape(word)}</a>' for n, word in enumerate(article.keywords))}</p>
{_pager(article, number, beside)}
</article>"""


def _byline(article: Article) -> str:
    voice = prose(article.section.language)
    authors = ", ".join(f'<a class="szerzo" href="/szerzo/{n}">{escape(name)}</a>' for n, name in enumerate(article.authors))
    return (
        f'<p class="alairas">{voice.words["by"]} {authors} · <a class="rovat" href="/">{article.section.title}</a> · '
        f'<time class="datum" datetime="{article.published.isoformat()}">{voice.date(article.published)}</time></p>'
    )


def _related(article: Article, beside: Beside) -> str:
    words = prose(article.section.language).words
    path = (beside.nearest or article).path
    return f'<aside class="ajanlo"><h4>{words["related"]}</h4><a href="{path}">{words["more"]}</a></aside>'


def _pager(article: Article, number: int, beside: Beside) -> str:
    """The way to the next page, and beside it the trap: very similar links to the previous and to the next article."""
    words = prose(article.section.language).words
    onward = ""
    if number < article.page_count:
        onward = f'<a class="kovetkezo-oldal" href="{article.page_path(number + 1)}">{words["next_page"]} »</a> '
    before, behind = beside.previous, beside.next
    backward = f'<a class="elozo-cikk" rel="prev" href="{before.path}">« {words["previous_article"]}</a> ' if before else ""
    forward = f'<a class="kovetkezo-cikk" rel="next" href="{behind.path}">{words["next_article"]} »</a>' if behind else ""
    return f'<nav class="lapozo">{backward}{onward}{forward}</nav>'


def _live_entry(post: Post) -> str:
    return (
        f'<div class="elo-bejegyzes" id="{post.id}"><time datetime="{post.time.isoformat()}">{post.time:%H:%M}</time> '
        f'<span class="nev">{escape(post.author)}</span><h3>{escape(post.title)}</h3>'
        f'<div class="szoveg">{_blocks(post.blocks)}</div></div>\n'
    )


def _thread(article: Article, number: int, beside: Beside) -> str:
    posts = article.posts[(number - 1) * POSTS_PER_PAGE : number * POSTS_PER_PAGE]
    return f"""<div class="tema"><h1>{escape(article.title)}</h1>
{"".join(_forum_post(article, post) for post in posts)}</div>
{_pager(article, number, beside)}"""


def _forum_post(article: Article, post: Post) -> str:
    voice = prose(article.section.language)
    return f"""<div class="hozzaszolas" id="{post.id}" data-id="{post.id}" data-parent="{post.parent}">
<p class="fej"><b class="nev">{escape(post.author)}</b> <time datetime="{post.time.isoformat()}">{voice.date(post.time)}</time></p>
<div class="szoveg">{_blocks(post.blocks)}</div></div>
"""


def _blog_post(article: Article, number: int, beside: Beside) -> str:
    voice = prose(article.section.language)
    comments = "".join(
        f'<li class="komment" data-id="{post.id}" data-parent="{post.parent}"><b class="nev">{escape(post.author)}</b> '
        f'<time datetime="{post.time.isoformat()}">{voice.date(post.time)}</time><div class="szoveg">{_blocks(post.blocks)}</div></li>\n'
        for post in article.comments
    )
    return f"""<article class="bejegyzes"><h1 class="cim">{escape(article.title)}</h1>
{_byline(article)}
<div class="torzs"><p class="lead">{escape(article.lead)}</p>{_blocks(article.pages[number - 1])}</div></article>
{_post_navigation(beside)}
<section class="hozzaszolasok"><h2>{voice.words["comments"]} ({len(article.comments)})</h2><ol>{comments}</ol></section>"""


def _post_navigation(beside: Beside) -> str:
    """As blogging systems have it: classes, and the titles of the posts."""
    sides = (("nav-previous", beside.previous), ("nav-next", beside.next))
    links = "".join(f'<div class="{name}"><a href="{post.path}">{escape(post.title)}</a></div>' for name, post in sides if post)
    return f'<nav class="post-navigation">{links}</nav>'


def _old_article(article: Article) -> str:
    """Paragraphs are parted by line breaks, as they were in those days."""
    voice = prose(article.section.language)
    texts = [article.lead, *(block.full_text for part in article.pages for block in part if block.full_text)]
    text = "<br><br>\n".join(escape(text).replace("\n", "<br>") for text in texts)
    return f"""<table width="100%"><tr><td class="cikkcim"><font size="4"><b>{escape(article.title)}</b></font></td></tr>
<tr><td class="keltezes"><i>{escape(", ".join(article.authors))}</i> | {voice.date(article.published)} | {article.section.title}</td></tr>
<tr><td class="cikk">{text}</td></tr>
<tr><td class="reklam"><font size="1">{voice.words["advertisement"]}</font></td></tr></table>"""


def _blocks(blocks: Iterable[Block]) -> str:
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:
    return _BLOCKS[block.kind](block) + "\n"


def _marked(block: Block) -> str:
    text = escape(block.text)
    if block.mark is None:
        return text
    before, after = _MARKS[block.mark.kind]
    return text.replace(escape(block.mark.text), f"{before}{escape(block.mark.text)}{after}", 1)


def _wrapped(before: str, after: str) -> Callable[[Block], str]:
    return lambda block: f"{before}{_marked(block)}{_blocks(block.children)}{after}"


_BLOCKS: Mapping[str, Callable[[Block], str]] = MappingProxyType(
    {
        "paragraph": _wrapped("<p>", "</p>"),
        "heading": _wrapped("<h2>", "</h2>"),
        "quote": _wrapped('<blockquote class="idezet"><p>', "</p></blockquote>"),
        "box": _wrapped('<div class="keretes">', "</div>"),
        "question": _wrapped('<p class="kerdes"><strong>', "</strong></p>"),
        "answer": _wrapped('<p class="valasz">', "</p>"),
        "list": _wrapped("<ul>", "</ul>"),
        "item": _wrapped("<li>", "</li>"),
        "table": _wrapped("<table>", "</table>"),
        "row": _wrapped("<tr>", "</tr>"),
        "cell": _wrapped("<td>", "</td>"),
        "gallery": _wrapped('<div class="galeria">', "</div>"),
        "caption": _wrapped("<figcaption>", "</figcaption>"),
        "figure": lambda block: f'<figure><img src="{block.address}" alt="">{_blocks(block.children)}</figure>',
        "embed": lambda block: f'<div class="beagyazott"><iframe src="{block.address}"></iframe></div>',
        "social": lambda block: (
            f'<blockquote class="kozossegi"><p>{_marked(block)}</p><a href="{block.address}">social.example</a></blockquote>'
        ),
    }
)
