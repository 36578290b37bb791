"""Starters: the first files of a new content folder, in one or two languages."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from string import Template

from knowledge.locales.locale import Language

KINDS = ("company", "blog", "docs", "hotel")


def write_starter(
    folder: Path,
    kind: str,
    name: str,
    languages: Sequence[Language],
    countries: Collection[str],
    today: date,
    arabic_name: str | None = None,
    look: str | None = None,
) -> list[str]:
    """Write a starter into an empty folder; return the paths written, relative to it.

    The first language is that of files without a language suffix. Raises OSError.
    """
    names = {Language.EN: name, Language.AR: arabic_name or name}
    days = {"today": 0, "last_week": 7, "last_month": 30}
    dates = {each: (today - timedelta(number)).isoformat() for each, number in days.items()}
    values = {
        language: {
            "name": names[language],
            "quoted_name": json.dumps(names[language], ensure_ascii=False)[1:-1],  # as in YAML
            "phone": _phone(countries),
            **dates,
        }
        for language in languages
    }
    texts = dict(_texts(kind, values))
    texts |= {f"countries/{country}.md": _country(country, languages) for country in countries}
    if look:
        theme = re.sub(r"(?m)^look: .*\n", "", texts.get("site/theme.md", "---\n---\n"))
        texts["site/theme.md"] = theme.replace("---\n", f"---\nlook: {look}\n", 1)
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return sorted(texts)


_ITS_OWN = 2
"""The last digits of a telephone number, which a starter writes itself."""


def _phone(countries: Iterable[str]) -> str:
    """Return the beginning of the made-up telephone numbers of the first country."""
    # It takes 30 ms, which only this command needs.
    import phonenumbers  # noqa: PLC0415

    examples = (phonenumbers.example_number(code.upper()) for code in (*countries, "ae"))
    number = next(filter(None, examples))
    written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    return str(written)[:-_ITS_OWN]


def _country(code: str, languages: Sequence[Language]) -> str:
    """Return the file of a country; those of the Gulf have their rate of VAT and short name."""
    written = files(__package__) / "countries" / f"{code}.md"
    if not written.is_file():
        return f"---\ncode: {code}\n---\n"
    return _in_languages(written.read_text(encoding="utf-8"), languages)


_BOTH = re.compile(r"\{ en: (?P<en>[^{}]+), ar: (?P<ar>[^{}]+) \}")


def _in_languages(text: str, languages: Sequence[Language]) -> str:
    """Return a text in the languages of the site alone, as a text in another one would add that."""
    return text if len(languages) > 1 else _BOTH.sub(lambda texts: texts[languages[0]], text)


def _texts(kind: str, values: Mapping[Language, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the files by path; what documents share stands in those of the first language."""
    first = next(iter(values))
    facts = {PurePosixPath("site", "settings.md"): f"lang: {first}\n"}
    for path, file in _files_below(files(__package__) / kind / "shared", PurePosixPath()):
        text = file.read_text(encoding="utf-8")
        if (files(__package__) / kind / first / path).is_file():
            text = Template(text).substitute(values[first])
            facts[path] = _in_languages(text, [*values]).strip("-\n") + "\n"
        else:
            yield str(path), text
    for language, own in values.items():
        root = files(__package__) / kind / language
        for path, file in _files_below(root, PurePosixPath()):
            text = Template(file.read_text(encoding="utf-8")).substitute(own)
            if language is first and path in facts:
                text = text.replace("\n---\n", f"\n{facts[path]}---\n", 1)
            suffix = ".md" if language is first else f".{language}.md"
            yield str(path.with_suffix(suffix)), text


def _files_below(
    folder: Traversable, path: PurePosixPath
) -> Iterator[tuple[PurePosixPath, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir():
            yield from _files_below(entry, path / entry.name)
        else:
            yield path / entry.name, entry
