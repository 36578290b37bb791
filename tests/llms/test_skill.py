"""The agent skill: that its index is right, and that its text is true of any site."""

from __future__ import annotations

import gzip
import re
from hashlib import sha256
from typing import Any

import pytest
import yaml
from conftest import Visit
from contract.visitor import BASE_URL, Visitor

from knowledge.markdown.tokens import estimate_tokens

INDEX = "/.well-known/agent-skills/index.json"
PAGE = "---\ntitle: Bread\n---\nText.\n"
CONTACT = "---\ntitle: Contact\n---\nWrite to us.\n"
DATED = "---\ntitle: Soup\npublishedAt: {}\n---\nText.\n"


def entry(visitor: Visitor) -> dict[str, str]:
    """Return the only skill of the index."""
    (skill,) = visitor.get(INDEX).json["skills"]
    return dict(skill)


def text(visitor: Visitor) -> str:
    """Return the text of the skill."""
    reply = visitor.get(entry(visitor)["url"].removeprefix(BASE_URL))
    assert reply.status == 200
    return reply.text


def test_the_index_follows_version_0_2_0(sample: Visitor) -> None:
    """The name and the description are those of the front matter."""
    reply = sample.get(INDEX)
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert reply.json["$schema"] == "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
    skill = entry(sample)
    assert skill.keys() == {"name", "type", "description", "url", "digest"}
    assert (skill["name"], skill["type"]) == ("wahat-knowledge", "skill-md")
    assert skill["url"] == f"{BASE_URL}/.well-known/agent-skills/{skill['name']}/SKILL.md"
    front = yaml.safe_load(text(sample).split("---\n")[1])
    assert front == {"name": skill["name"], "description": skill["description"]}
    assert len(skill["description"]) <= 1024


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_the_digest_is_that_of_the_bytes_served(sample: Visitor, coding: str) -> None:
    """Also if they are compressed on the way."""
    skill = entry(sample)
    reply = sample.get(skill["url"].removeprefix(BASE_URL), {"Accept-Encoding": coding})
    body = gzip.decompress(reply.body) if coding == "gzip" else reply.body
    assert reply.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert skill["digest"] == f"sha256:{sha256(body).hexdigest()}"
    assert estimate_tokens(body.decode()) < 5_000


def test_only_the_skill_of_the_site_is_there(sample: Visitor) -> None:
    """Another name gets 404."""
    assert sample.get("/.well-known/agent-skills/other/SKILL.md").status == 404


def test_what_the_skill_advises_works(sample: Visitor) -> None:
    """Every address is there, the search answers in markdown, and what is sent is stored."""
    advised = text(sample)
    urls = {url.rstrip(".,:") for url in re.findall(rf"{BASE_URL}[^\s`)|]*", advised)}
    assert len(urls) > 15
    sent_to = {f"{BASE_URL}/api/public/v1/{name}" for name in ("leads", "feedback")}
    assert urls > sent_to
    for url in urls - sent_to - {BASE_URL}:
        assert sample.get(url.removeprefix(BASE_URL)).status == 200, url
    (search,) = (url for url in urls if "/search" in url)
    found = sample.get(search.removeprefix(BASE_URL).replace("WORDS", "rollout"), MARKDOWN)
    assert found.headers["Content-Type"].startswith("text/markdown")
    assert f"]({BASE_URL}/ae/en/" in found.text
    (lead,) = re.findall(r'`(\{"email".*?\})`', advised)
    (report,) = re.findall(r'`(\{"path".*?\})`', advised)
    assert sample.post("/api/public/v1/leads", yaml.safe_load(lead)).status == 200
    assert sample.post("/api/public/v1/feedback", yaml.safe_load(report)).status == 200
    sample.forget_leads()


def test_the_skill_names_the_kinds_by_which_a_search_can_be_narrowed(sample: Visitor) -> None:
    """The API accepts each of them."""
    (line,) = re.findall(r"`kind` narrows it to kinds of pages: (.*)\.", text(sample))
    for kind in re.findall(r"`(\w+)`", line):
        assert sample.get(f"/api/public/v1/search?q=vat&kind={kind}").status == 200


MARKDOWN = {"Accept": "text/markdown"}
ABSENT = ("blog", "article", "feed.json", "product", "price", "contact", "enquiry", "leads", "demo")
SITES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "pages only": ({"pages/bread.md": PAGE}, (*ABSENT, "country", "mcp", "protocol")),
    "a contact page": (
        {"pages/bread.md": PAGE, "registry/contact.md": CONTACT},
        ("blog", "article", "feed.json", "product", "price", "country"),
    ),
    "a contact page without form": (
        {"registry/contact.md": CONTACT, "site/contact-form.md": "---\nenabled: false\n---\n"},
        ("blog", "product", "leads", "enquiry", "demo"),
    ),
    "a draft and an expired post": (
        {
            "pages/bread.md": PAGE,
            "posts/draft.md": DATED.format("2099-01-01"),
            "posts/old.md": DATED.format("2020-01-01\nunpublishAt: 2020-02-01"),
            "products/draft.md": "---\nid: 1\ntitle: P\npublished: false\n---\nText.\n",
        },
        ABSENT,
    ),
}


@pytest.mark.parametrize("site", SITES)
def test_the_skill_speaks_of_nothing_that_the_site_has_not(visit: Visit, site: str) -> None:
    """Neither in its text nor in its description."""
    files, absent = SITES[site]
    told = text(visit(files, countries=False)).lower()
    assert [word for word in absent if word in told] == []
    assert "the address of a page with `.md` added" in told


def test_the_skill_speaks_of_what_the_site_has(visit: Visit) -> None:
    """A post and a contact page with a form."""
    files = {"posts/soup.md": DATED.format("2026-01-01"), "registry/contact.md": CONTACT}
    site = visit(files, countries=False)
    assert "articles and contact details" in entry(site)["description"]
    assert "- Blog: `/blog`, `/blog/{slug}`" in text(site)
    assert f"{BASE_URL}/en/blog/feed.json" in text(site)
    assert f"`POST {BASE_URL}/api/public/v1/leads`" in text(site)


def test_a_name_in_another_script_gives_way_to_the_host(visit: Visit) -> None:
    """The name of a skill has only letters of ASCII, digits and hyphens."""
    settings = "---\nseo: {pageTitle: {ar: مخبز, en: مخبز}}\n---\n"
    skill = entry(visit({"site/settings.md": settings, "pages/bread.md": PAGE}))
    assert skill["name"] == "www-wahat-example-knowledge"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", skill["name"])


@pytest.mark.parametrize("title", ["A: b # c", "x\" 'y'\n---\n", "[A](b) `c` {d} <e>", "–" * 80])
def test_no_name_breaks_the_front_matter(visit: Visit, title: str) -> None:
    """The name of the site stays within its quotes and its line."""
    settings: Any = yaml.safe_dump({"seo": {"pageTitle": title}}, allow_unicode=True)
    site = visit({"site/settings.md": f"---\n{settings}---\n", "pages/bread.md": PAGE})
    front = yaml.safe_load(text(site).split("\n---\n")[0].removeprefix("---\n"))
    assert front["description"] == entry(site)["description"]
    assert "# Answers from what" in text(site)


def test_many_locales_are_left_to_llms_txt(visit: Visit) -> None:
    """The text stays short."""
    codes = ["AE", "SA", "EG", "JO", "MA", "TN", "DZ", "LY", "IQ", "SY", "LB", "YE", "SD", "TR"]
    codes += ["FR", "DE", "IT", "ES", "PT", "NL", "BE", "AT"]
    files = {f"countries/{code.lower()}.md": f"---\ncode: {code}\n---\n" for code in codes}
    site = visit({**files, "pages/bread.md": PAGE, "pages/bread.ar.md": PAGE}, countries=False)
    assert "many countries and languages" in text(site)
    assert "for 22 countries" in entry(site)["description"]
    assert estimate_tokens(text(site)) < 2_000
