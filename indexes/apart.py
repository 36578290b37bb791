"""Builds the index of many texts in a low-priority subprocess, so that requests stay fast.

As a command, it reads word lists and texts as JSON lines and writes the files of the index.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from typing import IO

from indexes.breath import TEXTS_A_BREATH, Breathe
from indexes.catalogue import Folded, index_of
from indexes.memory import Files
from indexes.vocabulary import Vocabulary
from knowledge.word_lists import WordLists

_NICENESS = 10
_POLL_SECONDS = 0.05


def index_made_apart(texts: Sequence[Folded], vocabulary: Vocabulary, breathe: Breathe) -> Files:
    """Return the index of folded texts; raise OSError if the subprocess cannot build it."""
    command = [sys.executable, "-P", "-m", __name__]
    with TemporaryFile() as stdin, TemporaryFile() as stdout:
        stdin.writelines(_lines(texts, vocabulary.lists, breathe))
        stdin.seek(0)
        # No part of the command comes from user input.
        with subprocess.Popen(command, stdin=stdin, stdout=stdout) as process:  # noqa: S603
            _await(process, breathe)
        if process.returncode:
            raise ChildProcessError(f"The index builder exited with {process.returncode}.")
        return _read(stdout)


def _await(process: subprocess.Popen[bytes], breathe: Breathe) -> None:
    """Wait until the process exits; kill it if `breathe` or a signal raises."""
    try:
        while process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)
            breathe()
    except BaseException:
        process.kill()
        raise


def _read(stdout: IO[bytes]) -> Files:
    stdout.seek(0)
    return {name: stdout.read(size) for name, size in json.loads(stdout.readline())}


def _lines(texts: Sequence[Folded], lists: WordLists, breathe: Breathe) -> Iterator[bytes]:
    yield _line([lists.groups, lists.protected, lists.initial_root_letters])
    for number, text in enumerate(texts):
        yield _line(text)
        if number % TEXTS_A_BREATH == 0:
            breathe()


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def main() -> None:
    """Build an index; signals are ignored, as the parent process kills this one if necessary."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(_NICENESS)
    _build(sys.stdin.buffer, sys.stdout.buffer)


def _build(stdin: IO[bytes], stdout: IO[bytes]) -> None:
    groups, protected, roots = json.loads(stdin.readline())
    lists = WordLists(tuple(map(tuple, groups)), tuple(protected), tuple(roots))
    texts: list[Folded] = [tuple(json.loads(line)) for line in stdin]
    files = index_of(texts, Vocabulary(lists))
    stdout.write(_line([[name, len(content)] for name, content in files.items()]))
    stdout.writelines(files.values())


if __name__ == "__main__":
    main()
