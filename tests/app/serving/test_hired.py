"""A hired worker as the supervisor sees it, also when it is about to be gone."""

from __future__ import annotations

import asyncio
import socket
import sys

import uvloop

from app.serving.status import WorkerStatus
from app.serving.worker_process import Worker

LAST = WorkerStatus(ready=False, samples={})
WAITS = ("-c", "import sys; sys.stdin.read()")


async def ask_one_that_is_leaving() -> WorkerStatus:
    """Ask a process that has told its last and closed its channel, and is still there."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *WAITS, stdin=asyncio.subprocess.PIPE
    )
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    worker = Worker(process, reader, writer)
    with theirs:
        theirs.sendall(LAST.line())
    await writer.wait_closed()
    try:
        return await worker.status()
    finally:
        worker.kill()
        await worker.ended()


def test_one_that_is_leaving_says_what_it_said_last() -> None:
    """Between its last word and its end, whoever looks at metrics or readiness gets an answer."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(ask_one_that_is_leaving()) == LAST
