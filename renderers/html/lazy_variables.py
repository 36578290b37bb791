"""Variables of templates that are made when one first reads them: macros, and former variables."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from jinja2 import Environment
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing

FREE_MACROS = {
    "anchored": "headings",
    "former": "headings",
    "self_link": "headings",
    "table_of_contents": "table_of_contents",
}
"""Macros that every template may call, by the file in `parts/`.

The built-in ones read no variable.
"""

MACROS = {
    "heading": "headings",
    "titled": "page_menu",
    "search": "search",
    "contact_line": "contact_details",
    "contact_list": "contact_details",
    "own_facts": "own_facts",
    "profiles": "contact_details",
}
"""Those that read the variables of the page."""

MODULES = {
    "cards": "cards",
    "documentation": "documentation",
    "enquiries": "enquiry",
    "nothing": "nothing_found",
    "pages": "paging",
    "parts": "sections",
}
"""The macros of whole files in `parts/`, by the name under which templates know them."""


ALL_MACROS = frozenset((*FREE_MACROS, *MACROS, *MODULES))
"""The names of all of them."""


class Later:
    """A variable that is made at most once, when a template first reads it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: list[Any] = []

    def value(self) -> Any:
        """Return the value."""
        if not self._made:
            self._made.append(self._make())
        return self._made[0]


class LazyContext(Context):
    """The variables of a template, of which some are made when they are read."""

    def resolve_or_missing(self, key: str) -> Any:
        """Return the value of a variable."""
        # Without a call, as a page reads some hundred of them.
        found = self.vars[key] if key in self.vars else self.parent.get(key, missing)
        return found.value() if type(found) is Later else found


def with_macros(env: Environment, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the variables of a page with the macros of the built-in parts, made once for it."""
    shown: dict[str, Any] = {}

    def module(part: str) -> Any:
        return env.get_template(f"parts/{part}.html").make_module(shown, shared=True)

    # Those of a site may read what they like.
    free = {} if isinstance(env, SandboxedEnvironment) else _free(env)
    macros = {name: part for name, part in (FREE_MACROS | MACROS).items() if name not in free}
    modules = {part: Later(partial(module, part)) for part in {*macros.values(), *MODULES.values()}}
    shown |= env.globals | free
    shown |= {name: modules[part] for name, part in MODULES.items()}
    shown |= {name: Later(partial(_macro, modules[part], name)) for name, part in macros.items()}
    shown |= variables
    return shown


@lru_cache(maxsize=16)
def _free(env: Environment) -> dict[str, Any]:
    """Return the macros that read no variable, which all pages share."""
    return {
        name: getattr(env.get_template(f"parts/{part}.html").module, name)
        for name, part in FREE_MACROS.items()
    }


def _macro(module: Later, name: str) -> Any:
    return getattr(module.value(), name)
