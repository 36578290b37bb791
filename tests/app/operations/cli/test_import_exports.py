"""`majlis import export.xml` and `export.json`: what was public is kept, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import Result
from contract.visitor import Visitor
from imported_sites import run
from pictures import picture
from wordpress_export import HEAD, ITEMS, item

from app.operations.importing.generators import wxr
from knowledge.documents.files import read_document
from knowledge.documents.front_matter import parse

SECRETS = [
    item(61, "/?post_type=wpcf7_contact_form&p=61", "SECRET", post_type="wpcf7_contact_form"),
    item(62, "/nav/", "SECRET", post_type="wp_navigation"),
    item(63, "/wp-global-styles/", "SECRET", post_type="wp_global_styles"),
    item(64, "/?post_type=shop_order&p=64", "SECRET", post_type="shop_order"),
    item(70, "/private/", "SECRET", status="private"),
    item(71, "/word/", "SECRET", post_password="SECRET"),
    item(72, "/pending/", "SECRET", status="pending"),
    item(73, "/draft/", "SECRET", status="draft"),
    item(74, "/missed/", "SECRET", status="future"),
    item(75, "/members/", "SECRET", {"_members_access_role": "subscriber"}),
    item(76, "/bin/", "SECRET", status="trash"),
    item(77, "/private-page/", "SECRET", status="private", post_type="page"),
]
LATER = item(
    90, "/?p=90", "Later", status="future", post_name="later", post_date="2199-01-01 09:00:00",
    post_date_gmt="2199-01-01 06:00:00",
)  # fmt: skip
SITE: Mapping[str, str | bytes] = {
    "site/settings.md": "",
    "uploads/2024/01/room.png": picture("PNG", 3, 2),
    "uploads/2024/01/room-300x200.png": picture("PNG", 3, 2),
    "uploads/2024/01/secret.png": picture("PNG", 3, 2),
    "uploads/forms/passport.png": picture("PNG", 3, 2),
}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A content folder from the export above, and what the command printed."""
    root = tmp_path_factory.mktemp("wordpress")
    for name, content in SITE.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    export = root / "export.xml"
    export.write_text("".join([HEAD, *ITEMS, *SECRETS, LATER, "</channel></rss>"]), "utf-8")
    done = run(export, root / "content", "--uploads", str(root / "uploads"))
    assert done.exit_code == 0, done.output
    return root / "content", done


def front(root: Path, path: str) -> Mapping[str, object]:
    """Return the front matter of a file."""
    return parse(read_document(root, path)).metadata


def test_nothing_private_is_written(imported: tuple[Path, Result]) -> None:
    """Not even as an unpublished file; the report names each with its reason."""
    root, done = imported
    written = "\n".join(each.read_text("utf-8") for each in root.rglob("*.md"))
    assert "SECRET" not in written + (root / "_redirects").read_text("utf-8")
    assert "@noor.example" not in written
    assert not list(root.rglob("secret.png"))
    assert not list(root.rglob("passport.png"))
    for number in (*range(61, 65), *range(70, 78)):
        assert f" {number}: " in done.output
    for reason in ("status: private", "a password", "for members only", "its post type has no"):
        assert f"({reason}" in done.output
    assert "post 90: Title 90 (until 2199-01-01 09:00+0300)" in done.output


def test_a_post_keeps_what_it_says_about_itself(imported: tuple[Path, Result]) -> None:
    """Author, time, excerpt, terms, pictures, and what search engines are told."""
    root, _ = imported
    assert front(root, "posts/hello.md") == {
        "title": "Title 10",
        "publishedAt": "2024-01-02T09:00:00+03:00",
        "excerpt": "In short",
        "seo": {"metaDescription": "For machines", "noIndex": "true"},
        "author": "Sara Noor",
        "category": "VAT",
        "tags": ["Tax"],
        "coverImage": "/wp-content/uploads/2024/01/room.png",
        "coverImageAlt": "A room",
    }
    assert front(root, "categories/vat.md") == {"name": "VAT", "description": "About taxes."}
    assert front(root, "posts/later.md")["publishedAt"] == "2199-01-01T09:00:00+03:00"
    assert front(root, "_kinds/tours.md")["singular"] == {"en": "Tour", "ar": "Tour"}


def test_texts_are_markdown(imported: tuple[Path, Result]) -> None:
    """Blocks, captions, tables and synced patterns; what has no meaning here is counted."""
    root, done = imported
    text = (root / "posts/hello.md").read_text("utf-8")
    assert "Hello [team](/about/team/), [us](/ar/%D9%85" in text
    assert "![Room](/wp-content/uploads/2024/01/room.png)\n\n*Our room*" in text
    assert "<!--more-->" in text
    assert "| x\\|y |" in text
    assert "Pattern words" in text
    assert '<audio controls src="/wp-content/uploads/2024/01/talk.mp3"></audio>' in text
    classic = (root / "posts/classic.md").read_text("utf-8")
    assert "*Seen*" in classic
    assert "![A room](/wp-content/uploads/2024/01/room.png)" in classic
    assert "secret.png" not in classic
    assert "\\[1\\] \\[sic\\] kept" in classic
    assert "```\na[0] =\n```" in classic
    assert "<https://youtu.be/abc_d>" in classic
    assert "1 blocks latest-posts" in done.output
    assert "1 forms" in done.output
    assert "1 [contact-form-7]" in done.output
    assert "price_from (1)" in done.output
    assert "href: /team" in (root / "site/navigation.md").read_text("utf-8")
    assert "Hidden" not in (root / "site/navigation.md").read_text("utf-8")


ADDRESSES = {
    "/2024/01/hello/": "/en/blog/hello",
    "/?p=10": "/en/blog/hello",
    "/2024/01/hallo/": "/en/blog/hello",
    "/ar/%d9%85%d8%b1%d8%ad%d8%a8%d8%a7/": "/ar/blog/hello",
    "/about/": "/en/about",
    "/about/team/": "/en/team",
    "/jobs/team/": "/en/jobs-team",
    "/?page_id=24": "/en/jobs-team",
    "/blog/": "/en/blog",
    "/tours/desert/": "/en/tours/desert",
    "/?post_type=tour&p=31": "/en/tours/sea?post_type=tour",
    "/category/vat-news/": "/en/blog/category/vat",
    "/author/sara/": "/en/blog/author/sara-noor",
    "/room/": "/wp-content/uploads/2024/01/room.png",
    "/wp-content/uploads/2024/01/room-300x200.png": None,
}


def test_old_addresses_lead_to_the_texts(imported: tuple[Path, Result]) -> None:
    """Of pages below others, in both languages, by number, of terms, and of files."""
    with Visitor(content_dir=imported[0]) as site:
        for old, new in ADDRESSES.items():
            assert (old, site.get(old).headers.get("Location")) == (old, new)
            assert site.get(new or old).status == 200


def test_what_is_no_export_is_named(tmp_path: Path) -> None:
    """With the file, and without a trace."""
    wrong = {
        "a.xml": "<rss><channel></channel></rss>",
        "b.xml": "<rss>",
        "c.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><rss><channel>&b;</channel></rss>",
        "d.json": "{}",
        "e.json": "[",
    }
    for name, text in wrong.items():
        (tmp_path / name).write_text(text)
        done = run(tmp_path / name, tmp_path / "out")
        assert done.exit_code == 1
        assert f"{name} is no export" in done.output
        assert not (tmp_path / "out").exists()


def test_an_export_of_plugins_is_read(tmp_path: Path) -> None:
    """With prefixes that nothing declares, and signs that XML does not have."""
    export = tmp_path / "export.xml"
    link = '<atom:link rel="hub" href="x"/>'
    export.write_text(HEAD + link + item(1, "/a/", "One\x0b\x01") + "</channel></rss>", "utf-8")
    done = run(export, tmp_path / "content")
    assert done.exit_code == 0, done.output
    assert "One" in (tmp_path / "content/posts/a.md").read_text("utf-8")


def test_a_long_export_is_read_in_parts(tmp_path: Path) -> None:
    """Of each item only what is asked for stays in memory."""
    export = tmp_path / "export.xml"
    long = "<p>word</p>" * 1_000
    export.write_text(
        HEAD + "".join(item(n, f"/{n}/", long) for n in range(50)) + "</channel></rss>"
    )
    site = wxr.Site()
    site.read(export)
    assert len(site.items) == 50
    assert not any("word" in text for each in site.items.values() for text in each.texts.values())


GHOST = {
    "posts": [
        {"id": "1", "uuid": "u1", "title": "Open", "slug": "open", "status": "published",
         "visibility": "public", "type": "post", "published_at": "2024-01-02T06:00:00.000Z",
         "html": '<p>Words <a href="__GHOST_URL__/about/">a</a></p>'
                 '<img src="__GHOST_URL__/content/images/a.png" alt="A">',
         "feature_image": "__GHOST_URL__/content/images/a.png", "custom_excerpt": "Short"},
        {"id": "2", "slug": "about", "title": "About", "status": "published", "type": "page",
         "visibility": "public", "html": "<p>Us</p>"},
        *({"id": f"{number}", "slug": f"s{number}", "title": f"Hidden {number}", "type": "post",
           "html": "<p>SECRET</p>", "status": status, "visibility": visibility}
          for number, (status, visibility) in enumerate(
              [("draft", "public"), ("scheduled", "public"), ("sent", "public"),
               ("published", "members"), ("published", "paid"), ("published", "tiers")], 3)),
    ],
    "posts_meta": [{"post_id": "1", "meta_description": "For machines",
                    "feature_image_alt": "Alt"}],
    "tags": [{"id": "t", "name": "Tax & law", "slug": "tax", "description": "Of taxes"},
             {"id": "i", "name": "#internal", "slug": "hash-internal", "description": "x"}],
    "posts_tags": [{"post_id": "1", "tag_id": "i"}, {"post_id": "1", "tag_id": "t"}],
    "users": [{"id": "u", "name": "Sara", "slug": "sara", "email": "SECRET@x.example"}],
    "posts_authors": [{"post_id": "1", "author_id": "u"}],
    "settings": [{"key": "title", "value": "Noor"}, {"key": "locale", "value": "en"},
                 {"key": "navigation", "value": '[{"label":"About","url":"/about/"}]'},
                 {"key": "admin_key", "value": "SECRET"}],
}  # fmt: skip


def test_an_export_of_ghost_is_imported(tmp_path: Path) -> None:
    """What all visitors could see, with its author, tags and pictures."""
    export, root = tmp_path / "export.json", tmp_path / "out"
    export.write_text(json.dumps({"db": [{"meta": {}, "data": GHOST}]}), "utf-8")
    (tmp_path / "files/images").mkdir(parents=True)
    (tmp_path / "files/images/a.png").write_bytes(picture("PNG", 3, 2))
    done = run(export, root, "--uploads", str(tmp_path / "files"))
    assert done.exit_code == 0, done.output
    assert "SECRET" not in "".join(each.read_text("utf-8") for each in root.rglob("*.md"))
    for number in range(3, 9):
        assert f"Hidden {number} (" in done.output
    post = dict(front(root, "posts/open.md"))
    assert post.pop("seo") == {"metaDescription": "For machines"}
    assert post == {
        "title": "Open",
        "publishedAt": "2024-01-02T06:00:00.000Z",
        "excerpt": "Short",
        "authors": ["Sara"],
        "tags": ["Tax & law"],
        "coverImage": "/content/images/a.png",
        "coverImageAlt": "Alt",
    }
    with Visitor(content_dir=root) as site:
        for old, new in {
            "/open/": "/en/blog/open",
            "/about/": "/en/about",
            "/tag/tax/": "/en/blog/tag/tax-law",
            "/author/sara/": "/en/blog/author/sara",
        }.items():
            assert site.get(old).headers["Location"] == new
            assert site.get(new).status == 200
        assert site.get("/content/images/a.png").status == 200
