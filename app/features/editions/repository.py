"""The repository: a bare copy, and a checkout of each commit beside the last. git does the work.

All processes of a machine share the folder. One at a time runs git, by a lock of the system. A
repository may have links to anywhere, so nothing is written into a checkout, and its folder of
content is followed only inside.
"""

import asyncio
import fcntl
import json
import logging
import os
import re
import shlex
import shutil
import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from app.features.editions.settings import EditionSettings
from app.platform import VERSION
from app.platform.concurrency.programs import Ended, run_program, variables_named

log = logging.getLogger(__name__)


class RepositoryError(Exception):
    """git, or the check of a commit, failed; the message has no credentials."""


class Refusal(NamedTuple):
    """A commit that is not published, and why."""

    commit: str
    reason: str

    def __str__(self) -> str:
        return f"Commit {self.commit[:12]} is not published: {self.reason}"


_GIT_SECONDS = 120.0
"""How long git may take for one step."""
_LOOK_SECONDS = 10.0
"""How long git may take to tell whether a branch is there."""
_NO_SUCH_REF = 2
_CHECK_SECONDS = 900.0
"""How long `majlis check` may take for a commit, which may have very many pages."""
_LOCK_STEP_SECONDS = 0.1
_MAX_BYTES = 64 * 1024 * 1024
_OPTIONS = ("core.hooksPath=/dev/null", "gc.autoDetach=false", "maintenance.autoDetach=false")
_VARIABLES = (
    *("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "XDG_", "SSH_", "SSL_CERT_"),
    *("GIT_ASKPASS", "GIT_CONFIG", "GIT_SSH", "GIT_SSL_", "GIT_EXEC_PATH"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"),
)
"""How the names of the variables begin that git gets, for its credentials and proxies."""
_FIXED = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
}
_CHECK = "from app.operations.cli import main; main()"
_LOCKS = ("*.lock", "refs/**/*.lock", "worktrees/*/*.lock")
_USER = re.compile(r"//[^/@\s]*@")
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_COMPLETE = ".complete"
"""Ends the name of the file beside a checkout in which git has finished. Whoever reads the checkout
has a lock on it."""
_BRANCH = "refs/heads/content"
_KEPT = 5
"""Checkouts that stay, also if nobody reads them."""


class Repository:
    """The folder of `CONTENT_GIT_DIR`."""

    def __init__(self, settings: EditionSettings) -> None:
        self._settings = settings
        self.folder = settings.content_git_dir.resolve()
        self._copy = self.folder / "repository.git"
        self._link = self.folder / "current"
        self._refused = self.folder / "refused"
        self._inherited: tuple[int, ...] = ()
        self._used: dict[str, int] = {}

    @property
    def rules(self) -> str:
        """Names all that the check of a commit depends on besides the commit."""
        settings = self._settings
        return f"{VERSION} {settings.content_git_check} {settings.content_git_folder}"

    def content(self, commit: str) -> Path:
        """Return the content folder of a checkout; raises RepositoryError if it has none."""
        checkout, name = self._checkout(commit), self._settings.content_git_folder
        content = Path(os.path.realpath(checkout / name))
        if not content.is_relative_to(checkout):
            raise RepositoryError(f"its folder {name} is a link that leads out of the repository")
        if not content.is_dir():
            raise RepositoryError(f"it has no folder {name}")
        return content

    def use(self, *commits: str | None) -> None:
        """Let nobody remove these checkouts, unlike those used before; raises OSError."""
        for commit in self._used.keys() - set(commits):
            os.close(self._used.pop(commit))
        for commit in set(filter(None, commits)) - self._used.keys():
            self._used[commit] = os.open(self._mark(commit), os.O_RDONLY | os.O_CLOEXEC)
            fcntl.flock(self._used[commit], fcntl.LOCK_SH | fcntl.LOCK_NB)

    def commit_of(self, content: Path) -> str | None:
        """Return the commit of a content folder, None if it is none of a checkout."""
        with suppress(ValueError):
            name = content.relative_to(self.folder / "checkouts").parts[0]
            return name if _COMMIT.fullmatch(name) else None
        return None

    @property
    def published(self) -> str | None:
        """The commit that this machine published last, None before the first."""
        try:
            return self.commit_of(self.folder / self._link.readlink())
        except OSError:
            return None

    def publish(self, commit: str) -> None:
        """Make a commit the published one, at once, for a later start and for commands."""
        unfinished = self._link.with_name(f"current-{os.getpid()}")
        unfinished.unlink(missing_ok=True)
        unfinished.symlink_to(Path("checkouts", commit))
        unfinished.replace(self._link)

    @property
    def refusal(self) -> Refusal | None:
        """The commit that was refused last, unless a later one has been accepted."""
        try:
            commit, _, reason = self._refused.read_text(encoding="utf-8").partition("\n")
        except OSError:
            return None
        return Refusal(commit, reason)

    def refuse(self, refusal: Refusal | None) -> None:
        """Keep why a commit is refused, or that none is."""
        if refusal is None:
            self._refused.unlink(missing_ok=True)
            return
        unfinished = self._refused.with_suffix(".new")
        unfinished.write_text(f"{refusal.commit}\n{refusal.reason}", encoding="utf-8")
        unfinished.replace(self._refused)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Run git alone on this machine; raises TimeoutError and OSError.

        A program that outlives a killed process has the lock too, so locks of git itself that are
        there now are of a git that was killed.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            async with asyncio.timeout(_GIT_SECONDS + _CHECK_SECONDS):
                while not _locks(descriptor):  # noqa: ASYNC110  # of other processes
                    await asyncio.sleep(_LOCK_STEP_SECONDS)
            for left in chain.from_iterable(map(self._copy.glob, _LOCKS)):
                left.unlink()
            self._inherited = (descriptor,)
            yield
        finally:
            self._inherited = ()
            os.close(descriptor)

    async def newest(self) -> str:
        """Fetch the branch, and return its commit; raises RepositoryError."""
        await self._fetch(f"+{self._settings.content_git_ref}:{_BRANCH}")
        return await self._git("rev-parse", f"{_BRANCH}^{{commit}}")

    async def unreadable(self) -> str | None:
        """Return why the branch cannot be read, or None; nothing is fetched."""
        ref = self._settings.content_git_ref
        command = ("git", "ls-remote", "--exit-code", "--", self._settings.content_git, ref)
        try:
            ended = await self._run("git", *command, seconds=_LOOK_SECONDS)
        except RepositoryError as error:
            return str(error)
        if ended.status == _NO_SUCH_REF:
            return f"it has no branch or tag {ref}"
        return f"git says: {_said(ended, slice(3))}".rstrip(".") if ended.status else None

    async def obtain(self, commit: str) -> None:
        """Check out a commit, unless that has been done: no check of another one is waited for."""
        if not self.has(commit):
            async with self.locked():
                await self.check_out(commit)

    async def check_out(self, commit: str) -> None:
        """Check out a commit, unless that has been done; raises RepositoryError."""
        folder = self._checkout(commit)
        if self.has(commit):
            return
        if not await self._knows(commit):
            await self.newest()
        if not await self._knows(commit):
            await self._fetch(commit)
        if folder.exists():  # git was killed meanwhile, and may know nothing of it
            await asyncio.to_thread(shutil.rmtree, folder)
        await self._git("worktree", "prune")
        again = ("--force", "--force")  # the second one for what it has locked
        await self._git("worktree", "add", *again, "--quiet", "--detach", str(folder), commit)
        self._mark(commit).touch()

    def has(self, commit: str) -> bool:
        """Return whether a commit is checked out."""
        return self._mark(commit).exists() and self._checkout(commit).is_dir()

    async def problem_of(self, commit: str) -> str | None:
        """Return why the settings do not allow a commit to be published, or None."""
        allowed = self._settings.content_git_check
        try:
            content = self.content(commit)
        except RepositoryError as error:
            return str(error)
        if allowed == "off":
            return None
        command = (sys.executable, "-P", "-c", _CHECK, "check", str(content), "--format", "json")
        ended = await self._run("majlis check", *command, seconds=_CHECK_SECONDS)
        try:
            diagnostics = json.loads(ended.output)["diagnostics"]
        except (ValueError, LookupError):
            raise RepositoryError(f"majlis check failed: {_said(ended, slice(-2, None))}") from None
        refused = {"error"} if allowed == "errors" else {"error", "warning"}
        found = [each for each in diagnostics if each["severity"] in refused]
        if not found:
            return None
        more = f" (and {len(found) - 1} more)" if found[1:] else ""
        first = found[0]
        return f"{first['file']}:{first['line']}: {first['message'].rstrip('.')}{more}"

    async def remove_others(self, commits: Collection[str | None]) -> None:
        """Remove the checkouts of all other commits that nobody uses, but for the newest."""
        folders = filter(Path.is_dir, (self.folder / "checkouts").iterdir())
        for folder in sorted(folders, key=os.path.getctime, reverse=True)[_KEPT:]:
            if folder.name not in commits and not self._is_used(folder.name):
                self._mark(folder.name).unlink(missing_ok=True)
                await asyncio.to_thread(shutil.rmtree, folder)
        await self._git("worktree", "prune")

    def _is_used(self, commit: str) -> bool:
        with suppress(FileNotFoundError), self._mark(commit).open() as mark:
            return not _locks(mark.fileno())
        return False

    def _checkout(self, commit: str) -> Path:
        return self.folder / "checkouts" / commit

    def _mark(self, commit: str) -> Path:
        return self.folder / "checkouts" / f"{commit}{_COMPLETE}"

    async def _knows(self, commit: str) -> bool:
        try:
            await self._git("cat-file", "-e", f"{commit}^{{commit}}")
        except RepositoryError:
            return False
        return True

    async def _fetch(self, what: str) -> None:
        self._copy.mkdir(parents=True, exist_ok=True)
        await self._git("init", "--quiet", "--bare", str(self._copy))  # also if it was killed
        source = self._settings.content_git
        await self._git("fetch", "--quiet", "--no-tags", "--force", "--", source, what)

    async def _git(self, *arguments: str) -> str:
        options = (part for option in _OPTIONS for part in ("-c", option))
        command = ("git", "-C", str(self._copy), *options, *arguments)
        ended = await self._run("git", *command, seconds=_GIT_SECONDS)
        if ended.status:
            raise RepositoryError(f"git {arguments[0]} failed: {_said(ended, slice(3))}")
        return ended.output.decode().strip()

    async def _run(self, name: str, *command: str, seconds: float) -> Ended:
        variables = {**variables_named(*_VARIABLES), **_FIXED}
        if key := self._settings.content_git_key_file:
            ssh = ("ssh", "-i", str(key.absolute()), "-o", "IdentitiesOnly=yes")
            variables["GIT_SSH_COMMAND"] = shlex.join((*ssh, "-o", "BatchMode=yes"))
        try:
            return await run_program(
                *command,
                variables=variables,
                seconds=seconds,
                most_bytes=_MAX_BYTES,
                inherited=self._inherited,
            )
        except TimeoutError:
            raise RepositoryError(f"{name} took longer than {seconds:.0f} seconds") from None
        except (OSError, ValueError) as error:
            raise RepositoryError(f"{name} cannot be run: {error}") from None


def _said(ended: Ended, chosen: slice) -> str:
    """Return some lines of what a program says, without users of addresses.

    git says first why it failed, and Python at last.
    """
    lines = [line.strip() for line in ended.errors.decode(errors="replace").splitlines()]
    return _USER.sub("//", "; ".join([*filter(None, lines)][chosen])) or "it says nothing"


def _locks(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
