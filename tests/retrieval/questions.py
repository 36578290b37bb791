"""Questions of customers on the sample content, each with the passages that answer it.

`questions.en.json` and `questions.ar.json` are for writers: whoever changes the sample content
changes the answers with it. A question has all passages of its locale that answer it, so that
recall can be measured against them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowledge.locales.locale import Country, Language, Locale

LANGUAGES = ("en", "ar")
COUNTRIES = ("ae", "sa", "qa", "om", "kw", "bh")
FORMS = {
    "question": "a question in plain words",
    "keywords": "a few words, as in a search box",
    "colloquial": "as people of the Gulf speak",
    "spelling": "hamza, ta marbuta, alef maqsura, vowel signs, digits or a name spelled otherwise",
    "synonym": "a word of `indexes/synonyms.txt` where the content has another of its group",
    "code": "an item number",
    "typo": "one typing error",
}


@dataclass(frozen=True)
class Answer:
    """A passage: the path of its page, its nearest heading, and a phrase of its markdown."""

    path: str
    heading: str
    contains: str


@dataclass(frozen=True)
class Question:
    """What a customer types, the locale it is asked in, and all passages that answer it."""

    id: str
    text: str
    country: str
    lang: str
    form: str
    answers: tuple[Answer, ...]

    @property
    def locale(self) -> Locale:
        """The locale that the question is asked in."""
        return Locale(Country(self.country.upper()), Language(self.lang))


def all_questions() -> tuple[Question, ...]:
    """Return the questions of both languages, in the order of the files."""
    return tuple(_question(entry) for language in LANGUAGES for entry in _entries(language))


def _entries(language: str) -> list[dict[str, Any]]:
    file = Path(__file__).with_name(f"questions.{language}.json")
    entries: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return entries


def _question(entry: dict[str, Any]) -> Question:
    answers = tuple(Answer(**answer) for answer in entry["answers"])
    return Question(**{**entry, "answers": answers})


Asked = tuple[str, Locale]


def foreign_questions() -> list[Asked]:
    """Return questions to the company of the sample that its content does not answer."""
    entries = json.loads(Path(__file__).with_name("foreign.json").read_text(encoding="utf-8"))
    return [(each["text"], Locale(Country("AE"), Language(each["lang"]))) for each in entries]


def site_questions() -> dict[str, tuple[list[Asked], list[Asked]]]:
    """Return what is asked of the example sites: what their content answers, and foreign questions.

    As customers ask: in whole sentences or a few words, in dialect, in Latin letters.
    """
    sites = json.loads(Path(__file__).with_name("sites.json").read_text(encoding="utf-8"))
    return {name: (_asked(site, "own"), _asked(site, "foreign")) for name, site in sites.items()}


def _asked(site: dict[str, Any], kind: str) -> list[Asked]:
    country = Country(site["country"].upper())
    return [
        (text, Locale(country, Language(language)))
        for language, texts in site[kind].items()
        for text in texts
    ]
