"""Cursors: where a follower goes on in the change log, as the text that it keeps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from app.features.changes.log import LogHead
from knowledge.resources.errors import MajlisError

PATTERN = "[0-9a-f]{8}-[0-9]{1,18}"


class CursorExpired(MajlisError):
    """The log does not have the changes after a cursor, or is not the one of the cursor."""

    status = 410

    def __init__(self, newest: Cursor) -> None:
        super().__init__(
            "This cursor is unknown, or older than the changes that are kept.",
            "Read all pages again, from /sitemap.xml, then what has changed meanwhile, with "
            f"since={newest}.",
        )


@dataclass(frozen=True, slots=True)
class Cursor:
    """The name of a log, and the number of the last change that a follower has read."""

    log: str
    number: int

    def __str__(self) -> str:
        """Return the text of the cursor.

        >>> str(Cursor("0a1b2c3d", 12))
        '0a1b2c3d-12'
        """
        return f"{self.log}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the cursor of a text; raises ValueError if it is none.

        >>> Cursor.parse("0a1b2c3d-12")
        Cursor(log='0a1b2c3d', number=12)
        """
        if not re.fullmatch(PATTERN, text):
            raise ValueError(f"“{text}” is no cursor")
        log, _, number = text.partition("-")
        return cls(log, int(number))

    def position(self, head: LogHead) -> int:
        """Return the number after which to read on; raises CursorExpired.

        The log is another one if the database was replaced, and shorter if it is a backup.
        """
        if self.log != head.log or not head.purged <= self.number <= head.last:
            raise CursorExpired(Cursor(head.log, head.last))
        return self.number
