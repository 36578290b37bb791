"""Both files that Majlis writes for nginx: no path of a stranger decides a header or a host."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from cases import cases
from command_line import run_majlis
from contract.visitor import Visitor, write_tree
from live.nginx import Nginx, cached
from live.raw import RawAnswer, ask
from live.server import client_of
from live.test_failover import Instance
from live.tools import program

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OTHER = "https://other.test/"
RULES = """
/go/:name /new/:name 301
/post/:slug.html /blog/:slug 302
/all/* /:splat 302
/temp/:name https://other.test/x?id=:name 307
/rest/* /:splat 308
/deep/:host/:uri /a/:uri/:host 301
/out/:name https://other.test/n/:name 301
/all-out/* https://other.test/:splat 302
/help:contents/:name https://other.test/:name
/qu"ote/:name https://other.test/:name
/%D9%82%D8%AF%D9%8A%D9%85/:name https://other.test/:name
/cost$/:name https://other.test/c$d/:name 308
/gone/:name / 410
/old /page
"""
FILES = {"_redirects": RULES, "pages/page.md": "---\ntitle: A page\n---\nText.\n"}
FILES |= {'files/a"b;}.json': "[]", "files/feed.json": "{}"}
PLACES = (
    *("/go/{}a", "/go/a{}b", "/go/a{}", "/post/{}.html", "/all/{}evil.test", "/all/a{}b"),
    *("/temp/a{}", "/rest/{}evil.test", "/rest/{}evil.test/", "/deep/{}/a", "/deep/a/{}"),
    *("/{}evil.test/", "/{}evil.test", "{}/evil.test/", "/en{}/", "/en/page{}/", "/cost$/{}"),
)
CONTROLS = [f"%{number:02x}" for number in (*range(0x20), 0x7F)]
SHAPES = (
    *CONTROLS,
    *("\\", "%5c", "/", "//", "%2f", "%2F%2f", "/\\", "\\/", "/%09/", "%09/", "\\\\", "@", "/.//"),
    *("%0d%0aX-Injected:%201", "%0aX-Injected:%201", "%250d%250aX-Injected:%201", "%0d%0a%0d%0a"),
)
SERVERS = {
    "usual": "",
    "relative": "absolute_redirect off;",
    "unmerged": "absolute_redirect off; merge_slashes off;",
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of a site with redirects, whose home page is in one language."""
    folder = tmp_path_factory.mktemp("site")
    write_tree(folder / "content", FILES)
    export = ("export", str(folder / "content"), "--into", str(folder / "out"))
    ran = run_majlis(*export, folder=folder, variables={"BASE_URL": "https://noor.test"})
    assert ran.returncode == 0, ran.stderr
    return folder / "out"


def static(exported: Path, more: str = "") -> str:
    """Return a server for an export, as its guide says."""
    included = f"root {exported}; include {exported}/nginx.conf;"
    return f"server {{ listen 127.0.0.1:{{port}}; server_tokens off; {more} {included} }}"


@pytest.fixture(scope="module")
def ports(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """Running servers: exports with other settings around them, and the cache of a service."""
    with ExitStack() as running:
        instances = [running.enter_context(Instance(name)) for name in "ab"]
        texts = {name: static(exported, more) for name, more in SERVERS.items()}
        texts["cache"] = cached(*instances).replace("rate=20r/s", "rate=20000r/s")
        yield {
            name: running.enter_context(Nginx(text, tmp_path_factory.mktemp(name))).port
            for name, text in texts.items()
        }


def followed(location: str) -> str:
    """Return an address as browsers read it: without tabs and line ends, a backslash is a slash."""
    return "".join(each for each in location if each not in "\t\r\n").strip().replace("\\", "/")


def is_harmless(answer: RawAnswer, port: int) -> bool:
    """Return whether an answer has our headers alone, and leads to no other host."""
    location = followed(answer.headers.get("location", "/"))
    at_home = location.startswith("/") and not location.startswith("//")
    at_home = at_home or location.startswith((f"http://x:{port}/", "http://x/", OTHER))
    return at_home and location.isprintable() and "x-injected" not in answer.headers


@cases("name", [*SERVERS, "cache"])
def test_no_path_decides_a_header_or_a_host(ports: dict[str, int], name: str) -> None:
    """Control characters, backslashes and slashes, wherever a path of a stranger is repeated."""
    port, harmful, redirects = ports[name], [], 0
    for place, shape in product(PLACES, SHAPES):
        path = place.format(shape)
        if path.startswith("/"):
            answer = ask(port, f"GET {path}")
            redirects += "location" in answer.headers
            if not is_harmless(answer, port):
                harmful.append((path, answer.status, answer.headers))
    assert harmful == []
    assert name == "cache" or redirects > len(PLACES)


def test_a_redirect_of_the_export_is_that_of_the_service(
    exported: Path, ports: dict[str, int]
) -> None:
    """Whatever the placeholder matches; what nginx would not encode is missing."""
    values = ("a", "a b", "قديم", "100%", "a?b", "a#b", "(a)", "a&b=c", "$uri")
    olds = ("/out/", "/all-out/", "/help:contents/", '/qu"ote/', "/قديم/", "/cost$/", "/temp/")
    with (
        Visitor(content_dir=exported.parent / "content", base_url="https://noor.test") as service,
        client_of(f"http://127.0.0.1:{ports['relative']}") as client,
    ):
        for old, value in product(olds, values):
            path = quote(old + value)
            ours, theirs = service.get(path), client.get(path)
            refused = " %?#&" if old in ("/cost$/", "/temp/") else "?"
            if set(value) & set(refused):
                assert theirs.status_code == 404
                continue
            assert theirs.status_code == ours.status
            assert unquote(theirs.headers["Location"]) == unquote(ours.headers["Location"])


@pytest.mark.parametrize("name", ["export", "cache", "containers"])
def test_the_linter_finds_nothing(exported: Path, tmp_path: Path, name: str) -> None:
    """In either file, nor in that of the containers, which includes one."""
    printed = tmp_path / "majlis.conf"
    with Instance("a") as a, Instance("b") as b:
        printed.write_text(cached(a, b).replace("{port}", "8080"))
    outer = f"events {{ }}\nhttp {{ include {printed}; }}\n"
    if name == "containers":
        text = (ROOT / "deploy/nginx.conf").read_text()
        outer = re.sub(r"(?<=include )\S+(?=;)", str(printed), text)
    if name == "export":
        outer = f"events {{ }}\nhttp {{ {static(exported).replace('{port}', '8080')} }}\n"
    assert linted(tmp_path, printed, outer) == []


def test_the_linter_reads_what_is_included(tmp_path: Path) -> None:
    """A redirect that repeats a decoded path is found."""
    printed = tmp_path / "majlis.conf"
    printed.write_text('server { server_tokens off; location /go { return 301 "/new$uri"; } }')
    outer = f"events {{ }}\nhttp {{ include {printed}; }}\n"
    assert "http_splitting" in linted(tmp_path, printed, outer)


def linted(folder: Path, printed: Path, outer: str) -> list[str]:
    r"""Return what the linter finds in a file that includes another one.

    It cannot read the possessive `\s*+` of PCRE. How fast files are found is for the operator.
    """
    printed.write_text(printed.read_text().replace(r"\s*+", r"\s*"))
    configuration = folder / "nginx.conf"
    configuration.write_text(outer)
    options = ("-f", "json", "--skips", "try_files_is_evil_too")
    command = [program("gixy"), *options, str(configuration)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [str(each["plugin"]) for each in json.loads(done.stdout or "[]")]
