"""Content folders of other generators are served unchanged."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import cases
from conftest import NOW, Content, ViewOf, document_of, set_values

from knowledge.documents.front_matter import normalize_keys
from knowledge.fields.content_types import CATEGORY, PAGE, POST
from knowledge.resources.blog import post_list
from knowledge.resources.posts import post_detail
from knowledge.resources.queries import PostQuery
from knowledge.snapshot.loading import load_content

HUGO = """---
title: "Hello from Hugo"
date: 2026-05-01T09:00:00+04:00
lastmod: 2026-05-02
draft: false
summary: In short
categories: [News, Other]
tags: [erp, vat]
cover: {image: hugo.png, alt: A cover}
weight: 10
params: {toc: true}
---
Body.
"""
JEKYLL = """---
layout: post
title: Hello from Jekyll
date: 2026-05-01 09:00:00 +0400
last_modified_at: 2026-05-02
category: News
tags: erp vat
image: /images/jekyll.png
excerpt: In short
permalink: /:title/
---
Body.
"""
ASTRO = """---
title: 'Hello from Astro'
description: 'In short'
pubDate: 'May 01 2026 05:00:00 UTC'
updatedDate: 2026-05-02
heroImage: ./astro.png
category: News
tags: ["erp", "vat"]
---
Body.
"""
ZOLA = """+++
title = "Hello from Zola"
date = 2026-05-01T05:00:00Z
updated = 2026-05-02
description = "In short"
[taxonomies]
categories = ["News"]
tags = ["erp", "vat"]
[extra]
toc = true
+++
Body.
"""
OBSIDIAN = """---
title: Hello from Obsidian
date: 2026-05-01T05:00
updated: 2026-05-02
summary: In short
category: News
aliases: [hello]
cssclasses: []
tags:
  - erp
  - vat
---
Body.
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("posts/hello.md", HUGO, id="Hugo"),
        pytest.param("posts/2026-04-30-hello.md", JEKYLL, id="Jekyll"),
        pytest.param("posts/hello/index.md", ASTRO, id="Astro"),
        pytest.param("posts/hello.md", ZOLA, id="Zola"),
        pytest.param("posts/Hello.md", OBSIDIAN, id="Obsidian"),
    ],
)
def test_a_post_of_another_generator_is_served(
    path: str, text: str, content: Content, view_of: ViewOf
) -> None:
    """Each gives the same date, texts, category and tags, without diagnostics."""
    category = "---\nname: News\n---\nAll news."
    view = view_of({path: text, "categories/news.md": category})
    assert load_content(content({})).diagnostics == ()
    (post,) = post_list(view, PostQuery(category="news")).items
    assert post.title.startswith("Hello from")
    assert post.slug == "hello"
    assert post.excerpt == "In short"
    assert post.tags == ["erp", "vat"]
    assert post.category_name == "News"
    assert post.published_at == datetime(2026, 5, 1, 5, tzinfo=UTC)
    answer = post_detail(view, "hello")
    assert answer.updated_at == datetime(2026, 5, 2, tzinfo=UTC)
    assert [block.text for block in answer.resource.post.body] == ["Body."]


def test_covers_of_other_generators_are_found() -> None:
    """Nested or not, and with any key."""
    posts = [document_of("posts/a.md", text) for text in (HUGO, JEKYLL, ASTRO)]
    covers = [set_values(post.fields)["cover_image"] for post in posts]
    assert covers == ["hugo.png", "/images/jekyll.png", "./astro.png"]


@cases(
    ("metadata", "fields"),
    [
        pytest.param({"draft": "true"}, {"published": False}, id="draft"),
        pytest.param({"draft": True}, {"published": False}, id="draft of TOML"),
        pytest.param({"draft": "false"}, {}, id="no draft"),
        pytest.param({"date": "1", "publishedAt": "2"}, {"publishedAt": "2"}, id="ours wins"),
        pytest.param({"publishedAt": "2", "date": "1"}, {"publishedAt": "2"}, id="in any order"),
        pytest.param({"date": "1", "publishedAt": None}, {"publishedAt": "1"}, id="null is absent"),
        pytest.param({"published": "2026-05-01"}, {"publishedAt": "2026-05-01"}, id="as date"),
        pytest.param({"published": "true"}, {"published": "true"}, id="as boolean"),
        pytest.param(
            {"redirect_from": "/a", "permalink": "/b", "url": "https://x.example/c"},
            {"aliases": ["/a", "/b"]},
            id="old addresses",
        ),
        pytest.param({"author": "A"}, {"authors": "A"}, id="author"),
        pytest.param({"expiryDate": "1"}, {"unpublishAt": "1"}, id="expiry"),
        pytest.param({"unknown": "1"}, {"unknown": "1"}, id="unknown keys stay"),
    ],
)
def test_aliases_are_mapped_to_our_keys(
    metadata: dict[str, object], fields: dict[str, object]
) -> None:
    """Our key wins if a file has both."""
    assert normalize_keys(POST, metadata)[0] == fields


def test_a_category_s_description_stays_its_own() -> None:
    """In posts a description is the excerpt, in other types the short description."""
    metadata = {"description": "x"}
    assert normalize_keys(CATEGORY, metadata)[0] == {"description": "x"}
    assert normalize_keys(PAGE, metadata)[0] == {"shortDescription": "x"}
    assert normalize_keys(POST, metadata)[0] == {"excerpt": "x"}


def test_a_draft_is_not_published(view_of: ViewOf) -> None:
    """`draft: true` hides a post with a date in the past."""
    view = view_of({"posts/a.md": "---\ndate: 2026-01-01\ndraft: true\n---\nx"})
    assert post_list(view, PostQuery()).items == []
    assert view.now == NOW
