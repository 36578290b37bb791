"""Files that come with a form: what they are is seen in their bytes, not in their names."""

from __future__ import annotations

import hashlib
import io
import zipfile
from typing import Any, NamedTuple

_LONGEST_NAME = 120
_MEDIA_TYPES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "png": "image/png",
    "jpg": "image/jpeg",
    "webp": "image/webp",
    "txt": "text/plain",
}
_OFFICE = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}


class UploadedFile(NamedTuple):
    """A file as sent: the name that its sender gives it, and its bytes."""

    name: str
    content: bytes

    def described(self, kind: str) -> dict[str, Any]:
        """Return what an answer says of a file of this type."""
        return {
            "name": _file_name(self.name, kind),
            "type": _MEDIA_TYPES[kind],
            "size": len(self.content),
            "sha256": hashlib.sha256(self.content).hexdigest(),
        }


def _file_name(sent: str, kind: str) -> str:
    r"""Return a name without folders and control characters, whose suffix tells the type.

    >>> _file_name("..\\cv.\u202efdp.exe", "pdf")
    'cv.fdp.exe.pdf'
    """
    last = sent.replace("\\", "/").rpartition("/")[2]
    name = "".join(each for each in last if each.isprintable()).strip(" .")[-_LONGEST_NAME:]
    suffix = name.rpartition(".")[2].lower().replace("jpeg", "jpg")
    return name if suffix == kind and len(name) > len(kind) + 1 else f"{name or 'file'}.{kind}"


def file_type(content: bytes) -> str | None:
    r"""Return the type of a file by its bytes, None if it is none that forms take.

    >>> file_type(b"%PDF-1.7\n"), file_type(b"MZ\x90\x00"), file_type("سيرة".encode())
    ('pdf', None, 'txt')
    """
    if content.startswith(b"%PDF-"):
        return "pdf"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if content.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp"
    if content.startswith(b"PK\x03\x04"):
        return _archive_type(content)
    return "txt" if _is_text(content) else None


def _archive_type(content: bytes) -> str | None:
    """Return the type of a document that is an archive; nothing of it is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return None
    if any(name.endswith("vbaProject.bin") for name in names):
        return None
    if content[30:69] == b"mimetypeapplication/vnd.oasis.opendocum" and b".text" in content[69:80]:
        return "odt"
    if "[Content_Types].xml" not in names:
        return None
    return next((_OFFICE[each] for each in _OFFICE if any(n.startswith(each) for n in names)), None)


def _is_text(content: bytes) -> bool:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return bool(text) and all(each.isprintable() or each in "\t\r\n\f" for each in text)
