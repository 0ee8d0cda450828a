# The front door. Every target installs what it needs from Debian first (tools/setup) and then asks CMake.
.PHONY: help build test test-page test-native test-threads build-asan wheel demo bench bench-peers words format lint soak clean
.DEFAULT_GOAL := help

help:     ## this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

# OFF leaves the report page out, and needs no Node: make build VIEWER=OFF
VIEWER ?= ON

build:    ## the command line, at build/bin/trammel
	@tools/setup build $(if $(filter ON,$(VIEWER)),viewer)
	@$(if $(filter ON,$(VIEWER)),tools/viewer,echo "The report page is left out: VIEWER=$(VIEWER)")
	@cmake --preset release --log-level=WARNING -DTRAMMEL_VIEWER=$(VIEWER)
	@cmake --build --preset release

test:     ## builds and runs every test; the page's own on one page, where Chromium is installed
	@tools/setup build test viewer python
	@tools/test-robots
	@tools/viewer
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev
	@ctest --preset dev
	@tools/python-package build/dev
	@build/python/bin/python -m pytest
	@if command -v chromium >/dev/null; then tools/test-page build/dev/bin/trammel few; \
	else echo "No Chromium here: the report page is not tested in a browser; make test-page installs one and does"; fi

test-page: build  ## the report page in a browser (Chromium): real pages of examples and papers
	@tools/setup page
	@tools/test-page build/bin/trammel

test-native:  ## the kernels' tests, compiled for this machine's processor
	@tools/setup build test
	@tools/test-robots
	@cmake --preset native-tests --log-level=WARNING
	@cmake --build --preset native-tests
	@for kernels in math dynamics constraints motion; do build/native-tests/bin/$${kernels}_tests --gtest_brief=1 || exit 1; done

wheel:    ## a wheel of the Python package in build/wheel, tried in an empty environment
	@tools/setup build viewer python
	@tools/viewer
	@tools/wheel
	@tools/test-wheel

demo: build  ## a shipped robot draws a helix; the results are in results/
	@build/bin/trammel run examples/01-scara-helix.yaml

bench:    ## our own benchmarks
	@tools/setup build bench
	@cmake --preset bench --log-level=WARNING
	@cmake --build --preset bench
	@build/bench/bin/trammel_bench
	@build/bench/bin/drift_bench
	@build/bench/bin/scaling_bench

bench-peers:  ## trammel beside Pinocchio, MuJoCo, Simbody and DART: a table of ratios (long; tools/bench-peers --quick)
	@tools/bench-peers

words: build  ## the lists of words in the schema and the fuzz dictionaries, from the program's tables
	@tools/words build/bin/trammel

format:   ## lays out every source file
	@tools/setup lint
	@git ls-files -co --exclude-standard '*.h' '*.cpp' | xargs clang-format-16 -i

# A commit: clang-tidy looks at the files alone that have changed since. make lint SINCE=HEAD~3
SINCE ?=

lint:     ## layout, names and include rules, subjects of commits; changes nothing
	@tools/setup build lint
	@cmake --preset lint --log-level=WARNING
	@tools/lint build/lint $(SINCE)

build-asan:  ## everything with the address and undefined-behaviour sanitizers, in build/asan
	@tools/setup build test
	@tools/test-robots
	@cmake --preset asan --log-level=WARNING
	@cmake --build --preset asan

test-threads:  ## one problem in eight threads, batches and runs on threads, under the thread sanitizer
	@tools/setup build test
	@cmake --preset tsan --log-level=WARNING
	@cmake --build --preset tsan
	@build/tsan/bin/motion_tests --gtest_brief=1 --gtest_filter='*Thread*:*Batch*:*Shared*'
	@build/tsan/bin/simulate_tests --gtest_brief=1 --gtest_filter='*Thread*:*Batch*'

soak:     ## what is slow: clang-tidy on every file, all seeded cases, other vector flags, runs of a million steps, fuzzing
	@$(MAKE) --no-print-directory lint SINCE=
	@tools/setup build test viewer fuzz
	@tools/test-robots
	@tools/viewer
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev
	@TRAMMEL_SEEDS=all ctest --preset dev
	@$(MAKE) --no-print-directory test-threads
	@tools/test-vector-flags
	@/usr/bin/python3 -B tests/cli/mutated_examples.py . build/dev/bin/trammel 10000 2000 build/mutated
	@TRAMMEL_LONG_STEPS=1000000 build/dev/bin/simulate_tests --gtest_filter='LongRuns.*'
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz
	@tools/soak build/fuzz

clean:    ## removes what was built
	@rm -rf build
