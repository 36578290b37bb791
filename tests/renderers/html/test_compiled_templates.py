"""The code of the built-in templates, which is kept beside them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from jinja2 import Environment, FileSystemLoader, nodes
from jinja2.filters import FILTERS as DEFAULT_FILTERS

from knowledge.locales.locale import Language
from renderers.html.site_templates import built_in_trees
from renderers.html.templating import CompiledTemplates, environment, new_environment


class Compiler(Environment):
    """Notes what it compiles."""

    def compile(self, source: Any, name: Any = None, *rest: Any, **options: Any) -> Any:
        """Compile a template."""
        vars(self).setdefault("compiled", []).append(name)
        return super().compile(source, name, *rest, **options)


def rendered(folder: Path, compiled: CompiledTemplates | None = None) -> tuple[str, list[str]]:
    """Return a page as another process renders it, and the templates that it compiles for it."""
    env = new_environment(Compiler, FileSystemLoader(folder), Language.EN)
    env.bytecode_cache = compiled or CompiledTemplates()
    text = env.get_template("page.html").render()
    return text, vars(env).get("compiled", [])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a template that was compiled."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "page.html").write_text("<p>{{ 1 + 1 }}</p>", encoding="utf-8")
    assert rendered(tmp_path) == ("<p>2</p>", ["page.html"])
    return tmp_path


def test_each_template_is_compiled_once(folder: Path) -> None:
    """Other processes load its code."""
    assert rendered(folder) == ("<p>2</p>", [])


def test_an_edited_template_is_compiled_again(folder: Path) -> None:
    """Its code belongs to one text."""
    (folder / "page.html").write_text("<p>{{ 1 + 2 }}</p>", encoding="utf-8")
    assert rendered(folder) == ("<p>3</p>", ["page.html"])
    assert rendered(folder) == ("<p>3</p>", [])


def test_an_empty_file_is_replaced(folder: Path) -> None:
    """A machine without current may leave one."""
    (file,) = (folder / "__pycache__").iterdir()
    file.write_bytes(b"")
    assert rendered(folder) == ("<p>2</p>", ["page.html"])
    assert rendered(folder) == ("<p>2</p>", [])


def test_a_folder_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    """The languages share the code all the same."""
    (tmp_path / "page.html").write_text("<p>{{ 1 + 1 }}</p>", encoding="utf-8")
    (tmp_path / "__pycache__").symlink_to(tmp_path / "missing")
    compiled = CompiledTemplates()
    assert rendered(tmp_path, compiled) == ("<p>2</p>", ["page.html"])
    assert rendered(tmp_path, compiled) == ("<p>2</p>", [])


@cases("name", sorted(built_in_trees()))
def test_no_filter_of_ours_has_its_value_in_the_code(name: str) -> None:
    """The code would differ by language, and by what such a filter does."""
    env = environment(Language.EN)
    ours = env.filters.keys() - DEFAULT_FILTERS.keys()
    for node in built_in_trees()[name].find_all(nodes.Filter):
        if node.name in ours:
            with pytest.raises(nodes.Impossible):
                node.as_const(nodes.EvalContext(env, name))
