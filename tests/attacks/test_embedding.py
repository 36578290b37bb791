"""Attacks by a site that shows or loads parts of this one, in a reader's browser."""

from __future__ import annotations

from cases import cases
from contract.visitor import Visitor


@cases("path", ["/ae/en/contact", "/developers", "/ae/en/no-such-page"])
def test_no_site_can_frame_a_page_or_hold_its_window(sample: Visitor, path: str) -> None:
    """A click on a frame over another page would be a click here; a handle tells of the page."""
    headers = sample.get(path, {"Accept": "text/html"}).headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@cases(
    ("path", "accept"),
    [
        ("/api/public/v1/blog/posts?search=%3Cscript%3Ealert(1)%3C/script%3E", "*/*"),
        ("/ae/en/blog?search=%3Cscript%3Ealert(1)%3C/script%3E", "text/markdown"),
        ("/sa/ar/opensearch.xml", "*/*"),
    ],
)
def test_data_that_is_taken_for_a_page_does_nothing(
    sample: Visitor, path: str, accept: str
) -> None:
    """Even if a browser ignored its type, its policy would allow no script, frame or picture."""
    policy = sample.get(path, {"Accept": accept}).headers["Content-Security-Policy"]
    assert policy == "default-src 'none'; frame-ancestors 'none'"
