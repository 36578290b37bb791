"""The command line starts fast: each command imports only what it needs."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from cases import cases

from app.operations.cli import main

PROGRAM = """
import sys
from app.operations.cli import main
for words in sys.argv[1:]:
    main(words.split(), standalone_mode=False)
print(*{name.partition(".")[0] for name in sys.modules})
"""


def printed(*commands: str) -> list[str]:
    """Return the output of commands, followed by the libraries that they imported."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *commands], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@cases(
    ("commands", "needed", "spared"),
    [
        pytest.param(
            ("leads list --help", "orders list --help", "deliveries list --help"),
            "sqlalchemy",
            {"httpx", "quart", "whoosh"},
            id="lists",
        ),
        pytest.param(
            ("serve --help",),
            "sqlalchemy",
            {"quart", "httpx", "hypercorn", "mistune", "prometheus_client", "alembic"},
            id="serve",
        ),
        pytest.param(("check --help",), "knowledge", {"quart", "sqlalchemy"}, id="check"),
    ],
)
def test_a_command_imports_what_it_needs(
    commands: tuple[str, ...], needed: str, spared: set[str]
) -> None:
    """Operators run many commands in scripts, so that the start matters."""
    imported = {*printed(*commands)[-1].split()}
    assert needed in imported
    assert not spared & imported


def test_the_help_names_every_command_without_importing_one() -> None:
    """It shows the help texts that the commands have, read from their sources."""
    lines = printed("--help")
    assert not {"sqlalchemy", "pydantic", "knowledge", "quart"} & {*lines[-1].split()}
    shown = "\n".join(lines[lines.index("Commands:") : -1])
    context = click.Context(main, info_name="majlis")
    formatter = context.make_formatter()
    click.Group.format_commands(main, context, formatter)
    assert shown.split() == formatter.getvalue().split()
