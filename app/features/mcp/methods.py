"""Methods: what each method of the protocol reads from its parameters, and what it returns."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from pydantic_core import to_json

from app.features.mcp import messages, resources
from app.features.mcp.server import ENDPOINT, SERVER_NAME, SERVER_VERSION, SUPPORTED_VERSIONS
from app.features.mcp.tool import (
    Result,
    Tool,
    ToolContext,
    call_tool,
    country_options,
    shortened,
    tool_definition,
)
from app.platform.submitted_fields import is_absent
from knowledge.documents.body import one_line
from knowledge.locales import cldr
from knowledge.locales.locale import Language
from knowledge.resources.search import searched_kinds
from knowledge.resources.site_chrome import brand, site_title
from knowledge.views.content_view import ContentView
from llms.phrases import SiteWords, in_english
from renderers.pages.content import enquiry_text
from renderers.representation import split_suffix

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a request; equal keys have equal results. A search looks for its `query`."""

    key: bytes
    call: Callable[[ToolContext], Result]
    searches: bool = False
    query: str = ""


@dataclass(frozen=True, slots=True)
class Method:
    """A method: `prepare` reads its parameters. Clients may keep what a `cacheable` one returns."""

    prepare: Callable[[Params], Work]
    cacheable: bool = False


_CAPABILITIES: Mapping[str, object] = {
    "tools": {},
    "resources": {},
    "prompts": {},
    "extensions": {resources.SKILLS_EXTENSION: {}},
}
"""There are no prompts; clients that ask for them nevertheless get an empty list."""


class Methods:
    """The methods of both eras, for the resources of the server and some tools."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        shared = dict(self._shared())
        versions = {"supportedVersions": SUPPORTED_VERSIONS}
        discover = partial(self._introduction, versions)
        self._modern = {**shared, messages.DISCOVER: self._listing(messages.DISCOVER, discover)}
        self._legacy = {
            **shared,
            messages.INITIALIZE: Method(self._initialize),
            "ping": Method(lambda _: Work(b"ping", lambda _: Result(b"{"))),
        }

    def find(self, name: str, *, modern: bool) -> Method:
        """Return a method; raises ProtocolError if there is none in the era."""
        method = (self._modern if modern else self._legacy).get(name)
        if method is None:
            status = 404 if modern else 200
            raise messages.ProtocolError(
                messages.METHOD_NOT_FOUND, "This server has no such method.", status
            )
        return method

    def _shared(self) -> Iterator[tuple[str, Method]]:
        yield "tools/call", Method(self._call)
        yield "resources/read", Method(self._read, cacheable=True)
        yield "skills/get", Method(_get_skill, cacheable=True)
        lists: Mapping[str, Callable[[ToolContext], Result]] = {
            "tools/list": self._list_tools,
            "resources/list": partial(_list, "resources", resources.list_resources),
            "resources/templates/list": partial(
                _list, "resourceTemplates", resources.list_templates
            ),
            "prompts/list": lambda _: Result(b'{"prompts":[]'),
            "skills/list": lambda context: Result(
                b'{"skills":' + to_json([resources.skill_entry(resources.current_skill(context))])
            ),
        }
        for name, call in lists.items():
            yield name, self._listing(name, call)

    def _listing(self, name: str, call: Callable[[ToolContext], Result]) -> Method:
        return Method(partial(_whole_list, name.encode(), call), cacheable=True)

    def _call(self, params: Params) -> Work:
        name = _text(params, "name")
        tool = self._tools.get(name)
        if tool is None:
            known = ", ".join(self._tools)
            raise messages.ProtocolError(
                messages.INVALID_PARAMS, f"There is no such tool. The tools are: {known}."
            )
        arguments = {} if is_absent(params.get("arguments")) else params["arguments"]
        if not isinstance(arguments, dict):
            raise messages.ProtocolError(
                messages.INVALID_PARAMS, "arguments: send them as an object."
            )
        key = to_json(("tools/call", name, arguments))
        query = arguments.get("query")
        query = query if isinstance(query, str) else ""
        return Work(key, partial(call_tool, tool, arguments), tool.searches, query)

    def _read(self, params: Params) -> Work:
        uri = _text(params, "uri")
        return Work(to_json(("resources/read", uri)), partial(self._read_resource, uri))

    def _read_resource(self, uri: str, context: ToolContext) -> Result:
        read = resources.read_resource(context, uri)
        content = {"uri": read.uri, "mimeType": read.media_type, "text": read.text}
        path = split_suffix(read.uri.removeprefix(context.base_url))[0]
        return Result(b'{"contents":' + to_json([content]), page=path)

    def _list_tools(self, context: ToolContext) -> Result:
        snapshot, countries = context.edition.snapshot, context.edition.snapshot.open.countries
        options = country_options(countries, context.locale.language)
        kinds = searched_kinds(snapshot.page_types)
        words = SiteWords.of(in_english(context.view(context.locale)))
        definitions = [
            tool_definition(tool, options, words, kinds, tool.of_site and tool.of_site(snapshot))
            for tool in self._tools.values()
            if tool.is_there(snapshot)
        ]
        return Result(b'{"tools":' + to_json(definitions))

    def _initialize(self, params: Params) -> Work:
        version = messages.negotiated(_text(params, "protocolVersion"))
        return Work(to_json((messages.INITIALIZE, version)), partial(self._introduce, version))

    def _introduce(self, version: str, context: ToolContext) -> Result:
        server = {
            "name": SERVER_NAME,
            "title": brand(context.view(context.locale)),
            "version": SERVER_VERSION,
            "websiteUrl": context.base_url,
        }
        return self._introduction({"protocolVersion": version, "serverInfo": server}, context)

    def _introduction(self, fields: Mapping[str, object], context: ToolContext) -> Result:
        text = instructions(context, tuple(self._tools.values()))
        whole = {**fields, "capabilities": _CAPABILITIES, "instructions": text}
        return Result(to_json(whole).removesuffix(b"}"))


def _whole_list(key: bytes, call: Callable[[ToolContext], Result], params: Params) -> Work:
    """Return the work of a list, which has one page and therefore no cursor."""
    if not is_absent(params.get("cursor")):
        raise messages.ProtocolError(
            messages.INVALID_PARAMS, "cursor: there are no further pages. Leave it out."
        )
    return Work(key, call)


def _get_skill(params: Params) -> Work:
    uri = _text(params, "uri")

    def call(context: ToolContext) -> Result:
        skill = resources.current_skill(context)
        if uri != resources.skill_uri(skill):
            message = f"There is no skill {shortened(uri)}. skills/list has those that there are."
            raise messages.ProtocolError(messages.INVALID_PARAMS, message)
        return Result(b'{"skill":' + to_json(resources.skill_entry(skill)))

    return Work(to_json(("skills/get", uri)), call)


def _text(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise messages.ProtocolError(messages.INVALID_PARAMS, f"{name}: send it as a text.")
    return value


def _list(
    name: str,
    entries: Callable[
        [ToolContext], Sequence[resources.ResourceEntry | resources.ResourceTemplate]
    ],
    context: ToolContext,
) -> Result:
    """Return resources or templates as the protocol writes them."""
    names = {"media_type": "mimeType", "uri_template": "uriTemplate"}
    described = [
        {names.get(key, key): value for key, value in asdict(each).items()}
        for each in entries(context)
    ]
    return Result(b'{"%b":%b' % (name.encode(), to_json(described)))


_TITLE_CHARACTERS = 120
_TOKENS = 36
_TOKENS_WITH_PLACES = 80
"""How many tokens the subjects of one language may have, alone and with the countries."""


def instructions(context: ToolContext, tools: Sequence[Tool]) -> str:
    """Return the instructions for the locale of a request."""
    return " ".join(filter(None, _sentences(context.view(context.locale), tools)))


def _sentences(view: ContentView, tools: Sequence[Tool]) -> Iterator[str]:
    english = in_english(view)
    words = SiteWords.of(english)
    yield f"What the site of {words.site} publishes for readers{words.places}, {_spoken(view)}."
    yield words.fill("Subjects: {subjects}.", _TOKENS)
    yield "Every result has the URL to cite, which leads to its passage."
    there = (tool for tool in tools if tool.is_there(view.snapshot))
    named_tools = "; ".join(f"{tool.name}: {tool.title}" for tool in there)
    yield f"All tools only read. {named_tools}."
    yield _locale_hint(view)
    yield from _in_other_languages(english)
    yield enquiry_text(english) or ""
    yield f"The title of the site is: {one_line(site_title(view), _TITLE_CHARACTERS)}."
    yield f"The same content as an overview is at {view.base_url}/llms.txt."


def _spoken(view: ContentView) -> str:
    languages = view.snapshot.locales.languages
    return f"in {' and '.join(cldr.language_name(each, Language.EN) for each in languages)}"


def _in_other_languages(view: ContentView) -> Iterator[str]:
    """Yield the subjects in each other language of the site, for questions in it."""
    for language in view.snapshot.open.languages:
        locale = view.locale.in_language(language)
        if locale != view.locale and locale in view.snapshot.open_locales:
            words = SiteWords.of(view.for_locale(locale))
            yield words.fill("{site}{places}: {subjects}.", _TOKENS_WITH_PLACES)


def _locale_hint(view: ContentView) -> str:
    """Return how to name the readers' locale; nothing if there is only one."""
    if len(view.snapshot.locales.all) == 1:
        return ""
    names = ("country", "lang") if view.snapshot.locales.countries else ("lang",)
    query = "&".join(f"{name}=…" for name in names)
    return (
        f"Pages differ by {' and '.join(names)}: name the reader's in the call, in a query or in"
        f" the address ({ENDPOINT}?{query})."
    )
