"""Redis with a Sentinel, and a cluster of Valkey: counts are shared, and follow the primary."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from typing import Any

import pytest
from live.server import DEADLINE, eventually
from live.tools import program
from redis import Redis as Client
from stores.redis import Redis, ValkeyNode

from app.operations.doctor.gathering import redis_facts
from app.platform.limits.rate_limits import READS, NotCounted
from app.platform.limits.redis_store import RedisStore

pytestmark = pytest.mark.slow

CLIENT = "198.51.100.7"
SENTINEL = """
sentinel monitor limits 127.0.0.1 {port} 1
sentinel down-after-milliseconds limits 200
sentinel failover-timeout limits 1000
"""
SLOTS = 16_384


def ask(server: Redis, *command: object) -> Any:
    """Return the answer of one server to a command."""
    with closing(Client.from_url(server.url, decode_responses=True)) as client:
        return client.execute_command(*map(str, command))  # type: ignore[no-untyped-call]


@pytest.fixture
def sentinel() -> Iterator[tuple[Redis, Redis]]:
    """Redis of Debian: a primary with a replica, and the Sentinel of both."""
    server = program("redis-server")
    with ExitStack() as running:
        primary = running.enter_context(Redis(server))
        replica = f'save ""\nreplicaof 127.0.0.1 {primary.port}'
        running.enter_context(Redis(server, replica))
        eventually(lambda: ask(primary, "INFO", "replication")["connected_slaves"])
        watching = Redis(program("redis-sentinel"), SENTINEL.format(port=primary.port))
        running.enter_context(watching)
        eventually(lambda: ask(watching, "SENTINEL", "REPLICAS", "limits"))
        yield primary, watching


async def test_counts_are_in_the_primary_that_the_sentinel_names(
    sentinel: tuple[Redis, Redis],
) -> None:
    """If it fails, in the next one, by the same address; a Sentinel may be down."""
    primary, watching = sentinel
    url = f"redis+sentinel://127.0.0.1:1,127.0.0.1:{watching.port}/limits/0"
    one, two = RedisStore(url), RedisStore(url)
    assert (await one.hit(READS, CLIENT, 1, 60)).total.used == 1
    assert (await two.hit(READS, CLIENT, 1, 60)).total.used == 2
    assert (await redis_facts(url)).problem is None
    primary.stop()

    async def counted() -> int:
        with suppress(NotCounted):
            return (await one.hit(READS, CLIENT, 1, 60)).total.used
        return 0

    async with asyncio.timeout(DEADLINE):
        while not (used := await counted()):
            pass
    assert (await two.hit(READS, CLIENT, 1, 60)).total.used == used + 1
    for store in (one, two):
        await store.close(is_available=True)


@pytest.fixture
def cluster() -> Iterator[list[Redis]]:
    """Two nodes of Valkey, each with half of the slots."""
    with ValkeyNode() as one, ValkeyNode() as two:
        ask(one, "CLUSTER", "ADDSLOTSRANGE", 0, SLOTS // 2 - 1)
        ask(two, "CLUSTER", "ADDSLOTSRANGE", SLOTS // 2, SLOTS - 1)
        ask(one, "CLUSTER", "MEET", "127.0.0.1", two.port, two.bus_port)
        eventually(
            lambda: all("cluster_state:ok" in ask(each, "CLUSTER", "INFO") for each in (one, two))
        )
        yield [one, two]


async def test_a_cluster_shares_counts(cluster: list[Redis]) -> None:
    """Any node may be in the address, and the slot of the counts may move."""
    urls = [f"valkey+cluster://127.0.0.1:1,127.0.0.1:{node.port}" for node in cluster]
    one, two = map(RedisStore, urls)
    counts = [await each.hit(READS, CLIENT, 1, 60) for each in (one, two, one)]
    assert [each.total.used for each in counts] == [1, 2, 3]
    assert (await redis_facts(urls[1])).problem is None
    slot = ask(cluster[0], "CLUSTER", "KEYSLOT", "{majlis}")
    source, target = cluster if slot < SLOTS // 2 else cluster[::-1]
    identity = ask(target, "CLUSTER", "MYID")
    ask(source, "FLUSHALL")
    for node in (target, source):
        ask(node, "CLUSTER", "SETSLOT", slot, "NODE", identity)
    counts = [await each.hit(READS, CLIENT, 1, 60) for each in (one, two)]
    assert [each.total.used for each in counts] == [1, 2]
    assert ask(target, "DBSIZE") == 1
    for store in (one, two):
        await store.close(is_available=True)
