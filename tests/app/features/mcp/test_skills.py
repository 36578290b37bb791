"""The extension of the protocol for skills (SEP-2640): its methods, and the file that they name."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from agents import code, legacy, modern
from cases import cases
from contract.adverts import SKILLS
from contract.visitor import BASE_URL, Visitor

from knowledge.fields.yaml import load

URI = "skill://wahat-knowledge/SKILL.md"


def listed(site: Visitor) -> dict[str, Any]:
    """Return the entry of the one skill."""
    (entry,) = modern(site, "skills/list").json["result"]["skills"]
    return dict(entry)


def test_the_capability_is_declared_in_both_eras(site: Visitor) -> None:
    """Without options, as there are no folders to read; the skill is a resource."""
    for capabilities in (
        modern(site, "server/discover").json["result"]["capabilities"],
        legacy(site, "initialize", {"protocolVersion": "2025-11-25"}).json["result"][
            "capabilities"
        ],
    ):
        assert capabilities["extensions"] == {"io.modelcontextprotocol/skills": {}}
        assert "resources" in capabilities


def test_the_entry_has_the_front_matter_and_the_digest_of_the_file(site: Visitor) -> None:
    """A host refuses a skill of which either differs from what it reads."""
    entry = listed(site)
    assert entry["uri"] == URI
    contents = modern(site, "resources/read", {"uri": URI}).json["result"]["contents"]
    assert [(each["uri"], each["mimeType"]) for each in contents] == [(URI, "text/markdown")]
    text = contents[0]["text"]
    (file,) = entry["resources"]
    digest = sha256(text.encode()).hexdigest()
    assert file == {"uri": URI, "digest": f"sha256:{digest}", "size": len(text.encode())}
    assert entry["frontmatter"] == load(text.split("---\n")[1])
    assert URI.split("/")[-2] == entry["frontmatter"]["name"]


def test_the_skill_is_that_of_the_well_known_index(site: Visitor) -> None:
    """The bytes are the same, whatever the locale of the address."""
    (published,) = site.get(SKILLS).json["skills"]
    assert listed(site)["resources"][0]["digest"] == published["digest"]
    other = modern(site, "skills/list", target="/mcp?country=sa&lang=ar").json["result"]["skills"]
    assert other == [listed(site)]
    text = modern(site, "resources/read", {"uri": URI}).json["result"]["contents"][0]["text"]
    assert text == site.get(published["url"].removeprefix(BASE_URL)).text


def test_one_skill_is_the_entry_of_the_list(site: Visitor) -> None:
    """Clients may keep both for a while, as they may keep other lists and resources."""
    result = modern(site, "skills/get", {"uri": URI}).json["result"]
    assert result["skill"] == listed(site)
    assert (result["ttlMs"], result["cacheScope"], result["resultType"]) == (
        300_000,
        "public",
        "complete",
    )
    assert legacy(site, "skills/get", {"uri": URI}).json["result"] == {"skill": listed(site)}


@cases("uri", ["skill://other/SKILL.md", "skill://wahat-knowledge", f"{BASE_URL}/ae/en/erp.md", ""])
def test_what_is_no_skill_is_refused(site: Visitor, uri: str) -> None:
    """With the code of invalid parameters in both eras, as the extension demands."""
    assert code(modern(site, "skills/get", {"uri": uri})) == (200, -32602)
    assert code(legacy(site, "skills/get", {"uri": uri})) == (200, -32602)


def test_another_file_of_a_skill_is_an_unknown_resource(site: Visitor) -> None:
    """The skill has one file only."""
    assert code(modern(site, "resources/read", {"uri": f"{URI}x"})) == (200, -32602)
    assert code(modern(site, "skills/get")) == (200, -32602)
