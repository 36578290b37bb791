"""Registries: a row that nobody has thought of is added, and the whole service is well with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from openapi_spec_validator import validate
from recipes import events
from recipes.copied_tree import CopiedTree

pytestmark = pytest.mark.slow

_PROBE = """
import asyncio, json, sys
from click.testing import CliRunner
from contract.visitor import Visitor
from app.server.lifecycle import WorkerStatus
from app.server.monitoring import monitoring

given = json.load(sys.stdin)
with Visitor(**given["settings"]) as visitor:
    replies = {}
    for name, (method, path, headers, body) in given["requests"].items():
        reply = visitor.ask(method, path, headers, body=body.encode())
        text = reply.body.decode("utf-8", "replace")
        replies[name] = [reply.status, {**reply.headers}, text]
    metrics = visitor.quart.extensions["majlis"].metrics

async def scraped():
    async def status():
        return WorkerStatus(ready=True, samples=metrics.samples())
    reply = await monitoring(status).test_client().get("/metrics")
    return reply.status_code, {}, await reply.get_data(as_text=True)

replies["metrics"] = asyncio.run(scraped())
from app.operations.cli import main
for words in given["commands"]:
    ran = CliRunner().invoke(main, words, prog_name="majlis")
    replies[" ".join(words[:2])] = [ran.exit_code, {}, ran.output + repr(ran.exception or "")]
sys.stdout.write(json.dumps(replies))
"""

Shown = Mapping[str, tuple[int, Mapping[str, str], str]]
"""Status, headers and text of each response, and of each command."""

_HTML = {"Accept": "text/html"}
_PAGE = "/ae/en/about"
_REQUESTS: Mapping[str, tuple[str, str, Mapping[str, str], str]] = {
    "openapi": ("GET", "/openapi.json", {}, ""),
    "developers": ("GET", "/developers", _HTML, ""),
    "developers in Arabic": ("GET", "/developers/ar", _HTML, ""),
    "page": ("GET", _PAGE, _HTML, ""),
    "home": ("GET", "/sa/ar", _HTML, ""),
    "llms.txt": ("GET", "/llms.txt", {}, ""),
}
_COMMANDS = (["check", "knowledge/content"], ["deliveries", "list", "--help"], ["settings"])


@dataclass(frozen=True)
class Row:
    """A made-up row: its own files, the one file that it changes, and what then shows it."""

    registry: str
    shows: Callable[[Shown], Iterator[bool]]
    files: Mapping[str, str] = field(default_factory=dict)
    place: tuple[str, str, str] | None = None
    """A file, a text in it, and what replaces that."""
    texts: Mapping[str, str] = field(default_factory=dict)
    requests: Mapping[str, tuple[str, str, Mapping[str, str], str]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.registry


_JSON_ROW = "    JSON = (\n"
_PDF = Row(
    "media type",
    files={
        "renderers/portable.py": '''
"""PDF."""

from renderers.representation import Representation


def render(page):
    """Render a page as bytes that are no text."""
    return Representation("application/pdf", b"%PDF-1.4\\n\\xff\\xfe", page.language)
'''
    },
    place=(
        "renderers/representation.py",
        _JSON_ROW,
        f'    PDF = "application/pdf", ".pdf", "renderers.portable:render"\n{_JSON_ROW}',
    ),
    requests={
        "negotiated": ("GET", _PAGE, {"Accept": "application/pdf"}, ""),
        "suffixed": ("GET", f"{_PAGE}.pdf", {}, ""),
        "markdown": ("GET", _PAGE, {"Accept": "text/markdown"}, ""),
    },
    shows=lambda shown: iter(
        (
            "getPageAsPdf" in shown["openapi"][2],
            "application/pdf" in shown["developers"][2],
            f'href="{_PAGE}.pdf"' in shown["page"][2],
            shown["negotiated"][1]["content-type"] == "application/pdf",
            shown["negotiated"][1]["vary"] == shown["markdown"][1]["vary"],
            shown["suffixed"][1]["content-type"] == "application/pdf",
            "vary" not in shown["suffixed"][1],
        )
    ),
)

_KIND = Row(
    "kind",
    files={
        "knowledge/content/_kinds/tools.md": """---
singular: { en: Tool, ar: أداة }
plural: { en: Tools, ar: أدوات }
shortDescription: { en: What we lend., ar: ما نعيره. }
fields:
  weight: { type: number, label: { en: Weight, ar: الوزن } }
---
""",
        "knowledge/content/tools/hammer.md": "---\ntitle: Hammer\nweight: 2\n---\nIt is heavy.\n",
        "knowledge/content/tools/hammer.ar.md": "---\ntitle: مطرقة\n---\nهي ثقيلة.\n",
    },
    requests={"own": ("GET", "/ae/en/tools/hammer", _HTML, "")},
    shows=lambda shown: iter(
        ("<dt>Weight</dt>" in shown["own"][2], "/api/public/v1/kinds" in shown["openapi"][2])
    ),
)

_SECTION = Row(
    "section type",
    files={
        "knowledge/sections/types/timeline.py": '''
"""Timelines."""

from knowledge.sections.section_type import SECTION_TYPES, SectionType

SECTION_TYPES.declare(SectionType(name="timeline", has_items=True))
''',
        "renderers/templates/parts/sections/timeline.html": """
<{{ tag(section) }} class="timeline"{{ id_of(section) }}>
{{ heading(section) }}
{% for item in section.headed_items %}<h3>{{ item.title }}</h3>{% endfor %}
</{{ tag(section) }}>
""",
        "knowledge/content/pages/history.md": (
            "---\ntitle: History\n---\n:::{timeline} Our years\n\n### 2019\n\nWe began.\n:::\n"
        ),
        "knowledge/content/pages/history.ar.md": "---\ntitle: تاريخنا\n---\nبدأنا.\n",
    },
    requests={"own": ("GET", "/ae/en/history", _HTML, "")},
    shows=lambda shown: iter(
        ('class="timeline"' in shown["own"][2], "timeline" in shown["openapi"][2])
    ),
)

_PAGE_TYPE = Row(
    "page type",
    files={
        events.FIELDS_PATH: events.FIELDS,
        events.MODULE_PATH: events.MODULE,
        events.TEMPLATE_PATH: events.TEMPLATE,
        **events.DOCUMENTS,
    },
    texts=events.TEXTS,
    requests={"own": ("GET", "/sa/en/events/open-day", _HTML, "")},
    shows=lambda shown: iter(("Open day" in shown["own"][2],)),
)

_FEATURE = Row(
    "feature, metric, delivery kind, webhook kind",
    files={
        "app/features/loyalty/__init__.py": '''
"""Loyalty: points of visitors."""

from app.feature import Deliveries, Feature
from app.platform.observability.metrics import Family, MetricType

POINTS = Family("majlis_points", MetricType.COUNT, "Points, by colour.", ("colour",))
FEATURE = Feature(
    name="loyalty",
    settings="app.features.loyalty.settings:LoyaltySettings",
    parts="app.features.loyalty.service:open_parts",
    api=("app.features.loyalty.service:routes",),
    delivery_kinds=(
        Deliveries(kind="card", option="card", help="Of one card.", columns={"CARD": "subject"}),
    ),
    metrics=(POINTS,),
)
''',
        "app/features/loyalty/settings.py": '''
"""The settings of loyalty."""

from app.platform.settings import ServiceSettings


class LoyaltySettings(ServiceSettings):
    """The settings of loyalty."""

    loyalty_points: int = 3
    """The points of a visit."""
''',
        "app/features/loyalty/service.py": '''
"""The points."""

from quart import Blueprint

from app.features.loyalty import POINTS
from app.web.extensions import WebhookReceivers
from app.web.http.responses import respond
from app.web.openapi.operation import operation
from knowledge.resources.base import Resource

routes = Blueprint("loyalty", __name__)


class Points(Resource):
    """Points."""

    points: int = 7
    """How many."""


@routes.get("/points")
@operation(Points, lambda _: Points())
def get_points():
    """Get the points."""
    return respond(Points())


def open_parts(services):
    """Count, and name a receiver."""
    services.metrics.count(POINTS, "red", by=7)
    yield WebhookReceivers("points")
''',
    },
    shows=lambda shown: iter(
        (
            'majlis_points_total{colour="red"} 7' in shown["metrics"][2],
            "points" in shown["developers"][2],
            "points" in shown["developers in Arabic"][2],
            "/api/public/v1/points" in shown["openapi"][2],
            "--card TEXT" in shown["deliveries list"][2],
            "LOYALTY_POINTS" in shown["settings"][2],
        )
    ),
)

_WELL_KNOWN = Row(
    "well-known file",
    place=(
        "llms/well_known.py",
        "def _contact(",
        '''@_well_known("/.well-known/tide", "tide")
def _tide(site: Deployment) -> Representation:
    """Get when the water is high."""
    return Representation("text/plain", b"at noon")


def _contact(''',
    ),
    requests={"own": ("GET", "/.well-known/tide", {}, "")},
    shows=lambda shown: iter(
        (shown["own"][2] == "at noon", 'rel="tide"' in shown["own"][1]["link"])
    ),
)

_FORM_KIND = Row(
    "form kind",
    files={
        "app/features/waiting/__init__.py": '''
"""Waiting: lists of those who wait."""

from app.feature import Feature

FEATURE = Feature(name="waiting", form_kinds=("waitlist",))
''',
        "knowledge/content/forms/wait.md": (
            "---\ntitle: { en: Waiting, ar: الانتظار }\nkind: waitlist\nfields:\n"
            "  phone: { type: phone, required: true, label: { en: Telephone, ar: الهاتف } }\n---\n"
            "We call you.\n"
        ),
        "knowledge/content/forms/wait.ar.md": "---\ntitle: الانتظار\n---\nنتصل بك.\n",
    },
    place=(
        "knowledge/fields/form_kinds.py",
        '    "newsletter": FormKind(\n',
        """    "waitlist": FormKind(
        single="phone",
        others=(),
        without=("topic",),
        submit="Wait",
        thanks="Thanks",
        thanks_text="You wait.",
    ),
    "newsletter": FormKind(
""",
    ),
    requests={"own": ("GET", "/ae/en/wait", _HTML, "")},
    shows=lambda shown: iter(("Waiting" in shown["own"][2], "waitlist" in shown["openapi"][2])),
)

_LISTED = "    for group in _listing(page):\n        cards"
_BLOCK = Row(
    "block type",
    files={
        "knowledge/blocks/tides.py": '''
"""Tides."""

from typing import Literal

from knowledge.blocks.block import Block


class TidesBlock(Block):
    """When the water is high."""

    type: Literal["tides"] = "tides"
    """Type of the block."""
    times: list[str]
    """The times of a day."""
''',
        "renderers/blocks/tides.py": '''
"""The text of tides."""

from knowledge.blocks.tides import TidesBlock
from renderers.blocks.context import MarkdownContext, bullets


def text(block: TidesBlock, _: MarkdownContext) -> str:
    """Return the times as a list."""
    return bullets(block.times)
''',
    },
    place=(
        "renderers/pages/content.py",
        _LISTED,
        (
            "    from knowledge.blocks.tides import TidesBlock\n\n"
            f'    yield TidesBlock(heading="High water", times=["[05:12](/sa/ar)"])\n{_LISTED}'
        ),
    ),
    requests={
        "markdown": ("GET", _PAGE, {"Accept": "text/markdown"}, ""),
        "json": ("GET", _PAGE, {"Accept": "application/json"}, ""),
        "html": ("GET", _PAGE, _HTML, ""),
    },
    shows=lambda shown: iter(
        (
            'id="high-water"' in shown["html"][2],
            '<a href="/sa/ar">05:12</a>' in shown["html"][2],
            "TidesBlock" in json.loads(shown["openapi"][2])["components"]["schemas"],
            "## High water\n\n- [05:12](" in shown["markdown"][2],
            [
                (each["times"], [link["text"] for link in each["links"]])
                for each in json.loads(shown["json"][2])["blocks"]
                if each["type"] == "tides"
            ]
            == [(["[05:12](/sa/ar)"], ["05:12"])],
        )
    ),
)

_ROWS = (_BLOCK, _FORM_KIND, _WELL_KNOWN, _PDF, _KIND, _SECTION, _PAGE_TYPE, _FEATURE)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CopiedTree:
    """A copy of the packages, which each test leaves as it was."""
    return CopiedTree(tmp_path_factory.mktemp("rows"))


@contextmanager
def added_to(tree: CopiedTree, row: Row) -> Iterator[None]:
    """Add a row to a copy, and remove it again."""
    for path, text in row.files.items():
        tree.write(path, text.lstrip())
    if row.place:
        tree.replace(*row.place)
    catalogs = tree.translate(row.texts)
    try:
        yield
    finally:
        for path in row.files:
            (tree.folder / path).unlink()
        if row.place:
            path, old, new = row.place
            tree.replace(path, new, old)
        for path, text in catalogs.items():
            tree.write(path, text)


@pytest.mark.parametrize("row", _ROWS, ids=str)
def test_a_made_up_row_is_all_that_a_registry_needs(row: Row, tree: CopiedTree) -> None:
    """The contract is valid, and manual, pages, metrics and checks are well and show the row."""
    given = {
        "settings": dict(row.settings),
        "requests": {**_REQUESTS, **row.requests},
        "commands": _COMMANDS,
    }
    with added_to(tree, row):
        done = tree.run(_PROBE, text=json.dumps(given))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    shown: Shown = json.loads(done.stdout)
    commands = {" ".join(words[:2]) for words in _COMMANDS}
    wrong = {
        name: text[-1_000:]
        for name, (status, _, text) in shown.items()
        if status != (0 if name in commands else 200)
    }
    assert not wrong, wrong
    validate(json.loads(shown["openapi"][2]))
    assert {*row.shows(shown)} == {True}, [*row.shows(shown)]
