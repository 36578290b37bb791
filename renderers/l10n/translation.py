"""Translations of the interface from gettext catalogs, compiled when the package is built."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations
from pathlib import Path

from knowledge.locales.locale import Language

DOMAIN = "messages"
"""The texts of the interface."""

API_DOMAIN = "api"
"""What the API says of itself, which only languages other than English have."""

CATALOGS = Path(__file__).parents[1] / "translations"


@cache
def translations(language: Language, domain: str = DOMAIN) -> GNUTranslations:
    """Return a catalog of a language; raise FileNotFoundError if it is not compiled.

    >>> translations(Language.EN).ngettext("%(count)s article", "%(count)s articles", 2)
    '%(count)s articles'
    """
    path = CATALOGS / language / "LC_MESSAGES" / f"{domain}.mo"
    with path.open("rb") as compiled:
        return GNUTranslations(compiled)


def translate(message: str, language: Language, /, **values: object) -> str:
    """Return the translation of a marked text, with its placeholders filled.

    >>> translate("page %(number)s", Language.EN, number=2)
    'page 2'
    """
    return translations(language).gettext(message) % values
