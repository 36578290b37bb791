"""The garbage collector: it runs again after every rest."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from app import garbage_collection


@pytest.fixture(autouse=True)
def _unfrozen() -> Iterator[None]:
    """Leave nothing frozen, and the collector on, for the tests that follow."""
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_is_off_during_a_rest_and_on_after_it() -> None:
    """Also where what was made failed half-way."""

    def fail() -> None:
        with garbage_collection.gc_paused():
            raise ZeroDivisionError

    with garbage_collection.gc_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        fail()
    assert gc.isenabled()


def test_it_stays_off_until_the_last_of_several_rests_is_over() -> None:
    """One rest inside another, as a command has them."""
    with garbage_collection.gc_paused():
        with garbage_collection.gc_frozen():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_rests_in_several_threads_end_together() -> None:
    """The collector is one for all threads; the last one switches it on."""
    count = 4
    inside, over = Barrier(count), Barrier(count)

    def rest() -> bool:
        with garbage_collection.gc_paused():
            inside.wait(60)
            during = gc.isenabled()
            over.wait(60)
        return during

    with ThreadPoolExecutor(count) as threads:
        during = [future.result(60) for future in [threads.submit(rest) for _ in range(count)]]
    assert during == [False] * count
    assert gc.isenabled()


def test_what_is_to_stay_is_frozen_and_the_collector_goes_on() -> None:
    """Frozen objects are not visited again; new garbage is still found."""
    gc.unfreeze()
    with garbage_collection.gc_frozen():
        kept = [object() for _ in range(10)]
    assert gc.isenabled()
    assert gc.get_freeze_count() > len(kept)
