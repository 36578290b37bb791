"""What a static host needs beside the files: redirects, headers and media types.

`_redirects` and `_headers` are the files of Netlify and Cloudflare Pages. `nginx.conf` is to be
included in a `server` of nginx that names the folder as its `root`. A page is a file with the
suffix `.html`, which none of them shows in its address.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import basename, splitext
from urllib.parse import quote, unquote

from app.operations.export.pages import SiteFile
from app.web.http.response_headers import SCRIPT_SOURCE, policy_allowing
from knowledge.addresses.addresses import split_locale
from knowledge.fields.file_types import OWN_FILE
from knowledge.locales.locale import Locale
from knowledge.snapshot.redirect_rules import GONE, PLACEHOLDER, RedirectRule
from renderers.representation import SUFFIXED_MEDIA_TYPES

_BREAKING = r"\x00-\x1f\x5c\x7f"
"""What a browser drops or reads as a slash, and what ends a header, in a class of characters."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A redirect; `source` is a decoded path, or a pattern of `_redirects`."""

    source: str
    target: str
    status: int
    is_pattern: bool = False


def moved_by_rule(rule: RedirectRule, locale: Locale) -> Moved:
    """Return what a rule with placeholders does; a page without a locale is in this one."""
    is_complete = rule.is_external or split_locale(rule.target_path)[0] is not None
    is_file = "." in basename(rule.target_path)
    target = rule.target if is_complete or is_file or not rule.target else locale.path + rule.target
    return Moved(rule.source, target, rule.status, is_pattern=True)


REDIRECTS, HEADERS, NGINX = "_redirects", "_headers", "nginx.conf"
_HOME = "index.html"
_PRIVATE = (REDIRECTS, HEADERS, NGINX)
_FOREVER = "public, max-age=31536000, immutable"
_POLICY = "content-security-policy"
_SHARED = ("x-content-type-options", "referrer-policy", "strict-transport-security")
_OF_PAGES = (_POLICY, "permissions-policy", "cross-origin-opener-policy", "content-signal")
_NAME = re.compile(r":([A-Za-z]\w*)")
_NOT_INDEXED = [each.suffix for each in SUFFIXED_MEDIA_TYPES]
"""The suffixes of other forms of pages, for which search engines have the page itself."""

_WITH_SLASH = rf"^(/(?![/\x5c])[^?{_BREAKING}]*[^?/{_BREAKING}])/+(\?[^{_BREAKING}]*)?$"
"""A path with a slash at its end; two at its beginning would be read as a host."""

_PATH_SAFE = "/:@!$&'()*+,;=-._~"


@dataclass(slots=True)
class Hosting:
    """What the files of an export need, as they become known."""

    locales: Sequence[Locale]
    form_action: str = ""
    """The origin that forms are sent to, `""` for none."""
    moved: list[Moved] = field(default_factory=list)
    _types: dict[str, str] = field(default_factory=dict)
    _page_headers: Mapping[str, str] = field(default_factory=dict)
    _asset_headers: Mapping[str, str] = field(default_factory=dict)
    _scripts: set[str] = field(default_factory=set)
    """The scripts of pages, by the hashes by which their policies allow them."""

    def add(self, file: SiteFile) -> str:
        """Note a file, and return its name below the folder."""
        name = self._name(file)
        self._types[name] = file.media_type
        if name.endswith(".html") and file.status == 200:
            self._page_headers = self._page_headers or file.headers
            self._scripts.update(SCRIPT_SOURCE.findall(file.headers.get(_POLICY, "")))
        elif "sandbox" in file.headers.get(_POLICY, ""):
            self._asset_headers = self._asset_headers or file.headers
        return name

    def _name(self, file: SiteFile) -> str:
        if file.path == "/":
            return _HOME
        suffix = splitext(file.path)[1]
        if file.media_type.startswith("text/html"):
            return file.path[1:] if suffix == ".html" else f"{file.path[1:]}.html"
        return file.path[1:] if suffix else f"{file.path[1:]}.json"

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield name and text of each file for hosts."""
        yield REDIRECTS, self._redirects()
        yield HEADERS, self._headers()
        yield NGINX, self._nginx()
        yield ".nojekyll", ""

    def _ordered(self) -> list[Moved]:
        """Return the redirects, single paths first, then the patterns in their order."""
        single = (each for each in self.moved if not each.is_pattern)
        patterns = (each for each in self.moved if each.is_pattern)
        return [*sorted(single, key=lambda each: each.source), *patterns]

    def _redirects(self) -> str:
        lines = [
            f"{each.source if each.is_pattern else quote(each.source, safe=_PATH_SAFE)}"
            f" {each.target} {each.status}\n"
            for each in self._ordered()
            if each.status != GONE
        ]
        rewrites = (f"/{path} /{path}.json 200\n" for path in self._answers())
        missing = (f"{locale.path}/* {locale.path}/404.html 404\n" for locale in self.locales)
        return "".join([*lines, *rewrites, *missing])

    def _answers(self) -> list[str]:
        """Return the paths of the API that have a file."""
        names = (name for name in self._types if name.startswith("api/"))
        return sorted(name.removesuffix(".json") for name in names)

    def _headers(self) -> str:
        rules: dict[str, list[str]] = defaultdict(list)
        rules["/*"] += _lines(self._shared())
        for prefix in self._prefixes():
            rules[f"/{prefix}/*"] += _lines(self._of_pages())
        static = [name for name in self._types if name.startswith("static/")]
        own = [name for name in static if OWN_FILE.match(name)]
        for pattern in [f"/{name}" for name in own] if own != static else ["/static/*"]:
            rules[pattern].append(f"Cache-Control: {_FOREVER}")
        by_suffix, by_name = self._by_suffix()
        for suffix, media_type in by_suffix.items():
            if suffix != ".html":
                rules[f"/*{suffix}"].append(f"Content-Type: {media_type}")
            if suffix in _NOT_INDEXED:
                rules[f"/*{suffix}"].append("X-Robots-Tag: noindex")
        for name, media_type in by_name.items():
            rules[f"/{name}" if name in self._types else f"/*/{name}"].append(
                f"Content-Type: {media_type}"
            )
        return "".join(
            f"{pattern}\n{''.join(f'  {line}{chr(10)}' for line in lines)}"
            for pattern, lines in rules.items()
        )

    def _shared(self) -> dict[str, str]:
        return {each: self._page_headers[each] for each in _SHARED if each in self._page_headers}

    def _of_pages(self) -> dict[str, str]:
        """Return the headers of pages, whose policy allows the origin that gets the forms."""
        headers = {
            each: self._page_headers[each] for each in _OF_PAGES if each in self._page_headers
        }
        if self._scripts and _POLICY in headers:
            headers[_POLICY] = policy_allowing(headers[_POLICY], self._scripts)
        if self.form_action and _POLICY in headers:
            allowed = f"form-action 'self' {self.form_action}"
            headers[_POLICY] = headers[_POLICY].replace("form-action 'self'", allowed)
        return headers

    def _prefixes(self) -> list[str]:
        """Return the first part of the paths of each locale."""
        return [*dict.fromkeys(locale.path.split("/")[1] for locale in self.locales)]

    def _by_suffix(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the media type of each suffix, and of names that have another one."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for name, media_type in self._types.items():
            found[splitext(name)[1]][media_type] += 1
        usual = {each: max(sorted(types), key=types.__getitem__) for each, types in found.items()}
        named = Counter(map(basename, self._types))
        others = {
            basename(name) if named[basename(name)] > 1 else name: media_type
            for name, media_type in self._types.items()
            if media_type != usual[splitext(name)[1]]
        }
        return dict(sorted(usual.items())), dict(sorted(others.items()))

    def _nginx(self) -> str:
        by_suffix, by_name = self._by_suffix()
        types: dict[str, list[str]] = defaultdict(list)
        for suffix, media_type in by_suffix.items():
            types[media_type].append(suffix.removeprefix("."))
        locales = "|".join(locale.path[1:] for locale in self.locales)
        prefixes = "|".join(self._prefixes())
        not_indexed = "|".join(map(re.escape, _NOT_INDEXED))
        policy = _quoted(self._of_pages().get(_POLICY, ""))
        lines = [
            "# To be included in a `server` of nginx whose `root` is this folder.",
            "types {",
            *(
                f'  "{media_type}" {" ".join(map(_quoted, names))};'
                for media_type, names in sorted(types.items())
            ),
            "}",
            'default_type "application/octet-stream";',
            "charset off;",
            "set $majlis_missing /404.html;",
            f'if ($uri ~ "^/({locales})(?:/|$)") {{ set $majlis_missing /$1/404.html; }}',
            "error_page 404 $majlis_missing;",
            f"set $majlis_policy {_quoted(self._asset_headers.get(_POLICY, ''))};",
            f'if ($uri ~ "^/(?:(?:{prefixes})(?:/|$)|$)") {{ set $majlis_policy {policy}; }}',
            "add_header Content-Security-Policy $majlis_policy always;",
            'set $majlis_cache "";',
            f'if ($uri ~ "^/{OWN_FILE.pattern}") {{ set $majlis_cache "{_FOREVER}"; }}',
            "add_header Cache-Control $majlis_cache;",
            'set $majlis_robots "";',
            f'if ($uri ~ "(?:{not_indexed})$") {{ set $majlis_robots noindex; }}',
            "add_header X-Robots-Tag $majlis_robots;",
            *(
                f"add_header {_titled(name)} {_quoted(value)} always;"
                for name, value in (self._shared() | self._of_pages()).items()
                if name != _POLICY
            ),
            f"if ($request_uri ~ {_regular(_WITH_SLASH)}) {{ return 308 $1$2; }}",
            "location / { try_files $uri $uri.html $uri.json @former; }",
            *(["location = / { try_files /index.html =404; }"] if _HOME in self._types else []),
            r'location ~ "/404\.html$" { internal; }',
            *(f"location = /{name} {{ return 404; }}" for name in _PRIVATE),
            r'location ~ "^/\.(?!well-known/)" { return 404; }',
        ]
        for name, media_type in by_name.items():
            lines.append(
                f"location ~ {_regular(f'/{re.escape(name)}$')} {{ types {{ }}"
                f' default_type "{media_type}"; try_files $uri @former; }}'
            )
        lines += [
            f"location = {_quoted(each.source)} {{"
            f" {_returned(_target(each.target), each.status)} }}"
            for each in self._ordered()
            if not each.is_pattern
        ]
        patterns = [f"  {_former(each)}" for each in self._ordered() if each.is_pattern]
        return "\n".join([*lines, "location @former {", *patterns, "  return 404;", "}", ""])


def _lines(headers: Mapping[str, str]) -> Iterable[str]:
    return (f"{_titled(name)}: {value}" for name, value in headers.items())


def _titled(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("-"))


def _escaped(text: str) -> str:
    """Return a text for a quoted word of nginx."""
    return text.replace("\\", "\\\\").replace('"', r"\"")


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _regular(pattern: str) -> str:
    r"""Return a regular expression as a word in quotes, without what nginx unescapes in it.

    >>> print(_regular(re.escape('a".b')))
    "a\x22\.b"
    """
    return '"{}"'.format(pattern.replace(r"\\", r"\x5c").replace('"', r"\x22"))


def _target(target: str) -> str:
    """Return a target for nginx, for which `$` begins a variable."""
    return _escaped(target.replace("$", "%24"))


def _returned(target: str, status: int) -> str:
    return f"return {GONE};" if status == GONE else f'return {status} "{target}";'


_SPLAT = "majlis_splat"
_MAX_NUMBERED = 9
_REWRITES = {301: "permanent", 302: "redirect"}
"""The statuses with which nginx encodes what a placeholder matched, but for a query."""
_ENCODED = rf"{_BREAKING}?"
_UNENCODED = rf'{_BREAKING} "#%&<>?'
"""What a placeholder does not match, if nginx encodes it and if it does not."""


def _former(moved: Moved) -> str:
    """Return what redirects from an old path with placeholders."""
    names = [f"majlis_{name}" for name in PLACEHOLDER.findall(moved.source)] + [_SPLAT]
    is_encoded = len(names) <= _MAX_NUMBERED and "?" not in moved.target
    flag = _REWRITES.get(moved.status) if is_encoded else None
    values = {
        name.removeprefix("majlis_"): f"${number}" if flag else f"${{{name}}}"
        for number, name in enumerate(names, start=1)
    }
    target = _NAME.sub(lambda found: values.get(found[1], found[0]), _target(moved.target))
    if flag:
        return f'rewrite {_regular(_pattern(moved.source, _ENCODED))} "{target}?" {flag};'
    pattern = _regular(_pattern(moved.source, _UNENCODED))
    return f"if ($uri ~ {pattern}) {{ {_returned(target, moved.status)} }}"


def _pattern(source: str, refused: str) -> str:
    r"""Return the regular expression of an old path with placeholders.

    What they match has no `refused` characters, and does not begin with a slash.

    >>> print(_pattern("/old/:slug.html", "?"), _pattern("/news/*", "?"))
    ^/old/(?<majlis_slug>[^/?]+)\.html$ ^/news(?:/+(?<majlis_splat>[^/?][^?]*)?)?$
    """
    path, mark, _ = source.partition("/*")
    parts = PLACEHOLDER.split(path)
    texts = (re.escape(unquote(text)) for text in parts[::2])
    named = (f"(?<majlis_{name}>[^/{refused}]+)" for name in parts[1::2])
    joined = "".join(text + next(named, "") for text in texts)
    rest = f"(?:/+(?<{_SPLAT}>[^/{refused}][^{refused}]*)?)?" if mark else ""
    return f"^{joined}{rest}$"
