"""Faults: what is broken on purpose; each waits for what shows that the service lives with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from live.processes import is_alive
from live.server import START, eventually
from soak.caller import CREW, POSTGRESQL, REDIS, WORKER
from soak.world import WORKERS, World

Fault = Callable[[World], None]
_MORE, _MUCH_MORE = 150, 1_500
"""Answers that show that life goes on: while something is away, and until the next fault."""


def _goes_on(world: World) -> None:
    """Everybody is served as if nothing were; those who have the time see it for a while."""
    more = _MUCH_MORE if world.patient else _MORE
    total, leads = world.ledger.total, len(world.ledger.leads)
    eventually(lambda: world.ledger.total >= total + more, within=START)
    eventually(lambda: len(world.ledger.leads) >= leads + 5)


def _goes_on_without(world: World) -> None:
    """Content is served."""
    total = world.ledger.total
    eventually(lambda: world.ledger.total >= total + _MORE)


def redis_dies(world: World) -> None:
    """Redis is killed while everybody is counted, and comes back with nothing."""
    with world.ledger.away(REDIS):
        world.redis.stop()
        _goes_on_without(world)
        world.redis.start()
    _goes_on(world)


def _without_postgresql(world: World, stop: Callable[[], None]) -> None:
    with world.ledger.away(POSTGRESQL):
        refused = _refused(world)
        stop()
        try:
            eventually(lambda: _refused(world) >= refused + 5)
            _goes_on_without(world)
        finally:
            world.postgresql.start()
    _goes_on(world)


def _refused(world: World) -> int:
    return world.ledger.count("lead", 503) + world.ledger.count("form", 503)


def postgresql_stops(world: World) -> None:
    """PostgreSQL is stopped as an operator does it."""
    _without_postgresql(world, world.postgresql.stop)


def postgresql_crashes(world: World) -> None:
    """PostgreSQL ends in the middle of leads and pushes."""
    _without_postgresql(world, world.postgresql.crash)


def connections_are_cut(world: World) -> None:
    """Every connection to PostgreSQL is cut, and new ones are let in."""
    with world.ledger.away(POSTGRESQL):
        world.postgresql.disconnect_clients()
    _goes_on(world)


def both_stores_die(world: World) -> None:
    """Redis and PostgreSQL are away at once."""
    with world.ledger.away(REDIS):
        world.redis.stop()
        _without_postgresql(world, world.postgresql.crash)
        world.redis.start()
    _goes_on(world)


def _whole_crew(world: World, gone: Sequence[int]) -> None:
    """Everybody open that should be, and none of the old."""
    eventually(lambda: not any(is_alive(pid) for pid in gone), within=START)
    eventually(lambda: world.is_complete, within=START)


def restart(
    world: World,
    *,
    while_replacing: Callable[[], None] = lambda: None,
    times: int = 1,
    going_on: Callable[[World], None] = _goes_on,
) -> None:
    """SIGHUP: all workers are replaced, one by one."""
    before, restarts = world.crew, world.log.restarts
    world.ledger.faults["SIGHUP"] += times
    world.server.process.send_signal(signal.SIGHUP)
    while_replacing()
    eventually(lambda: world.log.restarts >= restarts + times, within=START * times)
    _whole_crew(world, before)
    going_on(world)


def restart_twice(world: World) -> None:
    """A second SIGHUP while the first is being worked on."""

    def again() -> None:
        _has_begun(world)
        world.server.process.send_signal(signal.SIGHUP)

    restart(world, while_replacing=again, times=2)


def restart_with_a_death(world: World) -> None:
    """A worker that is to be replaced is killed before its turn."""
    victim = world.crew[-1]

    def kill() -> None:
        _has_begun(world)
        _kill(world, victim)

    restart(world, while_replacing=kill)


def _has_begun(world: World) -> None:
    eventually(lambda: len(world.workers) > WORKERS)


def worker_dies(world: World) -> None:
    """SIGKILL: what the worker was answering is lost, and nothing else."""
    victim = world.crew[0]
    _kill(world, victim)
    _whole_crew(world, [victim])
    _goes_on(world)


def all_workers_die(world: World) -> None:
    """SIGKILL to all: nobody is turned away, whoever comes meanwhile waits."""
    crew = world.crew
    with world.ledger.away(CREW):
        for victim in crew:
            _kill(world, victim)
        _whole_crew(world, crew)
    _goes_on(world)


def restart_without_postgresql(world: World) -> None:
    """Workers that start while PostgreSQL is away serve content, and find it when it is back."""

    def restarted() -> None:
        world.postgresql.crash()
        restart(world, going_on=_goes_on_without)

    _without_postgresql(world, restarted)


def worker_is_stopped(world: World) -> None:
    """SIGTERM to one worker: it drops nothing, and is replaced."""
    victim = world.crew[0]
    world.ledger.faults["SIGTERM to a worker"] += 1
    os.kill(victim, signal.SIGTERM)
    _whole_crew(world, [victim])
    _goes_on(world)


def worker_freezes(world: World) -> None:
    """SIGSTOP: a machine that hangs for a while; who asked that worker waits."""
    victim = world.crew[0]
    world.ledger.faults["SIGSTOP"] += 1
    with ExitStack() as then:
        then.callback(os.kill, victim, signal.SIGCONT)
        os.kill(victim, signal.SIGSTOP)
        total = world.ledger.count("monitoring")
        eventually(lambda: world.ledger.count("monitoring") > total + 2)
    _goes_on(world)


def _kill(world: World, pid: int) -> None:
    with world.ledger.away(WORKER):
        os.kill(pid, signal.SIGKILL)
        # Its sockets are closed when its last thread has ended; only then can it be reaped.
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
"""Every kind of fault, with as few starts of workers as that takes."""
