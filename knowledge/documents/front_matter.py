"""Front matter: its block at the head of a file, its values, and the keys of other generators.

A content folder of these tools can be served unchanged. If a file has both keys, ours wins.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any

import frontmatter
from frontmatter.default_handlers import BaseHandler, JSONHandler, YAMLHandler
from pydantic.alias_generators import to_camel, to_snake

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
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

_ERROR_LINE = re.compile(r"(?:\(at|:) line (\d+)")
"""The line in an error of tomllib or json."""

_LONG_KEY = re.compile(r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}")
"""A long dotted TOML key, as in `a.b.c = 1`: tomllib takes quadratic time for it."""

_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")
_LOOKS_LIKE_METADATA = re.compile(r"\s*(---|\+\+\+)[ \t]*\n\s*[\w-]+[ \t]*[:=]")


class InvalidYaml(ContentFileError):
    """The front matter is no YAML; `raw` is what is written, from line `raw_line` of the file."""

    def __init__(self, diagnostic: Diagnostic, raw: str, raw_line: int) -> None:
        super().__init__(diagnostic)
        self.raw, self.raw_line = raw, raw_line


class _Handler(BaseHandler):
    """Reads the front matter of one file, whose fence is at `line`, for python-frontmatter."""

    OPENED: re.Pattern[str]

    def __init__(self, path: str = "", line: int = 1) -> None:
        super().__init__()
        self.path, self.line = path, line
        self.raw: str | None = None

    def detect(self, text: str) -> bool:
        return bool(self.OPENED.match(text))

    def load(self, fm: str, **_: object) -> dict[str, Any]:
        self.raw = fm
        if len(fm) > MAX_CHARACTERS:
            message = Text("The front matter is longer than {} characters.", MAX_CHARACTERS)
            raise self.fault(DiagnosticKind.TOO_LARGE, message, Text("Move texts into the body."))
        metadata = self.values(fm)
        if not isinstance(metadata, dict | None):
            message = Text("The front matter is not a mapping of keys to values.")
            advice = Text("Write it as `key: value` lines.")
            raise self.fault(DiagnosticKind.INVALID_FRONT_MATTER, message, advice, 2)
        return metadata or {}

    def values(self, fm: str) -> Any:
        raise NotImplementedError

    def fault(
        self, kind: DiagnosticKind, message: Text, advice: Text, line: int = 1
    ) -> ContentFileError:
        """Return an error in a line of the front matter."""
        return ContentFileError(kind.error(self.path, message, advice, self.line - 1 + line))


class _YAML(_Handler, YAMLHandler):
    """A block of YAML, read by the strict reader of `knowledge.fields.yaml`."""

    FM_BOUNDARY = re.compile(r"^(?:-{3,}|\.{3}|---[ \t]*ya?ml)[ \t]*$", re.MULTILINE)
    OPENED = re.compile(r"^-{3,}+[ \t]*+(?:ya?ml[ \t]*+)?$", re.MULTILINE)

    def values(self, fm: str) -> Any:
        try:
            return yaml.load(fm)
        except yaml.YamlError as error:
            line = self.line - 1 + error.line
            diagnostic = error.kind.error(
                self.path, error.message, error.suggestion, line, error.column
            )
            raise InvalidYaml(diagnostic, fm, self.line) from None


class _TOML(_Handler):
    """A `+++` block, read by tomllib; python-frontmatter's own handler needs the package `toml`."""

    FM_BOUNDARY = OPENED = re.compile(r"^\+{3,}[^\S\n]*$", re.MULTILINE)

    def values(self, fm: str) -> Any:
        if _LONG_KEY.search(fm):
            raise RecursionError
        try:
            metadata = tomllib.loads(fm)
            repr(metadata)  # raises ValueError if an integer has too many digits to format
        except ValueError as error:
            message, advice = Text("Invalid TOML: {}.", error), Text("See toml.io for the syntax.")
            kind = DiagnosticKind.INVALID_TOML
            raise self.fault(kind, message, advice, _line_of(error)) from None
        return metadata


class _NamedTOML(_TOML):
    """A `---toml` block."""

    FM_BOUNDARY = re.compile(r"^---(?:[ \t]*toml)?[ \t]*$", re.MULTILINE)
    OPENED = re.compile(r"^---[ \t]*toml[ \t]*$", re.MULTILINE)


class _NamedJSON(_Handler, JSONHandler):
    """A `---json` block."""

    FM_BOUNDARY = re.compile(r"^---(?:[ \t]*json)?[ \t]*$", re.MULTILINE)
    OPENED = re.compile(r"^---[ \t]*json[ \t]*$", re.MULTILINE)
    split = BaseHandler.split  # JSONHandler's is for braces on lines of their own

    def values(self, fm: str) -> Any:
        try:
            return JSONHandler.load(self, fm)
        except ValueError as error:
            message, advice = Text("Invalid JSON: {}.", error), Text("Correct it, or write YAML.")
            kind = DiagnosticKind.INVALID_FRONT_MATTER
            raise self.fault(kind, message, advice, _line_of(error)) from None


class _JSON(_NamedJSON):
    """An object in JSON at the top of a file, as Hugo has it."""

    OPENED = re.compile(r"^\{\s*\"[^\"\n]+\"\s*:")

    def split(self, text: str) -> tuple[str, str]:
        _, end = json.JSONDecoder().raw_decode(text)
        if text[end : end + 1] not in ("", "\n"):
            raise ValueError("text follows the object")
        return text[:end], text[end:]


_HEADERS = re.compile(
    r"\A(?=(?:[\w-]+:.*\n)*?(?:Date|Category|Tags|Slug|Authors?|Summary|Status|Lang|Template):)"
    r"(?=(?:[\w-]+:.*\n)*?Title:)"
    r"((?:[\w-]+:(?:[ \t].*(?:\n|\Z)(?:[ \t]+\S.*(?:\n|\Z))*|\Z))+)(?=[ \t]*(?:\n|\Z))",
    re.IGNORECASE,
)


class _Headers(_Handler):
    """Lines `Key: value` without a fence up to the first blank line, as Pelican and MkDocs have."""

    FM_BOUNDARY = OPENED = _HEADERS
    _LINE = re.compile(r"^([\w-]+):[ \t]+(.*(?:\n[ \t]+.*)*)", re.MULTILINE)

    def values(self, fm: str) -> Any:
        return {key: " ".join(value.split()) for key, value in self._LINE.findall(fm)}


_HANDLERS = (_YAML(), _TOML(), _NamedTOML(), _NamedJSON(), _JSON(), _Headers())
"""They detect; each file is read with one of its own, which keeps what it reads."""


def _line_of(error: ValueError) -> int:
    match = _ERROR_LINE.search(str(error))
    return int(match[1]) if match else 1


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A split file: `metadata` as written, and `body`, which starts at line `body_line`.

    `raw` is the front matter from its fence, at `raw_line`, to the next; lines count from 1.
    """

    metadata: dict[str, object]
    body: str
    raw: str = ""
    raw_line: int = 1
    body_line: int = 1
    is_yaml: bool = False
    is_toml: bool = False

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


def parse(source: SourceFile) -> FrontMatter:
    """Split a file and parse its metadata, if any.

    Raises ContentFileError if it is never closed, too long, or cannot be read.
    """
    text = source.text
    found = frontmatter.detect_format(_BLANK_LINES.sub("", text, count=1), _HANDLERS)
    if not isinstance(found, _Handler):
        return FrontMatter({}, text)
    line = text.count("\n", 0, len(text) - len(text.lstrip())) + 1
    handler = type(found)(source.path, line)
    try:
        metadata, content = frontmatter.parse(text, handler=handler)
    except RecursionError:
        message, advice = Text("The front matter is nested too deeply."), Text("Flatten it.")
        raise handler.fault(DiagnosticKind.INVALID_FRONT_MATTER, message, advice) from None
    if handler.raw is None:
        _refuse_unclosed(source)
        return FrontMatter({}, text)
    # The content comes stripped, but a first line that is indented is code.
    start = len(text[: len(text.rstrip()) - len(content)].rstrip())
    body_line = text.count("\n", 0, start) + 1
    is_yaml, is_toml = isinstance(handler, _YAML), isinstance(handler, _TOML)
    return FrontMatter(metadata, text[start:], handler.raw, line, body_line, is_yaml, is_toml)


def parse_or_body(source: SourceFile) -> FrontMatter:
    """Return the parts of a file; all of one that `parse` refuses is its body."""
    try:
        return parse(source)
    except ContentFileError:
        return FrontMatter({}, source.text)


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
    known = _known_keys(kind, kind.fields.field_names)
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


@lru_cache(256)
def _known_keys(kind: AnyContentType, attributes: tuple[str, ...]) -> Mapping[str, str]:
    """Return the keys that are read in documents of a type, and our key for each.

    The attributes are those of its fields: types are equal by folder, also after an edit.
    """
    names = [to_camel(name) for name in attributes]
    own = ("redirect_from", *_OLD_PATHS, "categories", "tags", "series")
    aliases = {key: target for key, target in aliases_of(kind).items() if key not in _TIMES}
    keys = {each: each for each in (*attributes, *own)} | aliases | {name: name for name in names}
    return keys | {key.lower(): target for key, target in keys.items() if key.lower() not in keys}


def _in_other_case(
    known: Mapping[str, str], key: str, metadata: Mapping[str, object]
) -> str | None:
    """Return our key for one in capitals, such as `Title`, unless the file has it as well."""
    lower = key.lower()
    return None if lower == key or lower in metadata else known.get(lower)


def known_key(kind: AnyContentType, key: str) -> str | None:
    """Return our key for one in any spelling, None if it is not read in documents of a type."""
    known = _known_keys(kind, kind.fields.field_names)
    return known.get(key) or known.get(key.lower()) or time_key(key)


def publication(kind: AnyContentType, metadata: Mapping[str, object]) -> Publication:
    """Return what the keys of a document say about its publication."""
    return publication_of(metadata, _own_names(kind, kind.fields.field_names))


@lru_cache(256)
def _own_names(kind: AnyContentType, attributes: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the fields of a type, apart from those about publication."""
    of_singletons = (each.field_names for each in kind.singletons.values())
    names = set(map(folded, chain(attributes, *of_singletons)))
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
    for key, block in [each for each in fields.items() if isinstance(each[1], dict)]:
        name = f"{to_snake(key)}_alt"
        if name in kind.fields.field_names:
            alt = to_camel(name)
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
