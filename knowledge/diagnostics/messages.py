"""Interface texts in code: a mark that collects them for the gettext catalogs of `renderers/`."""

from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from gettext import GNUTranslations
from typing import Self


def mark(message: str, context: str | None = None) -> str:
    r"""Return the key of a text in the catalogs; import it as `_`, the name that babel looks for.

    A context keeps equal English texts apart that need different translations.

    >>> mark("Products"), mark("Products", "llms.txt")
    ('Products', 'llms.txt\x04Products')
    """
    return GNUTranslations.CONTEXT % (context, message) if context else message


_COMMA = ", "


class Text(str):  # noqa: SLOT000  # a `str` with a length has no slots of its own
    """A sentence to an author: English, with its template and values for other languages.

    Values may be lists, which have commas between.

    >>> text = Text("There are no {} in {}.", ["files", "folders"], "/a")
    >>> text, text.template
    ('There are no files, folders in /a.', 'There are no {} in {}.')
    """

    template: str
    values: tuple[object, ...]
    named: Mapping[str, object]

    def __new__(cls, template: str, /, *values: object, **named: object) -> Self:
        """Return the sentence of a template; one without values may have any braces."""
        shown = (_COMMA.join(each) if isinstance(each, list | tuple) else each for each in values)
        filled = template.format(*shown, **named) if values or named else template
        text = str.__new__(cls, filled)
        text.template, text.values, text.named = template, values, named
        return text


def translated(text: str, gettext: Callable[[str], str]) -> str:
    """Return a text by a catalog, with the texts among its values; a plain one is a template.

    A translation may number its placeholders, to have them in another order.

    >>> arabic = {"Use {} for {}.": "لأجل {1} استخدم {0}.", "a file": "ملفًا", "x": "س"}
    >>> translated(Text("Use {} for {}.", "a file", "x"), arabic.__getitem__)
    'لأجل س استخدم ملفًا.'
    """
    if not isinstance(text, Text):
        return gettext(text) if text else text

    def shown(value: object) -> object:
        if isinstance(value, list | tuple):
            return gettext(_COMMA).join(map(str, map(shown, value)))
        return translated(value, gettext) if isinstance(value, str) else value

    template = gettext(text.template)
    values = map(shown, text.values)
    return template.format(*values, **text.named) if text.values or text.named else template


_NEARLY_THE_SAME = 0.85
"""Less similar names, such as `cost` and `course`, are rather different than misspelt."""


def one_of(name: str, known: Collection[str]) -> Text:
    """Return the advice for an unknown name: the nearest known one, else all of them.

    >>> print(one_of("hotel", ["hotels", "rooms"]), one_of("x", ["hotels", "rooms"]))
    Did you mean hotels? Use one of hotels, rooms.
    """
    near = get_close_matches(name, known, 1, _NEARLY_THE_SAME)
    return Text("Did you mean {}?", near[0]) if near else Text("Use one of {}.", tuple(known))
