"""Counting in memory is exact, has bounded memory, and uses a monotonic clock."""

from __future__ import annotations

import pytest
from cases import cases

from app.features.leads.submission import LEADS_BUCKET as LEADS
from app.platform.limits.limiter import MAX_CLIENTS, MemoryStore
from app.platform.limits.rate_limits import HEALTH, READS, Bucket, Count

SMALL = Bucket("small", limit=3, seconds=10)


class FakeTicks:
    """A monotonic clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        """Return the current time in seconds."""
        return self.now


@pytest.fixture
def ticks() -> FakeTicks:
    """Return the clock of `windows`."""
    return FakeTicks()


@pytest.fixture
def windows(ticks: FakeTicks) -> MemoryStore:
    """Return a store without counts."""
    return MemoryStore(ticks)


def test_the_limit_is_allowed_and_one_more_is_not(windows: MemoryStore) -> None:
    """The count is exact."""
    counts = [windows.hit(SMALL, "a") for _ in range(5)]
    assert [count.is_over for count in counts] == [False, False, False, True, True]
    assert [count.remaining for count in counts] == [2, 1, 0, 0, 0]
    assert {count.reset for count in counts} == {10}


def test_the_window_begins_with_its_first_request(windows: MemoryStore, ticks: FakeTicks) -> None:
    """It ends after its length, regardless of requests in between."""
    windows.hit(SMALL, "a")
    ticks.now += 9.5
    assert [windows.hit(SMALL, "a").reset for _ in range(4)] == [1] * 4
    ticks.now += 0.5
    again = windows.hit(SMALL, "a")
    assert (again.used, again.reset) == (1, 10)


def test_clients_and_buckets_are_independent(windows: MemoryStore) -> None:
    """Requests of one client do not count for another."""
    for _ in range(5):
        windows.hit(SMALL, "a")
    assert windows.hit(SMALL, "b").used == 1
    assert windows.hit(READS, "a").used == 1


def test_reset_is_never_longer_than_the_window_when_time_jumps(
    windows: MemoryStore, ticks: FakeTicks
) -> None:
    """After a suspended machine resumes, all windows have ended."""
    windows.hit(SMALL, "a")
    ticks.now += 1_000_000
    assert windows.hit(SMALL, "a").reset == 10


def test_windows_that_ended_are_evicted(windows: MemoryStore, ticks: FakeTicks) -> None:
    """The next request evicts them, without a timer or a thread."""
    for number in range(1_000):
        windows.hit(SMALL, str(number))
    assert len(windows) == 1_000
    ticks.now += 10
    windows.hit(SMALL, "new")
    assert len(windows) == 1


def test_a_returning_client_does_not_delay_the_eviction_of_others(
    windows: MemoryStore, ticks: FakeTicks
) -> None:
    """Entries stay in the order in which their windows end."""
    windows.hit(SMALL, "a")
    ticks.now += 5
    windows.hit(SMALL, "b")
    ticks.now += 5
    windows.hit(SMALL, "a")
    ticks.now += 5
    windows.hit(SMALL, "c")
    assert len(windows) == 2


@pytest.mark.slow
def test_a_million_addresses_take_bounded_memory(windows: MemoryStore) -> None:
    """The oldest windows are evicted first; the newest are still counted."""
    for number in range(1_000_000):
        windows.hit(SMALL, f"2001:db8:{number >> 16:x}:{number & 65_535:x}::/64")
    assert len(windows) == MAX_CLIENTS
    assert windows.hit(SMALL, f"2001:db8:{999_999 >> 16:x}:{999_999 & 65_535:x}::/64").used == 2


@cases(("seconds_left", "reset"), [(60.000000001, 60), (59.1, 60), (59, 59), (0.2, 1), (0, 1)])
def test_the_reset_is_rounded_up_within_the_window(seconds_left: float, reset: int) -> None:
    """Instants are floats: the rest of a new window may be a little more than its length."""
    assert Count(READS, 1, seconds_left).reset == reset


def test_the_limits_are_those_of_the_contract() -> None:
    """120 reads per minute, and 12 leads per ten minutes."""
    assert [(bucket.limit, bucket.seconds) for bucket in (READS, HEALTH, LEADS)] == [
        (120, 60),
        (120, 60),
        (12, 600),
    ]
