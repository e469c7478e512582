"""Sentences, titles and names in four languages, put together from the phrase lists in `content/`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

_CONTENT = Path(__file__).parent / "content"


@dataclass(frozen=True, slots=True)
class Prose:
    """One language: everything it writes depends on the phrases and the given random numbers alone."""

    language: str
    phrases: Mapping[str, Any]

    @property
    def words(self) -> Mapping[str, str]:
        """What the portal itself says: labels, buttons, advertisements."""
        words: Mapping[str, str] = self.phrases["words"]
        return words

    def pick(self, dice: Random, name: str) -> str:
        """One phrase of a list."""
        phrases: Sequence[str] = self.phrases[name]
        return phrases[int(dice.random() * len(phrases))]

    def some(self, dice: Random, name: str, count: int) -> tuple[str, ...]:
        """So many different phrases of a list."""
        return tuple(dice.sample(self.phrases[name], min(count, len(self.phrases[name]))))

    def sentence(self, dice: Random) -> str:
        verb, _, rest = self.pick(dice, "predicates").partition("|")
        template: str = self.phrases["sentence"]
        return template.format(
            subject=self.pick(dice, "subjects"), verb=verb, rest=rest, time=self.pick(dice, "times"), tail=self.pick(dice, "tails")
        )

    def quote(self, dice: Random) -> str:
        template: str = self.phrases["quote"]
        return template.format(claim=self.pick(dice, "claims"), person=self.person(dice), role=self.pick(dice, "roles"))

    def paragraph(self, dice: Random, longest: int = 6) -> str:
        """One to `longest` sentences, now and then with a quotation at the end."""
        sentences = [self.sentence(dice) for _ in range(1 + int(dice.random() * longest))]
        if dice.random() < 0.25:
            sentences.append(self.quote(dice))
        return " ".join(sentences)

    def person(self, dice: Random) -> str:
        template: str = self.phrases["name_order"]
        return template.format(family=self.pick(dice, "family"), given=self.pick(dice, "given"))

    def title(self, dice: Random) -> str:
        return f"{self.pick(dice, 'title_starts')}: {self.pick(dice, 'title_ends')} ({self.pick(dice, 'places')})"

    def date(self, moment: datetime) -> str:
        """A date as people read it."""
        template: str = self.phrases["date"]
        return template.format(year=moment.year, month=self.phrases["months"][moment.month - 1], day=moment.day, clock=f"{moment:%H:%M}")


@cache
def prose(language: str) -> Prose:
    """The prose of a language: hu, en, de or fr."""
    text = (_CONTENT / f"{language}.yaml").read_text("utf-8")
    return Prose(language, yaml.safe_load(text))
