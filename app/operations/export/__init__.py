"""Export of a site as files.

Here is its folder: an export writes what differs, and removes only what an export has written.
"""

import json
import shutil
from contextlib import suppress
from filecmp import cmp
from pathlib import Path, PurePosixPath
from typing import IO


class ForeignFolder(OSError):
    """The folder has files that no export has written."""


MANIFEST = ".majlis-export.json"
"""The file with the names of all files of the export."""
_TEMPORARY = ".majlis-export.tmp"


class ExportFolder:
    """The files of one export; those of the last one that are not written again are removed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._before = _listed(root)
        # A folder with hidden entries alone, such as a repository, has no files of others.
        entries = root.iterdir() if self._before is None and root.is_dir() else ()
        if any(not each.name.startswith(".") for each in entries):
            raise ForeignFolder(f"{root} has files, and none of an export: choose an empty folder")
        self.names: set[str] = set()
        self.written = 0
        root.mkdir(parents=True, exist_ok=True)
        if self._before is None:
            self._write_manifest([])

    def write(self, name: str, body: IO[bytes]) -> None:
        """Write a file by its path below the folder, unless it has these bytes already."""
        if name in self.names:
            raise ValueError(f"Two addresses have the file {name}.")
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or parts[0] == "/":
            raise ValueError(f"{name} is outside the folder.")
        self.names.add(name)
        target, temporary = self._root.joinpath(*parts), self._root / _TEMPORARY
        with temporary.open("wb") as file:
            shutil.copyfileobj(body, file)
        if target.is_file() and not target.is_symlink() and cmp(temporary, target, shallow=False):
            temporary.unlink()
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(target)
        self.written += 1

    def finish(self) -> int:
        """Remove what only the last export has; return how many files that were."""
        gone = set(self._before or ()) - self.names
        for name in gone:
            path = self._root / name
            path.unlink(missing_ok=True)
            for parent in path.relative_to(self._root).parents:
                with suppress(OSError):  # it has other files, or is gone
                    (self._root / parent).rmdir()
        self._write_manifest(sorted(self.names))
        return len(gone)

    def _write_manifest(self, names: list[str]) -> None:
        text = json.dumps({"files": names}, ensure_ascii=False, indent=1)
        path = self._root / MANIFEST
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _listed(root: Path) -> list[str] | None:
    """Return the files of the last export; None if there is none."""
    try:
        names = json.loads((root / MANIFEST).read_text(encoding="utf-8"))["files"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ForeignFolder(f"{root / MANIFEST} cannot be read: {error}") from None
    below = [name for name in names if isinstance(name, str) and ".." not in name.split("/")]
    return [name for name in below if not name.startswith("/")]
