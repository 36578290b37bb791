"""A secret key in a file: one process makes it, all read it, and anyone may delete it."""

from __future__ import annotations

import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path

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


class ProcessKey:
    """The key of a file, read once; a key of this process alone if the file cannot be used."""

    def __init__(self, file: KeyFile) -> None:
        self._file = file
        self._key: bytes | None = None

    def __call__(self) -> bytes:
        """Return the key."""
        if self._key is None:
            self._key = self._read_or_make()
        return self._key

    def _read_or_make(self) -> bytes:
        try:
            return self._file.read_or_make()
        except (InvalidKey, OSError) as error:
            log.warning(
                "No key can be kept in %s (%s); each process uses its own until the next start.",
                self._file.path,
                type(error).__name__,
            )
            return secrets.token_bytes(_BYTES)
