"""Imports of all modules: what they need, and what they leave alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("knowledge", "renderers", "app", "indexes", "llms")

IMPORT_ALL = """
import importlib, os, pkgutil, sys
PACKAGES = ("knowledge", "renderers", "app", "indexes", "llms")
def import_all():
    for package in PACKAGES:
        path = importlib.import_module(package).__path__
        for each in pkgutil.walk_packages(path, package + "."):
            if "migrations" not in each.name and not each.name.endswith("__main__"):
                importlib.import_module(each.name)
"""
AS_IN_3_14 = """
import types
class Blocked:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "backports":
            raise ModuleNotFoundError(name)
import_all()
ours = [each for each in sys.modules if each.partition(".")[0] in PACKAGES]
users = [each for each in ours if "backports" in open(sys.modules[each].__file__).read()]
if sys.version_info < (3, 14):
    compression = sys.modules["compression"] = types.ModuleType("compression")
    compression.zstd = sys.modules["compression.zstd"] = sys.modules["backports.zstd"]
    sys.version_info = (3, 14, 0, "final", 0)
for name in [each for each in sys.modules if each.partition(".")[0] == "backports"]:
    del sys.modules[name]
sys.meta_path.insert(0, Blocked())
for name in users:
    del sys.modules[name]
    importlib.import_module(name)
print(*users)
"""
READS = """
OURS = tuple(os.path.join(os.getcwd(), each) + os.sep for each in PACKAGES)
reads = set()
def audit(event, arguments):
    if event != "open" or isinstance(arguments[0], int) or arguments[0] is None:
        return
    name, frame = os.fspath(arguments[0]), sys._getframe()
    if name.endswith((".py", ".pyc", ".so", ".zip")):
        return
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        if frame.f_code.co_filename.startswith(OURS):
            reads.add(os.path.basename(name))
            return
        frame = frame.f_back
sys.addaudithook(audit)
import_all()
print(*sorted(reads))
"""


def run(program: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a program that imports from a folder."""
    command = [sys.executable, "-c", IMPORT_ALL + program]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


def test_every_module_is_imported_without_backports() -> None:
    """As in Python 3.14, which has what they are for; those that name them are imported again."""
    done = run(AS_IN_3_14)
    assert done.returncode == 0, done.stderr
    assert "app.platform.asgi.caching" in done.stdout


def test_no_module_reads_files_while_it_is_imported() -> None:
    """But declarations of kinds, the version of the distribution, names of texts, and CLDR."""
    done = run(READS)
    assert done.returncode == 0, done.stderr
    kinds = {path.name for path in (ROOT / "knowledge/fields/declarations").iterdir()}
    assert set(done.stdout.split()) <= {*kinds, "METADATA", "messages.mo", "global.dat"}


@pytest.mark.slow
def test_a_clone_without_compiled_texts_names_the_command(tmp_path: Path) -> None:
    """It is the last line of the traceback."""
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("*.mo", "__pycache__", "content")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    done = run("import_all()", tmp_path)
    assert done.returncode == 1
    assert "Run `make install`." in done.stderr.splitlines()[-1]
