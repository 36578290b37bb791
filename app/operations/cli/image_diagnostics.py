"""Images for `majlis check`: decodes each one to find files that are cut off or damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind, Severity
from knowledge.documents.images import Images, open_image
from renderers.images.variants import PictureBroken, check_decoding


def image_diagnostics(root: Path, images: Images) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each picture of which no smaller variant can be made."""
    for image in images.by_digest.values():
        try:
            with open_image(root, image.path) as file:
                check_decoding(file)
        except (PictureBroken, ContentFileError, OSError):
            message = "The picture is cut off or damaged, so browsers may show only a part of it."
            suggestion = "Save it again, or copy the whole file again."
            kind, severity = DiagnosticKind.UNREADABLE_IMAGE, Severity.WARNING
            yield Diagnostic(image.path, message, suggestion, severity=severity, kind=kind)
