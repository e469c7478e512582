# Two commands for a fresh machine with a Python that setup.cfg allows: `make demo` and `make test`.

VENV ?= .venv
BIN := $(VENV)/bin
OLDEST := $(shell sed -n 's/^python_requires = >=3\.//p' setup.cfg)
SUPPORTED := import sys; sys.exit(sys.version_info < (3, $(OLDEST)))
# The first Python that is new enough; override with `make PYTHON=/path/to/python3 ...`.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c '$(SUPPORTED)' 2>/dev/null && echo $$python && break; done)
# Twice as many workers as processors: a third of the time is waiting. What stands together in a file mostly stays together.
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Tests start hundreds of processes: where this is set, each of them compiles every module anew, a quarter of their time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-all test-everything test-fast check ci docs site dist container bench soak clean

help:
	@echo "make demo       crawl a small portal that runs on this machine, into curator-demo/"
	@echo "make test       test what people were promised; eight minutes on two processors; ONLY=tests/corpus: these alone"
	@echo "make test-all   besides: what is slow or needs much, every Python that is here, wheel, container; an hour"
	@echo "make test-fast  test portal files and the reading of pages alone; two minutes"
	@echo "make check      style, types, and who imports whom"
	@echo "make ci         all that must be green before a change lands"
	@echo "make docs       write the generated pages of docs/ again"
	@echo "make site       make a site of docs/ to read in a browser, into site/"
	@echo "make dist       what is published, in dist/: checked, and installed; EACH=1: with every supported Python"
	@echo "make bench      compare with other programs again, and print all figures; QUICK=1, ONLY=name, AGAIN=1"
	@echo "make soak       kill, cut, fill and fuzz for hours, and print what came out; HOURS=4, ONLY=kind, SHORT=1"
	@echo "make container  build the image of Containerfile, and run the demo in it"
	@echo "make clean      remove the environment and what tools left behind"

demo: $(VENV)/.installed
	$(BIN)/curator demo

test: $(VENV)/.installed-test
	$(PYTEST) $(ONLY)

test-all:
	.ci/run nightly

test-everything: $(VENV)/.installed-dev
	NIGHTLY=1 $(PYTEST) -m ''
	$(BIN)/python -m soak --short

test-fast: $(VENV)/.installed-test
	$(PYTEST) tests/portal_file tests/reading

check: $(VENV)/.installed-lint
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python .ci/decisions

ci: check test

docs: $(VENV)/.installed-docs
	$(BIN)/python docs/generate.py

site: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "Open site/index.html in a browser."

dist: $(VENV)/.installed-lint
	EACH=$(EACH) .ci/publishable $(BIN)/python

container:
	.ci/container

# An hour and a quarter on two quiet cores; QUICK=1: ten minutes, ONLY="crawl_cpu learned": these alone, AGAIN=1: also what was measured today, ALL=1: also what takes very long.
bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.bench $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(if $(ALL),--all) $(if $(AGAIN),--again)

# Hours, bounded: HOURS=12, ONLY="kills clocks": these alone, SHORT=1: each case once, in a minute.
soak: $(VENV)/.installed-dev
	$(BIN)/python -m soak $(if $(HOURS),--hours $(HOURS)) $(if $(ONLY),--only $(ONLY)) $(if $(SHORT),--short)

clean:
	rm -rf $(VENV) build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# Stamps, so that pip runs again only when what it would install has changed.
$(VENV)/.installed: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

# [test], [lint] or [dev], which is all that there is; `.installed-lint,test` is both, settled by pip at once.
comma := ,
$(VENV)/.installed-%: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[$*]'
	@touch $@ $(VENV)/.installed $(addprefix $(VENV)/.installed-,$(subst $(comma), ,$*))

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.$(OLDEST) or newer is needed and was not found; name it with: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c '$(SUPPORTED)' || { echo "$(PYTHON) is no Python 3.$(OLDEST) or newer; name one with: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module does not work here (on Debian and Ubuntu: apt install python3-venv)"; exit 1; }
