"""The examination: all checks, in the order in which an operator mends what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from app.operations.doctor.checks import machine, public_address, services, settings
from app.operations.doctor.facts import Facts
from app.operations.doctor.finding import Finding

CHECKS: Mapping[str, Callable[[Facts], Iterator[Finding]]] = {
    "settings": settings.judge,
    "folders": machine.judge_folders,
    "disk": machine.judge_disk,
    "database": services.judge_database,
    "redis": services.judge_redis,
    "clock": machine.judge_clock,
    "proxies": public_address.judge_proxies,
    "tls": public_address.judge_tls,
    "public address": public_address.judge_public_address,
    "receivers": services.judge_receivers,
}


def examine(facts: Facts) -> Iterator[tuple[str, Finding]]:
    """Yield every finding with the name of its check."""
    for name, judge in CHECKS.items():
        for finding in judge(facts):
            yield name, finding
