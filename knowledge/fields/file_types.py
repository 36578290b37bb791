"""The types of files in a content folder, by the suffixes of their names."""

import re
from collections.abc import Mapping

DOCUMENT_SUFFIXES = (".md", ".markdown", ".mdx")
FOREIGN_SUFFIXES = (".adoc", ".asciidoc", ".org", ".rst")
"""Texts in other languages than markdown, which are not read."""

_OPEN_XML = "application/vnd.openxmlformats-officedocument"
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument"

DOWNLOAD_TYPES: Mapping[str, str] = {
    ".7z": "application/x-7z-compressed",
    ".csv": "text/csv; charset=utf-8",
    ".doc": "application/msword",
    ".docx": f"{_OPEN_XML}.wordprocessingml.document",
    ".dwg": "image/vnd.dwg",
    ".dxf": "image/vnd.dxf",
    ".epub": "application/epub+zip",
    ".ics": "text/calendar; charset=utf-8",
    ".odp": f"{_OPEN_DOCUMENT}.presentation",
    ".ods": f"{_OPEN_DOCUMENT}.spreadsheet",
    ".odt": f"{_OPEN_DOCUMENT}.text",
    ".pdf": "application/pdf",
    ".pps": "application/vnd.ms-powerpoint",
    ".ppsx": f"{_OPEN_XML}.presentationml.slideshow",
    ".ppt": "application/vnd.ms-powerpoint",
    ".pptx": f"{_OPEN_XML}.presentationml.presentation",
    ".rtf": "application/rtf",
    ".vcf": "text/vcard; charset=utf-8",
    ".xls": "application/vnd.ms-excel",
    ".xlsx": f"{_OPEN_XML}.spreadsheetml.sheet",
    ".zip": "application/zip",
}
"""What visitors save, and open in another program. Browsers run none of it on the site."""

ASSET_TYPES: Mapping[str, str] = {
    **DOWNLOAD_TYPES,
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".m4a": "audio/mp4",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".oga": "audio/ogg",
    ".ogv": "video/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".vtt": "text/vtt",
    ".wav": "audio/wav",
    ".webm": "video/webm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}

STATIC_FOLDER = "_static"
"""The folder of files that belong to the look of the site."""

STATIC_TYPES = (*ASSET_TYPES, ".css")

HASHED_NAME = r"(?:diagram-)?(?=[0-9a-f]{16})[^/]+"
"""The first part of the paths of the service's own files in `/static/`, below their folder.

It has one quantifier, as checkers of nginx refuse two beside each other."""

OWN_FILE = re.compile(rf"static/(?:(?:cards/)?{HASHED_NAME}/|images/{HASHED_NAME}$)")
"""The paths of the service's own files, which a file of the content folder cannot have."""

_STYLESHEET = "text/css; charset=utf-8"


def media_type_of(path: str) -> str:
    """Return the media type of an asset; raises KeyError for a type that is not served.

    >>> media_type_of("images/a.PNG"), media_type_of("_static/site.css")
    ('image/png', 'text/css; charset=utf-8')
    """
    suffix = suffix_of(path)
    if suffix == ".css" and path.startswith(f"{STATIC_FOLDER}/"):
        return _STYLESHEET
    return ASSET_TYPES[suffix]


def suffix_of(name: str) -> str:
    """Return the suffix of a file name in lower case, with its dot."""
    return "".join(name.rpartition(".")[1:]).lower()
