"""Tools: what agents may call, the arguments that a call needs, and its result as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from itertools import product
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, to_json

from app.platform.printable import printable
from app.platform.submitted_fields import SubmittedFields
from app.publishing.content.assumed_locale import CountrySource, named_countries
from app.publishing.content.store import Edition
from knowledge.fields.field_types import enum_schema
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.errors import MajlisError
from knowledge.resources.search import searched_kinds
from knowledge.resources.site_map import BuiltinPage
from knowledge.resources.site_page import DocumentationPage
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from llms.mcp_server import McpServer
from llms.phrases import SiteWords

Manual = Callable[[ContentView, BuiltinPage], DocumentationPage]


@dataclass(frozen=True, slots=True)
class ToolContext:
    """All that a tool knows of its request; `locale` is the one to use if a call names none."""

    edition: Edition
    locale: Locale
    now: datetime
    base_url: str
    server: McpServer
    """The facts of the server, which guides name."""
    manual: Manual | None = None
    """Returns the manual of the API, which depends on the routes of the application."""
    country_source: CountrySource = CountrySource.DEFAULT
    """Where the country of the locale is from."""

    def view(self, locale: Locale) -> ContentView:
        """Return the content as the readers of a locale see it at the instant of the request."""
        return ContentView(self.edition.snapshot, locale, self.now, self.base_url)


class ToolError(Exception):
    """A call cannot be answered; its text, which the agent reads, says why and what to do."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool, which only reads.

    `use` says which questions it is for: a template of the words of a site. The models of
    `arguments` and `result` give the two schemas. `call` runs in a thread, and may
    raise ToolError. Calls of a tool that `searches` count as searches and wait for each other; the
    audience counts them with the number of `hits` of their results, and reads of a `page` by its
    path.
    """

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    result: type[BaseModel]
    call: Callable[[ToolContext, Any], BaseModel]
    searches: bool = False
    hits: Callable[[Any], int] | None = None
    page: Callable[[Any], str] | None = None
    use: str = ""
    of_site: Callable[[Snapshot], Mapping[str, Mapping[str, Any]] | None] | None = None
    """Returns what the schema of each argument says of a site; None where the tool is not there."""

    def is_there(self, snapshot: Snapshot) -> bool:
        """Return whether a site has the tool."""
        return self.of_site is None or self.of_site(snapshot) is not None


_MAX_ECHOED = 80
_MARKUP = dict.fromkeys(map(ord, "`*[]<>\\|~"), " ")
"""Signs of markdown and HTML within a line."""
_SIMILAR = 0.5
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")


class Arguments(SubmittedFields):
    """Base class of the arguments of a tool: immutable, and no others are accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    unlisted: ClassVar[Collection[str]] = ()
    """Arguments that are taken, but that the schema does not name."""


ModelT = TypeVar("ModelT", bound=BaseModel)


def read_arguments(model: type[ModelT], given: Mapping[str, object]) -> ModelT:
    """Return the arguments of a call; raises ToolError, which says in a sentence what is wrong."""
    given = {name: value for name, value in given.items() if value is not None}
    unknown = [name for name in given if name not in model.model_fields]
    if unknown:
        raise ToolError(_unknown(unknown[0], list(model.model_fields)))
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise ToolError(_invalid(error.errors(include_url=False)[0], model)) from None


def _unknown(name: str, known: list[str]) -> str:
    shown, near = shortened(name), nearest_name(name, known)
    instead = f"Use “{near}” instead." if near else f"Allowed are {', '.join(known)}."
    return f"There is no argument “{shown}”. {instead}"


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the name that was probably meant, or None.

    >>> nearest_name("userQuery", ["query"]), nearest_name("language", ["country", "lang"])
    ('query', 'lang')
    >>> nearest_name("sort", ["country", "lang"]) is None
    True
    """
    by_words = {_words(each): each for each in known}
    if len(by_words) == 1:
        return next(iter(by_words.values()))
    words = _words(name)
    within = [
        each
        for each in by_words
        if any(a.startswith(b) or b.startswith(a) for a, b in product(words, each))
    ]
    if within:
        return by_words[within[0]]
    spelled = {"".join(each): each for each in by_words}
    near = get_close_matches("".join(words), spelled, n=1, cutoff=_SIMILAR)
    return by_words[spelled[near[0]]] if near else None


def _words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(_CAPITAL.sub(" ", name)))


def _invalid(error: ErrorDetails, model: type[BaseModel]) -> str:
    name = str(error["loc"][0]) if error["loc"] else "arguments"
    schema = _plain(model.model_json_schema())["properties"].get(name, {})
    if error["type"] == "missing":
        return f"{name} is required. Send {name} as {allowed(schema)}."
    return not_allowed(name, str(error["input"]), allowed(schema))


def not_allowed(name: str, value: str, instead: str) -> str:
    """Return what is wrong with the value of an argument, and what it may be."""
    return f"{name}: “{shortened(value)}” is not allowed. Send {name} as {instead}."


def allowed(schema: Mapping[str, Any]) -> str:
    """Return what the schema of an argument allows, in words.

    >>> allowed({"type": "integer", "minimum": 1, "maximum": 10})
    'an integer from 1 to 10'
    >>> allowed({"enum": ["post", "page"]}), allowed({"type": "string"})
    ('one of post, page', 'a text')
    """
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if schema.get("type") == "integer":
        return f"an integer from {schema['minimum']} to {schema['maximum']}"
    description = str(schema.get("description", "a text"))
    return description[0].lower() + description[1:]


def shortened(text: str) -> str:
    r"""Return what a client sent as it is repeated in an error: on one line, plain, and not long.

    Agents read it as a text of the site, so nothing in it is markdown or HTML.

    >>> shortened("/erp\n# Now\n[open](https://a.example)`<b>`")
    '/erp # Now open (https://a.example) b'
    """
    line = printable(" ".join(text.translate(_MARKUP).split()))
    return line if len(line) <= _MAX_ECHOED else f"{line[:_MAX_ECHOED]}…"


def argument_schema(model: type[Arguments]) -> dict[str, Any]:
    """Return the JSON Schema of arguments."""
    schema = _plain(model.model_json_schema())
    for name in model.unlisted:
        del schema["properties"][name]
    return schema


def result_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of a result."""
    return _plain(model.model_json_schema(mode="serialization"))


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without references, which some clients do not follow.

    Titles repeat the names, and docstrings of models are not for agents: both cost them tokens.
    """
    definitions = schema.pop("$defs", {})
    plain: dict[str, Any] = _inlined(schema, definitions)
    return plain


def _inlined(part: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_inlined(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in part:
        (only,) = [each for each in part["anyOf"] if each.get("type") != "null"]
        part = {**only, **{key: part[key] for key in part if key != "anyOf"}}
    return {
        key: {name: _inlined(each, definitions) for name, each in value.items()}
        if key == "properties"
        else _inlined(value, definitions)
        for key, value in part.items()
        if not (key == "title" or (key == "default" and value is None))
        and not (key == "description" and "properties" in part)
    }


_ANNOTATIONS: Mapping[str, bool] = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


@dataclass(frozen=True, slots=True)
class Result:
    """A result: a JSON object without its closing brace, so that fields can follow.

    One that is not `final` is computed anew for each request. The audience is told `hits` and
    `page`.
    """

    open_json: bytes
    final: bool = True
    hits: int | None = None
    page: str | None = None


USE_TOKENS = 40
"""How many tokens a description may have for the questions that a tool is for."""


def tool_definition(
    tool: Tool,
    countries: Sequence[object] = (),
    words: SiteWords | None = None,
    kinds: Sequence[str] = (),
    own: Mapping[str, Mapping[str, Any]] | None = None,
) -> Mapping[str, object]:
    """Return a tool as `tools/list` describes it, on a site with these countries and kinds.

    The words of the site say which questions the tool is for, and `own` what arguments are there.
    """
    use = words.fill(tool.use, USE_TOKENS) if words else ""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": f"{tool.description} {use}".rstrip(),
        "inputSchema": with_options(argument_schema(tool.arguments), countries, kinds, own or {}),
        "outputSchema": result_schema(tool.result),
        "annotations": {"title": tool.title, **_ANNOTATIONS},
    }


def call_tool(tool: Tool, arguments: Mapping[str, Any], context: ToolContext) -> Result:
    """Return the result of a call; what an agent can put right is a result that says how."""
    try:
        result = tool.call(context, read_arguments(tool.arguments, arguments))
    except ToolError as error:
        return _failed(str(error))
    except MajlisError as error:
        return _failed(told(error))
    hits = tool.hits(result) if tool.hits else None
    page = tool.page(result) if tool.page else None
    return Result(_succeeded(result), hits=hits, page=page)


def told(error: MajlisError) -> str:
    """Return what an error says, and what to do."""
    return f"{error.message.removesuffix('.')}. {error.resolution}"


def _succeeded(result: BaseModel) -> bytes:
    """Return a result with the same facts twice, as some clients read only one of the fields."""
    text = result.model_dump_json(by_alias=True)
    content = b'{"content":[{"type":"text","text":%b}],' % to_json(text)
    return b'%b"structuredContent":%b,"isError":false' % (content, text.encode())


def _failed(message: str) -> Result:
    content = b'{"content":[{"type":"text","text":%b}],"isError":true' % to_json(message)
    return Result(content, final=False)


def with_options(
    schema: Mapping[str, Any],
    countries: Sequence[object],
    kinds: Sequence[str],
    own: Mapping[str, Mapping[str, Any]],
) -> Mapping[str, Any]:
    """Return the schema of arguments with what a site has, such as its countries."""
    shared = {"country": ("oneOf", countries), "kind": ("enum", list(kinds))}
    options = {name: {key: each} for name, (key, each) in shared.items() if each} | {**own}
    properties = {
        name: {**each, **options.get(name, {})} for name, each in schema["properties"].items()
    }
    return {**schema, "properties": properties}


_KINDS = searched_kinds()


def _one_of(known: Collection[str]) -> AfterValidator:
    """Return a validator of words in any letter case."""

    def validate(word: str | None) -> str | None:
        if word is not None and word.lower() not in known:
            raise ValueError
        return word and word.lower()

    return AfterValidator(validate)


_LOWER = AfterValidator(lambda word: word and word.lower())


class LocaleArguments(Arguments):
    """The visitors for whom a call asks."""

    country: Annotated[str | None, Field(description="A country, or its city")] = None
    lang: Annotated[str | None, _one_of(tuple(Language)), enum_schema(Language)] = None

    def view(self, context: ToolContext) -> ContentView:
        """Return what the visitors see who are asked for; raises ToolError."""
        known = context.edition.snapshot.open
        language = Language(self.lang) if self.lang else context.locale.language
        if language not in known.languages:
            language = context.locale.language
        return context.view(Locale(self._country(context, known.countries), language))

    def _country(self, context: ToolContext, known: Collection[Country]) -> Country | None:
        """Return the country that is asked for; a site without countries ignores it."""
        if not self.country or not known:
            return context.locale.country
        country = named_countries(context.view(context.locale)).meant_by(self.country)
        if country is None:
            codes = f"one of {', '.join(each.slug for each in known)}"
            raise ToolError(not_allowed("country", self.country, codes))
        return country


class VisitorArguments(LocaleArguments):
    """The visitors whose pages are searched or listed, and the kind of the pages."""

    kind: Annotated[str | None, _LOWER, enum_schema(_KINDS)] = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that are asked for, none for all."""
        return (self.kind,) if self.kind else ()

    def view(self, context: ToolContext) -> ContentView:
        """Return what the visitors see who are asked for; raises ToolError."""
        kinds = searched_kinds(context.edition.snapshot.page_types)
        if self.kind and self.kind not in kinds:
            raise ToolError(not_allowed("kind", self.kind, f"one of {', '.join(kinds)}"))
        return super().view(context)


def country_options(countries: Sequence[Country], language: Language) -> list[dict[str, str]]:
    """Return the countries as the options of a JSON Schema, with their names as titles."""
    return [{"const": each.slug, "title": cldr.country_name(each, language)} for each in countries]
