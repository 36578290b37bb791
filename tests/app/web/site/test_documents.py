"""The guides agree with the code: settings, commands, configuration files, paths."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from cases import cases
from click import Command, Context, Group, Option
from click.testing import CliRunner
from contract.visitor import Visitor
from live.documents import ROOT, blocks

from app.operations.cli import main
from app.settings import Settings
from app.web.pipeline.layers import LAYERS
from app.web.pipeline.request_contexts import RequestContexts
from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.locales.locale import Language
from knowledge.snapshot.loading import load_content


def commands(group: Group, path: str = "majlis") -> dict[str, Command]:
    """Return every command of the command line by how it is typed."""
    found: dict[str, Command] = {}
    context = Context(group)
    for name in group.list_commands(context):
        command, inner = group.get_command(context, name), f"{path} {name}"
        assert command
        found |= commands(command, inner) if isinstance(command, Group) else {inner: command}
    return found


def code_paths() -> list[str]:
    """Return every `path/like.py` and `folder/` that CONTRIBUTING.md names."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"`((?:[\w.-]+/)+(?:[\w-]+\.\w+)?)`", text)))


def test_the_guide_of_the_configuration_is_printed_by_the_service() -> None:
    """It has each variable once, by topic, below the five that production needs."""
    printed = CliRunner().invoke(main, ["settings"]).stdout
    assert printed == (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    first, *topics = printed.split("\n## ")[1:]
    variables = re.findall(r"^\| `(\w+)` \|", "".join(topics), re.MULTILINE)
    assert sorted(variables) == sorted(name.upper() for name in Settings.model_fields)
    needed = re.findall(r"^- `(\w+)`: ", first, re.MULTILINE)
    assert len(needed) == 5
    assert set(needed) <= set(variables)


@cases("path", code_paths())
def test_contributing_names_paths_that_exist(path: str) -> None:
    """Its map and its recipes."""
    assert (ROOT / path).exists()


def test_the_guide_of_the_commands_is_printed_by_the_command_line() -> None:
    """It has each command with each of its options: `majlis commands > docs/commands.md`."""
    printed = CliRunner().invoke(main, ["commands"]).stdout
    assert printed == (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    chapters = dict(re.findall(r"^###? (majlis .+)\n((?:(?!##).*\n)*)", printed, re.MULTILINE))
    for path, command in commands(main).items():
        given = {each.opts[0] for each in command.params if isinstance(each, Option)}
        assert set(re.findall(r"^- `(--[\w-]+)\S*.*`: ", chapters[path], re.MULTILINE)) == given


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
            assert f"/en/docs/{page}" in [each["path"] for each in found[:2]], question


UNSERVED = re.compile(
    r"^Broken link: (?:(?:crm|monitoring)/[\w-]+\.(?:yaml|yml|json)|examples/\w+) "
)
QUESTIONS = {
    "run behind nginx": "deploying",
    "change the brand colour": "branding",
    "add a page in Arabic": "write",
    "receive leads by mail": "leads",
    "connect an ERP": "partner",
    "MCP": "mcp",
    "draft a post": "write",
    "backup": "operating",
    "several machines": "several-machines",
    "import from Hugo": "coming-from",
    "verify the signature of a webhook": "partner",
    "how do I restore a backup": "operating",
    "field of the type choice": "kinds",
    "Cloudflare": "cdn",
    "Prometheus alerts": "monitoring",
}


OF_OTHERS = re.compile(
    r"already in use|too many clients|Host key|Permission denied|not read Username|dubious"
)
"""What the system, PostgreSQL, ssh and git say."""


def test_the_messages_in_the_guide_of_trouble_are_those_of_the_code() -> None:
    """What stands between `…`, names and numbers is somewhere in the code, word for word."""
    paths = [path for package in ("app", "knowledge") for path in (ROOT / package).rglob("*.py")]
    code = "".join(path.read_text(encoding="utf-8") for path in paths)
    code = re.sub(r'"\s*\n\s*f?"', "", code)  # of one text, the parts on several lines
    rows = re.findall(
        r"^\| (.+?) \| ", (ROOT / "docs" / "trouble.md").read_text("utf-8"), re.MULTILINE
    )
    messages = [each for row in rows for each in re.findall(r"`([^`]+ [^`]+)`", row)]
    assert len(messages) > 20
    parts = [
        part.strip(" (:.")
        for message in messages
        if not OF_OTHERS.search(message)
        for part in re.split(r"…|\d[\d.:]*|[A-Z_]{4,}=?|: ", message)
    ]
    assert [part for part in parts if " " in part and part not in code] == []
