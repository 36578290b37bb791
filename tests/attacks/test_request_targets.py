"""Request targets other than a plain path: the same limits, cache and tokens apply."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import run_majlis
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from live.fixtures import small_tree
from live.raw import ask
from live.server import Server, next_client

pytestmark = [pytest.mark.slow, pytest.mark.any_server]

API = "/api/public/v1"
TOKEN = "token-of-the-erp"
BEARER = f"Authorization: Bearer {TOKEN}"
LEADS = ("http://x/api/leads", "HTTP://X:80/api/leads", "x:/api/leads", "api/leads", "/api%2Fleads")


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the server of this module runs."""
    return tmp_path_factory.mktemp("targets")


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest, work: Path) -> Iterator[Server]:
    """A server with a partner interface."""

    class Served(Server):
        way = request.param

    with Served(small_tree(work / "content"), work, ERP_PULL_API_TOKEN=TOKEN) as running:
        yield running


def lead(sender: str) -> bytes:
    """Build the JSON body of a lead."""
    return json.dumps({"email": f"{sender}@example.com", "name": "A", "message": sender}).encode()


def test_no_form_of_the_target_avoids_the_lead_limit(server: Server, work: Path) -> None:
    """16 POST requests in each form, from one address per form: 12 leads or none are stored."""
    for form, target in enumerate(LEADS):
        client = f"X-Forwarded-For: {next_client()}"
        for number in range(16):
            body = lead(f"form{form}-{number}")
            content_type = "Content-Type: application/json"
            ask(server.port, f"POST {target}", content_type, client, body=body)
    listed = run_majlis("leads", "list", folder=work).stdout
    listed += run_majlis("leads", "list", "--quarantined", folder=work).stdout
    stored = Counter(
        form for form in range(len(LEADS)) for _ in range(listed.count(f"form{form}-"))
    )
    assert [stored[form] for form in range(len(LEADS))] == [12, 12, 0, 0, 12]


@pytest.mark.parametrize("target", [f"http://x{API}/pages", f"{API[1:]}/pages", f"x:{API}/pages"])
def test_no_form_of_the_target_avoids_the_read_limit(server: Server, target: str) -> None:
    """Of 140 reads from one address, 120 are answered or refused as invalid; the rest get 429."""
    client = f"X-Forwarded-For: {next_client()}"
    statuses = Counter(ask(server.port, f"GET {target}", client).status for _ in range(140))
    assert statuses in (Counter({200: 120, 429: 20}), Counter({400: 120, 429: 20}))
    assert (200 in statuses) == target.startswith("http:")


def test_a_partner_s_response_is_never_sent_to_others(server: Server) -> None:
    """In whatever form the partner and the other client write the target."""
    targets = [
        f"{before}/api/{singular}"
        for singular in ("products", "orders", "%70roducts")
        for before in ("http://x", "HTTP://x:80", "", "x:", "https://x")
    ]
    answers = [ask(server.port, f"GET {target}", BEARER).status for target in targets]
    assert set(answers) == {200, 400}
    for target in targets:
        assert ask(server.port, f"GET {target}").status in (400, 401)
        assert ask(server.port, f"HEAD {target}").status in (400, 401)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("GET ?", id="a query alone"),
        pytest.param("GET *", id="asterisk"),
        pytest.param("GET x:443", id="authority"),
        pytest.param("CONNECT x:443", id="authority with its method"),
        pytest.param("POST api/leads", id="a relative path"),
        pytest.param("POST x:/api/leads", id="another scheme"),
        pytest.param("GET ftp://x/", id="no scheme of HTTP"),
        pytest.param("GET http:/x/", id="one slash"),
        pytest.param("GET http:///", id="no host"),
        pytest.param("GET http://u@x/", id="user information"),
        pytest.param("GET http://x:65536/", id="port out of range"),
        pytest.param("GET http://x:a/", id="port of letters"),
        pytest.param("GET http://[::1/", id="half an IPv6 address"),
        pytest.param("GET http://[::g]/", id="no IPv6 address"),
        pytest.param("GET http://y/", id="another host than Host"),
        pytest.param("GET http://x:81/", id="another port than Host"),
        pytest.param("GET %2Fapi/leads", id="an encoded slash in front"),
        pytest.param("GET /llms.txt#part", id="fragment"),
        pytest.param("GET /llms.txt?a#part", id="fragment after a query"),
        pytest.param("GET http://x/llms.txt#part", id="fragment of an absolute form"),
    ],
)
def test_an_invalid_target_is_refused(server: Server, line: str) -> None:
    """With 400 in the error envelope and a request ID; it counts against the read limit."""
    answer = ask(server.port, line, f"X-Forwarded-For: {next_client()}")
    assert (answer.status, answer.headers["content-type"]) == (400, "application/json")
    assert violations(ERROR_ENVELOPE, answer.json) == []
    assert answer.json["error"]["message"].startswith("URL: its ")
    assert answer.headers["ratelimit-remaining"] == "119"
    assert "x-request-id" in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("target", "host"),
    [
        pytest.param("http://x", "x", id="no path"),
        pytest.param("http://X:80/", "x", id="default port"),
        pytest.param("https://x/", "X:443", id="default port of https"),
        pytest.param("http://[::1]:8000/", "[::1]:8000", id="IPv6"),
        pytest.param("http://a.b-c_d.example:/", "a.b-c_d.example", id="empty port"),
    ],
)
def test_an_absolute_form_equals_its_path(server: Server, target: str, host: str) -> None:
    """With the host of its header; a default port, and an empty one, may be left out."""
    absolute = ask(server.port, f"GET {target}", host=host)
    assert (absolute.status, absolute.body) == (200, ask(server.port, "GET /").body)


def test_the_query_of_an_absolute_form_is_parsed(server: Server) -> None:
    """So a wrong parameter in it is named by the refusal."""
    target = f"{API}/pages?lang=fr"
    assert ask(server.port, f"GET http://x{target}").status == 400
    assert "lang" in ask(server.port, f"GET http://x{target}").json["error"]["message"]


def test_options_of_the_server_are_answered(server: Server) -> None:
    """The only request for which an asterisk is valid."""
    answer = ask(server.port, "OPTIONS *")
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (204, "*")
