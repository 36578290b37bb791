"""`majlis redirects`: which rule leads where."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from conftest import Content

from app.operations.cli.content import redirects_group

FILES = {
    "posts/hello.md": "---\ntitle: Hello\naliases: /old\n---\nText.\n",
    "posts/hello.ar.md": "---\ntitle: مرحبا\n---\nنص.\n",
    "_redirects": "/a /b\n/b /old\n/gone 410\n/x/* https://x.example/:splat\n"
    "/?p=20 /old\n/ id=3 /gone\n",
}


@pytest.mark.parametrize(
    ("words", "output"),
    [
        pytest.param(["/old"], "301 to /ae/en/blog/hello\nbecause of posts/hello.md:3", id="alias"),
        pytest.param(["/old", "--lang", "ar"], "/ae/ar/blog/hello", id="language"),
        pytest.param(["https://a.example/b?c"], "because of _redirects:2 → posts", id="URL"),
        pytest.param(["/a"], "because of _redirects:1 → _redirects:2 → posts", id="chain"),
        pytest.param(["/gone"], "410 (gone)\nbecause of _redirects:3", id="gone"),
        pytest.param(["/x/y"], "301 to https://x.example/y", id="elsewhere"),
        pytest.param(["/sa/en/blog/hello"], "is a page, which no redirect hides", id="page"),
        pytest.param(["/?p=20"], "301 to /ae/en/blog/hello\nbecause of _redirects:5", id="query"),
        pytest.param(["/?id=3&x=1"], "410 (gone)\nbecause of _redirects:6", id="query of Netlify"),
        pytest.param(
            ["/blog/hello/"],
            "301 to /ae/en/blog/hello\nbecause of an address without",
            id="no locale",
        ),
        pytest.param(["/ae/en/blog/hello/"], "308 to /ae/en/blog/hello", id="slash"),
        pytest.param(["/ae/en/Blog/hello"], "308 to /ae/en/blog/hello", id="letters"),
        pytest.param(["/?a=1", "--lang", "ar"], "302 to /ae/ar", id="root"),
        pytest.param(["/none"], "the answer is 404", id="nothing"),
    ],
)
def test_an_address_is_explained(content: Content, words: list[str], output: str) -> None:
    """The rules are named in the order in which they apply."""
    url, *options = words
    done = CliRunner().invoke(redirects_group, ["test", url, str(content(FILES)), *options])
    assert output in done.output
    assert done.exit_code == (url == "/none")


def test_all_redirects_are_listed(content: Content) -> None:
    """Those of documents, then those of the file."""
    done = CliRunner().invoke(redirects_group, ["list", str(content(FILES))])
    assert done.output.splitlines() == [
        "OLD     NEW                       STATUS  FROM",
        "/old    /blog/hello               301     posts/hello.md",
        "/a      /b                        301     _redirects:1",
        "/b      /old                      301     _redirects:2",
        "/gone   -                         410     _redirects:3",
        "/x/*    https://x.example/:splat  301     _redirects:4",
        "/?p=20  /old                      301     _redirects:5",
        "/?id=3  /gone                     301     _redirects:6",
    ]
