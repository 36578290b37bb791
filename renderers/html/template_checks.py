"""Checks of the templates of a site: what they name must exist in the built-in ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache

from jinja2 import Environment, TemplateSyntaxError, meta, nodes

from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.documents.site_look import TemplateFiles, template_fault, template_path
from knowledge.locales.locale import Language
from renderers.html.site_templates import BUILT_IN_PREFIX, site_environment
from renderers.html.templating import BUILT_IN, environment


def template_diagnostics(templates: TemplateFiles) -> Iterator[Diagnostic]:
    """Yield what does not fit in the templates of a site, without rendering them."""
    if not templates.texts:
        return
    env = site_environment(templates, Language.EN)
    trees: dict[str, nodes.Template] = {}
    for name, text in templates.texts.items():
        try:
            trees[name] = env.parse(text, name)
        except TemplateSyntaxError as error:
            yield template_fault(template_path(name), error.lineno, f"{error.message}.")
    referenced = {name for tree in trees.values() for name, _ in _referenced(tree)}
    for name, tree in trees.items():
        if name not in _built_in_names() and name not in referenced:
            advice = f"{_nearest(name, _built_in_names())} Or include it from another template."
            yield template_fault(template_path(name), 1, "No page uses this template.", advice)
        yield from _unknown_templates(name, tree, templates)
        yield from _unknown_blocks(name, tree, trees)
        yield from _unknown_variables(name, tree, trees.values())


def _unknown_templates(
    name: str, tree: nodes.Template, templates: TemplateFiles
) -> Iterator[Diagnostic]:
    own = {*templates.texts, *_built_in_names()}
    known = {*own, *(f"{BUILT_IN_PREFIX}/{each}" for each in _built_in_names())}
    for referenced, line in _referenced(tree):
        if referenced not in known:
            message = f"There is no template “{referenced}”."
            yield template_fault(template_path(name), line, message, _nearest(referenced, known))


def _unknown_blocks(
    name: str, tree: nodes.Template, trees: dict[str, nodes.Template]
) -> Iterator[Diagnostic]:
    """Report blocks that no parent has, so that they are shown nowhere."""
    parents = list(_parents(name, tree, trees))
    if not parents:
        return
    known = {block.name for parent in parents for block in parent.find_all(nodes.Block)}
    for node in tree.body:
        if isinstance(node, nodes.Block) and node.name not in known:
            message = f"The extended template has no block “{node.name}”."
            advice = _nearest(node.name, known)
            yield template_fault(template_path(name), node.lineno, message, advice)


def _parents(
    name: str, tree: nodes.Template, trees: dict[str, nodes.Template]
) -> Iterator[nodes.Template]:
    """Yield the templates that a template extends, directly or not, each once."""
    seen = {name}
    while parent := next((each for each, _ in _referenced(tree, nodes.Extends)), None):
        if parent in seen:
            return
        seen.add(parent)
        built_in = parent.removeprefix(f"{BUILT_IN_PREFIX}/")
        found = trees.get(parent) or _built_in_trees().get(built_in)
        if found is None:
            return
        yield found
        tree = found


def _unknown_variables(
    name: str, tree: nodes.Template, trees: Iterable[nodes.Template]
) -> Iterator[Diagnostic]:
    """Report names that no built-in template knows, also in parts that are not rendered."""
    known = {*_known_variables(), *(each for other in trees for each in _assigned(other))}
    for variable in sorted(meta.find_undeclared_variables(tree) - known):
        lines = (each.lineno for each in tree.find_all(nodes.Name) if each.name == variable)
        message = f"There is no variable “{variable}”."
        path, line = template_path(name), min(lines, default=1)
        yield template_fault(path, line, message, _nearest(variable, known))


def _referenced(
    tree: nodes.Template, kind: type[nodes.Node] | None = None
) -> Iterator[tuple[str, int]]:
    """Yield the names of templates that a template names, with their lines."""
    kinds = (kind,) if kind else (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
    for node in tree.find_all(kinds):
        target = getattr(node, "template", None)
        if isinstance(target, nodes.Const) and isinstance(target.value, str):
            yield target.value, node.lineno


def _assigned(tree: nodes.Template) -> Iterator[str]:
    """Yield the names that a template gives to values, macros and imports."""
    for name in tree.find_all(nodes.Name):
        if name.ctx in ("store", "param"):
            yield name.name
    for macro in tree.find_all(nodes.Macro):
        yield macro.name
    for imported in tree.find_all(nodes.Import):
        yield imported.target
    for names in tree.find_all(nodes.FromImport):
        for each in names.names:
            yield each if isinstance(each, str) else each[1]


@cache
def _known_variables() -> frozenset[str]:
    trees = _built_in_trees().values()
    used = (name for tree in trees for name in meta.find_undeclared_variables(tree))
    assigned = (name for tree in trees for name in _assigned(tree))
    return frozenset((*used, *assigned, *environment(Language.EN).globals))


@cache
def _built_in_names() -> frozenset[str]:
    return frozenset(name for name in BUILT_IN.list_templates() if name.endswith(".html"))


@cache
def _built_in_trees() -> dict[str, nodes.Template]:
    env: Environment = environment(Language.EN)
    return {name: env.parse(BUILT_IN.get_source(env, name)[0], name) for name in _built_in_names()}


def _nearest(name: str, known: Iterable[str]) -> str:
    found = get_close_matches(name, sorted(known), 1)
    return f"Did you mean “{found[0]}”?" if found else "Correct the name, or remove it."
