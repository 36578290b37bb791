"""The content folder while it is edited: a link that turns from release to release."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from threading import Lock

from contract.visitor import write_tree

_KEPT = 3
"""Releases that stay, so that who still reads an older one finds it whole."""


class Tree:
    """Files that several authors change at once, each change either whole or not at all."""

    def __init__(self, source: Path, work: Path) -> None:
        self.folder = work / "content"
        self._work = work
        self._numbers = count(1)
        self._releases: list[Path] = []
        self._lock = Lock()
        self._turn_to(shutil.copytree(source, self._next()))

    def write(self, files: Mapping[str, str], *, in_place: bool = False) -> None:
        """Write files of the current release, as editors do: anew beside, or where they are."""
        with self._lock:
            if in_place:
                write_tree(self._releases[-1], files)
                return
            for path, text in files.items():
                _replace(self._releases[-1] / path, text)

    def publish(self, files: Mapping[str, str]) -> None:
        """Make a new release with these files changed, and turn to it, as deployments do."""
        with self._lock:
            release = shutil.copytree(
                self._releases[-1], self._next(), copy_function=os.link, symlinks=True
            )
            for path, text in files.items():
                _replace(release / path, text)
            self._turn_to(release)

    def _next(self) -> Path:
        return self._work / f"release-{next(self._numbers)}"

    def _turn_to(self, release: Path) -> None:
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
