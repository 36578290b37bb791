"""Programs: runs another program without a shell, for a bounded time, with chosen variables."""

import asyncio
import os
import signal
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple, cast

_STOP_SECONDS = 5.0
"""How long a program may take to end what it has started."""


class Ended(NamedTuple):
    """How a program ended, and what it wrote."""

    status: int
    output: bytes
    errors: bytes


def variables_named(*beginnings: str) -> Mapping[str, str]:
    """Return the variables of the environment whose names begin so; others may be secrets."""
    return {name: value for name, value in os.environ.items() if name.startswith(beginnings)}


async def run_program(
    *command: str | os.PathLike[str],
    variables: Mapping[str, str],
    seconds: float,
    most_bytes: int,
    given: bytes = b"",
    inherited: tuple[int, ...] = (),
) -> Ended:
    """Run a program, and end it with all that it has started; it gets the `inherited` descriptors.

    Raises OSError, TimeoutError, or ValueError if it writes more than `most_bytes`.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=variables,
        start_new_session=True,
        pass_fds=inherited,
    )
    pipes = (process.stdout, process.stderr)
    reads = (_read(cast(StreamReader, each), most_bytes) for each in pipes)
    talks = [*map(asyncio.ensure_future, (*reads, _give(process, given)))]
    try:
        async with asyncio.timeout(seconds):
            output, errors, _ = await asyncio.gather(*talks)
            return Ended(await process.wait(), output, errors)
    finally:
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        await _end(process)


async def _give(process: Process, given: bytes) -> bytes:
    stream = cast(StreamWriter, process.stdin)
    # It ends without reading, and says why by its status; uvloop has closed the pipe by then.
    with suppress(ConnectionError, RuntimeError):
        stream.write(given)
        await stream.drain()
    stream.close()
    return b""


async def _read(stream: StreamReader, most_bytes: int) -> bytes:
    read = bytearray()
    while piece := await stream.read(64 * 1024):
        read += piece
        if len(read) > most_bytes:
            raise ValueError("the output is too large")
    return bytes(read)


async def _end(process: Process) -> None:
    """End a program with all that it has started; first kindly, as these end with it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                await process.communicate()  # else what it has written keeps the pipe open
