"""The machine: its clock, its folders, and the space that is left on their disks."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from app.operations.doctor.facts import Answer, Facts, Finding, FolderFacts, fault, ok, warning

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


def _ahead(answer: Answer) -> float | None:
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


_CONTENT, _DATABASE = "CONTENT_DIR", "DATABASE_URL"


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
        return fault(f"CONTENT_DIR: {folder.path} is not a folder.", "Create it, or mount it.")
    if not folder.readable:
        return fault(
            f"CONTENT_DIR: {folder.path} cannot be read.",
            f"Give the user of the service the right: chmod -R u+rX {folder.path}",
        )
    return ok(f"CONTENT_DIR: {folder.path} can be read.")


def _written(folder: FolderFacts) -> Finding:
    name = f"{folder.variable}: {folder.path}"
    if folder.exists and folder.readable and folder.writable:
        return ok(f"{name} can be written.")
    if not folder.exists and folder.may_create:
        return ok(f"{name} does not exist yet, and can be created.")
    what = "cannot be written" if folder.exists else "does not exist, and cannot be created"
    message = f"{name} {what}."
    remedy = "Give it to the user of the service, and check that it is not mounted read-only."
    if folder.variable == _DATABASE:
        return fault(message, remedy)
    return warning(message, remedy)
