"""The short soak test: every kind of load and every fault once."""

from __future__ import annotations

from pathlib import Path

import pytest
from soak.run import once
from soak.world import made
from stores.postgresql import PostgreSQL
from stores.redis import Redis

pytestmark = [pytest.mark.slow, pytest.mark.load, pytest.mark.timeout(900)]


def test_nothing_is_lost_mixed_up_or_dropped(
    tmp_path: Path, postgresql: PostgreSQL, redis: Redis
) -> None:
    """Concurrent readers, senders, partners and editors, while each component fails in turn."""
    with made(tmp_path, postgresql, redis, seed=7, patient=False) as world:
        outcome = once(world)
    assert not outcome.wrong, "\n".join(map(str, outcome.wrong))
    ledger = world.ledger
    assert {kind for kind, _ in ledger.answers} >= {"html", "markdown", "json", "feed", "sitemap"}
    assert min(len(ledger.leads), len(ledger.pushes), len(ledger.edit_seconds)) > 0
