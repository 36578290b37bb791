"""Executors: bounded, fair to clients, and in the context of the caller."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextvars import ContextVar

import pytest
import pytest_asyncio

from app.concurrency.capacity import Capacity, Overloaded
from app.concurrency.executors import BoundedExecutor, Executors, current_permit
from app.observability.metrics import EXECUTOR_QUEUED, EXECUTOR_REJECTED

REQUEST: ContextVar[str] = ContextVar("REQUEST")


class Door:
    """Work that stands still until the test opens the door."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.calls = 0

    def __call__(self) -> int:
        """Wait; how often it was called."""
        self.calls += 1
        if not self.opened.wait(30):
            raise TimeoutError
        return self.calls


@pytest.fixture
def listening_socket() -> Door:
    """A closed one."""
    return Door()


@pytest_asyncio.fixture
async def executor(listening_socket: Door) -> AsyncIterator[BoundedExecutor]:
    """One thread, and three calls that may wait."""
    executor = BoundedExecutor("some", threads=1, queue=3)
    yield executor
    listening_socket.opened.set()
    executor.close()


async def schedule() -> None:
    """Let every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


def told(executor: BoundedExecutor) -> tuple[float, float]:
    """Queued and rejected, as metrics tell them."""
    metrics_samples = {family.name: number for family, _, number in executor.metrics_samples()}
    return metrics_samples[EXECUTOR_QUEUED.name], metrics_samples[EXECUTOR_REJECTED.name]


async def test_work_is_done_in_a_thread_in_the_context_of_its_caller(
    executor: BoundedExecutor,
) -> None:
    """Handlers find their request there."""
    REQUEST.set("mine")
    found = await executor.run(lambda: (threading.current_thread().name, REQUEST.get()))
    assert found == ("majlis-some_0", "mine")


async def test_what_work_raises_is_raised_to_its_caller(executor: BoundedExecutor) -> None:
    """And the executor goes on."""

    def fail() -> None:
        raise LookupError("x")

    with pytest.raises(LookupError):
        await executor.run(fail)
    assert await executor.run(lambda: 1) == 1


async def test_a_full_queue_rejects(executor: BoundedExecutor, listening_socket: Door) -> None:
    """One is under way and three wait; the fifth is turned away, and there is room afterwards."""
    asked = [asyncio.create_task(executor.run(listening_socket)) for _ in range(4)]
    await schedule()
    with pytest.raises(Overloaded):
        await executor.run(listening_socket)
    assert told(executor) == (3, 1)
    listening_socket.opened.set()
    assert sorted(await asyncio.gather(*asked)) == [1, 2, 3, 4]
    assert told(executor) == (0, 1)
    assert await executor.run(listening_socket) == 5


async def test_one_client_leaves_room_for_others(
    executor: BoundedExecutor, listening_socket: Door
) -> None:
    """It may have half of all places."""
    asked = [asyncio.create_task(executor.run(listening_socket, "a")) for _ in range(2)]
    await schedule()
    with pytest.raises(Overloaded):
        await executor.run(listening_socket, "a")
    asked.append(asyncio.create_task(executor.run(listening_socket, "b")))
    await schedule()
    listening_socket.opened.set()
    assert len(await asyncio.gather(*asked)) == 3


async def test_work_of_a_caller_that_left_is_not_done(
    executor: BoundedExecutor, listening_socket: Door
) -> None:
    """But it has its place until a thread finds that out: leaving makes no queue longer."""
    asked = [asyncio.create_task(executor.run(listening_socket)) for _ in range(4)]
    await schedule()
    for each in asked:
        each.cancel()
    await schedule()
    assert all(each.cancelled() for each in asked)
    # Two had their turn, and their calls are in the hands of the thread; the others are gone.
    assert told(executor)[0] == 1
    listening_socket.opened.set()
    assert await executor.run(lambda: 1) == 1
    assert listening_socket.calls == 1
    assert told(executor) == (0, 0)


async def test_only_few_have_their_turn(executor: BoundedExecutor) -> None:
    """One more than there are threads; the next when one has ended, however often it ends."""
    first, second = [await executor.acquire() for _ in range(2)]
    third = asyncio.create_task(executor.acquire())
    await schedule()
    assert not third.done()
    first.release()
    first.release()
    (await third).release()
    second.release()
    assert told(executor) == (0, 0)


async def test_in_its_turn_a_request_waits_for_nothing_more(
    executor: BoundedExecutor, listening_socket: Door
) -> None:
    """Though all places are taken; the turn lasts until the work is done."""
    permit = await executor.acquire()
    token = current_permit.set(permit)
    asked = asyncio.create_task(executor.run(listening_socket))
    current_permit.reset(token)
    others = [asyncio.create_task(executor.acquire()) for _ in range(3)]
    await schedule()
    permit.release()
    await schedule()
    assert [each.done() for each in others] == [True, False, False]
    listening_socket.opened.set()
    assert await asked == 1
    for each in others:
        (await each).release()


async def test_the_executors_of_a_process_have_names_of_their_own() -> None:
    """By which metrics tell them apart; none has more than a few threads."""
    async with Executors() as executors:
        names = [labels[0] for family, labels, _ in executors.metrics_samples()]
    assert len(set(names)) == len(names) / 2 == 6


async def test_a_capacity_forgets_clients_that_have_nothing() -> None:
    """Addresses are without number."""
    capacity = Capacity(4)
    for number in range(100):
        await capacity.acquire(str(number))
        capacity.release(str(number))
    assert capacity.used == 0
    assert not capacity._used_by_client
