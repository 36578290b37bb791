"""Interface texts in code: a mark that collects them for the gettext catalogs of `renderers/`."""

from __future__ import annotations

from gettext import GNUTranslations


def mark(message: str, context: str | None = None) -> str:
    r"""Return the key of a text in the catalogs; import it as `_`, the name that babel looks for.

    A context keeps equal English texts apart that need different translations.

    >>> mark("Products"), mark("Products", "llms.txt")
    ('Products', 'llms.txt\x04Products')
    """
    return GNUTranslations.CONTEXT % (context, message) if context else message
