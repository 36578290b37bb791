"""The contact form as a value: where it posts to, what was typed, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
