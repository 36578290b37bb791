"""Front matter: its block at the head of a file, its values, and the keys of other generators.

A content folder of these tools can be served unchanged. If a file has both keys, ours wins.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frontmatter.default_handlers import BaseHandler, YAMLHandler

from knowledge.diagnostics.diagnostic import ContentFileError, DiagnosticKind
from knowledge.documents.files import SourceFile
from knowledge.fields import yaml
from knowledge.fields.content_types import AnyContentType

MAX_CHARACTERS = 256 * 1024

_TOML_ERROR_LINE = re.compile(r"\(at line (\d+)")
_LONG_KEY = re.compile(r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}")
"""A long dotted TOML key, as in `a.b.c = 1`: tomllib takes quadratic time for it."""

_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")
_LOOKS_LIKE_METADATA = re.compile(r"\s*(---|\+\+\+)[ \t]*\n\s*[\w-]+[ \t]*[:=]")


class _StrictYAML(YAMLHandler):
    """python-frontmatter's YAML handler with the strict reader of `knowledge.fields.yaml`."""

    def load(self, fm: str, **_: object) -> Any:
        return yaml.load(fm)


class _TOML(BaseHandler):
    """A `+++` block parsed by tomllib; python-frontmatter's own handler needs `toml`."""

    FM_BOUNDARY = re.compile(r"^\+{3,}\s*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "+++"

    def load(self, fm: str) -> dict[str, object]:
        if _LONG_KEY.search(fm):
            raise RecursionError
        metadata = tomllib.loads(fm)
        repr(metadata)  # raises ValueError if an integer has too many digits to format
        return metadata


_HANDLERS: tuple[BaseHandler, ...] = (_StrictYAML(), _TOML())


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A split file: `metadata` as written, and `body`, which starts at line `body_line`."""

    metadata: dict[str, object]
    body: str
    raw: str = ""
    raw_line: int = 1
    body_line: int = 1
    is_toml: bool = False

    def line_of(self, path: tuple[str | int, ...]) -> int:
        """Return the line of a key in the file, or 1 if it is unknown."""
        if not path or not self.raw:
            return 1
        if not self.is_toml:
            return self.raw_line - 1 + yaml.key_line(self.raw, path)
        # TOML: the first line that assigns the key
        pattern = re.compile(rf"^[ \t]*{re.escape(str(path[0]))}[ \t]*=", re.MULTILINE)
        match = pattern.search(self.raw)
        return self.raw_line + self.raw.count("\n", 0, match.end()) if match else 1


@dataclass(frozen=True, slots=True)
class SplitFile:
    """A file with front matter, which is not parsed yet; lines count from 1."""

    handler: BaseHandler
    raw: str
    raw_line: int
    body: str
    body_line: int

    @property
    def is_toml(self) -> bool:
        """Return whether the front matter is TOML, not YAML."""
        return isinstance(self.handler, _TOML)


def split(source: SourceFile) -> SplitFile | None:
    """Split a file into front matter and body; None without front matter.

    Raises ContentFileError if it is never closed, or too long.
    """
    text = _BLANK_LINES.sub("", source.text, count=1)
    skipped = len(source.text) - len(text)
    handler = next((handler for handler in _HANDLERS if handler.detect(text)), None)
    if handler is None:
        return None
    try:
        raw, body = handler.split(text)
    except ValueError:
        _refuse_unclosed(source)
        return None
    if len(raw) > MAX_CHARACTERS:
        message = f"The front matter is longer than {MAX_CHARACTERS} characters."
        suggestion = "Move texts into the body."
        raise ContentFileError(DiagnosticKind.TOO_LARGE.error(source.path, message, suggestion))
    raw_line = source.text.count("\n", 0, source.text.index(raw, skipped + 3)) + 1
    body_line = source.text.count("\n", 0, len(source.text) - len(body)) + 1
    return SplitFile(handler, raw, raw_line, body, body_line)


def parse(source: SourceFile) -> FrontMatter:
    """Split a file and parse its metadata, if any; raises ContentFileError."""
    parts = split(source)
    if parts is None:
        return FrontMatter({}, source.text)
    metadata = _load(parts.handler, parts.raw, source.path, parts.raw_line)
    return FrontMatter(
        metadata, parts.body, parts.raw, parts.raw_line, parts.body_line, parts.is_toml
    )


def _refuse_unclosed(source: SourceFile) -> None:
    """Raise ContentFileError if a key follows the fence; a lone `---` may be a rule."""
    opened = _LOOKS_LIKE_METADATA.match(source.text)
    if opened:
        fence = opened[1]
        message = f"The front matter opened with {fence} is never closed."
        raise ContentFileError(
            DiagnosticKind.UNCLOSED_FRONT_MATTER.error(
                source.path, message, f"Add a line {fence} after the last key."
            )
        )


def _load(handler: BaseHandler, raw: str, path: str, raw_line: int) -> dict[str, object]:
    try:
        metadata = handler.load(raw)
    except yaml.YamlError as error:
        line = raw_line - 1 + error.line
        raise ContentFileError(
            error.kind.error(path, error.message, error.suggestion, line, error.column)
        ) from None
    except ValueError as error:  # TOMLDecodeError, or Python's limit of digits in an integer
        match = _TOML_ERROR_LINE.search(str(error))
        line = raw_line - 1 + (int(match.group(1)) if match else 1)
        message = f"Invalid TOML: {error}."
        raise ContentFileError(
            DiagnosticKind.INVALID_TOML.error(path, message, "See toml.io for the syntax.", line)
        ) from None
    except RecursionError:
        message = "The front matter is nested too deeply."
        raise ContentFileError(
            DiagnosticKind.INVALID_FRONT_MATTER.error(path, message, "Flatten it.")
        ) from None
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        message = "The front matter is not a mapping of keys to values."
        raise ContentFileError(
            DiagnosticKind.INVALID_FRONT_MATTER.error(
                path, message, "Write it as `key: value` lines.", 2
            )
        )
    return metadata


_DATES: Mapping[str, str] = {
    "date": "publishedAt",
    "pubDate": "publishedAt",
    "publishDate": "publishedAt",
    "lastmod": "updatedAt",
    "updated": "updatedAt",
    "updatedDate": "updatedAt",
    "last_modified_at": "updatedAt",
    "expiryDate": "unpublishAt",
}
_ORDER = dict.fromkeys(("weight", "sidebar_position", "nav_order", "order"), "sortOrder")

_OLD_PATHS = ("permalink", "url", "path")
"""Keys with the path of the page on its former site."""

OLD_ADDRESS_KEYS = ("aliases", "redirect_from", *_OLD_PATHS, "slug")
"""All keys that can list old addresses."""


def aliases_of(kind: AnyContentType) -> Mapping[str, str]:
    """Return the keys of other generators in documents of a type, and our key for each."""
    return {**_DATES, **_ORDER, **kind.aliases}


def normalize_keys(
    kind: AnyContentType, metadata: Mapping[str, object]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the fields by our keys, and the original key of each field that was renamed.

    >>> from knowledge.fields.content_types import POST
    >>> fields, origins = normalize_keys(POST, {"date": "2026-05-01", "draft": "true"})
    >>> fields
    {'publishedAt': '2026-05-01', 'published': False}
    >>> origins
    {'publishedAt': 'date', 'published': 'draft'}
    """
    fields: dict[str, Any] = {}
    origins: dict[str, str] = {}
    aliases = aliases_of(kind)
    taxonomies = metadata.get("taxonomies")  # of Zola, whose keys belong to the top level
    own = {**taxonomies, **metadata} if isinstance(taxonomies, dict) else metadata
    for key, value in own.items():
        target = None if key in kind.fields.field_names else aliases.get(key)
        if target is None:
            if value is not None or key not in fields:
                fields[key] = value
                origins.pop(key, None)
        elif value is not None and target not in fields and metadata.get(target) is None:
            fields[target] = value
            origins[target] = key
    _draft(fields, origins)
    _published_date(fields, origins)
    _old_addresses(kind, fields, origins)
    _all_categories(fields)
    return fields, origins


def _draft(fields: dict[str, Any], origins: dict[str, str]) -> None:
    draft = fields.pop("draft", None)
    if str(draft).lower() in ("true", "yes", "on", "1"):
        fields["published"] = False
        origins["published"] = "draft"


def _published_date(fields: dict[str, Any], origins: dict[str, str]) -> None:
    """Move a date in `published`, a boolean here, to `publishedAt`."""
    published = fields.get("published")
    if published is None or str(published)[:4].isdecimal() is False:
        return
    del fields["published"]
    if fields.get("publishedAt") is None:
        fields["publishedAt"] = published
        origins["publishedAt"] = "published"


def _all_categories(fields: dict[str, Any]) -> None:
    """Keep the further categories of a list in `category`."""
    names = fields.get("category")
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        fields.setdefault("categories", names)


def _old_addresses(kind: AnyContentType, fields: dict[str, Any], origins: dict[str, str]) -> None:
    """Collect the paths of a page on its former site in `aliases`."""
    moved = _as_list(fields.pop("redirect_from", None))
    for key in (key for key in _OLD_PATHS if key not in kind.fields.field_names):
        values = _as_list(fields.pop(key, None))  # an address elsewhere is another's
        paths = (each for each in values if isinstance(each, str) and "://" not in each)
        moved += [path for path in paths if path != "false"]
    if moved:
        fields["aliases"] = [*_as_list(fields.get("aliases")), *moved]
        origins["aliases"] = "aliases"


def _as_list(value: object) -> list[object]:
    if value in (None, "", False):
        return []
    return [*value] if isinstance(value, list) else [value]
