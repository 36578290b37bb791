"""What a response advertises: the URLs in its headers and body, with their media types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import chain
from typing import NamedTuple

import feedparser
from contract.visitor import BASE_URL, Reply
from feeds import contents
from protego import Protego

API_CATALOG = "/.well-known/api-catalog"
AI_CATALOG = "/.well-known/ai-catalog.json"
SKILLS = "/.well-known/agent-skills/index.json"
TYPES_BY_SUFFIX = {
    ".md": "text/markdown",
    "llms.txt": "text/markdown",
    "llms-full.txt": "text/markdown",
    "feed.xml": "application/atom+xml",
    "feed.json": "application/feed+json",
    "opensearch.xml": "application/opensearchdescription+xml",
    "sitemap.xml": "application/xml",
    "robots.txt": "text/plain",
}
LINK = re.compile(r'<(?P<href>[^>]*)>(?P<parameters>(?:;\s*[\w-]+="[^"]*")*)')
LOCATION = re.compile("<loc>(.*?)</loc>")
TAG = re.compile(r"""<[a-zA-Z](?:[^<>"']++|"[^"]*"|'[^']*')*>""")
HAS_URL = re.compile("href=|src=|action=")
MARKDOWN_TARGET = re.compile(r"\]\(<?([^\s()<>]+)>?\)|^<(https?://[^>]+)>$", re.MULTILINE)
FRONT_MATTER_URL = re.compile(r'^(?:url|  [\w-]+): "(https?://[^"]+)"$', re.MULTILINE)


class Advert(NamedTuple):
    """An advertised URL and media type, if one was given."""

    url: str
    media_type: str | None = None
    is_followed: bool = True
    """Whether crawlers follow the link; links with other values of the same parameters are many."""

    @property
    def path(self) -> str:
        """The site path with its query, `""` for another site."""
        bare = self.url.partition("#")[0]
        if bare.startswith("//") or not bare.startswith(("/", BASE_URL)):
            return ""
        return bare.removeprefix(BASE_URL)


class LinkParser(HTMLParser):
    """Collects the URLs in an HTML page; it parses only the tags that have one, which are few."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.adverts: list[Advert] = []
        self.feed("".join(filter(HAS_URL.search, TAG.findall(page))))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the URLs of links, forms, images and scripts."""
        attributes = dict(attrs)
        is_followed = "nofollow" not in (attributes.get("rel") or "")
        for name in ("href", "src", "action"):
            if attributes.get(name) and not (tag == "form" and attributes.get("method") == "post"):
                media_type = attributes.get("type") if tag == "link" else None
                self.adverts.append(Advert(str(attributes[name]), media_type, is_followed))


def advertised(path: str, reply: Reply) -> Iterator[Advert]:
    """Yield all URLs in the headers and body of a response."""
    yield from in_header(reply)
    media_type = reply.headers.get("Content-Type", "").partition(";")[0]
    found_in = IN_BODY.get(path) or IN_BODY.get(media_type)
    yield from found_in(reply) if found_in else ()


def in_header(reply: Reply) -> Iterator[Advert]:
    """Yield the URLs in Link, Location and Content-Location."""
    for match in LINK.finditer(reply.links):
        media_type = re.search(r'type="([^"]+)"', match["parameters"])
        yield Advert(match["href"], media_type[1] if media_type else None)
    for name in ("Location", "Content-Location"):
        if name in reply.headers:
            yield Advert(reply.headers[name])


def in_robots(reply: Reply) -> Iterator[Advert]:
    """Yield the sitemaps."""
    yield from map(Advert, Protego.parse(reply.text).sitemaps)


def in_sitemap(reply: Reply) -> Iterator[Advert]:
    """Yield the pages and their variants."""
    yield from map(Advert, LOCATION.findall(reply.text))
    yield from map(Advert, re.findall(r'<xhtml:link[^>]* href="([^"]+)"', reply.text))


def in_skills(reply: Reply) -> Iterator[Advert]:
    """Yield the texts of the skills."""
    yield from (Advert(skill["url"], "text/markdown") for skill in reply.json["skills"])


def in_catalog(reply: Reply) -> Iterator[Advert]:
    """Yield the targets of the linkset."""
    for context in reply.json["linkset"]:
        for targets in (value for name, value in context.items() if name != "anchor"):
            yield from (Advert(target["href"], target.get("type")) for target in targets)


def in_ai_catalog(reply: Reply) -> Iterator[Advert]:
    """Yield the entries, and the addresses of the host."""
    host = reply.json["host"]
    yield from (Advert(host["documentationUrl"], "text/html"), Advert(host["logoUrl"], "image/png"))
    for entry in reply.json["entries"]:
        yield Advert(entry["url"], entry["type"].partition(";")[0])


def in_card(reply: Reply) -> Iterator[Advert]:
    """Yield the icons and the site, but not the endpoint, which has no GET."""
    yield Advert(reply.json["websiteUrl"], "text/html")
    yield from (Advert(icon["src"], icon["mimeType"]) for icon in reply.json["icons"])


def in_feed(reply: Reply) -> Iterator[Advert]:
    """Yield the links of the feed, of its entries, and in their texts."""
    # Its texts are read by `contents`, as the feed has them.
    feed = feedparser.parse(reply.text, resolve_relative_uris=False, sanitize_html=False)
    for html in contents(reply.text):
        yield from LinkParser(html).adverts
    for link in chain(feed.feed.links, *(entry.links for entry in feed.entries)):
        yield Advert(link["href"], link.get("type"))


def in_json_feed(reply: Reply) -> Iterator[Advert]:
    """Yield the links of the feed and of its items."""
    feed = reply.json
    yield Advert(feed["home_page_url"], "text/html")
    yield from (Advert(feed["feed_url"], "application/feed+json"), Advert(feed["favicon"]))
    yield from (Advert(item["url"], "text/html") for item in feed["items"])


def in_opensearch(reply: Reply) -> Iterator[Advert]:
    """Yield the URLs of a search for a word, and the image."""
    for media_type, template in re.findall(r'<Url type="(.*?)".* template="(.*?)"/>', reply.text):
        yield Advert(unescape(template).replace("{searchTerms}", "vat"), media_type)
    yield from map(Advert, re.findall("<Image.*>(.*?)</Image>", reply.text))


def in_markdown(reply: Reply) -> Iterator[Advert]:
    """Yield links, autolinks and front matter URLs; code is ignored."""
    bare = re.sub(r"^```.*?^```|`[^`\n]*`", "", reply.text, flags=re.DOTALL | re.MULTILINE)
    for target, address in MARKDOWN_TARGET.findall(bare):
        yield Advert(target or address)
    front, separator, _ = bare.removeprefix("---\n").partition("\n---\n")
    if separator and bare.startswith("---\n"):
        yield from map(Advert, FRONT_MATTER_URL.findall(front))


IN_BODY: Mapping[str, Callable[[Reply], Iterable[Advert]]] = {
    "/robots.txt": in_robots,
    "/sitemap.xml": in_sitemap,
    API_CATALOG: in_catalog,
    AI_CATALOG: in_ai_catalog,
    "application/mcp-server-card+json": in_card,
    SKILLS: in_skills,
    "application/atom+xml": in_feed,
    "application/feed+json": in_json_feed,
    "application/opensearchdescription+xml": in_opensearch,
    "text/html": lambda reply: LinkParser(reply.text).adverts,
    "text/markdown": in_markdown,
}
"""What finds the URLs in a body, by its path or its media type."""


SERVED_AS = {"application/vnd.oai.openapi+json": "application/json"}
"""The contract is served as JSON, as it always was; catalogs tell what it is."""


def expected_type(advert: Advert) -> str | None:
    """Return the advertised media type, else the one that the suffix of the path implies."""
    if advert.media_type:
        return SERVED_AS.get(advert.media_type, advert.media_type)
    path = advert.path.partition("?")[0]
    return next((kind for end, kind in TYPES_BY_SUFFIX.items() if path.endswith(end)), None)


@cache
def target_of(advert: Advert) -> Advert:
    """Return the path of an advertised URL, with the type that is expected of it."""
    return Advert(advert.path, expected_type(advert))
