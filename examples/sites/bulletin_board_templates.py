"""What SMF 2.0 and 2.1 and MyBB 1.8 write: templates, filled by `str.format`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .content import Board, Topic

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
    code: str
    attached: str
    """The box of attached files."""
    guest: str = "{}"
    """Who has no profile."""


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
    code=('<div class="codeheader">Code: <a href="#" class="codeoperation">[Select]</a></div><code class="bbc_code">{}</code>'),
    attached=(
        '<div id="msg_7_footer" class="attachments smalltext"><div style="overflow: auto;"><a href="#a"><img src="clip.gif" alt="*" '
        "/>&nbsp;kep.jpg</a> (20.5 kB, 600x400 - viewed 12 times.)</div></div>"
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
    code=(
        '<div class="codeheader"><span class="code floatleft">Code</span> <a class="codeoperation smf_select_text">Select</a></div><code '
        'class="bbc_code">{}</code>'
    ),
    attached=(
        '<div id="msg_7_footer" class="attachments"><div class="attached"><div class="attachments_bot"><a href="#a">kep.jpg</a> (20.5 '
        "kB, 600x400 - viewed 12 times.)</div></div></div>"
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
    code=('<div class="codeblock"><div class="title">Code:</div><div class="body" dir="ltr"><code>{}</code></div></div>'),
    attached=(
        '<br /><br /><fieldset><legend><strong>Attached Files</strong></legend><a href="attachment.php?aid=3">kep.jpg</a> (Size: 20.5 KB / '
        "Downloads: 12)<br /></fieldset>"
    ),
)
