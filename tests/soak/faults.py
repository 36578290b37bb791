"""Injected faults; each waits until the service has recovered."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from live.processes import is_alive
from live.server import START, eventually
from soak.caller import ALL_WORKERS, POSTGRESQL, REDIS, WORKER
from soak.world import WORKERS, World

Fault = Callable[[World], None]
_RESPONSES, _MANY_RESPONSES = 150, 1_500
"""Responses to wait for: while something is down, and until the next fault."""


def _recovers(world: World) -> None:
    """Wait until every kind of client is served again; in a patient run for longer."""
    more = _MANY_RESPONSES if world.patient else _RESPONSES
    total, leads = world.ledger.total, len(world.ledger.leads)
    eventually(lambda: world.ledger.total >= total + more, within=START)
    eventually(lambda: len(world.ledger.leads) >= leads + 5)


def _serves_content(world: World) -> None:
    """Wait until content is served."""
    total = world.ledger.total
    eventually(lambda: world.ledger.total >= total + _RESPONSES)


def redis_dies(world: World) -> None:
    """Kill Redis while requests are counted, and restart it empty."""
    with world.ledger.away(REDIS):
        world.redis.stop()
        _serves_content(world)
        world.redis.start()
    _recovers(world)


def _without_postgresql(world: World, stop: Callable[[], None]) -> None:
    with world.ledger.away(POSTGRESQL):
        refused = _refused(world)
        stop()
        try:
            eventually(lambda: _refused(world) >= refused + 5)
            _serves_content(world)
        finally:
            world.postgresql.start()
    _recovers(world)


def _refused(world: World) -> int:
    return world.ledger.count("lead", 503) + world.ledger.count("form", 503)


def postgresql_stops(world: World) -> None:
    """Stop PostgreSQL as an operator does."""
    _without_postgresql(world, world.postgresql.stop)


def postgresql_crashes(world: World) -> None:
    """Kill PostgreSQL in the middle of leads and pushes."""
    _without_postgresql(world, world.postgresql.crash)


def connections_are_cut(world: World) -> None:
    """Cut every connection to PostgreSQL; new ones are accepted."""
    with world.ledger.away(POSTGRESQL):
        world.postgresql.disconnect_clients()
    _recovers(world)


def both_stores_die(world: World) -> None:
    """Stop Redis and PostgreSQL at the same time."""
    with world.ledger.away(REDIS):
        world.redis.stop()
        _without_postgresql(world, world.postgresql.crash)
        world.redis.start()
    _recovers(world)


def _wait_for_all_workers(world: World, gone: Sequence[int]) -> None:
    """Wait until all workers are ready, and the old ones are gone."""
    eventually(lambda: not any(is_alive(pid) for pid in gone), within=START)
    eventually(lambda: world.is_complete, within=START)


def restart(
    world: World,
    *,
    while_replacing: Callable[[], None] = lambda: None,
    times: int = 1,
    recovery: Callable[[World], None] = _recovers,
) -> None:
    """Send SIGHUP: the supervisor replaces all workers."""
    before, restarts = world.ready_workers, world.log.restarts
    world.ledger.faults["SIGHUP"] += times
    world.server.process.send_signal(signal.SIGHUP)
    while_replacing()
    eventually(lambda: world.log.restarts >= restarts + times, within=START * times)
    _wait_for_all_workers(world, before)
    recovery(world)


def restart_twice(world: World) -> None:
    """Send a second SIGHUP while the first restart is in progress."""

    def again() -> None:
        _has_begun(world)
        world.server.process.send_signal(signal.SIGHUP)

    restart(world, while_replacing=again, times=2)


def restart_with_a_death(world: World) -> None:
    """Kill a worker before the restart replaces it."""
    victim = world.ready_workers[-1]

    def kill() -> None:
        _has_begun(world)
        _kill(world, victim)

    restart(world, while_replacing=kill)


def _has_begun(world: World) -> None:
    eventually(lambda: len(world.workers) > WORKERS)


def worker_dies(world: World) -> None:
    """Send SIGKILL to one worker: only the requests in progress on it are lost."""
    victim = world.ready_workers[0]
    _kill(world, victim)
    _wait_for_all_workers(world, [victim])
    _recovers(world)


def all_workers_die(world: World) -> None:
    """Send SIGKILL to all workers: new connections wait, none is refused."""
    victims = world.ready_workers
    with world.ledger.away(ALL_WORKERS):
        for victim in victims:
            _kill(world, victim)
        _wait_for_all_workers(world, victims)
    _recovers(world)


def restart_without_postgresql(world: World) -> None:
    """Restart while PostgreSQL is down: workers serve content, and reconnect later."""

    def restarted() -> None:
        world.postgresql.crash()
        restart(world, recovery=_serves_content)

    _without_postgresql(world, restarted)


def worker_is_stopped(world: World) -> None:
    """Send SIGTERM to one worker: it drops no request, and is replaced."""
    victim = world.ready_workers[0]
    world.ledger.faults["SIGTERM to a worker"] += 1
    os.kill(victim, signal.SIGTERM)
    _wait_for_all_workers(world, [victim])
    _recovers(world)


def worker_freezes(world: World) -> None:
    """Send SIGSTOP: the worker hangs for a while; its clients wait."""
    victim = world.ready_workers[0]
    world.ledger.faults["SIGSTOP"] += 1
    with ExitStack() as then:
        then.callback(os.kill, victim, signal.SIGCONT)
        os.kill(victim, signal.SIGSTOP)
        total = world.ledger.count("monitoring")
        eventually(lambda: world.ledger.count("monitoring") > total + 2)
    _recovers(world)


def _kill(world: World, pid: int) -> None:
    with world.ledger.away(WORKER):
        os.kill(pid, signal.SIGKILL)
        # The kernel closes its sockets when its last thread has ended; only then can it be reaped.
        eventually(lambda: pid not in world.workers)


OF_STORES: Sequence[Fault] = (
    redis_dies,
    postgresql_crashes,
    connections_are_cut,
    postgresql_stops,
    both_stores_die,
)
EVERY: Sequence[Fault] = (
    *(redis_dies, restart, postgresql_crashes, worker_dies, connections_are_cut),
    *(restart_with_a_death, postgresql_stops, worker_is_stopped, both_stores_die),
    *(restart_twice, worker_freezes, all_workers_die, restart_without_postgresql),
)
SHORT: Sequence[Fault] = (
    *(redis_dies, restart_with_a_death, connections_are_cut, postgresql_crashes),
    *(worker_freezes, both_stores_die, worker_is_stopped),
)
"""Every kind of fault, with as few worker starts as possible."""
