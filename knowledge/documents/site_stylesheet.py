"""The stylesheet of the site itself, `_static/site.css`, which all pages link."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.assets import read_asset
from knowledge.documents.files import FileFingerprint
from knowledge.fields.file_types import STATIC_FOLDER

SITE_STYLESHEET = f"{STATIC_FOLDER}/site.css"


@dataclass(frozen=True, slots=True)
class SiteStylesheet:
    """One version of the stylesheet."""

    fingerprint: FileFingerprint
    digest: str

    @property
    def url(self) -> str:
        """The path with which pages link it; another text has another path."""
        return f"/{SITE_STYLESHEET}?v={self.digest}"


def load_stylesheet(
    root: Path, fingerprint: FileFingerprint | None, before: SiteStylesheet | None = None
) -> SiteStylesheet | None:
    """Return the stylesheet, or None if there is none; the previous one if it did not change."""
    if fingerprint is None:
        return None
    if before is not None and before.fingerprint == fingerprint:
        return before
    try:
        content = read_asset(root, SITE_STYLESHEET)
    except ContentFileError:
        return before
    return SiteStylesheet(fingerprint, blake2b(content, digest_size=8).hexdigest())
