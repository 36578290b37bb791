"""How much of our code an uncached page passes: function calls and modules."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from benchmarks.figures import Figure
from contract.visitor import Visitor

METHOD = (
    "One page of the sample content that is in no cache of responses, after other pages have been "
    "requested. The profiler counts the calls of Python functions of the five packages, and the "
    "modules that they are in; a generator counts once for each value. The ratio is to the "
    "figures before the pipeline was unified."
)
_PACKAGES = ("knowledge", "renderers", "indexes", "llms", "app")
_ROOT = str(Path(__file__).parents[2])
_PAGE = "/sa/en/erp"
_WARM_UP = ("/sa/en", "/sa/en/solutions", "/ae/en/erp", "/sa/en/faqs", "/sa/en/blog")
_BEFORE = {
    "text/html": (2_744, 74),
    "text/markdown": (3_704, 67),
    "application/json": (2_970, 64),
}
"""Calls and modules by media type, on 22 November 2026."""


class CallCounter:
    """Counts the calls of our functions by module and name while it is switched on."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self.on = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Count one call; called by the interpreter."""
        code = frame.f_code
        if self.on and event == "call" and code.co_filename.startswith(_ROOT) and _serves():
            module = code.co_filename[len(_ROOT) + 1 :]
            if module.startswith(_PACKAGES) and module.endswith(".py"):  # no compiled templates
                self.calls[module, code.co_qualname] += 1

    @property
    def modules(self) -> Counter[str]:
        """The number of calls by module."""
        modules: Counter[str] = Counter()
        for (module, _), count in self.calls.items():
            modules[module] += count
        return modules


def _serves() -> bool:
    """Return whether the current thread works for requests, not on edits or the search index."""
    return threading.current_thread().name.startswith(("MainThread", "majlis-pages"))


def count_calls(path: str, accept: str) -> CallCounter:
    """Count the calls of one uncached page of the sample content."""
    counter = CallCounter()
    threading.setprofile(counter)  # for the executor threads, which start with the application
    sys.setprofile(counter)
    try:
        with Visitor() as visitor:
            headers = {"Accept": accept, "Accept-Encoding": "gzip", "User-Agent": "calls"}
            for warm_up in _WARM_UP:
                visitor.get(warm_up, headers)
            counter.on = True
            reply = visitor.get(path, headers)
            counter.on = False
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    if reply.status != 200:
        raise RuntimeError(f"{path} returned {reply.status}")
    return counter


def measure() -> Iterator[Figure]:
    """Measure the page in each media type."""
    for accept, (calls_before, modules_before) in _BEFORE.items():
        counter, subject = count_calls(_PAGE, accept), f"uncached {accept}"
        calls, modules = counter.calls.total(), len(counter.modules)
        yield Figure(subject, f"{_PAGE}: calls", calls, "calls", calls / calls_before, at_most=0.5)
        ratio = modules / modules_before
        yield Figure(subject, f"{_PAGE}: modules", modules, "modules", ratio, at_most=0.5)


if __name__ == "__main__":
    counted = count_calls(_PAGE, sys.argv[1] if len(sys.argv) > 1 else "text/html")
    for (name, function), number in counted.calls.most_common(80):
        sys.stdout.write(f"{number:6} {name} {function}\n")
    for name, number in counted.modules.most_common():
        sys.stdout.write(f"{number:6} {name}\n")
    sys.stdout.write(f"{counted.calls.total():6} calls in {len(counted.modules)} modules\n")
