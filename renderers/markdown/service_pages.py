"""Pages of the service itself: errors and documentation, and the note on a preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from babel.lists import format_list

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language, Locale
from knowledge.resources.seo import Alternate, SeoPage, seo_page
from knowledge.resources.site_map import BuiltinPage
from knowledge.resources.site_page import PreviewNote
from knowledge.views.content_view import ContentView
from renderers.l10n.formats import date_time
from renderers.l10n.translation import translate
from renderers.representation import PAGE_MEDIA_TYPES


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """An error to render; `nearest` holds (title, site path) of pages with similar paths."""

    status: int
    locale: Locale
    base_url: str
    nearest: tuple[tuple[str, str], ...]


def error_texts(page: ErrorPage) -> tuple[str, str]:
    """Return the title and the explanation of an error in the language of its locale."""
    title, explanation = _TEXTS.get(page.status, _TEXTS[500 if page.status >= 500 else 400])
    language = page.locale.language
    media_types = format_list(PAGE_MEDIA_TYPES, locale=_LIST_LOCALES[language])
    return translate(title, language), translate(explanation, language, media_types=media_types)


_LIST_LOCALES = {Language.EN: "en_GB", Language.AR: "ar"}
_TEXTS = {
    400: (_("Bad request"), _("The address or a parameter in it cannot be read.")),
    403: (
        _("Not allowed"),
        _("This form is sent from its own page only. Please open the page and send it there."),
    ),
    404: (_("Page not found"), _("There is no page at this address.")),
    405: (_("Method not allowed"), _("This address can only be read.")),
    406: (
        _("No acceptable form"),
        _("This page exists as %(media_types)s."),
    ),
    410: (_("Page removed"), _("The page at this address has been removed for good.")),
    416: (_("No such part"), _("The file ends before the part that was asked for.")),
    429: (
        _("Too many requests"),
        _("You have sent this too often. Please wait some minutes and try again."),
    ),
    500: (_("Something went wrong"), _("The fault is on our side. Please try again.")),
    503: (_("Not available"), _("The content cannot be read at the moment. Please try again.")),
}


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


def preview_text(note: PreviewNote, locale: Locale) -> str:
    """Return the note in the language of the locale, with times of its country."""
    language, until = locale.language, date_time(note.valid_until, locale)
    if note.at:
        at = date_time(note.at, locale)
        return translate(
            _("Preview of %(at)s; link valid until %(until)s"), language, at=at, until=until
        )
    if note.is_public:
        return translate(_("Preview; link valid until %(until)s"), language, until=until)
    return translate(_("Preview, not published; link valid until %(until)s"), language, until=until)
