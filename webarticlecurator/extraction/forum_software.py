"""What forum software writes around the posts of a thread: a row a system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lxml.etree import _Element as Element

from webarticlecurator.selectors import Selector


@dataclass(frozen=True)
class ForumSoftware:
    """How one system marks up the posts of a thread."""

    name: str
    text: str
    """Selects the texts, one a post."""
    author: str = ""
    time: str = ""
    """Select who wrote it, and when; empty where the general signs tell."""
    shares_links: bool = False
    """What opens its threads may be no more than a link, so that the first post is an answer."""

    @cached_property
    def selects_text(self) -> Selector:
        return Selector.parse(self.text)


def first_of(selector: str, item: Element) -> Element | None:
    """What a selector of a row finds first in an item; nothing where the row leaves it to the general signs."""
    return next(iter(Selector.parse(selector).select(item)), None) if selector else None


# fmt: off
SOFTWARE = (
    ForumSoftware("Discourse", ".crawler-post > .post, .crawler-post > [itemprop=text], .topic-post .cooked"),
    ForumSoftware(
        "Stack Exchange", ".question .js-post-body, .answer .js-post-body, .question .post-text, .answer .post-text",
        time=".post-signature:last-child .relativetime",
    ),
    ForumSoftware("XenForo", ".message-body .bbWrapper, .message .messageText", ".message-name, .MessageCard__user-info .username"),
    ForumSoftware(
        "Invision Community",
        ".ipsEntry--post .ipsEntry__post .ipsRichText, .cPost [data-role=commentContent], .cPost .cPost_contentWrap .ipsType_richText",
    ),
    ForumSoftware("vBulletin", "[id^=post_message_], .b-post__content .js-post__content-text", ".bigusername, .username"),
    ForumSoftware(
        "phpBB", ".postbody .content",
        ".author .username, .author .username-coloured, .postprofile .username, .postprofile .username-coloured",
    ),
    ForumSoftware("Simple Machines", ".post_wrapper .post .inner, .post_wrapper .post > [id^=msg_]", ".poster h4 a, .poster h4"),
    ForumSoftware("MyBB", ".post_body[id^=pid_]", ".author_information .largetext"),
    ForumSoftware("FluxBB", ".blockpost .postmsg", ".postleft dt strong"),
    ForumSoftware("Vanilla", ".Comment .Message, .ItemDiscussion .Message, .Discussion .Item-Body .Message", ".Username"),
    ForumSoftware("NodeBB", '[component=post] [component="post/content"]'),
    ForumSoftware("Flarum", "#flarum-content .Post-body, .CommentPost .Post-body", ".PostUser-name"),
    ForumSoftware("Khoros", ".lia-message-body-content", ".lia-user-name-link"),
    ForumSoftware("Discuz!", "[id^=postmessage_]", ".authi a"),
    ForumSoftware("ProBoards", ".post .message", ".mini-profile .user-link"),
    ForumSoftware("wpForo", ".wpforo-post-content", ".author-name"),
    ForumSoftware("Jive", ".jive-rendered-content"),
    ForumSoftware("Steam", ".forum_op > .content, .commentthread_comment_text", ".forum_op_author, .commentthread_author_link"),
    ForumSoftware("bbPress", ".bbp-topic-content, .bbp-reply-content", ".bbp-author-name"),
    ForumSoftware(
        "Reddit",
        ".commentarea .usertext-body, #siteTable .usertext-body, [id$=post-rtjson-content], [id$=comment-rtjson-content]",
        ".tagline .author", shares_links=True,
    ),
    ForumSoftware("Lemmy", "#postContent, .comment-node .comment-content", shares_links=True),
    ForumSoftware("Lobsters", ".story_text, .comments_subtree .comment_text", shares_links=True),
    ForumSoftware("Hacker News", ".toptext, .commtext", ".hnuser", shares_links=True),
)
# fmt: on
"""The first that fits the page counts."""
