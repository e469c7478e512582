"""Drupal: 7 with Bartik, 9 with Olivero; answers stand indented behind the comment that they answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .content import Post, Said, blog_posts, children, written
from .feeds import rss
from .site import Made, Variation, attribute, chunks, document, escape, given, truth_of_post, written_parts

_WORDS = {
    "hu": ("Szerző: {} | {}", "Hozzászólások", "Tovább", "válasz", "Következő", "Új hozzászólás"),
    "de": ("Gespeichert von {} am {}", "Kommentare", "Weiterlesen", "Antworten", "nächste Seite ›", "Neuen Kommentar schreiben"),
    "en": ("Submitted by {} on {}", "Comments", "Read more", "reply", "next ›", "Add new comment"),
    "fr": ("Soumis par {} le {}", "Commentaires", "Lire la suite", "répondre", "suivant ›", "Ajouter un commentaire"),
}  # fmt: skip
_DATES = {"hu": "y. MMMM d. EEEE, HH:mm", "de": "EEE, dd/MM/y - HH:mm", "en": "EEE, MM/dd/y - HH:mm", "fr": "EEE, dd/MM/y - HH:mm"}
_DAYS = {"hu": "y. MMMM d.", "de": "d. MMMM y", "en": "d MMMM, y", "fr": "d MMMM y"}
_PER_PAGE = 5


class _Blog:
    def __init__(self, root: str, variation: Variation) -> None:
        self.root, self.language, self.seven, self.has = root, variation.language, variation.theme == "bartik-7", variation.has
        self.bartik = variation.theme == "bartik-9"
        self.posts = tuple(reversed(blog_posts(variation.voice, 16, comments=not self.has("no-comments"))))
        self.words = _WORDS[self.language]

    def path(self, post: Post) -> str:
        return f"/content/{post.slug}" if self.has("aliases") else f"/node/{post.number}"

    def url(self, post: Post) -> str:
        return self.root + self.path(post)

    def told(self, one: Post | Said) -> str:
        return written(one.time, self.language, _DATES[self.language])

    def day(self, one: Post | Said) -> str:
        return written(one.time, self.language, _DAYS[self.language])

    def node(self, post: Post, *, teaser: bool) -> str:
        return (self.node_7 if self.seven else self.node_9)(post, teaser)

    def node_7(self, post: Post, teaser: bool) -> str:
        user = (
            '<span class="username" xml:lang="" about="/user/3" typeof="sioc:UserAccount" property="foaf:name" datatype="">'
            f"{escape(post.author)}</span>"
        )
        rdf = (
            f' property="dc:date dc:created" content="{post.time.isoformat()}" datatype="xsd:dateTime" rel="sioc:has_creator"'
            if self.has("rdf")
            else ""
        )
        heading = f'<h2 property="dc:title" datatype=""><a href="{self.path(post)}">{escape(post.title)}</a></h2>' if teaser else ""
        text = f"<p>{escape(post.summary)}</p>" if teaser else written_parts(post.parts)
        terms = "".join(
            (
                f'<li class="taxonomy-term-reference-{n}" rel="dc:subject"><a href="/taxonomy/term/{n}" typeof="skos:Concept" '
                f'property="rdfs:label skos:prefLabel">{escape(tag)}</a></li>'
            )
            for n, tag in enumerate(post.tags)
        )
        tags = given(
            terms,
            '<div class="field field-name-field-tags field-type-taxonomy-term-reference field-label-above clearfix"><h3 '
            f'class="field-label">Tags: </h3><ul class="links">{terms}</ul></div>',
        )
        links = given(
            teaser,
            f'<li class="node-readmore first"><a href="{self.path(post)}" rel="tag" title="{attribute(post.title)}">{self.words[2]}'
            f'<span class="element-invisible"> about {escape(post.title)}</span></a></li>',
        )
        links += f'<li class="comment-add last"><a href="{self.path(post)}#comment-form">{self.words[5]}</a></li>'
        return (
            f'<div id="node-{post.number}" class="node node-article node-promoted {"node-teaser " if teaser else ""}clearfix" '
            f'about="{self.path(post)}" typeof="sioc:Item foaf:Document">{heading}<span property="dc:title" '
            f'content="{attribute(post.title)}" class="rdf-meta element-hidden"></span><div class="meta submitted"><span{rdf}>'
            f'{self.words[0].format(user, self.told(post))}</span></div><div class="content clearfix"><div class="field field-name-body '
            'field-type-text-with-summary field-label-hidden"><div class="field-items"><div class="field-item even" '
            f'property="content:encoded">{text}</div></div></div>{tags}</div><div class="link-wrapper"><ul class="links inline">'
            f"{links}</ul></div>{'' if teaser else self.comments(post)}</div>"
        )

    def node_9(self, post: Post, teaser: bool) -> str:
        rdf = given(
            self.has("rdf"),
            f'<span property="schema:name" content="{attribute(post.title)}" class="hidden"></span><span '
            f'property="schema:dateCreated" content="{post.time.isoformat()}" class="hidden"></span>',
        )
        by = (
            '<span class="node__author"><span class="field field--name-uid field--type-entity-reference field--label-hidden"><span>'
            f"{escape(post.author)}</span></span></span>"
        )
        meta = f'<div class="node__meta"><div class="node__author-image"></div><span>By {by}, {self.day(post)}</span></div>'
        if self.bartik:
            user = (
                '<span class="field field--name-uid field--type-entity-reference field--label-hidden"><span lang="">'
                f"{escape(post.author)}</span></span>"
            )
            when = f'<span class="field field--name-created field--type-created field--label-hidden">{self.told(post)}</span>'
            meta = f'<div class="node__meta"><span class="node__submitted">{self.words[0].format(user, when)}</span></div>'
        heading = given(
            teaser,
            f'<h2 class="node__title"><a href="{self.path(post)}" rel="bookmark"><span class="field field--name-title '
            f'field--type-string field--label-hidden">{escape(post.title)}</span></a></h2>',
        )
        text = f"<p>{escape(post.summary)}</p>" if teaser else written_parts(post.parts)
        tags = "".join(
            f'<li class="field__item"><a href="/taxonomy/term/{n}" hreflang="{self.language}">{escape(tag)}</a></li>'
            for n, tag in enumerate(post.tags)
        )
        tagged = given(
            tags,
            '<div class="field field--name-field-tags field--type-entity-reference field--label-above field--tags"><h3 '
            f'class="field__label field--tags__label">Tags</h3><ul class="links field__items field--tags__items">{tags}</ul></div>',
        )
        more = given(
            teaser,
            f'<ul class="node__links links inline"><li><a href="{self.path(post)}" rel="tag" title="{attribute(post.title)}">'
            f'{self.words[2]}<span class="visually-hidden"> about {escape(post.title)}</span></a></li></ul>',
        )
        mode = "teaser" if teaser else "full"
        return (
            f'<article data-history-node-id="{post.number}" role="article" class="node node--type-article node--promoted '
            f'node--view-mode-{mode}"{" typeof=" + chr(34) + "schema:Article" + chr(34) if self.has("rdf") else ""}><header>'
            f'{heading}{meta}</header>{rdf}<div class="node__content"><div class="text-content clearfix field field--name-body '
            f'field--type-text-with-summary field--label-hidden field__item">{text}</div>'
            f"{tagged}{more}{'' if teaser else self.comments(post)}</div></article>"
        )

    # comments

    def comments(self, post: Post) -> str:
        tree = children(post.comments)
        inner = self.below(post, tree, None, 1)
        if self.seven:
            form = f'<h2 class="title comment-form">{self.words[5]}</h2><form class="comment-form" id="comment-form"></form>'
            return f'<div id="comments" class="comment-wrapper"><h2 class="title">{self.words[1]}</h2>{inner}{form}</div>'
        form = f'<div class="add-comment"><h3 class="add-comment__title">{self.words[5]}</h3><form class="comment-form"></form></div>'
        return (
            f'<section data-drupal-selector="comments" class="comments"><h2 class="comments__title">{self.words[1]}<span '
            f'class="comments__count">{len(post.comments)}</span></h2>{form}{inner}</section>'
        )

    def below(self, post: Post, tree: Any, parent: Said | None, level: int) -> str:
        write = self.comment_7 if self.seven else self.comment_9
        out = []
        for one in tree.get(parent.id if parent else None, ()):
            answers = self.below(post, tree, one, level + 1)
            out.append(write(post, one, parent, level) + (f'<div class="indented">{answers}</div>' if answers else ""))
        return "\n".join(out)

    def subject(self, one: Said) -> str:
        return (
            f'<h3><a href="/comment/{one.id}#comment-{one.id}" class="permalink" rel="bookmark">'
            f"{escape(' '.join(one.text.split()[:4]))}</a></h3>"
        )

    def comment_7(self, post: Post, one: Said, parent: Said | None, level: int) -> str:
        rdf = f' property="dc:date dc:created" content="{one.time.isoformat()}" datatype="xsd:dateTime"' if self.has("rdf") else ""
        return (
            f'<a id="comment-{one.id}"></a><div class="comment clearfix" about="/comment/{one.id}#comment-{one.id}" typeof="sioc:Post '
            'sioct:Comment"><div class="attribution"><div class="submitted"><p class="commenter-name"><span class="username">'
            f'{escape(one.author)}</span></p><p class="comment-time"><span{rdf}>{self.told(one)}</span></p><p class="comment-permalink">'
            f'<a href="/comment/{one.id}#comment-{one.id}" class="permalink" rel="bookmark">Permalink</a></p></div></div><div '
            f'class="comment-text"><div class="comment-arrow"></div>{self.subject(one)}<div class="content"><div class="field '
            'field-name-comment-body field-type-text-long field-label-hidden"><div class="field-items"><div class="field-item even" '
            f'property="content:encoded">{written_parts(one.parts)}</div></div></div></div><ul class="links inline"><li '
            f'class="comment-reply first last"><a href="/comment/reply/{post.number}/{one.id}">{self.words[3]}</a></li></ul></div></div>'
        )

    def comment_9(self, post: Post, one: Said, parent: Said | None, level: int) -> str:
        reply = (
            f'<p class="visually-hidden">In reply to {self.subject(parent)[4:-5]} by <span>{escape(parent.author)}</span></p>'
            if parent
            else ""
        )
        if self.bartik:
            return (
                f'<a id="comment-{one.id}"></a><article role="article" data-comment-user-id="0" class="comment js-comment by-anonymous '
                f'clearfix"><span class="hidden" data-comment-timestamp="{int(one.time.timestamp())}"></span><footer '
                f'class="comment__meta"><p class="comment__author"><span class="username">{escape(one.author)}</span></p><p '
                f'class="comment__time">{self.told(one)}</p><p class="comment__permalink"><a href="/comment/{one.id}#comment-{one.id}" '
                f'hreflang="{self.language}">Permalink</a></p>{reply}</footer><div class="comment__content">{self.subject(one)}<div '
                'class="clearfix text-formatted field field--name-comment-body field--type-text-long field--label-hidden field__item">'
                f'{written_parts(one.parts)}</div><ul class="links inline"><li class="comment-reply"><a '
                f'href="/comment/reply/node/{post.number}/comment/{one.id}">{self.words[3]}</a></li></ul></div></article>'
            )
        return (
            f'<article role="article" data-comment-user-id="0" id="comment-{one.id}" data-drupal-selector="comment" class="comment '
            f'js-comment comment--level-{level} by-anonymous"><div class="comment__text-wrapper"><footer class="comment__meta"><p '
            f'class="comment__author"><span>{escape(one.author)}</span></p><p class="comment__time">{self.told(one)}</p><mark '
            f'class="hidden" data-comment-timestamp="{int(one.time.timestamp())}"></mark>{reply}</footer><div class="comment__content">'
            f'{self.subject(one)}<div class="text-content clearfix field field--name-comment-body field--type-text-long '
            f'field--label-hidden field__item">{written_parts(one.parts)}</div><ul class="links inline comment__links"><li><a '
            f'href="/comment/reply/node/{post.number}/comment_node_article/{one.id}">{self.words[3]}</a></li></ul></div></div></article>'
        )

    # pages

    def page(self, title: str, inner: str, classes: str) -> str:
        head = (
            f'<meta name="Generator" content="Drupal {"7 (http://drupal.org)" if self.seven else "9 (https://www.drupal.org)"}" />\n'
            f'<link rel="alternate" type="application/rss+xml" title="RSS" href="{self.root}/rss.xml" />'
        )
        recent = "".join(f'<li><a href="{self.path(post)}">{escape(post.title)}</a></li>' for post in self.posts[:3])
        side = (
            f'<div class="region region-sidebar-first"><div class="block block-node"><h2>Recent content</h2><ul>{recent}</ul></div></div>'
        )
        return document(
            title,
            (
                '<div id="page-wrapper"><div id="header"><a href="/" rel="home">Blog</a></div><div id="main-wrapper"><main role="main">'
                f'<div class="region region-content">{inner}</div></main>{side}</div></div>'
            ),
            language=self.language,
            head=head,
            classes=classes,
        )

    def index(self, posts: Sequence[Post], page: int, last: int, base: str) -> str:
        nodes = "".join(self.node(post, teaser=True) for post in posts)
        link = f"{base}?page={page + 1}"
        if self.seven:
            numbers = f'<li class="pager-current first">{page + 1}</li>' + given(
                page < last,
                f'<li class="pager-item"><a title="Go to page" href="{link}">{page + 2}</a></li><li class="pager-next"><a title="Next" '
                f'href="{link}">{self.words[4]}</a></li><li class="pager-last last"><a href="{base}?page={last}">last »</a></li>',
            )
            pager = f'<h2 class="element-invisible">Pages</h2><div class="item-list"><ul class="pager">{numbers}</ul></div>'
        else:
            after = given(
                page < last,
                f'<li class="pager__item pager__item--control pager__item--next"><a href="?page={page + 1}" title="Next" rel="next">'
                f'<span class="visually-hidden">{self.words[4]}</span></a></li>',
            )
            pager = (
                '<nav class="pager" role="navigation"><h4 class="visually-hidden">Pagination</h4><ul class="pager__items '
                f'js-pager__items"><li class="pager__item is-active pager__item--number"><a href="?page={page}" title="Current page">'
                f"{page + 1}</a></li>{after}</ul></nav>"
            )
        return self.page(
            "Blog",
            (
                f'<div class="views-element-container"><div class="view view-frontpage"><div class="view-content">{nodes}</div>{pager}'
                "</div></div>"
            ),
            "html front not-logged-in page-node",
        )

    def single(self, post: Post) -> str:
        title = (
            f'<h1 class="title" id="page-title">{escape(post.title)}</h1>'
            if self.seven
            else (
                '<h1 class="title page-title"><span class="field field--name-title field--type-string field--label-hidden">'
                f"{escape(post.title)}</span></h1>"
            )
        )
        return self.page(
            f"{post.title} | Blog", title + self.node(post, teaser=False), f"html not-front node-type-article page-node-{post.number}"
        )


def site(root: str, variation: Variation) -> Made:
    blog = _Blog(root, variation)
    made = Made()
    pages = chunks(blog.posts, _PER_PAGE)
    for base in ("/", "/node"):
        for page, posts in enumerate(pages):
            made.page(f"{base}?page={page}", blog.index(posts, page, len(pages) - 1, base if not blog.seven else "/node"))
        made.pages[base] = made.pages[f"{base}?page=0"]
    for post in blog.posts:
        made.page(blog.path(post), blog.single(post))
        made.truths.append(truth_of_post(blog.url(post), post, only_day=not blog.seven and not blog.bartik and not blog.has("rdf")))
    made.give(
        "/rss.xml",
        "application/rss+xml; charset=utf-8",
        rss("Blog", root, [(blog.url(post), post, f"<p>{post.summary}</p>") for post in blog.posts[:10]]),
    )
    return made
