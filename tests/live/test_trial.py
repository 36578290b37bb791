"""The short trial of three machines behind nginx and HAProxy; `soak.machines` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest
from soak.machines import made, misled
from stores.postgresql import PostgreSQL
from stores.redis import Redis

pytestmark = [pytest.mark.slow, pytest.mark.load, pytest.mark.timeout(600)]

PAUSE_SECONDS = 10
"""Longer than a lease, and the time to prepare two commits after it."""


def test_nobody_is_misled_by_a_machine_that_was_paused(
    tmp_path: Path, postgresql: PostgreSQL, redis: Redis
) -> None:
    """No older text after a newer one, no false 404, and each lead sent and stored once."""
    with made(tmp_path, postgresql, redis) as trial:
        with trial.at_work():
            trial.pause(0, PAUSE_SECONDS)
        results = trial.results()
    assert misled(results) == []
    assert min(front.number for front in trial.fronts) > 100
    assert min(len(front.acknowledged) for front in trial.fronts) > 10
