"""The rights on the folders of content, indexes, images, keys and the database."""

from __future__ import annotations

from collections.abc import Iterator

from app.operations.doctor.facts import Facts, FolderFacts
from app.operations.doctor.finding import Finding, fault, ok, warning

_CONTENT, _DATABASE = "CONTENT_DIR", "DATABASE_URL"


def judge(facts: Facts) -> Iterator[Finding]:
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
