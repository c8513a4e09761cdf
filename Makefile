# The targets need Rust, Python 3.10+ and make. Python packages go into .venv; whatever else a target needs is installed
# or, if that is not possible, named.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export VIRTUAL_ENV := $(abspath $(VENV))
export PATH := $(abspath $(BIN)):$(PATH)

RUST := Cargo.toml Cargo.lock $(shell find src levels -type f)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-18s %s\n", $$1, $$2 }'

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or later is required; this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip "maturin>=1.9,<2"

# The package alone, as a user has it.
$(VENV)/demo.stamp: $(BIN)/python pyproject.toml $(RUST)
	$(BIN)/maturin develop --release --quiet > $(VENV)/build.log 2>&1 || { cat $(VENV)/build.log; exit 1; }
	@touch $@

# The package with all that its tests need.
$(VENV)/dev.stamp: $(BIN)/python pyproject.toml $(RUST)
	$(BIN)/maturin develop --release --quiet --extras dev,browser > $(VENV)/build.log 2>&1 || { cat $(VENV)/build.log; exit 1; }
	@touch $@ $(VENV)/demo.stamp

.PHONY: demo
demo: $(VENV)/demo.stamp ## play a packaged level of each game to its end, write pictures and films
	$(BIN)/python -m gridwright demo

.PHONY: dev
dev: $(VENV)/dev.stamp ## create .venv with the package and all that its tests need

# The browser of the tests: Debian's chromium. On other systems, a message names what to install.
.PHONY: browser
browser: ## install the browser for the tests (as root on Debian), or name what to install
	@for name in "$$GRIDWRIGHT_CHROMIUM" chromium chromium-browser google-chrome; do \
	  [ -n "$$name" ] && command -v "$$name" >/dev/null 2>&1 && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  export DEBIAN_FRONTEND=noninteractive; \
	  apt-get update -qq >/dev/null 2>&1; \
	  apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >/dev/null 2>&1; fi; \
	command -v chromium >/dev/null || \
	  echo "the browser tests need chromium: apt-get install --no-install-recommends chromium fonts-dejavu-core"

.PHONY: test
test: $(VENV)/dev.stamp browser ## the tests: Rust, Python, documentation, stubs
	cargo test --quiet
	$(BIN)/python -m pytest -n 2 --dist worksteal
	$(BIN)/python -m mypy.stubtest gridwright._core --allowlist tests/python/stubtest-allowed.txt

.PHONY: lint
lint: $(VENV)/dev.stamp ## formatting, clippy (with the sixth game too), links in the Rust documentation, ruff, mypy
	for manifest in Cargo.toml $(wildcard examples/*/Cargo.toml benches/peers/*/Cargo.toml); do cargo fmt --check --manifest-path $$manifest || exit 1; done
	cargo clippy --quiet --all-targets --features python -- -D warnings
	for game in $(wildcard examples/sixth-game/move_in.py); do CARGO_TARGET_DIR=$(abspath target) \
	  GRIDWRIGHT_SUITE="cargo clippy --quiet --all-targets --features python -- -D warnings" $(PYTHON) $$game || exit 1; done
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet
	$(BIN)/ruff check python tests tab benches examples notebooks course docs
	$(BIN)/ruff format --check python tests tab benches examples notebooks course docs
	$(BIN)/mypy

.PHONY: sixth
sixth: ## move a sixth game into a copy of the repository and run every test there
	$(PYTHON) examples/sixth-game/move_in.py

.PHONY: golden
golden: ## rewrite perft counts, optima, transcripts and messages; read the diff
	GRIDWRIGHT_GOLDEN=1 cargo test --quiet --test rust

# The number of minutes for which the computation of each long table continues.
MINUTES ?= 30

.PHONY: records
records: $(VENV)/dev.stamp ## compute small rows of docs/records again, continue with the long ones, run the checkers
	nice -n 19 $(BIN)/python -m gridwright records all --verify
	nice -n 19 $(BIN)/python -m gridwright records all --minutes $(MINUTES)
	for check in docs/records/check_*.py; do $(BIN)/python $$check || exit 1; done

.PHONY: instructions
instructions: $(VENV)/dev.stamp valgrind ## count the instructions of the hot paths, write benches/instructions.txt
	$(BIN)/python benches/instructions.py --write

.PHONY: instructions-check
instructions-check: $(VENV)/dev.stamp valgrind ## fail if a hot path takes over 5% more instructions than recorded
	$(BIN)/python benches/instructions.py

.PHONY: valgrind
valgrind:
	@command -v valgrind >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  { apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends valgrind; } \
	  >/dev/null 2>&1; } || true

# The package with the libraries that it is compared with.
$(VENV)/bench.stamp: $(VENV)/dev.stamp
	$(BIN)/maturin develop --release --quiet --extras dev,bench
	@touch $@ $(VENV)/dev.stamp $(VENV)/demo.stamp

.PHONY: bench
bench: $(VENV)/bench.stamp ## compare speeds with other libraries, write benches/RESULTS.md
	$(BIN)/python benches/run.py

# JAX is large, and only the agents need it.
$(VENV)/train.stamp: $(VENV)/dev.stamp
	$(BIN)/maturin develop --release --quiet --extras dev,train
	@touch $@ $(VENV)/dev.stamp $(VENV)/demo.stamp

.PHONY: baselines
baselines: $(VENV)/train.stamp ## train all agents that have no result yet, write the tables of docs/train.md
	$(BIN)/python examples/baselines/run.py

$(VENV)/docs.stamp: $(VENV)/dev.stamp
	$(BIN)/maturin develop --release --quiet --extras dev,docs > $(VENV)/docs.log 2>&1 || { cat $(VENV)/docs.log; exit 1; }
	@touch $@

.PHONY: docs
docs: $(VENV)/docs.stamp ## build the site in site/ and the Rust documentation, with warnings as errors
	@$(MAKE) --no-print-directory pages || echo "*** the build of play/ and lab/ failed: see above; building the site anyway" >&2
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet

# The package for a browser's Python, and the pages that run it. If something that the build needs is missing, a
# message names it.
$(VENV)/tab/wheel.stamp: $(BIN)/python $(RUST) pyproject.toml README.md tab/build.py tab/pins.json tab/emcc \
  $(shell find python -type f ! -name "*.so" ! -name "*.pyc")
	$(BIN)/python tab/build.py wheel
	@mkdir -p $(@D) && touch $@

.PHONY: tab
tab: $(VENV)/tab/wheel.stamp ## build the wheel for a browser's Python in dist/

.PHONY: pages
pages: $(VENV)/tab/wheel.stamp $(VENV)/dev.stamp ## build the pages play/ and lab/ in build/tab/
	$(BIN)/python tab/pages.py play
	$(BIN)/python tab/pages.py lab

.PHONY: play
play: $(VENV)/tab/wheel.stamp $(VENV)/demo.stamp ## play in a browser: build the page and serve it here
	$(BIN)/python tab/pages.py play
	$(BIN)/python tab/pages.py serve

# The tests in node run at the same time as those in the browser. A busy machine may delay the browser, so browser tests
# that failed are run once more.
.PHONY: tab-test
tab-test: $(VENV)/dev.stamp pages browser ## the Python tests in a browser's Python, and the pages in a real browser
	@$(BIN)/python tab/build.py test > $(VENV)/tab/test.log 2>&1 & node=$$!; \
	$(BIN)/python -m pytest tests/tab || $(BIN)/python -m pytest tests/tab --last-failed; pages=$$?; \
	wait $$node; node=$$?; cat $(VENV)/tab/test.log; \
	[ $$pages = 0 ] && [ $$node = 0 ]

# A wheel goes into the archives, because a grader's machine has to install the package.
.PHONY: course
course: $(VENV)/dev.stamp ## write the assignments to build/course/: for students, for teachers, for three graders
	rm -rf build/course/wheels
	$(BIN)/maturin build --release --quiet --out build/course/wheels
	$(BIN)/python course/handout.py --wheels build/course/wheels --key "$(KEY)"

# nbgrader and otter-grader need more than a hundred packages, so they are not installed for the other tests.
$(VENV)/course/stamp: $(VENV)/dev.stamp
	$(PYTHON) -m venv $(VENV)/course
	$(VENV)/course/bin/python -m pip install --quiet "nbgrader>=0.9.5" "otter-grader>=6.1" "hypothesis>=6.100"
	@touch $@

.PHONY: course-test
course-test: $(VENV)/course/stamp ## grade notebooks with nbgrader, otter-grader and Gradescope's script
	GRIDWRIGHT_COURSE_PYTHON=$(abspath $(VENV)/course/bin/python) $(BIN)/python -m pytest tests/python/test_course.py

# The kernels that run the notebooks here import numpy 1.26; the compiled extension is the one that the other tests use.
$(VENV)/numpy1/stamp: $(VENV)/dev.stamp
	$(PYTHON) -m venv $(VENV)/numpy1
	$(VENV)/numpy1/bin/python -m pip install --quiet "numpy==1.26.*" "anywidget>=0.9.13" "hypothesis>=6.100" \
	  "ipykernel>=6" "matplotlib>=3.7" "nbclient>=0.10" "networkx>=3" "pillow>=10" "platformdirs>=4" "pytest>=8" \
	  "resvg-py>=0.1.5" "scipy>=1.10"
	@touch $@

.PHONY: old-numpy
old-numpy: $(VENV)/numpy1/stamp ## run the notebooks and their solutions on numpy 1.26
	PYTHONPATH=python PATH=$(abspath $(VENV))/numpy1/bin:$$PATH $(VENV)/numpy1/bin/python -m pytest -s tests/python/test_notebooks.py

.PHONY: package
package: $(VENV)/dev.stamp ## build sdist and wheel, try them in clean environments
	tests/package/try.sh

.PHONY: stress
stress: $(VENV)/dev.stamp ## interrupts, threads, forks, huge boards, and a million random calls
	$(BIN)/python tests/stress/limits.py
	cd $(VENV) && bin/python ../tests/stress/calls.py 1000000 1

.PHONY: fuzz
fuzz: ## fuzz the parsers for a minute each (installs cargo-fuzz if it is missing)
	@command -v cargo-fuzz >/dev/null || cargo install --quiet cargo-fuzz
	for target in $$(cd fuzz/fuzz_targets && ls *.rs | sed 's/\.rs$$//'); do \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run $$target -- -max_total_time=60 || exit 1; done

.PHONY: clean
clean: ## remove everything that was built
	rm -rf target $(VENV) build dist site fuzz/target examples/*/target benches/peers/*/target python/gridwright/*.so
