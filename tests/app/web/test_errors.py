"""Errors: every error has the same shape, whatever its cause."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from cases import cases
from conftest import Visit
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import NOW, Reply, Visitor
from quart import has_request_context

from app.web.http.error_envelope import CODES
from knowledge.resources.errors import MajlisError

API = "/api/public/v1"


def enveloped(reply: Reply, status: int, code: str) -> None:
    """Assert the status, code and shape of an error, and that it is not cacheable."""
    assert reply.status == status
    assert reply.headers["Content-Type"] == "application/json"
    assert violations(ERROR_ENVELOPE, reply.json) == []
    assert reply.json["error"]["code"] == code
    assert "no-store" in reply.headers["Cache-Control"]


def test_a_doubled_slash_is_no_second_address(sample: Visitor) -> None:
    """The router would strip it, and the deprecation headers would be missing."""
    enveloped(sample.get(f"/{API}/pages"), 404, "RESOURCE_NOT_FOUND")
    enveloped(sample.get("//api/page/pricing"), 404, "RESOURCE_NOT_FOUND")


def error_types(base: type[MajlisError]) -> Iterator[type[MajlisError]]:
    """Yield all classes below a class."""
    for error in base.__subclasses__():
        yield error
        yield from error_types(error)


def test_every_error_has_a_status_with_a_code() -> None:
    """A class without a status would become a 500."""
    statuses = {
        error.__name__: getattr(error, "status", None) for error in error_types(MajlisError)
    }
    assert statuses["NotPublishedHere"] == statuses["NotFound"] == 404
    assert [name for name, status in statuses.items() if status not in CODES] == []


@cases(
    ("code", "statuses"),
    [
        ("VALIDATION_ERROR", {400, 403, 405, 406, 408, 413, 414, 415, 416, 422}),
        ("RESOURCE_NOT_FOUND", {404, 410}),
        ("CONFLICT", {409}),
        ("RATE_LIMITED", {429}),
        ("INTERNAL_ERROR", {500}),
        ("SERVICE_UNAVAILABLE", {503}),
        ("UNAUTHORIZED", {401}),
    ],
)
def test_each_code_has_its_statuses(code: str, statuses: set[int]) -> None:
    """The table of the API contract."""
    assert {status for status, named in CODES.items() if named == code} == statuses


@cases(
    "target",
    [
        pytest.param("/api/", id="the root of the API"),
        pytest.param("/api/no-such", id="unknown path"),
        pytest.param("/api/public/v2/health", id="unknown version"),
        pytest.param("/api/public/v1/", id="the stable prefix"),
        pytest.param("/api/public/v1/health/", id="a slash too many"),
        pytest.param("/api/public/v1//health", id="a slash too many inside"),
        pytest.param("/api/public/v1/Health", id="a path in capitals"),
        pytest.param("/api/public/v1/pages/no-such", id="unknown page"),
        pytest.param("/api/public/v1/pages/a%2Fb", id="a slug with a slash"),
        pytest.param("/api/public/v1/pages/%D8%A7", id="an Arabic slug"),
        pytest.param("/api/public/v1/pages/" + "x" * 5_000, id="a slug of 5,000 letters"),
        pytest.param("/api/public/v1/locale-content/about", id="a page that is no registry page"),
        pytest.param("/api/public/v1/locale-content/software/module/no-such", id="unknown module"),
        pytest.param("/api/public/v1/locale-content/city/riyadh/no-such", id="unknown city page"),
        pytest.param("/api/public/v1/blog/posts/no-such", id="unknown post"),
        pytest.param("/api/admin/pages", id="a route that is private"),
        pytest.param("/api/<script>alert(1)</script>", id="a script"),
    ],
)
def test_an_unknown_path_is_a_404_in_the_envelope(sample: Visitor, target: str) -> None:
    """The body is the envelope alone, as the page is published nowhere."""
    enveloped(sample.get(target), 404, "RESOURCE_NOT_FOUND")


@cases("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE"])
@cases("path", [f"{API}/pages", f"{API}/pages/about", "/api/page/about"])
def test_an_unsupported_method_is_a_405_with_allow(sample: Visitor, method: str, path: str) -> None:
    """Allow lists the supported methods."""
    reply = sample.ask(method, path)
    enveloped(reply, 405, "VALIDATION_ERROR")
    allowed = {method.strip() for method in reply.headers["Allow"].split(",")}
    assert {"GET", "HEAD"} <= allowed
    assert method not in allowed


def test_the_head_of_an_error_has_no_body(sample: Visitor) -> None:
    """It has the headers of the response to GET."""
    reply = sample.ask("HEAD", "/api/no-such")
    whole = sample.get("/api/no-such")
    assert (reply.status, reply.body) == (404, b"")
    assert reply.headers == whole.headers


def failing_clock() -> datetime:
    """Fail as soon as a response is computed."""
    if has_request_context():
        raise RuntimeError("password=hunter2 in /srv/secret")
    return NOW


def test_an_unexpected_error_is_a_500_without_internal_details(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The client gets the envelope; the log has the reason and the path."""
    with Visitor(failing_clock) as visitor:
        reply = visitor.get(f"{API}/homepage")
    enveloped(reply, 500, "INTERNAL_ERROR")
    assert "hunter2" not in reply.text
    assert "Traceback" not in reply.text
    assert "hunter2" in caplog.text
    assert f"{API}/homepage" in caplog.text


CONTENT_PATHS = (
    "site-settings",
    "countries",
    "homepage",
    "site",
    "navigation",
    "pages",
    "pages/about",
    "locale-content/erp",
    "locale-content/software/module/finance",
    "locale-content/city/riyadh/erp",
    "cities",
    "testimonials",
    "blog/categories",
    "blog/posts",
    "blog/posts/any",
    "blog/homepage",
    "seo-page?path=/",
)


@pytest.mark.parametrize("path", CONTENT_PATHS)
def test_a_missing_content_folder_is_a_503_with_retry_after(tmp_path: Path, path: str) -> None:
    """Retry-After says when to try again."""
    with Visitor(content_dir=tmp_path / "absent") as visitor:
        reply = visitor.get(f"{API}/{path}")
    enveloped(reply, 503, "SERVICE_UNAVAILABLE")
    assert int(reply.headers["Retry-After"]) > 0
    assert str(tmp_path) not in reply.text


def test_an_invalid_value_is_a_400_even_without_content(tmp_path: Path) -> None:
    """The client has to fix its request; waiting would not help."""
    with Visitor(content_dir=tmp_path / "absent") as visitor:
        enveloped(visitor.get(f"{API}/cities?lang=fr"), 400, "VALIDATION_ERROR")


def test_a_file_in_place_of_the_content_folder_is_a_503_too(tmp_path: Path) -> None:
    """CONTENT_DIR is wrong."""
    (tmp_path / "content").write_text("no folder")
    with Visitor(content_dir=tmp_path / "content") as visitor:
        enveloped(visitor.get(f"{API}/homepage"), 503, "SERVICE_UNAVAILABLE")
        assert visitor.get(f"{API}/health").status == 503


def test_an_unpublished_page_is_indistinguishable_from_none(shared_visit: Visit) -> None:
    """The existence of a draft is not disclosed."""
    tomorrow = (NOW + timedelta(days=1)).isoformat()
    visitor = shared_visit(
        {
            "pages/draft.md": "---\npublished: false\n---\nText.\n",
            "pages/later.md": f"---\npublishedAt: {tomorrow}\n---\nText.\n",
        }
    )
    for slug in ("draft", "later"):
        unknown = visitor.get(f"{API}/pages/no-such").text.replace("no-such", slug)
        assert visitor.get(f"{API}/pages/{slug}").text == unknown
