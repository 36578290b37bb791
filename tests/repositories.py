"""Git repositories of content, to which tests push."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

PAGE = "---\ntitle: {en: A page, ar: صفحة}\n---\nText %s.\n"
AUTHOR = {
    "GIT_AUTHOR_NAME": "Noor",
    "GIT_AUTHOR_EMAIL": "noor@example.test",
    "GIT_COMMITTER_NAME": "Noor",
    "GIT_COMMITTER_EMAIL": "noor@example.test",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def git(folder: Path, *arguments: str) -> str:
    """Run git, and return what it prints."""
    command = ["git", "-C", str(folder), *arguments]
    environment = {**os.environ, **AUTHOR}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


class Origin:
    """A bare repository, and a work tree from which its branch `main` is pushed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "origin.git"
        self._work = folder / "work"
        for each in (self.path, self._work):
            each.mkdir(parents=True)
        git(self.path, "init", "--quiet", "--bare", "--initial-branch=main")
        git(self._work, "init", "--quiet", "--initial-branch=main")
        git(self._work, "remote", "add", "origin", str(self.path))

    def push(self, files: Mapping[str, str | Path | None]) -> str:
        """Commit files, those with None deleted, push them, and return the commit.

        A path is the target of a link.
        """
        for name, text in files.items():
            path = self._work / name
            if isinstance(text, Path):
                path.symlink_to(text)
            elif text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        git(self._work, "add", "--all")
        git(self._work, "commit", "--quiet", "--allow-empty", "--message", "Edit")
        git(self._work, "push", "--quiet", "--force", "origin", "main")
        return git(self._work, "rev-parse", "HEAD")

    def reset(self, commit: str) -> None:
        """Make the branch end with an earlier commit."""
        git(self._work, "reset", "--quiet", "--hard", commit)
        git(self._work, "push", "--quiet", "--force", "origin", "main")
