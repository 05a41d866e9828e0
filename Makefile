# Everything a person types; the work is in CMakePresets.json and tools/.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 120
FUZZERS := event settings toml frontmatter output json glob regex stream shell
SOAK_TESTS ?= ^(run|engine|os)_

# $(call built,PRESET): configures and builds.
built = cmake --preset $(1) >/dev/null && cmake --build --preset $(1) -j $(JOBS)

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 15

.PHONY: setup
setup: ## install the Debian packages that are missing
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
	@$(call built,asan)
	@ctest --test-dir build/asan -j $(JOBS) --output-on-failure

.PHONY: tsan
tsan: setup ## every test under the thread sanitizer
	@$(call built,tsan)
	@ctest --test-dir build/tsan -j $(JOBS) --output-on-failure

.PHONY: record-agents
record-agents: ## record anew what those agents send to hooks, in tests/agents/payloads
	@tests/agents/install
	@node tests/agents/record.mjs build/record-agents

.PHONY: bench
bench: setup ## measure
	@tools/setup bench
	@$(call built,bench)
	@bench/run build/bench

.PHONY: fuzz
fuzz: setup ## every fuzz target for FUZZ_SECONDS (60)
	@tools/setup clang fuzz
	@$(call built,fuzz)
	@for name in $(FUZZERS); do tools/fuzz "$$name" $(FUZZ_SECONDS); done

.PHONY: soak
soak: setup ## the concurrency and child-process tests, again and again for SOAK_SECONDS (120)
	@$(call built,dev)
	@tools/soak '$(SOAK_TESTS)' $(SOAK_SECONDS)

.PHONY: tidy
tidy: setup ## clang-tidy over the library and the command
	@tools/setup clang
	@$(call built,tidy)

.PHONY: format
format: ## check the formatting (clang-format-19 -i repairs)
	@tools/setup clang
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 --dry-run --Werror

.PHONY: install
install: build ## into DESTDIR and PREFIX (/usr/local)
	@DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

.PHONY: clean
clean: ## remove build/
	@rm -rf build
