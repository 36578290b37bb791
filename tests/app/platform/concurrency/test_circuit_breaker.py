"""The circuit breaker opens at a failure and admits one trial call per interval."""

from __future__ import annotations

from app.platform.concurrency.guards import CircuitBreaker


class Ticks:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.now


def test_while_it_is_closed_everything_is_admitted() -> None:
    """A success changes nothing."""
    breaker = CircuitBreaker(Ticks(), retry_seconds=1.0)
    assert [breaker.admits() for _ in range(5)] == [True] * 5
    assert breaker.succeed() is False
    assert not breaker.is_open


def test_while_it_is_open_one_trial_at_a_time_is_admitted() -> None:
    """This holds for any number of callers, even if a trial never reports its result."""
    ticks = Ticks()
    breaker = CircuitBreaker(ticks, retry_seconds=1.0)
    breaker.fail()
    assert not breaker.admits()
    for _ in range(3):
        ticks.now += 1.0
        assert breaker.is_ready
        assert [breaker.admits() for _ in range(10)] == [True] + [False] * 9


def test_it_reports_once_that_it_opens_and_once_that_it_closes() -> None:
    """Each change is therefore logged once."""
    breaker = CircuitBreaker(Ticks(), retry_seconds=1.0)
    assert [breaker.fail() for _ in range(3)] == [True, False, False]
    assert breaker.is_open
    assert [breaker.succeed() for _ in range(3)] == [True, False, False]
    assert breaker.admits()


def test_a_failed_trial_restarts_the_interval() -> None:
    """It is counted from the failure, as the trial may have taken long."""
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
