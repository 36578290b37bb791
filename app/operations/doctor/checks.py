"""Checks of settings, clock, folders, disks and needed services, without input or output."""

from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from pkgutil import resolve_name

from app.feature import features
from app.operations.doctor import Facts, Finding, FolderFacts, HttpAnswer, fault, ok, warning
from app.operations.doctor.gathering import receivers_of
from app.platform.database.inspection import CHECK_SECONDS, DatabaseState
from app.platform.database.metadata import NEWEST, UPGRADE_FIRST, is_known
from app.platform.database.url import sqlite_file
from app.platform.keys import REMEDY, mismatch
from app.settings import Settings


def judge_settings(facts: Facts) -> Iterator[Finding]:
    """Judge what does not fit together, and names that may be misspelt."""
    misspelt = (
        warning(f"{name} is not a setting.", f"Write {similar} if you mean that.")
        for name, similar in facts.similar_names.items()
    )
    readable = (
        warning(
            f"{name}: every user of this machine may read {path}.",
            f"Let only the user of the service read it: chmod 400 {path}",
        )
        for name, path in facts.open_files
    )
    findings = [*misspelt, *readable, *_contradictions(facts.settings), *_unsigned(facts.settings)]
    yield from findings or [ok("All settings are valid.")]


def _contradictions(settings: Settings) -> Iterator[Finding]:
    if not settings.base_url:
        yield warning(
            f"BASE_URL is not set: all links start with {settings.public_url}.",
            "Set BASE_URL to the public address, such as https://www.example.com.",
        )
    if settings.metrics_port == settings.port:
        yield fault("METRICS_PORT and PORT are the same.", "Set METRICS_PORT to another port.")
    for feature in features():
        if feature.advice:
            yield from (warning(*advice) for advice in resolve_name(feature.advice)(settings))


def _unsigned(settings: Settings) -> Iterator[Finding]:
    for receiver in receivers_of(settings):
        if receiver.is_unsigned:
            secret = f"{receiver.variable.removesuffix('_URL')}_SECRET"
            yield warning(
                f"{secret} is not set: receivers cannot tell who sends.",
                f"Set {secret} to whsec_ and the output of `openssl rand -base64 32`.",
            )


WRONG_SECONDS = 5.0
VERY_WRONG_SECONDS = 60.0
_REMEDY = "Let both machines set their clocks by NTP: `timedatectl set-ntp true`."


def judge_clock(facts: Facts) -> Iterator[Finding]:
    """Judge the difference to each clock that can be asked."""
    if facts.database is not None and facts.database.ahead_seconds is not None:
        yield _difference(facts.database.ahead_seconds, "the database server's")
    if facts.public is not None:
        ahead = _ahead(facts.public.health)
        if ahead is not None:
            yield _difference(ahead, "the one of the public address")


def _ahead(answer: HttpAnswer) -> float | None:
    """Return how much Date is ahead; one that a cache kept tells nothing."""
    date = answer.headers.get("date")
    if date is None or answer.received_at is None or "age" in answer.headers:
        return None
    try:
        told = parsedate_to_datetime(date)
    except ValueError:
        return None
    return (told - answer.received_at).total_seconds() if told.tzinfo else None


def _difference(ahead: float, whose: str) -> Finding:
    seconds = abs(ahead)
    if seconds <= WRONG_SECONDS:
        return ok(f"The clock agrees with {whose}.")
    message = f"The clock is {seconds:.0f} seconds {'behind' if ahead > 0 else 'ahead of'} {whose}."
    return (fault if seconds > VERY_WRONG_SECONDS else warning)(message, _REMEDY)


FULL_BYTES = 100 * 1024**2
"""With less, a start may fail: an index of a large site has this size."""
LOW_BYTES = 1024**3
LOW_SHARE = 0.05
LOW_FILES_SHARE = 0.02


def judge_disk(facts: Facts) -> Iterator[Finding]:
    """Judge each file system once."""
    by_device: dict[int, list[FolderFacts]] = {}
    for folder in facts.folders:
        by_device.setdefault(folder.device, []).append(folder)
    for folders in by_device.values():
        yield _space(folders[0], ", ".join(folder.variable for folder in folders))


def _space(folder: FolderFacts, variables: str) -> Finding:
    free = f"{folder.free_bytes / 1024**2:,.0f} MiB are free for {variables}."
    remedy = "Delete what is not needed, such as old backups, or enlarge the disk."
    if folder.free_bytes < FULL_BYTES:
        return fault(f"The disk is full: {free}", remedy)
    if folder.free_bytes < min(LOW_BYTES, LOW_SHARE * folder.total_bytes):
        return warning(f"The disk is nearly full: {free}", remedy)
    if folder.total_files and folder.free_files < LOW_FILES_SHARE * folder.total_files:
        return warning(f"Few files can be created for {variables}: inodes are short.", remedy)
    return ok(free)


_CONTENT = "CONTENT_DIR"


def judge_folders(facts: Facts) -> Iterator[Finding]:
    """Judge each folder: content is read, the others are written or created."""
    for folder in facts.folders:
        yield judge_folder(folder)
    written = [folder for folder in facts.folders if folder.variable != _CONTENT]
    if facts.user == 0 and any(folder.owner != 0 for folder in written):
        yield warning(
            "Root may write every folder; the user of the service may not.",
            "Run this command as that user: sudo -u USER majlis doctor",
        )


def judge_folder(folder: FolderFacts) -> Finding:
    """Judge one folder."""
    return _content(folder) if folder.variable == _CONTENT else _written(folder)


def _content(folder: FolderFacts) -> Finding:
    if not folder.exists:
        return fault(
            f"CONTENT_DIR: {folder.path} is not a folder.",
            "Create it, or mount it. With CONTENT_GIT, a start of the service fetches it.",
        )
    if not folder.readable:
        return fault(
            f"CONTENT_DIR: {folder.path} cannot be read.",
            f"Give the user of the service the right: chmod -R u+rX {folder.path}",
        )
    linked = f" It leads to {folder.target}." if folder.target else ""
    return ok(f"CONTENT_DIR: {folder.path} can be read.{linked}")


def _written(folder: FolderFacts) -> Finding:
    name = f"{folder.variable}: {folder.path}"
    if folder.exists and folder.readable and folder.writable:
        return ok(f"{name} can be written.")
    if not folder.exists and folder.may_create:
        return ok(f"{name} does not exist yet, and can be created.")
    what = "cannot be written" if folder.exists else "does not exist, and cannot be created"
    message = f"{name} {what}."
    remedy = "Give it to the user of the service, and check that it is not mounted read-only."
    return (fault if folder.variable == "DATABASE_URL" else warning)(message, remedy)


def judge_database(facts: Facts) -> Iterator[Finding]:
    """Judge the database of DATABASE_URL; offline only a file."""
    state = facts.database
    if state is None:
        return
    if not state.exists:
        yield ok("DATABASE_URL: the file does not exist yet; the start creates it.")
    elif state.problem:
        yield fault(
            f"DATABASE_URL: the database cannot be read. {state.problem}",
            "Check the address, the server and the rights of the user.",
        )
    else:
        yield _revision(state, is_file=sqlite_file(facts.settings.database_url) is not None)
        yield from _health(state)
        yield from _connections(state, facts.settings.database_pool)
        yield from _keys(facts, state.fingerprints)


def _revision(state: DatabaseState, *, is_file: bool) -> Finding:
    found = state.revision
    if found == NEWEST:
        return ok(f"The database answers, and its schema is {NEWEST}, as this version needs.")
    if found is not None and found > NEWEST:
        return fault(
            f"The schema is {found}, which a newer version of majlis created.",
            "Install that version, or restore a backup of this one.",
        )
    if found is not None and not is_known(found):
        return fault(f"The schema is {found}, which is older than release 1.0.", UPGRADE_FIRST)
    message = f"The schema is {found or 'not there yet'}; this version needs {NEWEST}."
    if is_file:
        return ok(f"{message} The next start upgrades it.")
    return fault(message, "Run `majlis db upgrade`, then start the service.")


def _keys(facts: Facts, known: Mapping[str, str]) -> Iterator[Finding]:
    """Compare the keys of this machine with those that the other instances have."""
    findings = [
        (fault if own or key.needed else warning)(problem, REMEDY)
        for key, own in facts.keys
        if (problem := mismatch(key, own, known.get(key.variable)))
    ]
    if known and not findings:
        findings.append(ok("The keys of this machine are those of all instances."))
    yield from findings


def _health(state: DatabaseState) -> Iterator[Finding]:
    if state.damage:
        yield fault(
            f"The database file is damaged: {state.damage}",
            "Stop the service, keep a copy, and restore a backup.",
        )
    elif not state.is_checked:
        yield warning(
            f"The database file was not checked to its end within {CHECK_SECONDS:g} seconds.",
            "Check a backup instead: `majlis db backup FILE` reads all of it.",
        )
    if state.is_read_only:
        yield fault(
            "The database server accepts no writes.",
            "Use the primary server in DATABASE_URL, not a replica.",
        )


def _connections(state: DatabaseState, each: int) -> Iterator[Finding]:
    """Judge for how many processes the connections of the server suffice."""
    if state.connections is None or state.revision != NEWEST:
        return
    if state.is_pooled:
        yield ok("A pooler is before the database, whose own connections all processes share.")
        return
    processes = state.connections // (each + 1)
    message = f"The server allows {state.connections} connections, and DATABASE_POOL is {each}"
    if processes:
        yield ok(f"{message}: that is enough for {processes} processes.")
    else:
        yield warning(f"{message}.", "Lower DATABASE_POOL, or raise max_connections of the server.")


def judge_redis(facts: Facts) -> Iterator[Finding]:
    """Judge the Redis of REDIS_URL, if it is set."""
    if facts.redis is None:
        return
    allowed = facts.settings.redis_timeout_seconds
    if facts.redis.problem:
        yield fault(
            f"REDIS_URL: Redis does not answer ({facts.redis.problem}); each process counts alone.",
            "Start Redis, or correct the address, the password and the firewall.",
        )
    elif facts.redis.seconds > allowed:
        yield warning(
            f"Redis takes {facts.redis.seconds * 1000:.0f} ms; a request waits {allowed:g} s.",
            "Use a Redis that is nearer, or raise REDIS_TIMEOUT_SECONDS.",
        )
    else:
        yield ok(f"Redis answers within {facts.redis.seconds * 1000:.1f} ms.")


def judge_receivers(facts: Facts) -> Iterator[Finding]:
    """Judge each receiver that is set."""
    for receiver in facts.receivers:
        if receiver.problem:
            yield fault(
                f"{receiver.variable}: {receiver.host} cannot be used: {receiver.problem}.",
                f"Correct {receiver.variable}, or the name server and firewall of this machine.",
            )
        else:
            yield ok(f"{receiver.variable}: {receiver.host} is there.")
