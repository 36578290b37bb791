"""Any value of any front matter key is a diagnostic, or breaks no page."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import pytest
from conftest import Visit, document_of
from contract.visitor import Visitor
from pydantic.alias_generators import to_camel
from typing_extensions import TypeAliasType

from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.fields.content_types import (
    CITY,
    CONTENT_TYPES,
    COUNTRY,
    PRODUCT,
    SITE,
    AnyContentType,
)
from knowledge.fields.field_types import BilingualString
from knowledge.fields.front_matter import Fields

pytestmark = pytest.mark.slow

TOKEN = "a-token-of-the-partner"
VALUES: Mapping[str, str] = {
    "a huge exponent": "1e999999",
    "a tiny exponent": "1e-999999",
    "not a number": "nan",
    "infinity": "inf",
    "YAML's infinity": ".inf",
    "negative": "-1",
    "thirty digits": str(10**30),
    "five thousand digits": "9" * 5_000,
    # All keys of a document together must stay below the limit of its front matter.
    "a long text": f'"{"long " * 2_500}"',
    "control characters": r'"\0\a\b\e[31m\r\nX-Header: 1\x7f\x85"',
    "a lone surrogate": r'"\ud800"',
    "signs of direction": r'"\u202e\u2066\u200f x"',
    "markup of Jinja and HTML": '"{{ 7*7 }}{% x %}</script>"',
    "deep lists": "[" * 20 + "]" * 20,
    "a mapping": "{a: {b: [c]}}",
    "a list": "[a, 1, {b: c}]",
    "the first day": "0001-01-01",
    "the last day": "9999-12-31T23:59:59-12:00",
    "the last day here": "9999-12-31T23:59:59Z",
    "an empty text": '""',
}
"""Values as written in YAML."""

IDENTITIES = [*((kind, "x") for kind in CONTENT_TYPES if kind is not SITE)] + [
    (SITE, name) for name in SITE.singletons
]
HIDING = {"published", "publishedAt", "unpublishAt", "countries", "lang", "slug", "countryCode"}
"""An invalid value of one of these hides the document, and prevents other tests."""

Path = tuple[str, ...]


def paths(model: type[Fields]) -> Iterator[Path]:
    """Yield every key of a model; a step `[]` stands for a list, a key for any mapping."""
    for key, annotation in types_of(model).items():
        for rest in _below(annotation):
            yield (key, *rest)


def types_of(model: type[Fields]) -> dict[str, Any]:
    """Return the types of a model's fields by key."""
    hints = get_type_hints(model, include_extras=True)
    return {to_camel(name): hints[name] for name in model.field_names}


def _below(annotation: Any) -> Iterator[Path]:
    if isinstance(annotation, TypeVar):  # of a block that exists in two languages and in one
        annotation = BilingualString
    if isinstance(annotation, TypeAliasType):
        annotation = annotation.__value__
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType, Annotated):
        for option in get_args(annotation):
            if option is not types.NoneType and _is_type(option):
                yield from _below(option)
        return
    model = origin or annotation
    if isinstance(model, type) and issubclass(model, Fields):
        yield ()
        yield from paths(model)
        return
    yield ()
    if origin is list:
        yield from (("[]", *rest) for rest in _below(get_args(annotation)[0]))
    elif origin is dict:
        yield ("en",)
        yield ("AED",)


def _is_type(option: object) -> bool:
    return isinstance(option, (type, TypeVar, TypeAliasType)) or get_origin(option) is not None


def line(path: Path, value: str) -> str:
    """Return one line of front matter with a value at a key, however deeply nested."""
    for step in reversed(path[1:]):
        value = f"[{value}]" if step == "[]" else f"{{{step}: {value}}}"
    return f"{path[0]}: {value}"


def file_of(kind: AnyContentType, slug: str) -> str:
    """Return the path of a document."""
    return f"{kind}/{'ae' if kind is COUNTRY else slug}.md"


def accepted(kind: AnyContentType, slug: str, value: str) -> Iterator[str]:
    """Return the lines that load with a value; all others must be diagnostics."""
    model = kind.model_for(slug)
    types_by_key = types_of(model)
    for path in dict.fromkeys(paths(model)):
        # What many kinds have in common is tried once.
        tried = (line(path, value), repr(types_by_key[path[0]]))
        if tried not in _READ:
            _READ[tried] = _is_read(file_of(kind, slug), tried[0])
        if _READ[tried]:
            yield tried[0]


_READ: dict[tuple[str, str], bool] = {}


def _is_read(name: str, written: str) -> bool:
    try:
        document_of(name, f"---\n{written}\n---\nText.\n")
    except ContentFileError as broken:
        for diagnostic in broken.diagnostics:
            assert (diagnostic.path, diagnostic.line) == (name, 2)
            assert len(diagnostic.message) < 500
            assert diagnostic.message.isprintable()
            assert diagnostic.suggestion
        return False
    return True


def one_of_each(lines: Sequence[str]) -> list[str]:
    """Return one line for each key, as YAML does not allow duplicates."""
    return list({written.partition(":")[0]: written for written in lines}.values())


GOOD: Mapping[str, str] = {
    "pages/good.md": "---\ntitle: Good\n---\nText.\n",
    "registry/erp.md": "---\ntitle: Good\n---\nText.\n",
    "modules/good.md": "---\ntitle: Good\n---\nText.\n",
    "industries/good.md": "---\ntitle: Good\n---\nText.\n",
    "categories/good.md": "---\nname: Good\n---\n",
    "posts/good.md": "---\ntitle: Good\ncategory: good\ntags: [a]\ndate: 2026-01-01\n---\nText.\n",
    "testimonials/good.md": "---\nquote: Good\ncustomerName: A\n---\n",
    "products/good.md": '---\nid: 7\nsku: g\ntitle: Good\nprices: {AED: "1.00"}\n---\nText.\n',
    "cities/dubai.md": "---\ncountryCode: AE\nname: Good\n---\nText.\n",
}
PAGES = [
    "/ae/en",
    "/ae/en/good",
    "/ae/en/erp",
    "/ae/en/modules/good",
    "/ae/en/industries/good",
    "/ae/en/blog",
    "/ae/en/blog/category/good",
    "/ae/en/blog/good",
    "/ae/en/testimonials",
    "/ae/en/products",
    "/ae/en/products/good",
    "/ae/en/cities/dubai",
    "/ae/en/search?q=good",
]
FOLDERS = {
    "": "page",
    "/modules": "module",
    "/industries": "industry",
    "/blog": "post",
    "/products": "product",
    "/cities": "city",
}
API = [
    f"/api/public/v1/{name}"
    for name in ("pages", "navigation", "site", "homepage", "countries", "cities", "testimonials")
] + ["/api/public/v1/blog/posts?search=good", "/api/public/v1/blog/categories"]
MAPS = [
    "/llms.txt",
    "/ae/en/llms.txt",
    "/llms-full.txt",
    "/sitemap.xml",
    "/robots.txt",
    "/ae/en/blog/feed.xml",
    "/ae/en/blog/feed.json",
    "/ae/en/opensearch.xml",
    "/.well-known/agent-skills/index.json",
    "/openapi.json",
    "/.well-known/security.txt",
    "/developers",
    "/no-such-page",
]


def failures(visitor: Visitor, targets: Sequence[str], *forms: str) -> list[str]:
    """Return every target with a server error in any media type."""
    failed = []
    for target in targets:
        for accept in forms:
            reply = visitor.get(target, {"Accept": accept})
            if reply.status >= 500 or not _is_sound(reply.headers):
                failed.append(f"{target} {accept} {reply.status}")
    return failed


def _is_sound(headers: Any) -> bool:
    return all(
        value.isprintable() and len(value) < 8_000 and name != "X-Header" for name, value in headers
    )


def everything_answers(visitor: Visitor) -> None:
    """Assert that pages of other documents, lists, sitemaps and interfaces have no errors."""
    assert failures(visitor, PAGES, "text/html", "text/markdown") == []
    assert failures(visitor, [*API, *MAPS], "application/json") == []
    assert [page for page in PAGES if visitor.get(page).status != 200] == []
    catalogue = visitor.get("/api/products", {"Authorization": f"Bearer {TOKEN}"})
    assert 7 in [each["id"] for each in catalogue.json["products"]]
    assert "Good" in visitor.get("/ae/en/products").text


@pytest.fixture(scope="module")
def readable() -> Mapping[tuple[AnyContentType, str, str], list[str]]:
    """Return the lines that load, by content type, document and name of the value."""
    return {
        (kind, slug, name): one_of_each(list(accepted(kind, slug, value)))
        for kind, slug in IDENTITIES
        for name, value in VALUES.items()
    }


def test_no_document_breaks_what_shows_others(
    visit: Visit, readable: Mapping[tuple[AnyContentType, str, str], list[str]]
) -> None:
    """For each type and value, one document has all keys, and another those that hide it."""
    files = dict(GOOD)
    for (kind, _, name), lines in readable.items():
        number = list(VALUES).index(name)
        if kind in (SITE, COUNTRY):
            continue
        own = "id: 1\n" if kind is PRODUCT and "id" not in _keys(lines) else ""
        own += "countryCode: AE\n" if kind is CITY else ""
        shown = [each for each in lines if _key(each) not in HIDING]
        hidden = [each for each in lines if _key(each) in HIDING - {"countryCode"}]
        files[f"{kind}/{kind.singular}-x{number}.md"] = f"---\n{own}{_block(shown)}---\nText.\n"
        files[f"{kind}/{kind.singular}-hidden{number}.md"] = (
            f"---\n{own}{_block(hidden)}---\nText.\n"
        )
    visitor = visit(files, erp_pull_api_token=TOKEN)
    everything_answers(visitor)
    own_pages = [
        f"/ae/en{folder}/{singular}-x{number}"
        for folder, singular in FOLDERS.items()
        for number in range(len(VALUES))
    ]
    assert [page for page in own_pages if visitor.get(page).status != 200] == []


@pytest.mark.parametrize("name", VALUES)
def test_no_document_of_the_site_itself_breaks_a_page(
    visit: Visit, readable: Mapping[tuple[AnyContentType, str, str], list[str]], name: str
) -> None:
    """Settings, menus, home page and countries have all keys with a value at once."""
    files = dict(GOOD)
    for kind, slug in IDENTITIES:
        if kind in (SITE, COUNTRY):
            lines = [each for each in readable[kind, slug, name] if _key(each) not in HIDING]
            files[file_of(kind, slug)] = f"---\n{_block(lines)}---\n"
    everything_answers(visit(files, erp_pull_api_token=TOKEN))


def _key(written: str) -> str:
    return written.partition(":")[0]


def _keys(lines: Sequence[str]) -> list[str]:
    return [_key(each) for each in lines]


def _block(lines: Sequence[str]) -> str:
    return "".join(f"{each}\n" for each in lines)


@pytest.mark.parametrize("value", ["inf", "-nan", "1e999", "9" * 400, "0001-01-01", "true"])
def test_values_of_toml_are_bounded_too(value: str) -> None:
    """YAML parses them as other types."""
    for kind, slug in IDENTITIES:
        for path in dict.fromkeys(paths(kind.model_for(slug))):
            if len(path) == 1:
                with suppress(ContentFileError):
                    document_of(file_of(kind, slug), f"+++\n{path[0]} = {value}\n+++\nText.\n")


def test_dates_of_file_names_are_bounded_too() -> None:
    """They are handled like those in front matter."""
    assert document_of("posts/0001-01-01-a.md", "Text.").fields.published_at is None
    assert document_of("posts/9999-12-31-a.md", "Text.").fields.published_at is None
    assert document_of("posts/1999-12-31-a.md", "Text.").fields.published_at is not None
