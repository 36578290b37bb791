"""Eager starts: what waits for nothing needs no task."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar

import pytest

from app.platform.concurrency.eager_start import EagerStart, in_task

NAME: ContextVar[str] = ContextVar("name", default="")
Wait = Callable[[], Awaitable[object]]


async def begun(steps: list[str], *waits: Wait) -> EagerStart:
    """Take the first step of a coroutine that waits, outside of a task as the server does."""

    async def work() -> None:
        NAME.set("its own context")
        steps.append("begun")
        for wait in waits:
            await wait()
            steps.append(NAME.get())

    taken: asyncio.Future[EagerStart] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(lambda: taken.set_result(EagerStart(work)))
    return await taken


async def continued(step: EagerStart) -> None:
    """Continue in a task with its context."""
    await asyncio.get_running_loop().create_task(_await(step), context=step.context)


async def _await(step: EagerStart) -> None:
    await step.rest()


async def test_what_waits_for_nothing_is_complete() -> None:
    """Its context is its own."""
    steps: list[str] = []
    step = await begun(steps)
    assert (step.is_complete, steps, NAME.get()) == (True, ["begun"], "")


async def test_what_waits_continues_in_a_task() -> None:
    """Also several times, for futures and for a task, with its context."""
    steps: list[str] = []
    future = asyncio.get_running_loop().create_future()
    step = await begun(steps, in_task, lambda: future, lambda: asyncio.sleep(0))
    assert (step.is_complete, steps) == (False, ["begun"])
    asyncio.get_running_loop().call_soon(future.set_result, None)
    await continued(step)
    assert (step.is_complete, steps) == (True, ["begun", *["its own context"] * 3])


async def test_a_future_may_be_done_before_the_task_begins() -> None:
    """Nothing is lost between the step and the task."""
    future = asyncio.get_running_loop().create_future()
    step = await begun([], lambda: future)
    future.set_exception(KeyError("lost"))
    with pytest.raises(KeyError, match="lost"):
        await continued(step)


async def test_a_cancelled_task_cancels_what_it_continues() -> None:
    """Where it waits."""
    steps: list[str] = []
    step = await begun(steps, asyncio.Event().wait)
    task = asyncio.create_task(_await(step))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert steps == ["begun"]


async def test_an_error_of_the_eager_start_is_raised_by_its_task() -> None:
    """There it is logged, as any other."""

    async def fail() -> None:
        raise KeyError("failed")

    step = EagerStart(fail)
    assert not step.is_complete
    with pytest.raises(KeyError, match="failed"):
        await continued(step)


async def test_what_is_closed_runs_its_finally_blocks() -> None:
    """So that nobody waits for what it held."""
    released: list[bool] = []

    async def hold() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            released.append(True)

    EagerStart(hold).close()
    assert released == [True]


async def test_in_a_task_nothing_waits_for_one() -> None:
    """Other servers call the application in a task."""
    turns: list[bool] = []
    asyncio.get_running_loop().call_soon(turns.append, True)
    await in_task()
    assert turns == []
