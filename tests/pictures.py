"""Picture files for tests, made by Pillow."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

TURNED = 6
"""The EXIF orientation of a camera that was held upright."""


def picture(
    form: str, width: int, height: int, mode: str = "RGB", turned: bool = False, **save: Any
) -> bytes:
    """Return a picture with a red left half and a blue right half, as the file has them."""
    image = Image.new(mode, (width, height), (200, 30, 30, 128)[: len(mode)])
    pen = ImageDraw.Draw(image)
    pen.rectangle((width // 2, 0, width, height), fill=(30, 30, 200, 255)[: len(mode)])
    exif = Image.Exif()
    exif[0x010E] = "SECRET PLACE"
    if turned:
        exif[0x0112] = TURNED
    saved = BytesIO()
    image.save(saved, form, **({"exif": exif} if form in ("JPEG", "WEBP") else {}), **save)
    return saved.getvalue()


def animation() -> bytes:
    """Return a GIF of two frames."""
    frames = [Image.new("P", (600, 300), number) for number in (1, 2)]
    saved = BytesIO()
    frames[0].save(saved, "GIF", save_all=True, append_images=frames[1:], duration=100)
    return saved.getvalue()


def bomb(side: int) -> bytes:
    """Return a PNG of `side` × `side` pixels, a black one of one bit each, in a few kilobytes."""
    row = b"\0" + bytes((side + 7) // 8)
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def svg(attributes: str, before: str = "") -> bytes:
    """Return an SVG with these attributes of its root element."""
    return f'{before}<svg xmlns="http://www.w3.org/2000/svg" {attributes}/>'.encode()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
