"""Documents: one content file each, read, typed and placed in its layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import lz4.block
from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from knowledge import front_matter
from knowledge.content_path import ContentPath, ContentType, slugify
from knowledge.diagnostics import ContentFileError, Diagnostic, Severity
from knowledge.fields import ReadingContext
from knowledge.files import SourceFile
from knowledge.front_matter import FrontMatter
from knowledge.front_matter_aliases import normalize_keys
from knowledge.layers import Layer
from knowledge.locale import Language
from knowledge.schemas import Common, schema

# A date that cannot be read must not publish what was meant for later.
_VISIBILITY = {"published", "publishedAt", "unpublishAt"}

# City files give the names of others their meaning; those of `site/` are looked for.
_KNOWN_BY_FILE = {ContentType.CITY, ContentType.SITE}

_SHOWN_CHARACTERS = 60

Metadata = Mapping[str, Any]
"""Front matter by field name (snake_case), only what the file sets; texts are by language."""


@dataclass(frozen=True, eq=False, slots=True)
class Document:
    """One file of a document: `metadata` typed, the body not yet parsed.

    `slug` is the file name's; the document's own may differ, see `knowledge.document_index`.
    The body is held compressed: most are not read for most of the time. LZ4 is quick enough to
    do that with thousands of small ones at a start.
    """

    path: str
    kind: ContentType
    slug: str
    layer: Layer
    language: Language
    metadata: Metadata
    compressed_body: bytes
    body_line: int

    @property
    def body(self) -> str:
        """The markdown below the front matter."""
        return lz4.block.decompress(self.compressed_body).decode() if self.compressed_body else ""

    @property
    def has_body(self) -> bool:
        """Whether there is any text below the front matter."""
        return bool(self.compressed_body)


def parse_document(
    source: SourceFile, name: ContentPath
) -> tuple[Document, tuple[Diagnostic, ...]]:
    """A document and the doubts about it; raises ContentFileError where it cannot be served."""
    parts = front_matter.parse(source)
    language = name.layer.language or _language(parts, source.path)
    metadata, diagnostics = _metadata(source.path, name, language, parts)
    diagnostics += _settle_slug(source.path, name, parts, metadata)
    if name.date:
        metadata["dated"] = name.date
    body = "" if parts.body.isspace() else parts.body.rstrip()
    document = Document(
        path=source.path,
        kind=name.kind,
        slug=name.slug,
        layer=name.layer,
        language=language,
        metadata=metadata,
        compressed_body=lz4.block.compress(body.encode()) if body else b"",
        body_line=parts.body_line,
    )
    if not document.slug:
        raise ContentFileError(
            Diagnostic(source.path, "The file name gives no slug.", "Rename the file.")
        )
    return document, source.diagnostics + diagnostics


def _settle_slug(
    path: str, name: ContentPath, parts: FrontMatter, metadata: dict[str, Any]
) -> tuple[Diagnostic, ...]:
    """A slug from elsewhere may be a path or hold capitals; one of nothing but signs is none."""
    if "slug" not in metadata:
        return ()
    slug = slugify(metadata.pop("slug").rstrip("/").rpartition("/")[2])
    if name.kind in _KNOWN_BY_FILE and slug != name.slug:
        message = f"slug: “{slug}” is left out, as other files know this one by its own name."
        line = parts.line_of(("slug",))
        return (Diagnostic(path, message, "Rename the file instead.", line, Severity.WARNING),)
    if slug:
        metadata["slug"] = slug
    return ()


def _language(parts: FrontMatter, path: str) -> Language:
    written = parts.metadata.get("lang")
    if written is None:
        return Language.EN
    language = Language.parse(str(written))
    if language is None:
        message = f"lang: “{_shown(written)}” is no language served."
        line = parts.line_of(("lang",))
        raise ContentFileError(Diagnostic(path, message, "Use en or ar.", line))
    return language


def _metadata(
    path: str, name: ContentPath, language: Language, parts: FrontMatter
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    fields, origins = normalize_keys(name.kind, parts.metadata)
    context = ReadingContext(language)
    model, diagnostics = _validate(
        schema(name.kind, name.slug), fields, origins, context, path, parts
    )
    metadata = model.model_dump(exclude_unset=True, exclude_none=True)
    ambiguous_scalars = tuple(
        _ambiguous_scalar(path, parts, text) for text in context.ambiguous_scalars
    )
    cleaned = tuple(_cleaned(path, parts, name) for name in dict.fromkeys(context.cleaned))
    return metadata, diagnostics + ambiguous_scalars + cleaned


def _validate(
    model: type[Common],
    fields: dict[str, Any],
    origins: Mapping[str, str],
    context: ReadingContext,
    path: str,
    parts: FrontMatter,
) -> tuple[Common, tuple[Diagnostic, ...]]:
    """Validate, leaving out a borrowed key that does not fit; one of ours breaks the file."""
    try:
        return model.model_validate(fields, context=context), ()
    except ValidationError as error:
        diagnostics = tuple(_diagnostic(path, parts, origins, detail) for detail in error.errors())
        unfit = {str(detail["loc"][0]) for detail in error.errors()}
    if not unfit <= origins.keys() - _VISIBILITY:
        raise ContentFileError(*diagnostics)
    kept = {key: value for key, value in fields.items() if key not in unfit}
    return model.model_validate(kept, context=context), tuple(f.as_warning() for f in diagnostics)


def _diagnostic(
    path: str, parts: FrontMatter, origins: Mapping[str, str], detail: ErrorDetails
) -> Diagnostic:
    first, *rest = detail["loc"]
    keys = (origins.get(str(first), first), *rest)
    dotted = _shown(".".join(str(key) for key in keys))
    problem = _printable(detail["msg"].removeprefix("Value error, "))
    return Diagnostic(
        path,
        f"{dotted}: “{_shown(detail['input'])}” does not fit: {problem}.",
        "Correct the value, or leave the key out.",
        parts.line_of(keys),
    )


def _shown(value: object) -> str:
    """How a value begins, on one line and without signs that a terminal would obey."""
    return _printable(str(value)[:_SHOWN_CHARACTERS])


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _cleaned(path: str, parts: FrontMatter, field: str) -> Diagnostic:
    key = to_camel(field)
    message = f"{key} holds a control character, which is left out."
    return Diagnostic(path, message, "Remove it.", parts.line_of((key,)), Severity.WARNING)


def _ambiguous_scalar(path: str, parts: FrontMatter, text: str) -> Diagnostic:
    line = next(
        (
            parts.raw_line + number
            for number, line in enumerate(parts.raw.split("\n"))
            if line.rstrip().endswith(text)
        ),
        1,
    )
    return Diagnostic(
        path,
        f"“{text}” stands without quotes; it is read as this text, other tools read it otherwise.",
        f'Write "{text}" in quotes.',
        line,
        Severity.WARNING,
    )
