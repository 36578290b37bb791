"""Interface texts in code: a mark that collects them for the gettext catalogs of `renderers/`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from gettext import GNUTranslations
from typing import Self


def mark(message: str, context: str | None = None) -> str:
    r"""Return the key of a text in the catalogs; import it as `_`, the name that babel looks for.

    A context keeps equal English texts apart that need different translations.

    >>> mark("Products"), mark("Products", "llms.txt")
    ('Products', 'llms.txt\x04Products')
    """
    return GNUTranslations.CONTEXT % (context, message) if context else message


class Text(str):  # noqa: SLOT000  # a `str` with a length has no slots of its own
    """A sentence to an author: English, with its template and values for other languages.

    >>> text = Text("The image %(path)s does not exist.", path="/a.webp")
    >>> text, text.template
    ('The image /a.webp does not exist.', 'The image %(path)s does not exist.')
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Return the sentence of a template with its placeholders filled."""
        text = str.__new__(cls, template % values if values else template)
        text.template, text.values = template, values
        return text


def translated(text: str, gettext: Callable[[str], str]) -> str:
    """Return a text by a catalog, with the texts among its values; any other one as it is.

    >>> arabic = {"Use %(way)s.": "استخدم %(way)s.", "a file": "ملفًا"}
    >>> translated(Text("Use %(way)s.", way=Text("a file")), arabic.__getitem__)
    'استخدم ملفًا.'
    """
    if not isinstance(text, Text):
        return text
    template = gettext(text.template)
    values = {
        name: translated(each, gettext) if isinstance(each, str) else each
        for name, each in text.values.items()
    }
    return template % values if values else template
