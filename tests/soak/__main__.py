"""`make soak`: mixed load with injected faults; guarantees are checked at the end."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from soak.report import show, write
from soak.run import for_seconds, once
from soak.world import made
from stores.postgresql import PostgreSQL
from stores.redis import Redis


def main() -> None:
    """Run, print the report, and exit with 1 if a guarantee was violated."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--minutes", type=float, help="duration; without it, every fault once")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument(
        "--write", action="store_true", help="write the results to docs/records/soak.md"
    )
    chosen = parser.parse_args()
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="majlis-soak-")))
        stores = running.enter_context(PostgreSQL()), running.enter_context(Redis())
        minutes = chosen.minutes
        patient = minutes is not None
        world = running.enter_context(made(folder, *stores, chosen.seed, patient=patient))
        outcome = for_seconds(world, minutes * 60) if minutes else once(world)
        show(world, outcome)
        if chosen.write:
            write(world, outcome)
    sys.exit(1 if outcome.wrong else 0)


if __name__ == "__main__":
    main()
