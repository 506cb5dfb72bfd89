# Two commands for newcomers (make table, make test), and every task for developers.

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt
# Build tools are pinned too; newer versions of pip read the second variable.
export PIP_CONSTRAINT       := $(CURDIR)/constraints.txt
export PIP_BUILD_CONSTRAINT := $(CURDIR)/constraints.txt
# Use a specific interpreter: make setup PYTHON=python3.13
PYTHON ?=
# More arguments for the program behind a target: make test ARGS="-k rescue"
ARGS ?=
# Which kernels setup builds: LEVELS=--release builds those of the wheel, too.
LEVELS ?=

SOURCES = src tests tools docs/conf.py $(wildcard benchmarks conformance examples)
COMPILED = $(shell find src/ventiuna/core src/ventiuna/kernels -name '*.py') tools/build_kernels.py
CLIENT = $(shell find client -path client/node_modules -prune -o -type f -print)

# Files that mark a step as done.
PLAYER    := $(VENV)/.player
DEVELOPER := $(VENV)/.developer
KERNELS   := $(VENV)/.kernels
MODULES   := client/node_modules/.installed
WEB       := src/ventiuna/server/web/index.html

# The web client is built with the Node in the environment; the system doesn't need it.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix client --loglevel error

# A broken reference, or a page missing from every table of contents, fails the build.
SPHINX = $(BIN)/python -m sphinx --quiet -W --keep-going -j auto

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup client check check-style check-types check-imports check-client check-docs test test-client table soak mutants bench docs pages dist wheel types clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "Setup writes .venv, client/node_modules and built files under src/ventiuna; 'make clean' removes them."
	@echo "pip and npm keep downloads in their own caches. 'ventiuna table' prints where it stores your tables."

$(BIN)/python:
	@python=; \
	for candidate in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    python=$$candidate; break; \
	  fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "Ventiuna needs Python 3.11 or later. Install it, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python" >&2; \
	  exit 1; \
	fi; \
	echo "Creating $(VENV) with $$("$$python" --version)"; \
	if ! "$$python" -m venv $(VENV); then \
	  rm -rf $(VENV); \
	  echo "$$python can't create a virtual environment. Install its venv module (Debian, Ubuntu: python3-venv)." >&2; \
	  exit 1; \
	fi

# For players: Node, Numba and the like stay in pip's temporary build environment.
$(PLAYER): pyproject.toml constraints.txt tools/build_hook.py $(COMPILED) $(CLIENT) | $(BIN)/python
	@echo "[1/2] Installing the packages that Ventiuna uses"
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' > $(VENV)/requirements.txt
	@$(PIP) --quiet -r $(VENV)/requirements.txt
	@echo "[2/2] Building the web client and the kernels (a minute or so)"
	@rm -f $(WEB) $(VENV)/.failed
	@echo "      Fetching the build tools, into a temporary environment"
	@{ $(PIP) -v --no-deps -e . 2>&1 || touch $(VENV)/.failed; } | tee $(VENV)/setup.log \
	  | awk '/^ *» / { sub(/^ *» /, "      "); print; fflush() }'
	@if [ -e $(VENV)/.failed ]; then tail -n 40 $(VENV)/setup.log >&2; exit 1; fi
	@touch $@

# For developers: everything, pinned. The client and kernels are rebuilt when their sources change.
setup: $(DEVELOPER) $(KERNELS) $(WEB) ## install everything for development into .venv

$(DEVELOPER): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Ventiuna with everything for development (once; takes a minute or two)"
	@# ziglang takes 400 MB. It links the kernels only where there is no C compiler.
	@$(PIP) --quiet hatchling hatch-vcs editables $(if $(shell command -v cc),,ziglang)
	@VENTIUNA_SKIP_BUILD=1 $(PIP) --quiet --no-build-isolation -e '.[all,dev]'
	@touch $@

$(KERNELS): $(COMPILED) | $(DEVELOPER)
	@$(BIN)/python -m tools.build_kernels $(LEVELS)
	@touch $@

client: $(WEB) ## build the web client into the package

$(MODULES): client/package.json client/package-lock.json | $(DEVELOPER)
	@echo "Fetching the web client's packages"
	@# Not "npm ci", which requires builds for other systems, too; a registry may not have them.
	@$(NPM) install --no-save --no-audit --no-fund
	@touch $@

$(WEB): $(MODULES) $(CLIENT)
	@echo "Building the web client"
	@$(NPM) run --silent build

# The steps don't depend on each other: make -j 2 check runs two at a time.
check: setup check-style check-types check-imports check-client check-docs ## check style, types and import directions

check-style: | $(DEVELOPER)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

check-types: | $(DEVELOPER)
	$(BIN)/mypy $(SOURCES)

check-imports: | $(DEVELOPER)
	$(BIN)/lint-imports

check-client: $(MODULES)
	$(NPM) run check

check-docs: setup
	$(SPHINX) -b dummy docs build/docs-check

test: setup test-client ## run all tests, on all cores
	@# Bytecode is kept; otherwise, hundreds of interpreters that the tests start would compile the sources.
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

test-client: $(MODULES)
	$(NPM) run test

table: $(if $(wildcard $(DEVELOPER)),setup,$(PLAYER)) ## open your own table in the browser
	@# Ctrl-C is the normal way to stop it, not an error.
	@trap : INT; $(BIN)/ventiuna table $(ARGS) || [ $$? -eq 130 ]

soak: setup ## play a million random rounds, checking every invariant, and ten million in lockstep
	$(BIN)/python -m benchmarks.soak $(ARGS)
	$(BIN)/python -m benchmarks.lockstep_soak $(ARGS)
	$(BIN)/python -m benchmarks.seats_soak $(ARGS)
	$(BIN)/python -m benchmarks.client_soak
	$(BIN)/python -m benchmarks.small_shoes_soak
	$(BIN)/python -m benchmarks.design_soak
	$(BIN)/python -m benchmarks.edge_soak
	$(BIN)/python -m benchmarks.cut_card_soak
	$(BIN)/python -m benchmarks.shuffle_soak
	$(BIN)/python -m benchmarks.monitor_soak
	$(BIN)/python -m benchmarks.bank_soak
	$(BIN)/python -m benchmarks.kill_soak
	$(BIN)/python -m benchmarks.table_soak
	$(BIN)/python -m benchmarks.table_soak --seeds 20 --commands 300 --database file
	$(BIN)/python -m benchmarks.table_soak --seeds 20 --commands 300 --database postgresql
	$(BIN)/python -m benchmarks.browser_soak
	VENTIUNA_BROWSER_DATABASE=postgresql $(BIN)/python -m pytest -q -n auto tests/browser
	VENTIUNA_KERNELS=jit $(BIN)/python -m pytest -q -n auto tests/equivalence tests/golden tests/simulation
	VENTIUNA_SOAK=1 $(BIN)/python -m pytest -q -n auto tests
	$(BIN)/python -m tools.release.wheel_test --all

mutants: setup ## check that fast tests notice a sample of wrong rules, and the conformance kit, too
	$(BIN)/python -m benchmarks.mutants $(ARGS)
	$(BIN)/python -m benchmarks.kit_mutants

bench: setup ## measure speed, and report it with the machine
	$(BIN)/python -m benchmarks $(ARGS)

docs: pages ## build the documentation into build/docs, check references and run notebooks
	$(SPHINX) -b html docs build/docs
	@echo "The documentation: build/docs/index.html"

pages: setup ## regenerate the pages in docs/ that come from the tests
	$(BIN)/python -m tests.requirements_page $(ARGS)
	$(BIN)/python -m tests.one_place_page $(ARGS)
	$(BIN)/python -m tests.socket_page $(ARGS)
	$(BIN)/python -m tests.permissions_page $(ARGS)
	$(BIN)/python -m tests.randomness_page $(ARGS)
	$(BIN)/python -m tests.conformance_kit $(ARGS)

dist: setup ## build source archive, wheels and bill of materials from the last commit in dist/
	rm -rf dist
	$(BIN)/python -m tools.release.building dist

wheel: setup ## install the built wheel into a clean environment and play every preset
	$(BIN)/python -m tools.release.wheel_test $(ARGS)

types: setup ## regenerate the wire types for the web client
	$(BIN)/python -m tools.typescript > client/src/wire.ts

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) client/node_modules src/ventiuna/server/web src/ventiuna/kernels/built build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
