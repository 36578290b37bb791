"""What can go wrong with the database, whichever it is."""

from __future__ import annotations

from knowledge.errors import MajlisError


class StoreUnavailable(MajlisError):
    """Nothing can be read or written at the moment; later it may work.

    If the database failed during a commit, it may be stored all the same: a retry finds it.
    """

    def __init__(self) -> None:
        super().__init__(
            "This cannot be stored or looked up at the moment.",
            "Send the same request again after Retry-After seconds.",
        )


class SchemaMismatch(Exception):
    """The tables are not those that this version works with; the message says what to do."""


class DatabaseHangs(TimeoutError):
    """The database server accepts connections, and answers nothing."""

    def __init__(self) -> None:
        super().__init__("no answer in time")


class DatabaseFileChanged(OSError):
    """The file of an SQLite database is not the one that is open; the message says what to do."""


class BackupError(Exception):
    """A backup cannot be made or restored; the message says why and what to do."""
