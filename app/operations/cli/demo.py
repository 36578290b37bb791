"""`majlis demo`: serves a copy of the sample site, and prints what to try with it."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from shutil import which
from string import Template
from tempfile import TemporaryDirectory

import click

from app.console import command_settings
from app.feature import Demo, features
from app.operations.cli.serve import open_sockets, require_loopback, run_single
from app.operations.live_reload import LiveReload
from app.platform.database.url import SQLITE
from app.platform.observability.logs import log_to_stderr
from app.platform.sample import write_sample
from app.platform.secret_files import secret_variables
from app.settings import Settings

_SITE = (
    Demo(
        title="One address, as HTML, as markdown and as JSON",
        line=(
            "for type in text/html text/markdown application/json; do "
            """curl -s -H "Accept: $$type" $url/sa/ar/erp | head -n 8 | cut -c 1-300; done"""
        ),
    ),
    Demo(
        title="A question, and the passage that answers it, with its address",
        line=(
            "curl -s -G $url/api/public/v1/search -H 'Accept: text/markdown' "
            "-d limit=1 --data-urlencode 'q=How long does a rollout take?'"
        ),
    ),
)
"""What the service shows without any feature."""


@click.command()
@click.option("--host", default="127.0.0.1", help="Address of this machine.")
@click.option("--port", type=int, default=0, show_default="a free one", help="Port of the site.")
@click.pass_context
def demo(context: click.Context, host: str, port: int) -> None:
    """Serve the sample site, and print six things to try, each with a line for a shell.

    The demo listens on this machine alone. Its content, its database and all else that it writes
    are in a temporary folder, which is removed when Ctrl-C ends the demo. Variables of the service
    and files .env have no effect on it.
    """
    # In reverse, so that the report on who reads the site comes after what is read.
    added = (each.demo for each in reversed(features()) if each.demo)
    tour = (*_SITE, *added)
    with TemporaryDirectory(prefix="majlis-demo-") as folder, chdir(folder):
        content, database = Path(folder, "content"), f"{SQLITE}{folder}/majlis.db"
        write_sample(content)
        own = {"CONTENT_DIR": str(content), "DATABASE_URL": database, "LOG_LEVEL": "WARNING"}
        _replace_variables(
            own | {name: each for part in tour for name, each in part.variables.items()}
        )
        settings = command_settings(host=host, port=port)
        log_to_stderr(settings.log_level)
        sockets = open_sockets(settings)
        require_loopback(sockets, "The demo")
        settings = settings.model_copy(update={"port": sockets.public[0].getsockname()[1]})
        words = {"url": settings.public_url, "database": database, "sample": str(content)}
        for part in tour:
            if part.command:
                _run(context, [Template(word).substitute(words) for word in part.command])
        text = "\n".join(_lines(tour, words))
        run_single(settings, sockets, LiveReload, partial(click.echo, text))


def _replace_variables(variables: dict[str, str]) -> None:
    """Set these variables of the service alone, so that it reaches nothing of its operator."""
    known = {name.upper() for name in Settings.model_fields}
    known.update(secret_variables(Settings).values())
    for name in [name for name in os.environ if name.upper() in known]:
        del os.environ[name]
    os.environ.update(variables)


def _run(context: click.Context, words: list[str]) -> None:
    """Run a command of `majlis` in this process, without its output."""
    group = context.find_root().command
    with redirect_stdout(StringIO()):
        group.main(words, standalone_mode=False)


def _lines(tour: tuple[Demo, ...], words: dict[str, str]) -> Iterator[str]:
    """Yield what is printed: each part of the tour with its line."""
    here = Path(sys.executable).with_name("majlis")
    program = "majlis" if which("majlis") == str(here) else str(here)
    quoted = {name: shlex.quote(each) for name, each in (words | {"majlis": program}).items()}
    yield f"The sample site is at {words['url']}. Try these lines in another terminal:"
    for number, part in enumerate(tour, start=1):
        yield f"\n{number}. {part.title}\n\n   {Template(part.line).substitute(quoted)}"
    page = Path(words["sample"], "registry", "erp.md")
    yield f"\nOpen {words['url']}/ae/en/erp in a browser and edit {page}: the page follows."
    yield "Ctrl-C ends the demo and removes its folder."
