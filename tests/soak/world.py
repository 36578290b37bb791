"""The environment of a run: the service, its stores, content and webhook receiver."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from threading import Event

from live.fixtures import SAMPLE
from live.processes import children
from live.server import START, Server, eventually, free_port, majlis
from soak.caller import Caller
from soak.hook import Hook
from soak.ledger import Ledger
from soak.log import Log
from soak.stamps import group, page
from soak.tree import Tree
from storefront.pricing import Item, priced
from storefront.shop import SECRET
from stores.postgresql import PostgreSQL
from stores.redis import Redis

WORKERS = 2
EDITED = ("alpha", "beta", "gamma")
TOKENS = tuple(f"token-of-partner-{number}" for number in range(40))
"""Many, because each may send 120 requests a minute."""
ORDERS = 300


@dataclass(frozen=True, slots=True)
class World:
    """Everything that actors and faults use."""

    server: Server
    tree: Tree
    postgresql: PostgreSQL
    redis: Redis
    hook: Hook
    ledger: Ledger
    log: Log
    folder: Path
    variables: dict[str, str]
    seed: int
    patient: bool
    """Whether a push without a response is repeated: if its worker died, it is delivered only after
    its lease has expired."""
    over: Event = field(default_factory=Event)
    _callers: list[Caller] = field(default_factory=list)

    def caller(self, port: int | None = None) -> Caller:
        """Return a new client, which `all_leave` disconnects."""
        self._callers.append(Caller(port or self.server.port, self.ledger))
        return self._callers[-1]

    def all_leave(self) -> None:
        """Close the connection of every client."""
        for each in self._callers:
            each.close()

    def chance(self, name: str) -> random.Random:
        """Return the random generator of one actor, the same for the same seed."""
        return random.Random(f"{self.seed} {name}")

    @property
    def workers(self) -> list[int]:
        """Return the running workers, ready or not."""
        return children(self.server.process.pid)

    @property
    def ready_workers(self) -> list[int]:
        """Return the running workers that are ready or stopping."""
        opened = self.log.opened
        return [pid for pid in self.workers if pid in opened]

    @property
    def is_complete(self) -> bool:
        """Return whether the configured number of workers runs, all of them ready."""
        return len(self.ready_workers) == WORKERS == len(self.workers)


@contextmanager
def made(
    folder: Path, postgresql: PostgreSQL, redis: Redis, seed: int, *, patient: bool
) -> Iterator[World]:
    """Start the service and the receiver; the stores are already running."""
    ledger = Ledger()
    tree = Tree(SAMPLE, folder)
    for name in EDITED:
        tree.write(page(name, 0))
    tree.publish(group(0))
    with ExitStack() as running:
        hook = running.enter_context(Hook(ledger, random.Random(seed)))
        variables = {
            "DATABASE_URL": postgresql.new_database(),
            "REDIS_URL": redis.url,
            "METRICS_PORT": str(free_port()),
            "ERP_PULL_API_TOKEN": ",".join(TOKENS),
            "ERP_WEBHOOK_URL": hook.url,
            "ERP_WEBHOOK_SECRET": SECRET,
        }
        _fill(folder, variables)
        server = Server(tree.folder, folder, "--workers", str(WORKERS), **variables)
        running.enter_context(server)
        log = Log(server.log)
        world = World(
            *(server, tree, postgresql, redis, hook, ledger, log, folder, variables, seed, patient)
        )
        eventually(lambda: world.is_complete, within=START)
        yield world


def _fill(folder: Path, variables: dict[str, str]) -> None:
    """Upgrade the schema, and import orders to push."""
    item = Item("A", Decimal("3.75"), Decimal(2), Decimal(5))
    orders = folder / "orders.jsonl"
    numbers = (f"SOAK-{number}" for number in range(1, ORDERS + 1))
    lines = (json.dumps(priced([item], "AED", number=number)) for number in numbers)
    orders.write_text("\n".join(lines), encoding="utf-8")
    for command in (("db", "upgrade"), ("orders", "import", str(orders))):
        done = majlis(*command, folder=folder, variables=variables)
        if done.returncode:
            raise RuntimeError(f"majlis {' '.join(command)}: {done.stderr}")
