"""Apart: the index of many texts is made in a process of its own, which yields to readers.

As a command it reads word lists and texts as lines of JSON, and writes the files of the index.
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
_LOOK_AGAIN_SECONDS = 0.05


def index_made_apart(texts: Sequence[Folded], vocabulary: Vocabulary, breathe: Breathe) -> Files:
    """The index of folded texts; raises OSError where no process can make it."""
    command = [sys.executable, "-P", "-m", __name__]
    with TemporaryFile() as wanted, TemporaryFile() as made:
        wanted.writelines(_lines(texts, vocabulary.lists, breathe))
        wanted.seek(0)
        # Nothing in the command comes from outside.
        with subprocess.Popen(command, stdin=wanted, stdout=made) as process:  # noqa: S603
            _await(process, breathe)
        if process.returncode:
            raise ChildProcessError(f"The process for the index ended with {process.returncode}.")
        return _read(made)


def _await(process: subprocess.Popen[bytes], breathe: Breathe) -> None:
    """Until it ends by itself; it is ended where nobody waits for it any longer."""
    try:
        while process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK_AGAIN_SECONDS)
            breathe()
    except BaseException:
        process.kill()
        raise


def _read(made: IO[bytes]) -> Files:
    made.seek(0)
    return {name: made.read(size) for name, size in json.loads(made.readline())}


def _lines(texts: Sequence[Folded], lists: WordLists, breathe: Breathe) -> Iterator[bytes]:
    yield _line([lists.groups, lists.protected, lists.initial_root_letters])
    for number, text in enumerate(texts):
        yield _line(text)
        if number % TEXTS_A_BREATH == 0:
            breathe()


def _line(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def main() -> None:
    """Make an index; the process that wants it ends this one where it is no longer wanted."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(_NICENESS)
    _make(sys.stdin.buffer, sys.stdout.buffer)


def _make(wanted: IO[bytes], made: IO[bytes]) -> None:
    groups, kept, roots = json.loads(wanted.readline())
    lists = WordLists(tuple(map(tuple, groups)), tuple(kept), tuple(roots))
    texts: list[Folded] = [tuple(json.loads(line)) for line in wanted]
    files = index_of(texts, Vocabulary(lists))
    made.write(_line([[name, len(content)] for name, content in files.items()]))
    made.writelines(files.values())


if __name__ == "__main__":
    main()
