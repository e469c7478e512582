"""phpBB with prosilver: 3.0 (times as text only, session ids in links), 3.2, and 3.3 (addresses without the board)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from webarticlecurator.example_portal.answers import Answer, Request, html_answer

from .content import GUESTS, Board, Said, Topic, boards, written
from .site import Made, Variation, chunks, document, escape, truth_of_topic

_WORDS = {
    "hu": ("Szerző:", "írta:", "Utoljára szerkesztette {} {}-kor, összesen 1 alkalommal szerkesztve.", "Következő", "Közlemény", "Fórum",
           "oldal"),
    "de": ("von", "hat geschrieben:", "Zuletzt geändert von {} am {}, insgesamt 1-mal geändert.", "Nächste", "Bekanntmachungen",
           "Foren-Übersicht", "Seite"),
    "en": ("by", "wrote:", "Last edited by {} on {}, edited 1 time in total.", "Next", "Announcements", "Board index", "Page"),
    "fr": ("par", "a écrit :", "Modifié en dernier par {} le {}, modifié 1 fois.", "Suivante", "Annonces", "Index du forum", "Page"),
}  # fmt: skip
_DATES = {"hu": "y. MMM d. HH:mm", "de": "d. MMM y, HH:mm", "en": "EEE MMM dd, y h:mm a", "fr": "dd MMM y HH:mm"}
_OTHER_DATES = {"hu": "y.MM.dd. HH:mm", "de": "dd.MM.y, HH:mm", "en": "dd MMM y, HH:mm", "fr": "dd/MM/y, HH:mm"}
_TOPICS, _POSTS = 4, 5
_CODE = '<div class="codebox"><p>Code: <a href="#">Select all</a></p><pre><code>{}</code></pre></div>'
_CODE_30 = '<dl class="codebox"><dt>Code: <a href="#">Select all</a></dt><dd><code>{}</code></dd></dl>'
_ATTACHED = (
    '<dl class="attachbox"><dt>Attachments</dt><dd><dl class="file"><dt class="attach-image"><img src="./download/file.php?id=3" class='
    '"postimage" alt="kep.jpg" /></dt><dd>kep.jpg (20.5 KiB) Viewed 12 times</dd></dl></dd></dl>'
)
_SID = "0123456789abcdef0123456789abcdef"


class _Forum:
    def __init__(self, root: str, variation: Variation) -> None:
        self.variation, self.language, self.version = variation, variation.language, variation.theme
        self.base = "/forum/" if variation.has("folder") else "/"
        self.root = root + self.base
        self.rough = variation.has("rough")
        self.boards = boards(variation.voice, topics=7, rough=self.rough)
        self.words = _WORDS[self.language]
        self.old = self.version == "3.0"
        self.announced = [topic for board in self.boards for topic in board.topics if topic.kind == "announcement"]

    # addresses

    def link(self, page: str, *parts: str) -> str:
        sid = (f"sid={_SID}",) if self.old else ()
        return f"./{page}.php?{'&amp;'.join((*filter(None, parts), *sid))}"

    def board_link(self, board: Board, start: int = 0) -> str:
        return self.link("viewforum", f"f={board.number}", f"start={start}" if start else "")

    def topic_link(self, topic: Topic, start: int = 0, board: int = 0) -> str:
        """An announcement has the address of the board on which it is shown."""
        return self.link(
            "viewtopic",
            "" if self.version == "3.3" else f"f={board or topic.board}",
            f"t={topic.number}",
            f"start={start}" if start else "",
        )

    def post_link(self, topic: Topic, post: Said) -> str:
        return self.link("viewtopic", "" if self.version == "3.3" else f"f={topic.board}", f"p={post.id}") + f"#p{post.id}"

    # pieces

    def told(self, moment: datetime) -> str:
        text = written(moment, self.language, (_OTHER_DATES if self.variation.has("numeric-dates") else _DATES)[self.language])
        return text.replace("AM", "am").replace("PM", "pm")

    def time(self, moment: datetime) -> str:
        if self.old:
            return self.told(moment)
        return f'<time datetime="{moment.astimezone(UTC).isoformat()}">{self.told(moment)}</time>'

    def user(self, name: str) -> str:
        if self.rough and name in GUESTS:
            return f'<span class="username">{escape(name)}</span>'
        kind = "" if self.old else ' class="username"'
        if self.rough and len(name) % 2:
            kind = ' style="color: #AA0000;" class="username-coloured"'
        return f'<a href="{self.link("memberlist", "mode=viewprofile", f"u={len(name)}")}"{kind}>{escape(name)}</a>'

    def pagination(self, count: str, pages: list[str], current: int) -> str:
        if len(pages) < 2:
            return f'<div class="pagination">{count}</div>'
        if self.old:
            numbers = '<span class="page-sep">, </span>'.join(
                f"<strong>{n}</strong>" if n == current else f'<a href="{link}">{n}</a>' for n, link in enumerate(pages, 1)
            )
            return (
                f'<div class="pagination">{count} &bull; <a href="#">{self.words[6]} <strong>{current}</strong> / <strong>{len(pages)}'
                f"</strong></a> &bull; <span>{numbers}</span></div>"
            )
        named = {1, 2, current - 1, current, current + 1, len(pages)}
        numbers = "".join(
            ('<li class="ellipsis" role="separator"><span>…</span></li>' if n - 1 in named else "")
            if n not in named
            else f'<li class="active"><span>{n}</span></li>'
            if n == current
            else f'<li><a class="button" href="{link}" role="button">{n}</a></li>'
            for n, link in enumerate(pages, 1)
        )
        if current < len(pages):
            numbers += (
                f'<li class="arrow next"><a class="button button-icon-only" href="{pages[current]}" rel="next" role="button"><i '
                f'class="icon fa-chevron-right fa-fw"></i><span class="sr-only">{self.words[3]}</span></a></li>'
            )
        if current > 1:
            numbers = (
                f'<li class="arrow previous"><a class="button button-icon-only" href="{pages[current - 2]}" rel="prev" role="button">'
                f'<span class="sr-only">Previous</span></a></li>{numbers}'
            )
        return f'<div class="pagination">{count} <ul>{numbers}</ul></div>'

    def next_below(self, pages: list[str], current: int) -> str:
        """3.0 has its link to the next page in a form."""
        if not self.old or current >= len(pages):
            return ""
        return (
            f'<fieldset class="display-options"><a href="{pages[current]}" class="right-box right">{self.words[3]}</a><label>Sort'
            "</label></fieldset>"
        )

    def page(self, title: str, inner: str, section: str) -> str:
        crumbs = (
            f'<ul class="linklist navlinks"><li class="icon-home"><a href="{self.link("index")}" accesskey="h">{self.words[5]}</a>'
            "</li></ul>"
        )
        footer = '<div class="copyright">Powered by <a href="https://www.phpbb.com/">phpBB</a>&reg; Forum Software</div>'
        body = (
            '<div id="wrap" class="wrap"><div id="page-header"><div class="headerbar"><div id="site-description"><h1>Forum</h1>'
            f'</div></div>{crumbs}</div><div id="page-body">{inner}</div><div id="page-footer">{footer}</div></div>'
        )
        return document(
            title,
            body,
            language=self.language,
            classes=f"nojs notouch section-{section} ltr",
            head='<link href="./styles/prosilver/theme/stylesheet.css" rel="stylesheet">',
        )

    # pages

    def board_row(self, board: Board) -> str:
        inside = [one for one in self.boards if one.parent == board.number]
        below = "".join(
            f'<br /><strong>Subforums:</strong> <a href="{self.board_link(one)}" class="subforum read" title="">{escape(one.title)}</a>'
            for one in inside
        )
        last = board.topics[0]
        return (
            f'<li class="row"><dl class="{"icon" if self.old else "row-item forum_read"}"><dt title="No unread posts">'
            f'<div class="list-inner"><a href="{self.board_link(board)}" class="forumtitle">{escape(board.title)}</a>'
            f'<br />Board{below}</div></dt><dd class="topics">{len(board.topics)} <dfn>Topics</dfn></dd><dd class="posts">9 <dfn>Posts'
            f'</dfn></dd><dd class="lastpost"><span><dfn>Last post</dfn> {self.words[0]} {self.user(last.posts[-1].author)} '
            f'<a href="{self.post_link(last, last.posts[-1])}">View</a> <br />{self.time(last.posts[-1].time)}</span></dd></dl></li>'
        )

    def index(self) -> str:
        rows = "".join(self.board_row(board) for board in self.boards if board.parent is None)
        for number, kind, title in ((7, "read", "Empty"), (8, "read_locked", "Members"), (9, "link", "Elsewhere")) if self.rough else ():
            title = f'<a href="{self.link("viewforum", f"f={number}")}" class="forumtitle">{title}</a>'
            rows += f'<li class="row"><dl class="row-item forum_{kind}"><dt><div class="list-inner">{title}</div></dt></dl></li>'
        category = self.link("viewforum", "f=1")
        block = (
            '<div class="forabg"><div class="inner"><ul class="topiclist"><li class="header"><dl class="icon"><dt><div class="list-inner">'
            f'<a href="{category}">Kilenchíd</a></div></dt></dl></li></ul><ul class="topiclist forums">{rows}</ul></div></div>'
        )
        return self.page(self.words[5], f'{block}<div class="stat-block online-list"><h3>Who is online</h3><p>1 guest</p></div>', "index")

    def topic_row(self, topic: Topic, board: Board) -> str:
        first, last = topic.posts[0], topic.posts[-1]
        links = [self.topic_link(topic, start, board.number) for start in range(0, len(topic.posts), _POSTS)]
        pages = ""
        if len(links) > 1:
            numbers = "".join(f'<li><a class="button" href="{link}">{n}</a></li>' for n, link in enumerate(links, 1))
            pages = f'<div class="pagination"><span><i class="icon"></i></span><ul>{numbers}</ul></div>'
            if self.old:
                pages = (
                    '<strong class="pagination"><span>'
                    f"{', '.join(f'<a href={chr(34)}{link}{chr(34)}>{n}</a>' for n, link in enumerate(links, 1))}</span></strong>"
                )
        kind = {"announcement": " global-announce", "sticky": " sticky"}.get(topic.kind, "")
        by = f"{self.words[0]} {self.user(first.author)} &raquo; {self.time(first.time)}"
        return (
            f'<li class="row bg1{kind}"><dl class="{"icon" if self.old else "row-item topic_read"}"><dt title="No unread posts"><div '
            f'class="list-inner"><a href="{links[0]}" class="topictitle">{escape(topic.title)}</a>{pages}<br /><div class="topic-poster '
            f'responsive-hide left-box">{by}</div></div></dt><dd class="posts">{len(topic.posts) - 1} <dfn>Replies</dfn></dd><dd '
            f'class="views">{topic.number * 7} <dfn>Views</dfn></dd><dd class="lastpost"><span><dfn>Last post </dfn>{self.words[0]} '
            f'{self.user(last.author)} <a href="{self.post_link(topic, last)}" title="Go to last post">View</a> <br />'
            f"{self.time(last.time)}</span></dd></dl></li>"
        )

    def board(self, board: Board, start: int) -> str | None:
        own = sorted(
            (one for one in board.topics if one.kind != "announcement"),
            key=lambda one: (one.kind != "sticky", -one.posts[-1].time.timestamp()),
        )
        pages = chunks(own, _TOPICS)
        number = start // _TOPICS + 1
        if number > len(pages):
            return None
        links = [self.board_link(board, n * _TOPICS) for n in range(len(pages))]
        announced = "".join(self.topic_row(topic, board) for topic in self.announced)
        rows = "".join(self.topic_row(topic, board) for topic in pages[number - 1])
        if self.rough and board is self.boards[0] and number == 1:
            rows += self.topic_row(self.boards[2].topics[3], board)  # it was moved, and left its shadow here
        inside = "".join(self.board_row(one) for one in self.boards if one.parent == board.number)
        sub = f'<div class="forabg"><div class="inner"><ul class="topiclist forums">{inside}</ul></div></div>' if inside else ""
        pager = self.pagination(f"{len(own)} topics", links, number)
        title = f'<h2 class="forum-title"><a href="{self.board_link(board)}">{escape(board.title)}</a></h2>'
        inner = (
            f'{title}{sub}<div class="action-bar bar-top">{pager}</div><div class="forumbg announcement"><div class="inner"><ul '
            f'class="topiclist"><li class="header"><dl class="row-item"><dt><div class="list-inner">{self.words[4]}</div></dt></dl></li>'
            f'</ul><ul class="topiclist topics">{announced}</ul></div></div><div class="forumbg"><div class="inner"><ul class="topiclist '
            f'topics">{rows}</ul></div></div>{self.next_below(links, number)}<div class="action-bar bar-bottom">{pager}</div>'
        )
        return self.page(board.title, inner, "viewforum")

    def content(self, topic: Topic, post: Said) -> str:
        pieces = []
        for part in post.parts:
            if part.kind == "code":
                code = "<br />".join(part.lines) if self.old else "\n".join(part.lines)
                pieces.append((_CODE_30 if self.old else _CODE).format(code))
            elif part.kind == "quote":
                pieces.append(self.quotation(topic, post, part.lines[0]))
            else:
                pieces.append(part.lines[0] + ("" if part is post.parts[-1] else "<br />\n<br />\n"))
        return "".join(pieces)

    def quotation(self, topic: Topic, post: Said, text: str) -> str:
        quoted = next(one for one in topic.posts if one.id == post.parent)
        if self.old:
            return f"<blockquote><div><cite>{escape(quoted.author)} {self.words[1]}</cite>{text}</div></blockquote>"
        where = f"./viewtopic.php?p={quoted.id}#p{quoted.id}"
        when = f'<span class="responsive-hide">{self.told(quoted.time)}</span>'
        return (
            f'<blockquote cite="{where}"><div><cite>{self.user(quoted.author)} {self.words[1]} <a href="{where}" data-post-id="'
            f'{quoted.id}" onclick="return true">↑</a>{when}</cite>{text}</div></blockquote>'
        )

    def post(self, topic: Topic, post: Said, at: int) -> str:
        title = escape(topic.title) if post is topic.posts[0] else f"Re: {escape(topic.title)}"
        link = f"#p{post.id}" if self.version != "3.3" else f"./viewtopic.php?p={post.id}#p{post.id}"
        edited = f'<div class="notice">{self.words[2].format(self.user(post.author), self.told(post.edited))}</div>' if post.edited else ""
        signed = f'<div id="sig{post.id}" class="signature">{escape(post.signature)}</div>' if post.signature else ""
        attached = _ATTACHED if self.rough and post.id % 6 == 0 else ""
        profile = (
            f'<dl class="postprofile" id="profile{post.id}"><dt class="has-profile-rank no-avatar"><div class="avatar-container"></div>'
            f'{self.user(post.author)}</dt><dd class="profile-rank">Member</dd><dd class="profile-posts"><strong>Posts:</strong> 12</dd>'
            f'<dd class="profile-joined"><strong>Joined:</strong> {self.told(topic.posts[0].time)}</dd></dl>'
        )
        heading = f'<h3{" class=" + chr(34) + "first" + chr(34) if at == 0 else ""}><a href="{link}">{title}</a></h3>'
        icon = (
            f'<a class="unread" href="{self.post_link(topic, post)}" title="Post"><i class="icon"></i><span class="sr-only">Post</span></a>'
        )
        by = (
            f'{icon}<span class="responsive-hide">{self.words[0]} <strong>{self.user(post.author)}</strong> &raquo; </span>'
            f"{self.time(post.time)}"
        )
        if self.old:
            by = (
                f'<a href="{self.post_link(topic, post)}"><img src="./i.gif" alt="Post" /></a>{self.words[0]} <strong>'
                f"{self.user(post.author)}</strong> &raquo; {self.told(post.time)} "
            )
        content = f'<p class="author">{by}</p><div class="content">{self.content(topic, post)}</div>{attached}{edited}{signed}'
        if self.old:
            body = (
                '<span class="corners-top"><span></span></span><div class="postbody"><ul class="profile-icons"><li class="quote-icon">'
                f'<a href="#q"><span>Quote</span></a></li></ul>{heading}{content}</div>{profile}'
            )
        else:
            buttons = '<ul class="post-buttons"><li><a href="#q" class="button"><span class="sr-only">Quote</span></a></li></ul>'
            body = f'{profile}<div class="postbody"><div id="post_content{post.id}">{heading}{buttons}{content}</div></div>'
        return (
            f'<div id="p{post.id}" class="post {"" if self.old else "has-profile "}bg{at % 2 + 1}"><div class="inner">{body}<div '
            'class="back2top"><a href="#wrap" class="top">Top</a></div></div></div><hr class="divider" />'
        )

    def topic(self, topic: Topic, start: int) -> str | None:
        pages = chunks(topic.posts, _POSTS)
        number = start // _POSTS + 1
        if number > len(pages):
            return None
        links = [self.topic_link(topic, n * _POSTS) for n in range(len(pages))]
        pager = self.pagination(f"{len(topic.posts)} posts", links, number)
        title = (
            f'<h2 class="topic-title"><a href="{links[0]}">{escape(topic.title)}</a></h2>'
            if not self.old
            else f'<h2><a href="{links[0]}">{escape(topic.title)}</a></h2>'
        )
        posts = "".join(self.post(topic, post, at) for at, post in enumerate(pages[number - 1]))
        inner = (
            f'{title}<div class="action-bar topic-actions">{pager}</div>{posts}{self.next_below(links, number)}<div '
            f'class="action-bar bar-bottom">{pager}</div>'
        )
        return self.page(f"{topic.title} - Forum", inner, "viewtopic")


_OTHER_BOARDS = {
    "7": (
        '<h2 class="forum-title">Empty</h2><div class="panel"><div class="inner"><strong>There are no topics or posts in this forum.'
        "</strong></div></div>"
    ),
    "8": '<form action="./ucp.php?mode=login" method="post" id="login"><div class="panel"><div class="content"><h2 class="login-title">'
    "Login</h2><p>The board requires you to be registered and logged in to view this forum.</p></div></div></form>",
}


def _answer(forum: _Forum, request: Request) -> Answer | None:
    query, page = request.query, request.path.removeprefix(forum.base)
    start = int(query.get("start", "0") or 0)
    topics = [topic for board in forum.boards for topic in board.topics]
    text = None
    if page in ("", "index.php"):
        text = forum.index()
    elif page == "viewforum.php":
        board = next((one for one in forum.boards if str(one.number) == query.get("f")), None)
        text = forum.board(board, start) if board else forum.index() if query.get("f") == "1" else None
        if forum.rough and query.get("f") in _OTHER_BOARDS:
            text = forum.page("Forum", _OTHER_BOARDS[query["f"]], "viewforum")
        if forum.rough and query.get("f") == "9":
            return Answer(status=302, headers=(("Location", "https://masik.example/"),))
    elif page == "viewtopic.php" and "p" in query:
        found = [(topic, at) for topic in topics for at, post in enumerate(topic.posts) if str(post.id) == query["p"]]
        text = forum.topic(found[0][0], found[0][1] // _POSTS * _POSTS) if found else None
    elif page == "viewtopic.php":
        topic = next((one for one in topics if str(one.number) == query.get("t")), None)
        text = forum.topic(topic, start) if topic else None
    return html_answer(text) if text else None


def site(root: str, variation: Variation) -> Made:
    forum = _Forum(root, variation)
    made = Made(answer=partial(_answer, forum), home=forum.base, identity=r"[?&]t=(\d+)")
    for board in forum.boards:
        for topic in board.topics:
            where = f"{forum.root}viewtopic.php?f={board.number}&t={topic.number}"
            made.truths.append(truth_of_topic(where, topic, parents=not forum.old))
    return made
