"""OpenSearch descriptions: what OpenSearch 1.1 requires, and that pages link to theirs."""

from __future__ import annotations

import re
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from gulf import all_locales

NAMESPACE = "{http://a9.com/-/spec/opensearch/1.1/}"
LOCALES = [locale.path for locale in all_locales()]
HTML = {"Accept": "text/html"}
LINK = re.compile(
    r'<link rel="search" type="application/opensearchdescription\+xml" title="(.*?)" href="(.*?)">'
)


def description(visitor: Visitor, locale: str) -> ET.Element:
    """Return the description of a locale."""
    reply = visitor.get(f"{locale}/opensearch.xml")
    assert reply.headers["Content-Type"] == "application/opensearchdescription+xml"
    return ET.fromstring(reply.text)  # noqa: S314  # ours


def text(root: ET.Element, name: str) -> str:
    """Return the text of the only element of a name."""
    (found,) = root.findall(NAMESPACE + name)
    return found.text or ""


@cases("locale", LOCALES)
def test_every_locale_describes_its_search(sample: Visitor, locale: str) -> None:
    """In its language, with the names that fit."""
    root = description(sample, locale)
    country, language = locale[1:].split("/")
    assert root.tag == f"{NAMESPACE}OpenSearchDescription"
    assert text(root, "Language") == f"{language}-{country.upper()}"
    assert text(root, "InputEncoding") == text(root, "OutputEncoding") == "UTF-8"
    assert text(root, "ShortName") == {"en": "Wahat", "ar": "واحات"}[language]
    assert text(root, "Description").startswith({"en": "Search all", "ar": "البحث"}[language])


@cases("locale", ["/ae/en", "/sa/ar"])
@cases("query", ["invoice", "فاتورة", "a&b <c> 100%"])
def test_every_template_answers_with_its_type(sample: Visitor, locale: str, query: str) -> None:
    """With any terms, percent-encoded; the image is there too."""
    root = description(sample, locale)
    urls = root.findall(f"{NAMESPACE}Url")
    assert [url.get("rel") for url in urls] == ["results", "results", "suggestions", "self"]
    for url in urls:
        template = url.attrib["template"]
        assert template.startswith(f"{BASE_URL}/")
        target = template.removeprefix(BASE_URL).replace("{searchTerms}", quote(query))
        reply = sample.get(target, {"Accept": f"{url.attrib['type']}, */*;q=0.1"})
        assert reply.status == 200
        assert reply.headers["Content-Type"].partition(";")[0] == url.attrib["type"]
        if url.attrib["type"] == "application/json":
            assert reply.json["query"] == query
        if url.get("rel") == "suggestions":
            assert reply.json[0] == query
    (image,) = root.findall(f"{NAMESPACE}Image")
    icon = sample.get((image.text or "").removeprefix(BASE_URL))
    assert icon.headers["Content-Type"] == image.attrib["type"]


@cases(
    ("path", "title"),
    [
        pytest.param("/ae/en", "Search Wahat", id="home"),
        pytest.param("/sa/ar", "البحث في واحات", id="Arabic"),
        pytest.param("/qa/ar/blog", "البحث في واحات", id="blog"),
        pytest.param("/ae/en/search?q=vat", "Search Wahat", id="search"),
        pytest.param("/sa/ar/nothing", "البحث في واحات", id="missing page"),
        pytest.param("/developers", "Search Wahat", id="documentation"),
    ],
)
def test_every_page_links_to_the_search_of_its_locale(
    sample: Visitor, path: str, title: str
) -> None:
    """By a title in its language; a page without a locale to that of the default one."""
    ((linked, href),) = LINK.findall(sample.get(path, HTML).text)
    locale = path[:6] if path[3:4] == "/" else "/ae/en"
    assert (linked, href) == (title, f"{locale}/opensearch.xml")


def test_a_long_name_is_cut_at_a_word_and_escaped(visit: Visit) -> None:
    """A site without countries asks the API without one."""
    name = "Baker & Sons of the Old Town <b>, and all of their many friends"
    settings = f"---\nseo: {{pageTitle: '{name}'}}\n---\n"
    root = description(visit({"site/settings.md": settings}, countries=False), "/en")
    assert text(root, "ShortName") == "Baker & Sons of"
    assert text(root, "LongName") == "Baker & Sons of the Old Town <b>, and all of"
    assert text(root, "Description") == f"Search all pages of {name}."
    urls = [url.attrib["template"] for url in root.findall(f"{NAMESPACE}Url")]
    assert f"{BASE_URL}/api/public/v1/search?q={{searchTerms}}&lang=en" in urls
    assert text(root, "Language") == "en"
