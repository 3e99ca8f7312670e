# The two commands are `make demo` and `make test`; both set everything up first.
# On another Python: `make test PYTHON=python3.13 VENV=.venv-3.13`. Without a GPU: `make setup TORCH=cpu`, which takes
# PyTorch's own build for CPUs (from download.pytorch.org) and saves CUDA's libraries, half of the environment.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
DUMP   ?=
OUT    ?= demo
TORCH  ?=

# Tests and commands start hundreds of processes; each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test test-all test-flink soak coverage lint docs deps lmplz airflow constraints resolve wheel clean

# `uv` installs the environment in a minute where pip needs five.
$(BIN)/allsaid: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip install -q --compile-bytecode --python $(BIN)/python -c constraints.txt $(if $(TORCH),--torch-backend $(TORCH)) -e '.[dev]'
	touch $@

setup: $(BIN)/allsaid

demo: $(BIN)/allsaid
	$(BIN)/allsaid demo --output '$(OUT)' $(if $(DUMP),--dump '$(DUMP)')

test: $(BIN)/allsaid lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m 'not slow'

test-all: $(BIN)/allsaid lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m 'not flink'

# Jobs of each kind on a Flink cluster that loses processes; the first time it fetches 150 MB from Maven Central.
ROWS ?= 20000
test-flink: $(BIN)/allsaid
	$(BIN)/python -m pytest -m flink --flink-rows $(ROWS)

# Nightly runs with a fault in each (docs/figures.md, "Soak test"); as root, since it mounts a small disk.
NIGHTS ?= 30
SEED   ?= 11
soak: $(BIN)/allsaid
	$(BIN)/python -m benchmarks.scale.soak --nights $(NIGHTS) --seed $(SEED)

# The lines that the short tests run beside those of all tests, child processes included; below 95% it fails.
coverage: $(BIN)/allsaid
	rm -rf build/coverage
	COVERAGE_FILE=build/coverage/short $(BIN)/coverage run -m pytest -n 2 --dist loadfile -m 'not slow'
	COVERAGE_FILE=build/coverage/slow $(BIN)/coverage run -m pytest -n 2 --dist loadfile -m 'slow and not flink'
	$(BIN)/python tests/support/line_coverage.py build/coverage

lint: $(BIN)/allsaid
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# What the pages take from results, code and tests, between their markers; a test compares them. Then the results that are
# older than the code they measure.
docs: $(BIN)/allsaid
	$(BIN)/python -m benchmarks.older
	PYTHONPATH=docs:tests/support/faulty $(BIN)/python -m pages.write

# What comes from Debian's packages: browser, Java and PostgreSQL for the tests of report, METEOR and tracking server, and
# what `make lmplz` builds with.
deps:
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		chromium default-jre-headless postgresql g++ cmake \
		libboost-program-options-dev libboost-system-dev libboost-test-dev libboost-thread-dev

# KenLM's program for Kneser-Ney models, from its archive on PyPI; it needs no library where it runs.
KENLM        := 0.3.0
KENLM_SHA256 := c4628bb9fb63c8a6f9240035b8b037385cfc404cb72e933cf48878291edac1e8

lmplz: $(BIN)/lmplz

$(BIN)/lmplz: | $(BIN)/allsaid
	mkdir -p build/kenlm
	echo 'kenlm==$(KENLM) --hash=sha256:$(KENLM_SHA256)' > build/kenlm/archive.txt
	$(BIN)/python -m pip download -q --require-hashes --no-deps --no-binary kenlm --no-build-isolation \
		-d build/kenlm -r build/kenlm/archive.txt
	tar -xzf build/kenlm/kenlm-$(KENLM).tar.gz -C build/kenlm
	cmake -S build/kenlm/kenlm-$(KENLM) -B build/kenlm/made -DFORCE_STATIC=ON
	cmake --build build/kenlm/made --target lmplz --parallel 2
	cp build/kenlm/made/bin/lmplz $@

# Airflow for the test of its DAGs, in an environment of its own.
airflow: build/airflow/bin/airflow

build/airflow/bin/airflow: deploy/airflow.txt | $(BIN)/allsaid
	rm -rf build/airflow
	$(BIN)/uv venv -q --python $(PYTHON) build/airflow
	$(BIN)/uv pip install -q --compile-bytecode --python build/airflow/bin/python -r $<
	touch $@

constraints: $(BIN)/allsaid
	echo 'apache-airflow>=3.3,<3.4' | $(BIN)/uv pip compile -q --upgrade --universal --no-annotate \
		--custom-compile-command 'make constraints' --python-version 3.11 -o deploy/airflow.txt -
	$(BIN)/uv pip compile -q --upgrade --universal --all-extras --custom-compile-command 'make constraints' \
		--no-annotate --python-version 3.11 -o constraints.txt pyproject.toml

# All dependencies on each Python that pyproject.toml allows; nothing is installed.
resolve: $(BIN)/allsaid
	for version in 3.11 3.12 3.13; do \
		$(BIN)/uv pip compile -q --all-extras --python-version $$version -c constraints.txt -o /dev/null \
			pyproject.toml && echo "All dependencies resolve on Python $$version." || exit 1; \
	done

wheel: $(BIN)/allsaid
	$(BIN)/uv build -q --wheel

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
