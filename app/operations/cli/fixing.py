"""Fixing for `majlis check --fix`: writes mended files, or shows what would change."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

import click

from app.platform.printable import printable
from knowledge.checks.autofix import Mend, mend_folder
from knowledge.snapshot.loading import load_content


def find_mends(root: Path) -> Sequence[Mend]:
    """Return the files of a folder that can be mended; raises OSError without a folder."""
    return list(mend_folder(load_content(root), lambda path: _read(root, path)))


def write_mends(root: Path, mends: Sequence[Mend]) -> None:
    """Write mended files, each as a whole, and tell each mended fault on standard error."""
    for mend in mends:
        try:
            _replace(root / mend.path, mend)
        except OSError as error:
            message = f"Cannot write {root / mend.path}: {error.strerror}."
            raise click.ClickException(message) from None
        for line, note in mend.notes:
            click.echo(printable(f"mended  {mend.path}:{line} {note}"), err=True)


def diff(mends: Sequence[Mend]) -> Iterator[str]:
    """Yield the lines of a unified diff."""
    for mend in mends:
        names = (f"a/{mend.path}", f"b/{mend.path}")
        before, after = (text.split("\n") for text in (mend.before, mend.after))
        for line in unified_diff(before, after, *names, lineterm=""):
            yield line.rstrip("\r")


def _read(root: Path, path: str) -> str | None:
    """Return the text of a file with its line ends; None if it is not UTF-8, or has other ones."""
    try:
        text = (root / path).read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\r" in text.replace("\r\n", "") else text


def _replace(path: Path, mend: Mend) -> None:
    """Replace a file at once, unless it has changed meanwhile; a link stays a link."""
    target = path.resolve(strict=True)
    if target.read_bytes() != mend.before.encode():
        raise OSError(0, "it has changed meanwhile")
    written = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with written.open("xb") as file:
            os.fchmod(file.fileno(), target.stat().st_mode & 0o7777)
            file.write(mend.after.encode())
            file.flush()
            os.fsync(file.fileno())
        written.replace(target)
    finally:
        written.unlink(missing_ok=True)
