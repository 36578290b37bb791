"""Sources of artefacts: a folder, a web server or a bucket with what one machine has made for all.

An artefact is a file with a name that says what it was made of, such as the digest of the content.
The file ends with a digest of name and content: one that is damaged or foreign counts as missing.
Who fetches makes what is missing by itself, so a source that fails costs time alone.
"""

import io
import logging
import os
import re
import shutil
import sys
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import IO, Any, Protocol
from urllib.parse import quote, unquote, urlsplit

from app.platform.concurrency.guards import CircuitBreaker
from app.platform.deliveries.http_client import trusted_certificates

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

log = logging.getLogger(__name__)

_MAX_BYTES = 4 * 1024**3
"""The most that an artefact may have, as it is fetched and unpacked."""


class NotAdded(OSError):
    """An artefact could not be added to a source."""


class NotThere(Exception):
    """The source answers, but has no such artefact."""


_UNUSABLE = (tarfile.TarError, zstd.ZstdError, ValueError, EOFError, FileExistsError)
"""What the archive of an artefact raises that `put_folder` has not written."""


class _Bounded(io.FileIO):
    """A file that takes no more than an artefact may have."""

    def write(self, part: Any, /) -> int:
        """Write a part; raises ValueError."""
        if self.tell() + len(part) > _MAX_BYTES:
            raise ValueError("the artefact is too large")
        return super().write(part)


class Place(Protocol):
    """Where artefacts are. Both methods raise what their library raises."""

    def get(self, name: str, written: IO[bytes]) -> None:
        """Write an artefact to a file; raises NotThere."""

    def put(self, name: str, file: Path) -> None:
        """Add or replace an artefact."""


SEAL_BYTES = 16
_PART_BYTES = 1024 * 1024
_CONNECT_SECONDS, _READ_SECONDS = 3.0, 20.0
_RETRY_SECONDS = 30.0
"""How long a source that failed is not asked again."""


class _Folder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str, written: IO[bytes]) -> None:
        try:
            with (self._folder / name).open("rb") as kept:
                shutil.copyfileobj(kept, written, _PART_BYTES)
        except FileNotFoundError:
            raise NotThere from None

    def put(self, name: str, file: Path) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._folder / f".{name}.{os.getpid()}"
        shutil.copyfile(file, unfinished)
        unfinished.replace(self._folder / name)


class _Web:
    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def get(self, name: str, written: IO[bytes]) -> None:
        with self._client() as client, client.stream("GET", f"{self._url}/{name}") as answer:
            if answer.status_code in (404, 410):
                raise NotThere
            for part in answer.raise_for_status().iter_raw():
                written.write(part)

    def put(self, name: str, file: Path) -> None:
        with self._client() as client, file.open("rb") as content:
            answer = client.put(f"{self._url}/{name}", content=content)
        if not answer.is_success:  # httpx's own message has the address, with a password
            raise NotAdded(f"{name} cannot be added: {answer.status_code}")

    def _client(self) -> Any:
        import httpx  # noqa: PLC0415  # few services have such a source

        return httpx.Client(
            verify=trusted_certificates(),
            timeout=httpx.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS),
            headers={"Accept-Encoding": "identity"},
            follow_redirects=True,
            trust_env=False,
        )


class _Bucket:
    """A bucket of S3 or what is compatible; the variables `AWS_…` name endpoint and credentials."""

    def __init__(self, bucket: str, prefix: str) -> None:
        self._bucket = bucket
        self._prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._clients: dict[int, Any] = {}

    def get(self, name: str, written: IO[bytes]) -> None:
        client = self._client()
        try:
            answer = client.get_object(Bucket=self._bucket, Key=self._prefix + name)
        except client.exceptions.NoSuchKey:
            raise NotThere from None
        with answer["Body"] as body:
            shutil.copyfileobj(body, written, _PART_BYTES)

    def put(self, name: str, file: Path) -> None:
        self._client().upload_file(str(file), self._bucket, self._prefix + name)

    def _client(self) -> Any:
        """Return the client of this process: one of a process that has forked shares a socket."""
        import boto3  # noqa: PLC0415 - an optional package
        from botocore.config import Config  # noqa: PLC0415

        if os.getpid() not in self._clients:
            limits = Config(connect_timeout=_CONNECT_SECONDS, read_timeout=_READ_SECONDS)
            self._clients[os.getpid()] = boto3.client("s3", config=limits)
        return self._clients[os.getpid()]


def _place(address: str) -> Place:
    if address.startswith("s3://"):
        parts = urlsplit(address)
        return _Bucket(parts.netloc, parts.path)
    return _Web(address) if "://" in address else _Folder(Path(address))


_MEMBER = re.compile(r"(?:([\w-]+)%2F\.?|)([\w-][\w.-]*)", re.ASCII)
"""A file of an artefact by its name in the archive, which has no slash: a plain file, or one of a
folder that tantivy writes. No other folder, link or place can be named."""


class Artefacts:
    """The artefacts at an address."""

    def __init__(self, address: str) -> None:
        self._place = _place(address)
        self._breaker = CircuitBreaker(monotonic, _RETRY_SECONDS)

    def fetch(self, name: str, file: Path) -> bool:
        """Write an artefact with its seal to a file; return whether it is there and undamaged."""
        if not self._breaker.admits():
            return False
        try:
            with _Bounded(file, "wb") as written:
                self._place.get(name, written)
        except NotThere:
            self._breaker.succeed()
            return False
        except Exception as error:  # each library has errors of its own
            self._breaker.fail()
            log.warning("%s cannot be fetched: %s", name, type(error).__name__)
            return False
        self._breaker.succeed()
        if is_sealed(name, file):
            return True
        log.warning("%s was not fetched: it is damaged, or another artefact.", name)
        return False

    def put(self, name: str, file: Path) -> None:
        """Add a file that has a seal; raises NotAdded."""
        try:
            self._place.put(name, file)
        except NotAdded:
            raise
        except Exception as error:  # each library has errors of its own
            raise NotAdded(f"{name} cannot be added: {type(error).__name__}: {error}") from error

    def fetch_folder(self, name: str, folder: Path) -> bool:
        """Fill a folder with the files of an artefact; return whether it is there."""
        with _unfinished() as file:
            if not self.fetch(_packed(name), file):
                return False
            size = file.stat().st_size
            with file.open("r+b") as sealed:
                sealed.truncate(size - SEAL_BYTES)
            try:
                with zstd.open(file) as archive:
                    _unpack(archive, folder)
            except _UNUSABLE as error:
                log.warning("%s was not unpacked: %s", _packed(name), error)
                return False
        log.info("Fetched %s (%d bytes)", _packed(name), size)
        return True

    def put_folder(self, name: str, folder: Path) -> None:
        """Add the files of a folder as one artefact."""
        with _unfinished() as file:
            with (
                zstd.open(file, "wb") as packed,
                tarfile.open(fileobj=packed, mode="w|", format=tarfile.USTAR_FORMAT) as files,
            ):
                for path in sorted(folder.rglob("*")):
                    name_inside = quote(str(path.relative_to(folder)), safe="")
                    if _MEMBER.fullmatch(name_inside) and path.is_file():
                        head = tarfile.TarInfo(name_inside)
                        with path.open("rb") as content:
                            head.size = os.fstat(content.fileno()).st_size
                            files.addfile(head, content)
            with file.open("r+b") as sealed:
                sealed.write(seal_of(_packed(name), iter(partial(sealed.read, _PART_BYTES), b"")))
            self.put(_packed(name), file)


def open_source(address: str) -> Artefacts | None:
    """Return the artefacts at the address of a setting; None without one."""
    return Artefacts(address) if address else None


def _unpack(archive: zstd.ZstdFile, folder: Path) -> None:
    """Write the files of an archive to a folder; raises what is in `_UNUSABLE`.

    `tarfile` parses single heads alone: it would follow links and names that lead elsewhere, and
    make room for what a head only says.
    """
    left = _MAX_BYTES
    while (block := archive.read(tarfile.BLOCKSIZE)) and block.strip(b"\0"):
        head = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
        left -= head.size
        member = _MEMBER.fullmatch(head.name)
        if not (head.isreg() and member) or head.size < 0 or left < 0:
            raise ValueError(f"{head.name!r:.80} is no plain file, or too large")
        if member[1]:
            (folder / member[1]).mkdir(exist_ok=True)
        with (folder / unquote(head.name)).open("xb") as written:
            for start in range(0, head.size, _PART_BYTES):
                written.write(archive.read(min(_PART_BYTES, head.size - start)))
            if written.tell() != head.size:
                raise EOFError(f"{head.name} is cut off")
        archive.read(-head.size % tarfile.BLOCKSIZE)


def _packed(name: str) -> str:
    return f"{name}.tar.zst"


@contextmanager
def _unfinished() -> Iterator[Path]:
    with TemporaryDirectory(prefix="majlis-artefact-") as folder:
        yield Path(folder, "file")


def seal_of(name: str, parts: Iterable[bytes]) -> bytes:
    """Return the digest of name and content, which comes in parts."""
    seal = blake2b(key=name.encode()[:64], digest_size=SEAL_BYTES)
    for part in parts:
        seal.update(part)
    return seal.digest()


def is_sealed(name: str, file: Path) -> bool:
    """Return whether a file ends with its seal."""
    length = file.stat().st_size - SEAL_BYTES
    with file.open("rb") as opened:
        content = (
            opened.read(min(_PART_BYTES, length - start)) for start in range(0, length, _PART_BYTES)
        )
        seal = seal_of(name, content)
        return length >= 0 and opened.read() == seal
