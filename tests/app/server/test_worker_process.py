"""The supervisor's handle of a worker process, also while the process exits."""

from __future__ import annotations

import asyncio
import socket
import sys

import uvloop

from app.server.lifecycle import Worker, WorkerStatus

LAST_STATUS = WorkerStatus(ready=False, samples={})
WAITING_PROGRAM = ("-c", "import sys; sys.stdin.read()")


async def status_of_exiting_worker() -> WorkerStatus:
    """Request the status of a process that has closed its channel and still runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *WAITING_PROGRAM, stdin=asyncio.subprocess.PIPE
    )
    channel, worker_channel = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=channel)
    worker = Worker(process, reader, writer)
    with worker_channel:
        worker_channel.sendall(b"%d\n" % process.pid + LAST_STATUS.to_line())
    await writer.wait_closed()
    try:
        return await worker.status()
    finally:
        worker.kill()
        await worker.ended()


def test_an_exiting_worker_has_its_last_status() -> None:
    """Metrics and readiness are answered between its last status and its exit."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(status_of_exiting_worker()) == LAST_STATUS
