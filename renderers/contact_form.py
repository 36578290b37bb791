"""The contact form as a value: where it posts to, what was typed, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from knowledge.locale import Language
from renderers.translation import translations

FIELDS = ("name", "email", "phone", "company", "topic", "message")
"""What a reader fills in; anything else that is named in `errors` is told above the form."""

TOPICS = ("demo", "pricing", "support", "other")


@dataclass(frozen=True, slots=True)
class ContactForm:
    """A form to show, with what was typed; `errors` are texts by field, in the reader's language.

    `sent` thanks instead of asking again; `failed` asks to send once more what is right.
    """

    action: str
    values: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    sent: bool = False
    failed: bool = False


def fault_text(name: str, fault: str, language: Language) -> str:
    """What to tell of a field's fault: `missing`, `too_long`, `malformed` and the like."""
    text = _FIELD_TEXTS.get((name, fault)) or _TEXTS.get(fault, _TEXTS["malformed"])
    return translations(language).gettext(text)


def _(message: str) -> str:
    """Mark a text for the catalogues; it is translated where it is said."""
    return message


_TEXTS: Mapping[str, str] = {
    "missing": _("Please fill this in."),
    "too_long": _("Please shorten this; it is too long."),
    "malformed": _("Please check this; it cannot be read."),
    "no_option": _("Please choose one of the options."),
}
_FIELD_TEXTS: Mapping[tuple[str, str], str] = {
    ("email", "missing"): _("Please write your e-mail address, so that we can answer."),
    ("email", "malformed"): _("Please write a complete e-mail address: name@example.com."),
}
