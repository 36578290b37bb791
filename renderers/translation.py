"""Translations of the interface from gettext catalogs, compiled when the package is built."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations
from pathlib import Path

from knowledge.locale import Language

DOMAIN = "messages"
CATALOGS = Path(__file__).parent / "translations"


def _(message: str) -> str:
    """Mark a text for the translation catalogs without translating it yet."""
    return message


@cache
def translations(language: Language) -> GNUTranslations:
    """Return the catalog of a language; raise FileNotFoundError if it is not compiled.

    >>> translations(Language.EN).ngettext("%(count)s article", "%(count)s articles", 2)
    '%(count)s articles'
    """
    path = CATALOGS / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    with path.open("rb") as compiled:
        return GNUTranslations(compiled)
