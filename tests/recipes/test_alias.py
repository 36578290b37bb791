"""The recipe "An alias", and all of them, performed on a copy of the packages."""

from __future__ import annotations

import pytest
from recipes.copied_tree import Answer, CopiedTree

pytestmark = pytest.mark.slow

REMOVED = "/api/homepage"
LEGACY = "/openapi-legacy.json"
REQUESTS: tuple[tuple[str, dict[str, str]], ...] = tuple(
    (path, {})
    for path in (
        REMOVED,
        "/api/public/homepage",
        "/api/software-detail/module/finance",
        "/api/public/v1/homepage",
        "/openapi.json",
        LEGACY,
        "/developers.md",
    )
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CopiedTree:
    """Return a copy of the packages."""
    return CopiedTree(tmp_path_factory.mktemp("alias"))


@pytest.fixture(scope="module")
def before(tree: CopiedTree) -> dict[str, Answer]:
    """Return the responses with all aliases."""
    return responses(tree)


def responses(tree: CopiedTree) -> dict[str, Answer]:
    """Return the responses of a copy by path."""
    return dict(zip((path for path, _ in REQUESTS), tree.ask(*REQUESTS), strict=True))


def documented(contract: Answer) -> dict[str, bool]:
    """Return the documented paths, and whether they are deprecated."""
    return {
        path: any(operation.get("deprecated", False) for operation in operations.values())
        for path, operations in contract.json["paths"].items()
    }


def test_an_alias_is_removed_by_deleting_its_row(
    tree: CopiedTree, before: dict[str, Answer]
) -> None:
    """It is gone from the routes, the contract and the manual; everything else stays."""
    row = f'    "{REMOVED}": "/homepage",\n'
    tree.replace("app/web/legacy.py", row, "")
    try:
        after = responses(tree)
    finally:
        tree.replace(
            "app/web/legacy.py",
            "ALIASES: Mapping[str, str] = {\n",
            f"ALIASES: Mapping[str, str] = {{\n{row}",
        )
    assert (after[REMOVED].status, "deprecation" in after[REMOVED].headers) == (404, False)
    assert after["/api/public/homepage"].headers["deprecation"] == "true"
    assert documented(before[LEGACY]) == {REMOVED: True, **documented(after[LEGACY])}
    assert documented(before["/openapi.json"]) == documented(after["/openapi.json"])
    assert f"`GET {REMOVED}`" in before["/developers.md"].text
    assert f"`GET {REMOVED}`" not in after["/developers.md"].text


def test_all_are_removed_with_the_module_and_the_line_that_installs_it(
    tree: CopiedTree, before: dict[str, Answer]
) -> None:
    """No path is deprecated any more; all others are the same."""
    (tree.folder / "app/web/legacy.py").unlink()
    tree.replace("app/web/routes.py", "    legacy.install(app)\n", "")
    tree.replace(
        "app/web/routes.py",
        "from app.web import errors, legacy, ",
        "from app.web import errors, ",
    )
    after = responses(tree)
    stable = documented(before["/openapi.json"])
    assert not any(stable.values())
    assert documented(after["/openapi.json"]) == stable
    assert documented(after[LEGACY]) == {}
    assert after["/api/public/v1/homepage"].text == before["/api/public/v1/homepage"].text
    for path in (REMOVED, "/api/public/homepage", "/api/software-detail/module/finance"):
        assert (after[path].status, "deprecation" in after[path].headers) == (404, False)
