"""The access log: its two formats, and that no request can forge a line."""

from __future__ import annotations

import json
import re

from cases import cases

from app.platform.observability.access_log import Access, combined_line, json_line

ENDED = 1_795_392_000.25
ACCESS = Access(
    *("203.0.113.0/24", "GET", "/ae/en", "HTTP/1.1", 200, 512, 0.00125, "html", "hit"),
    *("9f2c41d07be3a586", "ab" * 16, "https://www.example.com", "Mozilla/5.0"),
)
REFUSED = Access("203.0.113.0/24", None, None, None, 431, 0, None)
HOSTILE = 'x"\\\n\r\t\x00\x1b[31m\x7f\x85\u2028é", "status": 200}'
"""What would end a line, a string, or the colours of a terminal."""

COMBINED = re.compile(
    r'(\S+) - - \[([^\]]+)\] "((?:[^"\\]|\\x\w\w)*)" (\d{3}) (\d+)'
    r' "((?:[^"\\]|\\x\w\w)*)" "((?:[^"\\]|\\x\w\w)*)"\n'
)


def test_a_json_line_has_what_is_known() -> None:
    """Names are those of the other log, where both have them."""
    assert json.loads(json_line(ENDED, ACCESS)) == {
        "time": "2026-11-23T00:00:00.250+00:00",
        "address": "203.0.113.0/24",
        "method": "GET",
        "path": "/ae/en",
        "protocol": "HTTP/1.1",
        "status": 200,
        "bytes": 512,
        "seconds": 0.00125,
        "form": "html",
        "cache": "hit",
        "request": "9f2c41d07be3a586",
        "trace": "ab" * 16,
        "referer": "https://www.example.com",
        "agent": "Mozilla/5.0",
    }
    assert [*json.loads(json_line(ENDED, REFUSED))] == ["time", "address", "status", "bytes"]


def test_a_combined_line_is_that_of_apache_and_nginx() -> None:
    """Programs that read it expect an address, so a network is named by its first."""
    assert combined_line(ENDED, ACCESS) == (
        '203.0.113.0 - - [23/Nov/2026:00:00:00 +0000] "GET /ae/en HTTP/1.1" 200 512 '
        '"https://www.example.com" "Mozilla/5.0"\n'
    )
    assert combined_line(ENDED, REFUSED).endswith('"-" 431 0 "-" "-"\n')


@cases("name", ["method", "path", "request", "referer", "agent"])
def test_no_request_can_forge_a_line_or_a_field(name: str) -> None:
    """Whatever a client sends is one field of one line of visible ASCII."""
    hostile = Access(**{**ACCESS._asdict(), name: HOSTILE})
    as_json, combined = json_line(ENDED, hostile), combined_line(ENDED, hostile)
    for line in (as_json, combined):
        assert line.endswith("\n")
        assert line[:-1].isascii()
        assert line[:-1].isprintable()
    assert json.loads(as_json) == json.loads(json_line(ENDED, ACCESS)) | {name: HOSTILE}
    match = COMBINED.fullmatch(combined)
    assert match
    assert match[4] == "200"
