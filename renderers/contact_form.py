"""The contact form as a value: where it posts to, what was typed, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TOPICS = ("demo", "pricing", "support", "other")


@dataclass(frozen=True, slots=True)
class ContactForm:
    """A form to show; `errors` are texts by field name, in the reader's language."""

    action: str
    values: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    sent: bool = False
