"""The packages of the servers that are installed on request."""

from __future__ import annotations

from importlib.util import find_spec

_PACKAGES = {"uvicorn": ("uvicorn", "httptools"), "granian": ("granian",)}
"""The packages of each server, by the value of SERVER."""


class ServerNotInstalled(Exception):
    """The packages of a server are missing; the message says how to install them."""


def require_server(name: str) -> None:
    """Raise ServerNotInstalled if the packages of a server are missing."""
    if not all(map(find_spec, _PACKAGES.get(name, ()))):
        raise ServerNotInstalled(
            f"SERVER={name}, but {name} is not installed. Install it in the folder of the"
            f" repository with `.venv/bin/python -m pip install -r requirements-{name}.txt`,"
            " or unset SERVER."
        )
