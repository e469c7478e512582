"""A number of things, in words."""

from __future__ import annotations


def amount(number: int, one: str, many: str | None = None) -> str:
    """`1 article`, `2 articles`; with what follows, where that differs, too: `1 page was`, `2 pages were`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def unread_comments(words: int, articles: int) -> str:
    """What no document has, and what to write for those who want it, or do not."""
    look = "word that looks like readers' comments was", "words that look like readers' comments were"
    return (
        f"{amount(words, *look)} left out of {amount(articles, 'article')}: `posts.comments` reads them,"
        " `posts: {comments: null}` says that they are not wanted"
    )
