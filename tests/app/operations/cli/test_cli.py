"""The command line starts fast: each command imports only what it needs."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import click
import pytest
from cases import cases

from app.operations.cli import main
from app.platform import VERSION

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


@cases("command", ["serve", "demo", "check"])
def test_a_slow_command_says_what_it_does_before_its_imports(command: str) -> None:
    """On a terminal; what collects a log reads from a pipe, and gets JSON alone."""
    blocked = f"sys.modules['app.operations.cli.{command}'] = None"
    program = f"import sys; from app.operations.cli import main; {blocked}; main(['{command}'])"
    ours, theirs = pty.openpty()
    words = [sys.executable, "-P", "-c", program]
    try:
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=theirs, check=False)
        shown = os.read(ours, 4_096).decode().splitlines()
    finally:
        os.close(ours)
        os.close(theirs)
    assert shown[0].startswith(f"Majlis {VERSION}: ")
    piped = subprocess.run(words, capture_output=True, text=True, check=False)
    assert piped.stderr.startswith("Traceback")


def test_the_help_names_every_command_without_importing_one() -> None:
    """It shows the help texts that the commands have, read from their sources."""
    lines = printed("--help")
    assert not {"sqlalchemy", "pydantic", "knowledge", "quart"} & {*lines[-1].split()}
    shown = "\n".join(lines[lines.index("Commands:") : -1])
    context = click.Context(main, info_name="majlis")
    formatter = context.make_formatter()
    click.Group.format_commands(main, context, formatter)
    assert shown.split() == formatter.getvalue().split()
