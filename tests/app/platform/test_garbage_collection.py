"""The garbage collector is enabled again after every pause."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from weakref import ref

import pytest

from app.platform import memory


@pytest.fixture(autouse=True)
def _unfrozen() -> Iterator[None]:
    """Unfreeze everything and enable the collector for the following tests."""
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_is_disabled_during_a_pause_and_enabled_after_it() -> None:
    """This also holds if the code in the pause raises."""

    def fail() -> None:
        with memory.gc_frozen():
            raise ZeroDivisionError

    with memory.gc_frozen():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        fail()
    assert gc.isenabled()


def test_after_pauses_in_several_threads_the_collector_is_enabled() -> None:
    """The collector is global to the process."""
    count = 4
    inside = Barrier(count)

    def pause() -> None:
        with memory.gc_frozen():
            inside.wait(60)

    with ThreadPoolExecutor(count) as threads:
        for future in [threads.submit(pause) for _ in range(count)]:
            future.result(60)
    assert gc.isenabled()


class Cycle:
    """An object that only the collector frees."""

    def __init__(self) -> None:
        self.itself = self


def test_long_lived_objects_are_frozen_and_the_collector_continues() -> None:
    """Frozen objects are skipped, and new garbage is still collected."""
    gc.unfreeze()
    with memory.gc_frozen():
        objects = [object() for _ in range(10)]
    assert gc.isenabled()
    assert gc.get_freeze_count() > len(objects)
    garbage = Cycle()
    left = ref(garbage)
    del garbage
    gc.collect()
    assert left() is None
