"""Templates of a site: they extend the built-in ones, and are checked against them.

A file `post.html` replaces the template of that name everywhere; `majlis/post.html` is always the
built-in one, so that `{% extends "majlis/post.html" %}` changes only some blocks. A template that
raises is not used for that page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from functools import cache, lru_cache
from traceback import walk_tb
from types import NoneType
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FunctionLoader,
    PrefixLoader,
    TemplateError,
    TemplateSyntaxError,
    meta,
    nodes,
)
from jinja2.runtime import BlockReference, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Cycler, Joiner
from markupsafe import Markup
from pydantic import BaseModel

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.diagnostics.messages import Text
from knowledge.documents.site_files import (
    TEMPLATES_FOLDER,
    TemplateFiles,
    template_fault,
    template_path,
)
from knowledge.fields.kinds import Kind
from knowledge.locales.locale import Language, Locale
from knowledge.markdown.slugs import Anchors
from knowledge.resources.base import Resource
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_chrome import SiteChrome
from knowledge.resources.site_page import PageModel
from knowledge.resources.theme import Theme
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.html.blocks import shown_by_site
from renderers.html.head import HeadMetadata
from renderers.html.lazy_variables import ALL_MACROS, with_macros
from renderers.html.template_types import attributes, is_method_of_model, is_model, parts
from renderers.html.templating import BUILT_IN, environment, new_environment

BUILT_IN_PREFIX = "majlis"
"""The folder under which templates of a site name built-in ones."""

_ENVIRONMENTS = 8
"""Two languages of the templates of a few editions."""

_PRIVATE = (ContentView, Snapshot)
"""What has texts that are not published."""

_MODELS: Mapping[str, type] = {
    "page": PageModel,
    "locale": Locale,
    "chrome": SiteChrome,
    "head": HeadMetadata,
    "theme": Theme,
}
"""The types of variables that all pages have."""

_VALUES = (str, Mapping, list, tuple, date, Decimal, Anchors, LoopContext, Cycler, Joiner)
"""The types whose methods templates may call, besides those that a model declares itself."""

_FUNCTIONS = (BlockReference, Cycler, Joiner, LoopContext, Macro)


class TemplateSandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, in which nothing can be changed, as pages and languages share it.

    Besides, nothing unpublished can be read, and only values and models have methods.
    """

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may read an attribute."""
        of_pydantic = isinstance(obj, BaseModel) and attr.startswith("model_")
        is_safe = super().is_safe_attribute(obj, attr, value)
        is_private = isinstance(obj, _PRIVATE) or isinstance(value, _PRIVATE)
        return is_safe and not of_pydantic and not is_private

    def is_safe_callable(self, obj: Any) -> bool:
        """Return whether a template may call a macro, a function of ours or a method."""
        is_known = (
            isinstance(obj, _FUNCTIONS)
            or isinstance(getattr(obj, "__self__", None), _VALUES)
            or is_method_of_model(obj)
            or any(obj is each for each in self.globals.values())
        )
        return is_known and super().is_safe_callable(obj)


@lru_cache(_ENVIRONMENTS)
def site_environment(templates: TemplateFiles, language: Language) -> Environment:
    """Return the environment of a site's templates in an interface language."""

    def text(name: str) -> tuple[str, str, None] | None:
        source = templates.texts.get(name)
        return None if source is None else (source, template_path(name), None)

    own = FunctionLoader(text)
    loader = ChoiceLoader([own, PrefixLoader({BUILT_IN_PREFIX: BUILT_IN}), BUILT_IN])
    env = new_environment(TemplateSandbox, loader, language)
    env.globals.pop("lipsum")  # as long a text as a template asks for
    # Nothing is left out of a page because of a template of the site: the built-in one is used.
    env.globals.update(
        shown=shown_by_site,
        made_once=lambda _name, caller: caller(),
        sections_of=lambda _page, sections, macro: Markup().join(map(macro, sections)),
    )
    return env


def chosen_template(page: PageModel[Resource]) -> str | None:
    """Return the template of the site that a page's document or kind chooses, if it is there."""
    own = page.view.snapshot.templates.texts
    if not own:
        return None
    shown = resolve_route(page.view, page.address)
    names = _chosen_names(
        page.view.snapshot, page.address, shown.fields.template if shown else None
    )
    return next((name for name in names if name in own), None)


def _chosen_names(snapshot: Snapshot, address: Address, chosen: str | None) -> Iterator[str]:
    kind = snapshot.kinds.by_name.get(address.page.kind)
    if chosen and not address.page.is_list:
        yield f"{chosen}.html"
    if kind is not None and address.page.is_list:
        yield f"{kind.name}-list.html"
    for each in (snapshot.kinds.by_name.get(str(found)) for found in address.page.content_types):
        if each is not None and not address.page.is_list:
            yield _template_of(each)


def _template_of(kind: Kind) -> str:
    """Return the template of the documents of a kind; `""` if its name is that of a list's."""
    chosen, own = kind.declared.template, f"{kind.name}.html"
    return f"{chosen}.html" if chosen else own if own not in _built_in_names() else ""


def used_templates(snapshot: Snapshot) -> frozenset[str]:
    """Return the names of templates that documents and kinds may choose."""
    kinds = snapshot.kinds.by_name.values()
    lists = (f"{each.name}-list.html" for each in kinds)
    documents = (document.fields.template for _, document in snapshot.by_path.values())
    chosen = (f"{name}.html" for name in documents if name)
    return frozenset((*map(_template_of, kinds), *lists, *chosen))


def render_template(
    name: str,
    context: Mapping[str, Any],
    language: Language,
    templates: TemplateFiles,
    instead: str | None = None,
) -> str:
    """Render a template of the site, else the built-in one, also if that of the site raises.

    `instead` is the built-in one, if it has another name.
    """
    if not templates.texts:
        return _rendered(environment(language), name, context)
    ids: Anchors | None = context.get("ids")
    try:
        own = {**context, **({"ids": ids.copy()} if ids else {})}
        return _rendered(site_environment(templates, language), name, own)
    except Exception as error:  # whatever an author wrote must not take a page away
        text = _rendered(environment(language), instead or name, context)
        path, line = _place(error, name, templates)
        templates.faults.note(path, line, str(error) or type(error).__name__)
        return text


def _rendered(env: Environment, name: str, context: Mapping[str, Any]) -> str:
    variables = with_macros(env, context)
    try:
        return env.get_template(name).render(variables)
    finally:
        variables.clear()  # it is in its own macros, and would wait for the collector of cycles


def _place(error: Exception, name: str, templates: TemplateFiles) -> tuple[str, int]:
    """Return path and line of the innermost template of the site in which an error occurred."""
    own = [*_frames(error)]
    if own:
        return own[-1]
    guilty = name if name in templates.texts else next(iter(templates.texts))
    return template_path(guilty), 1


def _frames(error: Exception) -> Iterator[tuple[str, int]]:
    prefix = f"{TEMPLATES_FOLDER}/"
    for frame, line in walk_tb(error.__traceback__):
        if frame.f_code.co_filename.startswith(prefix):
            yield frame.f_code.co_filename, line
    filename = getattr(error, "filename", None)
    if isinstance(error, TemplateError) and filename and filename.startswith(prefix):
        yield filename, getattr(error, "lineno", 1)


def template_diagnostics(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """Yield what does not fit in the templates of a site, without rendering them."""
    templates = snapshot.templates
    if not templates.texts:
        return
    used = used_templates(snapshot)
    env = site_environment(templates, Language.EN)
    trees: dict[str, nodes.Template] = {}
    for name, text in templates.texts.items():
        try:
            trees[name] = env.parse(text, name)
        except TemplateSyntaxError as error:
            yield template_fault(template_path(name), error.lineno, Text("{}.", error.message))
    referenced = {name for tree in trees.values() for name, _ in _referenced(tree)}
    for name, tree in trees.items():
        if name not in _built_in_names() | referenced | used:
            advice = Text(
                "{} Or include it from another template.", _nearest(name, _built_in_names())
            )
            yield template_fault(
                template_path(name), 1, Text("No page uses this template."), advice
            )
        yield from _unknown_templates(name, tree, templates)
        yield from _unknown_blocks(name, tree, trees)
        unknown_filters = [*_unknown_filters(name, tree, env)]
        yield from unknown_filters or _unknown_variables(name, tree, trees.values())
        yield from _unknown_attributes(name, tree)


def _unknown_templates(
    name: str, tree: nodes.Template, templates: TemplateFiles
) -> Iterator[Diagnostic]:
    own = {*templates.texts, *_built_in_names()}
    known = {*own, *(f"{BUILT_IN_PREFIX}/{each}" for each in _built_in_names())}
    for referenced, line in _referenced(tree):
        if referenced not in known:
            message = Text("There is no template “{}”.", referenced)
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
            message = Text("The extended template has no block “{}”.", node.name)
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
        found = trees.get(parent) or built_in_trees().get(built_in)
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
        message = Text("There is no variable “{}”.", variable)
        path, line = template_path(name), min(lines, default=1)
        yield template_fault(path, line, message, _nearest(variable, known))


def _unknown_filters(name: str, tree: nodes.Template, env: Environment) -> Iterator[Diagnostic]:
    used: tuple[tuple[type[nodes.Filter | nodes.Test], str, Iterable[str]], ...] = (
        (nodes.Filter, Text("filter"), env.filters),
        (nodes.Test, Text("test"), env.tests),
    )
    for kind, word, known in used:
        for node in tree.find_all(kind):
            if node.name not in known:
                message = Text("There is no {} “{}”.", word, node.name)
                advice = _nearest(node.name, known)
                yield template_fault(template_path(name), node.lineno, message, advice)


def _unknown_attributes(name: str, tree: nodes.Template) -> Iterator[Diagnostic]:
    """Report attributes that a variable of a known type does not have."""
    assigned = {*_assigned(tree)}
    for node in tree.find_all(nodes.Getattr):
        model = _model_of(node.node, assigned)
        # A model with subclasses may be one of them, which has more.
        if model is None or model.__subclasses__() or node.attr in attributes(model):
            continue
        if not hasattr(model, node.attr):
            message = Text("“{}” has no attribute “{}”.", _written(node.node), node.attr)
            advice = _nearest(node.attr, attributes(model))
            yield template_fault(template_path(name), node.lineno, message, advice)


def _model_of(node: nodes.Expr, assigned: Collection[str]) -> type | None:
    """Return the model that an expression is, None if it is not known."""
    if isinstance(node, nodes.Name):
        return None if node.name in assigned else _MODELS.get(node.name)
    owner = _model_of(node.node, assigned) if isinstance(node, nodes.Getattr) else None
    hint = attributes(owner).get(node.attr) if owner and isinstance(node, nodes.Getattr) else None
    found = [each for each in parts(hint) if each is not NoneType]
    return found[0] if len(found) == 1 and is_model(found[0]) else None  # type: ignore[return-value]


def _written(node: nodes.Expr) -> str:
    if isinstance(node, nodes.Getattr):
        return f"{_written(node.node)}.{node.attr}"
    return node.name if isinstance(node, nodes.Name) else ""


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
    trees = built_in_trees().values()
    used = (name for tree in trees for name in meta.find_undeclared_variables(tree))
    assigned = (name for tree in trees for name in _assigned(tree))
    return frozenset((*used, *assigned, *ALL_MACROS, *environment(Language.EN).globals))


@cache
def _built_in_names() -> frozenset[str]:
    return frozenset(name for name in BUILT_IN.list_templates() if name.endswith(".html"))


@cache
def built_in_trees() -> dict[str, nodes.Template]:
    """Return the built-in templates, parsed."""
    env: Environment = environment(Language.EN)
    return {name: env.parse(BUILT_IN.get_source(env, name)[0], name) for name in _built_in_names()}


def _nearest(name: str, known: Iterable[str]) -> Text:
    found = get_close_matches(name, sorted(known), 1)
    if found:
        return Text("Did you mean “{}”?", found[0])
    return Text("Correct the name, or remove it.")
