"""Gathering of facts: settings, files, database, Redis, receivers and peers."""

import asyncio
import os
import shutil
import socket
import stat
import struct
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from pkgutil import resolve_name
from time import monotonic
from urllib.parse import urlsplit

from pydantic_settings import DotEnvSettingsSource, EnvSettingsSource

from app.feature import Receiver, active_features, features, key_files, key_variable
from app.operations.doctor import Facts, FolderFacts, ReceiverFacts, RedisFacts
from app.operations.doctor.public_address import public_facts
from app.platform.clock import Clock
from app.platform.database.database import WAIT_SECONDS
from app.platform.database.inspection import inspect
from app.platform.database.url import sqlite_file
from app.platform.deliveries.smtp import greet, parse_smtp_url
from app.platform.keys import fingerprint
from app.platform.secret_files import SecretFiles, secret_variables
from app.settings import Settings
from app.tables import shared_keys

_SIMILARITY = 0.8


async def gather(settings: Settings, clock: Clock, *, offline: bool) -> Facts:
    """Return the facts; offline, without those of other services and of the public address."""
    async with asyncio.TaskGroup() as tasks:
        database = redis = public = None
        if not offline or sqlite_file(settings.database_url):
            inspection = inspect(settings.database_url, WAIT_SECONDS, clock)
            database = tasks.create_task(inspection)
        if settings.redis_url and not offline:
            redis = tasks.create_task(redis_facts(settings.redis_url))
        if not offline:
            public = tasks.create_task(public_facts(settings, clock))
        receivers = [
            tasks.create_task(receiver_facts(each))
            for each in receivers_of(settings)
            if not offline
        ]
    return Facts(
        settings=settings,
        now=clock(),
        user=os.geteuid(),
        similar_names=dict(_similar_names()),
        open_files=[*_open_files(settings)],
        folders=[folder_facts(*each) for each in folders_of(settings)],
        database=database.result() if database else None,
        keys=[(key, fingerprint(key.path)) for key in shared_keys(settings)],
        redis=redis.result() if redis else None,
        public=public.result() if public else None,
        receivers=[receiver.result() for receiver in receivers],
        peers=peers_of(settings.port),
    )


def _similar_names() -> Iterator[tuple[str, str]]:
    """Yield the variables that are no settings but resemble one, with that."""
    ours = {name.upper() for name in Settings.model_fields} | {*secret_variables(Settings).values()}
    in_file = (name.upper() for name in DotEnvSettingsSource(Settings).env_vars)
    for name in sorted({*os.environ, *in_file} - ours):
        for similar in get_close_matches(name, ours, 1, _SIMILARITY):
            yield name, similar


def _open_files(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield the files of secrets that every user of this machine may read, by their variables."""
    sources = SecretFiles(Settings, DotEnvSettingsSource(Settings), EnvSettingsSource(Settings))
    secrets = ((name, sources.file_of(of)) for of, name in secret_variables(Settings).items())
    keys = ((key_variable(name), path) for name, path in key_files(settings).items())
    for name, path in (*secrets, *keys):
        with suppress(OSError):
            if path and path.stat().st_mode & stat.S_IROTH:
                yield name, path


def folders_of(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield the folders that the service needs, by the settings that name them."""
    yield "CONTENT_DIR", settings.content_dir
    yield "INDEX_DIR", settings.index_dir
    yield "CACHE_DIR", settings.cache_dir
    for feature in active_features(settings):
        for name in feature.folders:
            yield name.upper(), getattr(settings, name)
    for name, key in key_files(settings).items():
        yield key_variable(name), key.parent
    if settings.access_log != "off" and settings.access_log_file is not None:
        yield "ACCESS_LOG_FILE", settings.access_log_file.parent
    file = sqlite_file(settings.database_url)
    if file is not None:
        yield "DATABASE_URL", file.parent


def folder_facts(variable: str, path: Path) -> FolderFacts:
    """Return the facts of a folder; it changes nothing, so it asks the system for the rights."""
    folder = path.absolute()
    existing = next(each for each in (folder, *folder.parents) if os.access(each, os.F_OK))
    usage, files = shutil.disk_usage(existing), os.statvfs(existing)
    return FolderFacts(
        variable=variable,
        path=path,
        exists=existing == folder and folder.is_dir(),
        readable=os.access(folder, os.R_OK | os.X_OK),
        writable=os.access(folder, os.W_OK | os.X_OK),
        may_create=existing.is_dir() and os.access(existing, os.W_OK | os.X_OK),
        owner=existing.stat().st_uid,
        device=existing.stat().st_dev,
        free_bytes=usage.free,
        total_bytes=usage.total,
        free_files=files.f_favail,
        total_files=files.f_files,
        target=folder.resolve() if folder.resolve() != folder else None,
    )


STORE_TIMEOUT_SECONDS = 3.0


async def redis_facts(url: str) -> RedisFacts:
    """Ask Redis twice, as the first answer includes the new connection."""
    from redis.exceptions import RedisError  # noqa: PLC0415  # of an extra

    from app.platform.limits.redis_store import PROCESSES, open_redis  # noqa: PLC0415

    redis = open_redis(
        url, socket_timeout=STORE_TIMEOUT_SECONDS, socket_connect_timeout=STORE_TIMEOUT_SECONDS
    )
    try:
        await asyncio.wait_for(redis.exists(PROCESSES), STORE_TIMEOUT_SECONDS)
        started = monotonic()
        await asyncio.wait_for(redis.exists(PROCESSES), STORE_TIMEOUT_SECONDS)
        return RedisFacts(monotonic() - started)
    except (OSError, RedisError) as error:
        return RedisFacts(problem=type(error).__name__)  # its message may have the password
    finally:
        await redis.aclose()


RECEIVER_TIMEOUT_SECONDS = 5.0


def receivers_of(settings: Settings) -> Iterator[Receiver]:
    """Yield the receivers of all features."""
    for feature in features():
        if feature.receivers:
            yield from resolve_name(feature.receivers)(settings)


async def receiver_facts(receiver: Receiver) -> ReceiverFacts:
    """Ask a receiver, log in to a mail server, or look up a host; the rest may be a secret."""
    variable, url = receiver.variable, receiver.url
    parts = urlsplit(url)
    if receiver.ask is not None:
        return ReceiverFacts(variable, parts.hostname or "it", await receiver.ask())
    if parts.scheme.startswith("smtp"):
        server = parse_smtp_url(url)  # as if to send a mail
        result = await greet(server, RECEIVER_TIMEOUT_SECONDS)
        return ReceiverFacts(variable, server.host, result.error)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(RECEIVER_TIMEOUT_SECONDS):
            await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except TimeoutError:
        return ReceiverFacts(
            variable, host, f"no answer within {RECEIVER_TIMEOUT_SECONDS:g} seconds"
        )
    except (OSError, UnicodeError) as error:
        return ReceiverFacts(variable, host, getattr(error, "strerror", None) or str(error))
    return ReceiverFacts(variable, host)


_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENING = "0A"
_MAPPED = "::ffff:"


def peers_of(port: int) -> frozenset[str]:
    """Return the addresses; none on systems that do not list them."""
    return frozenset(peer for table in _TABLES for peer in _peers(table, port))


def _peers(table: Path, port: int) -> Iterator[str]:
    try:
        lines = table.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        _, local, remote, state, *_ = line.split()
        if int(local.rpartition(":")[2], 16) == port and state != _LISTENING:
            yield address_of(remote.rpartition(":")[0])


def address_of(digits: str) -> str:
    """Return the address of its digits, which are in words of the machine's byte order."""
    words = [int(digits[start : start + 8], 16) for start in range(0, len(digits), 8)]
    packed = struct.pack(f"={len(words)}I", *words)
    family = socket.AF_INET if len(words) == 1 else socket.AF_INET6
    return socket.inet_ntop(family, packed).removeprefix(_MAPPED)
