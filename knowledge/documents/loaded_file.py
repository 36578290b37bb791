"""Loaded files: the result of reading one version of a content file."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.documents.content_path import ContentPath
from knowledge.documents.document import Document
from knowledge.documents.files import FileFingerprint
from knowledge.locales.locale import Language


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """The result of loading one version of a file.

    If `diagnostics` contain an error, `document` is the last good version, or None.
    """

    fingerprint: FileFingerprint
    name: ContentPath
    document: Document | None
    diagnostics: tuple[Diagnostic, ...]
    site_language: Language
    """The language that it was read in if it states none."""

    def is_valid_in(self, language: Language) -> bool:
        """Return whether the result is the same if the site has this language."""
        states = self.document is not None and self.document.states_language
        return states or self.site_language is language
