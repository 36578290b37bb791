"""OpenTelemetry: what a collector gets of requests over OTLP, and that nothing is personal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from cases import cases
from contract.visitor import Visitor
from live.documents import ROOT
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from app.platform import Extra
from app.settings import Settings, SettingsError, load_settings

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACEPARENT = {"traceparent": f"00-{TRACE}-{PARENT}-01", "tracestate": "vendor=1"}
LEAD = {
    "name": "Private Noor",
    "email": "noor@private.example",
    "phone": "+971501112233",
    "message": "Private message",
}
CLIENT = "203.0.113.77"


class Collector:
    """An OTLP receiver over HTTP, as a collector has one."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.path == "/v1/traces"
                collector.bodies.append(body)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Receive during the block."""
        thread = Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    @property
    def requests(self) -> list[ExportTraceServiceRequest]:
        """What was received."""
        return [ExportTraceServiceRequest.FromString(body) for body in self.bodies]

    @property
    def spans(self) -> list[Span]:
        """The spans that were received."""
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


def attributes(span: Any) -> Mapping[str, object]:
    """Return attributes as plain values."""
    return {
        each.key: getattr(each.value, str(each.value.WhichOneof("value")))
        for each in span.attributes
    }


@pytest.fixture(scope="module")
def collector() -> Collector:
    """What a collector got of a page twice, a search, a stored lead and an error."""
    collector = Collector()
    endpoint, broken = collector.url, "sqlite:////proc/no-such/majlis.db"
    with collector.running(), Visitor(otel_exporter_otlp_endpoint=endpoint) as visitor:
        visitor.get("/ae/en/erp", TRACEPARENT)
        visitor.get("/ae/en/erp")
        visitor.get("/ae/en/search?q=private")
        visitor.post("/api/leads", LEAD, {"User-Agent": "Private agent"}, peer=CLIENT)
        visitor.get("/u/noor@private.example")
        traced = Visitor(otel_exporter_otlp_endpoint=endpoint, database_url=broken)
        with traced as away:
            away.post("/api/leads", LEAD)
    return collector


def requests_of(collector: Collector, name: str, path: str = "") -> list[Span]:
    """Return the spans of the requests of a route, or of a path, in their order."""
    named = (span for span in collector.spans if span.name == name)
    found = (span for span in named if path in ("", attributes(span)["url.path"]))
    return sorted(found, key=lambda span: span.start_time_unix_nano)


def inside(collector: Collector, parent: Span) -> list[str]:
    """Return the names of the spans of a trace that are not its request."""
    return sorted(
        span.name
        for span in collector.spans
        if span.trace_id == parent.trace_id and span.span_id != parent.span_id
    )


def test_a_request_is_a_server_span_of_its_trace(collector: Collector) -> None:
    """By the semantic conventions; the work of a page is a span inside."""
    first, second = requests_of(collector, "GET /<site_path:path>")[:2]
    assert (first.kind, first.trace_id.hex()) == (Span.SPAN_KIND_SERVER, TRACE)
    assert (first.parent_span_id.hex(), first.trace_state) == (PARENT, "vendor=1")
    assert attributes(first) == {
        "http.request.method": "GET",
        "http.route": "/<site_path:path>",
        "url.path": "/ae/en/erp",
        "url.scheme": "http",
        "network.protocol.version": "1.1",
        "http.response.status_code": 200,
        "majlis.cache.hit": False,
    }
    assert inside(collector, first) == ["work pages"]
    assert attributes(second)["majlis.cache.hit"] is True
    assert second.trace_id != first.trace_id
    assert not second.parent_span_id


def test_searches_and_transactions_are_spans(collector: Collector) -> None:
    """Those of the database name the system, and no statement."""
    (search,) = requests_of(collector, "GET /<site_path:path>", "/ae/en/search")
    assert "work searches" in inside(collector, search)
    lead, _ = requests_of(collector, "POST /api/leads")
    spans = [span for span in collector.spans if span.parent_span_id == lead.span_id]
    assert {span.name for span in spans} == {"database read", "database write"}
    (write,) = [span for span in spans if span.name == "database write"]
    assert write.kind == Span.SPAN_KIND_CLIENT
    assert attributes(write) == {"db.system.name": "sqlite", "db.operation.name": "write"}


def test_nothing_personal_is_sent(collector: Collector) -> None:
    """No query, address, agent, or field of a lead."""
    sent = b"".join(collector.bodies)
    assert b"work pages" in sent
    private = (b"rivate", b"noor", b"501112233", CLIENT.encode())
    assert [word for word in private if word in sent] == []


def test_the_service_has_a_name(collector: Collector) -> None:
    """`majlis`, where no variable of OpenTelemetry gives another."""
    resource = attributes(collector.requests[0].resource_spans[0].resource)
    assert resource["service.name"] == "majlis"


def test_an_error_of_the_server_is_an_error_of_its_span(collector: Collector) -> None:
    """Errors of clients are none."""
    statuses = {
        attributes(span)["http.response.status_code"]: span.status.code
        for span in collector.spans
        if span.kind == Span.SPAN_KIND_SERVER
    }
    assert statuses[404] == Status.STATUS_CODE_UNSET
    assert statuses[503] == Status.STATUS_CODE_ERROR


def test_its_sdk_is_imported_by_one_module_only() -> None:
    """And that one when traces are asked for, so that the service runs without them."""
    importing = [
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "app").rglob("*.py")
        if re.search(
            r"^ *(from|import) opentelemetry\.(exporter|sdk)", file.read_text("utf-8"), re.MULTILINE
        )
    ]
    assert importing == ["app/platform/observability/otel.py"]


ENDPOINT = "http://127.0.0.1:4318"


@cases(
    ("variables", "exporter", "endpoint"),
    [
        pytest.param({}, None, "", id="nothing"),
        pytest.param({"otel_traces_exporter": "otlp"}, "otlp", "", id="the default collector"),
        pytest.param({"otel_traces_exporter": "none"}, None, "", id="none"),
        pytest.param({"otel_traces_exporter": "Console"}, "console", "", id="the console"),
        pytest.param(
            {"otel_exporter_otlp_endpoint": f"{ENDPOINT}/"},
            "otlp",
            f"{ENDPOINT}/v1/traces",
            id="a collector",
        ),
        pytest.param(
            {"otel_exporter_otlp_traces_endpoint": f"{ENDPOINT}/t"},
            "otlp",
            f"{ENDPOINT}/t",
            id="its whole address",
        ),
        pytest.param(
            {"otel_sdk_disabled": True, "otel_traces_exporter": "otlp"}, None, "", id="disabled"
        ),
    ],
)
def test_the_standard_variables_decide(
    variables: dict[str, Any], exporter: str | None, endpoint: str
) -> None:
    """Tracing is off unless one of them asks for it."""
    settings = Settings(_env_file=None, **variables)
    assert (settings.tracing, settings.otlp_endpoint) == (exporter, endpoint)


@pytest.mark.parametrize("name", ["OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT"])
def test_traces_without_the_packages_stop_the_start(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The message says how to install them; what is switched off needs none."""
    monkeypatch.setitem(sys.modules, Extra.OTEL.value[2], None)
    monkeypatch.setenv(name, "otlp" if name.endswith("EXPORTER") else ENDPOINT)
    with pytest.raises(SettingsError, match=rf"^{name}: .*pip install -r requirements/otel\.txt"):
        load_settings(_env_file=None)
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert load_settings(_env_file=None).tracing is None
