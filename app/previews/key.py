"""The key that signs preview links: a file that one process makes, and anyone may delete."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

_BYTES = 32


class InvalidKey(Exception):
    """The file of the key exists, but holds no key."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} holds no key. Delete it, and run the command again.")


class PreviewKey:
    """The key in one file. It is read at each use, so that deleting the file revokes all links."""

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
