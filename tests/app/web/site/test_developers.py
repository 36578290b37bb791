"""`/developers`: the manual in three media types, consistent with the API."""

from __future__ import annotations

import re
import shlex
from html import unescape
from typing import Any

import frontmatter
import pytest
from cases import cases
from contract.visitor import BASE_URL, Reply, Visitor

from app.web.http.response_headers import SUNSET
from app.web.legacy import ALIASES
from knowledge.markdown.tokens import CHARACTERS_PER_TOKEN
from renderers.representation import MediaType

PATH = "/developers"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
AGENT = "text/markdown, text/html, */*"
FRONTEND = "application/json, text/plain, */*"
ACCEPTS = {
    MediaType.HTML: BROWSER,
    MediaType.MARKDOWN: AGENT,
    MediaType.JSON: FRONTEND,
    MediaType.XML: "application/xml",
    MediaType.PLAIN: "text/plain",
}
FORMAT_URLS = {
    MediaType.MARKDOWN: "/developers.md",
    MediaType.JSON: "/developers.json",
    MediaType.XML: "/developers.xml",
}


def manual(sample: Visitor) -> str:
    """Return the manual as markdown."""
    return sample.get(FORMAT_URLS[MediaType.MARKDOWN]).text


@cases("form", MediaType)
def test_each_form_has_the_headers_of_a_page(sample: Visitor, form: MediaType) -> None:
    """Content-Type, Content-Language, caching, canonical and Content-Location are set."""
    reply = sample.get(PATH, {"Accept": ACCEPTS[form]})
    headers = reply.headers
    is_html = form is MediaType.HTML
    assert reply.status == 200
    assert headers["Content-Type"].partition(";")[0] == form
    assert headers["Content-Language"] == "en"
    assert headers["Vary"] == "Accept, Accept-Encoding"
    assert headers["Cache-Control"].startswith("public" if is_html else "private")
    assert headers.get("Content-Location") == FORMAT_URLS.get(form)
    assert "X-Robots-Tag" not in headers
    assert f'<{BASE_URL}{PATH}>; rel="canonical"' in reply.links
    assert f'<{BASE_URL}/llms.txt>; rel="describedby"' in reply.links
    is_text = form in (MediaType.MARKDOWN, MediaType.PLAIN)
    assert ("X-Markdown-Tokens" in headers) is is_text
    again = sample.get(PATH, {"Accept": ACCEPTS[form], "If-None-Match": headers["ETag"]})
    assert (again.status, again.body) == (304, b"")


def test_html_links_to_the_per_format_urls(sample: Visitor) -> None:
    """They are in the Link header, as on every page."""
    links = sample.get(PATH, {"Accept": BROWSER}).links
    for form, path in FORMAT_URLS.items():
        assert f'<{BASE_URL}{path}>; rel="alternate"; type="{form}"' in links


@cases("form", FORMAT_URLS)
def test_a_per_format_url_ignores_accept(sample: Visitor, form: MediaType) -> None:
    """It has the same body, is public, and is excluded from search engines."""
    negotiated = sample.get(PATH, {"Accept": ACCEPTS[form]})
    for accept in ("", BROWSER, "image/png", "*/*;q=0"):
        response = sample.get(FORMAT_URLS[form], {"Accept": accept})
        assert (response.status, response.body) == (200, negotiated.body)
        assert response.headers["Cache-Control"].startswith("public")
        assert response.headers["X-Robots-Tag"] == "noindex"
        assert "Content-Location" not in response.headers


def test_who_accepts_no_form_is_told_which_there_are(sample: Visitor) -> None:
    """The response is 406, as on every page."""
    reply = sample.get(PATH, {"Accept": "image/png"})
    assert reply.status == 406
    assert "text/markdown" in reply.text
    assert sample.ask("POST", PATH).status == 405


def test_its_json_is_the_contract(sample: Visitor) -> None:
    """The body is that of /openapi.json."""
    assert sample.get(FORMAT_URLS[MediaType.JSON]).body == sample.get("/openapi.json").body


def test_its_markdown_begins_as_every_page_does(sample: Visitor) -> None:
    """It has front matter, a title, and a link to the index of the service."""
    reply = sample.get(PATH, {"Accept": AGENT})
    head, text = frontmatter.parse(reply.text)
    assert head["url"] == BASE_URL + PATH
    assert (head["lang"], head["dir"]) == ("en", "ltr")
    assert str(head["tokens"]) == reply.headers["X-Markdown-Tokens"]
    assert text.splitlines()[:3] == [
        f"# {head['title']}",
        "",
        f"> Index of this site: [llms.txt]({BASE_URL}/llms.txt)",
    ]
    assert re.search(r"\]\((?!https://)", text) is None


def test_html_says_what_markdown_says(sample: Visitor) -> None:
    """It has every heading and code span; each chapter has an anchor."""
    html = sample.get(PATH, {"Accept": BROWSER}).text
    shown = unescape(re.sub(r"<[^>]*>", "", html))
    markdown = manual(sample)
    for heading in re.findall(r"^##+ (.*)$", markdown, re.MULTILINE):
        assert heading in shown
    for code in re.findall(r"`([^`\n]+)`", markdown):
        assert code in shown
    anchors = re.findall(r'<h2 id="([^"]+)">.*?</h2><a class="anchor" href="#\1"', html)
    assert len(anchors) == len(re.findall(r"^## ", markdown, re.MULTILINE))
    ids = re.findall(r'\bid="([^"]*)"', html)
    assert len(ids) == len(set(ids))


def commands(text: str) -> list[str]:
    """Return the commands of a quick start."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.replace("\\\n", "").splitlines()]


def run(visitor: Visitor, command: str) -> Reply:
    """Return the response that curl would get; an unknown option fails the test."""
    program, *words = shlex.split(command)
    assert program == "curl"
    method, headers, body, urls = "GET", {}, "", []
    arguments = iter(words)
    for word in arguments:
        match word:
            case "-H":
                name, _, value = next(arguments).partition(": ")
                headers[name] = value
            case "-X":
                method = next(arguments)
            case "--data":
                body = next(arguments)
            case "-o" | "--etag-save" | "--etag-compare":
                next(arguments)
            case _:
                urls.append(word)
    (url,) = urls
    assert url.startswith(BASE_URL)
    return visitor.ask(method, url.removeprefix(BASE_URL), headers, body=body.encode())


def test_every_command_of_the_quick_start_works(sample: Visitor) -> None:
    """Each command gets a response in the media type that it requests."""
    examples = commands(manual(sample))
    assert len(examples) > 3
    for command in examples:
        reply = run(sample, command)
        assert reply.status == 200, command
        accept = re.search(r"Accept: (\S+)'", command)
        form = accept[1] if accept else "application/json"
        assert reply.headers["Content-Type"].partition(";")[0] == form


def test_every_link_works(sample: Visitor) -> None:
    """Links on this site are checked, except llms.txt, which another test covers."""
    links = set(re.findall(rf"\]\({BASE_URL}([^)#]*)", manual(sample))) - {"/llms.txt"}
    assert {"/openapi.json", "/sitemap.xml"} <= links
    assert [path for path in links if sample.get(path).status != 200] == []


def test_every_operation_is_in_it_once_with_its_parameters(sample: Visitor) -> None:
    """Stable operations are in the resources, aliases in the deprecations."""
    resources, _, deprecations = manual(sample).partition("## Deprecations")
    documents = [sample.get(path).json for path in ("/openapi.json", "/openapi-legacy.json")]
    for document, (path, methods) in (
        (each, item)
        for each in documents
        for item in each["paths"].items()
        if item[0].startswith("/api/")
    ):
        for method, operation in methods.items():
            row = f"| `{method.upper()} {path}` | "
            old = operation.get("deprecated", False)
            assert (resources.count(row), deprecations.count(row)) == (not old, old)
            shared = document["components"]["parameters"]
            described = [
                shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each
                for each in operation["parameters"]
            ]
            parameters = [each["name"] for each in described if each["in"] == "query"]
            parameters += sent_fields(document, operation)
            cells = ", ".join(f"`{name}`" for name in parameters) or "no parameters"
            assert old or resources.partition(row)[2].partition("\n")[0].endswith(f"| {cells} |")


def sent_fields(document: dict[str, Any], operation: dict[str, Any]) -> list[str]:
    """Return the fields of an operation's body, if it has one."""
    if "requestBody" not in operation:
        return []
    schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    return list(document["components"]["schemas"][schema.rpartition("/")[2]]["properties"])


def test_the_contract_of_each_subject_is_in_it(sample: Visitor) -> None:
    """And that of the aliases; llms.txt has one of them as an example."""
    tags = [tag["name"] for tag in sample.get("/openapi.json").json["tags"]]
    text = manual(sample)
    assert [tag for tag in tags if f"- [/openapi/{tag}.json](" not in text] == []
    assert "[/openapi-legacy.json](" in text
    assert "/openapi/search.json" in sample.get("/llms.txt").text


def test_every_alias_is_in_it_with_its_successor_and_its_end(sample: Visitor) -> None:
    """They are those of the table of aliases."""
    text = manual(sample)
    for alias, stable in ALIASES.items():
        assert f" {alias}` | `/api/public/v1{stable}` |" in text
    assert SUNSET in text


def test_the_method_of_the_token_estimate_stands_in_it(sample: Visitor) -> None:
    """It contains the numbers that the code uses."""
    text = manual(sample)
    assert "X-Markdown-Tokens" in text
    for rate in CHARACTERS_PER_TOKEN.values():
        assert f"| {rate} |" in text


def test_it_names_no_path_that_does_not_exist(sample: Visitor) -> None:
    """Except the bases of the versions and of what is private."""
    text = manual(sample)
    contracts = (sample.get(path).json for path in ("/openapi.json", "/openapi-legacy.json"))
    documented = {path for contract in contracts for path in contract["paths"]}
    named = {path for path in re.findall(r"/api/[\w/{}-]*\w\}?", text) if "{" not in path}
    assert {path for path in named if path not in documented} <= {
        "/api/public/v1",
        "/api/public/v2",
        "/api/admin",
    }


NOTHING = (
    "The service sends no webhooks and emits no events; there is no hosted MCP server and no"
    " webhooks product."
)
RECEIVER = "https://receiver.example/hook"


@cases(
    ("settings", "words"),
    [
        pytest.param({}, (NOTHING,), id="neither"),
        pytest.param(
            {"leads_webhook_url": RECEIVER, "leads_webhook_secret": "whsec_" + "A" * 43 + "="},
            ("which get leads,", "It has no hosted MCP server.", "There is no webhooks product"),
            id="webhooks",
        ),
        pytest.param(
            {"mcp": True},
            ("It has an [MCP server]", "This deployment sends no webhooks and emits no events"),
            id="MCP",
        ),
    ],
)
def test_it_says_which_events_the_deployment_sends(
    settings: dict[str, Any], words: tuple[str, ...]
) -> None:
    """With neither, the sentence of the contract; the Arabic manual says the same."""
    with Visitor(**settings) as visitor:
        text = " ".join(manual(visitor).partition("## Events")[2].partition("##")[0].split())
        arabic = visitor.get("/developers/ar.md").text.partition("## الأحداث")[2].partition("##")[0]
    assert [each for each in words if each not in text] == []
    assert (NOTHING in text) is (not settings)
    assert ("خادم MCP مستضاف" in arabic) is ("mcp" not in settings)
    assert RECEIVER not in text
