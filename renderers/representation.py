"""A representation: the bytes of a resource in one media type, with their metadata."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b


@dataclass(frozen=True)
class Representation:
    """The body of a response and its metadata.

    `language` is the actual language of the text, None for several. `tokens` is the estimated
    number of tokens of a Markdown text, None for other media types.
    """

    media_type: str
    body: bytes
    language: str | None = None
    updated_at: datetime | None = None
    tokens: int | None = None

    @cached_property
    def tag(self) -> str:
        """The value of the ETag: it depends on media type, language and body."""
        metadata = f"{self.media_type}\0{self.language}\0".encode()
        return blake2b(metadata + self.body, digest_size=12).hexdigest()
