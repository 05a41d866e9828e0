# Everything a person types; the work is in CMakePresets.json and tools/.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 120
FUZZERS := event settings toml frontmatter output json glob regex stream shell frame
SOAK_TESTS ?= ^(run|engine|os)_

# $(call built,PRESET): configures and builds.
built = cmake --preset $(1) >/dev/null && cmake --build --preset $(1) -j $(JOBS)

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 15

.PHONY: setup
setup: ## install the Debian packages and the shell grammar, where they are missing
	@tools/setup core

.PHONY: build
build: setup ## build/grapnel, optimised and static
	@$(call built,release)
	@ln -sf release/cli/grapnel build/grapnel
	@echo "build/grapnel is ready"

.PHONY: demo
demo: build ## see hooks of five systems work around one agent
	@examples/demo/run.sh

.PHONY: test
test: setup ## every test, under the address and undefined-behaviour sanitizers
	@tools/setup sanitizers
	@$(call built,asan)
	@ctest --test-dir build/asan -j $$(($(JOBS) + 1)) --output-on-failure  # many wait for a process most of the time

.PHONY: test-bare
test-bare: ## make demo and make test in a fresh, bare Debian 12 (root; a second run is faster)
	@JOBS='$(JOBS)' tools/test-bare

.PHONY: tsan
tsan: setup ## every test under the thread sanitizer
	@$(call built,tsan)
	@ctest --test-dir build/tsan -j $(JOBS) --output-on-failure

.PHONY: test-agents
test-agents: build ## hold Grapnel against the real Claude Code, Gemini CLI, Codex and Qwen Code (npm, offline runs)
	@tests/agents/install
	@node tests/agents/run.mjs build/grapnel build/test-agents

.PHONY: record-agents
record-agents: ## record anew what those agents send to hooks, in tests/agents/payloads
	@tests/agents/install
	@node tests/agents/record.mjs build/record-agents

.PHONY: bench
bench: setup ## measure beside the floor; writes bench/results and docs/performance.md
	@tools/setup bench
	@$(call built,bench)
	@bench/run build/bench

.PHONY: bench-peers
bench-peers: setup ## the same with Gemini's hook engine, Node and Python in every round
	@tools/setup bench peers
	@$(call built,bench)
	@bench/run build/bench --peers --seconds 900

.PHONY: bench-check
bench-check: setup ## fail when an in-process path takes 5 % more instructions than bench/baseline.json says
	@tools/setup bench
	@$(call built,bench) --target count_bench
	@bench/count build/bench

.PHONY: bench-baseline
bench-baseline: setup ## write bench/baseline.json anew
	@tools/setup bench
	@$(call built,bench) --target count_bench
	@bench/count build/bench --update

.PHONY: fuzz
fuzz: setup ## every fuzz target for FUZZ_SECONDS (60)
	@tools/setup sanitizers fuzz
	@$(call built,fuzz)
	@for name in $(FUZZERS); do tools/fuzz "$$name" $(FUZZ_SECONDS); done

.PHONY: soak
soak: setup ## the concurrency and process tests for SOAK_SECONDS (120), and memory over a million events
	@tools/setup bench
	@$(call built,dev)
	@$(call built,bench) --target growth_bench native_hook native_worker
	@build/bench/bench/growth_bench
	@tools/soak '$(SOAK_TESTS)' $(SOAK_SECONDS)

.PHONY: check
check: ## formatting, spelling, code that stands twice: what CI checks besides the tests
	@tools/setup lint
	@tools/check

.PHONY: tidy
tidy: setup ## clang-tidy over the library and the command; `tools/check --tidy` looks at changed files only
	@tools/setup tidy
	@$(call built,tidy)

.PHONY: format
format: ## check the formatting (clang-format-19 -i repairs)
	@tools/setup lint
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 --dry-run --Werror

.PHONY: install
install: build ## into DESTDIR and PREFIX (/usr/local)
	@DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

.PHONY: clean
clean: ## remove build/
	@rm -rf build
