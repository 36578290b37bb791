"""The line writer: batches, rotation, several processes, and outputs that are slow or fail."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
from live.server import DEADLINE, eventually

from app.platform.observability.logs import LineWriter, LogFile, StandardOutput


class Output:
    """An output that records what it gets, and waits before it takes anything."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.released = threading.Event()
        self.error: OSError | None = None

    def write(self, lines: bytes) -> None:
        """Record lines once they are let through."""
        assert self.released.wait(10)
        if self.error:
            raise self.error
        self.written.append(lines)


def test_lines_are_written_in_their_order_and_none_is_lost_at_a_stop(tmp_path: Path) -> None:
    """Also those of the last moment, and those after the stop."""
    file = tmp_path / "access.log"
    writer = LineWriter("access", LogFile(file), batch_seconds=0.1)
    writer.write(b"1\n")
    eventually(file.exists)
    writer.write(b"2\n")
    writer.write(b"3\n")
    writer.close()
    writer.write(b"4\n")
    assert file.read_text() == "1\n2\n3\n4\n"
    assert file.stat().st_mode & 0o777 == 0o640


def test_an_output_that_stalls_delays_nothing_and_fills_no_memory(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Lines beyond the limit are dropped; a metric counts them, and the log says how many."""
    output = Output()
    writer = LineWriter("access", output, max_waiting_bytes=10)
    for line in (b"a" * 20 + b"\n", b"b\n", b"c\n"):
        writer.write(line)
    assert _dropped(writer) == 2
    output.released.set()
    eventually(lambda: not writer.waiting_bytes)
    writer.write(b"d\n")
    writer.close()
    assert b"".join(output.written) == b"a" * 20 + b"\nd\n"
    assert caplog.messages == ["The access log lost 2 lines: its output was too slow."]


def _dropped(writer: LineWriter) -> float:
    ((_, _, dropped),) = writer.metrics_samples()
    return dropped


def test_an_output_that_takes_nothing_does_not_prevent_a_stop(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last lines are lost, which the log says; later ones are dropped."""
    monkeypatch.setattr("app.platform.observability.logs._CLOSE_SECONDS", 0.01)
    output = Output()
    writer = LineWriter("access", output)
    writer.write(b"lost\n")
    writer.close()
    writer.write(b"dropped\n")
    assert _dropped(writer) == 1
    assert caplog.messages == ["The output of the access log takes no lines; the last are lost."]
    output.released.set()


def test_an_error_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """The lines count as dropped. The next ones are written when the output takes them again."""
    output = Output()
    output.released.set()
    output.error = OSError(28, "No space left on device")
    writer = LineWriter("access", output)
    for _ in range(2):
        writer.write(b"lost\n")
        eventually(lambda: not writer.waiting_bytes)
    output.error = None
    writer.write(b"kept\n")
    writer.close()
    assert output.written == [b"kept\n"]
    assert _dropped(writer) == 2
    assert caplog.messages == ["The access log cannot be written: No space left on device."]


LAST_WORDS = """
import logging, os, sys, threading, warnings
from app.platform.observability.logs import STDERR, log_to_stderr
log_to_stderr("INFO")
log = logging.getLogger("app.test")
log.info("before a fork")
with STDERR.without_thread():
    if os.fork():
        os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
threading.excepthook(threading.ExceptHookArgs((ValueError, ValueError("of a thread"), None, None)))
warnings.showwarning("a warning", UserWarning, "test.py", 1)
log.error("an error")
if len(sys.argv) > 1 and not os.fork():
    log.info("in a child")
    os._exit(0)
raise RuntimeError("the last word")
"""


def test_the_last_words_of_a_crash_come_out_in_their_order() -> None:
    """What the interpreter says, too; each once, although a process was forked meanwhile."""
    command = [sys.executable, "-P", "-c", LAST_WORDS, "fork"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=DEADLINE)
    assert done.returncode == 1
    said = ("before a fork", "of a thread", "a warning", "an error", "the last word")
    assert [done.stderr.count(each) for each in (*said, "in a child")] == [1] * 6, done.stderr
    assert sorted(said, key=done.stderr.index) == list(said)


def test_a_crash_ends_although_nobody_reads_its_last_words() -> None:
    """The process waits for a reader, but not for long."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, b" " * 4_096)
    os.set_blocking(writing, True)
    command = [sys.executable, "-P", "-c", LAST_WORDS]
    with os.fdopen(reading), os.fdopen(writing) as stderr:
        done = subprocess.run(command, stderr=stderr, check=False, timeout=DEADLINE)
    assert done.returncode == 1


def test_a_file_is_created_again_after_a_rotation(tmp_path: Path) -> None:
    """By renaming, as logrotate does by default, and by truncation, as with `copytruncate`."""
    file = tmp_path / "access.log"
    output = LogFile(file)
    output.write(b"1\n")
    file.rename(tmp_path / "access.log.1")
    output.write(b"2\n")
    output.write(b"3\n")
    assert file.read_text() == "2\n3\n"
    os.truncate(file, 0)
    output.write(b"4\n")
    assert file.read_text() == "4\n"
    assert (tmp_path / "access.log.1").read_text() == "1\n"


def test_several_processes_append_whole_lines(tmp_path: Path) -> None:
    """Each has opened the file by itself; a batch is one write."""
    file = tmp_path / "access.log"
    batches = [f"{letter * 50}\n".encode() * 400 for letter in "abcd"]

    def append(batch: bytes) -> None:
        output = LogFile(file)
        for _ in range(20):
            output.write(batch)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(append, batches))
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 4 * 400 * 20
    assert {bytes(line) for line in lines} == {batch[:51] for batch in batches}


async def test_a_pipe_gets_whole_lines_in_pieces_that_never_mix() -> None:
    """It waits for a reader that is slow, also if the pipe does not block."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    batch = b"".join(b"%05d %s\n" % (number, b"x" * 90) for number in range(2_000))
    with closing(os.fdopen(reading, "rb")) as reader:
        writer = asyncio.to_thread(StandardOutput(writing).write, batch)
        task = asyncio.create_task(writer)
        received = await asyncio.to_thread(reader.read, len(batch))
        await task
        os.close(writing)
    assert received == batch
