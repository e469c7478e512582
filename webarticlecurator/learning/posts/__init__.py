"""Picks for the posts of pages (comments, forum posts, entries of live blogs), where the general reader finds them not, or but half."""

from webarticlecurator.learning.posts.find import find_posts

__all__ = ["find_posts"]
