"""The assessment of a lead: the points of every reason for which it looks like spam."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

THRESHOLD = 100
"""A lead with this score or more goes to quarantine."""


class Reason(StrEnum):
    """Why a lead looks like spam, or, with `released_`, why it does not."""

    HONEYPOT = "honeypot"
    LINKS = "links"
    MARKUP = "markup"
    PHRASES = "phrases"
    GIBBERISH = "gibberish"
    SCRIPT = "script"
    MIXED_SCRIPTS = "mixed_scripts"
    DISPOSABLE = "disposable"
    SAME_TEXT = "same_text"
    NETWORK = "network"
    VOLUME = "volume"
    NO_TOKEN = "no_token"  # noqa: S105  # a word, not a secret
    FOREIGN_TOKEN = "foreign_token"  # noqa: S105
    EXPIRED_TOKEN = "expired_token"  # noqa: S105
    TOO_FAST = "too_fast"
    NO_PROOF = "no_proof"
    PROOF_UNAVAILABLE = "proof_unavailable"
    RELEASED_SENDER = "released_sender"
    RELEASED_DOMAIN = "released_domain"
    RELEASED_TEXT = "released_text"


Points = Mapping[Reason, int]
"""Points by reason; negative ones speak for the lead."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Keyed digests by which leads of one origin are recognised; nothing can be read from them.

    `sketch` has a few digests of word sequences of the text: similar texts share most of them. It
    is empty for a short text.
    """

    sender: str
    domain: str
    network: str | None = None
    sketch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Assessment:
    """The points of a lead and its fingerprint."""

    points: Points
    fingerprint: Fingerprint

    @property
    def score(self) -> int:
        """The sum of the points, at least 0."""
        return max(sum(self.points.values()), 0)

    @property
    def is_spam(self) -> bool:
        """Whether the lead goes to quarantine: always with a filled honeypot."""
        return Reason.HONEYPOT in self.points or self.score >= THRESHOLD

    @property
    def reasons(self) -> str:
        """The reasons as they are stored: `links:50 no_token:60`."""
        return " ".join(f"{reason}:{number}" for reason, number in self.points.items())
