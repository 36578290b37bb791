"""The look of a site itself: its stylesheet `_static/site.css`, and its templates in `_templates/`.

The texts travel with the snapshot, so that an edit is seen without a restart and no request opens
a file. `renderers/html/site_templates.py` renders them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
from knowledge.documents.assets import read_asset
from knowledge.documents.files import FileFingerprint, fingerprint_of, read_text
from knowledge.fields.file_types import STATIC_FOLDER

SITE_STYLESHEET = f"{STATIC_FOLDER}/site.css"


@dataclass(frozen=True, slots=True)
class SiteStylesheet:
    """One version of the stylesheet."""

    fingerprint: FileFingerprint
    digest: str

    @property
    def url(self) -> str:
        """The path with which pages link it; another text has another path."""
        return f"/{SITE_STYLESHEET}?v={self.digest}"


def load_stylesheet(
    root: Path, fingerprint: FileFingerprint | None, before: SiteStylesheet | None = None
) -> SiteStylesheet | None:
    """Return the stylesheet, or None if there is none; the previous one if it did not change."""
    if fingerprint is None:
        return None
    if before is not None and before.fingerprint == fingerprint:
        return before
    try:
        content = read_asset(root, SITE_STYLESHEET)
    except ContentFileError:
        return before
    return SiteStylesheet(fingerprint, blake2b(content, digest_size=8).hexdigest())


log = logging.getLogger(__name__)

TEMPLATES_FOLDER = "_templates"
MAX_TEMPLATE_BYTES = 256 * 1024
MAX_TEMPLATES = 200
_SUFFIX = ".html"


class TemplateFaults:
    """The places of templates that failed while a page was rendered; each is logged once."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, int], str] = {}

    def note(self, path: str, line: int, reason: str) -> None:
        """Record the first error at a line of a template."""
        if (path, line) not in self._faults:
            self._faults[path, line] = reason
            log.error("%s:%s does not fit; the built-in template is used: %s", path, line, reason)

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield the diagnostics for `majlis check`."""
        for (path, line), reason in self._faults.items():
            yield template_fault(path, line, f"The template does not fit: {reason}.")


def template_fault(path: str, line: int, message: str, suggestion: str = "") -> Diagnostic:
    """Return the diagnostic of a template; its pages are shown with the built-in one."""
    advice = suggestion or "Correct it, or delete the file; until then the built-in one is used."
    return DiagnosticKind.INVALID_TEMPLATE.warning(path, message, advice, line)


@dataclass(frozen=True, eq=False, slots=True)
class TemplateFiles:
    """The templates of a site by name, such as `post.html` or `parts/header.html`."""

    fingerprints: Mapping[str, FileFingerprint] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    faults: TemplateFaults = field(default_factory=TemplateFaults)


NO_TEMPLATES = TemplateFiles()


def template_path(name: str) -> str:
    """Return the path of a template in the content folder."""
    return f"{TEMPLATES_FOLDER}/{name}"


def load_templates(root: Path, before: TemplateFiles = NO_TEMPLATES) -> TemplateFiles:
    """Return the templates of a site; the previous ones if no file changed.

    A file that cannot be read keeps its last good text.
    """
    names = sorted(_names(root / TEMPLATES_FOLDER, ""))[:MAX_TEMPLATES]
    found = {name: fingerprint_of(root, template_path(name)) for name in names}
    fingerprints = {name: each for name, each in found.items() if each is not None}
    if fingerprints == before.fingerprints:
        return before
    texts: dict[str, str] = {}
    diagnostics: list[Diagnostic] = []
    for name, fingerprint in fingerprints.items():
        if before.fingerprints.get(name) == fingerprint and name in before.texts:
            texts[name] = before.texts[name]
            continue
        try:
            texts[name] = read_text(root, template_path(name), MAX_TEMPLATE_BYTES).text
        except ContentFileError as broken:
            diagnostics += broken.diagnostics
            texts |= {name: before.texts[name]} if name in before.texts else {}
    return TemplateFiles(fingerprints, texts, tuple(diagnostics))


def _names(folder: Path, prefix: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in found:
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir():
            yield from _names(folder / entry.name, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            yield f"{prefix}{entry.name}"
