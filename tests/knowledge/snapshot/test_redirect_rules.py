"""The file `_redirects`: its grammar, and which of its lines counts."""

from __future__ import annotations

import pytest
from cases import cases

from knowledge.snapshot.redirect_rules import parse_redirects


@cases(
    ("text", "path", "line", "location"),
    [
        pytest.param("/a /b", "/a", 1, "/b", id="path"),
        pytest.param("/a /b 301!", "/a", 1, "/b", id="forced"),
        pytest.param("/a/ /b", "/a", 1, "/b", id="slash in the rule"),
        pytest.param("/a /b", "/a/", 1, "/b", id="slash in the address"),
        pytest.param("/a%20b /b", "/a b", 1, "/b", id="percent-encoded"),
        pytest.param("/قديم /جديد", "/قديم", 1, "/%D8%AC%D8%AF%D9%8A%D8%AF", id="Arabic"),
        pytest.param("/* /all\n/a /b", "/a", 1, "/all", id="an earlier line wins"),
        pytest.param("/a /b\n/* /all", "/a", 1, "/b", id="a later line loses"),
        pytest.param("/a/:b/c /x/:b", "/a/1/c", 1, "/x/1", id="placeholder"),
        pytest.param("/a/:b /x/:b\n/a/c /d", "/a/c", 1, "/x/c", id="placeholder before a word"),
        pytest.param("/a/* /x/:splat", "/a/b/c", 1, "/x/b/c", id="splat"),
        pytest.param("/a/* /x/:splat", "/a", 1, "/x/", id="splat of nothing"),
        pytest.param("/:y/* /x/:splat/:y", "/1/b", 1, "/x/b/1", id="both"),
        pytest.param("/a/* /x?q=:splat", "/a/b&c?d#e", 1, "/x?q=b%26c%3Fd%23e", id="encoded"),
        pytest.param("/a/* /x/:splat", "/a/\r\nX: y", 1, "/x/%0D%0AX%3A%20y", id="line break"),
        pytest.param("/a /b:c", "/a", 1, "/b:c", id="a colon that is no placeholder"),
        pytest.param("/:slug.html /x/:slug", "/a.b.html", 1, "/x/a.b", id="before an extension"),
        pytest.param("/p/:y-:m-:slug /x/:y/:slug", "/p/1-2-a", 1, "/x/1/a", id="three in a part"),
        pytest.param("/:y-:slug /x/:y/:slug", "/1-a-b", 1, "/x/1-a/b", id="the first takes most"),
        pytest.param("/(:a) /x/:a", "/(b)", 1, "/x/b", id="between texts"),
        pytest.param("/-:a/:b.php /x/:a/:b", "/-1/2.php", 1, "/x/1/2", id="in two parts"),
        pytest.param("/a%20:b.html /x/:b", "/a c.html", 1, "/x/c", id="beside encoded text"),
        pytest.param("/:a.html /x\n/:b.html /y", "/c.html", 1, "/x", id="two of one form"),
        pytest.param("/:a.html /x\n/b.html /y", "/b.html", 1, "/x", id="before a word with it"),
        pytest.param("/:d.x/* /y/:d/:splat", "/a.x/b/c", 1, "/y/a/b/c", id="then a splat"),
        pytest.param("/Help:Contents /b", "/Help:Contents", 1, "/b", id="a colon within a word"),
    ],
)
def test_the_first_rule_that_matches(text: str, path: str, line: int, location: str) -> None:
    """What a placeholder matched is percent-encoded in the location."""
    rules, diagnostics = parse_redirects(text)
    match = rules.match(path)
    assert not diagnostics
    assert match is not None
    assert (match.rule.line, match.rule.location(match.values)) == (line, location)


@cases(
    "path",
    [
        pytest.param("/a-.html", id="nothing for the second"),
        pytest.param("/-a.html", id="nothing for the first"),
        pytest.param("/a-b.htm", id="another end"),
        pytest.param("/ab.html", id="no hyphen"),
        pytest.param("/x/a-b.html", id="another part"),
        pytest.param("/Help-b.html/c", id="longer"),
    ],
)
def test_a_part_of_another_form_does_not_match(path: str) -> None:
    """Each placeholder stands for at least one letter, and for no slash."""
    rules, _ = parse_redirects("/:a-:b.html /x\n/Help:Contents /y")
    assert rules.match(path) is None
    assert rules.match("/HelpOther") is None


@cases(
    "line",
    [
        pytest.param("/a", id="no target"),
        pytest.param("/a /b 200", id="rewrite"),
        pytest.param("/a /b 301 Country=sa", id="condition"),
        pytest.param("/a id=:id /b/:id", id="query"),
        pytest.param("a /b", id="no path"),
        pytest.param("https://old.example/a /b", id="host in the old address"),
        pytest.param("/a/*/b /c", id="star in the middle"),
        pytest.param("/a /\\evil.example", id="backslash"),
        pytest.param("/a //evil.example", id="host without scheme"),
        pytest.param("/a /%2Fevil.example", id="encoded slash"),
        pytest.param("/a /x%0D%0AX:y", id="encoded line break"),
        pytest.param("/* https://:splat", id="splat as host"),
        pytest.param("/* https://a.example:splat", id="splat as port"),
        pytest.param("/* https://a.example@:splat/", id="splat after a user"),
        pytest.param("/a javascript:alert(1)", id="script"),
        pytest.param(f"/a /{'x' * 3_000}", id="too long"),
    ],
)
def test_an_invalid_line_is_reported(line: str) -> None:
    """The others count."""
    rules, diagnostics = parse_redirects(f"# comment\n{line}\n/good /b # why\n")
    assert [diagnostic.line for diagnostic in diagnostics] == [2]
    assert [rule.source for rule in rules.rules] == ["/good"]


def test_a_long_chain_is_one_step() -> None:
    """Also if the last rule comes first in the file."""
    lines = [f"/{number} /{number + 1}" for number in range(1_000)]
    rules, _ = parse_redirects("\n".join(reversed(lines)))
    assert {rules.last[rule].target for rule in rules.rules[1:]} == {"/1000"}
    assert not rules.loops


def test_what_leads_into_a_circle_is_known() -> None:
    """Also a rule that leads from outside into it; none of these has a last target."""
    rules, _ = parse_redirects("/a /b\n/b /c\n/c /b\n/d /e")
    assert {rule.source for rule in rules.loops} == {"/a", "/b", "/c"}
    assert not rules.last
