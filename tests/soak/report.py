"""The report: the results of a run, as markdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import median

from benchmarks.records import measured_now, put
from soak.run import Outcome
from soak.vitals import Life
from soak.world import World


def show(world: World, outcome: Outcome) -> None:
    """Print the report."""
    print("\n".join(_lines(world, outcome)))  # noqa: T201  # a command


def write(world: World, outcome: Outcome) -> None:
    """Write the report into the documentation page."""
    put("soak", _lines(world, outcome))


def _lines(world: World, outcome: Outcome) -> Iterator[str]:
    ledger = world.ledger
    yield f"{measured_now()}\n"
    yield f"{outcome.seconds:.0f} seconds, {ledger.total:,} responses, seed {world.seed}.\n"
    yield "| Guarantee | Result |\n|---|---|"
    for promise, seen in _promises(world):
        yield f"| {promise} | {seen} |"
    yield f"| guarantees violated | {len(outcome.wrong)} |"
    yield "\n| Requests | Responses by status |\n|---|---|"
    yield from (f"| {kind} | {statuses} |" for kind, statuses in _by_kind(world))
    yield "\n| Injected fault | Times |\n|---|---:|"
    yield from (f"| {what} | {number} |" for what, number in sorted(ledger.faults.items()))
    yield "\n| No response, because | Times |\n|---|---:|"
    yield from (f"| {why} | {number:,} |" for why, number in sorted(ledger.drops.items()))
    yield from of_lives(outcome.lives.long_lives or outcome.lives.lives)
    yield from (f"\n- {violation}" for violation in outcome.wrong)


def _promises(world: World) -> Iterator[tuple[str, str]]:
    ledger, accepted = world.ledger, world.hook.accepted
    seconds = ledger.edit_seconds or [0.0]
    again = sum(accepted.values()) - len(accepted)
    yield "leads acknowledged", f"{len(ledger.leads):,}"
    yield "pushes acknowledged", f"{len(ledger.pushes):,}"
    yield "deliveries received", f"{len(accepted):,}, {again} of them more than once"
    yield "deliveries first refused by the receiver", f"{world.hook.failed:,}"
    yield "edits visible", f"{len(ledger.edit_seconds):,}"
    yield "time until visible", f"median {median(seconds):.2f} s, maximum {max(seconds):.2f} s"


def _by_kind(world: World) -> Iterator[tuple[str, str]]:
    kinds: dict[str, dict[int, int]] = defaultdict(dict)
    for (kind, status), number in world.ledger.answers.items():
        kinds[kind][status] = number
    for kind, statuses in sorted(kinds.items()):
        yield (
            kind,
            ", ".join(f"{status}: {number:,}" for status, number in sorted(statuses.items())),
        )


def of_lives(lives: Iterable[Life]) -> Iterator[str]:
    """Yield the table of memory and open files."""
    yield "\n| Worker | Lived | Memory, 2nd and last quarter | Open files, 2nd and last quarter |"
    yield "|---|---:|---:|---:|"
    for life in lives:
        memory = [life.quarter(n, lambda each: each.memory_bytes) / 1e6 for n in (2, 4)]
        files = [life.quarter(n, lambda each: each.files) for n in (2, 4)]
        yield (
            f"| {life.pid} | {life.seconds:.0f} s | {memory[0]:.1f} MB, {memory[1]:.1f} MB "
            f"| {files[0]:.0f}, {files[1]:.0f} |"
        )
