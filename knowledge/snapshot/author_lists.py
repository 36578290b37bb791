"""Author lists: the authors whom posts name by a key, as in Docusaurus and Jekyll.

A file `authors.yml` beside the posts, or `_data/authors.yml`, has a block of details by key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, Severity
from knowledge.diagnostics.kinds import DiagnosticKind
from knowledge.documents.files import FileFingerprint, fingerprint_of, read_document
from knowledge.fields import yaml
from knowledge.fields.content_types import POST
from knowledge.fields.field_types import ValidationContext
from knowledge.fields.schemas import Author, PostFields
from knowledge.locales.locale import Language
from knowledge.snapshot.named_terms import Authors

AUTHOR_FILES = (f"{POST}/authors.yml", f"{POST}/authors.yaml", "_data/authors.yml")


@dataclass(frozen=True, eq=False, slots=True)
class AuthorList:
    """The authors of one version of a file; a broken file has none."""

    path: str = ""
    fingerprint: FileFingerprint | None = None
    authors: Authors = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


NO_AUTHORS = AuthorList()


def load_authors(root: Path, before: AuthorList = NO_AUTHORS) -> AuthorList:
    """Return the list of the first file that there is; the previous one if it did not change."""
    for path in AUTHOR_FILES:
        fingerprint = fingerprint_of(root, path)
        if fingerprint is None:
            continue
        if (before.path, before.fingerprint) == (path, fingerprint):
            return before
        return AuthorList(path, fingerprint, *_read(root, path))
    return NO_AUTHORS


def _read(root: Path, path: str) -> tuple[Authors, tuple[Diagnostic, ...]]:
    try:
        listed = yaml.load(read_document(root, path).text)
    except ContentFileError as broken:
        return {}, tuple(diagnostic.as_warning() for diagnostic in broken.diagnostics)
    except yaml.YamlError as error:
        return {}, (_warning(path, f"Invalid YAML: {error}."),)
    if not isinstance(listed, dict):
        return {}, (_warning(path, "The file is not a mapping of keys to authors."),)
    found = {key: _author(key, value) for key, value in listed.items()}
    problems = tuple(
        _warning(path, f"The author “{key}” is invalid.")
        for key, author in found.items()
        if author is None
    )
    return {key: author for key, author in found.items() if author is not None}, problems


def _author(key: str, details: object) -> Author | None:
    if not isinstance(details, dict):
        return None
    entry = {"name": key, **details}
    try:
        fields = PostFields.parse({"authors": [entry]}, ValidationContext(Language.EN))
    except ValidationError:
        return None
    return next(iter(fields.authors or ()), None)


def _warning(path: str, message: str) -> Diagnostic:
    suggestion = "Write a key, and below it name, url, title and image."
    return Diagnostic(
        path, message, suggestion, severity=Severity.WARNING, kind=DiagnosticKind.INVALID_AUTHORS
    )
