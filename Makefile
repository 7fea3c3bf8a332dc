# `make run` and `make test` are all a newcomer needs; both build what is missing in .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(shell find src -name '*.pyx' -o -name '*.pxd' -o -name '*.h')
PYX := $(shell find src -name '*.pyx')
WORDS := $(shell find cli -name '*.po')
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: run build test lint bench peers golden kills damage costs fuzz portable dist clean

run: build
	@$(BIN)/cardgods play encan --variant express --seat exact --seat greedy --seed 7 --log build/demo.cglog --overwrite
	@$(BIN)/cardgods replay build/demo.cglog --verify
	@$(BIN)/cardgods solve encan --variant express

build: $(VENV)/.built

$(VENV)/.deps: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check -U pip 'setuptools>=77' 'Cython>=3.1' 'babel>=2.12'
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group dev
	@touch $@

$(VENV)/.installed: $(VENV)/.deps setup.py MANIFEST.in
	@echo "building cardgods in $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation -e .
	@touch $@

$(VENV)/.built: $(VENV)/.installed $(CORE) $(WORDS)
	@$(BIN)/python setup.py -q build_ext --inplace
	@touch $@

test: build
	@$(BIN)/python -m pytest -q -n auto

lint: $(VENV)/.built
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/cython-lint src
	@$(BIN)/python tests/hints.py
	@$(BIN)/mypy

bench: build
	@$(BIN)/python -m pytest -q bench --benchmark-enable --benchmark-only --benchmark-timer=time.process_time --benchmark-columns=min,median,rounds

peers: build
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group peers
	@$(BIN)/python -m pytest -q bench/peers --benchmark-enable -s

golden: build
	@$(BIN)/python tests/golden/regenerate.py
	@$(BIN)/python tests/log/docexample.py

# games killed with SIGKILL at random moments, resumed, and held against undisturbed ones
KILLS ?= 200
kills: build
	@$(BIN)/python tests/log/killer.py $(KILLS)

# every cut and every flipped bit of a log of each game
damage: build
	@$(BIN)/python tests/log/damage.py

# memory and time that 1 MB of hostile bytes takes, at most 50 MB
costs: build
	@$(BIN)/python tests/log/costs.py

# coverage-guided fuzzing of the readers of logs; needs a wheel of atheris for this Python
FUZZ_SECONDS ?= 60
fuzz: build
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group fuzz
	@$(BIN)/python tests/log/fuzz_atheris.py build/fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=4096 \
		-rss_limit_mb=600 -timeout=10 -artifact_prefix=build/ -print_final_stats=1

# generator and rules under every C compiler and level of optimisation at hand
portable: build
	@$(BIN)/python tests/core/portable.py

# sdist -> wheel -> fresh environment, as a stranger would install it
dist: build
	@$(BIN)/python -m pip install -q --disable-pip-version-check build
	@rm -rf dist build/fresh && $(BIN)/python -m build
	@$(PYTHON) -m venv build/fresh && build/fresh/bin/python -m pip install -q dist/*.whl
	@cd build/fresh && bin/cardgods solve encan --variant express && bin/python -m cardgods_cli games

clean:
	rm -rf build dist $(VENV) src/*.egg-info
	find src cli tests bench -name __pycache__ -prune -exec rm -rf {} +
	find src -name '*.so' -delete -o -name '*.c' -delete
