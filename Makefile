# Every target installs what it needs in .venv; make demo installs the core alone, in .venv-demo.
# Only Python 3.11 or newer and make are required.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO := demo
DEMO_VENV := .venv-demo
DEMO_READY := $(DEMO_VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help demo test test-all agreement app-walk test-postgres fuzz fuzz-doors fuzz-writings audit-questions test-lowest mutants check docs dist fix bench calibration glossary lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $(READY)

$(DEMO_READY): requirements-core.lock pyproject.toml
	$(PYTHON) -m venv $(DEMO_VENV)
	$(DEMO_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements-core.lock
	$(DEMO_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $(DEMO_READY)

# Compiled loops are kept beside the sources. The first time, compiling all takes a minute or two.
PRECOMPILE = $(BIN)/python -m indistinct.base.compiled.precompile --processes 2

# What the demo calls, but for two small loops that it compiles itself.
LOCAL = $(addprefix tables.search.local.,annealing_kernels annealing_state_kernels dual_kernels peel_kernels)

demo: BIN := $(DEMO_VENV)/bin
demo: $(DEMO_READY)  ## publish, verify and attack 20,000 fictitious patients
	@$(PRECOMPILE) $(LOCAL) tables.evaluation.attacks.matching_kernels
	@BIN=$(BIN) DIR=$(DEMO) sh benchmarks/demo.sh

# The tests write thousands of small files. They run faster if these files are kept in memory.
ROOM = $(shell df -Pm /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000 { print "PYTEST_DEBUG_TEMPROOT=/dev/shm" }')

# As many tests run at once as there are cores. Threads of linear algebra and of Polars in each would
# only wait for one another.
test test-all agreement: export OPENBLAS_NUM_THREADS ?= 1
test test-all agreement: export POLARS_MAX_THREADS ?= 1

# Tests start hundreds of processes. Each would compile the source again where Python keeps nothing.
unexport PYTHONDONTWRITEBYTECODE

WORKERS = auto
PYTEST = $(ROOM) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not slow"

ifdef HOUSE
# Each process takes seconds to begin, and few of these tests wait for something.
test: WORKERS = $(shell getconf _NPROCESSORS_ONLN)
test: $(READY)
	files=$$($(BIN)/python tests/houses.py $(HOUSE)) && \
	  $(PRECOMPILE) base $(if $(filter graph,$(HOUSE)),graph,tables) && $(PYTEST) $$files
else
test: $(READY)  ## run all tests except the longest, or those of a house: make test HOUSE=graph
	$(PRECOMPILE)
	$(PYTEST)
endif

test-all: $(READY)  ## run all tests; this takes about half an hour
	$(PRECOMPILE)
	$(ROOM) HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-thorough} $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
	$(MAKE) agreement AGREEMENT=all

test-postgres: $(READY)  ## run the tests that need PostgreSQL, on a temporary server (Debian's postgresql)
	eval "$$(sh tests/postgres.sh start)" && \
	  { $(BIN)/python -m pytest -m postgres; status=$$?; sh tests/postgres.sh stop; exit $$status; }

agreement: $(READY)  ## hold every voice against the statements of many releases; all of them: make agreement AGREEMENT=all
	AGREEMENT=$(AGREEMENT) $(ROOM) $(BIN)/python -m pytest -q -p no:cacheprovider tests/agreement.py

app-walk: $(READY)  ## open every page of the application in every state, in both languages
	$(ROOM) $(BIN)/python -m pytest -q -s -p no:cacheprovider tests/app_walk.py

MINUTES ?= 1
fuzz: $(READY)  ## test random tables and policies: make fuzz MINUTES=30 [SEED=7]
	PYTHONPATH=src:tests $(BIN)/python -m fuzz.run --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

fuzz-doors: $(READY)  ## test random graphs, questions, sets, histories, syntheses and engines
	PYTHONPATH=src:tests $(BIN)/python -m fuzz.doors --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

fuzz-writings: $(READY)  ## release random tables from all files and frames that carry them: TABLES=500 [SEED=7]
	PYTHONPATH=src:tests $(BIN)/python -m fuzz.writings --tables $(or $(TABLES),500) $(if $(SEED),--seed $(SEED))

audit-questions: $(READY)  ## ask random questions with and without one person: MINUTES=30 [SEED=7]; also in PostgreSQL where INDISTINCT_POSTGRES is set
	PYTHONPATH=src:tests $(BIN)/python -m neighbours --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

test-lowest: $(READY)  ## run the tests with the lowest allowed versions, in a separate environment
	$(BIN)/python tests/lowest.py > .lowest.txt
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check -r .lowest.txt
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	PYTHONPATH=src .venv-lowest/bin/python -m pytest -n auto --dist loadfile -m "not slow" \
	  -W "ignore:'click.utils:DeprecationWarning"  # an old typer beside a new click

SAMPLE ?= 120
mutants: $(READY)  ## change the program at random and run its tests: make mutants SAMPLE=120 [SEED=7]
	PYTHONPATH=src:tests $(BIN)/python -m mutants.run --sample $(SAMPLE) $(if $(SEED),--seed $(SEED)) $(if $(ROOMS),--rooms $(ROOMS))

check: $(READY)  ## check formatting, lint, types, spelling and the imports between houses
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports
	$(BIN)/codespell src tests docs benchmarks README.md CHANGELOG.md

docs: $(READY)  ## build the documentation site in docs/_build; a warning is an error
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build

dist: $(READY)  ## build a wheel for this platform and a source distribution in dist/
	$(PRECOMPILE)
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -w dist .
	$(BIN)/python -m hatchling build -t sdist -d dist

fix: $(READY)  ## correct formatting and simple lint faults
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)  ## measure speed, memory and loss, and write docs/benchmarks.md
	$(BIN)/python benchmarks/run.py --write docs/benchmarks.md
	$(BIN)/python benchmarks/local_recoding.py --write docs/benchmarks.md
	$(BIN)/python benchmarks/attacks.py --write docs/benchmarks.md

calibration: $(READY)  ## hold drafted roles against files with judged roles: make calibration [ROLES=folder] [DRAFTS=1]
	$(BIN)/python benchmarks/calibration.py $(ROLES) $(if $(DRAFTS),--drafts)

glossary: $(READY)  ## check the words that roles are drafted from: make glossary [WORDS=tr] [ROLES=folder]
	$(BIN)/python benchmarks/glossary.py $(ROLES) $(if $(WORDS),--words $(WORDS))

COMPILE_LOCK = $(BIN)/python -m piptools compile --quiet --generate-hashes --strip-extras --no-header --no-annotate --allow-unsafe \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host

# The core alone, and what installs the checkout itself without a network.
lock: $(READY)  ## pin the newest versions that fit together
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-tools
	$(COMPILE_LOCK) --all-extras -o requirements.lock pyproject.toml
	printf 'hatchling\neditables\n' | $(COMPILE_LOCK) -c requirements.lock -o requirements-core.lock pyproject.toml -

clean:  ## remove the files that the targets created
	rm -rf $(VENV) $(DEMO_VENV) $(DEMO) docs/_build docs/jupyter_execute docs/reference_pages dist
