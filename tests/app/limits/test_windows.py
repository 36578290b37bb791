"""Counting in memory: exact, bounded, and by a clock that only goes forward."""

from __future__ import annotations

import pytest

from app.limits.bucket import HEALTH, LEADS, READS, Bucket, bucket_of
from app.limits.memory_store import MAX_CLIENTS, MemoryStore

SMALL = Bucket("small", limit=3, seconds=10)


class FakeTicks:
    """Seconds that the test lets pass."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        """The seconds so far."""
        return self.now


@pytest.fixture
def ticks() -> FakeTicks:
    """Time for `windows`."""
    return FakeTicks()


@pytest.fixture
def windows(ticks: FakeTicks) -> MemoryStore:
    """Nobody has asked yet."""
    return MemoryStore(ticks)


def test_the_limit_is_allowed_and_one_more_is_not(windows: MemoryStore) -> None:
    """Exactly."""
    counts = [windows.hit(SMALL, "a") for _ in range(5)]
    assert [each.is_over for each in counts] == [False, False, False, True, True]
    assert [each.remaining for each in counts] == [2, 1, 0, 0, 0]
    assert {each.reset for each in counts} == {10}


def test_the_window_begins_with_its_first_request(windows: MemoryStore, ticks: FakeTicks) -> None:
    """And ends so many seconds later, however often one asks in between."""
    windows.hit(SMALL, "a")
    ticks.now += 9.5
    assert [windows.hit(SMALL, "a").reset for _ in range(4)] == [1] * 4
    ticks.now += 0.5
    again = windows.hit(SMALL, "a")
    assert (again.used, again.reset) == (1, 10)


def test_clients_and_buckets_are_apart(windows: MemoryStore) -> None:
    """One client's haste costs another nothing."""
    for _ in range(5):
        windows.hit(SMALL, "a")
    assert windows.hit(SMALL, "b").used == 1
    assert windows.hit(READS, "a").used == 1


def test_a_window_never_gives_more_than_its_length_when_time_jumps(
    windows: MemoryStore, ticks: FakeTicks
) -> None:
    """A machine that slept comes back to windows that are over."""
    windows.hit(SMALL, "a")
    ticks.now += 1_000_000
    assert windows.hit(SMALL, "a").reset == 10


def test_what_has_ended_is_forgotten(windows: MemoryStore, ticks: FakeTicks) -> None:
    """Without a timer or a thread: by the next who asks."""
    for number in range(1_000):
        windows.hit(SMALL, str(number))
    assert len(windows) == 1_000
    ticks.now += 10
    windows.hit(SMALL, "new")
    assert len(windows) == 1


def test_a_client_that_comes_again_does_not_keep_the_others(
    windows: MemoryStore, ticks: FakeTicks
) -> None:
    """The order of ends stays the order of entries."""
    windows.hit(SMALL, "a")
    ticks.now += 5
    windows.hit(SMALL, "b")
    ticks.now += 5
    windows.hit(SMALL, "a")
    ticks.now += 5
    windows.hit(SMALL, "c")
    assert len(windows) == 2


def test_a_million_addresses_take_bounded_memory(windows: MemoryStore) -> None:
    """The windows that end first go first; the newest are still counted."""
    for number in range(1_000_000):
        windows.hit(SMALL, f"2001:db8:{number >> 16:x}:{number & 65_535:x}::/64")
    assert len(windows) == MAX_CLIENTS
    assert windows.hit(SMALL, f"2001:db8:{999_999 >> 16:x}:{999_999 & 65_535:x}::/64").used == 2


@pytest.mark.parametrize(
    ("method", "path", "bucket"),
    [
        pytest.param("GET", "/api/public/v1/pages", READS, id="stable path"),
        pytest.param("HEAD", "/api/public/v1/pages", READS, id="HEAD"),
        pytest.param("GET", "/api/homepage", READS, id="alias"),
        pytest.param("GET", "/api/no-such", READS, id="unknown path"),
        pytest.param("GET", "/api/", READS, id="the root of the API"),
        pytest.param("DELETE", "/api/public/v1/pages", READS, id="another method"),
        pytest.param("GET", "/api/public/v1/leads", READS, id="leads cannot be read"),
        pytest.param("POST", "/api/public/v1/pages", READS, id="pages cannot be sent"),
        pytest.param("GET", "/api/public/v1/health", HEALTH, id="health"),
        pytest.param("GET", "/api/health", HEALTH, id="health's alias"),
        pytest.param("POST", "/api/public/v1/leads", LEADS, id="leads"),
        pytest.param("POST", "/api/leads", LEADS, id="leads' alias"),
        pytest.param("POST", "/sa/ar/contact", LEADS, id="the contact form"),
        pytest.param("OPTIONS", "/api/leads", None, id="preflight"),
        pytest.param("OPTIONS", "/api/public/v1/pages", None, id="preflight of a read"),
        pytest.param("GET", "/sa/ar/contact", None, id="a page"),
        pytest.param("GET", "/sa/ar/erp.json", None, id="a twin"),
        pytest.param("GET", "/api", None, id="a page named api"),
        pytest.param("GET", "/llms.txt", None, id="a map"),
    ],
)
def test_where_a_request_counts(method: str, path: str, bucket: Bucket | None) -> None:
    """One bucket for all reads, one for leads, one for health, none for pages."""
    assert bucket_of(method, path) is bucket


def test_the_limits_are_those_of_the_contract() -> None:
    """120 reads in a minute, 12 leads in ten."""
    assert [(each.limit, each.seconds) for each in (READS, HEALTH, LEADS)] == [
        (120, 60),
        (120, 60),
        (12, 600),
    ]
