"""Several machines: two instances behind nginx, one PostgreSQL, one Redis."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from command_line import run_majlis
from live.fixtures import small_tree
from live.nginx import Nginx, cached
from live.senders import Senders
from live.server import Server, client_of, eventually, majlis
from live.test_durability import exported, holds_exactly
from stores.postgresql import PostgreSQL
from stores.redis import Redis

pytestmark = [pytest.mark.slow, pytest.mark.load]

API = "/api/public/v1"


@dataclass
class Machines:
    """The deployment under test, with helpers to query and disrupt it."""

    proxy: Nginx
    instances: list[Server]
    variables: dict[str, str]
    folder: Path
    running: ExitStack

    def leads_of(self, email: str) -> list[dict[str, str]]:
        """Return the stored leads of a visitor."""
        return [lead for lead in exported(self.folder, self.variables) if lead["email"] == email]

    def restart(self, number: int) -> None:
        """Start an instance again on the same port."""
        same = ("--port", str(self.instances[number].port))
        server = Server(self.folder / "content", self.folder, *same, **self.variables)
        self.instances[number] = self.running.enter_context(server)

    def client(self, address: str) -> httpx.Client:
        """Create a client with this address."""
        headers = {"X-Forwarded-For": address}
        return client_of(self.proxy.url, headers=headers)

    def ask(self, address: str, number: int) -> list[httpx.Response]:
        """Send concurrent reads of one client, and return the responses."""
        with self.client(address) as client, ThreadPoolExecutor(8) as pool:
            return list(pool.map(lambda _: client.get(f"{API}/pages/page"), range(number)))


@pytest.fixture(scope="module")
def machines(
    tmp_path_factory: pytest.TempPathFactory, postgresql: PostgreSQL, redis: Redis
) -> Iterator[Machines]:
    """The running deployment; each test uses other client addresses."""
    folder = tmp_path_factory.mktemp("machines")
    variables = {
        "DATABASE_URL": postgresql.new_database(),
        "REDIS_URL": redis.url,
        "REDIS_TIMEOUT_SECONDS": "1",  # the exact counts below must not depend on the machine
    }
    upgraded = run_majlis("db", "upgrade", folder=folder, variables=variables)
    assert upgraded.returncode == 0, upgraded.stderr
    content = small_tree(folder / "content")
    with ExitStack() as running:
        instances = [running.enter_context(Server(content, folder, **variables)) for _ in range(2)]
        proxy = running.enter_context(Nginx(cached(*instances), folder / "nginx"))
        yield Machines(proxy, instances, variables, folder, running)


def test_a_rate_limit_is_shared_by_all_instances(machines: Machines) -> None:
    """Exactly 120 of 200 requests are answered, independent of the instance."""
    replies = machines.ask("198.51.100.1", 200)
    statuses = [each.status_code for each in replies]
    assert (statuses.count(200), statuses.count(429)) == (120, 80)
    left = sorted(int(each.headers["RateLimit-Remaining"]) for each in replies)
    assert left == [0] * 80 + list(range(120))
    with machines.client("198.51.100.1") as client:
        sent = [client.post(f"{API}/leads", json={}) for _ in range(13)]
    assert [each.status_code for each in sent] == [400] * 12 + [429]


def test_instances_share_leads(machines: Machines) -> None:
    """A retry that reaches the other instance creates no second lead."""
    body = {"email": "noor@example.test"}
    with machines.client("198.51.100.2") as client:
        replies = [
            client.post(f"{API}/leads", json=body, headers={"Idempotency-Key": "k"})
            for _ in range(6)
        ]
    assert {each.status_code for each in replies} == {200}
    (found,) = machines.leads_of("noor@example.test")
    assert {each.json()["id"] for each in replies} == {found["id"]}


def test_a_killed_instance_loses_no_lead(machines: Machines) -> None:
    """Readers see no error; every acknowledged lead is stored once."""
    senders = Senders(machines.proxy.url)
    with senders.sending():
        senders.wait_for(20)
        machines.instances[0].kill()
        assert {each.status_code for each in machines.ask("198.51.100.3", 40)} == {200}
        senders.wait_for(20)
        machines.restart(0)
        senders.wait_for(20)
    assert senders.statuses <= {200, 502}
    holds_exactly(exported(machines.folder, machines.variables), senders.acknowledged)


def test_requests_are_answered_without_redis(machines: Machines, redis: Redis) -> None:
    """Each instance lets through its share meanwhile; afterwards they share limits again."""
    redis.stop()
    try:
        # Not more than the share of one, of two instances and one that was killed: nginx may be
        # passing over the other for a while.
        replies = machines.ask("198.51.100.4", 40)
        statuses = {each.status_code for each in replies}
        with machines.client("198.51.100.5") as client:
            assert client.post(f"{API}/leads", json={"email": "a@b.test"}).status_code == 200
    finally:
        redis.start()
    assert statuses == {200}

    addresses = (f"203.0.113.{number}" for number in range(256))

    def share() -> bool:
        left = [each.headers["RateLimit-Remaining"] for each in machines.ask(next(addresses), 4)]
        return sorted(map(int, left)) == [116, 117, 118, 119]

    eventually(share)


def test_only_leads_fail_without_postgresql(machines: Machines, postgresql: PostgreSQL) -> None:
    """With 503 and Retry-After; content is served, and the recovery is automatic."""
    with machines.client("198.51.100.6") as client:
        postgresql.stop()
        try:
            refused = [
                client.post(f"{API}/leads", json={"email": "gone@example.test"}) for _ in range(4)
            ]
            read = machines.ask("198.51.100.7", 10)
        finally:
            postgresql.start()
        taken = [client.post(f"{API}/leads", json={"email": "gone@example.test"}) for _ in range(4)]
    assert [each.status_code for each in refused] == [503] * 4
    assert all(int(each.headers["Retry-After"]) > 0 for each in refused)
    assert {each.status_code for each in read} == {200}
    assert [each.status_code for each in taken] == [200] * 4
    assert len(machines.leads_of("gone@example.test")) == 1


def test_an_instance_refuses_to_start_on_another_schema(
    tmp_path: Path, postgresql: PostgreSQL
) -> None:
    """The message names the command; the database is unchanged."""
    variables = {"DATABASE_URL": postgresql.new_database(), "PORT": "0"}
    ended = majlis("serve", folder=tmp_path, variables=variables)
    assert ended.returncode == 1
    assert "majlis db upgrade" in ended.stderr
    assert "Traceback" not in ended.stderr
    told = run_majlis("db", "current", folder=tmp_path, variables=variables)
    assert told.stdout.startswith("none ")


@dataclass
class TwoMachines:
    """Two machines with files of their own, on one database."""

    folder: Path
    variables: dict[str, str]

    def key(self, machine: str, name: str = "leads.key") -> Path:
        """Return the file of a key."""
        return self.folder / machine / "var" / name

    def run(self, machine: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command on a machine."""
        return run_majlis(*arguments, folder=self.folder / machine, variables=self.variables)

    def refused(self, machine: str) -> str:
        """Return why a start, and the check of one, is refused."""
        ended = majlis("serve", folder=self.folder / machine, variables=self.variables)
        assert ended.returncode == 1, ended.stderr
        assert ended.stderr in self.run(machine, "serve", "--check").stderr
        assert "Traceback" not in ended.stderr
        return ended.stderr

    def starts(self, machine: str) -> bool:
        """Start an instance, which fails the test if it does not answer, and stop it."""
        content = Path(self.variables["CONTENT_DIR"])
        with Server(content, self.folder / machine, **self.variables):
            return True


@pytest.fixture
def two_machines(tmp_path: Path, postgresql: PostgreSQL) -> TwoMachines:
    """Two machines, on neither of which the service has run."""
    for machine in ("a", "b"):
        (tmp_path / machine / "var").mkdir(parents=True)
    content = small_tree(tmp_path / "content")
    url = postgresql.migrated_database()
    variables = {"DATABASE_URL": url, "CONTENT_DIR": str(content), "PORT": "0"}
    return TwoMachines(tmp_path, variables)


def test_a_start_with_another_key_than_the_others_have_is_refused(
    two_machines: TwoMachines,
) -> None:
    """A form of one machine would count as forged on the other; a copied key mends that."""
    a, b = two_machines.key("a"), two_machines.key("b")
    assert two_machines.starts("a")
    assert "var/leads.key cannot be read or does not exist" in two_machines.refused("b")
    assert not b.exists()
    b.write_text("ab" * 32)
    reason = two_machines.refused("b")
    assert "LEADS_KEY_FILE: var/leads.key is another key" in reason
    assert "Copy the file from a machine" in reason
    assert b.read_text() not in reason
    assert "LEADS_KEY_FILE: var/leads.key is another key" in two_machines.run("b", "doctor").stdout
    b.write_bytes(a.read_bytes())
    assert two_machines.starts("b")


def test_a_key_can_be_replaced_on_all_machines(two_machines: TwoMachines) -> None:
    """The command makes that of one machine the key of all, whether it is there or deleted."""
    a, b = two_machines.key("a"), two_machines.key("b")
    assert two_machines.starts("a")
    b.write_text("ab" * 32)
    accepted = two_machines.run("b", "db", "accept-keys")
    assert "PREVIEW_KEY_FILE: none yet" in accepted.stdout
    assert two_machines.starts("b")
    assert "is another key" in two_machines.refused("a")
    a.unlink()
    two_machines.run("a", "db", "accept-keys")
    assert two_machines.starts("a")
    assert "is another key" in two_machines.refused("b")


def test_a_preview_link_is_signed_with_the_key_of_all_machines(two_machines: TwoMachines) -> None:
    """A key that only one machine has is no reason to refuse a start on the others."""
    key = two_machines.key("a", "preview.key")
    assert two_machines.run("a", "preview", "pages/page.md").returncode == 0
    refused = two_machines.run("b", "preview", "pages/page.md")
    assert refused.returncode == 1
    assert "PREVIEW_KEY_FILE: var/preview.key cannot be read or does not exist" in refused.stderr
    assert two_machines.starts("b")
    two_machines.key("b", "preview.key").write_text("cd" * 32)
    assert "PREVIEW_KEY_FILE: var/preview.key is another key" in two_machines.refused("b")
    two_machines.key("b", "preview.key").write_bytes(key.read_bytes())
    assert two_machines.run("b", "preview", "pages/page.md").returncode == 0


def test_the_proxys_request_id_is_the_answers(machines: Machines) -> None:
    """It is the only one, of the 32 digits that nginx gives it."""
    with machines.client("198.51.100.8") as client:
        ids = [client.get(f"{API}/pages/page").headers.get_list("X-Request-Id") for _ in range(3)]
    assert [len(each) for each in ids] == [1, 1, 1]
    assert {len(each[0]) for each in ids} == {32}
