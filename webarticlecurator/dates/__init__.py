"""Dates as portals write them: CLDR patterns with month names of any language, ISO 8601, a careful `auto`;
ages, days in addresses."""

from webarticlecurator.dates.addresses import day_in_url, month_in_url
from webarticlecurator.dates.ages import find_relative
from webarticlecurator.dates.cldr import DateFormatError
from webarticlecurator.dates.moments import (
    DAY,
    NO_ZONE,
    apart,
    by_clock,
    first_day,
    format_date,
    in_reach,
    instant,
    is_later,
    latest_moment,
    with_zone,
    written_moment,
)
from webarticlecurator.dates.shown import Clock, find_age, find_shown, read_moment, read_visible
from webarticlecurator.dates.written import (
    LONGEST_WRITTEN,
    DateFormat,
    ReadDate,
    find_date,
    with_day_for_month,
)

__all__ = [
    "DAY", "LONGEST_WRITTEN", "NO_ZONE", "Clock", "DateFormat", "DateFormatError", "ReadDate", "apart",
    "by_clock", "day_in_url", "find_age", "find_date", "find_relative", "find_shown", "first_day",
    "format_date", "in_reach", "instant", "is_later", "latest_moment", "month_in_url", "read_moment",
    "read_visible", "with_day_for_month", "with_zone", "written_moment",
]  # fmt: skip
