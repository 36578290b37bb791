"""Commit dates: when the posts of a Git checkout were last committed, for posts without a date.

Git is asked once for each state of the checkout, without a shell, for at most some seconds. A
foreign repository can have any configuration, so that everything in it that runs a program is
turned off. Without Git, or outside a checkout, there are no dates.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import which

from knowledge.documents.document import Document
from knowledge.documents.files import FileFingerprint, fingerprint_of
from knowledge.fields.content_types import POST
from knowledge.fields.field_types import on_own_day
from knowledge.fields.merging import with_value

_MAX_CHARACTERS = 4_096

Checkout = tuple[FileFingerprint | None, ...]
"""The state of a checkout: the fingerprints of the files that change with each commit."""


@dataclass(frozen=True, eq=False, slots=True)
class CommitDates:
    """The date of the last commit of each post, by path; `checkout` is the state that Git read."""

    checkout: Checkout | None = None
    dates: Mapping[str, datetime] | None = None
    """None if they were not needed yet."""

    dated: Mapping[str, tuple[Document, Document]] | None = None
    """The documents that got a date, by path: as in the file, and with the date."""


NO_COMMITS = CommitDates()


def with_commit_dates(
    root: Path, documents: Mapping[str, Document], before: CommitDates
) -> tuple[Mapping[str, Document], CommitDates]:
    """Return the documents, of which undated posts have the date of their last commit."""
    undated = _undated(documents.values())
    commits = _refreshed(root, before) if undated else before
    dates, known = commits.dates or {}, before.dated or {}
    dated = {
        path: _dated(document, dates[path], known.get(path))
        for path, document in undated.items()
        if path in dates
    }
    if not dated:
        return documents, commits
    with_dates = {
        path: dated[path][1] if path in dated else each for path, each in documents.items()
    }
    return with_dates, replace(commits, dated=dated)


def _undated(documents: Iterable[Document]) -> Mapping[str, Document]:
    """Return the broadest file of each post of which no file has a date, by path."""
    posts = [document for document in documents if document.kind.folder == POST.folder]
    broadest: dict[str, Document] = {}
    for document in posts:
        if document.fields.published_at is not None:
            continue
        first = broadest.setdefault(document.chosen_slug or document.slug, document)
        if document.layer.order < first.layer.order:
            broadest[document.chosen_slug or document.slug] = document
    if not broadest:
        return {}
    dated = {
        slug
        for document in posts
        if document.fields.published_at is not None
        for slug in (document.slug, document.chosen_slug)
    }
    return {
        document.path: document
        for document in broadest.values()
        if dated.isdisjoint({document.slug, document.chosen_slug} - {None})
    }


def _dated(
    document: Document, date: datetime, before: tuple[Document, Document] | None
) -> tuple[Document, Document]:
    """Return a document without and with a date; the previous ones if nothing changed."""
    if before and before[0] is document and before[1].fields.published_at == date:
        return before
    fields = with_value(document.fields, "published_at", date)
    return document, replace(document, fields=fields)


def _refreshed(root: Path, before: CommitDates) -> CommitDates:
    """Return the dates of the present state of the checkout."""
    checkout = _checkout(root)
    if before.dates is not None and before.checkout == checkout:
        return before
    dates = dict(_dates(_log(root))) if checkout else {}
    return CommitDates(checkout, before.dates if dates == before.dates else dates)


def _checkout(root: Path) -> Checkout | None:
    """Return the state of the checkout that a folder is in, or None outside of one."""
    for folder in (root, *root.parents):
        git = folder / ".git"
        if git.is_file():  # a further work tree, or a submodule
            git = folder / _target(git)
        if (git / "HEAD").exists():
            names = ("HEAD", "logs/HEAD", "packed-refs", "shallow", _target(git / "HEAD"))
            return tuple(fingerprint_of(git, name) for name in names)
    return None


def _target(file: Path) -> str:
    """Return the path that a file names after a colon: `.git` a folder, `HEAD` a branch."""
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(_MAX_CHARACTERS).partition(":")[2].strip().replace("\0", "")
    except OSError:
        return ""


_MAX_SECONDS = 10.0

_OPTIONS = (
    "--no-pager",
    "-c",
    "safe.directory=*",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.quotePath=false",
    "-c",
    "diff.orderFile=/dev/null",
)
_LOG = (
    "log",
    "--name-only",
    "--relative",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-color",
    "--format=tformat:%x00%cI",
    "--",
    f"{POST}/",
)
_ENVIRONMENT: Mapping[str, str] = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def _log(root: Path) -> bytes:
    """Return what Git prints, newest commits first; what it printed so far if it takes too long."""
    git = which("git")
    if git is None:
        return b""
    try:
        done = subprocess.run(  # noqa: S603 - no part of the command is input
            [git, *_OPTIONS, *_LOG],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_MAX_SECONDS,
            check=False,
            cwd=root,
            env={"PATH": os.defpath, **_ENVIRONMENT},
        )
    except subprocess.TimeoutExpired as expired:
        return expired.stdout or b""
    except OSError:
        return b""
    return done.stdout


def _dates(log: bytes) -> Iterator[tuple[str, datetime]]:
    """Yield each path with the date of its last commit, which nobody made in the future."""
    moment, now = None, datetime.now(UTC)
    seen = set()
    for line in log.decode("utf-8", "replace").split("\n"):
        if line.startswith("\0"):
            moment = _past(line[1:], now)
        elif line and moment and line not in seen:
            seen.add(line)
            yield line, moment


def _past(text: str, now: datetime) -> datetime | None:
    """Return the date of a commit; None for one in the future, or that is none."""
    try:
        moment = datetime.fromisoformat(text)
        return on_own_day(moment) if moment <= now else None
    except (ValueError, TypeError, OverflowError):
        return None
