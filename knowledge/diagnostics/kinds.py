"""The kinds of diagnostics: a stable code for each, and what it means."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class DiagnosticKind(StrEnum):
    """The kind of a diagnostic: its code, which never changes, and its meaning for a heading.

    `docs/authoring.md` lists them all.
    """

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        """Return the member for a code."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    UNREADABLE_FILE = "unreadable-file", "The file cannot be read"
    INVALID_SYMLINK = "invalid-symlink", "A symbolic link is not followed"
    INVALID_FILE_NAME = "invalid-file-name", "The file name cannot be used"
    INVALID_ENCODING = "invalid-encoding", "The file is not UTF-8 text"
    BYTE_ORDER_MARK = "byte-order-mark", "The file starts with a byte order mark"
    EMPTY_FILE = "empty-file", "The file is empty"
    TOO_LARGE = "too-large", "The file or its front matter is too large"
    UNKNOWN_FOLDER = "unknown-folder", "The file is not in a content folder"
    INVALID_TEMPLATE = "invalid-template", "A template of the site does not fit"
    UNSERVED_FILE = "unserved-file", "A file in `_static/` is not served"
    UNKNOWN_SITE_FILE = "unknown-site-file", "A file in `site/` has an unknown name"
    UNCLOSED_FRONT_MATTER = "unclosed-front-matter", "The front matter is never closed"
    INVALID_YAML = "invalid-yaml", "The front matter is not valid YAML"
    INVALID_TOML = "invalid-toml", "The front matter is not valid TOML"
    INVALID_FRONT_MATTER = "invalid-front-matter", "The front matter cannot be used"
    DUPLICATE_KEY = "duplicate-key", "A key is there twice"
    INVALID_VALUE = "invalid-value", "A value is not allowed"
    INVALID_COLOUR = "invalid-colour", "A colour of the theme is no colour"
    LOW_CONTRAST = "low-contrast", "Two colours of the theme cannot be told apart well enough"
    INVALID_FONT = "invalid-font", "A font of the theme is in a format that is not served"
    MISSING_FONT = "missing-font", "A font file of the theme does not exist"
    MISSING_LOGO = "missing-logo", "A logo of the theme does not exist"
    UNKNOWN_KEY = "unknown-key", "A key is unknown"
    UNQUOTED_VALUE = "unquoted-value", "Other tools read an unquoted value differently"
    CONTROL_CHARACTER = "control-character", "A value contains control characters"
    IGNORED_SLUG = "ignored-slug", "A slug is ignored"
    SLUG_CONFLICT = "slug-conflict", "The files of a document set different slugs"
    DUPLICATE_SLUG = "duplicate-slug", "Two files have the same slug and suffixes"
    RESERVED_ADDRESS = "reserved-address", "The address belongs to a built-in page"
    DUPLICATE_ADDRESS = "duplicate-address", "Two documents have the same address"
    UNKNOWN_COUNTRY = "unknown-country", "A file in `countries/` names no country"
    FOUND_LANGUAGE = "found-language", "The language is found from the texts"
    CITY_WITHOUT_COUNTRY = "city-without-country", "A city has no country"
    MISSING_BASE = "missing-base", "An override has no base document"
    MISSING_FIELD = "missing-field", "A field that is needed is missing"
    UNKNOWN_REFERENCE = "unknown-reference", "A slug refers to no document"
    WRONG_DECIMALS = "wrong-decimals", "An amount has the wrong number of decimals"
    DUPLICATE_PRODUCT_ID = "duplicate-product-id", "Two products have the same id"
    CIRCULAR_REPLACEMENT = "circular-replacement", "Products replace each other"
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
    UNRENDERABLE = "unrenderable", "A document cannot be rendered"
    NOT_RENDERED = "not-rendered", "Some pages were not rendered"
