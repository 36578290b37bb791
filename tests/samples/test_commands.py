"""The commands of all guides, run in the order in which a reader types them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from gulf import write_site
from live.documents import GUIDES, Sample, samples
from live.server import eventually
from samples.machine import LANGUAGES, LATER, Machine
from samples.taken import ELSEWHERE

pytestmark = pytest.mark.slow

POST = "---\ntitle: Hello\naliases: /2019/05/hello.html\npublishedAt: 2026-05-01\n---\nText.\n"
ENQUIRY = (
    "curl -sf http://127.0.0.1:8000/api/public/v1/leads -H 'Content-Type: application/json' -d"
    """ '{"email": "noor@example.com", "name": "Noor", "message": "Hello"}'"""
)

COMMANDS = {
    guide: found
    for guide in GUIDES
    if not guide.endswith(".ar.md")  # its commands are those of the English one
    and (
        found := [
            each
            for each in samples(guide)
            if each.language in LANGUAGES and (guide, each.language) not in ELSEWHERE
        ]
    )
}
ABOUT_THE_SAMPLE = ("README.md", "docs/agents.md", "docs/api.md", "docs/search.md")


@pytest.fixture
def machine(guide: str, tmp_path: Path) -> Iterator[Machine]:
    """A machine with the settings of the guides, and an enquiry where the guide is about them."""
    machine = Machine(tmp_path, has_sample=guide in ABOUT_THE_SAMPLE)
    settings = [each.text for guide in GUIDES for each in samples(guide) if each.language == "env"]
    (machine.root / "etc" / "majlis.env").write_text(machine.here("".join(settings)))
    try:
        if any("majlis leads" in each.text for each in COMMANDS[guide]):
            machine.type(ENQUIRY)
        yield machine
    finally:
        machine.stop()


@pytest.mark.parametrize("guide", COMMANDS)
def test_the_commands_of_a_guide_run(guide: str, machine: Machine) -> None:
    """Each ends without an error, and shows what the guide says."""
    for sample in COMMANDS[guide]:
        prepare_for(sample, machine)
        if sample.language == "console":
            command, _, shown = sample.text.removeprefix("$ ").partition("\n")
            assert re.search(pattern(machine.here(shown)), squashed(shown_by(machine, command))), (
                sample
            )
        elif sample.language == "cron":
            machine.type(cron_command(sample.text))
        else:
            machine.type(sample.text)


def shown_by(machine: Machine, command: str) -> str:
    """Return the output of a command, which may tell of faults by its status."""
    if "--check" in command:
        machine.stop()
    return machine.type(command.replace("curl", "curl -s"), may_fail=True)


def prepare_for(sample: Sample, machine: Machine) -> None:
    """Make what the text before a block tells of."""
    content = machine.content
    (content / "posts" / "later.md").unlink(missing_ok=True)
    if "Duplicate key" in sample.text:
        entry = content / "registry" / "erp.md"
        entry.write_text(entry.read_text().replace("title:", "title: Twice\ntitle:", 1))
        url = f"http://127.0.0.1:{machine.port}/api/public/v1/health"
        eventually(lambda: "Duplicate key" in httpx.get(url).text)
    if "posts/hello.md" in sample.text:
        (content / "posts" / "hello.md").write_text(
            POST.replace("---\n", "---\npublished: false\n", 1)
        )
    if "redirects test" in sample.text:
        (content / "posts" / "hello.md").write_text(POST)
    if "my/folder" in sample.text:
        write_site(machine.checkout / "my" / "folder", {})
    if "Mon.tar" in sample.text:
        (tonight,) = machine.root.glob("var/backups/majlis/*.tar")
        tonight.rename(tonight.with_name("Mon.tar"))
    if "posts/later.md" in sample.text:
        (content / "posts" / "later.md").write_text(LATER)
    site = machine.checkout / "my-site"
    if "my-site" in sample.text and "init my-site" not in sample.text and not site.exists():
        site.symlink_to(content)


def cron_command(line: str) -> str:
    """Return the command of a line of a crontab, as cron gives it to the shell."""
    found = re.fullmatch(r"((?:[\d*]+(?:/\d+)? +){5}) *(.+)\n", line)
    assert found
    assert not re.search(r"(?<!\\)%", found[2]), "cron ends a command at %"
    return found[2].replace(r"\%", "%")


def squashed(text: str) -> str:
    """Return a text without its line ends, and the blanks around them."""
    return re.sub(r"\s*\n\s*", "", text.strip())


def pattern(shown: str) -> str:
    """Return a pattern of the output that a guide shows: `…` is what it leaves out."""
    parts = re.split("…", squashed(shown))
    return ".*".join(re.sub(r"\d+", r"\\d+", re.escape(part)) for part in parts)
