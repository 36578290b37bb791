"""Checks of what a site sets for itself: its theme, its words, and its redirects."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from pydantic.alias_generators import to_camel

from knowledge.addresses.addresses import entry_at, parse_address, split_locale
from knowledge.addresses.former_addresses import AddressSearch
from knowledge.addresses.links import is_external, resolve_link
from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import Document
from knowledge.fields.content_types import THEME
from knowledge.fields.content_types import WORDS as WORDS_DOCUMENT
from knowledge.fields.looks import with_look
from knowledge.fields.site_fields import WORDS
from knowledge.fields.theme_fields import (
    SERVED_FONT,
    WHITE,
    Colour,
    DarkColours,
    Fonts,
    HeroLook,
    LogoForms,
    ScriptFonts,
    ThemeFields,
    contrast,
    is_font_file,
    readable,
)
from knowledge.locales.locale import Language, Scope
from knowledge.resources.palette import TEXT_CONTRAST, Brand, palette
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.old_addresses import normal_path
from knowledge.snapshot.redirect_rules import REDIRECTS_FILE, RedirectRule
from knowledge.snapshot.snapshot import Snapshot

_Theme = Document[ThemeFields]


def theme_diagnostics(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """Yield what is wrong with the files of `site/theme.md`."""
    entry: Entry[ThemeFields] | None = snapshot.singleton(THEME)
    documents = entry.documents if entry else ()
    bases = (each.fields for each in documents if each.layer.scope is Scope.GLOBAL)
    base = next(bases, None)
    for document in documents:
        yield from _contrasts(document, base)
        yield from _fonts(snapshot, document)
        yield from _logos(snapshot, document)
        yield from _hero(snapshot, document)


class _Text(NamedTuple):
    """A text colour and its ground, with the keys that give them; None where none does."""

    key: str
    colour: str | None
    paper_key: str
    paper: str | None


def _contrasts(document: _Theme, base: ThemeFields | None) -> Iterator[Diagnostic]:
    """Report texts that cannot be read on the paper."""
    own = document.fields
    base = with_look(replace(base or own, look=own.look or (base or own).look))
    paper = own.paper or base.paper
    light = [
        _Text("accent", own.accent or base.accent, "paper", paper),
        _Text("ink", own.ink or base.ink, "paper", paper),
    ]
    own_dark, base_dark = own.dark or DarkColours(), base.dark or DarkColours()
    accent = Colour.parse(own_dark.accent or base_dark.accent or own.accent or base.accent or "")
    derived = palette(Brand(accent), dark=True)["paper"] if accent else None
    paper = own_dark.paper or base_dark.paper or derived
    dark = [
        _Text("dark.accent", own_dark.accent or base_dark.accent, "dark.paper", paper),
        _Text("dark.ink", own_dark.ink or base_dark.ink, "dark.paper", paper),
    ]
    for text in (*light, *dark):
        diagnostic = _contrast(document, text)
        if diagnostic:
            yield diagnostic


def _contrast(document: _Theme, text: _Text) -> Diagnostic | None:
    colour, paper = Colour.parse(text.colour or ""), Colour.parse(text.paper or WHITE.hex)
    lines = document.key_lines
    line = lines.get(text.key) or lines.get(text.paper_key)
    if colour is None or paper is None or line is None:
        return None
    ratio = contrast(colour, paper)
    if ratio >= TEXT_CONTRAST:
        return None
    message = Text(
        "{}: {} on the paper {} has a contrast of {} to 1, but text needs {} to 1 (WCAG AA).",
        text.key,
        colour.hex,
        paper.hex,
        f"{ratio:.2f}",
        TEXT_CONTRAST,
    )
    nearest = readable(colour, [paper]).hex
    suggestion = Text('Write "{}", the nearest colour that passes; texts are shown in it.', nearest)
    return Kind.LOW_CONTRAST.warning(document.path, message, suggestion, line)


def _fonts(snapshot: Snapshot, document: _Theme) -> Iterator[Diagnostic]:
    fonts = document.fields.fonts or Fonts()
    for script, own in (("latin", fonts.latin), ("arabic", fonts.arabic)):
        for use in ScriptFonts.field_names:
            font = getattr(own, use) if own else None
            key = f"fonts.{script}.{use}"
            if font and is_font_file(font):
                yield from _font(snapshot, document, key, font)


def _font(snapshot: Snapshot, document: _Theme, key: str, font: str) -> Iterator[Diagnostic]:
    line = document.key_lines.get(key, 1)
    if not font.lower().endswith(SERVED_FONT):
        message = Text("{}: {} is no {} file, so it is not used.", key, font, SERVED_FONT)
        suggestion = Text("Convert it to WOFF2, which all browsers read.")
        yield Kind.INVALID_FONT.warning(document.path, message, suggestion, line)
    elif is_external(font) or not _is_file(snapshot, document, font):
        message = Text(
            "{}: the file {} does not exist in the content folder; it is not used.", key, font
        )
        suggestion = Text("Correct the path, or add the file.")
        yield Kind.MISSING_FONT.warning(document.path, message, suggestion, line)


def _logos(snapshot: Snapshot, document: _Theme) -> Iterator[Diagnostic]:
    logo = document.fields.logo or LogoForms()
    for form in LogoForms.field_names:
        path = getattr(logo, form)
        if path and not _is_file(snapshot, document, path):
            message = Text("logo.{}: the file {} does not exist.", form, path)
            suggestion = Text(
                "Correct the path, or add the file; until then another form is shown."
            )
            line = document.key_lines.get(f"logo.{form}", 1)
            yield Kind.MISSING_LOGO.warning(document.path, message, suggestion, line)


def _hero(snapshot: Snapshot, document: _Theme) -> Iterator[Diagnostic]:
    hero, lines = document.fields.hero or HeroLook(), document.key_lines
    files = ("image", hero.image, Kind.BROKEN_IMAGE), ("video", hero.video, Kind.BROKEN_LINK)
    for key, path, kind in files:
        if path and not _is_file(snapshot, document, path):
            message = Text("hero.{}: the file {} does not exist.", key, path)
            suggestion = Text("Correct the path, or add the file.")
            yield kind.warning(document.path, message, suggestion, lines.get(f"hero.{key}", 1))
    is_needed = hero.style == "picture" or hero.video
    if is_needed and not hero.image and document.layer.scope is Scope.GLOBAL:
        message = Text("hero.image is missing: the hero has no picture, and plays no video.")
        line = lines.get("hero.video", lines.get("hero.style", 1))
        yield Kind.MISSING_FIELD.warning(document.path, message, Text("Add it."), line)


def _is_file(snapshot: Snapshot, document: _Theme, path: str) -> bool:
    return is_external(path) or isinstance(resolve_link(snapshot, document.path, path), str)


_LANGUAGES = {Language.EN: Text("English"), Language.AR: Text("Arabic")}


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
            message = Text(
                "Words without {} text, which keep the default: {}.", _LANGUAGES[language], keys
            )
            suggestion = Text("Add them to words.{}.md.", language)
            yield Kind.MISSING_TRANSLATION.notice(entry.path, message, suggestion)


_REMOVE = Text("Remove the line, or correct it.")


def redirect_diagnostics(snapshot: Snapshot, now: datetime) -> Iterator[Diagnostic]:
    """Yield what is wrong with the redirects of a snapshot."""
    for claim in snapshot.old_addresses.values():
        page = _page_at(snapshot, claim.path)
        if page is not None and page is not claim.entry:
            message = Text("The old address {} is the address of {}.", claim.path, page.path)
            suggestion = Text("Remove it: a redirect hides no page.")
            path = claim.document.path
            yield Kind.DUPLICATE_OLD_ADDRESS.warning(path, message, suggestion)
    rules = snapshot.redirects
    for rule, first in rules.shadowed:
        message = Text(
            "The old address {} is already in line {}, which wins.", rule.source, first.line
        )
        yield Kind.UNUSED_REDIRECT.warning(REDIRECTS_FILE, message, _REMOVE, rule.line)
    search = AddressSearch(snapshot, snapshot.default_locale, now)
    for rule in rules.rules:
        problem = _claimed(snapshot, rule) or _problem(search, rule)
        if problem:
            yield Kind.UNUSED_REDIRECT.warning(REDIRECTS_FILE, problem, _REMOVE, rule.line)


def _page_at(snapshot: Snapshot, path: str) -> Entry | None:
    address = parse_address(split_locale(path)[1], snapshot)
    return entry_at(snapshot, address) if address else None


def _claimed(snapshot: Snapshot, rule: RedirectRule) -> Text | None:
    """Return by what the old path of a rule is taken, or None."""
    path = normal_path(rule.source)
    claim = snapshot.old_addresses.get(path)
    if claim:
        return Text(
            "The old address {} leads to {}, which lists it.", rule.source, claim.document.path
        )
    locale, below = split_locale(path)
    if locale is None and below == split_locale(normal_path(rule.target_path))[1]:
        return None  # leads from an address without a locale to the same page in one
    page = _page_at(snapshot, path) if path else None
    if page is None:
        return None
    return Text("The old address {} is the address of {}.", rule.source, page.path)


def _problem(search: AddressSearch, rule: RedirectRule) -> Text | None:
    """Return why a rule leads nowhere, or None; what placeholders will match is not known."""
    if unknown := rule.unknown_placeholders:
        return Text(
            "The new address {} has :{}, which {} has not.", rule.target, unknown[0], rule.source
        )
    if rule.has_placeholders or search.target(rule, rule.location({}), rule.status, ()):
        return None
    if rule in search.snapshot.redirects.loops:
        return Text("The redirect from {} leads in a circle.", rule.source)
    if search.found(rule.target_path) is None:
        return Text("The new address {} does not exist, or is not published.", rule.target)
    return None
