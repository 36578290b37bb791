"""The limiter over a real Redis: shared, exact, and never in the way."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from itertools import count
from time import monotonic
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
import uvloop
from live.server import DEADLINE, until
from redis.asyncio import Redis as Client
from stores.redis import Redis
from stores.slow_link import SlowLink

from app.limits.bucket import READS, Bucket
from app.limits.limiter import RETRY_SECONDS, Limiter
from app.observability.metrics import STORE_AWAY

NUMBERS = count()
QUICK = Bucket("quick", limit=3, seconds=1)

Start = Callable[..., Limiter]


@pytest.fixture
def client() -> str:
    """A client that nobody has counted yet."""
    return f"198.51.100.{next(NUMBERS)}"


@pytest_asyncio.fixture
async def start(redis: Redis) -> AsyncIterator[Start]:
    """Limiters as instances have them, over one Redis."""
    async with AsyncExitStack() as running:
        started: list[Limiter] = []

        def limiter(ticks: Callable[[], float] = monotonic) -> Limiter:
            started.append(Limiter(ticks, redis.url, budget_seconds=DEADLINE))
            return started[-1]

        yield limiter
        for each in started:
            await running.enter_async_context(each)


async def test_instances_share_one_exact_count(start: Start, client: str) -> None:
    """However many ask at the same time, over however many instances."""
    limiters = [start() for _ in range(3)]
    hits = (each.hit(READS, client) for each in limiters for _ in range(50))
    counts = await asyncio.gather(*hits)
    assert sorted(each.used for each in counts) == list(range(1, 151))
    assert sum(each.is_over for each in counts) == 150 - READS.limit
    assert {each.reset for each in counts} <= {59, 60}


async def test_every_count_has_an_end(start: Start, redis: Redis, client: str) -> None:
    """A key that would stay for ever would lock its client out for ever."""
    await start().hit(READS, client)
    async with Client.from_url(redis.url) as asked:
        (key,) = [each async for each in asked.scan_iter(f"*{client}")]
        assert 0 < await asked.pttl(key) <= READS.seconds * 1_000
        await asked.persist(key)
        await start().hit(READS, client)
        assert 0 < await asked.pttl(key) <= READS.seconds * 1_000


async def test_redis_gone_and_back(
    start: Start, redis: Redis, client: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Meanwhile it is counted here, and limited here; a line of log each way, and a figure."""
    caplog.set_level(logging.INFO, "app.limits")
    now = [0.0]
    limiter = start(lambda: now[0])
    assert (await limiter.hit(QUICK, client)).used == 1
    redis.stop()
    try:
        counts = [await limiter.hit(QUICK, client) for _ in range(5)]
        now[0] += 5
        counts.append(await limiter.hit(QUICK, client))
        assert [*limiter.metrics_samples()] == [(STORE_AWAY, ("redis",), 1)]
    finally:
        redis.start()
    assert [each.used for each in counts] == [1, 2, 3, 4, 5, 1]
    assert [each.is_over for each in counts] == [False, False, False, True, True, False]
    now[0] += 5
    assert (await limiter.hit(READS, client)).used == 1
    assert [*limiter.metrics_samples()] == [(STORE_AWAY, ("redis",), 0)]
    assert (await start().hit(READS, client)).used == 2
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]
    assert client not in caplog.text


async def test_a_redis_that_was_never_there_costs_nothing(client: str) -> None:
    """The service starts and counts."""
    async with Limiter(monotonic, "redis://127.0.0.1:1/0") as limiter:
        counts = [await limiter.hit(QUICK, client) for _ in range(4)]
    assert [each.is_over for each in counts] == [False, False, False, True]


async def test_a_redis_that_hangs_is_waited_for_once(client: str) -> None:
    """It takes connections and says nothing; then it is left alone for a while."""
    asked = 0

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    now = 0.0
    async with server, Limiter(lambda: now, f"redis://127.0.0.1:{port}/0") as limiter:
        counts = [await limiter.hit(READS, client) for _ in range(20)]
    assert [each.used for each in counts] == list(range(1, 21))
    assert asked <= 2


@pytest.mark.parametrize("ask", ["hit", "peek"])
def test_a_connection_that_dies_as_it_is_used_fails_no_request(
    redis: Redis, client: str, ask: str
) -> None:
    """As when Redis is killed just then: uvloop, on which the service runs, has its own error.

    On Python 3.11 the request is counted here; newer streams let the library connect again.
    """
    reconnects = int(sys.version_info >= (3, 12))

    async def ask_on_a_dead_connection() -> int:
        async with Limiter(monotonic, redis.url) as limiter:
            await limiter.hit(READS, client)
            assert limiter._redis is not None
            pool = limiter._redis._redis.connection_pool
            connection = await pool.get_connection()  # type: ignore[no-untyped-call]
            await pool.release(connection)
            connection._writer.transport.abort()
            count = await getattr(limiter, ask)(READS, client)
            return int(count.used)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(ask_on_a_dead_connection()) == reconnects + (1 if ask == "hit" else 0)


async def test_a_slow_redis_is_not_waited_for(redis: Redis, client: str) -> None:
    """One count takes its budget, all others are made here; no task and no connection is left."""
    now = 0.0
    before = asyncio.all_tasks()
    with SlowLink(urlsplit(redis.url).port or 0) as link:
        slow_url = f"redis://127.0.0.1:{link.port}/0"
        async with Limiter(lambda: now, slow_url, budget_seconds=0.05) as limiter:
            link.delay_seconds = 0.5
            assert limiter.hit_nowait(READS, client) is None
            counts = [await limiter.hit(READS, client) for _ in range(20)]
            assert limiter.hit_nowait(READS, client) is not None
            now += RETRY_SECONDS
            assert limiter.hit_nowait(READS, client) is None
    assert [each.used for each in counts] == list(range(1, 21))
    assert asyncio.all_tasks() == before


async def test_a_count_that_comes_late_is_counted_all_the_same(
    start: Start, redis: Redis, client: str
) -> None:
    """Its question was sent, and is not taken back."""
    with SlowLink(urlsplit(redis.url).port or 0) as link:
        slow_url = f"redis://127.0.0.1:{link.port}/0"
        async with Limiter(monotonic, slow_url, budget_seconds=0.05) as limiter:
            link.delay_seconds = 0.2
            await limiter.hit(READS, client)
            store = limiter._redis
            await until(lambda: not (store and store._tasks))
    assert (await start().peek(READS, client)).used == 1
