"""Deadlines: a response is not late if only our own event loop is."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import pytest
import uvloop
from busy_loop import block

from app.platform.concurrency.guards import finishes_within, result_within


async def test_a_task_that_never_ends_is_late_and_continues() -> None:
    """The task is not cancelled."""
    task = asyncio.create_task(asyncio.Event().wait())
    assert not await finishes_within(task, 0.01)
    assert not task.done()
    task.cancel()


async def test_a_finished_task_is_in_time() -> None:
    """A failed task counts as finished."""

    async def fail() -> None:
        raise OSError

    task = asyncio.create_task(fail())
    assert await finishes_within(task, 30)
    assert isinstance(task.exception(), OSError)


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_an_answer_that_arrived_while_the_loop_was_busy_is_in_time(
    new_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """Its bytes have arrived when the timer fires, but have not been read."""

    async def receive() -> bool:
        near, far = socket.socketpair()
        with near, far:
            near.setblocking(False)
            loop = asyncio.get_running_loop()
            task = asyncio.create_task(loop.sock_recv(near, 10))
            await asyncio.sleep(0)
            far.send(b"answer")
            loop.call_soon(block, 0.2)
            return await finishes_within(task, 0.05)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(receive())


async def test_a_result_is_discarded_if_the_caller_is_cancelled_just_then() -> None:
    """Otherwise a connection would stay open that nobody has."""
    discarded: list[str] = []

    async def connect() -> str:
        waiting.cancel()
        return "connection"

    waiting = asyncio.create_task(result_within(connect(), 30, discarded.append))
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert discarded == ["connection"]


async def test_a_result_after_the_deadline_is_discarded() -> None:
    """Some work ends in spite of a cancellation."""
    discarded: list[str] = []

    async def connect() -> str:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "connection"

    with pytest.raises(TimeoutError):
        await result_within(connect(), 0.01, discarded.append)
    assert discarded == ["connection"]


async def test_a_result_in_time_is_returned() -> None:
    """And not discarded; an error is raised as it is."""
    discarded: list[str] = []

    async def connect() -> str:
        return "connection"

    async def fail() -> str:
        raise ConnectionRefusedError

    assert await result_within(connect(), 30, discarded.append) == "connection"
    with pytest.raises(ConnectionRefusedError):
        await result_within(fail(), 30, discarded.append)
    assert discarded == []
