# Two commands for a fresh machine with a Python that setup.cfg allows: `make demo` and `make test`.

VENV ?= .venv
BIN := $(VENV)/bin
OLDEST := $(shell sed -n 's/^python_requires = >=3\.//p' setup.cfg)
SUPPORTED := import sys; sys.exit(sys.version_info < (3, $(OLDEST)))
# The first Python that is new enough; override with `make PYTHON=/path/to/python3 ...`.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c '$(SUPPORTED)' 2>/dev/null && echo $$python && break; done)
# On all processors; a file's tests stay together, since they share what is made for them.
PYTEST = $(BIN)/python -m pytest -n auto --dist loadfile
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: help demo test test-fast check ci docs clean

help:
	@echo "make demo       crawl a small portal that runs on this machine, into curator-demo/"
	@echo "make test       run every test"
	@echo "make test-fast  run the unit tests that start no process and are quick"
	@echo "make check      style, types, and who imports whom"
	@echo "make ci         all that must be green before a change lands"
	@echo "make docs       write the generated pages of docs/ again"
	@echo "make clean      remove the environment and what tools left behind"

demo: $(VENV)/.installed
	$(BIN)/curator demo

test: $(VENV)/.installed-dev
	$(PYTEST)

test-fast: $(VENV)/.installed-dev
	$(PYTEST) -m 'not slow' tests/unit

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

ci: test check

docs: $(VENV)/.installed-dev
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/portal_reference.py
	$(BIN)/python docs/transcripts.py

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# Stamps, so that pip runs again only when what it would install has changed.
$(VENV)/.installed: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.installed

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.$(OLDEST) or newer is needed and was not found; name it with: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c '$(SUPPORTED)' || { echo "$(PYTHON) is no Python 3.$(OLDEST) or newer; name one with: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module does not work here (on Debian and Ubuntu: apt install python3-venv)"; exit 1; }
