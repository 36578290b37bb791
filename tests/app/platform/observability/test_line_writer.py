"""The line writer: batches, rotation, several processes, and outputs that are slow or fail."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from live.server import until

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


async def test_lines_are_written_in_their_order_and_none_is_lost_at_a_stop(tmp_path: Path) -> None:
    """Also those of the last moment, and those after the stop."""
    file = tmp_path / "access.log"
    writer = LineWriter(LogFile(file))
    async with writer:
        writer.write("1\n")
        await until(file.exists)
        writer.write("2\n")
        writer.write("3\n")
    writer.write("4\n")
    assert file.read_text() == "1\n2\n3\n4\n"
    assert file.stat().st_mode & 0o777 == 0o640


async def test_an_output_that_stalls_delays_nothing_and_fills_no_memory(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Lines beyond the limit are dropped, and the log says how many."""
    output = Output()
    async with LineWriter(output, max_waiting_bytes=10) as writer:
        for batch in (["a" * 20 + "\n"], ["b\n", "c\n"]):
            for line in batch:
                writer.write(line)
            writer._pass_on()
        output.released.set()
        await until(lambda: writer._waiting_bytes == 0)
        writer.write("d\n")
    assert b"".join(output.written) == b"a" * 20 + b"\nd\n"
    assert caplog.messages == ["The access log lost 2 lines: its output was too slow."]


async def test_an_error_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """The next lines are written when the output takes them again."""
    output = Output()
    output.released.set()
    output.error = OSError(28, "No space left on device")
    async with LineWriter(output) as writer:
        for _ in range(2):
            writer.write("lost\n")
            writer._pass_on()
        await until(lambda: writer._waiting_bytes == 0)
        output.error = None
        writer.write("kept\n")
    assert output.written == [b"kept\n"]
    assert caplog.messages == ["The access log cannot be written: No space left on device."]


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
