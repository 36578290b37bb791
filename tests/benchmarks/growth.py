"""Growth: what an edit and a request cost by the number of documents.

Run `python -m benchmarks.growth 1000 200000` for other sizes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import process_time

from benchmarks.corpus import write_posts
from benchmarks.figures import Figure, Group
from benchmarks.report import show
from benchmarks.scale import resident_bytes
from contract.visitor import NOW
from gulf import write_site

from app.publishing.content.passage_finder import PassageFinder
from app.publishing.content.store import ContentStore
from knowledge.addresses.link_index import link_index
from knowledge.resources.blog import filter_posts
from knowledge.resources.queries import PostQuery
from knowledge.resources.site_map import site_map
from knowledge.views.content_view import ContentView
from llms import llms_txt
from renderers.feeds import post_feeds as feed
from renderers.feeds import sitemap

METHOD = (
    "Posts of about 3.5 kB in six countries, in a process for each number of documents. CPU time "
    "of one call each after the first edit of a service whose maps and search indexes are made; "
    "“next edit” is the second one. The ratio is to the smallest number of documents, the bound "
    "that of a cost that does not grow; copies of tables of all documents do. Memory is what the "
    "resident set grows by, with maps and indexes, less the bytes of the files; the ratio is to "
    "4 kB for each document."
)
_MOST = 4.0
_MEMORY, _MOST_BYTES = "memory of a document beyond its text", 4_000
_BASE_URL = "https://wahat.test"


def measure(counts: tuple[int, ...]) -> Iterator[Figure]:
    """Measure these numbers of documents; the ratios are to the first."""
    first: Mapping[str, float] = {}
    for count in counts:
        costs = _run(count)
        beyond_text = costs.pop(_MEMORY) / count
        first = first or costs
        for what, seconds in costs.items():
            bound = _MOST if what in _CONSTANT else None
            ratio = seconds / first[what]
            yield Figure(f"{count:,} documents", what, seconds * 1_000, "ms", ratio, at_most=bound)
        ratio = beyond_text / _MOST_BYTES
        yield Figure(f"{count:,} documents", _MEMORY, beyond_text / 1_000, "kB", ratio, at_most=1)


_CONSTANT = {"page of a list", "feed", "part of the sitemap", "part of llms.txt"}
"""What shows the same however many documents there are."""


def _run(count: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_posts(folder / "content", count)
        write_site(folder / "content", {})
        command = [sys.executable, "-m", "benchmarks.growth", "--in", name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _costs(folder: Path) -> Mapping[str, float]:
    """Return the CPU seconds of each kind of work in a content folder, and its memory."""
    content_store = ContentStore(folder / "content", folder / "index")
    empty = resident_bytes()
    content_store.reload()
    content_store.compact(lambda: None)
    for call in _calls(content_store).values():
        call()
    texts = sum(file.fingerprint.size for file in content_store.current.content.files.values())
    return {
        _MEMORY: resident_bytes() - empty - texts,
        "edit": _seconds(lambda: _edit(content_store, 1)),
        "next edit": _seconds(lambda: _edit(content_store, 2)),
        "scan of the whole folder": _seconds(content_store.rescan),
        **{what: _seconds(call) for what, call in _calls(content_store).items()},
    }


def _calls(content_store: ContentStore) -> Mapping[str, Callable[[], object]]:
    """Return what is asked of the current edition."""
    edition = content_store.current
    snapshot = edition.snapshot
    view = ContentView(snapshot, snapshot.default_locale, NOW, _BASE_URL)

    def part() -> object:
        pages = site_map(snapshot, NOW)
        return sitemap.render_part(pages, _BASE_URL, 1) or sitemap.render(pages, _BASE_URL)

    def llms_part() -> object:
        return llms_txt.render_part(view, site_map(snapshot, NOW), 2)

    def found_posts() -> object:
        return next(edition.posts.closest(view.locale, "payroll 77"), ()) if edition.posts else ()

    return {
        "targets of links": lambda: link_index(snapshot),
        "table of all pages": lambda: site_map(snapshot, NOW),
        "pages of the parts of the sitemap": lambda: sitemap.prepare(
            site_map(snapshot, NOW), _BASE_URL
        ),
        "part of the sitemap": part,
        "lines of llms.txt": lambda: llms_txt.render_locale(view, site_map(snapshot, NOW)),
        "part of llms.txt": llms_part,
        "feed": lambda: feed.render_atom(view),
        "page of a list": lambda: filter_posts(view, PostQuery(category="category-3")),
        "similar paths": lambda: list(edition.nearest.find("/blog/pots-77"))[:5],
        "search of the blog": found_posts,
        "search of passages": lambda: PassageFinder.of(edition.passages, view).find(
            "payroll 77", 20
        ),
    }


def _edit(content_store: ContentStore, number: int) -> None:
    path = f"posts/post-{number}.md"
    file = content_store.content_dir / path
    file.write_text(f"{file.read_text()}\nEdited.\n")
    content_store.reload({path})


def _seconds(call: Callable[[], object]) -> float:
    started = process_time()
    call()
    return process_time() - started


if __name__ == "__main__":
    if sys.argv[1] == "--in":
        sys.stdout.write(json.dumps(_costs(Path(sys.argv[2]))))
    else:
        figures = measure(tuple(map(int, sys.argv[1:])))
        show(Group.measured("Growth", METHOD, figures))
