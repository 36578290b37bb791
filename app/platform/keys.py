"""Secret keys in files: one process makes each, all read it, and anyone may delete it.

What one instance signs with a key, such as a form, another one verifies. So the database has a
fingerprint of each key that the instances share, which the first of them enters. An SQLite file
belongs to one machine, whose keys may change.
"""

import hmac
import logging
import os
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Column, Connection, String, Table, delete, select

from app.platform.database import KeyMismatch
from app.platform.database.metadata import insert_of, metadata

log = logging.getLogger(__name__)

_BYTES = 32


class InvalidKey(Exception):
    """The file of the key exists, but holds no key."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} holds no key. Delete it, and run the command again.")


class KeyFile:
    """The key in one file, read at each use: deleting the file revokes what it signed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> bytes | None:
        """Return the key, or None without one; raises InvalidKey, and OSError if unreadable."""
        try:
            text = self.path.read_text(encoding="ascii")
            key = bytes.fromhex(text)
        except FileNotFoundError:
            return None
        except ValueError:
            raise InvalidKey(self.path) from None
        if len(key) < _BYTES:
            raise InvalidKey(self.path)
        return key

    def read_or_make(self) -> bytes:
        """Return the key, a new one if there is none; raises InvalidKey and OSError."""
        key = self.read()
        if key is None:
            self._make()
            key = self.read()
        if key is None:  # another process has deleted it meanwhile
            raise FileNotFoundError(self.path)
        return key

    def _make(self) -> None:
        """Write a complete file, then link it to its name, unless another process was first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        written = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}")
        try:
            descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(_BYTES) + "\n")
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(written, self.path)
        finally:
            written.unlink(missing_ok=True)


def signature(key: bytes, purpose: bytes, text: str) -> str:
    """Return 43 letters that sign a text; the key signs nothing else for the same purpose."""
    digest = hmac.digest(key, purpose + text.encode(), "sha256")
    return urlsafe_b64encode(digest).decode("ascii").rstrip("=")


TOKEN_LIFE = timedelta(hours=24)
"""How long the token of a form is valid."""
TOKEN_SLOT = timedelta(hours=6)
"""How long visitors share the token of a page that caches keep."""
_TOKEN = re.compile(
    r"(?P<made>(?P<seconds>\d{1,12})(?:\.[A-Za-z0-9_-]{1,64})?)\.(?P<signature>[A-Za-z0-9_-]{43})",
    re.ASCII,
)


def slot_of(now: datetime) -> datetime:
    """Return when the token was made that visitors share at an instant."""
    return now - (now - datetime.fromtimestamp(0, UTC)) % TOKEN_SLOT


def form_token(
    key: bytes, purpose: bytes, path: str, made: datetime, form_id: str | None = None
) -> str:
    """Return the token of a form on a page; no other form has the same id, if it has one."""
    signed = f"{made.timestamp():.0f}.{form_id}" if form_id else f"{made.timestamp():.0f}"
    return ".".join((signed, signature(key, purpose, f"{signed}\n{path}")))


def token_age(key: bytes, purpose: bytes, path: str, token: str, now: datetime) -> timedelta | None:
    """Return how long ago a token of a page was made, None if it is none of this page."""
    match = _TOKEN.fullmatch(token)
    if not match:
        return None
    expected = signature(key, purpose, f"{match['made']}\n{path}")
    if not hmac.compare_digest(match["signature"], expected):
        return None
    return now - datetime.fromtimestamp(int(match["seconds"]), UTC)


class ProcessKey:
    """The key of a file, read once; a key of this process alone if the file cannot be used."""

    def __init__(self, file: KeyFile) -> None:
        self._file = file
        self._key: bytes | None = None

    def __call__(self) -> bytes:
        """Return the key."""
        if self._key is None:
            try:
                self._key = self._file.read_or_make()
            except (InvalidKey, OSError) as error:
                log.warning(
                    "No key can be kept in %s (%s); each process uses its own"
                    " until the next start.",
                    self._file.path,
                    type(error).__name__,
                )
                self._key = secrets.token_bytes(_BYTES)
        return self._key


shared_keys = Table(
    "shared_keys",
    metadata,
    Column("variable", String(64), primary_key=True),
    Column("fingerprint", String(16), nullable=False),
)
"""The fingerprint of each key, by the variable that names its file."""

_LETTERS = 16
REMEDY = (
    "Copy the file from a machine on which the service runs. If you have replaced or deleted it on "
    "purpose, run `majlis db accept-keys` here, and copy the file to the others."
)
"""What to do about a key that differs."""


class SharedKey(NamedTuple):
    """A key in the file that a setting names; unless `needed`, a command makes it elsewhere."""

    variable: str
    path: Path
    needed: bool = True


def fingerprint(path: Path) -> str | None:
    """Return what identifies a key without disclosing it; None if the file has no key."""
    with suppress(InvalidKey, OSError):
        if key := KeyFile(path).read():
            return sha256(key).hexdigest()[:_LETTERS]
    return None


def mismatch(key: SharedKey, own: str | None, known: str | None) -> str | None:
    """Return what is wrong with a key by its own and the known fingerprint; None if nothing is."""
    if known is None or own == known:
        return None
    found = f"is another key ({own})" if own else "cannot be read or does not exist"
    return (
        f"{key.variable}: {key.path} {found}, and the other instances on this database have the "
        f"key {known}."
    )


def known_fingerprints(connection: Connection) -> Mapping[str, str]:
    """Return the fingerprints that the database has, by variable."""
    rows = connection.execute(select(shared_keys.c.variable, shared_keys.c.fingerprint))
    return {row.variable: row.fingerprint for row in rows}


def claim(connection: Connection, keys: Sequence[SharedKey]) -> None:
    """Enter unknown keys, and make needed ones; raises KeyMismatch for one that differs."""
    known = known_fingerprints(connection)
    new = dict(_new(keys, known))
    if new:
        insert = insert_of(shared_keys, is_postgresql=connection.dialect.name == "postgresql")
        rows = [{"variable": name, "fingerprint": each} for name, each in new.items()]
        connection.execute(insert.on_conflict_do_nothing(), rows)
        known = known_fingerprints(connection)  # another instance may have been first
    for key in keys:
        own = fingerprint(key.path)
        problem = mismatch(key, own, known.get(key.variable))
        if problem and (own or key.needed):
            raise KeyMismatch(f"{problem} {REMEDY}")


def _new(keys: Sequence[SharedKey], known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the fingerprints of keys that the database does not know."""
    for key in keys:
        if key.variable in known:
            continue
        if key.needed:
            with suppress(InvalidKey, OSError):  # who uses it says so
                KeyFile(key.path).read_or_make()
        if own := fingerprint(key.path):
            yield key.variable, own


def accept(connection: Connection, keys: Sequence[SharedKey]) -> Mapping[str, str]:
    """Let the keys of this machine be those of all; one without a file is forgotten."""
    own = {key.variable: each for key in keys if (each := fingerprint(key.path))}
    connection.execute(delete(shared_keys))
    for variable, each in own.items():
        connection.execute(shared_keys.insert().values(variable=variable, fingerprint=each))
    return own
