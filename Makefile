# The two commands are `make demo` and `make test`; both set everything up first.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
DUMP   ?=
OUT    ?= demo

.PHONY: setup demo test lint docs deps constraints wheel clean

# `uv` installs the environment in a minute where pip needs five.
$(BIN)/allsaid: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip install -q --compile-bytecode --python $(BIN)/python -c constraints.txt -e '.[dev]'
	touch $@

setup: $(BIN)/allsaid

demo: $(BIN)/allsaid
	$(BIN)/allsaid demo --output '$(OUT)' $(if $(DUMP),--dump '$(DUMP)')

test: $(BIN)/allsaid lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(BIN)/allsaid
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The pages that are made of data; a test compares them.
docs: $(BIN)/allsaid
	$(BIN)/python tests/support/fault_table.py

# What comes from Debian's packages: browser, Java and PostgreSQL for the tests of report, METEOR and tracking server.
deps:
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		chromium default-jre-headless postgresql

constraints: $(BIN)/allsaid
	$(BIN)/uv pip compile -q --upgrade --extra dev --custom-compile-command 'make constraints' --no-annotate \
		--python-version 3.11 -o constraints.txt pyproject.toml

wheel: $(BIN)/allsaid
	$(BIN)/uv build -q --wheel

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
