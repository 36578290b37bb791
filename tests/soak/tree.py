"""The content folder while it is edited: a symbolic link to the current release."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from threading import Lock

from contract.visitor import write_tree

_KEPT = 3
"""Releases that are kept, so that a reload of an older one finds all files."""


class Tree:
    """Files that several authors change concurrently, each change under a lock."""

    def __init__(self, source: Path, work: Path) -> None:
        self.folder = work / "content"
        self._work = work
        self._numbers = count(1)
        self._releases: list[Path] = []
        self._lock = Lock()
        self._switch_to(shutil.copytree(source, self._next()))

    def write(self, files: Mapping[str, str], *, in_place: bool = False) -> None:
        """Write files of the current release, as editors do: by rename, or in place."""
        with self._lock:
            if in_place:
                write_tree(self._releases[-1], files)
                return
            for path, text in files.items():
                _replace(self._releases[-1] / path, text)

    def publish(self, files: Mapping[str, str]) -> None:
        """Create a release with these files changed, and switch the link to it."""
        with self._lock:
            release = shutil.copytree(
                self._releases[-1], self._next(), copy_function=os.link, symlinks=True
            )
            for path, text in files.items():
                _replace(release / path, text)
            self._switch_to(release)

    def _next(self) -> Path:
        return self._work / f"release-{next(self._numbers)}"

    def _switch_to(self, release: Path) -> None:
        beside = self._work / "content.new"
        beside.symlink_to(release, target_is_directory=True)
        beside.replace(self.folder)
        self._releases.append(release)
        for old in self._releases[:-_KEPT]:
            shutil.rmtree(old)
        self._releases = self._releases[-_KEPT:]


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
