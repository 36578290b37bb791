"""The templates of a site, in a sandbox: they replace built-in ones, or blocks of them.

A file `post.html` replaces the template of that name everywhere; `majlis/post.html` is always the
built-in one, so that `{% extends "majlis/post.html" %}` changes only some blocks. A template that
raises is not used for that page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache
from traceback import walk_tb
from typing import Any

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PrefixLoader, TemplateError
from jinja2.runtime import BlockReference, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Cycler, Joiner
from pydantic import BaseModel

from knowledge.documents.site_look import TEMPLATES_FOLDER, TemplateFiles, template_path
from knowledge.locales.locale import Language
from knowledge.markdown.anchors import Anchors
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.html.templating import BUILT_IN, environment, new_environment

BUILT_IN_PREFIX = "majlis"
"""The folder under which templates of a site name built-in ones."""

_ENVIRONMENTS = 8
"""Two languages of the templates of a few editions."""

_PRIVATE = (ContentView, Snapshot)
"""What has texts that are not published."""

_VALUES = (str, Mapping, list, tuple, date, Decimal, Anchors, LoopContext, Cycler, Joiner)
"""The types whose methods templates may call."""

_FUNCTIONS = (BlockReference, Cycler, Joiner, LoopContext, Macro)


class TemplateSandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, in which nothing can be changed, as pages and languages share it.

    Besides, nothing unpublished can be read, and only values have methods.
    """

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may read an attribute."""
        of_pydantic = isinstance(obj, BaseModel) and attr.startswith("model_")
        is_safe = super().is_safe_attribute(obj, attr, value)
        return is_safe and not of_pydantic and not isinstance(value, _PRIVATE)

    def is_safe_callable(self, obj: Any) -> bool:
        """Return whether a template may call a macro, a function of ours or a method."""
        is_known = (
            isinstance(obj, _FUNCTIONS)
            or isinstance(getattr(obj, "__self__", None), _VALUES)
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
    return env


def render_template(
    name: str, context: Mapping[str, Any], language: Language, templates: TemplateFiles
) -> str:
    """Render a template of the site, else the built-in one, also if that of the site raises."""
    if not templates.texts:
        return environment(language).get_template(name).render(context)
    ids: Anchors | None = context.get("ids")
    try:
        own = site_environment(templates, language).get_template(name)
        return own.render({**context, **({"ids": ids.copy()} if ids else {})})
    except Exception as error:  # whatever an author wrote must not take a page away
        text = environment(language).get_template(name).render(context)
        path, line = _place(error, name, templates)
        templates.faults.note(path, line, str(error) or type(error).__name__)
        return text


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
