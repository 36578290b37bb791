"""Files that come with a form: what they are is seen in their bytes, not in their names."""

import codecs
import hashlib
import io
import os
import struct
import zipfile
from collections.abc import Collection
from typing import IO, Any, NamedTuple, cast, get_args

from knowledge.fields.file_types import ASSET_TYPES
from knowledge.fields.form_fields import FileType


class UploadedFile(NamedTuple):
    """A file as sent: the name that its sender gives it, and its bytes, which are not read yet."""

    name: str
    stream: IO[bytes]

    @property
    def size(self) -> int:
        """The number of its bytes."""
        return self.stream.seek(0, os.SEEK_END)

    def read(self) -> bytes:
        """Return its bytes."""
        self.stream.seek(0)
        return self.stream.read()

    def described(self, kind: str, content: bytes) -> dict[str, Any]:
        """Return what an answer says of a file of this type."""
        return {
            "name": _file_name(self.name, kind),
            "type": ASSET_TYPES.get(f".{kind}", "text/plain"),
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }


_LONGEST_NAME = 120
_OFFICE = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_SIGNATURES = {"pdf": b"%PDF-", "png": b"\x89PNG\r\n\x1a\n", "jpg": b"\xff\xd8\xff"}
_ARCHIVES = frozenset({*_OFFICE.values(), "odt"})
_MOST_ENTRIES, _MOST_DIRECTORY_BYTES = 5_000, 512 * 1024
"""Of the directory of an archive; to list it takes 10 µs for each entry."""


def _file_name(sent: str, kind: str) -> str:
    r"""Return a name without folders and control characters, whose suffix tells the type.

    >>> _file_name("..\\cv.\u202efdp.exe", "pdf")
    'cv.fdp.exe.pdf'
    """
    last = sent.replace("\\", "/").rpartition("/")[2]
    name = "".join(each for each in last if each.isprintable()).strip(" .")[-_LONGEST_NAME:]
    suffix = name.rpartition(".")[2].lower().replace("jpeg", "jpg")
    return name if suffix == kind and len(name) > len(kind) + 1 else f"{name or 'file'}.{kind}"


def file_type(content: bytes, accepted: Collection[str] = get_args(FileType)) -> str | None:
    r"""Return the type of a file by its bytes, None if it is none of the accepted ones.

    Its first bytes tell which types it may have; the others are read only if one is accepted.

    >>> file_type(b"%PDF-1.7\n"), file_type(b"MZ\x90\x00"), file_type("سيرة".encode())
    ('pdf', None, 'txt')
    """
    if content.startswith(b"PK\x03\x04"):
        found = None if _ARCHIVES.isdisjoint(accepted) else _archive_type(content)
    elif content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        found = "webp"
    else:
        found = next((kind for kind, each in _SIGNATURES.items() if content.startswith(each)), None)
        if found is None and "txt" in accepted and _is_text(content):
            found = "txt"
    return found if found in accepted else None


def _archive_type(content: bytes) -> str | None:
    """Return the type of a document that is an archive; nothing of it is unpacked."""
    try:
        if not _has_short_directory(content):
            return None
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error):
        return None
    if any(name.endswith("vbaProject.bin") for name in names):
        return None
    if content[30:69] == b"mimetypeapplication/vnd.oasis.opendocum" and b".text" in content[69:80]:
        return "odt"
    if "[Content_Types].xml" not in names:
        return None
    return next((_OFFICE[each] for each in _OFFICE if any(n.startswith(each) for n in names)), None)


_END, _END64 = b"PK\x05\x06", b"PK\x06\x07"
_PIECE_BYTES = 64 * 1024
"""A text is read in pieces, between which other threads run."""


def _has_short_directory(content: bytes) -> bool:
    """Return whether the end record of an archive tells of few entries; raises struct.error.

    One with a record of 64 bits, which would count instead, is longer than any file of a form.
    """
    end = content.rfind(_END, -(22 + 0xFFFF))
    if end < 0 or content.startswith(_END64, max(0, end - 20)):
        return False
    entries, size = cast("tuple[int, int]", struct.unpack_from("<HI", content, end + 10))
    return entries <= _MOST_ENTRIES and size <= _MOST_DIRECTORY_BYTES


def _is_text(content: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        for start in range(0, len(content), _PIECE_BYTES):
            piece = decoder.decode(content[start : start + _PIECE_BYTES])
            for sign in "\t\r\n\f":  # `translate` takes twenty times as long for Arabic
                piece = piece.replace(sign, "")
            if not piece.isprintable():
                return False
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return content not in (b"", codecs.BOM_UTF8)
