"""The limiter with a real Redis: counts are shared and exact, and failures cause no errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
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

from app.features.feedback.routes import BUCKET as FEEDBACK
from app.features.leads.submission import LEADS_BUCKET as LEADS
from app.platform.limits.limiter import (
    REGISTER_SECONDS,
    RETRY_SECONDS,
    SEVERAL,
    Limiter,
    MemoryStore,
)
from app.platform.limits.rate_limits import READS, Bucket, Count
from app.platform.limits.redis_store import PROCESSES, RedisStore
from app.platform.observability.metrics import STORE_AWAY

NUMBERS = count()
QUICK = Bucket("quick", limit=3, seconds=1)

Start = Callable[..., Limiter]


@pytest.fixture
def client() -> str:
    """Return a client that has not been counted yet."""
    return f"198.51.100.{next(NUMBERS)}"


@pytest_asyncio.fixture
async def start(redis: Redis) -> AsyncIterator[Start]:
    """Return a function that creates limiters, one for each instance, with one Redis."""
    async with AsyncExitStack() as running:
        started: list[Limiter] = []

        def limiter(ticks: Callable[[], float] = monotonic) -> Limiter:
            started.append(Limiter(ticks, redis.url, budget_seconds=DEADLINE))
            return started[-1]

        yield limiter
        for instance in started:
            await running.enter_async_context(instance)


async def test_instances_share_one_exact_count(start: Start, client: str) -> None:
    """Concurrent requests to several instances are counted exactly."""
    limiters = [start() for _ in range(3)]
    hits = (limiter.hit(READS, client) for limiter in limiters for _ in range(50))
    counts = await asyncio.gather(*hits)
    assert sorted(count.used for count in counts) == list(range(1, 151))
    assert sum(count.is_over for count in counts) == 150 - READS.limit
    assert {count.reset for count in counts} <= {59, 60}


async def test_every_count_has_an_end(start: Start, redis: Redis, client: str) -> None:
    """A key without expiry would block its client for ever."""
    await start().hit(READS, client)
    async with Client.from_url(redis.url) as connection:
        (key,) = [key async for key in connection.scan_iter(f"*{client}")]
        assert 0 < await connection.pttl(key) <= READS.seconds * 1_000
        await connection.persist(key)
        await start().hit(READS, client)
        assert 0 < await connection.pttl(key) <= READS.seconds * 1_000


async def test_redis_gone_and_back(
    start: Start, redis: Redis, client: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Meanwhile counts are in memory; both changes are logged, and a metric reports the state."""
    caplog.set_level(logging.INFO, "app.platform.limits")
    now = [0.0]
    limiter = start(lambda: now[0])
    assert (await limiter.hit(QUICK, client)).used == 1
    redis.stop()
    try:
        counts = [await limiter.hit(QUICK, client) for _ in range(5)]
        for _ in range(SEVERAL - 1):
            now[0] += 5
            counts.append(await limiter.hit(QUICK, client))
        assert [*limiter.metrics_samples()] == [(STORE_AWAY, ("redis",), 1)]
    finally:
        redis.start()
    assert [count.used for count in counts] == [2, 3, 4, 5, 6, 1, 1]
    assert [count.is_over for count in counts] == [False, False, True, True, True, False, False]
    now[0] += 5
    assert (await limiter.hit(READS, client)).used == 1
    assert [*limiter.metrics_samples()] == [(STORE_AWAY, ("redis",), 0)]
    assert (await start().hit(READS, client)).used == 2
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR", "INFO"]
    assert client not in caplog.text


async def test_a_redis_that_was_never_there_costs_nothing(client: str) -> None:
    """The service starts and counts in memory."""
    async with Limiter(monotonic, "redis://127.0.0.1:1/0") as limiter:
        counts = [await limiter.hit(QUICK, client) for _ in range(4)]
    assert [count.is_over for count in counts] == [False, False, False, True]


async def test_a_redis_that_hangs_is_waited_for_once(client: str) -> None:
    """It accepts connections and never responds; then it is not called for a while."""
    connections = 0

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    now = 0.0
    async with server, Limiter(lambda: now, f"redis://127.0.0.1:{port}/0") as limiter:
        counts = [await limiter.hit(READS, client) for _ in range(20)]
    assert [count.used for count in counts] == list(range(1, 21))
    assert connections <= 2


@asynccontextmanager
async def two_processes(redis: Redis, client: str) -> AsyncIterator[tuple[Limiter, Limiter]]:
    """Run two limiters that know of each other; both have counted a read of the client."""
    budget = 0.2  # the machine may be busy
    async with Client.from_url(redis.url) as connection:
        await connection.delete(PROCESSES)  # of tests before
    async with (
        Limiter(monotonic, redis.url, budget) as one,
        Limiter(monotonic, redis.url, budget) as two,
        Client.from_url(redis.url) as connection,
    ):
        while await connection.zcard(PROCESSES) < 2:
            pass
        for limiter in (one, two):
            await limiter.hit(READS, client)
        yield one, two


async def used(redis: Redis, bucket: Bucket, client: str) -> int:
    """Return the shared count of a client."""
    async with Client.from_url(redis.url) as connection:
        return int(await connection.get(f"majlis:limit:{bucket.name}:{client}") or 0)


async def until_counted(
    redis: Redis, limiters: tuple[Limiter, ...], client: str, total: int
) -> None:
    """Ask for the count of the reads of a client until it is this one."""
    async with asyncio.timeout(DEADLINE):
        while await used(redis, READS, client) != total:
            for limiter in limiters:
                await limiter.hit(READS, client, by=0)


async def test_processes_share_the_limit_while_redis_is_slow(redis: Redis, client: str) -> None:
    """Together they let no more pass than the limit; afterwards every request is counted once."""
    async with two_processes(redis, client) as limiters, Client.from_url(redis.url) as connection:
        await connection.client_pause(1_000)
        hits = (limiter.hit(READS, client) for limiter in limiters for _ in range(96))
        counts = await asyncio.gather(*hits)
        more = [await limiter.hit(READS, client) for limiter in limiters]
        passed = sum(not count.is_over for count in counts)
        assert READS.limit - 2 - len(limiters) <= passed <= READS.limit - 2
        assert all(count.is_over for count in more)

        await until_counted(redis, limiters, client, 2 + 192 + 2)
        assert (await limiters[0].hit(READS, client)).used == 2 + 192 + 2 + 1


async def test_leads_wait_for_a_slow_redis(redis: Redis, client: str) -> None:
    """They are exact while reads are counted alone: only as many are accepted as the limit has."""
    async with two_processes(redis, client) as limiters, Client.from_url(redis.url) as connection:
        await connection.client_pause(500)
        reads = await asyncio.gather(*(limiter.hit(READS, client) for limiter in limiters))
        assert [count.used for count in reads] == [1 + 2, 2 + 2]
        for bucket in (LEADS, FEEDBACK):
            assert [limiter.hit_nowait(bucket, client) for limiter in limiters] == [None, None]
            hits = (limiter.hit(bucket, client) for limiter in limiters for _ in range(10))
            counts = await asyncio.gather(*hits)
            assert sorted(count.used for count in counts) == list(range(1, 21))


async def test_what_was_counted_without_redis_is_counted_in_it_afterwards(
    redis: Redis, client: str
) -> None:
    """A Redis that comes back empty gets the requests of all processes; windows go on."""
    async with two_processes(redis, client) as limiters:
        redis.stop()
        try:
            counts = [await limiter.hit(READS, client) for limiter in limiters for _ in range(70)]
        finally:
            redis.start()
        assert sum(not count.is_over for count in counts) <= READS.limit - 2

        await until_counted(redis, limiters, client, 2 * 70)
        count = await limiters[0].hit(READS, client, by=0)
        assert count.is_over
        assert count.seconds_left < READS.seconds


async def test_a_share_is_one_request_at_least(client: str) -> None:
    """With more processes than the limit has, none of them refuses everything."""
    store = MemoryStore(monotonic)
    store.processes = 16
    counts = [store.hit(LEADS, client) for _ in range(2)]
    assert [count.is_over for count in counts] == [False, True]
    store.settle(Count(LEADS, LEADS.limit, 60.0), client, by=2)
    assert store.hit(LEADS, client).is_over


@pytest.mark.parametrize("by", [1, 0])
def test_a_connection_that_dies_as_it_is_used_fails_no_request(
    redis: Redis, client: str, by: int
) -> None:
    """The case of a Redis that is just being killed: uvloop raises an error of its own.

    On Python 3.11 the request is counted in memory, to the last shared count; on newer versions
    redis-py reconnects.
    """

    async def count_on_a_dead_connection() -> int:
        async with Limiter(monotonic, redis.url) as limiter:
            await limiter.hit(READS, client)
            assert isinstance(limiter._redis, RedisStore)
            assert isinstance(limiter._redis._redis, Client)
            pool = limiter._redis._redis.connection_pool
            connection = await pool.get_connection()  # type: ignore[no-untyped-call]
            await pool.release(connection)
            connection._writer.transport.abort()
            count = await limiter.hit(READS, client, by)
            return count.used

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(count_on_a_dead_connection()) == 1 + by


async def test_a_slow_redis_is_not_waited_for(redis: Redis, client: str) -> None:
    """One count waits for its budget, all others are in memory; no task is left over."""
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
    assert [count.used for count in counts] == list(range(1, 21))
    assert asyncio.all_tasks() == before


async def test_a_late_answer_is_a_warning_and_several_in_a_row_are_an_error(
    redis: Redis, client: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Each is logged once, and so is the first answer after them; calls at one time are one."""
    now = 0.0
    caplog.set_level(logging.INFO)
    with SlowLink(urlsplit(redis.url).port or 0) as link:
        slow_url = f"redis://127.0.0.1:{link.port}/0"
        async with Limiter(lambda: now, slow_url, budget_seconds=0.05) as limiter:
            link.delay_seconds = 0.5
            await asyncio.gather(*(limiter.hit(READS, client) for _ in range(SEVERAL + 1)))
            assert [record.levelname for record in caplog.records] == ["WARNING"]
            for _ in range(SEVERAL + 1):
                now += RETRY_SECONDS
                await limiter.hit(READS, client)
            assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR"]
            link.delay_seconds = 0.0
            while len(caplog.records) == 2:
                now += RETRY_SECONDS
                await limiter.hit(READS, client)
    assert caplog.messages[2:] == ["Redis available again; rate limits are shared"]


async def test_a_late_count_is_still_counted(start: Start, redis: Redis, client: str) -> None:
    """Its command was sent, and is not cancelled."""
    with SlowLink(urlsplit(redis.url).port or 0) as link:
        slow_url = f"redis://127.0.0.1:{link.port}/0"
        async with Limiter(monotonic, slow_url, budget_seconds=0.05) as limiter:
            link.delay_seconds = 0.2
            await limiter.hit(READS, client)
            await until(lambda: len(limiter._tasks) == 1)  # the registration goes on
    assert (await start().hit(READS, client, by=0)).used == 1


async def test_a_limiter_ends_while_it_registers(redis: Redis) -> None:
    """In any step of that, also where the client of Redis swallows the cancellation."""
    before = asyncio.all_tasks()
    async with asyncio.timeout(REGISTER_SECONDS - 1):
        for steps in range(40):
            async with Limiter(monotonic, redis.url):
                for _ in range(steps):
                    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
