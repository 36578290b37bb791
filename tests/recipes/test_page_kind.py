"""The recipe "A page type", performed on a copy of the packages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from recipes import events
from recipes.copied_tree import Answer, CopiedTree

pytestmark = pytest.mark.slow

PATH = "/sa/en/events/open-day"
REQUESTS: tuple[tuple[str, Mapping[str, str]], ...] = (
    (PATH, {"Accept": "text/html"}),
    (PATH, {"Accept": "text/markdown"}),
    (PATH, {"Accept": "application/json"}),
    (f"{PATH}.md", {}),
    ("/sa/ar/events/open-day", {"Accept": "text/markdown"}),
    ("/sa/en/events/gone", {"Accept": "text/html"}),
    ("/sitemap.xml", {}),
    ("/sa/en/llms.txt", {}),
    ("/sa/ar/llms.txt", {}),
    ("/sa/en/llms-full.txt", {}),
    ("/sa/en/search?q=open+day", {"Accept": "application/json"}),
    (f"/api/public/v1/seo-page?path={PATH}", {}),
)


PASSAGES = """
import json, sys
from datetime import UTC, datetime
from pathlib import Path
from knowledge.views.content_view import ContentView
from knowledge.snapshot.loading import load_content
from knowledge.locales.locale import Country, Language, Locale
from knowledge.fields.page_type import PAGE_TYPES
from knowledge.resources.site_map import addresses_of
from renderers.markdown.passages import page_passages
snapshot = load_content(Path("knowledge/content")).snapshot
locale = Locale(Country("SA"), Language.EN)
view = ContentView(snapshot, locale, datetime(2026, 11, 1, tzinfo=UTC), "")
addresses = addresses_of(snapshot, PAGE_TYPES.listed)
found = [each for address in addresses for each in page_passages(view, address)]
shown = [[f"{each.page.path}#{each.anchor}", each.text] for each in found]
sys.stdout.write(json.dumps([each for each in shown if "/events/" in each[0]]))
"""


def add_events(tree: CopiedTree) -> None:
    """Perform the recipe, with sample content."""
    tree.write(events.MODULE_PATH, events.MODULE.lstrip())
    tree.write(events.FIELDS_PATH, events.FIELDS)
    tree.write(events.TEMPLATE_PATH, events.TEMPLATE.lstrip())
    tree.translate(events.TEXTS)
    for path, text in events.DOCUMENTS.items():
        tree.write(path, text)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CopiedTree:
    """Return a copy with the page kind."""
    tree = CopiedTree(tmp_path_factory.mktemp("events"))
    add_events(tree)
    return tree


@pytest.fixture(scope="module")
def answers(tree: CopiedTree) -> Mapping[str, Answer]:
    """Return the responses by path and media type."""
    names = (f"{path} {headers.get('Accept', '')}".strip() for path, headers in REQUESTS)
    return dict(zip(names, tree.ask(*REQUESTS), strict=True))


def test_all_pages_of_the_kind_answer(answers: Mapping[str, Answer]) -> None:
    """A slug that does not exist is a 404, not an error."""
    statuses = {name: answer.status for name, answer in answers.items()}
    assert statuses.pop("/sa/en/events/gone text/html") == 404
    assert set(statuses.values()) == {200}


def test_html_has_template_breadcrumbs_and_structured_data(
    answers: Mapping[str, Answer],
) -> None:
    """The node of the event has the properties that the page type names."""
    page = answers[f"{PATH} text/html"].text
    assert '<h1 id="open-day">Open day</h1><a class="anchor" href="#open-day"' in page
    assert re.search(r"<dt>Starts</dt><dd[^>]*>3 December 2026, 12:00</dd>", page)
    assert 'href="/sa/en/modules/point-of-sale"' in page
    graph = json.loads(re.findall(r"<script[^>]*ld\+json[^>]*>(.*?)</script>", page)[0])["@graph"]
    nodes = {str(node["@type"]): node for node in graph}
    names = [item["name"] for item in nodes["BreadcrumbList"]["itemListElement"]]
    assert names == ["Home", "Open day"]
    assert nodes["Event"]["startDate"] == "2026-12-03T09:00:00+00:00"
    assert nodes["Event"]["location"] == "Riyadh"


def test_markdown_has_facts_and_sections(answers: Mapping[str, Answer]) -> None:
    """In the reader's language, at both URLs."""
    english = answers[f"{PATH} text/markdown"].text
    assert "# Open day" in english
    assert "See the tills at work." in english
    assert "- **Starts**: 3 December 2026, 12:00" in english
    assert "Bring your stock list." in english
    assert answers[f"{PATH}.md"].text == english
    arabic = answers["/sa/ar/events/open-day text/markdown"].text
    assert "- **المكان**: الرياض" in arabic


def test_json_is_the_resource(answers: Mapping[str, Answer]) -> None:
    """With camelCase keys."""
    event = answers[f"{PATH} application/json"].json["event"]
    assert event["fields"]["startsAt"] == "2026-12-03T09:00:00Z"
    assert event["heading"] == "Open day"


def test_its_text_is_cut_into_passages(tree: CopiedTree) -> None:
    """With the facts, under the anchors of its HTML."""
    done = tree.run(PASSAGES)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        [
            "/sa/en/events/open-day#open-day",
            "See the tills at work.\n\n- **Starts**: 3 December 2026, 12:00\n- **Place**: Riyadh",
        ],
        [
            "/sa/en/events/open-day#intro",
            "Bring your stock list. See also the [modules](/sa/en/modules/point-of-sale).",
        ],
    ]


def test_maps_list_the_page(answers: Mapping[str, Answer]) -> None:
    """The sitemap, llms.txt in both languages with its reason, the full text and search."""
    assert f"<loc>https://www.wahat.example{PATH}</loc>" in answers["/sitemap.xml"].text
    english, arabic = (answers[f"/sa/{lang}/llms.txt"].text for lang in ("en", "ar"))
    assert "## Events" in english
    assert "use when someone wants to meet us: Open day" in english
    assert "## الفعاليات" in arabic
    assert "يرغب أحد في لقائنا" in arabic
    assert "# Open day" in answers["/sa/en/llms-full.txt"].text
    found = answers["/sa/en/search?q=open+day application/json"].json["items"]
    assert PATH in [item["path"] for item in found]


def test_the_seo_api_knows_the_page(answers: Mapping[str, Answer]) -> None:
    """With its description and both languages."""
    seo = answers[f"/api/public/v1/seo-page?path={PATH}"].json
    assert seo["description"] == "A day with our tills in Riyadh."
    assert {"en-SA", "ar-SA"} <= {alternate["hreflang"] for alternate in seo["alternates"]}


def test_check_reports_documents_of_the_kind(tree: CopiedTree, tmp_path: Path) -> None:
    """The sample is right; a missing required field and a broken link are reported."""
    clean = tree.check(str(tree.folder / "knowledge/content"))
    assert clean.returncode == 0, clean.stdout + clean.stderr
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "fair.md").write_text("---\ntitle: Fair\n---\n[x](/events/gone)\n")
    broken = tree.check(str(tmp_path)).stdout
    assert "startsAt is missing" in broken
    assert "/events/gone does not exist" in broken


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            '        reason=_("someone wants to meet us: %(title)s"),\n',
            "",
            "missing 1 required keyword-only argument: 'reason'",
            id="no reason",
        ),
        pytest.param(
            '_("someone wants to meet us: %(title)s")', '""', "has no reason", id="empty reason"
        ),
        pytest.param('"/events/{slug}"', '"/blog/{slug}"', "has two page types", id="path taken"),
        pytest.param('"/events/{slug}"', '"/events/{id}"', "use /words, {slug}", id="wrong path"),
        pytest.param('"/events/{slug}"', '"/events"', "a list without a title", id="no title"),
        pytest.param("        content_types=(EVENT,),\n", "", "shows no document", id="no content"),
        pytest.param('name="event"', 'name="post"', "have the name “post”", id="name taken"),
        pytest.param('folder="events"', 'folder="posts"', "posts/ has two", id="folder taken"),
        pytest.param(
            '"/events/{slug}",', '"/events/{slug}", parent="/a/b",', "is no page", id="no parent"
        ),
        pytest.param(
            "    lambda view, address, _: event_detail(view, address.slug),\n",
            "",
            "missing 1 required positional argument: 'builder'",
            id="no builder",
        ),
        pytest.param(
            "def document(", "def text(", "EventDetail shows no document", id="no document"
        ),
        pytest.param("@front_matter\n", "", "Write @front_matter above", id="no decorator"),
        pytest.param('name="event"', 'name="meeting"', "templates/meeting.html", id="no template"),
    ],
)
def test_a_declaration_that_is_half_done_is_a_sentence(
    tree: CopiedTree, old: str, new: str, message: str
) -> None:
    """The service does not start; the sentence says what to add or change."""
    try:
        tree.replace(events.MODULE_PATH, old, new)
        assert message in tree.error()
    finally:
        tree.write(events.MODULE_PATH, events.MODULE.lstrip())


def test_the_recipe_edits_no_code(tmp_path: Path) -> None:
    """It adds a module and a template, and appends to the catalogs."""
    tree = CopiedTree(tmp_path)
    code = {path: path.read_bytes() for path in tmp_path.rglob("*.py")}
    add_events(tree)
    assert {path: path.read_bytes() for path in code} == code
