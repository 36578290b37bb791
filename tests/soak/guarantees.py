"""Guarantees checked after the load: nothing acknowledged is lost, nothing has grown."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from functools import partial

from live.processes import open_files
from live.server import eventually
from live.test_durability import exported
from soak.vitals import Vitals
from soak.world import WORKERS, World

from app.platform.database.database import Database
from app.platform.deliveries.delivery import Delivery, DeliveryStatus
from app.platform.deliveries.outbox import LEASE, Outbox
from app.tables import all_tables

_DELIVERED_SECONDS = LEASE.total_seconds() + 60
"""A delivery whose worker died waits until its lease expires, and for the next poll."""

IDLE_FILES = 100
"""Open files of a worker without clients: its own, and connection pools of both stores."""

_ALL = 1_000_000


def check(world: World, vitals: Vitals) -> Iterator[str]:
    """Yield all violations of a run."""
    yield from _deliveries(world)
    yield from _leads(world)
    yield from (growth for life in vitals.long_lives for growth in life.growths)
    yield from _idle_workers(world)
    yield from _stop(world)
    yield from world.ledger.violations


def _leads(world: World) -> Iterator[str]:
    """Check that each acknowledged lead is stored once, under the id in its response."""
    stored = exported(world.folder, world.variables)
    ids = {each["email"]: each["id"] for each in stored}
    for email, number in Counter(each["email"] for each in stored).items():
        if number > 1:
            yield f"The lead of {email} is stored {number} times."
        if email not in world.ledger.sent_leads:
            yield f"No actor sent the lead of {email}."
    for email, ids_in_responses in world.ledger.leads.items():
        if email not in ids:
            yield f"The lead of {email} was acknowledged, but is lost."
        elif ids_in_responses - {ids[email]}:
            yield f"The lead of {email} is {ids[email]}; the responses had {ids_in_responses}."


def _deliveries(world: World) -> Iterator[str]:
    """Check that the receiver got each acknowledged push, and that it is in the outbox."""
    pushes, accepted = world.ledger.pushes, world.hook.accepted
    try:
        eventually(lambda: pushes.keys() <= accepted.keys(), within=_DELIVERED_SECONDS)
    except AssertionError:
        for lost in pushes.keys() - accepted.keys():
            yield f"The delivery {lost} was acknowledged, but did not arrive."
    outbox = {each.id: each for each in asyncio.run(_outbox(world))}
    for delivery_id in accepted.keys() - outbox.keys():
        yield f"The delivery {delivery_id} arrived, but is not in the outbox."
    for delivery_id, order in pushes.items():
        if outbox[delivery_id].subject_id != str(order):
            yield f"The delivery {delivery_id} belongs to another order."
    for each in outbox.values():
        if each.status is DeliveryStatus.FAILED:
            yield f"The delivery {each.id} failed: {each.error}"


async def _outbox(world: World) -> list[Delivery]:
    async with Database(world.variables["DATABASE_URL"], tables=all_tables) as database:
        return await Outbox(database).newest(_ALL)


def _idle_workers(world: World) -> Iterator[str]:
    """Check that all workers run, and have no files of former clients open."""
    if len(world.workers) != WORKERS:
        yield f"There are {len(world.workers)} workers."
    for pid in world.workers:
        try:
            eventually(partial(_is_idle, pid))
        except AssertionError:
            yield f"Worker {pid} is idle with {open_files(pid)} open files."


def _is_idle(pid: int) -> bool:
    return open_files(pid) <= IDLE_FILES


def _stop(world: World) -> Iterator[str]:
    """Check that the service exits with 0 at SIGTERM, and that its log has no problem."""
    world.server.stop()
    code = world.server.process.wait(60)
    if code:
        yield f"The service exited with {code}."
    yield from world.log.troubles
