"""The keys that all instances on one database must have in common.

What one instance signs with a key, such as a form, another one verifies. Each has the key in a file
of its own, so the database has a fingerprint of it, which the first instance enters. An SQLite file
belongs to one machine, whose keys may change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from app.platform.database.errors import KeyMismatch
from app.platform.database.statements import insert_of
from app.platform.database.tables import shared_keys
from app.platform.key_file import InvalidKey, KeyFile

_LETTERS = 16
REMEDY = (
    "Copy the file from a machine on which the service runs. If you have replaced or deleted it on "
    "purpose, run `majlis db accept-keys` here, and copy the file to the others."
)
"""What to do about a key that differs."""


class SharedKey(NamedTuple):
    """A key in a file of each machine; `variable` is the setting that names the file.

    One that is not `needed` at the start is made by a command, perhaps on another machine.
    """

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
    """Return what is wrong with a key of this machine; None if nothing is.

    `own` is its fingerprint, `known` that of the database.
    """
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
    """Enter the keys that the database does not know; raises KeyMismatch for one that differs.

    A key that is needed and that nobody has is made.
    """
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
