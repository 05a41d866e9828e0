# The commands for people; CMakePresets.json and tools/ do the work. `make` alone lists them.
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
help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 15

.PHONY: setup
setup: ## install the Debian packages and the shell grammar that are missing
	@tools/setup core

.PHONY: build
build: setup ## build build/grapnel, optimised and static
	@$(call built,release)
	@ln -sf release/cli/grapnel build/grapnel
	@echo "build/grapnel is ready"

.PHONY: demo
demo: build ## play a session of an agent with hooks from five systems
	@examples/demo/run.sh

.PHONY: test
test: setup ## run every test, under the address and undefined-behaviour sanitizers
	@tools/setup sanitizers
	@$(call built,asan)
	@ctest --test-dir build/asan -j $$(($(JOBS) + 1)) --output-on-failure  # one job more than cores: many tests wait most of the time

.PHONY: test-bare
test-bare: ## run `make demo` and `make test` in a fresh, bare Debian 12 (needs root; a second run is faster)
	@JOBS='$(JOBS)' tools/test-bare

.PHONY: tsan
tsan: setup ## run every test under the thread sanitizer
	@$(call built,tsan)
	@ctest --test-dir build/tsan -j $(JOBS) --output-on-failure

.PHONY: test-agents
test-agents: build ## test with the real Claude Code, Gemini CLI, Codex and Qwen Code (from npm; they run offline)
	@tools/setup agents ui
	@tests/agents/install
	@node tests/agents/run.mjs build/grapnel build/test-agents

.PHONY: fleet-demo
fleet-demo: setup ## play the first day of a fleet: a NATS server on loopback, three machines in temporary homes
	@tools/setup fleet
	@$(call built,release) --target grapnel_cli grapnel_engine_cli grapnel_journal_cli grapnel_fleet_cli
	@GRAPNEL=build/release/cli/grapnel examples/fleet/run.sh

.PHONY: test-fleet
test-fleet: setup ## test the fleet with real NATS servers and PostgreSQL, whatever is killed in between
	@tools/setup sanitizers fleet ui otlp
	@$(call built,asan) --target fleet_servers fleet_test golden_runner grapnel_ui_cli
	@tests/fleet/servers/run build/asan

.PHONY: test-editors
test-editors: build ## test the schema of rule files in the real yaml-language-server (from npm)
	@node tests/editors/run.mjs build/grapnel "$$(tests/editors/install)"

.PHONY: test-mcp
test-mcp: build ## test `grapnel agent` with the reference servers of MCP, and `grapnel mcp` with the official SDKs (from npm)
	@tools/setup mcp
	@packages=$$(tests/mcp/real/install) && node tests/mcp/real/run.mjs build/grapnel "$$packages"

.PHONY: test-ui
test-ui: build ## test the page of `grapnel ui` in the real Chromium; pictures of each screen are left in build/ui-screenshots
	@tools/setup ui
	@tests/ui/run build/grapnel build/ui-screenshots

# $(call bindings): the packages for Node and Python, in build/release/bindings.
bindings = cmake --preset release -DGRAPNEL_BUILD_BINDINGS=ON >/dev/null && cmake --build --preset release -j $(JOBS) --target grapnel_bindings

.PHONY: test-node
test-node: setup ## test the package for Node; GRAPNEL_NODE_PACKAGE names an installed one
	@tools/setup node
	@[[ -n "$${GRAPNEL_NODE_PACKAGE:-}" ]] || { $(bindings); }
	@tests/node/run

.PHONY: test-python
test-python: setup ## test the package for Python; GRAPNEL_PYTHON_PACKAGE names a folder, or is `installed`
	@tools/setup node python
	@[[ -n "$${GRAPNEL_PYTHON_PACKAGE:-}" ]] || { $(bindings); }
	@tests/python/run

.PHONY: record-agents
record-agents: ## record again what these agents send to hooks, into tests/agents/payloads
	@tests/agents/install
	@node tests/agents/record.mjs build/record-agents

.PHONY: bench
bench: setup ## measure Grapnel and the floor; writes bench/results and docs/performance.md
	@tools/setup bench node
	@$(call built,bench)
	@bench/run build/bench
	@bench/bindings/run build/bench

.PHONY: bench-peers
bench-peers: setup ## the same with Gemini's hook engine, Node and Python in every round, and in real agents
	@tools/setup bench peers agents node
	@$(call built,bench)
	@bench/run build/bench --peers --seconds 900
	@bench/agents/run build/bench

.PHONY: bench-agents
bench-agents: setup ## measure what a hook costs in the real Claude Code, Codex and Qwen Code; writes bench/results/agents.md
	@tools/setup bench agents
	@$(call built,bench)
	@bench/agents/run build/bench

.PHONY: bench-ui
bench-ui: setup ## measure the journal with 100,000 and 1,000,000 events, and what a page over it asks
	@tools/setup bench ui node
	@$(call built,bench) --target make_journal journal_bench grapnel-journal grapnel_ui_cli grapnel_cli
	@bench/ui/run build/bench

.PHONY: bench-year
bench-year: setup ## see whether a year's state makes commands slower; prints a table, and fails if one grows that does not show the past
	@tools/setup bench node
	@$(call built,bench) --target make_journal grapnel-journal grapnel_cli grapnel_engine_cli
	@bench/year/run build/bench

.PHONY: bench-fleet
bench-fleet: setup ## measure how fast records of a machine arrive in SQLite and PostgreSQL; writes bench/results/fleet.md
	@tools/setup bench node fleet
	@$(call built,bench) --target make_journal fleet_crowd grapnel_cli grapnel_engine_cli grapnel_fleet_cli
	@bench/fleet/run build/bench

.PHONY: bench-false-alarms
bench-false-alarms: setup ## how often three guards stop commands of real life: FILES="a.jsonl b.jsonl", one command on each line
	@tools/setup bench node
	@$(call built,bench) --target false_alarms
	@build/bench/bench/false_alarms $(FILES)

.PHONY: bench-bindings
bench-bindings: setup ## measure what an event costs in Node and Python, beside C++; writes bench/results/bindings.md
	@tools/setup bench node
	@$(call built,bench) --target per_event grapnel_bindings
	@bench/bindings/run build/bench

.PHONY: bench-check
bench-check: setup ## fail if an in-process path takes 5 % more instructions than in bench/baseline.json
	@tools/setup bench node
	@$(call built,bench) --target count_bench
	@bench/count build/bench

.PHONY: bench-baseline
bench-baseline: setup ## accept today's instruction counts: writes bench/baseline.json
	@tools/setup bench node
	@$(call built,bench) --target count_bench
	@bench/count build/bench --update

.PHONY: fuzz
fuzz: setup ## run every fuzz target for FUZZ_SECONDS (60)
	@tools/setup sanitizers fuzz
	@$(call built,fuzz)
	@for name in $(FUZZERS); do tools/fuzz "$$name" $(FUZZ_SECONDS); done

.PHONY: fuzz-differential
fuzz-differential: setup ## run mutated scripts in a jail for FUZZ_SECONDS, and compare what they did with what grapnel says (needs root)
	@tools/setup sanitizers fuzz
	@$(call built,fuzz) --target differential
	@tools/fuzz-differential $(FUZZ_SECONDS)

.PHONY: soak
soak: setup ## repeat the process and thread tests for SOAK_SECONDS (120), and check memory over a million events
	@tools/setup bench node
	@$(call built,dev)
	@$(call built,bench) --target growth_bench native_hook native_worker
	@build/bench/bench/growth_bench
	@tools/soak '$(SOAK_TESTS)' $(SOAK_SECONDS)

.PHONY: check
check: ## check formatting, spelling and duplicated code, as CI does before the tests
	@tools/setup lint
	@tools/check

.PHONY: tidy
tidy: setup ## run clang-tidy over the library and the command (`tools/check --tidy`: only over changed files)
	@tools/setup tidy
	@$(call built,tidy)

.PHONY: format
format: ## check the formatting (`clang-format-19 -i` repairs it)
	@tools/setup lint
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 --dry-run --Werror

.PHONY: install
install: build ## build, and install into PREFIX (/usr/local) below DESTDIR
	@DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

.PHONY: dist
dist: setup ## make everything that people install, into dist/: tarballs, Debian packages, npm packages, wheels
	@tools/setup dist node python
	@JOBS='$(JOBS)' tools/dist

.PHONY: test-dist
test-dist: dist ## install each package of dist/ in an empty place, use it and remove it (needs root)
	@tools/test-dist

.PHONY: release
release: ## release VERSION: changelog, version, commit, all packages made and tested, tag (needs root)
	@tools/release '$(VERSION)'

.PHONY: test-upgrade
test-upgrade: build ## test that this version takes over from OLD (a commit, a tag or a directory with programs), and back
	@JOBS='$(JOBS)' tools/test-upgrade '$(OLD)' build/release/cli

.PHONY: clean
clean: ## remove build/ and dist/
	@rm -rf build dist
