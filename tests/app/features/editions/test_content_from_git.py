"""Content from git: fetched, checked and shown at a push, by real repositories and signatures."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from cases import cases
from live.server import START, until
from pydantic import ValidationError
from quart import Quart
from quart.testing.app import TestApp as ServedApp
from repositories import PAGE, Origin, git
from stores.postgresql import PostgreSQL

from app.factory import create_app
from app.features.editions.repository import Repository
from app.features.editions.service import Editions
from app.features.editions.settings import EditionSettings
from app.operations.doctor.gathering import receiver_facts, receivers_of
from app.platform.clock import utc_now
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.deliveries.http_client import signed_headers
from app.services import services_of
from app.settings import Settings

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
HEADER = "Majlis-Edition"


@dataclass
class Running:
    """A running application with content from git."""

    app: Quart
    settings: Settings

    @property
    def editions(self) -> Editions:
        """Its editions."""
        return services_of(self.app).part(Editions)

    async def get(self, path: str) -> Any:
        """Return a response."""
        return await self.app.test_client().get(path)

    async def text(self) -> str:
        """Return the markdown of the page."""
        return str(await (await self.get("/en/page.md")).get_data(as_text=True))

    async def health(self) -> Any:
        """Return the body of health."""
        return await (await self.get("/api/public/v1/health")).get_json()

    async def told(self, headers: Mapping[str, str], body: bytes) -> int:
        """Send a webhook, and return the status."""
        client = self.app.test_client()
        reply = await client.post("/hooks/content", headers=dict(headers), data=body)
        return int(reply.status_code)

    async def shows(self, text: str) -> None:
        """Wait until the page has a text."""
        async with asyncio.timeout(30):
            while text not in await self.text():  # noqa: ASYNC110  # there is no event for it
                await asyncio.sleep(0.01)


@pytest.fixture
def origin(tmp_path: Path) -> Origin:
    """A repository with one commit."""
    made = Origin(tmp_path / "git")
    made.push({"pages/page.md": PAGE % "one"})
    return made


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A function that starts an application with a repository and settings."""
    monkeypatch.setattr("app.features.editions.service._LOOK_SECONDS", 0.01)

    @asynccontextmanager
    async def start(repository: object, **given: Any) -> AsyncIterator[Running]:
        settings = Settings(
            _env_file=None,
            content_git=str(repository),
            **{
                "content_git_dir": tmp_path / "content",
                "content_git_secret": SECRET,
                "content_git_check": "off",
                "index_dir": tmp_path / "index",
                "cache_dir": tmp_path / "cache",
                "image_dir": tmp_path / "images",
                "database_url": f"sqlite:///{tmp_path}/majlis.db",
                **given,
            },
        )
        app = await asyncio.to_thread(create_app, settings)
        async with ServedApp(app, int(START), int(START)):  # a start checks the first commit
            yield Running(app, settings)

    return start


def github(secret: str, body: bytes) -> dict[str, str]:
    """Return the headers of a push as GitHub sends them."""
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "User-Agent": "GitHub-Hookshot/044aadd",
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
        "X-Hub-Signature-256": f"sha256={digest}",
    }


def gitlab(secret: str, _: bytes) -> dict[str, str]:
    """Return the headers of a push as GitLab sends them with a secret token."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "GitLab/17.0.0",
        "X-Gitlab-Event": "Push Hook",
        "X-Gitlab-Token": secret,
    }


def gitea(secret: str, body: bytes) -> dict[str, str]:
    """Return the headers of a push as Gitea sends them."""
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "X-Gitea-Event": "push",
        "X-Gitea-Delivery": "f6266f16-1bf3-46a5-9ea4-602e06ead473",
        "X-Gitea-Signature": digest,
    }


def standard(secret: str, body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks, as GitLab with a signing token and others send."""
    return signed_headers("msg_p5jXN8AQM9LWM0D4loKWxJek", utc_now(), body, secret)


PUSH = json.dumps({"ref": "refs/heads/main", "commits": [{"message": "Ramadan — رمضان"}]}).encode()
PLATFORMS = (github, gitlab, gitea, standard)


def test_the_signature_of_the_documentation_of_github() -> None:
    """The example there is what the test sends."""
    headers = github("It's a Secret to Everybody", b"Hello, World!")
    assert headers["X-Hub-Signature-256"] == (
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    )


async def test_a_signed_push_is_shown(origin: Origin, running: Any) -> None:
    """By each platform's webhook: header, health and page have the commit."""
    async with running(origin.path) as service:
        for number, platform in enumerate(PLATFORMS):
            commit = await asyncio.to_thread(origin.push, {"pages/page.md": PAGE % number})
            assert await service.told(platform(SECRET, PUSH), PUSH) == 202
            await service.shows(f"Text {number}.")
            assert (await service.get("/en/page.md")).headers[HEADER] == commit
            assert (await service.health())["edition"] == commit
            assert service.settings.content_dir.resolve().name == commit


async def test_only_signed_requests_are_listened_to(origin: Origin, running: Any) -> None:
    """A wrong secret, another body, an old time and none at all give 401 and no fetch."""
    async with running(origin.path) as service:
        await until(lambda: not service.editions.asked.is_set())
        forged = [platform(OTHER, PUSH) for platform in PLATFORMS]
        forged += [platform(SECRET, b"{}") for platform in PLATFORMS if platform is not gitlab]
        old = standard(SECRET, PUSH) | {"webhook-timestamp": "1700000000"}
        broken = standard(SECRET, PUSH) | {"webhook-signature": "v1,?"}
        for headers in ({}, *forged, old, broken, {"webhook-signature": ""}):
            assert await service.told(headers, PUSH) == 401, headers
            assert not service.editions.asked.is_set()
        assert await service.told(standard(SECRET, PUSH), b"\xff\xfe") == 401
    async with running(origin.path, content_git_secret="") as service:
        assert await service.told(github("", PUSH), PUSH) == 404


async def test_a_commit_is_found_without_a_push(origin: Origin, running: Any) -> None:
    """The interval is the fall-back."""
    async with running(origin.path, content_git_seconds=1) as service:
        await until(lambda: not service.editions.asked.is_set())
        await asyncio.to_thread(origin.push, {"pages/page.md": PAGE % "two"})
        await service.shows("Text two.")
    commit = await asyncio.to_thread(origin.push, {"pages/page.md": PAGE % "three"})
    async with running(origin.path) as service:  # which begins with the last one at once
        assert "Text two." in await service.text()
        await service.shows("Text three.")
        assert service.editions.commit == commit


async def test_a_start_does_not_wait_for_a_long_check(
    origin: Origin,
    running: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It has no content then, says why, and shows the first commit once that is checked."""
    monkeypatch.setattr("app.features.editions.service._FIRST_SHARE", 0.0)
    async with running(origin.path) as service:
        assert "STARTUP_SECONDS lets it wait longer" in caplog.text
        await service.shows("Text one.")
        assert service.settings.content_dir.is_dir()  # for commands on this machine


async def test_only_what_an_edit_touches_is_made_again(origin: Origin, running: Any) -> None:
    """A checkout has new files; documents with the same text stay the same objects."""
    await asyncio.to_thread(origin.push, {"pages/other.md": PAGE % "other"})
    async with running(origin.path) as service:
        store = services_of(service.app).content_store
        before = store.current.snapshot
        await asyncio.to_thread(origin.push, {"pages/page.md": PAGE % "two"})
        await service.told(gitlab(SECRET, b""), b"")
        await service.shows("Text two.")
        after = store.current.snapshot
        assert before.by_path["pages/other.md"][1] is after.by_path["pages/other.md"][1]
        assert not store.current.edits.recent[-1].everything


async def test_the_last_checkouts_stay_and_older_ones_go(
    origin: Origin, running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may be slow to leave one; the one that is published stays, however old it is."""
    monkeypatch.setattr("app.features.editions.repository._KEPT", 2)
    async with running(origin.path) as service:
        commits = [service.editions.commit]
        for number in range(3):
            commits.append(await asyncio.to_thread(origin.push, {"a.md": f"{number}"}))
            await service.told(gitlab(SECRET, b""), b"")
            await until(lambda: service.editions.commit == commits[-1])
        await service.editions.pull()
        folder = service.settings.content_git_dir / "checkouts"
        assert {each.name for each in folder.iterdir() if each.is_dir()} == set(commits[-2:])
        assert len([*folder.iterdir()]) == 4  # a mark beside each


@pytest.mark.slow
async def test_a_commit_with_errors_is_refused(
    origin: Origin, running: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The last stays, and health tells why; a corrected commit is shown, and a reset is fine."""
    first = git(origin.path, "rev-parse", "main")
    async with running(origin.path, content_git_check="errors") as service:
        bad = await asyncio.to_thread(
            origin.push, {"pages/page.md": PAGE % "two", "pages/b.md": "---\ntitle: [\n---\nB.\n"}
        )
        await service.told(gitlab(SECRET, b""), b"")
        await until(lambda: service.editions.problem)
        health = await service.health()
        assert health["edition"] == first
        assert health["bootstrapError"].startswith(
            f"Commit {bad[:12]} is not published: pages/b.md:3: "
        )
        assert "Text one." in await service.text()
        told = [each for each in caplog.records if each.levelno == logging.ERROR]
        await service.editions.pull()  # the same commit again is not checked twice
        assert [each for each in caplog.records if each.levelno == logging.ERROR] == told
        await asyncio.to_thread(origin.reset, first)
        await service.editions.pull()
        assert (await service.health())["bootstrapError"] is None
        await asyncio.to_thread(origin.push, {"pages/page.md": PAGE % "three", "pages/c.md": "C."})
        await service.told(gitlab(SECRET, b""), b"")
        await service.shows("Text three.")
    async with running(origin.path, content_git_check="warnings") as service:
        await asyncio.to_thread(origin.push, {"pages/page.md": PAGE % "four"})
        await service.editions.pull()
        assert "pages/c.md" in str(service.editions.problem)  # it has no title


@pytest.mark.slow
async def test_one_machine_checks_a_commit_for_all(
    origin: Origin,
    running: Any,
    postgresql: PostgreSQL,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The others take its word, also for what is refused; so does one that starts later."""
    checked, check = [], Repository.problem_of

    async def counted(repository: Repository, commit: str) -> str | None:
        checked.append(commit)
        return await check(repository, commit)

    monkeypatch.setattr(Repository, "problem_of", counted)
    given = {
        "database_url": await asyncio.to_thread(postgresql.migrated_database),
        "content_git_check": "errors",
    }
    first = git(origin.path, "rev-parse", "main")
    async with (
        running(origin.path, **given, content_git_dir=tmp_path / "a") as a,
        running(origin.path, **given, content_git_dir=tmp_path / "b") as b,
    ):
        assert a.editions.commit == b.editions.commit == first
        bad = await asyncio.to_thread(origin.push, {"pages/b.md": "---\ntitle: [\n---\nB.\n"})
        await asyncio.gather(a.editions.pull(), b.editions.pull())
        for each in (a, b):
            assert each.editions.problem.startswith(f"Commit {bad[:12]} is not published: pages/b")
        good = await asyncio.to_thread(
            origin.push, {"pages/b.md": None, "pages/page.md": PAGE % "two"}
        )
        await asyncio.gather(a.editions.pull(), b.editions.pull())
        for each in (a, b):
            await each.shows("Text two.")
            assert each.editions.problem is None
    assert checked == [first, bad, good]


async def test_content_may_be_in_a_folder_of_another_branch(origin: Origin, running: Any) -> None:
    """Branch and folder are settings; a commit without the folder is refused."""
    await asyncio.to_thread(origin.push, {"docs/site/pages/page.md": PAGE % "inside"})
    await asyncio.to_thread(git, origin.path, "branch", "published")
    await asyncio.to_thread(origin.push, {"docs/site/pages/page.md": PAGE % "later"})
    given = {"content_git_ref": "published", "content_git_folder": "docs/site"}
    async with running(origin.path, **given) as service:
        assert "Text inside." in await service.text()
    async with running(origin.path, **given | {"content_git_folder": "nowhere"}) as service:
        assert (await service.get("/en/page.md")).status_code == 503


async def test_no_link_of_a_repository_leads_out_of_it(
    origin: Origin, running: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the folder of the content, or one above it, nor a file that the service writes."""
    outside = tmp_path / "machine"
    (outside / "site" / "pages").mkdir(parents=True)
    (outside / "site" / "pages" / "page.md").write_text(PAGE % "secret")
    first = await asyncio.to_thread(
        origin.push,
        {
            "out": outside,
            "site": outside / "site",
            "inner": Path(),
            ".majlis-complete": tmp_path / "made",
            "pages/git.md": Path("../.git"),
        },
    )
    for name in ("site", "out/site"):
        async with running(origin.path, content_git_folder=name) as service:
            assert (await service.get("/en/page.md")).status_code == 503
            told = f"its folder {name} is a link that leads out of the repository"
            assert told in service.editions.problem
            assert told in caplog.text
    async with running(origin.path, content_git_folder="inner") as service:
        assert service.editions.commit == first
        assert "Text one." in await service.text()
        assert (await service.get("/en/git.md")).status_code == 404
        assert not await asyncio.to_thread((tmp_path / "made").exists)


async def test_a_checkout_stays_while_a_process_reads_it(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many commits there are meanwhile; a process that died does not count."""
    monkeypatch.setattr("app.features.editions.repository._KEPT", 0)
    settings = Settings(
        _env_file=None, content_git=str(origin.path), content_git_dir=tmp_path / "content"
    ).of(EditionSettings)
    slow, other = Repository(settings), Repository(settings)
    commit = await other.newest()
    await other.obtain(commit)
    slow.use(commit)
    await other.remove_others([])
    assert (other.content(commit) / "pages/page.md").exists()
    slow.use()
    await other.remove_others([])
    assert not other.has(commit)
    assert [*(tmp_path / "content" / "checkouts").iterdir()] == []
    with pytest.raises(FileNotFoundError):
        slow.use(commit)


@asynccontextmanager
async def busy(executor: BoundedExecutor) -> AsyncIterator[None]:
    """Let all that needs an executor wait, inside."""
    gate = Event()
    holding = [asyncio.create_task(executor.run(gate.wait)) for _ in range(executor._threads + 1)]
    try:
        await until(lambda: not executor._permits._value)
        yield
    finally:
        gate.set()
        await asyncio.gather(*holding)


async def test_what_is_begun_is_shown_before_the_newest(
    origin: Origin, running: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Else nothing was shown while pushes come faster than they are prepared."""
    caplog.set_level(logging.INFO)
    async with running(origin.path) as service:
        commits = []
        async with busy(services_of(service.app).executors.edits):
            for number in range(3):
                push = {"pages/page.md": PAGE % number}
                commits.append(await asyncio.to_thread(origin.push, push))
                await service.editions.pull()
                await until(lambda: service.editions._switch.wanted == commits[-1])
            waiting = (await service.health())["editionWaitingSec"]
            assert waiting == int(service.editions.waiting_seconds)
            samples = services_of(service.app).metrics.samples()
            assert samples["majlis_content_waiting_seconds", ()][0] > 0
        await service.shows("Text 2.")
        await until(lambda: not service.editions.waiting_seconds)
        assert (await service.health())["editionWaitingSec"] == 0
        served = [each for each in caplog.messages if each.endswith(" is served")]
        assert served == [f"Commit {commits[number]} is served" for number in (0, 2)]
        assert service.settings.content_dir.resolve().name == commits[2]


async def test_the_header_is_of_the_same_edition_as_the_body(origin: Origin, running: Any) -> None:
    """Also of a request that began before the switch, and of one that waits for its response."""
    async with running(origin.path) as service:
        executors = services_of(service.app).executors
        async with busy(executors.pages):
            waiting = [asyncio.create_task(service.get("/en/page.md")) for _ in range(3)]
            await until(lambda: executors.pages.is_crowded)
            commit = await asyncio.to_thread(origin.push, {"pages/page.md": PAGE % "two"})
            await service.editions.pull()
            await until(lambda: service.editions.commit == commit)
        for reply in await asyncio.gather(*waiting):
            assert "Text two." in await reply.get_data(as_text=True)
            assert reply.headers[HEADER] == commit
        for _ in range(2):  # from the cache
            assert (await service.get("/en/page.md")).headers[HEADER] == commit
        assert (await service.get("/en/nowhere")).headers[HEADER] == commit


async def test_a_start_says_what_it_does(
    origin: Origin, running: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """And a push later on does not."""
    caplog.set_level(logging.INFO)
    async with running(origin.path) as service:
        await service.editions.pull()
    steps = [each.getMessage() for each in caplog.records if each.name == "app.services"]
    assert [step.split()[0] for step in steps] == ["Fetching", "Checking", "Loading"]


async def test_a_repository_that_cannot_be_read_is_tried_again(
    origin: Origin, running: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The service starts, tells the reason without a user, and serves as soon as it can."""
    moved = origin.path.rename(tmp_path / "away.git")
    origin.path.mkdir()
    async with running(f"file://noor@{origin.path}") as service:
        assert (await service.get("/en/page.md")).status_code == 503
        assert "git fetch failed: fatal: " in caplog.text  # the first line of git
        assert "noor@" not in caplog.text
        told = (await service.health())["bootstrapError"]
        assert told == "New content cannot be fetched; the log says why"
        samples = services_of(service.app).metrics.samples()
        assert samples["majlis_content_stale", ("fetch_failed",)]
    origin.path.rmdir()
    moved.rename(origin.path)
    async with running(origin.path) as service:
        await service.shows("Text one.")


async def test_what_a_killed_git_leaves_does_no_harm(origin: Origin, tmp_path: Path) -> None:
    """Its locks, a copy that is not complete, and checkouts of which it knows too little."""
    folder = tmp_path / "content"
    settings = Settings(_env_file=None, content_git=str(origin.path), content_git_dir=folder)
    repository, copy = Repository(settings.of(EditionSettings)), folder / "repository.git"

    async def checks_out(*left: Path) -> Path:
        for each in left:
            each.parent.mkdir(parents=True, exist_ok=True)
            each.touch()
        async with repository.locked():
            commit = await repository.newest()
            await repository.check_out(commit)
        assert (repository.content(commit) / "pages/page.md").exists()
        return repository.content(commit)

    def forget(checkout: Path) -> Path:
        checkout.with_name(f"{checkout.name}.complete").unlink()
        return copy / "worktrees" / checkout.name

    checkout = await checks_out(copy / "HEAD.lock")
    (copy / "HEAD").unlink()
    await checks_out(copy / "packed-refs.lock", copy / "refs/heads/content.lock")
    known = forget(checkout)
    await checks_out(known / "locked", known / "index.lock")
    shutil.rmtree(forget(checkout))
    await checks_out(checkout / "pages/page.md")


async def test_the_doctor_asks_the_repository(origin: Origin, tmp_path: Path) -> None:
    """Nothing is fetched, and no user is named."""

    async def problem(address: str | Path, ref: str = "main") -> str | None:
        settings = Settings(
            _env_file=None,
            content_git=str(address),
            content_git_ref=ref,
            content_git_dir=tmp_path / "content",
        )
        [asked] = [await receiver_facts(each) for each in receivers_of(settings)]
        return asked.problem

    assert await problem(origin.path) is None
    assert await problem(origin.path, "later") == "it has no branch or tag later"
    said = await problem("ssh://noor@127.0.0.1:1/content.git")
    assert said
    assert "Connection refused" in said
    assert "noor" not in said
    assert not (tmp_path / "content").exists()


class _Protected(SimpleHTTPRequestHandler):
    """Serves a repository to those who know the password."""

    def do_GET(self) -> None:
        """Answer, or ask for the password."""
        if self.headers.get("Authorization") == WANTED:
            super().do_GET()
            return
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="content"')
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


PASSWORD = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
WANTED = f"Basic {base64.b64encode(f'noor:{PASSWORD}'.encode()).decode()}"


@pytest.fixture
def address(origin: Origin) -> Iterator[str]:
    """The address of the repository over HTTP."""
    git(origin.path, "update-server-info")
    handler = partial(_Protected, directory=str(origin.path.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/origin.git"
        server.shutdown()


async def test_credentials_are_those_of_git(
    address: str, running: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A credential helper is asked; without one the fetch fails, without a question."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    async with running(address) as service:
        assert (await service.get("/en/page.md")).status_code == 503
    helper = f"!f() {{ echo username=noor; echo password={PASSWORD}; }}; f"
    configuration = {"COUNT": "1", "KEY_0": "credential.helper", "VALUE_0": helper}
    for name, value in configuration.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    async with running(address) as service:
        assert "Text one." in await service.text()
    assert PASSWORD not in caplog.text


async def test_a_deploy_key_is_given_to_ssh(
    origin: Origin, running: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other key is tried, and nothing is asked; here ssh runs the command on this machine."""
    ssh, key = tmp_path / "programs" / "ssh", tmp_path / "deploy key"
    ssh.parent.mkdir()
    ssh.write_text(
        f'#!/bin/sh\necho "$@" > "{ssh}.log"\nfor last; do :; done\nexec sh -c "$last"\n'
    )
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", str(ssh.parent), prepend=":")
    address = f"git@git.example.test:{origin.path}"
    async with running(address, content_git_key_file=key) as service:
        assert "Text one." in await service.text()
    told = await asyncio.to_thread(Path(f"{ssh}.log").read_text)
    assert f"-i {key} -o IdentitiesOnly=yes -o BatchMode=yes" in told


@cases(
    "given",
    [
        {"content_git": "https://noor:secret@git.example.test/site"},
        {"content_git": "ext::sh -c true"},
        {"content_git": "--upload-pack=true"},
        {"content_git": "https://git.example.test/site", "content_dir": Path("docs")},
        {"content_git_ref": "--upload-pack=true"},
        {"content_git_ref": "main:main"},
        {"content_git_folder": "../outside"},
        {"content_git_folder": "/etc"},
        {"content_git_secret": "short"},
        {"content_git_secret": "whsec_not base64"},
    ],
)
def test_settings_that_are_refused(given: dict[str, Any]) -> None:
    """They would tell a password, run a program, or read other files."""
    with pytest.raises(ValidationError) as refused:
        Settings(_env_file=None, **given)
    assert "noor:secret" not in str(refused.value.errors()[0]["msg"])
