"""What all steps of a rehearsal share: running a program, and what is not to be had."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import which


class NotToBeHad(Exception):
    """A step is not possible on this machine; the message names what is missing."""


def tool(name: str) -> str:
    """Return the path of a program, of this environment or of the system."""
    path = which(name, path=f"{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/sbin")
    if path is None:
        raise NotToBeHad(f"`{name}`")
    return path


def done(name: str, *arguments: str, folder: Path, code: int = 0, **variables: str) -> str:
    """Run a program to its end, and return what it prints; another exit code is a failure."""
    program = str(folder / name) if "/" in name else tool(name)
    ended = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ended.returncode == code, ended.stdout
    return ended.stdout
