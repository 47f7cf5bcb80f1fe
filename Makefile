# `make run` opens the dashboard, `make test` checks everything; both install what they
# need the first time and start at once afterwards.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PORT ?= 8501
WORKERS ?= 2
BENCHMARKS := $(addprefix benchmarks/,bench_fit.py bench_search.py bench_live.py)

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMPS := $(VENV)/stamps
# Python compiles a module when it is first imported: most never are.
PIP_INSTALL := $(PYTHON) -m pip install -qq --disable-pip-version-check --no-compile
KERNELS := $(wildcard vstg/kernels/*.py)
KERNEL_CACHE := vstg/kernels/__pycache__/*.nb[ci]
LINTED := $(wildcard *.py vstg pages tests scripts benchmarks examples)
unexport NUMBA_CACHE_DIR # keep the cache next to the kernels, where this file sees it

.PHONY: help
help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
		awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'
	@echo
	@echo 'Variables: PORT=$(PORT) (run), WORKERS=$(WORKERS) (test), PYTHON3=python (set-up),'
	@echo 'CHROMIUM=browser (test), ARGS=more arguments (test, test-slow, bench).'

.PHONY: run
run: $(STAMPS)/kernels  ## open the dashboard on http://localhost:8501
	@$(PYTHON) -m vstg app --port $(PORT)

.PHONY: test
test:  ## run the linters, the type checker and all tests but the slow ones
	@$(MAKE) --no-print-directory --jobs=4 lint pytest

# Apart from the target above, so that installing, compiling and checking may overlap.
.PHONY: pytest
pytest: setup-test
	@$(call PYTEST,)

.PHONY: test-slow
test-slow: setup-test  ## run the slow tests only
	@$(call PYTEST,-m slow)

.PHONY: lint
lint: $(STAMPS)/test  ## check style, format, types, import layers and security
	@$(PYTHON) -m ruff check $(LINTED)
	@$(PYTHON) -m ruff format --check $(LINTED)
	@$(PYTHON) -m mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(PYTHON) -m bandit -q -c pyproject.toml -r app.py vstg pages scripts

.PHONY: audit
audit: $(STAMPS)/venv  ## check the pinned versions for known vulnerabilities (needs the network)
	@$(PYTHON) -m venv build/audit
	@build/audit/bin/python -m pip install -qq --disable-pip-version-check pip-audit
	@build/audit/bin/pip-audit --strict --disable-pip --no-deps \
		-r requirements.txt -r requirements-test.txt

.PHONY: format
format: $(STAMPS)/test  ## rewrite the code in the project's format
	@$(PYTHON) -m ruff check --fix $(LINTED)
	@$(PYTHON) -m ruff format $(LINTED)

.PHONY: bench
bench: $(STAMPS)/test $(STAMPS)/kernels  ## run the benchmarks
	@for script in $(BENCHMARKS); do \
		echo "== $$script"; $(PYTHON) $$script $(ARGS) || exit 1; \
	done

.PHONY: docs
docs: $(STAMPS)/test  ## write the Python reference to build/reference
	@$(PYTHON) scripts/reference.py

.PHONY: setup
setup: $(STAMPS)/kernels  ## install what `make run` needs without starting it

.PHONY: setup-test
setup-test: $(STAMPS)/test $(STAMPS)/kernels browser  ## install what `make test` needs without running it
	@$(PYTHON) scripts/find_chromium.py >/dev/null

.PHONY: browser
browser: | $(STAMPS)/venv
	@$(PYTHON) scripts/find_chromium.py --early

.PHONY: clean
clean:  ## delete caches and build leftovers
	@find . -path ./$(VENV) -prune -o -type d \
		\( -name __pycache__ -o -name '*.egg-info' \) -exec rm -rf {} +
	@rm -rf build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@rm -f $(STAMPS)/*

.PHONY: clean-all
clean-all: clean  ## delete the environment too
	@rm -rf $(VENV)

# One BLAS thread per worker: more would only wait for each other. Each file stays on one
# worker, so that what its tests share (a server, a browser) is started once.
PYTEST = CHROMIUM="$$($(PYTHON) scripts/find_chromium.py)" \
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	$(PYTHON) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(1) $(ARGS)

$(STAMPS)/venv:
	@scripts/make_venv.sh $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: requirements.txt pyproject.toml | $(STAMPS)/venv
	@echo 'Installing the packages of requirements.txt (once, about a minute) …'
	@$(PIP_INSTALL) -r requirements.txt -e '.[app]'
	@touch $@

$(STAMPS)/test: requirements-test.txt requirements-login.txt $(STAMPS)/run
	@echo 'Installing the packages of requirements-test.txt (once) …'
	@$(PIP_INSTALL) -r requirements.txt -r requirements-test.txt -e '.[app,login,test]'
	@touch $@

# All kernels are compiled again when one file changes: numba does not notice a change in
# a function of another file that a cached function calls.
$(STAMPS)/kernels: $(KERNELS) $(STAMPS)/run
	@echo 'Compiling the numerical kernels (once, a minute or two) …'
	@rm -f $(KERNEL_CACHE)
	@$(PYTHON) -m vstg compile
	@touch $@

ifeq ($(wildcard $(KERNEL_CACHE)),)
.PHONY: $(STAMPS)/kernels
endif
