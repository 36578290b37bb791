"""Services that this one needs: the database, Redis, and those who are told of leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.operations.doctor.facts import Facts, Finding, fault, ok, warning
from app.platform.database import migrations
from app.platform.database.inspection import CHECK_SECONDS, DatabaseState
from app.platform.database.metadata import NEWEST
from app.platform.database.url import sqlite_file
from app.platform.keys import REMEDY, mismatch


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
        yield from _keys(facts, state.fingerprints)


def _revision(state: DatabaseState, *, is_file: bool) -> Finding:
    found = state.revision
    if found == NEWEST:
        return ok(f"The database answers, and its schema is {NEWEST}, as this version needs.")
    if found is not None and found not in migrations.known_revisions():
        return fault(
            f"The schema is {found}, which a newer version of majlis created.",
            "Install that version, or restore a backup of this one.",
        )
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
