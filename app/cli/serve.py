"""`majlis serve`: runs the service until it receives a stop signal."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import click
import uvloop

from app import garbage_collection
from app.cli.foreign_source import refuse_foreign_source
from app.cli.settings import command_settings
from app.database.database import Database
from app.database.errors import SchemaMismatch, StoreUnavailable
from app.malloc import limit_malloc_arenas
from app.observability.log_output import LogFile
from app.observability.logs import log_to_stderr
from app.serving.listening_socket import bind, listen
from app.serving.run import ListeningSockets, serve_with_workers
from app.serving.server_packages import ServerNotInstalled, require_server
from app.settings import Settings

log = logging.getLogger(__name__)

Opener = Callable[[str, int], socket.socket]


@click.command()
@click.argument(
    "folder",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--host", help="Address to listen on (overrides HOST).")
@click.option("--port", type=int, help="Port to listen on (overrides PORT).")
@click.option(
    "--server",
    type=click.Choice(["hypercorn", "uvicorn", "granian"]),
    help="Server of HTTP (overrides SERVER).",
)
@click.option("--workers", type=click.IntRange(1), help="Number of worker processes.")
@click.option("--check", is_flag=True, help="End with what a start would say; change nothing.")
def serve(
    folder: Path | None,
    host: str | None,
    port: int | None,
    server: str | None,
    workers: int | None,
    check: bool,
) -> None:
    """Serve the content of FOLDER (default: CONTENT_DIR) until SIGTERM or SIGINT.

    Responses in progress are finished first. Without --workers, this process serves the requests
    itself. With --workers, SIGHUP replaces the worker processes without dropping a request.
    """
    limit_malloc_arenas()
    options = {"content_dir": folder, "host": host, "port": port, "server": server}
    settings = command_settings(
        **{name: value for name, value in options.items() if value is not None}
    )
    _check_server(settings)
    _check_access_log(settings, creates=not check)
    _check_mapping(settings)
    log_to_stderr(settings.log_level)
    refuse_foreign_source(settings.content_dir)
    serve_single = _serve_single() if workers is None else None
    sockets = _open_sockets(settings, bind if check else listen)
    _warn_of_links(settings, sockets)
    if check:
        sockets.close()
        # It examines the application, which a supervisor does not load.
        from app.cli.serve_check import check_start  # noqa: PLC0415

        check_start(settings)
        return
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        _prepare_database(settings, runner)
        if serve_single is not None:
            runner.run(serve_single(settings, sockets))
        if workers and not runner.run(serve_with_workers(settings, sockets, workers)):
            raise click.ClickException("No worker could start. See the log above for the reason.")


def _serve_single() -> Callable[[Settings, ListeningSockets], Coroutine[None, None, None]]:
    """Load the application, before a socket listens; a supervisor leaves that to its workers."""
    with garbage_collection.gc_frozen():
        from app.serving.single import serve_single  # noqa: PLC0415
    return serve_single


def _check_mapping(settings: Settings) -> None:
    """Refuse to start if a CRM would get nothing, or something else than was meant."""
    if settings.leads_mapping is None:
        return
    # A supervisor needs the models of leads for nothing else.
    from app.leads.lead_mapping import InvalidMapping  # noqa: PLC0415
    from app.notifications.service import mapping_of  # noqa: PLC0415

    try:
        mapping_of(settings)
    except InvalidMapping as error:
        raise click.ClickException(f"LEADS_MAPPING: {error}.") from None


def _check_access_log(settings: Settings, *, creates: bool) -> None:
    """Refuse to start if the file of the access log cannot be written."""
    file = settings.access_log_file
    if settings.access_log == "off" or file is None:
        return
    try:
        LogFile(file).check(creates=creates)
    except OSError as error:
        message = f"Cannot write {file} (ACCESS_LOG_FILE): {error.strerror or error}"
        raise click.ClickException(message) from None


def _check_server(settings: Settings) -> None:
    try:
        require_server(settings.server)
    except ServerNotInstalled as error:
        raise click.ClickException(str(error)) from None


def _warn_of_links(settings: Settings, sockets: ListeningSockets) -> None:
    """Warn if absolute links contain HOST and PORT, which other machines may not reach."""
    address = ip_address(sockets.public.getsockname()[0].partition("%")[0])
    if not settings.base_url and not address.is_loopback:
        log.warning(
            "BASE_URL is not set, but the service listens on %s. All absolute links start with "
            "%s. Set BASE_URL to the public address of the service.",
            settings.host,
            settings.public_url,
        )


def _prepare_database(settings: Settings, runner: asyncio.Runner) -> None:
    """Check the schema before any worker starts; an unavailable database is not an error."""

    async def prepare() -> None:
        async with Database(settings.database_url) as database:
            with suppress(StoreUnavailable):
                await database.prepare()

    try:
        runner.run(prepare())
    except SchemaMismatch as error:
        raise click.ClickException(str(error)) from None


def _open_sockets(settings: Settings, open_socket: Opener) -> ListeningSockets:
    host, monitoring = settings.host, settings.metrics_port
    return ListeningSockets(
        public=_open_socket(open_socket, "PORT", host, settings.port),
        monitoring=_open_socket(open_socket, "METRICS_PORT", host, monitoring)
        if monitoring
        else None,
    )


def _open_socket(open_socket: Opener, variable: str, host: str, port: int) -> socket.socket:
    try:
        return open_socket(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"Cannot listen on {host}:{port} ({variable}): {reason}"
        raise click.ClickException(message) from None
