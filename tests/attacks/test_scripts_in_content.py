"""Content cannot run a script: attacks in all its parts, through all representations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import pytest
from conftest import Visit
from contract.visitor import Visitor
from dom import elements
from page_scripts import EVERYWHERE, without_common_scripts

from knowledge.markdown.raw_html import TAGS
from renderers.html.styles import scripts, source_of

pytestmark = pytest.mark.slow

_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\0": "\0", "\\x01": "\x01"}
_ADDRESSES = ("href", "src", "action", "formaction", "poster", "data", "xlink:href", "cite")
_HIDDEN = re.compile(r"\A[\x00-\x20]+|[\t\n\r]")
"""What browsers drop from an address before they look for its scheme."""

_UNSAFE = ("javascript:", "vbscript:", "data:")
_SECTIONS = 12
_FORMULAS = frozenset(
    f"{{http://www.w3.org/1998/Math/MathML}}{name}"
    for name in ("math", "mi", "mn", "mo", "mrow", "mspace", "mtext", "msub", "msup", "mfrac")
)
"""The elements of formulas, which an attack with two dollar signs may be."""

_SAMPLE = "Plain **text** with a [link](/about).\n"


def _attacks() -> list[str]:
    lines = Path(__file__).with_name("xss_vectors.txt").read_text("utf-8").splitlines()
    return [_unescaped(line) for line in lines if line and not line.startswith(("# ", "#\t"))]


def _unescaped(line: str) -> str:
    for written, character in _ESCAPES.items():
        line = line.replace(written, character)
    return line


# A file with a NUL character is refused, so its attacks are tried without it.
_ATTACKS = [attack.replace("\0", "") for attack in _attacks()]


class Page(NamedTuple):
    """What of a page must not change with its texts."""

    tags: frozenset[str]
    scripts: int


def _problems(page: Iterable[Element], harmless: Page) -> Iterator[str]:
    """Yield what a browser could run or should not find on a page."""
    scripts = 0
    for element in page:
        if element.tag == "script":
            scripts += 1
            json.loads(element.text or "")
            if element.attrib != {"type": "application/ld+json"}:
                yield f"script {element.attrib}"
        elif element.tag not in harmless.tags | TAGS | {"section"} | _FORMULAS:
            yield f"<{element.tag}>"
        yield from _unsafe_attributes(element.tag, element.attrib)
    if scripts != harmless.scripts:
        yield f"{scripts} scripts"


def _unsafe_attributes(tag: str, attributes: dict[str, str]) -> Iterator[str]:
    for name, value in attributes.items():
        address = _HIDDEN.sub("", value).lower()
        is_unsafe_address = name in _ADDRESSES and address.startswith(_UNSAFE)
        if name.startswith("on") or name in ("style", "srcdoc", "ping") or is_unsafe_address:
            yield f"<{tag} {name}={value!r}>"


def _harmless(html: str) -> Page:
    tags = [element.tag for element in elements(html)]
    return Page(frozenset(tags), tags.count("script"))


def _post(attack: str) -> str:
    """Return a post with an attack in its front matter and everywhere in its body."""
    value = json.dumps(attack.replace("\x01", ""))
    fields = ("title", "excerpt", "coverImage", "coverImageAlt", "category")
    front_matter = "".join(f"{name}: {value}\n" for name in fields)
    lines = attack.replace("\n", " ")
    return (
        f"---\n{front_matter}tags: [{value}]\npublishedAt: 2026-05-01\n---\n"
        f"A [{lines}](/x) [x]({lines}) [x](<{lines}>) ![{lines}](/x.png) ![x]({lines}) {lines}\n\n"
        f"## {lines}\n\n| {lines} | x |\n|---|---|\n| {lines} |\n\n- {lines}\n\n> {lines}\n\n"
        f'<div>{lines}\n\n<p title=\'{lines}\'>x</p>\n\n<a href="{lines}" id="{lines}">x</a>\n\n'
        f"{attack}\n\nThe end.\n"
    )


def _page(attacks: list[str]) -> str:
    """Return a page whose sections have an attack in their headings and texts."""
    sections = [
        f"## {line}\n\n{attack}\n\n:::{{faq}} {line}\n### {line}\n{line}\n:::\n\n"
        f":::{{featureGrid}} {line}\n- **{line}**: {line}\n:::\n\n:::{{cta}} {line}\n{line}\n:::\n"
        for attack in attacks
        for line in (attack.replace("\n", " "),)
    ]
    return f"---\ntitle: {json.dumps(attacks[0])}\n---\n" + "\n".join(sections)


def _content() -> dict[str, str]:
    batches = range(0, len(_ATTACKS), _SECTIONS)
    return {
        "posts/harmless.md": f"---\ntitle: Harmless\npublishedAt: 2026-05-01\n---\n{_SAMPLE}",
        "pages/harmless.md": f"---\ntitle: Harmless\n---\n## A\n\n{_SAMPLE}",
        **{f"posts/attack-{i}.md": _post(attack) for i, attack in enumerate(_ATTACKS)},
        **{f"pages/attacks-{i}.md": _page(_ATTACKS[i : i + _SECTIONS]) for i in batches},
    }


@pytest.fixture(scope="module")
def attacked(shared_visit: Visit) -> Visitor:
    """A site whose texts are attacks."""
    return shared_visit(_content())


@pytest.fixture(scope="module")
def posts(attacked: Visitor) -> Mapping[str, list[Element]]:
    """The elements of the post with each attack."""
    return {
        attack: [*elements(_html(attacked, f"/ae/en/blog/attack-{index}"))]
        for index, attack in enumerate(_ATTACKS)
    }


def _html(visitor: Visitor, path: str) -> str:
    response = visitor.get(path, headers={"Accept": "text/html"})
    assert response.status == 200, path
    # Of those of the service, pages may have two more, which copy code and the page.
    text = without_common_scripts(response.text)
    for each in scripts(text):
        text = text.replace(f"<script>{each}</script>", "", 1)
    return text


def test_posts_run_no_script(attacked: Visitor, posts: Mapping[str, list[Element]]) -> None:
    """Attacks in the front matter and the body of posts."""
    harmless = _harmless(_html(attacked, "/ae/en/blog/harmless"))
    found = {attack: [*_problems(post, harmless)] for attack, post in posts.items()}
    assert {attack: problems for attack, problems in found.items() if problems} == {}


def test_pages_and_lists_run_no_script(attacked: Visitor) -> None:
    """Attacks in sections, and in the lists, the search and the error page that show titles."""
    harmless = _harmless(_html(attacked, "/ae/en/harmless"))
    pages = [f"/ae/en/attacks-{index}" for index in range(0, len(_ATTACKS), _SECTIONS)]
    found = {page: [*_problems(elements(_html(attacked, page)), harmless)] for page in pages}
    assert {page: problems for page, problems in found.items() if problems} == {}
    for path in ("/ae/en", "/ae/en/blog", "/ae/en/search?q=alert"):
        html = _html(attacked, path)
        assert [*_problems(elements(html), _harmless(html))] == []
        assert html.count("<script") == html.count('<script type="application/ld+json">')


def test_texts_stay_within_the_frame_of_their_page(posts: Mapping[str, list[Element]]) -> None:
    """What follows the body of a post is where it is on a harmless one."""
    for attack, tree in posts.items():
        body = next(element for element in tree if element.tag == "body")
        assert [child.tag for child in body][-1] == "footer", attack
        assert len([element for element in tree if element.tag in ("main", "footer")]) == 3, attack


def test_other_representations_are_no_html(attacked: Visitor) -> None:
    """Markdown, JSON and feeds keep the author's text, under a type that no browser runs."""
    for suffix, media_type in ((".md", "text/markdown"), (".json", "application/json")):
        for path in ("/ae/en/blog/attack-0", "/ae/en/attacks-0", "/ae/en/blog"):
            response = attacked.get(path + suffix)
            assert response.headers["Content-Type"].startswith(media_type)
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            if suffix == ".json":
                json.loads(response.text)
    feed = ET.fromstring(attacked.get("/ae/en/blog/feed.xml").text)  # noqa: S314  # ours
    names = {element.tag.rpartition("}")[2] for element in feed.iter()}
    assert not names & {"script", "img", "svg", "iframe"}


def test_file_names_run_no_script(visit: Visit) -> None:
    """Attacks in the names of documents and images."""
    name = '"><img src=x onerror=alert(1)>'
    site = visit(
        {
            f"posts/{name}.md": "---\npublishedAt: 2026-05-01\n---\nText.\n",
            "posts/b.md": f"---\npublishedAt: 2026-05-01\n---\n![x](<../images/{name}.png>)\n",
            f"images/{name}.png": b"\x89PNG",
        }
    )
    for path in ("/ae/en/blog", "/ae/en/blog/b", "/ae/en/blog/img-src-x-onerror-alert-1"):
        response = site.get(path, headers={"Accept": "text/html"})
        tree = [*elements(response.text)]
        unsafe = [[*_unsafe_attributes(element.tag, element.attrib)] for element in tree]
        assert not any(unsafe)


def test_an_image_that_is_a_script_does_not_run(visit: Visit) -> None:
    """An SVG is sandboxed, also when it is opened by itself."""
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>"
    )
    response = visit({"images/a.svg": svg}).get("/images/a.svg")
    policy = response.headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy
    assert "script" not in policy


def test_pages_refuse_scripts_by_policy(attacked: Visitor) -> None:
    """The policy of posts allows the scripts of the service by their hashes, and no other."""
    response = attacked.get("/ae/en/blog/attack-0", headers={"Accept": "text/html"})
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    (allowed,) = re.findall(r"script-src ([^;]*);", policy)
    assert {*allowed.split()} == {
        source_of(each) for each in (*EVERYWHERE, *scripts(response.text))
    }
    assert "unsafe" not in policy
