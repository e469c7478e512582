"""What SMF 2.0 and 2.1, MyBB 1.8, XenForo 1 and 2 write: templates, filled by `str.format`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .content import Board, Topic, slug

TOPICS, POSTS = 4, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Software:
    """Templates, filled by `str.format`; `{root}` ends in a slash."""

    board: Callable[[Board, int], str]
    """The address of a page of it, behind the root."""
    topic: Callable[[Topic, int], str]
    read: str
    """Finds in an address what is asked for: groups `board`, `topic`, and a page or an offset."""
    offsets: bool
    identity: str
    dates: dict[str, str]
    head: str
    index: str
    index_row: str
    sub_board: str
    board_page: str
    topic_row: str
    topic_page: str
    post: str
    quote: str
    edited: str
    signature: str
    time: str
    """Around a date; `{iso}`, `{told}`, `{day}`, `{unix}`."""
    pager: tuple[str, str, str, str]
    """Frame with `{numbers}` and `{last}`; the current number; another; the link to the next page."""
    head_next: str = ""


_EN = {"hu": "y. MMMM d., HH:mm:ss", "de": "d. MMMM y, HH:mm:ss", "en": "MMMM dd, y, hh:mm:ss a", "fr": "dd MMMM y 'à' HH:mm:ss"}
_SMF = {
    "board": lambda board, page: f"index.php?board={board.number}.{page * TOPICS}",
    "topic": lambda topic, page: f"index.php?topic={topic.number}.{page * POSTS}",
    "read": r"index\.php\?(?:board=(?P<board>\d+)|topic=(?P<topic>\d+))\.(?P<page>\d+)$",
    "offsets": True,
    "identity": r"[?;&]topic=(\d+)",
    "dates": _EN,
    "time": "{told}",
}  # fmt: skip

SMF_20 = Software(
    **_SMF,
    head=(
        '<meta http-equiv="Content-Type" content="text/html" />\n<link rel="stylesheet" type="text/css" '
        'href="{root}Themes/default/css/index.css" />'
    ),
    head_next='<link rel="next" href="{root}index.php?topic={number}.0;prev_next=next" />',
    index=(
        '<div id="boardindex_table"><table class="table_list"><tbody class="header" id="category_1"><tr><td colspan="4"><div '
        'class="cat_bar"><h3 class="catbg">General</h3></div></td></tr></tbody><tbody class="content" '
        'id="category_1_boards">{rows}</tbody></table></div>'
    ),
    index_row=(
        '<tr id="board_{number}" class="windowbg2"><td class="icon windowbg"><a href="{link}"><img src="off.png" alt="" /></a></td><td '
        'class="info"><a class="subject" href="{link}" name="b{number}">{title}</a><p>Board</p></td><td class="stats windowbg"><p>9 Posts '
        '<br />4 Topics</p></td><td class="lastpost"><p><strong>Last post</strong> by <a href="{root}index.php?action=profile;u=3">'
        '{last_author}</a><br />in <a href="{last_link}" title="{last_title}">{last_title}</a><br />on {last_time}</p></td></tr>{subs}'
    ),
    sub_board=(
        '<tr id="board_{parent}_children"><td colspan="3" class="children windowbg"><strong>Child Boards</strong>: <a '
        'href="{link}" title="No New Posts">{title}</a></td></tr>'
    ),
    board_page=(
        '<a id="top"></a>{sub}<div class="pagesection">{pager}</div><div class="tborder topic_table" id="messageindex"><table '
        'class="table_grid" cellspacing="0"><thead><tr class="catbg"><th scope="col">Subject</th></tr></thead><tbody>{rows}'
        '</tbody></table></div><div class="pagesection">{pager}</div>'
    ),
    topic_row=(
        '<tr><td class="icon1 windowbg"><img src="x.gif" alt="" /></td><td class="icon2 windowbg"></td><td class="subject '
        '{sticky}windowbg2"><div><span id="msg_{first}"><a href="{link}">{title}</a></span><p>Started by <a href="{root}index.php?action=p'
        'rofile;u=3" title="View the profile of {author}">{author}</a> <small id="pages{first}">{pages}</small></p></div></td><td '
        'class="stats windowbg">{replies} Replies <br />60 Views</td><td class="lastpost windowbg2"><a href="{last_link}"><img '
        'src="last_post.gif" alt="" /></a> {last_time}<br />by <a href="{root}index.php?action=profile;u=4">{last_author}</a></td></tr>'
    ),
    topic_page=(
        '<a id="top"></a><div class="pagesection">{pager}</div><div id="forumposts"><div class="cat_bar"><h3 class="catbg">'
        '<img src="x.gif" alt="" /><span id="author">Author</span>Topic: {title} &nbsp;(Read 123 times)</h3></div><form '
        'action="#">{posts}</form></div><div class="pagesection">{pager}</div>'
    ),
    post=(
        '<div class="windowbg"><span class="topslice"><span></span></span><div class="post_wrapper"><div class="poster"><h4><img '
        'src="useroff.gif" alt="" /> <a href="{root}index.php?action=profile;u=3" title="View the profile of {author}">{author}</a></h4>'
        '<ul class="reset smalltext" id="msg_{id}_extra_info"><li class="postgroup">Newbie</li><li class="postcount">Posts: 5</li></ul>'
        '</div><div class="postarea"><div class="flow_hidden"><div class="keyinfo"><div class="messageicon"><img src="xx.gif" alt="" />'
        '</div><h5 id="subject_{id}"><a href="{root}index.php?topic={topic}.msg{id}#msg{id}" rel="nofollow">{re}{title}</a></h5><div '
        'class="smalltext">&#171; <strong>{reply_number} on:</strong> {time} &#187;</div><div id="msg_{id}_quick_mod"></div></div></div>'
        '<div class="post"><div class="inner" id="msg_{id}">{text}</div></div></div><div class="moderatorbar"><div class="smalltext '
        'modified" id="modified_{id}">{edited}</div><div class="smalltext reportlinks"><img src="ip.gif" alt="" /> Logged</div>'
        '{signature}</div></div><span class="botslice"><span></span></span></div><hr class="post_separator" />'
    ),
    quote=(
        '<div class="quoteheader"><div class="topslice_quote"><a href="{root}index.php?topic={topic}.msg{id}#msg{id}">Quote '
        'from: {author} on {told}</a></div></div><blockquote class="bbc_standard_quote">{text}</blockquote><div '
        'class="quotefooter"><div class="botslice_quote"></div></div>'
    ),
    edited="&#171; <em>Last Edit: {time} by {author}</em> &#187;",
    signature='<div class="signature" id="msg_{id}_signature">{text}</div>',
    pager=(
        '<div class="pagelinks floatleft">Pages: {numbers}</div>',
        "[<strong>{n}</strong>] ",
        '<a class="navPages" href="{link}">{n}</a> ',
        "",
    ),
)
SMF_21 = Software(
    **_SMF,
    head=(
        '<link rel="stylesheet" href="{root}Themes/default/css/index.css?smf21"><script '
        'src="{root}Themes/default/scripts/script.js"></script>'
    ),
    index=(
        '<div id="boardindex_table" class="boardindex_table"><div class="main_container"><div class="cat_bar " id="category_1">'
        '<h3 class="catbg">General</h3></div><div id="category_1_boards">{rows}</div></div></div>'
    ),
    index_row=(
        '<div id="board_{number}" class="up_contain "><div class="board_icon"><a href="{link}" class="board_off" title="No New '
        'Posts"></a></div><div class="info"><a class="subject mobile_subject" href="{link}" id="b{number}">{title}</a><div '
        'class="board_description">Board</div></div><div class="board_stats"><p>Posts: 9<br>Topics: 4</p></div><div '
        'class="lastpost"><p><strong>Last post: </strong>{last_time} <a href="{last_link}" title="{last_title}">{last_title}'
        '</a> by <a href="{root}index.php?action=profile;u=3">{last_author}</a></p></div>{subs}</div>'
    ),
    sub_board=(
        '<div id="board_{parent}_children" class="children"><p id="child_list_{parent}"><strong id="child_boards">Child Boards'
        '</strong> <a href="{link}" title="No New Posts">{title}</a></p></div>'
    ),
    board_page=(
        '{sub}<div class="pagesection">{pager}</div><div id="messageindex"><div class="title_bar" id="topic_header"><div class="info">'
        'Subject</div></div><div id="topic_container">{rows}</div></div><div class="pagesection" id="bot">{pager}</div>'
    ),
    topic_row=(
        '<div class="windowbg {sticky}"><div class="board_icon"><img src="xx.png" alt=""></div><div class="info info_block"><div '
        'class="icons floatright"></div><div class="message_index_title"><span class="preview" title=""><span id="msg_{first}"><a '
        'href="{link}">{title}</a></span></span></div><p class="floatleft">Started by <a href="{root}index.php?action=profile;u=3" '
        'title="View the profile of {author}">{author}</a></p> <span id="pages{first}" class="topic_pages">{pages}</span></div><div '
        'class="board_stats centertext"><p>Replies: {replies}<br>Views: 60</p></div><div class="lastpost"><p><a href="{last_link}">'
        '{last_time}</a><br>by <a href="{root}index.php?action=profile;u=4">{last_author}</a></p></div></div>'
    ),
    topic_page=(
        '<div id="display_head" class="information"><h2 class="display_title"><span id="top_subject">{title}</span></h2>'
        '<p>Started by {author}, {first_time}</p></div><div class="pagesection top">{pager}</div><div id="forumposts"><form '
        'action="#">{posts}</form></div><div class="pagesection">{pager}</div>'
    ),
    post=(
        '<div class="windowbg" id="msg{id}"><div class="post_wrapper"><div class="poster"><h4>'
        '<a href="{root}index.php?action=profile;u=3" title="View the profile of {author}">{author}</a></h4><ul class="user_info">'
        '<li class="postgroup">Newbie</li><li class="postcount">Posts: 5</li></ul></div><div class="postarea"><div class="keyinfo">'
        '<div id="subject_{id}" class="subject_title subject_hidden"><a href="{root}index.php?topic={topic}.msg{id}#msg{id}" '
        'rel="nofollow">{re}{title}</a></div><span class="page_number floatright">#{number}</span><div class="postinfo">'
        '<span class="messageicon"></span><a href="{root}index.php?topic={topic}.msg{id}#msg{id}" rel="nofollow" '
        'title="{reply_number} - {re}{title}" class="smalltext">{time}</a><span class="spacer"></span>{edited}</div></div>'
        '<div class="post"><div class="inner" data-msgid="{id}" id="msg_{id}">{text}</div></div><div class="under_message">'
        '<ul class="floatleft"></ul></div></div><div class="moderatorbar">{signature}</div></div></div><hr class="post_separator">'
    ),
    quote=(
        '<blockquote class="bbc_standard_quote"><cite><a href="{root}index.php?topic={topic}.msg{id}#msg{id}">Quote from: '
        "{author} on {told}</a></cite>{text}</blockquote>"
    ),
    edited=(
        '<span class="smalltext modified floatright mvisible" id="modified_{id}"><span class="lastedit">Last Edit</span>: '
        "{time} by {author}</span>"
    ),
    signature='<div class="signature" id="msg_{id}_signature">{text}</div>',
    pager=(
        '<div class="pagelinks floatleft"><a href="#bot" class="button">Go Down</a> <span class="pages">Pages</span> {numbers}</div>',
        '<span class="current_page">{n}</span> ',
        '<a class="nav_page" href="{link}">{n}</a> ',
        '<a class="nav_page" href="{link}"><span class="main_icons next_page"></span></a>',
    ),
)
MYBB = Software(
    board=lambda board, page: f"forumdisplay.php?fid={board.number}" + (f"&page={page + 1}" if page else ""),
    topic=lambda topic, page: f"showthread.php?tid={topic.number}" + (f"&page={page + 1}" if page else ""),
    read=r"(?:forumdisplay\.php\?fid=(?P<board>\d+)|showthread\.php\?tid=(?P<topic>\d+))(?:&page=(?P<page>\d+))?$",
    offsets=False,
    identity=r"[?&]tid=(\d+)",
    dates={"hu": "y-MM-dd, HH:mm", "de": "dd.MM.y, HH:mm", "en": "MM-dd-y, hh:mm a", "fr": "dd-MM-y, HH:mm"},
    time="{told}",
    head='<link type="text/css" rel="stylesheet" href="{root}cache/themes/theme1/global.css" />',
    index=(
        '<table border="0" cellspacing="0" cellpadding="5" class="tborder"><thead><tr><td class="thead" colspan="5"><div>'
        '<strong><a href="forumdisplay.php?fid=1">General</a></strong></div></td></tr></thead><tbody id="cat_1_e"><tr><td '
        'class="tcat" colspan="2"><span class="smalltext"><strong>Forum</strong></span></td></tr>{rows}</tbody></table>'
    ),
    index_row=(
        '<tr><td class="trow1" align="center" width="1"><span class="forum_status forum_off ajax_mark_read" title="" '
        'id="mark_read_{number}"></span></td><td class="trow1"><strong><a href="{link}">{title}</a></strong><div class="smalltext">'
        'Board{subs}</div></td><td class="trow1" align="center">4</td><td class="trow1" align="center">9</td><td class="trow1" '
        'align="right"><span class="smalltext"><a href="{last_link}" title="{last_title}"><strong>{last_title}</strong></a><br />'
        '{last_time}<br />by <a href="member.php?action=profile&amp;uid=4">{last_author}</a></span></td></tr>'
    ),
    sub_board='<br />Sub Forums: <div class="subforum_minion subforum_minioff"></div> <a href="{link}" title="">{title}</a>',
    board_page=(
        '{sub}<div class="float_left">{pager}</div><table border="0" cellspacing="0" cellpadding="5" class="tborder clear"><tr>'
        '<td class="thead" colspan="7"><div><strong>{title}</strong></div></td></tr><tr><td class="tcat" colspan="3"><span '
        'class="smalltext"><strong>Thread</strong></span></td></tr>{rows}</table><div class="float_left">{pager}</div>'
    ),
    topic_row=(
        '<tr class="inline_row"><td align="center" class="trow1 {sticky}forumdisplay_regular" width="2%"><span class="thread_status '
        'oldfolder" title="">&nbsp;</span></td><td align="center" class="trow1 forumdisplay_regular" width="2%">&nbsp;</td><td '
        'class="trow1 forumdisplay_regular"><div> <span> <span class=" subject_old" id="tid_{number}"><a href="{link}">{title}</a></span>'
        '{pages}</span><div class="author smalltext"><a href="member.php?action=profile&amp;uid=3">{author}</a></div></div></td><td '
        'align="center" class="trow1 forumdisplay_regular"><a href="#whoposted">{replies}</a></td><td align="center" class="trow1 '
        'forumdisplay_regular">60</td><td class="trow1 forumdisplay_regular" style="white-space: nowrap; text-align: right;"><span '
        'class="lastpost smalltext">{last_time}<br /><a href="{last_link}">Last Post</a>: <a href="member.php?action=profile&amp;uid=4">'
        "{last_author}</a></span></td></tr>"
    ),
    topic_page=(
        '<div class="float_left">{pager}</div><table border="0" cellspacing="0" cellpadding="5" class="tborder tfixed clear">'
        '<tr><td class="thead"><div class="float_right"><span class="smalltext"><strong><a href="#">Thread Modes</a></strong>'
        '</span></div><div><strong>{title}</strong></div></td></tr><tr><td id="posts_container"><div id="posts">{posts}</div>'
        '</td></tr></table><div class="float_left">{pager}</div>'
    ),
    post=(
        '<a name="pid{id}" id="pid{id}"></a><div class="post {classic}" style="" id="post_{id}"><div class="post_author"><div '
        'class="author_information"><strong><span class="largetext"><a href="member.php?action=profile&amp;uid=3">{author}</a></span>'
        '</strong> <br /><span class="smalltext">Junior Member<br /></span></div><div class="author_statistics">Posts: 5<br />Threads: '
        '1<br />Joined: Mar 2010</div></div><div class="post_content"><div class="post_head"><div class="float_right" '
        'style="vertical-align: top"><strong><a href="showthread.php?tid={topic}&amp;pid={id}#pid{id}" title="{re}{title}">#{number}</a>'
        '</strong></div><span class="post_date">{time} <span class="post_edit" id="edited_by_{id}">{edited}</span></span></div><div '
        'class="post_body scaleimages" id="pid_{id}">{text}</div>{signature}<div class="post_meta" id="post_meta_{id}"></div></div><div '
        'class="post_controls"><div class="postbit_buttons author_buttons float_left"><a href="#find" class="postbit_find"><span>'
        "Find</span></a></div></div></div>"
    ),
    quote=(
        '<blockquote class="mycode_quote"><cite><span> ({told})</span>{author} Wrote: <a '
        'href="{root}showthread.php?pid={id}#pid{id}" class="quick_jump"></a></cite>{text}</blockquote>'
    ),
    edited=(
        '<span class="edited_post">(This post was last modified: {time} by <a '
        'href="member.php?action=profile&amp;uid=3">{author}</a>.)</span>'
    ),
    signature='<div class="signature scaleimages"><hr size="1" width="25%" align="left" />{text}</div>',
    pager=(
        '<div class="pagination"><span class="pages">Pages ({last}):</span> {numbers}</div>',
        ' <span class="pagination_current">{n}</span>',
        ' <a href="{link}" class="pagination_page">{n}</a>',
        ' <a href="{link}" class="pagination_next">Next &raquo;</a>',
    ),
)
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
        (
            '<div class="PageNav" data-page="{n}" data-last="{last}"><span class="pageNavHeader">Page {n} of {last}</span>'
            "<nav>{numbers}</nav></div>"
        ),
        '<a href="{link}" class="currentPage " rel="start">{n}</a>',
        '<a href="{link}" class="">{n}</a>',
        '<a href="{link}" class="text">Next &gt;</a>',
    ),
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
)

SOFTWARES = {
    ("smf", "2.0"): SMF_20,
    ("smf", "2.1"): SMF_21,
    ("mybb", "1.8"): MYBB,
    ("mybb", "classic"): MYBB,
    ("xenforo", "1"): XENFORO_1,
    ("xenforo", "2"): XENFORO_2,
}

ROUGH: dict[str, tuple[str, str, str]] = {
    "smf2.0": (
        '<div class="codeheader">Code: <a href="#" class="codeoperation">[Select]</a></div><code class="bbc_code">{}</code>',
        '<div id="msg_7_footer" class="attachments smalltext"><div style="overflow: auto;"><a href="#a"><img src="clip.gif" alt="*" '
        "/>&nbsp;kep.jpg</a> (20.5 kB, 600x400 - viewed 12 times.)</div></div>",
        "{}",
    ),
    "smf2.1": (
        '<div class="codeheader"><span class="code floatleft">Code</span> <a class="codeoperation smf_select_text">Select</a></div><code '
        'class="bbc_code">{}</code>',
        '<div id="msg_7_footer" class="attachments"><div class="attached"><div class="attachments_bot"><a href="#a">kep.jpg</a> (20.5 '
        "kB, 600x400 - viewed 12 times.)</div></div></div>",
        "{}",
    ),
    "mybb": (
        '<div class="codeblock"><div class="title">Code:</div><div class="body" dir="ltr"><code>{}</code></div></div>',
        '<br /><br /><fieldset><legend><strong>Attached Files</strong></legend><a href="attachment.php?aid=3">kep.jpg</a> (Size: 20.5 KB / '
        "Downloads: 12)<br /></fieldset>",
        "{}",
    ),
    "xenforo1": (
        '<div class="bbCodeBlock bbCodeCode"><div class="type">Code:</div><pre>{}</pre></div>',
        '<div class="attachedFiles"><h4 class="attachedFilesHeader">Attached Files:</h4><ul class="attachmentList">'
        '<li class="attachment"><h6 class="filename"><a href="attachments/kep.3/">kep.jpg</a></h6></li></ul></div>',
        '<span class="username">{}</span>',
    ),
    "xenforo2": (
        '<div class="bbCodeBlock bbCodeBlock--screenLimited bbCodeBlock--code"><div class="bbCodeBlock-title">Code:</div><div class='
        '"bbCodeBlock-content" dir="ltr"><pre class="bbCodeCode" dir="ltr"><code>{}</code></pre></div></div>',
        '<section class="message-attachments"><h4 class="block-textHeader">Attachments</h4><ul class="attachmentList"><li class="file">'
        '<div class="file-content"><div class="file-info"><span class="file-name" title="kep.jpg">kep.jpg</span><div class="file-meta">'
        "20.5 KB Views: 12</div></div></div></li></ul></section>",
        '<span class="username " dir="auto">{}</span>',
    ),
}
"""Around code; the box of attached files; who has no profile."""
