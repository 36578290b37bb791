"""Files of forms that are costly to judge, and uploads that never end."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import struct
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from operator import gt
from pathlib import Path
from time import thread_time
from typing import get_args

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import NOW
from gulf import write_site
from live.server import Server, eventually
from samples.forms import FORMS

from app.features.leads.answers import UploadedFile, file_type, read_answers
from app.platform.limits.rate_limits import NETWORK_BYTES, TooManyUploads, UploadsUnderWay
from app.platform.submitted_fields import FieldError
from knowledge.blocks.form import FormInput, SiteForm
from knowledge.fields.form_fields import FileType

MEGABYTES = 9_900_000
"""A little less than the most bytes of a file."""
PATH = "/ae/en/forms/tender"
MULTIPART = "multipart/form-data; boundary=b"
TYPED = (
    b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nOmar\r\n'
    b'--b\r\nContent-Disposition: form-data; name="email"\r\n\r\nomar@example.test\r\n'
)
FILE = b'--b\r\nContent-Disposition: form-data; name="plans"; filename="a.pdf"\r\n'
HOST = "127.0.0.1"
KINDS: tuple[FileType, ...] = get_args(FileType)


def directory(size: int, told: int | None = None, before: bytes = b"") -> bytes:
    """Return an archive that consists of its directory, and tells how many entries that has."""
    entry = b"PK\x01\x02" + struct.pack("<HHHHHHIIIHHHHHII", 20, 20, *[0] * 7, 1, *[0] * 6) + b"a"
    number, head = size // len(entry), b"PK\x03\x04" + bytes(26)
    told = min(number, 0xFFFF) if told is None else told
    end = struct.pack("<HHHHIIH", 0, 0, told, told, number * len(entry), len(head), 0)
    return head + entry * number + before + b"PK\x05\x06" + end


ATTACKS = {
    "directory": directory(MEGABYTES),
    "directory that tells of one entry": directory(MEGABYTES, 1),
    "Arabic text": "سيرة ذاتية\n".encode() * (MEGABYTES // 20),
    "lines": b"s\n" * (MEGABYTES // 2),
    "text that ends in a program": b"a" * MEGABYTES + b"\0",
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(MEGABYTES),
    "RIFF": b"RIFF....WEBP" + b"PK\x05\x06" * (MEGABYTES // 4),
    "end records": b"PK\x03\x04" + b"PK\x05\x06" * (MEGABYTES // 4),
    "document": b"%PDF-1.7\n" + bytes(MEGABYTES),
}


def asked_for(kind: FileType, **limits: int) -> SiteForm:
    """Return a form with a field for files of one type."""
    most = {"max_bytes": 10_000_000, "max_files": 2, **limits}
    field = FormInput(name="file", label={"en": "File"}, type="file", accept=[kind], **most)
    return SiteForm(name="tender", title={"en": "Tender"}, path="/tender", fields=[field])


@cases("attack", ATTACKS)
def test_each_field_for_files_judges_any_bytes_fast(attack: str) -> None:
    """Of whatever type: 10 MB take less than a quarter of a second of CPU."""
    for kind in KINDS:
        files = {"file": [UploadedFile("a", io.BytesIO(ATTACKS[attack]))]}
        began = thread_time()
        read_answers(asked_for(kind), {}, files, NOW)
        assert thread_time() - began < 0.25, kind


class Unread(io.BytesIO):
    """A file that must not be read."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Fail."""
        raise AssertionError("a file was read that is refused for its size or number")


@cases(
    ("sizes", "limits", "fault"),
    [
        ([10] * 3, {}, FieldError.TOO_MANY),
        ([10_000_001], {}, FieldError.TOO_LARGE),
        ([1, 2], {"max_bytes": 1}, FieldError.TOO_LARGE),
    ],
)
def test_number_and_size_come_before_the_bytes(
    sizes: list[int], limits: dict[str, int], fault: FieldError
) -> None:
    """Nothing is read of files that are too many, or of which one is too large."""
    files = {"file": [UploadedFile("a", Unread(bytes(size))) for size in sizes]}
    for kind in KINDS:
        read = read_answers(asked_for(kind, **limits), {}, files, NOW)
        assert (read.errors, read.files) == ({"answers.file": fault}, [])


def test_the_end_record_tells_of_the_directory() -> None:
    """One that another record would replace, or that tells of much, is none of a document."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in ("[Content_Types].xml", *(f"word/{number}.xml" for number in range(2_000))):
            archive.writestr(name, "")
    assert file_type(made.getvalue()) == "docx"
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, 30, 1)
    for content in (directory(10_000, before=locator), directory(1_000_000, 1), directory(300_000)):
        assert file_type(content) is None


def bodies() -> Iterator[tuple[str, str, bytes]]:
    """Yield what a form with files is sent: name, media type, body."""
    end = b"\r\n--b--\r\n"
    for name, content in ATTACKS.items():
        yield name, MULTIPART, TYPED + 2 * (FILE + b"\r\n" + content + b"\r\n") + end[2:]
    for name, head in {
        "headers": b"a:b\r\n" * 3_800_000,
        "continued lines": b" a\r\n" * 4_000_000,
        "quotes": b'Content-Disposition: form-data; name="' + b'\\"' * 9_000_000 + b'"\r\n',
        "parameters": b"Content-Disposition: form-data" + b";a=b" * 500_000 + b"\r\n",
    }.items():
        yield name, MULTIPART, TYPED + b"--b\r\n" + head + b"\r\nx" + end
    yield "preamble", f"multipart/form-data; boundary={'-' * 70}", b"-" * 19_000_000
    yield "long boundary", f"multipart/form-data; boundary={'-' * 4_000}", b"-" * 19_000_000
    yield "epilogue", MULTIPART, TYPED + b"--b--\r\n" + b"--b\r\n" * 3_800_000
    yield "boundaries", MULTIPART, TYPED + FILE + b"\r\n" + b"\r\n--bb" * 2_500_000 + end


async def longest_turn(ended: asyncio.Event) -> float:
    """Return the most CPU seconds that others took between two turns of the event loop."""
    longest, began = 0.0, thread_time()
    while not ended.is_set():
        await asyncio.sleep(0.001)
        longest, began = max(longest, thread_time() - began), thread_time()
    return longest


@pytest.mark.slow
def test_no_form_with_files_blocks_the_event_loop(shared_visit: Visit) -> None:
    """Others have their turns as with an honest file, and no byte takes much longer.

    A line that begins like a boundary is compared with it, which takes about four times as long
    as bytes that are only copied; what grows with the length takes a hundred times as long.
    """
    visitor = shared_visit(FORMS)

    async def taken(media_type: str, body: bytes) -> tuple[float, float]:
        began, ended = thread_time(), asyncio.Event()
        turns = asyncio.create_task(longest_turn(ended))
        headers = {"Content-Type": media_type, "Accept": "text/html"}
        await visitor.exchange("POST", PATH, headers, f"198.51.{next(numbers)}.7", body)
        ended.set()
        return await turns, thread_time() - began

    numbers = iter(range(250))
    sent = {name: (media_type, body) for name, media_type, body in bodies()}
    honest = [visitor._runner.run(taken(*sent["document"])) for _ in range(2)]
    turn, whole = map(max, zip(*honest, strict=True))
    most = 3 * turn + 0.05, 8 * whole

    def too_long(names: Iterable[str]) -> dict[str, tuple[float, float]]:
        seconds = {name: visitor._runner.run(taken(*sent[name])) for name in names}
        return {name: both for name, both in seconds.items() if any(map(gt, both, most))}

    assert too_long(too_long(sent)) == {}  # again: a busy CPU
    visitor.forget_leads()


def test_uploads_under_way_are_limited_for_a_network_and_for_all() -> None:
    """Until the requests end; one network leaves room for others."""
    uploads = UploadsUnderWay(100, 40)
    with uploads.counting("198.51.100.1") as first, uploads.counting("198.51.100.2") as second:
        first(30)
        with pytest.raises(TooManyUploads):
            second(11)
        second(10)
        with uploads.counting("2001:db8::/64") as other, uploads.counting("unknown") as unknown:
            other(40)
            with pytest.raises(TooManyUploads):
                unknown(21)
            unknown(20)
        assert uploads._networks.total() == 40
    with uploads.counting("198.51.100.3") as later:
        later(40)
    assert not uploads._networks


@contextmanager
def stalled(server: Server, client: str, size: int) -> Iterator[socket.socket]:
    """Send a part of an upload, and keep the connection."""
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: wahat.test\r\nX-Forwarded-For: {client}\r\n"
        f"Content-Type: {MULTIPART}\r\nContent-Length: 20000000\r\n\r\n"
    ).encode()
    with socket.create_connection((HOST, server.port), timeout=30) as connected:
        with suppress(OSError):  # it may be refused meanwhile
            connected.sendall(head + TYPED + FILE + b"\r\n%PDF-" + bytes(size))
        yield connected


def temporary_bytes(server: Server) -> int:
    """Return the size of the files without a name that the service has open."""
    folder, size = Path(f"/proc/{server.process.pid}/fd"), 0
    for each in folder.iterdir():
        with suppress(OSError):
            if "(deleted)" in str(each.readlink()):
                size += each.stat().st_size
    return size


def upload(server: Server, client: str, chunks: Iterator[bytes] | None = None) -> int:
    """Send a small file, or parts of unknown length; return the status, 0 if it is cut off."""
    connection = HTTPConnection(HOST, server.port, timeout=30)
    headers = {"Content-Type": MULTIPART, "X-Forwarded-For": client}
    body = chunks or (TYPED + FILE + b"\r\n%PDF-1.7\r\n--b--\r\n")
    try:
        connection.request("POST", PATH, body, headers, encode_chunked=chunks is not None)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


@pytest.mark.slow
def test_stalled_uploads_hold_little(start: Callable[..., Server], tmp_path: Path) -> None:
    """Those of one network less than its share, also without a length; others are served."""
    folder = write_site(tmp_path / "forms", FORMS)
    server = start(CONTENT_DIR=str(folder), TRUSTED_PROXIES="127.0.0.1")
    with ExitStack() as stack:
        for number in range(12):
            stack.enter_context(stalled(server, f"198.51.100.{number}", 19_000_000))
        assert temporary_bytes(server) <= NETWORK_BYTES
        assert upload(server, "203.0.113.7") == 303
    eventually(lambda: temporary_bytes(server) == 0)
    assert upload(server, "198.51.100.77") == 303
    endless = iter([TYPED + FILE + b"\r\n%PDF-", *[os.urandom(60_000)] * 1_000])
    assert upload(server, "203.0.113.8", endless) in (0, 413)
    eventually(lambda: temporary_bytes(server) == 0)


def test_a_temporary_folder_that_takes_nothing_is_told(
    visit: Visit, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a moment in which no more files are taken, and in the log."""
    visitor = visit(FORMS)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    body = TYPED + FILE + b"\r\n%PDF-" + bytes(600_000) + b"\r\n--b--\r\n"
    headers = {"Content-Type": MULTIPART, "Accept": "text/html"}
    reply = visitor.ask("POST", PATH, headers, body=body)
    assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
    assert "is the temporary folder full?" in caplog.text
