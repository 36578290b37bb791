"""Examination of an installation: facts, gathered once, and what each check says of them.

Here are the facts, and the findings of the checks that judge them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from app.platform.database.inspection import DatabaseState
from app.platform.keys import SharedKey
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class FolderFacts:
    """A folder that the service needs; `variable` is the setting that names it.

    A link leads to `target`. If it does not exist, `may_create` tells whether the service can
    create it. The space is that of the file system on which it is, or will be.
    """

    variable: str
    path: Path
    exists: bool
    readable: bool
    writable: bool
    may_create: bool
    owner: int
    device: int
    free_bytes: int
    total_bytes: int
    free_files: int
    total_files: int
    target: Path | None = None


@dataclass(frozen=True, slots=True)
class RedisFacts:
    """How long Redis took to answer, or why it did not."""

    seconds: float = 0.0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An HTTP response, with header names in lower case; or why there was none."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    received_at: datetime | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """Until when the certificate is valid, or why a browser would refuse it."""

    valid_until: datetime | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """What the public address answers, as any client may ask it.

    `by_http` is the answer of the same host without TLS. `pages` are the answers of one address
    for HTML, for markdown and for HTML again. `hint` is the country that the service takes for a
    client without a header of the country, `hints` that for one that forges it, by what it writes:
    each country of the site.
    """

    health: HttpAnswer
    certificate: CertificateFacts | None = None
    by_http: HttpAnswer | None = None
    robots: HttpAnswer = field(default_factory=HttpAnswer)
    pages: Sequence[HttpAnswer] = ()
    hint: str | None = None
    hints: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReceiverFacts:
    """Another service; `host` is all that is shown of its address."""

    variable: str
    host: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the checks judge."""

    settings: Settings
    now: datetime
    user: int
    """The user who runs the command; 0 is root."""

    similar_names: Mapping[str, str]
    """Variables that are no settings, and the settings whose names they resemble."""

    open_files: Sequence[tuple[str, Path]]
    """Files of secrets that every user of the machine may read, with the variables that name them.
    """

    folders: Sequence[FolderFacts]
    database: DatabaseState | None
    keys: Sequence[tuple[SharedKey, str | None]]
    """The keys that instances share, each with the fingerprint of this machine's, if it has one."""

    redis: RedisFacts | None
    public: PublicFacts | None
    receivers: Sequence[ReceiverFacts]
    peers: frozenset[str]
    """Addresses that have connections to the port of the service."""


class Level(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence on what was found, and another with the remedy if it is not well."""

    level: Level
    message: str
    remedy: str = ""


def ok(message: str) -> Finding:
    """Return a finding that needs no remedy."""
    return Finding(Level.OK, message)


def warning(message: str, remedy: str) -> Finding:
    """Return a finding that deserves a look."""
    return Finding(Level.WARNING, message, remedy)


def fault(message: str, remedy: str) -> Finding:
    """Return a finding with which the service does not work as it is set up."""
    return Finding(Level.FAULT, message, remedy)
