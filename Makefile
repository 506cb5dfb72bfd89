# Ventiuna: every job of a developer, and the two of a newcomer (make table, make test).

VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
EXTRAS ?= all,dev
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# Another interpreter than the first fitting one: make setup PYTHON=python3.13
PYTHON ?=
# More arguments for the program behind a target: make test ARGS="-k rescue"
ARGS   ?=

SOURCES = src tests tools docs/conf.py $(wildcard benchmarks examples)

# The web client is built by the Node that the environment brings; none is needed on the system.
WEB     := src/ventiuna/server/web/index.html
MODULES := client/node_modules/.installed
CLIENT  = $(shell find client -path client/node_modules -prune -o -type f -print)
NPM     := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix client --loglevel error

# A reference that leads nowhere, a page in no table of contents, a notebook that fails: each fails the build.
SPHINX  = $(BIN)/python -m sphinx --quiet -W --keep-going -j auto -b html docs build/docs

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup client check test table soak mutants bench docs pages dist wheel types clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) $(WEB) ## make .venv, install everything that is pinned, build the web client

$(STAMP): pyproject.toml constraints.txt
	@if ! [ -x $(BIN)/python ]; then \
	  found=; \
	  for candidate in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
	    if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	      found=$$candidate; break; \
	    fi; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "Ventiuna needs Python 3.11 or later, and none was found: install one, or name it with 'make setup PYTHON=/path/to/python'." >&2; \
	    exit 1; \
	  fi; \
	  echo "Setting up $(VENV) with $$("$$found" --version) (once; takes a minute)"; \
	  if ! "$$found" -m venv $(VENV); then \
	    rm -rf $(VENV); \
	    echo "$$found could not make a virtual environment: install its venv module (on Debian and Ubuntu the package python3-venv)." >&2; \
	    exit 1; \
	  fi; \
	fi
	@# The build back end is installed first, pinned, so that no unpinned copy is fetched.
	@$(PIP) hatchling hatch-vcs editables
	@$(PIP) --no-build-isolation -e '.[$(EXTRAS)]'
	@# Compiled now, so that no command and no test has to wait for it.
	@$(BIN)/ventiuna warm-up
	@touch $@

client: $(WEB) ## build the web client into the package

$(MODULES): client/package.json client/package-lock.json | $(STAMP)
	@echo "Fetching what the web client is built with (once)"
	@# Not "ci": a registry may lack the builds for other systems, which that would insist on.
	@$(NPM) install --no-save --no-audit --no-fund
	@touch $@

$(WEB): $(MODULES) $(CLIENT)
	@echo "Building the web client"
	@$(NPM) run --silent build

check: setup ## style, types and import directions
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy $(SOURCES)
	$(BIN)/lint-imports
	$(NPM) run check
	$(SPHINX)

test: setup ## all tests, on all cores
	@$(BIN)/ventiuna warm-up
	$(NPM) run test
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

table: setup ## sit down at a live table of your own, in the browser
	@# Ctrl-C is how it ends, not an error.
	@trap : INT; $(BIN)/ventiuna table $(ARGS) || [ $$? -eq 130 ]

soak: setup ## a million random rounds, every invariant checked; ten million in lockstep
	$(BIN)/python -m benchmarks.soak $(ARGS)
	$(BIN)/python -m benchmarks.lockstep_soak $(ARGS)
	$(BIN)/python -m benchmarks.seats_soak $(ARGS)
	$(BIN)/python -m benchmarks.client_soak
	$(BIN)/python -m benchmarks.small_shoes_soak
	$(BIN)/python -m benchmarks.cut_card_soak
	$(BIN)/python -m benchmarks.shuffle_soak
	$(BIN)/python -m benchmarks.bank_soak
	$(BIN)/python -m benchmarks.kill_soak
	$(BIN)/python -m benchmarks.table_soak
	$(BIN)/python -m benchmarks.table_soak --seeds 20 --commands 300 --database file
	$(BIN)/python -m benchmarks.table_soak --seeds 20 --commands 300 --database postgresql
	$(BIN)/python -m benchmarks.browser_soak
	$(BIN)/python -m tools.release.wheel_test

mutants: setup ## a sample of wrong rules: does some fast test notice each?
	$(BIN)/python -m benchmarks.mutants $(ARGS)

bench: setup ## speed, as figures with their machine
	$(BIN)/python -m benchmarks $(ARGS)

docs: pages ## build the documentation into build/docs, every reference checked, notebooks run
	$(SPHINX)
	@echo "The documentation: build/docs/index.html"

pages: setup ## write the pages of docs/ that come from the tests anew
	$(BIN)/python -m tests.requirements_page $(ARGS)
	$(BIN)/python -m tests.one_place_page $(ARGS)
	$(BIN)/python -m tests.socket_page $(ARGS)

dist: setup ## source archive, wheel and bill of materials of what is committed, into dist/
	rm -rf dist
	$(BIN)/python -m tools.release.building dist

wheel: setup ## tests against the built wheel: every Python found, each extra alone
	$(BIN)/python -m tools.release.wheel_test $(ARGS)

types: setup ## write the wire's types for the web client anew
	$(BIN)/python -m ventiuna.server.typescript > client/src/wire.ts

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) client/node_modules src/ventiuna/server/web build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
