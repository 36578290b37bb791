"""The texts of the interface, as the gettext catalogs have them, by the keys of `site/words.md`.

The key of a text follows from its message id: a text is reworded in `en/LC_MESSAGES/messages.po`,
and keeps its id. `{city}` is written for the placeholder `%(city)s`, and `{name}` for the name of
the site; the forms of a plural are separated by bars, in the order of the catalog.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from gettext import GNUTranslations
from pathlib import Path

from knowledge.diagnostics.messages import Text, mark
from knowledge.fields.field_types import InvalidValue
from knowledge.locales.locale import Language

CATALOGS = Path(__file__).parents[2] / "renderers" / "translations"

MESSAGES = "messages"
"""The texts of the interface."""

CHECK_DOMAIN = "check"
"""What `majlis check` reports, which only languages other than English have."""

SITE_NAME = "name"
"""The placeholder for the name of the site, which all texts may have."""

BAR = "|"
"""Stands between the forms of a plural."""

_MAIL = mark("", "mail")
"""Begins the texts of mails to the company, which no visitor reads."""

_OWN_NAMES: Mapping[str, str] = {
    ", ": "comma",
    "; ": "semicolon",
    "Country:": "country_label",
    "Published": "published_label",
    "Updated": "updated_label",
    "Categories": "categories_heading",
    "Countries": "countries_heading",
    "Series": "series_label",
    "Tags": "tags_label",
    "articles": "part_articles",
    "contact details": "part_contact_details",
    "industries": "part_industries",
    "pages": "part_pages",
    "software modules": "part_modules",
    "updated %(date)s": "updated_on",
    "Use this site when you need what %(site)s publishes: %(parts)s.": "use_this_site_for_parts",
}
"""The names of texts whose words make no name, or that of another one."""

_KEY_WORDS = 8
_MOST_FORMS = 6
_WORD = re.compile("[a-z0-9]+")
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_WRITTEN = re.compile(r"\{(\w+)\}")


@cache
def catalog(language: Language, domain: str = MESSAGES) -> GNUTranslations:
    """Return a catalog of a language; raise FileNotFoundError if it is not compiled.

    >>> catalog(Language.EN).ngettext("%(count)s article", "%(count)s articles", 2)
    '%(count)s articles'
    """
    path = CATALOGS / language / "LC_MESSAGES" / f"{domain}.mo"
    try:
        with path.open("rb") as compiled:
            return GNUTranslations(compiled)
    except FileNotFoundError:
        message = f"The texts of the interface are not compiled ({path.name}). Run `make install`."
        raise FileNotFoundError(message) from None


@dataclass(frozen=True, slots=True)
class InterfaceText:
    """One text; of a plural, `message` is the singular."""

    message: str
    is_plural: bool = False

    def forms(self, language: Language) -> tuple[str, ...]:
        """Return the text in a language, in all forms of a plural."""
        known = _messages(language)
        if not self.is_plural:
            return (known[self.message],)
        found = (known.get((self.message, number)) for number in range(_MOST_FORMS))
        return tuple(form for form in found if form is not None)

    def written(self, language: Language) -> str:
        """Return the text as `site/words.md` has it."""
        return f" {BAR} ".join(_PLACEHOLDER.sub(r"{\1}", form) for form in self.forms(language))

    def check(self, own: str, language: Language) -> None:
        """Raise InvalidValue if a site's text lacks forms or placeholders, or has other ones."""
        forms, expected = self._split(own), self.forms(language)
        if len(forms) not in (1, len(expected)):
            advice = Text("Write one form, or {}: {}", len(expected), self.written(language))
            raise InvalidValue(Text("another number of forms"), advice, own)
        allowed = {*self._names, SITE_NAME}
        used = {name for form in forms for name in _WRITTEN.findall(form)}
        for name in sorted(used - allowed):
            near = get_close_matches(name, allowed, 1) or sorted(allowed)
            raise InvalidValue(
                Text("unknown placeholder"), Text("Write {{{}}}.", near[0]), f"{{{name}}}"
            )
        needed = set.intersection(*(set(_PLACEHOLDER.findall(form)) for form in expected))
        for name in sorted(needed - used):
            advice = Text("The text is “{}”.", self.written(language))
            raise InvalidValue(Text("missing placeholder"), advice, f"{{{name}}}")
        if not all(forms):
            raise InvalidValue(Text("empty text"), Text("Leave the key out to keep the text."), own)

    def own_forms(self, own: str, language: Language, site: str) -> tuple[str, ...]:
        """Return the forms of a site's text as a catalog has them, with the name of the site."""
        forms, names = self._split(own), self._names
        if SITE_NAME not in names:
            forms = tuple(form.replace(f"{{{SITE_NAME}}}", site) for form in forms)
        if names:  # only texts with values are formatted
            forms = tuple(_WRITTEN.sub(r"%(\1)s", form.replace("%", "%%")) for form in forms)
        return forms * len(self.forms(language)) if len(forms) == 1 else forms

    def _split(self, own: str) -> tuple[str, ...]:
        return tuple(map(str.strip, own.split(BAR))) if self.is_plural else (own,)

    @property
    def _names(self) -> frozenset[str]:
        """The placeholders that have a value."""
        texts = (self.message, *(form for each in Language for form in self.forms(each)))
        return frozenset(name for text in texts for name in _PLACEHOLDER.findall(text))


def _messages(language: Language) -> Mapping[str | tuple[str, int], str]:
    """Return the texts of a catalog by message id; gettext itself lists them nowhere."""
    texts: Mapping[str | tuple[str, int], str] = vars(catalog(language))["_catalog"]
    return texts


@cache
def interface_texts() -> Mapping[str, InterfaceText]:
    """Return all texts that visitors and agents read, by name, in the order of the names."""
    texts: dict[str, InterfaceText] = {}
    for message in _messages(Language.EN):
        number = 0 if isinstance(message, str) else message[1]
        text = InterfaceText(*((message,) if isinstance(message, str) else (message[0], True)))
        if text.message and not number and not text.message.startswith(_MAIL):
            texts.setdefault(name_of(text.message), text)
    return dict(sorted(texts.items()))


_JOINED = str.maketrans("", "", "'’-")


def name_of(message: str) -> str:
    r"""Return the name of a text, which is its key in snake case: its first words.

    >>> name_of("How to reach us in %(city)s"), name_of("llms.txt\x04Home"), name_of("E-mail")
    ('how_to_reach_us_in_city', 'llms_txt_home', 'email')
    """
    if message in _OWN_NAMES:
        return _OWN_NAMES[message]
    text = _PLACEHOLDER.sub(r"\1", message).lower().translate(_JOINED)
    return "_".join(_WORD.findall(text)[:_KEY_WORDS])
