# Everything a developer or operator types. Each target sets up what it needs.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
# As they are collected: files of few tests, the longest of all, would else come last.
TESTS := $(BIN)/python -m pytest -q --numprocesses auto --dist loadfile --no-loadscope-reorder
CATALOGUES := $(wildcard renderers/translations/*/LC_MESSAGES/*.po)

.PHONY: install serve test check fuzz checkers bench soak lock clean

install: $(STAMP)

$(STAMP): requirements.txt pyproject.toml hatch_build.py $(CATALOGUES)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

serve: install
	$(BIN)/majlis serve

test: install
	$(TESTS)

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file pyproject.toml tests
	$(BIN)/lint-imports
	$(TESTS)
	$(BIN)/majlis check

fuzz: install  # a long search by all property tests: FUZZ_EXAMPLES for each, 10,000 by default
	$(TESTS) -m hypothesis --hypothesis-profile fuzz

checkers:  # of pages, from npm; without them their tests are skipped
	cd tests/checkers && npm ci

bench: install
	cd tests && ../$(BIN)/python -m benchmarks

soak: install  # ten minutes of load and faults; writes docs/soak.md
	cd tests && ../$(BIN)/python -m soak --minutes 10 --write

lock:  # compile the pins anew from pyproject.toml; needs pip-tools in .venv
	$(BIN)/python -m piptools compile --quiet --all-extras --all-build-deps --allow-unsafe --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --strip-extras -o requirements.txt pyproject.toml

clean:
	rm -rf .venv tests/checkers/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
