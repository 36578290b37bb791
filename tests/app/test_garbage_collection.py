"""The garbage collector is enabled again after every pause."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from app import garbage_collection


@pytest.fixture(autouse=True)
def _unfrozen() -> Iterator[None]:
    """Unfreeze everything and enable the collector for the following tests."""
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_is_disabled_during_a_pause_and_enabled_after_it() -> None:
    """This also holds if the code in the pause raises."""

    def fail() -> None:
        with garbage_collection.gc_paused():
            raise ZeroDivisionError

    with garbage_collection.gc_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        fail()
    assert gc.isenabled()


def test_it_stays_disabled_until_the_last_of_nested_pauses_ends() -> None:
    """Commands nest pauses."""
    with garbage_collection.gc_paused():
        with garbage_collection.gc_frozen():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_pauses_in_several_threads_end_together() -> None:
    """The collector is global to the process; the last thread enables it."""
    count = 4
    inside, over = Barrier(count), Barrier(count)

    def pause() -> bool:
        with garbage_collection.gc_paused():
            inside.wait(60)
            during = gc.isenabled()
            over.wait(60)
        return during

    with ThreadPoolExecutor(count) as threads:
        during = [future.result(60) for future in [threads.submit(pause) for _ in range(count)]]
    assert during == [False] * count
    assert gc.isenabled()


def test_long_lived_objects_are_frozen_and_the_collector_continues() -> None:
    """Frozen objects are skipped, and new garbage is still collected."""
    gc.unfreeze()
    with garbage_collection.gc_frozen():
        objects = [object() for _ in range(10)]
    assert gc.isenabled()
    assert gc.get_freeze_count() > len(objects)
