"""Keys of other generators that withhold a text, or keep it out of search engines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from cases import cases
from conftest import BASE_URL, NOW, Content, locale_of
from pydantic.alias_generators import to_camel

from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents.front_matter import normalize_keys, publication
from knowledge.documents.publication import TIMES, publication_of
from knowledge.fields.content_types import CONTENT_TYPES, POST
from knowledge.snapshot.loading import LoadedContent, load_content
from knowledge.views.content_view import ContentView

UNINDEXED: list[dict[str, Any]] = [
    {"noindex": "true"},
    {"noIndex": True},
    {"no_index": "yes"},
    {"robotsNoIndex": "true"},
    {"robots": "noindex, nofollow"},
    {"robots": ["none"]},
    {"sitemap": "false"},
    {"sitemap": {"disable": True}},
    {"sitemap_exclude": "true"},
    {"seo": {"noindex": "true"}},
    {"params": {"robotsNoIndex": True}},
    {"head": [{"tag": "meta", "attrs": {"name": "robots", "content": "noindex"}}]},
    {"head": [["meta", {"name": "robots", "content": "noindex"}]]},
]


@cases("metadata", UNINDEXED)
def test_a_text_out_of_search_engines_stays_out(metadata: dict[str, Any]) -> None:
    """It is published, but not indexed."""
    fields, _ = normalize_keys(POST, metadata)
    assert fields["seo"]["noIndex"] is True
    assert fields.get("published") is not False


PUBLIC: list[dict[str, Any]] = [
    {"draft": "false"},
    {"hide": ["toc"]},
    {"status": "seedling"},
    {"published": "2026-01-01"},
    {"sitemap": {"priority": "0.5"}},
    {"robots": "index, follow"},
    {"visibility": "public"},
    {"access": ["everyone"]},
    {"build": {"list": "always", "render": "always"}},
    {"permalink": "/x/"},
    {"public": "true"},
    {"embargo": "false"},
    {"expires": "never"},
    {"password": ""},
    {"protected": "false"},
    {"post_status": "publish"},
    {"publisher": "A house"},
    {"hiddenFromHomePage": "false"},
    {"params": {"draft": "false", "expiryDate": "2099-01-01"}},
]


@cases("metadata", PUBLIC)
def test_other_values_withhold_nothing(metadata: dict[str, Any]) -> None:
    """They say that a text is public, or something else."""
    assert publication_of(metadata).findings == ()


LATER, OVER = "2031-01-01", "2020-01-01"
TIMED: list[dict[str, Any]] = [
    *(({name: LATER}) for name in TIMES["publishedAt"]),
    *(({name: OVER}) for name in TIMES["unpublishAt"]),
    {"publishedAt": LATER},
    {"publish": LATER},
    {"published": LATER},
    {"embargo": "not before spring"},
    {"embargo": "01/05/2031"},
    {"embargo": {"until": LATER}},
    {"embargo": [LATER]},
    {"embargo": "2025-01-01", "scheduled": LATER},
    {"embargo": "true"},
    {"scheduled": "yes"},
    {"expires": "soon"},
    {"expires": "2030-01-01", "unpublishAt": OVER},
    {"publishedAt": "2026-01-02", "embargo": LATER},
    {"params": {"publishDate": LATER}},
    {"extra": {"embargo": "later"}},
]
RESTRICTED: list[dict[str, Any]] = [
    {"password": "swordfish"},
    {"password": "0"},
    {"protected": "true"},
    {"encrypted": "yes"},
    {"members_only": "true"},
    {"visibility": "team"},
    {"visibility": "false"},
    {"access": {"roles": ["staff"]}},
    {"access": ["public", "staff"]},
    {"paywall": "1"},
    {"draft": "perhaps"},
    {"draft": ["false"]},
    {"approved": "pending"},
    {"post_status": "somewhere"},
    {"params": {"password": "swordfish"}},
]
WITHHELD: list[dict[str, Any]] = [
    {"published": "0"},
    {"published": 0},
    {"post_status": "draft"},
    {"status": "archived"},
    {"status": "A draft, second version"},
    {"status": ["draft", "news"]},
    {"enabled": "false"},
    {"deleted": "true"},
    {"wip": "true"},
    {"approved": "no"},
    {"dg-publish": "false"},
    {"is_archived": "1"},
    {"extra": {"hidden": "true"}},
]
UNCLEAR: list[dict[str, Any]] = [
    {f"x{part}y": "some value"}
    for part in (
        *("publish", "draft", "private", "secret", "hidden", "restrict", "expire", "visib"),
        *("embargo", "member", "paywall"),
    )
]


def spellings(metadata: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield front matter with its keys as they are, in snake_case, kebab-case and capitals."""
    snake = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key): value for key, value in metadata.items()}
    yield metadata
    for style in (str.lower, str.upper):
        yield {style(key): value for key, value in snake.items()}
        yield {style(key).replace("_", "-"): value for key, value in snake.items()}


def loaded_posts(content: Content, metadata: Iterable[dict[str, Any]]) -> LoadedContent:
    """Return posts of front matter, each also with a date in the past and with TOML's types."""
    files = {}
    for number, keys in enumerate(metadata):
        for name, date in (("dated", {"date": "2026-01-02"}), ("plain", {})):
            text = json.dumps({"title": f"Post {number}", **date, **keys})
            files[f"posts/{name}-{number}.md"] = f"---json\n{text}\n---\nBody.\n"
    return load_content(content(files))


def test_what_is_not_yet_or_not_for_all_is_not_published(content: Content) -> None:
    """In any spelling, beside a date that is over, and if the value cannot be read."""
    keys = [each for own in (*TIMED, *RESTRICTED, *WITHHELD) for each in spellings(own)]
    loaded = loaded_posts(content, keys)
    view = ContentView(loaded.snapshot, locale_of("ae/en"), NOW, BASE_URL)
    shown = {post.entry.slug.rpartition("-")[2] for post in view.resolve_all(POST)}
    assert [keys[int(number)] for number in shown] == []


@cases(
    ("metadata", "severity", "kind"),
    [
        *((each, Severity.WARNING, "withheld") for each in RESTRICTED),
        *((each, Severity.NOTICE, "withheld") for each in WITHHELD),
        *((each, Severity.WARNING, "unclear-publication") for each in UNCLEAR),
    ],
)
def test_the_check_names_the_key(
    metadata: dict[str, Any], severity: Severity, kind: str, content: Content
) -> None:
    """With its file, and without a password."""
    found = loaded_posts(content, [metadata]).diagnostics
    first = next(each for each in found if each.path == "posts/dated-0.md")
    assert (first.severity, first.kind.value) == (severity, kind)
    assert next(iter(metadata)) in first.message
    assert "swordfish" not in first.message


def test_an_unknown_key_that_may_withhold_is_published_with_a_warning(content: Content) -> None:
    """Nobody says that the key withholds, and a site must not lose what it showed."""
    loaded = loaded_posts(content, UNCLEAR)
    view = ContentView(loaded.snapshot, locale_of("ae/en"), NOW, BASE_URL)
    assert len(view.resolve_all(POST)) == 2 * len(UNCLEAR)
    assert {str(each.kind) for each in loaded.diagnostics} == {"unclear-publication"}


def test_no_field_of_ours_or_of_a_declared_kind_is_taken_for_such_a_key(content: Content) -> None:
    """Whatever it is called: they have a meaning of their own."""
    for kind in CONTENT_TYPES:
        for model in (kind.fields, *kind.singletons.values()):
            names = {each for name in model.field_names for each in (name, to_camel(name))}
            own = dict.fromkeys(names - {"published"}, "2026")
            assert publication(kind, own).findings == (), model
    fields = "\n".join(f"  {name}: {{ type: text }}" for name in OWN_NAMES)
    keys = "\n".join(f"{name}: staff" for name in OWN_NAMES)
    declared = f"---\nsingular: Rule\nplural: Rules\nfields:\n{fields}\n---\n"
    document = f"---\ntitle: A rule\n{keys}\n---\nBody.\n"
    loaded = load_content(content({"_kinds/rules.md": declared, "rules/a.md": document}))
    assert loaded.diagnostics == ()


OWN_NAMES = ("visibility", "access", "password", "embargo", "expires", "memberCount", "draftStage")


@cases(
    "text",
    [
        '{\n"title": "A", "date": "2026-01-01"\n}\n\nBody.\n',
        '---json\n{"title": "A", "date": "2026-01-01"}\n---\n\nBody.\n',
        '---toml\ntitle = "A"\ndate = 2026-01-01\n---\n\nBody.\n',
        "---yaml\ntitle: A\ndate: 2026-01-01\n---\n\nBody.\n",
        "---\ntitle: A\ndate: 2026-01-01\n...\n\nBody.\n",
        "---\nTitle: A\nDATE: 2026-01-01\n---\n\nBody.\n",
        "Title: A\nDate: 2026-01-01\nTags: a, b\n\nBody.\n",
    ],
)
def test_front_matter_of_each_form_is_read(text: str, content: Content) -> None:
    """In JSON, in a named block, closed by dots, with keys in capitals, without a fence."""
    loaded = load_content(content({"posts/a.md": text}))
    (document,) = loaded.snapshot.entries[POST]["a"].documents
    assert loaded.diagnostics == ()
    assert document.fields.title == {"en": "A"}
    assert f"{document.fields.published_at:%Y-%m-%d}" == "2026-01-01"
    assert document.body.strip() == "Body."


def test_the_later_time_decides() -> None:
    """Of several keys; `publishedAt` replaces a plain date."""
    times = {"date": "2026-01-02", "pubDatetime": "2026-02-02", "publish-at": "2026-03-03"}
    assert normalize_keys(POST, times)[0] == {"publishedAt": "2026-03-03"}
    ends = {"expires": "2027-01-01", "unpublishAt": "2028-01-01"}
    assert normalize_keys(POST, ends)[0] == {"unpublishAt": "2027-01-01"}
    ours = {"date": "2026-05-05", "publishedAt": "2026-01-01"}
    assert normalize_keys(POST, ours)[0] == {"publishedAt": "2026-01-01"}
