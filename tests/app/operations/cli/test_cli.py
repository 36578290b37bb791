"""The command line starts fast: each command imports only what it needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from app.operations.cli import main
main(sys.argv[1:], standalone_mode=False)
print(*{name.partition(".")[0] for name in sys.modules})
"""


def printed(words: str) -> list[str]:
    """Return the output of a command, followed by the libraries that it imported."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words.split()], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "needed", "spared"),
    [
        pytest.param("leads list --help", "sqlalchemy", {"quart", "whoosh"}, id="leads"),
        pytest.param("orders list --help", "sqlalchemy", {"quart", "whoosh"}, id="orders"),
        pytest.param("deliveries list --help", "sqlalchemy", {"quart", "whoosh"}, id="deliveries"),
        pytest.param(
            "serve --help",
            "sqlalchemy",
            {"quart", "hypercorn", "mistune", "prometheus_client", "alembic"},
            id="serve",
        ),
        pytest.param("check --help", "knowledge", {"quart", "sqlalchemy"}, id="check"),
    ],
)
def test_a_command_imports_what_it_needs(words: str, needed: str, spared: set[str]) -> None:
    """Operators run many commands in scripts, so that the start matters."""
    imported = {*printed(words)[-1].split()}
    assert needed in imported
    assert not spared & imported


def test_the_help_names_every_command() -> None:
    """Each command has a description."""
    lines = printed("--help")
    for name in ("serve", "check", "leads", "orders", "deliveries", "db", "openapi"):
        assert any(line.split()[:1] == [name] for line in lines)
