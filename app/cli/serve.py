"""`majlis serve`: the service on Hypercorn, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress

import click
import uvloop
from hypercorn.asyncio import serve as hypercorn_serve
from hypercorn.config import Config

from app import logs
from app.cli.settings import command_settings
from app.database.database import Database
from app.database.errors import SchemaMismatch, StoreUnavailable
from app.factory import create_app
from app.settings import Settings

KEEP_ALIVE_SECONDS = 75
"""Longer than proxies keep an idle connection, so that none sends a request into its end."""

GRACEFUL_SECONDS = 25.0
"""How long answers under way may take after a stop signal."""


@click.command()
@click.option("--host", help="Address to listen on, instead of HOST.")
@click.option("--port", type=int, help="Port to listen on, instead of PORT.")
def serve(host: str | None, port: int | None) -> None:
    """Serve the content until SIGTERM or SIGINT; answers under way are finished first."""
    given = {"host": host, "port": port}
    settings = command_settings(
        **{name: value for name, value in given.items() if value is not None}
    )
    logs.install(settings.log_level)
    try:
        uvloop.run(_serve(settings))
    except SchemaMismatch as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"PORT: {settings.host}:{settings.port} cannot be listened on: {reason}"
        raise click.ClickException(message) from None


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)

    async def stopped() -> None:
        await stop.wait()

    await _prepare_database(settings)
    await hypercorn_serve(create_app(settings), _config(settings), shutdown_trigger=stopped)


async def _prepare_database(settings: Settings) -> None:
    """Refuse to start on another schema; a database that is away may come back."""
    async with Database(settings.database_url) as database:
        with suppress(StoreUnavailable):
            await database.prepare()


def _config(settings: Settings) -> Config:
    config = Config()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    config.bind = [f"{host}:{settings.port}"]
    config.graceful_timeout = GRACEFUL_SECONDS
    config.keep_alive_timeout = KEEP_ALIVE_SECONDS
    config.include_server_header = False
    config.errorlog = logging.getLogger("hypercorn")
    return config
