"""Executors have bounded queues, are fair to clients, and keep the caller's context."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextvars import ContextVar

import pytest
import pytest_asyncio

from app.platform.concurrency.executors import (
    BoundedExecutor,
    Capacity,
    Executors,
    Overloaded,
    current_permit,
)
from app.platform.observability.metrics import EXECUTOR_QUEUED, EXECUTOR_REJECTED

REQUEST: ContextVar[str] = ContextVar("REQUEST")


class BlockingWork:
    """Work that blocks until the test opens its gate."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.calls = 0

    def __call__(self) -> int:
        """Wait for the gate and return the number of calls."""
        self.calls += 1
        if not self.gate.wait(30):
            raise TimeoutError
        return self.calls


@pytest.fixture
def work() -> BlockingWork:
    """Return work whose gate is closed."""
    return BlockingWork()


@pytest_asyncio.fixture
async def executor(work: BlockingWork) -> AsyncIterator[BoundedExecutor]:
    """Provide an executor with one thread and room for three waiting calls."""
    executor = BoundedExecutor("some", threads=1, queue=3)
    yield executor
    work.gate.set()
    executor.close()


async def schedule() -> None:
    """Let every task run until it blocks."""
    for _ in range(20):
        await asyncio.sleep(0)


def queued_and_rejected(executor: BoundedExecutor) -> tuple[float, float]:
    """Return the metrics of the queue."""
    samples = {family.name: number for family, _, number in executor.metrics_samples()}
    return samples[EXECUTOR_QUEUED.name], samples[EXECUTOR_REJECTED.name]


async def test_work_is_done_in_a_thread_in_the_context_of_its_caller(
    executor: BoundedExecutor,
) -> None:
    """Handlers need the context to find their request."""
    REQUEST.set("mine")
    result = await executor.run(lambda: (threading.current_thread().name, REQUEST.get()))
    assert result == ("majlis-some_0", "mine")


async def test_what_work_raises_is_raised_to_its_caller(executor: BoundedExecutor) -> None:
    """The executor continues to work."""

    def fail() -> None:
        raise LookupError("x")

    with pytest.raises(LookupError):
        await executor.run(fail)
    assert await executor.run(lambda: 1) == 1


async def test_a_full_queue_rejects(executor: BoundedExecutor, work: BlockingWork) -> None:
    """With one call running and three waiting, the fifth is rejected; later calls succeed."""
    tasks = [asyncio.create_task(executor.run(work)) for _ in range(4)]
    await schedule()
    with pytest.raises(Overloaded):
        await executor.run(work)
    assert queued_and_rejected(executor) == (3, 1)
    work.gate.set()
    assert sorted(await asyncio.gather(*tasks)) == [1, 2, 3, 4]
    assert queued_and_rejected(executor) == (0, 1)
    assert await executor.run(work) == 5


async def test_one_client_leaves_room_for_others(
    executor: BoundedExecutor, work: BlockingWork
) -> None:
    """One client may use half of all slots."""
    tasks = [asyncio.create_task(executor.run(work, "a")) for _ in range(2)]
    await schedule()
    with pytest.raises(Overloaded):
        await executor.run(work, "a")
    tasks.append(asyncio.create_task(executor.run(work, "b")))
    await schedule()
    work.gate.set()
    assert len(await asyncio.gather(*tasks)) == 3


async def test_work_of_a_caller_that_left_is_not_done(
    executor: BoundedExecutor, work: BlockingWork
) -> None:
    """It keeps its slot until a thread skips it, so that disconnects do not extend the queue."""
    tasks = [asyncio.create_task(executor.run(work)) for _ in range(4)]
    await schedule()
    for task in tasks:
        task.cancel()
    await schedule()
    assert all(task.cancelled() for task in tasks)
    # Two had a permit, and their calls were submitted to the thread. The others are gone.
    assert queued_and_rejected(executor)[0] == 1
    work.gate.set()
    assert await executor.run(lambda: 1) == 1
    assert work.calls == 1
    assert queued_and_rejected(executor) == (0, 0)


async def test_only_few_hold_a_permit(executor: BoundedExecutor) -> None:
    """One more than there are threads; releasing a permit twice has no further effect."""
    first, second = [await executor.acquire() for _ in range(2)]
    third = asyncio.create_task(executor.acquire())
    await schedule()
    assert not third.done()
    first.release()
    first.release()
    (await third).release()
    second.release()
    assert queued_and_rejected(executor) == (0, 0)


async def test_a_request_with_a_permit_does_not_wait_for_another(
    executor: BoundedExecutor, work: BlockingWork
) -> None:
    """This holds even if all slots are in use; the permit lasts until the work is done."""
    permit = await executor.acquire()
    token = current_permit.set(permit)
    task = asyncio.create_task(executor.run(work))
    current_permit.reset(token)
    others = [asyncio.create_task(executor.acquire()) for _ in range(3)]
    await schedule()
    permit.release()
    await schedule()
    assert [other.done() for other in others] == [True, False, False]
    work.gate.set()
    assert await task == 1
    for other in others:
        (await other).release()


async def test_the_executors_of_a_process_have_different_names() -> None:
    """Metrics are labelled by name."""
    async with Executors() as executors:
        names = [labels[0] for family, labels, _ in executors.metrics_samples()]
    assert len(set(names)) == len(names) / 2 == 7


async def test_a_capacity_forgets_clients_without_slots() -> None:
    """The number of client addresses is unbounded."""
    capacity = Capacity(4)
    for number in range(100):
        await capacity.acquire(str(number))
        capacity.release(str(number))
    assert capacity.used == 0
    assert not capacity._used_by_client
