"""The services that get messages: whether their hosts are known, and the mail server answers."""

from __future__ import annotations

from collections.abc import Iterator

from app.operations.doctor.facts import Facts
from app.operations.doctor.finding import Finding, fault, ok


def judge(facts: Facts) -> Iterator[Finding]:
    """Judge each receiver that is set."""
    for receiver in facts.receivers:
        if receiver.problem:
            yield fault(
                f"{receiver.variable}: {receiver.host} cannot be used: {receiver.problem}.",
                f"Correct {receiver.variable}, or the name server and firewall of this machine.",
            )
        else:
            yield ok(f"{receiver.variable}: {receiver.host} is there.")
