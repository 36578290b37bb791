"""The guides agree with the code: settings, commands, configuration files, paths."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from cases import cases
from click import Context, Group
from click.testing import CliRunner
from contract.visitor import Visitor
from live.documents import ROOT, blocks

from app.operations.cli import main
from app.settings import Settings
from app.web.pipeline.layers import LAYERS
from app.web.pipeline.request_contexts import RequestContexts
from knowledge.checks.content_checks import check_content
from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.locales.locale import Language
from knowledge.snapshot.loading import load_content


def commands(group: Group, path: str = "majlis") -> list[str]:
    """Return every command of the command line, as it is typed."""
    names = []
    context = Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = f"{path} {name}"
        names += commands(command, inner) if isinstance(command, Group) else [inner]
    return names


def code_paths() -> list[str]:
    """Return every `path/like.py` and `folder/` that CONTRIBUTING.md names."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"`((?:[\w.-]+/)+(?:[\w-]+\.\w+)?)`", text)))


def test_the_guide_of_the_configuration_is_printed_by_the_service() -> None:
    """It has the variables of the service and of all features: `majlis settings` prints it."""
    printed = CliRunner().invoke(main, ["settings"]).stdout
    assert printed == (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert all(f"| `{name.upper()}` |" in printed for name in Settings.model_fields)


@cases("path", code_paths())
def test_contributing_names_paths_that_exist(path: str) -> None:
    """Its map and its recipes."""
    assert (ROOT / path).exists()


@cases("command", commands(main))
def test_a_guide_names_every_command(command: str) -> None:
    """It is in the README or in one of the guides."""
    guides = (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    assert command in "".join(guide.read_text(encoding="utf-8") for guide in guides)


def test_the_environment_file_is_one_that_the_service_reads(tmp_path: Path) -> None:
    """All of its variables are settings."""
    (text,) = blocks("docs/deploying.md", "env")
    file = tmp_path / "majlis.env"
    file.write_text(text, encoding="utf-8")
    settings = Settings(_env_file=file)
    assert settings.model_fields_set >= {
        line.partition("=")[0].lower() for line in text.splitlines()
    }


def test_contributing_lists_the_layers_of_the_pipeline_in_their_order() -> None:
    """From the outermost, which decides, to the handlers."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.search(r"in one list:\n\n((?: {4}.*\n)+)", text)
    assert listed
    names = [line.split()[0] for line in listed[1].splitlines()]
    layers = [layer.__name__ for layer in LAYERS]
    assert names == [RequestContexts.__name__, *layers, "Quart"]


def test_the_guides_are_a_site() -> None:
    """`majlis check` has no warning, each guide has a page, and questions find the right one.

    Files that are not served, such as mappings in YAML, are read in the repository. Most guides are
    in English alone: the check has notices of them, and readers of Arabic see the English text.
    """
    loaded = load_content(ROOT / "docs")
    found = [*loaded.diagnostics, *check_content(loaded, datetime.now(UTC))]
    problems = [each for each in found if each.kind is not DiagnosticKind.MISSING_TRANSLATION]
    assert [each for each in problems if not UNSERVED.match(each.message)] == []
    with Visitor(content_dir=ROOT / "docs") as site:
        for guide in (ROOT / "docs").glob("*.md"):
            for language in Language:
                path = f"/{language}/docs/{guide.stem.removesuffix('.ar')}"
                assert site.get(path, {"Accept": "text/html"}).status == 200
        assert "/en/docs/kinds" in site.get("/en", {"Accept": "text/html"}).text
        for question, page in QUESTIONS.items():
            found = site.get(f"/en/search.json?q={quote(question)}").json["items"]
            assert f"/en/docs/{page}" in [each["path"] for each in found[:3]], question


UNSERVED = re.compile(
    r"^Broken link: (?:(?:crm|monitoring)/[\w-]+\.(?:yaml|yml|json)|examples/\w+) "
)
QUESTIONS = {
    "verify the signature of a webhook": "partner",
    "how do I restore a backup": "operating",
    "field of the type choice": "kinds",
    "Cloudflare": "cdn",
    "Prometheus alerts": "monitoring",
}
