"""What themes that others made for WordPress write, and some of its own that are unlike the rest."""

from __future__ import annotations

from dataclasses import replace

from .wordpress_themes import KUBRICK, TWENTY_SIXTEEN, TWENTY_TEN, TWENTY_TWENTY_FOUR, TWENTY_TWENTY_ONE, TWENTY_TWENTY_THREE, Theme

_TWENTY = Theme(  # Twenty Twenty: no `time` for posts; comments are boxes in one another, without a list
    only_day=True,
    title_link='<a href="{url}">{name}</a>',
    entry=(
        '<article class="{classes}" id="post-{number}"><header class="entry-header has-text-align-center header-footer-group"><div '
        'class="entry-header-inner section-inner medium"><div class="entry-categories"><span class="screen-reader-text">Categories</span>'
        '<div class="entry-categories-inner">{category}</div></div><h{level} class="entry-title">{title}</h{level}><div '
        'class="post-meta-wrapper post-meta-single post-meta-single-top"><ul class="post-meta"><li class="post-author meta-wrapper"><span '
        'class="meta-icon"><span class="screen-reader-text">Post author</span></span><span class="meta-text">{by} <a href="{profile}">'
        '{author}</a></span></li><li class="post-date meta-wrapper"><span class="meta-icon"><span class="screen-reader-text">Post date'
        '</span></span><span class="meta-text"><a href="{url}">{day}</a></span></li><li class="post-comment-link meta-wrapper"><span '
        'class="meta-text"><a href="{url}#comments">{count} {comments}</a></span></li></ul></div></div></header><div class="post-inner '
        'thin "><div class="entry-content">{text}</div></div><div class="section-inner">{tagged}</div></article>'
    ),
    tagged=(
        '<div class="post-meta-wrapper post-meta-single post-meta-single-bottom"><ul class="post-meta"><li class="post-tags meta-wrapper">'
        '<span class="meta-icon"></span><span class="meta-text">{tags}</span></li></ul></div>'
    ),
    comments=(
        '<div class="comments-wrapper section-inner"><div class="comments" id="comments"><div class="comments-header section-inner small">'
        '<h2 class="comment-reply-title">{title}</h2></div><div class="comments-inner section-inner thin">{list}</div></div><div '
        'id="respond" class="comment-respond"><h2 id="reply-title" class="comment-reply-title">{form}</h2></div></div>'
    ),
    comment_list="{}",
    answers="{}",
    comment=(
        '<div id="comment-{id}" class="comment even depth-{depth}"><article id="div-comment-{id}" class="comment-body"><footer '
        'class="comment-meta"><div class="comment-author vcard"><img alt="" class="avatar" src="/a.png" /><span class="fn">{author}</span>'
        '<span class="screen-reader-text says">{says}</span></div><div class="comment-metadata"><a href="{url}#comment-{id}"><time '
        'datetime="{iso}">{moment}</time></a></div></footer><div class="comment-content entry-content">{text}</div><footer '
        'class="comment-footer-meta"><span class="comment-reply"><a class="comment-reply-link" href="#respond">{reply}</a></span></footer>'
        "</article>{answers}</div>"
    ),
)
_ASTRA_HEAD = (
    '<article class="{classes} ast-article-single" id="post-{number}" itemtype="https://schema.org/CreativeWork" itemscope="itemscope">'
    '<div class="ast-post-format- single-layout-1"><header class="entry-header "><h{level} class="entry-title" itemprop="headline">{title}'
    '</h{level}><div class="entry-meta"><span class="comments-link"><a href="{url}#comments">{count} {comments}</a></span> / <span '
    'class="ast-terms-link cat-links">{category}</span>{tagged} / {by} <span class="posts-author author vcard" itemprop="author" '
    'itemtype="https://schema.org/Person" itemscope><a title="View all posts" href="{profile}" rel="author" class="url fn n" '
    'itemprop="url"><span class="author-name" itemprop="name">{author}</span></a></span> / <span class="posted-on"><span '
    'class="published" itemprop="datePublished"> {day} </span></span></div></header><div class="entry-content clear" itemprop="text">'
)
_ASTRA = Theme(  # the date as text in a `span`, names of its own for comments
    only_day=True,
    whole=False,
    entry=_ASTRA_HEAD + "{text}</div></div></article>",
    on_index=_ASTRA_HEAD + '<p>{summary}…</p><p class="read-more"><a class="" href="{url}">{to_older} »</a></p></div></div></article>',
    tagged=' / <span class="ast-tags-links tags-links"><span class="tags-links">{tags}</span></span>',
    comment_list='<ol class="ast-comment-list">{}</ol>',
    comment=(
        '<li class="comment even depth-{depth}" id="li-comment-{id}"><article id="comment-{id}" class="ast-comment"><div '
        'class="ast-comment-info"><div class="ast-comment-avatar-wrap"><img alt="" class="avatar" src="/a.png" /></div><header '
        'class="ast-comment-meta ast-row ast-comment-author vcard capitalize"><div class="ast-comment-cite-wrap"><cite><b class="fn">'
        '{author}</b> </cite></div><div class="ast-comment-time"><span class="timendate"><a href="{url}#comment-{id}"><time '
        'datetime="{iso}">{moment}</time></a></span></div></header></div><section class="ast-comment-content comment">{text}<div '
        'class="ast-comment-edit-reply-wrap"><span class="ast-reply-link"><a class="comment-reply-link" href="#respond">{reply}</a></span>'
        "</div></section></article>{answers}</li>"
    ),
)
_GENESIS = Theme(  # Schema.org attributes everywhere
    title_link='<a class="entry-title-link" rel="bookmark" href="{url}">{name}</a>',
    entry=(
        '<article class="{classes} entry" aria-label="{attribute}" itemscope itemtype="https://schema.org/CreativeWork"><header '
        'class="entry-header"><h{level} class="entry-title" itemprop="headline">{title}</h{level}><p class="entry-meta"><time '
        'class="entry-time" itemprop="datePublished" datetime="{iso}">{day}</time> {by} <span class="entry-author" itemprop="author" '
        'itemscope itemtype="https://schema.org/Person"><a href="{profile}" class="entry-author-link" rel="author" itemprop="url"><span '
        'class="entry-author-name" itemprop="name">{author}</span></a></span> <span class="entry-comments-link"><a href="{url}#comments">'
        '{count} {comments}</a></span></p></header><div class="entry-content" itemprop="text">{text}</div><footer class="entry-footer"><p '
        'class="entry-meta"><span class="entry-categories">{under}: {category}</span>{tagged}</p></footer></article>'
    ),
    tagged=' <span class="entry-tags">Tagged With: {tags}</span>',
    pager=(
        '<div class="archive-pagination pagination">{newer}{older}</div>',
        '<div class="pagination-previous alignleft"><a href="{link}">« Previous Page</a></div>',
        '<div class="pagination-next alignright"><a href="{link}">Next Page »</a></div>',
    ),
    comments=(
        '<div class="entry-comments" id="comments"><h3>{title}</h3>{list}</div><div id="respond" class="comment-respond"><h3 '
        'id="reply-title">{form}</h3></div>'
    ),
    answers='<ul class="children">{}</ul>',
    comment=(
        '<li class="comment even depth-{depth}" id="comment-{id}"><article id="article-comment-{id}" itemprop="comment" itemscope '
        'itemtype="https://schema.org/Comment"><header class="comment-header"><p class="comment-author" itemprop="author" itemscope '
        'itemtype="https://schema.org/Person"><img alt="" class="avatar" src="/a.png" /><span itemprop="name">{author}</span> <span '
        'class="says">{says}</span></p><p class="comment-meta"><time class="comment-time" datetime="{iso}" itemprop="datePublished"><a '
        'class="comment-time-link" href="{url}#comment-{id}" itemprop="url">{moment}</a></time></p></header><div class="comment-content" '
        'itemprop="text">{text}</div><div class="comment-reply"><a class="comment-reply-link" href="#respond">{reply}</a></div></article>'
        "{answers}</li>"
    ),
)
_TWENTY_ELEVEN = replace(  # author and time of a comment in one line of the footer; headlines of the first level on the index, too
    TWENTY_SIXTEEN,
    version="3.3",
    entry=(
        '<article id="post-{number}" class="{classes}"><header class="entry-header"><h1 class="entry-title">{title}</h1><div '
        'class="entry-meta"><span class="sep">{on} </span><a href="{url}" title="{clock}" rel="bookmark"><time class="entry-date" '
        'datetime="{iso}" pubdate>{day}</time></a><span class="by-author"> <span class="sep"> {by} </span> <span class="author vcard"><a '
        'class="url fn n" rel="author" href="{profile}">{author}</a></span></span></div></header><div class="entry-content">{text}</div>'
        '<footer class="entry-meta"><span class="cat-links"><span class="entry-utility-prep entry-utility-prep-cat-links">{under}</span> '
        "{category}</span>{tagged}</footer></article>"
    ),
    tagged=(
        ' <span class="sep"> | </span><span class="tag-links"><span class="entry-utility-prep entry-utility-prep-tag-links">Tagged</span> '
        "{tags}</span>"
    ),
    pager=(
        '<nav id="nav-below"><h3 class="assistive-text">Post navigation</h3>{older}</nav>',
        "",
        '<div class="nav-previous"><a href="{link}"><span class="meta-nav">&larr;</span> {to_older}</a></div>',
    ),
    comment_list='<ol class="commentlist">{}</ol>',
    answers='<ul class="children">{}</ul>',
    comment=(
        '<li class="comment even depth-{depth}" id="li-comment-{id}"><article id="comment-{id}" class="comment"><footer '
        'class="comment-meta"><div class="comment-author vcard"><img alt="" class="avatar" src="/a.png" /><span class="fn">{author}</span> '
        'on <a href="{url}#comment-{id}"><time pubdate datetime="{iso}">{moment}</time></a> <span class="says">said:</span></div></footer>'
        '<div class="comment-content">{text}</div><div class="reply"><a class="comment-reply-link" href="#respond">{reply} <span>&darr;'
        "</span></a></div></article>{answers}</li>"
    ),
)
_GENERATE_HEAD = (
    '<article id="post-{number}" class="{classes}" itemtype="https://schema.org/CreativeWork" itemscope><div class="inside-article">'
    '<header class="entry-header"><h{level} class="entry-title" itemprop="headline">{title}</h{level}><div class="entry-meta"><span '
    'class="posted-on"><time class="entry-date published" datetime="{iso}" itemprop="datePublished">{day}</time></span> <span '
    'class="byline">{by} <span class="author vcard" itemprop="author" itemtype="https://schema.org/Person" itemscope><a class="url fn n" '
    'href="{profile}" rel="author" itemprop="url"><span class="author-name" itemprop="name">{author}</span></a></span></span></div>'
    "</header>"
)
_GENERATE_FOOT = (
    '<footer class="entry-meta"><span class="cat-links"><span class="screen-reader-text">Categories </span>{category}</span>{tagged}'
    "</footer></div></article>"
)
_GENERATE_PRESS = replace(  # boxes inside articles, Schema.org attributes, the usual comments
    TWENTY_SIXTEEN,
    whole=False,
    entry=_GENERATE_HEAD + '<div class="entry-content" itemprop="text">{text}</div>' + _GENERATE_FOOT,
    on_index=(
        _GENERATE_HEAD + '<div class="entry-summary" itemprop="text"><p>{summary} … <a title="{attribute}" class="read-more" href="{url}">'
        "{to_older}</a></p></div>" + _GENERATE_FOOT
    ),
)
_NEWSPAPER = Theme(  # modules on the index, times of comments as text
    whole=False,
    entry=(
        '<article id="post-{number}" class="{classes}"><div class="td-post-header"><ul class="td-category"><li class="entry-category">'
        '{category}</li></ul><header class="td-post-title"><h1 class="entry-title">{title}</h1><div class="td-module-meta-info"><div '
        'class="td-post-author-name"><div class="td-author-by">{by}</div> <a href="{profile}">{author}</a><div class="td-author-line"> - '
        '</div> </div><span class="td-post-date"><time class="entry-date updated td-module-date" datetime="{iso}">{day}</time></span><div '
        'class="td-post-comments"><a href="{url}#comments">{count}</a></div></div></header></div><div class="td-post-content tagdiv-type">'
        '{text}</div><footer>{tagged}<div class="td-post-next-prev"></div></footer></article>'
    ),
    on_index=(
        '<div class="td_module_1 td_module_wrap td-animation-stack"><h3 class="entry-title td-module-title"><a href="{url}" '
        'rel="bookmark" title="{attribute}">{name}</a></h3><div class="td-module-meta-info"><span class="td-post-author-name"><a '
        'href="{profile}">{author}</a> <span>-</span> </span><span class="td-post-date"><time class="entry-date updated td-module-date" '
        'datetime="{iso}">{day}</time></span></div><div class="td-excerpt">{summary}...</div></div>'
    ),
    tagged=(
        '<div class="td-post-source-tags"><ul class="td-tags td-post-small-box clearfix"><li><span>TAGS</span></li><li>{tags}</li></ul>'
        "</div>"
    ),
    pager=(
        '<div class="page-nav td-pb-padding-side"><span class="current">{page}</span>{older}<span class="pages">Page {page} of {last}'
        "</span></div>",
        "",
        '<a href="{link}" class="page" title="{after}">{after}</a><a href="{link}" aria-label="next-page"><i class="td-icon-menu-right">'
        "</i></a>",
    ),
    answers='<ul class="children">{}</ul>',
    comment=(
        '<li class="comment " id="comment-{id}"><article><footer><img alt="" class="avatar" src="/a.png" /><cite>{author}</cite><a '
        'class="comment-link" href="#comment-{id}"><time pubdate="{unix}">{moment}</time></a></footer><div class="comment-content '
        'tagdiv-type">{text}</div><div class="comment-meta" id="comment-reply-{id}"><a class="comment-reply-link" href="#respond">{reply}'
        "</a></div></article>{answers}</li>"
    ),
)
THEMES = {
    "twentysixteen": TWENTY_SIXTEEN, "twentytwentyone": TWENTY_TWENTY_ONE, "twentyten": TWENTY_TEN, "kubrick": KUBRICK,
    "twentytwentythree": TWENTY_TWENTY_THREE, "twentytwentyfour": TWENTY_TWENTY_FOUR, "twentytwenty": _TWENTY, "astra": _ASTRA,
    "genesis": _GENESIS, "twentyeleven": _TWENTY_ELEVEN, "generatepress": _GENERATE_PRESS, "newspaper": _NEWSPAPER,
}  # fmt: skip
