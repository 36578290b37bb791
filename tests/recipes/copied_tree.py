"""A copy of the packages in which a recipe of CONTRIBUTING.md is performed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path
from shutil import copy2, copytree
from typing import Any

from contract.visitor import SAMPLE_FOLDER, indexed_sample
from live.documents import ROOT

from hatch_build import compile_catalogs

_CLIENT = ("tests/contract/visitor.py", "tests/stores/migrated.py")
_COPIED = ("knowledge", "renderers", "indexes", "llms", "app", *_CLIENT)
_PROBE = """
import json, sys
from contract.visitor import Visitor
with Visitor() as visitor:
    replies = [visitor.get(path, headers) for path, headers in json.load(sys.stdin)]
    shown = [[reply.status, dict(reply.headers), reply.text] for reply in replies]
    sys.stdout.write(json.dumps(shown))
"""

# What the service imports first, then all of it: most errors show without its libraries.
_START = "from renderers.page_rendering import page_renderers; page_renderers(); import app.factory"


@dataclass(frozen=True)
class Answer:
    """The response to one request."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)


def _copy(path: str, folder: Path) -> None:
    """Copy a file, and what Python has compiled from it; both keep their times, so it is valid."""
    copy2(ROOT / path, folder / path)
    compiled = Path(cache_from_source(path))
    if path.endswith(".py") and (ROOT / compiled).is_file():
        (folder / compiled).parent.mkdir(exist_ok=True)
        copy2(ROOT / compiled, folder / compiled)


class CopiedTree:
    """The tracked files of the packages, copied into a folder and started from there.

    Of the pages of the sample it has the search index; it indexes those that a recipe changes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(  # git of the developer
            [
                "/usr/bin/env",
                "git",
                "ls-files",
                "--cached",
                "--others",
                "--exclude-standard",
                *_COPIED,
            ],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        )
        for path in listed.stdout.splitlines():
            if (ROOT / path).is_file():  # not deleted since the last commit
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                _copy(path, folder)
        compile_catalogs(folder)
        self._made = folder / "sample"
        copytree(indexed_sample() / "index", self._made / "index")

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace the only occurrence of a text in a file."""
        text = (self.folder / path).read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.write(path, text.replace(old, new))

    def translate(self, texts: Mapping[str, str]) -> Mapping[str, str]:
        """Add interface texts in English, each with its Arabic translation, to the catalogs.

        Return the catalogs as they were, by path.
        """
        before = {}
        for language in ("en", "ar"):
            path = f"renderers/translations/{language}/LC_MESSAGES/messages.po"
            catalog = before[path] = (self.folder / path).read_text(encoding="utf-8")
            for english, arabic in texts.items():
                translation = english if language == "en" else arabic
                catalog += f'\nmsgid "{english}"\nmsgstr "{translation}"\n'
            self.write(path, catalog)
        compile_catalogs(self.folder)
        return before

    def run(
        self, program: str, *arguments: str, text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a program with the modules of the copy; it ends soon, and collects no garbage.

        It keeps nothing compiled: Python would take that for another change in the same second.
        """
        own = {
            "PYTHONPATH": os.pathsep.join((str(self.folder), str(self.folder / "tests"))),
            "PYTHONDONTWRITEBYTECODE": "1",
            SAMPLE_FOLDER: str(self._made),
        }
        return subprocess.run(
            [sys.executable, "-P", "-c", f"import gc; gc.disable()\n{program}", *arguments],
            cwd=self.folder,
            env=os.environ | own,
            input=text,
            capture_output=True,
            check=False,
            text=True,
        )

    def ask(self, *requests: tuple[str, Mapping[str, str]]) -> Sequence[Answer]:
        """Start the service of the copy and return its responses to GET requests."""
        done = self.run(_PROBE, text=json.dumps(requests))
        assert done.returncode == 0, done.stderr
        return [Answer(*shown) for shown in json.loads(done.stdout)]

    def check(self, content: str) -> subprocess.CompletedProcess[str]:
        """Run `majlis check` on a folder."""
        return self.run("from app.operations.cli import main; main()", "check", content)

    def error(self) -> str:
        """Return the last line of the error with which the service of the copy does not start."""
        done = self.run(_START)
        assert done.returncode != 0
        return done.stderr.strip().splitlines()[-1]
