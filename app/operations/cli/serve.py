"""`majlis serve`: starts the service, after a look at its settings and folders."""

import asyncio
import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click
import uvloop

from app.console import command_settings
from app.feature import features
from app.operations.importing import foreign_source
from app.platform import memory
from app.platform.database import SchemaMismatch, StoreUnavailable
from app.platform.database.database import Database
from app.platform.memory import limit_malloc_arenas
from app.platform.observability.logs import LogFile, log_to_stderr
from app.platform.settings import SAMPLE_CONTENT
from app.server.lifecycle import Monitoring
from app.server.sockets import CannotListen, ListeningSockets, bind
from app.server.supervisor import serve_with_workers
from app.settings import Settings
from app.tables import all_tables, shared_keys

log = logging.getLogger(__name__)


@click.command()
@click.argument(
    "folder",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--host", help="Address to listen on, or several with commas (overrides HOST).")
@click.option("--port", type=int, help="Port to listen on (overrides PORT).")
@click.option("--workers", type=click.IntRange(1), help="Number of worker processes.")
@click.option("--reload", is_flag=True, help="Pages in browsers load again after an edit.")
@click.option("--check", is_flag=True, help="End with what a start would say; change nothing.")
def serve(
    folder: Path | None,
    host: str | None,
    port: int | None,
    workers: int | None,
    reload: bool,
    check: bool,
) -> None:
    """Serve the content of FOLDER (default: CONTENT_DIR) until SIGTERM or SIGINT.

    Responses in progress are finished first. Without --workers, this process serves the requests
    itself. With --workers, SIGHUP replaces the worker processes without dropping a request.
    """
    if reload and workers is not None:
        raise click.UsageError("--reload needs a single process: leave --workers out.")
    limit_malloc_arenas()
    options = {"content_dir": folder, "host": host, "port": port}
    settings = command_settings(
        **{name: value for name, value in options.items() if value is not None}
    )
    _check_access_log(settings, creates=not check)
    _check_features(settings)
    log_to_stderr(settings.log_level)
    _require_content(settings)
    refuse_foreign_source(settings.content_dir)
    # A check on another port is one beside the service that has the port of monitoring.
    beside = {"metrics_port": None} if check and port is not None else {}
    sockets = open_sockets(settings.model_copy(update=beside))
    _warn_of_links(settings, sockets)
    if reload:
        require_loopback(sockets, "--reload")
    if check:
        sockets.close()
        # It examines the application, which a supervisor does not load.
        from app.operations.cli.doctor import check_start  # noqa: PLC0415

        check_start(settings)
        return
    if workers is None:
        run_single(settings, sockets, _wrap(reload))
        return
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        _prepare_database(settings, runner)
        monitoring = _monitoring(sockets.monitoring)
        if not runner.run(serve_with_workers(settings, sockets, monitoring, workers)):
            raise click.ClickException("No worker could start. See the log above for the reason.")


def run_single(settings: Settings, sockets: ListeningSockets, *more: Any) -> None:
    """Serve in this process; `more` are further arguments of `serve_single`."""
    with memory.gc_frozen():  # a supervisor leaves the application to its workers
        from app.server.process import serve_single  # noqa: PLC0415
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        _prepare_database(settings, runner)
        monitoring = _monitoring(sockets.monitoring)
        try:
            runner.run(serve_single(settings, sockets, monitoring, *more))
        except CannotListen as error:
            raise click.ClickException(str(error)) from None


def _wrap(reload: bool) -> Callable[..., object] | None:
    """Return what adds live reload to the application, None without it."""
    if not reload:
        return None
    from app.operations.live_reload import LiveReload  # noqa: PLC0415  # for authors alone

    return LiveReload


def require_loopback(sockets: ListeningSockets, what: str) -> None:
    """Refuse to show others what is for one person: it must listen on this machine alone."""
    for each in sockets.public:
        address = each.getsockname()[0].partition("%")[0]
        if not ip_address(address).is_loopback:
            sockets.close()
            raise click.ClickException(
                f"{what} is for your own machine: listen on 127.0.0.1 instead of {address}."
            )


def _monitoring(sockets: Sequence[socket.socket]) -> Monitoring:
    """Return what serves the monitoring port; without one nobody needs Prometheus' client."""
    if not sockets:
        return lambda _: nullcontext()
    from app.server.monitoring import monitoring_server  # noqa: PLC0415

    return partial(monitoring_server, sockets=sockets)


def _check_features(settings: Settings) -> None:
    """Refuse to start if a feature cannot do what the settings ask of it."""
    for feature in features():
        for setting, check in feature.start_checks.items():
            if getattr(settings, setting) is not None:
                resolve_name(check)(settings)


def _require_content(settings: Settings) -> None:
    """Refuse to start without any choice of content where the sample is not unpacked."""
    if settings.content_dir == SAMPLE_CONTENT and not SAMPLE_CONTENT.is_dir():
        raise click.ClickException(
            "There is no content to serve. Name a folder: majlis serve FOLDER, or CONTENT_DIR. "
            "majlis init FOLDER writes a new site, with --sample the sample."
        )


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


def _warn_of_links(settings: Settings, sockets: ListeningSockets) -> None:
    """Warn if absolute links contain HOST and PORT, which other machines may not reach."""
    addresses = [each.getsockname()[0].partition("%")[0] for each in sockets.public]
    if not settings.base_url and not all(ip_address(each).is_loopback for each in addresses):
        log.warning(
            "BASE_URL is not set, but the service listens on %s. All absolute links start with "
            "%s. Set BASE_URL to the public address of the service.",
            settings.host,
            settings.public_url,
        )


def _prepare_database(settings: Settings, runner: asyncio.Runner) -> None:
    """Check schema and keys before any worker starts; an unavailable database is not an error."""

    async def prepare() -> None:
        keys = shared_keys(settings)
        async with Database(settings.database_url, keys=keys, tables=all_tables) as database:
            with suppress(StoreUnavailable):
                await database.prepare()

    try:
        runner.run(prepare())
    except SchemaMismatch as error:
        raise click.ClickException(str(error)) from None


def open_sockets(settings: Settings) -> ListeningSockets:
    """Bind all sockets, which listen once there is somebody to answer."""
    public = _bind_all(settings.addresses, "PORT", settings.port)
    if not settings.metrics_port:
        return ListeningSockets(public)
    try:
        monitoring = _bind_all(settings.addresses, "METRICS_PORT", settings.metrics_port)
    except click.ClickException:
        ListeningSockets(public).close()
        raise
    return ListeningSockets(public, monitoring)


def _bind_all(hosts: Sequence[str], variable: str, port: int) -> Sequence[socket.socket]:
    """Bind each address; if the system picks the port, all get that of the first."""
    bound: list[socket.socket] = []
    for host in hosts:
        chosen = bound[0].getsockname()[1] if bound else port
        try:
            bound.append(bind(host, chosen))
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"Cannot listen on {host}:{chosen} ({variable}): {reason}"
            raise click.ClickException(message) from None
    return bound


def refuse_foreign_source(folder: Path) -> None:
    """End the command if a folder has no content, but a content folder or another source in it."""
    if problem := foreign_source(folder):
        raise click.ClickException(problem)
