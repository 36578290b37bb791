"""Request headers for tests of shared caches: of well-known clients, and generated ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

CLIENTS = {
    "Chrome": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,"
    "image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
    "Firefox": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "images of Chrome": "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
    "styles of Firefox": "text/css,*/*;q=0.1",
    "curl": "*/*",
    "none": "",
    "Claude Code": "text/markdown, text/html, */*",
    "Cursor": "text/markdown, text/plain;q=0.9, */*;q=0.8",
    "OpenCode": "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, "
    "*/*;q=0.1",
    "OpenCode for HTML": "text/html;q=1.0, application/xhtml+xml;q=0.9, text/plain;q=0.8, "
    "text/markdown;q=0.7, */*;q=0.1",
    "axios": "application/json, text/plain, */*",
    "a reader of sitemaps": "application/xml, text/xml;q=0.9",
}
"""Accept by client."""

CODINGS = ("gzip, deflate, br, zstd", "gzip, deflate, br", "gzip, deflate", "gzip", "br", "")
LANGUAGES = (
    *("en-US,en;q=0.9", "ar", "ar-SA,ar;q=0.9,en-US;q=0.8,en;q=0.7", "fr-FR,fr;q=0.9,en;q=0.8"),
    *("hi", "en-GB,en;q=0.5", ""),
)
_RANGES = (
    *("text/html", "text/markdown", "text/x-markdown", "application/json", "text/plain"),
    *("application/xml", "text/xml", "application/xhtml+xml"),
)
_ODD_RANGES = ("*/*", "text/*", "application/*", "*/html", "image/png", "TEXT/HTML", "html", "")
_QUALITIES = (
    "",
    "",
    "",
    ";q=1",
    ";q=0.5",
    "; q=0.9",
    ";q=0",
    ";q=0.000",
    ";q=1.1",
    ";q=x",
    ";Q=1.0",
)
_PARAMETERS = ("", "", "", ";charset=utf-8", ';a="x,y"', ";a", "; level=1")
_CODINGS = ("gzip", "br", "zstd", "identity", "*", "deflate", "x-gzip", "GZIP", "")
_LANGUAGES = ("en", "ar", "en-US", "AR-sa", "fr", "hi", "*", "en_GB", "arz", "x", "")


def generated(seed: int, number: int) -> Iterator[Mapping[str, str]]:
    """Yield headers, odd ones in some part; the same ones for a seed."""
    random = Random(seed)
    for _ in range(number):
        yield {
            "Accept": _list(random, (*_RANGES, *_RANGES, *_ODD_RANGES), tuple(CLIENTS.values())),
            "Accept-Encoding": _list(random, _CODINGS, CODINGS),
            "Accept-Language": _list(random, _LANGUAGES, LANGUAGES),
        }


def _list(random: Random, items: tuple[str, ...], known: tuple[str, ...]) -> str:
    if random.random() < 0.6:
        return random.choice(known)
    chosen = random.choices(items, k=random.randint(0, 5))
    parts = (each + random.choice(_PARAMETERS) + random.choice(_QUALITIES) for each in chosen)
    return random.choice((",", ", ", " ,")).join(parts).strip()
