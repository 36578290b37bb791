"""Blocks and shortcodes of WordPress in HTML: those with a plain meaning are read, others named."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from re import Match

from app.operations.importing.html_texts import elements, with_paragraphs
from knowledge.markdown.raw_html import tags

MORE = "majlisendofexcerpt"
"""Stands for the end of the excerpt until the HTML is markdown."""

Pictures = Callable[[str], Iterable[tuple[str, str]]]
"""Returns the paths and alternative texts of a gallery by the numbers that it names, if any."""

_TAG = re.compile(r"\[(/?)([A-Za-z][\w-]{1,60})((?:[\s=][^\]\[]*+)?)\](?!\()")
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]{1,60})=(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))""")
_REFERENCE = re.compile(r'"ref":\s?(\d+)')
_QUIET = ("spacer", "separator", "more", "nextpage", "page-break")
_CAPTIONS = ("caption", "wp_caption")
_CODES = ("code", "sourcecode")
_EMBEDS = ("embed", "youtube", "vimeo")
_ENCLOSING = (*_CAPTIONS, *_CODES)
_SOUND = ("src", "mp3", "m4a", "ogg", "wav", "mp4", "webm", "ogv")


def readable(
    html: str, blocks: Mapping[str, str], pictures: Pictures, left_out: Counter[str]
) -> str:
    """Return the HTML that a text shows; what has no meaning here is counted in `left_out`."""
    shown: list[str] = []
    end = 0
    uncommented = "".join(_without_comments(html, blocks, left_out))
    for opening, closing in elements(uncommented, ("form", "pre", "code")):
        shown.append(_without_shortcodes(uncommented[end : opening.start], pictures, left_out))
        if opening.name == "form":
            left_out["forms"] += 1
        else:
            shown.append(uncommented[opening.start : closing.end])
        end = closing.end
    shown.append(_without_shortcodes(uncommented[end:], pictures, left_out))
    text = "".join(shown)
    return text if "<!-- wp:" in html else with_paragraphs(text)


def _without_comments(
    html: str, blocks: Mapping[str, str], left_out: Counter[str]
) -> Iterator[str]:
    """Yield the parts of HTML between comments, and what comments of WordPress stand for.

    A block without a text is one that the server made, or a reference to a synced pattern.
    """
    position = 0
    while (start := html.find("<!--", position)) >= 0:
        end = html.find("-->", start)
        if end < 0:
            break
        yield html[position:start]
        words = html[start + 4 : end].split()
        position = end + 3
        name = words[0] if words else ""
        if name == "more":
            yield f"\n\n{MORE}\n\n"
        elif name.startswith("wp:") and words[-1].endswith("/"):
            reference = _REFERENCE.search(html, start, end)
            name = name.removeprefix("wp:")
            if name == "block" and reference and reference[1] in blocks:
                yield from _without_comments(blocks[reference[1]], {}, left_out)
            elif name not in _QUIET:
                left_out[f"blocks {name}"] += 1
    yield html[position:]


def _without_shortcodes(html: str, pictures: Pictures, left_out: Counter[str]) -> str:
    """Return a text with what its shortcodes show; what stands between two of them stays."""
    found = list(_TAG.finditer(html))
    closed = _closed(found)
    parts: list[str] = []
    position = 0
    for match in found:
        if match.start() < position:
            continue
        closer, name, values = closed.get(match.start()), match[2].lower(), _values(match[3])
        parts.append(html[position : match.start()])
        position = match.end()
        inner = html[position : closer.start()] if closer else ""
        if not match[1] and (name in _EMBEDS or (closer and name in _ENCLOSING)):
            parts.append(_enclosed(name, inner, values, match[3]))
            position = closer.end() if closer else position
        elif name in ("gallery", "audio", "video") and not match[1]:
            parts.append(_media(name, values, pictures) or _noted(left_out, name))
        elif match[1] or closer or values or re.search(r"[_\d-]", name):
            left_out[f"[{name}]"] += not match[1]
        else:
            parts.append(match[0])
    return "".join([*parts, html[position:]])


def _closed(found: Sequence[Match[str]]) -> Mapping[int, Match[str]]:
    """Return the closing tag of each opening one by its place, if it has one."""
    closers: dict[str, Match[str]] = {}
    closed: dict[int, Match[str]] = {}
    for match in reversed(found):
        if match[1]:
            closers[match[2].lower()] = match
        elif match[2].lower() in closers:
            closed[match.start()] = closers[match[2].lower()]
    return closed


def _enclosed(name: str, inner: str, values: Mapping[str, str], written: str) -> str:
    """Return what a shortcode shows of the text that it encloses."""
    if name in _CAPTIONS:
        return _captioned(inner, values)
    if name in _CODES:
        return f"<pre><code>{inner.strip()}</code></pre>"
    address = (inner or values.get("id", "") or written).strip(" \"'=")
    if name == "youtube" and "/" not in address:
        address = f"https://www.youtube.com/watch?v={address}"
    return f'\n\n<p><a href="{escape(address)}">{escape(address)}</a></p>\n\n'


def _noted(left_out: Counter[str], name: str) -> str:
    left_out[f"[{name}]"] += 1
    return ""


def _values(attributes: str) -> dict[str, str]:
    return {
        name.lower(): double or single or bare
        for name, double, single, bare in _ATTRIBUTE.findall(attributes)
    }


def _captioned(inner: str, values: Mapping[str, str]) -> str:
    """Return a figure; the oldest exports have the caption as an attribute."""
    pictures = [tag for tag in tags(inner) if tag.name in ("a", "img")]
    end = pictures[0].end if pictures else 0
    if pictures and pictures[0].name == "a":
        end = next((tag.end for tag in pictures if tag.is_closing), end)
    caption = inner[end:].strip() or values.get("caption", "")
    return f"\n\n<figure>{inner[:end]}<figcaption>{caption}</figcaption></figure>\n\n"


def _media(name: str, values: Mapping[str, str], pictures: Pictures) -> str:
    if name == "gallery":
        found = pictures(values.get("ids", ""))
        shown = [f'<p><img src="{path}" alt="{escape(alt)}"></p>' for path, alt in found]
        return "\n\n".join(("", *shown, "")) if shown else ""
    source = next((values[each] for each in _SOUND if each in values), "")
    return f'\n\n<{name} controls src="{escape(source)}"></{name}>\n\n' if source else ""
