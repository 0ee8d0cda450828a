# The front door. Every target installs what it needs from Debian first (tools/setup) and then asks CMake.
.PHONY: help build test test-page demo bench format lint soak clean
.DEFAULT_GOAL := help

help:     ## this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

build:    ## the command line, at build/bin/trammel
	@tools/setup build viewer
	@tools/viewer
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release

test:     ## builds and runs every test
	@tools/setup build test viewer
	@tools/viewer
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev
	@ctest --preset dev

test-page: build  ## the report page in a browser (Chromium): real pages of examples and papers
	@tools/setup page
	@tools/test-page build/bin/trammel

demo: build  ## a shipped robot draws a helix; the results are in results/
	@build/bin/trammel run examples/01-scara-helix.yaml

bench:    ## our own benchmarks
	@tools/setup build bench
	@cmake --preset bench --log-level=WARNING
	@cmake --build --preset bench
	@build/bench/bin/trammel_bench
	@build/bench/bin/drift_bench
	@build/bench/bin/scaling_bench

format:   ## lays out every source file
	@tools/setup lint
	@git ls-files -co --exclude-standard '*.h' '*.cpp' | xargs clang-format-16 -i

lint:     ## layout, names and include rules; changes nothing
	@tools/setup build test lint
	@cmake --preset dev --log-level=WARNING
	@tools/lint build/dev

soak:     ## the slow tests: runs of a million steps, fuzzing from the corpus
	@tools/setup build test fuzz
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev --target simulate_tests
	@TRAMMEL_LONG_STEPS=1000000 build/dev/bin/simulate_tests --gtest_filter='LongRuns.*'
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz
	@tools/soak build/fuzz

clean:    ## removes what was built
	@rm -rf build
