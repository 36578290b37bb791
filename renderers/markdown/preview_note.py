"""The note on a preview: that the page is not published, and until when its link is valid."""

from __future__ import annotations

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Locale
from knowledge.resources.site_page import PreviewNote
from renderers.l10n.formats import date_time
from renderers.l10n.translation import translate


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
