# Everything a developer or operator types. Each target sets up what it needs.
PYTHON ?= python3
BIN := .venv/bin
# What runs the service, and what develops it as well: the second holds all of the first.
RUNTIME := .venv/.installed
DEVELOPMENT := .venv/.installed-dev
SOURCES := pyproject.toml hatch_build.py $(wildcard renderers/translations/*/LC_MESSAGES/*.po)
# As they are collected: files of few tests, the longest of all, would else come last.
TESTS := $(BIN)/python -m pytest -q --numprocesses auto --dist loadfile --no-loadscope-reorder

LOCK := $(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --group build \
	--generate-hashes --custom-compile-command "make lock"

# `make test PYTHON=python3.13` makes .venv anew where it belongs to another version of Python.
ifneq ($(origin PYTHON),file)
OTHER_PYTHON := $(shell test -x $(BIN)/python && test "`$(BIN)/python -V`" != "`$(PYTHON) -V`" && echo yes)
endif

# $(call install,FILE): everything that a file of pins names, and this project in its place.
define install
$(if $(OTHER_PYTHON),,test -x $(BIN)/python ||) $(PYTHON) -m venv --clear .venv
$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1)
$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endef

.PHONY: install runtime serve test check fuzz checkers bench soak lock clean $(if $(OTHER_PYTHON),$(RUNTIME) $(DEVELOPMENT))

install: $(DEVELOPMENT)

$(RUNTIME): requirements.txt $(SOURCES)
	$(call install,requirements.txt)
	@touch $@

$(DEVELOPMENT): requirements.txt requirements-dev.txt $(SOURCES)
	$(call install,requirements-dev.txt)
	@touch $(RUNTIME) $@

runtime: $(RUNTIME)  # only what the service needs, as a server wants it

serve: runtime
	$(BIN)/majlis serve

test: install
	$(TESTS)

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file pyproject.toml tests
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(TESTS)
	$(BIN)/majlis check

fuzz: install  # a long search by all property tests: FUZZ_EXAMPLES for each, 10,000 by default
	$(TESTS) -m hypothesis --hypothesis-profile fuzz --timeout 0

checkers:  # of pages, from npm; without them their tests are skipped
	cd tests/checkers && npm ci

bench: install
	cd tests && ../$(BIN)/python -m benchmarks

soak: install  # ten minutes of load and faults; writes docs/soak.md
	cd tests && ../$(BIN)/python -m soak --minutes 10 --write

lock:  # compile the pins anew from pyproject.toml, for every Python it allows; needs uv in .venv
	$(LOCK) -o requirements.txt pyproject.toml
	$(LOCK) --all-extras --constraints requirements.txt -o requirements-dev.txt pyproject.toml

clean:
	rm -rf .venv tests/checkers/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
