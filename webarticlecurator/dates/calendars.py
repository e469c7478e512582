"""Years that are no Gregorian ones: of the Persian calendar in Iran and Afghanistan, of the Buddhist one in Thailand."""

from __future__ import annotations

from datetime import date

from webarticlecurator.text import primary

PERSIAN_MONTH = 101
"""The number of the first month of the Persian calendar, where months of both calendars have names."""
_PERSIAN, _BUDDHIST = range(1300, 1430), range(2440, 2600)
"""Years that nothing but these calendars may mean in what portals of their languages publish."""
_YEARS = {**dict.fromkeys(("fa", "ps"), r"|1[34]\d\d"), "th": r"|2[45]\d\d"}


def years_regex(language: str | None) -> str:
    """Matches the years of what portals of a language publish."""
    return rf"(?:19\d\d|20\d\d{_YEARS.get(primary(language or ''), '')})"


def gregorian(parts: dict[str, int], language: str | None) -> dict[str, int]:
    """The same day of a year, month and day in the Gregorian calendar. Raises ValueError where there is none."""
    year, month, calendar = parts.get("year", 0), parts.get("month", 0), primary(language or "")
    if calendar == "th" and year in _BUDDHIST:
        return {**parts, "year": year - 543}
    if calendar == "th" or calendar not in _YEARS or year not in _PERSIAN:
        return parts
    day = _persian_day(year, month - PERSIAN_MONTH + 1 if month >= PERSIAN_MONTH else month, parts.get("day", 0))
    return {**parts, "year": day.year, "month": day.month, "day": day.day}


def _persian_day(year: int, month: int, day: int) -> date:
    """By the rule of eight leap years in 33, which from 1244 to 1472 gives the days that astronomers give. Raises ValueError."""
    new_year, next_year = (365 * (each - 1403) + (8 * each + 21) // 33 for each in (year, year + 1))
    since = new_year + 31 * (month - 1) - max(0, month - 7) + day - 1
    if not (1 <= month <= 12 and 1 <= day <= 31 - (month > 6) and since < next_year):
        raise ValueError(f"{year}-{month}-{day}")
    return date.fromordinal(date(2024, 3, 20).toordinal() - (8 * 1403 + 21) // 33 + since)
