# Commands for developers and operators. Each target installs what it needs.
PYTHON ?= python3
BIN := .venv/bin
# Packages of the runtime, of production, of development and of the slow tests; each include those before.
RUNTIME := .venv/.installed
RELEASE := .venv/.installed-release
PRODUCTION := .venv/.installed-production
DEVELOPMENT := .venv/.installed-dev
SLOW := .venv/.installed-slow
SOURCES := pyproject.toml hatch_build.py $(wildcard renderers/translations/*/LC_MESSAGES/*.po)
# In order of collection: otherwise files with few tests, the slowest ones, would run last.
TESTS := $(BIN)/python -m pytest -q --numprocesses auto --dist loadfile --no-loadscope-reorder

COMPILE := $(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11.5 \
	--generate-hashes --custom-compile-command "make lock"
LOCK := $(COMPILE) --group build
SERVERS := $(LOCK) --extra postgres --extra redis --constraints requirements/runtime.txt

# Keep compiled modules, also where the environment says otherwise: the tests start many processes,
# and each would compile all packages again.
export PYTHONDONTWRITEBYTECODE :=

# `make test PYTHON=python3.13` rebuilds .venv if it belongs to another version of Python.
ifneq ($(origin PYTHON),file)
OTHER_PYTHON := $(shell test -x $(BIN)/python && test "`$(BIN)/python -V`" != "`$(PYTHON) -V`" && echo yes)
endif

# $(call install,INSTALLER,FILE): install the pinned packages of FILE, and this project as editable.
define install
$(if $(OTHER_PYTHON),,test -x $(BIN)/python ||) $(PYTHON) -m venv --clear .venv
$(call $(1),--require-hashes -r $(2))
$(call pip,--no-deps --no-build-isolation -e .)
endef

pip = $(BIN)/python -m pip install --quiet --disable-pip-version-check $(1)

# Half the work of pip for many packages. It reads no configuration of pip: where it fails, because
# packages come from elsewhere, pip installs them.
define uv
$(call pip,--require-hashes -r requirements/uv.txt)
$(BIN)/python -m uv pip install --quiet --compile-bytecode --python $(BIN)/python $(1) || $(call pip,$(1))
endef

# $(call client_environment,NAME,PACKAGES): install clients that no environment can share with others, such as
# the two versions of the Python SDK of MCP.
define client_environment
$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python tests/clients/.venv-$(1)
$(BIN)/python -m uv pip install --quiet --python tests/clients/.venv-$(1) $(2) || \
	$(BIN)/python -m pip --python tests/clients/.venv-$(1) install --quiet --disable-pip-version-check $(2)
endef

.PHONY: install install-slow runtime serve docs test test-slow check static format lint types imports dependencies content compile fuzz checkers bench records pictures soak rehearse lock wheel sbom clean clients $(if $(OTHER_PYTHON),$(RUNTIME) $(PRODUCTION) $(RELEASE) $(DEVELOPMENT) $(SLOW))

install: $(DEVELOPMENT)

install-slow: $(SLOW)  # also a browser driver and programs that the slow tests run

$(RUNTIME): requirements/runtime.txt $(SOURCES)
	$(call install,pip,requirements/runtime.txt)
	@touch $@

$(PRODUCTION): requirements/production.txt $(SOURCES)
	$(call install,pip,requirements/production.txt)
	@touch $(RUNTIME) $@

$(DEVELOPMENT): requirements/uv.txt requirements/production.txt requirements/development.txt $(SOURCES)
	$(call install,uv,requirements/development.txt)
	@touch $(RUNTIME) $(PRODUCTION) $@

# What a wheel needs; the packages of the slow tests have it too.
$(RELEASE): requirements/release.txt $(SOURCES)
	$(call install,pip,requirements/release.txt)
	@touch $@

$(SLOW): requirements/slow.txt $(DEVELOPMENT)
	$(call install,uv,requirements/slow.txt)
	@touch $(RELEASE) $@

runtime: $(PRODUCTION)  # without the development packages, for servers

serve: $(RUNTIME)
	$(BIN)/majlis serve

docs: install  # the guides of docs/ as a site
	@echo "Documentation: http://127.0.0.1:8008/en/docs"
	DATABASE_URL=sqlite:///.venv/docs.db BASE_URL=http://127.0.0.1:8008 $(BIN)/majlis serve docs --port 8008

test: install
	$(TESTS) -m "not slow"

test-slow: install-slow  # soak, fuzzing, browsers, processes that are killed, and other tests that take long
	$(TESTS) -m slow tests

check: static test

static: format lint types imports dependencies content  # all checks but the tests

format: install
	$(BIN)/ruff format --check .

lint: install
	$(BIN)/ruff check .

types: install-slow
	$(BIN)/mypy
	$(BIN)/mypy --config-file pyproject.toml tests

imports: install
	$(BIN)/lint-imports

dependencies: install
	$(BIN)/deptry .

content: install
	$(BIN)/majlis check

compile: install-slow  # compile what the tests import, once; otherwise each of their processes does it
	$(BIN)/python -m pytest --collect-only -qq >/dev/null

fuzz: install-slow  # all property tests with FUZZ_EXAMPLES examples each, 10,000 by default
	$(TESTS) -m hypothesis --hypothesis-profile fuzz --timeout 0

checkers:  # HTML checkers from npm; without them their tests are skipped
	cd tests/checkers && npm ci

clients: install-slow  # clients of MCP and OpenAPI and a checker for agents, from PyPI and npm; without them their tests are skipped
	cd tests/clients && npm ci
	$(call client_environment,1,--require-hashes -r tests/clients/sdk-1.txt)
	$(call client_environment,2,--require-hashes -r tests/clients/sdk-2.txt)
	$(call client_environment,openapi,--require-hashes -r tests/clients/openapi.txt)

bench: install  # COLLECTIONS=folder measures retrieval over the collections in it too
	cd tests && ../$(BIN)/python -m benchmarks
	$(if $(COLLECTIONS),cd tests && ../$(BIN)/python -m benchmarks.retrieval --write $(abspath $(COLLECTIONS)))

records: bench soak  # write all pages of docs/records/ again, with commit and date

pictures: install-slow  # the pictures of README.md and of the guides, from their examples
	cd tests && ../$(BIN)/python -m live.section_pictures
	cd tests && ../$(BIN)/python -m live.guide_pictures
	cd tests && ../$(BIN)/python -m live.readme_picture

soak: install-slow  # ten minutes of load with injected faults; with NODES=3 half an hour of three machines; writes docs/records/soak.md
	cd tests && ../$(BIN)/python -m $(if $(NODES),soak.machines --nodes $(NODES),soak) --minutes $(or $(MINUTES),$(if $(NODES),30,10)) --write

rehearse: install-slow  # what a release does, as far as this machine can; writes docs/records/rehearsal.md
	cd tests && ../$(BIN)/python -m rehearsal

wheel: sbom  # wheel, source distribution and software bill of materials in dist/
	$(BIN)/python -m hatchling build

sbom: $(RELEASE)  # what requirements/production.txt installs, with the licences that it states, as CycloneDX
	rm -rf dist && mkdir dist
	$(BIN)/python -m venv --clear --without-pip .venv/sbom
	$(BIN)/python -m pip --python .venv/sbom install --quiet --disable-pip-version-check --require-hashes -r requirements/production.txt
	$(BIN)/python -W ignore -m cyclonedx_py environment .venv/sbom/bin/python \
		--pyproject pyproject.toml --output-reproducible --output-file dist/majlis.cdx.json

lock: install  # update the pins from pyproject.toml, for every supported Python
	$(LOCK) -o requirements/runtime.txt pyproject.toml
	$(LOCK) --extra meaning --constraints requirements/runtime.txt -o requirements/meaning.txt pyproject.toml
	$(LOCK) --extra import --constraints requirements/runtime.txt -o requirements/import.txt pyproject.toml
	$(SERVERS) -o requirements/production.txt pyproject.toml
	$(SERVERS) --extra otel -o requirements/otel.txt pyproject.toml
	$(SERVERS) --extra s3 -o requirements/s3.txt pyproject.toml
	$(LOCK) $(patsubst %,--extra %,dev import meaning otel postgres redis s3) --constraints requirements/production.txt -o requirements/development.txt pyproject.toml
	$(LOCK) --all-extras --constraints requirements/development.txt -o requirements/slow.txt pyproject.toml
	$(COMPILE) --group release --constraints requirements/slow.txt -o requirements/release.txt
	echo uv | $(COMPILE) --constraints requirements/development.txt -o requirements/uv.txt -
	$(COMPILE) -o tests/clients/sdk-1.txt tests/clients/sdk-1.in
	$(COMPILE) -o tests/clients/sdk-2.txt tests/clients/sdk-2.in
	$(COMPILE) -o tests/clients/openapi.txt tests/clients/openapi.in

clean:
	rm -rf .venv tests/checkers/node_modules tests/clients/node_modules tests/clients/.venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
