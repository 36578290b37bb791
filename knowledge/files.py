"""The disk edge: what the content folder holds, and the text of its documents.

`opening` opens the files, `assets` reads images and downloads.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from knowledge.diagnostics import ContentFileError, Diagnostic, Severity
from knowledge.opening import open_beneath, unreadable

DOCUMENT_SUFFIXES = (".md", ".markdown")
MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
_LEAST_STEP_BYTES = 4_096
_RECENT_NS = 250_000_000
_CONTROLS = re.compile(r"[\x00-\x1f]")

ASSET_TYPES: Mapping[str, str] = {
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}


class FileFingerprint(NamedTuple):
    """What tells one version of a file from the next without opening it."""

    modified_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The text of one markdown file; line ends are line feeds, a byte order mark is gone."""

    path: str
    text: str
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class DirectoryScan:
    """What a content folder holds, by path relative to it."""

    documents: Mapping[str, FileFingerprint]
    assets: Mapping[str, FileFingerprint]
    links: frozenset[str] = frozenset()
    """Symbolic links: what they lead to may change without them."""

    diagnostics: tuple[Diagnostic, ...] = ()
    unreadable: frozenset[str] = frozenset()
    """Files and folders that could not be looked at; what was known of them is kept."""


NOTHING_LISTED = DirectoryScan({}, {})

_Found = os.DirEntry[str] | Path
"""A name on the disk: from a walk, or by itself."""


@dataclass(slots=True)
class _Scanner:
    root: Path
    documents: dict[str, FileFingerprint] = field(default_factory=dict)
    assets: dict[str, FileFingerprint] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unreadable: set[str] = field(default_factory=set)

    def folder(self, folder: str, prefix: str) -> None:
        for entry in _entries(folder):
            self.name(entry, prefix + entry.name)

    def name(self, entry: _Found, path: str) -> None:
        """A file or a whole folder, at its path relative to the root."""
        if entry.name.startswith(("_", ".")):
            return
        if not _is_text(path):
            self.diagnostics.append(_misnamed(path))
            return
        try:
            self._entry(entry, path)
        except (FileNotFoundError, NotADirectoryError):
            return  # deleted since its folder was listed
        except OSError as error:
            self.diagnostics.append(unreadable(path, error))
            if error.errno != errno.ELOOP:
                self.unreadable.add(path)

    def _entry(self, entry: _Found, path: str) -> None:
        if entry.is_symlink():
            self.links.add(path)
            if not self._link_is_fine(entry, path):
                return
        if entry.is_dir():
            self.folder(os.fspath(entry), path + "/")
            return
        suffix = "".join(entry.name.rpartition(".")[1:]).lower()
        if suffix in DOCUMENT_SUFFIXES or suffix in ASSET_TYPES:
            status = entry.stat()
            fingerprint = FileFingerprint(status.st_mtime_ns, status.st_size, status.st_ino)
            (self.documents if suffix in DOCUMENT_SUFFIXES else self.assets)[path] = fingerprint

    def _link_is_fine(self, entry: _Found, path: str) -> bool:
        target = Path(os.path.realpath(entry))  # Path.resolve raises where links go in circles
        if entry.is_dir():
            problem = "is a symbolic link to a folder, which is not followed."
        elif not target.is_relative_to(self.root):
            problem = "is a symbolic link that leads out of the content folder."
        elif not target.exists():
            problem = "is a symbolic link to a file that does not exist."
        else:
            return True
        suggestion = "Put a copy of it here, or remove the link."
        self.diagnostics.append(Diagnostic(path, f"The file {problem}", suggestion))
        return False


def recently_modified(fingerprint: FileFingerprint) -> bool:
    """Whether a file was written to so lately that its writer may not be done."""
    return time.time_ns() - fingerprint.modified_ns < _RECENT_NS


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        yield from sorted(entries, key=lambda entry: entry.name)


def _is_text(path: str) -> bool:
    """Whether a name from the disk is one line of text: bytes not UTF-8 arrive as surrogates."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return not _CONTROLS.search(path)


def _misnamed(path: str) -> Diagnostic:
    shown = re.sub(r"[\x00-\x1f\ud800-\udfff]", "?", path)
    message = "The file's name is not UTF-8, or holds a control character."
    return Diagnostic(shown, message, "Rename it.")


def scan(root: Path, before: DirectoryScan = NOTHING_LISTED) -> DirectoryScan:
    """Walk the content folder; nothing is opened.

    What cannot be looked at, as permission is missing, keeps what `before` knows of it.
    Raises OSError when the folder itself cannot be read.
    """
    scanner = _Scanner(root.resolve(strict=True))
    scanner.folder(str(scanner.root), "")
    unreadable = frozenset(scanner.unreadable)
    return DirectoryScan(
        _with_unreadable(before.documents, scanner.documents, unreadable),
        _with_unreadable(before.assets, scanner.assets, unreadable),
        frozenset(scanner.links),
        tuple(scanner.diagnostics),
        unreadable,
    )


def rescan(root: Path, before: DirectoryScan, changed: Iterable[str]) -> DirectoryScan:
    """The listing after changes at some paths, relative to the root, which alone are looked at.

    What could not be looked at before is looked at again.
    Raises OSError when the folder itself cannot be read.
    """
    scanner = _Scanner(root.resolve(strict=True))
    gone = _prune_nested((*changed, *before.links, *before.unreadable))
    for path in gone:
        if _is_scanned(scanner.root, path) and _is_there(scanner.root / path):
            scanner.name(scanner.root / path, path)
    unreadable = frozenset(scanner.unreadable)
    documents = _with_unreadable(before.documents, scanner.documents, unreadable)
    assets = _with_unreadable(before.assets, scanner.assets, unreadable)
    return DirectoryScan(
        _replaced(before.documents, gone, documents),
        _replaced(before.assets, gone, assets),
        frozenset(scanner.links),
        (*(f for f in before.diagnostics if not _is_below(f.path, gone)), *scanner.diagnostics),
        unreadable,
    )


def _with_unreadable(
    before: Mapping[str, FileFingerprint],
    found: dict[str, FileFingerprint],
    unreadable: frozenset[str],
) -> Mapping[str, FileFingerprint]:
    """What was found, and what was known of the files and folders that cannot be looked at."""
    if not unreadable:
        return found
    kept = {
        path: fingerprint for path, fingerprint in before.items() if _is_below(path, unreadable)
    }
    whole = {**kept, **found}
    return {path: whole[path] for path in sorted(whole, key=_path_sort_key)}


def _prune_nested(paths: Iterable[str]) -> frozenset[str]:
    """The paths without those that stand below another of them."""
    whole = frozenset(paths)
    return frozenset(path for path in whole if not _is_below(path.rpartition("/")[0], whole))


def _is_below(path: str, folders: frozenset[str]) -> bool:
    """Whether a path is one of the folders, or stands somewhere below one."""
    while path not in folders:
        path = path.rpartition("/")[0]
        if not path:
            return False
    return True


def _is_there(path: Path) -> bool:
    """Whether something is there, or may be: a folder without permission does not say."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _is_scanned(root: Path, path: str) -> bool:
    """Whether a walk would come by: no folder above is hidden, or a link."""
    parents = [each for each in PurePosixPath(path).parents if each.name]
    return not any(
        each.name.startswith(("_", ".")) or (root / each).is_symlink() for each in parents
    )


def _replaced(
    before: Mapping[str, FileFingerprint],
    gone: frozenset[str],
    found: Mapping[str, FileFingerprint],
) -> Mapping[str, FileFingerprint]:
    """In the order of a walk, as of two documents that clash the first one wins."""
    lost = gone & before.keys()
    if len(lost) < len(gone):
        # What is no file we know may have been a folder.
        folders = _folders_below({path.rpartition("/")[0] for path in before}, gone - lost)
        lost |= {path for path in before if folders and path.rpartition("/")[0] in folders}
    if lost == found.keys():
        return {**before, **found} if found else before
    kept = {path: fingerprint for path, fingerprint in before.items() if path not in lost}
    return {
        path: kept.get(path) or found[path]
        for path in sorted({**kept, **found}, key=_path_sort_key)
    }


def _folders_below(folders: Iterable[str], gone: frozenset[str]) -> frozenset[str]:
    return frozenset(folder for folder in folders if _is_below(folder, gone))


def _path_sort_key(path: str) -> str:
    """A key that sorts as the parts of a path do: no name holds a NUL."""
    return path.replace("/", "\0")


def read_document(root: Path, path: str) -> SourceFile:
    """Read one markdown file, or raise ContentFileError naming what is wrong with it."""
    content = _read(root, path, MAX_DOCUMENT_BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"The file is not UTF-8: byte 0x{content[error.start]:02x} cannot be read."
        raise ContentFileError(Diagnostic(path, message, "Save it as UTF-8.", line)) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ContentFileError(
            Diagnostic(path, "The file holds a NUL character.", "Remove it.", line)
        )
    if not text.strip():
        raise ContentFileError(
            Diagnostic(path, "The file is empty.", "Write its text, or delete it.")
        )
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return SourceFile(path, text, _byte_order_mark(path, content))


def _read(root: Path, path: str, limit: int) -> bytes:
    """At most `limit` bytes, so that a file that grows meanwhile cannot fill memory."""
    try:
        descriptor = open_beneath(root, path)
        try:
            content = _read_open(descriptor, limit + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ContentFileError(unreadable(path, error)) from None
    if len(content) > limit:
        message = f"The file is larger than {limit // (1024 * 1024)} MiB."
        raise ContentFileError(
            Diagnostic(path, message, "Split it, or move large parts elsewhere.")
        )
    return content


def _read_open(descriptor: int, limit: int) -> bytes:
    """Without Python's file objects, which cost more than the reading of a small file."""
    size = os.fstat(descriptor).st_size
    content, step = b"", max(size + 1, _LEAST_STEP_BYTES)
    while part := os.read(descriptor, min(step, limit - len(content))):
        content += part
    return content


def _byte_order_mark(path: str, content: bytes) -> tuple[Diagnostic, ...]:
    if not content.startswith(b"\xef\xbb\xbf"):
        return ()
    message = "The file starts with a byte order mark, which is ignored."
    return (Diagnostic(path, message, "Save it as UTF-8 without BOM.", severity=Severity.WARNING),)
