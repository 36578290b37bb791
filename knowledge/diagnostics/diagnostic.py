"""Diagnostics: what is wrong with content, where, and how to correct it.

Values are validated when they are parsed. This is the second line of defence, for unforeseen
errors. Use it wherever many documents become one resource or representation. Only the document's
own page answers 500.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import Self, TypeVar

from knowledge.diagnostics.messages import Text


class Severity(IntEnum):
    """The severity of a diagnostic."""

    NOTICE = 0  # information; no correction needed
    WARNING = 1  # the file is served, but an author should correct it
    ERROR = 2  # the file is left out, or its last good version is served

    @property
    def label(self) -> str:
        """Return the name in lower case."""
        return self.name.lower()


class DiagnosticKind(StrEnum):
    """The kind of a diagnostic: its code, which never changes, and its meaning for a heading.

    `knowledge/diagnostics/explanations.py` says of each what to do.
    """

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        """Return the member for a code."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    def error(
        self, path: str, message: Text, suggestion: Text, line: int = 1, column: int | None = None
    ) -> Diagnostic:
        """Return a diagnostic of this kind for a file that is left out."""
        return Diagnostic(path, message, suggestion, line, kind=self, column=column)

    def warning(
        self,
        path: str,
        message: Text,
        suggestion: Text,
        line: int = 1,
        column: int | None = None,
        key: str = "",
    ) -> Diagnostic:
        """Return a diagnostic of this kind that an author should correct."""
        place, severity = (path, message, suggestion, line), Severity.WARNING
        return Diagnostic(*place, severity, kind=self, column=column, key=key)

    def notice(
        self, path: str, message: Text, suggestion: Text, line: int = 1, key: str = ""
    ) -> Diagnostic:
        """Return a diagnostic of this kind that only informs."""
        return Diagnostic(path, message, suggestion, line, Severity.NOTICE, kind=self, key=key)

    UNREADABLE_FILE = "unreadable-file", "The file cannot be read"
    INVALID_SYMLINK = "invalid-symlink", "A symbolic link is not followed"
    INVALID_FILE_NAME = "invalid-file-name", "The file name cannot be used"
    MIXED_SCRIPTS = "mixed-scripts", "A word of an address has letters of two scripts"
    INVISIBLE_CHARACTER = "invisible-character", "An address has an invisible character"
    INVALID_ENCODING = "invalid-encoding", "The file is not UTF-8 text"
    BYTE_ORDER_MARK = "byte-order-mark", "The file starts with a byte order mark"
    EMPTY_FILE = "empty-file", "The file is empty"
    TOO_LARGE = "too-large", "The file or its front matter is too large"
    UNKNOWN_FOLDER = "unknown-folder", "The file is not in a content folder"
    INVALID_TEMPLATE = "invalid-template", "A template of the site does not fit"
    UNSERVED_FILE = "unserved-file", "A file is not served"
    INVALID_KIND = "invalid-kind", "The declaration of a kind cannot be used"
    INVALID_FORM = "invalid-form", "The fields of a form do not fit together"
    UNKNOWN_SITE_FILE = "unknown-site-file", "A file in `site/` has an unknown name"
    UNCLOSED_FRONT_MATTER = "unclosed-front-matter", "The front matter is never closed"
    INVALID_YAML = "invalid-yaml", "The front matter is not valid YAML"
    INVALID_TOML = "invalid-toml", "The front matter is not valid TOML"
    INVALID_FRONT_MATTER = "invalid-front-matter", "The front matter cannot be used"
    DUPLICATE_KEY = "duplicate-key", "A key is there twice"
    INVALID_VALUE = "invalid-value", "A value is not allowed"
    HIJRI_DATE = "hijri-date", "A date may be of the Hijri calendar"
    UNSTATED_OFFSET = "unstated-offset", "A time names no offset from UTC"
    INVALID_COLOUR = "invalid-colour", "A colour of the theme is no colour"
    LOW_CONTRAST = "low-contrast", "Two colours of the theme cannot be told apart well enough"
    INVALID_FONT = "invalid-font", "A font of the theme is in a format that is not served"
    MISSING_FONT = "missing-font", "A font file of the theme does not exist"
    MISSING_LOGO = "missing-logo", "A logo of the theme does not exist"
    UNKNOWN_KEY = "unknown-key", "A key is unknown"
    UNQUOTED_VALUE = "unquoted-value", "Other tools read an unquoted value differently"
    UNCLEAR_PUBLICATION = "unclear-publication", "A key may withhold the document"
    WITHHELD = "withheld", "A key of another generator withholds the document"
    CONTROL_CHARACTER = "control-character", "A value contains control characters"
    IGNORED_SLUG = "ignored-slug", "A slug is ignored"
    SLUG_CONFLICT = "slug-conflict", "The files of a document set different slugs"
    DUPLICATE_SLUG = "duplicate-slug", "Two files have the same slug and suffixes"
    RESERVED_ADDRESS = "reserved-address", "The address belongs to a built-in page"
    PRIVATE_ADDRESS = "private-address", "A page has an address that the site calls private"
    DUPLICATE_ADDRESS = "duplicate-address", "Two documents have the same address"
    UNKNOWN_COUNTRY = "unknown-country", "A file in `countries/` names no country"
    UNSTATED_LANGUAGE = "unstated-language", "The letters tell the language of a text"
    FOUND_LANGUAGE = "found-language", "The language is found from the texts"
    CITY_WITHOUT_COUNTRY = "city-without-country", "A city has no country"
    MISSING_BASE = "missing-base", "An override has no base document"
    MISSING_FIELD = "missing-field", "A field that is needed is missing"
    UNKNOWN_REFERENCE = "unknown-reference", "A slug refers to no document"
    WRONG_DECIMALS = "wrong-decimals", "An amount has the wrong number of decimals"
    MISSING_VAT_RATE = "missing-vat-rate", "A country with priced products has no rate of VAT"
    MISSING_MARKUP = "missing-markup", "Search engines require more of what a kind describes"
    DUPLICATE_PRODUCT_ID = "duplicate-product-id", "Two products have the same id"
    SIMILAR_NAMES = "similar-names", "Specifications of products have similar names"
    CIRCULAR_REPLACEMENT = "circular-replacement", "Products replace each other"
    FAILED_MARKDOWN = "failed-markdown", "What looks like markup is shown as text"
    UNLINKED_SCHEME = "unlinked-scheme", "A link has a scheme that pages do not link"
    BROKEN_LINK = "broken-link", "A link leads nowhere"
    UNPUBLISHED_LINK = "unpublished-link", "A link leads to a page that is not published"
    BROKEN_ANCHOR = "broken-anchor", "A link leads to a heading that does not exist"
    BROKEN_MENU_LINK = "broken-menu-link", "A menu entry leads nowhere"
    BROKEN_IMAGE = "broken-image", "An image does not exist"
    UNREADABLE_IMAGE = "unreadable-image", "A picture cannot be read"
    MISLABELLED_IMAGE = "mislabelled-image", "A picture has another format than its name says"
    TOO_MANY_PIXELS = "too-many-pixels", "A picture is too large to be decoded"
    MISSING_ALT_TEXT = "missing-alt-text", "An image has no alternative text"
    DUPLICATE_SECTION_ID = "duplicate-section-id", "Two sections have the same id"
    MISSING_SECTION_ID = "missing-section-id", "A section lacks the id of the original"
    UNKNOWN_SECTION_ID = "unknown-section-id", "A section is placed beside one that does not exist"
    INCOMPLETE_SECTION = "incomplete-section", "A section lacks what its type needs"
    UNKNOWN_DIRECTIVE = "unknown-directive", "A directive is unknown"
    UNCLOSED_DIRECTIVE = "unclosed-directive", "A directive is never closed"
    NESTED_DIRECTIVES = "nested-directives", "Directives are nested too deeply"
    MISSING_TRANSLATION = "missing-translation", "A page has no text in one language"
    OUTDATED_TRANSLATION = "outdated-translation", "A translation is older than its original"
    SCHEDULED = "scheduled", "A document is published or withdrawn later"
    INVALID_AUTHORS = "invalid-authors", "The list of authors cannot be read"
    UNDATED_POSTS = "undated-posts", "Posts have no date"
    FOREIGN_SYNTAX = "foreign-syntax", "Syntax of another generator is left out"
    UNREADABLE_FORMULA = "unreadable-formula", "A formula is shown as code"
    REMOVED_HTML = "removed-html", "HTML is left out of pages"
    INVALID_OLD_ADDRESS = "invalid-old-address", "An old address is ignored"
    DUPLICATE_OLD_ADDRESS = "duplicate-old-address", "An old address belongs to another page"
    INVALID_REDIRECT = "invalid-redirect", "A line of `_redirects` is ignored"
    UNUSED_REDIRECT = "unused-redirect", "A line of `_redirects` leads nowhere"
    INVALID_SYNONYMS = "invalid-synonyms", "A line of synonyms is ignored"
    AVOIDED_TERM = "avoided-term", "A text has a word that the glossary excludes"
    ARABIC_STYLE = "arabic-style", "A text breaks a rule of written Arabic"
    INVALID_GLOSSARY = "invalid-glossary", "A row of the glossary cannot be read"
    UNRENDERABLE = "unrenderable", "A document cannot be rendered"
    NOT_RENDERED = "not-rendered", "Some pages were not rendered"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem; `path` is relative to the content folder, line and column count from 1."""

    path: str
    message: Text
    suggestion: Text
    line: int = 1
    severity: Severity = Severity.ERROR
    kind: DiagnosticKind = field(kw_only=True)
    column: int | None = field(default=None, kw_only=True)
    key: str = field(default="", kw_only=True)
    """The key that it is about, such as `gallery.0.image`, where the line is not known: documents
    in memory do not keep the lines of their keys."""

    @property
    def location(self) -> str:
        """Return `path:line`, the format that editors and terminals link."""
        return f"{self.path}:{self.line}"

    def __str__(self) -> str:
        return f"{self.location}: {self.message} {self.suggestion}"

    def as_warning(self) -> Diagnostic:
        """Return the same diagnostic as a warning, if the file can still be served."""
        return replace(self, severity=Severity.WARNING)


class ContentFileError(Exception):
    """A content file cannot be served; `diagnostics` give the reasons."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics


log = logging.getLogger(__name__)

Item = TypeVar("Item")
Made = TypeVar("Made")

_MAX_REASON_CHARACTERS = 200


class LeftOut:
    """The documents of one edition that could not be rendered, by path; each is logged once."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}

    def note(self, path: str, error: Exception) -> None:
        """Record the first error of a document."""
        if path in self._reasons:
            return
        self._reasons[path] = f"{type(error).__name__}: {error}"[:_MAX_REASON_CHARACTERS]
        log.error("%s is left out of pages: %s", path, self._reasons[path])

    def each(
        self, items: Iterable[Item], make: Callable[[Item], Made], path_of: Callable[[Item], str]
    ) -> Iterator[Made]:
        """Yield `make(item)` for each item; record and omit items for which it raises."""
        for item in items:
            try:
                result = make(item)
            except Exception as error:  # one broken document must not affect the others
                self.note(path_of(item), error)
            else:
                yield result

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield the diagnostics for `majlis check` and health."""
        for path, reason in [*self._reasons.items()]:  # another thread may add one
            yield unshowable(path, reason)


def unshowable(path: str, reason: str) -> Diagnostic:
    """Return the diagnostic of a document that was loaded but cannot be rendered."""
    message = Text("The document cannot be rendered: {}.", reason)
    suggestion = Text("Undo or simplify the last edit, and report this as a bug.")
    return Diagnostic(path, message, suggestion, kind=DiagnosticKind.UNRENDERABLE)
