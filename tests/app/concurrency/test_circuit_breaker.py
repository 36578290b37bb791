"""The circuit breaker: a pure rule, with its clock as an argument."""

from __future__ import annotations

from app.concurrency.circuit_breaker import CircuitBreaker


class Ticks:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """The time now."""
        return self.now


def test_while_it_is_closed_everything_is_admitted() -> None:
    """And a success changes nothing."""
    breaker = CircuitBreaker(Ticks(), retry_seconds=1.0)
    assert [breaker.admits() for _ in range(5)] == [True] * 5
    assert breaker.succeed() is False
    assert not breaker.is_open


def test_while_it_is_open_one_trial_at_a_time_is_admitted() -> None:
    """However many ask, and whether or not it could be made."""
    ticks = Ticks()
    breaker = CircuitBreaker(ticks, retry_seconds=1.0)
    breaker.fail()
    assert not breaker.admits()
    for _ in range(3):
        ticks.now += 1.0
        assert breaker.is_ready
        assert [breaker.admits() for _ in range(10)] == [True] + [False] * 9


def test_it_tells_once_that_it_opens_and_once_that_it_closes() -> None:
    """So that each is logged once."""
    breaker = CircuitBreaker(Ticks(), retry_seconds=1.0)
    assert [breaker.fail() for _ in range(3)] == [True, False, False]
    assert breaker.is_open
    assert [breaker.succeed() for _ in range(3)] == [True, False, False]
    assert breaker.admits()


def test_a_trial_that_fails_begins_the_waiting_anew() -> None:
    """Counted from the failure, as it may have taken long."""
    ticks = Ticks()
    breaker = CircuitBreaker(ticks, retry_seconds=1.0)
    breaker.fail()
    ticks.now += 1.0
    assert breaker.admits()
    ticks.now += 0.5
    breaker.fail()
    ticks.now += 0.75
    assert not breaker.is_ready
    ticks.now += 0.25
    assert breaker.is_ready
