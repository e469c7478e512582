"""Links that every article of a site has and that are none of its text: those that share it, and the way down to its comments."""

from __future__ import annotations

import re

from lxml.etree import _Element as Element

from webarticlecurator.labelling.names import PagePart

_SHARES = re.compile(
    r"""
    ^(?:whatsapp://send | fb-messenger://share | tg://msg)
    | ^(?:https?:)?//(?:[\w-]+\.)*(?:
        (?:twitter|x)\.com/(?:intent/(?:tweet|post) | share\?)
      | facebook\.com/(?:sharer | share\.php | dialog/(?:share|send|feed))
      | linkedin\.com/(?:shareArticle | sharing/share | cws/share)
      | pinterest\.[a-z.]+/pin/create
      | (?:whatsapp\.com/send | wa\.me/)/?\?(?:[^#]*&)?text=
      | (?:t|telegram)\.me/share
      | reddit\.com/submit
      | tumblr\.com/(?:share | widgets/share)
      | bsky\.app/intent/
      | threads\.net/intent/
      | vk(?:ontakte)?\.(?:com|ru)/share\.php
      | ok\.ru/(?:offer | dk\?)
      | xing\.com/(?:spi/shares | app/user\?op=share)
      | getpocket\.com/(?:save | edit)
      | news\.ycombinator\.com/submitlink
      | (?:social-plugins\.)?line\.me/(?:R/msg | lineit/share)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TO_COMMENTS = re.compile(
    r"#(?:comments?|comments?-(?:area|form|list)|respond|disqus_thread|kommentare?r?|commentaires|comentarios|komentarze|hozzaszolasok)$"
)


def part_of_link(link: Element) -> PagePart | None:
    """What a link is by where it leads; None where that says nothing."""
    href = (link.get("href") or "").strip()
    if _SHARES.search(href):
        return PagePart.SHARE
    return PagePart.COMMENTS if _TO_COMMENTS.search(href) else None
