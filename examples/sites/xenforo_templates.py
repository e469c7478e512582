"""What XenForo 1 and 2 write."""

from __future__ import annotations

from .bulletin_board_templates import Software
from .content import slug

_XF = {
    "board": lambda board, page: f"forums/{slug(board.title)}.{board.number}/" + (f"page-{page + 1}" if page else ""),
    "topic": lambda topic, page: f"threads/{slug(topic.title)}.{topic.number}/" + (f"page-{page + 1}" if page else ""),
    "read": r"(?:forums/[^/]*\.(?P<board>\d+)|threads/[^/]*\.(?P<topic>\d+))/(?:page-(?P<page>\d+))?$",
    "offsets": False,
    "identity": r"threads/[^/]*\.(\d+)",
    "dates": {"hu": "y. MMM d. HH:mm", "de": "d. MMMM y 'um' HH:mm", "en": "MMM d, y 'at' h:mm a", "fr": "d MMMM y 'à' HH:mm"},
}  # fmt: skip
XENFORO_1 = Software(
    **_XF,
    time='<span class="DateTime" title="{told}">{day}</span>',
    head='<base href="{root}" />\n<link rel="stylesheet" href="css.php?css=xenforo,form,public" />',
    index=(
        '<ol class="nodeList sectionMain" id="forums"><li class="node category level_1 node_1" id="general.1"><div '
        'class="nodeInfo categoryNodeInfo categoryStrip"><div class="categoryText"><h3 class="nodeTitle"><a '
        'href="#general.1">General</a></h3></div></div><ol class="nodeList">{rows}</ol></li></ol>'
    ),
    index_row=(
        '<li class="node forum level_2 node_{number}"><div class="nodeInfo forumNodeInfo primaryContent"><span class="nodeIcon" title="">'
        '</span><div class="nodeText"><h3 class="nodeTitle"><a href="{link}" data-description="#d{number}">{title}</a></h3><div '
        'class="nodeStats pairsInline"><dl><dt>Discussions:</dt> <dd>4</dd></dl></div>{subs}</div><div class="nodeLastPost '
        'secondaryContent"><span class="lastThreadTitle"><span>Latest:</span> <a href="{last_link}" title="{last_title}">{last_title}</a>'
        '</span><span class="lastThreadMeta"><span class="lastThreadUser"><a href="members/x.4/" class="username">{last_author}</a>'
        ",</span> {last_time}</span></div></div></li>"
    ),
    sub_board=(
        '<ol class="subForumsList"><li class="node forum level-n node_{number}"><div><h4 class="nodeTitle"><a href="{link}" '
        'class="menuRow">{title}</a></h4></div></li></ol>'
    ),
    board_page=(
        '<div class="titleBar"><h1>{title}</h1></div>{sub}<div class="pageNavLinkGroup">{pager}</div><div '
        'class="discussionList section sectionMain"><form action="#"><dl class="sectionHeaders"><dt>Title</dt></dl><ol '
        'class="discussionListItems">{rows}</ol></form></div><div class="pageNavLinkGroup">{pager}</div>'
    ),
    topic_row=(
        '<li id="thread-{number}" class="discussionListItem visible {sticky}" data-author="{author}"><div class="listBlock posterAvatar">'
        '<a href="members/x.3/" class="avatar"></a></div><div class="listBlock main"><div class="titleText"><div class="iconKey"></div>'
        '<h3 class="title"><a href="{link}" title="" class="PreviewTooltip" data-previewUrl="{link}preview">{title}</a></h3><div '
        'class="secondRow"><div class="posterDate muted"><a href="members/x.3/" class="username" title="Thread starter">{author}</a><span '
        'class="startDate">, <a class="faint" href="{link}">{first_time}</a></span><span class="itemPageNav">{pages}</span></div></div>'
        '</div></div><div class="listBlock stats pairsJustified"><dl class="major"><dt>Replies:</dt> <dd>{replies}</dd></dl></div><div '
        'class="listBlock lastPost"><dl class="lastPostInfo"><dt><a href="members/x.4/" class="username">{last_author}</a></dt><dd '
        'class="muted"><a href="{last_link}" class="dateTime">{last_time}</a></dd></dl></div></li>'
    ),
    topic_page=(
        '<div class="titleBar"><h1>{title}</h1><p id="pageDescription" class="muted ">Discussion in \'<a '
        'href="{board_link}">{board}</a>\' started by <a href="members/x.3/" class="username">{author}</a>, <a '
        'href="{link}">{first_time}</a>.</p></div><div class="pageNavLinkGroup">{pager}</div><form class="InlineModForm '
        'section"><ol class="messageList" id="messageList">{posts}</ol></form><div class="pageNavLinkGroup">{pager}</div>'
    ),
    post=(
        '<li id="post-{id}" class="message   " data-author="{author}"><div class="messageUserInfo"><div class="messageUserBlock "><div '
        'class="avatarHolder"><a href="members/x.3/" class="avatar"></a></div><h3 class="userText"><a href="members/x.3/" '
        'class="username" dir="auto">{author}</a><em class="userTitle">New Member</em></h3><div class="extraUserInfo"><dl '
        'class="pairsJustified"><dt>Messages:</dt><dd>5</dd></dl></div></div></div><div class="messageInfo primaryContent"><div '
        'class="messageContent"><article><blockquote class="messageText SelectQuoteContainer ugc baseHtml">{text}<div '
        'class="messageTextEndMarker">&nbsp;</div></blockquote></article></div>{edited}{signature}<div class="messageMeta '
        'ToggleTriggerAnchor"><div class="privateControls"><span class="item muted"><span class="authorEnd"><a href="members/x.3/" '
        'class="username author" dir="auto">{author}</a>,</span> <a href="{link}#post-{id}" title="Permalink" class="datePermalink">'
        '{time}</a></span></div><div class="publicControls"><a href="{link}#post-{id}" title="Permalink" class="item muted postNumber '
        'hashPermalink OverlayTrigger" data-href="posts/{id}/permalink">#{number}</a></div></div></div></li>'
    ),
    quote=(
        '<div class="bbCodeBlock bbCodeQuote" data-author="{author}"><aside><div class="attribution type">{author} said: <a '
        'href="goto/post?id={id}#post-{id}" class="AttributionLink">&uarr;</a></div><blockquote class="quoteContainer"><div '
        'class="quote">{text}</div><div class="quoteExpand">Click to expand...</div></blockquote></aside></div>'
    ),
    edited='<div class="editDate">Last edited: {time}</div>',
    signature='<div class="baseHtml signature messageText ugc"><aside>{text}</aside></div>',
    pager=(
        '<div class="PageNav" data-page="{n}" data-last="{last}"><span class="pageNavHeader">Page {n} of {last}</span>'
        "<nav>{numbers}</nav></div>",
        '<a href="{link}" class="currentPage " rel="start">{n}</a>',
        '<a href="{link}" class="">{n}</a>',
        '<a href="{link}" class="text">Next &gt;</a>',
    ),
    code=('<div class="bbCodeBlock bbCodeCode"><div class="type">Code:</div><pre>{}</pre></div>'),
    attached=(
        '<div class="attachedFiles"><h4 class="attachedFilesHeader">Attached Files:</h4><ul class="attachmentList">'
        '<li class="attachment"><h6 class="filename"><a href="attachments/kep.3/">kep.jpg</a></h6></li></ul></div>'
    ),
    guest='<span class="username">{}</span>',
)
XENFORO_2 = Software(
    **_XF,
    time='<time class="u-dt" dir="auto" datetime="{iso}" data-time="{unix}" data-date-string="{day}" title="{told}">{day}</time>',
    head='<meta property="og:site_name" content="Forum" />\n<link rel="stylesheet" href="/css.php?css=public%3Anormalize.css" />',
    head_next='<link rel="next" href="{next}" />',
    index=(
        '<div class="block block--category block--category1"><div class="block-container"><h2 class="block-header"><a '
        'href="/#general.1">General</a></h2><div class="block-body">{rows}</div></div></div>'
    ),
    index_row=(
        '<div class="node node--id{number} node--depth2 node--forum"><div class="node-body"><span class="node-icon"><i '
        'class="fa--xf"></i></span><div class="node-main js-nodeMain"><h3 class="node-title"><a href="{link}" '
        'data-xf-init="element-tooltip">{title}</a></h3><div class="node-description">Board</div>{subs}</div><div '
        'class="node-stats"><dl class="pairs pairs--rows"><dt>Threads</dt><dd>4</dd></dl></div><div class="node-extra"><div '
        'class="node-extra-row"><a href="{last_link}" class="node-extra-title" title="{last_title}">{last_title}</a></div><div '
        'class="node-extra-row"><ul class="listInline listInline--bullet"><li>{last_time}</li><li class="node-extra-user"><a '
        'href="/members/x.4/" class="username">{last_author}</a></li></ul></div></div></div></div>'
    ),
    sub_board=(
        '<div class="node-subNodesFlat"><span class="node-subNodesLabel">Sub-forums:</span><ol class="node-subNodeFlatList">'
        '<li><a href="{link}" class="subNodeLink subNodeLink--forum"><i class="fa--xf"></i>{title}</a></li></ol></div>'
    ),
    board_page=(
        '<div class="p-body-header"><div class="p-title "><h1 class="p-title-value">{title}</h1></div></div>{sub}<div class="block" '
        'data-type="thread"><div class="block-outer"><div class="block-outer-main">{pager}</div></div><div class="block-container"><div '
        'class="block-body"><div class="structItemContainer"><div class="structItemContainer-group js-threadList">{rows}</div></div></div>'
        '</div><div class="block-outer">{pager}</div></div>'
    ),
    topic_row=(
        '<div class="structItem structItem--thread {sticky}js-inlineModContainer js-threadListItem-{number}" '
        'data-author="{author}"><div class="structItem-cell structItem-cell--icon"><a href="/members/x.3/" class="avatar '
        'avatar--s"></a></div><div class="structItem-cell structItem-cell--main" data-xf-init="touch-proxy"><div '
        'class="structItem-title"><a href="{link}" class="" data-tp-primary="on" data-xf-init="preview-tooltip" '
        'data-preview-url="{link}preview">{title}</a></div><div class="structItem-minor"><ul class="structItem-parts"><li><a '
        'href="/members/x.3/" class="username " dir="auto">{author}</a></li><li class="structItem-startDate"><a href="{link}" '
        'rel="nofollow">{first_time}</a></li></ul><span class="structItem-pageJump">{pages}</span></div></div><div '
        'class="structItem-cell structItem-cell--meta"><dl class="pairs pairs--justified"><dt>Replies</dt><dd>{replies}</dd>'
        '</dl></div><div class="structItem-cell structItem-cell--latest"><a href="{last_link}" rel="nofollow">{last_time}</a>'
        '<div class="structItem-minor"><a href="/members/x.4/" class="username " dir="auto">{last_author}</a></div></div></div>'
    ),
    topic_page=(
        '<div class="p-body-header"><div class="p-title "><h1 class="p-title-value">{title}</h1></div><div class="p-description"><ul '
        'class="listInline listInline--bullet"><li><i class="fa--xf" title="Thread starter"></i> <span class="u-srOnly">Thread '
        'starter</span> <a href="/members/x.3/" class="username  u-concealed" dir="auto">{author}</a></li><li><i class="fa--xf"></i> '
        '<span class="u-srOnly">Start date</span> <a href="{link}" class="u-concealed">{first_time}</a></li></ul></div></div><div '
        'class="block block--messages" data-xf-init="" data-type="post"><div class="block-outer">{pager}</div><div class="block-container '
        'lbContainer"><div class="block-body js-replyNewMessageContainer">{posts}</div></div><div class="block-outer block-outer--after">'
        "{pager}</div></div>"
    ),
    post=(
        '<article class="message message--post js-post js-inlineModContainer  " data-author="{author}" data-content="post-{id}" '
        'id="js-post-{id}"><span class="u-anchorTarget" id="post-{id}"></span><div class="message-inner"><div class="message-cell '
        'message-cell--user"><section class="message-user"><div class="message-avatar"><a href="/members/x.3/" class="avatar avatar--m">'
        '</a></div><div class="message-userDetails"><h4 class="message-name"><a href="/members/x.3/" class="username " dir="auto"><span '
        'class="username--style2">{author}</span></a></h4><h5 class="userTitle message-userTitle" dir="auto">New member</h5></div><span '
        'class="message-userArrow"></span></section></div><div class="message-cell message-cell--main"><div class="message-main '
        'js-quickEditTarget"><header class="message-attribution message-attribution--split"><ul class="message-attribution-main '
        'listInline "><li class="u-concealed"><a href="{link}post-{id}" rel="nofollow">{time}</a></li></ul><ul '
        'class="message-attribution-opposite message-attribution-opposite--list "><li><a href="{link}post-{id}" rel="nofollow">'
        '#{number}</a></li></ul></header><div class="message-content js-messageContent"><div class="message-userContent lbContainer '
        'js-lbContainer " data-lb-id="post-{id}"><article class="message-body js-selectToQuote"><div><div class="bbWrapper">{text}</div>'
        '</div><div class="js-selectToQuoteEnd">&nbsp;</div></article></div>{edited}{signature}</div><footer class="message-footer"><div '
        'class="message-actionBar actionBar"></div><div class="reactionsBar js-reactionsList "></div></footer></div></div></div></article>'
    ),
    quote=(
        '<blockquote data-attributes="member: 3" data-quote="{author}" data-source="post: {id}" class="bbCodeBlock '
        'bbCodeBlock--expandable bbCodeBlock--quote js-expandWatch"><div class="bbCodeBlock-title"><a href="/goto/post?id={id}" '
        'class="bbCodeBlock-sourceJump" rel="nofollow" data-xf-click="attribution" data-content-selector="#post-{id}">{author} said:</a>'
        '</div><div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent js-expandContent ">{text}</div><div '
        'class="bbCodeBlock-expandLink js-expandLink"><a role="button" tabindex="0">Click to expand...</a></div></div></blockquote>'
    ),
    edited='<div class="message-lastEdit">Last edited: {time}</div>',
    signature='<aside class="message-signature"><div class="bbWrapper">{text}</div></aside>',
    pager=(
        '<nav class="pageNavWrapper pageNavWrapper--mixed "><div class="pageNav  "><ul class="pageNav-main">{numbers}</ul></div></nav>',
        '<li class="pageNav-page pageNav-page--current "><a href="{link}">{n}</a></li>',
        '<li class="pageNav-page "><a href="{link}">{n}</a></li>',
        '<li><a href="{link}" class="pageNav-jump pageNav-jump--next">Next</a></li>',
    ),
    code=(
        '<div class="bbCodeBlock bbCodeBlock--screenLimited bbCodeBlock--code"><div class="bbCodeBlock-title">Code:</div><div class='
        '"bbCodeBlock-content" dir="ltr"><pre class="bbCodeCode" dir="ltr"><code>{}</code></pre></div></div>'
    ),
    attached=(
        '<section class="message-attachments"><h4 class="block-textHeader">Attachments</h4><ul class="attachmentList"><li class="file">'
        '<div class="file-content"><div class="file-info"><span class="file-name" title="kep.jpg">kep.jpg</span><div class="file-meta">'
        "20.5 KB Views: 12</div></div></div></li></ul></section>"
    ),
    guest='<span class="username " dir="auto">{}</span>',
)
