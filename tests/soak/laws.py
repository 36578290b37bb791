"""Laws looked at when the load is over: nothing acknowledged is lost, nothing has grown."""

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

from app.database.database import Database
from app.deliveries.delivery import Delivery, DeliveryStatus
from app.deliveries.outbox import LEASE, Outbox

_DELIVERED_SECONDS = LEASE.total_seconds() + 60
"""A delivery whose worker died waits for its lease to end, and for the next look."""

RESTING_FILES = 100
"""A worker without clients: its own files, and pools of connections to the two stores."""

_ALL = 1_000_000


def judge(world: World, vitals: Vitals) -> Iterator[str]:
    """Everything that is wrong after a run."""
    yield from _deliveries(world)
    yield from _leads(world)
    yield from (told for life in vitals.long_lives for told in life.growths)
    yield from _rest(world)
    yield from _stop(world)
    yield from world.ledger.violations


def _leads(world: World) -> Iterator[str]:
    """Each acknowledged lead is there once, by the id that was told; no other is there twice."""
    found = exported(world.folder, world.variables)
    ids = {each["email"]: each["id"] for each in found}
    for email, number in Counter(each["email"] for each in found).items():
        if number > 1:
            yield f"The lead of {email} is there {number} times."
        if email not in world.ledger.sent_leads:
            yield f"Nobody sent the lead of {email}."
    for email, told in world.ledger.leads.items():
        if email not in ids:
            yield f"The lead of {email} was acknowledged and is lost."
        elif told - {ids[email]}:
            yield f"The lead of {email} is {ids[email]}; told was {told}."


def _deliveries(world: World) -> Iterator[str]:
    """Each acknowledged push was taken by the receiver, and the outbox knows of it."""
    pushes, accepted = world.ledger.pushes, world.hook.accepted
    try:
        eventually(lambda: pushes.keys() <= accepted.keys(), within=_DELIVERED_SECONDS)
    except AssertionError:
        for lost in pushes.keys() - accepted.keys():
            yield f"The delivery {lost} was acknowledged and never arrived."
    kept = {each.id: each for each in asyncio.run(_outbox(world))}
    for delivery_id in accepted.keys() - kept.keys():
        yield f"The delivery {delivery_id} arrived, and the outbox does not know it."
    for delivery_id, order in pushes.items():
        if kept[delivery_id].order_id != order:
            yield f"The delivery {delivery_id} is of another order."
    for each in kept.values():
        if each.status is DeliveryStatus.FAILED:
            yield f"The delivery {each.id} was given up: {each.error}"


async def _outbox(world: World) -> list[Delivery]:
    async with Database(world.variables["DATABASE_URL"]) as database:
        return await Outbox(database).newest(_ALL)


def _rest(world: World) -> Iterator[str]:
    """Two workers are left, and nothing of those who have left is open in them."""
    if len(world.workers) != WORKERS:
        yield f"There are {len(world.workers)} workers."
    for pid in world.workers:
        try:
            eventually(partial(_rests, pid))
        except AssertionError:
            yield f"Worker {pid} rests with {open_files(pid)} open files."


def _rests(pid: int) -> bool:
    return open_files(pid) <= RESTING_FILES


def _stop(world: World) -> Iterator[str]:
    """It ends when told to, and well; its log tells of no trouble."""
    world.server.stop()
    code = world.server.process.wait(60)
    if code:
        yield f"The service ended with {code}."
    yield from world.log.troubles
