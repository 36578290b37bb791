"""Checks of `site/words.md`: words that have no text in a language of the site."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic.alias_generators import to_camel

from knowledge.diagnostics.diagnostic import Diagnostic, Severity
from knowledge.diagnostics.kinds import DiagnosticKind
from knowledge.fields.content_types import WORDS as WORDS_DOCUMENT
from knowledge.fields.words import WORDS
from knowledge.locales.locale import Language
from knowledge.snapshot.snapshot import Snapshot

_LANGUAGES = {Language.EN: "English", Language.AR: "Arabic"}


def word_diagnostics(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """Yield, for each language of the site, the words that are set in another one only."""
    entry = snapshot.singleton(WORDS_DOCUMENT)
    if entry is None:
        return
    texts = {
        name: {
            language: text
            for document in entry.documents
            for language, text in (getattr(document.fields, name) or {}).items()
        }
        for name, word in WORDS.items()
        if word.is_translated
    }
    for language in snapshot.locales.languages:
        keys = [
            to_camel(name)
            for name, own in texts.items()
            if any(own.values()) and language not in own
        ]
        if keys:
            message = f"Words without {_LANGUAGES[language]} text, which keep the default: "
            suggestion = f"Add them to words.{language}.md."
            kind, severity = DiagnosticKind.MISSING_TRANSLATION, Severity.NOTICE
            text = f"{message}{', '.join(keys)}."
            yield Diagnostic(entry.path, text, suggestion, severity=severity, kind=kind)
