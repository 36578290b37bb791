"""Health: whether the service can respond, and the first error of its content."""

from __future__ import annotations

from pathlib import Path

from conftest import Visit
from contract.schemas import HEALTH
from contract.validation import violations
from contract.visitor import Visitor

PATH = "/api/public/v1/health"
GOOD = "---\ntitle: X\n---\nText.\n"
BROKEN = "---\ntitle: X\nsortOrder: [\n---\nText.\n"


def test_a_service_with_content_is_healthy(visit: Visit) -> None:
    """The response is 200 and ready, and the error is null."""
    reply = visit({"pages/x.md": GOOD}).get(PATH)
    assert reply.status == 200
    assert violations(HEALTH, reply.json) == []
    assert reply.json["ok"] is True
    assert reply.json["bootstrapReady"] is True
    assert reply.json["dataDirReadable"] is True
    assert reply.json["bootstrapError"] is None


def test_a_service_without_its_folder_is_not(tmp_path: Path, visit: Visit) -> None:
    """The response is 503 with the keys of the 200, and without absolute paths."""
    healthy = visit({"pages/x.md": GOOD}).get(PATH)
    with Visitor(content_dir=tmp_path / "absent") as visitor:
        reply = visitor.get(PATH)
    assert reply.status == 503
    assert violations(HEALTH, reply.json) == []
    assert reply.json.keys() == healthy.json.keys()
    assert (reply.json["ok"], reply.json["bootstrapReady"]) == (False, False)
    assert reply.json["dataDirReadable"] is False
    assert reply.json["bootstrapError"]
    assert str(tmp_path) not in reply.text


def test_the_head_of_bad_health_is_503_too(tmp_path: Path) -> None:
    """Load balancers use HEAD."""
    with Visitor(content_dir=tmp_path / "absent") as visitor:
        assert visitor.ask("HEAD", PATH).status == 503


def test_bad_health_says_when_to_ask_again(tmp_path: Path) -> None:
    """In the API contract, each 503 has Retry-After."""
    with Visitor(content_dir=tmp_path / "absent") as visitor:
        assert int(visitor.get(PATH).headers["Retry-After"]) > 0


def test_a_broken_file_is_named_by_relative_path_and_line(visit: Visit, tmp_path: Path) -> None:
    """The service stays healthy, as the other files are served."""
    visitor = visit({"pages/x.md": GOOD, "pages/y.md": BROKEN})
    reply = visitor.get(PATH)
    assert (reply.status, reply.json["ok"]) == (200, True)
    assert reply.json["bootstrapError"].startswith("pages/y.md:")
    assert str(tmp_path) not in reply.text
    assert visitor.get("/api/public/v1/pages/x").status == 200
    assert visitor.get("/api/public/v1/pages/y").status == 404


def test_the_deployment_is_named_by_its_setting(visit: Visit) -> None:
    """`nodeEnv` is the name of APP_ENV in the API contract."""
    body = visit({}, app_env="staging", port=8123).get(PATH).json
    assert body["env"] == {"nodeEnv": "staging", "port": 8123}


def test_time_is_that_of_the_clock(sample: Visitor) -> None:
    """The time is in UTC, as RFC 3339."""
    body = sample.get(PATH).json
    assert body["time"] == body["timestamp"] == "2026-11-20T12:00:00Z"


def test_the_alias_answers_with_the_same_status(tmp_path: Path) -> None:
    """And with the same body."""
    with Visitor(content_dir=tmp_path / "absent") as visitor:
        reply, alias = visitor.get(PATH), visitor.get("/api/health")
    assert (reply.status, alias.status) == (503, 503)
    varying = {"uptimeSec", "dataDirCheckMs", "cache"}
    assert {key: value for key, value in reply.json.items() if key not in varying} == {
        key: value for key, value in alias.json.items() if key not in varying
    }
