"""What is true of the example portal: which articles each column leads to, and what each article says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from .articles import Article, Block, Post
from .columns import Column, listing
from .sections import Form
from .shelves import Shelves

DAYS = (date(2024, 3, 1), date(2024, 5, 15))
"""First and last day of the column naptar in the portal file."""
MONTHS = (date(2010, 9, 1), date(2011, 2, 28))
"""First and last day of the column regi in the portal file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """One article as a perfect reader would have it."""

    url: str
    form: Form
    layout: str
    """old or new; the old one shows no seconds, keywords or modification."""
    encoding: str
    headline: str
    author: tuple[str, ...]
    datePublished: datetime  # noqa: N815 - metadata fields have Schema.org's names everywhere
    dateModified: datetime | None  # noqa: N815
    articleSection: str  # noqa: N815
    keywords: tuple[str, ...]
    """Empty where the page shows none."""
    inLanguage: str  # noqa: N815
    page_urls: tuple[str, ...]
    """Of all its pages, in order."""
    blocks: tuple[Block, ...]
    """The body by the vocabulary of corpora, over all pages, the lead first."""
    posts: tuple[Post, ...]
    comments: tuple[Post, ...]

    @property
    def text(self) -> str:
        """All text of the body and the posts, without headline and comments, a line for each block."""
        bodies = [*self.blocks, *(block for post in self.posts for block in post.blocks)]
        return "\n".join(text for block in bodies if (text := block.full_text))


def truth_of(article: Article, home: str) -> Truth:
    lead = () if article.form in (Form.BRIEF, Form.THREAD) else (Block("lead", article.lead),)
    return Truth(
        url=home + article.path,
        form=article.form,
        layout="old" if article.old_layout else "new",
        encoding=article.section.encoding,
        headline=article.title,
        author=article.authors,
        datePublished=article.published.replace(second=0) if article.old_layout else article.published,
        dateModified=article.modified if not article.old_layout else None,
        articleSection=article.section.title,
        keywords=() if article.old_layout else article.keywords,
        inLanguage=article.section.language,
        page_urls=tuple(home + article.page_path(number + 1) for number in range(article.page_count)),
        blocks=(*lead, *(block for part in article.pages for block in part)),
        posts=article.posts,
        comments=article.comments,
    )


def article_urls(shelves: Shelves, column: Column, home: str) -> tuple[str, ...]:
    """All articles that the column's pages lead to, in their order, each once."""
    if not column.dated:
        name = column.shelves[0]
        return tuple(home + article.path for article in shelves.slice(name, 0, shelves.count(name)))
    found = (listing(shelves, column, 10**9, dates) for dates in _intervals(column))
    return tuple(home + article.path for page in found if page for article in page.articles)


def page_count(shelves: Shelves, column: Column, page_size: int) -> int:
    """How many archive pages of the column have articles."""
    found = (listing(shelves, column, page_size, dates) for dates in (_intervals(column) if column.dated else ({},)))
    counts = (page.last for page in found if page)
    return sum(counts if column.paged else (min(count, 1) for count in counts))


def _intervals(column: Column) -> list[dict[str, str]]:
    """The values of the date placeholders, newest first."""
    daily = "{day}" in column.path
    first, last = DAYS if daily else MONTHS
    days = [last - timedelta(days=n) for n in range((last - first).days + 1)]
    if not daily:
        days = [day for day in days if day.day == 1]
    names = ("year", "month", "day") if daily else ("year", "month")
    return [dict(zip(names, (f"{day.year}", f"{day.month:02d}", f"{day.day:02d}"), strict=False)) for day in days]
