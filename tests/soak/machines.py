"""`make soak NODES=3`: machines behind two proxies are paused and killed, as are their stores.

Content is pushed meanwhile. Behind nginx each address is judged alone, as its cache renews one
after the other.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import count
from operator import attrgetter
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from benchmarks.records import measured_now, put
from live.haproxy import HAProxy
from live.nginx import Nginx, cached
from live.server import client_of, eventually, free_port, next_client
from live.test_durability import exported
from live.test_editions import ALLOWED_SECONDS, SECRET, Machine
from repositories import PAGE, Origin
from soak.report import of_lives
from soak.vitals import Vitals
from stores.postgresql import PostgreSQL
from stores.redis import Redis

READERS, SENDERS = 3, 1
"""Behind each proxy."""
LEADS = "/api/public/v1/leads"
TARGETS = ("/en/page", "/en/page.md", "/api/public/v1/pages/page?lang=en", "/en/new-{}.md")
HTML = "text/html,application/xhtml+xml,*/*;q=0.8"
NUMBER = re.compile(rb"Text (\d+)\.")
START = 180.0
"""Seconds in which a machine starts or prepares a commit, on a busy machine of tests."""


class Read(NamedTuple):
    """A response: when it was asked for and complete, and the number of its text, None for none."""

    started: float
    ended: float
    number: int | None
    status: int


@dataclass
class Front:
    """A proxy, and what its clients saw; `keys` says whether its addresses change one by one."""

    name: str
    port: int
    has_keys: bool
    reads: defaultdict[str, list[Read]] = field(default_factory=lambda: defaultdict(list))
    shown: int = 0
    """The newest text that a reader has got."""
    since: float = 0.0
    """When the first reader got it."""
    failures: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    acknowledged: dict[str, str] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """The reads that were answered."""
        return sum(map(len, self.reads.values()))

    @property
    def false_404(self) -> int:
        """How many pages were missing that another reader had been told of before.

        New ones of the moment in which all machines switch are no reads.
        """
        return sum(read.status == 404 for reads in self.reads.values() for read in reads)

    @property
    def older(self) -> int:
        """How many texts were older than one that was complete before they were asked for."""
        if self.has_keys:
            return sum(map(_older, self.reads.values()))
        return _older([read for reads in self.reads.values() for read in reads])


def _older(reads: list[Read]) -> int:
    """Count the reads that began after a newer text than theirs had been read."""
    with_text = [read for read in reads if read.number is not None]
    with_text.sort(key=lambda read: read.ended)
    ends = [read.ended for read in with_text]
    newest: list[int] = []
    for read in with_text:
        newest.append(max(read.number or 0, newest[-1] if newest else 0))
    before = ((read, bisect_left(ends, read.started - ALLOWED_SECONDS)) for read in with_text)
    return sum(place > 0 and newest[place - 1] > (read.number or 0) for read, place in before)


@dataclass
class Trial:
    """The machines, and what is done to them."""

    folder: Path
    variables: dict[str, str]
    postgresql: PostgreSQL
    redis: Redis
    origin: Origin
    machines: list[Machine]
    fronts: list[Front]
    running: ExitStack
    over: threading.Event = field(default_factory=threading.Event)
    pushes: int = 0
    shown_seconds: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def workers(self) -> list[int]:
        """The processes of the machines."""
        return [each.process.pid for each in self.machines]

    def push_until_shown(self, *without: int) -> None:
        """Push a new text and a new page, tell one machine, and wait until all serve it.

        Text and page have the number of the push. Machines `without` are not asked.
        """
        began = monotonic()
        machines = [each for number, each in enumerate(self.machines) if number not in without]
        self.pushes += 1
        text = PAGE % self.pushes
        commit = self.origin.push({"pages/page.md": text, f"pages/new-{self.pushes}.md": text})
        with machines[0].client() as client:
            client.post("/hooks/content", headers={"X-Gitlab-Token": SECRET})
        for machine in machines:
            eventually(partial(machine.serves, commit), within=START)
        self.shown_seconds.append(monotonic() - began)

    def restart(self, number: int) -> None:
        """Start a machine again on its port."""
        old = self.machines[number]
        again = _machine(self.folder, number, self.variables, (old.port, old.monitoring))
        self.machines[number] = again
        self.running.push(again)
        eventually(lambda: again.is_ready, within=START)

    @contextmanager
    def at_work(self) -> Iterator[Vitals]:
        """Let readers and senders work in the block, and sample the machines."""
        works = [(self._read, READERS), (self._send, SENDERS)]
        vitals = Vitals(self)
        with ThreadPoolExecutor(len(self.fronts) * (READERS + SENDERS) + 1) as pool:
            futures = [
                pool.submit(work, front, first)
                for front in self.fronts
                for work, number in works
                for first in range(number)
            ]
            futures.append(pool.submit(self._sample, vitals))
            try:
                yield vitals
            finally:
                self.over.set()
        for future in futures:
            future.result()

    def _sample(self, vitals: Vitals) -> None:
        while not self.over.wait(1.0):
            vitals.act()

    def _read(self, front: Front, first: int) -> None:
        with closing(HTTPConnection("127.0.0.1", front.port, timeout=90)) as connection:
            self._read_on(front, connection, first)

    def _read_on(self, front: Front, connection: HTTPConnection, first: int) -> None:
        for turn in count(first):
            if self.over.wait(0.002):
                return
            target = TARGETS[turn % len(TARGETS)]
            known, since = front.shown, front.since
            path = target.format(known)
            if path != target and not known:
                continue
            started = monotonic()
            try:
                accept = "text/markdown" if path.endswith(".md") else HTML
                headers = {"Accept": accept, "X-Forwarded-For": next_client()}
                connection.request("GET", path, headers=headers)
                reply = connection.getresponse()
                text = reply.read()
            except (OSError, HTTPException) as error:
                connection.close()
                front.failures[type(error).__name__] += 1
                continue
            found = NUMBER.search(text) if reply.status == 200 else None
            if reply.status not in (200, 404):
                front.failures[str(reply.status)] += 1
                continue
            is_new = path != target
            if reply.status == 404 and is_new and started <= since + ALLOWED_SECONDS:
                continue
            number = int(found[1]) if found and path == target else None
            front.reads[target].append(Read(started, monotonic(), number, reply.status))
            if (number or 0) > front.shown:
                front.shown, front.since = number or 0, monotonic()

    def _send(self, front: Front, first: int) -> None:
        with client_of(f"http://127.0.0.1:{front.port}") as client:
            for number in count():
                if self.over.wait(0.05):
                    return
                email = f"{front.name}{first}x{number}@example.test"
                status = "none"
                with suppress(Exception):
                    headers = {"X-Forwarded-For": next_client()}
                    reply = client.post(LEADS, json={"email": email}, headers=headers)
                    status = str(reply.status_code)
                    if reply.status_code == 200:
                        front.acknowledged[email] = reply.json()["id"]
                front.sent[status] += 1

    def pause(self, number: int, seconds: float) -> None:
        """Pause one machine, and push meanwhile."""
        self.push_until_shown()
        self.faults["machine paused"] += 1
        with self.machines[number].paused():
            until = monotonic() + seconds
            self.push_until_shown(number)
            self.push_until_shown(number)
            sleep(max(0.0, until - monotonic()))
        self.push_until_shown()

    def kill(self, number: int) -> None:
        """Kill one machine, push, and start it again."""
        self.faults["machine killed"] += 1
        self.machines[number].kill()
        self.push_until_shown(number)
        self.restart(number)
        self.push_until_shown()

    def lose_stores(self) -> None:
        """Kill Redis and push without it, then kill PostgreSQL and push after it."""
        self.faults["Redis killed"] += 1
        self.redis.stop()
        self.push_until_shown()
        self.redis.start()
        self.faults["PostgreSQL killed"] += 1
        self.postgresql.crash()
        self.postgresql.start()
        self.push_until_shown()

    def for_seconds(self, seconds: float, pause_seconds: float) -> None:
        """Pause and kill machines in the first half, and stores in both.

        Machines of the second half live long enough to measure their growth.
        """
        began = monotonic()
        for number in count():
            if not number or monotonic() - began < seconds / 2:
                self.pause(number % len(self.machines), pause_seconds)
                self.kill((number + 1) % len(self.machines))
            self.lose_stores()
            eventually(
                lambda: all(front.shown == self.pushes for front in self.fronts), within=START
            )
            if monotonic() - began >= seconds:
                return

    def sent_twice(self) -> int:
        """Return how many requests to store a lead reached machines more than once."""
        texts = (path.read_text() for path in self.folder.glob("m*/access*.log"))
        lines = (json.loads(line) for text in texts for line in text.splitlines())
        ids = Counter(line.get("request") for line in lines if line["path"] == LEADS)
        return sum(number > 1 for number in ids.values())

    def results(self) -> dict[str, object]:
        """Return the counts that matter."""
        stored = Counter(lead["email"] for lead in exported(self.folder / "m0", self.variables))
        acknowledged = {email for front in self.fronts for email in front.acknowledged}
        found: dict[str, object] = {}
        for front in self.fronts:
            found[f"{front.name}: reads"] = front.number
            found[f"{front.name}: older after newer"] = front.older
            found[f"{front.name}: false 404"] = front.false_404
            found[f"{front.name}: reads that failed"] = dict(front.failures)
            found[f"{front.name}: leads sent, by status"] = dict(front.sent)
        return found | {
            "leads acknowledged": len(acknowledged),
            "leads stored": len(stored),
            "leads lost": len(acknowledged - stored.keys()),
            "leads stored twice": sum(number > 1 for number in stored.values()),
            "leads sent twice": self.sent_twice(),
            "pushes": self.pushes,
            "pushes shown": len(self.shown_seconds),
            "slowest push, seconds": round(max(self.shown_seconds), 1),
        }


def _machine(
    folder: Path, number: int, variables: dict[str, str], ports: tuple[int, int]
) -> Machine:
    work = folder / f"m{number}"
    log = {"ACCESS_LOG": "json", "ACCESS_LOG_FILE": str(work / "access.log")}
    return Machine(work, number, variables | log, ports)


@contextmanager
def made(folder: Path, postgresql: PostgreSQL, redis: Redis, nodes: int = 3) -> Iterator[Trial]:
    """Start the machines and both proxies; the stores are already running."""
    origin = Origin(folder / "git")
    first = origin.push({"pages/page.md": PAGE % 0})
    variables = {
        "DATABASE_URL": postgresql.migrated_database(),
        "REDIS_URL": redis.url,
        "REDIS_TIMEOUT_SECONDS": "1",
        "CONTENT_GIT": str(origin.path),
        "CONTENT_GIT_SECRET": SECRET,
        "CONTENT_GIT_CHECK": "off",
        "LEADS_KEY_FILE": str(folder / "leads.key"),
    }
    with ExitStack() as running:
        machines = [
            _machine(folder, number, variables, (free_port(), free_port()))
            for number in range(nodes)
        ]
        for each in machines:
            running.push(each)
        for each in machines:
            eventually(partial(attrgetter("is_ready"), each), within=START)
            eventually(partial(each.serves, first), within=START)
        text = cached(*machines).replace("rate=20r/s", "rate=2000r/s")
        nginx = running.enter_context(Nginx(text, folder / "nginx"))
        ports = [(each.port, each.monitoring) for each in machines]
        haproxy = running.enter_context(HAProxy(ports, folder / "haproxy"))
        fronts = [Front("nginx", nginx.port, True), Front("haproxy", haproxy.port, False)]
        stores = (postgresql, redis)
        yield Trial(folder, variables, *stores, origin, machines, fronts, running)


def main() -> None:
    """Run, print the report, and exit with 1 if a guarantee was violated."""
    parser = argparse.ArgumentParser(prog="soak.machines", description=__doc__)
    parser.add_argument("--nodes", type=int, choices=range(2, 10), default=3, metavar="2…9")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--pause", type=float, default=48.0, help="seconds of each pause")
    parser.add_argument("--write", action="store_true", help="write docs/records/soak.md")
    chosen = parser.parse_args()
    began = monotonic()
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="majlis-trial-")))
        stores = running.enter_context(PostgreSQL()), running.enter_context(Redis())
        trial = running.enter_context(made(folder, *stores, chosen.nodes))
        with trial.at_work() as vitals:
            trial.for_seconds(chosen.minutes * 60, chosen.pause)
        results = trial.results()
    wrong = [*misled(results), *(each for life in vitals.long_lives for each in life.growths)]
    lines = [
        f"{measured_now()}\n",
        f"{chosen.nodes} machines, {monotonic() - began:.0f} seconds.\n",
    ]
    lines += ["| Count | Result |", "|---|---|"]
    lines += [f"| {name} | {_shown(value)} |" for name, value in results.items()]
    lines += [
        f"| guarantees violated | {len(wrong)} |",
        "\n| Injected fault | Times |",
        "|---|---:|",
    ]
    lines += [f"| {what} | {number} |" for what, number in sorted(trial.faults.items())]
    lines += [*of_lives(vitals.long_lives or vitals.lives), *(f"\n- {each}" for each in wrong)]
    print("\n".join(lines))  # noqa: T201  # a command
    if chosen.write:
        put("soak", lines, "machines")
    sys.exit(1 if wrong else 0)


def _shown(value: object) -> str:
    """Return a count, or counts by name, for a table."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {number:,}" for name, number in sorted(value.items())) or "0"
    return f"{value:,}"


def misled(results: dict[str, object]) -> list[str]:
    """Return the counts that must be nothing, and are not."""
    wrong = ("older after newer", "false 404", "lost", "twice")
    return [f"{name}: {value}" for name, value in results.items() if name.endswith(wrong) and value]


if __name__ == "__main__":
    main()
