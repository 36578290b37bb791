"""The space that is left on the file systems of the folders."""

from __future__ import annotations

from collections.abc import Iterator

from app.operations.doctor.facts import Facts, FolderFacts
from app.operations.doctor.finding import Finding, fault, ok, warning

FULL_BYTES = 100 * 1024**2
"""With less, a start may fail: an index of a large site has this size."""
LOW_BYTES = 1024**3
LOW_SHARE = 0.05
LOW_FILES_SHARE = 0.02


def judge(facts: Facts) -> Iterator[Finding]:
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
