"""SMF 2.0 and 2.1, MyBB 1.8, XenForo 1 and 2: one forum each, told apart by tables of what they write."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import partial

from webarticlecurator.example_portal.answers import Answer, Request, html_answer

from .bulletin_board_templates import MYBB, POSTS, SMF_20, SMF_21, TOPICS
from .content import GUESTS, Board, Said, Topic, boards, written
from .site import Made, Variation, attribute, chunks, document, escape, truth_of_topic
from .xenforo_templates import XENFORO_1, XENFORO_2

SOFTWARES = {
    ("smf", "2.0"): SMF_20, ("smf", "2.1"): SMF_21, ("mybb", "1.8"): MYBB, ("mybb", "classic"): MYBB, ("xenforo", "1"): XENFORO_1,
    ("xenforo", "2"): XENFORO_2,
}  # fmt: skip
_WITHOUT_ROOT = {"mybb": "", "xenforo1": "", "xenforo2": "/"}


class _Forum:
    def __init__(self, root: str, variation: Variation) -> None:
        self.variation, self.language, self.soft = variation, variation.language, SOFTWARES[variation.software, variation.theme]
        self.root = f"{root}/"
        self.before = _WITHOUT_ROOT.get(variation.software + (variation.theme if variation.software == "xenforo" else ""), self.root)
        self.boards = boards(variation.voice, topics=6, rough=variation.has("rough"))
        self.common = {"root": self.root, "classic": "classic " if variation.theme == "classic" else ""}

    def link(self, path: str) -> str:
        return self.before + path.replace("&", "&amp;")

    def time(self, moment: datetime) -> str:
        told = self.told(moment)
        text = self.soft.time.format(
            told=told, day=self.day(moment), iso=moment.strftime("%Y-%m-%dT%H:%M:%S%z"), unix=int(moment.timestamp())
        )
        return f'<span title="{told}">2 hours ago</span>' if self.variation.has("relative") and text == told else text

    def told(self, moment: datetime) -> str:
        return written(moment, self.language, self.soft.dates[self.language])

    def day(self, moment: datetime) -> str:
        return written(moment, self.language, re.sub(r",? ('um'|'à'|'at')?.?[hH]+:.*", "", self.soft.dates[self.language]))

    def pager(self, link: Callable[[int], str], page: int, last: int) -> str:
        frame, current, other, after = self.soft.pager
        if last == 1:
            return frame.format(numbers=current.format(n=1, link=link(0)), last=1, n=1) if self.variation.software == "smf" else ""
        numbers = "".join((current if n == page else other).format(n=n + 1, link=link(n)) for n in range(last))
        return frame.format(numbers=numbers + (after.format(link=link(page + 1)) if page + 1 < last else ""), last=last, n=page + 1)

    def last(self, topic: Topic) -> dict[str, str]:
        post = topic.posts[-1]
        paths = {
            "smf": f"index.php?topic={topic.number}.msg{post.id}#msg{post.id}",
            "mybb": f"showthread.php?tid={topic.number}&amp;action=lastpost",
            "xenforo": f"posts/{post.id}/",
        }
        return {
            "last_author": attribute(post.author),
            "last_time": self.time(post.time),
            "last_title": attribute(topic.title),
            "last_link": self.before + paths[self.variation.software],
        }

    def board_row(self, board: Board) -> str:
        subs = "".join(
            self.soft.sub_board.format(
                parent=board.number, number=one.number, link=self.link(self.soft.board(one, 0)), title=escape(one.title)
            )
            for one in self.boards
            if one.parent == board.number
        )
        return self.soft.index_row.format(
            **self.common, **self.last(board.topics[0]), number=board.number, link=self.link(self.soft.board(board, 0)),
            title=escape(board.title), subs=subs,
        )  # fmt: skip

    def index(self) -> str:
        return self.page(
            "Forum", self.soft.index.format(rows="".join(self.board_row(board) for board in self.boards if board.parent is None))
        )

    def topic_row(self, topic: Topic) -> str:
        first, pages = topic.posts[0], chunks(topic.posts, POSTS)
        links = (
            " ".join(f'<a href="{self.link(self.soft.topic(topic, n))}">{n + 1}</a>' for n in range(len(pages))) if len(pages) > 1 else ""
        )
        return self.soft.topic_row.format(
            **self.common, **self.last(topic), number=topic.number, first=first.id, link=self.link(self.soft.topic(topic, 0)),
            title=escape(topic.title), author=attribute(first.author), first_time=self.time(first.time), replies=len(topic.posts) - 1,
            pages=links, sticky="sticky " if topic.kind else "",
        )  # fmt: skip

    def board(self, board: Board, page: int) -> str | None:
        topics = sorted(board.topics, key=lambda one: (not one.kind, -one.posts[-1].time.timestamp()))
        pages = chunks(topics, TOPICS)
        if page >= len(pages):
            return None
        rows = "".join(map(self.topic_row, pages[page]))
        inside = "".join(self.board_row(one) for one in self.boards if one.parent == board.number)
        pager = self.pager(lambda n: self.link(self.soft.board(board, n)), page, len(pages))
        after = self.link(self.soft.board(board, page + 1)) if page + 1 < len(pages) else ""
        return self.page(
            board.title,
            self.soft.board_page.format(
                title=escape(board.title), rows=rows, pager=pager, sub=self.soft.index.format(rows=inside) if inside else ""
            ),
            after,
        )

    def text(self, topic: Topic, post: Said) -> str:
        out = []
        for part in post.parts:
            if part.kind == "code":
                lines = ("<br>" if self.variation.software == "smf" else "\n").join(part.lines)
                out.append(self.soft.code.format(lines))
            elif part.kind == "quote":
                quoted = next(one for one in topic.posts if one.id == post.parent)
                out.append(
                    self.soft.quote.format(
                        **self.common, topic=topic.number, id=quoted.id, author=attribute(quoted.author), told=self.told(quoted.time),
                        text=part.lines[0],
                    )
                )  # fmt: skip
            else:
                out.append(part.lines[0] + ("" if part is post.parts[-1] else "<br />\n<br />\n"))
        return "".join(out)

    def post(self, topic: Topic, post: Said, number: int) -> str:
        author = attribute(post.author)
        edited = self.soft.edited.format(id=post.id, author=author, time=self.time(post.edited)) if post.edited else ""
        signed = self.soft.signature.format(id=post.id, text=escape(post.signature)) if post.signature else ""
        if self.variation.has("rough") and post.id % 6 == 0:
            signed = self.soft.attached + signed
        written = self.soft.post.format(
            **self.common, id=post.id, topic=topic.number, author=author, title=attribute(topic.title), re="" if number == 1 else "Re: ",
            number=number, time=self.time(post.time), edited=edited, signature=signed, text=self.text(topic, post),
            link=self.link(self.soft.topic(topic, 0)), reply_number=f"Reply #{number - 1}" if number > 1 else "",
        )  # fmt: skip
        if self.variation.has("rough") and post.author in GUESTS:
            name = self.soft.guest.format(author)
            written = re.sub(rf"<a [^>]*>(?:<span[^>]*>)?{re.escape(author)}(?:</span>)?</a>", lambda _match: name, written)
        return written

    def topic(self, topic: Topic, page: int) -> str | None:
        pages = chunks(topic.posts, POSTS)
        if page >= len(pages):
            return None
        posts = "".join(self.post(topic, post, page * POSTS + n) for n, post in enumerate(pages[page], 1))
        pager = self.pager(lambda n: self.link(self.soft.topic(topic, n)), page, len(pages))
        board = next(one for one in self.boards if one.number == topic.board)
        first = topic.posts[0]
        inner = self.soft.topic_page.format(
            title=escape(topic.title), posts=posts, pager=pager, author=attribute(first.author), first_time=self.time(first.time),
            link=self.link(self.soft.topic(topic, 0)), board=escape(board.title), board_link=self.link(self.soft.board(board, 0)),
        )  # fmt: skip
        return self.page(topic.title, inner, self.link(self.soft.topic(topic, page + 1)) if page + 1 < len(pages) else "", topic.number)

    def page(self, title: str, inner: str, after: str = "", number: int = 0) -> str:
        head = self.soft.head.format(root=self.root)
        if (self.variation.software == "smf" and number) or after:
            head += "\n" + self.soft.head_next.format(root=self.root, next=after, number=number)
        brand = {
            "smf": '<a href="https://www.simplemachines.org" title="Simple Machines">SMF 2.0.15</a>',
            "mybb": 'Powered By <a href="https://mybb.com">MyBB</a>, &copy; MyBB Group',
            "xenforo": '<a href="https://xenforo.com">Forum software by XenForo&trade;</a>',
        }[self.variation.software]
        extra = {
            "1": ' id="XenForo" class="Public NoJs"',
            "2": ' id="XF" class="has-no-js template-thread_view" data-app="public" data-template="thread_view"',
        }.get(self.variation.theme, "")
        return document(
            title,
            f'<div id="content"><div id="header"><a href="{self.root}">Forum</a></div>{inner}<div id="footer">{brand}</div></div>',
            language=self.language,
            head=head,
            extra=extra,
        )


def _answer(forum: _Forum, request: Request) -> Answer | None:
    target = request.target.lstrip("/")
    if target in ("", "index.php"):
        return html_answer(forum.index())
    found = re.match(forum.soft.read, target)
    if not found:
        return None
    page = int(found["page"] or (0 if forum.soft.offsets else 1)) - (0 if forum.soft.offsets else 1)
    things = [(board, forum.board, TOPICS) for board in forum.boards if found["board"] == str(board.number)]
    things += [(topic, forum.topic, POSTS) for board in forum.boards for topic in board.topics if found["topic"] == str(topic.number)]  # type: ignore[misc]
    for thing, write, size in things:
        text = write(thing, page // size if forum.soft.offsets else page)
        return html_answer(text) if text else None
    return None


def site(root: str, variation: Variation) -> Made:
    forum = _Forum(root, variation)
    made = Made(answer=partial(_answer, forum), identity=forum.soft.identity)
    for board in forum.boards:
        made.truths += [truth_of_topic(forum.root + forum.soft.topic(topic, 0), topic, parents=True) for topic in board.topics]
    return made
