"""Workers: several processes on one listening socket drop no request."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx
import pytest
from live.fixtures import SAMPLE, small_tree
from live.processes import children, is_alive, living, memory_bytes
from live.server import DEADLINE, START, Server, client_of, eventually, free_port, is_open

pytestmark = [pytest.mark.slow, pytest.mark.load]

API = "/api/public/v1"
ASKED = f"{API}/pages/page"
COUNT = 2

Start = Callable[..., Server]


class Crowd:
    """Clients that send requests without a pause, and count the results."""

    def __init__(self, server: Server) -> None:
        self.answered = 0
        self.refused = 0
        self.dropped: list[Exception] = []
        self._server = server
        self._over = Event()

    def ask_on(self, kept: bool) -> None:
        """Send requests until `end`; a refused connection is not a dropped request."""
        while not self._over.is_set():
            with self._server.client() as client:
                try:
                    while not self._over.is_set():
                        assert client.get(ASKED).json()["page"]["slug"] == "page"
                        self.answered += 1
                        if not kept:
                            break
                except httpx.ConnectError:
                    self.refused += 1
                except (httpx.TransportError, AssertionError) as error:
                    self.dropped.append(error)

    def end(self) -> None:
        """Stop all clients."""
        self._over.set()


@contextmanager
def crowd_at(server: Server) -> Iterator[Crowd]:
    """Run the clients during the block, which starts after 50 responses."""
    crowd = Crowd(server)
    with ThreadPoolExecutor() as threads:
        asking: list[Future[None]] = [
            threads.submit(crowd.ask_on, number % 3 > 0) for number in range(6)
        ]
        try:
            eventually(lambda: crowd.answered > 50)
            yield crowd
        finally:
            crowd.end()
        for future in asking:
            future.result(DEADLINE)


@pytest.fixture
def crew(shared_start: Start) -> Server:
    """A service with two workers, both ready.

    Tests that stop no service share it, and leave it with two workers.
    """
    server = shared_start("--workers", str(COUNT))
    eventually(lambda: _is_complete(server), START)
    return server


def _is_complete(server: Server) -> bool:
    """Whether a service has its workers, all of them ready, and no other process."""
    workers = living(server)
    return len(workers) == COUNT and set(children(server.process.pid)) == set(workers)


def test_sighup_under_load_replaces_all_workers_and_drops_nothing(crew: Server) -> None:
    """Each worker is replaced when a new one is ready."""
    before, says = living(crew), crew.says_from_now()
    with crowd_at(crew) as crowd:
        crew.process.send_signal(signal.SIGHUP)
        eventually(lambda: says("All workers were replaced"), START)
        eventually(lambda: not any(is_alive(pid) for pid in before), START)
        seen = crowd.answered
        eventually(lambda: crowd.answered > seen + 50)
    assert crowd.dropped == []
    assert crowd.refused == 0
    assert len(living(crew)) == COUNT


def test_workers_share_the_memory_of_what_was_loaded_once(crew: Server) -> None:
    """Also after a restart; the process that loaded it is gone."""
    before = living(crew)
    assert all(map(_shares_memory, before))
    crew.process.send_signal(signal.SIGHUP)
    assert all(map(_shares_memory, _new_workers(crew, before)))
    eventually(lambda: set(children(crew.process.pid)) == set(living(crew)))


def test_the_process_that_loaded_the_content_indexes_it_beside_the_workers(tmp_path: Path) -> None:
    """They answer meanwhile; one that dies is replaced at once, and they index instead."""
    index = tmp_path / "index"
    with Server(SAMPLE, tmp_path, "--workers", str(COUNT), INDEX_DIR=str(index)) as starting:
        eventually(lambda: len(living(starting)) == COUNT, START)
        [loader] = children(starting.process.pid)
        assert loader not in living(starting)
        os.kill(loader, signal.SIGSTOP)
        os.kill(living(starting)[0], signal.SIGKILL)
        eventually(lambda: _is_complete(starting), START)
        assert starting.client_get("/ae/en/search?q=growth").status_code == 200
        assert len([*index.rglob("manifest.json")]) == 2


def _shares_memory(worker: int) -> bool:
    """Whether most of a loaded service's memory, of any content, is that of another process."""
    return memory_bytes(worker, "Shared_Dirty") > 48 * 1024 * 1024


def _new_workers(crew: Server, before: list[int]) -> list[int]:
    eventually(lambda: not any(is_alive(pid) for pid in before), START)
    return living(crew)


def test_a_restart_is_aborted_if_the_process_dies_that_loads_the_content(crew: Server) -> None:
    """The old workers stay; the next restart replaces them."""
    before, says = living(crew), crew.says_from_now()
    crew.process.send_signal(signal.SIGHUP)
    eventually(lambda: set(children(crew.process.pid)) > set(before))
    [loader] = set(children(crew.process.pid)) - set(before)
    os.kill(loader, signal.SIGKILL)
    eventually(lambda: says("Rolling restart aborted"), START)
    assert living(crew) == before
    assert not is_alive(loader)
    crew.process.send_signal(signal.SIGHUP)
    assert len(_new_workers(crew, before)) == COUNT


def test_a_restart_with_invalid_settings_is_aborted(crew: Server) -> None:
    """New workers read the settings; if these are invalid, the old workers keep running."""
    before, says = living(crew), crew.says_from_now()
    wrong = crew.log.parent / ".env"
    wrong.write_text("COUNTRY_HEADER=x\nMETRICS_PORT=none\n")
    try:
        crew.process.send_signal(signal.SIGHUP)
        eventually(lambda: says("Rolling restart aborted"), START)
    finally:
        wrong.unlink()
    assert says("METRICS_PORT")
    assert living(crew) == before
    assert crew.client_get(ASKED).status_code == 200


def test_a_killed_worker_loses_only_its_own_requests_and_is_replaced(crew: Server) -> None:
    """At most one request on each of its connections."""
    victim = living(crew)[0]
    with crowd_at(crew) as crowd:
        os.kill(victim, signal.SIGKILL)
        eventually(lambda: len(living(crew)) == COUNT and not is_alive(victim), START)
        seen = crowd.answered
        eventually(lambda: crowd.answered > seen + 50)
    assert len(crowd.dropped) <= 6
    assert crowd.refused == 0


def test_a_worker_that_dies_during_a_restart_is_replaced_once(crew: Server) -> None:
    """Both its death and the restart start a new worker; one of them is stopped."""
    before, says = living(crew), crew.says_from_now()
    crew.process.send_signal(signal.SIGHUP)
    eventually(lambda: len(children(crew.process.pid)) > COUNT)
    os.kill(before[-1], signal.SIGKILL)
    eventually(lambda: says("All workers were replaced"), START)
    eventually(lambda: not any(is_alive(pid) for pid in before), START)
    eventually(lambda: _is_complete(crew), START)


def test_a_terminated_worker_drops_nothing_and_is_replaced(crew: Server) -> None:
    """An operator may send SIGTERM to a single worker."""
    victim = living(crew)[0]
    with crowd_at(crew) as crowd:
        os.kill(victim, signal.SIGTERM)
        eventually(lambda: len(living(crew)) == COUNT and not is_alive(victim), START)
    assert crowd.dropped == []


def test_an_edit_is_live_in_all_workers(crew: Server) -> None:
    """Each worker watches the content itself."""
    crew.write("pages/page.md", "---\ntitle: Edited\n---\nText.\n")

    def titles() -> set[str]:
        return {crew.json(ASKED)["page"]["title"] for _ in range(12)}

    eventually(lambda: titles() == {"Edited"})


def test_sigterm_under_load_drops_nothing(crew: Server) -> None:
    """Accepted requests are answered, new connections are refused, and all processes exit."""
    with crowd_at(crew) as crowd:
        crew.stop()
        assert crew.process.wait(DEADLINE) == 0
    assert crowd.dropped == []
    assert crowd.refused > 0
    assert living(crew) == []


def test_sigterm_under_load_drops_nothing_with_one_process(start: Start) -> None:
    """The same without a supervisor."""
    server = start()
    with crowd_at(server) as crowd:
        server.stop()
        assert server.process.wait(DEADLINE) == 0
    assert crowd.dropped == []


def test_workers_exit_when_their_supervisor_is_killed(crew: Server) -> None:
    """Nothing would replace them, and the next supervisor needs the port."""
    workers = living(crew)
    crew.kill()
    eventually(lambda: not any(is_alive(pid) for pid in workers))


def test_a_start_refuses_connections_until_a_worker_is_ready(tmp_path: Path) -> None:
    """A proxy then asks another instance at once, instead of waiting for this one to load."""
    port, monitoring = free_port(), free_port()
    options = ("--port", str(port), "--workers", str(COUNT))
    content = small_tree(tmp_path / "content")
    starting = Server(content, tmp_path, *options, METRICS_PORT=str(monitoring))
    try:
        eventually(lambda: children(starting.process.pid), START)
        [loader] = children(starting.process.pid)
        os.kill(loader, signal.SIGSTOP)
        with client_of(f"http://127.0.0.1:{monitoring}") as prober:
            eventually(lambda: is_open(monitoring), START)
            assert prober.get("/ready").status_code == 503
            assert not is_open(port)
            os.kill(loader, signal.SIGCONT)
            eventually(lambda: is_open(port), START)
            eventually(lambda: prober.get("/ready").status_code == 200)
        assert starting.client_get(ASKED).status_code == 200
    finally:
        starting.kill()


@pytest.mark.parametrize("workers", [(), ("--workers", "1")], ids=["one process", "workers"])
@pytest.mark.parametrize("host", ["::", "127.0.0.1, ::1"])
def test_a_service_listens_on_every_address_of_host(
    start: Start, host: str, workers: tuple[str, ...]
) -> None:
    """`::` means IPv4 too; on all of them the service and its monitoring answer."""
    monitoring = free_port()
    server = start(*workers, HOST=host, METRICS_PORT=str(monitoring))
    for address in ("127.0.0.1", "[::1]"):
        with client_of(f"http://{address}:{server.port}") as client:
            assert client.get(ASKED).status_code == 200
        with client_of(f"http://{address}:{monitoring}") as client:
            assert client.get("/ready").status_code == 200
