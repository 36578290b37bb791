"""The database, SQLite or PostgreSQL. Here are its errors."""

from knowledge.resources.errors import MajlisError


class StoreUnavailable(MajlisError):
    """The database is unavailable; what was being committed may be stored nevertheless."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "The database is temporarily unavailable.",
            "Send the same request again after Retry-After seconds.",
        )


class SchemaMismatch(Exception):
    """The schema does not match this version of the service; the message says what to do."""


class KeyMismatch(SchemaMismatch):
    """A key differs from that of the other instances; like a schema, it makes a start fail."""


class DatabaseHangs(TimeoutError):
    """The database server accepts connections but does not answer."""

    def __init__(self) -> None:
        super().__init__("the server did not answer in time")


class DatabaseFileChanged(OSError):
    """The SQLite file at the path is not the open one; the message says what to do."""


class BackupError(Exception):
    """A backup cannot be created or restored; the message gives the reason and what to do."""
