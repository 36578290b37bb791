"""Front matter: its block at the head of a file, its values, and the keys of other generators.

A content folder of these tools can be served unchanged. If a file has both keys, ours wins.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from frontmatter.default_handlers import BaseHandler, YAMLHandler
from pydantic.alias_generators import to_camel, to_snake

from knowledge.diagnostics.diagnostic import ContentFileError, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.files import SourceFile
from knowledge.documents.publication import (
    DATES,
    TIMES,
    Publication,
    folded,
    publication_of,
    time_key,
)
from knowledge.fields import yaml
from knowledge.fields.content_types import AnyContentType
from knowledge.fields.field_types import InvalidValue, read_moment

MAX_CHARACTERS = 256 * 1024

_TOML_ERROR_LINE = re.compile(r"\(at line (\d+)")
_LONG_KEY = re.compile(r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}")
"""A long dotted TOML key, as in `a.b.c = 1`: tomllib takes quadratic time for it."""

_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")
_LOOKS_LIKE_METADATA = re.compile(r"\s*(---|\+\+\+)[ \t]*\n\s*[\w-]+[ \t]*[:=]")

_OPENED_YAML = re.compile(r"-{3,}+[ \t]*+(?:ya?ml[ \t]*+)?$", re.MULTILINE)
_HEADERS = re.compile(
    r"(?=(?:[\w-]+:.*\n)*?(?:Date|Category|Tags|Slug|Authors?|Summary|Status|Lang|Template):)"
    r"(?=(?:[\w-]+:.*\n)*?Title:)"
    r"(?:[\w-]+:[ \t].*\n(?:[ \t]+\S.*\n)*)+(?=[ \t]*(?:\n|\Z))",
    re.IGNORECASE,
)


class _StrictYAML(YAMLHandler):
    """python-frontmatter's YAML handler with the strict reader of `knowledge.fields.yaml`."""

    FM_BOUNDARY = re.compile(r"^(?:-{3,}|\.{3}|---[ \t]*ya?ml)[ \t]*$", re.MULTILINE)

    def detect(self, text: str) -> bool:
        return bool(_OPENED_YAML.match(text))

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


class _NamedTOML(_TOML):
    """A `---toml` block."""

    FM_BOUNDARY = re.compile(r"^---(?:[ \t]*toml)?[ \t]*$", re.MULTILINE)
    _OPENED = re.compile(r"---[ \t]*toml[ \t]*$", re.MULTILINE)

    def detect(self, text: str) -> bool:
        return bool(self._OPENED.match(text))


class _JSON(BaseHandler):
    """An object in JSON at the top of a file, as Hugo has it."""

    FM_BOUNDARY = re.compile(r"(?!)")
    START_DELIMITER = END_DELIMITER = ""
    _OPENED = re.compile(r"\{\s*\"[^\"\n]+\"\s*:")

    def detect(self, text: str) -> bool:
        return bool(self._OPENED.match(text))

    def split(self, text: str) -> tuple[str, str]:
        _, end = json.JSONDecoder().raw_decode(text)
        if text[end : end + 1] not in ("", "\n"):
            raise ValueError("text follows the object")
        return text[:end], text[end:]

    def load(self, fm: str) -> Any:
        return json.loads(fm)


class _NamedJSON(_JSON):
    """A `---json` block."""

    FM_BOUNDARY = re.compile(r"^---(?:[ \t]*json)?[ \t]*$", re.MULTILINE)
    _OPENED = re.compile(r"---[ \t]*json[ \t]*$", re.MULTILINE)

    def split(self, text: str) -> tuple[str, str]:
        _, raw, body = self.FM_BOUNDARY.split(text, 2)
        return raw, body


class _Headers(BaseHandler):
    """Lines `Key: value` without a fence up to the first blank line, as Pelican and MkDocs have."""

    FM_BOUNDARY = re.compile(r"(?!)")
    START_DELIMITER = END_DELIMITER = ""
    _LINE = re.compile(r"^([\w-]+):[ \t]+(.*(?:\n[ \t]+.*)*)", re.MULTILINE)

    def detect(self, text: str) -> bool:
        return bool(_HEADERS.match(text))

    def split(self, text: str) -> tuple[str, str]:
        end = _HEADERS.match(text).end()  # type: ignore[union-attr]
        return text[:end], text[end:]

    def load(self, fm: str) -> dict[str, object]:
        return {key: " ".join(value.split()) for key, value in self._LINE.findall(fm)}


_HANDLERS: tuple[BaseHandler, ...] = (
    _StrictYAML(),
    _TOML(),
    _NamedTOML(),
    _NamedJSON(),
    _JSON(),
    _Headers(),
)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A split file: `metadata` as written, and `body`, which starts at line `body_line`."""

    metadata: dict[str, object]
    body: str
    raw: str = ""
    raw_line: int = 1
    body_line: int = 1
    is_yaml: bool = True

    def line_of(self, path: tuple[str | int, ...]) -> int:
        """Return the line of a key in the file, or 1 if it is unknown."""
        if not path or not self.raw:
            return 1
        if self.is_yaml:
            return self.raw_line - 1 + yaml.key_line(self.raw, path)
        # otherwise the first line that assigns the key
        name = re.escape(str(path[0]))
        pattern = re.compile(rf"^[ \t{{]*\"?{name}\"?[ \t]*[=:]", re.MULTILINE)
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
        """Return whether the front matter is TOML."""
        return isinstance(self.handler, _TOML)

    @property
    def is_yaml(self) -> bool:
        """Return whether the front matter is YAML."""
        return isinstance(self.handler, _StrictYAML)


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
    except RecursionError:
        raise _too_deep(source.path) from None
    if len(raw) > MAX_CHARACTERS:
        message = Text("The front matter is longer than {} characters.", MAX_CHARACTERS)
        suggestion = Text("Move texts into the body.")
        raise ContentFileError(DiagnosticKind.TOO_LARGE.error(source.path, message, suggestion))
    opening = len(handler.START_DELIMITER or "")
    raw_line = source.text.count("\n", 0, source.text.index(raw, skipped + opening)) + 1
    body_line = source.text.count("\n", 0, len(source.text) - len(body)) + 1
    return SplitFile(handler, raw, raw_line, body, body_line)


def parse(source: SourceFile) -> FrontMatter:
    """Split a file and parse its metadata, if any; raises ContentFileError."""
    parts = split(source)
    if parts is None:
        return FrontMatter({}, source.text)
    metadata = _load(parts.handler, parts.raw, source.path, parts.raw_line)
    return FrontMatter(
        metadata, parts.body, parts.raw, parts.raw_line, parts.body_line, parts.is_yaml
    )


def _refuse_unclosed(source: SourceFile) -> None:
    """Raise ContentFileError if a key follows the fence; a lone `---` may be a rule."""
    opened = _LOOKS_LIKE_METADATA.match(source.text)
    if opened:
        fence = opened[1]
        message = Text("The front matter opened with {} is never closed.", fence)
        raise ContentFileError(
            DiagnosticKind.UNCLOSED_FRONT_MATTER.error(
                source.path, message, Text("Add a line {} after the last key.", fence)
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
        if isinstance(handler, _JSON):
            message, advice = Text("Invalid JSON: {}.", error), Text("Correct it, or write YAML.")
            kind = DiagnosticKind.INVALID_FRONT_MATTER
        else:
            message, advice = Text("Invalid TOML: {}.", error), Text("See toml.io for the syntax.")
            kind = DiagnosticKind.INVALID_TOML
        raise ContentFileError(kind.error(path, message, advice, line)) from None
    except RecursionError:
        raise _too_deep(path) from None
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        message = Text("The front matter is not a mapping of keys to values.")
        raise ContentFileError(
            DiagnosticKind.INVALID_FRONT_MATTER.error(
                path, message, Text("Write it as `key: value` lines."), 2
            )
        )
    return metadata


def _too_deep(path: str) -> ContentFileError:
    message = Text("The front matter is nested too deeply.")
    return ContentFileError(
        DiagnosticKind.INVALID_FRONT_MATTER.error(path, message, Text("Flatten it."))
    )


_CHANGES = dict.fromkeys(
    (
        *("lastmod", "updated", "updatedDate", "last_modified_at", "modified", "last_modified"),
        "modDatetime",
    ),
    "updatedAt",
)
_TIMES = {name: key for key, names in TIMES.items() for name in names}
_DATES = {**dict.fromkeys(DATES, "publishedAt"), **_TIMES, **_CHANGES}
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
    known = _known_keys(kind)
    taxonomies = metadata.get("taxonomies")  # of Zola, whose keys belong to the top level
    own = {**taxonomies, **metadata} if isinstance(taxonomies, dict) else metadata
    dates = metadata.get("date")  # of MkDocs, which has several
    if isinstance(dates, dict) and "created" in dates:
        own = {**own, "date": dates["created"], "updated": dates.get("updated")}
    found = publication(kind, metadata)
    times = {key for _, key, value in found.times if metadata[key] is value}
    for key, value in own.items():
        if key in times:
            continue
        target = known.get(key) or _in_other_case(known, key, metadata)
        if target is None or target == key:
            if value is not None or key not in fields:
                fields[key] = value
                origins.pop(key, None)
        elif value is not None and target not in fields and metadata.get(target) is None:
            fields[target] = value
            origins[target] = key
    _set_times(found, fields, origins)
    _set_publication(found, fields, origins)
    _old_addresses(kind, fields, origins)
    _all_categories(fields)
    _pictures(kind, fields, origins)
    return fields, origins


@cache
def _known_keys(kind: AnyContentType) -> Mapping[str, str]:
    """Return the keys that are read in documents of a type, and our key for each."""
    names = [to_camel(name) for name in kind.fields.field_names]
    own = dict.fromkeys(("redirect_from", *_OLD_PATHS, "categories", "tags", "series"))
    aliases = {key: target for key, target in aliases_of(kind).items() if key not in _TIMES}
    keys = {**{key: key for key in own}, **aliases, **{name: name for name in names}}
    keys |= {name: name for name in kind.fields.field_names}
    return keys | {key.lower(): target for key, target in keys.items() if key.lower() not in keys}


def _in_other_case(
    known: Mapping[str, str], key: str, metadata: Mapping[str, object]
) -> str | None:
    """Return our key for one in capitals, such as `Title`, unless the file has it as well."""
    lower = key.lower()
    return None if lower == key or lower in metadata else known.get(lower)


def known_key(kind: AnyContentType, key: str) -> str | None:
    """Return our key for one in any spelling, None if it is not read in documents of a type."""
    known = _known_keys(kind)
    return known.get(key) or known.get(key.lower()) or time_key(key)


def publication(kind: AnyContentType, metadata: Mapping[str, object]) -> Publication:
    """Return what the keys of a document say about its publication."""
    return publication_of(metadata, _own_names(kind))


@cache
def _own_names(kind: AnyContentType) -> frozenset[str]:
    """Return the names of fields, apart from those about publication."""
    models = (kind.fields, *kind.singletons.values())
    names = {folded(name) for model in models for name in model.field_names}
    return frozenset(names - {"published", *map(folded, TIMES)})


def _set_times(found: Publication, fields: dict[str, Any], origins: dict[str, str]) -> None:
    """Set the latest time of publication and the earliest one of withdrawal.

    A time that cannot be read is set, too, as nobody knows whether it is over. The year 1452 is
    compared as one of the Hijri calendar, so that it is not over.
    """
    for target, is_last in (("publishedAt", True), ("unpublishAt", False)):
        times = [(key, value) for each, key, value in found.times if each == target]
        is_ours = any(key == target for key, _ in times)
        if not is_ours and fields.get(target) is not None:
            times.append((origins.pop(target, target), fields[target]))
        if times:
            key, fields[target] = _decisive(times, is_last)
            origins.pop(target, None)
            if key != target:
                origins[target] = key


def _decisive(times: list[tuple[str, object]], is_last: bool) -> tuple[str, object]:
    if len(times) == 1:
        return times[0]
    read: list[tuple[Any, tuple[str, object]]] = []
    for each in times:
        try:
            read.append((read_moment(each[1], is_hijri=True), each))
        except InvalidValue:
            return each
    return (max if is_last else min)(read, key=itemgetter(0))[1]


def _set_publication(found: Publication, fields: dict[str, Any], origins: dict[str, str]) -> None:
    """Set `published` and `seo.noIndex` by the keys of other generators."""
    fields.pop("draft", None)
    if found.withheld_by and found.withheld_by.name != "published":
        fields["published"] = False
        origins["published"] = found.withheld_by.keys[0]
    seo = fields.get("seo")
    if found.unindexed_by and (seo is None or isinstance(seo, dict)):
        fields["seo"] = {"noIndex": True, **(seo or {})}
        origins.setdefault("seo", found.unindexed_by)


def _all_categories(fields: dict[str, Any]) -> None:
    """Keep the further categories of a list in `category`."""
    names = fields.get("category")
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        fields.setdefault("categories", names)


_ALTERNATIVES = ("alt", "image_description", "description", "caption", "title")
_HEADER_PICTURES = ("image", "overlay_image", "teaser")
"""The keys of Minimal Mistakes for pictures of a page, in the block `header`."""


def _pictures(kind: AnyContentType, fields: dict[str, Any], origins: dict[str, str]) -> None:
    """Set the alternative text of a picture that is a block, as themes have it."""
    header = fields.get("header")
    if isinstance(header, dict) and "cover_image" in kind.fields.field_names:
        path = next((header[key] for key in _HEADER_PICTURES if header.get(key)), None)
        if path and fields.get("coverImage") is None:
            fields["coverImage"], origins["coverImage"] = {**header, "image": path}, "header"
    for key, block in [*fields.items()]:
        alt = to_camel(f"{to_snake(key)}_alt")
        if isinstance(block, dict) and f"{to_snake(key)}_alt" in kind.fields.field_names:
            text = next((block[each] for each in _ALTERNATIVES if block.get(each)), None)
            if text and fields.get(alt) is None:
                fields[alt], origins[alt] = text, origins.get(key, key)


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
