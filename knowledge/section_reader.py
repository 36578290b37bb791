"""The reader of a section: what its items depend on besides their text."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.content_view import ContentView
from knowledge.locale import Language


@dataclass(frozen=True, slots=True)
class SectionReader:
    """The readers of one locale."""

    view: ContentView

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.view.locale.language
