"""Editions: three machines with a repository each switch to a commit at one instant, and tell once.

Their clocks differ by half a second. Readers ask all that are ready, as a load balancer does.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from shutil import which
from threading import Event, Thread
from typing import Any, NamedTuple

import httpx
import pytest
from live.processes import waiting_connections
from live.server import Server, client_of, eventually, free_port
from repositories import PAGE, Origin
from stores.postgresql import PostgreSQL

from app.features.editions.store import LEASE

pytestmark = [pytest.mark.slow, pytest.mark.load]

ALLOWED_SECONDS = 0.05
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MARK = re.compile(r"Text (\d+)\.")
PHASE = (
    "SELECT CASE WHEN wanted = current THEN 'done' WHEN is_settled THEN 'settled'"
    " WHEN at IS NOT NULL THEN 'announced' ELSE 'prepared' END FROM edition_switch"
)
WAIT_SECONDS = 12
"""Longer than a lease, so that a machine that dies is not taken for one that is slow."""
PURGE_SECONDS = 150
"""A purge waits for the one before it. If the database went while that was sent, its lease ends and
it is sent once more."""


class Machine(Server):
    """A machine with files and a clock of its own."""

    wrapper = (sys.executable, str(Path(__file__).with_name("shifted_clock.py")))

    def __init__(
        self,
        folder: Path,
        number: int,
        variables: dict[str, str],
        ports: tuple[int, int] | None = None,
    ) -> None:
        """Start on ports for readers and for monitoring, or on free ones."""
        folder.mkdir(exist_ok=True)
        port, self.monitoring = ports or (None, free_port())
        self._slow, programs = folder / "slow", folder / "programs"
        programs.mkdir(exist_ok=True)
        script = (
            f'#!/bin/sh\ncase " $* " in *" worktree add "*)\n'
            f'touch "{self._slow}.waits"; while [ -e "{self._slow}" ]; do sleep 0.02; done;; esac\n'
            f'exec {which("git")} "$@"\n'
        )
        (programs / "git").write_text(script)
        (programs / "git").chmod(0o755)
        own = {
            "METRICS_PORT": str(self.monitoring),
            "CLOCK_AHEAD": str(number / 2),
            "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin",
            "CONTENT_DIR": "",
        }
        self._balancer = client_of(f"http://127.0.0.1:{self.monitoring}")
        same = ("--port", str(port)) if port else ()
        super().__init__(folder, folder, *same, **variables, **own)

    def __exit__(self, *_: object) -> None:
        self._balancer.close()
        super().__exit__()

    def _is_ready(self) -> bool:
        return self.process.poll() is None and super()._is_ready()

    @contextmanager
    def slow(self) -> Iterator[Callable[[], bool]]:
        """Let git take long here, inside; gives whether it has begun to."""
        waits = self._slow.with_name("slow.waits")
        waits.unlink(missing_ok=True)
        self._slow.touch()
        try:
            yield waits.exists
        finally:
            self._slow.unlink(missing_ok=True)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the process, inside, for longer than a lease at least."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def send_lead(self, email: str) -> httpx.Response:
        """Send a lead to this machine."""
        with self.client() as client:
            return client.post("/api/public/v1/leads", json={"email": email})

    @property
    def is_ready(self) -> bool:
        """Whether the load balancer may send readers here."""
        try:
            reply = self._balancer.get("/ready")
        except httpx.TransportError:
            return False
        return reply.status_code == 200

    def serves(self, commit: str) -> bool:
        """Tell whether a commit is served, and readers may come."""
        return self.commit == commit and self.is_ready

    @property
    def published(self) -> str:
        """The commit that commands on this machine read."""
        return (self.content / "var" / "content" / "current").resolve().name

    @property
    def commit(self) -> str:
        """The commit that is served."""
        return str(self.client_get("/api/public/v1/health").headers.get("Majlis-Edition"))


class Seen(NamedTuple):
    """A response: when it was asked for and complete, the number of its text, and from whom."""

    started: float
    ended: float
    number: int
    machine: int


@dataclass
class Cluster:
    """The deployment under test, and what readers and receivers have seen."""

    origin: Origin
    postgresql: PostgreSQL
    url: str
    folder: Path
    variables: dict[str, str]
    machines: list[Machine]
    running: ExitStack
    received: list[tuple[str, str, Any]]
    pushes: int = 0
    collected: int = 0
    """How many pushes were shown so soon after others that one purge may be for both."""
    additions: int = 0
    removals: int = 0
    seen: list[Seen] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def push(self, files: Mapping[str, str | None] | None = None) -> str:
        """Push a text with the next number, tell one machine of it, and return the commit."""
        text = PAGE % next(self.numbers)
        commit = self.origin.push({"pages/page.md": text, **(files or {})})
        self.pushes += 1
        with self.machines[0].client() as client:
            told = client.post("/hooks/content", headers={"X-Gitlab-Token": SECRET})
        assert told.status_code == 202
        return commit

    def ask(self, query: str) -> str:
        """Return what the database answers, empty if it does not."""
        command = [str(self.postgresql.programs / "psql"), self.url, "-Atc", query]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    def until(self, *phases: str) -> None:
        """Wait for a phase of the switch."""
        eventually(lambda: self.ask(PHASE) in phases)

    def until_served(self, commit: str, *numbers: int) -> None:
        """Wait until machines serve a commit, and are ready."""
        for number in numbers or range(len(self.machines)):
            eventually(partial(self.machines[number].serves, commit))

    def until_ready(self, commit: str, number: int) -> None:
        """Wait until so many machines have a commit ready."""
        query = f"SELECT count(*) FROM edition_nodes WHERE ready = '{commit}'"  # noqa: S608
        eventually(lambda: self.ask(query) == str(number))

    def restart(self, number: int) -> None:
        """Start a machine again that was killed."""
        again = Machine(self.folder / f"m{number}", number, self.variables)
        self.machines[number] = self.running.enter_context(again)

    def restart_database(self) -> None:
        """Crash PostgreSQL, and start it again."""
        self.postgresql.crash()
        self.postgresql.start()

    @contextmanager
    def readers(self) -> Iterator[None]:
        """Let readers ask the machines that are ready; then look at what they got."""
        stop = Event()
        ready = dict.fromkeys(range(len(self.machines)), True)
        self.seen.clear()

        def balance() -> None:
            while not stop.wait(0.03):
                for number, machine in enumerate(self.machines):
                    ready[number] = machine.is_ready

        def read(first: int) -> None:
            for turn in count(first):
                if stop.wait(0.004):
                    return
                number = turn % len(self.machines)
                if ready[number]:
                    self.seen.extend(asked(self.machines[number], number))

        threads = [
            Thread(target=balance),
            *(Thread(target=read, args=(each,)) for each in range(3)),
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert worst_fallback(self.seen) <= ALLOWED_SECONDS
        self.check_told()

    def check_told(self) -> None:
        """Check that each push was told once, to each receiver, and nothing else."""
        expected = Counter(
            {
                ("/en/page", "changed"): self.pushes,
                ("/en/new", "published"): self.additions,
                ("/en/gone", "gone"): self.removals,
            }
        )
        eventually(lambda: self.changes() >= expected)
        assert self.changes() == +expected
        least = self.pushes - self.collected
        eventually(lambda: len(self.purges()) >= least, within=PURGE_SECONDS)
        assert len(self.purges()) <= self.pushes
        mentioned = Counter(url for body in self.told("indexnow") for url in body["urlList"])
        assert all(number <= self.pushes for number in mentioned.values())

    def changes(self) -> Counter[tuple[str, str]]:
        """Return the pages of which webhooks have told, with what happened to them."""
        items = (item for body in self.told("changes") for item in body["data"]["items"])
        return Counter((item["path"], item["change"]) for item in items)

    def purges(self) -> list[Any]:
        """Return the purges but those of a start, which concern everything."""
        return [each for each in self.told("purges") if each["data"]["tags"] != ["all"]]

    def told(self, kind: str) -> list[Any]:
        """Return the messages of a kind; one that was sent again has the same ID."""
        return list(
            {id_: body for path, id_, body in list(self.received) if path == f"/{kind}"}.values()
        )


def asked(machine: Machine, number: int) -> Iterator[Seen]:
    """Ask a machine for the page; gives nothing if it is not there."""
    started = time.monotonic()
    with suppress(httpx.TransportError), client_of(machine.url) as client:
        text = client.get("/en/page.md").text
        ended = time.monotonic()
        if found := MARK.search(text):
            yield Seen(started, ended, int(found[1]), number)


def worst_fallback(seen: list[Seen]) -> float:
    """Return how long after a newer text an older one was asked for, at most."""
    worst = 0.0
    newest: dict[int, float] = {}
    for each in sorted(seen, key=lambda one: one.ended):
        newest.setdefault(each.number, each.ended)
    for each in seen:
        ends = [ended for number, ended in newest.items() if number > each.number]
        worst = max(worst, each.started - min(ends, default=each.started))
    return worst


@contextmanager
def receiver() -> Iterator[tuple[str, list[tuple[str, str, Any]]]]:
    """Run a server that keeps what is posted to it; gives its URL and the messages."""
    received: list[tuple[str, str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sent = self.headers.get("webhook-id") or str(len(received))
            received.append((self.path, sent, json.loads(body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", received
        server.shutdown()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three running machines that serve the first commit, and have told of it."""
    folder = tmp_path_factory.mktemp("editions")
    origin = Origin(folder / "git")
    first = origin.push({"pages/page.md": PAGE % 0, "pages/gone.md": PAGE % 0})
    with PostgreSQL() as postgresql, receiver() as (url, received), ExitStack() as running:
        database = postgresql.migrated_database()
        variables = {
            "DATABASE_URL": database,
            "CONTENT_GIT": str(origin.path),
            "CONTENT_GIT_SECRET": SECRET,
            "CONTENT_GIT_CHECK": "off",
            "EDITION_WAIT_SECONDS": str(WAIT_SECONDS),
            "LEADS_KEY_FILE": str(folder / "leads.key"),
            "CHANGES_WEBHOOK_URL": f"{url}/changes",
            "INDEXNOW_KEY": "0123456789abcdef",
            "INDEXNOW_URL": f"{url}/indexnow",
            "CDN": "on",
            "CDN_PURGE_URL": f"{url}/purges",
        }
        machines = [Machine(folder / f"m{number}", number, variables) for number in range(3)]
        for each in machines:
            running.enter_context(each)
        made = Cluster(origin, postgresql, database, folder, variables, machines, running, received)
        made.until_served(first)
        assert all(each.published == first for each in machines)
        eventually(lambda: len(made.told("purges")) >= len(machines))
        yield made


def test_all_machines_switch_at_once(cluster: Cluster) -> None:
    """No reader gets an older text after a newer one, and each change is told once."""
    with cluster.readers():
        for _ in range(3):
            commit = cluster.push()
            cluster.until_served(commit)
            eventually(lambda: len(cluster.purges()) == cluster.pushes)
    assert {each.number for each in cluster.seen} >= {1, 2, 3}
    assert {each.machine for each in cluster.seen} == {0, 1, 2}


def test_a_slow_machine_leaves_the_load_balancer(cluster: Cluster) -> None:
    """The others switch without it after a while; it tells nothing of what it still has."""
    with cluster.readers():
        with cluster.machines[2].slow() as waits:
            cluster.removals = 1
            commit = cluster.push({"pages/gone.md": None})
            eventually(waits)
            cluster.until_served(commit, 0, 1)
            assert cluster.machines[2].commit != commit
            assert not cluster.machines[2].is_ready
            cluster.check_told()
        cluster.until_served(commit)


def test_pushes_faster_than_a_machine_prepares_them_are_shown(cluster: Cluster) -> None:
    """The one that is under way, and then the newest; those between need not be."""
    with cluster.readers():
        before = next(cluster.numbers)
        with cluster.machines[2].slow() as waits:
            cluster.push()
            eventually(waits)
            commit = [cluster.push() for _ in range(3)][-1]
        cluster.until_served(commit)
        eventually(lambda: cluster.seen[-1].number == before + 4)
        shown = {each.number for each in list(cluster.seen)} - set(range(before))
        assert before + 1 in shown
        cluster.pushes += len(shown) - 4
        cluster.collected += len(shown) - 1


@pytest.mark.parametrize("phase", ["preparing", "ready", "announced", "settled"])
def test_a_machine_is_killed(cluster: Cluster, phase: str) -> None:
    """The others do not wait for it for long; once it is started it has what they have."""
    killed = cluster.machines[2]
    with cluster.readers():
        with killed.slow() if phase == "preparing" else cluster.machines[1].slow() as waits:
            commit = cluster.push()
            eventually(waits)
            if phase == "ready":
                cluster.until_ready(commit, 2)
            if phase in ("preparing", "ready"):
                killed.kill()
        if phase == "announced":
            cluster.until("announced", "settled")
        if phase == "settled":
            cluster.until("settled", "done")
        killed.kill()
        cluster.until_served(commit, 0, 1)
        cluster.restart(2)
        cluster.until_served(commit)


def test_a_paused_machine_refuses_reads_until_it_has_what_the_others_show(
    cluster: Cluster,
) -> None:
    """Also those that came meanwhile, to the machine itself: behind nginx nobody asks `/ready`.

    What is stored is taken, and `/ready` says the same.
    """
    paused = cluster.machines[2]
    with paused.slow(), ThreadPoolExecutor() as pool:
        with paused.paused():
            cluster.additions = 1
            commit = cluster.push({"pages/new.md": PAGE % 0})
            cluster.until_served(commit, 0, 1)
            targets = ("/en/page.md", "/en/new", "/api/public/v1/pages", "/api/public/v1/health")
            asked = [pool.submit(paused.client_get, each) for each in targets]
            lead = pool.submit(paused.send_lead, "paused@example.test")
            eventually(lambda: waiting_connections(paused.port) > len(targets))
        *reads, health = [each.result() for each in asked]
        assert [each.status_code for each in reads] == [503] * len(reads)
        assert {each.headers["Retry-After"] for each in reads} == {"5"}
        assert (health.status_code, lead.result().status_code) == (200, 200)
        assert not paused.is_ready
        assert paused.client_get("/en/page.md").status_code == 503  # it looked, and is behind
    cluster.until_served(commit)
    assert paused.client_get("/en/new").status_code == 200


def test_content_is_served_without_the_database(cluster: Cluster) -> None:
    """Past the end of all leases, as nobody can switch meanwhile."""
    eventually(lambda: all(each.is_ready for each in cluster.machines))
    cluster.postgresql.stop()
    try:
        over = time.monotonic() + LEASE.total_seconds() + 2
        while time.monotonic() < over:
            replies = [each.client_get("/en/page.md") for each in cluster.machines]
            assert {each.status_code for each in replies} == {200}
    finally:
        cluster.postgresql.start()


@pytest.mark.parametrize("phase", ["preparing", "ready", "announced", "settled"])
def test_the_database_is_restarted(cluster: Cluster, phase: str) -> None:
    """The switch happens before or after, for all."""
    with cluster.readers():
        with cluster.machines[2].slow() as waits:
            commit = cluster.push()
            eventually(waits)
            if phase == "ready":
                cluster.until_ready(commit, 2)
            if phase in ("preparing", "ready"):
                cluster.restart_database()
        if phase == "announced":
            cluster.until("announced", "settled")
        if phase == "settled":
            cluster.until("settled", "done")
        if phase in ("announced", "settled"):
            cluster.restart_database()
        cluster.until_served(commit)
