"""The languages of a site, found from its documents.

The main language is `lang` of `site/settings.md`. Without it, it is Arabic if a third of the
letters are Arabic in the texts that do not state their language: names and code are in Latin.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind, Severity
from knowledge.documents.document import Document
from knowledge.fields.content_types import SETTINGS, SITE
from knowledge.locales.locale import Language, Layer

_ARABIC_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class SiteLanguages:
    """The languages in which a site has texts, the main one first.

    `is_found` says that the main language is Arabic, and that only the texts say so.
    """

    main: Language = Language.EN
    used: tuple[Language, ...] = tuple(Language)
    is_found: bool = False

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """A notice if the main language was found from the texts."""
        if not self.is_found:
            return ()
        message = "The texts are in Arabic, so files that state no language are read as Arabic."
        kind = DiagnosticKind.FOUND_LANGUAGE
        path = f"{SITE}/{SETTINGS.slug}.md"
        suggestion = f"Add lang: ar to {path} to say so."
        return (Diagnostic(path, message, suggestion, severity=Severity.NOTICE, kind=kind),)


BOTH_LANGUAGES = SiteLanguages()


def languages_of(stated: Language | None, documents: Collection[Document]) -> SiteLanguages:
    """Return the languages of a site; one without any text has both."""
    main = stated or _language_of_texts(documents)
    texts = frozenset().union(*{each.languages for each in documents}) or set(Language)
    used = tuple(language for language in (main, main.other) if language in texts)
    return SiteLanguages(main, used, is_found=stated is None and main is Language.AR)


def stated_language(documents: Iterable[Document]) -> Language | None:
    """Return the language that `site/settings.md` states, or None."""
    for document in documents:
        if document.kind is SITE and document.slug == SETTINGS.slug and document.layer == Layer():
            return document.fields.lang
    return None


def _language_of_texts(documents: Iterable[Document]) -> Language:
    letters = [document.letters for document in documents if not document.states_language]
    arabic = sum(arabic for arabic, _ in letters)
    return Language.AR if arabic > sum(all_ for _, all_ in letters) * _ARABIC_SHARE else Language.EN
