"""Code in the working folder: neither the service nor a command imports it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from contract.visitor import write_tree
from live.server import Server, majlis

pytestmark = pytest.mark.slow

_MODULES = (
    *("app", "indexes", "knowledge", "llms", "renderers"),
    *("asyncio", "gc", "json", "logging", "os", "signal", "socket", "subprocess", "tempfile"),
    *("click", "hypercorn", "pydantic", "quart", "sqlalchemy", "uvloop", "whoosh", "yaml"),
    *("sitecustomize", "usercustomize"),
)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Fill the working folder with modules that, if they run, leave their name in this folder."""
    ran = tmp_path / "ran"
    ran.mkdir()
    for name in _MODULES:
        code = f"import pathlib\npathlib.Path({str(ran)!r}, {name!r}).touch()\n"
        write_tree(tmp_path, {f"{name}.py": code, f"{name}/__init__.py": code})
    return ran


@pytest.fixture
def witness(tmp_path: Path) -> Path:
    """A folder for `PYTHONPATH` that makes each process log its ID and command line."""
    file = tmp_path / "started.log"
    file.touch()
    code = f"import os, sys\nwith open({str(file)!r}, 'a') as log:\n"
    code += "    print(os.getpid(), *sys.orig_argv, file=log)\n"
    return write_tree(tmp_path / "witness", {"sitecustomize.py": code})


def process(witness: Path, command: str) -> int | None:
    """Return the ID of the process with this text in its command line, None before it starts."""
    lines = witness.with_name("started.log").read_text().splitlines()
    return next((int(line.split()[0]) for line in lines if command in line), None)


def test_a_service_runs_no_code_of_its_working_folder(
    start: Callable[..., Server], hostile: Path, witness: Path, tmp_path: Path
) -> None:
    """Neither in the supervisor, nor in a worker, which makes the search indexes."""
    post = "---\ntitle: A post\npublishedAt: 2026-01-01\n---\nText.\n"
    write_tree(tmp_path / "content", {"posts/post.md": post})
    server = start("--workers", "1", PYTHONPATH=str(witness))
    assert process(witness, "majlis serve") == server.process.pid
    assert process(witness, "app.server")
    assert [path.name for path in hostile.iterdir()] == []


def test_a_command_runs_no_code_of_its_working_folder(hostile: Path, tmp_path: Path) -> None:
    """`majlis check` is the command that imports the most."""
    content = write_tree(tmp_path / "content", {"pages/page.md": "---\ntitle: A\n---\nText.\n"})
    done = majlis("check", folder=tmp_path, variables={"CONTENT_DIR": str(content)})
    assert "Traceback" not in done.stderr
    assert [path.name for path in hostile.iterdir()] == []
