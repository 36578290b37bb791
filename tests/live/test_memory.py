"""The memory of a running server: threads do not have their own malloc arenas."""

from __future__ import annotations

import platform
from collections.abc import Callable

import pytest
from live.processes import opened, thread_heaps
from live.server import START, Server, eventually

pytestmark = pytest.mark.slow

SEARCHES = 20


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="Other C libraries have no arenas.")
@pytest.mark.parametrize("options", [(), ("--workers", "1")], ids=["alone", "worker"])
def test_threads_share_one_malloc_arena(
    start: Callable[..., Server], options: tuple[str, ...]
) -> None:
    """After searches, which run in threads; with and without a supervisor."""
    server = start(*options)
    if options:
        eventually(lambda: len(opened(server)) == 1, START)
    for number in range(SEARCHES):
        response = server.client_get(f"/api/public/v1/blog/posts?search=word{number}")
        assert response.status_code == 200
    processes = [server.process.pid, *opened(server)]
    assert [thread_heaps(pid) for pid in processes] == [0] * len(processes)
