"""Documentation pages of the service itself, written in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.locales.locale import Language
from knowledge.resources.builtin_pages import BuiltinPage
from knowledge.resources.seo import Alternate, SeoPage, seo_page
from knowledge.views.content_view import ContentView


@dataclass(frozen=True, slots=True)
class DocumentationPage:
    """A documentation page in one language; `text` is CommonMark without the title."""

    view: ContentView
    page: BuiltinPage
    text: str
    language: Language = Language.EN
    updated_at: datetime | None = None
    alternates: Sequence[Alternate] = ()
    index_path: str = "/llms.txt"

    @property
    def path(self) -> str:
        """The canonical site path."""
        return self.page.path

    @property
    def seo(self) -> SeoPage:
        """The metadata for search engines."""
        return seo_page(self.view, self.path)
