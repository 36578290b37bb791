"""All places where the text of a stranger enters a service, as routes, forms and tools say."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from xml.etree.ElementTree import Element

from contract.adverts import LOCATION, Advert
from contract.visitor import Reply, Visitor
from dom import elements
from werkzeug.routing import Rule

from app.features.mcp.messages import (
    CAPABILITIES_KEY,
    CLIENT_KEY,
    NAMED_BY,
    VERSION_KEY,
    ProtocolError,
)
from app.features.mcp.methods import Methods
from app.features.mcp.server import MODERN_VERSIONS
from app.features.mcp.tools import TOOLS
from app.features.orders.partner_access import TOKEN_HEADER
from app.services import services_of
from app.web.openapi.information import OPENAPI_PATH

ROOT = Path(__file__).parents[2]
MCP_PATH = "/mcp"
TOKEN = "token-of-a-partner"
EVERYTHING: Mapping[str, Any] = {
    "mcp": True,
    "audience": True,
    "erp_pull_api_token": TOKEN,
    "smtp_url": "smtp://127.0.0.1:9",
    "leads_email_from": "site@wahat.example",
    "newsletter_from": "site@wahat.example",
    "trusted_proxies": "198.18.0.0/15",
    "leads_per_network": 1_000_000,
    "leads_per_hour": 1_000_000,
    "newsletter_mails_per_hour": 1_000_000,
}
"""Settings with which all routes are served, to a client whose headers are trusted."""

_PLAIN: Mapping[str, str] = {
    "email": "noor@shop.example",
    "tel": "+971 50 123 4567",
    "url": "https://shop.example/",
    "number": "2",
    "date": "2026-12-01",
    "time": "10:00",
}
"""What a visitor writes into a field, by its type."""
_WORDS = "We ask for an offer"
_PDF = "%PDF-1.7\n"
"""The beginning of a file that every form of files takes."""
_FORM = "application/x-www-form-urlencoded"
_BOUNDARY = "a-boundary-of-tests"
_VARIABLE = re.compile(r"<(?:(?P<converter>\w+):)?(?P<name>\w+)>")
_BY_CONVERTER = {"locale": "ae/en", "site_path": "ae/en", "int": "1"}
_HEADER = re.compile(r'\bb"([a-z]+(?:-[a-z]+)*)"')
_COUNTRY_HEADER = "CF-IPCountry"
_PLACED = frozenset({"content-length", "transfer-encoding", "connection"})
"""Headers that the server reads before the application."""
_AUTHORIZED = {TOKEN_HEADER: TOKEN}


@dataclass(frozen=True)
class Sent:
    """A request with a text in one of its inputs."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def size(self) -> int:
        """The bytes of its target, its headers and its body."""
        return len(self.target) + sum(map(len, self.headers.values())) + len(self.body)

    def by(self, visitor: Visitor) -> Reply:
        """Send it."""
        return visitor.ask(self.method, self.target, self.headers, body=self.body)


@dataclass(frozen=True)
class Input:
    """One place of a text: how a request with it is made, and whether it stands in the head."""

    name: str
    request: Callable[[str], Sent]
    in_head: bool


Target = tuple[Rule, str, str]
"""A route, a method and an address."""


def inputs(visitor: Visitor) -> Iterator[Input]:
    """Yield all inputs of a service."""
    targets = [*_targets(visitor)]
    for rule, method, target in targets:
        yield from _of_path(rule, method)
        yield from _of_query(visitor, method, target)
    yield from _of_headers(visitor, targets)
    yield from form_inputs(visitor)
    yield from _of_json(visitor)
    yield from _of_mcp()


def _targets(visitor: Visitor) -> Iterator[Target]:
    """Yield an address for each route and method, and for each set of parameters of a page."""
    seen = set()
    for rule in visitor.quart.url_map.iter_rules():
        for method in {"GET", "POST"} & (rule.methods or set()):
            yield rule, method, _path(rule)
    for path in _pages(visitor):
        route = visitor.context("GET", path).route
        if route.rule and (route.rule.rule, route.query) not in seen:
            seen.add((route.rule.rule, route.query))
            yield route.rule, "GET", path


def _pages(visitor: Visitor) -> Sequence[str]:
    """Return the addresses of the pages of one locale."""
    locale = services_of(visitor.quart).content_store.current.snapshot.default_locale
    paths = [Advert(url).path for url in LOCATION.findall(visitor.get("/sitemap.xml").text)]
    return [path for path in paths if path.startswith(f"{locale.path}/")]


def _path(rule: Rule, **values: str) -> str:
    """Return a path of a route, with examples for the variables that have no value."""

    def value(variable: re.Match[str]) -> str:
        default = _BY_CONVERTER.get(variable["converter"] or "", "a")
        return values.get(variable["name"], default)

    return _VARIABLE.sub(value, rule.rule)


def _of_path(rule: Rule, method: str) -> Iterator[Input]:
    for variable in _VARIABLE.finditer(rule.rule):

        def request(text: str, name: str = variable["name"]) -> Sent:
            return Sent(method, _path(rule, **{name: quote(text, safe="/")}), _AUTHORIZED)

        yield Input(f"{method} {rule.rule} {variable['name']}", request, in_head=True)


def _of_query(visitor: Visitor, method: str, target: str) -> Iterator[Input]:
    for name in (*visitor.context(method, target).route.query, "unknown"):

        def request(text: str, name: str = name) -> Sent:
            return Sent(method, f"{target}?{urlencode({name: text})}", _AUTHORIZED)

        yield Input(f"{method} {target} ?{name}", request, in_head=True)


def _of_headers(visitor: Visitor, targets: Sequence[Target]) -> Iterator[Input]:
    """Yield the headers that the code names, for one address of each policy and method.

    Those that change nothing are one input, as each of them is read when all are sent.
    """
    texts = (path.read_text() for path in (ROOT / "app").rglob("*.py"))
    names = {name for text in texts for name in _HEADER.findall(text)}
    names |= {TOKEN_HEADER.lower(), _COUNTRY_HEADER.lower()}
    by_policy = {
        (visitor.context(method, target).route.policy, method): target
        for _, method, target in targets
    }
    for (_, method), target in by_policy.items():

        def request(
            sent: Collection[str], text: str, method: str = method, target: str = target
        ) -> Sent:
            value = dict.fromkeys(sent, _one_line(text))
            return Sent(method, target, {**_AUTHORIZED, **value})

        usual = request((), "").by(visitor).status
        loud = {
            name for name in names - _PLACED if request((name,), "zq").by(visitor).status != usual
        }
        for sent in (*((name,) for name in sorted(loud)), tuple(sorted(names - _PLACED - loud))):
            name = f"{method} {target} {sent[0]}: {len(sent)}"
            yield Input(name, partial(request, sent), in_head=True)


def _one_line(text: str) -> str:
    """Return a text that a header may hold."""
    return text.translate(dict.fromkeys(map(ord, "\r\n\0")))


def form_inputs(visitor: Visitor) -> Iterator[Input]:
    """Yield the fields of all forms of the pages, each form once."""
    seen = set()
    for path in _pages(visitor):
        text = visitor.get(path, {"Accept": "text/html"}).text
        for form in elements(text) if "<form" in text else ():
            if form.tag == "form":
                made = _Form.of(form, path)
                route = visitor.context(made.method, made.action).route
                # Lists share the handler and the form; the forms of a site share the handler alone.
                place = route.label if made.method == "GET" else made.action
                if (place, *made.values) not in seen:
                    seen.add((place, *made.values))
                    yield from made.inputs()


@dataclass(frozen=True)
class _Form:
    """A form of a page: what a visitor sends with it, and which fields hold files."""

    method: str
    action: str
    values: Mapping[str, str]
    files: frozenset[str]

    @classmethod
    def of(cls, form: Element, path: str) -> _Form:
        """Return a form with its fields filled in."""
        values, files = {}, set()
        for each in form.iter():
            name, kind = each.get("name"), each.get("type", "text")
            if each.tag not in ("input", "select", "textarea", "button") or not name:
                continue
            values[name] = each.get("value", "")
            if kind != "hidden" and each.get("tabindex") != "-1":  # what visitors see
                options = (option.get("value") for option in each.iter("option"))
                chosen = next(filter(None, options), _WORDS)
                values[name] = values[name] or _PLAIN.get(kind, chosen)
            if kind == "file":
                files.add(name)
        action = urlsplit(form.get("action") or path).path
        return cls(form.get("method", "get").upper(), action, values, frozenset(files))

    def inputs(self) -> Iterator[Input]:
        """Yield the fields, the files, and a field that the form does not have."""
        for name in (*self.values, "unknown"):
            places = ("text", "name", "type") if name in self.files else ("text",)
            for place in places:
                yield Input(
                    f"{self.method} {self.action} {name} ({place})",
                    partial(self.request, name, place),
                    in_head=self.method == "GET",
                )

    def request(self, name: str, place: str, text: str) -> Sent:
        """Return a request with a text in a field, or in the name or the type of a file."""
        values = {**self.values, **({} if name in self.files else {name: text})}
        if self.method == "GET":
            return Sent("GET", f"{self.action}?{urlencode(values)}")
        if not self.files:
            return Sent("POST", self.action, {"Content-Type": _FORM}, urlencode(values).encode())
        parts = []
        for each, value in values.items():
            head, content = f'Content-Disposition: form-data; name="{quote(each)}"', value
            if each in self.files:
                file = {"text": _PDF, "name": "a.pdf", "type": "application/pdf"}
                if each == name:
                    file[place] = f"{_PDF}{text}" if place == "text" else _one_line(text)
                head += f'; filename="{file["name"]}"\r\nContent-Type: {file["type"]}'
                content = file["text"]
            parts.append(f"--{_BOUNDARY}\r\n{head}\r\n\r\n{content}\r\n")
        body = f"{''.join(parts)}--{_BOUNDARY}--\r\n".encode()
        kind = f"multipart/form-data; boundary={_BOUNDARY}"
        return Sent("POST", self.action, {"Content-Type": kind}, body)


def _of_json(visitor: Visitor) -> Iterator[Input]:
    """Yield the properties of all JSON bodies that the API documents."""
    document = visitor.get(OPENAPI_PATH).json
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if "requestBody" not in operation or path == MCP_PATH:
                continue
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            for keys in (*_properties(document, schema), ("unknown",)):

                def request(
                    text: str, method: str = method, path: str = path, keys: Sequence[str] = keys
                ) -> Sent:
                    return _json(method.upper(), path, _filled(_EXAMPLE, keys, text))

                yield Input(f"{method} {path} {'.'.join(keys)}", request, in_head=False)


def _properties(
    document: Mapping[str, Any], schema: Mapping[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of the values of an object, and of those within."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for inner in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _properties(document, inner, above)
    for name, inner in schema.get("properties", {}).items():
        yield (*above, name)
        yield from _properties(document, inner, (*above, name))


_EXAMPLE = {
    "email": _PLAIN["email"],
    "name": "Noor",
    "message": _WORDS,
    "page": "/ae/en/contact",
    "kind": "wrong",
}
"""Makes the bodies of all operations complete."""


def _filled(value: Mapping[str, Any], keys: Sequence[str], text: str) -> Mapping[str, Any]:
    first, *rest = keys
    return {**value, first: _filled({}, rest, text) if rest else text}


def _json(method: str, path: str, value: object, headers: Mapping[str, str] | None = None) -> Sent:
    typed = {"Content-Type": "application/json", **(headers or {})}
    return Sent(method, path, typed, json.dumps(value, ensure_ascii=False).encode())


class _Asked(dict[str, Any]):
    """Parameters that note by which names they are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, None] = {}

    def get(self, name: str, default: Any = None) -> Any:
        self.names[name] = None
        return {"name": TOOLS[0].name}.get(name, "a")

    __getitem__ = get


def _of_mcp() -> Iterator[Input]:
    """Yield the parts of messages, the parameters of methods, and the arguments of tools."""
    eras = vars(Methods(TOOLS))
    for is_modern in (False, True):
        for method, found in eras["_modern" if is_modern else "_legacy"].items():
            asked = _Asked()
            with suppress(ProtocolError):
                found.prepare(asked)
            for keys in (*((name,) for name in asked.names), *_META):
                yield _message(method, keys, {}, is_modern)
        for tool in TOOLS:
            for name in (*tool.arguments.model_fields, "unknown"):
                keys = ("arguments", name)
                yield _message("tools/call", keys, {"name": tool.name}, is_modern)
    for name in ("jsonrpc", "id", "method"):

        def request(text: str, name: str = name) -> Sent:
            return _json("POST", MCP_PATH, {**_CALL, name: text})

        yield Input(f"MCP {name}", request, in_head=False)


_CALL = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
_META = (
    ("_meta", "openai/locale"),
    ("_meta", "openai/userLocation", "country"),
    ("_meta", CLIENT_KEY, "name"),
    ("clientInfo", "name"),
)
"""What messages of all methods say of the client."""


def _message(method: str, keys: Sequence[str], params: Mapping[str, Any], is_modern: bool) -> Input:
    def request(text: str) -> Sent:
        sent = dict(_filled(params, keys, text))
        headers = {"Accept": "application/json, text/event-stream"}
        if is_modern:
            meta = {VERSION_KEY: MODERN_VERSIONS[0], CAPABILITIES_KEY: {}}
            sent["_meta"] = {**meta, **sent.get("_meta", {})}
            name = sent.get(NAMED_BY.get(method, ""), "")
            headers |= {"Mcp-Protocol-Version": MODERN_VERSIONS[0], "Mcp-Method": method}
            headers |= (
                {"Mcp-Name": f"=?base64?{b64encode(name.encode()).decode()}?="} if name else {}
            )
        return _json("POST", MCP_PATH, {**_CALL, "method": method, "params": sent}, headers)

    era = "modern" if is_modern else "legacy"
    return Input(f"MCP {era} {method} {'.'.join(keys)}", request, in_head=False)
