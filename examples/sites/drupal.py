"""Drupal: 7 with Bartik, 9 with Olivero; answers stand indented behind the comment that they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .content import Post, Said, blog_posts, children, written
from .site import Made, Variation, attribute, chunks, document, escape, truth_of_post, written_parts

_WORDS = {
    "hu": ("Szerző: {} | {}", "Hozzászólások", "Tovább", "válasz", "Következő", "Új hozzászólás"),
    "de": ("Gespeichert von {} am {}", "Kommentare", "Weiterlesen", "Antworten", "nächste Seite ›", "Neuen Kommentar schreiben"),
    "en": ("Submitted by {} on {}", "Comments", "Read more", "reply", "next ›", "Add new comment"),
    "fr": ("Soumis par {} le {}", "Commentaires", "Lire la suite", "répondre", "suivant ›", "Ajouter un commentaire"),
}  # fmt: skip
_DATES = {"hu": "y. MMMM d. EEEE, HH:mm", "de": "EEE, dd/MM/y - HH:mm", "en": "EEE, MM/dd/y - HH:mm", "fr": "EEE, dd/MM/y - HH:mm"}
_DAYS = {"hu": "y. MMMM d.", "de": "d. MMMM y", "en": "d MMMM, y", "fr": "d MMMM y"}
_PER_PAGE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Theme:
    """Templates, filled by `str.format`."""

    node: str
    heading: str
    """Of a teaser."""
    more: str
    rdf: str
    """Within the node; 7 has it in the element of the time."""
    tags: tuple[str, str]
    comments: str
    comment: str
    comment_rdf: str = ""
    title: str
    current: str
    """The number of the page, and the link to the next."""
    after: str
    pager: str


_SEVEN = _Theme(
    node=(
        '<div id="node-{number}" class="node node-article node-promoted {teaser}clearfix" about="{path}" typeof="sioc:Item foaf:Document">'
        '{heading}<span property="dc:title" content="{attribute}" class="rdf-meta element-hidden"></span><div class="meta submitted">'
        '<span{rdf}>{submitted}</span></div><div class="content clearfix"><div class="field field-name-body field-type-text-with-summary '
        'field-label-hidden"><div class="field-items"><div class="field-item even" property="content:encoded">{text}</div></div></div>'
        '{tagged}</div><div class="link-wrapper"><ul class="links inline">{more}<li class="comment-add last"><a '
        'href="{path}#comment-form">{add}</a></li></ul></div>{comments}</div>'
    ),
    heading='<h2 property="dc:title" datatype=""><a href="{path}">{name}</a></h2>',
    more=(
        '<li class="node-readmore first"><a href="{path}" rel="tag" title="{attribute}">{to_more}<span class="element-invisible"> about '
        "{name}</span></a></li>"
    ),
    rdf=' property="dc:date dc:created" content="{iso}" datatype="xsd:dateTime" rel="sioc:has_creator"',
    tags=(
        '<div class="field field-name-field-tags field-type-taxonomy-term-reference field-label-above clearfix"><h3 class="field-label">'
        'Tags: </h3><ul class="links">{}</ul></div>',
        '<li class="taxonomy-term-reference-{n}" rel="dc:subject"><a href="/taxonomy/term/{n}" typeof="skos:Concept" '
        'property="rdfs:label skos:prefLabel">{tag}</a></li>',
    ),
    comments=(
        '<div id="comments" class="comment-wrapper"><h2 class="title">{title}</h2>{list}<h2 class="title comment-form">{add}</h2><form '
        'class="comment-form" id="comment-form"></form></div>'
    ),
    comment=(
        '<a id="comment-{id}"></a><div class="comment clearfix" about="/comment/{id}#comment-{id}" typeof="sioc:Post sioct:Comment"><div '
        'class="attribution"><div class="submitted"><p class="commenter-name"><span class="username">{author}</span></p><p '
        'class="comment-time"><span{rdf}>{told}</span></p><p class="comment-permalink"><a href="/comment/{id}#comment-{id}" '
        'class="permalink" rel="bookmark">Permalink</a></p></div></div><div class="comment-text"><div class="comment-arrow"></div>'
        '{subject}<div class="content"><div class="field field-name-comment-body field-type-text-long field-label-hidden"><div '
        'class="field-items"><div class="field-item even" property="content:encoded">{text}</div></div></div></div><ul class="links '
        'inline"><li class="comment-reply first last"><a href="/comment/reply/{number}/{id}">{reply}</a></li></ul></div></div>'
    ),
    comment_rdf=' property="dc:date dc:created" content="{iso}" datatype="xsd:dateTime"',
    title='<h1 class="title" id="page-title">{}</h1>',
    current='<li class="pager-current first">{n}</li>',
    after=(
        '<li class="pager-item"><a title="Go to page" href="{link}">{after}</a></li><li class="pager-next"><a title="Next" href="{link}">'
        '{to_next}</a></li><li class="pager-last last"><a href="{base}?page={last}">last »</a></li>'
    ),
    pager='<h2 class="element-invisible">Pages</h2><div class="item-list"><ul class="pager">{}</ul></div>',
)
_NODE_9 = (
    '<article data-history-node-id="{number}" role="article" class="node node--type-article node--promoted node--view-mode-{mode}">'
    '<header>{heading}<div class="node__meta">META</div></header>{rdf}<div class="node__content"><div class="text-content clearfix field '
    'field--name-body field--type-text-with-summary field--label-hidden field__item">{text}</div>{tagged}{more}{comments}</div></article>'
)
_OLIVERO = _Theme(
    node=_NODE_9.replace(
        "META",
        '<div class="node__author-image"></div><span>By <span class="node__author"><span class="field field--name-uid '
        'field--type-entity-reference field--label-hidden"><span>{author}</span></span></span>, {day}</span>',
    ),
    heading=(
        '<h2 class="node__title"><a href="{path}" rel="bookmark"><span class="field field--name-title field--type-string '
        'field--label-hidden">{name}</span></a></h2>'
    ),
    more=(
        '<ul class="node__links links inline"><li><a href="{path}" rel="tag" title="{attribute}">{to_more}<span class="visually-hidden"> '
        "about {name}</span></a></li></ul>"
    ),
    rdf=(
        '<span property="schema:name" content="{attribute}" class="hidden"></span><span property="schema:dateCreated" content="{iso}" '
        'class="hidden"></span>'
    ),
    tags=(
        '<div class="field field--name-field-tags field--type-entity-reference field--label-above field--tags"><h3 class="field__label '
        'field--tags__label">Tags</h3><ul class="links field__items field--tags__items">{}</ul></div>',
        '<li class="field__item"><a href="/taxonomy/term/{n}">{tag}</a></li>',
    ),
    comments=(
        '<section data-drupal-selector="comments" class="comments"><h2 class="comments__title">{title}<span class="comments__count">'
        '{count}</span></h2><div class="add-comment"><h3 class="add-comment__title">{add}</h3><form class="comment-form"></form></div>'
        "{list}</section>"
    ),
    comment=(
        '<article role="article" data-comment-user-id="0" id="comment-{id}" data-drupal-selector="comment" class="comment js-comment '
        'comment--level-{level} by-anonymous"><div class="comment__text-wrapper"><footer class="comment__meta"><p class="comment__author">'
        '<span>{author}</span></p><p class="comment__time">{told}</p><mark class="hidden" data-comment-timestamp="{unix}"></mark>'
        '{in_reply}</footer><div class="comment__content">{subject}<div class="text-content clearfix field field--name-comment-body '
        'field--type-text-long field--label-hidden field__item">{text}</div><ul class="links inline comment__links"><li><a '
        'href="/comment/reply/node/{number}/comment_node_article/{id}">{reply}</a></li></ul></div></div></article>'
    ),
    title=('<h1 class="title page-title"><span class="field field--name-title field--type-string field--label-hidden">{}</span></h1>'),
    current='<li class="pager__item is-active pager__item--number"><a href="?page={page}" title="Current page">{n}</a></li>',
    after=(
        '<li class="pager__item pager__item--control pager__item--next"><a href="?page={n}" title="Next" rel="next"><span '
        'class="visually-hidden">{to_next}</span></a></li>'
    ),
    pager=(
        '<nav class="pager" role="navigation"><h4 class="visually-hidden">Pagination</h4><ul class="pager__items js-pager__items">{}</ul>'
        "</nav>"
    ),
)
_BARTIK_9 = replace(
    _OLIVERO,
    node=_NODE_9.replace("META", '<span class="node__submitted">{submitted}</span>'),
    comment=(
        '<a id="comment-{id}"></a><article role="article" data-comment-user-id="0" class="comment js-comment by-anonymous clearfix"><span '
        'class="hidden" data-comment-timestamp="{unix}"></span><footer class="comment__meta"><p class="comment__author"><span '
        'class="username">{author}</span></p><p class="comment__time">{told}</p><p class="comment__permalink"><a '
        'href="/comment/{id}#comment-{id}">Permalink</a></p>{in_reply}</footer><div class="comment__content">{subject}<div '
        'class="clearfix text-formatted field field--name-comment-body field--type-text-long field--label-hidden field__item">{text}</div>'
        '<ul class="links inline"><li class="comment-reply"><a href="/comment/reply/node/{number}/comment/{id}">{reply}</a></li></ul>'
        "</div></article>"
    ),
)
_SUBMITTED = {
    "bartik-7": (
        '<span class="username" xml:lang="" about="/user/3" typeof="sioc:UserAccount" property="foaf:name" datatype="">{}</span>',
        "{}",
    ),
    "bartik-9": (
        '<span class="field field--name-uid field--type-entity-reference field--label-hidden"><span lang="">{}</span></span>',
        '<span class="field field--name-created field--type-created field--label-hidden">{}</span>',
    ),
    "olivero": ("{}", "{}"),
}
_THEMES = {"bartik-7": _SEVEN, "bartik-9": _BARTIK_9, "olivero": _OLIVERO}


class _Blog:
    def __init__(self, root: str, variation: Variation) -> None:
        self.root, self.language, self.seven, self.has = root, variation.language, variation.theme == "bartik-7", variation.has
        self.theme, self.submitted = _THEMES[variation.theme], _SUBMITTED[variation.theme]
        self.posts = tuple(reversed(blog_posts(variation.voice, 16)))
        self.words = _WORDS[self.language]

    def path(self, post: Post) -> str:
        return f"/content/{post.slug}" if self.has("aliases") else f"/node/{post.number}"

    def url(self, post: Post) -> str:
        return self.root + self.path(post)

    def told(self, one: Post | Said) -> str:
        return written(one.time, self.language, _DATES[self.language])

    def node(self, post: Post, *, teaser: bool) -> str:
        told = {"path": self.path(post), "name": escape(post.title), "attribute": attribute(post.title), "to_more": self.words[2]}
        frame, item = self.theme.tags
        terms = "".join(item.format(n=n, tag=escape(tag)) for n, tag in enumerate(post.tags))
        user, when = self.submitted
        return self.theme.node.format(
            **told, number=post.number, teaser="node-teaser " if teaser else "", mode="teaser" if teaser else "full",
            heading=self.theme.heading.format(**told) if teaser else "", more=self.theme.more.format(**told) if teaser else "",
            rdf=self.theme.rdf.format(**told, iso=post.time.isoformat()) if self.has("rdf") else "", author=escape(post.author),
            submitted=self.words[0].format(user.format(escape(post.author)), when.format(self.told(post))), add=self.words[5],
            day=written(post.time, self.language, _DAYS[self.language]), tagged=frame.format(terms) if terms else "",
            text=f"<p>{escape(post.summary)}</p>" if teaser else written_parts(post.parts), comments="" if teaser else self.comments(post),
        )  # fmt: skip

    # comments

    def comments(self, post: Post) -> str:
        below = self.below(post, children(post.comments), None, 1)
        return self.theme.comments.format(title=self.words[1], list=below, add=self.words[5], count=len(post.comments))

    def below(self, post: Post, tree: Any, parent: Said | None, level: int) -> str:
        out = []
        for one in tree.get(parent.id if parent else None, ()):
            answers = self.below(post, tree, one, level + 1)
            out.append(self.comment(post, one, parent, level) + (f'<div class="indented">{answers}</div>' if answers else ""))
        return "\n".join(out)

    def subject(self, one: Said) -> str:
        words = escape(" ".join(one.text.split()[:4]))
        return f'<h3><a href="/comment/{one.id}#comment-{one.id}" class="permalink" rel="bookmark">{words}</a></h3>'

    def comment(self, post: Post, one: Said, parent: Said | None, level: int) -> str:
        reply = ""
        if parent:
            reply = f'<p class="visually-hidden">In reply to {self.subject(parent)[4:-5]} by <span>{escape(parent.author)}</span></p>'
        return self.theme.comment.format(
            id=one.id, number=post.number, level=level, author=escape(one.author), told=self.told(one), in_reply=reply,
            unix=int(one.time.timestamp()), rdf=self.theme.comment_rdf.format(iso=one.time.isoformat()) if self.has("rdf") else "",
            subject=self.subject(one), text=written_parts(one.parts), reply=self.words[3],
        )  # fmt: skip

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
            '<div id="page-wrapper"><div id="header"><a href="/" rel="home">Blog</a></div><div id="main-wrapper"><main role="main">'
            f'<div class="region region-content">{inner}</div></main>{side}</div></div>',
            language=self.language,
            head=head,
            classes=classes,
        )

    def index(self, posts: Sequence[Post], page: int, last: int, base: str) -> str:
        nodes = "".join(self.node(post, teaser=True) for post in posts)
        told = {"page": page, "n": page + 1, "after": page + 2, "link": f"{base}?page={page + 1}", "base": base, "last": last}
        numbers = self.theme.current.format(**told) + (self.theme.after.format(**told, to_next=self.words[4]) if page < last else "")
        pager = self.theme.pager.format(numbers)
        return self.page(
            "Blog",
            f'<div class="views-element-container"><div class="view view-frontpage"><div class="view-content">{nodes}</div>{pager}'
            "</div></div>",
            "html front not-logged-in page-node",
        )

    def single(self, post: Post) -> str:
        title = self.theme.title.format(escape(post.title))
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
        made.truths.append(truth_of_post(blog.url(post), post, only_day=variation.theme == "olivero" and not blog.has("rdf")))
    return made
