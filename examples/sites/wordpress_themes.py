"""What themes of WordPress write around posts, lists of them and comments: those that come with it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Templates, filled by `str.format`; as they stand in the manner of Twenty Sixteen, others say what they do otherwise."""

    version: str = "6.4.3"
    blocks: bool = False
    whole: bool = True
    """Whether the index has the texts of posts."""
    only_day: bool = False
    around: str = (
        '<div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main">{inner}</main>'
        "</div>{sidebar}</div>"
    )
    entry: str = (
        '<article id="post-{number}" class="{classes}"><header class="entry-header"><h{level} class="entry-title">{title}</h{level}>'
        '</header><div class="entry-content">{text}</div><footer class="entry-footer"><span class="byline"><span class="author vcard">'
        '<img alt="" class="avatar" src="/a.png" /><span class="screen-reader-text">{by} </span><a class="url fn n" href="{profile}">'
        '{author}</a></span></span><span class="posted-on"><span class="screen-reader-text">{on} </span><a href="{url}" rel="bookmark">'
        '<time class="entry-date published" datetime="{iso}">{day}</time></a></span><span class="cat-links"><span '
        'class="screen-reader-text">{under} </span>{category}</span>{tagged}</footer></article>'
    )
    on_index: str = ""
    """Of a post on the index, where it is not the same with another heading."""
    title_link: str = '<a href="{url}" rel="bookmark">{name}</a>'
    tagged: str = '<span class="tags-links"><span class="screen-reader-text">Tags </span>{tags}</span>'
    index: str = "{items}{pager}"
    pager: tuple[str, str, str] = (
        '<nav class="navigation pagination"><h2 class="screen-reader-text">Posts navigation</h2><div class="nav-links">{newer}<span '
        'aria-current="page" class="page-numbers current"><span class="meta-nav screen-reader-text">Page </span>{page}</span>{older}'
        "</div></nav>",
        '<a class="prev page-numbers" href="{link}">{to_newer}</a>',
        '<a class="page-numbers" href="{link}">{after}</a><a class="next page-numbers" href="{link}">{to_older}</a>',
    )
    """Around, and the links to newer and to older posts."""
    comments: str = (
        '<div id="comments" class="comments-area"><h2 class="comments-title">{title}</h2>{list}<div id="respond" class="comment-respond">'
        '<h3 id="reply-title" class="comment-reply-title">{form}</h3><form id="commentform"><p class="comment-notes">E-mail</p></form>'
        "</div></div>"
    )
    comment_list: str = '<ol class="comment-list">{}</ol>'
    comment: str = (
        '<li id="comment-{id}" class="comment even depth-{depth}"><article id="div-comment-{id}" class="comment-body"><footer '
        'class="comment-meta"><div class="comment-author vcard"><img alt="" class="avatar" src="/a.png" /><b class="fn">{who}</b> <span '
        'class="says">{says}</span></div><div class="comment-metadata"><a href="{url}#comment-{id}"><time datetime="{iso}">{moment}'
        '</time></a></div></footer><div class="comment-content">{text}</div><div class="reply"><a rel="nofollow" '
        'class="comment-reply-link" href="?replytocom={id}#respond">{reply}</a></div></article>{answers}</li>'
    )
    answers: str = '<ol class="children">{}</ol>'
    comment_pager: tuple[str, str, str] = (
        '<nav class="navigation comment-navigation"><div class="nav-links">{older}{newer}</div></nav>',
        '<div class="nav-next"><a href="{link}">{to_newer} {comments}</a></div>',
        '<div class="nav-previous"><a href="{link}">{to_older} {comments}</a></div>',
    )


TWENTY_SIXTEEN = Theme()
TWENTY_TWENTY_ONE = Theme(  # the author below the text; numbers lead to the pages of comments
    whole=False,
    on_index=(
        '<article id="post-{number}" class="{classes}"><header class="entry-header"><h2 class="entry-title default-max-width"><a '
        'href="{url}">{name}</a></h2></header><div class="entry-content"><p>{summary}… <a class="more-link" href="{url}">… <span '
        'class="screen-reader-text">{name}</span></a></p></div><footer class="entry-footer"><span class="posted-on"><time '
        'class="entry-date published" datetime="{iso}">{day}</time></span></footer></article>'
    ),
    entry=(
        '<article id="post-{number}" class="{classes}"><header class="entry-header"><h1 class="entry-title">{title}</h1></header><div '
        'class="entry-content">{text}</div><footer class="entry-footer default-max-width"><div class="posted-by"><span '
        'class="posted-on">{on} <time class="entry-date published updated" datetime="{iso}">{day}</time></span><span class="byline">{by} '
        '<a rel="author" href="{profile}">{author}</a></span></div><div class="post-taxonomies"><span class="cat-links">{under} '
        "{category} </span>{tagged}</div></footer></article>"
    ),
    tagged='<span class="tags-links">Tagged {tags}</span>',
    comment_pager=(
        '<nav class="navigation comments-pagination"><h2 class="screen-reader-text">Comments navigation</h2><div class="nav-links">{older}'
        "{newer}</div></nav>",
        '<a class="next page-numbers" href="{link}">{to_newer}</a>',
        '<a class="prev page-numbers" href="{link}">{to_older}</a>',
    ),
)
TWENTY_TEN = Theme(  # times stand in a title only, those of comments in the text
    version="3.0.1",
    around=(
        '<div id="main"><div id="container"><div id="content" role="main">{inner}</div></div><div id="primary" class="widget-area">'
        "{sidebar}</div></div>"
    ),
    entry=(
        '<div id="post-{number}" class="{classes}"><h{level} class="entry-title">{title}</h{level}><div class="entry-meta"><span '
        'class="meta-prep meta-prep-author">{on}</span> <a href="{url}" title="{clock}" rel="bookmark"><span class="entry-date">{day}'
        '</span></a> <span class="meta-sep">{by}</span> <span class="author vcard"><a class="url fn n" href="{profile}">{author}</a>'
        '</span></div><div class="entry-content">{text}</div><div class="entry-utility"><span class="cat-links">{under} {category}</span> '
        "{tagged}</div></div>"
    ),
    tagged='<span class="tag-links">{tags}</span>',
    pager=(
        '<div id="nav-below" class="navigation">{older}{newer}</div>',
        '<div class="nav-next"><a href="{link}">{to_newer} &rarr;</a></div>',
        '<div class="nav-previous"><a href="{link}">&larr; {to_older}</a></div>',
    ),
    comments='<div id="comments"><h3 id="comments-title">{title}</h3>{list}<div id="respond"><h3 id="reply-title">{form}</h3></div></div>',
    comment_list='<ol class="commentlist">{}</ol>',
    answers="<ul class='children'>{}</ul>",
    comment=(
        '<li class="comment even depth-{depth}" id="li-comment-{id}"><div id="comment-{id}"><div class="comment-author vcard"><img alt="" '
        'class="avatar" src="/a.png" /> <cite class="fn">{author}</cite> <span class="says">{says}</span></div><div class="comment-meta '
        'commentmetadata"><a href="{url}#comment-{id}">{moment}</a></div><div class="comment-body">{text}</div><div class="reply"><a '
        'rel="nofollow" class="comment-reply-link" href="#respond">{reply}</a></div></div>{answers}</li>'
    ),
)
KUBRICK = replace(  # of 2005: a headline of the second level, a `small` line; the core's own comments, without a box for their text
    TWENTY_TEN,
    version="2.8.4",
    entry=(
        '<div class="{classes}" id="post-{number}"><h2><a href="{url}" rel="bookmark" title="Permanent Link">{name}</a></h2><small>'
        '{moment} {by} {author}</small><div class="entry">{text}</div>{tagged}<p class="postmetadata">{under} {category} | <a '
        'href="{url}#respond">{form}</a></p></div>'
    ),
    tagged='<p class="tags">Tags: {tags}</p>',
    pager=(
        '<div class="navigation"><div class="alignleft">{older}</div><div class="alignright">{newer}</div></div>',
        '<a href="{link}">{to_newer} &raquo;</a>',
        '<a href="{link}">&laquo; {to_older}</a>',
    ),
    comment=(
        '<li class="comment odd depth-{depth}" id="comment-{id}"><div id="div-comment-{id}" class="comment-body"><div '
        'class="comment-author vcard"><cite class="fn">{author}</cite> <span class="says">{says}</span></div><div class="comment-meta '
        'commentmetadata"><a href="{url}#comment-{id}">{moment}</a></div>{text}<div class="reply"><a class="comment-reply-link" '
        'href="#respond">{reply}</a></div></div>{answers}</li>'
    ),
)
TWENTY_TWENTY_THREE = Theme(  # of blocks: columns around each comment, the author without a link
    blocks=True,
    whole=False,
    around='<div class="wp-site-blocks"><main class="wp-block-group is-layout-flow" id="wp--skip-link--target">{inner}</main></div>',
    entry=(
        '<div class="wp-block-group is-layout-constrained"><h1 class="wp-block-post-title">{title}</h1></div><div class="entry-content '
        'wp-block-post-content is-layout-constrained">{text}</div><div class="wp-block-group"><hr class="wp-block-separator alignwide"/>'
        '<div class="wp-block-columns"><div class="wp-block-column"><div class="wp-block-group"><p>{on}</p><div '
        'class="wp-block-post-date"><time datetime="{iso}">{day}</time></div><p>in</p><div class="taxonomy-category wp-block-post-terms">'
        '{category}</div></div><div class="wp-block-group"><p>{by}</p><div class="wp-block-post-author"><div '
        'class="wp-block-post-author__content"><p class="wp-block-post-author__name">{author}</p></div></div></div></div><div '
        'class="wp-block-column"><p>Tags:</p>{tagged}</div></div></div>'
    ),
    on_index=(
        '<li class="wp-block-post {classes}"><h2 class="wp-block-post-title"><a href="{url}" target="_self">{name}</a></h2><div '
        'class="wp-block-post-excerpt"><p class="wp-block-post-excerpt__excerpt">{summary}… </p></div><div class="wp-block-post-date">'
        '<time datetime="{iso}"><a href="{url}">{day}</a></time></div></li>'
    ),
    tagged='<div class="taxonomy-post_tag wp-block-post-terms">{tags}</div>',
    index=(
        '<h1 class="wp-block-heading alignwide">Blog</h1><div class="wp-block-query alignwide"><ul class="is-flex-container columns-3 '
        'alignwide wp-block-post-template">{items}</ul>{pager}</div>'
    ),
    pager=(
        '<nav class="alignwide wp-block-query-pagination is-layout-flex" aria-label="Pagination">{newer}{older}</nav>',
        '<a href="{link}" class="wp-block-query-pagination-previous">{to_newer}</a>',
        '<a href="{link}" class="wp-block-query-pagination-next">{to_older}</a>',
    ),
    comments=(
        '<section class="wp-block-template-part"><div class="wp-block-comments"><h2 class="wp-block-heading">Comments</h2><h3 '
        'id="comments" class="wp-block-comments-title">{title}</h3>{list}<div class="wp-block-post-comments-form"><div id="respond" '
        'class="comment-respond"><h3 id="reply-title" class="comment-reply-title">{form}</h3></div></div></div></section>'
    ),
    comment_list='<ol class="wp-block-comment-template">{}</ol>',
    comment=(
        '<li id="comment-{id}" class="comment depth-{depth}"><div class="wp-block-columns"><div class="wp-block-column" '
        'style="flex-basis:40px"><div class="wp-block-avatar"><img alt="" class="avatar" src="/a.png"/></div></div><div '
        'class="wp-block-column"><div class="wp-block-comment-author-name has-small-font-size">{who}</div><div class="wp-block-group">'
        '<div class="wp-block-comment-date has-small-font-size"><time datetime="{iso}"><a href="{url}#comment-{id}">{moment}</a></time>'
        '</div></div><div class="wp-block-comment-content">{text}</div><div class="wp-block-comment-reply-link has-small-font-size"><a '
        'rel="nofollow" class="comment-reply-link" href="#respond">{reply}</a></div></div></div>{answers}</li>'
    ),
    answers="<ol>{}</ol>",
    comment_pager=(
        '<div class="wp-block-comments-pagination is-layout-flex">{older}{newer}</div>',
        '<a href="{link}" class="wp-block-comments-pagination-next">{to_newer}</a>',
        '<a href="{link}" class="wp-block-comments-pagination-previous">{to_older}</a>',
    ),
)
TWENTY_TWENTY_FOUR = replace(  # of blocks: the meta line above the text, the author a link, a group around each comment
    TWENTY_TWENTY_THREE,
    version="6.5",
    entry=(
        '<div class="wp-block-group"><h1 class="wp-block-post-title has-x-large-font-size">{title}</h1><div class="wp-block-template-part">'
        '<div class="wp-block-group is-content-justification-left"><div class="wp-block-post-date"><time datetime="{iso}"><a href="{url}">'
        '{day}</a></time></div><p class="has-contrast-2-color">—</p><p class="has-small-font-size">{by}</p><div '
        'class="wp-block-post-author-name"><a target="_self" class="wp-block-post-author-name__link" href="{profile}">{author}</a></div>'
        '<div class="taxonomy-category wp-block-post-terms"><span class="wp-block-post-terms__prefix">in </span>{category}</div></div>'
        '</div></div><div class="entry-content wp-block-post-content is-layout-flow">{text}</div>{tagged}'
    ),
    tagged='<div class="taxonomy-post_tag is-style-pill wp-block-post-terms">{tags}</div>',
    comment=(
        '<li id="comment-{id}" class="comment depth-{depth}"><div class="wp-block-group" style="margin-top:0"><div class="wp-block-group '
        'is-nowrap is-layout-flex"><div class="wp-block-avatar"><img alt="" src="/a.png"/></div><div class="wp-block-group"><div '
        'class="wp-block-comment-date"><time datetime="{iso}"><a href="{url}#comment-{id}">{moment}</a></time></div><div '
        'class="wp-block-comment-author-name">{who}</div></div></div><div class="wp-block-comment-content">{text}</div><div '
        'class="wp-block-group"><div class="wp-block-comment-reply-link"><a class="comment-reply-link" href="#respond">{reply}</a></div>'
        "</div></div>{answers}</li>"
    ),
)
