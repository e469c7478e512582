"""Dates that elements of a page state for machines, beside what their readers see."""

from __future__ import annotations

from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear_at

_MOMENT = linear_at(r"\s*(?:(?:19|20)\d\d-?\d\d-?\d\d|\d{10}(?:\d{3})?\s*$)")
_PLACES = ("datetime", "content", "title", "data-datetime", "data-time", "data-timestamp")
"""Attributes in which a date may stand for machines."""
_MOST_INSIDE = 3
"""Elements for dates in an element that are looked at."""


def attributes_for_dates(element: Element) -> list[str]:
    """Return what stands in an element where dates may stand for machines."""
    return [element.get(name, "") for name in _PLACES]


def is_moment(text: str) -> bool:
    """Return True for a text that begins as programs write dates."""
    return _MOMENT.match(text) is not None


def date_stated_in(element: Element) -> str:
    """Return the date that an element, or one in it, states for machines; empty where none does."""
    places = (element, *islice(element.iter("time", "meta"), _MOST_INSIDE))
    return next(filter(is_moment, chain.from_iterable(map(attributes_for_dates, places))), "")
