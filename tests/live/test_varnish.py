"""The VCL of the deployment guide, with a real Varnish and a real server."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest
from live.documents import blocks
from live.server import DEADLINE, Server, client_of, eventually, free_port, is_open
from live.test_edge import API, ask, client_at
from live.tools import program
from request_headers import CLIENTS, generated

pytestmark = pytest.mark.slow

PATHS = ("/sa/ar/erp", "/ae/en/pricing", "/robots.txt", "/ae/en/erp.md")
BROWSER = {"Accept": CLIENTS["Firefox"]}
AGENT = {"Accept": CLIENTS["Claude Code"]}


@pytest.fixture(scope="module")
def varnish(site: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of Varnish in front of the sample content."""
    work, port = tmp_path_factory.mktemp("varnish"), free_port()
    (text,) = blocks("docs/deploying.md", "vcl")
    assert '.port = "8000"' in text
    told = "sub vcl_deliver {\n    set resp.http.X-Cache = obj.hits;"
    text = text.replace('.port = "8000"', f'.port = "{site.port}"')
    vcl = work / "majlis.vcl"
    vcl.write_text(text.replace("sub vcl_deliver {", told), encoding="utf-8")
    work.chmod(0o755)
    command = [
        program("varnishd", "/usr/sbin/varnishd"),
        "-F",
        "-f",
        str(vcl),
        "-n",
        str(work / "n"),
    ]
    command += [
        "-a",
        f"127.0.0.1:{port}",
        "-s",
        "malloc,50m",
        "-p",
        "thread_pool_min=10",
        "-j",
        "none",
        "-p",
        "http_gzip_support=off",
    ]
    with (work / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        eventually(lambda: is_open(port) or process.poll() is not None)
        assert process.poll() is None, (work / "log").read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(DEADLINE)


def test_the_answer_is_the_direct_one_whatever_the_headers(varnish: str, site: Server) -> None:
    """Varnish honours Vary, so that browsers get HTML and agents markdown."""
    hits = 0
    with client_at(varnish) as through, client_at(site.url) as direct:
        for number, headers in enumerate(generated(seed=3, number=60)):
            path = PATHS[number % len(PATHS)]
            expected = ask(direct, path, headers)
            for answer in (ask(through, path, headers) for _ in range(2)):
                assert answer[:3] == expected[:3], (path, headers, answer.cache)
                hits += answer.cache not in ("", "0")
    assert hits > 15


@pytest.mark.parametrize("path", ["/ae/en/erp", "/ae/en/erp.md", "/llms.txt"])
def test_public_answers_are_kept(varnish: str, path: str) -> None:
    """HTML, per-format URLs and maps."""
    with client_at(varnish) as client:
        eventually(lambda: int(ask(client, path, BROWSER).cache) > 0)


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        pytest.param("/ae/en/erp", AGENT, id="markdown by Accept"),
        pytest.param("/ae/en/erp", BROWSER | {"Accept-Language": "ar"}, id="suggestion"),
        pytest.param("/ae/en/contact", BROWSER, id="form"),
        pytest.param("/ae/en/nothing", BROWSER, id="missing page"),
        pytest.param("/", BROWSER, id="root"),
        pytest.param(f"{API}/pages", {}, id="API"),
    ],
)
def test_other_answers_are_not_kept(varnish: str, path: str, headers: dict[str, str]) -> None:
    """What is private, what counts, and errors."""
    with client_at(varnish) as client:
        assert [ask(client, path, headers).cache for _ in range(2)] == ["0", "0"]


def test_limits_of_the_api_count_every_request(varnish: str) -> None:
    """For the address of the reader, not for that of Varnish."""
    with client_of(varnish) as client:
        left = [int(client.get(f"{API}/pages").headers["RateLimit-Remaining"]) for _ in range(3)]
    assert left == [left[0], left[0] - 1, left[0] - 2]
