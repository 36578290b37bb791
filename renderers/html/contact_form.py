"""The contact form: its action, submitted values, field errors and outcome."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from renderers.l10n.translation import translate

ORIGIN_FIELDS = (
    "productService",
    "page",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
)
"""The hidden fields that tell where an enquiry comes from, if it is known."""


ANSWER_ID = "contact-answer"
"""The id of the element that tells what became of the message."""


@dataclass(frozen=True, slots=True)
class ContactForm:
    """The state of the form to render.

    `values` and `errors` are keyed by field name; errors are texts in the reader's language.
    `about` is the title of what the enquiry is about. `sent` shows a thank-you message instead of
    the form. `failed` reports that the message could not be stored, and `retry_after`, in seconds,
    that the reader has sent too many; both ask to send it again.
    `token` is signed, and tells when the form was made. `is_personal` says that the page
    depends on where this reader comes from.
    """

    action: str
    values: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    about: str | None = None
    sent: bool = False
    failed: bool = False
    retry_after: int | None = None
    token: str = ""
    challenge: Mapping[str, str | int] | None = None
    site_key: str = ""
    is_personal: bool = False

    @property
    def outcome(self) -> str:
        """The word for what became of the message, `""` before it is sent."""
        is_refused = self.errors or self.failed or self.retry_after is not None
        return _("Thank you") if self.sent else _("Error") if is_refused else ""

    @property
    def retry_minutes(self) -> int:
        """The whole minutes to wait until the form can be sent again."""
        return math.ceil((self.retry_after or 0) / 60)

    @property
    def origin(self) -> Mapping[str, str]:
        """The values of the hidden fields that tell where the enquiry comes from."""
        return {name: self.values[name] for name in ORIGIN_FIELDS if self.values.get(name)}


def fault_text(name: str, error: str, language: Language) -> str:
    """Return the message for a field error such as `missing`, `too_long` or `malformed`."""
    text = _FIELD_TEXTS.get((name, error)) or _TEXTS.get(error, _TEXTS["malformed"])
    return translate(text, language)


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
