"""The machine of a reader who types the commands of a guide, one after the other.

Folders such as `/etc` and `/var` are below one of the test. Programs that need more than a machine
for tests has are stand-ins in `programs/`: they check what they are told, and do our part of it.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from contextlib import suppress
from getpass import getuser
from pathlib import Path
from shutil import copytree, ignore_patterns

from live.documents import ROOT
from live.fixtures import SAMPLE, made_of_sample, small_tree
from live.server import MAJLIS, START, environment, eventually, free_port, is_open

PROGRAMS = Path(__file__).parent / "programs"
LANGUAGES = ("sh", "console", "cron")
"""The blocks that are typed."""

LATER = "---\ntitle: Later\npublishedAt: 2030-01-01\n---\n\n\n\n\nSee [it](/no-page).\n"
"""`posts/later.md`, of which the author's guide tells."""

FOLDERS = ("etc", "opt", "srv", "tmp", "var")
DEADLINE = 120.0

_PATH = re.compile(rf"(?<![\w./])/(?={'|'.join(FOLDERS)}\b)")
_SERVES = re.compile(r"\bmajlis serve\b(?!.* --check)|\b(?:uvicorn|hypercorn)\b")


class Machine:
    """A checkout of the repository with a small site or the sample, and a service once started."""

    def __init__(self, folder: Path, *, has_sample: bool) -> None:
        self.root = folder
        self.checkout = folder / "opt" / "majlis"
        self.content = self.checkout / "knowledge" / "content"
        self.port = free_port()
        self.checkout.mkdir(parents=True)
        files = ("Makefile", "pyproject.toml", "hatch_build.py")
        for name in (*files, "docs", "renderers", "requirements", "tests", ".venv"):
            (self.checkout / name).symlink_to(ROOT / name)
        copytree(
            ROOT / "deploy", self.checkout / "deploy", ignore=ignore_patterns("secrets", ".env")
        )
        if has_sample:
            copytree(SAMPLE, self.content)
        else:
            small_tree(self.content)
        (folder / "srv").mkdir()
        (folder / "srv" / "content").symlink_to(self.content)
        for name in ("etc/nginx/conf.d", "var/lib/majlis", "var/backups/majlis", "tmp"):
            (folder / name).mkdir(parents=True)
        self.environment = environment(
            PATH=os.pathsep.join(map(str, (PROGRAMS, MAJLIS.parent, os.environ["PATH"]))),
            PORT=str(self.port),
            UVICORN_PORT=str(self.port),
            BASE_URL="https://www.example.com",
            CONTENT_DIR=str(self.content),
            DATABASE_URL=f"sqlite:///{folder}/var/lib/majlis/majlis.db",
            MAKEFLAGS="n",  # make says what it would do: it installs, or runs for an hour
            SAMPLES_ROOT=str(ROOT),
            **(made_of_sample() if has_sample else {}),
        )
        self._service: subprocess.Popen[bytes] | None = None

    def here(self, text: str) -> str:
        """Return a text with the folders, addresses and accounts of this machine."""
        text = text.replace("sqlite:////", f"sqlite:///{self.root}/")
        text = _PATH.sub(f"{self.root}/", text)
        text = text.replace("majlis doctor", "majlis doctor --offline")  # there is no such site
        text = re.sub(r"\b(?:127\.0\.0\.1|localhost):8000\b", f"127.0.0.1:{self.port}", text)
        text = re.sub(r"--port \d+", f"--port {self.port}", text)
        text = re.sub(r"\bhypercorn ", f"hypercorn --bind 127.0.0.1:{self.port} ", text)
        text = text.replace("--workers 4", "--workers 2")  # as many as it has processors
        if "curl" in text or "npx" in text:
            text = text.replace("https://www.example.com", f"http://127.0.0.1:{self.port}")
        return text.replace("www-data", getuser())

    def type(self, text: str, *, may_fail: bool = False) -> str:
        """Run the lines of a block, each after the end of the one before, and return the output.

        A service stays in the background. A question is answered with yes.
        """
        lines = self.here(text).replace("\\\n", "").splitlines()
        return "".join(self._output(line, may_fail=may_fail) for line in lines)

    def _output(self, line: str, *, may_fail: bool) -> str:
        if _SERVES.search(line):
            self.serve(line)
            return ""
        if line.startswith(("curl", "npx")) and self._service is None:
            self.serve(f"MCP=on CONTENT_DIR={self.content} majlis serve")
        done = subprocess.run(
            ["/bin/bash", "-euo", "pipefail", "-c", line],
            cwd=self.checkout,
            env=self.environment,
            input="y\n",
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        assert may_fail or done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def serve(self, command: str) -> None:
        """Start a service in place of the one that runs, and wait until it answers."""
        self.stop()
        self._service = subprocess.Popen(
            ["/bin/bash", "-c", command],
            cwd=self.checkout,
            env=self._environment_of(command),
            start_new_session=True,
        )
        url = f"http://127.0.0.1:{self.port}/api/public/v1/health"
        check = ["curl", "-sf", "-o", os.devnull, url]
        eventually(lambda: is_open(self.port) or self._service_ended(command), within=3 * START)
        eventually(lambda: subprocess.run(check, check=False).returncode == 0, within=START)

    def _environment_of(self, command: str) -> dict[str, str]:
        """Return the variables of a command; content is from a folder or from a repository."""
        own = "CONTENT_GIT=" in command
        return {**self.environment, "CONTENT_DIR": ""} if own else self.environment

    def _service_ended(self, command: str) -> bool:
        assert self._service is not None
        assert self._service.poll() is None, command
        return False

    def stop(self) -> None:
        """Stop the service as systemd does, if one runs."""
        if self._service is not None:
            self._service.terminate()
            try:
                self._service.wait(DEADLINE)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(self._service.pid, signal.SIGKILL)
                self._service = None
