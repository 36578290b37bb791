"""Redis: whether it answers, within the time that requests wait for it."""

from __future__ import annotations

from collections.abc import Iterator

from app.operations.doctor.facts import Facts
from app.operations.doctor.finding import Finding, fault, ok, warning


def judge(facts: Facts) -> Iterator[Finding]:
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
