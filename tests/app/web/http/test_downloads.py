"""Parts of files, and dates as conditions: of files sent in one piece, and of streamed ones."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Reply, Visitor, write_tree

WRITTEN_AT = 1_772_600_767
DATE = "Wed, 04 Mar 2026 05:06:07 GMT"
SMALL, LARGE, DRAWING = "/files/small.pdf", "/files/large.pdf", "/images/drawing.svg"
BYTES = {
    SMALL: os.urandom(3_000),
    LARGE: os.urandom(600 * 1024),
    DRAWING: b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
    + b" " * 900
    + b"</svg>",
}
EITHER = pytest.mark.parametrize("path", [SMALL, LARGE])


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A site with files, written in March."""
    folder = tmp_path_factory.mktemp("content")
    write_tree(folder, {path[1:]: content for path, content in BYTES.items()})
    write_tree(
        folder,
        {"pages/x.md": "---\ntitle: T\nupdatedAt: 2026-03-04T05:06:07Z\n---\nX"},
    )
    for path in BYTES:
        os.utime(Path(folder, path[1:]), (WRITTEN_AT, WRITTEN_AT))
    with Visitor(content_dir=folder) as visitor:
        yield visitor


def part(visitor: Visitor, path: str, asked: str, **headers: str) -> Reply:
    """Return the answer to a request for a part."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return visitor.get(path, {"Range": asked, **named})


@EITHER
@pytest.mark.parametrize(
    ("asked", "start", "stop"),
    [
        pytest.param("bytes=0-499", 0, 500, id="first bytes"),
        pytest.param("bytes=500-", 500, None, id="from a byte on"),
        pytest.param("bytes=-500", -500, None, id="last bytes"),
        pytest.param("bytes=0-", 0, None, id="all from the first on"),
        pytest.param("bytes=-99999999", 0, None, id="more last bytes than there are"),
        pytest.param("bytes=2990-99999999999999999999", 2990, None, id="beyond the end"),
        pytest.param("Bytes= 7-7 , ,", 7, 8, id="one in a list, in capitals"),
    ],
)
def test_a_client_gets_the_part_that_it_asks_for(
    visitor: Visitor, path: str, asked: str, start: int, stop: int | None
) -> None:
    """With 206, Content-Range, the length of the part, and the tag of the whole file."""
    whole, reply = visitor.get(path), part(visitor, path, asked)
    assert (reply.status, reply.body) == (206, BYTES[path][start:stop])
    first = start % len(BYTES[path])
    last = first + len(reply.body) - 1
    assert reply.headers["Content-Range"] == f"bytes {first}-{last}/{len(BYTES[path])}"
    assert reply.headers["Content-Length"] == str(len(reply.body))
    for name in ("ETag", "Content-Type", "Cache-Control", "Accept-Ranges", "Last-Modified"):
        assert reply.headers[name] == whole.headers[name]
    assert (whole.status, whole.headers["Accept-Ranges"]) == (200, "bytes")


@EITHER
@pytest.mark.parametrize(
    "asked", ["bytes=5-2", "bytes=0-1,4-5", "bytes=", "bytes=-", "lines=0-1", "bytes=a-b", "0-1"]
)
def test_a_range_that_is_malformed_or_not_single_gets_the_whole(
    visitor: Visitor, path: str, asked: str
) -> None:
    """A server may ignore a Range, and must ignore an invalid one."""
    reply = part(visitor, path, asked)
    assert (reply.status, reply.body) == (200, BYTES[path])
    assert "Content-Range" not in reply.headers


@EITHER
@pytest.mark.parametrize("asked", ["bytes={size}-", "bytes=-0"])
def test_a_range_behind_the_end_gets_416(visitor: Visitor, path: str, asked: str) -> None:
    """With the size of the file, so that the client can ask again; never from a cache."""
    size = len(BYTES[path])
    reply = part(visitor, path, asked.format(size=size), Accept="text/html")
    assert (reply.status, reply.headers["Content-Range"]) == (416, f"bytes */{size}")
    assert reply.headers["Cache-Control"] == "no-store"
    assert "The file ends before the part that was asked for." in reply.text
    assert visitor.get(path).body == BYTES[path]


@EITHER
def test_a_part_is_of_the_version_that_the_client_has_begun(visitor: Visitor, path: str) -> None:
    """If-Range with its tag or date; with another one the answer is the whole new file."""
    etag = visitor.get(path).headers["ETag"]
    for same in (etag, DATE):
        assert part(visitor, path, "bytes=9-", If_Range=same).status == 206
    for other in ('"other"', f"W/{etag}", "Wed, 04 Mar 2026 05:06:08 GMT", "nonsense"):
        reply = part(visitor, path, "bytes=999999999-", If_Range=other)
        assert (reply.status, reply.body) == (200, BYTES[path])


@EITHER
def test_head_has_no_part(visitor: Visitor, path: str) -> None:
    """Ranges are defined for GET alone (RFC 9110, section 14.2)."""
    reply = visitor.ask("HEAD", path, {"Range": "bytes=0-9"})
    assert (reply.status, reply.headers["Content-Length"]) == (200, str(len(BYTES[path])))


@EITHER
def test_a_condition_is_decided_before_the_range(visitor: Visitor, path: str) -> None:
    """A client that has the file gets 304, whatever it asks for of it."""
    etag = visitor.get(path).headers["ETag"]
    for asked in ("bytes=0-9", "bytes=999999999-"):
        assert part(visitor, path, asked, If_None_Match=etag).status == 304
        assert part(visitor, path, asked, If_Modified_Since=DATE).status == 304
    assert part(visitor, path, "bytes=0-9", If_None_Match='"other"').status == 206


def test_a_compressed_file_has_no_parts(visitor: Visitor) -> None:
    """They would be parts of the compressed bytes."""
    compressed = {"Accept-Encoding": "br"}
    reply = visitor.get(DRAWING, {**compressed, "Range": "bytes=0-9"})
    assert (reply.status, reply.headers["Content-Encoding"]) == (200, "br")
    assert "Accept-Ranges" not in reply.headers
    assert part(visitor, DRAWING, "bytes=0-9").body == BYTES[DRAWING][:10]


@EITHER
@pytest.mark.parametrize(
    ("since", "status"),
    [
        pytest.param(DATE, 304, id="the same date"),
        pytest.param("Thu, 05 Mar 2026 05:06:07 GMT", 304, id="a later one"),
        pytest.param("Tue, 03 Mar 2026 05:06:07 GMT", 200, id="an earlier one"),
        pytest.param("yesterday", 200, id="no date"),
    ],
)
def test_a_client_with_a_date_gets_what_is_newer(
    visitor: Visitor, path: str, since: str, status: int
) -> None:
    """The date of a file is that of its last write."""
    reply = visitor.get(path, {"If-Modified-Since": since})
    assert reply.status == status
    assert visitor.get(path).headers["Last-Modified"] == DATE


@EITHER
def test_an_entity_tag_wins_over_a_date(visitor: Visitor, path: str) -> None:
    """If-None-Match decides alone, as it is exact."""
    headers = {"If-Modified-Since": DATE, "If-None-Match": '"other"'}
    assert visitor.get(path, headers).status == 200
    etag = visitor.get(path).headers["ETag"]
    older = {"If-Modified-Since": "Tue, 03 Mar 2026 05:06:07 GMT", "If-None-Match": etag}
    assert visitor.get(path, older).status == 304


def test_a_page_has_the_date_that_its_author_states(visitor: Visitor) -> None:
    """Programs that know dates alone get 304 too."""
    headers = {"Accept": "text/html"}
    page = visitor.get("/en/x", headers)
    assert page.headers["Last-Modified"] == DATE
    since = {**headers, "If-Modified-Since": page.headers["Last-Modified"]}
    reply = visitor.get("/en/x", since)
    assert (reply.status, reply.body) == (304, b"")
    assert reply.headers["ETag"] == page.headers["ETag"]


def test_a_file_that_is_being_written_has_no_date(visitor: Visitor, tmp_path: Path) -> None:
    """It may change again in the same second; so a date stands for one version only."""
    write_tree(tmp_path, {"files/large.pdf": BYTES[LARGE]})
    os.utime(tmp_path / "files/large.pdf", (2_000_000_000, 2_000_000_000))
    with Visitor(content_dir=tmp_path) as other:
        assert "Last-Modified" not in other.get(LARGE).headers


@cases("path", BYTES)
def test_a_name_with_the_hash_of_the_file_is_kept_for_ever(visitor: Visitor, path: str) -> None:
    """With another hash, as of an older page, it is the file of today, for an hour."""
    stem, suffix = path.rsplit(".", 1)
    plain, digest = visitor.get(path), blake2b(BYTES[path], digest_size=12).hexdigest()
    hashed = visitor.get(f"{stem}.{digest}.{suffix}")
    other = visitor.get(f"{stem}.{'0' * 24}.{suffix}")
    assert hashed.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for reply in (hashed, other):
        assert (reply.body, reply.headers["ETag"]) == (plain.body, plain.headers["ETag"])
    assert other.headers["Cache-Control"] == plain.headers["Cache-Control"]
    assert plain.headers["Cache-Control"].startswith("public, max-age=3600,")
    for name in (f"{stem}.{digest[1:]}.{suffix}", f"{stem}x.{digest}.{suffix}", f"{stem}.{digest}"):
        assert visitor.get(name).status == 404


def test_a_page_names_an_image_that_is_kept_for_ever(visit: Visit) -> None:
    """Markdown and JSON name the plain path, which outlives an edit of the file."""
    page = "---\ntitle: T\n---\n![A](/images/a%20b.svg)"
    visitor = visit({"pages/x.md": page, "images/a b.svg": BYTES[DRAWING]})
    html = visitor.get("/ae/en/x", {"Accept": "text/html"}).text
    [source] = re.findall(r'src="(/images/[^"]+)"', html)
    assert re.fullmatch(r"/images/a%20b\.[0-9a-f]{24}\.svg", source)
    reply = visitor.get(source)
    assert (reply.body, "immutable" in reply.headers["Cache-Control"]) == (BYTES[DRAWING], True)
    assert "/images/a%20b.svg" in visitor.get("/ae/en/x.md").text
    assert "/images/a%20b.svg" in visitor.get("/ae/en/x.json").text
