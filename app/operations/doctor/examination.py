"""The examination: all checks, in the order in which an operator mends what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from app.operations.doctor.checks import (
    clock,
    database,
    disk,
    folders,
    proxies,
    public_address,
    receivers,
    redis,
    settings,
    tls,
)
from app.operations.doctor.facts import Facts
from app.operations.doctor.finding import Finding

CHECKS: Mapping[str, Callable[[Facts], Iterator[Finding]]] = {
    "settings": settings.judge,
    "folders": folders.judge,
    "disk": disk.judge,
    "database": database.judge,
    "redis": redis.judge,
    "clock": clock.judge,
    "proxies": proxies.judge,
    "tls": tls.judge,
    "public address": public_address.judge,
    "receivers": receivers.judge,
}


def examine(facts: Facts) -> Iterator[tuple[str, Finding]]:
    """Yield every finding with the name of its check."""
    for name, judge in CHECKS.items():
        for finding in judge(facts):
            yield name, finding
