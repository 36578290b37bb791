"""A representation: the bytes of one form of a resource, and what describes them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b


@dataclass(frozen=True)
class Representation:
    """One form of a resource; `language` is the true one of its text, None for several.

    `tokens` is the estimate that markdown carries, None for other forms.
    """

    media_type: str
    body: bytes
    language: str | None = None
    updated_at: datetime | None = None
    tokens: int | None = None

    @cached_property
    def tag(self) -> str:
        """Opaque text for the ETag: differs with form, language and content."""
        described = f"{self.media_type}\0{self.language}\0".encode()
        return blake2b(described + self.body, digest_size=12).hexdigest()
