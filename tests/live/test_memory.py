"""The memory of a running server: what its threads have freed is not left lying about."""

from __future__ import annotations

import platform
from collections.abc import Callable

import pytest
from live.processes import opened, thread_heaps
from live.server import START, Server, eventually

SEARCHES = 20


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="Other C libraries have no arenas.")
@pytest.mark.parametrize("options", [(), ("--workers", "1")], ids=["alone", "worker"])
def test_threads_have_no_heaps_of_their_own(
    start: Callable[..., Server], options: tuple[str, ...]
) -> None:
    """After searches, which threads answer, and readings of files, with and without supervisor."""
    server = start(*options)
    if options:
        eventually(lambda: len(opened(server)) == 1, START)
    for number in range(SEARCHES):
        found = server.client_get(f"/api/public/v1/blog/posts?search=word{number}")
        assert found.status_code == 200
    processes = [server.process.pid, *opened(server)]
    assert [thread_heaps(pid) for pid in processes] == [0] * len(processes)
